//! The structure in which a run happens: what types, constants and functions are.
//!
//! **In:** the values of a run. **Out:** for each type the values that are tried, and whether they are
//! all there are; the meaning of constants and of functions without a body.
//!
//! A type without definition may be any set with an element. Here it is the set of those elements
//! that the run mentions, so a quantifier over it can be decided. Which types were taken for such a set is
//! remembered: what the program says about their size must hold of it (`axioms`). Numbers, maps and sequences are what
//! they are: of them, only those that occur in the run are tried.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::Name;
use hir::Ty;
use ir::symbolic::{Engine, Shapes, Val, library::Meaning};
use ir::{Around, MapValue, Sort, Symbol, Value};
use obligations::World;

use super::machine::Globals;

/// Why something is not known, or does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt(pub(super) String);

impl From<ir::Unknown> for Doubt {
    fn from(unknown: ir::Unknown) -> Doubt {
        Doubt(unknown.0)
    }
}

pub(super) type Known<T> = Result<T, Doubt>;

pub(super) fn doubt<T>(why: impl Into<String>) -> Known<T> {
    Err(Doubt(why.into()))
}

/// More values of a type than this are not listed.
const MOST_ELEMENTS: usize = 256;
/// How deeply datatypes are listed.
const MOST_DEPTH: usize = 4;

/// A structure.
pub(super) struct Structure<'a> {
    pub(super) world: World<'a>,
    functions: &'a BTreeMap<Symbol, MapValue>,
    /// All values of the run and all their parts.
    values: BTreeSet<Value>,
    /// The values of variables, by the name in the text.
    named: BTreeMap<String, Vec<Value>>,
    /// The constants, and functions without a body, that were asked for, with their types.
    asked: RefCell<BTreeSet<(Name, Vec<Ty>)>>,
    /// Types without definition of which all elements were asked for.
    listed: RefCell<BTreeSet<Ty>>,
    /// The types that were spoken about, by their sorts.
    types: RefCell<BTreeMap<Sort, Ty>>,
    /// No globals, for expressions that mention none.
    pub(super) none: Globals,
    /// `Default()` of types for which the run does not say it: what the first map has outside its domain.
    defaults: RefCell<BTreeMap<Ty, Value>>,
}

impl<'a> Structure<'a> {
    pub(super) fn new(world: World<'a>, env: &'a ir::Env, trace: &ir::Trace) -> Structure<'a> {
        let mut values = BTreeSet::new();
        let mut named: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (var, value) in &env.vars {
            collect(value, &mut values);
            let stem = ir::source_name(var.name.as_str()).to_owned();
            named.entry(stem).or_default().push(value.clone());
        }
        for table in env.funcs.values() {
            collect(&Value::Map(table.clone()), &mut values);
        }
        let shown = trace.steps.iter().flat_map(|step| &step.state);
        shown.for_each(|(_, value)| collect(value, &mut values));
        Structure {
            world,
            functions: &env.funcs,
            values,
            named,
            asked: RefCell::default(),
            listed: RefCell::default(),
            defaults: RefCell::default(),
            types: RefCell::default(),
            none: Globals::new(),
        }
    }

    /// All values of a type, if they can be listed.
    pub(super) fn elements(&self, ty: &Ty) -> Option<Vec<Value>> {
        self.list(ty, 0, &|part| self.listed.borrow_mut().extend([part.clone()]))
    }

    /// Calls `each` for the types without definition whose elements are asked for.
    fn list(&self, ty: &Ty, depth: usize, each: &dyn Fn(&Ty)) -> Option<Vec<Value>> {
        match ty {
            Ty::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Ty::Ctor(name, args) => match self.world.datatype(name) {
                Some(datatype) if depth < MOST_DEPTH => {
                    let subst = datatype.subst(args);
                    let mut all = Vec::new();
                    for nth in 0..datatype.ctors.len() {
                        let mut tuples = vec![Vec::new()];
                        for field in datatype.ctors[nth].fields.iter() {
                            let parts = self.list(&field.ty.subst(&subst), depth + 1, each)?;
                            tuples = extended(&tuples, &parts)?;
                        }
                        let make = |fields| self.data(ty, nth, fields);
                        all.extend(tuples.into_iter().filter_map(make));
                    }
                    (all.len() <= MOST_ELEMENTS).then_some(all)
                }
                Some(_) => None,
                None if self.world.is_sequence_type(name) => None,
                None => {
                    each(ty);
                    Some(self.elements_of_sort(ty))
                }
            },
            Ty::Int | Ty::Real | Ty::Bv(_) | Ty::Float(..) | Ty::RMode | Ty::String => None,
            Ty::Regex | Ty::Map(_) | Ty::Param(_) | Ty::Infer(_) | Ty::Error => None,
        }
    }

    fn elements_of_sort(&self, ty: &Ty) -> Vec<Value> {
        ir::symbolic::carrier(&Symbol::from(ty.to_string()), &self.values)
    }

    /// The sort whose values are those of the type.
    pub(super) fn sort_of(&self, ty: &Ty) -> Sort {
        let sort = match ty {
            Ty::Int => Sort::Int,
            Ty::Real => Sort::Real,
            Ty::Bool => Sort::Bool,
            Ty::Bv(width) => Sort::BitVec(*width),
            Ty::Float(significand, exponent) => Sort::Float(*exponent, *significand),
            Ty::RMode => Sort::RoundingMode,
            Ty::String => Sort::String,
            Ty::Regex => Sort::RegEx,
            Ty::Map(map) if map.args.is_empty() => self.sort_of(&map.result),
            Ty::Map(map) => {
                let indices: Vec<Sort> = map.args.iter().map(|ty| self.sort_of(ty)).collect();
                Sort::array(indices, self.sort_of(&map.result))
            }
            Ty::Ctor(name, args) => match args.first() {
                _ if self.world.datatype(name).is_some() => {
                    Sort::Datatype(Symbol::from(ty.to_string()))
                }
                Some(element) if self.world.is_sequence_type(name) => {
                    Sort::seq(self.sort_of(element))
                }
                _other => Sort::Uninterpreted(Symbol::from(ty.to_string())),
            },
            Ty::Param(_) | Ty::Infer(_) | Ty::Error => {
                return Sort::Uninterpreted(Symbol::from(ty.to_string()));
            }
        };
        self.types.borrow_mut().entry(sort.clone()).or_insert_with(|| ty.clone());
        sort
    }

    fn type_of(&self, sort: &Sort) -> Option<Ty> {
        self.types.borrow().get(sort).cloned()
    }

    /// Is it declared in a library of ours?
    pub(super) fn is_of_library(&self, decl: base::DeclId) -> bool {
        decl.file(self.world.db).library(self.world.db).is_some()
    }

    /// All values of the run of this type.
    pub(super) fn values_of(&self, ty: &Ty) -> Vec<Value> {
        self.values.iter().filter(|it| self.fits(it, ty)).cloned().collect()
    }

    /// The value that constructor `nth` of a datatype makes of these fields.
    pub(super) fn data(&self, ty: &Ty, nth: usize, fields: Vec<Value>) -> Option<Value> {
        let (name, _) = ty.as_ctor()?;
        let datatype = self.world.datatype(name)?;
        let ctor = datatype.ctors.get(nth)?;
        (ctor.fields.len() == fields.len()).then(|| {
            Value::Data(ir::Data {
                datatype: Symbol::from(ty.to_string()),
                ctor: u32::try_from(nth).unwrap_or(u32::MAX),
                name: Symbol::new(ctor.name.as_str()),
                fields,
            })
        })
    }

    /// Values of a type that are worth a try, those of variables called `name` first.
    pub(super) fn candidates(&self, name: &str, ty: &Ty) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        let hinted = self.named.get(name).into_iter().flatten();
        let all = self.list(ty, 0, &|_| {}).unwrap_or_default();
        let all = all.into_iter().chain(self.some(ty, 0));
        for value in hinted.chain(&self.values).cloned().chain(all) {
            if self.fits(&value, ty) && !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    /// Some value of the type.
    fn some(&self, ty: &Ty, depth: usize) -> Option<Value> {
        match ty {
            Ty::Int => Some(Value::Int(0.into())),
            Ty::Bool => Some(Value::Bool(false)),
            Ty::Map(map) => {
                let element = self.some(&map.result, depth)?;
                Some(Value::Map(MapValue::new([], Some(element))))
            }
            Ty::Ctor(name, args) => match self.world.datatype(name) {
                Some(datatype) if depth < MOST_DEPTH => {
                    let subst = datatype.subst(args);
                    (0..datatype.ctors.len()).find_map(|nth| {
                        let fields = datatype.ctors[nth].fields.iter();
                        let fields = fields.map(|it| self.some(&it.ty.subst(&subst), depth + 1));
                        let made = self.data(ty, nth, fields.collect::<Option<Vec<Value>>>()?)?;
                        super::axioms::allows(self, ty, &made).then_some(made)
                    })
                }
                Some(_) => None,
                None if self.world.is_sequence_type(name) => Some(Value::Seq(Vec::new())),
                None => self.elements_of_sort(ty).into_iter().next(),
            },
            Ty::Real | Ty::Bv(_) | Ty::Float(..) | Ty::RMode | Ty::String | Ty::Regex => None,
            Ty::Param(_) | Ty::Infer(_) | Ty::Error => None,
        }
    }

    /// Does the run have a value of an instance of this uninterpreted type, or was it asked for all?
    pub(super) fn has_value_of(&self, name: &Name) -> bool {
        let is_own = |ty: &Ty| ty.as_ctor().is_some_and(|(own, _)| own == name);
        if self.listed.borrow().iter().any(is_own) {
            return true;
        }
        let head = |sort: &str| sort.split(' ').next() == Some(name.as_str());
        let own = |value: &Value| matches!(value, Value::Element(it) if head(it.sort.as_str()));
        self.values.iter().any(own)
    }

    /// Does the run have a value of this datatype or uninterpreted type?
    pub(super) fn has_value(&self, ty: &Ty) -> bool {
        let name = ty.to_string();
        let own = |value: &Value| {
            matches!(value, Value::Data(it) if it.datatype.as_str() == name)
                || matches!(value, Value::Element(it) if it.sort.as_str() == name)
        };
        self.values.iter().any(own)
    }

    /// Can this be a value of the type?
    pub(super) fn fits(&self, value: &Value, ty: &Ty) -> bool {
        match (value, ty) {
            (Value::Bool(_), Ty::Bool) | (Value::Int(_), Ty::Int) | (Value::Real(_), Ty::Real) => {
                true
            }
            (Value::BitVec(_, width), Ty::Bv(wanted)) => width == wanted,
            (Value::Element(it), Ty::Ctor(..)) => it.sort.as_str() == ty.to_string(),
            (Value::Data(it), Ty::Ctor(..)) => it.datatype.as_str() == ty.to_string(),
            (Value::Seq(items), Ty::Ctor(name, args)) => {
                self.world.is_sequence_type(name)
                    && items.iter().all(|it| args.first().is_some_and(|ty| self.fits(it, ty)))
            }
            (Value::Map(map), Ty::Map(ty)) => {
                let index = |index: &[Value]| {
                    index.len() == ty.args.len()
                        && index.iter().zip(ty.args.iter()).all(|(it, ty)| self.fits(it, ty))
                };
                map.entries().all(|(at, it)| index(at) && self.fits(it, &ty.result))
                    && map.default().is_none_or(|it| self.fits(it, &ty.result))
                    && map.segments().iter().all(|it| self.fits(&it.base, &ty.result))
                    && map.some_index().is_none_or(|at| index(&[at]))
                    && map.around().iter().all(|it| self.is_only_constructor(it))
            }
            _other => false,
        }
    }

    /// Does the datatype have this constructor, with one field, and no other?
    fn is_only_constructor(&self, around: &Around) -> bool {
        let all = self.constructors(&around.datatype).unwrap_or_default();
        matches!(all.as_slice(), [(name, fields)] if *name == around.name && fields.len() == 1)
    }

    /// The value of a constant.
    pub(super) fn constant(&self, name: &Name) -> Known<Value> {
        let own = self.world.constant(name).filter(|it| self.is_of_library(it.decl));
        if let Some(meaning) = own.and_then(|_| Meaning::of(name.as_str())) {
            let found = Engine::new(self).of_library(meaning, &[], &[], None);
            let found = found.map_err(Doubt::from)?;
            return found.plain().cloned().map_or_else(|| doubt(format!("`{name}`")), Ok);
        }
        self.asked.borrow_mut().insert((name.clone(), Vec::new()));
        let Some(table) = self.table(&format!("{name}@const")) else {
            return doubt(format!("the value of `{name}`"));
        };
        table.get(&[]).map_or_else(|| doubt(format!("the value of `{name}`")), Ok)
    }

    /// The value of a function without a body.
    pub(super) fn function<'v>(
        &'v self,
        engine: &Engine<'v>,
        (name, types): (&Name, &[Ty]),
        args: &[Val<'v>],
        params: &[Ty],
    ) -> Known<Val<'v>> {
        let mut symbol = name.to_string();
        if !types.is_empty() {
            let types: Vec<String> = types.iter().map(Ty::to_string).collect();
            symbol = format!("{symbol}<{}>", types.join(","));
        }
        if args.is_empty() {
            symbol.push_str("()");
        }
        let sorts: Vec<Sort> = params.iter().map(|ty| self.sort_of(ty)).collect();
        let table = self.table(&symbol);
        let own = self.world.func_sig(name).filter(|it| self.is_of_library(it.decl));
        if let Some(meaning) = own.and_then(|_| Meaning::of(name.as_str())) {
            return Ok(engine.of_library(meaning, args, &sorts, table)?);
        }
        self.asked.borrow_mut().insert((name.clone(), types.to_vec()));
        let row = table.and_then(|table| engine.row(table, args, &sorts).ok());
        row.map_or_else(|| doubt(format!("the value of `{name}`")), Ok)
    }

    /// Is this `Default()` of a type of which the run does not say it? The first one that is asked for is.
    pub(super) fn is_default(&self, ty: &Ty, value: &Value) -> Known<bool> {
        let mut defaults = self.defaults.borrow_mut();
        let chosen = defaults.entry(ty.clone()).or_insert_with(|| value.clone()).clone();
        drop(defaults);
        self.equal(&chosen, value, ty)
    }

    fn table(&self, symbol: &str) -> Option<&MapValue> {
        self.functions.get(&Symbol::new(symbol))
    }

    /// The types without definition whose elements were asked for, with them.
    pub(super) fn listed(&self) -> Vec<(Ty, Vec<Value>)> {
        let listed = self.listed.borrow().clone();
        listed.into_iter().map(|ty| (ty.clone(), self.elements_of_sort(&ty))).collect()
    }

    /// The constants and functions without a body that were asked for, with their types.
    pub(super) fn asked(&self) -> BTreeSet<(Name, Vec<Ty>)> {
        self.asked.borrow().clone()
    }
}

impl Shapes for Structure<'_> {
    fn elements(&self, sort: &Symbol) -> Option<Vec<Value>> {
        let ty = self.type_of(&Sort::Uninterpreted(sort.clone()))?;
        matches!(ty, Ty::Ctor(..)).then(|| {
            self.listed.borrow_mut().insert(ty.clone());
            self.elements_of_sort(&ty)
        })
    }

    fn constructors(&self, datatype: &Symbol) -> Option<Vec<(Symbol, Vec<Sort>)>> {
        let ty = self.type_of(&Sort::Datatype(datatype.clone()))?;
        let (name, args) = ty.as_ctor()?;
        let found = self.world.datatype(name)?;
        let subst = found.subst(args);
        let sorts = |ctor: &hir::Constructor| {
            ctor.fields.iter().map(|it| self.sort_of(&it.ty.subst(&subst))).collect()
        };
        Some(found.ctors.iter().map(|it| (Symbol::new(it.name.as_str()), sorts(it))).collect())
    }

    fn candidates(&self, sort: &Sort) -> Vec<Value> {
        self.type_of(sort).map_or_else(Vec::new, |ty| self.candidates("", &ty))
    }

    fn is_restricted(&self, datatype: &Symbol) -> bool {
        let ty = self.type_of(&Sort::Datatype(datatype.clone()));
        ty.is_some_and(|ty| super::axioms::restricts(self, &ty))
    }
}

/// Each tuple with each part behind it; nothing if these are too many.
pub(super) fn extended(tuples: &[Vec<Value>], parts: &[Value]) -> Option<Vec<Vec<Value>>> {
    if tuples.len() * parts.len() > MOST_ELEMENTS {
        return None;
    }
    let longer = |tuple: &Vec<Value>| {
        let tuple = tuple.clone();
        parts.iter().map(move |part| tuple.iter().chain([part]).cloned().collect())
    };
    Some(tuples.iter().flat_map(longer).collect())
}

fn collect(value: &Value, out: &mut BTreeSet<Value>) {
    match value {
        Value::Data(data) => data.fields.iter().for_each(|part| collect(part, out)),
        Value::Seq(items) => items.iter().for_each(|part| collect(part, out)),
        Value::Map(map) => {
            for (index, part) in map.entries() {
                index.iter().for_each(|part| collect(part, out));
                collect(part, out);
            }
            map.default().into_iter().for_each(|part| collect(part, out));
            map.segments().iter().for_each(|it| collect(&it.base, out));
        }
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(..) => {}
        Value::String(_) | Value::Element(_) | Value::Opaque(_) => {}
    }
    out.insert(value.clone());
}
