//! What linearity lets us assume: the permissions held by different holders are disjoint.
//!
//! **In:** holders, each a term of a linear type that the linear type checker found available at
//! one moment; or the permissions of a whole thread, as [`Part`]s.
//! **Out:** `Lin(S)` of verification.md 5.3 as one term: pairwise disjointness in every permission
//! domain, and well-formedness of available maps.
//!
//! A domain is a type `One T`. The permissions of a holder in a domain are a list of parts: single
//! permissions and sets, each under a guard that says which constructor built the value. Most
//! questions of the corpus compare single permissions, for which disjointness is `x != y`, or a
//! single one with a set, for which it is `!s[x]`; only two sets need a fact about arrays.
//!
//! # Soundness
//! - The result is only ever assumed. Who proves it: the availability analysis of `discipline`.
//!   Callers pass holders by declared kind and availability, never by type alone (section 14.3).
//! - Leaving permissions out makes the fact weaker. So values of maps, which are not collected, and
//!   recursive datatypes, which are cut at [`MOST_DEPTH`], are safe.
//! - The partition map that makes many sets disjoint is a fresh symbol: the fact must stand in
//!   assumption position, not under a quantifier.

use std::collections::BTreeSet;
use std::sync::Arc;

use hir::{Name, Ty};
use ir::{PointwiseOp, Sort, Term};

use crate::lowering::Lowering;

/// How deeply datatypes are searched for permissions.
const MOST_DEPTH: usize = 6;
/// From this many sets on, one partition map replaces the pairwise facts.
const PARTITION_FROM: usize = 4;

/// A value whose type holds permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    pub ty: Ty,
    pub term: Term,
}

/// Some permissions of one domain, held if `guard` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    guard: Term,
    permissions: Permissions,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Permissions {
    /// The one permission.
    One(Term),
    /// A map from permissions to whether they are held.
    Set(Term),
}

impl Part {
    /// The permissions in `set`, a map from the domain to Boolean.
    pub fn set(set: Term) -> Part {
        Part { guard: Term::tt(), permissions: Permissions::Set(set) }
    }
}

/// The domains in which these types hold permissions, in the order of types.
pub fn domains<'a>(lowering: &Lowering<'_>, types: impl IntoIterator<Item = &'a Ty>) -> Vec<Ty> {
    let world = lowering.world;
    let all = types
        .into_iter()
        .flat_map(|ty| discipline::linear::permission_types(world.db, world.program, ty));
    all.collect::<BTreeSet<Ty>>().into_iter().collect()
}

/// `Lin(S)`: the holders own different permissions, and maps among them are well-formed.
pub fn linear_facts(lowering: &mut Lowering<'_>, holders: &[Holder]) -> Term {
    linear_facts_beside(lowering, holders, &[])
}

/// The same, where in addition another thread holds `others`, a list of parts for each domain.
pub fn linear_facts_beside(
    lowering: &mut Lowering<'_>,
    holders: &[Holder],
    others: &[(Ty, Vec<Part>)],
) -> Term {
    let mut facts = Vec::new();
    for domain in domains(lowering, holders.iter().map(|holder| &holder.ty)) {
        let mut groups: Vec<Vec<Part>> =
            holders.iter().map(|holder| parts(lowering, &domain, holder)).collect();
        let other = others.iter().filter(|(ty, _)| *ty == domain);
        groups.extend(other.map(|(_, parts)| parts.clone()));
        groups.retain(|group| !group.is_empty());
        facts.push(disjoint(lowering, &groups));
    }
    for holder in holders {
        facts.extend(well_formed(lowering, holder));
    }
    Term::and(facts)
}

/// The permissions of `holder` in `domain`.
pub fn parts(lowering: &mut Lowering<'_>, domain: &Ty, holder: &Holder) -> Vec<Part> {
    let mut out = Vec::new();
    collect(lowering, domain, (&holder.ty, &holder.term), (Term::tt(), 0), &mut out);
    out
}

/// The parts as one map from permissions to whether they are held.
pub fn union(lowering: &mut Lowering<'_>, domain: &Ty, parts: &[Part]) -> Term {
    let sort = set_sort(lowering, domain);
    let empty = Term::const_array(sort, Term::ff());
    let mut set = empty.clone();
    for part in parts {
        let with = match &part.permissions {
            Permissions::One(one) => Term::store(set.clone(), one.clone(), Term::tt()),
            Permissions::Set(other) if set == empty => other.clone(),
            Permissions::Set(other) => {
                Term::map_op(PointwiseOp::Or, vec![set.clone(), other.clone()])
            }
        };
        set = Term::ite(part.guard.clone(), with, set);
    }
    set
}

/// The sort of sets of permissions of a domain.
pub fn set_sort(lowering: &mut Lowering<'_>, domain: &Ty) -> Sort {
    let index = lowering.closed_sort(domain);
    Sort::Array(Arc::from([index]), Arc::new(Sort::Bool))
}

/// `Map_WellFormed` of a holder that is a `Map`.
fn well_formed(lowering: &mut Lowering<'_>, holder: &Holder) -> Option<Term> {
    let (name, args) = holder.ty.as_ctor()?;
    let world = lowering.world;
    // A `Map` whose type holds no permission is an ordinary value, whatever it is declared to be.
    let is_held = discipline::linear::is_linear(world.db, world.program, &holder.ty);
    let is_map = *name == "Map" && args.len() == 2 && is_held;
    is_map.then(|| lowering.application("Map_WellFormed", args, vec![holder.term.clone()]))
}

fn collect(
    lowering: &mut Lowering<'_>,
    domain: &Ty,
    (ty, term): (&Ty, &Term),
    (guard, depth): (Term, usize),
    out: &mut Vec<Part>,
) {
    if ty == domain {
        out.push(Part { guard, permissions: Permissions::One(term.clone()) });
        return;
    }
    let Some((name, args)) = ty.as_ctor() else { return };
    if *name == "One" || depth > MOST_DEPTH {
        return;
    }
    if *name == "Map" {
        // Permissions in the values of a map are deliberately not collected.
        if args.first() == Some(domain) {
            let set = field(lowering, ty, "dom", term, domain);
            out.push(Part { guard, permissions: Permissions::Set(set) });
        }
        return;
    }
    let holds = discipline::linear::permission_types(lowering.world.db, lowering.world.program, ty);
    let Some(datatype) = lowering.world.datatype(name).filter(|_| holds.contains(domain)) else {
        return;
    };
    let Some(def) = lowering.datatype_def(ty) else { return };
    let types = datatype.subst(args);
    for (number, ctor) in datatype.ctors.iter().enumerate() {
        let built = match datatype.ctors.len() {
            1 => Term::tt(),
            _ => Term::is(&def, number, term.clone()),
        };
        let guard = Term::and([guard.clone(), built]);
        for (position, part) in ctor.fields.iter().enumerate() {
            let value = Term::field(&def, number, position, term.clone());
            let ty = part.ty.subst(&types);
            collect(lowering, domain, (&ty, &value), (guard.clone(), depth + 1), out);
        }
    }
}

fn field(lowering: &mut Lowering<'_>, ty: &Ty, name: &str, value: &Term, domain: &Ty) -> Term {
    let sort = set_sort(lowering, domain);
    lowering.field(ty, &Name::new(name), value.clone(), sort)
}

/// Permissions of different groups differ.
fn disjoint(lowering: &mut Lowering<'_>, groups: &[Vec<Part>]) -> Term {
    let sets = groups.iter().filter(|group| group.iter().any(is_set)).count();
    let partition = sets >= PARTITION_FROM;
    let mut facts = Vec::new();
    for (nth, first) in groups.iter().enumerate() {
        for second in &groups[nth + 1..] {
            for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                if !(partition && is_set(a) && is_set(b)) {
                    let both = Term::and([a.guard.clone(), b.guard.clone()]);
                    facts.push(Term::implies(both, apart(a, b)));
                }
            }
        }
    }
    if partition {
        facts.extend(partition_facts(lowering, groups));
    }
    Term::and(facts)
}

fn is_set(part: &Part) -> bool {
    matches!(part.permissions, Permissions::Set(_))
}

/// The permissions of two parts differ.
fn apart(a: &Part, b: &Part) -> Term {
    use Permissions::{One, Set};
    match (&a.permissions, &b.permissions) {
        (One(x), One(y)) => Term::ne(x.clone(), y.clone()),
        (One(x), Set(set)) | (Set(set), One(x)) => Term::not(Term::select(set.clone(), x.clone())),
        (Set(s), Set(t)) => {
            let both = Term::map_op(PointwiseOp::And, vec![s.clone(), t.clone()]);
            let none = Term::const_array(s.sort().clone(), Term::ff());
            Term::eq(both, none)
        }
    }
}

/// Some map sends the permissions of the sets of group `i` to `i`.
fn partition_facts(lowering: &mut Lowering<'_>, groups: &[Vec<Part>]) -> Vec<Term> {
    let sets: Vec<(usize, &Part, &Term)> = groups
        .iter()
        .enumerate()
        .flat_map(|(nth, group)| group.iter().map(move |part| (nth, part)))
        .filter_map(|(nth, part)| match &part.permissions {
            Permissions::Set(set) => Some((nth, part, set)),
            Permissions::One(_) => None,
        })
        .collect();
    let Some(Sort::Array(index, _)) = sets.first().map(|(_, _, set)| set.sort().clone()) else {
        return Vec::new();
    };
    let numbers = Sort::Array(index, Arc::new(Sort::Int));
    let owner = Term::var(lowering.fresh_var("owner", numbers.clone()));
    let fact = |(nth, part, set): (usize, &Part, &Term)| {
        let number = Term::const_array(numbers.clone(), Term::int(nth));
        let owned = Term::map_op(PointwiseOp::Eq, vec![owner.clone(), number]);
        let inside = Term::map_op(PointwiseOp::Implies, vec![set.clone(), owned]);
        let all = Term::const_array(set.sort().clone(), Term::tt());
        Term::implies(part.guard.clone(), Term::eq(inside, all))
    };
    sets.into_iter().map(fact).collect()
}
