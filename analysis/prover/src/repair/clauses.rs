//! Assumptions as clauses: what can be changed to make one true.
//!
//! **In:** a term. **Out:** clauses, each of which says that for all values of its variables one of its literals
//! holds. All of them together imply the term; what has no such form becomes a literal as it is.

use ir::{Op, QuantKind, Substitution, Term, TermKind, Var};

/// For all values of the variables, one of the literals.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    pub(super) bound: Vec<Var>,
    pub(super) literals: Vec<Literal>,
}

/// A term that is to be true, or false.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) atom: Term,
    pub(super) holds: bool,
}

/// More clauses than this are not made of one part.
const MOST: usize = 24;

/// The clauses of a term.
pub(super) fn clauses(term: &Term, holds: bool) -> Vec<Clause> {
    let literal = || vec![Clause { bound: Vec::new(), literals: vec![own(term, holds)] }];
    match term.kind() {
        TermKind::App(Op::Not, args) => clauses(&args[0], !holds),
        TermKind::App(Op::And, args) if holds => all(args, true),
        TermKind::App(Op::Or, args) if !holds => all(args, false),
        TermKind::App(Op::And, args) => any(args.iter().map(|arg| (arg, false))),
        TermKind::App(Op::Or, args) => any(args.iter().map(|arg| (arg, true))),
        TermKind::App(Op::Implies, args) => match (holds, &args[..]) {
            (true, [premise, conclusion]) => {
                any([(premise, false), (conclusion, true)].into_iter())
            }
            (false, [premise, conclusion]) => {
                [clauses(premise, true), clauses(conclusion, false)].concat()
            }
            _other => literal(),
        },
        TermKind::Quant(quant) if holds == (quant.kind == QuantKind::Forall) => {
            let mut found = clauses(&quant.body, holds);
            for clause in &mut found {
                clause.bound.extend(quant.bound.iter().map(|bound| bound.var.clone()));
            }
            found
        }
        TermKind::Var(_) | TermKind::App(..) | TermKind::Quant(_) | TermKind::Lambda(_) => {
            literal()
        }
        TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => literal(),
    }
}

fn own(term: &Term, holds: bool) -> Literal {
    Literal { atom: term.clone(), holds }
}

fn all(args: &[Term], holds: bool) -> Vec<Clause> {
    args.iter().flat_map(|arg| clauses(arg, holds)).collect()
}

/// One clause for each choice of a clause of each part.
fn any<'t>(parts: impl Iterator<Item = (&'t Term, bool)>) -> Vec<Clause> {
    let mut found = vec![Clause::default()];
    for (part, holds) in parts {
        let mut own = clauses(part, holds);
        if own.len() * found.len() > MOST {
            let literals = vec![self::own(part, holds)];
            own = vec![Clause { bound: Vec::new(), literals }];
        }
        let mut longer = Vec::new();
        for clause in &found {
            for more in &own {
                let mut both = clause.clone();
                both.bound.extend(more.bound.iter().cloned());
                both.literals.extend(more.literals.iter().cloned());
                longer.push(both);
            }
        }
        found = longer;
    }
    found
}

impl Literal {
    pub(super) fn term(&self) -> Term {
        if self.holds { self.atom.clone() } else { Term::not(self.atom.clone()) }
    }
}

impl Clause {
    /// The clause about these values only.
    pub(super) fn renamed(&self, values: &[Var]) -> Clause {
        let values = values.iter().cloned().map(Term::var);
        let mut here = Substitution::of_vars(self.bound.iter().cloned().zip(values));
        let mut literal = |it: &Literal| Literal { atom: here.apply(&it.atom), holds: it.holds };
        Clause { bound: Vec::new(), literals: self.literals.iter().map(&mut literal).collect() }
    }

    /// The clause without its quantifier.
    pub(super) fn body(&self) -> Term {
        Term::or(self.literals.iter().map(Literal::term))
    }
}
