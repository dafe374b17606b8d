//! Availability layer by layer and arm by arm.

use base::{DeclId, Program};
use hir::{Layer, Stmt, StmtId, VarRef};

use super::{Availability, availability_at};
use crate::fixture::{Database, check, program};

/// The body of `P`, with its program.
fn body_of_p(db: &Database, text: &str) -> (Program, DeclId) {
    let program = program(db, text);
    let decls = hir::program_decls(db, program);
    let decl = *decls.iter().find(|it| it.name(db) == "P").unwrap();
    (program, decl)
}

fn names(db: &Database, (program, decl): (Program, DeclId), list: &[VarRef]) -> String {
    let body = hir::body(db, program, decl).unwrap();
    let names = list.iter().map(|var| match var {
        VarRef::Local(id) => body.local(*id).name.to_string(),
        VarRef::Global(name) => name.to_string(),
        VarRef::Error => "?".to_owned(),
    });
    names.collect::<Vec<_>>().join(" ")
}

/// What is available after the last call at each layer up to `top`.
fn after_last(text: &str, top: u32) -> Vec<String> {
    let db = Database::default();
    let of = body_of_p(&db, text);
    let last = last_call(&db, of);
    let at =
        |layer| names(&db, of, availability_at(&db, of.0, of.1, Layer(layer)).after_call(last));
    (0..=top).map(at).collect()
}

fn last_call(db: &Database, (program, decl): (Program, DeclId)) -> StmtId {
    let body = hir::body(db, program, decl).unwrap();
    let is_call = |id: &StmtId| matches!(body.stmt(*id), Stmt::Call { .. });
    (0..body.stmts.len()).map(StmtId::from_index).rfind(is_call).unwrap()
}

#[test]
fn a_ghost_call_hands_out_at_its_own_layer_only() {
    let text = r#"
yield procedure {:layer 2} P({:layer 2} {:linear_in} m: UnitMap (One int), t: One int)
{
  var {:layer 2} n: UnitMap (One int);
  n := m;
  call {:layer 2} One_Get(n, t);
}
"#;
    assert_eq!(after_last(text, 2), ["", "", "t n"]);
}

#[test]
fn what_is_put_away_and_taken_back_at_one_layer_is_held_at_all() {
    let text = r#"
yield procedure {:layer 2} P({:linear_in} q: One int)
{
  var {:layer 1} m: UnitMap (One int);
  call {:layer 1} m := Map_MakeEmpty();
  call {:layer 1} One_Put(m, q);
  call {:layer 1} One_Get(m, q);
}
"#;
    assert_eq!(after_last(text, 2), ["q", "q m", "q"]);
}

#[test]
fn a_hidden_parameter_hands_out_up_to_the_layer_of_its_procedure() {
    let text = r#"
yield procedure {:layer 0} Hidden({:hide} {:linear_out} p: One int);
refines both action {:layer 1,2} _ { }
yield procedure {:layer 2} P(p: One int)
{
  call Hidden(p);
}
"#;
    assert_eq!(after_last(text, 2), ["p", "", ""]);
}

#[test]
fn an_action_hands_out_what_its_procedure_shows() {
    let text = r#"
yield procedure {:layer 0} Shown({:linear_out} p: One int);
refines both action {:layer 1,2} _ { }
yield procedure {:layer 2} P(p: One int)
{
  call Shown(p);
}
"#;
    assert_eq!(after_last(text, 2), ["p", "p", "p"]);
}

#[test]
fn the_flow_of_each_layer_is_right_by_itself() {
    check(
        r#"
yield procedure {:layer 0} Use({:linear_in} p: One int);
yield procedure {:layer 2} P({:layer 2} {:linear_in} m: UnitMap (One int), t: One int)
{
  var {:layer 2} n: UnitMap (One int);
  n := m;
  call {:layer 2} One_Get(n, t);
  call Use(t); //~ error[linear-unavailable] "at layer 0"
}
yield procedure {:layer 2} Q({:linear_out} t: One int, {:layer 2} {:linear_in} m: UnitMap (One int))
{
  var {:layer 2} n: UnitMap (One int);
  n := m;
  call {:layer 2} One_Get(n, t);
} //~ error[linear-parameter-unavailable] "at layer 0"
yield procedure {:layer 2} R({:layer 2} {:linear_out} t: One int, {:layer 2} {:linear_in} m: UnitMap (One int))
{
  var {:layer 2} n: UnitMap (One int);
  n := m;
  call {:layer 2} One_Get(n, t);
}
"#,
    );
}

/// What is available before each arm of the last call, and after all of them took theirs.
fn before_arms(availability: &Availability, call: StmtId, arms: usize) -> Vec<&[VarRef]> {
    (0..=arms).map(|arm| availability.before_arm(call, arm)).collect()
}

#[test]
fn arms_take_one_after_another_and_hand_out_at_the_end() {
    let db = Database::default();
    let text = r#"
yield procedure {:layer 1} Take({:linear_in} a: One int);
yield procedure {:layer 1} Give({:linear_out} b: One int) returns ({:linear} c: One int);
yield procedure {:layer 1} Keep({:linear} d: One int);
yield procedure {:layer 1} P({:linear_in} a: One int, b: One int, {:linear_in} c': One int, {:linear} d: One int)
{
  var c: One int;
  c := c';
  call Take(a) | c := Give(b) | Keep(d);
}
"#;
    let of = body_of_p(&db, text);
    let known = availability_at(&db, of.0, of.1, Layer(1));
    let call = last_call(&db, of);
    let shown = before_arms(&known, call, 3).into_iter().map(|list| names(&db, of, list));
    assert_eq!(shown.collect::<Vec<_>>(), ["a d c", "d c", "d", "d"]);
    assert_eq!(names(&db, of, known.before_call(call)), "a d c");
    assert_eq!(names(&db, of, known.after_call(call)), "b d c");
}
