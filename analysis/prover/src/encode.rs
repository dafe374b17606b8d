//! From a question to a script of SMT-LIB that is unsatisfiable only if the answer is yes.
//!
//! **In:** a [`Question`]. **Out:** a [`Script`], and what is needed to read a model of it.
//!
//! The steps, each in its own module: [`vc`] makes one formula of the program, [`ir::prune`]
//! drops axioms that cannot matter, [`lambda`] lifts comprehensions, [`pool`] instantiates
//! quantifiers from pools, [`names`] and [`print`] write the result down. [`lower`] makes another script
//! of the same formula, without maps, pools and lifted comprehensions.
//!
//! # Soundness
//! Each step turns "these facts imply this goal" into a statement that implies it. A question
//! with an ill-sorted term or with something that has no encoding is [`Unsupported`].

pub(crate) mod lambda;
pub(crate) mod lower;
pub(crate) mod names;
pub(crate) mod pool;
pub(crate) mod print;
pub(crate) mod rewrite;
mod strengthen;
pub(crate) mod vc;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod pinned;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Arc;

use ir::{FuncSym, Item, Op, PoolHint, Question, Sort, Term, Var};

use lambda::Lifted;
use lower::Lowering;
use lower::reading::{Layout, Part, Reading, layout};
use names::Names;
use print::Printer;
use vc::{Correctness, correctness};

/// Changes whenever a script for the same question, or the reading of answers, changes.
pub const ENCODER_VERSION: u32 = 8;

/// The question uses something that has no encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) String);

/// A script and the key to its models.
pub(crate) struct Script {
    /// Declarations and assertions; no options, no commands.
    pub(crate) text: String,
    pub(crate) names: Names,
    pub(crate) correctness: Correctness,
    /// The quantifiers by the number in their `qid`.
    pub(crate) quantifiers: Vec<Term>,
    /// True if nothing is left to ask.
    pub(crate) trivial: bool,
    /// True if a model of the script is a failing run; otherwise it is a candidate.
    pub(crate) exact: bool,
    /// True if some quantifiers are left to their patterns, so that a model need not satisfy them.
    pub(crate) by_patterns: bool,
    /// For a script in which maps are functions.
    lowering: Option<RefCell<Lowering>>,
}

pub(crate) fn encode(question: &Question) -> Result<Script, Unsupported> {
    if question.is_ill_formed() {
        return Err(Unsupported("an ill-sorted term".to_owned()));
    }
    let correctness = correctness(&question.passive);
    let formula = correctness.formula.clone();
    Script::new(question, correctness, &formula)
}

/// A script whose unsatisfiability also means yes, but whose models mean nothing; `None` if it
/// would be the same script.
pub(crate) fn encode_stronger(
    question: &Question,
    full: &Script,
) -> Result<Option<Script>, Unsupported> {
    let Some(goal) = strengthen::strengthen(&full.correctness.formula) else { return Ok(None) };
    Script::new(question, full.correctness.clone(), &goal).map(Some)
}

/// The script with maps lowered to functions; `None` if that cannot be said, or gets too large.
pub(crate) fn encode_lowered(question: &Question, full: &Script) -> Option<Script> {
    let pruned = ir::prune(question);
    let goal = &full.correctness.formula;
    let mut lowering = Lowering::new(&question.signature, question.terms().chain([goal]));
    let lowered = lower::lower(&mut lowering, &pruned, goal)?;
    let mut script = Script::empty(full.correctness.clone());
    script.exact = lowering.is_exact();
    script.trivial = lowered.goal.is_true();
    let facts = Facts { assumptions: lowered.assumptions, goal: lowered.goal, exact: script.exact };
    script.lowering = Some(RefCell::new(lowering));
    if !script.trivial {
        script.write(question, &facts).ok()?;
    }
    (script.text.len() <= MOST_LOWERED).then_some(script)
}

/// A longer lowered script is not worth asking.
const MOST_LOWERED: usize = 2_000_000;

/// What is asserted.
struct Facts {
    assumptions: Vec<Term>,
    goal: Term,
    exact: bool,
}

impl Facts {
    fn of(question: &Question, formula: &Term) -> Facts {
        let question = &ir::prune(question);
        let distinct = question.distinct.iter();
        let distinct: Vec<Term> =
            distinct.map(|group| Term::app(Op::Distinct, group.clone())).collect();
        let mut lifted = Lifted::default();
        let mut goal = lifted.lift(formula);
        let mut exact = true;
        let mut assumptions: Vec<Term> =
            question.axioms.iter().chain(&distinct).map(|fact| lifted.lift(fact)).collect();
        let seeds: Vec<PoolHint> =
            hints(question).map(|hint| lift_hint(&mut lifted, hint)).collect();
        if let Some(instantiated) = pool::instantiate(&goal, &seeds, &lifted.definitions) {
            goal = instantiated.goal;
            exact = instantiated.exact;
            assumptions.extend(instantiated.facts);
        }
        assumptions.extend(lifted.definitions.iter().map(lambda::Definition::axiom));
        Facts { assumptions, goal, exact }
    }
}

fn hints(question: &Question) -> impl Iterator<Item = &PoolHint> {
    let items = question.passive.blocks().iter().flat_map(|block| &block.items);
    items.flat_map(|item| match item {
        Item::Assume { hints, .. } | Item::Assert { hints, .. } => hints.as_slice(),
        Item::Capture(_) => &[],
    })
}

fn lift_hint(lifted: &mut Lifted, hint: &PoolHint) -> PoolHint {
    let terms = hint.terms.iter().map(|term| lifted.lift(term)).collect();
    PoolHint { label: hint.label.clone(), terms }
}

impl Script {
    fn empty(correctness: Correctness) -> Script {
        Script {
            text: String::new(),
            names: Names::default(),
            correctness,
            quantifiers: Vec::new(),
            trivial: false,
            exact: true,
            by_patterns: false,
            lowering: None,
        }
    }

    /// The script for a goal that implies the correctness of the question.
    fn new(
        question: &Question,
        correctness: Correctness,
        goal: &Term,
    ) -> Result<Script, Unsupported> {
        let mut script = Script::empty(correctness);
        script.trivial = goal.is_true();
        if !script.trivial {
            let facts = Facts::of(question, goal);
            script.exact = facts.exact;
            script.write(question, &facts)?;
        }
        Ok(script)
    }

    fn write(&mut self, question: &Question, facts: &Facts) -> Result<(), Unsupported> {
        let mut roots: Vec<Term> = Vec::with_capacity(facts.assumptions.len() + 1);
        // The goal first: its variables get the small numbers.
        roots.push(facts.goal.clone());
        roots.extend(facts.assumptions.iter().cloned());
        // Simplification may have removed choices that the reading of models asks for.
        let choices = self.correctness.exits.iter().flat_map(|exits| exits.choices.iter().cloned());
        roots.extend(choices);
        print::see(&mut self.names, &question.signature, &roots)?;
        let mut text = self.names.declarations()?;
        let mut printer = Printer::new(&self.names);
        for fact in &facts.assumptions {
            let _ = writeln!(text, "(assert {})", printer.print(fact)?);
        }
        let _ = writeln!(text, "(assert (not {}))", printer.print(&facts.goal)?);
        self.quantifiers = printer.quantifiers;
        self.by_patterns = printer.by_patterns;
        self.text = text;
        Ok(())
    }

    /// The text of a term over names of the script.
    pub(crate) fn term(&self, term: &Term) -> Result<String, Unsupported> {
        let mut printer = Printer::new(&self.names);
        match &self.lowering {
            None => printer.print(term),
            Some(lowering) => match lowering.borrow_mut().plain(term) {
                Some(lowered) => printer.print(&lowered),
                None => Err(Unsupported("a term with maps that cannot be lowered".to_owned())),
            },
        }
    }

    /// How the value of a term is asked for; `None` if the script says nothing about it.
    pub(crate) fn reading(&self, term: &Term) -> Option<Reading> {
        let Some(lowering) = &self.lowering else {
            return Some(Reading::whole(term.sort().clone(), self.term(term).ok()?));
        };
        let low = lowering.borrow_mut().lower(term)?;
        let mut parts = Vec::new();
        let layout = layout(&low, &[], &mut parts);
        let printed = |part: &Part| {
            let mut printer = Printer::new(&self.names);
            let text = printer.function(&part.indices, &part.term).ok();
            (part.sort(), text)
        };
        Some(Reading::new(layout, parts.iter().map(printed).collect()))
    }

    /// How the whole of a function of values without maps is asked for.
    pub(crate) fn reading_of_function(&self, function: &Arc<FuncSym>) -> Option<Reading> {
        let own = |(nth, sort): (usize, &Sort)| Var::new(format!("argument {nth}"), sort.clone());
        let args: Vec<Var> = function.args.iter().enumerate().map(own).collect();
        let call = Term::func(function, args.iter().cloned().map(Term::var).collect());
        let mut printer = Printer::new(&self.names);
        let sort = |result: &Sort| Sort::array(function.args.clone(), result.clone());
        let Some(lowering) = &self.lowering else {
            return Some(Reading::whole(sort(call.sort()), printer.function(&args, &call).ok()?));
        };
        let low = lowering.borrow_mut().lower(&call)?;
        let mut parts = Vec::new();
        let inner = layout(&low, &args, &mut parts);
        let printed = |part: &Part| {
            Some((part.sort(), Some(printer.function(&part.indices, &part.term).ok()?)))
        };
        let parts = parts.iter().map(printed).collect::<Option<_>>()?;
        Some(Reading::new(Layout::Map(args.len(), Box::new(inner)), parts))
    }
}
