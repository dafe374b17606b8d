//! Which facts a question may use.
//!
//! **In:** the terms of a question. **Out:** axioms of the program, definitions of functions, and
//! groups of constants that differ, as far as they can matter.
//!
//! A function, constant or datatype is *live* if the question or a chosen fact mentions it.
//! - An axiom with triggers is chosen when all that one of its triggers mentions is live; any other
//!   axiom when anything it mentions is live, or if it mentions nothing.
//! - A function with an ordinary body brings its definition.
//! - An axiom over types is chosen once for each choice of types under which what one of its
//!   triggers mentions is live. Choosing may make more live, so all this is repeated.
//!
//! # Soundness
//! Fewer facts prove less. Instances of a universal axiom follow from it. An axiom over types that
//! is not universal at its root, where instances would not follow, is never used; a question that
//! mentions what it is about is undecided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use hir::{Expr, ExprBody, ExprId, Exprs, FuncKind, FuncSig, Quantifier, Ty, TySubst};
use ir::{Bound, Op, Quant, QuantKind, Sort, Symbol, Term, TermKind, Var};

use crate::Db;
use crate::faith::Faith;
use crate::lowering::{FuncInstance, Lowering, Tables};
use crate::unit::Unsupported;
use crate::world::World;

/// More instances than any program needs: beyond it, instances beget instances.
const MAX_FACTS: usize = 3_000;

/// What terms mention: functions and constants by symbol, datatypes by symbol.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mentions {
    functions: BTreeSet<Symbol>,
    datatypes: BTreeSet<Symbol>,
}

impl Mentions {
    /// What `terms` mention.
    pub fn of<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Mentions {
        let mut found = Mentions::default();
        ir::subst::for_each_subterm(terms, |term| {
            if let Some((Op::Func(func), _)) = term.as_app() {
                found.functions.insert(func.name.clone());
            }
            found.add_sort(term.sort());
            term.bound().iter().for_each(|bound| found.add_sort(&bound.var.sort));
        });
        found
    }

    fn add_sort(&mut self, sort: &Sort) {
        sort.walk(&mut |part| {
            if let Sort::Datatype(name) = part
                && !self.datatypes.contains(name)
            {
                self.datatypes.insert(name.clone());
            }
        });
    }

    fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.datatypes.is_empty()
    }

    fn is_within(&self, other: &Mentions) -> bool {
        self.functions.is_subset(&other.functions) && self.datatypes.is_subset(&other.datatypes)
    }

    fn meets(&self, other: &Mentions) -> bool {
        !self.functions.is_disjoint(&other.functions)
            || !self.datatypes.is_disjoint(&other.datatypes)
    }

    fn extend(&mut self, other: &Mentions) {
        let functions = other.functions.iter().filter(|it| !self.functions.contains(*it));
        let functions: Vec<Symbol> = functions.cloned().collect();
        self.functions.extend(functions);
        let datatypes = other.datatypes.iter().filter(|it| !self.datatypes.contains(*it));
        let datatypes: Vec<Symbol> = datatypes.cloned().collect();
        self.datatypes.extend(datatypes);
    }
}

/// A fact without type parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    term: Term,
    tables: Tables,
    /// What is taken on faith in it.
    faith: Vec<Faith>,
    mentions: Mentions,
    /// What must be live; one of them is enough. None: anything mentioned is.
    triggers: Option<Vec<Mentions>>,
}

impl Fact {
    fn new(term: Term, tables: Tables) -> Fact {
        let mentions = Mentions::of([&term]);
        let triggers = if let TermKind::Quant(quant) = term.kind()
            && quant.kind == QuantKind::Forall
            && !quant.triggers.is_empty()
        {
            Some(quant.triggers.iter().map(Mentions::of).collect())
        } else {
            None
        };
        Fact { term, tables, faith: Vec::new(), mentions, triggers }
    }

    fn is_live(&self, live: &Mentions) -> bool {
        match &self.triggers {
            Some(triggers) => triggers.iter().any(|trigger| trigger.is_within(live)),
            None => self.mentions.is_empty() || self.mentions.meets(live),
        }
    }
}

/// The axioms of a program: facts, and axioms over types.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AxiomTable {
    facts: Vec<Arc<Fact>>,
    generic: Vec<Arc<Generic>>,
    /// Facts that a library states.
    library: Vec<Term>,
    /// Axioms without a faithful image: what they mention, and why.
    dropped: Vec<(BTreeSet<Symbol>, Unsupported)>,
}

/// The axioms of the program in declaration order.
#[salsa::tracked(returns(clone))]
pub fn axiom_table(db: &dyn Db, program: Program) -> Arc<AxiomTable> {
    let mut table = AxiomTable::default();
    let decls = hir::program_decls(db, program);
    for decl in decls.iter().copied().filter(|decl| decl.kind(db) == DeclKind::Axiom) {
        let Some(axiom) = hir::expr_body(db, program, decl) else { continue };
        if let Some(params) = type_params(&axiom) {
            let world = World::new(db, program);
            table.generic.push(Arc::new(Generic::new(world, decl, &axiom, params)));
            continue;
        }
        match fact(db, program, decl) {
            Ok(fact) => {
                if is_of_library(db, decl) {
                    table.library.push(fact.term.clone());
                }
                table.facts.push(fact);
            }
            Err(dropped) => table.dropped.push(dropped),
        }
    }
    Arc::new(table)
}

/// Does a library of ours state it?
fn is_of_library(db: &dyn Db, decl: DeclId) -> bool {
    decl.file(db).library(db).is_some()
}

/// An axiom over types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generic {
    decl: DeclId,
    params: Vec<Name>,
    /// What each of its triggers mentions that depends on the type parameters.
    triggers: Vec<BTreeSet<Pattern>>,
    /// The same of all of it.
    whole: BTreeSet<Pattern>,
}

impl Generic {
    fn new(world: World<'_>, decl: DeclId, axiom: &ExprBody, params: &[Name]) -> Generic {
        let patterns = |roots: &[ExprId]| patterns(world, &axiom.exprs, roots, params);
        Generic {
            decl,
            params: params.to_vec(),
            triggers: triggers_of(axiom).iter().map(|trigger| patterns(trigger)).collect(),
            whole: patterns(&[axiom.root]),
        }
    }
}

/// A fact, or why it has no faithful image: then it is left out, and what needs it is undecided.
type Made = Result<Arc<Fact>, Unsupported>;

/// An axiom over types for these types; nothing if it is none.
#[salsa::tracked(returns(clone))]
fn instance(db: &dyn Db, program: Program, decl: DeclId, types: Vec<Ty>) -> Option<Made> {
    let axiom = hir::expr_body(db, program, decl)?;
    let params = type_params(&axiom)?;
    let subst: TySubst = params.iter().cloned().zip(types).collect();
    let mut lowering = Lowering::new(World::new(db, program), hir::decl_place(db, decl));
    let term = lowering.axiom(&axiom, &subst);
    Some(made(lowering, term, hir::decl_place(db, decl)))
}

/// The fact that `term` holds, unless something in it has no faithful image: what stands for that
/// is a variable, about which a fact would say something false.
fn made(lowering: Lowering<'_>, term: Term, place: Place) -> Made {
    let (tables, mut problems, faith) = lowering.finish();
    match problems.pop() {
        None if term.is_closed() => Ok(Arc::new(Fact { faith, ..Fact::new(term, tables) })),
        why => {
            let what = why.map_or_else(|| "an open axiom".to_owned(), |it| it.what);
            Err(Unsupported { place, what: format!("an axiom with {what}") })
        }
    }
}

/// The definition of an instance of a function with an ordinary body.
#[salsa::tracked(returns(clone))]
fn definition(db: &dyn Db, program: Program, instance: FuncInstance) -> Option<Made> {
    let world = World::new(db, program);
    let sig = world.func_sig(&instance.name).filter(|sig| sig.kind == FuncKind::Axiom)?;
    let mut lowering = Lowering::new(world, hir::decl_place(db, sig.decl));
    let term = lowering.definition(&sig, &instance)?;
    Some(made(lowering, term, hir::decl_place(db, sig.decl)))
}

/// A fact, or what an axiom without a faithful image mentions and why it has none.
type FactOrNot = Result<Arc<Fact>, (BTreeSet<Symbol>, Unsupported)>;

/// One axiom as a fact.
#[salsa::tracked(returns(clone))]
fn fact(db: &dyn Db, program: Program, decl: DeclId) -> FactOrNot {
    let place = hir::decl_place(db, decl);
    let mut lowering = Lowering::new(World::new(db, program), place);
    let term = match hir::expr_body(db, program, decl).filter(|axiom| !axiom.has_errors) {
        Some(axiom) => lowering.axiom(&axiom, &TySubst::new()),
        None => Term::tt(),
    };
    made(lowering, term.clone(), place).map_err(|why| (Mentions::of([&term]).functions, why))
}

/// The type parameters of an axiom over types.
fn type_params(axiom: &ExprBody) -> Option<&[Name]> {
    if let Expr::Quant { quantifier: Quantifier::Forall, type_params, .. } =
        axiom.exprs.expr(axiom.root)
        && !type_params.is_empty()
    {
        return Some(type_params);
    }
    None
}

/// Facts chosen for a question.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Facts {
    pub axioms: Vec<Term>,
    /// Those of them that a library states.
    pub library: Vec<Term>,
    /// Groups of constants that differ pairwise.
    pub distinct: Vec<Vec<Term>>,
    /// Definitions of the symbols in the question and the facts.
    pub tables: Tables,
    /// Axioms that could matter but have no faithful image.
    pub unsupported: Vec<Unsupported>,
    /// What the facts take on faith.
    pub faith: Vec<Faith>,
}

/// The facts that can matter for `terms`, whose symbols `tables` explains.
pub fn facts_for<'a>(
    world: World<'_>,
    place: Place,
    terms: impl IntoIterator<Item = &'a Term>,
    tables: Tables,
) -> Facts {
    let table = axiom_table(world.db, world.program);
    let mut chooser = Chooser {
        lowering: Lowering::with_tables(world, place, tables),
        live: Mentions::of(terms),
        chosen: Vec::new(),
        library: Vec::new(),
        defined: BTreeSet::new(),
        instances: BTreeSet::new(),
        unsupported: Vec::new(),
    };
    let mut waiting: Vec<Arc<Fact>> = table.facts.clone();
    loop {
        let before = chooser.chosen.len();
        waiting.retain(|fact| !chooser.offer(fact));
        chooser.define_functions();
        for (nth, axiom) in table.generic.iter().enumerate() {
            chooser.instantiate(nth, axiom);
        }
        if chooser.chosen.len() == before || chooser.chosen.len() > MAX_FACTS {
            break;
        }
    }
    let mut unsupported = std::mem::take(&mut chooser.unsupported);
    if chooser.chosen.len() > MAX_FACTS {
        unsupported.push(Unsupported { place, what: "ever more instances of axioms".to_owned() });
    }
    let live = &chooser.live.functions;
    let missing = table.dropped.iter().filter(|(mentions, _)| !mentions.is_disjoint(live));
    unsupported.extend(missing.map(|(_, why)| why.clone()));
    let distinct = chooser.distinct();
    let Chooser { lowering, chosen, mut library, .. } = chooser;
    library.extend(table.library.iter().filter(|it| chosen.contains(*it)).cloned());
    let (tables, _, faith) = lowering.finish();
    Facts { axioms: chosen, library, distinct, tables, unsupported, faith }
}

struct Chooser<'db> {
    lowering: Lowering<'db>,
    live: Mentions,
    chosen: Vec<Term>,
    /// Instances of axioms of a library.
    library: Vec<Term>,
    defined: BTreeSet<Symbol>,
    /// Instances made so far: position of the axiom, types.
    instances: BTreeSet<(usize, Vec<Ty>)>,
    /// What was left out.
    unsupported: Vec<Unsupported>,
}

impl Chooser<'_> {
    /// Chooses a fact that was made for the question.
    fn choose(&mut self, made: Made) {
        let fact = match made {
            Ok(fact) => fact,
            Err(why) => return self.unsupported.push(why),
        };
        self.lowering.learn(&fact.tables);
        self.lowering.take_over(&fact.faith);
        if !fact.term.is_true() && !self.chosen.contains(&fact.term) {
            self.live.extend(&fact.mentions);
            self.chosen.push(fact.term.clone());
        }
    }

    /// Chooses the fact if it is live.
    fn offer(&mut self, fact: &Fact) -> bool {
        if !fact.is_live(&self.live) {
            return false;
        }
        self.lowering.learn(&fact.tables);
        self.lowering.take_over(&fact.faith);
        self.live.extend(&fact.mentions);
        self.chosen.push(fact.term.clone());
        true
    }

    /// `forall params :: {f(params)} f(params) == body`, for each live function with a body.
    fn define_functions(&mut self) {
        let World { db, program } = self.lowering.world;
        loop {
            let open = self.live.functions.difference(&self.defined).cloned().collect::<Vec<_>>();
            if open.is_empty() {
                return;
            }
            for symbol in open {
                self.defined.insert(symbol.clone());
                let instance = self.lowering.tables().functions.get(&symbol).cloned();
                let made = instance.and_then(|it| definition(db, program, it));
                made.into_iter().for_each(|made| self.choose(made));
            }
        }
    }

    fn instantiate(&mut self, nth: usize, axiom: &Generic) {
        let World { db, program } = self.lowering.world;
        for types in self.bindings(axiom) {
            if !self.instances.insert((nth, types.clone())) {
                continue;
            }
            let Some(made) = instance(db, program, axiom.decl, types) else { continue };
            if let Ok(fact) = &made
                && is_of_library(db, axiom.decl)
            {
                self.library.push(fact.term.clone());
            }
            self.choose(made);
        }
    }

    /// The choices of types under which some trigger of the axiom is live. A trigger that leaves
    /// types open, because it is made of expanded functions only, leaves the choice to anything
    /// live that the axiom mentions.
    fn bindings(&self, axiom: &Generic) -> BTreeSet<Vec<Ty>> {
        let mut found = BTreeSet::new();
        let params = &axiom.params;
        let types = |subst: &TySubst| {
            params.iter().map(|param| subst.get(param).cloned()).collect::<Option<Vec<Ty>>>()
        };
        for trigger in &axiom.triggers {
            let mut open = BTreeSet::from([TySubst::new()]);
            for pattern in trigger {
                open = self.matches(pattern, &open, params);
            }
            found.extend(open.iter().filter_map(types));
            open.retain(|subst| types(subst).is_none());
            if !open.is_empty() {
                for pattern in &axiom.whole {
                    found.extend(self.matches(pattern, &open, params).iter().filter_map(types));
                }
            }
        }
        found
    }

    fn matches(
        &self,
        pattern: &Pattern,
        open: &BTreeSet<TySubst>,
        params: &[Name],
    ) -> BTreeSet<TySubst> {
        let mut next = BTreeSet::new();
        let candidates: Vec<&[Ty]> = match pattern {
            Pattern::Function(name, _) => (self.lowering.tables().functions.iter())
                .filter(|(symbol, it)| it.name == *name && self.live.functions.contains(*symbol))
                .map(|(_, it)| &*it.type_args)
                .collect(),
            Pattern::Datatype(name, _) => (self.lowering.tables().datatypes.iter())
                .filter(|(symbol, it)| it.name == *name && self.live.datatypes.contains(*symbol))
                .map(|(_, it)| &*it.args)
                .collect(),
        };
        let (Pattern::Function(_, types) | Pattern::Datatype(_, types)) = pattern;
        for subst in open {
            for candidate in &candidates {
                let mut subst = subst.clone();
                let fits = types.len() == candidate.len()
                    && types.iter().zip(*candidate).all(|(a, b)| unify(a, b, params, &mut subst));
                if fits {
                    next.insert(subst);
                }
            }
        }
        next
    }

    /// Live unique constants of the same type differ.
    fn distinct(&mut self) -> Vec<Vec<Term>> {
        let mut groups: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
        let constants = self.lowering.tables().constants.clone();
        for (symbol, name) in constants {
            let unique = self.lowering.world.constant(&name).is_some_and(|it| it.unique);
            if unique && self.live.functions.contains(&symbol) {
                let term = self.lowering.constant(&name);
                groups.entry(term.sort().clone()).or_default().push(term);
            }
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}

/// What the expressions mention that depends on the type parameters.
fn patterns(
    world: World<'_>,
    exprs: &Exprs,
    roots: &[ExprId],
    params: &[Name],
) -> BTreeSet<Pattern> {
    let mut found = BTreeSet::new();
    let mut todo = roots.to_vec();
    let generic = |types: &[Ty]| {
        types.iter().any(|ty| ty.any(&|it| matches!(it, Ty::Param(name) if params.contains(name))))
    };
    while let Some(id) = todo.pop() {
        todo.extend(exprs.expr(id).children());
        if let Expr::Call { func, type_args, .. } = exprs.expr(id)
            && generic(type_args)
            && let Some(sig) = world.func_sig(func)
            && matches!(sig.kind, FuncKind::Uninterpreted | FuncKind::Axiom)
        {
            found.insert(Pattern::Function(func.clone(), type_args.to_vec()));
        }
        if let Ty::Ctor(name, args) = exprs.ty(id)
            && generic(args)
            && world.datatype(name).is_some()
        {
            found.insert(Pattern::Datatype(name.clone(), args.to_vec()));
        }
    }
    found
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pattern {
    Function(Name, Vec<Ty>),
    Datatype(Name, Vec<Ty>),
}

/// The positive triggers of an axiom; its body if it has none.
fn triggers_of(axiom: &ExprBody) -> Vec<Vec<ExprId>> {
    let Expr::Quant { triggers, body, .. } = axiom.exprs.expr(axiom.root) else {
        return Vec::new();
    };
    let positive = triggers.iter().filter(|trigger| !trigger.negative);
    let found: Vec<Vec<ExprId>> = positive.map(|trigger| trigger.exprs.to_vec()).collect();
    if found.is_empty() { vec![vec![*body]] } else { found }
}

/// Makes `pattern` equal to `ty` by giving values to `params`.
fn unify(pattern: &Ty, ty: &Ty, params: &[Name], subst: &mut TySubst) -> bool {
    match (pattern, ty) {
        (Ty::Param(name), _) if params.contains(name) => match subst.get(name) {
            Some(known) => known == ty,
            None => {
                subst.insert(name.clone(), ty.clone());
                true
            }
        },
        (Ty::Ctor(a, xs), Ty::Ctor(b, ys)) => {
            a == b
                && xs.len() == ys.len()
                && xs.iter().zip(ys.iter()).all(|(x, y)| unify(x, y, params, subst))
        }
        (Ty::Map(a), Ty::Map(b)) => {
            a.params.is_empty()
                && b.params.is_empty()
                && a.args.len() == b.args.len()
                && a.args.iter().zip(b.args.iter()).all(|(x, y)| unify(x, y, params, subst))
                && unify(&a.result, &b.result, params, subst)
        }
        _other => pattern == ty,
    }
}

impl Lowering<'_> {
    /// The definition of a function with an ordinary body.
    fn definition(&mut self, sig: &FuncSig, instance: &FuncInstance) -> Option<Term> {
        let body = self.world.expr_body(sig.decl)?;
        let types: TySubst =
            sig.type_params.iter().cloned().zip(instance.type_args.iter().cloned()).collect();
        let symbol = Arc::new(self.function_symbol(sig, &instance.type_args));
        let mut vars = Vec::new();
        for (param, sort) in body.params.iter().zip(symbol.args.iter()) {
            // No identifier starts with a digit, and `!0` may be bound in the body.
            let name = format!("{}!def", body.exprs.bound(*param).name);
            vars.push(Var::new(Symbol::from(name), sort.clone()));
        }
        let args: Vec<Term> = vars.iter().cloned().map(Term::var).collect();
        let value = self.function_body(&body, &types, &args);
        let call = Term::app_checked(Op::Func(symbol), args).ok()?;
        if call.sort() != value.sort() {
            return None;
        }
        let equation = Term::eq(call.clone(), value);
        let mut quant =
            Quant::new(QuantKind::Forall, vars.into_iter().map(Bound::plain).collect(), equation);
        quant.triggers = vec![vec![call]];
        Some(Term::quant(quant))
    }
}
