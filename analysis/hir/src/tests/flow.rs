//! Blocks, loops and modified variables (language.md 6, 7, 9.8).

use std::fmt::Write as _;

use base::{Name, Program};
use expect_test::{Expect, expect};

use crate::test_db::{TestDb, program};
use crate::{Command, Stmt, Transfer, body, cfg, implementations, modifies};

/// One line per block: label, what it does, where it goes.
#[expect(clippy::wildcard_enum_match_arm, reason = "only a few statements occur in these tests")]
fn blocks(db: &TestDb, program: Program, name: &str) -> String {
    let decl = implementations(db, program, Name::new(name))[0];
    let (body, cfg) = (body(db, program, decl).unwrap(), cfg(db, program, decl).unwrap());
    let mut out = String::new();
    for block in &cfg.blocks {
        let commands: Vec<&str> = block
            .commands
            .iter()
            .map(|command| match command {
                Command::Guard { negated: true, .. } => "unless",
                Command::Guard { negated: false, .. } => "when",
                Command::Stmt(id) => match body.stmt(*id) {
                    Stmt::Assign { .. } => "assign",
                    Stmt::Assert { .. } => "assert",
                    Stmt::Call { .. } => "call",
                    _other => "other",
                },
            })
            .collect();
        let end = match &block.transfer {
            Transfer::Return(_) => "return".to_owned(),
            Transfer::Goto(targets) => {
                let label = |it: &crate::BlockId| cfg.block(*it).label.to_string();
                targets.iter().map(label).collect::<Vec<_>>().join(", ")
            }
        };
        let head = match &block.head {
            None => String::new(),
            Some(head) => {
                let layers = head.yields.as_ref().map(|it| it.layers.as_slice().to_vec());
                format!(" [loop yields {layers:?}, {} calls]", head.invariant_calls.len())
            }
        };
        let _ = writeln!(out, "{}:{head} {} -> {end}", block.label, commands.join(" "));
    }
    if !cfg.irreducible.is_empty() {
        out.push_str("irreducible\n");
    }
    out
}

fn check(text: &str, expected: &Expect) {
    let (db, program, _) = program(text);
    expected.assert_eq(&blocks(&db, program, "P"));
}

#[test]
fn straight_code_is_one_block() {
    check(
        "procedure P() { var x: int; x := 1; assert x == 1; }",
        &expect![[r#"
        anon0: assign assert -> return
    "#]],
    );
}

#[test]
fn branches_and_loops_get_the_labels_of_the_reference() {
    let text = r#"
procedure P(n: int) {
  var i: int;
  i := 0;
  while (i < n)
  invariant i >= 0;
  {
    if (i == 3) { i := 4; } else if (*) { i := 5; }
    i := i + 1;
  }
  assert i >= 0;
}"#;
    check(
        text,
        &expect![[r#"
        anon0: assign -> anon6_LoopHead
        anon6_LoopHead: [loop yields None, 0 calls] assert -> anon6_LoopDone, anon6_LoopBody
        anon6_LoopBody: when -> anon7_Then, anon7_Else
        anon7_Then: when assign -> anon4
        anon7_Else: unless -> anon8_Then, anon8_Else
        anon8_Then: assign -> anon4
        anon8_Else:  -> anon4
        anon4: assign -> anon6_LoopHead
        anon6_LoopDone: unless -> anon5
        anon5: assert -> return
    "#]],
    );
}

#[test]
fn a_break_goes_behind_its_loop() {
    let text = r#"
procedure P() {
  var x: int;
  outer: while (*) { while (*) { if (*) { break outer; } break; } }
  x := 1;
}"#;
    check(
        text,
        &expect![[r#"
        outer:  -> anon5_LoopHead
        anon5_LoopHead: [loop yields None, 0 calls]  -> anon5_LoopDone, anon5_LoopBody
        anon5_LoopBody:  -> anon6_LoopHead
        anon6_LoopHead:  -> anon6_LoopDone, anon6_LoopBody
        anon6_LoopBody:  -> anon7_Then, anon7_Else
        anon7_Then:  -> anon4
        anon7_Else:  -> anon3
        anon3:  -> anon5_LoopHead
        anon6_LoopDone:  -> anon5_LoopHead
        anon5_LoopDone:  -> anon4
        anon4: assign -> return
    "#]],
    );
}

#[test]
fn what_a_jump_never_reaches_is_dropped() {
    let text = "procedure P() { var x: int; goto A; B: x := 1; A: return; }";
    check(
        text,
        &expect![[r#"
        anon0:  -> A
        A:  -> return
    "#]],
    );
}

#[test]
fn a_loop_with_two_entries_is_untangled() {
    let text = r#"
procedure P() {
  var x: int;
  goto A, B;
  A: x := 1; goto B;
  B: x := 2; goto A, C;
  C: return;
}"#;
    check(
        text,
        &expect![[r#"
        anon0:  -> A, B
        A: [loop yields None, 0 calls] assign -> B
        B: assign -> A, C
        C:  -> return
        B: assign -> A, C
    "#]],
    );
}

#[test]
fn annotations_of_yielding_loops_are_taken_off_the_head() {
    let text = r#"
yield invariant {:layer 1} I();
yield procedure {:layer 1} P() {
  while (*)
  invariant {:yields} {:layer 1} true;
  invariant call I();
  invariant {:layer 1} true;
  {}
  again:
  assert {:yields} true;
  call I();
  if (*) { goto again; }
}"#;
    check(
        text,
        &expect![[r#"
            anon0:  -> anon3_LoopHead
            anon3_LoopHead: [loop yields Some([Layer(1)]), 1 calls] assert -> anon3_LoopDone, anon3_LoopBody
            anon3_LoopBody:  -> anon3_LoopHead
            anon3_LoopDone:  -> again
            again: [loop yields Some([]), 1 calls]  -> anon4_Then, anon4_Else
            anon4_Then:  -> again
            anon4_Else:  -> return
        "#]],
    );
}

#[test]
fn modified_globals_come_from_assignments_primitives_and_callees() {
    let text = r#"
var {:layer 0, 2} a: int;
var {:layer 0, 2} m: [int]int;
var {:layer 0, 2} {:linear} pool: UnitMap (One int);
var {:layer 0, 2} untouched: int;
left action {:layer 1, 2} A() { a := 1; }
action {:layer 1, 2} B() { call A(); m[3] := 4; }
left action {:layer 1, 2} C(x: One int) { call One_Put(pool, x); }
yield procedure {:layer 0} Y(); refines A;
yield left procedure {:layer 1} M() { call Y(); async call {:sync} M(); }
yield procedure {:layer 1} N() { call Y(); }
"#;
    let (db, program, _) = program(text);
    let set = |name: &str| {
        let names = modifies(&db, program, Name::new(name));
        names.iter().map(Name::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(set("A"), "a");
    assert_eq!(set("B"), "a m");
    assert_eq!(set("C"), "pool");
    assert_eq!(set("M"), "a");
    assert_eq!(set("N"), "");
}

#[test]
fn without_a_body_a_contract_says_what_changes() {
    let text = r#"
var {:layer 0, 2} a: int;
var {:layer 0, 2} b: int;
yield left procedure {:layer 1} Change(); ensures {:layer 1} a == old(a) + old(b);
yield left procedure {:layer 1} Read() returns (r: int); ensures {:layer 1} r == a;
yield left procedure {:layer 1} Both() returns (r: int); ensures {:layer 1} r == a && b == 5;
yield left procedure {:layer 1} Swap() returns (r: int); ensures {:layer 1} r == old(a) - a;
yield left procedure {:layer 1} Keep(); preserves {:layer 1} a == 0;
yield left procedure {:layer 1} Listed(); modifies b; ensures {:layer 1} a == b;
yield left procedure {:layer 1} Require(); requires {:layer 1} a == 0;
procedure Plain(); ensures a == 1;
"#;
    let (db, program, _) = program(text);
    let set = |name: &str| {
        let names = modifies(&db, program, Name::new(name));
        names.iter().map(Name::to_string).collect::<Vec<_>>().join(" ")
    };
    let names = ["Change", "Read", "Both", "Swap", "Keep", "Listed", "Require", "Plain"];
    assert_eq!(names.map(set), ["a", "", "b", "a", "a", "b", "", "a"]);
}
