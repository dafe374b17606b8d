//! Words for problems of linear types and availability (language.md 10).

use base::{Code, Diagnostic, Name, Place};
use hir::{Layer, Ty};

use crate::problem::{GlobalPoint, LinearProblem, Unavailable, UnavailableWhy};

pub(super) fn render(problem: &LinearProblem) -> Diagnostic {
    use LinearProblem as P;
    match problem {
        P::OneOfLinear { place, of, library } => one_of_linear(*place, of, *library),
        P::MapKeyLinear { place, key, library } => map_key_linear(*place, key, *library),
        P::Kind { place, name } => kind(*place, name),
        P::InvariantKind { place, name } => invariant_kind(*place, name),
        P::AssignInside { place, ty } => assign_inside(*place, ty),
        P::AssignLackingField { place, name, field, ctor, linear } => {
            assign_lacking_field((*place, name), (field, *linear), ctor)
        }
        P::SourceTwice { place, name } => source_twice(*place, name),
        P::PackArgument { place, field } => pack_argument(*place, field),
        P::UnpackSource { place } => unpack_source(*place),
        P::Argument { place, arg, param, callee } => argument((*place, *arg), param, callee),
        P::Path { place, arg, callee } => path((*place, *arg), callee),
        P::GlobalArgument { place, name, callee } => global_argument(*place, name, callee),
        P::ArgumentTwice { place, twice, name, callee } => {
            argument_twice((*place, *twice), name, callee)
        }
        P::GlobalLost { place, name, callee } => global_lost(*place, name, callee),
        P::StoreAllValues { place, arg } => store_all_values(*place, *arg),
        P::PathNotOrdinary { place, arg, ty, callee } => {
            path_not_ordinary((*place, *arg), ty, callee)
        }
        P::MoveArgument { place, arg } => move_argument(*place, *arg),
        P::PrimitiveInput { place, name, callee, decl } => {
            primitive_input((*place, *decl), name, callee)
        }
        P::PrimitiveResult { place, name, callee } => primitive_result(*place, name, callee),
        P::PrimitiveModifies { place, name, owner } => primitive_modifies(*place, name, owner),
        P::ParallelPrimitive { place, arm, callee } => parallel_primitive((*place, *arm), callee),
        P::ParallelTwice { place, twice, name } => parallel_twice((*place, *twice), name),
        P::ParallelShared { place, name } => parallel_shared(*place, name),
        P::Unavailable(it) => unavailable(it),
        P::GlobalUnavailable { place, name, point, decl } => {
            global_unavailable((*place, *decl), name, *point)
        }
        P::ParameterUnavailable { place, name, output, decl } => {
            parameter_unavailable((*place, *decl), name, *output)
        }
        P::Lost { problem, name, at } => at.iter().fold(render(problem), |found, place| {
            found.label(*place, format!("here the permissions of `{name}` go away"))
        }),
        P::AtLayer { problem, layer } => at_layer(render(problem), *layer),
        P::GhostPermission { place, arg, name, callee, layer, taken, global } => {
            ghost_permission((*place, *arg), (name, callee, *layer), (*taken, global))
        }
    }
}

/// A problem of the flow at one layer.
fn at_layer(mut found: Diagnostic, layer: Layer) -> Diagnostic {
    found.message = format!("{} at layer {layer}", found.message);
    found.help(format!(
        "a call moves permissions only at the layers at which it and its parameters exist; \
         receive the permission at layer {layer} too, or declare the variable for the other layers"
    ))
}

fn at_library(diagnostic: Diagnostic, library: Option<Place>) -> Diagnostic {
    match library {
        Some(place) => diagnostic.reported_at(place),
        None => diagnostic,
    }
}

fn one_of_linear(place: Place, of: &Ty, library: Option<Place>) -> Diagnostic {
    let headline = format!("`One` cannot be applied to `{of}`, which holds permissions itself");
    let found = Diagnostic::error(Code::OneOfLinear, place, headline)
        .help("name the permission by a value without permissions, such as a number or a `Loc`");
    at_library(found, library)
}

fn map_key_linear(place: Place, key: &Ty, library: Option<Place>) -> Diagnostic {
    let headline = format!("`{key}` cannot be the key of a `Map`: it holds permissions");
    let found = Diagnostic::error(Code::MapKeyLinear, place, headline)
        .help("use a key of type `One _` or of a type without permissions");
    at_library(found, library)
}

fn kind(place: Place, name: &Name) -> Diagnostic {
    let headline = format!("`{name}` must be declared `{{:linear}}`");
    Diagnostic::error(Code::LinearKind, place, headline)
        .help("`linear_in` and `linear_out` are for in-parameters only")
}

fn invariant_kind(place: Place, name: &Name) -> Diagnostic {
    let headline = format!("parameter `{name}` of an invariant may only be `{{:linear}}`");
    Diagnostic::error(Code::InvariantLinearKind, place, headline)
        .help("an invariant looks at permissions; it neither takes nor returns them")
}

fn assign_inside(place: Place, ty: &Ty) -> Diagnostic {
    let headline = format!("the inside of a `{ty}` cannot be assigned");
    Diagnostic::error(Code::AssignInsideLinear, place, headline)
        .help("use a primitive such as `One_Put`, `Map_Put` or `Path_Store`")
}

fn assign_lacking_field(
    (place, name): (Place, &Name),
    (field, linear): (&Name, bool),
    ctor: &Name,
) -> Diagnostic {
    let headline = format!("`{name}` may have no field `{field}`: `{ctor}` has none");
    let help = if linear {
        format!(
            "a value built by `{ctor}` would get permissions from nowhere; take `{name}` apart and build it anew"
        )
    } else {
        format!(
            "a value built by `{ctor}` would get permissions from nowhere; use `call Path_Store`, where the constructor is proved"
        )
    };
    Diagnostic::error(Code::AssignLackingField, place, headline).help(help)
}

fn source_twice(place: Place, name: &Name) -> Diagnostic {
    let headline = format!("the permissions of `{name}` are taken twice in one assignment");
    Diagnostic::error(Code::LinearSourceTwice, place, headline)
        .help("each linear variable can be the source of one target only")
}

fn pack_argument(place: Place, field: &Name) -> Diagnostic {
    let headline = format!("linear field `{field}` must be given a variable");
    Diagnostic::error(Code::PackArgument, place, headline)
        .help("store the value in a local variable first")
}

fn unpack_source(place: Place) -> Diagnostic {
    Diagnostic::error(Code::UnpackSource, place, "only a variable can be taken apart here")
        .help("the value holds permissions: store it in a local variable first")
}

fn argument((place, arg): (Place, Place), param: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("only a variable can be passed to linear parameter `{param}`");
    Diagnostic::error(Code::LinearArgument, arg, headline)
        .label(place, format!("in this call of `{callee}`"))
        .help("pass a variable that holds the permissions; a formula would make new ones")
        .reported_at(place)
}

fn path((place, arg): (Place, Place), callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` needs a variable or a path into one here");
    Diagnostic::error(Code::LinearPath, arg, headline)
        .help("a path is a variable followed by `[i]` and `->f`, not through the inside of a `One` or `->dom` of a `Map`; one that leads to permissions goes through `->val[k]` of a `Map`, not through a map `[K]V`, which holds none")
        .reported_at(place)
}

fn global_argument(place: Place, name: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("global `{name}` cannot be passed to a linear parameter of `{callee}`");
    Diagnostic::error(Code::LinearGlobalArgument, place, headline)
        .help("only pure callees may be given the permissions of a global variable")
}

fn argument_twice((place, twice): (Place, [Place; 2]), name: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` is given the permissions of `{name}` twice");
    let [first, second] = twice;
    Diagnostic::error(Code::LinearArgumentTwice, second, headline)
        .label(first, format!("`{name}` is given here already"))
        .help("pass another permission: the callee may rely on theirs being different")
        .reported_at(place)
}

fn global_lost(place: Place, name: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("global `{name}` is given away and not received back");
    Diagnostic::error(Code::LinearGlobalLost, place, headline)
        .help(format!("store a result of `{callee}` in `{name}`"))
}

fn store_all_values(place: Place, arg: Place) -> Diagnostic {
    Diagnostic::error(Code::LinearPath, arg, "the values of a `Map` cannot be stored all at once")
        .help("store the value of one key: `m->val[k]`")
        .reported_at(place)
}

fn path_not_ordinary((place, arg): (Place, Place), ty: &Ty, callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` cannot copy a `{ty}`, which holds permissions");
    Diagnostic::error(Code::PathNotOrdinary, arg, headline)
        .help("go on to a part without permissions, or take the value out with `Map_Get` and put it back with `Map_Put`")
        .reported_at(place)
}

fn move_argument(place: Place, arg: Place) -> Diagnostic {
    Diagnostic::error(Code::MoveArgument, arg, "`Move` needs a variable here")
        .help("`Move` hands permissions from one variable to another; name both")
        .reported_at(place)
}

fn primitive_input((place, decl): (Place, Place), name: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` would change the in-parameter `{name}`");
    Diagnostic::error(Code::PrimitiveAssignsInput, place, headline)
        .label(decl, format!("`{name}` never changes"))
        .help(format!("move `{name}` into a local variable first"))
}

fn primitive_result(place: Place, name: &Name, callee: &Name) -> Diagnostic {
    let headline = format!("`{callee}` changes `{name}`, which also takes its result");
    Diagnostic::error(Code::PrimitiveResultClash, place, headline)
        .help("store the result in another variable")
}

fn primitive_modifies(place: Place, name: &Name, owner: &Name) -> Diagnostic {
    let headline = format!("`{owner}` changes global `{name}` without permission");
    Diagnostic::error(Code::PrimitiveModifies, place, headline)
        .help(format!("add `{name}` to the modifies clause"))
}

fn parallel_primitive((place, arm): (Place, Place), callee: &Name) -> Diagnostic {
    let headline = format!("primitive `{callee}` cannot be an arm of a parallel call");
    Diagnostic::error(Code::ParallelPrimitive, arm, headline)
        .help("call it on its own, before or after the parallel call")
        .reported_at(place)
}

fn parallel_twice((place, twice): (Place, [Place; 2]), name: &Name) -> Diagnostic {
    let headline = format!("two arms of the parallel call get the permissions of `{name}`");
    let [first, second] = twice;
    Diagnostic::error(Code::ParallelLinearTwice, second, headline)
        .label(first, format!("`{name}` is given here already"))
        .help("give each arm a permission of its own, or call one after the other")
        .reported_at(place)
}

fn parallel_shared(place: Place, name: &Name) -> Diagnostic {
    let headline = format!("a procedure and an invariant both get the permissions of `{name}`");
    Diagnostic::error(Code::ParallelLinearShared, place, headline)
        .help("while the procedure runs, the invariant cannot rely on its permissions")
}

fn unavailable(problem: &Unavailable) -> Diagnostic {
    let Unavailable { place, arg, name, callee, param, why } = problem;
    let headline = format!("`{name}` is not available here");
    let help = match why {
        UnavailableWhy::Statement => "its permissions were given away, or never received",
        UnavailableWhy::LoopHead => "its permissions must be there on entry and after each round",
        UnavailableWhy::Requires => "declare the parameter `{:linear}` or `{:linear_in}`",
        UnavailableWhy::Ensures => "declare the parameter `{:linear}` or `{:linear_out}`",
        UnavailableWhy::Preserves => "declare the parameter `{:linear}`",
    };
    Diagnostic::error(Code::LinearUnavailable, *arg, headline)
        .label(*place, format!("linear parameter `{param}` of `{callee}` needs its permissions"))
        .help(help)
        .reported_at(*place)
}

fn global_unavailable(
    (place, decl): (Place, Option<Place>),
    name: &Name,
    point: GlobalPoint,
) -> Diagnostic {
    let words = match point {
        GlobalPoint::Call => "at this call",
        GlobalPoint::Yield => "at this yield",
        GlobalPoint::Return => "at this return",
        GlobalPoint::LoopHead => "at this loop head",
    };
    let headline = format!("global `{name}` is not available {words}");
    let found = Diagnostic::error(Code::LinearGlobalUnavailable, place, headline)
        .help("move its permissions back first");
    match decl {
        Some(decl) => found.label(decl, format!("`{name}` is linear")),
        None => found,
    }
}

fn parameter_unavailable((place, decl): (Place, Place), name: &Name, output: bool) -> Diagnostic {
    let side = if output { "out" } else { "in" };
    let headline = format!("{side}-parameter `{name}` is not available at this return");
    let help = if output {
        "move permissions into it on every path"
    } else {
        "declare it `{:linear_in}` if its permissions are given away for good"
    };
    Diagnostic::error(Code::LinearParameterUnavailable, place, headline)
        .label(decl, "the caller expects its permissions back")
        .help(help)
}

fn ghost_permission(
    (place, arg): (Place, Place),
    (name, callee, layer): (&Name, &Name, Layer),
    (taken, global): (Place, &Name),
) -> Diagnostic {
    let headline = format!(
        "`{name}` may hold a permission of ghost code, on which `{callee}` cannot rely at layer {layer}"
    );
    Diagnostic::error(Code::GhostPermission, arg, headline)
        .label(taken, format!("ghost code of layer {layer} takes it out of `{global}` here"))
        .help(
            "take the permission in an action of a lower layer: let the procedure that takes it \
             refine an action that takes it from a linear variable",
        )
        .reported_at(place)
}
