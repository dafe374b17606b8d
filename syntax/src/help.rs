//! What to do about something that is missing, in words shared by several places of the grammar.

use crate::SyntaxKind;

pub(crate) const ATTRIBUTE: &str = "an attribute is written `{:name arg, arg}`";
pub(crate) const BINDER: &str = "write `(forall x: T :: e)`; `exists` and `lambda` likewise";
pub(crate) const CONSTRUCTOR: &str = "a datatype is written `datatype D { C(x: T), E() }`";
pub(crate) const DECLARATION: &str =
    "start with a keyword such as `var`, `action` or `procedure`, or remove what stands here";
pub(crate) const EXPRESSION: &str = "write the value that belongs here";
pub(crate) const LET: &str = "write `(var x := e; body)`";
pub(crate) const NAME: &str = "write a name here; a keyword is one only with `\\` before it";
pub(crate) const PARAMETER: &str = "write names and types, `(x, y: T, z: U)`";
pub(crate) const STATEMENT: &str =
    "write `x := e;`, `call P(e);` or another statement, or remove what stands here";
pub(crate) const TYPE: &str = "write a type, for example `int`, `bool`, `[int]bool` or a name";
pub(crate) const UNCLOSED: &str = "close the bracket, or remove what stands before this place";

/// What to do where a token of this kind is missing.
pub(crate) fn missing(kind: SyntaxKind) -> &'static str {
    MISSING.iter().find(|it| it.0 == kind).map_or("write what is missing", |it| it.1)
}

const MISSING: &[(SyntaxKind, &str)] = &[
    (T![;], "declarations, clauses and statements end with `;`"),
    (T![:], "write a name, `:` and a type"),
    (T![:=], "values are assigned with `:=`"),
    (T!['('], "conditions, parameters and arguments stand in parentheses"),
    (T!['{'], "open the block with `{`; it is closed by `}`"),
    (T!['['], "a map type is written `[T]U`"),
    (T![then], "write `if c then a else b`"),
    (T![else], "write `if c then a else b`"),
    (T![call], "write `call` before the name of what is called"),
    (T![var], "write `var` before the names that are declared"),
    (T![action], "write `action` before the attributes and the name"),
    (T![procedure], "write `procedure` before the attributes and the name"),
    (T![function], "write `function` before the attributes and the name"),
    (T![invariant], "write `invariant` before the attributes and the name"),
    (T![axiom], "write `axiom` before the formula"),
];
