//! Bodies and specifications: statements over resolved, typed expressions.
//!
//! **Out:** [`Body`] for each body, [`Specs`] for the clauses of each procedure-like declaration,
//! [`ExprBody`] for function bodies and axioms; each with a [`SourceMap`] kept apart.
//!
//! # Invariants
//! - `LocalId`s of formals agree between a procedure's [`Specs`] and its [`Body`].
//! - Loop invariants are statements (`Assert`/`Assume` with role `LoopInvariant`, `Call`), stored in
//!   the `head` of their loop in the order of the loop head: calls, then invariants, then measures.

use std::collections::BTreeMap;

use base::{DeclId, Name, NodePtr, Place};
use smol_str::SmolStr;

use crate::{Attrs, BoundId, ExprId, Exprs, LayerRange, LayerSet, LinearKind, LocalId, StmtId, Ty};

/// A formal or local variable of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local {
    pub name: Name,
    pub ty: Ty,
    pub kind: LocalKind,
    /// Ordinary for locals: attributes on them are ignored.
    pub linear: LinearKind,
    /// Where it exists; nothing in plain and pure procedures.
    pub layers: Option<LayerRange>,
    pub hide: bool,
    pub pools: Box<[SmolStr]>,
    /// Its `where` clause.
    pub condition: Option<ExprId>,
}

/// Role of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LocalKind {
    In,
    Out,
    Local,
}

/// A variable that a statement writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    Local(LocalId),
    Global(Name),
    /// A constant, a bound variable or an unknown name: complained about.
    Error,
}

/// The target of an assignment: `root[i]->f..`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    pub root: VarRef,
    /// From the root outwards.
    pub path: Box<[Step]>,
    /// The type of the whole path.
    pub ty: Ty,
    /// The same path as an expression: what it reads as before the assignment.
    pub value: ExprId,
}

/// A step of an access path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Index(Box<[ExprId]>),
    Field(Name),
}

/// Where an assertion or assumption comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A statement.
    Plain,
    /// A loop's `invariant` clause.
    LoopInvariant,
}

/// One callee of a call, with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    pub callee: Name,
    /// Whether the callee exists. If not, it was complained about.
    pub resolved: bool,
    pub type_args: Box<[Ty]>,
    pub args: Box<[ExprId]>,
    pub outs: Box<[VarRef]>,
    /// `{:layer ..}` of the call.
    pub layers: LayerSet,
    /// `{:sync}`
    pub sync: bool,
    pub attrs: Attrs,
    /// Set iff the callee is a linear primitive of the library.
    pub primitive: Option<&'static crate::Primitive>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// What could not be understood; it may do anything.
    Error,
    Assign {
        targets: Box<[Target]>,
        values: Box<[ExprId]>,
        attrs: Attrs,
    },
    /// `ctor(targets) := value`
    Unpack {
        ctor: Name,
        type_args: Box<[Ty]>,
        targets: Box<[VarRef]>,
        value: ExprId,
        attrs: Attrs,
    },
    Assert {
        expr: ExprId,
        layers: LayerSet,
        role: Role,
        attrs: Attrs,
    },
    Assume {
        expr: ExprId,
        layers: LayerSet,
        role: Role,
        attrs: Attrs,
    },
    Havoc {
        targets: Box<[VarRef]>,
    },
    Measure {
        exprs: Box<[ExprId]>,
        layers: LayerSet,
        attrs: Attrs,
    },
    Call {
        arms: Box<[Arm]>,
        is_async: bool,
        is_free: bool,
    },
    /// `yield expr`: others may run here, at these layers, and none of them makes `expr` false.
    Yield {
        expr: Option<ExprId>,
        layers: LayerSet,
        attrs: Attrs,
    },
    /// `reveal f`, `hide f`, `hide *`, `push`, `pop`: about which axioms are in sight.
    Visibility(Visibility),
    If {
        guard: Option<ExprId>,
        then: Box<[StmtId]>,
        other: Box<[StmtId]>,
        attrs: Attrs,
    },
    /// `head`: yield-invariant calls, invariants, measures, in the order of the loop head.
    While {
        guard: Option<ExprId>,
        head: Box<[StmtId]>,
        body: Box<[StmtId]>,
    },
    Break {
        label: Option<Name>,
    },
    Goto {
        labels: Box<[Name]>,
    },
    Label(Name),
    Return,
}

/// About which axioms are in sight; `None` means `*`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    Reveal(Option<Name>),
    Hide(Option<Name>),
    Push,
    Pop,
}

/// The body of a procedure, action, yield procedure or implementation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The declaration it is written in.
    pub decl: DeclId,
    /// The procedure it is the body of.
    pub proc: Name,
    pub exprs: Exprs,
    /// In-parameters, out-parameters, locals.
    pub locals: Vec<Local>,
    pub stmts: Vec<Stmt>,
    /// The outermost statements.
    pub root: Box<[StmtId]>,
    /// Some statement or expression was complained about.
    pub has_errors: bool,
}

impl Body {
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    /// The layers from the lowest to the highest of these variables, which is where a statement that
    /// takes a value apart into them is run; nothing if that is everywhere.
    pub fn layers_of_targets(&self, targets: &[VarRef]) -> Option<LayerRange> {
        let layers = targets.iter().map(|target| match target {
            VarRef::Local(id) => self.local(*id).layers,
            VarRef::Global(_) | VarRef::Error => None,
        });
        layers.reduce(|one, other| Some(one?.hull(other?))).flatten()
    }

    /// Is this statement a `free invariant` of a loop?
    pub fn is_free_invariant(&self, id: StmtId) -> bool {
        matches!(self.stmt(id), Stmt::Assume { role: Role::LoopInvariant, .. })
    }

    pub fn local_ids(&self) -> impl Iterator<Item = LocalId> + use<> {
        (0..self.locals.len()).map(LocalId::from_index)
    }
}

/// `requires e`, `ensures e`, `preserves e` or `asserts e`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    pub kind: ClauseKind,
    pub expr: ExprId,
    pub layers: LayerSet,
    /// `free`: assumed, not checked.
    pub free: bool,
    pub attrs: Attrs,
}

/// The keyword of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClauseKind {
    Requires,
    Preserves,
    Ensures,
    Asserts,
}

/// `requires call I(..)` and the like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpecCall {
    pub kind: ClauseKind,
    pub arm: Arm,
}

/// `measure e, ..;` of a procedure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MeasureClause {
    pub exprs: Box<[ExprId]>,
    pub layers: LayerSet,
    pub free: bool,
}

/// The specifications of a procedure-like declaration. Within a kind, source order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Specs {
    pub decl: DeclId,
    pub exprs: Exprs,
    /// The formals: in-parameters, then out-parameters, with their `where` clauses.
    pub locals: Vec<Local>,
    pub clauses: Vec<Clause>,
    pub calls: Vec<SpecCall>,
    pub measures: Vec<MeasureClause>,
    pub has_errors: bool,
}

impl Specs {
    /// The clauses of one kind, with their numbers.
    pub fn of_kind(&self, kind: ClauseKind) -> impl Iterator<Item = (usize, &Clause)> {
        self.clauses.iter().enumerate().filter(move |(_, clause)| clause.kind == kind)
    }

    /// The invariant calls of one kind, with their numbers.
    pub fn calls_of_kind(&self, kind: ClauseKind) -> impl Iterator<Item = (usize, &SpecCall)> {
        self.calls.iter().enumerate().filter(move |(_, call)| call.kind == kind)
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }
}

/// One expression with variables of its own: the body of a function (bound = its parameters), an
/// axiom, or the `where` clause of a global variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExprBody {
    pub decl: DeclId,
    pub exprs: Exprs,
    /// The parameters of the function.
    pub params: Box<[BoundId]>,
    pub root: ExprId,
    pub attrs: Attrs,
    pub has_errors: bool,
}

/// Where the parts of a body, of specifications or of an expression body are written.
///
/// A pointer to an expression or statement picks the token that language.md 12.2 reports; drop the
/// token ([`NodePtr::whole`]) to get the whole node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceMap {
    /// The declaration whose tree the pointers count.
    pub decl: DeclId,
    pub exprs: Vec<NodePtr>,
    /// Name tokens of bound variables.
    pub bound: Vec<NodePtr>,
    /// Names of formals and locals. Those of an inline action are in its procedure's tree.
    pub locals: Vec<Place>,
    pub stmts: Vec<NodePtr>,
    /// Clauses, spec calls (`call` keyword), measures, in the order of [`Specs`].
    pub clauses: Vec<NodePtr>,
    pub calls: Vec<NodePtr>,
    pub measures: Vec<NodePtr>,
    /// Arms of calls (the callee's name) and targets, by statement; spec calls have none here.
    pub arms: BTreeMap<StmtId, Box<[ArmPlaces]>>,
    /// Targets of assignments (reported token), of unpacks and havocs (names).
    pub targets: BTreeMap<StmtId, Box<[NodePtr]>>,
    /// Field name tokens of `e->f`, constructor name tokens of `e is C`.
    pub members: BTreeMap<ExprId, NodePtr>,
    /// Arms of spec calls, by number of the call.
    pub spec_arms: Vec<ArmPlaces>,
    /// Closing braces of the statement lists of `if` and `while`, by branch.
    pub block_ends: BTreeMap<(StmtId, Branch), NodePtr>,
    /// The closing brace of the body.
    pub end: NodePtr,
}

/// A statement list inside a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Branch {
    /// Of `if`.
    Then,
    /// Of `else`.
    Else,
    /// Of `while`.
    Body,
}

/// Where the parts of an arm are written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArmPlaces {
    /// The whole arm.
    pub arm: NodePtr,
    /// The callee's name.
    pub callee: NodePtr,
    /// The out-variables.
    pub outs: Box<[NodePtr]>,
}

impl SourceMap {
    /// A source map without entries.
    pub fn new(decl: DeclId) -> SourceMap {
        SourceMap {
            decl,
            exprs: Vec::new(),
            bound: Vec::new(),
            locals: Vec::new(),
            stmts: Vec::new(),
            clauses: Vec::new(),
            calls: Vec::new(),
            measures: Vec::new(),
            arms: BTreeMap::new(),
            targets: BTreeMap::new(),
            members: BTreeMap::new(),
            spec_arms: Vec::new(),
            block_ends: BTreeMap::new(),
            end: NodePtr::ROOT,
        }
    }

    /// Where an expression is reported.
    pub fn expr(&self, id: ExprId) -> Place {
        Place::new(self.decl, self.exprs[id.index()])
    }

    /// Where a statement is reported.
    pub fn stmt(&self, id: StmtId) -> Place {
        Place::new(self.decl, self.stmts[id.index()])
    }

    /// The name of a formal or local.
    pub fn local(&self, id: LocalId) -> Place {
        self.locals[id.index()]
    }

    /// The keyword of a clause of the specifications.
    pub fn clause(&self, number: usize) -> Place {
        Place::new(self.decl, self.clauses[number])
    }

    /// The `call` keyword of a call in the specifications.
    pub fn spec_call(&self, number: usize) -> Place {
        Place::new(self.decl, self.calls[number])
    }

    /// A place of this map's declaration.
    pub fn place(&self, ptr: NodePtr) -> Place {
        Place::new(self.decl, ptr)
    }
}
