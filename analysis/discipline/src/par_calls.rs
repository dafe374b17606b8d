//! Permitted shapes of parallel calls (language.md 9.7, 11.5).
//!
//! **In:** a parallel call and the labels of its arms at one layer. **Out:** the arms that break the
//! pattern.
//!
//! The arms of a parallel call run in any order, but the proof takes them from left to right. That
//! is sound if arms that stand early are left movers and arms that stand late are right movers:
//! - left movers, at most one other arm, right movers; invariants and both-movers anywhere;
//! - with procedures that yield: left movers, yielding procedures, right movers, no non-mover.

use base::Program;
use hir::{Arm, Layer, StmtId, VarRef};

use crate::Db;
use crate::problem::{Problem, StepFacts, YieldProblem};
use crate::yields::{Code, Label, arm_place};

/// Appends problems of parallel calls that depend on no layer.
pub(crate) fn check_callers(code: &Code<'_>, out: &mut Vec<Problem>) {
    for (id, arms) in parallel_calls(code) {
        let at = code.map.stmt(id);
        if !code.sig.is_yield_procedure() {
            out.push(YieldProblem::ParallelCaller { at, caller: code.sig.name.clone() }.into());
            continue;
        }
        for arm in arms {
            let callee = hir::proc_sig(code.db, code.program, arm.callee.clone());
            let fits = callee.is_none_or(|it| it.is_yield_procedure() || it.is_invariant());
            // Primitives are complained about by the linear checks.
            if !fits && arm.primitive.is_none() {
                let callee = arm.callee.clone();
                out.push(YieldProblem::ParallelCallee { at, callee }.into());
            }
        }
        out.extend(check_refined(code, (id, arms)).map(Problem::from));
    }
}

/// At the caller's layer at most one arm may take part in the refinement of the caller.
fn check_refined(code: &Code<'_>, (id, arms): (StmtId, &[Arm])) -> Option<YieldProblem> {
    if code.sig.is_mover_procedure() {
        return None;
    }
    let takes_part = |arm: &&Arm| {
        let callee = hir::proc_sig(code.db, code.program, arm.callee.clone());
        callee.is_some_and(|callee| {
            let here = callee.is_yield_procedure() && callee.layer() == code.sig.layer();
            here && (callee.refines.is_some() || arm.outs.iter().any(|it| is_visible_out(code, it)))
        })
    };
    let mut guilty = arms.iter().filter(takes_part).map(|arm| arm.callee.clone());
    let (first, second) = (guilty.next()?, guilty.next()?);
    Some(YieldProblem::ParallelRefined { at: code.map.stmt(id), first, second })
}

/// Is the variable an out-parameter that the caller's refined action returns?
fn is_visible_out(code: &Code<'_>, var: &VarRef) -> bool {
    let VarRef::Local(local) = var else { return false };
    let ins = code.sig.ins.len();
    code.sig.visible_outs().any(|(number, _)| ins + number == local.index())
}

/// The patterns that arms break at `layer`, per parallel call.
pub(crate) fn check(code: &Code<'_>, layer: Layer) -> Vec<YieldProblem> {
    let mut out = Vec::new();
    for (id, arms) in parallel_calls(code) {
        let labels: Vec<ArmLabel> = arms
            .iter()
            .map(|arm| ArmLabel {
                label: code.labels(arm, false, layer).atomicity,
                invariant: is_invariant(code.db, code.program, arm),
            })
            .collect();
        for (arm, pattern) in broken(&labels) {
            let step = |arm: usize| StepFacts {
                at: arm_place(code.map, id, arm),
                label: labels[arm].label,
                callee: arms[arm].callee.clone(),
                is_async: false,
            };
            out.push(YieldProblem::ParallelPattern {
                layers: vec![layer],
                at: code.map.stmt(id),
                guilty: step(arm),
                other: partner(&labels, arm, pattern).map(step),
                pattern,
            });
        }
    }
    out
}

fn is_invariant(db: &dyn Db, program: Program, arm: &Arm) -> bool {
    hir::proc_sig(db, program, arm.callee.clone()).is_some_and(|sig| sig.is_invariant())
}

/// The parallel calls of a body, in the order of statements.
fn parallel_calls<'a>(code: &Code<'a>) -> Vec<(StmtId, &'a [Arm])> {
    let ids = (0..code.body.stmts.len()).map(StmtId::from_index);
    let calls = ids.filter_map(|id| Some((id, code.call(id)?.0)));
    calls.filter(|(_, arms)| arms.len() > 1).collect()
}

/// An arm as the patterns see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ArmLabel {
    label: Label,
    invariant: bool,
}

/// A shape a parallel call must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Left movers, at most one non-mover, right movers.
    OneTransaction,
    /// No non-mover beside a yielding procedure.
    NoNonMover,
    /// Left movers, yielding procedures, right movers.
    AroundYields,
}

/// The arms that break a pattern, with the pattern; each pattern is reported once.
fn broken(arms: &[ArmLabel]) -> Vec<(usize, Pattern)> {
    let mut out = Vec::new();
    out.extend(one_transaction(arms).map(|arm| (arm, Pattern::OneTransaction)));
    let yields = arms.iter().any(|it| it.label == Label::Yield && !it.invariant);
    if yields {
        match arms.iter().position(|it| it.label == Label::NonMover) {
            Some(arm) => out.push((arm, Pattern::NoNonMover)),
            None => out.extend(around_yields(arms).map(|arm| (arm, Pattern::AroundYields))),
        }
    }
    out
}

/// The arm beside which `guilty` breaks the pattern.
fn partner(arms: &[ArmLabel], guilty: usize, pattern: Pattern) -> Option<usize> {
    let yields = |it: &ArmLabel| it.label == Label::Yield && !it.invariant;
    let before = &arms[..guilty];
    match pattern {
        Pattern::OneTransaction => {
            before.iter().position(|it| matches!(it.label, Label::NonMover | Label::Right))
        }
        Pattern::NoNonMover => arms.iter().position(yields),
        Pattern::AroundYields => before
            .iter()
            .rposition(|it| yields(it) || matches!(it.label, Label::Right | Label::Both)),
    }
}

/// The first arm that does not fit left movers, one arbitrary arm, right movers.
fn one_transaction(arms: &[ArmLabel]) -> Option<usize> {
    let mut committed = false;
    for (i, arm) in arms.iter().enumerate() {
        match (arm.label, committed) {
            (Label::Private | Label::Yield | Label::Both, _) => {}
            (Label::Left, false) | (Label::Right, true) => {}
            (Label::NonMover | Label::Right, false) => committed = true,
            (Label::Left | Label::NonMover, true) => return Some(i),
        }
    }
    None
}

/// Where a parallel call with yielding procedures stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before,
    Middle,
    After,
}

/// The first arm that does not fit left movers, yielding procedures, right movers.
fn around_yields(arms: &[ArmLabel]) -> Option<usize> {
    let mut part = Part::Before;
    for (i, arm) in arms.iter().enumerate() {
        if arm.invariant {
            continue;
        }
        part = match (part, arm.label) {
            (_, Label::Private) => part,
            (Part::Before, Label::Left | Label::Both) => Part::Before,
            (Part::Before | Part::Middle, Label::Yield) => Part::Middle,
            (Part::Before, Label::Right) => Part::After,
            (Part::Middle | Part::After, Label::Right | Label::Both) => Part::After,
            (_, Label::NonMover) => return Some(i),
            (Part::Middle, Label::Left) | (Part::After, Label::Left | Label::Yield) => {
                return Some(i);
            }
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{ArmLabel, Pattern, broken, partner};
    use crate::fixture::check;
    use crate::yields::Label;

    /// `I` is an invariant of the layer, the other letters are labels of procedures.
    fn arm(letter: char) -> ArmLabel {
        let label = match letter {
            'I' => Some(Label::Yield),
            other => Label::ALL.into_iter().find(|label| label.letter() == other),
        };
        ArmLabel { label: label.unwrap(), invariant: letter == 'I' }
    }

    fn patterns(arms: &str) -> Vec<(usize, Pattern)> {
        broken(&arms.chars().map(arm).collect::<Vec<_>>())
    }

    #[test]
    fn the_guilty_arm_has_a_partner() {
        let partner_of = |arms: &str| {
            let labels: Vec<ArmLabel> = arms.chars().map(arm).collect();
            let found = broken(&labels).into_iter();
            found.map(|(arm, it)| (arm, partner(&labels, arm, it))).collect::<Vec<_>>()
        };
        assert_eq!(partner_of("LNBN"), [(3, Some(1))]);
        assert_eq!(partner_of("INY"), [(1, Some(2))]);
        assert_eq!(partner_of("LYL"), [(2, Some(1))]);
        assert_eq!(partner_of("YBY"), [(2, Some(1))]);
    }

    #[test]
    fn movers_around_at_most_one_non_mover_are_fine() {
        for arms in ["LN", "NR", "LLNRR", "LR", "BLBNBRB", "R", "INI", "PLPR", "RR", "LL"] {
            assert_eq!(patterns(arms), [], "{arms}");
        }
    }

    #[test]
    fn a_second_non_mover_breaks_the_transaction() {
        assert_eq!(patterns("NN"), [(1, Pattern::OneTransaction)]);
        assert_eq!(patterns("NL"), [(1, Pattern::OneTransaction)]);
        assert_eq!(patterns("RN"), [(1, Pattern::OneTransaction)]);
        assert_eq!(patterns("RL"), [(1, Pattern::OneTransaction)]);
        assert_eq!(patterns("LRRBL"), [(4, Pattern::OneTransaction)]);
    }

    #[test]
    fn movers_around_yielding_procedures_are_fine() {
        for arms in ["YY", "LYR", "BYB", "LLYYRR", "IYI", "BY", "YB", "LYIR"] {
            assert_eq!(patterns(arms), [], "{arms}");
        }
    }

    #[test]
    fn a_non_mover_beside_a_yielding_procedure_is_refused() {
        assert_eq!(patterns("NY"), [(0, Pattern::NoNonMover)]);
        assert_eq!(patterns("YN"), [(1, Pattern::NoNonMover)]);
    }

    #[test]
    fn movers_on_the_wrong_side_of_a_yielding_procedure_are_refused() {
        assert_eq!(patterns("YL"), [(1, Pattern::AroundYields)]);
        assert_eq!(patterns("RY"), [(1, Pattern::AroundYields)]);
        assert_eq!(patterns("YBY"), [(2, Pattern::AroundYields)]);
        assert_eq!(patterns("YBL"), [(2, Pattern::AroundYields)]);
    }

    /// Stricter than Boogie, which crashes or accepts these.
    #[test]
    fn parallel_calls_are_made_by_and_of_yield_procedures() {
        check(
            r#"
yield procedure {:layer 1} Q();
pure procedure Lemma();
pure action Ghost() { }
procedure Plain()
{
  call Lemma() | Lemma(); //~ error[parallel-caller]
}
atomic action {:layer 1} A()
{
  call Ghost() | Ghost(); //~ error[parallel-caller]
}
yield procedure {:layer 1} P()
{
  call Q() | Lemma(); //~ error[parallel-callee] "Lemma"
  call Q() | Q();
}
"#,
        );
    }

    #[test]
    fn one_arm_at_most_takes_part_in_the_refinement_of_the_caller() {
        check(
            r#"
var {:layer 0,2} x: int;
atomic action {:layer 2} A() { x := x + 1; }
yield procedure {:layer 1} Q(); refines A;
yield procedure {:layer 1} Get() returns (r: int);
yield procedure {:layer 1} Nothing();
yield procedure {:layer 1} P() refines A;
{
  call Q() | Q(); //~ error[parallel-refined]
}
yield procedure {:layer 1} R() refines A;
{
  call Q() | Nothing();
}
atomic action {:layer 2} B() returns (r: int) { }
yield procedure {:layer 1} S() returns (r: int) refines B;
{
  call Q() | r := Get(); //~ error[parallel-refined]
}
yield procedure {:layer 1} T() returns (r: int) refines B;
{
  var l: int;
  call Q() | l := Get();
}
"#,
        );
    }
}
