//! Words for problems of yield sufficiency, loops and parallel calls (language.md 9.7, 9.8, 11).

use base::{Code, Diagnostic, Name, Place};
use hir::{Layer, Mover};

use crate::par_calls::Pattern;
use crate::problem::{Blocking, StepFacts, YieldProblem};
use crate::yields::Label;

pub(super) fn render(problem: &YieldProblem) -> Diagnostic {
    use YieldProblem as P;
    match problem {
        P::NotAtomic { layers, procedure, stuck, closed } => {
            not_atomic((layers, *procedure), stuck, closed.as_ref())
        }
        P::MoverDeclaration { layer, mover, procedure, stuck, closed, end } => {
            let steps = (stuck.as_ref(), closed.as_ref());
            mover_declaration((*layer, *mover), (*procedure, *end), steps)
        }
        P::MoverYields { layer, at, procedure } => mover_yields(*layer, *at, *procedure),
        P::MoverEndless { at, procedure, mover } => mover_endless(*at, *procedure, *mover),
        P::MoverTermination { at, recursive, mover } => {
            mover_termination(*at, recursive.as_ref(), *mover)
        }
        P::CommittedBlocks { layers, at, what, hopeless } => {
            committed_blocks(layers, *at, (what, *hopeless))
        }
        P::GhostBlocks { at, what, hopeless } => ghost_blocks(*at, (what, *hopeless)),
        P::AsyncOverwritten { layers, procedure, modifies, started } => {
            async_overwritten((layers, *procedure), modifies, started.as_ref())
        }
        P::LoopMustYield { layers, at, inside } => loop_must_yield(layers, *at, *inside),
        P::ParallelPattern { layers, at, guilty, other, pattern } => {
            let found = parallel_pattern(layers, guilty, *pattern).reported_at(*at);
            match other {
                Some(other) => {
                    found.label(other.at, format!("beside this {}", other.label.words()))
                }
                None => found,
            }
        }
        P::YieldsCondition { at, at_head } => yields_condition(*at, *at_head),
        P::LoopLayers { at, annotated } => loop_layers(*at, *annotated),
        P::LoopTooHigh { at, annotated, layer, top } => {
            loop_too_high((*at, *annotated), *layer, *top)
        }
        P::LoopYieldMissing { at, call } => loop_yield_missing(*at, *call),
        P::LoopInvariantLayer { at, head, invariant, layer, highest } => {
            loop_invariant_layer((*at, *head), invariant, (*layer, *highest))
        }
        P::LoopInvariantGlobal { at, head, used, name, layer } => {
            loop_invariant_global((*at, *head, *used), name, *layer)
        }
        P::ParallelCaller { at, caller } => parallel_caller(*at, caller),
        P::ParallelCallee { at, callee } => parallel_callee(*at, callee),
        P::ParallelRefined { at, first, second } => parallel_refined(*at, first, second),
    }
}

const ORDER: &str = "between two yields only this order is allowed: right movers, at most one \
                     non-mover, left movers; put a yield in between, for instance a call of a yield invariant";

/// `layer 1` or `layers 1, 2`.
fn at_layers(layers: &[Layer]) -> String {
    let numbers: Vec<String> = layers.iter().map(Layer::to_string).collect();
    let noun = if numbers.len() == 1 { "layer" } else { "layers" };
    format!("{noun} {}", numbers.join(", "))
}

fn not_atomic(
    (layers, procedure): (&[Layer], Place),
    stuck: &StepFacts,
    closed: Option<&StepFacts>,
) -> Diagnostic {
    let same = closed.is_some_and(|it| it.at == stuck.at);
    let (what, at) = (stuck.label.words(), at_layers(layers));
    let headline = match closed {
        Some(closed) if closed.label == Label::NonMover && stuck.label == Label::NonMover => {
            format!("a second {what} in one transaction at {at}")
        }
        Some(closed) => format!("a {what} after a {} at {at}", closed.label.words()),
        None => format!("a {what} does not fit here at {at}"),
    };
    let mut found = Diagnostic::error(Code::YieldSufficiency, stuck.at, headline);
    if let Some(closed) = closed {
        let again = if same { ", in an earlier round of the loop" } else { "" };
        let words = closed.label.words();
        found = found.label(
            closed.at,
            format!("`{}`, a {words}, has committed the transaction{again}", closed.callee),
        );
    }
    found.help(ORDER).reported_at(procedure)
}

fn mover_declaration(
    (layer, mover): (Layer, Mover),
    (procedure, end): (Place, Place),
    (stuck, closed): (Option<&StepFacts>, Option<&StepFacts>),
) -> Diagnostic {
    let headline = |step: &StepFacts| {
        let what = step.label.words();
        match stuck {
            Some(_) => {
                format!("this {what} does not fit into a {mover} procedure at layer {layer}")
            }
            None => format!("a {mover} procedure cannot contain a {what} at layer {layer}"),
        }
    };
    let guilty = stuck.or(closed);
    let mut found = match guilty {
        Some(step) => Diagnostic::error(Code::MoverDeclaration, step.at, headline(step)),
        None => {
            let headline = format!("the code is not a {mover} procedure at layer {layer}");
            Diagnostic::error(Code::MoverDeclaration, procedure, headline)
        }
    };
    if let (Some(_), Some(closed)) = (stuck, closed) {
        let words = closed.label.words();
        found = found.label(closed.at, format!("after this {words} only left movers may follow"));
    }
    if stuck.is_none() {
        found = found.label(end, "the procedure returns here after its commit point");
    }
    let help = match mover {
        Mover::Atomic => {
            "an atomic procedure is one transaction: right movers, at most one non-mover, left movers"
        }
        Mover::Right => "a right procedure consists of right movers and both movers only",
        Mover::Left => "a left procedure consists of left movers and both movers only",
        Mover::Both => "a both procedure consists of both movers only",
    };
    found.help(help).reported_at(procedure)
}

fn mover_yields(layer: Layer, at: Place, procedure: Place) -> Diagnostic {
    let headline = format!("a mover procedure cannot yield at its own layer {layer}");
    Diagnostic::error(Code::MoverYields, at, headline)
        .help("at its own layer a mover procedure runs without interruption; drop the mover type, or yield at lower layers only")
        .reported_at(procedure)
}

fn mover_endless(at: Place, procedure: Place, mover: Mover) -> Diagnostic {
    let headline = format!("a {mover} procedure must end, but this one never does");
    Diagnostic::error(Code::MoverEndless, at, headline)
        .label(procedure, "no way through the procedure reaches its end")
        .help("what other threads do meanwhile would be proved of no execution at all")
}

fn mover_termination(at: Place, recursive: Option<&Name>, mover: Mover) -> Diagnostic {
    let headline = match recursive {
        Some(callee) => format!("nothing shows that this recursion through `{callee}` ends"),
        None => "nothing shows that this loop ends".to_owned(),
    };
    Diagnostic::warning(Code::MoverTermination, at, headline)
        .help(format!("a {mover} procedure must end: add a `measure` for its layer"))
}

/// What does not go on, or is not known to.
fn endless((what, hopeless): (&Blocking, bool)) -> String {
    match (what, hopeless) {
        (Blocking::Assume, false) => "nothing shows that this assumption holds".to_owned(),
        (Blocking::Assume, true) => "this assumption never holds".to_owned(),
        (Blocking::Loop, false) => "nothing shows that this loop ends".to_owned(),
        (Blocking::Loop, true) => "this loop never ends".to_owned(),
        (Blocking::Recursion(callee), false) => {
            format!("nothing shows that this recursion through `{callee}` ends")
        }
        (Blocking::Recursion(callee), true) => {
            format!("this recursion through `{callee}` never ends")
        }
    }
}

/// An error if it is hopeless, else a warning.
fn blocks(code: Code, at: Place, headline: String, hopeless: bool) -> Diagnostic {
    match hopeless {
        true => Diagnostic::error(code, at, headline),
        false => Diagnostic::warning(code, at, headline),
    }
}

fn committed_blocks(layers: &[Layer], at: Place, found: (&Blocking, bool)) -> Diagnostic {
    let headline = format!("{}, after a commit at {}", endless(found), at_layers(layers));
    let help = match found.0 {
        Blocking::Assume => {
            "others see what was done even if the thread stops here; assert it, or assume it \
             before the commit"
        }
        Blocking::Loop | Blocking::Recursion(_) => {
            "others see what was done even if the thread never yields again; add a `measure` \
             for the layer"
        }
    };
    blocks(Code::CommittedBlocks, at, headline, found.1).help(help)
}

fn ghost_blocks(at: Place, found: (&Blocking, bool)) -> Diagnostic {
    let headline = format!("{}, in a pure procedure", endless(found));
    let help = match found.0 {
        Blocking::Assume => {
            "what a pure procedure ensures is relied on by code that runs: prove it"
        }
        Blocking::Loop | Blocking::Recursion(_) => {
            "what a pure procedure ensures is relied on by code that runs: add a `measure`"
        }
    };
    blocks(Code::GhostBlocks, at, headline, found.1).help(help)
}

fn async_overwritten(
    (layers, procedure): (&[Layer], Place),
    modifies: &StepFacts,
    started: Option<&StepFacts>,
) -> Diagnostic {
    let at = at_layers(layers);
    let headline =
        format!("`{}` changes globals before a started thread runs, at {at}", modifies.callee);
    let mut found = Diagnostic::error(Code::AsyncSufficiency, modifies.at, headline);
    if let Some(started) = started {
        let text = format!("`{}` relies on a yield invariant, shown here", started.callee);
        found = found.label(started.at, text);
    }
    found
        .help("yield before the change, or make the change before the asynchronous call")
        .reported_at(procedure)
}

fn loop_must_yield(layers: &[Layer], at: Place, inside: Place) -> Diagnostic {
    let layers = at_layers(layers);
    let headline = format!("this loop yields inside, so it must be a yielding loop at {layers}");
    Diagnostic::error(Code::LoopMustYield, at, headline)
        .label(inside, "the yield is here")
        .help("add `invariant {:yields} true;`, with `{:layer n}` for the highest yielding layer if needed")
}

fn parallel_pattern(layers: &[Layer], guilty: &StepFacts, pattern: Pattern) -> Diagnostic {
    let (callee, what, layers) = (&guilty.callee, guilty.label.words(), at_layers(layers));
    let (code, headline, help) = match pattern {
        Pattern::OneTransaction => (
            Code::ParallelMovers,
            format!(
                "`{callee}`, a {what}, cannot stand at this place of the parallel call at {layers}"
            ),
            "allowed are left movers, then at most one non-mover, then right movers",
        ),
        Pattern::NoNonMover => (
            Code::ParallelYieldAndAtomic,
            format!(
                "`{callee}`, a {what}, cannot run in parallel with a yielding procedure at {layers}"
            ),
            "call the non-mover apart, separated by a yield",
        ),
        Pattern::AroundYields => (
            Code::ParallelYieldOrder,
            format!("`{callee}`, a {what}, stands on the wrong side of a yielding arm at {layers}"),
            "allowed are left movers, then yielding procedures, then right movers",
        ),
    };
    Diagnostic::error(code, guilty.at, headline).help(help)
}

fn yields_condition(at: Place, at_head: bool) -> Diagnostic {
    let (headline, help) = if at_head {
        (
            "the condition of a `{:yields}` annotation is never checked",
            "write `invariant {:yields} true;` and the condition as an invariant of its own, with its layers",
        )
    } else {
        (
            "this assertion is never checked: it has `{:yields}` and no layers",
            "`{:yields}` marks the head of a loop; write `assert {:layer n}` with the layers at which the condition holds",
        )
    };
    Diagnostic::error(Code::YieldsCondition, at, headline).help(help)
}

fn loop_layers(at: Place, annotated: Place) -> Diagnostic {
    Diagnostic::error(Code::LoopYieldLayers, annotated, "several layers for the yields of a loop")
        .help("give one layer: the highest at which the loop yields")
        .reported_at(at)
}

fn loop_too_high((at, annotated): (Place, Place), layer: Layer, top: Layer) -> Diagnostic {
    let headline = format!("this loop cannot yield at layer {layer}");
    Diagnostic::error(Code::LoopYieldTooHigh, annotated, headline)
        .help(format!("its procedure is code up to layer {top} only"))
        .reported_at(at)
}

fn loop_yield_missing(at: Place, call: Place) -> Diagnostic {
    Diagnostic::error(Code::LoopYieldMissing, at, "this loop must be declared to yield")
        .label(call, "a yield invariant is called here")
        .help("add `invariant {:yields} true;`")
}

fn loop_invariant_layer(
    (at, head): (Place, Place),
    invariant: &Name,
    (layer, highest): (Layer, Option<Layer>),
) -> Diagnostic {
    let headline = format!("the loop must yield at layer {layer} of `{invariant}`");
    let now = match highest {
        Some(highest) => format!("it yields up to layer {highest}"),
        None => "it does not yield".to_owned(),
    };
    let help = match highest {
        Some(highest) => format!(
            "let it yield up to layer {layer}, or use an invariant of layer {highest} or below"
        ),
        None => format!("let it yield: `invariant {{:yields}} {{:layer {layer}}} true;`"),
    };
    Diagnostic::error(Code::LoopInvariantLayer, at, headline).label(head, now).help(help)
}

fn loop_invariant_global(
    (at, head, used): (Place, Place, Place),
    name: &Name,
    layer: Layer,
) -> Diagnostic {
    let headline = format!("this invariant may not mention global `{name}`");
    Diagnostic::error(Code::LoopInvariantGlobal, at, headline)
        .label(used, "others may change it at the loop's yield")
        .label(head, format!("the loop yields at layer {layer}"))
        .help("say it with a yield invariant, called at the loop head")
}

fn parallel_caller(at: Place, caller: &Name) -> Diagnostic {
    let headline = format!("`{caller}` cannot make a parallel call");
    Diagnostic::error(Code::ParallelCaller, at, headline)
        .help("only yield procedures make parallel calls")
}

fn parallel_callee(at: Place, callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` cannot be an arm of a parallel call");
    Diagnostic::error(Code::ParallelCallee, at, headline)
        .help("arms are yield procedures and yield invariants")
}

fn parallel_refined(at: Place, first: &Name, second: &Name) -> Diagnostic {
    let headline =
        format!("`{first}` and `{second}` both take part in the refinement of the caller");
    Diagnostic::error(Code::ParallelRefined, at, headline)
        .help("at the caller's own layer, at most one arm may refine an action or set a result of the caller")
}
