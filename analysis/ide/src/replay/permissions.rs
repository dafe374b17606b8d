//! What linearity promises of a state: permissions of different holders differ (language.md 10.1).
//!
//! **In:** values of linear types, each held by somebody. **Out:** is no permission held twice, and are
//! the maps among them well-formed?

use hir::Ty;
use ir::symbolic::{Engine, Val};
use ir::{MapValue, Sort, Value};

use super::equality::all;
use super::structure::{Known, Structure, doubt};

/// A value that somebody holds.
#[derive(Clone)]
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
        for domain in self.domains(holders) {
            let mut groups = Vec::new();
            for holder in holders {
                groups.push(self.parts(&domain, holder)?);
            }
            let beside = others.iter().filter(|(ty, _)| *ty == domain);
            groups.extend(beside.map(|(_, parts)| parts.clone()));
            for (nth, first) in groups.iter().enumerate() {
                for second in &groups[nth + 1..] {
                    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
                    facts.push(all(pairs.map(|(a, b)| self.differ(&domain, a, b))));
                }
            }
        }
        for holder in holders {
            if let Some((name, args)) = holder.ty.as_ctor()
                && *name == "Map"
                && args.len() == 2
                && discipline::linear::is_linear(self.world.db, self.world.program, &holder.ty)
            {
                let fine = self.call("Map_WellFormed", args, vec![holder.value.clone()]);
                facts.push(fine.map(|it| it == Value::Bool(true)));
            }
        }
        all(facts.into_iter())
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
        if *name == "One" {
            return Ok(Vec::new());
        }
        if *name == "Map" {
            // The permissions in the values of a map do not count.
            return match (args.first() == Some(domain), data.fields.first()) {
                (true, Some(Value::Map(set))) => Ok(vec![Part::Set(set.clone())]),
                (true, _) => doubt("the domain of a map"),
                (false, _) => Ok(Vec::new()),
            };
        }
        let Some(datatype) = self.world.datatype(name) else { return Ok(Vec::new()) };
        let subst = datatype.subst(args);
        let Some(ctor) = datatype.ctors.get(data.ctor as usize) else { return Ok(Vec::new()) };
        let mut parts = Vec::new();
        for (field, value) in ctor.fields.iter().zip(&data.fields) {
            let inner = Holder { ty: field.ty.subst(&subst), value: value.clone() };
            parts.extend(self.parts(domain, &inner)?);
        }
        Ok(parts)
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
