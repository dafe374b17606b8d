//! Calls: counts, results, who may call whom (language.md 4.2).

use crate::test_db::check;

#[test]
fn a_callee_must_be_declared() {
    check(
        r#"
procedure P() { call P(); call Q(); }
                        //^^^^ error[undeclared-procedure]: `Q`
"#,
    );
}

#[test]
fn calls_give_as_many_arguments_and_results_as_declared() {
    check(
        r#"
procedure P(x: int) returns (y: int);
procedure Q()
{
  var a, b: int;
  call a := P(1);
  call a := P(); //~ error[call-arity] "takes one argument, but 0"
  call a, b := P(1); //~ error[call-arity] "returns one result, but 2"
  call P(1); //~ error[call-arity]
}
"#,
    );
}

#[test]
fn a_call_stores_each_result_elsewhere() {
    check(
        r#"
procedure P() returns (x: int, y: int);
procedure Q()
{
  var a, b: int;
  call a, b := P();
  call a, a := P(); //~ error[call-result-twice]
}
"#,
    );
}

#[test]
fn arms_do_not_touch_each_others_results() {
    check(
        r#"
yield procedure {:layer 1} P(i: int) returns (o: int);
yield procedure {:layer 1} Q()
{
  var a, b: int;
  call a := P(a) | b := P(b);
  call a := P(1) | a := P(2); //~ error[parallel-result-twice]
  call a := P(1) | b := P(a); //~ error[parallel-result-read]
}
"#,
    );
}

#[test]
fn an_asynchronous_call_has_no_results() {
    check(
        r#"
yield procedure {:layer 1} P(i: int);
yield procedure {:layer 1} R() returns (o: int);
yield procedure {:layer 1} Q()
{
  var a: int;
  async call P(1);
  async call a := R(); //~ error[async-results]
}
"#,
    );
}

#[test]
fn specifications_call_invariants() {
    check(
        r#"
yield invariant {:layer 1} I(x: int);
yield procedure {:layer 1} P(x: int);
requires call I(x);
preserves call I(x);
ensures call I(x);
requires call P(x); //~ error[invariant-expected]
"#,
    );
}

#[test]
fn procedures_call_procedures() {
    check(
        r#"
procedure Plain();
pure procedure Pure();
pure action PureAction() {}
action {:layer 1} A() { call PureAction(); }
yield procedure {:layer 1} Y();
yield invariant {:layer 1} I();
procedure P() { call Plain(); call Pure(); }
procedure Q() { call A(); } //~ error[callee-kind]
procedure R() { call Y(); } //~ error[callee-kind]
procedure S() { call I(); } //~ error[callee-kind]
pure procedure T() { call Pure(); }
pure procedure U() { call Plain(); } //~ error[callee-kind] "pure"
pure action V() { call PureAction(); }
pure action W() { call A(); } //~ error[callee-kind] "pure"
yield procedure {:layer 1} X() { call Pure(); call PureAction(); call Y(); call I(); }
yield procedure {:layer 1} Z() { call A(); } //~ error[callee-kind] "yield procedure"
yield procedure {:layer 1} ZZ() { call Plain(); } //~ error[callee-kind] "yield procedure"
"#,
    );
}

#[test]
fn only_yield_procedures_call_asynchronously() {
    check(
        r#"
pure procedure Pure();
yield procedure {:layer 1} Y();
yield procedure {:layer 1} P() { async call Y(); }
yield procedure {:layer 1} Q() { async call Pure(); } //~ error[async-target]
action {:layer 1} B() {}
action {:layer 1} A() { async call B(); }
procedure R() { async call R(); } //~ error[async-target] "only yield procedures"
"#,
    );
}

#[test]
fn arguments_and_results_have_the_declared_types() {
    check(
        r#"
procedure P<a>(x: a, m: [a]int) returns (y: a);
procedure Q()
{
  var i: int;
  var b: bool;
  var m: [int]int;
  call i := P(i, m);
  call b := P(b, m); //~ error[argument-type] "argument 2"
  call b := P(i, m); //~ error[result-type]
}
"#,
    );
}
