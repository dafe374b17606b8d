//! Values without maps: terms, and terms that depend on an index.
//!
//! A map is kept as its element at a variable index. The variables are the same for all maps of one
//! height (how many maps stand inside each other), so that the elements of two maps can be put side by
//! side as they are.
//!
//! # Invariants
//! - A map is given at the variables of the height of its own sort ([`index_variables`]), so two maps of
//!   one sort have the same.
//! - The index variables of a map occur free only inside it. Maps inside it are lower, so theirs are
//!   other variables.
//!
//! An element of a map of one height that is put into a map of another must be renamed, and no index may
//! be captured by a map inside. Both are looked at here and not trusted: where they do not hold there is
//! no value, which makes the term unknown.

use std::collections::BTreeSet;
use std::sync::Arc;

use ir::{DatatypeDef, Op, Sort, Substitution, Term, Var};

use super::shape::Shape;

/// A value whose maps are functions.
#[derive(Clone, Debug)]
pub(crate) enum Low {
    /// A value without maps.
    Plain(Term),
    /// The element at the index `bound`.
    Map { bound: Arc<[Var]>, element: Arc<Low> },
    /// A value of a datatype with maps inside.
    Data(Arc<Data>),
}

/// A value of a datatype: which constructor, and the fields of all of them.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) def: Arc<DatatypeDef>,
    /// The number of the constructor; of a datatype with one, zero. A number out of range stands for
    /// the last one.
    pub(crate) ctor: Term,
    /// By constructor. Those of other constructors mean nothing.
    pub(crate) fields: Vec<Vec<Low>>,
}

/// The variables at which maps of a height are given.
pub(super) fn index_variables(height: usize, indices: &[Sort]) -> Arc<[Var]> {
    let variable = |(nth, sort): (usize, &Sort)| {
        // No name of a program holds a space.
        Var::new(format!("at {height} {nth}"), sort.clone())
    };
    indices.iter().enumerate().map(variable).collect()
}

impl Low {
    pub(super) fn plain(&self) -> Option<&Term> {
        if let Low::Plain(term) = self { Some(term) } else { None }
    }

    /// The element of a map.
    pub(super) fn at(&self, index: &[Term]) -> Option<Low> {
        let Low::Map { bound, element } = self else { return None };
        if bound.len() != index.len() {
            return None;
        }
        let same = bound.iter().zip(index).all(|(var, term)| term.as_var() == Some(var));
        if same {
            return Some(element.as_ref().clone());
        }
        element.with(bound.iter().cloned().zip(index.iter().cloned()).collect())
    }

    /// The value with variables replaced, unless a map inside would capture one of the new terms.
    pub(super) fn with(&self, pairs: Vec<(Var, Term)>) -> Option<Low> {
        let mut own = BTreeSet::new();
        self.index_variables_inside(&mut own);
        let is_own = |var: &Var| own.contains(var);
        let captures = |(key, term): &(Var, Term)| {
            is_own(key) || (!own.is_empty() && ir::free_vars(term).iter().any(is_own))
        };
        if pairs.iter().any(captures) {
            return None;
        }
        Some(self.replaced(&mut Substitution::of_vars(pairs)))
    }

    fn index_variables_inside(&self, found: &mut BTreeSet<Var>) {
        match self {
            Low::Plain(_) => {}
            Low::Map { bound, element } => {
                found.extend(bound.iter().cloned());
                element.index_variables_inside(found);
            }
            Low::Data(data) => {
                data.fields.iter().flatten().for_each(|it| it.index_variables_inside(found));
            }
        }
    }

    /// The same map, given at other variables.
    pub(super) fn given_at(&self, bound: &Arc<[Var]>) -> Option<Low> {
        let index: Vec<Term> = bound.iter().cloned().map(Term::var).collect();
        Some(Low::Map { bound: Arc::clone(bound), element: Arc::new(self.at(&index)?) })
    }

    fn replaced(&self, by: &mut Substitution) -> Low {
        match self {
            Low::Plain(term) => Low::Plain(by.apply(term)),
            Low::Map { bound, element } => {
                Low::Map { bound: Arc::clone(bound), element: Arc::new(element.replaced(by)) }
            }
            Low::Data(data) => {
                let all = |fields: &Vec<Low>| fields.iter().map(|it| it.replaced(by)).collect();
                let fields = data.fields.iter().map(all).collect();
                let (def, ctor) = (Arc::clone(&data.def), by.apply(&data.ctor));
                Low::Data(Arc::new(Data { def, ctor, fields }))
            }
        }
    }

    /// "The two are the same value."
    pub(super) fn equals(&self, other: &Low) -> Option<Term> {
        match (self, other) {
            (Low::Plain(left), Low::Plain(right)) => Some(Term::eq(left.clone(), right.clone())),
            (Low::Map { bound, element: left }, Low::Map { bound: other, element: right })
                if bound == other =>
            {
                let bounds = bound.iter().cloned().map(ir::Bound::plain).collect();
                let same = left.equals(right)?;
                Some(if same.is_literal() || bound.is_empty() {
                    same
                } else {
                    Term::forall(bounds, same)
                })
            }
            (Low::Data(left), Low::Data(right)) => left.equals(right),
            (Low::Plain(_) | Low::Map { .. } | Low::Data(_), _) => None,
        }
    }

    /// `test ? yes : no`.
    pub(super) fn choose(test: &Term, yes: &Low, no: &Low) -> Option<Low> {
        Some(match (yes, no) {
            (Low::Plain(yes), Low::Plain(no)) => {
                Low::Plain(Term::ite(test.clone(), yes.clone(), no.clone()))
            }
            (Low::Map { bound, element: yes }, Low::Map { bound: other, element: no })
                if bound == other =>
            {
                let element = Arc::new(Low::choose(test, yes, no)?);
                Low::Map { bound: Arc::clone(bound), element }
            }
            (Low::Data(yes), Low::Data(no)) => {
                let ctor = Term::ite(test.clone(), yes.ctor.clone(), no.ctor.clone());
                let all = |(yes, no): (&Vec<Low>, &Vec<Low>)| -> Option<Vec<Low>> {
                    yes.iter().zip(no).map(|(yes, no)| Low::choose(test, yes, no)).collect()
                };
                let fields: Option<Vec<_>> = yes.fields.iter().zip(&no.fields).map(all).collect();
                Low::Data(Arc::new(Data { def: Arc::clone(&yes.def), ctor, fields: fields? }))
            }
            (Low::Plain(_) | Low::Map { .. } | Low::Data(_), _) => return None,
        })
    }

    /// The value of `shape` made of a leaf for each part without maps: `leaf` gets the path to it, its
    /// sort, and the indices on the way.
    pub(super) fn of_leaves(
        shape: &Shape,
        sort: &Sort,
        (path, indices): (&str, &[Var]),
        leaf: &mut dyn FnMut(&str, &Sort, &[Var]) -> Term,
    ) -> Low {
        match shape {
            Shape::Plain => Low::Plain(leaf(path, sort, indices)),
            Shape::Map { indices: own, element, element_sort, height } => {
                let bound = index_variables(*height, own);
                let all: Vec<Var> = indices.iter().chain(bound.iter()).cloned().collect();
                let element = Low::of_leaves(element, element_sort, (path, &all), leaf);
                Low::Map { bound, element: Arc::new(element) }
            }
            Shape::Data { def, ctors } => {
                let ctor = if ctors.len() == 1 {
                    Term::int(0)
                } else {
                    leaf(&format!("{path} is"), &Sort::Int, indices)
                };
                let field =
                    |nth: usize,
                     at: usize,
                     shape: &Shape,
                     leaf: &mut dyn FnMut(&str, &Sort, &[Var]) -> Term| {
                        let sort = &def.ctors()[nth].fields[at].1;
                        Low::of_leaves(shape, sort, (&format!("{path} {nth}.{at}"), indices), leaf)
                    };
                let mut fields = Vec::new();
                for (nth, shapes) in ctors.iter().enumerate() {
                    let own =
                        shapes.iter().enumerate().map(|(at, shape)| field(nth, at, shape, leaf));
                    fields.push(own.collect());
                }
                Low::Data(Arc::new(Data { def: Arc::clone(def), ctor, fields }))
            }
        }
    }
}

impl Data {
    /// "The value was built by the constructor `nth`."
    pub(super) fn is(&self, nth: usize) -> Term {
        let is = |nth: usize| Term::eq(self.ctor.clone(), Term::int(nth));
        if nth + 1 < self.fields.len() {
            return is(nth);
        }
        Term::and((0..nth).map(|other| Term::not(is(other))))
    }

    fn equals(&self, other: &Data) -> Option<Term> {
        let mut facts = Vec::new();
        for (nth, (ours, theirs)) in self.fields.iter().zip(&other.fields).enumerate() {
            let same: Option<Vec<Term>> =
                ours.iter().zip(theirs).map(|(a, b)| a.equals(b)).collect();
            let built = self.is(nth);
            facts.push(Term::eq(built.clone(), other.is(nth)));
            facts.push(Term::implies(built, Term::and(same?)));
        }
        Some(Term::and(facts))
    }

    /// The value of a constructor as a term, if it is known which.
    pub(super) fn built(def: &Arc<DatatypeDef>, nth: usize, fields: Vec<Vec<Low>>) -> Low {
        Low::Data(Arc::new(Data { def: Arc::clone(def), ctor: Term::int(nth), fields }))
    }
}

/// The operator that a pointwise operation applies to elements.
pub(super) fn elementwise(op: ir::PointwiseOp) -> Op {
    use ir::PointwiseOp as P;
    match op {
        P::And => Op::And,
        P::Or => Op::Or,
        P::Not => Op::Not,
        P::Implies => Op::Implies,
        P::Iff | P::Eq => Op::Eq,
        P::Ite => Op::Ite,
        P::Add => Op::Add,
        P::Sub => Op::Sub,
        P::Mul => Op::Mul,
        P::Div => Op::IntDiv,
        P::Mod => Op::IntMod,
        P::Gt => Op::Gt,
        P::Ge => Op::Ge,
        P::Lt => Op::Lt,
        P::Le => Op::Le,
    }
}
