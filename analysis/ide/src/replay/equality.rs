//! When two values are the same, in a structure.
//!
//! A map is known at finitely many indices and, perhaps, everywhere else. Over a type whose values are
//! listed, only those count; over an infinite one, what holds everywhere else holds somewhere.

use std::collections::BTreeSet;

use hir::{MapTy, Ty};
use ir::{MapValue, Value};

use super::structure::{Known, Structure, doubt, extended};

impl Structure<'_> {
    /// Are these two values of the type the same?
    pub(super) fn equal(&self, left: &Value, right: &Value, ty: &Ty) -> Known<bool> {
        match (left, right, ty) {
            (Value::Map(left), Value::Map(right), Ty::Map(ty)) => self.equal_maps(left, right, ty),
            (Value::Data(left), Value::Data(right), Ty::Ctor(name, args)) => {
                if left.ctor != right.ctor {
                    return Ok(false);
                }
                let datatype = self.world.datatype(name);
                let Some(datatype) = datatype else { return doubt("a value of a datatype") };
                let subst = datatype.subst(args);
                let ctor = datatype.ctors.get(left.ctor as usize);
                let Some(ctor) = ctor else { return doubt("a value of a datatype") };
                let types = ctor.fields.iter().map(|field| field.ty.subst(&subst));
                let fields = left.fields.iter().zip(&right.fields).zip(types);
                all(fields.map(|((left, right), ty)| self.equal(left, right, &ty)))
            }
            (Value::Seq(left), Value::Seq(right), Ty::Ctor(_, args)) => {
                let Some(element) = args.first() else { return doubt("a sequence") };
                if left.len() != right.len() {
                    return Ok(false);
                }
                all(left.iter().zip(right).map(|(left, right)| self.equal(left, right, element)))
            }
            (Value::Opaque(_), ..) | (_, Value::Opaque(_), _) => doubt("a value nobody reads"),
            (Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(..), ..)
            | (Value::String(_) | Value::Element(_), ..) => Ok(left == right),
            (Value::Map(_) | Value::Data(_) | Value::Seq(_), ..) => doubt("values of other types"),
        }
    }

    fn equal_maps(&self, left: &MapValue, right: &MapValue, ty: &MapTy) -> Known<bool> {
        let at = |index: &[Value]| match (left.get(index), right.get(index)) {
            (Some(left), Some(right)) => self.equal(left, right, &ty.result),
            (None, _) | (_, None) => doubt("a map that is known in part"),
        };
        if let Some(indices) = self.indices(ty) {
            return all(indices.iter().map(|index| at(index)));
        }
        let keys = left.entries().chain(right.entries()).map(|(index, _)| index);
        let keys: BTreeSet<&[Value]> = keys.collect();
        if keys.iter().any(|key| key.iter().any(holds_map)) {
            return doubt("a map over maps");
        }
        let known = all(keys.into_iter().map(at));
        if known == Ok(false) {
            return known;
        }
        let elsewhere = match (left.default(), right.default()) {
            (Some(left), Some(right)) => self.equal(left, right, &ty.result),
            (None, _) | (_, None) => doubt("a map that is known in part"),
        };
        match elsewhere {
            Ok(true) => known,
            Ok(false) if ty.args.iter().any(|ty| self.is_infinite(ty, 0)) => Ok(false),
            Ok(false) => doubt("maps that differ elsewhere, if there is an elsewhere"),
            Err(why) => Err(why),
        }
    }

    /// All indices of a map type, if they can be listed.
    pub(super) fn indices(&self, ty: &MapTy) -> Option<Vec<Vec<Value>>> {
        let mut tuples = vec![Vec::new()];
        for ty in ty.args.iter() {
            tuples = extended(&tuples, &self.elements(ty)?)?;
        }
        Some(tuples)
    }
}

/// Is the map keyed by maps somewhere? Then equal keys may look different.
fn holds_map(value: &Value) -> bool {
    match value {
        Value::Map(_) => true,
        Value::Data(data) => data.fields.iter().any(holds_map),
        Value::Seq(items) => items.iter().any(holds_map),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(..) => false,
        Value::String(_) | Value::Element(_) | Value::Opaque(_) => false,
    }
}

/// Are all of these true? One that is false decides, whatever is not known.
pub(super) fn all(parts: impl Iterator<Item = Known<bool>>) -> Known<bool> {
    let mut open = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => open = open.or(Some(why)),
        }
    }
    open.map_or(Ok(true), Err)
}

/// Is one of these true?
pub(super) fn any(parts: impl Iterator<Item = Known<bool>>) -> Known<bool> {
    all(parts.map(|part| part.map(|it| !it))).map(|it| !it)
}
