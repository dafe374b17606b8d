//! From `hir` to `ir`: types to sorts, expressions to terms, statements to commands.
//!
//! **In:** typed text of one program. **Out:** terms; and, collected in [`Tables`], what the symbols
//! in them stand for: datatypes, instances of functions, constants.
//!
//! # Invariants
//! - Lowering the same text in the same environment gives the same term.
//! - Whatever has no faithful image becomes an unknown value and an [`Unsupported`]; a unit with one
//!   is never proved.

mod builtins;
mod calls;
mod env;
mod exprs;
mod functions;
mod graph;
mod measures;
mod primitives;
mod rigid;
mod sorts;
mod statements;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Name, Place};
use hir::Ty;
use ir::{DatatypeDef, Sort, Symbol, Term, Var};
use rustc_hash::FxHashMap;

use crate::action::made_new::MadeNew;
use crate::faith::Faith;
use crate::unit::{Unit, Unsupported};
use crate::world::World;

pub use calls::inline_count;
pub use env::{Env, State};
pub(crate) use env::{OLD, owned_by};
pub use graph::write_graph;
pub(crate) use measures::{LoopMeasure, Measured, decreases, is_not_negative, not_negative};
pub use primitives::is_path_primitive;
pub use statements::{Checks, Text, Writer};

/// What the symbols of lowered terms stand for.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tables {
    /// Datatype instances, with every datatype that their fields mention.
    pub datatypes: BTreeMap<Symbol, DataInstance>,
    /// Instances of functions that are neither inlined nor built in.
    pub functions: BTreeMap<Symbol, FuncInstance>,
    /// Constants.
    pub constants: BTreeMap<Symbol, Name>,
}

/// An instance of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataInstance {
    pub def: Arc<DatatypeDef>,
    pub name: Name,
    pub args: Arc<[Ty]>,
}

/// An instance of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncInstance {
    pub name: Name,
    pub type_args: Arc<[Ty]>,
}

/// Which functions are replaced by their bodies, of those that are inlined or defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unfold {
    /// All of them: what questions to a solver are made of.
    #[default]
    All,
    /// Those of the program. A function of a library stays a symbol, as if it had no body: for
    /// readers that know what the libraries mean.
    KeepLibrary,
}

/// Lowers the text of one program and collects what it meets.
pub struct Lowering<'db> {
    pub world: World<'db>,
    tables: Tables,
    problems: Vec<Unsupported>,
    /// The variables that hold the locations that primitives make new.
    pub(crate) made_new: BTreeSet<Var>,
    /// Where what is made new is recorded.
    pub(crate) records: Option<MadeNew>,
    /// What is assumed and not proved, see [`crate::faith`].
    pub(crate) faith: Vec<Faith>,
    /// Where an unsupported construct is reported.
    place: Place,
    fresh: u32,
    sorts: FxHashMap<Ty, Sort>,
    inlined: FxHashMap<functions::Application, Term>,
    unfold: Unfold,
    /// Procedures whose bodies are being inlined, outermost first.
    inlining: Vec<Name>,
    /// Is the quantifier at the root of the next expression taken for the types of its environment?
    instantiating: bool,
}

impl<'db> Lowering<'db> {
    /// Lowers text of the program of `world`; problems are reported at `place` until told otherwise.
    pub fn new(world: World<'db>, place: Place) -> Lowering<'db> {
        Lowering {
            world,
            tables: Tables::default(),
            problems: Vec::new(),
            made_new: BTreeSet::new(),
            records: None,
            faith: Vec::new(),
            place,
            fresh: 0,
            sorts: FxHashMap::default(),
            inlined: FxHashMap::default(),
            unfold: Unfold::default(),
            inlining: Vec::new(),
            instantiating: false,
        }
    }

    /// The same, with other functions replaced by their bodies. Nothing may be lowered before.
    pub fn unfolding(self, unfold: Unfold) -> Lowering<'db> {
        Lowering { unfold, ..self }
    }

    /// The same, when some symbols are known already.
    pub fn with_tables(world: World<'db>, place: Place, tables: Tables) -> Lowering<'db> {
        Lowering { tables, ..Lowering::new(world, place) }
    }

    /// Takes over what other lowerings of the program collected.
    pub fn learn(&mut self, tables: &Tables) {
        let Tables { datatypes, functions, constants } = tables;
        learn_missing(&mut self.tables.datatypes, datatypes);
        learn_missing(&mut self.tables.functions, functions);
        learn_missing(&mut self.tables.constants, constants);
    }

    /// From now on problems are reported at `place`.
    pub fn at(&mut self, place: Place) {
        self.place = place;
    }

    /// Something has no faithful image.
    pub fn unsupported(&mut self, what: impl Into<String>) {
        let problem = Unsupported { place: self.place, what: what.into() };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Nothing is decided with the text of a declaration whose attributes are not honoured.
    pub fn refuse_ignored(&mut self, decl: DeclId) {
        for attribute in hir::ignored_attributes(self.world.db, decl).iter() {
            let here = std::mem::replace(&mut self.place, attribute.place);
            let what = "which changes what is to be proved";
            self.unsupported(format!("the attribute `{{:{}}}`, {what}", attribute.name));
            self.place = here;
        }
    }

    /// Nothing is decided about a body in which jumps lead into the middle of a loop: which of its
    /// blocks is the head, and so what its invariant is, is not said.
    pub fn refuse_untangled(&mut self, cfg: &hir::Cfg) {
        if cfg.untangled {
            self.unsupported("a loop with several entries");
        }
    }

    /// A variable that occurs nowhere else: `stem@fresh1`.
    pub fn fresh_var(&mut self, stem: &str, sort: Sort) -> Var {
        self.fresh += 1;
        Var::new(Symbol::from(format!("{stem}@fresh{}", self.fresh)), sort)
    }

    /// The stand-in for what is not supported: a value about which nothing is known.
    fn unknown(&mut self, what: impl Into<String>, sort: Sort) -> Term {
        self.unsupported(what);
        let var = self.fresh_var("unknown", sort);
        Term::var(var)
    }

    /// Takes over what the lowering of `unit`, of the same program, collected.
    pub fn absorb(&mut self, unit: &Unit) {
        self.learn(&unit.tables);
        for problem in &unit.unsupported {
            if !self.problems.contains(problem) {
                self.problems.push(problem.clone());
            }
        }
        self.take_over(&unit.faith);
    }

    /// The end of names that occur nowhere else: `@copy1`.
    pub fn fresh_suffix(&mut self) -> String {
        self.fresh += 1;
        format!("@copy{}", self.fresh)
    }

    /// What was collected so far.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// What was found unsupported so far.
    pub fn problems(&self) -> &[Unsupported] {
        &self.problems
    }

    /// What was collected.
    pub fn finish(self) -> (Tables, Vec<Unsupported>, Vec<Faith>) {
        (self.tables, self.problems, self.faith)
    }
}

/// A symbol of a program means the same everywhere.
fn learn_missing<T: Clone>(known: &mut BTreeMap<Symbol, T>, more: &BTreeMap<Symbol, T>) {
    for (symbol, meaning) in more {
        if !known.contains_key(symbol) {
            known.insert(symbol.clone(), meaning.clone());
        }
    }
}
