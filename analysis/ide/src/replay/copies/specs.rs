//! What procedures and invariants say at a layer, on values.

use base::{Name, Place};
use hir::{ClauseKind, ProcSig, TySubst};

use super::super::exprs::View;
use super::super::machine::{Globals, Guide, Machine, Slot, Stop};
use super::super::structure::{Doubt, Known};
use super::Copy;

/// A condition, whether it holds, and its clause.
pub(super) struct Condition {
    pub(super) holds: Known<bool>,
    pub(super) clause: Place,
}

impl Copy<'_> {
    /// What `sig` requires in a state.
    pub(super) fn required(&self, sig: &ProcSig, locals: &[Slot], now: &Globals) -> Vec<Condition> {
        let mut out = self.clauses(sig, locals, (now, now), ClauseKind::Requires);
        out.extend(self.invariants(sig, locals, (now, now, now), ClauseKind::Requires));
        out
    }

    /// What `sig` ensures in a state, with `old` for another.
    pub(super) fn ensured(
        &self,
        sig: &ProcSig,
        locals: &[Slot],
        (now, old): (&Globals, &Globals),
    ) -> Vec<Condition> {
        let mut out = self.clauses(sig, locals, (now, old), ClauseKind::Ensures);
        out.extend(self.invariants(sig, locals, (now, old, now), ClauseKind::Ensures));
        out
    }

    fn clauses(
        &self,
        sig: &ProcSig,
        locals: &[Slot],
        (now, old): (&Globals, &Globals),
        kind: ClauseKind,
    ) -> Vec<Condition> {
        let world = self.structure.world;
        let Some((specs, map)) = world.specs(sig.decl).zip(world.specs_map(sig.decl)) else {
            return unknown(sig);
        };
        let types = TySubst::new();
        let view = View { exprs: &specs.exprs, types: &types, locals, now, old };
        let mut out = Vec::new();
        for (number, clause) in specs.clauses.iter().enumerate() {
            let wanted = clause.kind == kind || clause.kind == ClauseKind::Preserves;
            if wanted && clause.layers.contains(self.layer) {
                let holds = self.structure.truth(view, clause.expr);
                out.push(Condition { holds, clause: map.clause(number) });
            }
        }
        out
    }

    /// The invariants that `sig` calls: arguments are read in `now` and `old`, clauses in `then`.
    fn invariants(
        &self,
        sig: &ProcSig,
        locals: &[Slot],
        (now, old, then): (&Globals, &Globals, &Globals),
        kind: ClauseKind,
    ) -> Vec<Condition> {
        let Some(specs) = self.structure.world.specs(sig.decl) else { return unknown(sig) };
        let types = TySubst::new();
        let view = View { exprs: &specs.exprs, types: &types, locals, now, old };
        let mut out = Vec::new();
        for call in &specs.calls {
            if call.kind == kind || call.kind == ClauseKind::Preserves {
                let value = |id| self.structure.value(view, id).map_or(Slot::Unknown, Slot::Known);
                let args: Vec<Slot> = call.arm.args.iter().map(|id| value(*id)).collect();
                out.extend(self.invariant(&call.arm.callee, &args, then));
            }
        }
        out
    }

    /// The clauses of an invariant of this layer.
    pub(super) fn invariant(&self, name: &Name, args: &[Slot], now: &Globals) -> Vec<Condition> {
        let world = self.structure.world;
        let Some(sig) = world.proc_sig(name) else { return Vec::new() };
        if sig.layer() != Some(self.layer) {
            return Vec::new();
        }
        let Some((specs, map)) = world.specs(sig.decl).zip(world.specs_map(sig.decl)) else {
            return unknown(&sig);
        };
        let types = TySubst::new();
        let view = View { exprs: &specs.exprs, types: &types, locals: args, now, old: now };
        let clauses = specs.of_kind(ClauseKind::Preserves);
        let condition = |(number, clause): (usize, &hir::Clause)| Condition {
            holds: self.structure.truth(view, clause.expr),
            clause: map.clause(number),
        };
        clauses.map(condition).collect()
    }

    /// At entry: what is required held at the call, and still holds.
    pub(super) fn assume_required(&self, machine: &mut Machine, old: &Globals) -> Result<(), Stop> {
        let locals = machine.top().locals.clone();
        let now = machine.globals.clone();
        let mut all = self.required(self.sig(), &locals, old);
        all.extend(self.clauses(self.sig(), &locals, (&now, &now), ClauseKind::Requires));
        all.extend(self.invariants(self.sig(), &locals, (old, old, &now), ClauseKind::Requires));
        self.assume_all(machine, all, "what is required")
    }

    pub(super) fn assume_all(
        &self,
        machine: &mut Machine,
        conditions: Vec<Condition>,
        what: &str,
    ) -> Result<(), Stop> {
        let mut conditions = conditions.into_iter();
        conditions.try_for_each(|it| self.follower.assume(machine, it.holds, what))
    }

    /// The `where` clauses of the results of a callee hold.
    pub(super) fn assume_results(
        &self,
        machine: &mut Machine,
        (sig, locals): (&ProcSig, &[Slot]),
        (now, old): (&Globals, &Globals),
    ) -> Result<(), Stop> {
        let Some(specs) = self.structure.world.specs(sig.decl) else { return Ok(()) };
        let types = TySubst::new();
        let view = View { exprs: &specs.exprs, types: &types, locals, now, old };
        for clause in specs.locals.iter().skip(sig.ins.len()).filter_map(|it| it.condition) {
            let holds = self.structure.truth(view, clause);
            self.follower.assume(machine, holds, "a `where` clause")?;
        }
        Ok(())
    }
}

fn unknown(sig: &ProcSig) -> Vec<Condition> {
    let why = Doubt(format!("the specification of `{}`", sig.name));
    let clause = Place::new(sig.decl, base::NodePtr::ROOT);
    vec![Condition { holds: Err(why), clause }]
}
