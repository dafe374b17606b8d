//! Words for problems with types and plain rules of statements (language.md 5.3, 5.5).

use base::Code;

use super::{Words, count, list};
use crate::problem::{Callee, Fault};

/// Words for a problem of this family.
pub(crate) fn words(fault: &Fault) -> Option<Words> {
    functions(fault)
        .or_else(|| expressions(fault))
        .or_else(|| structures(fault))
        .or_else(|| statements(fault))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn functions(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::InlineNotBoolean => {
            Words::new(Code::InlineNotBoolean, "the parameter of `inline` must be true or false")
                .help("write `{:inline}`; a number is for procedures")
        }
        Fault::InlineAndDefine => {
            Words::new(Code::InlineAndDefine, "a function is either inlined or defined, not both")
                .help("remove one of the two attributes")
        }
        Fault::BuiltinWithBody => {
            Words::new(Code::BuiltinWithBody, "an operator of the solver has no body")
                .help("remove the body, or the attribute")
        }
        Fault::FunctionWithoutBody { attribute } => Words::new(
            Code::FunctionWithoutBody,
            format!("a function with `{{:{attribute}}}` needs a body"),
        )
        .help("add a body, or remove the attribute"),
        Fault::FunctionCycle { names } => Words::new(
            Code::FunctionCycle,
            format!("unfolding never ends: {} call each other", list(names)),
        )
        .help("remove `{:inline}` or `{:define}` from one of them; its body becomes an axiom"),
        Fault::FunctionBodyType { expected, found } => Words::new(
            Code::FunctionBodyType,
            format!("the body has type `{found}`, but the function returns `{expected}`"),
        )
        .help("change the body or the declared type"),
        Fault::FunctionArity { func, expected, found, declared } => {
            let expected = count(*expected, "argument");
            Words::new(
                Code::FunctionArity,
                format!("`{func}` takes {expected}, but {found} are given"),
            )
            .label(*declared, format!("`{func}` is declared here"))
            .help("give as many arguments as the declaration has")
        }
        Fault::ArgumentType { of, number, expected, found, declared } => {
            let (Callee::Function(name) | Callee::Procedure(name)) = of;
            let nth = number + 1;
            Words::new(
                Code::ArgumentType,
                format!("argument {nth} of `{name}` has type `{found}`, expected `{expected}`"),
            )
            .label(*declared, format!("`{name}` is declared here"))
            .help("pass a value of the expected type")
        }
        Fault::ResultType { callee, number, expected, found, declared } => {
            let nth = number + 1;
            Words::new(
                Code::ResultType,
                format!("result {nth} of `{callee}` has type `{expected}`, not `{found}`"),
            )
            .label(*declared, format!("`{callee}` is declared here"))
            .help("store the result in a variable of its type")
        }
        Fault::AmbiguousType { name, chosen } => Words::new(
            Code::AmbiguousType,
            format!("nothing determines the type parameter `{name}`; taking `{chosen}`"),
        )
        .help("add a type: `(e : T)`"),
        Fault::GrowingTypes { what, ty } => Words::new(
            Code::GrowingTypes,
            format!("`{what}` needs ever larger types, such as `{ty}`"),
        )
        .help("recursion must come back to the same type arguments"),
        _other => return None,
    })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn expressions(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::UnaryTypes { op, ty } => {
            let help = if *op == "!" { "`!` takes a bool" } else { "`-` takes an int or a real" };
            Words::new(Code::OperatorTypes, format!("`{op}` cannot be applied to `{ty}`"))
                .help(help)
        }
        Fault::BinaryTypes { op, lhs, rhs } => Words::new(
            Code::OperatorTypes,
            format!("`{op}` cannot be applied to `{lhs}` and `{rhs}`"),
        )
        .help(operator_help(op)),
        Fault::BadCoercion { from, to } => {
            Words::new(Code::BadCoercion, format!("this has type `{from}`, not `{to}`"))
                .help("`e : T` only states the type; use `int(e)` or `real(e)` to convert")
        }
        Fault::BadConversion { found, expected } => {
            Words::new(Code::BadCoercion, format!("this converts `{expected}`, not `{found}`"))
                .help("`int(..)` takes a real, `real(..)` takes an int")
        }
        Fault::ConditionOfIte { ty } => {
            Words::new(Code::BranchTypes, format!("the condition has type `{ty}`, not `bool`"))
                .help("`if c then a else b` needs a Boolean condition")
        }
        Fault::BranchTypes { then, other } => Words::new(
            Code::BranchTypes,
            format!("one branch has type `{then}`, the other `{other}`"),
        )
        .help("both branches must have the same type"),
        Fault::QuantifierBody { ty } => {
            Words::new(Code::QuantifierBody, format!("the body has type `{ty}`, not `bool`"))
                .help("a quantifier needs a Boolean body")
        }
        Fault::QuantifierTypeVariable { name } => Words::new(
            Code::QuantifierTypeVariable,
            format!("neither the bound variables nor the trigger determine `{name}`"),
        )
        .help("mention the type variable in the type of a bound variable or in every trigger"),
        Fault::LambdaTypeVariable { name } => Words::new(
            Code::QuantifierTypeVariable,
            format!("the type variable `{name}` occurs in no parameter of the lambda"),
        )
        .help("mention the type variable in the type of a parameter"),
        Fault::ExtractBounds { reason } => {
            Words::new(Code::BitVectorExtract, format!("bad bounds: {reason}"))
                .help("write `e[high:low]` for the bits low to high-1")
        }
        Fault::ExtractOperand { width, ty } => Words::new(
            Code::BitVectorExtract,
            format!("this needs a bit-vector of at least {width} bits, not `{ty}`"),
        )
        .help("only bits that exist can be extracted"),
        Fault::Unsupported { what } => {
            Words::new(Code::UnsupportedFeature, format!("{what} are not supported"))
                .help("rewrite the program without them; nothing is proved about this part")
        }
        _other => return None,
    })
}

/// What each operator takes.
fn operator_help(op: &str) -> &'static str {
    match op {
        "<==>" | "==>" | "&&" | "||" => "both operands must be bool",
        "==" | "!=" => "both sides must have the same type",
        "div" | "mod" => "both operands must be int; `/` divides reals",
        "**" => "both operands must be real",
        "++" => "both operands must be bit-vectors",
        "/" => "both operands must be int or real",
        _arithmetic => "both operands must be int, or both real; `real(e)` converts",
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn structures(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::NegativeDatatype { name } => Words::new(
            Code::NegativeDatatype,
            format!("a value of `{name}` contains maps over values of `{name}`"),
        )
        .help("use a type of names for the indices of the map"),
        Fault::MapArity { expected, found } => Words::new(
            Code::MapArity,
            format!("this map takes {}, but {found} are given", indices(*expected)),
        )
        .help("give one index per index type of the map"),
        Fault::NotAMap { ty } => {
            Words::new(Code::NotAMap, format!("this has type `{ty}`, which is not a map"))
                .help("only maps can be indexed")
        }
        Fault::IndexType { number, expected, found } => {
            let nth = number + 1;
            Words::new(
                Code::ArgumentType,
                format!("index {nth} has type `{found}`, expected `{expected}`"),
            )
            .help("use an index of the map's index type")
        }
        Fault::StoredType { expected, found } => Words::new(
            Code::StoredType,
            format!("the stored value has type `{found}`, the map holds `{expected}`"),
        )
        .help("store a value of the map's value type"),
        Fault::NotADatatype { ty } => {
            Words::new(Code::NotADatatype, format!("this has type `{ty}`, not a datatype"))
                .help("fields and `is` work on datatypes whose type is known at this point")
        }
        Fault::UnknownField { ty, field, declared } => {
            Words::new(Code::UnknownField, format!("`{ty}` has no field `{field}`"))
                .label(*declared, "the datatype is declared here")
                .help("use a field of one of its constructors")
        }
        Fault::UnknownConstructor { ty, ctor, declared } => {
            Words::new(Code::UnknownConstructor, format!("`{ty}` has no constructor `{ctor}`"))
                .label(*declared, "the datatype is declared here")
                .help("use one of its constructors")
        }
        Fault::FieldTypeMismatch { field, ctor, first } => Words::new(
            Code::FieldTypeMismatch,
            format!("the field `{field}` has another type in constructor `{ctor}`"),
        )
        .label(*first, "the other type is here")
        .help("a field shared by constructors has one type; rename one of the fields"),
        Fault::UpdatedFieldType { field, expected, found } => Words::new(
            Code::UpdatedFieldType,
            format!("the new value has type `{found}`, the field `{field}` has `{expected}`"),
        )
        .help("use a value of the field's type"),
        _other => return None,
    })
}

fn indices(number: usize) -> String {
    if number == 1 { "one index".to_owned() } else { format!("{number} indices") }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "each family words its own part of the list")]
fn statements(fault: &Fault) -> Option<Words> {
    Some(match fault {
        Fault::ConditionType { what, ty } => {
            Words::new(Code::ConditionType, format!("this {what} has type `{ty}`, not `bool`"))
                .help(format!("write a Boolean {what}"))
        }
        Fault::MeasureType { ty } => {
            Words::new(Code::MeasureType, format!("a measure cannot have type `{ty}`"))
                .help("measures are integers or truth values")
        }
        Fault::AssignmentTypes { target, value } => Words::new(
            Code::AssignmentTypes,
            format!("a value of type `{value}` cannot be assigned to `{target}`"),
        )
        .help("both sides of an assignment must have the same type"),
        Fault::AssignToImmutable { name, declared } => {
            Words::new(Code::AssignToImmutable, format!("`{name}` cannot be assigned"))
                .label(*declared, format!("`{name}` is declared here"))
                .help("inputs, constants and bound variables keep their value; use a local")
        }
        Fault::UnpackNotConstructor { name } => Words::new(
            Code::UnpackNotConstructor,
            format!("`{name}` is a function, not a constructor"),
        )
        .help("only values built by a constructor can be taken apart"),
        Fault::UnpackedTwice { name } => {
            Words::new(Code::UnpackedTwice, format!("two fields are stored in `{name}`"))
                .help("use a different variable for each field")
        }
        Fault::ImplementationCount { noun, name, declared } => Words::new(
            Code::ImplementationMismatch,
            format!("the implementation of `{name}` has another number of {noun}"),
        )
        .label(*declared, format!("`{name}` is declared here"))
        .help("repeat the parameters of the procedure"),
        Fault::ImplementationType { noun, name, param, declared } => Words::new(
            Code::ImplementationMismatch,
            format!("the {noun} `{param}` of `{name}` has another type here"),
        )
        .label(*declared, format!("`{name}` is declared here"))
        .help("repeat the types of the procedure"),
        Fault::ImplementationAttribute { what, name, param, declared } => Words::new(
            Code::ImplementationMismatch,
            format!("the parameter `{param}` of `{name}` has another `{{:{what}}}` here"),
        )
        .label(*declared, format!("`{name}` is declared here"))
        .help("an implementation takes the attributes of its parameters from the procedure; repeat or omit them"),
        Fault::ModifiesConstant { name, .. } => {
            Words::new(Code::ModifiesConstant, format!("the constant `{name}` never changes"))
                .help("remove it from the modifies clause")
        }
        Fault::MissingModifies { name, noun, declared } => Words::new(
            Code::MissingModifies,
            format!("`{name}` is changed, but not in the modifies clause of this {noun}"),
        )
        .label(*declared, "the clause belongs here")
        .help(format!("add `modifies {name};`")),
        Fault::IrreducibleLoop { label } => Words::new(
            Code::IrreducibleLoop,
            format!("the loop through `{label}` has too many entries"),
        )
        .help("jump into loops at one place only"),
        _other => return None,
    })
}
