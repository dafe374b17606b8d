//! How the names of one body read.
//!
//! **Out:** [`Env`]: a term for every formal and local, and a [`State`] for the globals of "now" and
//! one for those under `old`.
//!
//! # Invariants
//! - Inside `old(..)` globals read in [`Env::old`]; locals keep their terms.
//! - Names made here contain `@`, which no identifier of a program does, or are a name of the
//!   program; a local named like a global gets `@local`.
//! - What follows an `@` is a word or number of ours, or a name of the program in parentheses
//!   ([`owned_by`]). Were it the bare name, a program could use one of our words: the parameter `x` of
//!   an invariant called `snap` would be the remembered value of the global `x`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Name;
use hir::{LocalId, TySubst};
use ir::{Symbol, Term};

/// The end of names of variables that belong to `owner`: `x@(Inv)`.
pub(crate) fn owned_by(owner: &Name) -> String {
    format!("@({owner})")
}

/// The end of the name of a global where the unit was entered.
pub(crate) const OLD: &str = "@old";

/// The values of the global variables at some moment.
///
/// A global `g` of sort `s` reads as the variable `g` + suffix, unless a term is given for it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct State {
    suffix: &'static str,
    values: Arc<BTreeMap<Name, Term>>,
}

impl State {
    /// Every global is its own variable: `g`.
    pub fn now() -> State {
        State::default()
    }

    /// Every global is what it was when the unit was entered: `g@old`.
    pub fn old() -> State {
        State::suffixed(OLD)
    }

    /// Every global `g` is the variable `g` + `suffix`, which is none that [`owned_by`] makes.
    pub fn suffixed(suffix: &'static str) -> State {
        State { suffix, values: Arc::default() }
    }

    /// The same state, except that `global` has this value.
    pub fn with(mut self, global: Name, value: Term) -> State {
        Arc::make_mut(&mut self.values).insert(global, value);
        self
    }

    /// The term given for `global`, if one was.
    pub fn given(&self, global: &Name) -> Option<&Term> {
        self.values.get(global)
    }

    /// The name of the variable that holds `global`, unless a term is given for it.
    pub fn symbol(&self, global: &Name) -> Symbol {
        if self.suffix.is_empty() {
            return Symbol::new(global.as_str());
        }
        Symbol::from(format!("{global}{}", self.suffix))
    }
}

/// How the names of one body read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Env {
    /// Terms of formals and locals, by [`LocalId`]. Where statements are lowered they are variables.
    pub locals: Vec<Term>,
    /// Globals outside `old`.
    pub now: State,
    /// Globals inside `old`.
    pub old: State,
    /// What the type parameters in sight stand for.
    pub types: TySubst,
}

impl Env {
    /// No locals; globals read as `g` and `g@old`.
    pub fn empty() -> Env {
        Env::of_locals(Vec::new())
    }

    /// These locals; globals read as `g` and `g@old`.
    pub fn of_locals(locals: Vec<Term>) -> Env {
        Env { locals, now: State::now(), old: State::old(), types: TySubst::new() }
    }

    /// The same names, with globals read in other states.
    pub fn in_states(&self, now: State, old: State) -> Env {
        Env { now, old, ..self.clone() }
    }

    /// The term of a formal or local.
    pub fn local(&self, id: LocalId) -> Option<&Term> {
        self.locals.get(id.index())
    }
}
