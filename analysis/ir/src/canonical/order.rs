//! An order of axioms and distinct groups that does not depend on names.
//!
//! **In:** a question, and the numbers its passive program gave to symbols.
//! **Out:** positions of the axioms, and the groups with their terms, in canonical order.
//!
//! A symbol with a number is called by it. Any other symbol is called by its colour: at
//! first only its kind, then a hash of the axioms it occurs in and its place in each.

use std::collections::BTreeMap;

use super::{
    Feed, Hash, Numbers, numbered,
    walk::{Key, Namer, Walker},
};
use crate::{obligation::Question, term::Term};

/// Rounds of refinement; more would only tell apart very regular sets of axioms.
const ROUNDS: usize = 2;

pub(super) struct Order {
    pub(super) axioms: Vec<usize>,
    pub(super) distinct: Vec<Vec<Term>>,
}

pub(super) fn canonical_order(question: &Question, numbers: &Numbers) -> Order {
    let mut colours = Colours::default();
    for _ in 0..ROUNDS {
        colours = refine(question, numbers, &colours);
    }
    let hash = |term: &Term| hash_of(term, numbers, &colours).0;
    let mut axioms: Vec<usize> = (0..question.axioms.len()).collect();
    axioms.sort_by_cached_key(|nth| hash(&question.axioms[*nth]));
    let sorted = |group: &Vec<Term>| {
        let mut group = group.clone();
        group.sort_by_cached_key(hash);
        group
    };
    let mut distinct: Vec<Vec<Term>> = question.distinct.iter().map(sorted).collect();
    distinct.sort_by_cached_key(|group| group.iter().map(hash).collect::<Vec<_>>());
    Order { axioms, distinct }
}

type Colours = BTreeMap<Key, Hash>;

/// Where each symbol without a number occurs, as the next colours.
fn refine(question: &Question, numbers: &Numbers, colours: &Colours) -> Colours {
    let mut places: BTreeMap<Key, Vec<Hash>> = BTreeMap::new();
    let axioms = question.axioms.iter().map(|term| (1, term));
    let distinct = question.distinct.iter().flatten().map(|term| (2, term));
    for (kind, term) in axioms.chain(distinct) {
        let (hash, keys) = hash_of(term, numbers, colours);
        for (nth, key) in keys.into_iter().enumerate() {
            let mut place = Feed::new();
            place.tag(kind);
            place.number(nth);
            place.hash(hash);
            places.entry(key).or_default().push(place.finish());
        }
    }
    let colour = |(key, mut places): (Key, Vec<Hash>)| {
        places.sort_unstable();
        let mut out = Feed::new();
        out.hash(colours.get(&key).copied().unwrap_or_default());
        out.number(places.len());
        places.into_iter().for_each(|place| out.hash(place));
        (key, out.finish())
    };
    places.into_iter().map(colour).collect()
}

/// The form of one axiom alone, and its symbols without numbers by first occurrence.
fn hash_of(term: &Term, numbers: &Numbers, colours: &Colours) -> (Hash, Vec<Key>) {
    let mut walker = Walker::new(Local { numbers, colours, keys: Vec::new() });
    let hash = walker.term(term);
    (hash, walker.into_namer().keys)
}

/// Names symbols within one axiom.
struct Local<'a> {
    numbers: &'a Numbers,
    colours: &'a Colours,
    keys: Vec<Key>,
}

impl Namer for Local<'_> {
    fn name(&mut self, key: &Key) -> Hash {
        if let Some(number) = self.numbers.get(key) {
            return numbered(number);
        }
        let nth = self.keys.iter().position(|own| own == key).unwrap_or_else(|| {
            self.keys.push(key.clone());
            self.keys.len() - 1
        });
        let mut out = Feed::new();
        out.number(nth);
        out.tag(kind(key));
        out.hash(self.colours.get(key).copied().unwrap_or_default());
        out.finish()
    }
}

fn kind(key: &Key) -> u8 {
    match key {
        Key::Var(_) => 1,
        Key::Func(_) => 2,
        Key::Sort(_) => 3,
        Key::Datatype(_) => 4,
        Key::Pool(_) => 5,
    }
}
