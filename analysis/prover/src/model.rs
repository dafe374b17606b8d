//! Values that the solver prints, as values of `ir`.
//!
//! **In:** printed values and their sorts. **Out:** [`Value`]s.
//!
//! # Invariants
//! - A value that is not understood becomes [`Value::Opaque`] with its text, or a map that is
//!   unknown outside its known entries; it is never guessed.
//! - Elements of uninterpreted sorts are numbered in the order in which they are met.

mod pieces;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;

use ir::{Data, Element, MapValue, Segment, Sort, Symbol, Value, Wrapping};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::encode::names::{Meaning, Names};
use crate::sexpr::Sexpr;

/// Reads the values of one model.
pub(crate) struct Reader<'a> {
    names: &'a Names,
    /// Printed elements and their numbers, by sort.
    elements: BTreeMap<Symbol, BTreeMap<String, u32>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(names: &'a Names) -> Reader<'a> {
        Reader { names, elements: BTreeMap::new() }
    }

    pub(crate) fn value(&mut self, printed: &Sexpr, sort: &Sort) -> Value {
        self.understood(printed, sort).unwrap_or_else(|| Value::Opaque(printed.to_string()))
    }

    fn understood(&mut self, printed: &Sexpr, sort: &Sort) -> Option<Value> {
        match sort {
            Sort::Bool => match printed.atom()? {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => None,
            },
            Sort::Int => integer(printed).map(Value::Int),
            Sort::Real => rational(printed).map(Value::Real),
            Sort::BitVec(width) => bit_vector(printed).map(|value| Value::BitVec(value, *width)),
            Sort::String => Some(Value::String(printed.atom()?.strip_prefix('"')?.to_owned())),
            Sort::Uninterpreted(name) => Some(self.element(printed.atom()?, name)),
            Sort::Datatype(_) => self.data(printed),
            Sort::Array(indices, element) if indices.is_empty() => {
                self.understood(printed, element)
            }
            Sort::Array(indices, element) => Some(self.map(printed, indices, element)),
            Sort::Seq(element) => self.sequence(printed, element).map(Value::Seq),
            Sort::Float(..) | Sort::RoundingMode | Sort::RegEx => None,
        }
    }

    fn element(&mut self, printed: &str, sort: &Symbol) -> Value {
        let known = self.elements.entry(sort.clone()).or_default();
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let index = *known.entry(printed.to_owned()).or_insert(next);
        Value::Element(Element { sort: sort.clone(), index })
    }

    fn data(&mut self, printed: &Sexpr) -> Option<Value> {
        let (head, fields) = match printed {
            Sexpr::Atom(_) => (printed, &[][..]),
            Sexpr::List(parts) => {
                let (head, fields) = parts.split_first()?;
                if head.atom() == Some("as") { (fields.first()?, &[][..]) } else { (head, fields) }
            }
        };
        // A constructor with its sort: ((as c0_1 D0) ..).
        let symbol = match head {
            Sexpr::Atom(symbol) => symbol,
            Sexpr::List(parts) => parts.get(1)?.atom()?,
        };
        let Some(Meaning::Constructor(def, ctor)) = self.names.meaning(symbol) else { return None };
        let shape = &def.ctors()[ctor];
        if shape.fields.len() != fields.len() {
            return None;
        }
        let fields = shape
            .fields
            .iter()
            .zip(fields)
            .map(|((_, sort), field)| self.value(field, sort))
            .collect();
        Some(Value::Data(Data {
            datatype: def.name().clone(),
            ctor: u32::try_from(ctor).ok()?,
            name: shape.name.clone(),
            fields,
        }))
    }

    /// Reads `(store .. (store ((as const S) d) i v) ..)` and `(lambda (xs) (ite ..))`.
    fn map(&mut self, printed: &Sexpr, indices: &[Sort], element: &Sort) -> Value {
        let mut stores = Vec::new();
        let mut inner = printed;
        while let Some([head, map, rest @ ..]) = inner.list()
            && head.atom() == Some("store")
            && rest.len() == indices.len() + 1
        {
            stores.push(rest);
            inner = map;
        }
        let (entries, default) = self.base_map(inner, indices, element);
        let mut map = MapValue::new(entries, default);
        if map.default().is_none()
            && let Some(table) = self.table(inner, indices, element)
        {
            map = table;
        }
        if map.default().is_none()
            && let Some(pieces) = self.pieces(inner, indices, element)
        {
            map = pieces;
        }
        // The outermost store wins.
        for store in stores.into_iter().rev() {
            let index =
                store.iter().zip(indices).map(|(index, sort)| self.value(index, sort)).collect();
            let value = self.value(&store[indices.len()], element);
            map = map.set(index, value);
        }
        Value::Map(map)
    }

    /// Reads `(lambda (xs) body)` whose body only asks whether variables are certain values.
    fn table(&mut self, printed: &Sexpr, indices: &[Sort], element: &Sort) -> Option<MapValue> {
        let rows = tables::rows(printed, indices.len(), *element == Sort::Bool)?;
        let default = self.value(&rows.default, element);
        let mut entries = Vec::new();
        for (index, leaf) in rows.entries {
            let index = index.iter().zip(indices).map(|(it, sort)| self.value(it, sort)).collect();
            entries.push((index, self.value(&leaf, element)));
        }
        Some(MapValue::new(entries, Some(default)))
    }

    /// Reads a function of an integer, or of one in a datatype around it.
    fn pieces(&mut self, printed: &Sexpr, indices: &[Sort], element: &Sort) -> Option<MapValue> {
        match indices {
            [Sort::Int] => Some(MapValue::piecewise(self.segments(printed, element)?)),
            [Sort::Datatype(name)] if indices[0] != *element => {
                let (nth, def) = self.names.datatype(name)?;
                let [only] = def.ctors() else { return None };
                let fits = matches!(only.fields.as_slice(), [(_, Sort::Int)]);
                let unwrapped = fits.then(|| pieces::unwrapped(printed, nth))?;
                let segments = self.segments(&unwrapped, element)?;
                let wrapping = Wrapping { datatype: name.clone(), name: only.name.clone() };
                Some(MapValue::wrapped(segments, Some(wrapping)))
            }
            _other => None,
        }
    }

    /// Reads `(lambda ((x Int)) body)` whose body compares sums of `x` and numbers.
    fn segments(&mut self, printed: &Sexpr, element: &Sort) -> Option<Vec<Segment>> {
        let [head, Sexpr::List(bound), body] = printed.list()? else { return None };
        let [only] = bound.as_slice() else { return None };
        let name = only.list()?.first()?.atom().filter(|_| head.atom() == Some("lambda"))?;
        let mut cuts = BTreeSet::new();
        pieces::cuts(body, name, &mut cuts)?;
        let first = cuts.first().cloned().unwrap_or_default() - 1;
        let places = once((None, first)).chain(cuts.into_iter().map(|it| (Some(it.clone()), it)));
        let mut segments = Vec::new();
        for (from, at) in places {
            let leaf = pieces::leaf(body, name, &at, *element == Sort::Bool)?;
            let (base, slope) = match pieces::sum(&leaf, name) {
                Some(sum) if *element == Sort::Int => (Value::Int(sum.base), sum.slope),
                _other if mentions(&leaf, &[name]) => return None,
                _other => (self.value(&leaf, element), BigInt::from(0)),
            };
            segments.push(Segment { from, base, slope });
        }
        Some(segments)
    }

    fn base_map(
        &mut self,
        printed: &Sexpr,
        indices: &[Sort],
        element: &Sort,
    ) -> (BTreeMap<Vec<Value>, Value>, Option<Value>) {
        let unknown = (BTreeMap::new(), None);
        let Some(parts) = printed.list() else { return unknown };
        match parts {
            // ((as const S) value)
            [Sexpr::List(head), value] if head.get(1).and_then(Sexpr::atom) == Some("const") => {
                (BTreeMap::new(), Some(self.value(value, element)))
            }
            [head, Sexpr::List(bound), body] if head.atom() == Some("lambda") => {
                let names: Option<Vec<&str>> =
                    bound.iter().map(|one| one.list()?.first()?.atom()).collect();
                match names {
                    Some(names) if names.len() == indices.len() => {
                        self.cases(body, &names, indices, element)
                    }
                    Some(_) | None => unknown,
                }
            }
            _ => unknown,
        }
    }

    /// Reads `(ite (and (= x i) ..) value rest)` down to a value without variables.
    fn cases(
        &mut self,
        body: &Sexpr,
        names: &[&str],
        indices: &[Sort],
        element: &Sort,
    ) -> (BTreeMap<Vec<Value>, Value>, Option<Value>) {
        let mut entries = BTreeMap::new();
        let mut rest = body;
        while let Some([head, test, yes, no]) = rest.list() {
            let index = self.case(test, names, indices);
            match index {
                Some(index) if head.atom() == Some("ite") && !mentions(yes, names) => {
                    let value = self.value(yes, element);
                    entries.entry(index).or_insert(value);
                    rest = no;
                }
                Some(_) | None => return (entries, None),
            }
        }
        let default = (!mentions(rest, names)).then(|| self.value(rest, element));
        (entries, default)
    }

    fn case(&mut self, test: &Sexpr, names: &[&str], indices: &[Sort]) -> Option<Vec<Value>> {
        let parts = test.list()?;
        let tests: Vec<&Sexpr> = match parts.first()?.atom()? {
            "and" => parts[1..].iter().collect(),
            _ => vec![test],
        };
        let mut found: Vec<Option<Value>> = vec![None; names.len()];
        for test in tests {
            let [head, left, right] = test.list()? else { return None };
            if head.atom() != Some("=") {
                return None;
            }
            let (nth, value) = match (position(left, names), position(right, names)) {
                (Some(nth), None) => (nth, right),
                (None, Some(nth)) => (nth, left),
                (Some(_), Some(_)) | (None, None) => return None,
            };
            found[nth] = Some(self.value(value, &indices[nth]));
        }
        found.into_iter().collect()
    }

    fn sequence(&mut self, printed: &Sexpr, element: &Sort) -> Option<Vec<Value>> {
        let parts = printed.list()?;
        match parts.first()?.atom()? {
            "as" => (parts.get(1)?.atom()? == "seq.empty").then(Vec::new),
            "seq.unit" => Some(vec![self.value(parts.get(1)?, element)]),
            "seq.++" => {
                let mut all = Vec::new();
                for part in &parts[1..] {
                    all.extend(self.sequence(part, element)?);
                }
                Some(all)
            }
            _ => None,
        }
    }
}

fn position(printed: &Sexpr, names: &[&str]) -> Option<usize> {
    let atom = printed.atom()?;
    names.iter().position(|name| *name == atom)
}

fn mentions(printed: &Sexpr, names: &[&str]) -> bool {
    match printed {
        Sexpr::Atom(atom) => names.contains(&atom.as_str()),
        Sexpr::List(parts) => parts.iter().any(|part| mentions(part, names)),
    }
}

pub(super) fn integer(printed: &Sexpr) -> Option<BigInt> {
    match printed {
        Sexpr::Atom(digits) => {
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
        }
        Sexpr::List(parts) => match parts.as_slice() {
            [minus, value] if minus.atom() == Some("-") => integer(value).map(|value| -value),
            _ => None,
        },
    }
}

fn rational(printed: &Sexpr) -> Option<BigRational> {
    match printed {
        Sexpr::Atom(text) => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
                return None;
            }
            let scale = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
            Some(BigRational::new(format!("{whole}{fraction}").parse().ok()?, scale))
        }
        Sexpr::List(parts) => match parts.as_slice() {
            [minus, value] if minus.atom() == Some("-") => rational(value).map(|value| -value),
            [slash, left, right] if slash.atom() == Some("/") => {
                let (left, right) = (rational(left)?, rational(right)?);
                (right != BigRational::from(BigInt::from(0))).then(|| left / right)
            }
            _ => None,
        },
    }
}

fn bit_vector(printed: &Sexpr) -> Option<BigInt> {
    match printed {
        Sexpr::Atom(text) => {
            let (digits, radix) = match text.strip_prefix("#x") {
                Some(digits) => (digits, 16),
                None => (text.strip_prefix("#b")?, 2),
            };
            BigInt::parse_bytes(digits.as_bytes(), radix)
        }
        Sexpr::List(parts) => match parts.as_slice() {
            [under, value, _] if under.atom() == Some("_") => {
                value.atom()?.strip_prefix("bv")?.parse().ok()
            }
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexpr::parse;

    fn read(text: &str, sort: &Sort) -> String {
        let printed = parse(text).unwrap();
        Reader::new(&Names::default()).value(&printed[0], sort).to_string()
    }

    #[test]
    fn numbers_are_read_exactly() {
        assert_eq!(read("(- 12345678901234567890123)", &Sort::Int), "-12345678901234567890123");
        assert_eq!(read("(- (/ 1.0 3.0))", &Sort::Real), "-1/3");
        assert_eq!(read("2.5", &Sort::Real), "5/2");
        assert_eq!(read("#x0f", &Sort::BitVec(8)), "15bv8");
        assert_eq!(read("(_ bv3 4)", &Sort::BitVec(4)), "3bv4");
    }

    #[test]
    fn maps_are_read_from_stores_and_lambdas() {
        let sort = Sort::map(Sort::Int, Sort::Bool);
        let stores = "(store (store ((as const (Array Int Bool)) false) 1 true) 1 false)";
        assert_eq!(read(stores, &sort), "{_ ↦ false}");
        let lambda = "(lambda ((x!1 Int)) (ite (= x!1 3) true (ite (= 4 x!1) true false)))";
        assert_eq!(read(lambda, &sort), "{3 ↦ true, 4 ↦ true, _ ↦ false}");
        assert_eq!(read("(_ as-array k!0)", &sort), "{…}");
        assert_eq!(read("(lambda ((x!1 Int)) (> (* x!1 x!1) 3))", &sort), "{…}");
    }

    #[test]
    fn maps_with_comparisons_are_read_in_segments() {
        let set = Sort::map(Sort::Int, Sort::Bool);
        let lambda = |body: &str| format!("(lambda ((x!1 Int)) {body})");
        let read_set = |body: &str| read(&lambda(body), &set);
        assert_eq!(read_set("(> x!1 3)"), "{..3 ↦ false, 4.. ↦ true}");
        assert_eq!(read_set("(not (>= x!1 0))"), "{..-1 ↦ true, 0.. ↦ false}");
        assert_eq!(
            read_set("(and (<= 0 x!1) (or (= x!1 9) (< (+ x!1 (- 2)) 1)))"),
            "{0 ↦ true, 1 ↦ true, 2 ↦ true, 9 ↦ true, _ ↦ false}"
        );
        let map = Sort::map(Sort::Int, Sort::Int);
        let text = lambda("(ite (>= x!1 5) (ite (= x!1 7) 0 (+ 1 (* 2 x!1))) (- 4))");
        let read_map = "{..4 ↦ -4, 5 ↦ 11, 6 ↦ 13, 7 ↦ 0, 8.. ↦ 1 + 2 * i}";
        assert_eq!(read(&text, &map), read_map);
        let stored = format!("(store {text} 9 1)");
        assert!(read(&stored, &map).ends_with("8 ↦ 17, 9 ↦ 1, 10.. ↦ 1 + 2 * i}"));
    }

    #[test]
    fn maps_that_ask_for_certain_indices_are_read_as_tables() {
        let set = Sort::map(Sort::Int, Sort::Bool);
        let other = "(lambda ((x!1 Int)) (not (and (= x!1 4) (not (= 7 x!1)))))";
        assert_eq!(read(other, &set), "{4 ↦ false, _ ↦ true}");
        let pairs = Sort::array(vec![Sort::Int, Sort::Int], Sort::Int);
        let two = "(lambda ((x Int) (y Int)) (ite (and (= x 1) (= y 2)) 5 (ite (= y 3) 0 0)))";
        assert_eq!(read(two, &pairs), "{1, 2 ↦ 5, _ ↦ 0}");
        let column = "(lambda ((x Int) (y Int)) (ite (= y 3) 1 0))";
        assert_eq!(read(column, &pairs), "{…}");
    }

    #[test]
    fn elements_are_numbered_as_they_are_met() {
        let names = Names::default();
        let mut reader = Reader::new(&names);
        let sort = Sort::Uninterpreted("Tid".into());
        let printed = parse("T0!val!7 T0!val!2 T0!val!7").unwrap();
        let values: Vec<String> =
            printed.iter().map(|one| reader.value(one, &sort).to_string()).collect();
        assert_eq!(values, ["Tid#0", "Tid#1", "Tid#0"]);
    }

    #[test]
    fn what_is_not_understood_is_kept_as_text() {
        assert_eq!(
            read("(root-obj (+ (^ x 2) (- 2)) 1)", &Sort::Real),
            "(root-obj (+ (^ x 2) (- 2)) 1)"
        );
        assert_eq!(read("c0_1", &Sort::Datatype("D".into())), "c0_1");
    }

    #[test]
    fn sequences_are_read_in_order() {
        let sort = Sort::seq(Sort::Int);
        assert_eq!(read("(seq.++ (seq.unit 1) (seq.unit 2))", &sort), "[1, 2]");
        assert_eq!(read("(as seq.empty (Seq Int))", &sort), "[]");
    }
}
