//! The functions of a layer, what they are, and what is assumed about the others.
//!
//! **In:** terms, and what their symbols stand for. **Out:** a [`Function`] for every symbol that the
//! terms, the definitions and the axioms mention; the axioms of the program about free functions.
//!
//! # Invariants
//! - The axioms of the libraries are left out: engines know their functions.
//! - An axiom that cannot be used is never forgotten: the functions it is about are excluded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place};
use hir::{Expr, ExprBody, FuncKind, FuncSig, Quantifier, TySubst};
use ir::layer::{Definition, Function, Intrinsic};
use ir::{FuncSym, Op, Symbol, Term, Var};

use crate::lowering::{FuncInstance, Lowering, Tables, Unfold};
use crate::world::World;

/// Functions as far as they are known.
pub(super) struct Functions<'db> {
    world: World<'db>,
    pub(super) lowering: Lowering<'db>,
    pub(super) functions: BTreeMap<Symbol, Function>,
    pub(super) axioms: Vec<Term>,
    /// Functions that cannot be evaluated, where and why.
    pub(super) excluded: Vec<(Symbol, Place, String)>,
}

impl<'db> Functions<'db> {
    pub(super) fn new(world: World<'db>, tables: Tables) -> Functions<'db> {
        let lowering = Lowering::with_tables(world, world.somewhere(), tables);
        Functions {
            world,
            lowering: lowering.unfolding(Unfold::KeepLibrary),
            functions: BTreeMap::new(),
            axioms: Vec::new(),
            excluded: Vec::new(),
        }
    }

    /// Everything that the terms mention, and what that mentions.
    pub(super) fn close(&mut self, terms: Vec<Term>) {
        let mut waiting = self.program_axioms();
        let mut todo = terms;
        loop {
            while !todo.is_empty() {
                todo = self.define(todo);
            }
            let is_live = |(_, axiom): &(Place, Term)| {
                symbols(std::slice::from_ref(axiom))
                    .iter()
                    .any(|symbol| self.functions.get(&symbol.name).is_some_and(Function::is_free))
            };
            let (live, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_live);
            waiting = rest;
            if live.is_empty() {
                break;
            }
            todo = live.iter().map(|(_, axiom)| axiom.clone()).collect();
            self.axioms.extend(todo.iter().cloned());
        }
        self.exclude_generic();
    }

    /// Enters the symbols of the terms; returns the bodies of the new ones.
    fn define(&mut self, terms: Vec<Term>) -> Vec<Term> {
        let mut bodies = Vec::new();
        for symbol in symbols(&terms) {
            if self.functions.contains_key(&symbol.name) {
                continue;
            }
            let (intrinsic, definition) = self.meaning(&symbol);
            bodies.extend(definition.iter().map(|it| it.body.clone()));
            let name = symbol.name.clone();
            self.functions.insert(name, Function { symbol, intrinsic, definition });
        }
        bodies
    }

    fn meaning(&mut self, symbol: &FuncSym) -> (Option<Intrinsic>, Option<Definition>) {
        if let Some(name) = self.lowering.tables().constants.get(&symbol.name).cloned() {
            let constant = self.world.constant(&name);
            let library = constant.is_some_and(|it| self.is_library(it.decl));
            return (Intrinsic::named(name.as_str()).filter(|_| library), None);
        }
        let instance = self.lowering.tables().functions.get(&symbol.name).cloned();
        let Some((instance, sig)) =
            instance.and_then(|it| Some((it.clone(), self.world.func_sig(&it.name)?)))
        else {
            return (None, None);
        };
        let library = self.is_library(sig.decl);
        let intrinsic = Intrinsic::named(sig.name.as_str()).filter(|_| library);
        let definition = match sig.kind {
            FuncKind::Inline | FuncKind::Define | FuncKind::Axiom => {
                self.definition(symbol, &sig, &instance)
            }
            FuncKind::Uninterpreted | FuncKind::Builtin(_) | FuncKind::Constructor { .. } => None,
        };
        (intrinsic, definition)
    }

    fn definition(
        &mut self,
        symbol: &FuncSym,
        sig: &FuncSig,
        instance: &FuncInstance,
    ) -> Option<Definition> {
        let body = self.world.expr_body(sig.decl)?;
        let place = hir::decl_place(self.world.db, sig.decl);
        let types: TySubst =
            sig.type_params.iter().cloned().zip(instance.type_args.iter().cloned()).collect();
        let param = |(id, sort): (&hir::BoundId, &ir::Sort)| {
            Var::new(format!("{}!def", body.exprs.bound(*id).name), sort.clone())
        };
        let params: Vec<Var> = body.params.iter().zip(symbol.args.iter()).map(param).collect();
        let args: Vec<Term> = params.iter().cloned().map(Term::var).collect();
        let known = self.lowering.problems().len();
        self.lowering.at(place);
        let term = self.lowering.function_body(&body, &types, &args);
        let problem = self.lowering.problems().get(known).map(|it| it.what.clone());
        let problem = problem.or_else(|| {
            let fits = !body.has_errors && params.len() == symbol.args.len();
            (!fits || *term.sort() != symbol.result).then(|| "a function with an error".to_owned())
        });
        match problem {
            None => Some(Definition { params, body: term }),
            Some(what) => {
                self.excluded.push((symbol.name.clone(), place, what));
                None
            }
        }
    }

    fn is_library(&self, decl: DeclId) -> bool {
        decl.file(self.world.db).library(self.world.db).is_some()
    }

    /// The axioms of the program itself, those over types left out.
    fn program_axioms(&mut self) -> Vec<(Place, Term)> {
        let mut out = Vec::new();
        for (decl, axiom) in self.axiom_bodies().into_iter().filter(|(_, it)| !is_generic(it)) {
            let place = hir::decl_place(self.world.db, decl);
            let known = self.lowering.problems().len();
            self.lowering.at(place);
            let term = self.lowering.axiom(&axiom, &TySubst::new());
            match self.lowering.problems().get(known) {
                None if term.is_closed() => out.push((place, term)),
                why => {
                    let what = why.map_or_else(|| "an open axiom".to_owned(), |it| it.what.clone());
                    let about = symbols(&[term]).into_iter().map(|it| it.name.clone());
                    let rows = about.map(|it| (it, place, format!("an axiom with {what}")));
                    self.excluded.extend(rows);
                }
            }
        }
        out
    }

    fn axiom_bodies(&self) -> Vec<(DeclId, Arc<ExprBody>)> {
        let World { db, program } = self.world;
        let decls = hir::program_decls(db, program);
        let own = decls
            .iter()
            .copied()
            .filter(|decl| decl.kind(db) == DeclKind::Axiom && !self.is_library(*decl));
        own.filter_map(|decl| Some((decl, self.world.expr_body(decl)?))).collect()
    }

    /// A free function that an axiom over types mentions has no interpretation that we could check.
    fn exclude_generic(&mut self) {
        for (decl, axiom) in self.axiom_bodies().into_iter().filter(|(_, it)| is_generic(it)) {
            let place = hir::decl_place(self.world.db, decl);
            let called = called(&axiom);
            let free = self.functions.iter().filter(|(_, function)| function.is_free());
            let about = free.filter(|(symbol, _)| {
                let instance = self.lowering.tables().functions.get(*symbol);
                instance.is_some_and(|it| called.contains(&it.name))
            });
            let rows = about.map(|(symbol, _)| {
                (symbol.clone(), place, "an axiom over types is about it".to_owned())
            });
            self.excluded.extend(rows.collect::<Vec<_>>());
        }
        let live = &self.functions;
        self.excluded.retain(|(symbol, ..)| live.contains_key(symbol));
    }

    /// Constants that the program declares to differ, by sort.
    pub(super) fn distinct(&self) -> Vec<Vec<Symbol>> {
        let mut groups: BTreeMap<String, Vec<Symbol>> = BTreeMap::new();
        for (symbol, function) in &self.functions {
            let name = self.lowering.tables().constants.get(symbol);
            let constant = name.and_then(|name| self.world.constant(name));
            if constant.is_some_and(|it| it.unique) {
                let sort = function.symbol.result.to_string();
                groups.entry(sort).or_default().push(symbol.clone());
            }
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}

fn is_generic(axiom: &ExprBody) -> bool {
    matches!(
        axiom.exprs.expr(axiom.root),
        Expr::Quant { quantifier: Quantifier::Forall, type_params, .. } if !type_params.is_empty()
    )
}

/// The functions that an axiom applies.
fn called(axiom: &ExprBody) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut todo = vec![axiom.root];
    while let Some(id) = todo.pop() {
        let expr = axiom.exprs.expr(id);
        todo.extend(expr.children());
        if let Expr::Call { func, .. } = expr {
            found.insert(func.clone());
        }
    }
    found
}

/// The function symbols of terms, each once, by name.
fn symbols(terms: &[Term]) -> Vec<Arc<FuncSym>> {
    let mut found: BTreeMap<Symbol, Arc<FuncSym>> = BTreeMap::new();
    ir::subst::for_each_subterm(terms, |term| {
        if let Some((Op::Func(symbol), _)) = term.as_app() {
            found.entry(symbol.name.clone()).or_insert_with(|| Arc::clone(symbol));
        }
    });
    found.into_values().collect()
}
