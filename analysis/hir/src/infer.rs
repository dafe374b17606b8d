//! Unknown types and how they become known.
//!
//! **In:** pairs of types that must be equal. **Out:** what the unknown ones stand for.
//!
//! Plain first-order unification with occurs check. Bindings are logged, so that an attempt can be
//! taken back. Type parameters in scope are rigid: they equal only themselves, except when two
//! expressions are merely compared (language.md 5.2).

use base::Name;

use crate::{InferVar, MapTy, Ty, TySubst};

/// The unknown types of one body.
#[derive(Default)]
pub(crate) struct Infer {
    slots: Vec<Option<Ty>>,
    trail: Vec<InferVar>,
    skolems: u32,
}

impl Infer {
    /// A new unknown type.
    pub(crate) fn fresh(&mut self) -> Ty {
        self.slots.push(None);
        Ty::Infer(InferVar(u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)))
    }

    /// New unknown types for type parameters.
    pub(crate) fn instantiate(&mut self, params: &[Name]) -> TySubst {
        params.iter().map(|name| (name.clone(), self.fresh())).collect()
    }

    /// The type as far as its head is known.
    pub(crate) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Infer(var) = ty {
            match &self.slots[var.0 as usize] {
                Some(known) => ty = known,
                None => break,
            }
        }
        ty.clone()
    }

    /// The type with everything known put in.
    pub(crate) fn resolve(&self, ty: &Ty) -> Ty {
        let ty = self.shallow(ty);
        if ty.has_infer() { ty.map_parts(&mut |part| self.resolve(part)) } else { ty }
    }

    /// Makes the two types equal if possible.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Infer(x), Ty::Infer(y)) if x == y => true,
            (Ty::Infer(x), _) => self.bind(*x, &b),
            (_, Ty::Infer(y)) => self.bind(*y, &a),
            (Ty::Map(x), Ty::Map(y)) => self.unify_maps(x, y),
            (Ty::Ctor(x, xs), Ty::Ctor(y, ys)) => {
                let same = x == y && xs.len() == ys.len();
                same && xs.iter().zip(ys.iter()).all(|(x, y)| self.unify(x, y))
            }
            _other => a == b,
        }
    }

    fn bind(&mut self, var: InferVar, ty: &Ty) -> bool {
        let ty = self.resolve(ty);
        if ty.any(&|part| *part == Ty::Infer(var)) {
            return false;
        }
        self.slots[var.0 as usize] = Some(ty);
        self.trail.push(var);
        true
    }

    fn unify_maps(&mut self, x: &MapTy, y: &MapTy) -> bool {
        if x.params.len() != y.params.len() || x.args.len() != y.args.len() {
            return false;
        }
        if x.params.is_empty() {
            let args = x.args.iter().zip(y.args.iter()).all(|(a, b)| self.unify(a, b));
            return args && self.unify(&x.result, &y.result);
        }
        let (mut left, mut right) = (TySubst::new(), TySubst::new());
        for (a, b) in x.params.iter().zip(y.params.iter()) {
            self.skolems += 1;
            let rigid = Ty::Param(Name::new(format!("@{}", self.skolems)));
            left.insert(a.clone(), rigid.clone());
            right.insert(b.clone(), rigid);
        }
        let args = x.args.iter().zip(y.args.iter());
        let args: Vec<_> = args.map(|(a, b)| (a.subst(&left), b.subst(&right))).collect();
        let args = args.iter().all(|(a, b)| self.unify(a, b));
        args && self.unify(&x.result.subst(&left), &y.result.subst(&right))
    }

    /// Could the two types be equal for some choice of the type parameters in scope? If they can be
    /// made equal without such a choice, they are.
    pub(crate) fn comparable(&mut self, a: &Ty, b: &Ty) -> bool {
        let mark = self.trail.len();
        if self.unify(a, b) {
            return true;
        }
        self.undo(mark);
        let (a, b) = (self.resolve(a), self.resolve(b));
        if !a.has_param() && !b.has_param() {
            return false;
        }
        let mut flexible = TySubst::new();
        self.loosen(&a, &mut flexible);
        self.loosen(&b, &mut flexible);
        let equal = self.unify(&a.subst(&flexible), &b.subst(&flexible));
        self.undo(mark);
        equal
    }

    fn loosen(&mut self, ty: &Ty, out: &mut TySubst) {
        if let Ty::Param(name) = ty
            && !out.contains_key(name)
        {
            let fresh = self.fresh();
            out.insert(name.clone(), fresh);
        }
        let mut parts = Vec::new();
        ty.map_parts(&mut |part| {
            parts.push(part.clone());
            part.clone()
        });
        for part in parts {
            self.loosen(&part, out);
        }
    }

    fn undo(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.slots[var.0 as usize] = None;
        }
    }

    /// Fixes an unknown type that nothing determines.
    pub(crate) fn default_to(&mut self, var: InferVar, ty: Ty) {
        self.slots[var.0 as usize] = Some(ty);
    }
}

#[cfg(test)]
mod tests {
    use super::Infer;
    use crate::Ty;

    #[test]
    fn an_unknown_type_takes_the_type_it_meets() {
        let mut infer = Infer::default();
        let unknown = infer.fresh();
        let set = Ty::set_of(unknown.clone());
        assert!(infer.unify(&set, &Ty::set_of(Ty::Int)));
        assert_eq!(infer.resolve(&unknown), Ty::Int);
    }

    #[test]
    fn no_type_contains_itself() {
        let mut infer = Infer::default();
        let unknown = infer.fresh();
        assert!(!infer.unify(&unknown, &Ty::set_of(unknown.clone())));
    }

    #[test]
    fn a_type_parameter_equals_only_itself_but_compares_with_anything() {
        let mut infer = Infer::default();
        let param = Ty::Param("a".into());
        assert!(!infer.unify(&param, &Ty::Int));
        assert!(infer.comparable(&param, &Ty::Int));
        assert!(!infer.comparable(&Ty::set_of(Ty::Int), &Ty::Int));
    }

    #[test]
    fn polymorphic_maps_are_equal_up_to_names() {
        use crate::MapTy;
        use std::sync::Arc;
        let map = |name: &str| {
            let param = Ty::Param(name.into());
            let (params, args) = (Arc::from([name.into()]), Arc::from([param.clone()]));
            Ty::Map(Arc::new(MapTy { params, args, result: param }))
        };
        let mut infer = Infer::default();
        assert!(infer.unify(&map("a"), &map("b")));
        assert!(map("a").same_as(&map("b")));
    }
}
