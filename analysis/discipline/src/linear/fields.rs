//! What an assignment to a field does to the permissions of the whole value.
//!
//! **In:** the type of a variable and the path of an assignment to a part of it. **Out:** whether
//! other permissions stay in the value ([`replaces_all`]), and whether the assignment may build a
//! value with permissions that nobody gave ([`lacking`]).
//!
//! # Soundness
//! `x->f := v` builds the value anew with the constructor it has. If that constructor has no field
//! `f`, the first one that has it is taken, and its other fields get arbitrary values: permissions
//! among them would come from nowhere, and would be the same ones each time.

use base::Name;
use hir::{Datatype, Step, Ty};

use super::owner::Owner;

/// A step of a path to a field that a constructor lacks.
pub(super) struct Lacking {
    pub(super) field: Name,
    /// A constructor without the field.
    pub(super) ctor: Name,
    /// Does the field hold permissions?
    pub(super) linear: bool,
}

/// Does an assignment to `path` leave no other permission in a variable of type `ty`: is the target
/// the variable itself, or the only linear field of records with one constructor?
pub(super) fn replaces_all(owner: &Owner<'_>, ty: &Ty, path: &[Step]) -> bool {
    let mut ty = ty.clone();
    for step in path {
        let Step::Field(field) = step else { return false };
        let Some((datatype, next)) = step_into(owner, &ty, field) else { return false };
        if datatype.ctors.len() != 1 || has_other_linear(owner, (&datatype, &ty), field) {
            return false;
        }
        ty = next;
    }
    true
}

/// The first step to a field that some constructor lacks, if the value built for such a constructor
/// would hold permissions.
pub(super) fn lacking(owner: &Owner<'_>, ty: &Ty, path: &[Step]) -> Option<Lacking> {
    let mut ty = ty.clone();
    for (number, step) in path.iter().enumerate() {
        let Step::Field(field) = step else { return None };
        let (datatype, next) = step_into(owner, &ty, field)?;
        let has_field = |it: &hir::Constructor| it.fields.iter().any(|it| it.name == *field);
        let linear = owner.is_linear(&next);
        let forged =
            has_other_linear(owner, (&datatype, &ty), field) || linear && number + 1 < path.len();
        if let Some(ctor) = datatype.ctors.iter().find(|it| !has_field(it)).filter(|_| forged) {
            return Some(Lacking { field: field.clone(), ctor: ctor.name.clone(), linear });
        }
        ty = next;
    }
    None
}

/// The datatype `ty` is, and the type of its field.
fn step_into(owner: &Owner<'_>, ty: &Ty, field: &Name) -> Option<(std::sync::Arc<Datatype>, Ty)> {
    let (name, args) = ty.as_ctor()?;
    let datatype = hir::datatype(owner.db, owner.program, name.clone())?;
    let next = datatype.field_ty(field)?.subst(&datatype.subst(args));
    Some((datatype, next))
}

/// Has a constructor with this field another one that holds permissions?
fn has_other_linear(owner: &Owner<'_>, (datatype, ty): (&Datatype, &Ty), field: &Name) -> bool {
    let Some((_, args)) = ty.as_ctor() else { return false };
    let subst = datatype.subst(args);
    let with = datatype.ctors.iter().filter(|it| it.fields.iter().any(|it| it.name == *field));
    let mut others = with.flat_map(|it| it.fields.iter()).filter(|it| it.name != *field);
    others.any(|it| owner.is_linear(&it.ty.subst(&subst)))
}
