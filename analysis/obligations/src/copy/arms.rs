//! Arms of a parallel call that may run before those in front of them.
//!
//! The proof takes the arms of a parallel call from left to right. What is run may take another order,
//! and then an arm can fail although nothing fails from left to right.
//!
//! | the arm | in front of it | why no failure is overlooked |
//! | --- | --- | --- |
//! | any | left movers | a failure survives left movers (failure preservation) |
//! | both mover | anything | its gate is asked where the call starts; it survives the steps of others (gate preservation) |
//! | right mover | arms that are one step | the same |
//! | right mover | code that yields | its gate is asked in an arbitrary state |
//!
//! What a mover procedure requires is its gate. Invariants are no arms that run.
//!
//! # Soundness
//! A right mover stands before the commit point of its transaction. All that the thread did since its
//! last yield moves right, to just before the arm, so the state in which it fails is one in which the
//! call can start. Arms in front of it that ran already are right movers, which gates survive. That is
//! not true of code that yields: it may have done a part of what it does. Stricter than the reference,
//! which asks gates from left to right only.

use hir::Mover;
use ir::{ObligationKind, Substitution, Term, Var};

use super::calls::{Running, Site};
use super::{Copy, Mode};
use crate::action::{ActionCopy, action_ir};
use crate::claim::Claim;
use crate::lowering::{Checks, Env, State};
use crate::unit::AssertInfo;
use discipline::standing::CalleeAt;

/// Where a gate is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the state of the call.
    AtCall,
    /// In any state.
    Anywhere,
}

impl Copy<'_, '_> {
    /// Asks what arms demand that may run before those in front of them.
    pub(super) fn ask_early(&mut self, site: Site, arms: &[Running<'_>]) {
        let stays = |arm: &Running<'_>| {
            arm.at == CalleeAt::Invariant || self.mover_of(arm).is_some_and(Mover::is_left)
        };
        let Some(first) = arms.iter().position(|arm| !stays(arm)) else { return };
        for (nth, arm) in arms.iter().enumerate().skip(first + 1) {
            let Some(mover) = self.mover_of(arm) else { continue };
            let behind_code = arms[..nth].iter().any(|it| it.at == CalleeAt::Code);
            let when = match behind_code && !mover.is_left() {
                true => When::Anywhere,
                false => When::AtCall,
            };
            if let CalleeAt::Action(action) = &arm.at {
                self.ask_gate(site, (arm, action), when);
            } else {
                self.ask_requirements(site, arm, when);
            }
        }
    }

    /// The mover type of an arm that is one step; nothing for others.
    fn mover_of(&self, arm: &Running<'_>) -> Option<Mover> {
        match &arm.at {
            CalleeAt::Action(action) => {
                let sig = self.world.proc_sig(action);
                Some(sig.and_then(|sig| sig.mover).unwrap_or(Mover::Atomic))
            }
            CalleeAt::Mover(mover) => Some(*mover),
            CalleeAt::Skip | CalleeAt::Nothing | CalleeAt::StartedSkip => Some(Mover::Both),
            CalleeAt::Pure
            | CalleeAt::Invariant
            | CalleeAt::Code
            | CalleeAt::StartedCode
            | CalleeAt::Unknown => None,
        }
    }

    fn ask_gate(&mut self, site: Site, (arm, name): (&Running<'_>, &base::Name), when: When) {
        let Checks::Assert(kind) = self.gate_checks() else { return };
        let Some(action) = action_ir(self.world.db, self.world.program, name.clone()) else {
            return self.lowering.unsupported(format!("the action `{name}`"));
        };
        let suffix = self.lowering.fresh_suffix();
        let mut copy = ActionCopy::new(&mut self.lowering, &action, &suffix);
        let args = arm.sig.visible_ins().filter_map(|(nth, _)| arm.args.get(nth).cloned());
        let mut values: Vec<(Var, Term)> = copy.ins.iter().cloned().zip(args).collect();
        if when == When::Anywhere {
            values.extend(self.arbitrary());
        }
        let mut values = Substitution::of_vars(values);
        for conjunct in copy.gate() {
            let info = AssertInfo::new(kind, Claim::Gate { action: name.clone() }, site.place)
                .related(conjunct.place, "this may be asked before the arms in front of it ran");
            let hints = values.apply_hints(&conjunct.hints);
            self.out.assert_with(self.at, values.apply(&conjunct.term), info, hints);
        }
    }

    /// What a mover procedure requires.
    fn ask_requirements(&mut self, site: Site, arm: &Running<'_>, when: When) {
        if self.mode == Mode::Refinement || !matches!(arm.at, CalleeAt::Mover(_)) {
            return;
        }
        let mut state = State::now();
        if when == When::Anywhere {
            let globals = self.global_names().into_iter().zip(self.arbitrary());
            for (name, (_, value)) in globals {
                state = state.with(name, value);
            }
        }
        let env = Env::of_locals(arm.args.clone()).in_states(state.clone(), state);
        for condition in self.required(&arm.sig, &env) {
            let claim = Claim::Precondition { callee: arm.sig.name.clone() };
            let info = AssertInfo::new(ObligationKind::Contract, claim, site.place)
                .related(condition.clause, "this may be asked before the arms in front of it ran");
            self.out.assert(self.at, condition.term, info);
        }
    }

    /// Every global with an arbitrary value.
    fn arbitrary(&mut self) -> Vec<(Var, Term)> {
        let globals = self.global_vars().into_iter();
        let value = |var: Var| {
            let any = self.lowering.fresh_var(var.name.as_str(), var.sort.clone());
            (var, Term::var(any))
        };
        globals.map(value).collect()
    }
}
