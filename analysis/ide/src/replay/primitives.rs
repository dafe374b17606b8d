//! Linear primitives, executed on values (language.md 10.5).
//!
//! **In:** a call of a primitive without a body in the library. **Out:** the machine afterwards.
//!
//! What a path goes through must exist; then the functions of the library say what the primitive does.

use base::{Name, Place};
use hir::{Arm, Expr, ExprId, Step, Ty, VarRef};
use ir::Value;
use obligations::{Claim, Need};

use super::machine::{Check, Guide, Machine, Slot, Stop, Walk, stuck};
use super::sequential::{judge, replaced};
use super::structure::Known;

/// The primitives with a body in the library.
const WITH_BODY: [&str; 4] = ["Loc_New", "Tag_New", "Tags_New", "Map_MakeEmpty"];

/// Is this a call of a primitive whose meaning is given here?
pub(super) fn is_primitive(arm: &Arm) -> bool {
    arm.primitive.is_some_and(|it| !WITH_BODY.contains(&it.name))
}

struct Primitive<'a> {
    guide: &'a dyn Guide,
    machine: Machine,
    types: Vec<Ty>,
    place: Place,
}

/// Executes a call of a primitive.
pub(super) fn call(guide: &dyn Guide, machine: Machine, arm: &Arm, place: Place) -> Walk {
    let types = arm.type_args.iter().map(|ty| ty.subst(&machine.top().types)).collect();
    let mut it = Primitive { guide, machine, types, place };
    match (arm.callee.as_str(), &*arm.args, &*arm.outs) {
        ("Move", [from, to], []) => {
            let ty = it.ty(*from);
            let same = guide.structure().equal(&it.value(*from)?, &it.value(*to)?, &ty);
            it.need(same, Need::Move)?;
        }
        ("One_Get", [path, key], []) => it.one(*path, *key, false)?,
        ("One_Put", [path, key], []) => it.one(*path, *key, true)?,
        ("Map_Get", [path, key], [value]) => it.get(*path, *key, value)?,
        ("Map_Put", [path, key, value], []) => it.put([*path, *key, *value])?,
        ("Map_Split", [path, keys], [part]) => it.split(*path, *keys, part)?,
        ("Map_Join", [path, other], []) => {
            it.path(*path)?;
            let joined = it.library("Map_Union", &[*path, *other])?;
            it.store(*path, joined)?;
        }
        ("Path_Load", [path], [value]) => {
            it.path(*path)?;
            let loaded = it.value(*path)?;
            it.machine.set(value, Slot::Known(loaded));
        }
        ("Path_Store", [path, value], []) => {
            it.path(*path)?;
            let stored = it.value(*value)?;
            it.store(*path, stored)?;
        }
        _other => return stuck(format!("this call of `{}`", arm.callee)),
    }
    Ok(vec![it.machine])
}

impl Primitive<'_> {
    fn value(&self, id: ExprId) -> Known<Value> {
        self.machine.value(self.guide.structure(), id)
    }

    fn ty(&self, id: ExprId) -> Ty {
        let frame = self.machine.top();
        frame.code.body.exprs.ty(id).subst(&frame.types)
    }

    fn library(&self, name: &str, args: &[ExprId]) -> Known<Value> {
        let args: Known<Vec<Value>> = args.iter().map(|id| self.value(*id)).collect();
        self.guide.structure().call(name, &self.types, args?)
    }

    fn truth(&self, name: &str, args: &[ExprId]) -> Known<bool> {
        self.library(name, args).map(|it| it == Value::Bool(true))
    }

    fn need(&mut self, holds: Known<bool>, need: Need) -> Result<(), Stop> {
        let check = Check::new(Claim::Permission(need), self.place);
        judge(self.guide, &mut self.machine, holds, check)
    }

    fn domain(&self, path: ExprId) -> Known<Value> {
        self.guide.structure().field(&self.ty(path), &Name::new("dom"), &self.value(path)?)
    }

    fn one(&mut self, path: ExprId, key: ExprId, put: bool) -> Result<(), Stop> {
        self.path(path)?;
        let structure = self.guide.structure();
        let (domain, key) = (self.domain(path)?, self.value(key)?);
        let args = vec![domain, key];
        if !put {
            let held = structure.call("Set_Contains", &self.types, args.clone());
            self.need(held.map(|it| it == Value::Bool(true)), Need::OneGet)?;
        }
        let change = if put { "Set_Add" } else { "Set_Remove" };
        let domain = self.guide.structure().call(change, &self.types, args)?;
        let (ty, map) = (self.ty(path), self.value(path)?);
        let map = self.guide.structure().field_update(&ty, &Name::new("dom"), &map, domain)?;
        self.store(path, map)
    }

    fn get(&mut self, path: ExprId, key: ExprId, value: &VarRef) -> Result<(), Stop> {
        self.path(path)?;
        let held = self.truth("Map_Contains", &[path, key]);
        self.need(held, Need::MapGet)?;
        let found = self.library("Map_At", &[path, key])?;
        let rest = self.library("Map_Remove", &[path, key])?;
        // The path first: the result may be one of its indices.
        self.store(path, rest)?;
        self.machine.set(value, Slot::Known(found));
        Ok(())
    }

    /// A linear key that is put into a map is not there yet: its permission is held outside.
    fn put(&mut self, [path, key, value]: [ExprId; 3]) -> Result<(), Stop> {
        self.path(path)?;
        let exprs = &self.machine.top().code.body.exprs;
        let variable = matches!(exprs.expr(key), Expr::Local(_) | Expr::Global(_));
        let linear = self.ty(key).as_ctor().is_some_and(|(name, _)| *name == "One");
        if variable && linear {
            let there = self.truth("Map_Contains", &[path, key]).map(|it| !it);
            self.guide.assume(&mut self.machine, there, "that a linear key is new")?;
        }
        let map = self.library("Map_Update", &[path, key, value])?;
        self.store(path, map)
    }

    fn split(&mut self, path: ExprId, keys: ExprId, part: &VarRef) -> Result<(), Stop> {
        self.path(path)?;
        let args = vec![self.value(keys)?, self.domain(path)?];
        let key = self.types.get(..1).unwrap_or_default();
        let held = self.guide.structure().call("Set_IsSubset", key, args);
        self.need(held.map(|it| it == Value::Bool(true)), Need::MapSplit)?;
        let cut = self.library("Map_Extract", &[path, keys])?;
        let rest = self.library("Map_Exclude", &[path, keys])?;
        self.store(path, rest)?;
        self.machine.set(part, Slot::Known(cut));
        Ok(())
    }

    /// What a path goes through exists: keys are in domains, fields in constructors.
    fn path(&mut self, path: ExprId) -> Result<(), Stop> {
        let mut steps = vec![path];
        let code = self.machine.top().code.clone();
        while let Expr::Select { map: inner, .. } | Expr::Field { base: inner, .. } =
            code.body.exprs.expr(steps[steps.len() - 1])
        {
            steps.push(*inner);
        }
        for id in steps.into_iter().rev() {
            if let Expr::Select { map, indices, .. } = code.body.exprs.expr(id) {
                self.key(id, *map, indices)?;
            } else if let Expr::Field { base, field } = code.body.exprs.expr(id) {
                let place = code.map.members.get(&id).map(|ptr| code.map.place(*ptr));
                self.field(*base, field, place.unwrap_or_else(|| code.map.expr(id)))?;
            }
        }
        Ok(())
    }

    fn key(&mut self, id: ExprId, map: ExprId, indices: &[ExprId]) -> Result<(), Stop> {
        let code = self.machine.top().code.clone();
        let (Expr::Field { base, .. }, [key]) = (code.body.exprs.expr(map), indices) else {
            return Ok(());
        };
        let ty = self.ty(*base);
        let Some(types) = ty.as_ctor().filter(|(name, _)| **name == "Map").map(|(_, it)| it) else {
            return Ok(());
        };
        let args = vec![self.value(*base)?, self.value(*key)?];
        let held = self.guide.structure().call("Map_Contains", types, args);
        let check = Check::new(Claim::Permission(Need::MapLookup), code.map.expr(id));
        judge(self.guide, &mut self.machine, held.map(|it| it == Value::Bool(true)), check)
    }

    fn field(&mut self, base: ExprId, field: &Name, place: Place) -> Result<(), Stop> {
        let ty = self.ty(base);
        let world = self.guide.structure().world;
        let Some(datatype) = ty.as_ctor().and_then(|(name, _)| world.datatype(name)) else {
            return Ok(());
        };
        if datatype.ctors.len() < 2 {
            return Ok(());
        }
        let owners = datatype.field_places(field);
        let has_field = |ctor: u32| owners.iter().any(|(own, _)| *own == ctor as usize);
        let held = self
            .value(base)
            .map(|value| matches!(value, Value::Data(data) if has_field(data.ctor)));
        let check = Check::new(Claim::Permission(Need::FieldLookup), place);
        judge(self.guide, &mut self.machine, held, check)
    }

    /// `path := value`
    fn store(&mut self, path: ExprId, value: Value) -> Result<(), Stop> {
        let structure = self.guide.structure();
        let code = self.machine.top().code.clone();
        let mut steps = Vec::new();
        let mut at = path;
        loop {
            if let Expr::Select { map, indices, .. } = code.body.exprs.expr(at) {
                steps.push(Step::Index(indices.clone()));
                at = *map;
            } else if let Expr::Field { base, field } = code.body.exprs.expr(at) {
                steps.push(Step::Field(field.clone()));
                at = *base;
            } else {
                break;
            }
        }
        steps.reverse();
        let Some(root) = hir::path_root(&code.body, path) else { return stuck("a path") };
        let ty = self.ty(at);
        let old = self.value(at)?;
        let new = replaced(structure, &self.machine, (old, &ty), &steps, value)?;
        self.machine.set(&root, Slot::Known(new));
        Ok(())
    }
}
