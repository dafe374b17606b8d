//! An order of axioms and distinct groups that does not depend on names.
//!
//! **In:** a question, and the numbers its passive program gave to symbols.
//! **Out:** positions of the axioms, and the groups with their terms, in canonical order.
//!
//! A symbol with a number is called by it. Any other symbol is called by its colour: at
//! first only its kind, then a hash of the axioms it occurs in and its place in each. Colours
//! are refined only while two axioms look the same.

use rustc_hash::FxHashMap;

use super::{
    Feed, Hash, Numbers,
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
    let mut round = Round::new(question, numbers, &Colours::default());
    for _ in 0..ROUNDS {
        if round.tells_all_apart() {
            break;
        }
        let colours = round.colours();
        round = Round::new(question, numbers, &colours);
    }
    round.order(question)
}

type Colours = FxHashMap<Key, Hash>;

/// The form of one term alone, and its symbols without numbers by first occurrence.
struct Form {
    hash: Hash,
    keys: Vec<Key>,
}

/// The forms of all axioms and of all terms of distinct groups under some colours.
struct Round {
    axioms: Vec<Form>,
    distinct: Vec<Vec<Form>>,
    before: Colours,
}

impl Round {
    fn new(question: &Question, numbers: &Numbers, colours: &Colours) -> Round {
        let form = |term: &Term| form_of(term, numbers, colours);
        Round {
            axioms: question.axioms.iter().map(form).collect(),
            distinct: question.distinct.iter().map(|it| it.iter().map(form).collect()).collect(),
            before: colours.clone(),
        }
    }

    /// Can no refinement change the order? Terms of a group, and groups, may still be tied.
    fn tells_all_apart(&self) -> bool {
        let mut hashes: Vec<&Hash> = self.axioms.iter().map(|form| &form.hash).collect();
        hashes.sort_unstable();
        self.distinct.is_empty() && hashes.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Where each symbol without a number occurs, as the next colours.
    fn colours(&self) -> Colours {
        let mut places: FxHashMap<&Key, Vec<Hash>> = FxHashMap::default();
        let axioms = self.axioms.iter().map(|form| (1, form));
        let distinct = self.distinct.iter().flatten().map(|form| (2, form));
        for (kind, form) in axioms.chain(distinct) {
            for (nth, key) in form.keys.iter().enumerate() {
                let mut place = Feed::new();
                place.tag(kind);
                place.number(nth);
                place.hash(form.hash);
                places.entry(key).or_default().push(place.finish());
            }
        }
        let colours = places.into_iter().map(|(key, mut places)| {
            places.sort_unstable();
            let mut out = Feed::new();
            out.hash(self.before.get(key).copied().unwrap_or_default());
            out.number(places.len());
            places.into_iter().for_each(|place| out.hash(place));
            (key.clone(), out.finish())
        });
        colours.collect()
    }

    fn order(&self, question: &Question) -> Order {
        let mut axioms: Vec<usize> = (0..self.axioms.len()).collect();
        axioms.sort_by_key(|nth| self.axioms[*nth].hash);
        let sorted = |(terms, forms): (&Vec<Term>, &Vec<Form>)| {
            let mut group: Vec<(Hash, Term)> =
                forms.iter().zip(terms).map(|(form, term)| (form.hash, term.clone())).collect();
            group.sort_by_key(|(hash, _)| *hash);
            group
        };
        let mut distinct: Vec<Vec<(Hash, Term)>> =
            question.distinct.iter().zip(&self.distinct).map(sorted).collect();
        distinct
            .sort_by_cached_key(|group| group.iter().map(|(hash, _)| *hash).collect::<Vec<Hash>>());
        let terms = |group: Vec<(Hash, Term)>| group.into_iter().map(|(_, term)| term).collect();
        Order { axioms, distinct: distinct.into_iter().map(terms).collect() }
    }
}

fn form_of(term: &Term, numbers: &Numbers, colours: &Colours) -> Form {
    let local = Local { numbers, colours, places: FxHashMap::default(), keys: Vec::new() };
    let mut walker = Walker::new(local);
    // The root is the last node, unless it is a symbol's sort; its number says which.
    let mut out = Feed::new();
    out.number(walker.term(term));
    let (nodes, local) = walker.finish();
    out.bytes(&nodes);
    Form { hash: out.finish(), keys: local.keys }
}

/// Names symbols within one axiom.
struct Local<'a> {
    numbers: &'a Numbers,
    colours: &'a Colours,
    places: FxHashMap<Key, usize>,
    keys: Vec<Key>,
}

impl Namer for Local<'_> {
    fn name(&mut self, key: Key, out: &mut Feed) {
        if let Some(number) = self.numbers.get(&key) {
            out.tag(0);
            out.number(number);
            return;
        }
        out.tag(kind(&key));
        let colour = self.colours.get(&key).copied().unwrap_or_default();
        let next = self.keys.len();
        let nth = *self.places.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            next
        });
        out.number(nth);
        out.hash(colour);
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
