//! Left movers end: errors for those that never do, warnings for those that may not.

use base::Severity;

use crate::fixture::{Database, check, line, program};
use crate::program_diagnostics;

const MOVERS: &str = r#"
left action {:layer 1} A_L() { }
yield procedure {:layer 0} L(); refines A_L;
"#;

#[track_caller]
fn check_movers(text: &str) {
    check(&format!("{MOVERS}{text}"));
}

/// The lines of warnings.
fn warned(text: &str) -> Vec<u32> {
    let db = Database::default();
    let found = program_diagnostics(&db, program(&db, text));
    let warnings = found.iter().filter(|(_, it)| it.severity == Severity::Warning);
    warnings.map(|(_, it)| line(&db, it.primary)).collect()
}

/// Stricter than Boogie: it does not ask whether left movers end.
#[test]
fn an_endless_loop_is_an_error() {
    check_movers(
        r#"
yield left procedure {:layer 1} Forever()
{
  while (true) //~ error[mover-endless]
  {
    call L();
  }
}
yield left procedure {:layer 1} Sometimes()
{
  while (true)
  {
    call L();
    if (*) { break; }
  }
}
yield right procedure {:layer 1} Right()
{
  while (true)
  {
  }
}
"#,
    );
}

/// Stricter than Boogie: it does not ask whether left movers end.
#[test]
fn a_recursion_without_base_case_is_an_error() {
    check_movers(
        r#"
yield left procedure {:layer 1} Forever(n: int)
{
  call L();
  call Forever(n + 1); //~ error[mover-endless]
}
yield left procedure {:layer 1} A() { call B(); }
yield left procedure {:layer 1} B() { if (*) { call A(); } }
yield left procedure {:layer 1} C()
{
  async call {:sync} D(); //~ error[mover-endless]
}
yield left procedure {:layer 1} D()
{
  call C(); //~ error[mover-endless]
}
yield left procedure {:layer 1} Measured(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  call Measured(n - 1);
}
"#,
    );
}

#[test]
fn loops_that_count_or_have_a_measure_end() {
    let text = r#"
yield left procedure {:layer 1} P(n: int)
{
  var i, j: int;
  i := 0;
  while (i < n) { i := i + 1; }
  while (0 <= i && *) { i := i - 1; }
  while (n > i)
  {
    if (*) { i := i + 2; } else { i := 1 + i; }
  }
  while (i != n)
  measure {:layer 1} n;
  {
  }
}
"#
    .replace(" && *", " && i == i");
    assert_eq!(warned(&text), []);
}

#[test]
fn other_loops_and_recursions_are_warned_about() {
    let text = r#"yield left procedure {:layer 1} P(n: int)
{
  var i, j: int;
  while (i != n) { i := i + 1; }
  while (i < n) { i := i - 1; }
  while (i < n) { if (*) { i := i + 1; } }
  while (i < j) { i := i + 1; j := j + 1; }
  while (i < n) { i := i + 1; havoc i; }
  if (*) { call P(n); }
}
"#;
    assert_eq!(warned(text), [4, 5, 6, 7, 8, 9]);
}

#[test]
fn a_loop_up_to_a_bound_that_its_invariant_names_ends() {
    let text = r#"yield left procedure {:layer 1} P(n: int)
{
  var i: int;
  while (i != n)
  invariant {:layer 1} 0 <= i && i <= n;
  {
    i := i + 1;
  }
  while (0 != i)
  invariant {:layer 1} i >= 0;
  {
    i := i - 1;
  }
}
"#;
    assert_eq!(warned(text), []);
    // The wrong way, a free invariant (which is an assumption too), another layer, another bound.
    assert_eq!(warned(&text.replace("i + 1", "i - 1")), [4]);
    assert_eq!(
        warned(&text.replace("invariant {:layer 1} 0", "free invariant {:layer 1} 0")),
        [5, 4]
    );
    assert_eq!(warned(&text.replace("{:layer 1} i >= 0", "{:layer 0} i >= 0")), [9]);
    assert_eq!(warned(&text.replace("i <= n", "i <= n + 1")), [4]);
}

#[test]
fn loops_made_of_jumps_are_warned_about() {
    let text = r#"yield left procedure {:layer 1} P(n: int)
{
  again:
  if (*) { goto again; }
}
"#;
    assert_eq!(warned(text), [3]);
    let measured = text.replace("again:\n", "again: measure {:layer 1} n;\n");
    assert_eq!(warned(&measured), []);
}

#[test]
fn a_recursion_whose_parameter_counts_ends() {
    let down = r#"yield left procedure {:layer 1} P(n: int)
requires {:layer 1} 0 <= n;
{
  if (n != 0) { call P(n - 1); }
}
"#;
    assert_eq!(warned(down), []);
    assert_eq!(warned(&down.replace("call P", "async call {:sync} P")), []);
    // Not smaller, without precondition, at another layer, the wrong way, only sometimes.
    assert_eq!(warned(&down.replace("n - 1", "n")), [4]);
    assert_eq!(warned(&down.replace("0 <= n", "n == n")), [4]);
    assert_eq!(warned(&down.replace("{:layer 1} 0", "{:layer 0} 0")), [4]);
    assert_eq!(warned(&down.replace("n - 1", "n + 1")), [4]);
    assert_eq!(warned(&down.replace("P(n - 1);", "P(n - 1); call P(n);")), [4, 4]);
    let up = r#"yield left procedure {:layer 1} P(i: int, n: int)
requires {:layer 1} 0 <= i && i <= n;
{
  if (i < n) { call P(i + 1, n); }
}
"#;
    assert_eq!(warned(up), []);
    assert_eq!(warned(&up.replace("i + 1, n)", "i + 1, n + 1)")), [4]);
}

#[test]
fn a_recursion_through_others_needs_a_measure() {
    let text = r#"yield left procedure {:layer 1} P(n: int)
requires {:layer 1} 0 <= n;
{
  if (0 < n) { call P(n - 1); call Q(n); }
}
yield left procedure {:layer 1} Q(n: int)
requires {:layer 1} 0 <= n;
{
  if (0 < n) { call P(n); }
}
"#;
    assert_eq!(warned(text), [4, 9]);
}

#[test]
fn a_counter_that_meets_its_bound_ends_the_loop() {
    let text = r#"yield left procedure {:layer 1} P(n: int)
requires {:layer 1} n >= 0;
{
  var i: int;
  i := 0;
  while (i != n) { i := i + 1; }
}
"#;
    assert_eq!(warned(text), []);
    assert_eq!(warned(&text.replace("(i != n)", "(n != i && i < 7)")), []);
    // Starts too late, steps over the bound, twice a round, only sometimes, the wrong way, nothing
    // known about the bound, started elsewhere.
    assert_eq!(warned(&text.replace("i := 0", "i := 1")), [6]);
    assert_eq!(warned(&text.replace("i + 1", "i + 2")), [6]);
    assert_eq!(warned(&text.replace("i := i + 1;", "i := i + 1; i := i + 1;")), [6]);
    assert_eq!(warned(&text.replace("i := i + 1;", "if (*) { i := i + 1; }")), [6]);
    assert_eq!(warned(&text.replace("i + 1", "i - 1")), [6]);
    assert_eq!(warned(&text.replace("n >= 0", "n >= n")), [6]);
    assert_eq!(warned(&text.replace("n >= 0", "n <= 0")), [6]);
    assert_eq!(warned(&text.replace("{:layer 1} n", "{:layer 0} n")), [6]);
    assert_eq!(warned(&text.replace("i := 0;", "if (*) { i := 0; }")), [6]);
    let inner = "while (*) measure {:layer 1} n; { i := i + 1; }";
    assert_eq!(warned(&text.replace("i := i + 1;", inner)), [6]);
}

const WRITERS: &str = r#"
var {:layer 0,1} x: int;
right action {:layer 1} A_R() { assume x == 0; }
yield procedure {:layer 0} R(); refines A_R;
atomic action {:layer 1} A_N() { x := 1; }
yield procedure {:layer 0} N(); refines A_N;
yield invariant {:layer 1} Y();
"#;

/// Stricter than Boogie: it takes a transaction that never ends for one that never happened.
#[test]
fn after_the_commit_nothing_may_wait() {
    check(&format!(
        "{WRITERS}{}",
        r#"
yield procedure {:layer 1} P(b: bool)
{
  call R();
  assume b;
  while (true) { if (*) { break; } }
  call N();
  assume b; //~ warning[committed-blocks]
  assume true;
  call Y();
  assume b;
  while (*) { }
}
yield procedure {:layer 1} Loop(b: bool)
{
  call N();
  while (b) { } //~ warning[committed-blocks]
  while (*) //~ warning[committed-blocks]
  {
    if (*) { return; }
  }
}
yield procedure {:layer 1} Forever()
{
  call N();
  while (true) { } //~ error[committed-blocks]
}
yield procedure {:layer 1} Again()
{
  call N();
  while (true) //~ warning[committed-blocks]
  {
    if (*) { call Y(); return; }
  }
}
"#
    ));
}

#[test]
fn ghost_code_ends() {
    check(
        r#"
pure procedure A(n: int) { assume 0 < n; } //~ warning[ghost-blocks]
pure procedure B(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } }
pure procedure C(n: int) { while (n < 0) { } } //~ warning[ghost-blocks]
pure procedure D() { call E(); } //~ warning[ghost-blocks]
pure procedure E() { if (*) { call D(); } } //~ warning[ghost-blocks]
pure procedure F(n: int) requires 0 <= n; measure n; { if (0 < n) { call F(n - 1); } }
procedure G() { assume false; }
pure procedure H() { call H(); } //~ error[ghost-blocks]
"#,
    );
}

#[test]
fn a_loop_whose_guard_is_an_invariant_is_never_left() {
    check(
        r#"
yield left procedure {:layer 1} bad()
{
  var i, n: int;
  n := i + 1;
  while (i < old(n) && 0 <= n - i) //~ error[mover-endless]
  invariant {:layer 1} i < n && 0 <= n - i;
  {
    i, n := i + 1, n + 1;
  }
}
yield left procedure {:layer 1} good(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
  invariant {:layer 0} i < n;
  invariant {:layer 1} i <= n || n < 0;
  {
    i := i + 1;
  }
}
"#,
    );
}
