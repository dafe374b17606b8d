//! Register code: what terms and steps are compiled to.
//!
//! **In:** `compile` writes it. **Out:** `eval` runs the part that computes, `step` the part that
//! changes threads.
//!
//! Registers hold globals first, then the variables of the current frame, then intermediate values.
//! The parts of a term are registers, so what occurs twice is computed once; `And`, `Or` and `Ite` are
//! jumps.
//!
//! # Invariants
//! - Jumps go forward, except those of [`Instr::Jump`] between nodes of a procedure.
//! - Between two program points ([`Instr::Point`]) only named variables keep their meaning.

use std::rc::Rc;

use ir::{
    Op, PointwiseOp, Sort,
    exploration::Inexact,
    layer::{Condition, Intrinsic},
};

use crate::{
    arena::{Full, Val},
    domain::Domain,
};

/// A position in the code.
pub(crate) type Pc = u32;

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(pub(crate) u32);

/// A register, or a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand(u32);

const IMMEDIATE: u32 = 1 << 31;

/// Where others may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Between any two micro steps.
    Micro,
    /// Before every step that others can notice, or that can wait.
    Shared,
    /// Where the program yields: between blocks that mover types make atomic (reduction R1). A block
    /// that cannot be finished is left where it waits, and others go on from there.
    Blocks,
}

impl Grain {
    /// Does a thread stop at such a point?
    #[inline]
    pub(crate) fn stops(self, at: At) -> bool {
        match (self, at) {
            (Grain::Micro, _) => true,
            (Grain::Shared, At::Local | At::Quiet) => false,
            (Grain::Shared, At::Step | At::Yield | At::Waiting | At::Idle) => true,
            (Grain::Blocks, At::Yield | At::Quiet | At::Waiting | At::Idle) => true,
            (Grain::Blocks, At::Step | At::Local) => false,
        }
    }
}

impl Operand {
    pub(crate) const FALSE: Operand = Operand::val(Val::FALSE);

    pub(crate) const fn val(val: Val) -> Operand {
        Operand(val.word() | IMMEDIATE)
    }

    pub(crate) const fn slot(slot: Slot) -> Operand {
        Operand(slot.0)
    }

    /// The register, or the value.
    #[inline]
    pub(crate) fn get(self) -> Result<Slot, Val> {
        if self.0 & IMMEDIATE == 0 { Ok(Slot(self.0)) } else { Err(Val::raw(self.0 ^ IMMEDIATE)) }
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.get() {
            Ok(slot) => write!(f, "r{}", slot.0),
            Err(val) => write!(f, "{val:?}"),
        }
    }
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Num {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
}

/// The values that a bound variable or a choice ranges over.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    /// A listed domain.
    Listed(Rc<Domain>),
    /// The members of a set.
    Members(Operand),
    /// Integers from the largest of the first up to the least of the second, both included.
    Integers(Box<[Operand]>, Box<[Operand]>),
    /// One value.
    Only(Operand),
    /// The integers that occur in some register that holds a variable, and their neighbours.
    Occurring(Box<[Slot]>),
}

/// What a general application does.
#[derive(Clone, Debug)]
pub(crate) enum General {
    /// A strict operator.
    Op(Op),
    /// The map that is the argument everywhere.
    Everywhere(usize, Option<Rc<Full>>),
    /// Pointwise on maps.
    Pointwise(PointwiseOp, Option<Rc<Full>>),
    /// A library function.
    Intrinsic(Intrinsic, Library),
}

/// What library functions need to know about their sorts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Library {
    /// All indices of the map or set that results, or is taken apart, if they are finitely many.
    pub(crate) full: Option<Rc<Full>>,
    /// The value that fills places without content.
    pub(crate) filler: Option<Val>,
}

/// A quantifier.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) dst: Slot,
    /// Is it `forall`? Otherwise `exists`.
    pub(crate) all: bool,
    pub(crate) var: Slot,
    pub(crate) range: Range,
    /// What to note if the range may miss a value that matters.
    pub(crate) note: Option<u32>,
    /// The body, which ends with `Ret`, and the code behind it.
    pub(crate) start: Pc,
    pub(crate) end: Pc,
}

/// A map comprehension.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) dst: Slot,
    pub(crate) vars: Box<[Slot]>,
    /// All index tuples.
    pub(crate) full: Rc<Full>,
    pub(crate) start: Pc,
    pub(crate) end: Pc,
}

/// A call of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Push {
    pub(crate) procedure: u32,
    pub(crate) ins: Box<[Operand]>,
}

/// A parallel call.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    pub(crate) arms: Box<[Push]>,
}

/// An element that occurs nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    pub(crate) dst: Slot,
    /// The constructor around the element, if there is one.
    pub(crate) wrap: bool,
    /// The sort of the variable, by number.
    pub(crate) sort: u32,
    /// What to note if there is none left.
    pub(crate) note: u32,
    pub(crate) first: u32,
    pub(crate) size: u32,
    /// Variables of the action under way.
    pub(crate) locals: Box<[Slot]>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) enum Instr {
    Copy {
        dst: Slot,
        src: Operand,
    },
    Not {
        dst: Slot,
        a: Operand,
    },
    Eq {
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Num {
        op: Num,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Select {
        dst: Slot,
        map: Operand,
        key: Operand,
    },
    SelectMany {
        dst: Slot,
        map: Operand,
        keys: Box<[Operand]>,
    },
    Store {
        dst: Slot,
        map: Operand,
        key: Operand,
        element: Operand,
    },
    StoreMany {
        dst: Slot,
        map: Operand,
        keys: Box<[Operand]>,
        element: Box<Operand>,
    },
    Ctor {
        dst: Slot,
        ctor: u32,
        fields: Box<[Operand]>,
    },
    Field {
        dst: Slot,
        a: Operand,
        ctor: u16,
        field: u16,
    },
    Is {
        dst: Slot,
        a: Operand,
        ctor: u32,
    },
    General {
        dst: Slot,
        what: Box<General>,
        args: Box<[Operand]>,
    },
    Call {
        dst: Slot,
        function: u32,
        args: Box<[Operand]>,
    },
    Loop(Box<Loop>),
    Table(Box<Table>),
    /// Conjunction: goes to `end` when `src` is false.
    And {
        acc: Slot,
        src: Operand,
        end: Pc,
    },
    /// Disjunction: goes to `end` when `src` is true.
    Or {
        acc: Slot,
        src: Operand,
        end: Pc,
    },
    /// Goes on, or to `no`, or to `undefined`.
    Test {
        cond: Operand,
        no: Pc,
        undefined: Pc,
    },
    Jump(Pc),
    /// The end of a function or body.
    Ret(Operand),

    /// Ends the run: what follows cannot be executed.
    Excluded(u32),
    /// Something approximated happens.
    Note(u32),
    /// Ends the run unless the condition holds: the layer above has to keep it. Such ends are counted.
    Excuse(Operand, ir::Site),
    /// Ends the run unless the condition holds.
    Assume(Operand),
    /// Fails unless the condition holds.
    Assert(Operand, u32),
    /// Goes on at one of these.
    Choose(Box<[Pc]>),
    /// A decision for the schedule: the target of a node.
    Branch(u32),
    /// A decision for the schedule: values that were chosen.
    Chosen(Box<[(Slot, u32)]>),
    /// More micro steps than points.
    Tick(u32),
    /// The variable gets one of these values.
    Pick {
        dst: Slot,
        range: Box<Range>,
        note: Option<u32>,
        /// Does the sort have values that are not in the scope, which nothing rules out here?
        cut: bool,
    },
    Fresh(Box<Fresh>),
    /// A place where others may run, by its number.
    Point(u32),
    /// Calls; the frame goes on at the point.
    Push(Box<Push>, u32),
    /// Starts the arms; the frame goes on at the point when all have returned.
    Fork(Box<Fork>, u32),
    Spawn(Box<Push>),
    /// Results, in order, of what was called.
    Take(Box<[Option<Slot>]>),
    Return(Box<[Operand]>),
    /// The client is about to call this root, if there are arguments for it.
    Root(u32),
    /// There are.
    Calls(u32),
    /// A run of a single action ends.
    Done,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) params: Box<[Slot]>,
    pub(crate) start: Pc,
    /// Its registers, which a call of itself saves.
    pub(crate) window: std::ops::Range<u32>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: ir::Symbol,
    /// The point of a frame that has not begun.
    pub(crate) entry: u32,
    /// Where a call goes on.
    pub(crate) start: Pc,
    pub(crate) ins: usize,
    /// All variables of a frame; inputs come first. The others have no value at first.
    pub(crate) vars: Vec<ir::Var>,
    /// May others run where it is called and where it returns?
    pub(crate) yields: bool,
}

/// Why a thread is at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// Before a step of the code that others can notice, or that can wait.
    Step,
    /// Before a step that touches the variables of its frame alone, and never waits.
    Local,
    /// At a yield with claims that are checked.
    Yield,
    /// At any other yield.
    Quiet,
    /// Behind a call, waiting for it.
    Waiting,
    /// A client thread between two calls.
    Idle,
}

/// A program point.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The instruction behind the mark.
    pub(crate) pc: Pc,
    pub(crate) body: u32,
    pub(crate) at: At,
    pub(crate) site: Option<ir::Site>,
    /// Variables of the frame, by position, that may still be read.
    pub(crate) live: Box<[u32]>,
    /// For what waits for arms: their numbers in the text.
    pub(crate) arms: Box<[u32]>,
}

/// A compiled program.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) points: Vec<Point>,
    pub(crate) checks: Vec<Condition>,
    /// What is approximated, by number.
    pub(crate) notes: Vec<Inexact>,
    /// Sorts of chosen values, by number.
    pub(crate) sorts: Vec<Sort>,
    /// Registers 0.. hold the globals.
    pub(crate) globals: Vec<ir::Var>,
    /// How many registers steps use: globals, frame, intermediate values.
    pub(crate) window: u32,
    /// How many registers there are.
    pub(crate) registers: u32,
}
