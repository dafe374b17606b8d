//! A lowered term means what the term means: random terms about maps of truth values, in random
//! structures, where both can be computed.
#![allow(clippy::wildcard_enum_match_arm, reason = "only a few sorts are made here")]

use std::collections::BTreeMap;

use ir::eval::{Env, evaluate};
use ir::{CtorDef, DatatypeDef, Lambda, MapValue, PointwiseOp, Quant, QuantKind, Value};

use super::*;

/// A small reproducible source of choices (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// A datatype with a map and a map of maps inside.
fn boxed() -> Arc<DatatypeDef> {
    let fields = vec![("low".into(), maps(1)), ("high".into(), maps(2)), ("is".into(), Sort::Bool)];
    DatatypeDef::new("Box", vec![CtorDef::new("Box", fields)])
}

/// A datatype that is taken apart.
fn pair() -> Arc<DatatypeDef> {
    let fields = vec![("first".into(), Sort::Bool), ("second".into(), Sort::Bool)];
    DatatypeDef::new("Pair", vec![CtorDef::new("Pair", fields)])
}

fn datatype(sort: &Sort) -> Arc<DatatypeDef> {
    if *sort == pair().sort() { pair() } else { boxed() }
}

/// All values of a sort of indices.
fn indices(sort: &Sort) -> Vec<Value> {
    let truths = [false, true].map(Value::Bool);
    if *sort == Sort::Bool {
        return truths.to_vec();
    }
    let pairs = truths.iter().flat_map(|first| truths.iter().map(move |it| [first, it]));
    pairs.map(|both| data(&pair(), both.into_iter().cloned().collect())).collect()
}

fn data(def: &DatatypeDef, fields: Vec<Value>) -> Value {
    let (datatype, name) = (def.name().clone(), def.ctors()[0].name.clone());
    Value::Data(ir::Data { datatype, ctor: 0, name, fields })
}

/// Maps of so many maps inside each other, indexed by truth values.
fn maps(height: usize) -> Sort {
    (0..height).fold(Sort::Bool, |element, _| Sort::map(Sort::Bool, element))
}

fn sorts() -> Vec<Sort> {
    let mut all: Vec<Sort> = (0..4).map(maps).collect();
    all.push(boxed().sort());
    all.push(Sort::map(Sort::Bool, boxed().sort()));
    all.push(pair().sort());
    all.push(Sort::map(pair().sort(), Sort::Bool));
    all.push(Sort::map(pair().sort(), boxed().sort()));
    all
}

/// Makes terms in which variables of `scope` may occur.
struct Maker {
    dice: Dice,
    scope: Vec<Var>,
}

impl Maker {
    fn leaf(&mut self, sort: &Sort) -> Term {
        let own: Vec<Var> = self.scope.iter().filter(|var| var.sort == *sort).cloned().collect();
        if !own.is_empty() && self.dice.below(3) > 0 {
            return Term::var(own[self.dice.below(own.len())].clone());
        }
        if *sort == Sort::Bool && self.dice.below(4) == 0 {
            return Term::bool(self.dice.below(2) == 0);
        }
        Term::var(Var::new(format!("v{}", self.dice.below(2)), sort.clone()))
    }

    /// A term with a variable of its own bound around it.
    fn under(&mut self, of: &Sort, sort: &Sort, depth: usize) -> (Vec<Bound>, Term) {
        let var = Var::new(format!("b{}", self.dice.below(3)), of.clone());
        self.scope.push(var.clone());
        let body = self.term(sort, depth);
        self.scope.pop();
        (vec![Bound::plain(var)], body)
    }

    fn some_sort(&mut self) -> Sort {
        let all = sorts();
        all[self.dice.below(all.len())].clone()
    }

    fn term(&mut self, sort: &Sort, depth: usize) -> Term {
        if depth == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        match self.dice.below(4) {
            0 => {
                let test = self.term(&Sort::Bool, d);
                Term::ite(test, self.term(sort, d), self.term(sort, d))
            }
            1 if *sort != maps(3) => {
                let own = Sort::map(pair().sort(), sort.clone());
                let index = if sorts().contains(&own) { pair().sort() } else { Sort::Bool };
                let from = self.term(&Sort::map(index.clone(), sort.clone()), d.min(2));
                Term::select(from, self.term(&index, d))
            }
            _ => match sort {
                Sort::Array(indices, element) => self.map(sort, &indices[0], element, d),
                Sort::Datatype(_) => {
                    let def = datatype(sort);
                    let fields = def.ctors()[0].fields.iter().map(|(_, sort)| self.term(sort, d));
                    Term::ctor(&def, 0, fields.collect())
                }
                _ => self.truth(d),
            },
        }
    }

    fn truth(&mut self, d: usize) -> Term {
        match self.dice.below(6) {
            0 => {
                let sort = self.some_sort();
                Term::eq(self.term(&sort, d), self.term(&sort, d))
            }
            1 => Term::not(self.term(&Sort::Bool, d)),
            2 => Term::and([self.term(&Sort::Bool, d), self.term(&Sort::Bool, d)]),
            3 if self.dice.below(2) == 0 => {
                Term::field(&pair(), 0, self.dice.below(2), self.term(&pair().sort(), d))
            }
            3 => Term::field(&boxed(), 0, 2, self.term(&boxed().sort(), d)),
            4 => {
                let sort = self.some_sort();
                Term::app(Op::Distinct, (0..2).map(|_| self.term(&sort, d)).collect())
            }
            _ => {
                let kind = [QuantKind::Forall, QuantKind::Exists][self.dice.below(2)];
                let of = [Sort::Bool, pair().sort()][self.dice.below(2)].clone();
                let (bound, body) = self.under(&of, &Sort::Bool, d);
                Term::quant(Quant::new(kind, bound, body))
            }
        }
    }

    fn map(&mut self, sort: &Sort, of: &Sort, element: &Sort, d: usize) -> Term {
        match self.dice.below(6) {
            0 => {
                let index = self.term(of, d);
                Term::store(self.term(sort, d), index, self.term(element, d))
            }
            1 => Term::const_array(sort.clone(), self.term(element, d)),
            2 => {
                let (bound, body) = self.under(of, element, d);
                Term::lambda(Lambda { bound, body })
            }
            3 => {
                let test = self.term(&Sort::map(of.clone(), Sort::Bool), d);
                Term::map_op(PointwiseOp::Ite, vec![test, self.term(sort, d), self.term(sort, d)])
            }
            4 if *sort == maps(1) || *sort == maps(2) => {
                let nth = usize::from(*sort == maps(2));
                Term::field(&boxed(), 0, nth, self.term(&boxed().sort(), d))
            }
            _ if *element == Sort::Bool && *of == Sort::Bool => {
                let boxes = Sort::map(Sort::Bool, boxed().sort());
                let of = [maps(1), maps(2), maps(3), boxes][self.dice.below(4)].clone();
                Term::map_op(PointwiseOp::Eq, vec![self.term(&of, d), self.term(&of, d)])
            }
            _ => self.leaf(sort),
        }
    }
}

fn value(dice: &mut Dice, sort: &Sort) -> Value {
    match sort {
        Sort::Array(of, element) => {
            let all = indices(&of[0]).into_iter();
            let entries: Vec<_> = all.map(|index| (vec![index], value(dice, element))).collect();
            Value::Map(MapValue::new(entries, None))
        }
        Sort::Datatype(_) => {
            let def = datatype(sort);
            let fields = def.ctors()[0].fields.iter().map(|(_, sort)| value(dice, sort)).collect();
            data(&def, fields)
        }
        _ => Value::Bool(dice.below(2) == 0),
    }
}

/// The tables of the functions that a variable becomes.
fn tables(
    name: &str,
    of: &Value,
    index: &[Value],
    found: &mut BTreeMap<Symbol, Vec<(Vec<Value>, Value)>>,
) {
    match of {
        Value::Map(map) => {
            for (at, element) in map.entries() {
                let own = match &at[0] {
                    Value::Data(pair) => &pair.fields,
                    _truth => at,
                };
                tables(name, element, &[index, own].concat(), found);
            }
        }
        Value::Data(data) => {
            for (nth, field) in data.fields.iter().enumerate() {
                tables(&format!("{name} 0.{nth}"), field, index, found);
            }
        }
        plain => found.entry(name.into()).or_default().push((index.to_vec(), plain.clone())),
    }
}

/// A structure, and the same for lowered terms.
fn structures(dice: &mut Dice) -> (Env, Env) {
    let (mut before, mut after) = (Env::default(), Env::default());
    let mut found = BTreeMap::new();
    for sort in sorts() {
        for nth in 0..2 {
            let var = Var::new(format!("v{nth}"), sort.clone());
            let value = value(dice, &sort);
            if sort != Sort::Bool && sort != pair().sort() {
                tables(&format!("var v{nth}: {sort}"), &value, &[], &mut found);
            }
            before.vars.insert(var.clone(), value.clone());
            after.vars.insert(var, value);
        }
    }
    let map = |entries: Vec<_>| MapValue::new(entries, None);
    after.funcs = found.into_iter().map(|(name, entries)| (name, map(entries))).collect();
    for def in [boxed(), pair()] {
        before.datatypes.insert(def.name().clone(), Arc::clone(&def));
        after.datatypes.insert(def.name().clone(), def);
    }
    (before, after)
}

#[test]
fn lowered_terms_have_the_value_of_the_term() {
    let mut signature = Signature::default();
    signature.declare(boxed());
    signature.declare(pair());
    let (mut compared, mut exact) = (0, 0);
    for seed in 1..=1500_u64 {
        let dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut maker = Maker { dice, scope: Vec::new() };
        let depth = 2 + maker.dice.below(3);
        let term = maker.truth(depth);
        let mut lowering = Lowering::new(&signature, [&term]);
        let Some(lowered) = lowering.plain(&term) else { continue };
        let lowered = apart::quantifiers(&lowered, &signature);
        if !lowering.is_exact() {
            continue;
        }
        exact += 1;
        for _ in 0..4 {
            let (before, after) = structures(&mut maker.dice);
            let (Ok(wanted), Ok(found)) = (evaluate(&term, &before), evaluate(&lowered, &after))
            else {
                continue;
            };
            assert_eq!(found, wanted, "seed {seed}:\n{term}\nbecame\n{lowered}");
            compared += 1;
        }
    }
    assert!(exact > 1200 && compared > 3000, "{exact} terms, {compared} comparisons");
}
