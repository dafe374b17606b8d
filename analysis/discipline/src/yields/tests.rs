//! The tables row by row, and the verdicts in both directions.

use hir::{Layer, Stmt};

use super::{ASYNC, ATOMICITY, AsyncLabel, Label, Phase, call_labels};
use crate::fixture::{Database, check, errors, program};

#[test]
fn every_row_of_the_atomicity_table_is_as_written_in_the_manual() {
    use Phase::{After, Before};
    // P, B, R, L, N, Y
    let before = [Some(Before), Some(Before), Some(Before), Some(After), Some(After), Some(Before)];
    let after = [Some(After), Some(After), None, Some(After), None, Some(Before)];
    for (i, label) in Label::ALL.into_iter().enumerate() {
        assert_eq!(ATOMICITY.step(Before, label), before[i], "{label:?}");
        assert_eq!(ATOMICITY.step(After, label), after[i], "{label:?}");
    }
}

#[test]
fn every_row_of_the_async_table_is_as_written_in_the_manual() {
    use Phase::{After, Before};
    // P, M, A, MA, Y
    let before = [Some(Before), Some(Before), Some(After), Some(After), Some(Before)];
    let after = [Some(After), None, Some(After), None, Some(Before)];
    for (i, label) in AsyncLabel::ALL.into_iter().enumerate() {
        assert_eq!(ASYNC.step(Before, label), before[i], "{label:?}");
        assert_eq!(ASYNC.step(After, label), after[i], "{label:?}");
    }
}

/// Callees of every kind, and one procedure that calls each of them at layers 0 to 2.
const CALLS: &str = r#"
var {:layer 0,3} x: int;
var {:layer 0} low: int;
var {:layer 2} ghost: int;
var {:layer 2} {:linear} pool: UnitMap (One int);
yield invariant {:layer 1} I1();
preserves true;
yield invariant {:layer 2} I2();
preserves true;
pure procedure Lemma();
pure action Ghost() { }
right action {:layer 1,2} A_R() { x := x + 1; }
left action {:layer 1,2} A_L() { }
both action {:layer 1,2} A_B() { x := x + 1; }
atomic action {:layer 1,2} A_N() { x := x + 1; }
yield procedure {:layer 0} R(); refines A_R;
yield procedure {:layer 0} L(); refines A_L;
yield procedure {:layer 0} B(); refines A_B;
yield procedure {:layer 0} N(); refines A_N;
yield procedure {:layer 0} Skip();
yield left procedure {:layer 2} MoverL() { call L(); }
yield both procedure {:layer 2} MoverB() { call B(); }
yield left procedure {:layer 2} Starter() { async call Code(); }
yield left procedure {:layer 2} Again() { call MoverL(); if (*) { call Starter(); } }
yield left procedure {:layer 2} Writer() { call {:layer 2} ghost := Copy(1); call Again(); }
yield left procedure {:layer 2} Round() { if (*) { call Trip(); } }
yield left procedure {:layer 2} Trip() { call Round(); async call {:sync} Writer(); }
yield procedure {:layer 2} Code(); requires call I1();
yield procedure {:layer 2} Free();
yield procedure {:layer 2} P({:layer 2} {:linear_in} p: One int)
{
  var {:layer 2} local: int;
  var {:layer 0} bottom: int;
  call Lemma();
  call Ghost();
  call I1();
  call I2();
  call R();
  call L();
  call B();
  call N();
  call Skip();
  call MoverL();
  call MoverB();
  call Code();
  async call {:sync} L();
  async call Skip();
  async call {:sync} MoverL();
  async call Code();
  async call Free();
  call {:layer 2} ghost := Copy(x);
  call {:layer 2} One_Put(pool, p);
  call {:layer 2} local := Copy(x);
  call {:layer 0} low := Copy(1);
  call {:layer 0} bottom := Copy(x);
  call {:layer 0} bottom := Copy(1);
  call Starter();
  call Again();
  call Writer();
  async call {:sync} Trip();
}
"#;

/// Calls of `P`, with their atomicity and async labels at layers 0, 1 and 2.
const ROWS: &[(&str, &str, &str)] = &[
    ("Lemma", "PPP", "PPP"),
    ("Ghost", "PPP", "PPP"),
    ("I1", "PYP", "PYP"),
    ("I2", "PPY", "PPY"),
    ("R", "YRR", "YMM"),
    ("L", "YLL", "YPP"),
    ("B", "YBB", "YMM"),
    ("N", "YNN", "YMM"),
    ("Skip", "YBB", "YPP"),
    ("MoverL", "YYL", "YYP"),
    ("MoverB", "YYB", "YYM"),
    ("Code", "YYY", "YYY"),
    ("async L", "LLL", "PPP"),
    ("async Skip", "LLL", "PPP"),
    ("async MoverL", "LLL", "PPP"),
    ("async Code", "LLL", "AAA"),
    ("async Free", "LLL", "PPP"),
    ("Copy", "PPP", "PPM"),
    ("One_Put", "PPP", "PPM"),
    ("Copy", "PPP", "PPP"),
    ("Copy", "NPP", "MPP"),
    ("Copy", "NPP", "PPP"),
    ("Copy", "PPP", "PPP"),
    ("Starter", "YYL", "YYA"),
    ("Again", "YYL", "YYA"),
    ("Writer", "YYL", "YYS"),
    ("async Trip", "LLL", "PPS"),
];

#[test]
fn every_row_of_the_label_table_is_as_written_in_the_manual() {
    let db = Database::default();
    let program = program(&db, CALLS);
    let decls = hir::program_decls(&db, program);
    let decl = *decls.iter().find(|it| it.name(&db) == "P").unwrap();
    let body = hir::body(&db, program, decl).unwrap();
    let mut rows = ROWS.iter();
    for stmt in &body.stmts {
        let Stmt::Call { arms, is_async, .. } = stmt else { continue };
        let labels = [0, 1, 2]
            .map(|it| call_labels(&db, program, (&arms[0], *is_async), &body.exprs, Layer(it)));
        let prefix = if *is_async { "async " } else { "" };
        let letter = |label: AsyncLabel| match label {
            AsyncLabel::Private => 'P',
            AsyncLabel::Modifies => 'M',
            AsyncLabel::Async => 'A',
            AsyncLabel::ModifiesAsync => 'S',
            AsyncLabel::Yield => 'Y',
        };
        let row = (
            format!("{prefix}{}", arms[0].callee),
            labels.iter().map(|it| it.atomicity.letter()).collect::<String>(),
            labels.iter().map(|it| letter(it.asynchrony)).collect::<String>(),
        );
        let (name, atomicity, asynchrony) = *rows.next().unwrap();
        assert_eq!(row, (name.to_owned(), atomicity.to_owned(), asynchrony.to_owned()));
    }
    assert_eq!(rows.next(), None);
}

/// Movers of layer 0, to be called at layer 1, and a yield.
const MOVERS: &str = r#"
var {:layer 0,3} x: int;
yield invariant {:layer 1} Y();
preserves true;
right action {:layer 1} A_R() { }
left action {:layer 1} A_L() { }
both action {:layer 1} A_B() { }
atomic action {:layer 1} A_N() { }
yield procedure {:layer 0} R(); refines A_R;
yield procedure {:layer 0} L(); refines A_L;
yield procedure {:layer 0} B(); refines A_B;
yield procedure {:layer 0} N(); refines A_N;
"#;

#[track_caller]
fn check_movers(text: &str) {
    check(&format!("{MOVERS}{text}"));
}

#[test]
fn second_nonmover_needs_a_yield() {
    check_movers(
        r#"
yield procedure {:layer 1} twice()
{
  call N();
  call N(); //~ error[yield-sufficiency] "a second non-mover"
}
yield procedure {:layer 1} apart()
{
  call N();
  call Y();
  call N();
}
"#,
    );
}

#[test]
fn right_movers_nonmover_left_movers_form_one_transaction() {
    check_movers(
        r#"
yield procedure {:layer 1} fine()
{
  call R(); call B(); call R(); call N(); call B(); call L(); call L();
}
yield procedure {:layer 1} wrong()
{
  call L();
  call R(); //~ error[yield-sufficiency] "a right mover after a left mover"
}
"#,
    );
}

#[test]
fn the_refused_path_is_the_shortest_and_names_both_statements() {
    let db = Database::default();
    let text = format!(
        "{MOVERS}yield procedure {{:layer 1}} P()\n{{\n  call R();\n  if (*) {{\n    call L();\n    call B();\n  }}\n  call N();\n}}\n"
    );
    let found = errors(&db, &text);
    let [only] = &found[..] else { panic!("{found:?}") };
    let text_at = |place| {
        let range = hir::place_range(&db, place);
        range.file.text(&db)[range.range].to_owned()
    };
    assert_eq!(text_at(only.primary), "call N()");
    assert_eq!(text_at(only.labels[0].place), "call L()");
    assert_eq!(text_at(only.reported_at.unwrap()), "P");
}

#[test]
fn a_loop_without_yield_repeats_its_transaction() {
    check_movers(
        r#"
yield procedure {:layer 1} bad()
{
  while (*)
  {
    call N(); //~ error[yield-sufficiency]
  }
}
yield procedure {:layer 1} rights()
{
  while (*)
  {
    call R();
  }
  call N();
}
yield procedure {:layer 1} yielding()
{
  while (*)
  invariant {:yields} true;
  {
    call N();
  }
}
"#,
    );
}

/// Stricter than Boogie: it checks refinement layers only, here 3.
#[test]
fn layers_that_only_carry_an_assertion_need_their_yields() {
    let text = |invariant: &str, mark: &str| {
        format!(
            r#"
var {{:layer 0,3}} z: int;
atomic action {{:layer 1,3}} A_Read() returns (r: int) {{ r := z; }}
yield procedure {{:layer 0}} Read() returns (r: int); refines A_Read;
yield invariant {{:layer 2}} Y2(); preserves true;
yield invariant {{:layer 3}} Y3(); preserves true;
yield procedure {{:layer 3}} P()
{{
  var u, v: int;
  call u := Read();
  {invariant}
  call v := Read();{mark}
  assert {{:layer 2}} u == v;
}}
"#
        )
    };
    check(&text("call Y3();", " //~ error[yield-sufficiency] \"layer 2\""));
    check(&text("call Y3() | Y2();", ""));
}

/// Stricter than Boogie: its condition on the end of a right mover never fails.
#[test]
fn a_right_mover_procedure_ends_before_its_commit_point() {
    check_movers(
        r#"
yield right procedure {:layer 1} bad()
{
  call R();
  call L(); //~ error[mover-declaration] "left mover"
}
yield right procedure {:layer 1} good()
{
  call R();
  call B();
}
yield right procedure {:layer 1} sometimes()
{
  if (*) {
    call N(); //~ error[mover-declaration] "non-mover"
  }
}
"#,
    );
}

#[test]
fn mover_procedures_consist_of_their_movers() {
    check_movers(
        r#"
yield left procedure {:layer 1} left_good() { call L(); call B(); call L(); }
yield left procedure {:layer 1} left_bad()
{
  call R(); //~ error[mover-declaration]
}
yield both procedure {:layer 1} both_good() { call B(); }
yield both procedure {:layer 1} both_bad_left()
{
  call L(); //~ error[mover-declaration]
}
yield both procedure {:layer 1} both_bad_right()
{
  call R(); //~ error[mover-declaration]
}
yield atomic procedure {:layer 1} atomic_good() { call R(); call N(); call L(); }
yield atomic procedure {:layer 1} atomic_bad()
{
  call N();
  call N(); //~ error[mover-declaration]
}
"#,
    );
}

/// Stricter than Boogie: at its own layer a mover procedure is one step of its caller.
#[test]
fn a_mover_procedure_does_not_yield_at_its_own_layer() {
    check_movers(
        r#"
yield left procedure {:layer 1} bad()
{
  while (*) //~ error[mover-yields]
  invariant {:yields} true;
  {
    call L();
  }
}
yield left procedure {:layer 1} good()
{
  while (*)
  invariant {:yields} {:layer 0} true;
  {
    call L();
  }
}
"#,
    );
}

#[test]
fn globals_stay_until_a_started_thread_begins() {
    check(
        r#"
var {:layer 0,1} g: int;
yield invariant {:layer 1} I(); preserves true;
both action {:layer 1} A_Write() { g := g + 1; }
both action {:layer 1} A_Read() returns (r: int) { r := g; }
yield procedure {:layer 0} Write(); refines A_Write;
yield procedure {:layer 0} Read() returns (r: int); refines A_Read;
yield procedure {:layer 1} Child(); requires call I();
yield procedure {:layer 1} Independent();
yield procedure {:layer 1} bad()
{
  async call Child();
  call Write(); //~ error[async-sufficiency] "Write"
}
yield procedure {:layer 1} reading()
{
  var r: int;
  async call Child();
  call r := Read();
}
yield procedure {:layer 1} yielding()
{
  async call Child();
  call I();
  call Write();
}
yield procedure {:layer 1} without_precondition()
{
  async call Independent();
  call Write();
}
"#,
    );
}

#[test]
fn a_yield_statement_separates_transactions_at_its_layers() {
    check(
        r#"
var {:layer 0,2} x: int;
atomic action {:layer 1,2} A_N() { x := x + 1; }
yield procedure {:layer 0} N(); refines A_N;
yield procedure {:layer 2} P() { call N(); yield {:layer 1,2} true; call N(); }
yield procedure {:layer 2} Q()
{
  assert {:layer 1} true;
  call N();
  yield;
  call N(); //~ error[yield-sufficiency] "layer 1"
}
yield procedure {:layer 2} R()
{
  while (*)
  invariant {:yields} true;
  {
    call N();
    yield {:layer 1,2};
    call N();
  }
}
yield procedure {:layer 2} S()
{
  while (*) //~ error[loop-must-yield] "layer 2"
  invariant {:yields} {:layer 1} true;
  {
    yield;
  }
}
"#,
    );
}

#[test]
fn a_mover_procedure_has_no_yield_statement_at_its_own_layer() {
    check(
        r#"
yield left procedure {:layer 1} P()
{
  yield; //~ error[mover-yields]
}
yield left procedure {:layer 1} Q()
{
  yield {:layer 0} true;
}
"#,
    );
}

/// Stricter than Boogie: a thread that was started may rely on what ghost code writes, and it does not
/// matter where it was started.
#[test]
fn ghost_code_and_mover_procedures_count_for_started_threads() {
    check(
        r#"
var {:layer 0,1} g: int;
var {:layer 1} ghost: int;
yield invariant {:layer 1} I(); preserves true;
both action {:layer 1} A_Write() { g := g + 1; }
yield procedure {:layer 0} Write(); refines A_Write;
yield procedure {:layer 1} Child(); requires call I();
yield left procedure {:layer 1} Start() { async call Child(); }
yield left procedure {:layer 1} WriteStart() { call Write(); async call Child(); }
yield left procedure {:layer 1} StartWrite()
{
  async call Child();
  call Write(); //~ error[async-sufficiency] "Write"
}
yield left procedure {:layer 1} Nested()
{
  call Start();
  call Write(); //~ error[async-sufficiency] "Write"
}
yield procedure {:layer 1} ghost_write()
{
  async call Child();
  call {:layer 1} ghost := Copy(0); //~ error[async-sufficiency] "Copy"
}
yield procedure {:layer 1} started_in_mover()
{
  call Start();
  call Write(); //~ error[async-sufficiency] "Write"
}
yield procedure {:layer 1} written_in_mover()
{
  async call Child();
  call WriteStart(); //~ error[async-sufficiency] "WriteStart"
}
yield procedure {:layer 1} in_a_loop()
{
  while (*)
  {
    call WriteStart(); //~ error[async-sufficiency] "WriteStart"
  }
}
yield procedure {:layer 1} right_order()
{
  call Write();
  call {:layer 1} ghost := Copy(0);
  call WriteStart();
  call Start();
  call I();
  call Write();
}
"#,
    );
}

/// Stricter than Boogie: at layer 0 a pure call is what the machine does.
#[test]
fn pure_calls_at_layer_0_are_steps_of_the_machine() {
    check(
        r#"
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
var {:layer 0} {:linear} pool: UnitMap (One int);
yield procedure {:layer 0} Read() returns (v: int) { call {:layer 0} v := Copy(x); }
yield procedure {:layer 0} Write(v: int) { call {:layer 0} x := Copy(v); }
yield procedure {:layer 0} Lost()
{
  var v: int;
  call {:layer 0} v := Copy(x);
  call {:layer 0} x := Copy(v + 1); //~ error[yield-sufficiency]
}
"#,
    );
    check(
        r#"
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
var {:layer 0} {:linear} pool: UnitMap (One int);
yield procedure {:layer 0} Increment()
{
  call {:layer 0} x := Copy(x + 1); //~ error[machine-access] "more than once"
}
yield procedure {:layer 0} Both() returns (v: int)
{
  call {:layer 0} v := Copy(x + y); //~ error[machine-access]
  call {:layer 0} v := Copy(old(x)); //~ error[machine-access] "another moment"
}
yield procedure {:layer 0} Put({:linear_in} p: One int)
{
  call {:layer 0} One_Put(pool, p); //~ error[machine-access]
}
yield procedure {:layer 1} Above()
{
  var {:layer 1} k: int;
  call {:layer 1} k := Copy(x + y);
}
"#,
    );
}

/// Stricter than Boogie: a procedure without body makes what it touches real at its layer.
#[test]
fn procedures_without_body_make_state_of_the_machine() {
    check(
        r#"
var {:layer 1,2} x: int;
var {:layer 1,2} ghost: int;
yield procedure {:layer 1} Get() returns (v: int);
refines atomic action {:layer 2} _ { v := x; }
yield procedure {:layer 1} Lost()
{
  var {:layer 1} v: int;
  call {:layer 1} v := Copy(x);
  call {:layer 1} x := Copy(v + 1); //~ error[yield-sufficiency]
}
yield procedure {:layer 1} Ghost()
{
  var {:layer 1} v: int;
  call {:layer 1} v := Copy(ghost);
  call {:layer 1} ghost := Copy(v + ghost);
}
"#,
    );
}
