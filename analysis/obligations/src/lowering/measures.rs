//! Measures: why loops and recursion end (language.md 9.10).
//!
//! ```text
//! loop head:        no integer of the measure is negative; its value is kept
//! end of a round:   the measure is smaller than what was kept
//! call:             no integer of the callee's measure is negative
//! recursive call:   the callee's measure is smaller than the caller's was at entry
//! ```
//!
//! Smaller is lexicographic; `false` is smaller than `true`.
//!
//! # Soundness
//! Tuples of natural numbers and truth values have no endless descent. A recursive call whose
//! measure has another shape than the caller's fails; the reference lets it pass if the shapes
//! differ at one layer only.

use std::collections::BTreeMap;

use base::Place;
use hir::{Cfg, ExprId, Layer, LayerSet, ProcSig, SourceMap, Specs, Stmt, StmtId, Ty};
use ir::{Command, ObligationKind, Sort, Term, Var};

use super::statements::{Checks, Text, Writer};
use super::{Env, Lowering};
use crate::claim::Claim;
use crate::unit::AssertInfo;

/// One expression of a measure.
pub(crate) struct Measured {
    pub(crate) term: Term,
    pub(crate) place: Place,
}

/// The measure of a loop.
pub(crate) struct LoopMeasure {
    stmt: StmtId,
    exprs: Vec<ExprId>,
    /// Its value at the start of the round.
    kept: Vec<Var>,
}

/// Which measures count: all in code without layers, else those of one layer.
fn counts(layers: &LayerSet, layer: Option<Layer>) -> bool {
    layer.is_none_or(|layer| layers.contains(layer))
}

/// Is `now` smaller than `before`? Never, if they are of different shapes.
pub(crate) fn is_smaller(now: &[Term], before: &[Term]) -> Term {
    let sorts = |terms: &[Term]| terms.iter().map(|it| it.sort().clone()).collect::<Vec<_>>();
    if sorts(now) != sorts(before) {
        return Term::ff();
    }
    let mut smaller = Term::ff();
    for (now, before) in now.iter().zip(before).rev() {
        let less = if *now.sort() == Sort::Bool {
            Term::and([Term::not(now.clone()), before.clone()])
        } else {
            Term::lt(now.clone(), before.clone())
        };
        let same = Term::eq(now.clone(), before.clone());
        smaller = Term::or([less, Term::and([same, smaller])]);
    }
    smaller
}

/// `0 <= term`; nothing for truth values.
pub(crate) fn is_not_negative(term: &Term) -> Option<Term> {
    (*term.sort() == Sort::Int).then(|| Term::le(Term::int(0), term.clone()))
}

/// The claim that an integer of a loop's measure is not negative at its head.
fn not_negative_here(measured: &Measured) -> Option<(Term, AssertInfo)> {
    let term = is_not_negative(&measured.term)?;
    let claim = Claim::MeasureNonNegative { callee: None };
    Some((term, AssertInfo::new(ObligationKind::Termination, claim, measured.place)))
}

/// The claim that an integer of the callee's measure is not negative at a call.
pub(crate) fn not_negative(
    callee: &ProcSig,
    measured: &Measured,
    place: Place,
) -> Option<(Term, AssertInfo)> {
    let term = is_not_negative(&measured.term)?;
    let claim = Claim::MeasureNonNegative { callee: Some(callee.name.clone()) };
    let info = AssertInfo::new(ObligationKind::Termination, claim, place);
    Some((term, info.related(measured.place, "this measure")))
}

/// The claim that the measure of a recursive call is smaller than the caller's at entry.
pub(crate) fn decreases(
    callee: (&ProcSig, &[Measured]),
    caller: &[Measured],
    place: Place,
) -> (Term, AssertInfo) {
    let (sig, now) = callee;
    let terms = |it: &[Measured]| it.iter().map(|it| it.term.clone()).collect::<Vec<_>>();
    let claim = Claim::MeasureDecreases { callee: Some(sig.name.clone()) };
    let mut info = AssertInfo::new(ObligationKind::Termination, claim, place);
    if let Some(first) = now.first() {
        info = info.related(first.place, "the measure of the callee");
    }
    (is_smaller(&terms(now), &terms(caller)), info)
}

impl Lowering<'_> {
    /// The measure of a procedure at a layer, read in `env`. `free` changes nothing.
    pub(crate) fn measure(
        &mut self,
        (specs, map): (&Specs, &SourceMap),
        env: &Env,
        layer: Option<Layer>,
    ) -> Vec<Measured> {
        let mut out = Vec::new();
        for clause in specs.measures.iter().filter(|it| counts(&it.layers, layer)) {
            for expr in &clause.exprs {
                let term = self.expr(&specs.exprs, env, *expr);
                out.push(Measured { term, place: map.expr(*expr) });
            }
        }
        out
    }

    /// The measures of the loops of a body at a layer, by header.
    pub(crate) fn loop_measures(
        &mut self,
        text: Text<'_>,
        cfg: &Cfg,
        layer: Option<Layer>,
    ) -> BTreeMap<hir::BlockId, LoopMeasure> {
        let mut out = BTreeMap::new();
        for header in cfg.block_ids().filter(|id| cfg.block(*id).head.is_some()) {
            let block = cfg.block(header);
            let measure = block.commands.iter().find_map(|command| {
                let hir::Command::Stmt(id) = command else { return None };
                let Stmt::Measure { exprs, layers, .. } = text.body.stmt(*id) else { return None };
                counts(layers, layer).then(|| (*id, exprs.to_vec()))
            });
            let Some((stmt, exprs)) = measure else { continue };
            // Else what comes before it could make it greater again.
            if !block.predicates(text.body).contains(&hir::Command::Stmt(stmt)) {
                self.at(text.map.stmt(stmt));
                self.unsupported("a measure after other statements of a loop head");
            }
            let mut kept = Vec::new();
            for expr in &exprs {
                let is_bool = *text.body.exprs.ty(*expr) == Ty::Bool;
                let sort = if is_bool { Sort::Bool } else { Sort::Int };
                kept.push(self.fresh_var("measure", sort));
            }
            out.insert(header, LoopMeasure { stmt, exprs, kept });
        }
        out
    }
}

impl LoopMeasure {
    /// Is this the command that says it?
    pub(crate) fn is_at(&self, command: hir::Command) -> bool {
        command == hir::Command::Stmt(self.stmt)
    }
}

impl Writer<'_, '_> {
    fn is_checked(&self) -> bool {
        match self.checks {
            Checks::Assert(_) => true,
            Checks::Assume => false,
        }
    }

    /// Asserts a claim about measures, where claims are checked.
    pub(crate) fn claim_measure(&mut self, (term, info): (Term, AssertInfo)) {
        if self.is_checked() {
            self.out.assert(self.at, term, info);
        }
    }

    /// At the loop head: no integer is negative; the value is kept.
    pub(crate) fn start_round(&mut self, measure: &LoopMeasure) {
        let mut pairs = Vec::new();
        for (expr, var) in measure.exprs.iter().zip(&measure.kept) {
            let measured = Measured { term: self.expr(*expr), place: self.text.map.expr(*expr) };
            if let Some(claim) = not_negative_here(&measured) {
                self.claim_measure(claim);
            }
            pairs.push((var.clone(), measured.term));
        }
        if pairs.iter().any(|(var, term)| var.sort != *term.sort()) {
            return self.lowering.unsupported("a measure with an error");
        }
        if self.is_checked() && !pairs.is_empty() {
            self.out.push(self.at, Command::Assign(pairs));
        }
    }

    /// On the way back to the loop head: the measure is smaller than at the start of the round. The
    /// reference reports at the block that jumps back.
    pub(crate) fn end_round(&mut self, measure: &LoopMeasure, from: Option<Place>) {
        let now: Vec<Term> = measure.exprs.iter().map(|expr| self.expr(*expr)).collect();
        let before: Vec<Term> = measure.kept.iter().cloned().map(Term::var).collect();
        let claim = Claim::MeasureDecreases { callee: None };
        let place = self.text.map.stmt(measure.stmt);
        let mut info = AssertInfo::new(ObligationKind::Termination, claim, place);
        if let Some(from) = from {
            info = info.reported_at(from).related(from, "after this round");
        }
        self.claim_measure((is_smaller(&now, &before), info));
    }

    /// The claims of a call about the callee's measure `now`.
    pub(crate) fn measured_call(&mut self, callee: &ProcSig, now: &[Measured], place: Place) {
        for claim in now.iter().filter_map(|it| not_negative(callee, it, place)) {
            self.claim_measure(claim);
        }
        let world = self.lowering.world;
        let caller = world.proc_sig(&self.text.body.proc);
        let Some(caller) = caller.filter(|it| it.is_plain_or_pure_procedure()) else { return };
        if !discipline::reaches(world.db, world.program, &callee.name, &caller.name) {
            return;
        }
        let found = world.specs(caller.decl).zip(world.specs_map(caller.decl));
        let Some((specs, map)) = found.filter(|(specs, _)| !specs.measures.is_empty()) else {
            return;
        };
        let entry = self.env.in_states(self.env.old.clone(), self.env.old.clone());
        let before = self.lowering.measure((&specs, &map), &entry, None);
        self.claim_measure(decreases((callee, now), &before, place));
    }
}
