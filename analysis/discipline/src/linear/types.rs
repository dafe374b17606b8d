//! Linear types and the permissions they hold (language.md 10.1).
//!
//! **In:** a type without type parameters. **Out:** the set of its permission types; the type is
//! linear iff the set is not empty.
//!
//! The permissions of a type are the types `One T` that can be reached from it: through the fields
//! of a datatype, through the values of a `Map`, and through its keys if they are `One _`. Map types
//! `[K]V` and uninterpreted types hold nothing. Reachability is the least fixpoint of the rules of
//! the reference, and it needs no special care for recursive datatypes.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use hir::{Body, Expr, Exprs, SourceMap, Stmt, Ty};

use crate::Db;
use crate::problem::{LinearProblem, Problem};

/// The datatype of single permissions.
pub(super) const ONE: &str = "One";
/// The datatype of maps with a domain.
pub(super) const MAP: &str = "Map";

/// Does a value of this type hold permissions?
///
/// Reads the declarations of the datatypes the type mentions.
pub fn is_linear(db: &dyn Db, program: Program, ty: &Ty) -> bool {
    matches!(ty, Ty::Ctor(..)) && !permissions(db, program, ty.clone()).is_empty()
}

/// The permission types of a type, in the order of types; none iff the type is ordinary.
pub fn permission_types(db: &dyn Db, program: Program, ty: &Ty) -> Vec<Ty> {
    match ty {
        Ty::Ctor(..) => permissions(db, program, ty.clone()).to_vec(),
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => Vec::new(),
        Ty::String | Ty::Regex | Ty::Map(_) | Ty::Param(_) | Ty::Infer(_) | Ty::Error => Vec::new(),
    }
}

/// Is this `One _`?
pub(super) fn is_one(ty: &Ty) -> bool {
    ty.as_ctor().is_some_and(|(name, _)| *name == ONE)
}

/// Is this `One _` or `Map _ _`, whose inside only primitives may change?
pub(super) fn is_one_or_map(ty: &Ty) -> bool {
    ty.as_ctor().is_some_and(|(name, _)| *name == ONE || *name == MAP)
}

/// How many instances of datatypes are looked at before giving up on a type that grows for ever.
const MOST_INSTANCES: usize = 10_000;
/// How much deeper than the type itself its parts nest before a growing type is recognised.
const MOST_GROWTH: usize = 40;

#[salsa::tracked(returns(clone))]
fn permissions(db: &dyn Db, program: Program, ty: Ty) -> Arc<[Ty]> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::from([ty.clone()]);
    let deepest = depth(&ty) + MOST_GROWTH;
    let mut todo = vec![ty.clone()];
    while let Some(ty) = todo.pop() {
        if is_one(&ty) {
            found.insert(ty);
            continue;
        }
        for part in parts(db, program, &ty) {
            // A growing type is complained about elsewhere; here it must only not run for ever. It
            // counts as linear: nothing may be copied out of what was not looked at.
            if seen.len() >= MOST_INSTANCES || depth(&part) > deepest {
                found.insert(Ty::ctor(ONE, [ty.clone()]));
                return found.into_iter().collect();
            }
            if seen.insert(part.clone()) {
                todo.push(part);
            }
        }
    }
    found.into_iter().collect()
}

/// The types whose permissions a value of type `ty` holds as well.
fn parts(db: &dyn Db, program: Program, ty: &Ty) -> Vec<Ty> {
    let Some((name, args)) = ty.as_ctor() else { return Vec::new() };
    if *name == MAP {
        let [key, value] = args else { return Vec::new() };
        let key = is_one(key).then(|| key.clone());
        return key.into_iter().chain([value.clone()]).collect();
    }
    let Some(datatype) = hir::datatype(db, program, name.clone()) else { return Vec::new() };
    let subst = datatype.subst(args);
    let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
    fields.map(|field| field.ty.subst(&subst)).collect()
}

fn depth(ty: &Ty) -> usize {
    match ty {
        Ty::Map(map) => 1 + map.args.iter().chain([&map.result]).map(depth).max().unwrap_or(0),
        Ty::Ctor(_, args) => 1 + args.iter().map(depth).max().unwrap_or(0),
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => 0,
        Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => 0,
    }
}

/// Appends a problem for each forbidden instance of `One` and `Map` the declaration uses, once per
/// type, at the first place that uses it.
pub(super) fn check(db: &dyn Db, program: Program, decl: DeclId, out: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for (place, ty) in types_of(db, program, decl) {
        check_type(db, program, (place, &ty), &mut seen, out);
    }
}

fn check_type(
    db: &dyn Db,
    program: Program,
    (place, ty): (Place, &Ty),
    seen: &mut BTreeSet<Ty>,
    out: &mut Vec<Problem>,
) {
    let parts: Vec<Ty> = match ty {
        Ty::Map(map) => map.args.iter().chain([&map.result]).cloned().collect(),
        Ty::Ctor(_, args) => args.to_vec(),
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => return,
        Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => return,
    };
    if !seen.insert(ty.clone()) {
        return;
    }
    for part in &parts {
        check_type(db, program, (place, part), seen, out);
    }
    let (Some((name, _)), Some(first)) = (ty.as_ctor(), parts.first()) else { return };
    if !is_linear(db, program, first) {
        return;
    }
    let library = || declaration_of(db, program, name);
    if *name == ONE {
        out.push(
            LinearProblem::OneOfLinear { place, of: first.clone(), library: library() }.into(),
        );
    } else if *name == MAP && !is_one(first) {
        let key = first.clone();
        out.push(LinearProblem::MapKeyLinear { place, key, library: library() }.into());
    }
}

/// Where the type is declared.
fn declaration_of(db: &dyn Db, program: Program, name: &Name) -> Option<Place> {
    hir::lookup_type(db, program, name.clone()).map(|decl| hir::decl_place(db, decl))
}

/// The types a declaration uses, each with a place that uses it, in source order.
fn types_of(db: &dyn Db, program: Program, decl: DeclId) -> Vec<(Place, Ty)> {
    let mut out = declared_types(db, program, decl);
    let specs = hir::specs(db, program, decl);
    if let (Some(specs), Some(map)) = (specs, hir::specs_map(db, program, decl)) {
        expr_types(&specs.exprs, &map, &mut out);
    }
    if let (Some(body), Some(map)) =
        (hir::body(db, program, decl), hir::body_map(db, program, decl))
    {
        body_types(&body, &map, &mut out);
    }
    let whole = hir::expr_body(db, program, decl);
    if let (Some(whole), Some(map)) = (whole, hir::expr_body_map(db, program, decl)) {
        expr_types(&whole.exprs, &map, &mut out);
    }
    out
}

/// The types of a global, of the fields of a datatype, of formals.
fn declared_types(db: &dyn Db, program: Program, decl: DeclId) -> Vec<(Place, Ty)> {
    let place = hir::decl_place(db, decl);
    match decl.kind(db) {
        DeclKind::Var => {
            let global = hir::global_of(db, program, decl);
            global.map(|it| (place, it.ty.clone())).into_iter().collect()
        }
        DeclKind::Datatype => {
            let datatype = hir::datatype_of(db, program, decl);
            let ctors = datatype.iter().flat_map(|it| it.ctors.iter());
            let fields = ctors.flat_map(|ctor| ctor.fields.iter());
            fields.map(|field| (place, field.ty.clone())).collect()
        }
        DeclKind::Procedure | DeclKind::Action | DeclKind::YieldProcedure | DeclKind::Invariant => {
            let Some(sig) = hir::proc_sig_of(db, program, decl) else { return Vec::new() };
            let places = hir::formal_places(db, program, decl);
            places.into_iter().zip(sig.formals().map(|it| it.ty.clone())).collect()
        }
        // The types of a constant, function or synonym matter where they are used.
        DeclKind::Type | DeclKind::Const | DeclKind::Function => Vec::new(),
        DeclKind::Axiom | DeclKind::Implementation => Vec::new(),
    }
}

fn body_types(body: &Body, map: &SourceMap, out: &mut Vec<(Place, Ty)>) {
    for id in body.local_ids() {
        out.push((map.local(id), body.local(id).ty.clone()));
    }
    expr_types(&body.exprs, map, out);
    for (index, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Call { arms, .. } = stmt else { continue };
        let place = map.stmt(hir::StmtId::from_index(index));
        let types = arms.iter().flat_map(|arm| arm.type_args.iter());
        out.extend(types.map(|ty| (place, ty.clone())));
    }
}

fn expr_types(exprs: &Exprs, map: &SourceMap, out: &mut Vec<(Place, Ty)>) {
    let has_parts = |ty: &&Ty| matches!(ty, Ty::Ctor(..) | Ty::Map(_));
    for id in exprs.ids() {
        let own = [exprs.ty(id)].into_iter().filter(has_parts);
        out.extend(own.map(|ty| (map.expr(id), ty.clone())));
        if let Expr::Call { type_args, .. } = exprs.expr(id) {
            let args = type_args.iter().filter(has_parts);
            out.extend(args.map(|ty| (map.expr(id), ty.clone())));
        }
    }
}
