//! The nodes of canonical terms and sorts, given names for symbols.
//!
//! **In:** terms, and a [`Namer`] that says what a symbol is called.
//! **Out:** one number per term, the same for terms that are equal after naming; and the text of
//! all nodes in the order of their numbers.
//!
//! # Invariants
//! - Work lists instead of recursion; each (binder context, subterm) is written once.
//! - Symbols are named in the order of a left-to-right, depth-first walk.
//! - The text of a node is self-delimiting and mentions parts by their smaller numbers, so the
//!   text of all nodes determines every one of them.

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;

use super::Feed;
use crate::{
    digest::Digest,
    op::Op,
    sort::{DatatypeDef, Sort},
    symbol::Symbol,
    term::{Bound, FuncSym, Lambda, PoolHint, Quant, QuantKind, Term, TermKind, Var},
};

/// A symbol whose spelling does not matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    Var(Var),
    Func(Arc<FuncSym>),
    Sort(Symbol),
    Datatype(Symbol),
    Pool(Symbol),
}

/// Gives names to symbols.
pub(crate) trait Namer {
    fn name(&mut self, key: Key, out: &mut Feed);
}

/// The number of a node.
pub(crate) type Number = usize;

pub(crate) struct Walker<N> {
    namer: N,
    scopes: Vec<Scope>,
    memo: FxHashMap<(usize, Digest), Number>,
    sorts: FxHashMap<Sort, Number>,
    nodes: Nodes,
    definitions: BTreeMap<Symbol, Arc<DatatypeDef>>,
}

/// Which variables are bound, and how far out.
#[derive(Clone, Default)]
struct Scope {
    levels: BTreeMap<Var, usize>,
    depth: usize,
    filter: u64,
}

enum Task<'t> {
    Visit(usize, &'t Term),
    Build(usize, usize, &'t Term),
}

/// Texts of nodes, each once.
#[derive(Default)]
struct Nodes {
    text: Vec<u8>,
    /// Where the text of each node ends.
    ends: Vec<usize>,
    by_hash: FxHashMap<u64, Number>,
}

impl Nodes {
    /// The number of the node with this text.
    fn number(&mut self, node: &[u8]) -> Number {
        let mut hash = quick_hash(node);
        while let Some(number) = self.by_hash.get(&hash) {
            if self.node(*number) == node {
                return *number;
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.ends.len();
        self.by_hash.insert(hash, number);
        self.text.extend_from_slice(node);
        self.ends.push(self.text.len());
        number
    }

    fn node(&self, number: Number) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }
}

/// Where to look for a node; says nothing about what it is.
fn quick_hash(bytes: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

impl<N: Namer> Walker<N> {
    pub(crate) fn new(namer: N) -> Self {
        Walker {
            namer,
            scopes: vec![Scope::default()],
            memo: FxHashMap::default(),
            sorts: FxHashMap::default(),
            nodes: Nodes::default(),
            definitions: BTreeMap::new(),
        }
    }

    pub(crate) fn namer(&self) -> &N {
        &self.namer
    }

    /// The text of all nodes, and the namer.
    pub(crate) fn finish(self) -> (Vec<u8>, N) {
        (self.nodes.text, self.namer)
    }

    pub(crate) fn name(&mut self, key: Key, out: &mut Feed) {
        self.namer.name(key, out);
    }

    /// A definition that some operator carried.
    pub(crate) fn definition(&self, name: &Symbol) -> Option<Arc<DatatypeDef>> {
        self.definitions.get(name).cloned()
    }

    pub(crate) fn term(&mut self, term: &Term) -> Number {
        let mut tasks = vec![Task::Visit(0, term)];
        let mut out = Feed::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(scope, term) => self.visit(scope, term, &mut tasks),
                Task::Build(scope, inner, term) => {
                    self.build(inner, term, &mut out);
                    let number = self.nodes.number(out.written());
                    out.clear();
                    self.memo.insert((scope, term.digest()), number);
                }
            }
        }
        self.done(0, term)
    }

    /// The scope that matters for `term`: none, if no bound variable can occur in it.
    fn relevant(&self, scope: usize, term: &Term) -> usize {
        if self.scopes[scope].filter & term.free_filter() == 0 { 0 } else { scope }
    }

    /// The number of a part that was built.
    fn done(&self, scope: usize, term: &Term) -> Number {
        let scope = self.relevant(scope, term);
        self.memo[&(scope, term.digest())]
    }

    fn visit<'t>(&mut self, scope: usize, term: &'t Term, tasks: &mut Vec<Task<'t>>) {
        let scope = self.relevant(scope, term);
        if self.memo.contains_key(&(scope, term.digest())) {
            return;
        }
        let inner = self.enter(scope, term.bound());
        let start = tasks.len() + 1;
        tasks.push(Task::Build(scope, inner, term));
        term.for_each_child(&mut |child| tasks.push(Task::Visit(inner, child)));
        tasks[start..].reverse();
    }

    fn enter(&mut self, scope: usize, bound: &[Bound]) -> usize {
        if bound.is_empty() {
            return scope;
        }
        let mut inner = self.scopes[scope].clone();
        for Bound { var, .. } in bound {
            inner.filter |= Term::var(var.clone()).free_filter();
            inner.levels.insert(var.clone(), inner.depth);
            inner.depth += 1;
        }
        self.scopes.push(inner);
        self.scopes.len() - 1
    }

    fn build(&mut self, inner: usize, term: &Term, out: &mut Feed) {
        match term.kind() {
            TermKind::Var(var) => self.feed_var(inner, var, out),
            TermKind::Bool(value) => out.tag(if *value { 3 } else { 4 }),
            TermKind::Int(value) => {
                out.tag(5);
                out.bytes(&value.to_signed_bytes_le());
            }
            TermKind::Real(value) => {
                out.tag(6);
                out.bytes(&value.numer().to_signed_bytes_le());
                out.bytes(&value.denom().to_signed_bytes_le());
            }
            TermKind::BitVec(value, width) => {
                out.tag(7);
                out.bytes(&value.to_signed_bytes_le());
                out.number(*width as usize);
            }
            TermKind::String(value) => {
                out.tag(8);
                out.text(value);
            }
            TermKind::App(op, args) => {
                out.tag(9);
                self.feed_op(op, out);
                out.number(args.len());
                args.iter().for_each(|arg| out.number(self.done(inner, arg)));
            }
            TermKind::Quant(quant) => {
                out.tag(10);
                self.feed_quant(inner, quant, out);
            }
            TermKind::Lambda(lambda) => {
                let Lambda { bound, body } = lambda.as_ref();
                out.tag(11);
                self.feed_bound(bound, out);
                out.number(self.done(inner, body));
            }
        }
    }

    fn feed_var(&mut self, scope: usize, var: &Var, out: &mut Feed) {
        let scope = &self.scopes[scope];
        if let Some(level) = scope.levels.get(var) {
            out.tag(1);
            out.number(scope.depth - level);
            return;
        }
        out.tag(2);
        self.namer.name(Key::Var(var.clone()), out);
        out.number(self.sort(&var.sort));
    }

    fn feed_bound(&mut self, bound: &[Bound], out: &mut Feed) {
        out.number(bound.len());
        for Bound { var, pools } in bound {
            out.number(self.sort(&var.sort));
            out.number(pools.len());
            pools.iter().for_each(|label| self.namer.name(Key::Pool(label.clone()), out));
        }
    }

    fn feed_quant(&mut self, inner: usize, quant: &Quant, out: &mut Feed) {
        let Quant { kind, bound, triggers, nopats, weight, hints, body } = quant;
        out.tag(match kind {
            QuantKind::Forall => 1,
            QuantKind::Exists => 2,
        });
        self.feed_bound(bound, out);
        out.number(self.done(inner, body));
        out.number(*weight as usize);
        out.number(triggers.len());
        for trigger in triggers {
            out.number(trigger.len());
            trigger.iter().for_each(|term| out.number(self.done(inner, term)));
        }
        out.number(nopats.len());
        nopats.iter().for_each(|term| out.number(self.done(inner, term)));
        out.number(hints.len());
        for PoolHint { label, terms } in hints {
            self.namer.name(Key::Pool(label.clone()), out);
            out.number(terms.len());
            terms.iter().for_each(|term| out.number(self.done(inner, term)));
        }
    }

    fn feed_op(&mut self, op: &Op, out: &mut Feed) {
        out.tag(op.code());
        match op {
            Op::ConstArray(sort) | Op::SeqEmpty(sort) => out.number(self.sort(sort)),
            Op::MapOp(op) => out.tag(*op as u8),
            Op::Ctor(def, ctor) | Op::Is(def, ctor) => {
                self.feed_def(def, out);
                out.number(*ctor as usize);
            }
            Op::Field(def, ctor, field) => {
                self.feed_def(def, out);
                out.number(*ctor as usize);
                out.number(*field as usize);
            }
            Op::Func(func) => {
                self.namer.name(Key::Func(func.clone()), out);
                out.number(func.args.len());
                func.args.iter().for_each(|sort| out.number(self.sort(sort)));
                out.number(self.sort(&func.result));
            }
            Op::BvExtract { high, low } => {
                out.number(*high as usize);
                out.number(*low as usize);
            }
            Op::Builtin(name, sort) => {
                out.text(name.as_str());
                out.number(self.sort(sort));
            }
            crate::plain_op!() => {}
        }
    }

    fn feed_def(&mut self, def: &Arc<DatatypeDef>, out: &mut Feed) {
        self.definitions.entry(def.name().clone()).or_insert_with(|| def.clone());
        self.namer.name(Key::Datatype(def.name().clone()), out);
    }

    pub(crate) fn sort(&mut self, sort: &Sort) -> Number {
        if let Some(number) = self.sorts.get(sort) {
            return *number;
        }
        let mut out = Feed::new();
        // No tag of a term.
        out.tag(0);
        self.feed_sort(sort, &mut out);
        let number = self.nodes.number(out.written());
        self.sorts.insert(sort.clone(), number);
        number
    }

    fn feed_sort(&mut self, sort: &Sort, out: &mut Feed) {
        match sort {
            Sort::Bool => out.tag(1),
            Sort::Int => out.tag(2),
            Sort::Real => out.tag(3),
            Sort::BitVec(width) => {
                out.tag(4);
                out.number(*width as usize);
            }
            Sort::Float(eb, sb) => {
                out.tag(5);
                out.number(*eb as usize);
                out.number(*sb as usize);
            }
            Sort::RoundingMode => out.tag(6),
            Sort::String => out.tag(7),
            Sort::RegEx => out.tag(8),
            Sort::Uninterpreted(name) => {
                out.tag(9);
                self.namer.name(Key::Sort(name.clone()), out);
            }
            Sort::Datatype(name) => {
                out.tag(10);
                self.namer.name(Key::Datatype(name.clone()), out);
            }
            Sort::Array(indices, element) => {
                out.tag(11);
                out.number(indices.len());
                indices.iter().for_each(|sort| self.feed_sort(sort, out));
                self.feed_sort(element, out);
            }
            Sort::Seq(element) => {
                out.tag(12);
                self.feed_sort(element, out);
            }
        }
    }
}
