//! Words for problems with names (language.md 4.2).

use base::Code;

use super::{Words, count, list};
use crate::problem::{AsyncRule, CalleeRule, Fault, HighLayer, TriggerFault};

/// Words for a problem of this family.
pub(crate) fn words(fault: &Fault) -> Option<Words> {
    declarations(fault).or_else(|| uses(fault)).or_else(|| layers(fault)).or_else(|| calls(fault))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn declarations(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::DuplicateGlobal { space, name, first } => {
            let noun = space.noun();
            Words::new(Code::DuplicateName, format!("the {noun} `{name}` is declared twice"))
                .label(*first, format!("`{name}` is declared here first"))
                .help("rename one of the two, or remove it")
        }
        Fault::ExternBody { name, winner } => Words::new(
            Code::ExternBody,
            format!("the body of `{name}` would never be checked"),
        )
        .label(*winner, format!("this `{name}` takes precedence"))
        .help("a declaration with `{:extern}` gives way to another of its name; remove its body, or one of the two"),
        Fault::DuplicateLocal { noun, name, first } => {
            Words::new(Code::DuplicateName, format!("the {noun} `{name}` is declared twice"))
                .label(*first, format!("`{name}` is declared here first"))
                .help("rename one of the two, or remove it")
        }
        Fault::ReservedTypeName { name } => {
            Words::new(Code::ReservedTypeName, format!("`{name}` is the name of a built-in type"))
                .help("bv followed by a number means bit-vectors; choose another name")
        }
        Fault::TypeVariableShadowsType { name, declared } => Words::new(
            Code::TypeVariableShadowsType,
            format!("the type variable `{name}` has the name of a type"),
        )
        .label(*declared, format!("the type `{name}` is declared here"))
        .help("choose another name for the type variable"),
        Fault::SynonymCycle { name, cycle } => Words::new(
            Code::SynonymCycle,
            format!("the type synonym `{name}` is defined in terms of itself"),
        )
        .help(format!("break the cycle among {}", list(cycle))),
        Fault::UnusedTypeVariable { name, owner } => Words::new(
            Code::UnusedTypeVariable,
            format!("the type variable `{name}` occurs in no type of this {owner}"),
        )
        .help("without an argument or result that mentions it, it can never be determined"),
        Fault::IllFoundedDatatype { names } => Words::new(
            Code::IllFoundedDatatype,
            format!("no finite value exists of the datatype{} {}", plural(names), list(names)),
        )
        .help("give it a constructor whose fields do not need a value of the same type"),
        Fault::TooManyUnique { name, ty, values } => Words::new(
            Code::TooManyUnique,
            format!(
                "`{name}` is one unique constant too many: `{ty}` has only {}",
                count(*values, "value")
            ),
        )
        .help("without the word `unique`, constants may have the same value"),
        Fault::ImplementationWithoutProcedure { name } => Words::new(
            Code::ImplementationWithoutProcedure,
            format!("there is no procedure `{name}` to implement"),
        )
        .help("declare the procedure, or correct the name"),
        Fault::PureModifies { noun } => {
            Words::new(Code::PureModifies, format!("a pure {noun} modifies nothing"))
                .help("remove the modifies clause, or the word `pure`")
        }
        Fault::ModifiesWithoutMover => Words::new(
            Code::ModifiesWithoutMover,
            "only a yield procedure with a mover type can have a modifies clause",
        )
        .help("remove the modifies clause; a procedure that yields may see everything change"),
        Fault::MoverRefines => {
            Words::new(Code::MoverRefines, "a mover procedure cannot refine an action")
                .help("remove the refines clause, or the mover type")
        }
        Fault::DuplicateStatementId { id, first } => {
            Words::new(Code::DuplicateStatementId, format!("two statements have the id \"{id}\""))
                .label(*first, "the first one")
                .help("ids must be unique; change one of them")
        }
        _other => return None,
    })
}

fn plural(names: &[base::Name]) -> &'static str {
    if names.len() == 1 { "" } else { "s" }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn uses(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::UndeclaredType { name } => {
            Words::new(Code::UndeclaredType, format!("there is no type `{name}`"))
                .help(format!("declare it: `type {name};`, or correct the name"))
        }
        Fault::TypeArity { name, expected, found, declared } => {
            let takes = count(*expected, "type argument");
            Words::new(Code::TypeArity, format!("`{name}` takes {takes}, but {found} are given"))
                .label(*declared, format!("`{name}` is declared here"))
                .help("put parentheses around an argument that has arguments of its own")
        }
        Fault::UndeclaredIdentifier { name } => Words::new(
            Code::UndeclaredIdentifier,
            format!("there is no variable or constant `{name}` here"),
        )
        .help("declare it, or correct the name; outputs are not visible in preconditions"),
        Fault::UndeclaredFunction { name } => {
            Words::new(Code::UndeclaredFunction, format!("there is no function `{name}`"))
                .help("declare it, or add the library that has it (`-lib:base`, `-lib:node`, ..)")
        }
        Fault::UndeclaredProcedure { name } => {
            Words::new(Code::UndeclaredProcedure, format!("there is no procedure `{name}`"))
                .help("declare it, or correct the name")
        }
        Fault::UndeclaredAction { name, declared } => {
            Words::new(Code::UndeclaredAction, format!("there is no action `{name}` to refine"))
                .label(*declared, format!("this `{name}` is not an action"))
                .help("declare an action of this name, or correct the name")
        }
        Fault::UndeclaredLabel { name } => {
            Words::new(Code::UndeclaredLabel, format!("there is no label `{name}` to go to"))
                .help("put the label before the statement to go to, or correct the name")
        }
        Fault::BreakOutsideLoop { label: None } => {
            Words::new(Code::BreakOutsideLoop, "this break is not inside a loop")
                .help("use `return`, or `break` with the label of an enclosing statement")
        }
        Fault::BreakOutsideLoop { label: Some(label) } => Words::new(
            Code::BreakOutsideLoop,
            format!("no enclosing statement has the label `{label}`"),
        )
        .help("put the label directly before the `if` or `while` to be left"),
        Fault::GlobalNotAllowed { name, declared } => Words::new(
            Code::GlobalNotAllowed,
            format!("the global variable `{name}` cannot be used here"),
        )
        .label(*declared, format!("`{name}` is a global variable"))
        .help("functions, axioms and pure procedures see no state; pass the value as an argument"),
        Fault::OldNotAllowed => {
            Words::new(Code::OldNotAllowed, "`old` has no meaning here: there is only one state")
                .help("`old` works in postconditions and in bodies of procedures")
        }
        Fault::AssignmentArity { targets, values } => Words::new(
            Code::AssignmentArity,
            format!("{} cannot take {}", count(*targets, "target"), count(*values, "value")),
        )
        .help("give one value per target"),
        Fault::AssignedTwice { name, first } => {
            Words::new(Code::AssignedTwice, format!("`{name}` is assigned twice at once"))
                .label(*first, "the first assignment")
                .help("write two statements, or update the map or record in one expression")
        }
        Fault::BadTrigger(fault) => trigger(fault),
        _other => return None,
    })
}

fn trigger(fault: &TriggerFault) -> Words {
    let (message, help) = match fault {
        TriggerFault::Quantifier => ("a trigger cannot contain a quantifier".to_owned(), ""),
        TriggerFault::BooleanOperator => {
            ("a trigger cannot contain a Boolean operator".to_owned(), "")
        }
        TriggerFault::Equality => ("a trigger cannot contain an equality".to_owned(), ""),
        TriggerFault::Comparison => ("a trigger cannot contain a comparison".to_owned(), ""),
        TriggerFault::BareVariable => {
            ("a variable alone cannot be a trigger".to_owned(), "everything would match it; ")
        }
        TriggerFault::Unmentioned(name) => {
            (format!("the trigger does not mention `{name}`"), "no match would determine it; ")
        }
    };
    let help =
        format!("{help}use applications of functions, maps or fields that cover all variables");
    Words::new(Code::BadTrigger, message).help(help)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn layers(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::LayerRangeInvalid => {
            Words::new(Code::LayerRangeInvalid, "a layer range has at most two layers")
                .help("write `{:layer low, high}`")
        }
        Fault::LayerNotLiteral { too_large: false } => {
            Words::new(Code::LayerNotLiteral, "a layer must be written as a number")
                .help("layers are natural numbers, such as `{:layer 1}`")
        }
        Fault::LayerNotLiteral { too_large: true } => {
            Words::new(Code::LayerNotLiteral, "this layer is too large")
                .help("the highest layer is 2147483647")
        }
        Fault::SingleLayerExpected { noun, found } => {
            let found = match found {
                0 => "none".to_owned(),
                found => found.to_string(),
            };
            Words::new(
                Code::SingleLayerExpected,
                format!("a {noun} needs exactly one layer, but has {found}"),
            )
            .help("write `{:layer n}` before the name")
        }
        Fault::LayersExpected { noun } => {
            Words::new(Code::LayersExpected, format!("this {noun} says at no layer that it holds"))
                .help("add the layers at which it is meant: `{:layer n}`")
        }
        Fault::MeasureWithoutLayer => Words::new(
            Code::LayersExpected,
            "a measure in a yield procedure must say at which layers it counts",
        )
        .help("add the layers: `measure {:layer n} ..`"),
        Fault::YieldOutsideProcedure => Words::new(
            Code::YieldOutsideProcedure,
            "only the body of a yield procedure can yield",
        )
        .help("declare a `yield procedure`; sequential code and actions are never interrupted"),
        Fault::LayerTooHigh { what, found, limit } => {
            let what = match what {
                HighLayer::Specification => "this specification",
                HighLayer::Local => "this variable",
                HighLayer::Call => "this call",
            };
            Words::new(
                Code::LayerTooHigh,
                format!("{what} has layer {found}, but its procedure ends at layer {limit}"),
            )
            .help(format!("use layers up to {limit}"))
        }
        Fault::CallLayers => {
            Words::new(Code::LayerRangeInvalid, "a call has at most two layers: from and to")
                .help("write `call {:layer low, high} ..` or `call {:layer n} ..`")
        }
        Fault::LayerOutsideAction { range } => Words::new(
            Code::LayerOutsideAction,
            format!("this precondition has layers outside {range}, where its action lives"),
        )
        .help("use layers of the action only"),
        _other => return None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn calls(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::CallArity { callee, results, expected, found, declared } => {
            let (verb, noun) = if *results { ("returns", "result") } else { ("takes", "argument") };
            let expected = count(*expected, noun);
            Words::new(
                Code::CallArity,
                format!("`{callee}` {verb} {expected}, but {found} are given"),
            )
            .label(*declared, format!("`{callee}` is declared here"))
            .help(format!("give as many {noun}s as the declaration has"))
        }
        Fault::CallResultTwice { name } => {
            Words::new(Code::CallResultTwice, format!("two results are stored in `{name}`"))
                .help("use a different variable for each result")
        }
        Fault::ParallelResultTwice { name, first } => {
            Words::new(Code::ParallelResultTwice, format!("two arms of this call assign `{name}`"))
                .label(*first, "the first assignment")
                .help("arms run at the same time; use a different variable for each result")
        }
        Fault::ParallelResultRead { name, written } => Words::new(
            Code::ParallelResultRead,
            format!("one arm assigns `{name}` while another arm reads it"),
        )
        .label(*written, "assigned here")
        .help("arms run at the same time; copy the value before the call"),
        Fault::AsyncResults { callee, declared } => Words::new(
            Code::AsyncResults,
            format!("`{callee}` has results, so it cannot be called asynchronously"),
        )
        .label(*declared, format!("`{callee}` is declared here"))
        .help("nobody waits for the results; call it synchronously, or drop the results"),
        Fault::InvariantExpected { callee, declared } => {
            Words::new(Code::InvariantExpected, format!("`{callee}` is not an invariant"))
                .label(*declared, format!("`{callee}` is declared here"))
                .help("specifications can call yield invariants only")
        }
        Fault::CalleeKind { rule, callee, declared } => {
            let (message, help) = match rule {
                CalleeRule::ProcedureCallsProcedure => (
                    format!("a procedure cannot call `{callee}`, which is not a procedure"),
                    "plain and pure procedures call procedures only",
                ),
                CalleeRule::PureCallsPure => (
                    format!("pure code cannot call `{callee}`, which is not pure"),
                    "declare the callee pure, or the caller not pure",
                ),
                CalleeRule::YieldProcedureCalls => (
                    format!("a yield procedure cannot call `{callee}`"),
                    "yield procedures call yield procedures, invariants and pure code; wrap the \
                     action in a yield procedure that refines it",
                ),
            };
            Words::new(Code::CalleeKind, message)
                .label(*declared, format!("`{callee}` is declared here"))
                .help(help)
        }
        Fault::AsyncTarget { rule, callee, declared } => {
            let message = match rule {
                AsyncRule::TargetAction => "an action can call only actions asynchronously",
                AsyncRule::TargetYieldProcedure => {
                    "a yield procedure can call only yield procedures asynchronously"
                }
                AsyncRule::Caller => "only yield procedures can call asynchronously",
            };
            Words::new(Code::AsyncTarget, message)
                .label(*declared, format!("`{callee}` is declared here"))
                .help("remove `async`, or make caller and callee yield procedures")
        }
        _other => return None,
    })
}
