//! Signatures: what a declaration promises to others.
//!
//! **In:** the shape of one declaration, and the types it names.
//! **Out:** [`GlobalVar`], [`Constant`], [`FuncSig`], [`Datatype`], [`ProcSig`], each with its places
//! and problems kept apart.
//!
//! No edit inside a body or an expression of a specification changes a signature.

mod data;
mod formals;
mod proc;

pub(crate) use data::{const_data, datatype_data, func_data, global_data};
pub(crate) use formals::{FormalLayers, FormalLowering, Formals};
pub(crate) use proc::{ProcNode, modified_names, proc_data};

use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use syntax::ast::{self, AstNode};

use crate::scope::separate_implementations;
use crate::tree::NodeNumbers;
use crate::types::type_node;
use crate::{
    Constant, Datatype, Db, FuncSig, GlobalVar, Layer, ProcSig, lookup_func, lookup_proc,
    lookup_type, lookup_var, shape,
};

/// Where a declaration's name is written. For an anonymous inline action: the keyword `action`;
/// for an axiom: the keyword `axiom`.
#[salsa::tracked(returns(copy))]
pub fn decl_place(db: &dyn Db, decl: DeclId) -> Place {
    let Some(shape) = shape(db, decl) else { return Place::File(decl.file(db)) };
    let root = shape.syntax();
    let numbers = NodeNumbers::new(&root);
    let keyword = |kinds: &[syntax::SyntaxKind]| {
        let tokens = root.children_with_tokens().filter_map(|it| it.into_token());
        let mut tokens = tokens.filter(|token| kinds.contains(&token.kind()));
        numbers.at(&root, tokens.next())
    };
    let ptr = match decl.kind(db) {
        DeclKind::Axiom => keyword(&[syntax::SyntaxKind::AXIOM_KW]),
        DeclKind::Action if decl.is_anonymous_action(db) => {
            keyword(&[syntax::SyntaxKind::ACTION_KW])
        }
        DeclKind::Type => type_node(db, decl, &root)
            .and_then(|def| def.name())
            .map_or(base::NodePtr::ROOT, |name| numbers.node(name.syntax())),
        DeclKind::Const | DeclKind::Var | DeclKind::Datatype | DeclKind::Function => {
            named_ptr(&root, decl.name(db), &numbers)
        }
        DeclKind::Action | DeclKind::Procedure | DeclKind::YieldProcedure => {
            named_ptr(&root, decl.name(db), &numbers)
        }
        DeclKind::Invariant | DeclKind::Implementation => named_ptr(&root, decl.name(db), &numbers),
    };
    Place::new(decl, ptr)
}

/// The first name node with this text.
fn named_ptr(root: &syntax::SyntaxNode, name: &Name, numbers: &NodeNumbers) -> base::NodePtr {
    let mut names = root.descendants().filter_map(ast::Name::cast);
    let found = names.find(|node| *name == node.text().as_str());
    found.map_or(base::NodePtr::ROOT, |node| numbers.node(node.syntax()))
}

/// Where the constructor `name` of a datatype is written.
pub(crate) fn ctor_place(db: &dyn Db, decl: DeclId, name: &Name) -> Place {
    let Some(shape) = shape(db, decl) else { return Place::File(decl.file(db)) };
    let root = shape.syntax();
    let ctors = root.children().filter_map(ast::Constructor::cast);
    let mut names = ctors.filter_map(|ctor| ctor.name());
    let found = names.find(|node| *name == node.text().as_str());
    let numbers = NodeNumbers::new(&root);
    let ptr = found.map_or(base::NodePtr::ROOT, |node| numbers.node(node.syntax()));
    Place::new(decl, ptr)
}

/// The global variable of this name.
pub fn global(db: &dyn Db, program: Program, name: Name) -> Option<Arc<GlobalVar>> {
    let decl = lookup_var(db, program, name)?;
    (decl.kind(db) == DeclKind::Var).then(|| global_of(db, program, decl))?
}

/// The constant of this name.
pub fn constant(db: &dyn Db, program: Program, name: Name) -> Option<Arc<Constant>> {
    let decl = lookup_var(db, program, name)?;
    (decl.kind(db) == DeclKind::Const).then(|| constant_of(db, program, decl))?
}

/// The function or constructor of this name.
#[salsa::tracked(returns(clone))]
pub fn func_sig(db: &dyn Db, program: Program, name: Name) -> Option<Arc<FuncSig>> {
    let decl = lookup_func(db, program, name.clone())?;
    if decl.kind(db) == DeclKind::Function {
        return func_data(db, program, decl).map(|data| data.sig.clone());
    }
    let data = datatype_data(db, program, decl)?;
    data.ctors.iter().find(|sig| sig.name == name).cloned()
}

/// The datatype of this name.
pub fn datatype(db: &dyn Db, program: Program, name: Name) -> Option<Arc<Datatype>> {
    let decl = lookup_type(db, program, name)?;
    (decl.kind(db) == DeclKind::Datatype).then(|| datatype_of(db, program, decl))?
}

/// The procedure, action, yield procedure or invariant of this name.
pub fn proc_sig(db: &dyn Db, program: Program, name: Name) -> Option<Arc<ProcSig>> {
    proc_sig_of(db, program, lookup_proc(db, program, name)?)
}

/// The global variable a declaration declares.
#[salsa::tracked(returns(clone))]
pub fn global_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<GlobalVar>> {
    global_data(db, program, decl).map(|data| data.var.clone())
}

/// The constant a declaration declares.
#[salsa::tracked(returns(clone))]
pub fn constant_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Constant>> {
    const_data(db, program, decl).map(|data| data.constant.clone())
}

/// The function a declaration declares.
#[salsa::tracked(returns(clone))]
pub fn func_sig_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<FuncSig>> {
    func_data(db, program, decl).map(|data| data.sig.clone())
}

/// The datatype a declaration declares.
#[salsa::tracked(returns(clone))]
pub fn datatype_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Datatype>> {
    datatype_data(db, program, decl).map(|data| data.datatype.clone())
}

/// The signature a procedure-like declaration declares; for an `implementation` that of its
/// procedure.
#[salsa::tracked(returns(clone))]
pub fn proc_sig_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<ProcSig>> {
    if decl.kind(db) == DeclKind::Implementation {
        let procedure = lookup_proc(db, program, decl.name(db).clone())?;
        return proc_data(db, program, procedure).map(|data| data.sig.clone());
    }
    proc_data(db, program, decl).map(|data| data.sig.clone())
}

/// Where the formals of a procedure-like declaration are written: in-parameters, out-parameters.
pub fn formal_places(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Place> {
    let Some(data) = proc_data(db, program, decl) else { return Vec::new() };
    data.formals.ins.places.iter().chain(&data.formals.outs.places).copied().collect()
}

/// Where the names of [`ProcSig::modifies`] are written, in the same order.
pub fn modifies_places(db: &dyn Db, decl: DeclId) -> Vec<Place> {
    let Some(shape) = shape(db, decl) else { return Vec::new() };
    let Some(node) = ProcNode::of(&shape) else { return Vec::new() };
    let numbers = NodeNumbers::new(&shape.syntax());
    let names = modified_names(&node);
    names.iter().map(|name| Place::new(decl, numbers.node(name.syntax()))).collect()
}

/// The declarations that hold a body of the procedure: itself, then separate implementations.
#[salsa::tracked(returns(clone))]
pub fn implementations(db: &dyn Db, program: Program, name: Name) -> Arc<[DeclId]> {
    let sig = proc_sig(db, program, name.clone());
    let own = sig.filter(|sig| sig.has_body).map(|sig| sig.decl);
    let apart = separate_implementations(db, program, name);
    own.into_iter().chain(apart.iter().copied()).collect()
}

/// The action a yield procedure is at `layer`, which lies above its own: the first action of the
/// chain of `refines` that still exists there (language.md 4.3). Nothing if there is none; a
/// procedure without `refines` is Skip, which has no name.
#[salsa::tracked(returns(clone))]
pub fn refined_action(db: &dyn Db, program: Program, name: Name, layer: Layer) -> Option<Name> {
    let mut next = proc_sig(db, program, name)?.refines.clone();
    let mut seen: Vec<Name> = Vec::new();
    while let Some(action) = next {
        if seen.contains(&action) {
            return None;
        }
        let sig = proc_sig(db, program, action.clone()).filter(|sig| sig.is_action())?;
        if sig.layers.is_some_and(|range| layer <= range.high()) {
            return Some(action);
        }
        seen.push(action);
        next = sig.refines.clone();
    }
    None
}
