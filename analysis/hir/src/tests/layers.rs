//! Layers in attributes (language.md 4.2, 4.3).

use crate::test_db::check;

#[test]
fn a_range_has_at_most_two_layers() {
    check(
        r#"
var {:layer 0, 2} a: int;
var {:layer 1} b: int;
var {:layer 0, 1, 2} c: int; //~ error[layer-range-invalid]
action {:layer 1} {:layer 3} A() {}
action {:layer 1, 2, 3} B() {} //~ error[layer-range-invalid]
yield procedure {:layer 2} P({:layer 0, 1, 2} x: int) //~ error[layer-range-invalid]
{
  var {:layer 0, 1} y: int;
  var {:layer 0, 1, 2} z: int; //~ error[layer-range-invalid]
}
"#,
    );
}

#[test]
fn a_layer_is_a_number() {
    check(
        r#"
const two: int;
var {:layer 2147483647} a: int;
var {:layer two} b: int; //~ error[layer-not-literal]
var {:layer 2147483648} c: int; //~ error[layer-not-literal] "too large"
"#,
    );
}

#[test]
fn yield_procedures_and_invariants_have_one_layer() {
    check(
        r#"
yield procedure {:layer 1} A();
yield procedure {:layer 1} {:layer 1} B();
yield procedure C(); //~ error[single-layer-expected] "has none"
yield procedure {:layer 1, 2} D(); //~ error[single-layer-expected]
yield invariant {:layer 1} E();
yield invariant F(); //~ error[single-layer-expected]
invariant G(); //~ error[single-layer-expected]
"#,
    );
}

#[test]
fn specifications_of_yield_procedures_say_at_which_layers_they_hold() {
    check(
        r#"
yield procedure {:layer 2} P(x: int)
requires {:layer 1, 2} x == 0;
requires x == 0; //~ error[layers-expected] "precondition"
ensures x == 0; //~ error[layers-expected] "postcondition"
ensures {:layer 3} x == 0; //~ error[layer-too-high]
{
  var i: int;
  assert {:layer 2} x == 0;
  assert x == 0; //~ error[layers-expected] "assertion"
  assert {:layer 2, 3} x == 0; //~ error[layer-too-high]
  assume x == 0;
  while (i < x)
  invariant {:yields} true;
  invariant {:layer 2} i <= x;
  invariant i <= x; //~ error[layers-expected] "loop invariant"
  { i := i + 1; }
}
"#,
    );
}

#[test]
fn preconditions_of_actions_lie_in_its_layers() {
    check(
        r#"
action {:layer 1, 3} A(x: int)
requires {:layer 1, 3} x == 0;
requires {:layer 2} x == 0;
requires {:layer 4} x == 0; //~ error[layer-outside-action] "[1, 3]"
requires x == 0; //~ error[layers-expected]
{ assert x == 0; }
"#,
    );
}

#[test]
fn measures_of_yield_procedures_have_layers() {
    check(
        r#"
yield left procedure {:layer 2} P(x: int)
measure {:layer 2} x;
measure x; //~ error[layers-expected] "measure"
{ call P(x); }
procedure Q(x: int) measure x; { call Q(x - 1); }
"#,
    );
}

#[test]
fn variables_do_not_outlive_their_procedure() {
    check(
        r#"
yield procedure {:layer 2} P({:layer 2} x: int, {:layer 3} y: int) //~ error[layer-too-high] "variable"
{
  var {:layer 0, 2} a: int;
  var {:layer 0, 3} b: int; //~ error[layer-too-high] "variable"
}
"#,
    );
}

#[test]
fn calls_have_a_layer_range_of_their_procedure() {
    check(
        r#"
pure procedure Lemma();
yield procedure {:layer 2} P()
{
  call {:layer 2} Lemma();
  call {:layer 0, 2} Lemma();
  call {:layer 0, 1, 2} Lemma(); //~ error[layer-range-invalid] "call"
  call {:layer 3} Lemma(); //~ error[layer-too-high] "call"
}
"#,
    );
}

#[test]
fn movers_and_clauses_fit_together() {
    check(
        r#"
var {:layer 0, 2} g: int;
action {:layer 2} A() {}
yield left procedure {:layer 1} P() modifies g; {}
yield procedure {:layer 1} Q() modifies g; {} //~ error[modifies-without-mover]
yield procedure {:layer 1} R() refines A; {}
yield left procedure {:layer 1} S() refines A; {} //~ error[mover-refines]
pure procedure T() modifies g; {} //~ error[pure-modifies] "procedure"
pure action U() modifies g; {} //~ error[pure-modifies] "action"
"#,
    );
}
