//! Terms: immutable, shared, self-contained formulas and expressions.
//!
//! **In:** operators and arguments, through the smart constructors of [`Term`].
//! **Out:** `Arc` nodes that know their digest, sort and a summary of their free variables.
//!
//! Free [`Var`]s of a question are arbitrary but fixed values. Constants and functions of
//! the program are [`FuncSym`]s, which substitution never touches. There is no `let`:
//! sharing is in the graph, and every traversal must memoise by term.
//!
//! # Invariants
//! - `==`, order and hash are those of the digest, i.e. structural (bound names matter).
//! - A node is well-sorted, or [`Term::is_ill_formed`] says it is not; a question that
//!   contains an ill-formed term must not be answered with a proof.
//! - Nothing here recurses on the depth of a term, not even `Drop`.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use num_bigint::BigInt;
use num_rational::BigRational;
use smol_str::SmolStr;

use crate::{
    digest::{Digest, DigestBuilder},
    op::Op,
    sort::Sort,
    subst::FreeVars,
    symbol::Symbol,
};

/// A variable: its name and sort together are its identity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var {
    /// The name.
    pub name: Symbol,
    /// The sort.
    pub sort: Sort,
}

impl Var {
    /// The variable `name: sort`.
    pub fn new(name: impl Into<Symbol>, sort: Sort) -> Self {
        Var { name: name.into(), sort }
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.sort)
    }
}

/// A declared function or, without arguments, a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncSym {
    /// The name of the monomorphic instance.
    pub name: Symbol,
    /// Argument sorts.
    pub args: Arc<[Sort]>,
    /// Result sort.
    pub result: Sort,
}

impl FuncSym {
    /// The function `name(args): result`.
    pub fn new(name: impl Into<Symbol>, args: impl Into<Arc<[Sort]>>, result: Sort) -> Self {
        FuncSym { name: name.into(), args: args.into(), result }
    }
}

/// A bound variable and the instantiation pools it draws from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound {
    /// The variable.
    pub var: Var,
    /// Labels of its pools; empty when pools do not instantiate it.
    pub pools: Vec<Symbol>,
}

impl Bound {
    /// A bound variable without pools.
    pub fn plain(var: Var) -> Self {
        Bound { var, pools: Vec::new() }
    }

    /// A bound variable that draws from the pool `label`.
    pub fn pooled(var: Var, label: impl Into<Symbol>) -> Self {
        Bound { var, pools: vec![label.into()] }
    }
}

/// Adds `terms` to the pool `label` (matched by label and sort).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PoolHint {
    /// The pool.
    pub label: Symbol,
    /// The instances.
    pub terms: Vec<Term>,
}

/// `forall` or `exists`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuantKind {
    /// Universal.
    Forall,
    /// Existential.
    Exists,
}

/// A quantifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quant {
    /// Which quantifier.
    pub kind: QuantKind,
    /// Bound variables, distinct, at least one.
    pub bound: Vec<Bound>,
    /// Multi-patterns: any one whose terms all match instantiates the quantifier.
    pub triggers: Vec<Vec<Term>>,
    /// Terms that must not be used as patterns.
    pub nopats: Vec<Term>,
    /// Instantiation weight; 1 unless the program says otherwise.
    pub weight: u32,
    /// Hints that become active when the quantifier is skolemised or instantiated.
    pub hints: Vec<PoolHint>,
    /// The body.
    pub body: Term,
}

impl Quant {
    /// A quantifier without triggers, hints or special weight.
    pub fn new(kind: QuantKind, bound: Vec<Bound>, body: Term) -> Self {
        Quant { kind, bound, triggers: vec![], nopats: vec![], weight: 1, hints: vec![], body }
    }
}

/// A map given by its element at every index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lambda {
    /// Bound variables, distinct, at least one.
    pub bound: Vec<Bound>,
    /// The element.
    pub body: Term,
}

/// The shape of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// A variable, free or bound.
    Var(Var),
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A real.
    Real(BigRational),
    /// A bit vector: value in `0..2^width`, and width.
    BitVec(BigInt, u32),
    /// A string.
    String(SmolStr),
    /// An operator applied to arguments.
    App(Op, Box<[Term]>),
    /// A quantifier.
    Quant(Box<Quant>),
    /// A map comprehension.
    Lambda(Box<Lambda>),
}

/// Cheap facts about a term, cached in its node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    /// A Bloom filter of the free variables: zero means closed.
    pub(crate) free: u64,
    /// Longest path to a leaf, saturating.
    pub(crate) depth: u32,
    /// Contains a quantifier.
    pub(crate) quantified: bool,
    /// Contains a lambda.
    pub(crate) lambda: bool,
    /// Contains an ill-sorted application.
    pub(crate) ill_formed: bool,
}

struct Node {
    digest: Digest,
    sort: Sort,
    summary: Summary,
    kind: TermKind,
}

/// A shared term.
#[derive(Clone)]
pub struct Term(Arc<Node>);

/// Below this depth the compiler's recursive drop is used.
const SHALLOW: u32 = 256;

impl Drop for Node {
    fn drop(&mut self) {
        if self.summary.depth < SHALLOW {
            return;
        }
        let mut doomed = Vec::new();
        take_children(&mut self.kind, &mut doomed);
        while let Some(Term(node)) = doomed.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                take_children(&mut node.kind, &mut doomed);
            }
        }
    }
}

fn take_children(kind: &mut TermKind, out: &mut Vec<Term>) {
    match std::mem::replace(kind, TermKind::Bool(true)) {
        TermKind::App(_, args) => out.extend(args.into_vec()),
        TermKind::Quant(quant) => {
            out.push(quant.body);
            out.extend(quant.triggers.into_iter().flatten());
            out.extend(quant.nopats);
            out.extend(quant.hints.into_iter().flat_map(|hint| hint.terms));
        }
        TermKind::Lambda(lambda) => out.push(lambda.body),
        TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => {}
    }
}

impl Term {
    /// The shape.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// The sort.
    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// The structural digest.
    pub fn digest(&self) -> Digest {
        self.0.digest
    }

    /// Is there no free variable?
    pub fn is_closed(&self) -> bool {
        self.0.summary.free == 0
    }

    /// Does an ill-sorted application occur? Then nothing may be proved from it.
    pub fn is_ill_formed(&self) -> bool {
        self.0.summary.ill_formed
    }

    /// Does a quantifier occur?
    pub fn has_quantifier(&self) -> bool {
        self.0.summary.quantified
    }

    /// Does a lambda occur?
    pub fn has_lambda(&self) -> bool {
        self.0.summary.lambda
    }

    /// The longest path to a leaf.
    pub fn depth(&self) -> u32 {
        self.0.summary.depth
    }

    /// The operator and arguments, if this is an application.
    pub fn as_app(&self) -> Option<(&Op, &[Term])> {
        if let TermKind::App(op, args) = self.kind() { Some((op, args)) } else { None }
    }

    /// The arguments of `op`, if this is an application of it.
    pub fn args_of(&self, op: &Op) -> Option<&[Term]> {
        self.as_app().filter(|(own, _)| *own == op).map(|(_, args)| args)
    }

    /// The variable, if this is one.
    pub fn as_var(&self) -> Option<&Var> {
        if let TermKind::Var(var) = self.kind() { Some(var) } else { None }
    }

    /// The truth value, if this is a literal.
    pub fn as_bool(&self) -> Option<bool> {
        if let TermKind::Bool(value) = self.kind() { Some(*value) } else { None }
    }

    /// The integer, if this is a literal.
    pub fn as_int(&self) -> Option<&BigInt> {
        if let TermKind::Int(value) = self.kind() { Some(value) } else { None }
    }

    /// The real, if this is a literal.
    pub fn as_real(&self) -> Option<&BigRational> {
        if let TermKind::Real(value) = self.kind() { Some(value) } else { None }
    }

    /// Is this `true`?
    pub fn is_true(&self) -> bool {
        self.as_bool() == Some(true)
    }

    /// Is this `false`?
    pub fn is_false(&self) -> bool {
        self.as_bool() == Some(false)
    }

    /// Is this a literal, whose value differs from that of every other literal of its sort?
    pub fn is_literal(&self) -> bool {
        match self.kind() {
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => true,
            TermKind::Var(_) | TermKind::App(..) | TermKind::Quant(_) | TermKind::Lambda(_) => {
                false
            }
        }
    }

    /// Calls `each` for every direct part: arguments; or body, then triggers, negative
    /// patterns and hints.
    pub fn for_each_child<'a>(&'a self, each: &mut dyn FnMut(&'a Term)) {
        match self.kind() {
            TermKind::App(_, args) => args.iter().for_each(each),
            TermKind::Quant(quant) => for_each_part(quant, each),
            TermKind::Lambda(lambda) => each(&lambda.body),
            TermKind::Var(_)
            | TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_) => {}
        }
    }

    /// The variables bound here; empty unless this is a quantifier or lambda.
    pub fn bound(&self) -> &[Bound] {
        match self.kind() {
            TermKind::Quant(quant) => &quant.bound,
            TermKind::Lambda(lambda) => &lambda.bound,
            TermKind::Var(_)
            | TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Real(_)
            | TermKind::BitVec(..)
            | TermKind::String(_)
            | TermKind::App(..) => &[],
        }
    }

    pub(crate) fn free_filter(&self) -> u64 {
        self.0.summary.free
    }

    /// A node of the given shape and sort, without simplification or checks.
    pub(crate) fn node(kind: TermKind, sort: Sort) -> Term {
        let digest = digest_of(&kind);
        let summary = summary_of(&kind, &digest);
        Term(Arc::new(Node { digest, sort, summary, kind }))
    }

    /// The same node, marked as ill-formed.
    pub(crate) fn ill_formed_node(kind: TermKind, sort: Sort) -> Term {
        let digest = digest_of(&kind);
        let summary = Summary { ill_formed: true, ..summary_of(&kind, &digest) };
        Term(Arc::new(Node { digest, sort, summary, kind }))
    }
}

fn for_each_part<'a>(quant: &'a Quant, each: &mut dyn FnMut(&'a Term)) {
    each(&quant.body);
    quant.triggers.iter().flatten().for_each(&mut *each);
    quant.nopats.iter().for_each(&mut *each);
    quant.hints.iter().flat_map(|hint| &hint.terms).for_each(each);
}

fn digest_of(kind: &TermKind) -> Digest {
    let mut out = DigestBuilder::new();
    match kind {
        TermKind::Var(var) => {
            out.tag(1);
            out.text(var.name.as_str());
            var.sort.feed(&mut out);
        }
        TermKind::Bool(value) => out.tag(if *value { 2 } else { 3 }),
        TermKind::Int(value) => {
            out.tag(4);
            out.bytes(&value.to_signed_bytes_le());
        }
        TermKind::Real(value) => {
            out.tag(5);
            out.bytes(&value.numer().to_signed_bytes_le());
            out.bytes(&value.denom().to_signed_bytes_le());
        }
        TermKind::BitVec(value, width) => {
            out.tag(6);
            out.bytes(&value.to_signed_bytes_le());
            out.number(u64::from(*width));
        }
        TermKind::String(value) => {
            out.tag(7);
            out.text(value);
        }
        TermKind::App(op, args) => {
            out.tag(8);
            op.feed(&mut out);
            out.number(args.len() as u64);
            args.iter().for_each(|arg| out.digest(arg.digest()));
        }
        TermKind::Quant(quant) => {
            out.tag(9);
            feed_quant(quant, &mut out);
        }
        TermKind::Lambda(lambda) => {
            out.tag(10);
            feed_bound(&lambda.bound, &mut out);
            out.digest(lambda.body.digest());
        }
    }
    out.finish()
}

fn feed_bound(bound: &[Bound], out: &mut DigestBuilder) {
    out.number(bound.len() as u64);
    for Bound { var, pools } in bound {
        out.text(var.name.as_str());
        var.sort.feed(out);
        out.number(pools.len() as u64);
        pools.iter().for_each(|label| out.text(label.as_str()));
    }
}

fn feed_quant(quant: &Quant, out: &mut DigestBuilder) {
    let Quant { kind, bound, triggers, nopats, weight, hints, body } = quant;
    out.tag(match kind {
        QuantKind::Forall => 1,
        QuantKind::Exists => 2,
    });
    feed_bound(bound, out);
    out.number(triggers.len() as u64);
    for trigger in triggers {
        out.number(trigger.len() as u64);
        trigger.iter().for_each(|term| out.digest(term.digest()));
    }
    out.number(nopats.len() as u64);
    nopats.iter().for_each(|term| out.digest(term.digest()));
    out.number(u64::from(*weight));
    out.number(hints.len() as u64);
    for PoolHint { label, terms } in hints {
        out.text(label.as_str());
        out.number(terms.len() as u64);
        terms.iter().for_each(|term| out.digest(term.digest()));
    }
    out.digest(body.digest());
}

/// The filter bit of a variable, from the digest of its variable term.
fn filter_bit(digest: &Digest) -> u64 {
    1 << (digest.0 & 63)
}

fn summary_of(kind: &TermKind, digest: &Digest) -> Summary {
    let mut sum = Summary::default();
    let mut join = |term: &Term| {
        let part = &term.0.summary;
        sum.free |= part.free;
        sum.depth = sum.depth.max(part.depth.saturating_add(1));
        sum.quantified |= part.quantified;
        sum.lambda |= part.lambda;
        sum.ill_formed |= part.ill_formed;
    };
    match kind {
        TermKind::Var(_) => sum.free = filter_bit(digest),
        TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => {}
        TermKind::App(_, args) => args.iter().for_each(join),
        TermKind::Quant(quant) => {
            for_each_part(quant, &mut join);
            sum.quantified = true;
            sum.free = free_behind(&quant.bound, |each| for_each_part(quant, each));
        }
        TermKind::Lambda(lambda) => {
            join(&lambda.body);
            sum.lambda = true;
            sum.free = free_behind(&lambda.bound, |each| each(&lambda.body));
        }
    }
    sum
}

/// The filter of the variables free in the parts of a binder, the bound ones excepted.
/// Computed from the exact set, so that a closed quantifier has the filter zero.
fn free_behind<'a>(bound: &[Bound], parts: impl FnOnce(&mut dyn FnMut(&'a Term))) -> u64 {
    let mut free = FreeVars::behind(bound);
    parts(&mut |part| free.add(part));
    free.finish()
        .into_iter()
        .fold(0, |filter, var| filter | filter_bit(&digest_of(&TermKind::Var(var))))
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.0.digest == other.0.digest
    }
}

impl Eq for Term {}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.digest.cmp(&other.0.digest)
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.digest.0 as u64);
    }
}
