//! Annotations of loops and loops that must yield, in both directions.

use crate::fixture::check;

#[test]
fn a_loop_yields_up_to_one_layer_of_its_procedure() {
    check(
        r#"
yield procedure {:layer 1} P()
{
  while (*)
  invariant {:yields} {:layer 0,1} true; //~ error[loop-yield-layers]
  {
  }
  while (*)
  invariant {:yields} {:layer 2} true; //~ error[loop-yield-too-high] "layer 2"
  {
  }
  while (*)
  invariant {:yields} {:layer 1} true;
  {
  }
}
"#,
    );
}

#[test]
fn yield_invariants_of_a_loop_need_a_yield_at_their_layer() {
    check(
        r#"
yield invariant {:layer 1} I1(); preserves true;
yield invariant {:layer 2} I2(); preserves true;
yield procedure {:layer 2} P()
{
  while (*) //~ error[loop-yield-missing]
  invariant call I1(); //~ error[loop-invariant-layer] "layer 1"
  {
  }
  while (*)
  invariant {:yields} {:layer 1} true;
  invariant call I1();
  invariant call I2(); //~ error[loop-invariant-layer] "layer 2"
  {
  }
  while (*)
  invariant {:yields} true;
  invariant call I1();
  invariant call I2();
  {
  }
}
"#,
    );
}

#[test]
fn ordinary_invariants_do_not_mention_globals_where_the_loop_yields() {
    check(
        r#"
var {:layer 0,2} g: int;
yield procedure {:layer 2} P()
{
  while (*)
  invariant {:yields} {:layer 1} true;
  invariant {:layer 1} g == 0; //~ error[loop-invariant-global] "g"
  invariant {:layer 1,2} g == 1; //~ error[loop-invariant-global] "g"
  invariant {:layer 2} g == 2;
  invariant {:layer 1} old(g) == 3;
  {
  }
  while (*)
  invariant {:layer 1,2} g == 4;
  {
  }
}
"#,
    );
}

/// Taking calls and annotation out of the head must not shift where its invariants end.
#[test]
fn the_last_invariant_of_a_head_is_checked_like_the_first() {
    check(
        r#"
var {:layer 0,1} g: int;
yield invariant {:layer 1} I(); preserves true;
yield procedure {:layer 1} P()
{
head:
  call I();
  assert {:yields} {:layer 1} true;
  assert {:layer 1} true;
  assert {:layer 1} g == 0; //~ error[loop-invariant-global] "g"
  goto head, done;
done:
}
"#,
    );
}

#[test]
fn a_loop_around_a_yield_yields() {
    check(
        r#"
yield invariant {:layer 1} I(); preserves true;
yield procedure {:layer 1} P()
{
  while (*) //~ error[loop-must-yield] "layer 1"
  {
    call I();
  }
  while (*) //~ error[loop-must-yield]
  {
    while (*)
    invariant {:yields} true;
    {
      call I();
    }
  }
  while (*)
  invariant {:yields} true;
  {
    while (*)
    {
    }
    call I();
  }
}
"#,
    );
}

/// Stricter than Boogie: it drops such conditions without a word.
#[test]
fn a_condition_beside_yields_is_no_assertion() {
    check(
        r#"
yield procedure {:layer 1} P(n: int)
{
  assert {:yields} n > 0; //~ error[yields-condition] "never checked"
  assert {:yields} {:layer 1} n > 0;
  assert {:yields} true;
  while (*)
  invariant {:yields} n > 0; //~ error[yields-condition] "annotation"
  {
  }
  while (*)
  free invariant {:yields} {:layer 1} n > 0; //~ error[yields-condition] "annotation"
  {
  }
  while (*)
  invariant {:yields} {:layer 1} true;
  invariant {:layer 1} n > 0;
  {
  }
}
procedure Q(n: int)
{
  assert {:yields} n > 0;
}
"#,
    );
}
