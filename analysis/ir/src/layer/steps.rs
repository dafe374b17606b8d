//! Steps of the code of a layer.

use super::{ActionId, ProcId, Words};
use crate::{
    command::AssertId,
    site::Site,
    symbol::Symbol,
    term::{Term, Var},
};

/// The position of a node in its procedure or action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Steps in a row, and where the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The steps in order.
    pub steps: Vec<Step>,
    /// What comes then.
    pub next: Next,
    /// Where the node came from.
    pub site: Site,
}

/// Where a run goes on after a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// To one of these. To none: the run cannot go on.
    Goto(Vec<NodeId>),
    /// Back to the caller.
    Return,
}

/// Why a condition has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// `assert` in code.
    Assertion,
    /// The gate of an action: its `asserts` clauses, or an assertion of its code.
    Gate,
    /// A linear primitive, an unpack or a pure callee demands it.
    Demand,
    /// What a callee requires.
    Requires,
    /// What a procedure ensures.
    Ensures,
    /// A yield invariant, or `yield e`, where others may run.
    Invariant,
    /// A loop invariant.
    Loop,
}

impl Why {
    /// Is it part of what the code does, so that breaking it is a failure of the program? The others
    /// are claims of its proof.
    pub fn is_failure(self) -> bool {
        match self {
            Why::Assertion | Why::Gate | Why::Demand => true,
            Why::Requires | Why::Ensures | Why::Invariant | Why::Loop => false,
        }
    }
}

impl Words for Why {
    fn table() -> &'static [(Why, &'static str)] {
        &[
            (Why::Assertion, "assertion"),
            (Why::Gate, "gate"),
            (Why::Demand, "demand"),
            (Why::Requires, "requires"),
            (Why::Ensures, "ensures"),
            (Why::Invariant, "invariant"),
            (Why::Loop, "loop"),
        ]
    }
}

/// A condition that has to hold where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The condition.
    pub term: Term,
    /// Its number in the table of claims.
    pub id: AssertId,
    /// Why it has to hold.
    pub why: Why,
    /// Where it is written.
    pub site: Site,
}

/// One step of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Waits for the condition.
    Assume(Term, Site),
    /// Fails without the condition.
    Assert(Condition),
    /// Simultaneous assignment; the variables differ.
    Assign(Vec<(Var, Term)>, Site),
    /// Arbitrary values, as far as the scope has them.
    Havoc(Vec<Var>, Site),
    /// A value with an element in it that occurs in no variable whose value can still matter
    /// ([`super::live_before`]), and that no client holds: `Loc_New` and its relatives. The least will do. The sort has one constructor with one field, of an uninterpreted sort.
    Fresh(Var, Site),
    /// An action, in one step.
    Act(Act),
    /// A call of a procedure that is code.
    Call(Call),
    /// Calls at the same time, in the order of the text.
    Par(Vec<Arm>, Site),
    /// A new thread.
    Spawn {
        /// What it runs.
        procedure: ProcId,
        /// Arguments, read now.
        ins: Vec<Term>,
        /// The call.
        site: Site,
    },
    /// Others may run here. The claims hold before and afterwards.
    Yield(Vec<Condition>, Site),
    /// Something that specifications see.
    Event {
        /// What it is called.
        name: Symbol,
        /// Does it happen?
        when: Term,
        /// Its data.
        args: Vec<Term>,
        /// Where it is written.
        site: Site,
    },
}

/// A call of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Which.
    pub action: ActionId,
    /// Arguments.
    pub ins: Vec<Term>,
    /// Variables for the results, which differ.
    pub outs: Vec<Var>,
    /// Variables for results that do not exist at the layer: they get arbitrary values.
    pub hidden: Vec<Var>,
    /// The call.
    pub site: Site,
}

/// A call of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Which.
    pub procedure: ProcId,
    /// Arguments that exist at the layer.
    pub ins: Vec<Term>,
    /// Variables for the results that exist at the layer, which differ.
    pub outs: Vec<Var>,
    /// The call.
    pub site: Site,
}

/// An arm of a parallel call. Arguments of all arms are read before any arm moves; results are written
/// when the arm is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arm {
    /// An action.
    Act(Act),
    /// A procedure.
    Call(Call),
    /// An invariant, which has to hold when the arms start and when they are done.
    Claims(Vec<Condition>),
}

impl Step {
    /// Where the step came from.
    pub fn site(&self) -> Site {
        match self {
            Step::Assume(_, site)
            | Step::Assign(_, site)
            | Step::Havoc(_, site)
            | Step::Fresh(_, site)
            | Step::Par(_, site)
            | Step::Spawn { site, .. }
            | Step::Yield(_, site)
            | Step::Event { site, .. } => *site,
            Step::Assert(condition) => condition.site,
            Step::Act(act) => act.site,
            Step::Call(call) => call.site,
        }
    }
}

impl Arm {
    fn terms(&self) -> Vec<&Term> {
        match self {
            Arm::Act(Act { ins, .. }) | Arm::Call(Call { ins, .. }) => ins.iter().collect(),
            Arm::Claims(claims) => claims.iter().map(|claim| &claim.term).collect(),
        }
    }

    fn terms_mut(&mut self) -> Vec<&mut Term> {
        match self {
            Arm::Act(Act { ins, .. }) | Arm::Call(Call { ins, .. }) => ins.iter_mut().collect(),
            Arm::Claims(claims) => claims.iter_mut().map(|claim| &mut claim.term).collect(),
        }
    }

    fn written(&self) -> Vec<&Var> {
        match self {
            Arm::Act(Act { outs, hidden, .. }) => outs.iter().chain(hidden).collect(),
            Arm::Call(Call { outs, .. }) => outs.iter().collect(),
            Arm::Claims(_) => Vec::new(),
        }
    }
}

impl Step {
    /// The terms that the step evaluates in the frame where it stands.
    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Step::Assume(term, _) => vec![term],
            Step::Assert(condition) => vec![&condition.term],
            Step::Assign(pairs, _) => pairs.iter().map(|(_, term)| term).collect(),
            Step::Havoc(..) | Step::Fresh(..) => Vec::new(),
            Step::Act(Act { ins, .. }) | Step::Call(Call { ins, .. }) | Step::Spawn { ins, .. } => {
                ins.iter().collect()
            }
            Step::Par(arms, _) => arms.iter().flat_map(Arm::terms).collect(),
            Step::Yield(claims, _) => claims.iter().map(|claim| &claim.term).collect(),
            Step::Event { when, args, .. } => std::iter::once(when).chain(args).collect(),
        }
    }

    /// The same, to be changed.
    pub fn terms_mut(&mut self) -> Vec<&mut Term> {
        match self {
            Step::Assume(term, _) => vec![term],
            Step::Assert(condition) => vec![&mut condition.term],
            Step::Assign(pairs, _) => pairs.iter_mut().map(|(_, term)| term).collect(),
            Step::Havoc(..) | Step::Fresh(..) => Vec::new(),
            Step::Act(Act { ins, .. }) | Step::Call(Call { ins, .. }) | Step::Spawn { ins, .. } => {
                ins.iter_mut().collect()
            }
            Step::Par(arms, _) => arms.iter_mut().flat_map(Arm::terms_mut).collect(),
            Step::Yield(claims, _) => claims.iter_mut().map(|claim| &mut claim.term).collect(),
            Step::Event { when, args, .. } => std::iter::once(when).chain(args).collect(),
        }
    }

    /// The variables that the step writes in the frame where it stands, globals included; not what
    /// actions and procedures do to globals.
    pub fn written(&self) -> Vec<&Var> {
        match self {
            Step::Assign(pairs, _) => pairs.iter().map(|(var, _)| var).collect(),
            Step::Havoc(vars, _) => vars.iter().collect(),
            Step::Fresh(var, _) => vec![var],
            Step::Act(Act { outs, hidden, .. }) => outs.iter().chain(hidden).collect(),
            Step::Call(Call { outs, .. }) => outs.iter().collect(),
            Step::Par(arms, _) => arms.iter().flat_map(Arm::written).collect(),
            Step::Assume(..)
            | Step::Assert(_)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => Vec::new(),
        }
    }
}

impl Step {
    /// The actions that the step calls, arms included.
    pub fn acts(&self) -> Vec<&Act> {
        match self {
            Step::Act(act) => vec![act],
            Step::Par(arms, _) => arms
                .iter()
                .filter_map(|arm| if let Arm::Act(act) = arm { Some(act) } else { None })
                .collect(),
            Step::Assume(..)
            | Step::Assert(_)
            | Step::Assign(..)
            | Step::Havoc(..)
            | Step::Fresh(..)
            | Step::Call(_)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => Vec::new(),
        }
    }

    /// The procedures that the step calls or starts, arms included.
    pub fn callees(&self) -> Vec<ProcId> {
        match self {
            Step::Call(call) => vec![call.procedure],
            Step::Spawn { procedure, .. } => vec![*procedure],
            Step::Par(arms, _) => arms
                .iter()
                .filter_map(|arm| if let Arm::Call(it) = arm { Some(it.procedure) } else { None })
                .collect(),
            Step::Assume(..)
            | Step::Assert(_)
            | Step::Assign(..)
            | Step::Havoc(..)
            | Step::Fresh(..)
            | Step::Act(_)
            | Step::Yield(..)
            | Step::Event { .. } => Vec::new(),
        }
    }
}

impl Next {
    /// The nodes that may come next.
    pub fn targets(&self) -> &[NodeId] {
        match self {
            Next::Goto(targets) => targets,
            Next::Return => &[],
        }
    }
}
