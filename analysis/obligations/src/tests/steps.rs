//! What becomes of single statements at a layer.

use std::fmt::Write;

use base::LibraryName;
use hir::Layer;
use ir::layer::{Arm, LayerProgram, Step};
use ir::{Term, Var};

use super::{Database, program};
use crate::layer_unit;

fn names(vars: &[Var]) -> String {
    vars.iter().map(|var| var.name.as_str()).collect::<Vec<_>>().join(" ")
}

fn arm(program: &LayerProgram, arm: &Arm) -> String {
    match arm {
        Arm::Act(act) => format!("act {}", program.actions[act.action.index()].name),
        Arm::Call(call) => format!("call {}", program.procedures[call.procedure.index()].name),
        Arm::Claims(claims) => format!("{} claims", claims.len()),
    }
}

fn shown(program: &LayerProgram, step: &Step) -> String {
    let term = |term: &Term| ir::pretty::write_term(term).lines().last().unwrap_or("").to_owned();
    match step {
        Step::Assume(it, _) => format!("assume {}", term(it)),
        Step::Assert(it) => format!("{:?}", it.why),
        Step::Assign(pairs, _) => {
            let vars: Vec<Var> = pairs.iter().map(|(var, _)| var.clone()).collect();
            format!("assign {}", names(&vars))
        }
        Step::Havoc(vars, _) => format!("havoc {}", names(vars)),
        Step::Fresh(var, _) => format!("fresh {}", var.name),
        Step::Act(act) => {
            let name = &program.actions[act.action.index()].name;
            format!("act {name}, outs [{}], hidden [{}]", names(&act.outs), names(&act.hidden))
        }
        Step::Call(call) => {
            let name = &program.procedures[call.procedure.index()].name;
            format!("call {name}, {} ins, outs [{}]", call.ins.len(), names(&call.outs))
        }
        Step::Par(arms, _) => {
            format!(
                "par {}",
                arms.iter().map(|it| arm(program, it)).collect::<Vec<_>>().join(" | ")
            )
        }
        Step::Spawn { procedure, .. } => {
            format!("spawn {}", program.procedures[procedure.index()].name)
        }
        Step::Yield(claims, _) => format!("yield, {} claims", claims.len()),
        Step::Event { name, args, .. } => format!("event {name}, {} args", args.len()),
    }
}

/// The steps of a procedure or action at a layer, one per line.
fn steps(text: &str, layer: u32, name: &str) -> String {
    let db = Database::default();
    let program = program(&db, text, &[LibraryName::Base]);
    let unit = layer_unit(&db, program, Layer(layer));
    assert_eq!(unit.program.excluded, []);
    let procedure = unit.program.procedures.iter().find(|it| it.name.as_str() == name);
    let action = unit.program.actions.iter().find(|it| it.name.as_str() == name);
    let nodes = procedure.map(|it| &it.nodes).or(action.map(|it| &it.nodes)).expect(name);
    let mut out = String::new();
    for step in nodes.iter().flat_map(|node| &node.steps) {
        let _ = writeln!(out, "{}", shown(&unit.program, step));
    }
    out
}

const CALLS: &str = r#"
var {:layer 0,3} x: int;
var {:layer 1,2} ghost: int;
yield invariant {:layer 1} I(i: int); preserves i <= x;
left action {:layer 1,2} A_L() returns (r: int) { r := x; x := 0; }
pure procedure Lemma(i: int); requires i == i;
pure action Bump(i: int) returns (j: int) { assert 0 <= i; j := i + 1; }
yield procedure {:layer 0} L() returns (r: int, {:hide} h: int); refines A_L;
yield procedure {:layer 0} S() { }
yield procedure {:layer 1} T(i: int) { }
yield left procedure {:layer 1} M() { var r: int; var h: int; call r, h := L(); }
yield procedure {:layer 2} Caller()
{
  var r: int;
  var h: int;
  var k: int;
  call r, h := L();
  call {:lin r == 0, "took", h} r, h := L();
  call S();
  call I(0);
  call I(0) | T(1) | T(2);
  async call S();
  async call T(3);
  call {:layer 1} Lemma(0);
  call {:layer 1} k := Copy(k);
  call {:layer 1} ghost := Bump(ghost);
  call M();
}
"#;

#[test]
fn calls_become_what_the_callee_is() {
    expect_test::expect![[r#"
        act A_L, outs [r], hidden []
        act A_L, outs [r], hidden [h]
        event took, 1 args
        yield, 1 claims
        par 1 claims | call T | call T
        spawn T
        Requires
        act Caller.step1, outs [], hidden []
        call M, 0 ins, outs []
    "#]]
    .assert_eq(&steps(CALLS, 1, "Caller"));
}

#[test]
fn a_procedure_without_body_is_one_step_of_its_layer() {
    expect_test::expect![[r#"
        act A_L, outs [r], hidden [h]
    "#]]
    .assert_eq(&steps(CALLS, 0, "L"));
}

const NEW: &str = r"
var {:layer 0,1} {:linear} cells: Map (One Loc) int;
atomic action {:layer 1} Add(v: int) returns (l: Loc)
modifies cells;
{
  var {:linear} one: One Loc;
  call one := Loc_New();
  l := one->val;
  call Map_Put(cells, one, v);
}
";

#[test]
fn what_is_made_new_is_fresh() {
    let text = format!(
        "{NEW}yield procedure {{:layer 1}} P() {{ call Q(); }}
        yield procedure {{:layer 0}} R(v: int) returns (l: Loc); refines Add;
        yield procedure {{:layer 1}} Q() {{ var l: Loc; call l := R(7); }}"
    );
    expect_test::expect![[r#"
        fresh one@(Add)
        assign l@(Add)
        assume (axiom (not (func |Map_Contains<One Loc,int>| cells |one@(Add)|)))
        assign cells
    "#]]
    .assert_eq(&steps(&text, 1, "Add"));
}

#[test]
fn places_do_not_reach_the_digest() {
    let digest = |text: &str| {
        let db = Database::default();
        let program = program(&db, text, &[LibraryName::Base]);
        layer_unit(&db, program, Layer(1)).digest
    };
    assert_eq!(digest(CALLS), digest(&CALLS.replace("yield left", "\n// moved\nyield left")));
    assert_ne!(digest(CALLS), digest(&CALLS.replace("call I(0);", "call I(1);")));
}
