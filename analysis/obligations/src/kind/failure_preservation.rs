//! A failure of `A` survives `B` (verification.md 4.4).
//!
//! **In:** two actions. **Out:** a unit with one assertion per condition of the gate of `A`, placed at
//! the assertion of `A` it stems from.
//!
//! Said the other way round: if all outcomes of `B` satisfy the gate of `A`, then the gate of `A` holds
//! already before `B`.
//!
//! # Soundness
//! Assumed: the gate of `B`; disjointness of what is held before; and, for every condition of the gate
//! of `A`, that all outcomes of `B` satisfy it. The body of `B` is taken without its assertions, which
//! its gate covers. If `B` has no outcome, all of them satisfy anything, so then the gate of `A` has to
//! hold outright. Asserted are the conditions that mention what `B` writes: any other that fails
//! before `B` fails after it, since `B` has an outcome, as its own check of not blocking shows from the
//! same assumptions. (The reference also assumes, before `B`, disjointness with outputs that `B` has yet
//! to produce; that is not a fact and is left out.)

use hir::LinearKind;
use ir::subst::occurs_free;
use ir::{ObligationKind, Op, Quant, QuantKind, Term, TermKind, wp};

use super::scene::{Scene, named, waiting};
use crate::action::boolean::without_boolean_binders;
use crate::action::{ActionCopy, GateConjunct};
use crate::claim::Claim;
use crate::unit::{AssertInfo, Moment, Pair, Unit, UnitKey};
use crate::world::World;

/// The unit of a pair.
pub fn unit(world: World<'_>, pair: &Pair) -> Unit {
    let key = UnitKey::FailurePreservation(pair.clone());
    let mut scene = Scene::new(world, crate::place_of(world, &key));
    if let (Some(mut a), Some(mut b)) =
        (scene.copy(&pair.first, "@1"), scene.copy(&pair.second, "@2"))
    {
        write(&mut scene, &mut a, &mut b, pair);
    }
    scene.finish(&key, ObligationKind::FailurePreservation)
}

// preserves_failure(a, b):  Lin, gate b, wp(b, gate a)  ==>  gate a
fn write(scene: &mut Scene<'_>, a: &mut ActionCopy, b: &mut ActionCopy, pair: &Pair) {
    let (first, second) = (named(scene.world, &a.action.sig), named(scene.world, &b.action.sig));
    scene.frame = a.action.footprint.gate.clone();
    scene.frame.extend(b.action.footprint.all());
    scene.widen(b, pair.conditional);
    let held = [a.linear_ins(LinearKind::LinearOut), b.linear_ins(LinearKind::LinearOut)];
    scene.assume_linear(held.concat());
    let gate = a.gate();
    gate.iter().for_each(|conjunct| assume_afterwards(scene, b, conjunct));
    scene.assume_gate(b);
    scene.assume_preconditions(b, pair.conditional);
    scene.capture(second.place, Moment::Before, &[waiting(a), waiting(b)]);
    let written = scene.globals(&b.action.footprint.modified);
    let touched = |it: &GateConjunct| written.iter().any(|var| occurs_free(var, &it.term));
    for conjunct in gate.into_iter().filter(touched) {
        let claim = Claim::FailurePreservation { first: first.clone(), second: second.clone() };
        let info = AssertInfo::new(ObligationKind::FailurePreservation, claim, conjunct.place)
            .related(second.place, "the action that may hide the failure");
        scene.out.assert_with(scene.at, conjunct.term, info, conjunct.hints);
    }
}

/// Assumes that all outcomes of `b` satisfy the condition. What `b` makes new is one arbitrary value: nobody
/// knows which values are new, so nothing may be concluded from all of them.
fn assume_afterwards(scene: &mut Scene<'_>, b: &ActionCopy, conjunct: &GateConjunct) {
    match wp::weakest(&b.body, Some(&conjunct.term), &b.free_closing()) {
        Ok(parts) => {
            for part in parts {
                for term in each_alone(without_boolean_binders(part.term)) {
                    scene.out.assume_with(scene.at, term, part.hints.clone());
                }
            }
        }
        Err(problem) => {
            let what = format!("an action body of this form ({problem})");
            scene.lowering.unsupported(what);
        }
    }
}

/// `forall xs :: p && q` as `forall xs :: p` and `forall ys :: q`, each over the variables it has: the
/// solver need not find values for all of them at once.
fn each_alone(term: Term) -> Vec<Term> {
    if let Some(parts) = term.args_of(&Op::And) {
        return parts.iter().cloned().flat_map(each_alone).collect();
    }
    let TermKind::Quant(quant) = term.kind() else { return vec![term] };
    match (quant.kind, quant.body.args_of(&Op::And)) {
        (QuantKind::Forall, Some(parts)) => {
            let alone = |part: &Term| Quant { body: part.clone(), ..quant.as_ref().clone() };
            parts.iter().map(|part| Term::quant(alone(part))).collect()
        }
        (QuantKind::Forall | QuantKind::Exists, _) => vec![term],
    }
}
