//! What is this callee at this layer? Does this loop head yield there? (verification.md 2, language.md 11.1)
//!
//! **In:** a procedure, or one arm of a call, and a layer. **Out:** what it is there.
//!
//! | callee | at the layer | is |
//! | --- | --- | --- |
//! | yield procedure | up to its own layer | code |
//! | mover procedure | at its own layer | one step, by contract |
//! | yield procedure that refines | above its own layer | the action of the layer |
//! | yield procedure that refines nothing | above its own layer | Skip |
//! | mover procedure, or a chain of actions that has ended | above | gone: nobody may call it |
//! | invariant | at its own layer | a yield with a claim |
//! | invariant | elsewhere | nothing |
//! | pure callee | at the layers of the call | its code |
//! | pure callee | elsewhere | nothing |
//!
//! # Invariants
//! - The one place that decides this. The labels of the automata, the copies that are proved, the
//!   tables for people and the engines all ask here, so they cannot disagree.
//! - Fail closed: what is not understood is [`CalleeAt::Unknown`], a non-mover to the automata and
//!   unsupported to a proof.

use base::{Name, Program};
use hir::{Arm, Layer, LoopHead, Mover, ProcKind, ProcSig};

use crate::Db;

/// What a yield procedure is at a layer, whoever calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcedureAt {
    Code,
    /// A mover procedure at its own layer.
    Mover(Mover),
    Action(Name),
    /// Nothing of it can be seen here.
    Skip,
    /// It cannot be called here.
    Gone,
}

/// What a callee is to one call at a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CalleeAt {
    /// The call does not exist here.
    Nothing,
    /// A pure procedure, pure action or primitive.
    Pure,
    /// An invariant of this layer.
    Invariant,
    /// A mover procedure of this layer, called or started.
    Mover(Mover),
    /// A procedure of a lower layer, called, or started with `{:sync}`.
    Action(Name),
    /// The same, for a procedure that refines nothing.
    Skip,
    /// A procedure of a lower layer that refines nothing, started as a thread.
    StartedSkip,
    /// A procedure that is still code, called.
    Code,
    /// A procedure that is still code, started as a thread.
    StartedCode,
    /// Reported elsewhere.
    Unknown,
}

/// What the yield procedure `sig` is at `layer`.
///
/// Reads signatures only; no edit inside a body reaches it.
pub fn procedure_at(db: &dyn Db, program: Program, sig: &ProcSig, layer: Layer) -> ProcedureAt {
    let Some(own) = sig.layer().filter(|_| sig.is_yield_procedure()) else {
        return ProcedureAt::Gone;
    };
    match sig.mover {
        Some(mover) if layer == own => return ProcedureAt::Mover(mover),
        _ if layer <= own => return ProcedureAt::Code,
        Some(_) => return ProcedureAt::Gone,
        None => {}
    }
    if sig.is_skip_procedure() {
        return ProcedureAt::Skip;
    }
    let action = hir::refined_action(db, program, sig.name.clone(), layer);
    action.map_or(ProcedureAt::Gone, ProcedureAt::Action)
}

/// What `callee` is to a call by `arm`, made as a thread or not, at `layer`.
pub fn callee_at(
    db: &dyn Db,
    program: Program,
    callee: &ProcSig,
    (arm, is_async): (&Arm, bool),
    layer: Layer,
) -> CalleeAt {
    match callee.kind {
        ProcKind::Pure | ProcKind::Action { pure: true } => {
            let exists = arm.layers.hull().is_none_or(|range| range.contains(layer));
            if exists { CalleeAt::Pure } else { CalleeAt::Nothing }
        }
        ProcKind::Invariant { .. } => match callee.layer() {
            Some(own) if own == layer => CalleeAt::Invariant,
            Some(_) => CalleeAt::Nothing,
            None => CalleeAt::Unknown,
        },
        ProcKind::Plain | ProcKind::Action { pure: false } => CalleeAt::Unknown,
        ProcKind::Yield => {
            let is_thread = is_async && !arm.sync;
            match procedure_at(db, program, callee, layer) {
                ProcedureAt::Mover(mover) => CalleeAt::Mover(mover),
                ProcedureAt::Code if is_async => CalleeAt::StartedCode,
                ProcedureAt::Code => CalleeAt::Code,
                ProcedureAt::Skip if is_thread => CalleeAt::StartedSkip,
                ProcedureAt::Skip => CalleeAt::Skip,
                // A thread that would do something above its layer has to be synchronised.
                ProcedureAt::Action(_) if is_thread => CalleeAt::Unknown,
                ProcedureAt::Action(action) => CalleeAt::Action(action),
                ProcedureAt::Gone => CalleeAt::Unknown,
            }
        }
    }
}

/// Does the loop yield in the code of `sig` at `layer`? A mover procedure at its own layer does not.
pub fn loop_yields(head: &LoopHead, sig: &ProcSig, layer: Layer) -> bool {
    let is_one_step = sig.is_mover_procedure() && sig.layer() == Some(layer);
    !is_one_step && is_annotated(head, layer)
}

/// Is the loop declared to yield at `layer`? Without layers, wherever its procedure is code.
pub fn is_annotated(head: &LoopHead, layer: Layer) -> bool {
    let annotation = head.yields.as_ref();
    annotation.is_some_and(|it| it.layers.max().is_none_or(|highest| layer <= highest))
}

#[cfg(test)]
mod tests {
    use super::{ProcedureAt, callee_at, procedure_at};
    use crate::fixture::{Database, program};
    use base::Name;
    use hir::{Layer, Mover, Stmt};

    const PROGRAM: &str = r#"
var {:layer 0,3} x: int;
yield invariant {:layer 1} I(); preserves true;
left action {:layer 1,2} A_L() { x := 0; }
pure procedure Lemma(i: int);
yield procedure {:layer 0} L(); refines A_L;
yield procedure {:layer 0} S() { }
yield left procedure {:layer 1} M() { call L(); }
yield procedure {:layer 2} Caller()
{
  call L();
  call S();
  call I();
  async call S();
  async call {:sync} L();
  call {:layer 1} Lemma(0);
  call M();
  async call L();
}
"#;

    #[test]
    fn a_procedure_is_code_then_one_step_then_gone() {
        let db = Database::default();
        let program = program(&db, PROGRAM);
        let at = |name: &str, layer| {
            let sig = hir::proc_sig(&db, program, Name::new(name)).unwrap();
            procedure_at(&db, program, &sig, Layer(layer))
        };
        let action = || ProcedureAt::Action(Name::new("A_L"));
        assert_eq!(
            (0..4).map(|n| at("L", n)).collect::<Vec<_>>(),
            [ProcedureAt::Code, action(), action(), ProcedureAt::Gone]
        );
        assert_eq!((at("S", 0), at("S", 1)), (ProcedureAt::Code, ProcedureAt::Skip));
        let mover = ProcedureAt::Mover(Mover::Left);
        assert_eq!((at("M", 0), at("M", 1)), (ProcedureAt::Code, mover));
        assert_eq!(at("M", 2), ProcedureAt::Gone);
        assert_eq!(at("I", 1), ProcedureAt::Gone);
    }

    #[test]
    fn each_call_of_each_layer_has_its_row() {
        let db = Database::default();
        let program = program(&db, PROGRAM);
        let caller = hir::proc_sig(&db, program, Name::new("Caller")).unwrap();
        let body = hir::body(&db, program, caller.decl).unwrap();
        let mut rows = Vec::new();
        for stmt in body.stmts.iter() {
            let Stmt::Call { arms, is_async, .. } = stmt else { continue };
            let sig = hir::proc_sig(&db, program, arms[0].callee.clone()).unwrap();
            let at =
                |n| format!("{:?}", callee_at(&db, program, &sig, (&arms[0], *is_async), Layer(n)));
            rows.push(format!("{}: {}, {}, {}", arms[0].callee, at(0), at(1), at(2)));
        }
        expect_test::expect![[r#"
            L: Code, Action(A_L), Action(A_L)
            S: Code, Skip, Skip
            I: Nothing, Invariant, Nothing
            S: StartedCode, StartedSkip, StartedSkip
            L: StartedCode, Action(A_L), Action(A_L)
            Lemma: Nothing, Pure, Nothing
            M: Code, Mover(Left), Unknown
            L: StartedCode, Unknown, Unknown"#]]
        .assert_eq(&rows.join("\n"));
    }
}
