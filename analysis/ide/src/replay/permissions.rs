//! What linearity promises of a state: permissions of different holders differ (language.md 10.1).
//!
//! **In:** values of linear types, each held by somebody. **Out:** is no permission held twice, and are
//! the maps among them well-formed? Is a location new, that is, not held and without a tag that is? What lies
//! in fields, and in the values of maps at the keys of their domains, is held as well.

use hir::Ty;
use ir::symbolic::{Engine, Val};
use ir::{MapValue, Sort, Value};

use super::equality::all;
use super::structure::{Known, Structure, doubt};

/// A value that somebody holds.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Holder {
    pub(super) ty: Ty,
    pub(super) value: Value,
}

/// Some permissions of one domain.
#[derive(Clone)]
pub(super) enum Part {
    One(Value),
    Set(MapValue),
}

/// The permissions of a thread, by domain.
pub(super) type Held = Vec<(Ty, Vec<Part>)>;

impl Structure<'_> {
    /// Are the permissions of these holders, and of another thread that holds `others`, apart?
    pub(super) fn apart(&self, holders: &[Holder], others: &Held) -> Known<bool> {
        let mut facts = Vec::new();
        for (domain, mut parts) in self.held(holders)? {
            let own = parts.len();
            let beside = others.iter().filter(|(ty, _)| *ty == domain);
            parts.extend(beside.flat_map(|(_, parts)| parts.iter().cloned()));
            for (nth, first) in parts.iter().enumerate().take(own) {
                let rest = parts[nth + 1..].iter();
                facts.extend(rest.map(|second| self.differ(&domain, first, second)));
            }
        }
        facts.extend(holders.iter().map(|holder| self.well_formed(holder)));
        all(facts.into_iter())
    }

    /// Is a location new to those who hold this?
    pub(super) fn is_new(&self, location: &Value, holders: &[Holder]) -> Known<bool> {
        let mut facts = Vec::new();
        for (domain, parts) in self.held(holders)? {
            facts.extend(parts.iter().map(|part| self.is_elsewhere(location, &domain, part)));
        }
        all(facts.into_iter())
    }

    /// Are these permissions neither the location, a `One Loc`, nor tags of it?
    fn is_elsewhere(&self, location: &Value, domain: &Ty, part: &Part) -> Known<bool> {
        if *domain == location_type() {
            return self.differ(domain, &Part::One(location.clone()), part);
        }
        let inside = domain.as_ctor().and_then(|(_, args)| args.first());
        if inside.and_then(Ty::as_ctor).is_none_or(|(name, _)| *name != "Tag") {
            return Ok(true);
        }
        let first = |value: &Value| {
            if let Value::Data(data) = value { data.fields.first().cloned() } else { None }
        };
        let own = first(location);
        let differs = |tag: &Value| match (first(tag).as_ref().and_then(first), &own) {
            (Some(of), Some(own)) => Ok(of != *own),
            (Some(_) | None, _) => doubt("the location of a tag"),
        };
        match part {
            Part::One(tag) => differs(tag),
            Part::Set(set) if set.default() == Some(&Value::Bool(false)) => {
                let held = set.entries().filter(|(_, held)| **held != Value::Bool(false));
                all(held.filter_map(|(index, _)| index.first()).map(differs))
            }
            Part::Set(_) => doubt("tags without end"),
        }
    }

    /// Maps hold their default value outside their domain.
    fn well_formed(&self, holder: &Holder) -> Known<bool> {
        let Holder { ty, value } = holder;
        let is_linear = discipline::linear::is_linear(self.world.db, self.world.program, ty);
        let (true, Some((name, args))) = (is_linear, ty.as_ctor()) else { return Ok(true) };
        let mut facts = Vec::new();
        if let ("Map", [key, part]) = (name.as_str(), args) {
            let fine = match self.call("Default", std::slice::from_ref(part), Vec::new()) {
                Ok(_) => self.call("Map_WellFormed", args, vec![value.clone()]),
                Err(_) => self.has_one_default(key, part, value).map(Value::Bool),
            };
            facts.push(fine.map(|it| it == Value::Bool(true)));
        }
        facts.extend(self.inside(holder)?.iter().map(|part| self.well_formed(part)));
        all(facts.into_iter())
    }

    /// The same where the run does not say what the default value is.
    fn has_one_default(&self, key: &Ty, part: &Ty, value: &Value) -> Known<bool> {
        let fields = if let Value::Data(data) = value { &*data.fields } else { &[] };
        let [Value::Map(domain), Value::Map(values)] = fields else { return doubt("a map") };
        let keys = match self.elements(key) {
            Some(all) => all,
            None => {
                let entries = domain.entries().chain(values.entries());
                entries.filter_map(|(index, _)| index.first().cloned()).collect()
            }
        };
        let at_key = |key: &Value| match values.get(std::slice::from_ref(key)) {
            _ if is_in(domain, key)? => Ok(true),
            Some(value) => self.is_default(part, &value),
            None => doubt("a value of a map"),
        };
        let elsewhere = match (self.elements(key), domain.default(), values.default()) {
            (Some(_), _, _) => Ok(true),
            (None, Some(Value::Bool(false)), Some(value)) => self.is_default(part, value),
            (None, _, _) => doubt("the values outside the domain of a map"),
        };
        all(keys.iter().map(at_key).chain([elsewhere]))
    }

    /// What these holders hold together, by domain.
    pub(super) fn held(&self, holders: &[Holder]) -> Known<Held> {
        let mut held = Vec::new();
        for domain in self.domains(holders) {
            let mut parts = Vec::new();
            for holder in holders {
                parts.extend(self.parts(&domain, holder)?);
            }
            held.push((domain, parts));
        }
        Ok(held)
    }

    fn domains(&self, holders: &[Holder]) -> Vec<Ty> {
        let (db, program) = (self.world.db, self.world.program);
        let mut found: Vec<Ty> = Vec::new();
        for holder in holders {
            found.extend(discipline::linear::permission_types(db, program, &holder.ty));
        }
        found.sort();
        found.dedup();
        found
    }

    fn parts(&self, domain: &Ty, holder: &Holder) -> Known<Vec<Part>> {
        let Holder { ty, value } = holder;
        if ty == domain {
            return Ok(vec![Part::One(value.clone())]);
        }
        let (Some((name, args)), Value::Data(data)) = (ty.as_ctor(), value) else {
            return Ok(Vec::new());
        };
        let mut parts = Vec::new();
        if *name == "Map" && args.first() == Some(domain) {
            match data.fields.first() {
                Some(Value::Map(set)) => parts.push(Part::Set(set.clone())),
                _other => return doubt("the domain of a map"),
            }
        }
        for inner in self.inside(holder)? {
            parts.extend(self.parts(domain, &inner)?);
        }
        Ok(parts)
    }

    /// Fields, and values at the keys of a map, that hold permissions.
    fn inside(&self, holder: &Holder) -> Known<Vec<Holder>> {
        let Holder { ty, value } = holder;
        let (Some((name, args)), Value::Data(data)) = (ty.as_ctor(), value) else {
            return Ok(Vec::new());
        };
        let is_linear =
            |ty: &Ty| discipline::linear::is_linear(self.world.db, self.world.program, ty);
        if *name == "One" {
            return Ok(Vec::new());
        }
        if let ("Map", [key, part]) = (name.as_str(), args) {
            let values =
                if is_linear(part) { self.at_keys(key, &data.fields)? } else { Vec::new() };
            return Ok(values
                .into_iter()
                .map(|value| Holder { ty: part.clone(), value })
                .collect());
        }
        let Some(datatype) = self.world.datatype(name) else { return Ok(Vec::new()) };
        let subst = datatype.subst(args);
        let Some(ctor) = datatype.ctors.get(data.ctor as usize) else { return Ok(Vec::new()) };
        let fields = ctor.fields.iter().zip(&data.fields);
        let fields = fields
            .map(|(field, value)| Holder { ty: field.ty.subst(&subst), value: value.clone() });
        Ok(fields.filter(|it| is_linear(&it.ty)).collect())
    }

    /// The values of a map at the keys of its domain.
    fn at_keys(&self, key: &Ty, fields: &[Value]) -> Known<Vec<Value>> {
        let [Value::Map(domain), Value::Map(values)] = fields else { return doubt("a map") };
        let keys = match (self.elements(key), domain.default()) {
            (Some(all), _) => all,
            (None, Some(Value::Bool(false))) => {
                domain.entries().filter_map(|(index, _)| index.first().cloned()).collect()
            }
            (None, _) => return doubt("the values of an infinite map"),
        };
        let mut found = Vec::new();
        for key in keys {
            if is_in(domain, &key)? {
                let value = values.get(std::slice::from_ref(&key));
                found.push(value.map_or_else(|| doubt("a value of a map"), Ok)?);
            }
        }
        Ok(found)
    }

    fn differ(&self, domain: &Ty, a: &Part, b: &Part) -> Known<bool> {
        match (a, b) {
            (Part::One(a), Part::One(b)) => self.equal(a, b, domain).map(|it| !it),
            (Part::One(one), Part::Set(set)) | (Part::Set(set), Part::One(one)) => {
                is_in(set, one).map(|it| !it)
            }
            (Part::Set(a), Part::Set(b)) => self.disjoint(domain, a, b),
        }
    }

    fn disjoint(&self, domain: &Ty, a: &MapValue, b: &MapValue) -> Known<bool> {
        let engine = Engine::new(self);
        let (a, b) = (Val::Plain(Value::Map(a.clone())), Val::Plain(Value::Map(b.clone())));
        match overlap(&engine, (&a, &b), self.sort_of(domain)) {
            Ok(shared) => Ok(!shared),
            Err(_) => doubt("a set that is known in part"),
        }
    }
}

/// The permission that is a location: what `Loc_New` makes.
pub(super) fn location_type() -> Ty {
    Ty::ctor("One", [Ty::ctor("Loc", [])])
}

/// Do two sets share an element?
fn overlap<'v>(
    engine: &Engine<'v>,
    (a, b): (&Val<'v>, &Val<'v>),
    sort: Sort,
) -> Result<bool, ir::Unknown> {
    let set = Sort::set(sort.clone());
    engine.exists(&[sort], &mut |one: &[Val<'v>]| {
        let held = [engine.select(a, one, &set)?.truth(), engine.select(b, one, &set)?.truth()];
        ir::symbolic::all(held.into_iter())
    })
}

fn is_in(set: &MapValue, one: &Value) -> Known<bool> {
    match set.get(std::slice::from_ref(one)) {
        Some(Value::Bool(it)) => Ok(it),
        Some(_) | None => doubt("an element of a set"),
    }
}
