//! Words for problems with layers, access, calls, refinement and measures.

use base::{Code, Diagnostic, Place};
use hir::{Layer, LayerRange, Name};

use crate::problem::LayerProblem;
use crate::problem::layers::{
    AccessRule, Difference, Direction, LayerRule, MeasureRule, OldContext, Owner,
    RefinedActionMissing, SignatureMismatch, Variable,
};

/// The diagnostic that tells the user about `problem`.
pub(super) fn render(problem: &LayerProblem) -> Diagnostic {
    use LayerProblem as P;
    match problem {
        P::OutOfLayer { variable, at, needed } => out_of_layer(variable, *at, *needed),
        P::OutsideOld { variable, at, context } => outside_old(variable, *at, *context),
        P::OldInCode { variable, at, needed } => old_in_code(variable, *at, *needed),
        P::IntroducedLate { variable, at, owner, lowest } => {
            introduced_late(variable, *at, owner, *lowest)
        }
        P::WrittenDirectly { variable, at } => written_directly(variable, *at),
        P::ResultLayer { variable, at, within, callee } => {
            result_layer(variable, *at, *within, callee)
        }
        P::ActionLoop { action, at } => action_loop(action, *at),
        P::ActionWithoutBody { action, at } => action_without_body(action, *at),
        P::ActionBodies { action, at, first } => action_bodies(action, *at, *first),
        P::ProcedureBodies { owner, at, first } => procedure_bodies(owner, *at, *first),
        P::PreconditionLayers { action, at, range } => precondition_layers(action, *at, *range),
        P::PreconditionNotGlobal { invariant, at, declared } => {
            precondition_not_global(invariant, *at, *declared)
        }
        P::PreconditionLayer { invariant, at, layer, range } => {
            precondition_layer(invariant, *at, *layer, *range)
        }
        P::RefinedActionMissing(it) => refined_action_missing(it),
        P::ActionCallee { callee, at } => action_callee(callee, *at),
        P::ActionCalleeRange { callee, at, caller, range } => {
            action_callee_range(callee, *at, *caller, *range)
        }
        P::ActionAsync { at } => action_async(*at),
        P::ActionCycle { cycle, at } => action_cycle(cycle, *at),
        P::MoverModifies { variable, at, layer } => mover_modifies(variable, *at, *layer),
        P::PreservesClause { at, only_layer } => preserves_clause(*at, *only_layer),
        P::CalleeLayer { callee, at, callee_layer, caller_layer, rule } => {
            callee_layer_rule((callee, *callee_layer), *at, *caller_layer, *rule)
        }
        P::NotSynchronized { callee, at } => not_synchronized(callee, *at),
        P::CalleeActionMissing { callee, at, layer } => callee_action_missing(callee, *at, *layer),
        P::SyncNotLeft { callee, at, mover } => sync_not_left(callee, *at, mover),
        P::MoverCaller { callee, at } => mover_caller(callee, *at),
        P::MachineAccess { callee, at, layer, rule } => machine_access(callee, *at, *layer, *rule),
        P::PureCallLayer { callee, at } => pure_call_layer(callee, *at),
        P::PureCallIntroduced { variable, at, layer } => {
            pure_call_introduced(variable, *at, *layer)
        }
        P::PureCallHidden { variable, at, layer } => pure_call_hidden(variable, *at, *layer),
        P::Signature(it) => signature(it),
        P::Measure { at, rule } => measure(*at, rule),
        P::ForgedVector { at } => forged_vector(*at),
    }
}

fn forged_vector(at: Place) -> Diagnostic {
    Diagnostic::error(Code::ForgedVector, at, "a `Vec` is built or changed by hand")
        .help("use `Vec_Empty`, `Vec_Append`, `Vec_Update` and their like: other vectors may contradict the library")
}

fn with_lifetime(diagnostic: Diagnostic, variable: &Variable) -> Diagnostic {
    let Variable { name, lifetime, declared } = variable;
    match declared {
        Some(place) => diagnostic.label(*place, format!("`{name}` lives at layers {lifetime}")),
        None => diagnostic,
    }
}

fn out_of_layer(variable: &Variable, at: Place, needed: LayerRange) -> Diagnostic {
    let Variable { name, lifetime, .. } = variable;
    let message = if needed.low() == needed.high() {
        format!("`{name}` does not exist at layer {}", needed.low())
    } else {
        format!("`{name}` does not exist at all layers in {needed}")
    };
    let help = format!(
        "widen the layers of `{name}` to contain {needed}, or move this use into {lifetime}"
    );
    with_lifetime(Diagnostic::error(Code::VarOutOfLayer, at, message), variable).help(help)
}

fn outside_old(variable: &Variable, at: Place, context: OldContext) -> Diagnostic {
    let name = &variable.name;
    let (reason, help) = match context {
        OldContext::Code => (
            "may change under this code at any time",
            "read it through an atomic action".to_owned(),
        ),
        OldContext::Contract => (
            "may change before the contract is used",
            format!("say it in a yield invariant and `call` that, or use `old({name})`"),
        ),
        OldContext::Precondition => (
            "is not fixed when a precondition is used",
            "say it in a global invariant and `requires call` that".to_owned(),
        ),
    };
    let message = format!("global `{name}` {reason}");
    with_lifetime(Diagnostic::error(Code::GlobalOutsideOld, at, message), variable).help(help)
}

fn old_in_code(variable: &Variable, at: Place, needed: Option<LayerRange>) -> Diagnostic {
    let name = &variable.name;
    let message = format!("code may not read global `{name}` inside `old`");
    let run = match needed {
        Some(range) if range.low() == Layer::ZERO => "this code is run at layer 0".to_owned(),
        Some(range) => format!("this code is run at all layers in {range}"),
        None => "this code is run at all layers".to_owned(),
    };
    let help = format!(
        "{run}, where it would be a read at the moment of the call that no action does: read `{name}` \
         by a call before and hand the value on, or keep it in a variable of one layer above 0"
    );
    with_lifetime(Diagnostic::error(Code::OldInCode, at, message), variable).help(help)
}

fn introduced_late(variable: &Variable, at: Place, owner: &Owner, lowest: Layer) -> Diagnostic {
    let name = &variable.name;
    let who = match owner {
        Owner::Action(action) => format!("action `{action}`"),
        Owner::GlobalInvariant(invariant) => format!("global invariant `{invariant}`"),
    };
    let message = format!("`{name}` is introduced too late for {who} at layer {lowest}");
    let help = format!("introduce `{name}` below layer {lowest}, or start {who} at a higher layer");
    with_lifetime(Diagnostic::error(Code::IntroducedLate, at, message), variable).help(help)
}

fn written_directly(variable: &Variable, at: Place) -> Diagnostic {
    let name = &variable.name;
    let message = format!("a yield procedure cannot write the global `{name}` itself");
    let help = "write it in an atomic action and call a procedure that refines the action";
    with_lifetime(Diagnostic::error(Code::GlobalWritten, at, message), variable).help(help)
}

fn result_layer(variable: &Variable, at: Place, within: LayerRange, callee: &Name) -> Diagnostic {
    let Variable { name, lifetime, .. } = variable;
    let message = format!("`{name}` outlives the result of `{callee}` stored in it");
    let help = format!(
        "the result exists at layers {within} only; give `{name}` a `{{:layer}}` within them instead of {lifetime}"
    );
    with_lifetime(Diagnostic::error(Code::ResultLayer, at, message), variable).help(help)
}

fn action_loop(action: &Name, at: Place) -> Diagnostic {
    let message = format!("action `{action}` contains a loop");
    let help = "say what the loop achieves with quantifiers or maps, or make it a mover procedure";
    Diagnostic::error(Code::ActionLoop, at, message).help(help)
}

fn action_bodies(action: &Name, at: Place, first: Place) -> Diagnostic {
    let headline = format!("action `{action}` has a second body");
    Diagnostic::error(Code::ActionBodies, at, headline)
        .label(first, "the first body is here")
        .help("an action is what its one body does; use `if (*)` to choose between two")
}

fn machine_access(callee: &Name, at: Place, layer: Layer, rule: AccessRule) -> Diagnostic {
    let does = match rule {
        AccessRule::Several => "touches globals more than once",
        AccessRule::Old => "reads a global at another moment",
    };
    let message = format!("the call of `{callee}` {does} at layer {layer}");
    let why = match layer {
        Layer::ZERO => "a pure call at layer 0 is one step of the machine",
        _other => "a procedure without body makes this state of the machine at its layer",
    };
    Diagnostic::error(Code::MachineAccess, at, message).help(format!(
        "{why}: read or write one global once, or declare a procedure without body that refines an \
         action, which is listed as taken on faith"
    ))
}

fn procedure_bodies(owner: &Name, at: Place, first: Option<Place>) -> Diagnostic {
    match first {
        Some(first) => {
            let headline = format!("yield procedure `{owner}` has a second body");
            Diagnostic::error(Code::ProcedureBodies, at, headline)
                .label(first, "the first body is here")
                .help("a yield procedure is what its one body does; use `if (*)` to choose between two")
        }
        None => {
            let headline = format!("invariant `{owner}` cannot have a body");
            Diagnostic::error(Code::ProcedureBodies, at, headline)
                .help("an invariant is what its `preserves` clauses say; remove the implementation")
        }
    }
}

fn action_without_body(action: &Name, at: Place) -> Diagnostic {
    let message = format!("action `{action}` has no body");
    let help = "write what the action does between braces; `{ }` does nothing";
    Diagnostic::error(Code::ActionWithoutBody, at, message).help(help)
}

fn precondition_layers(action: &Name, at: Place, range: LayerRange) -> Diagnostic {
    let message = format!("action `{action}` with preconditions spans layers {range}");
    let help = "preconditions are proved at one layer: give the action a single layer";
    Diagnostic::error(Code::ActionPrecondition, at, message).help(help)
}

fn precondition_not_global(invariant: &Name, at: Place, declared: Place) -> Diagnostic {
    let message = format!("`{invariant}` in an action's precondition is not a global invariant");
    Diagnostic::error(Code::ActionPrecondition, at, message)
        .label(declared, "declared with `yield`, so it holds at yields only")
        .help("drop `yield` from its declaration, so that every action must preserve it")
}

fn precondition_layer(invariant: &Name, at: Place, layer: Layer, range: LayerRange) -> Diagnostic {
    let message = format!("`{invariant}` holds at layer {layer}, outside the action's {range}");
    Diagnostic::error(Code::ActionPrecondition, at, message)
        .help("require an invariant of the layer at which the action lives")
}

fn refined_action_missing(it: &RefinedActionMissing) -> Diagnostic {
    let RefinedActionMissing { refiner, action, range, needed, at, .. } = it;
    let message = format!("`{action}`, refined by `{refiner}`, does not exist at layer {needed}");
    let mut diagnostic = Diagnostic::error(Code::RefinedActionMissing, *at, message)
        .help(format!("widen the layers of `{action}` to contain {needed}"));
    if let Some(place) = it.declared {
        diagnostic = diagnostic.label(place, format!("`{action}` lives at layers {range}"));
    }
    match it.reported_at {
        Some(place) => diagnostic.reported_at(place),
        None => diagnostic,
    }
}

fn action_callee(callee: &Name, at: Place) -> Diagnostic {
    let message = format!("an action cannot call `{callee}`, which is no action");
    let help = "actions are made of assignments, assumptions, assertions and calls of actions";
    Diagnostic::error(Code::ActionCallee, at, message).help(help)
}

fn action_callee_range(
    callee: &Name,
    at: Place,
    caller: LayerRange,
    range: LayerRange,
) -> Diagnostic {
    let message = format!("`{callee}` lives at layers {range}, its caller at {caller}");
    let help = format!("widen the layers of `{callee}` to contain {caller}");
    Diagnostic::error(Code::ActionCalleeRange, at, message).help(help)
}

fn action_async(at: Place) -> Diagnostic {
    Diagnostic::error(Code::ActionAsync, at, "an action cannot start a thread")
        .help("make the asynchronous call in a yield procedure")
}

fn action_cycle(cycle: &[Name], at: Place) -> Diagnostic {
    let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("actions call each other in a circle: {}", names.join(", "));
    Diagnostic::error(Code::ActionCycle, at, message)
        .help("an action is one step; break the circle by writing one body out")
}

fn mover_modifies(variable: &Variable, at: Place, layer: Layer) -> Diagnostic {
    let name = &variable.name;
    let message = format!("this mover procedure changes `{name}`, unknown at its layer {layer}");
    let help = format!("widen the layers of `{name}` to contain {layer}");
    with_lifetime(Diagnostic::error(Code::MoverModifies, at, message), variable).help(help)
}

fn preserves_clause(at: Place, only_layer: Option<Layer>) -> Diagnostic {
    let (message, help) = match only_layer {
        Some(layer) => (
            format!("a mover procedure preserves conditions at its own layer {layer} only"),
            "use `preserves call` with a yield invariant for lower layers",
        ),
        None => (
            "a yielding procedure cannot preserve a condition by itself".to_owned(),
            "use `preserves call` with a yield invariant",
        ),
    };
    Diagnostic::error(Code::PreservesClause, at, message).help(help)
}

fn callee_layer_rule(
    (callee, theirs): (&Name, Layer),
    at: Place,
    ours: Layer,
    rule: LayerRule,
) -> Diagnostic {
    let (message, help) = match rule {
        LayerRule::NotAbove => (
            format!("`{callee}` belongs to layer {theirs}, above the caller's layer {ours}"),
            "code can only use what exists at its own layer or below",
        ),
        LayerRule::BelowMover => (
            format!("`{callee}` at layer {theirs} would interrupt this mover procedure"),
            "at its own layer a mover procedure runs without yields; use a lower layer",
        ),
        LayerRule::BelowSync => (
            format!("`{callee}` is still code at layer {ours}, so it cannot be synchronised"),
            "a synchronised callee must disappear below the caller's layer",
        ),
        LayerRule::SameAsMover => (
            format!("mover procedure `{callee}` exists up to layer {theirs}, not at layer {ours}"),
            "call it from procedures of its own layer",
        ),
    };
    Diagnostic::error(Code::CalleeLayer, at, message).help(help)
}

fn not_synchronized(callee: &Name, at: Place) -> Diagnostic {
    let message = format!("the effect of `{callee}` is lost in an unsynchronised async call");
    let help = "add `{:sync}` if the callee is a left mover, or let the callee refine nothing";
    Diagnostic::error(Code::AsyncNotSynchronized, at, message).help(help)
}

fn callee_action_missing(callee: &Name, at: Place, layer: Layer) -> Diagnostic {
    let message = format!("`{callee}` is no action at layer {layer}");
    let help =
        format!("widen the layers of the action it refines, or refine it further, up to {layer}");
    Diagnostic::error(Code::CalleeActionMissing, at, message).help(help)
}

fn sync_not_left(callee: &Name, at: Place, mover: &Name) -> Diagnostic {
    let message = if callee == mover {
        format!("`{callee}` is called asynchronously but is no left mover")
    } else {
        format!("`{callee}` is called asynchronously but `{mover}` is no left mover")
    };
    let help = "a synchronised call happens at once, which only left movers allow";
    Diagnostic::error(Code::SyncNotLeft, at, message).help(help)
}

fn mover_caller(callee: &Name, at: Place) -> Diagnostic {
    let message = format!("a mover procedure cannot call `{callee}`, which yields at this layer");
    let help = "call a mover procedure of this layer, or a procedure of a lower one";
    Diagnostic::error(Code::MoverCaller, at, message).help(help)
}

fn pure_call_layer(callee: &Name, at: Place) -> Diagnostic {
    let message = format!("this call of `{callee}` touches a global at no definite layer");
    let help = "write `call {:layer n} ..` with the one layer at which the call exists";
    Diagnostic::error(Code::PureCallLayer, at, message).help(help)
}

fn pure_call_introduced(variable: &Variable, at: Place, layer: Layer) -> Diagnostic {
    let name = &variable.name;
    let message = format!("`{name}` is not introduced at layer {layer}, where this call writes it");
    let low = variable.lifetime.low();
    let help = format!("ghost code writes a global at the layer that introduces it: {low}");
    with_lifetime(Diagnostic::error(Code::PureCallIntroduced, at, message), variable).help(help)
}

fn pure_call_hidden(variable: &Variable, at: Place, layer: Layer) -> Diagnostic {
    let name = &variable.name;
    let message =
        format!("`{name}` is still visible above layer {layer}, where this call vanishes");
    let help = format!("hide `{name}` at layer {layer}, or make the call at the procedure's layer");
    with_lifetime(Diagnostic::error(Code::PureCallHidden, at, message), variable).help(help)
}

fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "in",
        Direction::Out => "out",
    }
}

fn signature(it: &SignatureMismatch) -> Diagnostic {
    let SignatureMismatch { refiner, action, at, .. } = it;
    let (message, help) = match &it.difference {
        Difference::Count { direction, ours, theirs } => (
            format!(
                "`{refiner}` shows {ours} {}-parameters, its action `{action}` has {theirs}",
                direction_word(*direction)
            ),
            "visible are formals that exist at the procedure's layer and are not `{:hide}`",
        ),
        Difference::Name { direction, ours, theirs } => (
            format!(
                "{}-parameter `{ours}` is named `{theirs}` in action `{action}`",
                direction_word(*direction)
            ),
            "parameters of procedure and action must have the same names, in order",
        ),
        Difference::Type { direction, name, ours, theirs } => (
            format!(
                "{}-parameter `{name}` has type {ours} here and {theirs} in action `{action}`",
                direction_word(*direction)
            ),
            "give both the same type",
        ),
        Difference::Linearity { direction, name } => (
            format!(
                "{}-parameter `{name}` differs in linearity from action `{action}`",
                direction_word(*direction)
            ),
            "write the same of `{:linear}`, `{:linear_in}`, `{:linear_out}` on both",
        ),
    };
    let diagnostic = Diagnostic::error(Code::RefinementSignature, *at, message).help(help);
    match it.declared {
        Some(place) => diagnostic.label(place, format!("action `{action}` is declared here")),
        None => diagnostic,
    }
}

fn measure(at: Place, rule: &MeasureRule) -> Diagnostic {
    let (message, help) = match rule {
        MeasureRule::OnlyMovers { owner } => (
            format!("`{owner}` has a measure but is no mover procedure"),
            "measures show that mover procedures and plain procedures terminate",
        ),
        MeasureRule::Count { caller, callee } => (
            format!("the caller has {caller} measures, this recursive callee {callee}"),
            "give procedures that call each other the same number of measures",
        ),
        MeasureRule::TwicePerLayer { layer } => {
            (format!("a second measure for layer {layer}"), "write one, with several expressions")
        }
        MeasureRule::Twice { .. } => {
            ("a second measure".to_owned(), "write one measure, with several expressions")
        }
        MeasureRule::AfterAssignment => (
            "the measure is taken after an assignment".to_owned(),
            "put the measure first in the loop head",
        ),
        MeasureRule::OutsideLoopHead => {
            ("a measure away from a loop head".to_owned(), "put it between `while` and its body")
        }
    };
    let found = Diagnostic::error(Code::MeasureMisplaced, at, message).help(help);
    match rule {
        MeasureRule::Twice { head: Some(head) } => found.reported_at(*head),
        MeasureRule::Twice { head: None }
        | MeasureRule::OnlyMovers { .. }
        | MeasureRule::Count { .. }
        | MeasureRule::TwicePerLayer { .. }
        | MeasureRule::AfterAssignment
        | MeasureRule::OutsideLoopHead => found,
    }
}
