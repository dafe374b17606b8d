//! Typing of expressions (language.md 5.2, 5.3, 5.5).

use crate::test_db::check;

#[test]
fn operators_take_their_types() {
    check(
        r#"
const i, j: int;
const r: real;
const b: bool;
const v: bv8;
axiom i + j * 2 - 1 < i div j mod 3;
axiom r + 1.5 == 2e3 && r ** r > 0.0;
axiom i / j == r / r && i / r == 1.0;
axiom -i == 0 && -r == 0.0 && !b;
axiom (b ==> b) <==> (b <== b);
axiom v ++ v == 0bv16;
axiom i + r == r; //~ error[operator-types]
axiom i && b; //~ error[operator-types]
axiom i == b; //~ error[operator-types]
axiom r div r == 1; //~ error[operator-types]
axiom i ** i == 1.0; //~ error[operator-types]
axiom v ++ i == v; //~ error[operator-types]
axiom -b; //~ error[operator-types]
axiom !i; //~ error[operator-types]
axiom b < b; //~ error[operator-types]
"#,
    );
}

#[test]
fn one_mistake_gives_one_message() {
    check(
        "axiom ((undeclared + 1) * 2 == 3) && f(undeclared); //~ error[undeclared-identifier] //~ error[undeclared-identifier] //~ error[undeclared-function]\n",
    );
    check(
        r#"
function f(x: int): bool;
axiom f(1 + true) && f(2); //~ error[operator-types]
"#,
    );
}

#[test]
fn functions_take_their_arguments() {
    check(
        r#"
function f(x: int, y: bool): int;
function g<a>(x: a, y: a): a;
axiom f(1, true) == g(1, 2);
axiom f(1) == 1; //~ error[function-arity]
axiom f(1, 2) == 1; //~ error[argument-type] "argument 2 of `f` has type `int`, expected `bool`"
axiom g(1, true) == 1; //~ error[argument-type]
axiom g(true, g(false, true));
"#,
    );
}

#[test]
fn a_parameter_name_can_share_the_next_type() {
    check("function f(x, y: int): bool { x == y }\naxiom f(1, 2);\n");
}

#[test]
fn types_are_inferred_from_later_context() {
    check(
        r#"
datatype Option<T> { None(), Some(t: T) }
function empty<T>(): [T]bool;
const s: [int]bool;
axiom empty() == s;
axiom s == empty();
axiom (if s[0] then None() else Some(3)) == None();
axiom (forall x: Option bool :: x == None() || x->t);
axiom None() == None(); //~ warning[ambiguous-type]
"#,
    );
}

#[test]
fn a_field_of_a_type_not_yet_known_is_an_error() {
    check(
        r#"
datatype Box<T> { Box(t: T) }
function any<T>(): T;
axiom Box(3)->t == 3;
axiom (any(): Box int)->t == 3;
axiom any()->t == 3; //~ error[not-a-datatype]
"#,
    );
}

#[test]
fn type_variables_are_comparable_with_what_they_could_be() {
    check(
        r#"
axiom (forall<a> x: a, y: a :: x == y || x != y);
axiom (forall<a, b> x: a, y: b :: x == y || x == 3);
axiom (forall<a> x: [a]int, y: int :: x == y); //~ error[operator-types]
"#,
    );
}

#[test]
fn maps_are_used_with_their_indices() {
    check(
        r#"
const m: [int, bool]real;
const n: [int]int;
axiom m[1, true] == 1.0 && m[1, true := 2.0] == m;
axiom m[1] == 1.0; //~ error[map-arity]
axiom m[true, true] == 1.0; //~ error[argument-type] "index 1"
axiom n[1][2] == 1; //~ error[not-a-map]
axiom n[1 := true] == n; //~ error[stored-type]
axiom 3[1] == 1; //~ error[not-a-map]
"#,
    );
}

#[test]
fn polymorphic_maps_are_instantiated_at_each_use() {
    check(
        r#"
type Field a;
const heap: <a>[int, Field a]a;
const f: Field bool;
const g: Field int;
axiom heap[1, f] && heap[1, g] == 3;
axiom heap[1, f := false][1, g := 4] == heap;
axiom heap[1, g]; //~ error[condition-type]
"#,
    );
}

#[test]
fn coercions_state_the_type_and_conversions_change_it() {
    check(
        r#"
axiom (1 : int) == 1 && real(1) == 1.0 && int(1.0) == 1;
axiom (1 : bool); //~ error[bad-coercion]
axiom real(1.0) == 1.0; //~ error[bad-coercion]
axiom int(1) == 1; //~ error[bad-coercion]
"#,
    );
}

#[test]
fn branches_have_one_type() {
    check(
        r#"
axiom (if true then 1 else 2) == 1;
axiom (if 1 then 1 else 2) == 1; //~ error[branch-types]
axiom (if true then 1 else false) == 1; //~ error[branch-types]
"#,
    );
}

#[test]
fn fields_and_constructors_belong_to_the_datatype() {
    check(
        r#"
datatype D { A(x: int), B(x: int, y: bool) }
datatype E { C(z: int) }
const d: D;
axiom d->x == 1 && (d is B ==> d->y) && d->(x := 2) is A;
axiom d->z == 1; //~ error[unknown-field]
axiom d is C; //~ error[unknown-constructor]
axiom 3->x == 1; //~ error[not-a-datatype]
axiom 3 is A; //~ error[not-a-datatype]
axiom d->(x := true) == d; //~ error[updated-field-type]
"#,
    );
}

#[test]
fn a_shared_field_has_one_type() {
    check(
        r#"
datatype D<T> { A(x: int, t: T), B(x: int, t: T) }
datatype E { C(y: int), F(y: bool) } //~ error[field-type-mismatch]
"#,
    );
}

#[test]
fn quantifiers_have_boolean_bodies_and_lambdas_are_maps() {
    check(
        r#"
axiom (forall x: int :: x == x);
axiom (forall x: int :: x + 1); //~ error[quantifier-body]
axiom (lambda x: int, b: bool :: if b then x else 0)[1, true] == 1;
axiom (exists <a> f: <b>[b]a :: true);
axiom (lambda <a> x: a :: 1)[true] == 1;
axiom (lambda <a> x: int :: 1)[1] == 1; //~ error[quantifier-type-variable]
"#,
    );
}

#[test]
fn a_quantified_type_is_determined_by_variables_or_triggers() {
    check(
        r#"
function f<a>(x: int): a;
function g(x: int): int;
axiom (forall <a> x: int :: {f(x): a} true);
axiom (forall <a> x: int :: {g(x)} true); //~ error[quantifier-type-variable]
"#,
    );
}

#[test]
fn lets_take_the_type_of_their_value() {
    check(
        r#"
axiom (var x, y := 1, true; y && x == 1);
axiom (var x := 1; x); //~ error[condition-type]
axiom (var x, y := 1; x == 1); //~ error[assignment-arity]
"#,
    );
}

#[test]
fn bits_are_extracted_from_bit_vectors() {
    check(
        r#"
const v: bv32;
axiom v[8:0] == 5bv8 && v[32:24] == 0bv8;
axiom v[33:0] == v; //~ error[bit-vector-extract]
axiom v[0:8] == v; //~ error[bit-vector-extract]
axiom true[1:0] == 0bv1; //~ error[bit-vector-extract]
"#,
    );
}

#[test]
fn conditions_are_boolean() {
    check(
        r#"
const c: int;
axiom c; //~ error[condition-type] "axiom"
procedure P(x: int where c, y: bool where y) //~ error[condition-type] "where"
requires c; //~ error[condition-type] "precondition"
ensures c; //~ error[condition-type] "postcondition"
{
  assert c; //~ error[condition-type] "assertion"
  assume c; //~ error[condition-type] "assumption"
  if (c) {} //~ error[condition-type] "guard"
  while (c) invariant c; {} //~ error[condition-type] "guard" //~ error[condition-type] "invariant"
  assert c == 0;
}
"#,
    );
}

#[test]
fn measures_are_integers_or_truth_values() {
    check(
        r#"
procedure P(x: int, b: bool, r: real)
measure x, b;
measure r; //~ error[measure-type]
{}
"#,
    );
}

#[test]
fn a_function_body_has_the_declared_type() {
    check(
        r#"
function f<a>(x: a): a { x }
function g(x: int): bool { x } //~ error[function-body-type]
"#,
    );
}

#[test]
fn inlined_and_defined_functions_can_be_unfolded() {
    check(
        r#"
function {:inline} a(x: int): int { b(x) }
function b(x: int): int { a(x) }
function {:inline true} c(x: int): int { x }
function {:inline 3} d(x: int): int { x } //~ error[inline-not-boolean]
function {:inline} e(x: int): int; //~ error[function-without-body]
function {:define} f(x: int): int; //~ error[function-without-body]
"#,
    );
    check(
        r#"
function {:inline} a(x: int): int { b(x) } //~ error[function-cycle] "`a`, `b`"
function {:inline} b(x: int): int { a(x) }
function {:inline} c(x: int): int { d(x) }
function {:inline} d(x: int): int { x }
"#,
    );
}

#[test]
fn an_implementation_repeats_its_procedure() {
    check(
        r#"
procedure P<a>(x: a, y: int) returns (z: a);
implementation P<b>(u: b, v: int) returns (w: b) { w := u; }
implementation P(x: int, y: int) returns (z: int) {} //~ error[implementation-mismatch] "type parameters"
implementation P<a>(x: a) returns (z: a) {} //~ error[implementation-mismatch] "in-parameters"
implementation P<a>(x: a, y: int) {} //~ error[implementation-mismatch] "out-parameters"
implementation P<a>(x: a, y: bool) returns (z: a) {} //~ error[implementation-mismatch] "`y`"
"#,
    );
}

#[test]
fn what_is_not_supported_is_said() {
    check("axiom |{ A: return true; }|; //~ error[unsupported-feature]\n");
}

#[test]
fn recursion_comes_back_to_the_same_types() {
    check(
        r#"
datatype Option<T> { None(), Some(t: T) }
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
datatype Nest<T> { Stop(), More(t: T, rest: Nest (Option T)) } //~ error[growing-types]
function f<T>(x: T): int { g(x) }
function g<T>(x: T): int { f(x) + h(Some(x)) }
function h<T>(x: T): int;
function i<T>(x: T): int { j(x) }
function j<T>(x: T): int { i(Some(x)) } //~ error[growing-types]
procedure P<T>(x: T) { call P(x); call Q(Some(x)); }
procedure Q<T>(x: T) { call Q(x); call Q(Some(x)); } //~ error[growing-types]
"#,
    );
}
