//! Weakest preconditions of acyclic programs, one formula per assertion.
//!
//! **In:** an acyclic [`Program`], and the variables that the result must not mention.
//! **Out:** for each assertion (and for a postcondition, if given) the condition on the
//! entry state under which every run that reaches it finds it true.
//!
//! ```text
//! wp(assert e, post)   =  e as its own conjunct;  post unchanged
//! wp(assume e, post)   =  e ==> post
//! wp(x := e, post)     =  post[x := e]
//! wp(havoc x, post)    =  forall x :: post
//! wp(fork, post)       =  the conjunction over the successors
//! ```
//!
//! Conjuncts are kept apart per assertion, not per path: after a join the same assertion
//! is one conjunct whose paths share subterms. Conditionals are folded first (see
//! [`crate::convert`]), so a chain of them does not double the formula each time.
//!
//! # Soundness
//! Assertions do not protect later ones here: each conjunct is required on its own, so
//! their conjunction is the weakest condition under which no assertion fails. Closing
//! universally over a variable demands the condition for each of its values.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    command::{AssertId, Block, Command, Program, ProgramError},
    convert::if_convert,
    op::Op,
    subst::{Substitution, free_vars},
    symbol::Symbol,
    term::{Bound, PoolHint, Quant, QuantKind, Term, Var},
};

/// What a conjunct stems from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// An assertion of the program.
    Assert(AssertId),
    /// The postcondition.
    Post,
}

/// One part of a weakest precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunct {
    /// Where it stems from.
    pub origin: Origin,
    /// The condition on the entry state.
    pub term: Term,
    /// Pool instances gathered on the way, over the entry state.
    pub hints: Vec<PoolHint>,
}

/// How to close a formula over variables.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// Locals and outputs: the result holds for all their values at the entry.
    pub vars: BTreeSet<Var>,
    /// Pools of variables, inherited when a variable becomes bound.
    pub pools: BTreeMap<Var, Vec<Symbol>>,
}

/// The gate: one conjunct per assertion that can fail, in the order of the program.
pub fn gate(program: &Program, closing: &Closing) -> Result<Vec<Conjunct>, ProgramError> {
    weakest(program, None, closing)
}

/// The condition under which no assertion fails and `post` holds at every end.
pub fn precondition(
    program: &Program,
    post: &Term,
    closing: &Closing,
) -> Result<Term, ProgramError> {
    let conjuncts = weakest(program, Some(post), closing)?;
    Ok(Term::and(conjuncts.into_iter().map(|conjunct| conjunct.term)))
}

/// All conjuncts that are not trivially true, assertions in program order, then the
/// postcondition.
pub fn weakest(
    program: &Program,
    post: Option<&Term>,
    closing: &Closing,
) -> Result<Vec<Conjunct>, ProgramError> {
    let program = if_convert(program)?;
    let order = program.topological_order()?;
    let mut entries: Vec<Conjuncts> = vec![Conjuncts::new(); program.blocks.len()];
    for (nth, id) in order.iter().enumerate().rev() {
        let block = &program.blocks[id.index()];
        let exit = join(block, &entries, post);
        entries[id.index()] = through(block, nth, exit, closing);
    }
    let entry = std::mem::take(&mut entries[program.entry.index()]);
    let closed = entry.into_values().map(|conjunct| close(conjunct, &closing.vars, closing));
    Ok(closed.filter(|conjunct| !conjunct.term.is_true()).collect())
}

/// An occurrence of an assertion: block in order, command; the postcondition comes last.
type Place = (usize, usize);
type Conjuncts = BTreeMap<Place, Conjunct>;

const POST: Place = (usize::MAX, 0);

/// What must hold at the end of a block.
fn join(block: &Block, entries: &[Conjuncts], post: Option<&Term>) -> Conjuncts {
    let mut joined = Conjuncts::new();
    if let (true, Some(post)) = (block.successors.is_empty(), post) {
        joined.insert(POST, Conjunct { origin: Origin::Post, term: post.clone(), hints: vec![] });
    }
    for next in &block.successors {
        for (place, other) in &entries[next.index()] {
            match joined.get_mut(place) {
                None => _ = joined.insert(*place, other.clone()),
                Some(own) => {
                    own.term = both(&own.term, &other.term);
                    let new = other.hints.iter().filter(|hint| !own.hints.contains(hint));
                    let new: Vec<PoolHint> = new.cloned().collect();
                    own.hints.extend(new);
                }
            }
        }
    }
    joined
}

/// Conjunction; `(c ==> a) and (!c ==> a)` is just `a`.
fn both(left: &Term, right: &Term) -> Term {
    if let (Some(one), Some(two)) = (left.args_of(&Op::Implies), right.args_of(&Op::Implies))
        && one[1] == two[1]
        && Term::and([one[0].clone(), two[0].clone()]).is_false()
        && Term::or([one[0].clone(), two[0].clone()]).is_true()
    {
        return one[1].clone();
    }
    Term::and([left.clone(), right.clone()])
}

/// What must hold at the start of a block, given what must hold at its end.
fn through(block: &Block, nth: usize, mut now: Conjuncts, closing: &Closing) -> Conjuncts {
    for (position, command) in block.commands.iter().enumerate().rev() {
        match command {
            Command::Assert { term, id, hints, .. } => {
                let origin = Origin::Assert(*id);
                now.insert(
                    (nth, position),
                    Conjunct { origin, term: term.clone(), hints: hints.clone() },
                );
            }
            Command::Assume { term, hints } => {
                for conjunct in now.values_mut() {
                    conjunct.term = Term::implies(term.clone(), conjunct.term.clone());
                    conjunct.hints.extend(hints.iter().cloned());
                }
            }
            Command::Assign(pairs) => {
                let mut substitution = Substitution::of_vars(pairs.iter().cloned());
                for conjunct in now.values_mut() {
                    conjunct.term = substitution.apply(&conjunct.term);
                    conjunct.hints = substitution.apply_hints(&conjunct.hints);
                }
            }
            Command::Havoc(vars) => {
                let vars: BTreeSet<Var> = vars.iter().cloned().collect();
                let closed =
                    now.into_iter().map(|(place, old)| (place, close(old, &vars, closing)));
                now = closed.collect();
            }
            Command::Capture(_) => {}
        }
        now.retain(|_, conjunct| !conjunct.term.is_true());
    }
    now
}

/// A condition is split into at most this many parts before it is closed.
const MOST_PARTS: usize = 32;

/// `forall vars :: conjunct`, over those that occur. Hints that mention them move inside.
///
/// The condition is split first, so that each part is closed over its own variables only: a pool
/// that has no instance for a variable of one part must not silence the others.
fn close(conjunct: Conjunct, vars: &BTreeSet<Var>, closing: &Closing) -> Conjunct {
    let Conjunct { origin, term, hints } = conjunct;
    let bound_in =
        |term: &Term| -> BTreeSet<Var> { free_vars(term).intersection(vars).cloned().collect() };
    let bound_in_hint =
        |hint: &PoolHint| -> BTreeSet<Var> { hint.terms.iter().flat_map(bound_in).collect() };
    let (inner, hints): (Vec<PoolHint>, Vec<PoolHint>) =
        hints.into_iter().partition(|hint| !bound_in_hint(hint).is_empty());
    let mut parts: Vec<Term> = split(&term);
    let fits = |part: &Term, hint: &PoolHint| bound_in_hint(hint).is_subset(&bound_in(part));
    if parts.len() > MOST_PARTS
        || inner.iter().any(|hint| !parts.iter().any(|part| fits(part, hint)))
    {
        parts = vec![term];
    }
    let whole = parts.len() == 1;
    let closed = parts.into_iter().map(|part| {
        let own = inner.iter().filter(|hint| whole || fits(&part, hint)).cloned();
        let own: Vec<PoolHint> = own.collect();
        let used: BTreeSet<Var> =
            own.iter().flat_map(bound_in_hint).chain(bound_in(&part)).collect();
        let bound = used
            .into_iter()
            .map(|var| Bound { pools: closing.pools.get(&var).cloned().unwrap_or_default(), var });
        Term::quant(Quant { hints: own, ..Quant::new(QuantKind::Forall, bound.collect(), part) })
    });
    Conjunct { origin, term: Term::and(closed), hints }
}

/// The conjuncts of a term, implications pushed inside: `a ==> (b && c)` is `a ==> b` and `a ==> c`.
fn split(term: &Term) -> Vec<Term> {
    let mut out = Vec::new();
    let mut todo: Vec<(Vec<Term>, Term)> = vec![(Vec::new(), term.clone())];
    while let Some((premises, term)) = todo.pop() {
        if out.len() + todo.len() > MOST_PARTS {
            return vec![term.clone(); MOST_PARTS + 1];
        }
        if let Some(parts) = term.args_of(&Op::And) {
            todo.extend(parts.iter().rev().map(|part| (premises.clone(), part.clone())));
        } else if let Some([premise, conclusion]) = term.args_of(&Op::Implies) {
            let more = premises.iter().chain([premise]).cloned().collect();
            todo.push((more, conclusion.clone()));
        } else {
            let nested = premises.into_iter().rev();
            out.push(nested.fold(term, |inner, premise| Term::implies(premise, inner)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use expect_test::{Expect, expect};

    use super::{Closing, gate, precondition};
    use crate::{
        command::{AssertId, Block, BlockId, Command, Program},
        samples::{b, i, ivar, m, n},
        subst::for_each_subterm,
        term::{PoolHint, Term, Var},
    };

    fn block(commands: Vec<Command>, successors: &[u32]) -> Block {
        let successors = successors.iter().map(|next| BlockId(*next)).collect();
        Block { commands, successors, ..Block::new("b") }
    }

    fn program(blocks: Vec<Block>) -> Program {
        Program { vars: vec![ivar("x"), ivar("y")], blocks, entry: BlockId(0) }
    }

    fn check(blocks: Vec<Block>, close: &[&str], expected: Expect) {
        let closing =
            Closing { vars: close.iter().map(|name| ivar(name)).collect(), ..Closing::default() };
        let mut text = String::new();
        for conjunct in gate(&program(blocks), &closing).unwrap() {
            text += &format!("{:?}: {}\n", conjunct.origin, conjunct.term);
        }
        expected.assert_eq(&text);
    }

    fn set(name: &str, term: Term) -> Command {
        Command::assign(ivar(name), term)
    }

    fn claim(term: Term, id: u32) -> Command {
        Command::assert(term, AssertId(id))
    }

    #[test]
    fn each_rule_does_what_the_table_says() {
        let commands = vec![
            claim(b("p"), 1),
            Command::assume(b("q")),
            set("x", Term::add(i("x"), n(1))),
            claim(Term::lt(i("x"), i("z")), 2),
            Command::Havoc(vec![ivar("x")]),
            claim(Term::lt(i("x"), n(3)), 3),
        ];
        check(
            vec![block(commands, &[])],
            &[],
            expect![[r#"
                Assert(AssertId(1)): p
                Assert(AssertId(2)): (=> q (< (+ x 1) z))
                Assert(AssertId(3)): (=> q (forall x: int :: (< x 3)))
            "#]],
        );
    }

    #[test]
    fn locals_are_closed_universally() {
        check(
            vec![block(vec![claim(Term::lt(i("x"), i("z")), 1)], &[])],
            &["x", "y"],
            expect![[r#"
                Assert(AssertId(1)): (forall x: int :: (< x z))
            "#]],
        );
    }

    #[test]
    fn an_assertion_after_a_conditional_is_one_conjunct() {
        let blocks = vec![
            block(vec![], &[1, 2]),
            block(vec![Command::assume(b("c")), set("x", n(1)), claim(b("p"), 1)], &[3]),
            block(vec![Command::assume(Term::not(b("c")))], &[3]),
            block(vec![claim(Term::lt(i("x"), i("z")), 2)], &[]),
        ];
        check(
            blocks,
            &[],
            expect![[r#"
                Assert(AssertId(1)): (=> c p)
                Assert(AssertId(2)): (< (ite c 1 x) z)
            "#]],
        );
    }

    #[test]
    fn a_free_choice_demands_both_ways() {
        let blocks = vec![
            block(vec![], &[1, 2]),
            block(vec![set("x", n(1))], &[3]),
            block(vec![set("x", n(2))], &[3]),
            block(vec![claim(Term::lt(i("x"), i("z")), 2)], &[]),
        ];
        check(
            blocks,
            &[],
            expect![[r#"
                Assert(AssertId(2)): (and (< 1 z) (< 2 z))
            "#]],
        );
    }

    #[test]
    fn hints_travel_with_their_conjunct_and_move_behind_binders() {
        let hint = |term: Term| PoolHint { label: "L".into(), terms: vec![term] };
        let commands = vec![
            set("y", n(5)),
            Command::Havoc(vec![ivar("x")]),
            Command::Assume { term: b("q"), hints: vec![hint(i("x")), hint(i("y"))] },
            claim(Term::lt(i("x"), i("z")), 1),
        ];
        let mut closing = Closing::default();
        closing.pools.insert(ivar("x"), vec!["L".into()]);
        let gate = gate(&program(vec![block(commands, &[])]), &closing).unwrap();
        assert_eq!(gate[0].hints, [hint(n(5))]);
        assert_eq!(gate[0].term.bound()[0].pools, ["L".into()]);
    }

    #[test]
    fn the_precondition_of_a_post_holds_at_every_end() {
        let blocks = vec![
            block(vec![claim(b("p"), 1)], &[1, 2]),
            block(vec![set("x", n(1))], &[]),
            block(vec![Command::assume(b("q"))], &[]),
        ];
        let post = Term::lt(i("x"), i("z"));
        let pre = precondition(&program(blocks), &post, &Closing::default()).unwrap();
        assert_eq!(pre.to_string(), "(and p (< 1 z) (=> q (< x z)))");
    }

    #[test]
    fn many_conditionals_in_a_row_stay_small() {
        let mut blocks = Vec::new();
        for nth in 0..60u32 {
            let c = Term::var(Var::new(format!("c{nth}"), crate::sort::Sort::Bool));
            let write = |value: i64| {
                Command::assign(
                    m("m").as_var().unwrap().clone(),
                    Term::store(m("m"), i("x"), n(value)),
                )
            };
            let at = 3 * nth;
            blocks.push(block(vec![], &[at + 1, at + 2]));
            blocks.push(block(
                vec![Command::assume(c.clone()), write(1), set("x", Term::add(i("x"), n(1)))],
                &[at + 3],
            ));
            blocks.push(block(vec![Command::assume(Term::not(c)), write(2)], &[at + 3]));
        }
        blocks.push(block(vec![claim(Term::lt(Term::select(m("m"), i("y")), i("z")), 1)], &[]));
        let mut program = program(blocks);
        program.vars.push(m("m").as_var().unwrap().clone());
        let closing = Closing { vars: BTreeSet::new(), ..Closing::default() };
        let gate = gate(&program, &closing).unwrap();
        let mut size = 0;
        for_each_subterm([&gate[0].term], |_| size += 1);
        assert!(size < 1000, "{size}");
    }
}
