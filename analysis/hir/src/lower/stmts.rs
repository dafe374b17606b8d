//! Statements.

use base::{Name, NodePtr};
use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

use super::Lowering;
use crate::problem::{Fault, HighLayer};
use crate::{
    Attrs, Branch, Expr, ExprId, LayerSet, LocalKind, ProcKind, Role, Step, Stmt, StmtId, Target,
    Ty, VarRef, Visibility, func_sig, infers_modifies, lookup_var,
};

/// A statement that `break` may leave.
pub(crate) struct Enclosing {
    labels: Vec<Name>,
    is_loop: bool,
}

/// What the statements around a statement offer to jumps.
pub(crate) struct JumpScope {
    /// All labels of the body.
    labels: Vec<Name>,
    enclosing: Vec<Enclosing>,
}

impl JumpScope {
    pub(crate) fn new(body: &ast::Body) -> JumpScope {
        let labels = body.syntax().descendants().filter_map(ast::LabelStmt::cast);
        let names = labels.filter_map(|it| it.name()).map(|name| Name::new(name.text()));
        JumpScope { labels: names.collect(), enclosing: Vec::new() }
    }
}

impl Lowering<'_> {
    pub(crate) fn push_stmt(&mut self, stmt: Stmt, ptr: NodePtr) -> StmtId {
        self.stmts.push(stmt);
        self.map.stmts.push(ptr);
        StmtId::from_index(self.stmts.len() - 1)
    }

    pub(crate) fn stmt_list(
        &mut self,
        stmts: impl Iterator<Item = ast::Stmt>,
        jumps: &mut JumpScope,
    ) -> Box<[StmtId]> {
        let stmts: Vec<ast::Stmt> = stmts.collect();
        let label = |stmt: &ast::Stmt| {
            let ast::Stmt::LabelStmt(it) = stmt else { return None };
            it.name().map(|name| Name::new(name.text()))
        };
        let mut out = Vec::new();
        let mut pending: Vec<Name> = Vec::new();
        for stmt in &stmts {
            out.push(self.stmt(stmt, jumps, &pending));
            match label(stmt) {
                Some(name) => pending = vec![name],
                None => pending.clear(),
            }
        }
        out.into()
    }

    fn stmt(&mut self, stmt: &ast::Stmt, jumps: &mut JumpScope, labels: &[Name]) -> StmtId {
        let node = stmt.syntax();
        let ptr = self.numbers.at(node, stmt.position_token());
        match stmt {
            ast::Stmt::LabelStmt(it) => self.label(it, ptr),
            ast::Stmt::AssignStmt(it) => self.assign(it, ptr),
            ast::Stmt::UnpackStmt(it) => self.unpack(it, ptr),
            ast::Stmt::AssertStmt(it) => {
                self.predicate(it.expr(), it.attributes(), ptr, PredicateKind::ASSERT)
            }
            ast::Stmt::AssumeStmt(it) => {
                self.predicate(it.expr(), it.attributes(), ptr, PredicateKind::ASSUME)
            }
            ast::Stmt::HavocStmt(it) => self.havoc(it, ptr),
            ast::Stmt::MeasureStmt(it) => self.measure(it.exprs(), it.attributes(), ptr),
            ast::Stmt::CallStmt(it) => match it.call() {
                Some(call) => self.call_stmt(&call),
                None => self.push_stmt(Stmt::Error, ptr),
            },
            ast::Stmt::RevealStmt(it) => {
                let name = self.visible_function(it.name_ref());
                self.push_stmt(Stmt::Visibility(Visibility::Reveal(name)), ptr)
            }
            ast::Stmt::HideStmt(it) => {
                let name = self.visible_function(it.name_ref());
                self.push_stmt(Stmt::Visibility(Visibility::Hide(name)), ptr)
            }
            ast::Stmt::PushStmt(_) => self.push_stmt(Stmt::Visibility(Visibility::Push), ptr),
            ast::Stmt::PopStmt(_) => self.push_stmt(Stmt::Visibility(Visibility::Pop), ptr),
            ast::Stmt::IfStmt(it) => self.if_stmt(it, jumps, labels),
            ast::Stmt::WhileStmt(it) => self.while_stmt(it, jumps, labels),
            ast::Stmt::BreakStmt(it) => self.break_stmt(it, jumps, ptr),
            ast::Stmt::GotoStmt(it) => self.goto(it, jumps, ptr),
            ast::Stmt::ReturnStmt(_) => self.push_stmt(Stmt::Return, ptr),
            ast::Stmt::YieldStmt(it) => self.yield_stmt(it, ptr),
        }
    }

    fn label(&mut self, node: &ast::LabelStmt, ptr: NodePtr) -> StmtId {
        let name = Name::new(node.name().map(|it| it.text()).unwrap_or_default());
        let twin = self.stmts.iter().position(|stmt| *stmt == Stmt::Label(name.clone()));
        if let Some(first) = twin {
            let first = Some(self.place(self.map.stmts[first]));
            self.problem(ptr, Fault::DuplicateLocal { noun: "block", name: name.clone(), first });
        }
        self.push_stmt(Stmt::Label(name), ptr)
    }

    fn assign(&mut self, node: &ast::AssignStmt, ptr: NodePtr) -> StmtId {
        let paths: Vec<ast::LhsPath> = node.lhs_paths().collect();
        let (mut targets, mut places) = (Vec::new(), Vec::new());
        for path in &paths {
            let (target, place) = self.target(path);
            targets.push(target);
            places.push(place);
        }
        let values: Vec<ExprId> = node.exprs().map(|expr| self.expr(&expr)).collect();
        let attrs = self.attrs(node.attributes());
        // Without any value the parser has complained.
        if targets.len() != values.len() && !values.is_empty() {
            let (targets, values) = (targets.len(), values.len());
            self.problem(ptr, Fault::AssignmentArity { targets, values });
        }
        self.check_distinct_roots(&targets, &paths, &places);
        for (target, path) in targets.iter().zip(&paths) {
            self.check_assigned(&target.root, ptr);
            if let (VarRef::Error, Some(name)) = (&target.root, path.name_ref()) {
                let root = self.root_expr(target.value);
                self.check_constant(&name, root, ptr);
            }
        }
        for ((target, value), place) in targets.iter().zip(&values).zip(&places) {
            let found = self.ty(*value);
            if !self.infer.unify(&target.ty, &found) {
                let (target, value) = (self.infer.resolve(&target.ty), self.shown(*value));
                self.problem(*place, Fault::AssignmentTypes { target, value });
            }
        }
        let targets = targets.into();
        let id = self.push_stmt(Stmt::Assign { targets, values: values.into(), attrs }, ptr);
        self.map.targets.insert(id, places.into());
        id
    }

    fn check_distinct_roots(
        &mut self,
        targets: &[Target],
        paths: &[ast::LhsPath],
        places: &[NodePtr],
    ) {
        for (number, target) in targets.iter().enumerate() {
            let twin = targets[..number].iter().position(|it| it.root == target.root);
            let Some(first) = twin.filter(|_| target.root != VarRef::Error) else { continue };
            let name = paths[number].name_ref().map(|it| it.text()).unwrap_or_default();
            let first = Some(self.place(places[first]));
            self.problem(places[number], Fault::AssignedTwice { name: Name::new(name), first });
        }
    }

    /// The target of an assignment and where it is reported.
    fn target(&mut self, node: &ast::LhsPath) -> (Target, NodePtr) {
        let name_ref = node.name_ref();
        let root_node = name_ref.as_ref().map_or(node.syntax(), |it| it.syntax()).clone();
        let name = Name::new(name_ref.map(|it| it.text()).unwrap_or_default());
        let mut value = self.variable(&name, &root_node);
        let root = self.root_of(value);
        let mut place = self.numbers.node(&root_node);
        let mut path = Vec::new();
        for access in node.accesses() {
            match access {
                ast::LhsAccess::LhsIndex(it) => {
                    place = self.numbers.at(it.syntax(), it.l_brack_token());
                    let indices: Vec<ExprId> = it.exprs().map(|expr| self.expr(&expr)).collect();
                    path.push(Step::Index(indices.clone().into()));
                    value = self.select(value, indices, place);
                }
                ast::LhsAccess::LhsField(it) => {
                    place = self.numbers.at(it.syntax(), it.arrow_token());
                    let name_ref = it.name_ref();
                    let node = name_ref.as_ref().map_or(it.syntax(), |it| it.syntax()).clone();
                    let field = Name::new(name_ref.map(|it| it.text()).unwrap_or_default());
                    path.push(Step::Field(field.clone()));
                    value = self.field_of(value, field, place, self.numbers.node(&node));
                }
            }
        }
        let ty = self.ty(value);
        (Target { root, path: path.into(), ty, value }, place)
    }

    /// The expression an access path starts from.
    fn root_expr(&self, path: ExprId) -> ExprId {
        let mut at = path;
        while let Expr::Select { map: base, .. } | Expr::Field { base, .. } = self.exprs.expr(at) {
            at = *base;
        }
        at
    }

    /// The variable an identifier expression names.
    pub(crate) fn root_of(&self, id: ExprId) -> VarRef {
        let expr = self.exprs.expr(id);
        if let Expr::Local(local) = expr {
            VarRef::Local(*local)
        } else if let Expr::Global(name) = expr {
            VarRef::Global(name.clone())
        } else {
            VarRef::Error
        }
    }

    /// A variable that a statement writes, by name: the reference, its expression, its place.
    pub(crate) fn written(&mut self, node: &ast::NameRef) -> (VarRef, ExprId, NodePtr) {
        let name = Name::new(node.text());
        let expr = self.variable(&name, node.syntax());
        (self.root_of(expr), expr, self.ptr(expr))
    }

    /// May this variable be assigned here (language.md 5.3)?
    pub(crate) fn check_assigned(&mut self, var: &VarRef, ptr: NodePtr) {
        match var {
            VarRef::Error => {}
            VarRef::Local(id) => {
                let local = &self.locals[id.index()];
                if local.kind == LocalKind::In {
                    let name = local.name.clone();
                    let declared = Some(self.map.locals[id.index()]);
                    self.problem(ptr, Fault::AssignToImmutable { name, declared });
                }
            }
            VarRef::Global(name) => self.check_modifies(name, ptr),
        }
    }

    /// Without inference, a global must be listed in the modifies clause.
    pub(crate) fn check_modifies(&mut self, name: &Name, ptr: NodePtr) {
        let Some(owner) = self.owner.clone() else { return };
        let yields = owner.kind == ProcKind::Yield;
        if yields || owner.modifies.contains(name) || infers_modifies(self.db, self.program) {
            return;
        }
        let noun = if owner.is_action() { "action" } else { "procedure" };
        let declared = self.declared(owner.decl);
        self.problem(ptr, Fault::MissingModifies { name: name.clone(), noun, declared });
    }

    /// A constant on the left side of an assignment.
    pub(crate) fn check_constant(&mut self, node: &ast::NameRef, expr: ExprId, ptr: NodePtr) {
        let expr = self.exprs.expr(expr);
        let declared = if let Expr::Const(name) = expr {
            let decl = lookup_var(self.db, self.program, name.clone());
            decl.and_then(|decl| self.declared(decl))
        } else if let Expr::Bound(id) = expr {
            Some(self.place(self.map.bound[id.index()]))
        } else {
            return;
        };
        let name = Name::new(node.text());
        self.problem(ptr, Fault::AssignToImmutable { name, declared });
    }

    fn unpack(&mut self, node: &ast::UnpackStmt, ptr: NodePtr) -> StmtId {
        let name_ref = node.name_ref();
        let ctor = Name::new(name_ref.as_ref().map(|it| it.text()).unwrap_or_default());
        let name_node = name_ref.as_ref().map_or(node.syntax(), |it| it.syntax());
        let name_ptr = self.numbers.node(name_node);
        let (mut targets, mut vars, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for name in node.unpack_vars().iter().flat_map(|it| it.name_refs()) {
            let (var, expr, place) = self.written(&name);
            self.check_constant(&name, expr, ptr);
            if targets.contains(&var) && var != VarRef::Error {
                self.problem(ptr, Fault::UnpackedTwice { name: Name::new(name.text()) });
            }
            targets.push(var);
            vars.push(expr);
            places.push(place);
        }
        let value = self.optional_expr(node.expr(), node.syntax());
        let attrs = self.attrs(node.attributes());
        let pattern = self.apply(&ctor, vars, name_ptr);
        let sig = func_sig(self.db, self.program, ctor.clone());
        if sig.is_some_and(|sig| !sig.is_constructor()) {
            self.problem(ptr, Fault::UnpackNotConstructor { name: ctor.clone() });
        }
        for target in &targets {
            self.check_assigned(target, ptr);
        }
        let (left, right) = (self.ty(pattern), self.ty(value));
        if !self.infer.unify(&left, &right) {
            let (target, value) = (self.shown(pattern), self.shown(value));
            self.problem(ptr, Fault::AssignmentTypes { target, value });
        }
        let mut types = Box::default();
        if let Expr::Call { type_args, .. } = self.exprs.expr(pattern) {
            types = type_args.clone();
        }
        let type_args = types;
        let stmt = Stmt::Unpack { ctor, type_args, targets: targets.into(), value, attrs };
        let id = self.push_stmt(stmt, ptr);
        self.map.targets.insert(id, places.into());
        id
    }

    fn havoc(&mut self, node: &ast::HavocStmt, ptr: NodePtr) -> StmtId {
        let (mut targets, mut places) = (Vec::new(), Vec::new());
        for name in node.name_refs() {
            let (var, expr, place) = self.written(&name);
            self.check_constant(&name, expr, ptr);
            self.check_assigned(&var, ptr);
            targets.push(var);
            places.push(place);
        }
        let id = self.push_stmt(Stmt::Havoc { targets: targets.into() }, ptr);
        self.map.targets.insert(id, places.into());
        id
    }

    fn predicate(
        &mut self,
        expr: Option<ast::Expr>,
        nodes: impl Iterator<Item = ast::Attribute> + Clone,
        ptr: NodePtr,
        kind: PredicateKind,
    ) -> StmtId {
        let expr = match expr {
            Some(expr) => self.expr(&expr),
            None => self.alloc(Expr::Missing, Ty::Error, ptr.whole()),
        };
        let attrs = self.attrs(nodes.clone());
        let layers = self.layers(nodes);
        if kind.is_assert && !attrs.has("yields") {
            self.check_layers(&layers, kind.noun, ptr);
        }
        self.check_statement_id(&attrs, ptr);
        self.check_bool(expr, kind.noun, ptr);
        let role = kind.role;
        let stmt = if kind.is_assert {
            Stmt::Assert { expr, layers, role, attrs }
        } else {
            Stmt::Assume { expr, layers, role, attrs }
        };
        self.push_stmt(stmt, ptr)
    }

    /// `yield e`, in yield procedures only; without layers, at the layer of the procedure.
    fn yield_stmt(&mut self, node: &ast::YieldStmt, ptr: NodePtr) -> StmtId {
        let expr = node.expr().map(|expr| self.expr(&expr));
        let attrs = self.attrs(node.attributes());
        let mut layers = self.layers(node.attributes());
        if let Some(expr) = expr {
            self.check_bool(expr, "yield", ptr);
        }
        let owner = self.owner.clone().filter(|it| it.is_yield_procedure());
        let Some(own) = owner.as_ref().and_then(|it| it.layer()) else {
            // A yield procedure without a layer has been complained about.
            if owner.is_none() {
                self.problem(ptr, Fault::YieldOutsideProcedure);
            }
            return self.push_stmt(Stmt::Error, ptr);
        };
        if layers.is_empty() {
            layers = LayerSet::new(vec![own]);
        }
        self.check_layers(&layers, "yield", ptr);
        self.push_stmt(Stmt::Yield { expr, layers, attrs }, ptr)
    }

    /// In a yield procedure a specification needs layers, none above the procedure's.
    pub(crate) fn check_layers(&mut self, layers: &LayerSet, noun: &'static str, ptr: NodePtr) {
        let Some(owner) = self.owner.clone().filter(|it| it.is_yield_procedure()) else { return };
        let Some(limit) = owner.layer() else { return };
        match layers.max() {
            None => self.problem(ptr, Fault::LayersExpected { noun }),
            Some(found) if found > limit => {
                let what = HighLayer::Specification;
                self.problem(ptr, Fault::LayerTooHigh { what, found, limit });
            }
            Some(_) => {}
        }
    }

    pub(crate) fn check_bool(&mut self, expr: ExprId, what: &'static str, ptr: NodePtr) {
        let found = self.ty(expr);
        if !self.infer.unify(&found, &Ty::Bool) {
            let ty = self.shown(expr);
            self.problem(ptr, Fault::ConditionType { what, ty });
        }
    }

    pub(crate) fn check_statement_id(&mut self, attrs: &Attrs, ptr: NodePtr) {
        let Some(attr) = attrs.find("id") else { return };
        let Some(crate::AttrArg::String(id)) = attr.args.first() else { return };
        let first = self.statement_ids.iter().find(|(it, _)| it == id).map(|(_, at)| *at);
        if first.is_some() {
            self.problem(ptr, Fault::DuplicateStatementId { id: id.to_string(), first });
        }
        let place = self.place(ptr);
        self.statement_ids.push((id.clone(), place));
    }

    pub(crate) fn measure(
        &mut self,
        exprs: impl Iterator<Item = ast::Expr>,
        nodes: impl Iterator<Item = ast::Attribute> + Clone,
        ptr: NodePtr,
    ) -> StmtId {
        let attrs = self.attrs(nodes.clone());
        let layers = self.layers(nodes);
        self.check_measure_layers(&layers, ptr);
        let exprs: Vec<ExprId> = exprs.map(|expr| self.measured(&expr)).collect();
        self.push_stmt(Stmt::Measure { exprs: exprs.into(), layers, attrs }, ptr)
    }

    pub(crate) fn check_measure_layers(&mut self, layers: &LayerSet, ptr: NodePtr) {
        let yields = self.owner.as_ref().is_some_and(|it| it.is_yield_procedure());
        if yields && layers.is_empty() {
            self.problem(ptr, Fault::MeasureWithoutLayer);
        } else {
            self.check_layers(layers, "measure", ptr);
        }
    }

    /// One expression of a measure: an integer or a truth value.
    pub(crate) fn measured(&mut self, expr: &ast::Expr) -> ExprId {
        let id = self.expr(expr);
        let found = self.ty(id);
        if found != Ty::Bool && !self.infer.unify(&found, &Ty::Int) {
            let ty = self.shown(id);
            self.problem(self.ptr(id), Fault::MeasureType { ty });
        }
        id
    }

    fn visible_function(&mut self, node: Option<ast::NameRef>) -> Option<Name> {
        let node = node?;
        let name = Name::new(node.text());
        if func_sig(self.db, self.program, name.clone()).is_none() {
            let ptr = self.numbers.node(node.syntax());
            self.problem(ptr, Fault::UndeclaredFunction { name: name.clone() });
        }
        Some(name)
    }

    fn guard(
        &mut self,
        guard: Option<ast::Guard>,
        around: &SyntaxNode,
        ptr: NodePtr,
    ) -> Option<ExprId> {
        let guard = guard?;
        if guard.is_star() {
            return None;
        }
        let expr = self.optional_expr(guard.expr(), around);
        self.check_bool(expr, "guard", ptr);
        Some(expr)
    }

    fn if_stmt(&mut self, node: &ast::IfStmt, jumps: &mut JumpScope, labels: &[Name]) -> StmtId {
        let ptr = self.numbers.at(node.syntax(), node.if_token());
        let guard = self.guard(node.guard(), node.syntax(), ptr);
        let attrs = self.attrs(node.attributes());
        jumps.enclosing.push(Enclosing { labels: labels.to_vec(), is_loop: false });
        let (then, then_end) = self.block(node.block(), jumps);
        let (mut other, mut other_end) = (Box::default(), None);
        if let Some(branch) = node.else_branch() {
            (other, other_end) = match branch.if_stmt() {
                Some(inner) => {
                    let inner: Box<[StmtId]> = Box::new([self.if_stmt(&inner, jumps, &[])]);
                    (inner, None)
                }
                None => self.block(branch.block(), jumps),
            };
        }
        jumps.enclosing.pop();
        let id = self.push_stmt(Stmt::If { guard, then, other, attrs }, ptr);
        self.block_end(id, Branch::Then, then_end);
        self.block_end(id, Branch::Else, other_end);
        id
    }

    fn block_end(&mut self, stmt: StmtId, branch: Branch, end: Option<NodePtr>) {
        if let Some(end) = end {
            self.map.block_ends.insert((stmt, branch), end);
        }
    }

    /// A statement list in braces, and its closing brace.
    fn block(
        &mut self,
        node: Option<ast::Block>,
        jumps: &mut JumpScope,
    ) -> (Box<[StmtId]>, Option<NodePtr>) {
        let Some(node) = node else { return (Box::default(), None) };
        let stmts = self.stmt_list(node.stmts(), jumps);
        (stmts, Some(self.numbers.at(node.syntax(), node.r_curly_token())))
    }

    fn while_stmt(
        &mut self,
        node: &ast::WhileStmt,
        jumps: &mut JumpScope,
        labels: &[Name],
    ) -> StmtId {
        let ptr = self.numbers.at(node.syntax(), node.while_token());
        let guard = self.guard(node.guard(), node.syntax(), ptr);
        let (mut calls, mut invariants, mut measures) = (Vec::new(), Vec::new(), Vec::new());
        for spec in node.loop_specs() {
            match spec {
                ast::LoopSpec::LoopInvariant(it) => match it.call() {
                    Some(call) => calls.push(self.call_stmt(&call)),
                    None => invariants.push(self.loop_invariant(&it)),
                },
                ast::LoopSpec::MeasureClause(it) => {
                    let at = self.numbers.at(it.syntax(), it.measure_token());
                    measures.push(self.measure(it.exprs(), it.attributes(), at));
                }
            }
        }
        let head: Box<[StmtId]> = calls.into_iter().chain(invariants).chain(measures).collect();
        jumps.enclosing.push(Enclosing { labels: labels.to_vec(), is_loop: true });
        let (body, end) = self.block(node.block(), jumps);
        jumps.enclosing.pop();
        let id = self.push_stmt(Stmt::While { guard, head, body }, ptr);
        self.block_end(id, Branch::Body, end);
        id
    }

    fn loop_invariant(&mut self, node: &ast::LoopInvariant) -> StmtId {
        let ptr = self.numbers.at(node.syntax(), node.invariant_token());
        let is_assert = !node.is_free();
        let kind = PredicateKind { is_assert, noun: "loop invariant", role: Role::LoopInvariant };
        self.predicate(node.expr(), node.attributes(), ptr, kind)
    }

    fn break_stmt(&mut self, node: &ast::BreakStmt, jumps: &JumpScope, ptr: NodePtr) -> StmtId {
        let label = node.name_ref().map(|it| Name::new(it.text()));
        let found = match &label {
            Some(name) => jumps.enclosing.iter().any(|it| it.labels.contains(name)),
            None => jumps.enclosing.iter().any(|it| it.is_loop),
        };
        if !found {
            self.problem(ptr, Fault::BreakOutsideLoop { label: label.clone() });
            return self.push_stmt(Stmt::Error, ptr);
        }
        self.push_stmt(Stmt::Break { label }, ptr)
    }

    fn goto(&mut self, node: &ast::GotoStmt, jumps: &JumpScope, ptr: NodePtr) -> StmtId {
        let mut labels = Vec::new();
        for label in node.name_refs() {
            let name = Name::new(label.text());
            if jumps.labels.contains(&name) {
                labels.push(name);
            } else {
                self.problem(ptr, Fault::UndeclaredLabel { name });
            }
        }
        self.push_stmt(Stmt::Goto { labels: labels.into() }, ptr)
    }
}

/// Which statement a condition belongs to.
#[derive(Clone, Copy)]
struct PredicateKind {
    is_assert: bool,
    noun: &'static str,
    role: Role,
}

impl PredicateKind {
    const ASSERT: PredicateKind =
        PredicateKind { is_assert: true, noun: "assertion", role: Role::Plain };
    const ASSUME: PredicateKind =
        PredicateKind { is_assert: false, noun: "assumption", role: Role::Plain };
}
