//! The tables of access, calls and refinement, row by row, in both directions.

use crate::fixture::check;

/// Variables with all sorts of lifetimes around layer 2.
const VARIABLES: &str = r#"
var {:layer 0,3} g: int;
var {:layer 2,3} late: int;
var {:layer 0,1} gone: int;
yield invariant {:layer 1} I1(n: int); preserves true;
yield invariant {:layer 2} I2(n: int); preserves true;
yield procedure {:layer 2} Callee(n: int);
pure procedure Lemma(n: int);
"#;

#[track_caller]
fn check_access(text: &str) {
    check(&format!("{VARIABLES}{text}"));
}

#[test]
fn actions_use_variables_introduced_below_and_visible_throughout() {
    check_access(
        r#"
atomic action {:layer 1,2} A() { g := 1; }
atomic action {:layer 2} B() { g := late; } //~ error[introduced-late] "late"
atomic action {:layer 3} C() { g := late; }
atomic action {:layer 1,2} D() returns (r: int) { r := gone; } //~ error[var-out-of-layer] "gone"
atomic action {:layer 1} E() returns (r: int) { r := gone; }
"#,
    );
}

#[test]
fn action_preconditions_read_no_globals() {
    check_access(
        r#"
invariant {:layer 2} G(n: int); preserves true;
atomic action {:layer 2} A(n: int) requires {:layer 2} n == 0; requires call G(n); { }
atomic action {:layer 2} B(n: int) requires {:layer 2} g == 0; { } //~ error[global-outside-old] "g"
atomic action {:layer 2} C(n: int) requires call G(g); { } //~ error[global-outside-old] "g"
"#,
    );
}

#[test]
fn invariants_use_variables_of_their_layer() {
    check_access(
        r#"
yield invariant {:layer 2} A(); preserves late == g;
yield invariant {:layer 2} B(); preserves gone == 0; //~ error[var-out-of-layer] "gone"
invariant {:layer 2} C(); preserves late == 0; //~ error[introduced-late] "late"
invariant {:layer 3} D(); preserves late == 0;
"#,
    );
}

#[test]
fn contracts_read_globals_inside_old_or_at_a_mover_s_own_layer() {
    check_access(
        r#"
yield procedure {:layer 2} P();
requires {:layer 2} g == 0; //~ error[global-outside-old] "g"
requires {:layer 1} true;
ensures {:layer 2} old(g) == 0;
ensures {:layer 2} old(gone) == 0; //~ error[var-out-of-layer] "gone"
yield left procedure {:layer 2} M();
requires {:layer 2} g == 0;
ensures {:layer 2} g == old(g);
ensures {:layer 1} g == 0; //~ error[global-outside-old] "g"
ensures {:layer 1,2} g == 0; //~ error[global-outside-old] "g"
preserves {:layer 2} g == 0;
preserves {:layer 1} true; //~ error[preserves-clause]
yield procedure {:layer 2} Q();
preserves {:layer 2} true; //~ error[preserves-clause]
"#,
    );
}

#[test]
fn invariant_calls_of_contracts_read_globals_of_the_invariant_s_layer() {
    check_access(
        r#"
yield procedure {:layer 2} P();
requires call I2(g);
requires call I1(late); //~ error[var-out-of-layer] "late"
preserves call I2(g); //~ error[global-outside-old] "g"
preserves call I2(old(g));
ensures call I2(g); //~ error[global-outside-old] "g"
ensures call I2(old(g));
"#,
    );
}

#[test]
fn statements_read_and_write_what_their_rows_allow() {
    check_access(
        r#"
yield procedure {:layer 2} P()
{
  var l: int;
  var {:layer 2} top: int;
  assert {:layer 2} g == late;
  assert {:layer 1,2} g == late; //~ error[var-out-of-layer] "late"
  assume g == 0; //~ error[global-outside-old] "g"
  assume old(g) == 0; //~ error[old-in-code] "g"
  assume old(late) == 0; //~ error[var-out-of-layer] "late" error[old-in-code]
  assume top == 0; //~ error[var-out-of-layer] "top"
  if (g == 0) { } //~ error[global-outside-old] "g"
  if (old(g) == 0) { } //~ error[old-in-code] "g"
  while (g == 0) { } //~ error[global-outside-old] "g"
  l := g; //~ error[global-outside-old] "g"
  l := old(g); //~ error[old-in-code] "g"
  l := old(late); //~ error[var-out-of-layer] "late" error[old-in-code]
  top := old(late);
  l := top; //~ error[var-out-of-layer] "top"
  top := l;
  g := 0; //~ error[global-written] "g"
}
"#,
    );
}

/// Stricter than Boogie, which accepts it as a private step.
#[test]
fn havoc_of_a_global_is_a_write() {
    check_access(
        r#"
yield procedure {:layer 2} P()
{
  var l: int;
  havoc l;
  havoc g; //~ error[global-written] "g"
}
"#,
    );
}

#[test]
fn arguments_exist_at_the_layers_of_their_parameters() {
    check_access(
        r#"
yield procedure {:layer 2} P()
{
  var {:layer 2} top: int;
  call I2(g);
  call I1(late); //~ error[var-out-of-layer] "late"
  call I2(top);
  call I1(top); //~ error[var-out-of-layer] "top"
  call Callee(g); //~ error[global-outside-old] "g"
  call Callee(old(g)); //~ error[old-in-code] "g"
  call Callee(top); //~ error[var-out-of-layer] "top"
  call {:layer 2} Lemma(late);
  call {:layer 1} Lemma(late); //~ error[var-out-of-layer] "late"
  call Lemma(g); //~ error[pure-call-layer]
  call {:layer 1,2} Lemma(g); //~ error[pure-call-layer]
  call {:layer 2} Lemma(top);
  call Lemma(top); //~ error[var-out-of-layer] "top"
}
"#,
    );
}

#[test]
fn results_live_no_longer_than_what_is_stored_in_them() {
    check(
        r#"
yield procedure {:layer 1} Get() returns (r: int);
pure procedure Make() returns (r: int);
yield procedure {:layer 2} P()
{
  var l: int;
  var {:layer 0,1} low: int;
  var {:layer 2} top: int;
  call l := Get(); //~ error[result-layer] "l"
  call low := Get();
  call l := Make();
  call {:layer 2} l := Make(); //~ error[result-layer] "l"
  call {:layer 2} top := Make();
}
"#,
    );
}

#[test]
fn ghost_globals_are_written_where_they_are_introduced() {
    check(
        r#"
var {:layer 1,3} ghost: int;
var {:layer 2,3} top: int;
var {:layer 1,1} only: int;
var {:layer 0,3} plain: int;
yield procedure {:layer 2} P()
{
  call {:layer 2} top := Copy(3);
  call {:layer 1} only := Copy(3);
  call {:layer 1} ghost := Copy(3); //~ error[pure-call-hidden] "ghost"
  call {:layer 2} plain := Copy(3); //~ error[pure-call-introduced] "plain"
}
"#,
    );
}

/// Callees for a caller at layer 2.
const CALLEES: &str = r#"
var {:layer 0,3} x: int;
left action {:layer 1,3} A_L() { }
atomic action {:layer 1,3} A_N() { }
atomic action {:layer 1} A_Short() { }
yield procedure {:layer 0} L(); refines A_L;
yield procedure {:layer 0} N(); refines A_N;
yield procedure {:layer 0} Short(); refines A_Short;
yield procedure {:layer 0} Skip();
left action {:layer 3} A_Same() { }
yield procedure {:layer 2} Same(); refines A_Same;
yield procedure {:layer 3} Above();
yield left procedure {:layer 2} MoverL();
yield right procedure {:layer 2} MoverR();
yield left procedure {:layer 1} MoverBelow();
yield invariant {:layer 2} I2(); preserves true;
yield invariant {:layer 3} I3(); preserves true;
"#;

#[test]
fn every_row_of_the_call_table_is_as_written_in_the_manual() {
    check(&format!(
        "{CALLEES}{}",
        r#"
yield procedure {:layer 2} P()
{
  call Above(); //~ error[callee-layer]
  call Skip();
  async call Skip();
  async call L(); //~ error[async-not-synchronized]
  async call {:sync} L();
  async call {:sync} N(); //~ error[sync-not-left] "A_N"
  call Short(); //~ error[callee-action-missing]
  call Same();
  async call {:sync} Same(); //~ error[callee-layer]
  call MoverBelow(); //~ error[callee-layer]
  call MoverL();
  async call {:sync} MoverL();
  async call {:sync} MoverR(); //~ error[sync-not-left]
  call I2();
  call I3(); //~ error[callee-layer]
}
yield left procedure {:layer 2} M()
{
  call L();
  call Same(); //~ error[mover-caller]
  call MoverL();
  call I2(); //~ error[callee-layer]
}
"#
    ));
}

#[test]
fn actions_keep_to_their_rules() {
    check(
        r#"
var {:layer 0,9} x: int;
atomic action {:layer 1,3} Wide() { }
atomic action {:layer 2} Narrow() { }
pure action Pure() { }
pure procedure Lemma();
invariant {:layer 2} G(); preserves true;
yield invariant {:layer 2} Y(); preserves true;
atomic action {:layer 1,3} A() { call Wide(); call Pure(); }
atomic action {:layer 1,3} B()
{
  call Narrow(); //~ error[action-callee-range]
}
atomic action {:layer 2} C()
{
  call Lemma(); //~ error[action-callee]
}
atomic action {:layer 2} D() //~ error[action-loop]
{
  while (*) { }
}
atomic action {:layer 1,2} E() //~ error[action-precondition-layer]
requires {:layer 1} true;
{ }
atomic action {:layer 2} F() requires call G(); { }
atomic action {:layer 2} H() requires call Y(); { } //~ error[action-precondition-layer]
atomic action {:layer 1,2} R() refines Narrow; { } //~ error[refined-action-missing]
atomic action {:layer 1} S() refines Narrow; { }
"#,
    );
}

#[test]
fn actions_do_not_call_each_other_in_a_circle() {
    let db = crate::fixture::Database::default();
    let text = "
atomic action {:layer 1} A() { call B(); }
atomic action {:layer 1} B() { call A(); }
";
    let found = crate::fixture::errors(&db, text);
    assert!(!found.is_empty());
    assert!(found.iter().all(|it| it.code.as_str() == "action-cycle"), "{found:?}");
}

/// Stricter than Boogie, which crashes.
#[test]
fn an_action_has_a_body() {
    check(
        r#"
atomic action {:layer 1} A(); //~ error[action-without-body]
"#,
    );
}

#[test]
fn an_action_has_no_second_body() {
    check_access(
        r#"
atomic action {:layer 1} A();
implementation A() { g := 1; }
implementation A() { g := 2; } //~ error[action-bodies] "`A`"
atomic action {:layer 1} B();
implementation B() { g := 1; }
"#,
    );
}

#[test]
fn signatures_agree_in_number_name_type_and_linearity() {
    check(
        r#"
atomic action {:layer 2} A({:linear} t: One int, n: int) returns (r: int) { }
yield procedure {:layer 1} P0({:linear} t: One int, n: int) returns (r: int); refines A;
yield procedure {:layer 1} P1({:linear} t: One int) returns (r: int); refines A; //~ error[refinement-signature]
yield procedure {:layer 1} P2({:linear} t: One int, m: int) returns (r: int); refines A; //~ error[refinement-signature] "m"
yield procedure {:layer 1} P3({:linear} t: One int, n: bool) returns (r: int); refines A; //~ error[refinement-signature] "n"
yield procedure {:layer 1} P4({:linear_in} t: One int, n: int) returns (r: int); refines A; //~ error[refinement-signature] "t"
yield procedure {:layer 1} P5({:linear} t: One int, n: int, {:hide} h: int, {:layer 0} low: int) returns (r: int); refines A;
"#,
    );
}

#[test]
fn a_procedure_refines_an_action_of_the_next_layer() {
    check(
        r#"
atomic action {:layer 2} A() { }
yield procedure {:layer 1} P(); refines A;
yield procedure {:layer 2} Q(); refines A; //~ error[refined-action-missing]
"#,
    );
}

#[test]
fn mover_procedures_change_variables_of_their_layer() {
    check(
        r#"
var {:layer 0,1} low: int;
var {:layer 0,3} x: int;
left action {:layer 1,2} A() { x := 0; }
left action {:layer 1} B() { low := 0; }
yield procedure {:layer 0} PA(); refines A;
yield left procedure {:layer 2} M() { call PA(); }
yield left procedure {:layer 2} N(); //~ error[mover-modifies] "low"
modifies low;
"#,
    );
}
