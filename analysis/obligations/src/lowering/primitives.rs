//! Linear primitives as code (verification.md 5.5).
//!
//! **In:** a call of a primitive of the library. **Out:** commands: what the path and the primitive
//! demand, then assignments.
//!
//! `Loc_New`, `Tag_New`, `Tags_New` and `Map_MakeEmpty` have bodies in the library and are inlined
//! like any other `{:inline}` procedure; they are not handled here.
//!
//! # Soundness
//! Path, keys and values are those of the moment of the call: what a primitive changes and what it
//! returns is assigned at once.
//!
//! Freshness of a key that is put into a map is assumed, not checked, and only for keys of linear
//! type: such an argument is an available linear variable, so the discipline guarantees that nobody
//! else, the map included, owns it.

use base::{Name, Place};
use hir::{Arm, Expr, ExprId, Step, StmtId, Ty, VarRef};
use ir::{Command, Term, Var};

use super::statements::Writer;
use crate::claim::{Claim, Need};

/// An access path: a variable and steps from it outwards.
struct Path {
    root: VarRef,
    steps: Vec<Step>,
}

impl Writer<'_, '_> {
    /// Writes a call of a primitive; false if it is another call.
    pub(super) fn primitive_call(&mut self, id: StmtId, arms: &[Arm]) -> bool {
        let [arm] = arms else { return false };
        if !is_path_primitive(arm) {
            return false;
        }
        self.primitive(arm, self.text.map.stmt(id));
        true
    }

    /// Writes a call of a primitive without a body of its own, whose place is `place`.
    pub fn primitive(&mut self, arm: &Arm, place: Place) {
        let types: Vec<Ty> = arm.type_args.iter().map(|ty| ty.subst(&self.env.types)).collect();
        match (arm.callee.as_str(), &*arm.args, &*arm.outs) {
            ("Move", [from, to], []) => {
                let (from, to) = (self.expr(*from), self.expr(*to));
                self.demand(Term::eq(from, to), Claim::Permission(Need::Move), place);
            }
            ("One_Get", [path, key], []) => self.one([*path, *key], false, &types, place),
            ("One_Put", [path, key], []) => self.one([*path, *key], true, &types, place),
            ("Map_Get", [path, key], [value]) => self.map_get([*path, *key], value, &types, place),
            ("Map_Put", [path, key, value], []) => self.map_put([*path, *key, *value], &types),
            ("Map_Split", [path, keys], [part]) => {
                self.map_split([*path, *keys], part, &types, place);
            }
            ("Map_Join", [path, other], []) => {
                self.path_demands(*path);
                let args = vec![self.expr(*path), self.expr(*other)];
                let joined = self.lowering.application("Map_Union", &types, args);
                self.store(*path, joined);
            }
            ("Path_Load", [path], [value]) => {
                self.path_demands(*path);
                let term = self.expr(*path);
                self.set(value, term);
            }
            ("Path_Store", [path, value], []) => {
                self.path_demands(*path);
                let term = self.expr(*value);
                self.store(*path, term);
            }
            _other => self.lowering.unsupported(format!("this call of `{}`", arm.callee)),
        }
    }

    /// `One_Get`, `One_Put`: the domain of the map at `path` loses or gains `key`.
    fn one(&mut self, [path, key]: [ExprId; 2], put: bool, types: &[Ty], place: Place) {
        self.path_demands(path);
        let ty = self.ty(path);
        let key = self.expr(key);
        let map = self.expr(path);
        let field = Name::new("dom");
        let sort = self.domain_sort(&ty);
        let domain = self.lowering.field(&ty, &field, map.clone(), sort);
        if !put {
            let held =
                self.lowering.application("Set_Contains", types, vec![domain.clone(), key.clone()]);
            self.demand(held, Claim::Permission(Need::OneGet), place);
        }
        let change = if put { "Set_Add" } else { "Set_Remove" };
        let domain = self.lowering.application(change, types, vec![domain, key]);
        let map = self.lowering.field_update(&ty, &field, map, domain);
        self.store(path, map);
    }

    fn map_get(&mut self, [path, key]: [ExprId; 2], value: &VarRef, types: &[Ty], place: Place) {
        self.path_demands(path);
        let args = vec![self.expr(path), self.expr(key)];
        let held = self.lowering.application("Map_Contains", types, args.clone());
        self.demand(held, Claim::Permission(Need::MapGet), place);
        let found = self.lowering.application("Map_At", types, args.clone());
        let rest = self.lowering.application("Map_Remove", types, args);
        self.take_out(path, rest, (value, found));
    }

    /// The rest stays at `path`, what was found is the result. Both at once: path and keys are those of
    /// the moment of the call, whatever variable gets the result.
    fn take_out(&mut self, path: ExprId, rest: Term, (result, found): (&VarRef, Term)) {
        let stored = self.stored(path, rest);
        let (Some(stored), Some((var, _))) = (stored, self.variable(result)) else { return };
        if var.sort != *found.sort() {
            return self.lowering.unsupported("an assignment with an error");
        }
        self.out.push(self.at, Command::Assign(vec![stored, (var, found)]));
    }

    fn map_put(&mut self, [path, key, value]: [ExprId; 3], types: &[Ty]) {
        self.path_demands(path);
        let args = vec![self.expr(path), self.expr(key)];
        let variable = matches!(self.text.body.exprs.expr(key), Expr::Local(_) | Expr::Global(_));
        // A key type of a map is `One _` or ordinary (language.md 10.1).
        let linear = self.ty(key).as_ctor().is_some_and(|(name, _)| *name == "One");
        if variable && linear {
            let there = self.lowering.application("Map_Contains", types, args.clone());
            self.assume(Term::not(there));
        }
        let mut args = args;
        args.push(self.expr(value));
        let map = self.lowering.application("Map_Update", types, args);
        self.store(path, map);
    }

    fn map_split(&mut self, [path, keys]: [ExprId; 2], part: &VarRef, types: &[Ty], place: Place) {
        self.path_demands(path);
        let ty = self.ty(path);
        let sort = self.domain_sort(&ty);
        let map = self.expr(path);
        let domain = self.lowering.field(&ty, &Name::new("dom"), map.clone(), sort);
        let keys_term = self.expr(keys);
        let key_type = types.get(..1).unwrap_or_default();
        let held =
            self.lowering.application("Set_IsSubset", key_type, vec![keys_term.clone(), domain]);
        self.demand(held, Claim::Permission(Need::MapSplit), place);
        let args = vec![map, keys_term];
        let cut = self.lowering.application("Map_Extract", types, args.clone());
        let rest = self.lowering.application("Map_Exclude", types, args);
        self.take_out(path, rest, (part, cut));
    }

    /// What must hold along a path: keys are in domains, fields exist. Innermost first.
    pub fn path_demands(&mut self, path: ExprId) {
        let exprs = &self.text.body.exprs;
        let mut steps = Vec::new();
        let mut next = Some(path);
        while let Some(id) = next {
            next = None;
            if let Expr::Select { map: inner, .. } | Expr::Field { base: inner, .. } =
                exprs.expr(id)
            {
                next = Some(*inner);
            }
            steps.push(id);
        }
        for id in steps.into_iter().rev() {
            if let Expr::Select { map, indices, .. } = exprs.expr(id) {
                self.key_demand(id, *map, indices);
            } else if let Expr::Field { base, field } = exprs.expr(id) {
                self.field_demand(id, *base, field);
            }
        }
    }

    /// `m->val[k]`: `k` is in the domain of `m`.
    fn key_demand(&mut self, id: ExprId, map: ExprId, indices: &[ExprId]) {
        let (Expr::Field { base, .. }, [key]) = (self.text.body.exprs.expr(map), indices) else {
            return;
        };
        let ty = self.ty(*base);
        let Some(("Map", types)) = ty.as_ctor().map(|(name, args)| (name.as_str(), args)) else {
            return;
        };
        let args = vec![self.expr(*base), self.expr(*key)];
        let held = self.lowering.application("Map_Contains", types, args);
        self.demand(held, Claim::Permission(Need::MapLookup), self.text.map.expr(id));
    }

    /// `e->f`: the constructor of `e` has a field `f`.
    fn field_demand(&mut self, id: ExprId, base: ExprId, field: &Name) {
        let ty = self.ty(base);
        let Some(def) = self.lowering.datatype_def(&ty) else { return };
        if def.ctors().len() < 2 {
            return;
        }
        let value = self.expr(base);
        if *value.sort() != def.sort() {
            return self.lowering.unsupported("a path with an error");
        }
        let owners = (0..def.ctors().len())
            .filter(|ctor| def.ctors()[*ctor].field(field.as_str()).is_some())
            .map(|ctor| Term::is(&def, ctor, value.clone()));
        let held = Term::or(owners);
        let place = match self.text.map.members.get(&id) {
            Some(ptr) => self.text.map.place(*ptr),
            None => self.text.map.expr(id),
        };
        self.demand(held, Claim::Permission(Need::FieldLookup), place);
    }

    /// `path := value`
    fn store(&mut self, path: ExprId, value: Term) {
        if let Some((var, new)) = self.stored(path, value) {
            self.out.assign(self.at, var, new);
        }
    }

    /// The root of `path`, and its value once `value` is stored there.
    fn stored(&mut self, path: ExprId, value: Term) -> Option<(Var, Term)> {
        let Some(Path { root, steps }) = self.access_path(path) else {
            self.lowering.unsupported("a primitive on something other than a path");
            return None;
        };
        let (var, ty) = self.variable(&root)?;
        let new = self.updated(Term::var(var.clone()), &ty, &steps, value);
        if var.sort != *new.sort() {
            self.lowering.unsupported("a path with an error");
            return None;
        }
        Some((var, new))
    }

    /// `variable := value`
    pub fn set(&mut self, target: &VarRef, value: Term) {
        let Some((var, _)) = self.variable(target) else { return };
        if var.sort != *value.sort() {
            return self.lowering.unsupported("an assignment with an error");
        }
        self.out.assign(self.at, var, value);
    }

    fn access_path(&self, path: ExprId) -> Option<Path> {
        let exprs = &self.text.body.exprs;
        let mut steps = Vec::new();
        let mut next = path;
        loop {
            if let Expr::Select { map, indices, .. } = exprs.expr(next) {
                steps.push(Step::Index(indices.clone()));
                next = *map;
            } else if let Expr::Field { base, field } = exprs.expr(next) {
                steps.push(Step::Field(field.clone()));
                next = *base;
            } else {
                break;
            }
        }
        steps.reverse();
        if let Expr::Local(id) = exprs.expr(next) {
            return Some(Path { root: VarRef::Local(*id), steps });
        }
        if let Expr::Global(name) = exprs.expr(next) {
            return Some(Path { root: VarRef::Global(name.clone()), steps });
        }
        None
    }

    fn domain_sort(&mut self, ty: &Ty) -> ir::Sort {
        let key = ty.as_ctor().and_then(|(_, args)| args.first().cloned());
        self.lowering.closed_sort(&Ty::set_of(key.unwrap_or(Ty::Error)))
    }
}

/// Is this a call of a primitive whose meaning is given here rather than by a body in the library?
pub fn is_path_primitive(arm: &Arm) -> bool {
    let has_body = ["Loc_New", "Tag_New", "Tags_New", "Map_MakeEmpty"];
    arm.primitive.is_some_and(|it| !has_body.contains(&it.name))
}
