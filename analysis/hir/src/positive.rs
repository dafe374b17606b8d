//! Datatypes that contain maps over themselves.
//!
//! **In:** the datatypes of a program. **Out:** a problem for each that occurs, by way of its fields, in
//! the index of a map.
//!
//! # Soundness
//! A value that holds any set of values of its own type cannot exist: there are more sets than
//! values (Cantor). Were it allowed, the set of all values that do not contain themselves would prove
//! everything. The solver refuses most of these types, but it does not look inside sequences.
//!
//! Type arguments are followed through the fields of the datatype they are given to, so that `Set D`
//! counts as a map over `D`. What nobody can look through to the end is refused.

use std::collections::BTreeSet;

use base::{DeclKind, Name, Program};

use crate::problem::{Fault, Problem};
use crate::{Db, Ty, datatype, datatype_of, decl_place, program_decls};

/// A datatype whose fields hold more types than this is taken to hold every type: it grows for ever, or
/// nobody wrote it.
const MOST_TYPES: usize = 500;

pub(crate) fn negative_datatypes(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut out = Vec::new();
    for decl in program_decls(db, program).iter().filter(|it| it.kind(db) == DeclKind::Datatype) {
        let Some(found) = datatype_of(db, program, *decl) else { continue };
        let fields = found.ctors.iter().flat_map(|ctor| ctor.fields.iter());
        let types = fields.map(|field| field.ty.clone()).collect();
        if meets_itself(db, program, &found.name, types) {
            let fault = Fault::NegativeDatatype { name: found.name.clone() };
            out.push(Problem { place: decl_place(db, *decl), fault });
        }
    }
    out
}

/// Does the datatype `start` occur in one of `types` inside the index of a map?
fn meets_itself(db: &dyn Db, program: Program, start: &Name, types: Vec<Ty>) -> bool {
    let mut seen: BTreeSet<(Ty, bool)> = BTreeSet::new();
    let mut todo: Vec<(Ty, bool)> = types.into_iter().map(|ty| (ty, false)).collect();
    while let Some((ty, in_index)) = todo.pop() {
        if !seen.insert((ty.clone(), in_index)) {
            continue;
        }
        if seen.len() > MOST_TYPES {
            return true;
        }
        match &ty {
            Ty::Map(map) => {
                todo.extend(map.args.iter().map(|arg| (arg.clone(), true)));
                todo.push((map.result.clone(), in_index));
            }
            Ty::Ctor(name, _) if name == start && in_index => return true,
            Ty::Ctor(name, args) => {
                let Some(datatype) = datatype(db, program, name.clone()) else {
                    todo.extend(args.iter().map(|arg| (arg.clone(), in_index)));
                    continue;
                };
                let subst = datatype.subst(args);
                let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
                todo.extend(fields.map(|field| (field.ty.subst(&subst), in_index)));
            }
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => {}
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => {}
        }
    }
    false
}
