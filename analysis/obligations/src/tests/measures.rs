//! Measures of loops and procedures.

use super::check_unit;

#[test]
fn a_loop_that_counts_down_to_nothing_ends() {
    let text = "procedure P(n: int)
requires 0 <= n;
{
  var i: int;
  i := n;
  while (i != 0)
  invariant 0 <= i;
  measure i;
  {
    i := i - 1;
  }
}
";
    check_unit(text, "P", "proved");
}

#[test]
fn a_measure_must_not_be_negative_at_the_loop_head() {
    let text = "procedure P(n: int)
{
  var i: int;
  i := n;
  while (i != 0)
  measure i;
  {
    i := i - 1;
  }
}
";
    check_unit(text, "P", "6:11 measure refuted");
}

#[test]
fn a_round_that_does_not_count_is_blamed_on_the_measure() {
    let text = "procedure P(n: int)
requires 0 <= n;
{
  var i: int;
  i := n;
  while (0 < i)
  measure i;
  {
    if (*) {
      i := i - 1;
    }
  }
}
";
    // The reference reports the block that jumps back: here the missing `else`.
    check_unit(text, "P", "9:5 measure refuted");
}

#[test]
fn every_way_back_to_the_head_must_count() {
    let text = "procedure P(n: int)
requires 0 <= n;
{
  var i: int;
  i := n;
  head:
  measure i;
  if (i == 0) { return; }
  if (*) { i := i - 1; goto head; }
  goto head;
}
";
    check_unit(text, "P", "10:3 measure refuted");
}

#[test]
fn measures_are_compared_from_the_left_and_true_is_greater_than_false() {
    let text = |measure: &str| {
        format!(
            "procedure P()
{{
  var a: bool;
  var i: int;
  i := 10;
  while (a || 0 < i)
  invariant 0 <= i;
  measure {measure};
  {{
    if (a) {{ a := false; i := i + 5; }} else {{ i := i - 1; }}
  }}
}}
"
        )
    };
    check_unit(&text("a, i"), "P", "proved");
    check_unit(&text("i, a"), "P", "10:16 measure refuted");
    check_unit(&text("!a, i"), "P", "10:16 measure refuted");
}

#[test]
fn an_inner_loop_does_not_hide_the_outer_one() {
    let text = |outer: &str| {
        format!(
            "procedure P(n: int)
{{
  var i, j: int;
  i := 10;
  while (0 < i)
  measure i;
  {{
    j := 5;
    while (0 < j)
    measure j;
    {{
      j := j - 1;
    }}
    {outer}
  }}
}}
"
        )
    };
    check_unit(&text("i := i - 1;"), "P", "proved");
    check_unit(&text("i := i;"), "P", "14:7 measure refuted");
}

#[test]
fn a_recursive_call_has_a_smaller_measure_than_its_caller() {
    let text = |arg: &str| {
        format!(
            "procedure P(n: int)
measure n;
{{
  if (0 < n) {{
    call P({arg});
  }}
}}
"
        )
    };
    check_unit(&text("n - 1"), "P", "proved");
    check_unit(&text("n"), "P", "5:5 measure refuted");
    check_unit(&text("n - 2"), "P", "5:5 measure refuted");
}

#[test]
fn the_measure_of_the_caller_is_its_value_at_entry() {
    let text = "var x: int;
procedure P()
modifies x;
measure x;
{
  if (0 < x) {
    x := x - 1;
    call P();
    x := 5;
    call P();
  }
}
";
    check_unit(text, "P", "10:5 measure refuted");
}

#[test]
fn a_caller_shows_that_the_measure_is_not_negative() {
    let text = "procedure Q(n: int);
measure n;
procedure P(n: int)
{
  call Q(3);
  call Q(n);
}
";
    check_unit(text, "P", "6:3 measure refuted");
}

#[test]
fn what_changes_before_the_measure_at_a_head_is_not_measured() {
    let text = "procedure P(n: int)
{
  var i: int;
  i := n;
  head:
  havoc i;
  measure i;
  if (i == 0) { return; }
  i := i - 1;
  goto head;
}
";
    let db = super::Database::default();
    let program = super::program(&db, text, &[]);
    let key = super::key(&db, program, "P");
    let found = super::verdicts(&db, program, &key);
    assert!(found.contains("unsupported: a measure after other statements"), "{found}");
}

const LEFT: &str = "var {:layer 0,2} x: int;
yield procedure {:layer 0} Add();
refines left action {:layer 1,2} _ { x := x + 1; }
";

#[test]
fn recursive_mover_procedures_have_smaller_measures() {
    let text = |arg: &str| {
        format!(
            "{LEFT}yield left procedure {{:layer 1}} P(n: int)
measure {{:layer 1}} n;
{{
  if (0 < n) {{
    call Add();
    call Q({arg});
  }}
}}
yield left procedure {{:layer 1}} Q(n: int)
requires {{:layer 1}} 0 < n;
measure {{:layer 1}} n;
{{
  call P(n - 1);
}}
"
        )
    };
    check_unit(&text("n"), "Civl_P_1", "9:5 measure refuted");
    let fine = text("n").replace("measure {:layer 1} n;", "measure {:layer 1} 2 * n;");
    let fine = fine.replacen("2 * n;", "2 * n + 1;", 1);
    check_unit(&fine, "Civl_P_1", "proved");
    check_unit(&fine.replace("n - 1", "n"), "Civl_Q_1", "16:3 measure refuted");
    check_unit(&fine, "Civl_Q_1", "proved");
}

#[test]
fn a_measure_of_another_layer_measures_nothing() {
    let text = format!(
        "{LEFT}yield left procedure {{:layer 2}} P(n: int)
measure {{:layer 2}} n;
{{
  if (0 < n) {{ call Q(n - 1); }}
}}
yield left procedure {{:layer 2}} Q(n: int)
measure {{:layer 1}} n;
{{
  call P(n - 1);
}}
"
    );
    check_unit(&text, "Civl_P_2", "7:16 measure refuted");
}

#[test]
fn every_caller_of_a_mover_procedure_shows_that_its_measure_is_not_negative() {
    let text = format!(
        "{LEFT}yield left procedure {{:layer 1}} P(n: int)
measure {{:layer 1}} n;
{{
}}
yield procedure {{:layer 1}} Main(n: int)
{{
  call P(7);
  call P(n);
}}
"
    );
    check_unit(&text, "Civl_Main_1", "11:3 measure refuted");
    check_unit(&text, "Civl_Main_Refine_1", "proved");
}

#[test]
fn loops_of_copies_are_measured_at_the_layers_they_name() {
    let text = "var {:layer 0,2} x: int;
yield procedure {:layer 2} P(n: int)
{
  var i: int;
  i := n;
  while (i != 0)
  measure {:layer 1} i;
  {
    i := i - 1;
  }
  assert {:layer 1} true;
}
";
    check_unit(text, "Civl_P_1", "7:22 measure refuted");
    check_unit(text, "Civl_P_2", "proved");
    check_unit(text, "Civl_P_Refine_2", "proved");
}
