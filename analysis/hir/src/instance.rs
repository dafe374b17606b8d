//! Type arguments put in, and the promise that finitely many are enough.
//!
//! **In:** which type parameter flows into which at each use of a polymorphic function, procedure or
//! datatype. **Out:** [`growing_types`]: recursion that needs ever larger types; [`Exprs::subst`].
//!
//! A parameter flows *strongly* if it is wrapped in a larger type on the way. If a cycle of flows has a
//! strong one, instances beget larger instances for ever; otherwise their number is bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Program};

use crate::flow::Graph;
use crate::lower::{lowered_body, lowered_expr_body};
use crate::problem::{Fault, Problem};
use crate::scope::NameSpace;
use crate::{
    Db, Expr, Exprs, FuncKind, Stmt, Ty, TySubst, datatype_of, decl_place, func_sig, func_sig_of,
    proc_sig, proc_sig_of, program_decls,
};

/// A type parameter: whose, and which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TypeParam {
    space: NameSpace,
    owner: Name,
    number: usize,
}

/// `from` of the declaration itself flows into `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TypeFlow {
    from: usize,
    to: TypeParam,
    strong: bool,
    /// The whole type that flows.
    ty: Ty,
}

/// The flows out of one polymorphic declaration. Reads that declaration and the signatures it uses.
#[salsa::tracked(returns(clone))]
fn type_flows(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[TypeFlow]> {
    let mut out = Flows { db, program, params: Arc::from([]), flows: Vec::new() };
    match decl.kind(db) {
        DeclKind::Datatype => {
            let Some(datatype) = datatype_of(db, program, decl) else { return Arc::from([]) };
            out.params = datatype.type_params.clone();
            let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
            fields.for_each(|field| out.of_type(&field.ty));
        }
        DeclKind::Function => {
            let Some(sig) = func_sig_of(db, program, decl) else { return Arc::from([]) };
            out.params = sig.type_params.clone();
            if let Some(body) = lowered_expr_body(db, program, decl).filter(|_| out.is_generic()) {
                out.of_exprs(&body.contents.exprs);
            }
        }
        DeclKind::Procedure | DeclKind::Implementation => {
            let Some(sig) = proc_sig_of(db, program, decl) else { return Arc::from([]) };
            out.params = sig.type_params.clone();
            if let Some(body) = lowered_body(db, program, decl).filter(|_| out.is_generic()) {
                out.of_exprs(&body.contents.exprs);
                body.contents.stmts.iter().for_each(|stmt| out.of_stmt(stmt));
            }
        }
        DeclKind::Type | DeclKind::Const | DeclKind::Axiom | DeclKind::Var | DeclKind::Action => {}
        DeclKind::YieldProcedure | DeclKind::Invariant => {}
    }
    out.flows.into()
}

struct Flows<'a> {
    db: &'a dyn Db,
    program: Program,
    params: Arc<[Name]>,
    flows: Vec<TypeFlow>,
}

impl Flows<'_> {
    fn is_generic(&self) -> bool {
        !self.params.is_empty()
    }

    fn of_exprs(&mut self, exprs: &Exprs) {
        for id in exprs.ids() {
            let Expr::Call { func, type_args, .. } = exprs.expr(id) else { continue };
            let Some(sig) = func_sig(self.db, self.program, func.clone()) else { continue };
            let (space, owner) = match &sig.kind {
                FuncKind::Constructor { datatype, .. } => (NameSpace::Type, datatype.clone()),
                FuncKind::Uninterpreted | FuncKind::Inline | FuncKind::Define => {
                    (NameSpace::Function, func.clone())
                }
                FuncKind::Axiom | FuncKind::Builtin(_) => (NameSpace::Function, func.clone()),
            };
            self.arguments(space, &owner, type_args);
        }
    }

    fn of_stmt(&mut self, stmt: &Stmt) {
        let Stmt::Call { arms, .. } = stmt else { return };
        for arm in arms.iter().filter(|arm| arm.resolved) {
            if proc_sig(self.db, self.program, arm.callee.clone()).is_some() {
                self.arguments(NameSpace::Procedure, &arm.callee, &arm.type_args);
            }
        }
    }

    fn of_type(&mut self, ty: &Ty) {
        if let Ty::Ctor(name, args) = ty {
            self.arguments(NameSpace::Type, name, args);
        }
        let mut parts = Vec::new();
        ty.map_parts(&mut |part| {
            parts.push(part.clone());
            part.clone()
        });
        parts.iter().for_each(|part| self.of_type(part));
    }

    fn arguments(&mut self, space: NameSpace, owner: &Name, args: &[Ty]) {
        for (number, ty) in args.iter().enumerate() {
            for (from, param) in self.params.clone().iter().enumerate() {
                if crate::types::mentions(ty, param) {
                    let to = TypeParam { space, owner: owner.clone(), number };
                    let strong = !matches!(ty, Ty::Param(_));
                    self.flows.push(TypeFlow { from, to, strong, ty: ty.clone() });
                }
            }
        }
    }
}

/// The declaration that wraps its parameter in a larger type, and that type.
type Growth = Option<(DeclId, Name, Ty)>;

/// Recursion that needs ever larger types: one problem per declaration that makes them grow.
pub(crate) fn growing_types(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut nodes: BTreeMap<TypeParam, usize> = BTreeMap::new();
    let mut edges: Vec<(usize, usize, Growth)> = Vec::new();
    let mut number = |param: TypeParam| {
        let next = nodes.len();
        *nodes.entry(param).or_insert(next)
    };
    for decl in program_decls(db, program).iter() {
        let space = match decl.kind(db) {
            DeclKind::Datatype => NameSpace::Type,
            DeclKind::Function => NameSpace::Function,
            DeclKind::Procedure | DeclKind::Implementation => NameSpace::Procedure,
            DeclKind::Type | DeclKind::Const | DeclKind::Axiom | DeclKind::Var => continue,
            DeclKind::Action | DeclKind::YieldProcedure | DeclKind::Invariant => continue,
        };
        for flow in type_flows(db, program, *decl).iter() {
            let owner = decl.name(db).clone();
            let from = number(TypeParam { space, owner: owner.clone(), number: flow.from });
            let to = number(flow.to.clone());
            let strong = flow.strong.then(|| (*decl, owner, flow.ty.clone()));
            edges.push((from, to, strong));
        }
    }
    let mut succs = vec![Vec::new(); nodes.len()];
    edges.iter().for_each(|(from, to, _)| succs[*from].push(*to));
    let all = vec![true; nodes.len()];
    let mut component = vec![0; nodes.len()];
    for (number, members) in Graph::new(succs).components(&all).into_iter().enumerate() {
        members.into_iter().for_each(|node| component[node] = number);
    }
    let mut out = Vec::new();
    let mut seen: BTreeSet<Name> = BTreeSet::new();
    for (from, to, strong) in edges {
        let Some((decl, what, ty)) = strong else { continue };
        if component[from] == component[to] && seen.insert(what.clone()) {
            let place = decl_place(db, decl);
            out.push(Problem { place, fault: Fault::GrowingTypes { what, ty } });
        }
    }
    out
}

impl Exprs {
    /// The same expressions with type parameters replaced: an instance of a polymorphic body.
    pub fn subst(&self, subst: &TySubst) -> Exprs {
        let mut out = self.clone();
        out.types.iter_mut().for_each(|ty| *ty = ty.subst(subst));
        out.bound.iter_mut().for_each(|bound| bound.ty = bound.ty.subst(subst));
        for expr in &mut out.exprs {
            match expr {
                Expr::Call { type_args, .. }
                | Expr::Select { type_args, .. }
                | Expr::Store { type_args, .. } => {
                    type_args.iter_mut().for_each(|ty| *ty = ty.subst(subst));
                }
                Expr::Coerce { ty, .. } => *ty = ty.subst(subst),
                Expr::Missing | Expr::Literal(_) | Expr::Local(_) | Expr::Global(_) => {}
                Expr::Const(_) | Expr::Bound(_) | Expr::Old(_) | Expr::Quant { .. } => {}
                Expr::Lambda { .. } | Expr::Let { .. } | Expr::Ite { .. } => {}
                Expr::Field { .. } | Expr::FieldUpdate { .. } | Expr::Is { .. } => {}
                Expr::Unary { .. } | Expr::Binary { .. } => {}
                Expr::Convert { .. } | Expr::Extract { .. } => {}
            }
        }
        out
    }
}
