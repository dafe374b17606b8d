//! Type parameters whose number of values a proof may depend on.
//!
//! **In:** a procedure with type parameters and a body. **Out:** [`may_count`]: those parameters.
//!
//! A body with type parameters is proved once, for types of which nothing is known. The solver takes such
//! a type for infinite: where it is the index of a map, it concludes that a map changed at finitely many
//! indices differs from every map changed at all of them. That is wrong of a type with few values.
//!
//! # Soundness
//! Only maps count the values of their index, so a parameter is safe if no map with the parameter in its
//! index can occur: in no type of an expression or variable of specification and body, also behind the
//! fields of a datatype, and in no function that is given the parameter, whose definition may hold such a
//! map. What nobody can look through to the end is not safe.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Program};

use crate::{Db, Expr, Exprs, Ty, body, datatype, implementations, proc_sig, specs};

/// More types than this are not looked at: then every parameter counts.
const MOST_TYPES: usize = 500;

/// The type parameters of the procedure whose values its proof may count.
#[salsa::tracked(returns(clone))]
pub fn may_count(db: &dyn Db, program: Program, name: Name) -> Arc<[Name]> {
    let Some(sig) = proc_sig(db, program, name.clone()) else { return Arc::new([]) };
    let mut types: Vec<Ty> = sig.formals().map(|param| param.ty.clone()).collect();
    let mut given = Vec::new();
    if let Some(specs) = specs(db, program, sig.decl) {
        types.extend(specs.locals.iter().map(|local| local.ty.clone()));
        read(db, program, &specs.exprs, (&mut types, &mut given));
    }
    for decl in implementations(db, program, name).iter() {
        let Some(body) = body(db, program, *decl) else {
            return sig.type_params.iter().cloned().collect();
        };
        types.extend(body.locals.iter().map(|local| local.ty.clone()));
        read(db, program, &body.exprs, (&mut types, &mut given));
    }
    let indexed = indices(db, program, types);
    let counts = |param: &&Name| {
        let is_it = |ty: &Ty| ty.any(&|part| matches!(part, Ty::Param(own) if own == *param));
        indexed.as_ref().is_none_or(|indexed| indexed.iter().any(is_it)) || given.iter().any(is_it)
    };
    sig.type_params.iter().filter(counts).cloned().collect()
}

/// The types of all expressions, and the types that functions are given.
fn read(
    db: &dyn Db,
    program: Program,
    exprs: &Exprs,
    (types, given): (&mut Vec<Ty>, &mut Vec<Ty>),
) {
    for id in exprs.ids() {
        types.push(exprs.ty(id).clone());
        if let Expr::Call { func, type_args, .. } = exprs.expr(id) {
            // What a constructor builds has a type of its own; it hides no map.
            let built =
                exprs.ty(id).as_ctor().and_then(|(name, _)| datatype(db, program, name.clone()));
            if built.is_none_or(|datatype| datatype.ctor(func).is_none()) {
                given.extend(type_args.iter().cloned());
            }
        }
    }
}

/// The types at the index of some map in `types`; nothing if they are too many.
fn indices(db: &dyn Db, program: Program, types: Vec<Ty>) -> Option<BTreeSet<Ty>> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut todo = types;
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty.clone()) {
            continue;
        }
        if seen.len() > MOST_TYPES {
            return None;
        }
        match &ty {
            Ty::Map(map) => {
                found.extend(map.args.iter().cloned());
                todo.extend(map.args.iter().cloned());
                todo.push(map.result.clone());
            }
            Ty::Ctor(name, args) => {
                todo.extend(args.iter().cloned());
                let Some(datatype) = datatype(db, program, name.clone()) else { continue };
                let subst = datatype.subst(args);
                let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
                todo.extend(fields.map(|field| field.ty.subst(&subst)));
            }
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => {}
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => {}
        }
    }
    Some(found)
}
