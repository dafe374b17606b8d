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
