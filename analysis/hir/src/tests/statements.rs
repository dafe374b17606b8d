//! Statements (language.md 4.2, 5.3).

use crate::test_db::check;

#[test]
fn assignments_have_one_value_per_target() {
    check(
        r#"
procedure P() {
  var a, b: int;
  a, b := b, a;
  a, b := 1; //~ error[assignment-arity]
}
"#,
    );
}

#[test]
fn a_parallel_assignment_assigns_each_variable_once() {
    check(
        r#"
datatype D { A(x: int, m: [int]int) }
procedure P() {
  var d, e: D;
  d->x, e->x := 1, 2;
  d->x, d->m[0] := 1, 2;
          //^ error[assigned-twice]: `d`
}
"#,
    );
}

#[test]
fn values_have_the_type_of_their_target() {
    check(
        r#"
datatype D { A(x: int, m: [int]bool) }
procedure P() {
  var d: D;
  var b: bool;
  d->x := 1;
  d->m[3] := true;
  b := d->m[3];
  b := 1; //~ error[assignment-types]
  d->m[3] := 4; //~ error[assignment-types]
  d->x[3] := 4; //~ error[not-a-map]
  d->y := 4; //~ error[unknown-field]
}
"#,
    );
}

#[test]
fn inputs_constants_and_bound_variables_are_not_assigned() {
    check(
        r#"
const c: int;
procedure Q() returns (o: int);
procedure P(i: int) returns (o: int) {
  var l: int;
  l := 1;
  o := 2;
  i := 3; //~ error[assign-to-immutable]
  havoc l, i; //~ error[assign-to-immutable]
  call i := Q(); //~ error[assign-to-immutable]
  call c := Q(); //~ error[assign-to-immutable]
}
"#,
    );
}

#[test]
fn a_constant_is_not_assigned() {
    check("const c: int;\nprocedure P() { c := 1; } //~ error[assign-to-immutable]\n");
}

#[test]
fn unpacking_takes_a_constructor_apart() {
    check(
        r#"
datatype Pair<T> { Pair(a: T, b: int) }
function f(x: int, y: int): Pair int;
procedure P(p: Pair bool) {
  var x: bool;
  var y: int;
  Pair(x, y) := p;
  Pair(y, y) := p; //~ error[unpacked-twice] //~ error[assignment-types]
  Pair(x) := p; //~ error[function-arity]
  f(y, x) := p; //~ error[unpack-not-constructor] //~ error[argument-type]
  Nope(x, y) := p; //~ error[undeclared-function]
}
"#,
    );
}

#[test]
fn jumps_reach_the_labels_of_their_body() {
    check(
        r#"
procedure P() {
  var i: int;
  start:
  if (*) { goto start, finish; }
  while (i < 3) { inner: i := i + 1; break; }
  if (*) { goto inner; }
  goto nowhere; //~ error[undeclared-label]
  finish:
  start: i := 0; //~ error[duplicate-name] "block `start`"
}
"#,
    );
}

#[test]
fn a_break_leaves_an_enclosing_statement() {
    check(
        r#"
procedure P() {
  outer:
  while (*) { while (*) { break outer; } if (*) { break; } }
  out: if (*) { break out; }
  if (*) { break; } //~ error[break-outside-loop]
  while (*) { break other; } //~ error[break-outside-loop] "`other`"
}
"#,
    );
}

#[test]
fn statement_ids_are_unique() {
    check(
        r#"
procedure P() {
  assert {:id "a"} true;
  assert {:id "b"} true;
  assume {:id "a"} true; //~ error[duplicate-statement-id]
}
"#,
    );
}

#[test]
fn without_inference_globals_are_listed() {
    check(
        r#"
var g, h: int;
const c: int;
procedure P() modifies g; { g := 1; h := 2; } //~ error[missing-modifies] "`h`"
procedure Q() { call P(); } //~ error[missing-modifies] "`g`"
procedure R() modifies g; { call P(); havoc g; }
procedure S(); modifies c; //~ error[modifies-constant]
procedure T(); modifies nothing; //~ error[undeclared-identifier]
"#,
    );
}

#[test]
fn in_a_civl_program_modified_globals_are_inferred() {
    check(
        r#"
var {:layer 0, 1} g: int;
procedure P() { g := 1; }
procedure Q() { call P(); }
"#,
    );
}

#[test]
fn only_yield_procedures_yield() {
    check("procedure P() { yield true; } //~ error[yield-outside-procedure]\n");
    check("atomic action {:layer 1} A() { yield; } //~ error[yield-outside-procedure]\n");
    check("yield procedure {:layer 1} P() { yield; yield true; yield {:layer 0,1} true; }\n");
    check("yield procedure {:layer 1} P() { yield {:layer 2} true; } //~ error[layer-too-high]\n");
    check("yield procedure {:layer 1} P() { yield 1; } //~ error[condition-type]\n");
}
