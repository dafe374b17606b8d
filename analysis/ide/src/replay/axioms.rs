//! The structure of a run satisfies the axioms that speak about it.
//!
//! An axiom speaks about a run if it mentions a constant, or a function without a body, whose value the run
//! was executed with, or one that such an axiom mentions; if it speaks of an uninterpreted type that the run
//! has values of, or of which it was asked for all; or if it mentions nothing of the kind at all. Others can be made true by a choice that the
//! run does not see, unless they contradict each other. An axiom over types is taken for the types
//! with which they were asked for. One of a library that is about values of a datatype that the run has none
//! of does not count: it is a fact about those that the program makes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclKind, Name};
use hir::{BoundId, Expr, ExprBody, ExprId, Exprs, FuncKind, Ty, TySubst};
use ir::Value;
use ir::symbolic::library::Meaning;

use super::exprs::View;
use super::machine::Globals;
use super::structure::{Known, Structure, doubt};

/// Definitions that are looked into, one inside another.
const DEEPEST: usize = 7;

/// What a library says of all values of a datatype.
pub(super) struct Restriction {
    pub(super) body: Arc<ExprBody>,
    pub(super) types: TySubst,
}

impl Restriction {
    /// What is said, and the variable that stands for the value.
    pub(super) fn root(&self) -> (ExprId, BoundId) {
        if let Expr::Quant { bound, body, .. } = self.body.exprs.expr(self.body.root)
            && let [only] = &**bound
        {
            return (*body, *only);
        }
        (self.body.root, BoundId(0))
    }
}

/// Axioms of a library over types that are about all values of one datatype, and mention no function that is
/// not computed: then they say which of its constructor terms are values.
pub(super) fn restrictions(structure: &Structure<'_>, ty: &Ty) -> Vec<Restriction> {
    let world = structure.world;
    let Some((name, args)) = ty.as_ctor() else { return Vec::new() };
    let of_library = world.datatype(name).is_some_and(|it| structure.is_of_library(it.decl));
    if !of_library {
        return Vec::new();
    }
    let decls = hir::program_decls(world.db, world.program);
    let axioms = decls.iter().filter(|it| it.kind(world.db) == DeclKind::Axiom);
    let own = axioms.filter(|decl| structure.is_of_library(**decl));
    own.filter_map(|decl| {
        let body = world.expr_body(*decl)?;
        let Expr::Quant { type_params, bound, .. } = body.exprs.expr(body.root) else {
            return None;
        };
        let [only] = &**bound else { return None };
        let (own, params) = body.exprs.bound(*only).ty.as_ctor()?;
        let fits = own == name && params.len() == args.len();
        let mut types = TySubst::new();
        params.iter().zip(args).for_each(|(param, ty)| bind(param, ty, type_params, &mut types));
        fits.then(|| Restriction { body: Arc::clone(&body), types })
    })
    .collect()
}

/// Are some constructor terms of the datatype no values?
pub(super) fn restricts(structure: &Structure<'_>, ty: &Ty) -> bool {
    !restrictions(structure, ty).is_empty()
}

/// Is it surely a value of the datatype?
pub(super) fn allows(structure: &Structure<'_>, ty: &Ty, value: &Value) -> bool {
    restrictions(structure, ty).iter().all(|own| {
        let (root, bound) = own.root();
        structure.truth_of(&own.body, &own.types, root, (bound, value.clone())) == Ok(true)
    })
}

/// All axioms that speak about the run hold, and unique constants differ.
pub(super) fn hold(structure: &Structure<'_>) -> Known<()> {
    let world = structure.world;
    let decls = hir::program_decls(world.db, world.program);
    let axioms = decls.iter().filter(|decl| decl.kind(world.db) == DeclKind::Axiom);
    let own = |decl: &base::DeclId| decl.file(world.db).library(world.db).is_none();
    let axioms: Vec<_> =
        axioms.filter_map(|decl| Some((own(decl), world.expr_body(*decl)?))).collect();
    let mut checked: BTreeSet<(usize, Vec<(Name, Ty)>)> = BTreeSet::new();
    loop {
        let before = checked.len();
        for (nth, (own, axiom)) in axioms.iter().enumerate() {
            for types in relevant(structure, axiom, *own)? {
                let key = (nth, types.clone().into_iter().collect());
                if checked.insert(key) && !is_computed(structure, axiom, *own) {
                    holds(structure, axiom, &types, *own)?;
                }
            }
        }
        if checked.len() == before {
            return unique(structure);
        }
    }
}

/// An axiom of a library about functions that are computed: they satisfy it (`ir::symbolic::library`).
fn is_computed(structure: &Structure<'_>, axiom: &ExprBody, own: bool) -> bool {
    let mentioned = mentioned(structure, &axiom.exprs, 0).unwrap_or_default();
    let mut names = mentioned.iter().map(|(name, _)| name.as_str());
    !own && names.clone().any(|name| Meaning::of(name).is_some())
        && names.all(|name| Meaning::of(name).is_some() || name == "Default")
        && !is_about_values(structure, axiom)
}

/// Is it about all values of a datatype of a library?
fn is_about_values(structure: &Structure<'_>, axiom: &ExprBody) -> bool {
    let Expr::Quant { bound, .. } = axiom.exprs.expr(axiom.root) else { return false };
    let [only] = &**bound else { return false };
    let datatype = axiom.exprs.bound(*only).ty.as_ctor().map(|(name, _)| name);
    datatype.is_some_and(|name| structure.world.datatype(name).is_some())
}

fn holds(structure: &Structure<'_>, axiom: &ExprBody, types: &TySubst, own: bool) -> Known<()> {
    if !own && is_about_values(structure, axiom) {
        return holds_of_values(structure, axiom, types);
    }
    let none = Globals::new();
    let view = View { exprs: &axiom.exprs, types, locals: &[], now: &none, old: &none };
    match structure.truth(view, axiom.root) {
        Ok(true) => Ok(()),
        Ok(false) => doubt("an axiom is false on this run"),
        Err(why) => doubt(format!("an axiom depends on {}", why.0)),
    }
}

/// What a library says of all values of a datatype is true of those that the run mentions. Those that it computes
/// are looked at when they are made.
fn holds_of_values(structure: &Structure<'_>, axiom: &ExprBody, types: &TySubst) -> Known<()> {
    let Expr::Quant { bound, body, .. } = axiom.exprs.expr(axiom.root) else {
        return doubt("an axiom of a library");
    };
    let [only] = &**bound else { return doubt("an axiom of a library") };
    let ty = axiom.exprs.bound(*only).ty.subst(types);
    for value in structure.values_of(&ty) {
        match structure.truth_of(axiom, types, *body, (*only, value)) {
            Ok(true) => {}
            Ok(false) => return doubt(format!("the run mentions what is no value of `{ty}`")),
            Err(why) => return doubt(format!("an axiom depends on {}", why.0)),
        }
    }
    Ok(())
}

/// The types for which an axiom speaks about the run. Those of a library that are over types are about
/// its functions, not about the number of values of a type; `own` says that it is one of the program.
fn relevant(structure: &Structure<'_>, axiom: &ExprBody, own: bool) -> Known<BTreeSet<TySubst>> {
    let mut found = BTreeSet::new();
    let asked = structure.asked();
    let mut params: &[Name] = &[];
    if let Expr::Quant { type_params, .. } = axiom.exprs.expr(axiom.root) {
        params = type_params;
    }
    let mentioned = mentioned(structure, &axiom.exprs, 0)?;
    let about_a_type = is_about_a_type(structure, &axiom.exprs, &mut BTreeSet::new());
    if params.is_empty() && (mentioned.is_empty() || about_a_type) {
        found.insert(TySubst::new());
    } else if own && (about_a_type || mentioned.is_empty()) {
        return doubt("an axiom over types that speaks of a type of this run");
    }
    for (name, pattern) in mentioned {
        for (_, types) in asked.iter().filter(|(own, _)| *own == name) {
            let mut subst = TySubst::new();
            let pairs = pattern.iter().zip(types);
            pairs.for_each(|(pattern, ty)| bind(pattern, ty, params, &mut subst));
            if params.iter().all(|it| subst.contains_key(it)) {
                // A datatype of the program has its values, whether the run shows one or not.
                match is_about_others(structure, axiom, &subst) {
                    true if own => return doubt("an axiom about values that the run has none of"),
                    true => {}
                    false => {
                        found.insert(subst);
                    }
                }
            } else {
                return doubt(format!("an axiom over types that mentions `{name}`"));
            }
        }
    }
    Ok(found)
}

/// Does the axiom, or a function that it calls, speak of values of an uninterpreted type that the run
/// has values of? `seen` are the functions that were looked into.
fn is_about_a_type(structure: &Structure<'_>, exprs: &Exprs, seen: &mut BTreeSet<Name>) -> bool {
    let world = structure.world;
    let has_values = |ty: &Ty| ty.as_ctor().is_some_and(|(name, _)| structure.has_value_of(name));
    let is_met = |ty: &Ty| occurs(structure, ty, &has_values, 0);
    let mut of_function = |name: &Name| {
        let new = seen.insert(name.clone());
        let sig = world.func_sig(name).filter(|_| new);
        let body = sig.and_then(|sig| world.expr_body(sig.decl));
        body.is_some_and(|body| is_about_a_type(structure, &body.exprs, seen))
    };
    exprs.ids().any(|id| {
        exprs.ty(id).any(&is_met)
            || matches!(exprs.expr(id), Expr::Call { func, .. } if of_function(func))
    })
}

/// Is it a wanted type without definition, or does such a type occur in the fields of this datatype?
fn occurs(structure: &Structure<'_>, ty: &Ty, wanted: &dyn Fn(&Ty) -> bool, depth: usize) -> bool {
    match ty {
        Ty::Ctor(name, args) => match structure.world.datatype(name) {
            Some(_) if depth >= DEEPEST => true,
            Some(datatype) => {
                let subst = datatype.subst(args);
                let mut fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
                let inside = |ty: &Ty| occurs(structure, ty, wanted, depth + 1);
                fields.any(|it| it.ty.subst(&subst).any(&inside))
            }
            None => wanted(ty),
        },
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => false,
        Ty::String | Ty::Regex | Ty::Map(_) | Ty::Param(_) | Ty::Infer(_) | Ty::Error => false,
    }
}

/// Is the axiom about values of a datatype that the run has none of?
fn is_about_others(structure: &Structure<'_>, axiom: &ExprBody, types: &TySubst) -> bool {
    let Expr::Quant { type_params, bound, .. } = axiom.exprs.expr(axiom.root) else { return false };
    let bound = bound.iter().map(|id| axiom.exprs.bound(*id).ty.subst(types));
    let is_datatype =
        |ty: &Ty| ty.as_ctor().is_some_and(|(name, _)| structure.world.datatype(name).is_some());
    let mut datatypes = bound.into_iter().filter(is_datatype);
    !type_params.is_empty() && datatypes.any(|ty| !structure.has_value(&ty))
}

/// Constants and functions without a body, with their type arguments; bodies of others are looked into.
fn mentioned(
    structure: &Structure<'_>,
    exprs: &Exprs,
    depth: usize,
) -> Known<Vec<(Name, Vec<Ty>)>> {
    let world = structure.world;
    let mut found = Vec::new();
    for id in exprs.ids() {
        if let Expr::Const(name) = exprs.expr(id) {
            found.push((name.clone(), Vec::new()));
        } else if let Expr::Call { func, type_args, .. } = exprs.expr(id) {
            let Some(sig) = world.func_sig(func) else { continue };
            match &sig.kind {
                FuncKind::Uninterpreted => found.push((func.clone(), type_args.to_vec())),
                FuncKind::Inline | FuncKind::Define | FuncKind::Axiom if depth < DEEPEST => {
                    let Some(body) = world.expr_body(sig.decl) else { continue };
                    let subst: TySubst =
                        sig.type_params.iter().cloned().zip(type_args.iter().cloned()).collect();
                    let inner = mentioned(structure, &body.exprs, depth + 1)?.into_iter();
                    found.extend(inner.map(|(name, types)| {
                        (name, types.iter().map(|ty| ty.subst(&subst)).collect())
                    }));
                }
                FuncKind::Inline | FuncKind::Define | FuncKind::Axiom => {
                    return doubt("an axiom about functions that are defined by many others");
                }
                FuncKind::Builtin(_) | FuncKind::Constructor { .. } => {}
            }
        }
    }
    Ok(found)
}

/// What the parameters in `pattern` are if it is `ty`.
fn bind(pattern: &Ty, ty: &Ty, params: &[Name], subst: &mut TySubst) {
    match (pattern, ty) {
        (Ty::Param(name), _) if params.contains(name) => {
            subst.insert(name.clone(), ty.clone());
        }
        (Ty::Ctor(a, left), Ty::Ctor(b, right)) if a == b => {
            left.iter().zip(right.iter()).for_each(|(a, b)| bind(a, b, params, subst));
        }
        (Ty::Map(left), Ty::Map(right)) => {
            let args = left.args.iter().zip(right.args.iter());
            args.for_each(|(a, b)| bind(a, b, params, subst));
            bind(&left.result, &right.result, params, subst);
        }
        _other => {}
    }
}

/// Unique constants of a type have different values, also those that the run did not ask for: these may be
/// any others, if an axiom says nothing about them and the type has so many values.
fn unique(structure: &Structure<'_>) -> Known<()> {
    let world = structure.world;
    let decls = hir::program_decls(world.db, world.program);
    let constants = decls.iter().filter(|decl| decl.kind(world.db) == DeclKind::Const);
    let constants = constants.filter_map(|decl| world.constant(decl.name(world.db)));
    let mut by_type: BTreeMap<Ty, Vec<Name>> = BTreeMap::new();
    for constant in constants.filter(|it| it.unique) {
        by_type.entry(constant.ty.clone()).or_default().push(constant.name.clone());
    }
    let asked: BTreeSet<Name> = structure.asked().into_iter().map(|(name, _)| name).collect();
    let bound = of_axioms(structure)?;
    let listed = structure.listed();
    for (ty, constants) in &by_type {
        let (known, others): (Vec<&Name>, Vec<&Name>) =
            constants.iter().partition(|name| asked.contains(*name));
        different(structure, ty, &known)?;
        if !known.is_empty() && others.iter().any(|name| bound.contains(*name)) {
            return doubt("an axiom about another unique constant of the same type");
        }
        // Those of a listed type itself are counted below.
        let is_listed = |part: &Ty| listed.iter().any(|(own, _)| own == part && own != ty);
        let is_made_of_listed = ty.any(&|part| occurs(structure, part, &is_listed, 0));
        if !others.is_empty() && (is_made_of_listed || hir::is_finite(world.db, world.program, ty))
        {
            return doubt(format!("unique constants of `{ty}` that the run does not show"));
        }
    }
    for (listed, elements) in &listed {
        if by_type.get(listed).is_some_and(|constants| constants.len() > elements.len()) {
            return doubt(format!("`{listed}` has more unique constants than values on this run"));
        }
    }
    Ok(())
}

fn different(structure: &Structure<'_>, ty: &Ty, constants: &[&Name]) -> Known<()> {
    for (nth, first) in constants.iter().enumerate() {
        for second in &constants[..nth] {
            let values = (structure.constant(first)?, structure.constant(second)?);
            if structure.equal(&values.0, &values.1, ty)? {
                return doubt("two unique constants are the same on this run");
            }
        }
    }
    Ok(())
}

/// The constants and functions without a body that axioms of the program mention.
fn of_axioms(structure: &Structure<'_>) -> Known<BTreeSet<Name>> {
    let world = structure.world;
    let mut found = BTreeSet::new();
    for decl in hir::program_decls(world.db, world.program).iter() {
        let is_axiom = decl.kind(world.db) == DeclKind::Axiom;
        if let Some(axiom) = world.expr_body(*decl).filter(|_| is_axiom) {
            found.extend(mentioned(structure, &axiom.exprs, 0)?.into_iter().map(|(name, _)| name));
        }
    }
    Ok(found)
}
