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
//! map. What nobody can look through to the end is not safe. A call relies on what was proved of the
//! callee: a parameter is not safe either if it is part of the type given for a parameter that is not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{Name, Program};

use crate::{
    Arm, Db, Expr, Exprs, ProcSig, Stmt, Ty, body, datatype, implementations, proc_sig,
    proc_sig_of, program_decls, specs,
};

/// More types than this are not looked at: then every parameter counts.
const MOST_TYPES: usize = 500;

/// The type parameters of the procedure whose values its proof may count.
#[salsa::tracked(returns(clone))]
pub fn may_count(db: &dyn Db, program: Program, name: Name) -> Arc<[Name]> {
    let counted = counted_params(db, program).get(&name).cloned().unwrap_or_default();
    counted.iter().cloned().collect()
}

/// The counted parameters of all procedures together: who calls a procedure with its own parameter
/// relies on what was proved there.
#[salsa::tracked(returns(clone))]
fn counted_params(db: &dyn Db, program: Program) -> Arc<BTreeMap<Name, BTreeSet<Name>>> {
    let mut counted: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    let mut callers: BTreeMap<Name, Vec<(Name, Arc<Passed>)>> = BTreeMap::new();
    for decl in program_decls(db, program).iter() {
        let Some(sig) = proc_sig_of(db, program, *decl).filter(|sig| !sig.type_params.is_empty())
        else {
            continue;
        };
        let name = &sig.name;
        let own = own_params(db, program, name.clone());
        counted.entry(name.clone()).or_default().extend(own.counted.iter().cloned());
        for passed in &own.passed {
            let from = (name.clone(), Arc::clone(passed));
            callers.entry(passed.callee.clone()).or_default().push(from);
        }
    }
    let mut todo: Vec<Name> = counted.keys().cloned().collect();
    while let Some(name) = todo.pop() {
        let callee = counted.get(&name).cloned().unwrap_or_default();
        for (caller, passed) in callers.get(&name).into_iter().flatten() {
            let Some(known) = counted.get_mut(caller) else { continue };
            let before = known.len();
            let relied = passed.params.iter().filter(|(theirs, _)| callee.contains(theirs));
            known.extend(relied.map(|(_, ours)| ours.clone()));
            if known.len() > before {
                todo.push(caller.clone());
            }
        }
    }
    Arc::new(counted)
}

/// What the text of one procedure says about its type parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OwnParams {
    /// Those whose values may be counted here.
    counted: Vec<Name>,
    passed: Vec<Arc<Passed>>,
}

/// A call that passes type parameters on.
#[derive(Debug, PartialEq, Eq)]
struct Passed {
    callee: Name,
    /// A parameter of the callee, and one of the caller inside the type that it is given.
    params: Vec<(Name, Name)>,
}

#[salsa::tracked(returns(clone))]
fn own_params(db: &dyn Db, program: Program, name: Name) -> Arc<OwnParams> {
    let Some(sig) = proc_sig(db, program, name.clone()) else { return Arc::default() };
    let mut types: Vec<Ty> = sig.formals().map(|param| param.ty.clone()).collect();
    let mut given = Vec::new();
    let mut passed = Vec::new();
    if let Some(specs) = specs(db, program, sig.decl) {
        types.extend(specs.locals.iter().map(|local| local.ty.clone()));
        read(db, program, &specs.exprs, (&mut types, &mut given));
        for call in &specs.calls {
            passed.extend(passed_on(db, program, &sig, &call.arm));
        }
    }
    for decl in implementations(db, program, name).iter() {
        let Some(body) = body(db, program, *decl) else {
            return Arc::new(OwnParams { counted: sig.type_params.to_vec(), passed: Vec::new() });
        };
        types.extend(body.locals.iter().map(|local| local.ty.clone()));
        read(db, program, &body.exprs, (&mut types, &mut given));
        for stmt in &body.stmts {
            let Stmt::Call { arms, .. } = stmt else { continue };
            passed.extend(arms.iter().filter_map(|arm| passed_on(db, program, &sig, arm)));
        }
    }
    let indexed = indices(db, program, types);
    let counts = |param: &&Name| {
        let is_it = |ty: &Ty| mentions(ty, param);
        indexed.as_ref().is_none_or(|indexed| indexed.iter().any(is_it)) || given.iter().any(is_it)
    };
    let counted = sig.type_params.iter().filter(counts).cloned().collect();
    Arc::new(OwnParams { counted, passed })
}

fn mentions(ty: &Ty, param: &Name) -> bool {
    ty.any(&|part| matches!(part, Ty::Param(own) if own == param))
}

/// The type parameters of the caller `sig` that the call passes on.
fn passed_on(db: &dyn Db, program: Program, sig: &ProcSig, arm: &Arm) -> Option<Arc<Passed>> {
    let callee = proc_sig(db, program, arm.callee.clone())?;
    let mut params = Vec::new();
    for (theirs, ty) in callee.type_params.iter().zip(&arm.type_args) {
        let ours = sig.type_params.iter().filter(|ours| mentions(ty, ours));
        params.extend(ours.map(|ours| (theirs.clone(), ours.clone())));
    }
    (!params.is_empty()).then(|| Arc::new(Passed { callee: arm.callee.clone(), params }))
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
