//! Permissions that ghost code takes out of shared variables (language.md 10.4).
//!
//! **In:** a program and a layer. **Out:** which variables of its code may hold a permission that
//! ghost code of the layer took out of a linear global, and a problem for each call that passes one
//! to an action or mover procedure of the layer.
//!
//! # Soundness
//! Actions move because the permissions of two threads are apart. They have to be so in all runs,
//! also in those that are not cut into transactions. Ghost code of layer n is put into the
//! transactions of layer n after they were made: what it takes out of a linear global is there, and
//! nobody else's, in runs of whole transactions only. Such a permission counts there: for yield
//! invariants, non-interference and assertions. Were it given to an action of layer n, too, the
//! transactions would rest on what is known only because of them. Hence the rule: at layer n, such a
//! permission is passed to no linear parameter of an action or mover procedure. What a callee hands
//! out is no use of it.
//!
//! At layer 0 there are no actions, and a pure call is a step of the machine. Above layer n the ghost
//! code does not exist: there an action hands the permission out, in one step that is compared with
//! all others.
//!
//! A permission goes from variable to variable, and between the procedures that are code at the
//! layer. The order of statements is ignored:
//!
//! | statement | from | to |
//! | --- | --- | --- |
//! | assignment of a linear value | the variables it is made of | the root of the target |
//! | `C(x, y) := v` | the variable | the targets |
//! | pure call | what it takes or changes | what it changes, `linear_out` arguments, linear results |
//! | call of code | arguments that are `linear` or `linear_in` | its parameters |
//! | return of code or of a mover procedure | `linear` and `linear_out` parameters, linear results | the arguments and results |
//!
//! # Invariants
//! - What a body moves is a query of its own, and so is at which layers it takes something out of a
//!   global. Where no body of the program does, no body is looked at because of another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Name, Place, Program};
use hir::{Arm, ExprId, Layer, LinearKind, LocalId, ProcSig, Stmt, StmtId, Target, VarRef};

use super::commands::pack_arguments;
use super::layered::Here;
use super::owner::{Owner, Passing, as_var, passed_var, var_name};
use crate::Db;
use crate::problem::{LinearProblem, Problem};
use crate::standing::{CalleeAt, callee_at};

/// Appends a problem for each call of a body that passes a permission of ghost code to an action.
pub(super) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let sig = hir::proc_sig_of(db, program, decl).filter(|it| it.is_yield_procedure());
    let Some(own) = sig.and_then(|it| it.layer()) else { return };
    let layers = ghost_layers(db, program);
    for layer in layers.iter().copied().filter(|layer| *layer <= own) {
        let holders = holders(db, program, layer);
        let Some((_, held)) = holders.iter().find(|(body, _)| *body == decl) else { continue };
        for used in &moves(db, program, decl, layer).uses {
            let Some(origin) = held.get(&used.local) else { continue };
            out.extend(problem(db, program, (decl, used), (origin, layer)).map(Problem::from));
        }
    }
}

fn problem(
    db: &dyn Db,
    program: Program,
    (decl, used): (DeclId, &Use),
    (origin, layer): (&Origin, Layer),
) -> Option<LinearProblem> {
    let body = hir::body(db, program, decl)?;
    let map = hir::body_map(db, program, decl)?;
    let taken: Place = hir::body_map(db, program, origin.decl)?.stmt(origin.stmt);
    Some(LinearProblem::GhostPermission {
        place: map.stmt(used.stmt),
        arg: map.expr(used.arg),
        name: var_name(&body.locals, &VarRef::Local(used.local)),
        callee: used.callee.clone(),
        layer,
        taken,
        global: origin.global.clone(),
    })
}

/// How permissions move in one body at one layer.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Moves {
    /// A variable receives from a global: where, and from which.
    taken: Vec<(LocalId, StmtId, Name)>,
    /// From one variable to another.
    local: BTreeSet<(LocalId, LocalId)>,
    handed: Vec<Handed>,
    uses: Vec<Use>,
}

/// An argument or result of code.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Handed {
    callee: Name,
    formal: LocalId,
    actual: LocalId,
    goes_in: bool,
    comes_back: bool,
}

/// An argument that an action or mover procedure is given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Use {
    stmt: StmtId,
    arg: ExprId,
    local: LocalId,
    callee: Name,
}

/// Where a permission was taken out of a global.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    decl: DeclId,
    stmt: StmtId,
    global: Name,
}

/// The variables of some bodies that may hold permissions of ghost code.
type Holders = Vec<(DeclId, BTreeMap<LocalId, Origin>)>;

/// The layers at which ghost code of the program takes something out of a linear global, ascending.
///
/// Reads that about each body, and nothing else of bodies.
#[salsa::tracked(returns(clone))]
fn ghost_layers(db: &dyn Db, program: Program) -> Arc<[Layer]> {
    let decls = hir::program_decls(db, program);
    let layers = decls.iter().flat_map(|decl| taking_layers(db, program, *decl).to_vec());
    let layers: BTreeSet<Layer> = layers.collect();
    layers.into_iter().collect()
}

/// The layers at which ghost code of one body takes something out of a linear global, ascending.
#[salsa::tracked(returns(clone))]
fn taking_layers(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Layer]> {
    let none = || Arc::from([]);
    let sig = hir::proc_sig_of(db, program, decl).filter(|it| it.is_yield_procedure());
    let body = hir::body(db, program, decl).filter(|body| !body.has_errors);
    let (Some(sig), Some(body)) = (sig, body) else { return none() };
    let arms = body
        .stmts
        .iter()
        .flat_map(|stmt| if let Stmt::Call { arms, .. } = stmt { &arms[..] } else { &[] });
    // A call that touches a global exists at one layer, or it was complained about.
    let written: BTreeSet<Layer> = arms.flat_map(|arm| arm.layers.as_slice()).copied().collect();
    let owner = Owner::new(db, program, sig);
    if owner.linear_globals().is_empty() {
        return none();
    }
    let takes = |layer: &Layer| !moves(db, program, decl, *layer).taken.is_empty();
    written.into_iter().filter(|layer| *layer > Layer::ZERO).filter(takes).collect()
}

/// How permissions move in the body of the yield procedure `decl` at `layer`.
///
/// Reads the body, the signatures of its callees and the declarations of globals.
#[salsa::tracked(returns(clone))]
fn moves(db: &dyn Db, program: Program, decl: DeclId, layer: Layer) -> Arc<Moves> {
    let sig = hir::proc_sig_of(db, program, decl);
    let body = hir::body(db, program, decl).filter(|body| !body.has_errors);
    let (Some(sig), Some(body)) = (sig, body) else { return Arc::default() };
    let owner = Owner::new(db, program, sig);
    let here = Here { owner: &owner, body: &body, layer: Some(layer) };
    let mut walk = Walk { here, layer, out: Moves::default() };
    for id in (0..body.stmts.len()).map(StmtId::from_index) {
        walk.statement(id, body.stmt(id));
    }
    Arc::new(walk.out)
}

/// A body being read.
struct Walk<'a> {
    here: Here<'a>,
    layer: Layer,
    out: Moves,
}

impl Walk<'_> {
    fn statement(&mut self, id: StmtId, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { targets, values, .. } => self.assign(id, targets, values),
            Stmt::Unpack { targets, value, .. } => {
                let source = as_var(&self.here.body.exprs, *value);
                self.flow(id, source.as_slice(), targets);
            }
            Stmt::Call { arms, is_async, .. } => {
                for arm in arms {
                    self.arm(id, arm, *is_async);
                }
            }
            Stmt::Error | Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Havoc { .. } => {}
            Stmt::Yield { .. } | Stmt::Measure { .. } | Stmt::Visibility(_) => {}
            Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } => {}
            Stmt::Label(_) | Stmt::Return => {}
        }
    }

    fn assign(&mut self, id: StmtId, targets: &[Target], values: &[ExprId]) {
        let Here { owner, body, .. } = self.here;
        for (target, value) in targets.iter().zip(values) {
            if !owner.is_linear(&target.ty) {
                continue;
            }
            // A value of another shape holds nothing.
            let packed = pack_arguments(owner, &body.exprs, *value).unwrap_or_default();
            let parts = packed.into_iter().map(|(_, arg)| arg).chain([*value]);
            let sources: Vec<VarRef> = parts.filter_map(|part| as_var(&body.exprs, part)).collect();
            self.flow(id, &sources, std::slice::from_ref(&target.root));
        }
    }

    /// Permissions go from each source to each target.
    fn flow(&mut self, id: StmtId, sources: &[VarRef], targets: &[VarRef]) {
        for target in targets {
            let VarRef::Local(target) = target else { continue };
            for source in sources {
                match source {
                    VarRef::Local(source) if source != target => {
                        self.out.local.insert((*source, *target));
                    }
                    VarRef::Global(name) => self.out.taken.push((*target, id, name.clone())),
                    VarRef::Local(_) | VarRef::Error => {}
                }
            }
        }
    }

    fn arm(&mut self, id: StmtId, arm: &Arm, is_async: bool) {
        let owner = self.here.owner;
        let Some(callee) = owner.callee(arm) else { return };
        match callee_at(owner.db, owner.program, &callee, (arm, is_async), self.layer) {
            CalleeAt::Pure => self.pure(id, arm, &callee),
            CalleeAt::Action(_) => self.uses(id, arm, &callee),
            CalleeAt::Mover(_) => {
                self.uses(id, arm, &callee);
                self.handed(arm, &callee, (false, !is_async));
            }
            CalleeAt::Code => self.handed(arm, &callee, (true, true)),
            CalleeAt::StartedCode => self.handed(arm, &callee, (true, false)),
            CalleeAt::Nothing | CalleeAt::Invariant => {}
            CalleeAt::Skip | CalleeAt::StartedSkip | CalleeAt::Unknown => {}
        }
    }

    /// The arguments for linear parameters that are variables or paths into one.
    fn passed<'s>(&self, arm: &Arm, callee: &'s ProcSig) -> Vec<(Passing<'s>, VarRef)> {
        let passings = self.here.passings(arm, callee).into_iter();
        let exprs = &self.here.body.exprs;
        passings.filter_map(|it| passed_var(exprs, &it).map(|var| (it, var))).collect()
    }

    fn pure(&mut self, id: StmtId, arm: &Arm, callee: &ProcSig) {
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        for (passing, var) in self.passed(arm, callee) {
            if takes(passing.param.linear) {
                sources.push(var.clone());
            }
            if passing.is_path || passing.param.linear == LinearKind::LinearOut {
                targets.push(var);
            }
        }
        let results = self.here.results(arm, callee).into_iter();
        targets.extend(results.filter(|(_, given)| *given).map(|(var, _)| var.clone()));
        self.flow(id, &sources, &targets);
    }

    fn uses(&mut self, id: StmtId, arm: &Arm, callee: &ProcSig) {
        for (passing, var) in self.passed(arm, callee) {
            if let (VarRef::Local(local), true) = (var, takes(passing.param.linear)) {
                let callee = callee.name.clone();
                self.out.uses.push(Use { stmt: id, arg: passing.arg, local, callee });
            }
        }
    }

    /// What goes into code, and what comes back from it.
    fn handed(&mut self, arm: &Arm, callee: &ProcSig, (enters, returns): (bool, bool)) {
        let mut found = Vec::new();
        for (passing, var) in self.passed(arm, callee) {
            let nth = callee.ins.iter().position(|it| std::ptr::eq(it, passing.param));
            let kind = passing.param.linear;
            let back = matches!(kind, LinearKind::Linear | LinearKind::LinearOut);
            found.extend(nth.map(|nth| (nth, var, (enters && takes(kind), returns && back))));
        }
        for (nth, (var, given)) in self.here.results(arm, callee).into_iter().enumerate() {
            found.push((callee.ins.len() + nth, var.clone(), (false, returns && given)));
        }
        for (nth, var, (goes_in, comes_back)) in found {
            let VarRef::Local(actual) = var else { continue };
            let (callee, formal) = (callee.name.clone(), LocalId::from_index(nth));
            self.out.handed.push(Handed { callee, formal, actual, goes_in, comes_back });
        }
    }
}

/// Is a parameter of this kind given permissions?
fn takes(kind: LinearKind) -> bool {
    match kind {
        LinearKind::Linear | LinearKind::LinearIn => true,
        LinearKind::Ordinary | LinearKind::LinearOut => false,
    }
}

/// A variable of one of the bodies that are code at a layer.
type Node = (usize, LocalId);

/// The variables that may hold a permission which ghost code of `layer` took out of a linear global.
///
/// Reads how permissions move in all bodies that are code at the layer.
#[salsa::tracked(returns(clone))]
fn holders(db: &dyn Db, program: Program, layer: Layer) -> Arc<Holders> {
    let decls = hir::program_decls(db, program);
    let is_code = |decl: &DeclId| {
        let sig = hir::proc_sig_of(db, program, *decl).filter(|it| it.is_yield_procedure());
        sig.and_then(|it| it.layer()).is_some_and(|own| layer <= own)
    };
    let bodies: Vec<DeclId> = decls.iter().copied().filter(is_code).collect();
    let mut of_name: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
    for (nth, decl) in bodies.iter().enumerate() {
        of_name.entry(decl.name(db).clone()).or_default().push(nth);
    }
    let mut edges: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    let mut todo: Vec<(Node, Origin)> = Vec::new();
    for (nth, decl) in bodies.iter().enumerate() {
        let moves = moves(db, program, *decl, layer);
        for (from, to) in &moves.local {
            edges.entry((nth, *from)).or_default().push((nth, *to));
        }
        for it in &moves.handed {
            for body in of_name.get(&it.callee).into_iter().flatten() {
                let (inside, outside) = ((*body, it.formal), (nth, it.actual));
                if it.goes_in {
                    edges.entry(outside).or_default().push(inside);
                }
                if it.comes_back {
                    edges.entry(inside).or_default().push(outside);
                }
            }
        }
        for (local, stmt, global) in &moves.taken {
            let origin = Origin { decl: *decl, stmt: *stmt, global: global.clone() };
            todo.push(((nth, *local), origin));
        }
    }
    let mut out: Holders = bodies.into_iter().map(|decl| (decl, BTreeMap::new())).collect();
    while let Some(((body, local), origin)) = todo.pop() {
        if out[body].1.contains_key(&local) {
            continue;
        }
        let next = edges.get(&(body, local)).into_iter().flatten();
        todo.extend(next.map(|node| (*node, origin.clone())));
        out[body].1.insert(local, origin);
    }
    out.retain(|(_, held)| !held.is_empty());
    Arc::new(out)
}

#[cfg(test)]
mod tests;
