//! Types that stand for type parameters.
//!
//! A polymorphic body is proved once, with a *rigid* type `T@type` for its parameter `T`: a type of
//! which nothing is known. What holds for it holds for every type that a call chooses.
//!
//! # Soundness
//! True only of what does not depend on whether rigid types differ from each other or from other
//! types, as equality does. [`may_coincide`] finds such places; it says yes too often rather than
//! too rarely.

use base::Name;
use hir::{Ty, TySubst};

const MARK: &str = "@type";

/// A rigid type for each of these parameters.
pub(super) fn rigid_types(params: &[Name]) -> TySubst {
    let rigid = |name: &Name| (name.clone(), Ty::ctor(format!("{name}{MARK}").as_str(), []));
    params.iter().map(rigid).collect()
}

fn is_rigid(ty: &Ty) -> bool {
    match ty {
        Ty::Ctor(name, _) => name.as_str().ends_with(MARK),
        Ty::Param(_) | Ty::Infer(_) | Ty::Error => true,
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => false,
        Ty::String | Ty::Regex | Ty::Map(_) => false,
    }
}

/// Can these become the same type when rigid types are replaced by others?
pub(super) fn may_coincide(left: &Ty, right: &Ty) -> bool {
    if is_rigid(left) || is_rigid(right) {
        return true;
    }
    let all = |left: &[Ty], right: &[Ty]| {
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| may_coincide(a, b))
    };
    match (left, right) {
        (Ty::Ctor(name, args), Ty::Ctor(other, others)) => name == other && all(args, others),
        // Polymorphic map types are not supported; whether they coincide does not matter.
        (Ty::Map(a), Ty::Map(b)) => all(&a.args, &b.args) && may_coincide(&a.result, &b.result),
        (left, right) => left == right,
    }
}

/// The type as it is written in the program.
pub(super) fn shown_type(ty: &Ty) -> String {
    ty.to_string().replace(MARK, "")
}

#[cfg(test)]
mod tests {
    use super::{may_coincide, shown_type};
    use hir::Ty;

    #[test]
    fn types_coincide_if_rigid_types_can_be_chosen_so() {
        let (t, u) = (Ty::ctor("T@type", []), Ty::ctor("U@type", []));
        let pair = |a: &Ty, b: &Ty| Ty::ctor("Pair", [a.clone(), b.clone()]);
        assert!(may_coincide(&t, &u));
        assert!(may_coincide(&t, &Ty::Int));
        assert!(may_coincide(&pair(&t, &Ty::Int), &pair(&Ty::Bool, &u)));
        assert!(may_coincide(&Ty::set_of(t.clone()), &Ty::set_of(Ty::Int)));
        assert!(!may_coincide(&Ty::Int, &Ty::Bool));
        assert!(!may_coincide(&pair(&t, &Ty::Int), &pair(&u, &Ty::Bool)));
        assert!(!may_coincide(&Ty::set_of(t), &Ty::Int));
        assert_eq!(shown_type(&Ty::set_of(u)), "[U]bool");
    }
}
