//! The queries of lowering: one walk per body, per set of specifications, per expression body.
//!
//! Each walk gives contents, places and problems; the public queries hand out one of them, so that
//! a reader of contents does not notice when only places change.

use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use syntax::ast::{self, AstNode};

use super::{Lowering, StateMode};
use crate::problem::{Fault, Problem};
use crate::signature::{FormalLayers, FormalLowering, Formals, ProcNode, func_data, proc_data};
use crate::tree::NodeNumbers;
use crate::{
    Attrs, Body, BoundId, Db, ExprBody, ExprId, LinearKind, Local, LocalKind, Param, ProcKind,
    ProcSig, SourceMap, Specs, Ty, decl_place, layers_of, proc_sig_of, shape,
};

/// Contents, places and problems of one walk.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lowered<T> {
    pub(crate) contents: Arc<T>,
    pub(crate) map: Arc<SourceMap>,
    pub(crate) problems: Vec<Problem>,
}

/// The body written in a declaration.
#[salsa::tracked(returns(clone))]
pub fn body(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Body>> {
    lowered_body(db, program, decl).map(|it| it.contents.clone())
}

/// Where the parts of [`body`] are written.
#[salsa::tracked(returns(clone))]
pub fn body_map(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<SourceMap>> {
    lowered_body(db, program, decl).map(|it| it.map.clone())
}

/// The specifications of a procedure-like declaration.
#[salsa::tracked(returns(clone))]
pub fn specs(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Specs>> {
    lowered_specs(db, program, decl).map(|it| it.contents.clone())
}

/// Where the parts of [`specs`] are written.
#[salsa::tracked(returns(clone))]
pub fn specs_map(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<SourceMap>> {
    lowered_specs(db, program, decl).map(|it| it.map.clone())
}

/// The body of a function, the expression of an axiom, or the `where` clause of a global.
#[salsa::tracked(returns(clone))]
pub fn expr_body(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<ExprBody>> {
    lowered_expr_body(db, program, decl).map(|it| it.contents.clone())
}

/// Where the parts of [`expr_body`] are written.
#[salsa::tracked(returns(clone))]
pub fn expr_body_map(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<SourceMap>> {
    lowered_expr_body(db, program, decl).map(|it| it.map.clone())
}

/// One walk over a body. Reads the shape of `decl` and the signatures of the names in it.
#[salsa::tracked(returns(clone))]
pub(crate) fn lowered_body(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
) -> Option<Arc<Lowered<Body>>> {
    let shape = shape(db, decl)?;
    let node = ProcNode::of(&shape)?;
    let body = node.body.clone()?;
    let numbers = NodeNumbers::new(&node.syntax);
    let mut lowering = Lowering::new(db, program, decl, &numbers);
    let owner = proc_sig_of(db, program, decl);
    lowering.owner = owner.clone();
    if decl.kind(db) == DeclKind::Implementation {
        implementation_formals(&mut lowering, &node, owner.as_deref());
    } else {
        let data = proc_data(db, program, decl)?;
        lowering.type_params = data.sig.type_params.to_vec();
        lowering.formals(&data.formals.ins, LocalKind::In);
        lowering.formals(&data.formals.outs, LocalKind::Out);
    }
    lowering.visible = lowering.locals.len();
    lowering.mode = match owner.as_ref().map(|sig| (sig.is_pure(), sig.kind)) {
        Some((true, _)) => StateMode::None,
        Some((false, ProcKind::Action { .. })) => StateMode::One,
        Some((false, _)) | None => StateMode::Two,
    };
    lowering.local_vars(&body);
    let root = lowering.statements(&body);
    lowering.finish();
    if let (DeclKind::Implementation, Some(owner)) = (decl.kind(db), &owner) {
        let names = node.type_params.iter().flat_map(|it| it.names());
        let own: Vec<Name> = names.map(|name| Name::new(name.text())).collect();
        lowering.rename_type_params(&own, &owner.type_params);
    }
    let has_errors = lowering.has_errors();
    let contents = Body {
        decl,
        proc: decl.name(db).clone(),
        exprs: std::mem::take(&mut lowering.exprs),
        locals: std::mem::take(&mut lowering.locals),
        stmts: std::mem::take(&mut lowering.stmts),
        root,
        has_errors,
    };
    Some(Arc::new(lowering.into_lowered(contents)))
}

/// One walk over the specifications of a procedure-like declaration.
#[salsa::tracked(returns(clone))]
pub(crate) fn lowered_specs(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
) -> Option<Arc<Lowered<Specs>>> {
    if decl.kind(db) == DeclKind::Implementation {
        return None;
    }
    let shape = shape(db, decl)?;
    let node = ProcNode::of(&shape)?;
    let numbers = NodeNumbers::new(&node.syntax);
    let data = proc_data(db, program, decl)?;
    let mut lowering = Lowering::new(db, program, decl, &numbers);
    lowering.owner = Some(data.sig.clone());
    lowering.type_params = data.sig.type_params.to_vec();
    lowering.formals(&data.formals.ins, LocalKind::In);
    lowering.formals(&data.formals.outs, LocalKind::Out);
    let name = match decl_place(db, decl) {
        Place::Node { ptr, .. } => ptr,
        Place::Range(_) | Place::File(_) => base::NodePtr::ROOT,
    };
    let mut contents = lowering.specs(&node, &data.sig, name);
    contents.exprs = std::mem::take(&mut lowering.exprs);
    contents.locals = std::mem::take(&mut lowering.locals);
    contents.has_errors = lowering.has_errors();
    Some(Arc::new(lowering.into_lowered(contents)))
}

/// One walk over a function body, an axiom or the `where` clause of a global variable.
#[salsa::tracked(returns(clone))]
pub(crate) fn lowered_expr_body(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
) -> Option<Arc<Lowered<ExprBody>>> {
    let shape = shape(db, decl)?;
    let root = shape.syntax();
    let numbers = NodeNumbers::new(&root);
    let mut lowering = Lowering::new(db, program, decl, &numbers);
    let (expr, params, attrs) = match decl.kind(db) {
        DeclKind::Axiom => lowering.axiom(&ast::AxiomDecl::cast(root)?),
        DeclKind::Function => lowering.function_body(&ast::FunctionDecl::cast(root)?)?,
        DeclKind::Var => lowering.global_condition(&ast::GlobalVarDecl::cast(root)?)?,
        DeclKind::Type | DeclKind::Datatype | DeclKind::Const | DeclKind::Procedure => return None,
        DeclKind::Action | DeclKind::YieldProcedure | DeclKind::Invariant => return None,
        DeclKind::Implementation => return None,
    };
    lowering.finish();
    let exprs = std::mem::take(&mut lowering.exprs);
    let has_errors = lowering.has_errors();
    let contents = ExprBody { decl, exprs, params: params.into(), root: expr, attrs, has_errors };
    Some(Arc::new(lowering.into_lowered(contents)))
}

impl Lowering<'_> {
    fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| !matches!(problem.fault, Fault::AmbiguousType { .. }))
    }

    fn into_lowered<T>(self, contents: T) -> Lowered<T> {
        let map = Arc::new(self.map);
        Lowered { contents: Arc::new(contents), map, problems: self.problems }
    }

    /// Formals as locals.
    fn formals(&mut self, formals: &Formals, kind: LocalKind) {
        for (param, place) in formals.params.iter().zip(&formals.places) {
            self.locals.push(Local {
                name: param.name.clone(),
                ty: param.ty.clone(),
                kind,
                linear: param.linear,
                layers: param.layers,
                hide: param.hide,
                pools: param.pools.to_vec().into(),
                condition: None,
            });
            self.map.locals.push(*place);
        }
    }

    fn axiom(&mut self, node: &ast::AxiomDecl) -> (ExprId, Vec<BoundId>, Attrs) {
        let attrs = self.attrs(node.attributes());
        let last = node.attributes().last().and_then(|it| it.r_curly_token());
        let ptr = self.numbers.at(node.syntax(), last.or_else(|| node.axiom_token()));
        let expr = self.optional_expr(node.expr(), node.syntax());
        self.check_bool(expr, "axiom", ptr);
        (expr, Vec::new(), attrs)
    }

    fn function_body(&mut self, node: &ast::FunctionDecl) -> Option<(ExprId, Vec<BoundId>, Attrs)> {
        let body = node.function_body()?;
        let data = func_data(self.db, self.program, self.decl)?;
        self.type_params = data.sig.type_params.to_vec();
        let mut params = Vec::new();
        for (param, place) in data.sig.params.iter().zip(&data.formals.places) {
            let ptr = match place {
                Place::Node { ptr, .. } => *ptr,
                Place::Range(_) | Place::File(_) => base::NodePtr::ROOT,
            };
            let id = self.bound(param.name.clone(), param.ty.clone(), ptr);
            if !param.name.is_missing() {
                self.binders.push((param.name.clone(), id));
            }
            params.push(id);
        }
        let attrs = self.attrs(node.attributes());
        let expr = self.optional_expr(body.expr(), body.syntax());
        let found = self.ty(expr);
        if !self.infer.unify(&data.sig.result, &found) {
            let (expected, found) = (data.sig.result.clone(), self.shown(expr));
            self.problem(self.ptr(expr), Fault::FunctionBodyType { expected, found });
        }
        Some((expr, params, attrs))
    }

    /// The `where` clause of the group that declares this variable.
    fn global_condition(
        &mut self,
        node: &ast::GlobalVarDecl,
    ) -> Option<(ExprId, Vec<BoundId>, Attrs)> {
        let name = self.decl.name(self.db);
        let has_name = |group: &ast::VarGroup| group.names().any(|it| *name == it.text().as_str());
        let clause = node.var_groups().find(has_name)?.where_clause()?;
        self.mode = StateMode::One;
        let ptr = self.numbers.at(clause.syntax(), clause.where_token());
        let expr = self.optional_expr(clause.expr(), clause.syntax());
        self.check_bool(expr, "where clause", ptr);
        Some((expr, Vec::new(), Attrs::default()))
    }
}

/// The formals of an `implementation`, compared with those of its procedure.
fn implementation_formals(lowering: &mut Lowering<'_>, node: &ProcNode, sig: Option<&ProcSig>) {
    let (db, program, decl) = (lowering.db, lowering.program, lowering.decl);
    let mut formals = FormalLowering::new(db, program, decl, lowering.numbers);
    let names = node.type_params.iter().flat_map(|it| it.names());
    let type_params = formals.types.declare_params(names);
    let mut ins = formals.list(node.ins.clone(), FormalLayers::None);
    let mut outs = formals.list(node.outs.clone(), FormalLayers::None);
    formals.check_distinct(&[&ins, &outs]);
    lowering.problems.extend(formals.finish());
    lowering.type_params = type_params.to_vec();
    let place = decl_place(db, decl);
    match sig {
        Some(sig) => {
            let problems = compare_signatures(db, sig, &type_params, [&ins, &outs], place);
            lowering.problems.extend(problems);
            take_attributes(lowering, sig, [&mut ins, &mut outs]);
        }
        None => {
            let name = decl.name(db).clone();
            let fault = Fault::ImplementationWithoutProcedure { name };
            lowering.problems.push(Problem { place, fault });
        }
    }
    lowering.formals(&ins, LocalKind::In);
    lowering.formals(&outs, LocalKind::Out);
}

/// A formal of an implementation is the formal of its procedure: layers, linearity and hiding are
/// those of the declaration. What the implementation writes itself must be the same.
fn take_attributes(lowering: &mut Lowering<'_>, sig: &ProcSig, formals: [&mut Formals; 2]) {
    let declared = Some(decl_place(lowering.db, sig.decl));
    for (wanted, found) in [&sig.ins, &sig.outs].into_iter().zip(formals) {
        for (nth, (want, have)) in wanted.iter().zip(&mut found.params).enumerate() {
            let what = [
                (have.linear != LinearKind::Ordinary && have.linear != want.linear)
                    .then_some("linear"),
                (sig.is_yield_procedure() && writes_other_layers(have, want)).then_some("layer"),
                (have.hide && !want.hide).then_some("hide"),
            ];
            for what in what.into_iter().flatten() {
                let (name, param) = (sig.name.clone(), have.name.clone());
                let fault = Fault::ImplementationAttribute { what, name, param, declared };
                lowering.problems.push(Problem { place: found.places[nth], fault });
            }
            *have =
                Param { linear: want.linear, layers: want.layers, hide: want.hide, ..have.clone() };
        }
    }
}

/// Does the formal of an implementation carry layers, and others than those of the procedure?
fn writes_other_layers(have: &Param, want: &Param) -> bool {
    have.attrs.has("layer") && layers_of(&have.attrs).hull() != want.layers
}

fn compare_signatures(
    db: &dyn Db,
    sig: &ProcSig,
    type_params: &[Name],
    formals: [&Formals; 2],
    place: Place,
) -> Vec<Problem> {
    let declared = Some(decl_place(db, sig.decl));
    let mut problems = Vec::new();
    let mut count = |noun: &'static str, expected: usize, found: usize| {
        if expected != found {
            let name = sig.name.clone();
            let fault = Fault::ImplementationCount { noun, name, declared };
            problems.push(Problem { place, fault });
        }
    };
    count("type parameters", sig.type_params.len(), type_params.len());
    count("in-parameters", sig.ins.len(), formals[0].params.len());
    count("out-parameters", sig.outs.len(), formals[1].params.len());
    if !problems.is_empty() {
        return problems;
    }
    let renaming: crate::TySubst =
        (sig.type_params.iter().cloned()).zip(type_params.iter().cloned().map(Ty::Param)).collect();
    let lists = [("in-parameter", &sig.ins, formals[0]), ("out-parameter", &sig.outs, formals[1])];
    for (noun, expected, found) in lists {
        for (want, have) in expected.iter().zip(&found.params) {
            if !want.ty.subst(&renaming).same_as(&have.ty) {
                let (name, param) = (sig.name.clone(), want.name.clone());
                let fault = Fault::ImplementationType { noun, name, param, declared };
                problems.push(Problem { place, fault });
            }
        }
    }
    problems
}
