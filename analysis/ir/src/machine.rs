//! The slow machine: programs of a layer, executed by the book.
//!
//! **In:** a [`LayerProgram`], a [`Scope`], a configuration and who moves. **Out:** every configuration
//! that one micro step (see [`crate::layer`]) leads to, or what it breaks.
//!
//! It judges the fast engine: nothing is shown before [`replay`] followed it here, and tests compare
//! successors. So nothing here is clever, and nothing is shared with the engine but data.
//!
//! # Soundness
//! Terms are evaluated by [`crate::finite`] in the instance of the scope. What has no value there, or
//! cannot be enumerated, ends a run with [`Halt::Unknown`]; it is never guessed.

mod actions;
mod choices;
mod client;
mod frames;
mod replay;
#[cfg(test)]
mod tests;

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use crate::{
    carriers::Carriers,
    command::AssertId,
    exploration::{Choice, Event, Inexact, Scope, Start},
    finite::{Env, Instance, evaluate},
    layer::{Condition, LayerProgram, NodeId, ProcId, Why, live_before},
    site::Site,
    sort::Sort,
    subst::for_each_subterm,
    symbol::Symbol,
    term::{Term, Var},
    value::{MapValue, Value},
};

pub use actions::Outcome;
pub use replay::{explains, replay};

/// Values of variables. One without value is not listed.
pub type Values = BTreeMap<Var, Value>;

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration {
    /// The globals.
    pub globals: Values,
    /// Threads of the client first, then started ones.
    pub threads: Vec<Thread>,
    /// What the client has given away.
    pub given: Vec<Given>,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    /// Does it call roots?
    pub is_client: bool,
    /// How many calls of roots have returned.
    pub calls: u32,
    /// What it runs.
    pub frame: Option<Frame>,
}

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// What is called.
    pub procedure: ProcId,
    /// The node it is in.
    pub node: NodeId,
    /// The next step of the node.
    pub step: usize,
    /// Formals and locals.
    pub vars: Values,
    /// What the step waits for, arm by arm; nothing if it has not been taken.
    pub children: Vec<Child>,
}

/// An arm that a frame waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Child {
    /// It has returned.
    Done,
    /// An action that has not happened, with its arguments.
    Act(Vec<Option<Value>>),
    /// A procedure.
    Running(Frame),
}

/// Permissions that the client has passed to a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    /// The domain.
    pub domain: Symbol,
    /// Which.
    pub set: MapValue,
    /// By which thread, if they come back when its call returns.
    pub lent_by: Option<u32>,
}

/// Why a step does not lead on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// An assumption is false.
    Blocked,
    /// A condition is false.
    Failed {
        /// Which.
        id: AssertId,
        /// Why it has to hold.
        why: Why,
        /// Where.
        site: Site,
    },
    /// Nothing can be said.
    Unknown(String),
}

/// What a micro step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The decisions in it.
    pub choices: Vec<Choice>,
    /// What came of them.
    pub result: Result<(Configuration, Vec<Event>), Halt>,
}

/// What a step leads to, or why it does not.
pub type Done<T> = Result<T, Halt>;

fn no<T>(why: impl Into<String>) -> Done<T> {
    Err(Halt::Unknown(why.into()))
}

/// Which claims are checked, beside the failures of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claims {
    /// None.
    Ignored,
    /// All.
    Checked,
    /// This one.
    Only(AssertId),
}

/// A program in a finite instance.
pub struct Machine<'a> {
    /// The program.
    pub program: &'a LayerProgram,
    /// The instance.
    pub scope: &'a Scope,
    /// Which claims are checked.
    pub claims: Claims,
    /// The instance; the variables are those of the last evaluation.
    env: RefCell<Env>,
    values: RefCell<BTreeMap<Sort, Option<Rc<[Value]>>>>,
    /// Was a value chosen from a sort that has more of them than the scope?
    cut: Cell<bool>,
    /// For each procedure, the variables that matter, by node and step.
    live: Vec<Vec<Vec<BTreeSet<Var>>>>,
}

impl<'a> Machine<'a> {
    /// The program in this instance, with these tables of free functions.
    pub fn new(
        program: &'a LayerProgram,
        scope: &'a Scope,
        functions: &BTreeMap<Symbol, MapValue>,
    ) -> Machine<'a> {
        let carriers = Carriers { signature: &program.signature, vectors: &program.vectors, scope };
        let mut candidates = BTreeMap::new();
        let mut complete = BTreeSet::new();
        for sort in enumerated(program) {
            let Some(carrier) = carriers.values(&sort) else { continue };
            if carrier.complete {
                complete.insert(sort.clone());
            }
            candidates.insert(sort, carrier.values);
        }
        let (functions, tables) = (program.functions.clone(), functions.clone());
        let instance = Instance { functions, signature: program.signature.clone(), complete };
        let env =
            Env { funcs: tables, candidates, instance: Some(Arc::new(instance)), ..Env::default() };
        let live = program.procedures.iter().map(|procedure| {
            let mut at_exit: BTreeSet<Var> =
                procedure.outs.iter().map(|formal| formal.var.clone()).collect();
            let ensured = procedure.ensures.iter().map(|it| &it.term);
            at_exit.extend(ensured.flat_map(crate::subst::free_vars));
            live_before(&procedure.nodes, &at_exit)
        });
        let live = live.collect();
        let values = RefCell::default();
        let (env, cut) = (RefCell::new(env), Cell::new(false));
        Machine { program, scope, claims: Claims::Ignored, env, values, cut, live }
    }

    /// Does a `where` clause of a global say that runs do not start like this?
    pub(crate) fn ruled_out(&self, start: &Configuration) -> Done<bool> {
        for fact in &self.program.narrowed {
            if !self.truth(fact, &start.globals, &Values::new())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first configuration.
    pub fn start(&self, start: &Start) -> Configuration {
        let globals = self.program.globals.iter().map(|global| global.var.clone());
        let values = globals.zip(start.globals.iter().cloned());
        let globals = values.map(|(var, value)| {
            let value = self.canonical(value, &var.sort);
            (var, value)
        });
        let client = Thread { is_client: true, ..Thread::default() };
        Configuration {
            globals: globals.collect(),
            threads: vec![client; self.scope.threads as usize],
            given: Vec::new(),
        }
    }

    /// Everything that one micro step of the thread can lead to, in the order of choices.
    pub fn successors(&self, from: &Configuration, thread: u32) -> Vec<Move> {
        choices::all(|chooser| self.micro_step(from, thread, chooser))
    }

    /// What the thread does next, given the decisions.
    pub fn step(&self, from: &Configuration, thread: u32, choices: &[Choice]) -> Move {
        choices::scripted(choices, |chooser| self.micro_step(from, thread, chooser))
    }

    /// One of the things that the thread can do next; `pick` says which of so many options to take.
    /// It may be that these options block.
    pub fn some(
        &self,
        from: &Configuration,
        thread: u32,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> Move {
        choices::picked(pick, |chooser| self.micro_step(from, thread, chooser))
    }

    /// What the choices of the machine leave out, because the scope has too few values.
    pub fn bounded(&self, sort: &Sort) -> Option<Inexact> {
        let complete = self.carriers().is_complete(sort);
        (!complete).then(|| Inexact::BoundedChoice(Symbol::from(sort.to_string())))
    }

    fn carriers(&self) -> Carriers<'_> {
        let (signature, vectors) = (&self.program.signature, &self.program.vectors);
        Carriers { signature, vectors, scope: self.scope }
    }

    /// The values of a sort, listed once.
    fn values(&self, sort: &Sort) -> Option<Rc<[Value]>> {
        let known = self.values.borrow().get(sort).cloned();
        known.unwrap_or_else(|| {
            let values = self.carriers().values(sort).map(|carrier| Rc::from(carrier.values));
            self.values.borrow_mut().insert(sort.clone(), values.clone());
            values
        })
    }

    fn canonical(&self, value: Value, sort: &Sort) -> Value {
        let env = self.env.borrow();
        match &env.instance {
            Some(instance) => instance.canonical(value, sort, &env),
            None => value,
        }
    }

    /// The value of a term where the globals and these variables have these values.
    fn value(&self, term: &Term, globals: &Values, vars: &Values) -> Result<Value, String> {
        let mut env = self.env.borrow_mut();
        env.vars = globals.clone();
        env.vars.extend(vars.clone());
        evaluate(term, &env).map_err(|why| why.to_string())
    }

    fn truth(&self, term: &Term, globals: &Values, vars: &Values) -> Done<bool> {
        match self.value(term, globals, vars) {
            Ok(Value::Bool(value)) => Ok(value),
            Ok(other) => no(format!("the truth of {other}")),
            Err(why) => no(why),
        }
    }

    /// The condition holds, or need not be looked at.
    fn check(&self, condition: &Condition, globals: &Values, vars: &Values) -> Done<()> {
        let Condition { term, id, why, site } = condition;
        let is_asked = match self.claims {
            Claims::Checked => true,
            Claims::Ignored => why.is_failure(),
            Claims::Only(only) => why.is_failure() || only == *id,
        };
        if !is_asked || self.truth(term, globals, vars)? {
            return Ok(());
        }
        Err(Halt::Failed { id: *id, why: *why, site: *site })
    }
}

/// Sorts whose values are needed one by one: of bound variables and of indices.
fn enumerated(program: &LayerProgram) -> BTreeSet<Sort> {
    let mut sorts = BTreeSet::new();
    for_each_subterm(program.terms(), |term| {
        sorts.extend(term.bound().iter().map(|bound| bound.var.sort.clone()));
    });
    let mut mentioned = program.sorts_mentioned();
    for def in program.signature.datatypes.values() {
        for (_, sort) in def.ctors().iter().flat_map(|ctor| &ctor.fields) {
            sort.walk(&mut |part| _ = mentioned.insert(part.clone()));
        }
    }
    for sort in &mentioned {
        sorts.extend(sort.as_array().iter().flat_map(|(indices, _)| indices.iter().cloned()));
    }
    sorts
}
