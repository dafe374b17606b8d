//! Which global variables a procedure may change (language.md 7).
//!
//! **In:** what each body assigns and calls. **Out:** [`modifies`].
//!
//! The sets of all procedures are the least solution of "own assignments plus those of callees". They
//! are computed together, because callees may call back; bodies are read through [`effects`], so an edit
//! that neither adds nor removes an assignment or a call stops there.
//!
//! # Soundness
//! A procedure without body changes what its `modifies` clauses list. If there are none, it changes
//! what its contract speaks of as changed ([`contract_changes`]): otherwise its postcondition would be
//! assumed of variables that are taken not to change, and could be false.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Name, Program};

use crate::{
    Arm, BinaryOp, Body, ClauseKind, Db, Expr, ExprId, Exprs, LocalKind, ProcKind, ProcSig, Specs,
    Stmt, VarRef, body, implementations, infers_modifies, proc_sig, proc_sig_of, program_decls,
    refined_action, specs,
};

/// What one body does by itself.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Effects {
    pub(crate) assigned: BTreeSet<Name>,
    /// Called procedures whose effects count: not those called asynchronously without `{:sync}`.
    pub(crate) calls: BTreeSet<Name>,
}

/// What one body assigns and calls. Reads that body only.
#[salsa::tracked(returns(clone))]
pub(crate) fn effects(db: &dyn Db, program: Program, decl: DeclId) -> Arc<Effects> {
    let mut out = Effects::default();
    if let Some(body) = body(db, program, decl) {
        for stmt in &body.stmts {
            stmt_effects(&body, stmt, &mut out);
        }
    }
    Arc::new(out)
}

fn stmt_effects(body: &Body, stmt: &Stmt, out: &mut Effects) {
    let mut assign = |var: &VarRef| {
        if let VarRef::Global(name) = var {
            out.assigned.insert(name.clone());
        }
    };
    match stmt {
        Stmt::Assign { targets, .. } => targets.iter().for_each(|target| assign(&target.root)),
        Stmt::Unpack { targets, .. } | Stmt::Havoc { targets } => targets.iter().for_each(assign),
        Stmt::Call { arms, is_async, .. } => {
            for arm in arms {
                arm.outs.iter().for_each(&mut assign);
                modified_root(body, arm).iter().for_each(&mut assign);
            }
            let counted = arms.iter().filter(|arm| !is_async || arm.sync);
            out.calls.extend(counted.map(|arm| arm.callee.clone()));
        }
        Stmt::Error | Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } => {}
        Stmt::Yield { .. }
        | Stmt::Visibility(_)
        | Stmt::If { .. }
        | Stmt::While { .. }
        | Stmt::Break { .. } => {}
        Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return => {}
    }
}

/// The variable that a primitive changes through its first argument.
pub fn modified_root(body: &Body, arm: &Arm) -> Option<VarRef> {
    let changes_first = arm.primitive.is_some_and(|it| it.modifies_first);
    path_root(body, *arm.args.first().filter(|_| changes_first)?)
}

/// The variable an access path `x[i]->f..` starts from.
pub fn path_root(body: &Body, expr: ExprId) -> Option<VarRef> {
    let mut at = expr;
    loop {
        let expr = body.exprs.expr(at);
        if let Expr::Local(id) = expr {
            return Some(VarRef::Local(*id));
        } else if let Expr::Global(name) = expr {
            return Some(VarRef::Global(name.clone()));
        }
        let (Expr::Select { map: base, .. } | Expr::Field { base, .. }) = expr else { return None };
        at = *base;
    }
}

/// The globals a procedure, action or mover procedure may change. Empty for yield procedures without
/// mover type, which are treated as changing everything at each yield.
#[salsa::tracked(returns(clone))]
pub fn modifies(db: &dyn Db, program: Program, name: Name) -> Arc<BTreeSet<Name>> {
    if !infers_modifies(db, program) {
        let sig = proc_sig(db, program, name);
        return Arc::new(sig.map(|sig| sig.modifies.iter().cloned().collect()).unwrap_or_default());
    }
    modified_sets(db, program).get(&name).cloned().unwrap_or_default()
}

type Sets = BTreeMap<Name, Arc<BTreeSet<Name>>>;

/// The sets of all procedures together.
#[salsa::tracked(returns(clone))]
fn modified_sets(db: &dyn Db, program: Program) -> Arc<Sets> {
    let mut sets: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    let mut callers: BTreeMap<Name, Vec<Name>> = BTreeMap::new();
    for decl in program_decls(db, program).iter() {
        let Some(sig) = proc_sig_of(db, program, *decl).filter(|sig| sig.decl == *decl) else {
            continue;
        };
        if !has_set(&sig) {
            continue;
        }
        let mut own: BTreeSet<Name> = sig.modifies.iter().cloned().collect();
        let bodies = implementations(db, program, sig.name.clone());
        if bodies.is_empty() && own.is_empty() {
            own.extend(contract_changes(db, program, *decl).iter().cloned());
        }
        for implementation in bodies.iter() {
            let effects = effects(db, program, *implementation);
            own.extend(effects.assigned.iter().cloned());
            for callee in &effects.calls {
                if let Some(callee) = effective_callee(db, program, &sig, callee) {
                    callers.entry(callee).or_default().push(sig.name.clone());
                }
            }
        }
        sets.insert(sig.name.clone(), own);
    }
    let mut todo: Vec<Name> = sets.keys().cloned().collect();
    while let Some(name) = todo.pop() {
        let set = sets.get(&name).cloned().unwrap_or_default();
        for caller in callers.get(&name).into_iter().flatten() {
            let Some(target) = sets.get_mut(caller) else { continue };
            let before = target.len();
            target.extend(set.iter().cloned());
            if target.len() > before {
                todo.push(caller.clone());
            }
        }
    }
    Arc::new(sets.into_iter().map(|(name, set)| (name, Arc::new(set))).collect())
}

/// The globals that a contract speaks of as changed: those that a conjunct of an `ensures` or
/// `preserves` clause mentions outside `old`, unless it is about a result: then the global, if its old
/// value is not mentioned too, is what was read.
///
/// Reads the specifications of that declaration only.
#[salsa::tracked(returns(clone))]
fn contract_changes(db: &dyn Db, program: Program, decl: DeclId) -> Arc<BTreeSet<Name>> {
    let mut out = BTreeSet::new();
    let Some(specs) = specs(db, program, decl) else { return Arc::default() };
    for clause in &specs.clauses {
        match clause.kind {
            ClauseKind::Ensures | ClauseKind::Preserves => {}
            ClauseKind::Requires | ClauseKind::Asserts => continue,
        }
        for conjunct in conjuncts(&specs.exprs, clause.expr) {
            let found = mentions(&specs, conjunct);
            let read = |name: &&Name| found.results && !found.old.contains(*name);
            out.extend(found.now.iter().filter(|name| !read(name)).cloned());
        }
    }
    Arc::new(out)
}

fn conjuncts(exprs: &Exprs, root: ExprId) -> Vec<ExprId> {
    let (mut todo, mut out) = (vec![root], Vec::new());
    while let Some(id) = todo.pop() {
        if let Expr::Binary { op: BinaryOp::And, lhs, rhs } = exprs.expr(id) {
            todo.extend([*rhs, *lhs]);
        } else {
            out.push(id);
        }
    }
    out
}

/// What an expression of a contract mentions.
#[derive(Default)]
struct Mentions {
    /// Globals outside `old`.
    now: BTreeSet<Name>,
    /// Globals inside `old`.
    old: BTreeSet<Name>,
    /// Some out-parameter.
    results: bool,
}

fn mentions(specs: &Specs, root: ExprId) -> Mentions {
    let mut out = Mentions::default();
    let mut todo = vec![(root, false)];
    while let Some((id, in_old)) = todo.pop() {
        let expr = specs.exprs.expr(id);
        if let Expr::Global(name) = expr {
            let names = if in_old { &mut out.old } else { &mut out.now };
            names.insert(name.clone());
        } else if let Expr::Local(local) = expr {
            out.results |= specs.local(*local).kind == LocalKind::Out;
        }
        let in_old = in_old || matches!(expr, Expr::Old(_));
        todo.extend(expr.children().into_iter().map(|child| (child, in_old)));
    }
    out
}

fn has_set(sig: &ProcSig) -> bool {
    match sig.kind {
        ProcKind::Plain | ProcKind::Pure | ProcKind::Action { .. } => true,
        ProcKind::Yield => sig.mover.is_some(),
        ProcKind::Invariant { .. } => false,
    }
}

/// Whose set a call contributes: inside a mover procedure at layer n, a yield procedure without mover
/// type is the action it refines there.
fn effective_callee(
    db: &dyn Db,
    program: Program,
    caller: &ProcSig,
    callee: &Name,
) -> Option<Name> {
    let sig = proc_sig(db, program, callee.clone())?;
    if !sig.is_yield_procedure() || sig.mover.is_some() {
        return Some(callee.clone());
    }
    refined_action(db, program, callee.clone(), caller.layer()?)
}
