//! From trees to bodies: names resolved, types inferred, in one walk.
//!
//! **In:** the shape of one declaration and the signatures of the names it mentions.
//! **Out:** [`Body`], [`Specs`], [`ExprBody`], each with its [`SourceMap`] and problems.
//!
//! The walk goes left to right and bottom up, which is the order in which the reference decides
//! types: what is not known yet when a field is accessed is an error, not a reason to wait.
//!
//! # Invariants
//! - Reads only the shape of its own declaration and `lookup`/signature queries by name, so an edit
//!   inside another body does not reach it.
//! - Whatever is complained about becomes `Missing`, `Error` or [`Ty::Error`], which fit everywhere:
//!   one mistake, one message.

mod apply;
mod binders;
mod call;
mod clauses;
mod exprs;
mod finish;
mod queries;
mod stmts;
mod triggers;

pub use apply::operator_text;
pub use queries::{body, body_map, expr_body, expr_body_map, specs, specs_map};
pub(crate) use queries::{lowered_body, lowered_expr_body, lowered_specs};

use std::sync::Arc;

use base::{DeclId, Name, NodePtr, Place, Program};
use smol_str::SmolStr;
use syntax::SyntaxNode;
use syntax::ast;

use crate::infer::Infer;
use crate::problem::{Declared, Fault, Problem};
use crate::tree::NodeNumbers;
use crate::types::TypeLowering;
use crate::{
    Attr, AttrArg, Attrs, BoundId, BoundVar, Db, Expr, ExprId, Exprs, InferVar, LayerSet, Local,
    LocalId, ProcSig, SourceMap, Stmt, Ty, attrs, decl_place,
};

/// How much state an expression may see (language.md 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateMode {
    /// No global variables.
    None,
    /// Global variables, but not `old`.
    One,
    /// Global variables and `old`.
    Two,
}

/// The walk over one declaration.
pub(crate) struct Lowering<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) program: Program,
    pub(crate) decl: DeclId,
    pub(crate) numbers: &'a NodeNumbers,
    /// The procedure whose body or specifications these are.
    pub(crate) owner: Option<Arc<ProcSig>>,
    pub(crate) exprs: Exprs,
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) map: SourceMap,
    pub(crate) locals: Vec<Local>,
    /// How many of `locals` can be named.
    pub(crate) visible: usize,
    pub(crate) binders: Vec<(Name, BoundId)>,
    pub(crate) type_params: Vec<Name>,
    pub(crate) mode: StateMode,
    pub(crate) infer: Infer,
    /// Unknown types that an application introduced: what it instantiates, and where.
    pub(crate) open: Vec<OpenType>,
    pub(crate) in_trigger: bool,
    pub(crate) statement_ids: Vec<(SmolStr, Place)>,
    pub(crate) problems: Vec<Problem>,
}

/// An unknown type that stands for a type parameter.
pub(crate) struct OpenType {
    pub(crate) param: Name,
    pub(crate) var: InferVar,
    pub(crate) place: Place,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(
        db: &'a dyn Db,
        program: Program,
        decl: DeclId,
        numbers: &'a NodeNumbers,
    ) -> Lowering<'a> {
        Lowering {
            db,
            program,
            decl,
            numbers,
            owner: None,
            exprs: Exprs::default(),
            stmts: Vec::new(),
            map: SourceMap::new(decl),
            locals: Vec::new(),
            visible: 0,
            binders: Vec::new(),
            type_params: Vec::new(),
            mode: StateMode::None,
            infer: Infer::default(),
            open: Vec::new(),
            in_trigger: false,
            statement_ids: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn problem(&mut self, ptr: NodePtr, fault: Fault) {
        let place = Place::new(self.decl, ptr);
        self.problems.push(Problem { place, fault });
    }

    pub(crate) fn place(&self, ptr: NodePtr) -> Place {
        Place::new(self.decl, ptr)
    }

    /// The place of a declaration elsewhere, for the second half of a message.
    pub(crate) fn declared(&self, decl: DeclId) -> Declared {
        Some(decl_place(self.db, decl))
    }

    pub(crate) fn alloc(&mut self, expr: Expr, ty: Ty, ptr: NodePtr) -> ExprId {
        self.exprs.exprs.push(expr);
        self.exprs.types.push(ty);
        self.map.exprs.push(ptr);
        ExprId::from_index(self.exprs.exprs.len() - 1)
    }

    pub(crate) fn missing(&mut self, node: &SyntaxNode) -> ExprId {
        let ptr = self.numbers.node(node);
        self.alloc(Expr::Missing, Ty::Error, ptr)
    }

    /// The type of an expression as far as its head is known.
    pub(crate) fn ty(&self, id: ExprId) -> Ty {
        self.infer.shallow(&self.exprs.types[id.index()])
    }

    /// The type of an expression with everything known put in, for messages.
    pub(crate) fn shown(&self, id: ExprId) -> Ty {
        self.infer.resolve(&self.exprs.types[id.index()])
    }

    pub(crate) fn is_error(&self, id: ExprId) -> bool {
        self.ty(id) == Ty::Error
    }

    pub(crate) fn ptr(&self, id: ExprId) -> NodePtr {
        self.map.exprs[id.index()]
    }

    /// A type written inside the declaration.
    pub(crate) fn lower_type(&mut self, ty: Option<ast::Type>) -> Ty {
        let mut types = TypeLowering::new(self.db, self.program, self.decl, self.numbers);
        types.params = self.type_params.clone();
        let ty = types.optional(ty);
        self.problems.append(&mut types.problems);
        ty
    }

    /// Brings type parameters into scope and returns them; the caller truncates the scope.
    pub(crate) fn declare_type_params(&mut self, params: Option<ast::TypeParams>) -> Arc<[Name]> {
        let mut types = TypeLowering::new(self.db, self.program, self.decl, self.numbers);
        types.params = std::mem::take(&mut self.type_params);
        let names = types.declare_params(params.iter().flat_map(|it| it.names()));
        self.type_params = types.params;
        self.problems.append(&mut types.problems);
        names
    }

    pub(crate) fn layers(&mut self, nodes: impl Iterator<Item = ast::Attribute>) -> LayerSet {
        attrs::layers(nodes, self.decl, self.numbers, &mut self.problems)
    }

    /// The attributes with their expressions. `layer` is left out: it is read by [`Self::layers`].
    pub(crate) fn attrs(&mut self, nodes: impl Iterator<Item = ast::Attribute>) -> Attrs {
        let mode = self.mode;
        if mode == StateMode::One {
            self.mode = StateMode::Two;
        }
        let mut out = Vec::new();
        for node in nodes {
            let name = Name::new(node.name_text().unwrap_or_default());
            if name == "layer" {
                continue;
            }
            let mut args = Vec::new();
            for arg in node.args() {
                match (arg.as_string(), arg.expr()) {
                    (Some(text), _) => args.push(AttrArg::String(text.into())),
                    (None, Some(expr)) => args.push(AttrArg::Expr(self.expr(&expr))),
                    (None, None) => {}
                }
            }
            out.push(Attr { name, args: args.into() });
        }
        self.mode = mode;
        Attrs(out.into())
    }

    pub(crate) fn find_local(&self, name: &Name) -> Option<LocalId> {
        let visible = &self.locals[..self.visible];
        visible.iter().position(|local| local.name == *name).map(LocalId::from_index)
    }

    pub(crate) fn find_bound(&self, name: &Name) -> Option<BoundId> {
        self.binders.iter().rev().find(|(it, _)| it == name).map(|(_, id)| *id)
    }

    /// Makes a bound variable without bringing it into scope.
    pub(crate) fn bound(&mut self, name: Name, ty: Ty, ptr: NodePtr) -> BoundId {
        self.exprs.bound.push(BoundVar { name, ty, pools: Box::new([]) });
        self.map.bound.push(ptr);
        BoundId::from_index(self.exprs.bound.len() - 1)
    }
}
