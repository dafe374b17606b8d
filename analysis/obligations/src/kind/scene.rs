//! What the checks of actions have in common.
//!
//! **In:** the names of one or two actions. **Out:** a unit under construction in which copies of them
//! can be run: [`Scene`].
//!
//! # Soundness
//! - What linearity gives is assumed of parameters and globals that are *declared* linear, never of
//!   others that merely have such a type (verification.md 14.3).
//! - An input of kind `linear_out` is nobody's before the action runs, an input of kind `linear_in`
//!   nobody's afterwards; callers say at which of these moments they ask.
//! - If an action has no body, or one that is not understood, the unit is undecided.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Place};
use hir::{ClauseKind, Layer, LinearKind, ProcSig};
use ir::wp::Closing;
use ir::{BlockId, ObligationId, ObligationKind, Symbol, Term, Var, free_vars};

use crate::action::transition::{Runs, chosen, disjunction, paths};
use crate::action::{ActionCopy, ActionIr, action_ir};
use crate::builder::UnitBuilder;
use crate::claim::Named;
use crate::lowering::{Env, Lowering, OLD};
use crate::permissions::{Holder, linear_facts};
use crate::unit::{CapturePoint, Moment, Unit, UnitKey};
use crate::world::World;

/// A unit under construction.
pub(super) struct Scene<'db> {
    pub(super) world: World<'db>,
    pub(super) lowering: Lowering<'db>,
    pub(super) out: UnitBuilder,
    /// Where the next command goes.
    pub(super) at: BlockId,
    /// Globals whose permissions are known to be apart.
    pub(super) frame: BTreeSet<Name>,
}

impl<'db> Scene<'db> {
    /// Nothing has happened yet; problems without a place are reported at `place`.
    pub(super) fn new(world: World<'db>, place: Place) -> Scene<'db> {
        let mut out = UnitBuilder::new();
        let at = out.block("init", None);
        let lowering = Lowering::new(world, place);
        Scene { world, lowering, out, at, frame: BTreeSet::new() }
    }

    /// A copy of the action of this name. Without a body nothing can be decided.
    pub(super) fn copy(&mut self, name: &Name, suffix: &str) -> Option<ActionCopy> {
        let action = action_ir(self.world.db, self.world.program, name.clone());
        let Some(action) = action else {
            self.lowering.unsupported(format!("the action `{name}` without a body"));
            return None;
        };
        Some(ActionCopy::new(&mut self.lowering, &action, suffix))
    }

    /// The unit.
    pub(super) fn finish(self, key: &UnitKey, kind: ObligationKind) -> Unit {
        let name = super::unit_name(self.world, key);
        let (subjects, layer) = super::subjects(key);
        let subjects: Vec<Symbol> =
            subjects.iter().map(|name| Symbol::new(name.as_str())).collect();
        let id = ObligationId::new(kind, subjects, layer.map(|layer| layer.0));
        self.out.finish(key.clone(), name, id, self.lowering)
    }

    /// `assume term`
    pub(super) fn assume(&mut self, term: Term) {
        self.out.assume(self.at, term);
    }

    /// Assumes that `holders` and the linear globals of the frame own different permissions.
    pub(super) fn assume_linear(&mut self, mut holders: Vec<Holder>) {
        for name in self.frame.clone() {
            holders.extend(linear_global(&mut self.lowering, &name));
        }
        let facts = linear_facts(&mut self.lowering, &holders);
        self.assume(facts);
    }

    /// Assumes the gate.
    pub(super) fn assume_gate(&mut self, copy: &mut ActionCopy) {
        for conjunct in copy.gate() {
            self.out.assume_with(self.at, conjunct.term, conjunct.hints);
        }
    }

    /// Assumes what callers of the action prove at `layer`, and takes its globals into the frame.
    pub(super) fn assume_preconditions(&mut self, copy: &ActionCopy, layer: Option<Layer>) {
        let Some(layer) = layer else { return };
        for (_, term) in preconditions(&mut self.lowering, copy, layer) {
            self.assume(term);
        }
    }

    /// The globals that the preconditions of the action mention belong to the frame.
    pub(super) fn widen(&mut self, copy: &ActionCopy, layer: Option<Layer>) {
        let Some(layer) = layer else { return };
        for (_, term) in preconditions(&mut self.lowering, copy, layer) {
            let names = free_vars(&term).into_iter().map(|var| Name::new(var.name.as_str()));
            let world = self.world;
            self.frame.extend(names.filter(|name| world.global(name).is_some()));
        }
    }

    /// Runs the body without assertions.
    pub(super) fn run(&mut self, copy: &ActionCopy) {
        self.at = copy.write(&mut self.out, self.at);
    }

    /// Remembers the state for traces: globals of the frame, and the formals of `copies`; outputs
    /// only of those that have run.
    pub(super) fn capture(&mut self, place: Place, moment: Moment, copies: &[Shown<'_>]) {
        let mut values: Vec<(Symbol, Term)> = Vec::new();
        for name in self.frame.clone() {
            if let Some(var) = self.lowering.global_var(&name) {
                values.push((var.name.clone(), Term::var(var)));
            }
        }
        for Shown { copy, ran } in copies {
            let outs = if *ran { copy.outs.as_slice() } else { &[] };
            let owner = owner(copy, copies);
            let formals = copy.action.sig.formals().zip(copy.ins.iter().chain(outs));
            for (param, var) in formals {
                let name = Symbol::from(format!("{owner}{}", param.name));
                values.push((name, Term::var(var.clone())));
            }
        }
        let point = CapturePoint { place, moment };
        self.out.capture(self.at, point, values);
    }

    /// "Some run of these copies, one after the other, leads from the state at the start of the unit
    /// to the current one", as far as the globals in `changed` and the outputs `outs` are concerned.
    ///
    /// With `candidates` the choices of the copies that were run are tried first.
    pub(super) fn reachable(&mut self, question: Reachable<'_>) -> Term {
        let Reachable { copies, before, after, candidates, made_new_is_given } = question;
        let mut closing = Closing::default();
        for copy in copies {
            let Closing { vars, pools } =
                if made_new_is_given { copy.free_closing() } else { copy.closing() };
            closing.vars.extend(vars);
            closing.pools.extend(pools);
        }
        let runs = Runs {
            bodies: copies.iter().map(|copy| &copy.body).collect(),
            before,
            after,
            choices: copies.iter().flat_map(|copy| copy.choices.iter().cloned()).collect(),
        };
        match paths(&runs) {
            Some(paths) => {
                let open: BTreeSet<Var> =
                    paths.iter().flat_map(|path| path.open.iter().cloned()).collect();
                for choice in open.iter().filter(|_| candidates) {
                    self.assume(chosen(choice));
                }
                disjunction(&paths, &closing, candidates)
            }
            None => {
                self.lowering.unsupported("an action with too many paths");
                Term::ff()
            }
        }
    }

    /// The variables of globals.
    pub(super) fn globals(&mut self, names: &BTreeSet<Name>) -> Vec<Var> {
        names.iter().filter_map(|name| self.lowering.global_var(name)).collect()
    }
}

/// A copy in a trace.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    copy: &'a ActionCopy,
    ran: bool,
}

/// A copy that has not run.
pub(super) fn waiting(copy: &ActionCopy) -> Shown<'_> {
    Shown { copy, ran: false }
}

/// A copy that has run.
pub(super) fn done(copy: &ActionCopy) -> Shown<'_> {
    Shown { copy, ran: true }
}

/// What stands before the formals of a copy: nothing if it is the only one, else the action; if both
/// are the same action, with a number.
fn owner(copy: &ActionCopy, copies: &[Shown<'_>]) -> String {
    let name = &copy.action.sig.name;
    let same = copies.iter().filter(|shown| shown.copy.action.sig.name == *name).count();
    match (copies.len(), same) {
        (0 | 1, _) => String::new(),
        (_, 0 | 1) => format!("{}.", readable(name)),
        (..) => format!("{}#{}.", readable(name), copy.suffix().trim_start_matches('@')),
    }
}

/// What [`Scene::reachable`] is asked.
pub(super) struct Reachable<'a> {
    /// First to last.
    pub(super) copies: &'a [&'a ActionCopy],
    /// Globals and their values before.
    pub(super) before: Vec<(Var, Term)>,
    /// Globals and outputs, and their values after.
    pub(super) after: Vec<(Var, Term)>,
    pub(super) candidates: bool,
    /// Is what the actions make new one arbitrary value, and not theirs to choose?
    pub(super) made_new_is_given: bool,
}

/// `var` where the unit was entered.
pub(super) fn old(var: &Var) -> Term {
    Term::var(Var::new(Symbol::from(format!("{}{OLD}", var.name)), var.sort.clone()))
}

/// An action and its place, for words.
pub(super) fn named(world: World<'_>, sig: &ProcSig) -> Named {
    Named { name: sig.name.clone(), place: hir::decl_place(world.db, sig.decl) }
}

/// The name of an action as people read it.
pub(super) fn readable(name: &Name) -> String {
    name.in_reference()
}

/// A global as a holder of permissions, if it is declared linear.
pub(super) fn linear_global(lowering: &mut Lowering<'_>, name: &Name) -> Option<Holder> {
    let global = lowering.world.global(name).filter(|it| it.linear != LinearKind::Ordinary)?;
    let var = lowering.global_var(name)?;
    Some(Holder { ty: global.ty.clone(), term: Term::var(var) })
}

/// What callers of an action prove before they call it at `layer`, for the inputs of `copy`: its
/// `requires` clauses of the layer, and the clauses of the invariants it requires. With places.
pub fn preconditions(
    lowering: &mut Lowering<'_>,
    copy: &ActionCopy,
    layer: Layer,
) -> Vec<(Place, Term)> {
    let formals = copy.ins.iter().chain(&copy.outs).map(|var| Term::var(var.clone())).collect();
    preconditions_of(lowering, &copy.action, formals, layer)
}

/// The same for given values of the formals.
pub fn preconditions_of(
    lowering: &mut Lowering<'_>,
    action: &Arc<ActionIr>,
    formals: Vec<Term>,
    layer: Layer,
) -> Vec<(Place, Term)> {
    let world = lowering.world;
    let decl = action.sig.decl;
    let Some((specs, map)) = world.specs(decl).zip(world.specs_map(decl)) else {
        lowering.unsupported(format!("the preconditions of `{}`", action.sig.name));
        return Vec::new();
    };
    if specs.has_errors {
        lowering.unsupported(format!("the preconditions of `{}`", action.sig.name));
    }
    let mut env = Env::of_locals(formals);
    // There is one state only.
    env.old = env.now.clone();
    let mut out = Vec::new();
    for (nth, clause) in specs.of_kind(ClauseKind::Requires) {
        if clause.layers.contains(layer) {
            out.push((map.clause(nth), lowering.expr(&specs.exprs, &env, clause.expr)));
        }
    }
    for (_, call) in specs.calls_of_kind(ClauseKind::Requires) {
        let args = call.arm.args.iter().map(|arg| lowering.expr(&specs.exprs, &env, *arg));
        let args: Vec<Term> = args.collect();
        out.extend(invariant_clauses(lowering, &call.arm.callee, args, layer));
    }
    out
}

/// The clauses of an invariant of `layer` for these arguments, in the current state.
fn invariant_clauses(
    lowering: &mut Lowering<'_>,
    name: &Name,
    args: Vec<Term>,
    layer: Layer,
) -> Vec<(Place, Term)> {
    let world = lowering.world;
    let Some(sig) = world.proc_sig(name).filter(|sig| sig.is_invariant()) else {
        lowering.unsupported(format!("the invariant `{name}`"));
        return Vec::new();
    };
    if sig.layer() != Some(layer) {
        return Vec::new();
    }
    let Some((specs, map)) = world.specs(sig.decl).zip(world.specs_map(sig.decl)) else {
        lowering.unsupported(format!("the invariant `{name}`"));
        return Vec::new();
    };
    let mut env = Env::of_locals(args);
    env.old = env.now.clone();
    let clauses = lowering.clauses(&specs, ClauseKind::Preserves, &env, true);
    clauses.into_iter().map(|(nth, term)| (map.clause(nth), term)).collect()
}
