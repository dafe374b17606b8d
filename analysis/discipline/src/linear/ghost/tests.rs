//! Where permissions of ghost code go, and which edits look for them again.

use base::{Change, SourceFile};
use testing::QueryLog;

use crate::batch_diagnostics;
use crate::fixture::{Database, check};

const HEAD: &str = r#"
var {:layer 0,9} x: int;
var {:layer 2,2} {:linear} pool: UnitMap (One int);
var {:layer 2,2} {:linear} pairs: Map (One int) (One int);
datatype Box { Box(t: One int, n: int) }
yield invariant {:layer 2} Mine({:linear} t: One int);
preserves true;
yield procedure {:layer 1} New({:layer 1} {:hide} {:linear_out} t: One int);
yield procedure {:layer 1} Act({:layer 1} {:linear} t: One int);
refines both action {:layer 2} _ { x := t->val; }
yield procedure {:layer 1} Skip({:layer 1} {:hide} {:linear} t: One int);
yield left procedure {:layer 2} Mover({:layer 2} {:linear} t: One int);
yield left procedure {:layer 2} Fill({:layer 2} {:linear_out} t: One int);
"#;

/// A procedure of layer 2.
fn procedure(head: &str, body: &str) -> String {
    let vars = "var {:layer 1,2} s: One int; var {:layer 2} t, u: One int; var {:layer 2} i: int;
                var {:layer 2} m, n: UnitMap (One int); var {:layer 2} b: Box;";
    format!("yield procedure {{:layer 2}} {head}\n{{\n{vars}\n{body}\n}}\n")
}

#[track_caller]
fn check_body(body: &str) {
    check(&format!("{HEAD}{}", procedure("P()", body)));
}

#[test]
fn a_taken_permission_is_given_to_no_action_or_mover_procedure() {
    check_body(
        "call New(s);
         call {:layer 2} One_Get(pool, s);
         call Act(s); //~ error[ghost-permission] \"layer 2\"
         call {:layer 2} One_Put(pool, s);",
    );
    check_body(
        "call {:layer 2} One_Get(pool, t);
         call Mover(t); //~ error[ghost-permission] \"`t`\"
         call {:layer 2} One_Put(pool, t);",
    );
}

#[test]
fn invariants_and_what_nobody_sees_may_be_given_it() {
    check_body(
        "call New(s);
         call {:layer 2} One_Get(pool, s);
         call Mine(s);
         call Skip(s);
         call {:layer 2} One_Put(pool, s);",
    );
}

#[test]
fn what_only_goes_into_a_pool_is_not_taken_from_it() {
    check_body(
        "call Fill(t);
         call Mover(t);
         call {:layer 2} One_Put(pool, t);
         call Fill(t);",
    );
}

#[test]
fn it_goes_through_maps_assignments_and_datatypes() {
    check_body(
        "call {:layer 2} m := Map_Split(pool, Set_Singleton(t));
         n := m;
         call {:layer 2} One_Get(n, t);
         b := Box(t, 1);
         Box(u, i) := b;
         call Mover(u); //~ error[ghost-permission] \"`u`\"",
    );
    check_body(
        "call {:layer 2} u := Map_Get(pairs, t);
         call Mover(u); //~ error[ghost-permission] \"`u`\"
         call Mover(t); //~ error[ghost-permission] \"`t`\"",
    );
    check_body(
        "call {:layer 2} One_Get(pool, t);
         call {:layer 2} m := Map_MakeEmpty();
         call {:layer 2} One_Put(m, t);
         call {:layer 2} Move(m, n);
         call {:layer 2} One_Get(n, u);
         call Mover(u); //~ error[ghost-permission] \"`u`\"",
    );
}

#[test]
fn it_goes_into_code_and_comes_back_from_it() {
    let into = procedure(
        "In({:layer 2} {:linear_in} p: One int)",
        "call Mover(p); //~ error[ghost-permission] \"`p`\"",
    );
    let out = procedure("Out({:layer 2} {:linear_out} p: One int)", "call Take(p);");
    let take =
        procedure("Take({:layer 2} {:linear_out} p: One int)", "call {:layer 2} One_Get(pool, p);");
    let result = procedure(
        "Result() returns ({:layer 2} {:linear} r: One int)",
        "call {:layer 2} One_Get(pool, r);",
    );
    let with = |body: &str, callees: &[&str]| {
        check(&format!("{HEAD}{}{}", callees.concat(), procedure("P()", body)));
    };
    with("call {:layer 2} One_Get(pool, t); call In(t);", &[&into]);
    with("call {:layer 2} One_Get(pool, t); async call In(t);", &[&into]);
    with("call Fill(t); call In(t);", &[&into.replace("//~", "//")]);
    with("call Out(t); call Mover(t); //~ error[ghost-permission] \"`t`\"", &[&out, &take]);
    with("call t := Result(); call Mover(t); //~ error[ghost-permission] \"`t`\"", &[&result]);
}

#[test]
fn a_mover_procedure_hands_it_out_and_may_not_use_it_itself() {
    check(&format!(
        "{HEAD}{}",
        r#"
yield left procedure {:layer 2} Out({:layer 2} {:linear_out} p: One int)
{
  call {:layer 2} One_Get(pool, p);
  call Mover(p); //~ error[ghost-permission] "`p`"
}
yield procedure {:layer 2} P()
{
  var {:layer 2} t: One int;
  call Out(t);
  call Mover(t); //~ error[ghost-permission] "`t`"
}
"#
    ));
}

#[test]
fn ghost_code_of_another_layer_says_nothing_about_this_one() {
    check(
        r#"
var {:layer 0,9} x: int;
var {:layer 1,2} {:linear} pool: UnitMap (One int);
yield procedure {:layer 1} Take({:layer 1} {:linear_out} t: One int)
refines action {:layer 2} _ { assume Set_Contains(pool->dom, t); call One_Get(pool, t); }
{
  call {:layer 1} One_Get(pool, t);
}
yield procedure {:layer 1} Act({:layer 1} {:linear} t: One int);
refines both action {:layer 2} _ { x := t->val; }
yield procedure {:layer 2} P()
{
  var {:layer 1,2} t: One int;
  call Take(t);
  call Act(t);
}
"#,
    );
}

/// How often each query runs again when `before` becomes `after` in `text`.
fn reruns(text: &str, before: &str, after: &str) -> Vec<usize> {
    let log = QueryLog::default();
    let mut db = Database::logged(&log);
    let file = SourceFile::new(&db, "test.bpl".to_owned(), text.into(), None);
    let program = hir::program_of(&db, vec![file]);
    assert_eq!(batch_diagnostics(&db, program), []);
    log.take();
    let mut change = Change::default();
    assert!(text.contains(before));
    change.set_text(file, text.replacen(before, after, 1));
    change.apply(&mut db);
    batch_diagnostics(&db, program);
    log.take_runs(&["taking_layers", "ghost_layers", "moves", "holders", "staged_diagnostics"])
}

#[test]
fn where_nothing_is_taken_an_edit_concerns_its_own_body_only() {
    let two = [procedure("P()", "i := 1;"), procedure("Q()", "i := 2;")].concat();
    let text = format!("{HEAD}{two}");
    assert_eq!(reruns(&text, "i := 1;", "i := 3;"), [1, 0, 0, 0, 1]);
}

#[test]
fn where_something_is_taken_each_body_is_read_once() {
    let takes = "call {:layer 2} One_Get(pool, t); call {:layer 2} One_Put(pool, t); i := 1;";
    let two = [procedure("P()", takes), procedure("Q()", "i := 2;")].concat();
    let text = format!("{HEAD}{two}");
    assert_eq!(reruns(&text, "i := 1;", "i := 3;"), [1, 0, 1, 0, 1]);
}
