//! Name spaces, scopes, states, types by name (language.md 4).

use crate::test_db::check;

#[test]
fn a_name_is_declared_once_per_name_space() {
    check(
        r#"
type T;
function T(x: int): int;
var T: int;
procedure T();
type T; //~ error[duplicate-name] "the type `T`"
const T: int; //~ error[duplicate-name] "the variable `T`"
function T(): bool; //~ error[duplicate-name] "the function `T`"
action {:layer 1} T(); //~ error[duplicate-name] "the procedure `T`"
"#,
    );
}

#[test]
fn a_named_axiom_has_its_own_name() {
    check(
        r#"
axiom {:name "one"} 1 == 1;
axiom {:name "two"} 1 == 1;
axiom {:name "one"} 1 == 1; //~ error[duplicate-name] "axiom `one`"
"#,
    );
}

#[test]
fn constructors_are_functions() {
    check(
        r#"
datatype D { A(), B() }
datatype E { C(), A() } //~ error[duplicate-name] "the function `A`"
"#,
    );
}

#[test]
fn an_extern_declaration_gives_way() {
    check(
        r#"
type {:extern} T;
type T;
var {:extern} x: int;
var x: T;
axiom (forall t: T :: t == t);
"#,
    );
}

#[test]
fn a_formal_or_local_is_declared_once_per_scope() {
    check(
        r#"
var x: int;
procedure P(x: int, y: int) returns (x: int) //~ error[duplicate-name] "variable `x`"
{
  var y: int; //~ error[duplicate-name] "variable `y`"
  var z: int;
  assert (forall z: int, w: int :: (exists z: int, v: int :: z == w && v == y));
  assert (forall u: int, u: bool :: u); //~ error[duplicate-name] "variable `u`"
}
"#,
    );
}

#[test]
fn a_type_variable_is_declared_once_and_not_named_like_a_type() {
    check(
        r#"
type T;
function f<a, b>(x: a, y: b): bool;
function g<a, a>(x: a): bool; //~ error[duplicate-name] "type variable `a`"
function h<T>(x: T): bool; //~ error[type-variable-shadows-type]
"#,
    );
}

#[test]
fn bit_vector_types_cannot_be_declared() {
    check(
        r#"
type bv;
type bv8; //~ error[reserved-type-name]
"#,
    );
}

#[test]
fn a_type_must_be_declared() {
    check(
        r#"
type S;
var a: S;
var b: T;
     //^ error[undeclared-type]: there is no type `T`
var c: [int]Pair T; //~ error[undeclared-type] //~ error[undeclared-type]
var d: bv32;
var e: float24e8;
"#,
    );
}

#[test]
fn types_take_as_many_arguments_as_they_declare() {
    check(
        r#"
type Pair _ _;
type Seq a = [int]a;
datatype Box<T> { Box(t: T) }
var a: Pair int (Seq bool);
var b: Pair int; //~ error[type-arity]
var c: Seq; //~ error[type-arity]
var d: Box int bool; //~ error[type-arity]
var e: bv8 int; //~ error[type-arity]
function f<t>(x: t int): bool; //~ error[type-arity]
"#,
    );
}

#[test]
fn synonyms_do_not_lead_back_to_themselves() {
    check(
        r#"
type A = [int]B;
type B = C int;
type C x = [x]int;
type X = [int]Y; //~ error[synonym-cycle]
type Y = X; //~ error[synonym-cycle]
type Z = Z; //~ error[synonym-cycle]
var a: A;
axiom a_is_a_map(3);
function a_is_a_map(i: int): bool;
procedure P() { assert a[1][2] == 3; }
"#,
    );
}

#[test]
fn a_type_variable_occurs_in_an_argument_or_result() {
    check(
        r#"
function f<a>(): a;
function g<a>(x: [int]a): int;
function h<a>(x: int): int; //~ error[unused-type-variable]
procedure p<a>(x: a);
procedure q<a>(); //~ error[unused-type-variable]
var m: <a>[a]int;
var n: <a>[int]a; //~ error[unused-type-variable]
"#,
    );
}

#[test]
fn a_datatype_has_a_finite_value() {
    check(
        r#"
datatype List<T> { Nil(), Cons(head: T, tail: List T) }
datatype Tree { Leaf(), Node(children: [int]Tree) }
"#,
    );
    check("datatype Stream { Next(s: Stream) } //~ error[ill-founded-datatype] \"`Stream`\"\n");
    check(
        r#"
datatype Even { Zero(x: Odd) } //~ error[ill-founded-datatype] "`Even`, `Odd`"
datatype Odd { Next(f: [int]Even) }
"#,
    );
}

#[test]
fn unique_constants_need_enough_values() {
    check(
        r#"
type T;
datatype Color { Red(), Green() }
datatype Pair<A, B> { Pair(first: A, second: B) }
datatype List { Nil(), Cons(tail: List) }
datatype Mark { Mark() }
const unique a, b: bool;
const c: bool;
const unique v0, v1, v2, v3: bv2;
const unique red, green: Color;
const unique p, q, r, s: Pair bool Color;
const unique t0, t1, t2: T;
const unique l0, l1, l2: List;
const unique f0, f1, f2, f3: [bool]bool;
const unique n0, n1, n2: [int]bool;
const unique m: [int]Mark;
const unique i0, i1, i2: int;
"#,
    );
    check(
        r#"
datatype Color { Red(), Green() }
datatype Box<A> { Box(value: A) }
datatype Mark { Mark() }
type Flag = bool;
const unique a, b: bool;
const unique c: Flag; //~ error[too-many-unique] "`c` is one unique constant too many: `bool` has only 2 values"
const unique d: bool;
const unique v0, v1: bv1;
const unique v2: bv1; //~ error[too-many-unique] "`v2`"
const unique red, green: Color;
const unique blue: Color; //~ error[too-many-unique] "`blue`"
const unique b0, b1: Box (Box bool);
const unique b2: Box (Box bool); //~ error[too-many-unique] "`Box (Box bool)` has only 2 values"
const unique f0, f1, f2, f3: [bool]Color;
const unique f4: [bool]Color; //~ error[too-many-unique] "4 values"
const unique m0: [int]Mark;
const unique m1: [int]Mark; //~ error[too-many-unique] "one value"
"#,
    );
}

#[test]
fn a_variable_must_be_visible() {
    check(
        r#"
const c: int;
var g: int;
procedure P(i: int) returns (o: int);
requires i == c;
requires o == 0; //~ error[undeclared-identifier] "`o`"
ensures o == i + g;
implementation P(i: int) returns (o: int)
{
  var l: int;
  l := i;
  o := m; //~ error[undeclared-identifier] "`m`"
  assert (exists x: int :: x == l) && x == 0; //~ error[undeclared-identifier] "`x`"
  assert (var y := l; y == l);
}
"#,
    );
}

#[test]
fn a_function_must_be_declared() {
    check(
        r#"
function f(x: int): int { x }
procedure P() {
  assert f(1) == 1;
  assert g(1) == 1; //~ error[undeclared-function]
  reveal f;
  hide h; //~ error[undeclared-function]
}
"#,
    );
}

#[test]
fn functions_and_axioms_see_no_global_variable() {
    check(
        r#"
var g: int;
const c: int;
function f(): int { c }
function h(): int { g } //~ error[global-not-allowed]
axiom c == 0;
axiom g == 0; //~ error[global-not-allowed]
pure procedure P(x: int) { assert x == c; assert x == g; } //~ error[global-not-allowed]
"#,
    );
}

#[test]
fn old_needs_two_states() {
    check(
        r#"
var {:layer 0, 2} g: int;
procedure P();
requires g == old(g); //~ error[old-not-allowed]
ensures g == old(g);
implementation P() { assert g == old(g); }
action {:layer 1} A() { assert g == old(g); } //~ error[old-not-allowed]
yield invariant {:layer 1} I();
preserves g == old(g); //~ error[old-not-allowed]
yield procedure {:layer 1} Q()
requires {:layer 1} old(g) == 0; //~ error[old-not-allowed]
ensures {:layer 1} old(g) == 0;
{ assert {:layer 1} old(g) == 0; }
"#,
    );
}

#[test]
fn refines_names_an_action() {
    check(
        r#"
action {:layer 1, 2} A() {}
yield procedure {:layer 0} P(); refines A;
yield procedure {:layer 0} Q(); refines B; //~ error[undeclared-action]
yield procedure {:layer 0} R(); refines P; //~ error[undeclared-action]
"#,
    );
}

#[test]
fn an_implementation_has_a_procedure() {
    check(
        r#"
procedure P();
implementation P() {}
implementation Q() {} //~ error[implementation-without-procedure]
"#,
    );
}

#[test]
fn triggers_can_be_matched() {
    check(
        r#"
function f(x: int): bool;
function h(x: int): int;
axiom (forall x: int :: {f(x)} f(x));
axiom (forall x: int, y: int :: {f(x), f(y)} f(x) || f(y));
axiom (forall x: int :: {x != 0} f(x));
axiom (forall x: int :: {f(h(x) + 1)} f(x));
axiom (forall x: int, y: int :: {f(x)} f(y)); //~ error[bad-trigger] "mention `y`"
axiom (forall x: int :: {x} f(x)); //~ error[bad-trigger] "variable alone"
axiom (forall x: int :: {!f(x)} f(x)); //~ error[bad-trigger] "Boolean"
axiom (forall x: int :: {h(x) == 1} f(x)); //~ error[bad-trigger] "equality"
axiom (forall x: int :: {h(x) < 1} f(x)); //~ error[bad-trigger] "comparison"
axiom (forall x: int :: {f(x), (forall y: int :: f(y))} f(x)); //~ error[bad-trigger] "quantifier"
"#,
    );
}

#[test]
fn ignored_declarations_are_not_checked() {
    check(
        "axiom {:ignore} nonsense == 3;\naxiom nonsense == 3; //~ error[undeclared-identifier]\n",
    );
}

#[test]
fn several_files_form_one_program() {
    check(
        r#"
//- types.bpl
type T;
function f(x: T): int;
//- main.bpl
axiom (forall x: T :: f(x) > 0);
axiom (forall x: T :: g(x) > 0); //~ error[undeclared-function]
"#,
    );
}

#[test]
fn a_run_comment_asks_for_libraries() {
    check(
        r#"
// RUN: %parallel-boogie -lib:base -lib:set_size "%s" > "%t"
axiom Set_Size(Set_Empty(): [int]bool) == 0;
"#,
    );
    check("axiom Nowhere_Size(3) == 0; //~ error[undeclared-function]\n");
}
