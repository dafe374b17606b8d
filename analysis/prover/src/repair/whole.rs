//! Values made whole: a solver leaves open what its question did not need.
//!
//! **In:** values of a model. **Out:** maps that are known everywhere, and vectors that are none made into some.

use ir::{Data, Env, FuncSym, MapValue, Op, Question, Sort, Value, source_name};

use crate::encode::lower::reading::any_value;

/// Longer vectors are left as they are.
const LONGEST: u32 = 64;

/// Makes all values whole.
pub(super) fn complete(env: &mut Env, question: &Question) {
    let whole = Whole { question, fillers: fillers(env, question) };
    for (var, value) in &mut env.vars {
        *value = whole.value(value, &var.sort);
    }
    let mut results = Vec::new();
    ir::subst::for_each_subterm(question.terms(), |term| {
        if let Some((Op::Func(function), _)) = term.as_app() {
            results.push((function.name.clone(), function.result.clone()));
        }
    });
    for (name, sort) in results {
        if let Some(table) = env.funcs.get_mut(&name) {
            *table = whole.elements(table, &sort);
        }
    }
}

/// What vectors hold beyond their ends.
fn fillers(env: &Env, question: &Question) -> Vec<(Sort, Value)> {
    let mut found = Vec::new();
    ir::subst::for_each_subterm(question.terms().chain(&question.library), |term| {
        if let Some((Op::Func(function), [])) = term.as_app()
            && is_filler(function)
            && let Some(value) = env.funcs.get(&function.name).and_then(|table| table.get(&[]))
        {
            found.push((function.result.clone(), value));
        }
    });
    found
}

fn is_filler(function: &FuncSym) -> bool {
    source_name(function.name.as_str()).split(['<', '@', '(']).next() == Some("Default")
}

struct Whole<'a> {
    question: &'a Question,
    fillers: Vec<(Sort, Value)>,
}

impl Whole<'_> {
    fn value(&self, value: &Value, sort: &Sort) -> Value {
        match (value, sort) {
            (Value::Opaque(_), _) => any_value(sort).unwrap_or_else(|| value.clone()),
            (Value::Map(map), Sort::Array(_, element)) => {
                let map = self.elements(map, element);
                if map.default().is_some() || !map.segments().is_empty() {
                    return Value::Map(map);
                }
                let last = map.entries().last().map(|(_, value)| value.clone());
                let default = last.or_else(|| any_value(element));
                let rows = map.entries().map(|(key, value)| (key.to_vec(), value.clone()));
                Value::Map(MapValue::new(rows, default))
            }
            (Value::Data(data), Sort::Datatype(name)) => {
                let def = self.question.signature.datatypes.get(name);
                let ctor = def.and_then(|def| def.ctors().get(data.ctor as usize));
                let Some(ctor) = ctor.filter(|it| it.fields.len() == data.fields.len()) else {
                    return value.clone();
                };
                let fields = data.fields.iter().zip(&ctor.fields);
                let fields = fields.map(|(field, (_, sort))| self.value(field, sort)).collect();
                self.vector(Data { fields, ..data.clone() }, &ctor.fields)
            }
            _other => value.clone(),
        }
    }

    fn elements(&self, map: &MapValue, element: &Sort) -> MapValue {
        if !map.segments().is_empty() {
            return map.clone();
        }
        let rows = map.entries().map(|(key, value)| (key.to_vec(), self.value(value, element)));
        MapValue::new(rows, map.default().map(|value| self.value(value, element)))
    }

    /// A vector with nothing outside of its bounds.
    fn vector(&self, mut data: Data, sorts: &[(ir::Symbol, Sort)]) -> Value {
        let ([Value::Map(contents), Value::Int(length)], [(_, Sort::Array(_, element)), _]) =
            (data.fields.as_slice(), sorts)
        else {
            return Value::Data(data);
        };
        let is_vector =
            source_name(data.name.as_str()).split(['<', '@', '(']).next() == Some("Vec");
        let own = self.fillers.iter().find(|(sort, _)| *sort == **element);
        let filler = own.map(|(_, value)| value.clone()).or_else(|| any_value(element));
        let Some(filler) = filler.filter(|_| is_vector && *length <= LONGEST.into()) else {
            return Value::Data(data);
        };
        let mut rows = Vec::new();
        let mut at = num_bigint::BigInt::from(0);
        while at < *length {
            let index = vec![Value::Int(at.clone())];
            let element = contents.get(&index).unwrap_or_else(|| filler.clone());
            rows.push((index, element));
            at += 1;
        }
        let length = Value::Int(length.clone().max(0.into()));
        data.fields = vec![Value::Map(MapValue::new(rows, Some(filler))), length];
        Value::Data(data)
    }
}
