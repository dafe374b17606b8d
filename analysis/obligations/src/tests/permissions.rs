//! What linearity gives to the checks of actions, and what it does not.

use super::check_unit;

/// `unit` is proved for `text`, and refuted, with this verdict, once `from` is replaced by `to`.
#[track_caller]
fn check_needed(text: &str, unit: &str, (from, to): (&str, &str), refuted: &str) {
    check_unit(text, unit, "proved");
    assert!(text.contains(from));
    check_unit(&text.replace(from, to), unit, refuted);
}

#[test]
fn inputs_of_different_threads_are_apart_before_they_are_consumed() {
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} A({:linear_in} t: One int) { a[t] := 1; }
atomic action {:layer 1} B({:linear_in} s: One int) { a[s] := 2; }
";
    let unit = "Civl_CommutativityChecker_A_B";
    check_needed(text, unit, ("B({:linear_in} s", "B(s"), "3:25 commutativity refuted");
    check_needed(text, unit, ("A({:linear_in} t", "A(t"), "3:25 commutativity refuted");
    // Nobody holds a `linear_out` input yet.
    check_needed(text, unit, ("B({:linear_in}", "B({:linear_out}"), "3:25 commutativity refuted");
}

#[test]
fn an_output_is_apart_from_inputs_that_are_still_held() {
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} A() returns ({:linear} o: One int) { a[o] := 1; }
atomic action {:layer 1} B({:linear} s: One int) { a[s] := 2; }
";
    let unit = "Civl_CommutativityChecker_A_B";
    check_needed(text, unit, ("({:linear} o", "(o"), "3:25 commutativity refuted");
    check_needed(text, unit, ("({:linear} s", "(s"), "3:25 commutativity refuted");
}

#[test]
fn an_output_is_apart_from_what_the_first_action_keeps() {
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} A({:linear} t: One int) { a[t] := 1; }
atomic action {:layer 1} B() returns ({:linear} o: One int) { a[o] := 2; }
";
    let unit = "Civl_CommutativityChecker_A_B";
    check_needed(text, unit, ("({:linear} o", "(o"), "3:25 commutativity refuted");
    check_needed(text, unit, ("({:linear} t", "(t"), "3:25 commutativity refuted");
    // What the first action takes may be handed out by the second one.
    check_needed(text, unit, ("({:linear} t", "({:linear_in} t"), "3:25 commutativity refuted");
}

#[test]
fn outputs_of_both_actions_are_apart() {
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} A() returns ({:linear} o: One int) { a[o] := 1; }
atomic action {:layer 1} B() returns ({:linear} p: One int) { a[p] := 2; }
";
    let unit = "Civl_CommutativityChecker_A_B";
    check_needed(text, unit, ("({:linear} p", "(p"), "3:25 commutativity refuted");
}

#[test]
fn a_waiting_input_is_apart_from_an_output() {
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} B() returns ({:linear} o: One int) { a[o] := 1; }
atomic action {:layer 1} A({:linear_in} t: One int) { assert a[t] == 0; }
";
    let unit = "Civl_GatePreservationChecker_A_B";
    check_needed(text, unit, ("({:linear} o", "(o"), "4:55 gate-preservation refuted");
    check_needed(text, unit, ("({:linear_in} t", "(t"), "4:42 gate-preservation refuted");
}

#[test]
fn a_failure_survives_only_between_different_permissions() {
    let text = "
var {:layer 0,1} a: [One int]int;
left action {:layer 1} B({:linear} s: One int) { a[s] := 0; }
atomic action {:layer 1} A({:linear} t: One int) { assert a[t] == 0; }
";
    let unit = "Civl_FailurePreservationChecker_A_B";
    check_needed(text, unit, ("B({:linear} s", "B(s"), "4:52 failure-preservation refuted");
}

#[test]
fn inputs_and_globals_are_apart_where_an_action_starts() {
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
left action {:layer 1} A({:linear} s: One int, {:linear} t: One int)
{
  assume s != t;
  assume !Map_Contains(pool, s);
}
";
    let unit = "Civl_NonblockingChecker_A";
    check_needed(text, unit, ("{:linear} t", "t"), "3:24 nonblocking refuted");
    check_needed(text, unit, ("{:linear} pool", "pool"), "3:24 nonblocking refuted");
    let asserted = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
action {:layer 1} A({:linear} s: One int, {:linear} t: One int)
asserts true;
{
  assert s != t;
  assert !Map_Contains(pool, s);
}
";
    let unit = "A_GateSufficiencyChecker";
    check_needed(asserted, unit, ("{:linear} t", "t"), "6:3 gate-sufficiency refuted");
    check_needed(asserted, unit, ("{:linear} pool", "pool"), "7:3 gate-sufficiency refuted");
}

#[test]
fn sets_of_permissions_are_disjoint() {
    let text = "
left action {:layer 1} A({:linear} s: UnitMap (One int), {:linear} t: UnitMap (One int), k: One int)
{
  assume !(Map_Contains(s, k) && Map_Contains(t, k));
}
";
    let unit = "Civl_NonblockingChecker_A";
    check_needed(text, unit, ("{:linear} t", "t"), "2:24 nonblocking refuted");
}

#[test]
fn many_sets_of_permissions_are_disjoint() {
    let text = "
var {:layer 0,1} {:linear} p: UnitMap (One int);
var {:layer 0,1} {:linear} q: UnitMap (One int);
var {:layer 0,1} {:linear} r: UnitMap (One int);
left action {:layer 1} A({:linear} s: UnitMap (One int), k: One int)
{
  assume !(Map_Contains(p, k) && Map_Contains(q, k));
  assume !(Map_Contains(r, k) && Map_Contains(s, k));
  assume !(Map_Contains(q, k) && Map_Contains(s, k));
}
";
    let unit = "Civl_NonblockingChecker_A";
    check_needed(text, unit, ("{:linear} q", "q"), "5:24 nonblocking refuted");
    check_needed(text, unit, ("{:linear} r", "r"), "5:24 nonblocking refuted");
    check_needed(text, unit, ("{:linear} s", "s"), "5:24 nonblocking refuted");
}

#[test]
fn permissions_in_a_datatype_are_held_under_its_constructor() {
    let text = "
datatype Token { Nothing(), Single(one: One int), Many(some: UnitMap (One int), last: One int) }
left action {:layer 1} A({:linear} s: Token, {:linear} t: One int)
{
  assume s is Single ==> s->one != t;
  assume s is Many ==> s->last != t && !Map_Contains(s->some, t);
}
";
    let unit = "Civl_NonblockingChecker_A";
    check_needed(text, unit, ("{:linear} s", "s"), "3:24 nonblocking refuted");
    // Other constructors hold nothing there.
    check_needed(text, unit, ("s is Many ==> ", ""), "3:24 nonblocking refuted");
    check_needed(text, unit, ("s is Single ==> ", ""), "3:24 nonblocking refuted");
}

#[test]
fn values_of_maps_hold_nothing_that_is_known() {
    let text = "
left action {:layer 1} A({:linear} s: Map int (One int), {:linear} t: One int, k: int)
{
  assume Map_Contains(s, k) ==> Map_At(s, k) != t;
}
";
    check_unit(text, "Civl_NonblockingChecker_A", "2:24 nonblocking refuted");
}

#[test]
fn a_linear_map_is_well_formed() {
    let text = "
left action {:layer 1} A({:linear} s: Map (One int) int, k: One int)
{
  assume Map_Contains(s, k) || s->val[k] == Default();
}
";
    let unit = "Civl_NonblockingChecker_A";
    check_needed(text, unit, ("{:linear} s", "s"), "2:24 nonblocking refuted");
}

/// `Held` works under its own permission, `Pooled` under one in a global set.
const POOL: &str = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
both action {:layer 1} Held({:linear} t: One int)
{
  assert a[t] == 0 || a[t] == 1;
  a[t] := 0;
}
both action {:layer 1} Pooled(k: One int)
{
  assert Map_Contains(pool, k);
  assert a[k] == 0 || a[k] == 1;
  a[k] := 1;
}
";

#[test]
fn globals_of_either_action_are_apart_from_inputs() {
    let ordinary = ("{:linear} pool", "pool");
    let checks = [
        ("Civl_CommutativityChecker_Held_Pooled", "4:24 commutativity refuted"),
        ("Civl_CommutativityChecker_Pooled_Held", "9:24 commutativity refuted"),
    ];
    for (unit, refuted) in checks {
        check_needed(POOL, unit, ordinary, refuted);
    }
    let text = POOL.replace("a[k] := 1;", "a[k] := 7;").replace("a[t] := 0;", "a[t] := 7;");
    let checks = [
        ("Civl_GatePreservationChecker_Held_Pooled", "6:3 gate-preservation refuted"),
        ("Civl_GatePreservationChecker_Pooled_Held", "12:3 gate-preservation refuted"),
    ];
    for (unit, refuted) in checks {
        check_needed(&text, unit, ordinary, refuted);
    }
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
left action {:layer 1} P(k: One int) { if (Map_Contains(pool, k)) { a[k] := 1; } }
left action {:layer 1} H({:linear} t: One int) { a[t] := 1; }
atomic action {:layer 1} FailsHeld({:linear} t: One int) { assert a[t] == 1; }
atomic action {:layer 1} FailsPooled(k: One int) { assert !Map_Contains(pool, k) || a[k] == 1; }
";
    let checks = [
        ("Civl_FailurePreservationChecker_FailsHeld_P", "6:60 failure-preservation refuted"),
        ("Civl_FailurePreservationChecker_FailsPooled_H", "7:52 failure-preservation refuted"),
    ];
    for (unit, refuted) in checks {
        check_needed(text, unit, ordinary, refuted);
    }
}

#[test]
fn globals_of_preconditions_are_apart_from_inputs() {
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
invariant {:layer 1} Pooled(k: One int);
preserves Map_Contains(pool, k);
left action {:layer 1} Y(k: One int)
requires call Pooled(k);
{
  assert a[k] == 0;
  a[k] := 0;
}
atomic action {:layer 1} X({:linear} t: One int)
{
  assert a[t] == 0;
  a[t] := 1;
}
left action {:layer 1} Z(k: One int, {:linear} t: One int)
requires call Pooled(k);
{
  assume k != t;
}
";
    let ordinary = ("{:linear} pool", "pool");
    check_needed(text, "Civl_CommutativityChecker_X_Y_1", ordinary, "12:26 commutativity refuted");
    check_needed(
        text,
        "Civl_GatePreservationChecker_Y_X_1",
        ordinary,
        "9:3 gate-preservation refuted",
    );
    check_needed(text, "Civl_NonblockingChecker_Z_1", ordinary, "17:24 nonblocking refuted");
    let ungated = text.replace("  assert a[k] == 0;\n", "");
    check_needed(
        &ungated,
        "Civl_FailurePreservationChecker_X_Y_1",
        ordinary,
        "13:3 failure-preservation refuted",
    );
}

#[test]
fn globals_of_an_invariant_are_apart_from_inputs() {
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
invariant {:layer 1} Pooled(k: One int);
preserves Map_Contains(pool, k) ==> a[k] == 0;
atomic action {:layer 1} W({:linear} t: One int) { a[t] := 1; }
";
    let unit = "Civl_Global_NoninterferenceChecker_W_1";
    check_needed(text, unit, ("{:linear} pool", "pool"), "5:1 noninterference refuted");
    check_needed(text, unit, ("{:linear} t", "t"), "5:1 noninterference refuted");
    check_needed(text, unit, ("{:linear} t", "{:linear_out} t"), "5:1 noninterference refuted");
}

#[test]
fn an_action_holds_what_it_finds_where_it_starts() {
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
invariant {:layer 1} Mine({:linear} k: One int);
preserves a[k] == 0;
atomic action {:layer 1} Take() returns ({:linear} o: One int)
{
  assume Map_Contains(pool, o);
  call One_Get(pool, o);
  a[o] := 1;
}
";
    let unit = "Civl_Global_NoninterferenceChecker_Take_1";
    check_needed(text, unit, ("{:linear} pool", "pool"), "5:1 noninterference refuted");
}

#[test]
fn what_was_consumed_is_apart_from_nothing() {
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} y: int;
right action {:layer 1} A() { y := 2; }
atomic action {:layer 1} B({:linear_in} s: One int) { y := 1; call One_Put(pool, s); }
";
    check_unit(text, "Civl_CommutativityChecker_A_B", "4:25 commutativity refuted");
}

#[test]
fn what_nobody_holds_yet_is_apart_from_nothing() {
    // For each check: an input of kind `linear_out` may be in the set.
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
left action {:layer 1} Take({:linear_out} k: One int)
{
  assume Map_Contains(pool, k);
  call One_Get(pool, k);
}
";
    check_unit(text, "Civl_NonblockingChecker_Take", "4:24 nonblocking refuted");
    let text = text.replace("assume Map", "assume !Map");
    check_unit(&text, "Civl_NonblockingChecker_Take", "4:24 nonblocking refuted");
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
left action {:layer 1} L(k: One int) { assert Map_Contains(pool, k); a[k] := 0; }
atomic action {:layer 1} A({:linear_out} t: One int)
{
  assert a[t] == 0;
  call One_Get(pool, t);
}
";
    let refuted = "7:3 failure-preservation refuted";
    check_unit(text, "Civl_FailurePreservationChecker_A_L", refuted);
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
left action {:layer 1} L({:linear_out} k: One int) { a[k] := 0; call One_Get(pool, k); }
atomic action {:layer 1} A(t: One int)
{
  assert !Map_Contains(pool, t) || a[t] == 0;
}
";
    check_unit(text, "Civl_FailurePreservationChecker_A_L", refuted);
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
right action {:layer 1} R({:linear_out} k: One int) { a[k] := 1; call One_Get(pool, k); }
atomic action {:layer 1} A(t: One int)
{
  assert !Map_Contains(pool, t) || a[t] == 0;
  a[t] := 2;
}
";
    check_unit(text, "Civl_CommutativityChecker_R_A", "4:25 commutativity refuted");
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
action {:layer 1} Take({:linear_out} k: One int)
asserts Map_Contains(pool, k);
{
  assert false;
}
";
    check_unit(text, "Take_GateSufficiencyChecker", "6:3 gate-sufficiency refuted");
    let text = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} flag: bool;
right action {:layer 1} R({:linear_out} k: One int) { flag := false; call One_Get(pool, k); }
atomic action {:layer 1} A() { assert flag; }
";
    check_unit(text, "Civl_GatePreservationChecker_A_R", "5:32 gate-preservation refuted");
}
