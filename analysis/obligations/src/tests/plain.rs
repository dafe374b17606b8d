//! Plain procedures.
#![expect(clippy::disallowed_methods, reason = "the corpus is found at test time")]

use base::LibraryName;

use super::{Database, check_unit, check_with, key, program, verdicts};
use crate::units;

/// Where the public corpus is, on machines that have it; without it these tests say nothing.
pub(super) const CORPUS: &str = match option_env!("CIVL_CORPUS") {
    Some(path) => path,
    None => "/work/corpus/Test/civl",
};

#[test]
fn an_assertion_is_proved_from_what_was_assigned() {
    check_unit("procedure P(x: int) { var y: int; y := x + 1; assert y > x; }", "P", "proved");
}

#[test]
fn a_false_assertion_is_refuted_at_its_keyword() {
    check_unit("procedure P(x: int)\n{\n  assert x > 0;\n}\n", "P", "3:3 assertion refuted");
}

#[test]
fn preconditions_are_assumed_and_postconditions_asserted_at_each_return() {
    let text = "procedure P(x: int) returns (y: int)
requires x > 0;
ensures y > 1;
{
  if (x > 5) {
    y := 0;
    return;
  }
  y := x + 1;
}
";
    check_unit(text, "P", "7:5 postcondition refuted");
}

#[test]
fn calls_demand_preconditions_and_give_postconditions() {
    let text = "var g: int;
procedure Q(x: int) returns (y: int);
requires x > 0;
modifies g;
ensures y == old(g) + x;
ensures g == old(g) + 1;
free ensures y >= 100;
procedure P()
modifies g;
{
  var a, b: int;
  b := g;
  call a := Q(3);
  assert a == b + 3 && g == b + 1 && a >= 100;
  call a := Q(0);
}
";
    check_unit(text, "P", "15:3 precondition refuted");
}

#[test]
fn a_free_precondition_is_not_demanded_and_not_assumed_by_callers() {
    let text = "procedure Q(x: int);
free requires x > 0;
procedure P(x: int)
{
  call Q(x);
  assert x > 0;
}
procedure R(x: int)
free requires x > 0;
{
  assert x > 0;
}
";
    check_unit(text, "P", "6:3 assertion refuted");
    check_unit(text, "R", "proved");
}

#[test]
fn loops_know_their_invariants_only() {
    let text = "procedure P(n: int)
requires n >= 0;
{
  var i, s: int;
  i := 0;
  s := 7;
  while (i < n)
  invariant i <= n;
  invariant i >= 1;
  {
    i := i + 1;
  }
  assert i == n;
  assert s == 7;
}
";
    check_unit(text, "P", "9:3 loop-invariant refuted");
}

#[test]
fn what_a_loop_assigns_is_forgotten() {
    let text = "procedure P()
{
  var i, s: int;
  s := 7;
  i := 0;
  while (i < 10)
  {
    while (*) { s := s + 1; }
    i := i + 1;
  }
  assert s == 7;
}
";
    check_unit(text, "P", "11:3 assertion refuted");
}

#[test]
fn an_invariant_must_survive_a_round() {
    let text = "procedure P()
{
  var i: int;
  i := 0;
  while (*)
  invariant i == 0;
  {
    i := i + 1;
  }
}
";
    check_unit(text, "P", "6:3 loop-invariant refuted");
}

#[test]
fn old_is_the_state_at_entry() {
    let text = "var g: int;
procedure P()
modifies g;
ensures g == old(g) + 2;
{
  g := g + 1;
  g := g + 1;
  assert old(g) == g - 2;
}
";
    check_unit(text, "P", "proved");
}

#[test]
fn maps_and_fields_are_updated_inside() {
    let text = "datatype Cell2 { Empty(), Full(v: int, w: int) }
procedure P(m: [int]Cell2)
requires m[0] is Full;
{
  var n: [int]Cell2;
  n := m;
  n[0]->v := 5;
  assert n[0]->v == 5 && n[0]->w == m[0]->w && n[1] == m[1];
  n[0] := n[0]->(w := 6);
  assert n[0] == Full(5, 6);
  assert n[1] is Full;
}
";
    check_unit(text, "P", "11:3 assertion refuted");
}

#[test]
fn unpack_needs_its_constructor() {
    let text = "datatype D { A(x: int, y: bool), B() }
procedure P(d: D)
{
  var i: int;
  var b: bool;
  A(i, b) := d;
  assert d == A(i, b);
}
";
    check_unit(text, "P", "6:11 unpack refuted");
}

#[test]
fn axioms_and_definitions_reach_the_question() {
    let text = "const n: int;
axiom n >= 1;
function f(x: int): int { x + n }
function {:inline} g(x: int): int { f(x) + 1 }
function h(x: int): int;
axiom (forall x: int :: {h(x)} h(x) > f(x));
procedure P() { assert n >= 0; assert g(1) >= 3; assert h(0) > n; assert h(0) > n + 1; }
";
    check_unit(text, "P", "7:67 assertion refuted");
}

#[test]
fn unique_constants_differ() {
    let text = "type T;
const unique a: T;
const unique b: T;
const c: T;
procedure P() { assert a != b; assert a != c; }
";
    check_unit(text, "P", "5:32 assertion refuted");
}

#[test]
fn library_axioms_are_instantiated_for_the_types_in_use() {
    let text = "procedure P(v: Vec int, s: [bool]bool)
{
  assert Vec_Len(v) >= 0;
  assert s == Set_Empty() || s[Choice(s)];
  assert s[Choice(s)];
}
";
    check_unit(text, "P", "5:3 assertion unknown");
}

#[test]
fn polymorphic_procedures_are_proved_once_for_all_types() {
    let text = "procedure P<T>(a: [T]bool, t: T) returns (b: [T]bool)
ensures b[t];
ensures a == b;
{
  b := Set_Add(a, t);
}
procedure Q(a: [int]bool) returns (b: [int]bool)
ensures b[3];
{
  call b := P(a, 3);
}
";
    check_unit(text, "P", "6:1 postcondition refuted");
    check_unit(text, "Q", "proved");
}

#[test]
fn a_quantifier_over_types_in_a_claim_is_undecided() {
    let text = "function f<T>(s: [T]bool): bool;
procedure P()
{
  assert (forall<T> s: [T]bool :: {f(s)} f(s) || !f(s));
}
procedure Q()
{
  var r: float24e8;
  havoc r;
  assert r == r;
}
";
    let unsupported = "0:0 unsupported: a quantifier over types here
0:0 unsupported: the type parameter `T` here
4:3 assertion refuted";
    check_unit(text, "P", unsupported);
    check_unit(text, "Q", "0:0 unsupported: floating-point numbers");
}

#[test]
fn an_axiom_that_cannot_be_used_leaves_what_it_is_about_undecided() {
    let text = "function f<T>(s: [T]bool): bool;
const c: bool;
axiom c ==> (forall<T> s: [T]bool :: {f(s)} f(s));
axiom !(forall<T> s: [T]bool :: {f(s)} f(s));
procedure P() { assert c; }
procedure Q() { assert 1 + 1 == 2; }
";
    let undecided = "0:0 unsupported: an axiom with a quantifier over types here";
    check_unit(text, "P", &format!("{undecided}\n5:17 assertion refuted"));
    check_unit(text, "Q", "proved");
}

#[test]
fn inlined_procedures_start_with_unknown_locals() {
    let text = "procedure {:inline 1} Inc(x: int) returns (y: int)
{
  var z: int;
  if (*) { z := 1; }
  y := x + z;
}
procedure P()
{
  var a: int;
  call a := Inc(1);
  assert a == 2;
}
procedure {:inline 1} Twice(x: int) returns (y: int) { y := 2 * x; }
procedure R()
{
  var a: int;
  call a := Twice(1);
  call a := Twice(a);
  assert a == 4;
}
";
    check_unit(text, "P", "11:3 assertion refuted");
    check_unit(text, "R", "proved");
}

#[test]
fn linear_primitives_demand_what_they_take() {
    let text = "procedure P({:linear_in} m: Map (One int) int, {:linear_in} k: One int)
returns ({:linear} n: Map (One int) int, {:linear} j: One int)
{
  var v: int;
  n := m;
  call Map_Put(n, k, 4);
  assert Map_At(n, k) == 4;
  call v := Map_Get(n, k);
  assert v == 4 && !Map_Contains(n, k);
  assert !Map_Contains(m, k);
  call v := Map_Get(n, k);
  j := k;
}
";
    check_unit(text, "P", "11:3 permission refuted");
}

#[test]
fn where_clauses_hold_after_havoc_and_in_loops() {
    let text = "var g: int where g >= 0;
procedure P()
modifies g;
{
  var x: int where x > g;
  assert g >= 0;
  havoc g;
  assert g >= 0;
  havoc x;
  while (*) { havoc g; g := g - 1; }
  assert g >= 0;
  g := 0 - 1;
  assert g >= 0;
}
";
    check_unit(text, "P", "13:3 assertion refuted");
}

#[test]
fn each_corpus_file_of_plain_procedures_has_the_expected_verdicts() {
    type Case<'a> = (&'a str, &'a [LibraryName], &'a [(&'a str, &'a str)]);
    let cases: &[Case<'_>] = &[
        ("regression-tests/linear/allocator.bpl", &[], &[("B", "11:3 assertion refuted")]),
        (
            "regression-tests/linear/bug.bpl",
            &[],
            &[("A", "proved"), ("B", "13:3 assertion refuted")],
        ),
        (
            "regression-tests/linear/f1.bpl",
            &[LibraryName::Base],
            &[("main", "35:4 assertion refuted"), ("foo", "proved")],
        ),
        (
            "regression-tests/linear/f2.bpl",
            &[LibraryName::Base],
            &[("main", "19:4 assertion refuted")],
        ),
        ("regression-tests/linear/f3.bpl", &[], &[("A", "proved"), ("B", "proved")]),
        ("samples/lease.bpl", &[], &[("CheckInitInv", "proved")]),
    ];
    for (path, libraries, expected) in cases {
        let Ok(text) = std::fs::read_to_string(format!("{CORPUS}/{path}")) else {
            return;
        };
        for (unit, verdict) in *expected {
            check_with(&text, libraries, unit, verdict);
        }
    }
}

#[test]
fn lemmas_about_lists_are_proved() {
    let path = format!("{CORPUS}/large-samples/node-lemmas.bpl");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let db = Database::default();
    let program = program(&db, &text, &[LibraryName::Base, LibraryName::Node]);
    let names: Vec<String> = units(&db, program).iter().map(|unit| unit.name.clone()).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    for name in names {
        let key = key(&db, program, &name);
        assert_eq!(verdicts(&db, program, &key), "proved", "{name}");
    }
}
