//! Specifications of procedure-like declarations, in the order of language.md 4.2.

use base::{DeclKind, Name, NodePtr};
use syntax::ast::{self, AstNode};

use super::finish::finish_arm;
use super::stmts::JumpScope;
use super::{Lowering, StateMode};
use crate::problem::{Fault, HighLayer};
use crate::signature::ProcNode;
use crate::{
    Clause, ClauseKind, MeasureClause, ProcKind, ProcSig, SpecCall, Specs, lookup_proc, lookup_var,
    proc_sig,
};

/// A clause with an expression or a call.
struct ClauseNode {
    kind: ClauseKind,
    syntax: syntax::SyntaxNode,
    keyword: Option<syntax::SyntaxToken>,
    free: bool,
    expr: Option<ast::Expr>,
    call: Option<ast::Call>,
}

impl ClauseNode {
    fn of(clause: &ast::SpecClause) -> Option<ClauseNode> {
        let (kind, keyword, free, expr, call) = match clause {
            ast::SpecClause::RequiresClause(it) => {
                (ClauseKind::Requires, it.requires_token(), it.is_free(), it.expr(), it.call())
            }
            ast::SpecClause::EnsuresClause(it) => {
                (ClauseKind::Ensures, it.ensures_token(), it.is_free(), it.expr(), it.call())
            }
            ast::SpecClause::PreservesClause(it) => {
                (ClauseKind::Preserves, it.preserves_token(), it.is_free(), it.expr(), it.call())
            }
            ast::SpecClause::AssertsClause(it) => {
                (ClauseKind::Asserts, it.asserts_token(), false, it.expr(), None)
            }
            ast::SpecClause::RefinesClause(_)
            | ast::SpecClause::ModifiesClause(_)
            | ast::SpecClause::MeasureClause(_) => return None,
        };
        Some(ClauseNode { kind, syntax: clause.syntax().clone(), keyword, free, expr, call })
    }

    fn attributes(&self) -> impl Iterator<Item = ast::Attribute> + use<> {
        self.syntax.children().filter_map(ast::Attribute::cast)
    }
}

impl Lowering<'_> {
    /// The specifications; formals are in `self.locals` already.
    pub(crate) fn specs(&mut self, node: &ProcNode, sig: &ProcSig, name: NodePtr) -> Specs {
        let clauses: Vec<ClauseNode> = node.specs.iter().filter_map(ClauseNode::of).collect();
        let mut specs = Specs {
            decl: self.decl,
            exprs: Default::default(),
            locals: Vec::new(),
            clauses: Vec::new(),
            calls: Vec::new(),
            measures: Vec::new(),
            has_errors: false,
        };
        self.modifies_clauses(node, sig, name);
        let (ins, all) = (sig.ins.len(), self.locals.len());
        let one = if sig.is_pure() { StateMode::None } else { StateMode::One };
        let two = if sig.is_pure() { StateMode::None } else { StateMode::Two };
        (self.mode, self.visible) = (one, ins);
        self.formal_conditions(node.ins.clone(), 0);
        self.exprs_of(ClauseKind::Requires, &clauses, &mut specs);
        self.measure_clauses(node, &mut specs);
        self.exprs_of(ClauseKind::Preserves, &clauses, &mut specs);
        self.visible = all;
        self.formal_conditions(node.outs.clone(), ins);
        self.mode = two;
        self.exprs_of(ClauseKind::Ensures, &clauses, &mut specs);
        (self.mode, self.visible) = (if sig.is_action() { one } else { StateMode::Two }, ins);
        self.calls_of(ClauseKind::Requires, &clauses, &mut specs);
        self.calls_of(ClauseKind::Preserves, &clauses, &mut specs);
        self.visible = all;
        self.calls_of(ClauseKind::Ensures, &clauses, &mut specs);
        (self.mode, self.visible) = (one, ins);
        self.exprs_of(ClauseKind::Asserts, &clauses, &mut specs);
        self.refines_clause(node);
        self.check_mover(sig, name);
        self.finish();
        for call in &mut specs.calls {
            finish_arm(&self.infer, &mut call.arm);
        }
        specs
    }

    /// `where` clauses of formals, which start at number `first`.
    fn formal_conditions(&mut self, list: Option<ast::ParamList>, first: usize) {
        let mut number = first;
        for group in list.iter().flat_map(|list| list.param_groups()) {
            let count = group.names().count();
            if let Some(clause) = group.where_clause() {
                let ptr = self.numbers.at(clause.syntax(), clause.where_token());
                let expr = self.optional_expr(clause.expr(), clause.syntax());
                self.check_bool(expr, "where clause", ptr);
                for local in self.locals.iter_mut().skip(number).take(count) {
                    local.condition = Some(expr);
                }
            }
            number += count;
        }
    }

    fn exprs_of(&mut self, kind: ClauseKind, clauses: &[ClauseNode], specs: &mut Specs) {
        for clause in clauses.iter().filter(|it| it.kind == kind && it.call.is_none()) {
            let ptr = self.numbers.at(&clause.syntax, clause.keyword.clone());
            let expr = self.optional_expr(clause.expr.clone(), &clause.syntax);
            let attrs = self.attrs(clause.attributes());
            let layers = self.layers(clause.attributes());
            self.check_clause_layers(kind, &layers, ptr);
            self.check_bool(expr, clause_noun(kind), ptr);
            specs.clauses.push(Clause { kind, expr, layers, free: clause.free, attrs });
            self.map.clauses.push(ptr);
        }
    }

    fn check_clause_layers(&mut self, kind: ClauseKind, layers: &crate::LayerSet, ptr: NodePtr) {
        let Some(owner) = self.owner.clone() else { return };
        match owner.kind {
            ProcKind::Yield => self.check_layers(layers, clause_noun(kind), ptr),
            ProcKind::Action { .. } if kind == ClauseKind::Requires => {
                let Some(range) = owner.layers else { return };
                match layers.hull() {
                    None => {
                        self.problem(ptr, Fault::LayersExpected { noun: clause_noun(kind) });
                    }
                    Some(hull) if !hull.is_within(range) => {
                        self.problem(ptr, Fault::LayerOutsideAction { range });
                    }
                    Some(_) => {}
                }
            }
            ProcKind::Action { .. } | ProcKind::Plain | ProcKind::Pure => {}
            ProcKind::Invariant { .. } => {}
        }
    }

    fn calls_of(&mut self, kind: ClauseKind, clauses: &[ClauseNode], specs: &mut Specs) {
        for clause in clauses.iter().filter(|it| it.kind == kind) {
            let Some(call) = &clause.call else { continue };
            let ptr = self.numbers.at(call.syntax(), call.call_token());
            for arm in call.call_arms() {
                let (arm, places) = self.arm(&arm, ptr, call.is_async());
                let sig = proc_sig(self.db, self.program, arm.callee.clone());
                if !sig.as_ref().is_some_and(|sig| sig.is_invariant()) {
                    let declared = sig.and_then(|sig| self.declared(sig.decl));
                    let callee = arm.callee.clone();
                    self.problem(ptr, Fault::InvariantExpected { callee, declared });
                }
                specs.calls.push(SpecCall { kind, arm });
                self.map.calls.push(ptr);
                self.map.spec_arms.push(places);
            }
        }
    }

    fn measure_clauses(&mut self, node: &ProcNode, specs: &mut Specs) {
        for clause in &node.specs {
            let ast::SpecClause::MeasureClause(clause) = clause else { continue };
            let ptr = self.numbers.at(clause.syntax(), clause.measure_token());
            let layers = self.layers(clause.attributes());
            self.check_measure_layers(&layers, ptr);
            let exprs = clause.exprs().map(|expr| self.measured(&expr)).collect();
            let free = clause.free_token().is_some();
            specs.measures.push(MeasureClause { exprs, layers, free });
            self.map.measures.push(ptr);
        }
    }

    fn modifies_clauses(&mut self, node: &ProcNode, sig: &ProcSig, name_ptr: NodePtr) {
        if sig.is_pure() {
            let noun = if sig.is_action() { "action" } else { "procedure" };
            if !sig.modifies.is_empty() {
                self.problem(name_ptr, Fault::PureModifies { noun });
            }
            return;
        }
        for clause in &node.specs {
            let ast::SpecClause::ModifiesClause(clause) = clause else { continue };
            for name_ref in clause.name_refs() {
                let name = Name::new(name_ref.text());
                let ptr = self.numbers.node(name_ref.syntax());
                match lookup_var(self.db, self.program, name.clone()) {
                    None => self.problem(ptr, Fault::UndeclaredIdentifier { name }),
                    Some(decl) if decl.kind(self.db) == DeclKind::Const => {
                        let procedure = self.place(name_ptr);
                        self.problem(ptr, Fault::ModifiesConstant { name, procedure });
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn refines_clause(&mut self, node: &ProcNode) {
        for clause in &node.specs {
            let ast::SpecClause::RefinesClause(clause) = clause else { continue };
            let Some(name_ref) = clause.name_ref() else { continue };
            let name = Name::new(name_ref.text());
            let sig = proc_sig(self.db, self.program, name.clone());
            if !sig.is_some_and(|sig| sig.is_action()) {
                let decl = lookup_proc(self.db, self.program, name.clone());
                let declared = decl.and_then(|decl| self.declared(decl));
                let ptr = self.numbers.node(name_ref.syntax());
                self.problem(ptr, Fault::UndeclaredAction { name, declared });
            }
        }
    }

    fn check_mover(&mut self, sig: &ProcSig, name_ptr: NodePtr) {
        if !sig.is_yield_procedure() {
            return;
        }
        if sig.mover.is_none() && !sig.modifies.is_empty() {
            self.problem(name_ptr, Fault::ModifiesWithoutMover);
        }
        if sig.mover.is_some() && sig.refines.is_some() {
            self.problem(name_ptr, Fault::MoverRefines);
        }
    }

    /// Local variables of a body, after the formals.
    pub(crate) fn local_vars(&mut self, body: &ast::Body) {
        for decl in body.local_var_decls() {
            let raw = crate::attrs::raw_attrs(decl.attributes());
            let set = self.layers(decl.attributes());
            for group in decl.var_groups() {
                let ty = self.lower_type(group.ty());
                for name in group.names() {
                    self.local_var(&name, ty.clone(), &raw, &set);
                }
            }
        }
        self.visible = self.locals.len();
        self.local_conditions(body);
    }

    fn local_var(
        &mut self,
        node: &ast::Name,
        ty: crate::Ty,
        attrs: &crate::RawAttrs,
        set: &crate::LayerSet,
    ) {
        let name = Name::new(node.text());
        let ptr = self.numbers.node(node.syntax());
        if let Some(first) = self.locals.iter().position(|local| local.name == name) {
            let first = Some(self.map.locals[first]);
            let fault = Fault::DuplicateLocal { noun: "variable", name: name.clone(), first };
            self.problem(ptr, fault);
        }
        let layers = self.local_layers(set, ptr);
        self.locals.push(crate::Local {
            name,
            ty,
            kind: crate::LocalKind::Local,
            linear: crate::LinearKind::Ordinary,
            layers,
            hide: false,
            pools: attrs.strings("pool").cloned().collect(),
            condition: None,
        });
        let place = self.place(ptr);
        self.map.locals.push(place);
    }

    fn local_layers(&mut self, set: &crate::LayerSet, ptr: NodePtr) -> Option<crate::LayerRange> {
        let owner = self.owner.clone()?;
        let range = owner.layers?;
        if !owner.is_yield_procedure() {
            return Some(range);
        }
        let found = crate::attrs::as_range(set, range).unwrap_or_else(|fault| {
            self.problem(ptr, fault);
            range
        });
        if found.high() > range.high() {
            let (found, limit) = (found.high(), range.high());
            self.problem(ptr, Fault::LayerTooHigh { what: HighLayer::Local, found, limit });
        }
        Some(found)
    }

    fn local_conditions(&mut self, body: &ast::Body) {
        for group in body.local_var_decls().flat_map(|decl| decl.var_groups()) {
            let Some(clause) = group.where_clause() else { continue };
            let ptr = self.numbers.at(clause.syntax(), clause.where_token());
            let expr = self.optional_expr(clause.expr(), clause.syntax());
            self.check_bool(expr, "where clause", ptr);
            for name in group.names() {
                let name = Name::new(name.text());
                if let Some(id) = self.find_local(&name) {
                    self.locals[id.index()].condition = Some(expr);
                }
            }
        }
    }

    /// The statements of a body.
    pub(crate) fn statements(&mut self, body: &ast::Body) -> Box<[crate::StmtId]> {
        let mut jumps = JumpScope::new(body);
        let root = self.stmt_list(body.stmts(), &mut jumps);
        self.map.end = self.numbers.at(body.syntax(), body.r_curly_token());
        root
    }
}

/// What a clause is called in messages.
pub(crate) fn clause_noun(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Requires => "precondition",
        ClauseKind::Ensures => "postcondition",
        ClauseKind::Preserves => "preserved condition",
        ClauseKind::Asserts => "assertion",
    }
}
