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
//! counts as a map over `D`.

use std::collections::BTreeSet;

use base::{DeclKind, Name, Program};

use crate::problem::{Fault, Problem};
use crate::{Db, Ty, datatype, datatype_of, decl_place, program_decls};

/// Types nested deeper than this grow for ever and are refused elsewhere.
const DEEPEST: usize = 60;

pub(crate) fn negative_datatypes(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut out = Vec::new();
    for decl in program_decls(db, program).iter().filter(|it| it.kind(db) == DeclKind::Datatype) {
        let Some(found) = datatype_of(db, program, *decl) else { continue };
        let mut walk = Walk { db, program, start: &found.name, seen: BTreeSet::new() };
        let fields = found.ctors.iter().flat_map(|ctor| ctor.fields.iter());
        if fields.into_iter().any(|field| walk.meets_itself(&field.ty, false, 0)) {
            let fault = Fault::NegativeDatatype { name: found.name.clone() };
            out.push(Problem { place: decl_place(db, *decl), fault });
        }
    }
    out
}

struct Walk<'a> {
    db: &'a dyn Db,
    program: Program,
    start: &'a Name,
    seen: BTreeSet<(Ty, bool)>,
}

impl Walk<'_> {
    /// Does the datatype occur in `ty` inside the index of a map, or anywhere if `in_index` is set?
    fn meets_itself(&mut self, ty: &Ty, in_index: bool, depth: usize) -> bool {
        if depth > DEEPEST || !self.seen.insert((ty.clone(), in_index)) {
            return false;
        }
        match ty {
            Ty::Map(map) => {
                map.args.iter().any(|arg| self.meets_itself(arg, true, depth + 1))
                    || self.meets_itself(&map.result, in_index, depth + 1)
            }
            Ty::Ctor(name, _) if name == self.start && in_index => true,
            Ty::Ctor(name, args) => {
                let Some(datatype) = datatype(self.db, self.program, name.clone()) else {
                    return args.iter().any(|arg| self.meets_itself(arg, in_index, depth + 1));
                };
                let subst = datatype.subst(args);
                let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
                let types: Vec<Ty> = fields.map(|field| field.ty.subst(&subst)).collect();
                types.iter().any(|ty| self.meets_itself(ty, in_index, depth + 1))
            }
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => false,
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => false,
        }
    }
}
