//! Types to sorts.
//!
//! **In:** a type, its parameters replaced by [`super::Env::types`]. **Out:** a sort; datatypes and
//! all that their fields mention are entered in the tables.
//!
//! Every instance of a type has its own symbol, which is the type as it is written: `Map (One Loc)
//! int`. A map without indices is its element.

use std::sync::Arc;

use hir::{Ty, TySubst};
use ir::{CtorDef, DatatypeDef, Sort, Symbol};

use super::{DataInstance, Env, Lowering};

/// More instances of datatypes than any program needs: beyond it, types grow for ever.
const MAX_DATATYPES: usize = 4_000;

impl Lowering<'_> {
    /// The sort of `ty` in `env`.
    pub fn sort(&mut self, ty: &Ty, env: &Env) -> Sort {
        self.sort_of(ty, &env.types)
    }

    pub(super) fn sort_of(&mut self, ty: &Ty, types: &TySubst) -> Sort {
        if types.is_empty() { self.closed_sort(ty) } else { self.closed_sort(&ty.subst(types)) }
    }

    /// The sort of a type without free parameters.
    pub fn closed_sort(&mut self, ty: &Ty) -> Sort {
        if let Some(sort) = self.sorts.get(ty) {
            return sort.clone();
        }
        let sort = self.make_sort(ty);
        self.sorts.insert(ty.clone(), sort.clone());
        sort
    }

    fn make_sort(&mut self, ty: &Ty) -> Sort {
        match ty {
            Ty::Int => Sort::Int,
            Ty::Real => Sort::Real,
            Ty::Bool => Sort::Bool,
            Ty::Bv(width) if *width > 0 => Sort::BitVec(*width),
            Ty::Bv(_) => self.no_sort("a bit vector without bits"),
            Ty::Float(significand, exponent) => {
                self.unsupported("floating-point numbers");
                Sort::Float(*exponent, *significand)
            }
            Ty::RMode => {
                self.unsupported("rounding modes");
                Sort::RoundingMode
            }
            Ty::String => {
                self.unsupported("strings");
                Sort::String
            }
            Ty::Regex => {
                self.unsupported("regular expressions");
                Sort::RegEx
            }
            Ty::Map(map) if !map.params.is_empty() => self.no_sort("a polymorphic map type"),
            Ty::Map(map) if map.args.is_empty() => self.closed_sort(&map.result),
            Ty::Map(map) => {
                let indices: Vec<Sort> = map.args.iter().map(|arg| self.closed_sort(arg)).collect();
                Sort::array(indices, self.closed_sort(&map.result))
            }
            Ty::Ctor(name, args) => match &**args {
                [element] if self.world.is_sequence_type(name) => {
                    Sort::seq(self.closed_sort(element))
                }
                _ if self.world.datatype(name).is_some() => self.datatype_sort(ty),
                _ => Sort::Uninterpreted(Symbol::from(ty.to_string())),
            },
            Ty::Param(name) => self.no_sort(format!("the type parameter `{name}` here")),
            Ty::Infer(_) | Ty::Error => self.no_sort("a type with an error"),
        }
    }

    fn no_sort(&mut self, what: impl Into<String>) -> Sort {
        self.unsupported(what);
        Sort::Uninterpreted(Symbol::new("?"))
    }

    fn datatype_sort(&mut self, ty: &Ty) -> Sort {
        self.declare_datatype(ty);
        Sort::Datatype(Symbol::from(ty.to_string()))
    }

    /// The definition of a datatype instance, if `ty` is one.
    pub fn datatype_def(&mut self, ty: &Ty) -> Option<Arc<DatatypeDef>> {
        self.closed_sort(ty);
        self.tables
            .datatypes
            .get(&Symbol::from(ty.to_string()))
            .map(|instance| instance.def.clone())
    }

    /// Enters the instance. Field sorts name datatypes without entering them first, so recursion
    /// through fields ends at the instance that is being entered.
    fn declare_datatype(&mut self, ty: &Ty) {
        let Some((name, args)) = ty.as_ctor() else { return };
        let Some(datatype) = self.world.datatype(name) else { return };
        if self.sorts.len() > MAX_DATATYPES {
            self.unsupported(format!("ever larger instances of the datatype `{name}`"));
            return;
        }
        // Before the fields, so that a field of the same type finds it.
        let symbol = Symbol::from(ty.to_string());
        self.sorts.insert(ty.clone(), Sort::Datatype(symbol.clone()));
        let subst = datatype.subst(args);
        let mut ctors = Vec::with_capacity(datatype.ctors.len());
        for ctor in datatype.ctors.iter() {
            let mut fields = Vec::with_capacity(ctor.fields.len());
            for field in ctor.fields.iter() {
                let sort = self.sort_of(&field.ty, &subst);
                fields.push((Symbol::new(field.name.as_str()), sort));
            }
            ctors.push(CtorDef::new(ctor.name.as_str(), fields));
        }
        let def = DatatypeDef::new(symbol.clone(), ctors);
        let instance = DataInstance { def, name: name.clone(), args: args.into() };
        self.tables.datatypes.insert(symbol, instance);
    }
}
