//! Values in one word each, every structure stored once.
//!
//! **In:** numbers, constructors with their fields, maps as default and exceptions, sequences.
//! **Out:** a [`Val`]; two values of one sort are equal exactly if their words are.
//!
//! Small integers, Booleans, constructors without fields and elements of sorts are in the word
//! itself, everything else is a numbered node of the [`Arena`]. A value does not know its sort:
//! whoever holds one does.
//!
//! # Invariants
//! - A node is never changed, moved or dropped; an arena lives as long as one exploration.
//! - A map keeps its exceptions ordered by index, none equal to the default. Over a finite index
//!   sort the default is the least element ([`Full`]), so that equal maps have one form.
//! - [`Val::POISON`] is the value of what the program does not define. A node remembers whether it
//!   contains poison.

use std::hash::Hasher;

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHasher};

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val(u32);

/// What kind of word a [`Val`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// An integer that fits.
    Int,
    /// A truth value.
    Bool,
    /// A constructor without fields.
    Ctor,
    /// An element of an uninterpreted sort.
    Element,
    /// A node of the arena.
    Node,
    /// Undefined.
    Poison,
}

const TAG_BITS: u32 = 3;
/// A word uses its lower 31 bits; code uses the highest to tell constants from places.
const PAYLOAD_BITS: u32 = 28;
const PAYLOAD: u32 = (1 << PAYLOAD_BITS) - 1;
const INT: u32 = 0;
const BOOL: u32 = 1;
const CTOR: u32 = 2;
const ELEMENT: u32 = 3;
const NODE: u32 = 4;
const POISON: u32 = 5;

impl Val {
    /// `false`.
    pub const FALSE: Val = Val(BOOL);
    /// `true`.
    pub const TRUE: Val = Val(BOOL | (1 << TAG_BITS));
    /// What is not defined.
    pub const POISON: Val = Val(POISON);
    /// The integer 0.
    pub const ZERO: Val = Val(INT);

    /// A truth value.
    #[inline]
    pub fn bool(value: bool) -> Val {
        if value { Val::TRUE } else { Val::FALSE }
    }

    /// A constructor without fields.
    #[inline]
    pub const fn constant(ctor: u32) -> Val {
        Val(CTOR | (ctor << TAG_BITS))
    }

    /// An element of an uninterpreted sort.
    #[inline]
    pub fn element(index: u32) -> Val {
        Val(ELEMENT | ((index & PAYLOAD) << TAG_BITS))
    }

    /// An integer, if it fits into a word.
    #[inline]
    pub fn small(value: i64) -> Option<Val> {
        const LIMIT: i64 = 1 << (PAYLOAD_BITS - 1);
        let fits = (-LIMIT..LIMIT).contains(&value);
        fits.then_some(Val(INT | (((value as u32) & PAYLOAD) << TAG_BITS)))
    }

    /// The word, for what is not a value (program points in frames).
    #[inline]
    pub(crate) const fn raw(word: u32) -> Val {
        Val(word)
    }

    /// The word itself.
    #[inline]
    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    /// What kind of word this is.
    #[inline]
    pub fn tag(self) -> Tag {
        match self.0 & ((1 << TAG_BITS) - 1) {
            INT => Tag::Int,
            BOOL => Tag::Bool,
            CTOR => Tag::Ctor,
            ELEMENT => Tag::Element,
            NODE => Tag::Node,
            _ => Tag::Poison,
        }
    }

    /// The integer, if this is a small one.
    #[inline]
    pub fn as_small(self) -> Option<i64> {
        let shift = 32 - TAG_BITS - PAYLOAD_BITS;
        let signed = ((self.0 << shift) as i32) >> (shift + TAG_BITS);
        (self.0 & 7 == INT).then_some(i64::from(signed))
    }

    /// The number of an element.
    #[inline]
    pub fn as_element(self) -> Option<u32> {
        (self.tag() == Tag::Element).then_some(self.0 >> TAG_BITS)
    }

    #[inline]
    fn node(self) -> Option<usize> {
        (self.0 & 7 == NODE).then_some((self.0 >> TAG_BITS) as usize)
    }
}

impl std::fmt::Debug for Val {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            Tag::Int => write!(f, "{}", self.as_small().unwrap_or(0)),
            Tag::Bool => write!(f, "{}", *self == Val::TRUE),
            Tag::Ctor => write!(f, "c{}", self.0 >> TAG_BITS),
            Tag::Element => write!(f, "#{}", self.0 >> TAG_BITS),
            Tag::Node => write!(f, "@{}", self.0 >> TAG_BITS),
            Tag::Poison => f.write_str("poison"),
        }
    }
}

/// What a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A constructor and its fields.
    Ctor(u32),
    /// A map with this many indices: default, then index tuple and element of each exception.
    Map(u32),
    /// A sequence.
    Seq,
    /// A large integer: its digits, whether negative.
    Big(bool),
    /// A real number: numerator and denominator, both integers.
    Real,
    /// Text: its bytes.
    Text(u32),
    /// A thread: program point, what it returns to, local variables.
    Frame,
    /// A parallel call: program point, what it returns to, its arms.
    Fork,
    /// An arm that has returned: its results.
    Joined,
}

impl Kind {
    fn code(self) -> u32 {
        let (kind, extra) = match self {
            Kind::Ctor(ctor) => (0, ctor),
            Kind::Map(arity) => (1, arity),
            Kind::Seq => (2, 0),
            Kind::Big(negative) => (3, u32::from(negative)),
            Kind::Real => (4, 0),
            Kind::Text(length) => (5, length),
            Kind::Frame => (6, 0),
            Kind::Fork => (7, 0),
            Kind::Joined => (8, 0),
        };
        kind | (extra << 5)
    }

    fn of(code: u32) -> Kind {
        let extra = code >> 5;
        match code & 0xf {
            0 => Kind::Ctor(extra),
            1 => Kind::Map(extra),
            2 => Kind::Seq,
            3 => Kind::Big(extra != 0),
            4 => Kind::Real,
            5 => Kind::Text(extra),
            6 => Kind::Frame,
            7 => Kind::Fork,
            _ => Kind::Joined,
        }
    }

    /// Where the values among the words of a node begin; `None`: there are none.
    fn first_value(self) -> Option<usize> {
        match self {
            Kind::Ctor(_) | Kind::Map(_) | Kind::Seq | Kind::Real | Kind::Joined => Some(0),
            Kind::Frame | Kind::Fork => Some(1),
            Kind::Big(_) | Kind::Text(_) => None,
        }
    }
}

/// Bit of a header: poison is inside.
const TAINTED: u32 = 1 << 4;

/// All structures of one exploration.
#[derive(Default)]
pub struct Arena {
    words: Vec<Val>,
    /// Where the words of a node start; the first is its header.
    starts: Vec<u32>,
    /// Which of the first 64 elements occur in a node.
    marks: Vec<u64>,
    /// Open addressing: node + 1, or 0.
    table: Vec<u32>,
    /// For building nodes.
    scratch: Vec<Val>,
}

fn hash(header: u32, words: &[Val]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(header);
    for word in words {
        hasher.write_u32(word.0);
    }
    hasher.finish()
}

impl Arena {
    /// The bytes that the structures take.
    pub fn bytes(&self) -> usize {
        let words = self.words.capacity() + self.starts.capacity() + self.table.capacity();
        4 * words + 8 * self.marks.capacity()
    }

    /// How many structures there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Is there no structure yet?
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    fn parts(&self, node: usize) -> (u32, &[Val]) {
        let start = self.starts[node] as usize;
        let end = self.starts.get(node + 1).map_or(self.words.len(), |next| *next as usize);
        (self.words[start].0, &self.words[start + 1..end])
    }

    /// What `val` holds, if it is a node.
    #[inline]
    pub fn look(&self, val: Val) -> Option<(Kind, &[Val])> {
        let (header, words) = self.parts(val.node()?);
        Some((Kind::of(header), words))
    }

    /// The values inside a node; none for what is no node.
    pub fn parts_of(&self, val: Val) -> &[Val] {
        let Some((kind, words)) = self.look(val) else { return &[] };
        kind.first_value().map_or(&[], |first| &words[first..])
    }

    /// Is something undefined, or part of it?
    #[inline]
    pub fn is_tainted(&self, val: Val) -> bool {
        match val.node() {
            None => val == Val::POISON,
            Some(node) => self.words[self.starts[node] as usize].0 & TAINTED != 0,
        }
    }

    /// Which of the first 64 elements occur in `val`, as bits; the last stands for itself and all
    /// that follow.
    #[inline]
    pub fn marks(&self, val: Val) -> u64 {
        match (val.node(), val.as_element()) {
            (Some(node), _) => self.marks[node],
            (None, Some(element)) => 1 << element.min(63),
            (None, None) => 0,
        }
    }

    /// The node of this kind with these words.
    pub fn intern(&mut self, kind: Kind, words: &[Val]) -> Val {
        let header = kind.code();
        if self.table.len() <= 2 * self.starts.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(header, words) as usize >> 7 & mask;
        loop {
            match self.table[at] {
                0 => break,
                found => {
                    let node = found as usize - 1;
                    let (own, payload) = self.parts(node);
                    if own & !TAINTED == header && payload == words {
                        return Val(NODE | ((node as u32) << TAG_BITS));
                    }
                }
            }
            at = (at + 1) & mask;
        }
        let node = self.starts.len() as u32;
        self.table[at] = node + 1;
        let (mut taint, mut marks) = (0, 0);
        if let Some(first) = kind.first_value() {
            for val in &words[first..] {
                taint |= u32::from(self.is_tainted(*val)) * TAINTED;
                marks |= self.marks(*val);
            }
        }
        self.starts.push(self.words.len() as u32);
        self.marks.push(marks);
        self.words.push(Val(header | taint));
        self.words.extend_from_slice(words);
        Val(NODE | (node << TAG_BITS))
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(1024);
        let mut table = vec![0u32; size];
        for node in 0..self.starts.len() {
            let (header, words) = self.parts(node);
            let mut at = hash(header & !TAINTED, words) as usize >> 7 & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = node as u32 + 1;
        }
        self.table = table;
    }

    /// Is there no room for another node number?
    pub fn is_full(&self) -> bool {
        self.starts.len() >= (PAYLOAD as usize) - 1024
            || self.words.len() > (u32::MAX - 65536) as usize
    }

    /// A constructor applied to fields.
    pub fn ctor(&mut self, ctor: u32, fields: &[Val]) -> Val {
        if fields.is_empty() { Val::constant(ctor) } else { self.intern(Kind::Ctor(ctor), fields) }
    }

    /// The constructor of a value of a datatype, and its fields; `None` for poison.
    #[inline]
    pub fn data(&self, val: Val) -> Option<(u32, &[Val])> {
        if let Some((Kind::Ctor(ctor), fields)) = self.look(val) {
            return Some((ctor, fields));
        }
        (val.tag() == Tag::Ctor).then_some((val.0 >> TAG_BITS, &[]))
    }

    /// An integer.
    pub fn int(&mut self, value: &BigInt) -> Val {
        if let Some(small) = i64::try_from(value).ok().and_then(Val::small) {
            return small;
        }
        let (sign, digits) = value.to_u32_digits();
        let words: Vec<Val> = digits.into_iter().map(Val).collect();
        self.intern(Kind::Big(sign == Sign::Minus), &words)
    }

    /// The integer that `val` is.
    pub fn as_int(&self, val: Val) -> Option<BigInt> {
        if let Some(small) = val.as_small() {
            return Some(small.into());
        }
        let Some((Kind::Big(negative), words)) = self.look(val) else { return None };
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Some(BigInt::new(sign, words.iter().map(|word| word.0).collect()))
    }

    /// A real number.
    pub fn real(&mut self, value: &BigRational) -> Val {
        let parts = [self.int(value.numer()), self.int(value.denom())];
        self.intern(Kind::Real, &parts)
    }

    /// The real number that `val` is.
    pub fn as_real(&self, val: Val) -> Option<BigRational> {
        let Some((Kind::Real, words)) = self.look(val) else { return None };
        Some(BigRational::new(self.as_int(words[0])?, self.as_int(words[1])?))
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> Val {
        let words: Vec<Val> = text
            .as_bytes()
            .chunks(4)
            .map(|chunk| Val(chunk.iter().fold(0, |word, byte| (word << 8) | u32::from(*byte))))
            .collect();
        self.intern(Kind::Text(text.len() as u32), &words)
    }

    /// A sequence.
    pub fn seq(&mut self, items: &[Val]) -> Val {
        self.intern(Kind::Seq, items)
    }

    /// The items of a sequence.
    pub fn items(&self, val: Val) -> Option<&[Val]> {
        if let Some((Kind::Seq, items)) = self.look(val) { Some(items) } else { None }
    }
}

/// Maps.
impl Arena {
    /// The map that has `default` everywhere, for infinitely many indices or a least default.
    pub fn constant(&mut self, arity: usize, default: Val) -> Val {
        self.intern(Kind::Map(arity as u32), &[default])
    }

    /// Arity, default and exceptions of a map.
    #[inline]
    pub fn entries(&self, map: Val) -> Option<(usize, Val, &[Val])> {
        let Some((Kind::Map(arity), words)) = self.look(map) else { return None };
        Some((arity as usize, words[0], &words[1..]))
    }

    /// The element at `index`; poison for what is no map or an undefined index.
    #[inline]
    pub fn select(&self, map: Val, index: &[Val]) -> Val {
        let Some((arity, default, entries)) = self.entries(map) else { return Val::POISON };
        if index.iter().any(|val| self.is_tainted(*val)) {
            return Val::POISON;
        }
        if arity == 1 {
            let found = entries.chunks_exact(2).find(|entry| entry[0] == index[0]);
            return found.map_or(default, |entry| entry[1]);
        }
        let found = entries.chunks_exact(arity + 1).find(|entry| entry[..arity] == *index);
        found.map_or(default, |entry| entry[arity])
    }

    /// The map with another element at `index`.
    pub fn store(&mut self, map: Val, index: &[Val], element: Val) -> Val {
        if index.iter().any(|val| self.is_tainted(*val)) {
            return Val::POISON;
        }
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        let Some((arity, default, entries)) = self.entries(map) else {
            self.scratch = out;
            return Val::POISON;
        };
        out.push(default);
        let mut placed = element == default;
        for entry in entries.chunks_exact(arity + 1) {
            let key = &entry[..arity];
            if !placed && index <= key {
                out.extend_from_slice(index);
                out.push(element);
                placed = true;
            }
            if key != index {
                out.extend_from_slice(entry);
            }
        }
        if !placed {
            out.extend_from_slice(index);
            out.push(element);
        }
        let made = self.intern(Kind::Map(arity as u32), &out);
        self.scratch = out;
        made
    }

    /// The map with these exceptions, in any order, all at different indices.
    pub fn map(&mut self, arity: usize, default: Val, entries: &[Val], full: Option<&Full>) -> Val {
        let chunks = entries.chunks_exact(arity + 1);
        let mut order: Vec<&[Val]> = match full {
            Some(full) if full.least != default => {
                let given: FxHashMap<&[Val], Val> =
                    chunks.map(|entry| (&entry[..arity], entry[arity])).collect();
                let mut words = vec![full.least];
                for tuple in full.iter() {
                    let element = given.get(tuple).copied().unwrap_or(default);
                    if element != full.least {
                        words.extend_from_slice(tuple);
                        words.push(element);
                    }
                }
                return self.intern(Kind::Map(arity as u32), &words);
            }
            Some(_) | None => chunks.filter(|entry| entry[arity] != default).collect(),
        };
        order.sort_unstable();
        let mut words = vec![default];
        order.into_iter().for_each(|entry| words.extend_from_slice(entry));
        self.intern(Kind::Map(arity as u32), &words)
    }

    /// The elements of a set: the indices of a map to Booleans that is false by default.
    pub fn members(&self, set: Val) -> Option<Vec<Val>> {
        let (arity, default, entries) = self.entries(set)?;
        (arity == 1 && default == Val::FALSE).then(|| {
            entries.chunks_exact(2).filter(|it| it[1] == Val::TRUE).map(|it| it[0]).collect()
        })
    }
}

/// All index tuples of a map sort that has finitely many, ordered, and the default of its maps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    arity: usize,
    flat: Vec<Val>,
    /// The default.
    pub least: Val,
}

impl Full {
    /// These tuples of `arity` values each.
    pub fn new(arity: usize, mut tuples: Vec<Vec<Val>>, least: Val) -> Full {
        tuples.sort_unstable();
        Full { arity, flat: tuples.concat(), least }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.flat.len() / self.arity.max(1)
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[Val]> {
        self.flat.chunks_exact(self.arity.max(1))
    }
}

#[cfg(test)]
mod tests;
