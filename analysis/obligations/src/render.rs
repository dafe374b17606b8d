//! Words for failed assertions.
//!
//! **In:** what an assertion claims. **Out:** a diagnostic at its place; words for moments of its runs.

use base::{Code, Diagnostic, Name};

use crate::claim::{Claim, Named, Need, RefinementRule};
use crate::unit::{AssertInfo, Moment, Skip, Unsupported};

/// The complaint about an assertion that was refuted, or could not be proved.
pub fn failure(info: &AssertInfo) -> Diagnostic {
    let message = match &info.message {
        Some(message) => message.to_string(),
        None => headline(&info.claim),
    };
    let mut diagnostic = Diagnostic::error(info.claim.code(), info.place, message);
    for (place, words) in &info.related {
        diagnostic = diagnostic.label(*place, words.clone());
    }
    if let Claim::Commutativity { first, second }
    | Claim::GatePreservation { first, second }
    | Claim::FailurePreservation { first, second } = &info.claim
    {
        for Named { name, place } in [first, second] {
            if *place != info.place && !info.related.iter().any(|(other, _)| other == place) {
                diagnostic = diagnostic.label(*place, format!("`{name}` is declared here"));
            }
        }
    }
    if let Some(place) = info.reported_at {
        diagnostic = diagnostic.reported_at(place);
    }
    match help(&info.claim) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The complaint about something that cannot be decided.
pub fn unsupported(problem: &Unsupported) -> Diagnostic {
    let message = format!("not supported: {}", problem.what);
    Diagnostic::error(Code::Unsupported, problem.place, message)
}

/// Why a unit need not be proved.
pub fn skip(why: Skip) -> &'static str {
    match why {
        Skip::Disjoint => "disjoint variables",
        Skip::Same => "the same action without parameters",
        Skip::NeverBlocks => "no assumption in the body",
    }
}

/// When a state of a run is shown.
pub fn moment(moment: &Moment) -> String {
    match moment {
        Moment::Entry => "at entry".to_owned(),
        Moment::Before => "before".to_owned(),
        Moment::AfterAction(name) => format!("after {}", Name::readable(name.as_str())),
        Moment::Here => "here".to_owned(),
        Moment::LoopHead => "at the loop head".to_owned(),
        Moment::BeforeAssertion => "before the assertion".to_owned(),
        Moment::AfterCall(callees) => {
            let names: Vec<String> = callees.iter().map(|name| format!("`{name}`")).collect();
            format!("after the call of {}", names.join(", "))
        }
        Moment::BeforeOthers => "before other threads run".to_owned(),
        Moment::AfterOthers => "after other threads ran".to_owned(),
        Moment::Return => "at the return".to_owned(),
        Moment::End => "at the end".to_owned(),
    }
}

/// What is wrong, in one line.
pub fn headline(claim: &Claim) -> String {
    match claim {
        Claim::Assertion => "this assertion may fail".to_owned(),
        Claim::Sufficiency { action } => {
            format!("the `asserts` clauses of `{action}` do not imply this assertion")
        }
        Claim::Yield => "the condition of this yield may not hold here".to_owned(),
        Claim::Precondition { callee } => {
            format!("a precondition of `{callee}` may not hold at this call")
        }
        Claim::Postcondition { procedure } => {
            format!("a postcondition of `{procedure}` may not hold at this return")
        }
        Claim::LoopEntry => "this loop invariant may not hold when the loop is entered".to_owned(),
        Claim::LoopMaintained => "this loop invariant may not hold after a round".to_owned(),
        Claim::Gate { action } => format!("an assertion of `{action}` may fail at this call"),
        Claim::RefinedGate { action, refined } => {
            format!("the gate of `{refined}` does not imply this assertion of `{action}`")
        }
        Claim::ActionPrecondition { action } => {
            format!("this precondition of `{action}` may not hold at its call")
        }
        Claim::Noninterference { invariant, by } => {
            format!("`{by}` may break this clause of `{invariant}`")
        }
        Claim::Refinement { rule, procedure, action, layer } => {
            let action = match action {
                Some(action) => format!("`{action}`"),
                None => "the refined action".to_owned(),
            };
            refinement(*rule, procedure.as_str(), &action, layer.0)
        }
        Claim::Commutativity { first, second } => {
            format!(
                "`{}` then `{}` may not be possible in the other order",
                first.name, second.name
            )
        }
        Claim::GatePreservation { first, second } => {
            format!("`{}` may break this assertion of `{}`", second.name, first.name)
        }
        Claim::FailurePreservation { first, second } => {
            format!("`{}` may hide a failure of this assertion of `{}`", second.name, first.name)
        }
        Claim::Nonblocking { action } => format!("the left mover `{action}` may block"),
        Claim::ActionRefinement { action, refined } => {
            format!("`{action}` may do what `{refined}` cannot")
        }
        Claim::MeasureDecreases { callee: None } => {
            "this measure may not decrease in a round of the loop".to_owned()
        }
        Claim::MeasureDecreases { callee: Some(callee) } => {
            format!("the measure of `{callee}` may not decrease at this recursive call")
        }
        Claim::MeasureNonNegative { callee: None } => "this measure may be negative".to_owned(),
        Claim::MeasureNonNegative { callee: Some(callee) } => {
            format!("the measure of `{callee}` may be negative at this call")
        }
        Claim::Permission(need) => needed(*need).to_owned(),
        Claim::Unpack { ctor } => format!("the value may not be built by `{ctor}`"),
    }
}

fn refinement(rule: RefinementRule, procedure: &str, action: &str, layer: u32) -> String {
    match rule {
        RefinementRule::FirstChange => {
            format!("`{procedure}` may change layer-{layer} state unlike {action}")
        }
        RefinementRule::SecondChange => {
            format!("`{procedure}` may change layer-{layer} state a second time")
        }
        RefinementRule::NoMatch => format!("`{procedure}` may end without having done {action}"),
        RefinementRule::LoopGlobals => {
            format!("`{procedure}` may change layer-{layer} globals inside a yielding loop")
        }
        RefinementRule::LoopOutputs => {
            format!("`{procedure}` may change its results inside a yielding loop")
        }
    }
}

fn needed(need: Need) -> &'static str {
    match need {
        Need::Move => "the two arguments of `Move` may differ",
        Need::OneGet => "the permission may not be in the set",
        Need::MapGet => "the key may not be in the map",
        Need::MapSplit => "not all of the keys may be in the map",
        Need::MapLookup => "the key on this path may not be in the map",
        Need::FieldLookup => "the value on this path may not have this field",
    }
}

fn help(claim: &Claim) -> Option<&'static str> {
    match claim {
        Claim::LoopMaintained | Claim::LoopEntry => {
            Some("only what the invariants say is known about variables that the loop assigns")
        }
        Claim::Nonblocking { .. } => {
            Some("a left mover must be able to run to its end from every state its gate allows")
        }
        Claim::Commutativity { .. } => {
            Some("strengthen the gates so that the two never meet, or weaken the mover type")
        }
        Claim::Noninterference { .. } => {
            Some("strengthen the invariant, or protect what it mentions with linear permissions")
        }
        Claim::Assertion
        | Claim::Yield
        | Claim::Sufficiency { .. }
        | Claim::Precondition { .. }
        | Claim::Postcondition { .. }
        | Claim::Gate { .. }
        | Claim::RefinedGate { .. }
        | Claim::ActionPrecondition { .. }
        | Claim::Refinement { .. }
        | Claim::GatePreservation { .. }
        | Claim::FailurePreservation { .. }
        | Claim::ActionRefinement { .. }
        | Claim::MeasureDecreases { .. }
        | Claim::MeasureNonNegative { .. }
        | Claim::Permission(_)
        | Claim::Unpack { .. } => None,
    }
}
