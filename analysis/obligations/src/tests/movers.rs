//! Checks of actions: programs that pass, and the same programs broken in one place.

use super::mutation::{every_assertion_can_fail, every_assumption_is_needed};
use super::{Database, check_unit, program};
use crate::units;

/// The list of units about actions, with skips.
fn listed(text: &str) -> Vec<String> {
    let db = Database::default();
    let program = program(&db, text, &[]);
    let line = |unit: &crate::UnitEntry| match unit.skipped {
        Some(why) => format!("{} ({})", unit.name, crate::render::skip(why)),
        None => unit.name.clone(),
    };
    let units = units(&db, program);
    let units = units.iter().filter(|unit| unit.name.contains("Check"));
    units.filter(|unit| !unit.name.contains("Assert")).map(line).collect()
}

/// A lock: acquiring moves right, releasing moves left.
const LOCK: &str = "
var {:layer 0,1} lock: Option int;
var {:layer 0,1} x: int;
right action {:layer 1} Acquire({:linear} tid: One int)
{
  assume lock == None();
  lock := Some(tid->val);
}
left action {:layer 1} Release({:linear} tid: One int)
{
  assert lock == Some(tid->val);
  lock := None();
}
both action {:layer 1} Add({:linear} tid: One int, k: int)
{
  assert lock == Some(tid->val);
  x := x + k;
}
";

#[test]
fn the_actions_of_a_lock_move_as_they_say() {
    let names = listed(LOCK);
    let wanted: Vec<&str> =
        names.iter().filter(|name| !name.contains('(')).map(String::as_str).collect();
    assert_eq!(
        wanted,
        [
            "Civl_CommutativityChecker_Acquire_Acquire",
            "Civl_CommutativityChecker_Acquire_Release",
            "Civl_GatePreservationChecker_Release_Acquire",
            "Civl_GatePreservationChecker_Add_Acquire",
            "Civl_CommutativityChecker_Release_Release",
            "Civl_GatePreservationChecker_Release_Release",
            "Civl_FailurePreservationChecker_Release_Release",
            "Civl_GatePreservationChecker_Add_Release",
            "Civl_FailurePreservationChecker_Add_Release",
            "Civl_CommutativityChecker_Add_Add",
        ]
    );
    for name in wanted {
        check_unit(LOCK, name, "proved");
    }
}

#[test]
fn a_skipped_check_says_why() {
    let names = listed(LOCK);
    let skips: Vec<&String> = names.iter().filter(|name| name.contains('(')).collect();
    assert!(
        skips.contains(&&"Civl_CommutativityChecker_Acquire_Add (disjoint variables)".to_owned())
    );
    assert!(
        skips.contains(&&"Civl_NonblockingChecker_Release (no assumption in the body)".to_owned())
    );
}

#[test]
fn without_permissions_the_holder_of_a_lock_is_anybody() {
    let text = LOCK.replace("{:linear} ", "");
    let refuted = |name: &str, expected: &str| check_unit(&text, name, expected);
    refuted("Civl_CommutativityChecker_Release_Release", "proved");
    refuted("Civl_GatePreservationChecker_Release_Release", "11:3 gate-preservation refuted");
    refuted("Civl_GatePreservationChecker_Add_Release", "16:3 gate-preservation refuted");
}

#[test]
fn a_lock_that_can_be_taken_twice_is_refuted() {
    let text = LOCK.replace("  assume lock == None();\n", "");
    check_unit(&text, "Civl_CommutativityChecker_Acquire_Acquire", "4:25 commutativity refuted");
    check_unit(
        &text,
        "Civl_GatePreservationChecker_Release_Acquire",
        "10:3 gate-preservation refuted",
    );
}

#[test]
fn a_parameter_that_is_not_declared_linear_gives_nothing() {
    // verification.md 14.3: by type alone `t` would be apart from itself.
    let text = "
var {:layer 0,1} a: [One int]int;
right action {:layer 1} W(t: One int, v: int) { a[t] := v; }
";
    check_unit(text, "Civl_CommutativityChecker_W_W", "3:25 commutativity refuted");
    let linear = text.replace("(t", "({:linear} t");
    check_unit(&linear, "Civl_CommutativityChecker_W_W", "proved");
}

#[test]
fn a_map_that_is_not_declared_linear_may_be_ill_formed() {
    let text = "
var {:layer 0,1} y: int;
right action {:layer 1} A(m: Map int int) { if (!Map_WellFormed(m)) { y := 2 * y; } }
atomic action {:layer 1} B() { y := y + 1; }
";
    check_unit(text, "Civl_CommutativityChecker_A_B", "3:25 commutativity refuted");
}

/// Increments commute; a doubling does not commute with them.
const SUM: &str = "
var {:layer 0,1} x: int;
both action {:layer 1} Inc(k: int) returns (r: int) { x := x + k; r := k; }
atomic action {:layer 1} Other(k: int) { x := x - k; }
";

#[test]
fn sums_commute_and_products_do_not() {
    for name in ["Inc_Inc", "Inc_Other", "Other_Inc"] {
        check_unit(SUM, &format!("Civl_CommutativityChecker_{name}"), "proved");
    }
    let broken = SUM.replace("x - k", "x * k");
    check_unit(&broken, "Civl_CommutativityChecker_Inc_Inc", "proved");
    check_unit(&broken, "Civl_CommutativityChecker_Inc_Other", "3:24 commutativity refuted");
    check_unit(&broken, "Civl_CommutativityChecker_Other_Inc", "4:26 commutativity refuted");
    let leaks = SUM.replace("r := k", "r := x");
    check_unit(&leaks, "Civl_CommutativityChecker_Inc_Inc", "3:24 commutativity refuted");
}

#[test]
fn what_either_action_writes_is_compared() {
    let text = "
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
right action {:layer 1} Write(k: int) { x := x + k; }
right action {:layer 1} Read() { y := x; }
";
    check_unit(text, "Civl_CommutativityChecker_Write_Read", "4:25 commutativity refuted");
    check_unit(text, "Civl_CommutativityChecker_Read_Write", "5:25 commutativity refuted");
}

#[test]
fn nothing_is_skipped_for_an_action_that_is_not_understood() {
    let text = "
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
both action {:layer 1} A() { x := 1; }
both action {:layer 1} B() { y := 1; }
";
    let name = "Civl_CommutativityChecker_A_B";
    assert!(listed(text).contains(&format!("{name} (disjoint variables)")));
    let text = text.replace("y := 1;", "var v: int where v > 0; y := 1;");
    assert!(listed(&text).contains(&name.to_owned()));
    check_unit(&text, name, "0:0 unsupported: a `where` clause in an action");
}

#[test]
fn both_gates_hold_before_two_actions_are_compared() {
    let text = "
var {:layer 0,1} x: int;
right action {:layer 1} A(k: int) { assert k > 0; x := if k > 0 then x + k else 2 * x; }
atomic action {:layer 1} B(k: int) { assert k < 0; x := if k < 0 then x - k else 3 * x; }
";
    let name = "Civl_CommutativityChecker_A_B";
    check_unit(text, name, "proved");
    for gate in ["assert k > 0; ", "assert k < 0; "] {
        check_unit(&text.replace(gate, ""), name, "3:25 commutativity refuted");
    }
}

#[test]
fn chance_on_one_side_can_be_repeated_on_the_other() {
    let text = "
var {:layer 0,1} x: [int]int;
both action {:layer 1} A(i: int) { var v: int; havoc v; assume v > i; x[i] := v; }
";
    check_unit(text, "Civl_CommutativityChecker_A_A", "proved");
    // The second run must not be able to choose what the first one did.
    let text = text.replace("x[i] := v;", "x[i] := x[i] + v;");
    check_unit(&text, "Civl_CommutativityChecker_A_A", "proved");
    let broken = "
var {:layer 0,1} x: int;
both action {:layer 1} A() returns (v: int) { assume v > x; x := x + v; }
";
    check_unit(broken, "Civl_CommutativityChecker_A_A", "3:24 commutativity refuted");
}

#[test]
fn a_local_that_nobody_assigns_is_chosen_anew_by_each_run() {
    let text = "
var {:layer 0,1} x: int;
both action {:layer 1} A(i: int) { var v: int; x := v; }
";
    check_unit(text, "Civl_CommutativityChecker_A_A", "proved");
    let text = "
var {:layer 0,1} x: int;
both action {:layer 1} A(i: int) returns (b: bool) { var v: int; b := x == v; x := v; }
";
    // The other order has what it needs: it may choose the values in another order, too.
    check_unit(text, "Civl_CommutativityChecker_A_A", "proved");
}

#[test]
fn boolean_chance_is_tried_both_ways() {
    let text = "
var {:layer 0,1} x: int;
both action {:layer 1} A(i: bool) { var v: bool; assume v || i; if (v) { x := x + 1; } }
atomic action {:layer 1} B() { assert x > 0; }
";
    check_unit(text, "Civl_CommutativityChecker_A_A", "proved");
    check_unit(text, "Civl_NonblockingChecker_A", "proved");
    check_unit(text, "Civl_GatePreservationChecker_B_A", "proved");
    let hidden = "4:32 failure-preservation refuted";
    check_unit(text, "Civl_FailurePreservationChecker_B_A", hidden);
    let blocks = text.replace("v || i", "v && i");
    check_unit(&blocks, "Civl_NonblockingChecker_A", "3:24 nonblocking refuted");
}

#[test]
fn an_unassigned_result_is_arbitrary_in_both_orders() {
    let text = "
var {:layer 0,1} x: int;
both action {:layer 1} A(k: int) returns (r: int) { x := x + k; }
";
    check_unit(text, "Civl_CommutativityChecker_A_A", "proved");
}

/// A failure of `Check` must not vanish because `Set` ran first.
const FAILURE: &str = "
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
left action {:layer 1} Set() { y := 5; }
atomic action {:layer 1} Check() { assert y < 7 || x > 0; }
";

#[test]
fn a_left_mover_must_not_hide_a_failure() {
    check_unit(
        FAILURE,
        "Civl_FailurePreservationChecker_Check_Set",
        "5:36 failure-preservation refuted",
    );
    let gated = FAILURE.replace("Set() {", "Set() { assert y == 5;");
    check_unit(&gated, "Civl_FailurePreservationChecker_Check_Set", "proved");
    // By chance Set can also leave the failure: some outcome fails.
    let chance = FAILURE.replace("y := 5", "if (*) { y := 5; }");
    check_unit(&chance, "Civl_FailurePreservationChecker_Check_Set", "proved");
}

#[test]
fn a_condition_that_a_left_mover_does_not_touch_fails_after_it_as_well() {
    let text = "
var {:layer 0,1} x: int;
left action {:layer 1} L(i: int) { var v: int; assume v * v > i; x := 3; }
atomic action {:layer 1} A(b: bool) { assert b; assume x > 0; assert x > 0; }
";
    // Whether `L` has an outcome is its own question.
    check_unit(text, "Civl_FailurePreservationChecker_A_L", "proved");
    check_unit(text, "Civl_NonblockingChecker_L", "3:24 nonblocking unknown");
}

#[test]
fn a_left_mover_that_blocks_hides_every_failure() {
    let text = FAILURE.replace("y := 5;", "assume y < 7; y := 5;");
    check_unit(
        &text,
        "Civl_FailurePreservationChecker_Check_Set",
        "5:36 failure-preservation refuted",
    );
    check_unit(&text, "Civl_NonblockingChecker_Set", "4:24 nonblocking refuted");
}

const BLOCKING: &str = "
var {:layer 0,1} x: int;
left action {:layer 1} A(k: int)
{
  var v: int;
  assert k > 0;
  assume v > k && v < k + 2;
  if (x > v) { x := v; }
}
";

#[test]
fn a_left_mover_has_an_outcome() {
    check_unit(BLOCKING, "Civl_NonblockingChecker_A", "proved");
    let broken = BLOCKING.replace("k + 2", "k + 1");
    check_unit(&broken, "Civl_NonblockingChecker_A", "3:24 nonblocking refuted");
    let gated = BLOCKING.replace("assume v > k", "assume k != 0 && v > k");
    check_unit(&gated, "Civl_NonblockingChecker_A", "proved");
    let ungated = gated.replace("assert k > 0;", "");
    check_unit(&ungated, "Civl_NonblockingChecker_A", "3:24 nonblocking refuted");
}

/// A gate about a permission that the action is going to take out of a set.
const TAKES: &str = "
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} flag: bool;
atomic action {:layer 1} Take({:linear_out} k: One int)
{
  assert flag;
  call One_Get(pool, k);
}
right action {:layer 1} Lower() { flag := false; }
";

#[test]
fn an_input_that_is_nobodys_yet_is_apart_from_nothing() {
    check_unit(TAKES, "Civl_GatePreservationChecker_Take_Lower", "6:3 gate-preservation refuted");
}

const SUFFICIENT: &str = "
var {:layer 0,1} x: int;
action {:layer 1} A(k: int)
asserts x > k;
{
  assert x >= k;
  x := x + 1;
  assert x > k + 1;
}
";

#[test]
fn declared_gates_suffice_for_the_body() {
    check_unit(SUFFICIENT, "A_GateSufficiencyChecker", "proved");
    let weaker = SUFFICIENT.replace("asserts x > k", "asserts x >= k");
    check_unit(&weaker, "A_GateSufficiencyChecker", "8:3 gate-sufficiency refuted");
    let none = SUFFICIENT.replace("asserts x > k", "asserts true");
    check_unit(
        &none,
        "A_GateSufficiencyChecker",
        "6:3 gate-sufficiency refuted\n8:3 gate-sufficiency refuted",
    );
}

const REFINES: &str = "
var {:layer 0,2} x: int;
var {:layer 0,1} low: int;
atomic action {:layer 1} A(k: int) returns (r: int)
refines B;
{
  assert k > 0;
  low := 7;
  x := x + k;
  r := x;
}
atomic action {:layer 2} B(k: int) returns (r: int)
{
  var d: int;
  assert k > 1;
  assume d > 0;
  x := x + d;
  r := x;
}
";

#[test]
fn an_action_does_what_the_refined_action_can_do() {
    check_unit(REFINES, "A_RefinementCheck", "proved");
    let gate = REFINES.replace("assert k > 0", "assert k > 2");
    check_unit(&gate, "A_RefinementCheck", "7:3 assertion refuted");
    let effect = REFINES.replace("x := x + k", "x := x - k");
    check_unit(&effect, "A_RefinementCheck", "11:1 action-refinement refuted");
    let result = REFINES.replace("r := x;\n}\natomic", "r := k;\n}\natomic");
    check_unit(&result, "A_RefinementCheck", "11:1 action-refinement refuted");
    let visible = REFINES.replace("0,1} low", "0,2} low");
    check_unit(&visible, "A_RefinementCheck", "11:1 action-refinement refuted");
}

const GLOBAL: &str = "
var {:layer 0,1} x: int;
var {:layer 0,1} {:linear} pool: UnitMap (One int);
var {:layer 0,1} a: [One int]int;
invariant {:layer 1} Positive();
preserves x > 0;
invariant {:layer 1} Mine({:linear} k: One int);
preserves a[k] == 3;
atomic action {:layer 1} Grow({:linear} k: One int, d: int)
{
  assert d > 0;
  x := x + d;
  a[k] := d;
}
";

#[test]
fn an_action_preserves_global_invariants() {
    let name = "Civl_Global_NoninterferenceChecker_Grow_1";
    check_unit(GLOBAL, name, "proved");
    let gate = GLOBAL.replace("assert d > 0;", "");
    check_unit(&gate, name, "6:1 noninterference refuted");
    let ordinary = GLOBAL.replace("Grow({:linear} k", "Grow(k");
    check_unit(&ordinary, name, "8:1 noninterference refuted");
    let shared = GLOBAL.replace("Mine({:linear} k", "Mine(k");
    check_unit(&shared, name, "8:1 noninterference refuted");
    // Permissions that the action finds in a global are not those of another thread either.
    let found = GLOBAL
        .replace("Grow({:linear} k", "Grow(k")
        .replace("assert d > 0;", "assert d > 0 && Map_Contains(pool, k);");
    check_unit(&found, name, "proved");
}

#[test]
fn a_free_clause_is_assumed_and_not_asserted() {
    let text = "
var {:layer 0,1} x: int;
invariant {:layer 1} I();
free preserves x > 3;
preserves x > 0;
atomic action {:layer 1} A() { x := x - 2; }
";
    check_unit(text, "Civl_Global_NoninterferenceChecker_A_1", "proved");
    let broken = text.replace("x > 3", "x > 1");
    check_unit(&broken, "Civl_Global_NoninterferenceChecker_A_1", "5:1 noninterference refuted");
}

/// A left mover that relies on an invariant.
const RELIES: &str = "
var {:layer 0,1} x: int;
invariant {:layer 1} Positive(k: int);
preserves x > k;
left action {:layer 1} A(k: int)
requires call Positive(k);
requires {:layer 1} k > 3;
{
  assume x > 4;
}
atomic action {:layer 1} B()
{
  assert x != 2;
  x := x + 1;
}
";

#[test]
fn preconditions_of_a_left_mover_are_assumed() {
    let names = listed(RELIES);
    let wanted: Vec<&String> = names.iter().filter(|name| !name.contains('(')).collect();
    assert_eq!(
        wanted,
        [
            "Civl_CommutativityChecker_B_A_1",
            "Civl_NonblockingChecker_A_1",
            "Civl_Global_NoninterferenceChecker_B_1",
        ]
    );
    check_unit(RELIES, "Civl_CommutativityChecker_B_A_1", "proved");
    check_unit(RELIES, "Civl_NonblockingChecker_A_1", "proved");
    let without = RELIES.replace("requires {:layer 1} k > 3;\n", "");
    check_unit(&without, "Civl_NonblockingChecker_A_1", "5:24 nonblocking refuted");
    let without = RELIES.replace("requires call Positive(k);\n", "");
    check_unit(&without, "Civl_NonblockingChecker_A_1", "5:24 nonblocking refuted");
}

/// A left mover that needs `w > 0` to commute, to hide no failure, and for its own gate.
const RELIES_IN_PAIRS: &str = "
var {:layer 0,1} v: int;
var {:layer 0,1} w: int;
var {:layer 0,1} z: int;
invariant {:layer 1} Inv();
preserves w > 0;
left action {:layer 1} Y()
requires call Inv();
{
  assert v > 0;
  z := if w > 0 then z - w else 5;
}
atomic action {:layer 1} X() { assert z > 0; z := z + 1; }
atomic action {:layer 1} V() { v := v + w; }
";

#[test]
fn preconditions_hold_in_every_check_of_a_left_mover() {
    let broken = RELIES_IN_PAIRS.replace("preserves w > 0", "preserves w > w - 1");
    let checks = [
        ("Civl_CommutativityChecker_X_Y_1", "13:26 commutativity refuted"),
        ("Civl_GatePreservationChecker_Y_V_1", "10:3 gate-preservation refuted"),
        ("Civl_FailurePreservationChecker_X_Y_1", "13:32 failure-preservation refuted"),
    ];
    for (name, refuted) in checks {
        check_unit(RELIES_IN_PAIRS, name, "proved");
        check_unit(&broken, name, refuted);
    }
}

/// Every assumption of these units is needed.
const NEEDED: [(&str, &str); 6] = [
    (
        "var {:layer 0,1} x: [int]int;
right action {:layer 1} A({:linear} t: One int) { assert t->val > 5; x[t->val] := 1; }
atomic action {:layer 1} B({:linear} s: One int) { assert s->val > 3; x[7] := x[s->val]; }",
        "Civl_CommutativityChecker_A_A",
    ),
    (
        "var {:layer 0,1} x: int;
right action {:layer 1} A(k: int) { assert k > 0; x := x + k; }
atomic action {:layer 1} B() { assert x > 0; }",
        "Civl_GatePreservationChecker_B_A",
    ),
    (
        "var {:layer 0,1} x: int;
left action {:layer 1} A(k: int) { assert k < 0; x := x + k; }
atomic action {:layer 1} B() { assert x > 0; }",
        "Civl_FailurePreservationChecker_B_A",
    ),
    (
        "var {:layer 0,1} x: int;
left action {:layer 1} A(k: int) { assert k < 0; assume x > k || x < 0; }",
        "Civl_NonblockingChecker_A",
    ),
    (SUFFICIENT, "A_GateSufficiencyChecker"),
    (
        "var {:layer 0,1} x: int;
invariant {:layer 1} I();
preserves x > 3;
atomic action {:layer 1} A(k: int) { assert k > 0; x := x + k; }",
        "Civl_Global_NoninterferenceChecker_A_1",
    ),
];

#[test]
fn no_assumption_of_a_check_is_idle() {
    for (text, name) in &NEEDED[1..] {
        every_assumption_is_needed(text, name);
    }
}

#[test]
fn no_check_is_vacuous() {
    for (text, name) in NEEDED {
        every_assertion_can_fail(text, name);
    }
    every_assertion_can_fail(SUM, "Civl_CommutativityChecker_Inc_Other");
    every_assertion_can_fail(REFINES, "A_RefinementCheck");
    every_assertion_can_fail(GLOBAL, "Civl_Global_NoninterferenceChecker_Grow_1");
}

/// As in the reference: no unit may be called like something of the program.
#[test]
fn names_of_units_keep_clear_of_names_in_the_program() {
    let text = "
var {:layer 0, 1} x: int;
yield invariant {:layer 1} Civl_Inv();
preserves x == x;
both action {:layer 1} A() { }
yield procedure {:layer 1} P() { }
";
    let db = Database::default();
    let program = program(&db, text, &[]);
    let units = units(&db, program);
    let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    assert!(names.contains(&"Civl__P_1") && names.contains(&"Civl__P_Refine_1"), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("Civl__")), "{names:?}");
    let built = crate::kind::build(crate::World::new(&db, program), &units[units.len() - 1].key);
    assert_eq!(built.name, units[units.len() - 1].name);
}
