//! The canonical form of a question and its fingerprint.
//!
//! **In:** a [`Question`].
//! **Out:** 256 bits that are equal for questions that differ only in names of variables,
//! functions, sorts, datatypes, constructors, fields, pools and labels, in the order of
//! axioms and distinct groups, or in sites and captures.
//!
//! Every symbol is replaced by a number, given at its first occurrence: first through the
//! passive program, block by block, then through the axioms in canonical order, then
//! through the datatypes met on the way. Bound variables are replaced by their distance to
//! the binder. The form is a list of nodes, each different from all others, that refer to their
//! parts by position: a subterm that occurs often is written once.
//!
//! Axioms are ordered by their own form, in which symbols without a number yet are told
//! apart by where they occur (two rounds of colour refinement). Axioms that stay
//! indistinguishable keep their given order; at worst a cache entry is missed.
//!
//! # Soundness
//! Equal fingerprints must mean equal questions up to renaming, since a proof is reused.
//! So everything an engine may look at is fed: operators, literals, sorts, definitions,
//! triggers, weights, pools, edges, and which assertions subsume. All parts are
//! self-delimiting, and [`VERSION`] changes with any change of this file or of [`Op`].

mod order;
mod walk;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::{
    command::AssertId,
    obligation::{Fingerprint, Question},
    passive::{Item, PassiveBlock},
    symbol::Symbol,
    term::PoolHint,
};

use walk::{Key, Namer, Walker};

#[cfg(doc)]
use crate::op::Op;

/// Fed first; a new form invalidates every stored verdict.
const VERSION: &str = "civl-canonical-2";

pub(crate) type Hash = [u8; 32];

/// The fingerprint of `question`.
///
/// Verdicts stored under it should be kept in the order of [`crate::Passive::asserts`],
/// since the ids themselves do not take part.
pub fn fingerprint(question: &Question) -> Fingerprint {
    let mut walker = Walker::new(Numbers::default());
    let mut out = Feed::new();
    out.text(VERSION);
    let mut asserts = FxHashMap::default();
    out.number(question.passive.blocks().len());
    for block in question.passive.blocks() {
        feed_block(block, &mut asserts, &mut walker, &mut out);
    }
    let order = order::canonical_order(question, walker.namer());
    out.number(question.axioms.len());
    for nth in order.axioms {
        out.number(walker.term(&question.axioms[nth]));
    }
    out.number(question.distinct.len());
    for group in order.distinct {
        out.number(group.len());
        group.iter().for_each(|term| out.number(walker.term(term)));
    }
    feed_datatypes(question, &mut walker, &mut out);
    let (nodes, _) = walker.finish();
    out.bytes(&nodes);
    Fingerprint(out.finish())
}

fn feed_block(
    block: &PassiveBlock,
    asserts: &mut FxHashMap<AssertId, usize>,
    walker: &mut Walker<Numbers>,
    out: &mut Feed,
) {
    let items = block.items.iter().filter(|item| !matches!(item, Item::Capture(_)));
    out.number(items.clone().count());
    for item in items {
        match item {
            Item::Assume { term, hints } => {
                out.tag(1);
                out.number(walker.term(term));
                feed_hints(hints, walker, out);
            }
            Item::Assert { term, id, hints, subsumes } => {
                out.tag(if *subsumes { 2 } else { 3 });
                let next = asserts.len();
                out.number(*asserts.entry(*id).or_insert(next));
                out.number(walker.term(term));
                feed_hints(hints, walker, out);
            }
            Item::Capture(_) => {}
        }
    }
    out.number(block.successors.len());
    block.successors.iter().for_each(|next| out.number(next.index()));
}

fn feed_hints(hints: &[PoolHint], walker: &mut Walker<Numbers>, out: &mut Feed) {
    out.number(hints.len());
    for PoolHint { label, terms } in hints {
        walker.name(Key::Pool(label.clone()), out);
        out.number(terms.len());
        terms.iter().for_each(|term| out.number(walker.term(term)));
    }
}

/// Definitions in the order of numbers; a definition may bring in more datatypes.
fn feed_datatypes(question: &Question, walker: &mut Walker<Numbers>, out: &mut Feed) {
    let mut done: BTreeSet<Symbol> = BTreeSet::new();
    while let Some(name) = walker.namer().next_datatype(&done) {
        let def =
            walker.definition(&name).or_else(|| question.signature.datatypes.get(&name).cloned());
        walker.name(Key::Datatype(name.clone()), out);
        done.insert(name);
        let Some(def) = def else {
            out.tag(0);
            continue;
        };
        out.tag(1);
        out.number(def.ctors().len());
        for ctor in def.ctors() {
            out.number(ctor.fields.len());
            for (_, sort) in &ctor.fields {
                out.number(walker.sort(sort));
            }
        }
    }
}

/// Numbers given to symbols in order of first occurrence.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    numbers: FxHashMap<Key, usize>,
    datatypes: Vec<Symbol>,
}

impl Numbers {
    fn next_datatype(&self, done: &BTreeSet<Symbol>) -> Option<Symbol> {
        self.datatypes.iter().find(|name| !done.contains(*name)).cloned()
    }

    pub(crate) fn get(&self, key: &Key) -> Option<usize> {
        self.numbers.get(key).copied()
    }
}

impl Namer for Numbers {
    fn name(&mut self, key: Key, out: &mut Feed) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert_with_key(|key| {
            if let Key::Datatype(name) = key {
                self.datatypes.push(name.clone());
            }
            next
        });
        out.number(number);
    }
}

/// Self-delimiting input of a hash.
pub(crate) struct Feed(Vec<u8>);

impl Feed {
    pub(crate) fn new() -> Self {
        Feed(Vec::with_capacity(256))
    }

    pub(crate) fn written(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn tag(&mut self, tag: u8) {
        self.0.push(tag);
    }

    /// Seven bits in each byte, the lowest first; all but the last byte have the high bit.
    pub(crate) fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(crate) fn hash(&mut self, hash: Hash) {
        self.0.extend_from_slice(&hash);
    }

    pub(crate) fn finish(self) -> Hash {
        *blake3::hash(&self.0).as_bytes()
    }
}

#[cfg(test)]
mod tests;
