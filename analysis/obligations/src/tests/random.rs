//! Small random actions: what the checks say is what trying everything says.
//!
//! Variables are Boolean, so an action is a finite relation, and the meaning of each check can be
//! computed from its definition (verification.md 4.4) without any formula.

use std::collections::BTreeSet;
use std::fmt::Write;

use base::Name;

use super::{Database, program, verdicts};
use crate::{Pair, UnitKey, units};

/// Globals, then the input, the output and a local of an action.
const VARS: [&str; 6] = ["p", "q", "r", "i", "o", "l"];
const GLOBALS: usize = 3;
const INPUT: usize = 3;
const OUTPUT: usize = 4;

/// The values of all variables, one bit each.
type State = u8;

enum Expr {
    Var(usize),
    Const(bool),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

enum Stmt {
    Assign(usize, Expr),
    Assume(Expr),
    Assert(Expr),
    Havoc(usize),
    /// Without a condition, by chance.
    If(Option<Expr>, Vec<Stmt>, Vec<Stmt>),
}

/// Numbers that look random and are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }

    fn expr(&mut self, depth: usize) -> Expr {
        let kind = if depth < 2 { self.below(7) } else { self.below(4) };
        match kind {
            0 => Expr::Const(self.below(2) == 0),
            1..=3 => Expr::Var(self.below(VARS.len())),
            4 => Expr::Not(Box::new(self.expr(depth + 1))),
            _other => {
                let op = ["&&", "||", "<==>"][self.below(3)];
                let (left, right) = (self.expr(depth + 1), self.expr(depth + 1));
                Expr::Binary(op, Box::new(left), Box::new(right))
            }
        }
    }

    /// A variable that an action may write: not its input.
    fn target(&mut self) -> usize {
        [0, 1, 2, 4, 5][self.below(5)]
    }

    fn body(&mut self, depth: usize, most: usize) -> Vec<Stmt> {
        let count = self.below(most + 1);
        (0..count).map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.below(if depth < 2 { 9 } else { 7 }) {
            0..=2 => Stmt::Assign(self.target(), self.expr(0)),
            3 | 4 => Stmt::Assume(self.expr(0)),
            5 => Stmt::Assert(self.expr(0)),
            6 => Stmt::Havoc(self.target()),
            7 => {
                let condition = self.expr(0);
                Stmt::If(Some(condition), self.body(depth + 1, 2), self.body(depth + 1, 1))
            }
            _other => Stmt::If(None, self.body(depth + 1, 2), self.body(depth + 1, 1)),
        }
    }
}

fn write_expr(expr: &Expr) -> String {
    match expr {
        Expr::Var(var) => VARS[*var].to_owned(),
        Expr::Const(value) => value.to_string(),
        Expr::Not(part) => format!("!({})", write_expr(part)),
        Expr::Binary(op, left, right) => {
            format!("(({}) {op} ({}))", write_expr(left), write_expr(right))
        }
    }
}

fn write_body(body: &[Stmt]) -> String {
    let mut out = String::new();
    for stmt in body {
        let _ = match stmt {
            Stmt::Assign(var, expr) => write!(out, "{} := {}; ", VARS[*var], write_expr(expr)),
            Stmt::Assume(expr) => write!(out, "assume {}; ", write_expr(expr)),
            Stmt::Assert(expr) => write!(out, "assert {}; ", write_expr(expr)),
            Stmt::Havoc(var) => write!(out, "havoc {}; ", VARS[*var]),
            Stmt::If(condition, yes, no) => {
                let condition = condition.as_ref().map_or("*".to_owned(), write_expr);
                let (yes, no) = (write_body(yes), write_body(no));
                write!(out, "if ({condition}) {{ {yes}}} else {{ {no}}} ")
            }
        };
    }
    out
}

fn get(state: State, var: usize) -> bool {
    state >> var & 1 == 1
}

fn set(state: State, var: usize, value: bool) -> State {
    state & !(1 << var) | State::from(value) << var
}

fn value(expr: &Expr, state: State) -> bool {
    match expr {
        Expr::Var(var) => get(state, *var),
        Expr::Const(value) => *value,
        Expr::Not(part) => !value(part, state),
        Expr::Binary(op, left, right) => {
            let (left, right) = (value(left, state), value(right, state));
            match *op {
                "&&" => left && right,
                "||" => left || right,
                _equal => left == right,
            }
        }
    }
}

/// The states in which a body can end; `failed` if an assertion can fail on the way.
fn run(body: &[Stmt], start: BTreeSet<State>, failed: &mut bool) -> BTreeSet<State> {
    let mut now = start;
    for stmt in body {
        now = match stmt {
            Stmt::Assign(var, expr) => {
                now.into_iter().map(|it| set(it, *var, value(expr, it))).collect()
            }
            Stmt::Assume(expr) => now.into_iter().filter(|it| value(expr, *it)).collect(),
            Stmt::Assert(expr) => {
                *failed |= now.iter().any(|it| !value(expr, *it));
                now
            }
            Stmt::Havoc(var) => {
                let both = |it: State| [set(it, *var, false), set(it, *var, true)];
                now.into_iter().flat_map(both).collect()
            }
            Stmt::If(condition, yes, no) => {
                let holds = |it: &State| condition.as_ref().is_none_or(|c| value(c, *it));
                let fails = |it: &State| condition.as_ref().is_none_or(|c| !value(c, *it));
                let then = now.iter().copied().filter(holds).collect();
                let other = now.iter().copied().filter(fails).collect();
                let mut ends = run(yes, then, failed);
                ends.extend(run(no, other, failed));
                ends
            }
        };
    }
    now
}

struct Action {
    name: &'static str,
    mover: &'static str,
    body: Vec<Stmt>,
}

/// Does no assertion fail, and which globals and outputs are possible?
type Outcome = (bool, BTreeSet<(State, bool)>);

impl Action {
    fn text(&self) -> String {
        let Action { name, mover, body } = self;
        let head = format!("{mover} action {{:layer 1}} {name}(i: bool) returns (o: bool)");
        format!("{head}\n{{ var l: bool; {}}}\n", write_body(body))
    }

    /// From these globals, with this input; output and local start with any value.
    fn outcome(&self, globals: State, input: bool) -> Outcome {
        let start = set(globals, INPUT, input);
        let start = (0..4).map(|chance: State| start | chance << OUTPUT).collect();
        let mut failed = false;
        let ends = run(&self.body, start, &mut failed);
        let ends = ends.into_iter().map(|end| (end % (1 << GLOBALS), get(end, OUTPUT))).collect();
        (!failed, ends)
    }
}

/// All globals and inputs of two actions.
fn situations() -> impl Iterator<Item = (State, bool, bool)> {
    (0..1 << (GLOBALS + 2)).map(|it: State| (it % (1 << GLOBALS), get(it, 3), get(it, 4)))
}

fn commutes(a: &Action, b: &Action) -> bool {
    situations().all(|(now, i, j)| {
        let ((gate_a, after_a), (gate_b, after_b)) = (a.outcome(now, i), b.outcome(now, j));
        let other: BTreeSet<(State, bool, bool)> = after_b
            .iter()
            .flat_map(|(mid, y)| a.outcome(*mid, i).1.into_iter().map(|(end, x)| (end, x, *y)))
            .collect();
        let mut ends = after_a.iter().flat_map(|(mid, x)| {
            b.outcome(*mid, j).1.into_iter().map(|(end, y)| (end, *x, y)).collect::<Vec<_>>()
        });
        !(gate_a && gate_b) || ends.all(|end| other.contains(&end))
    })
}

fn gate_survives(a: &Action, b: &Action) -> bool {
    situations().all(|(now, i, j)| {
        let ((gate_a, _), (gate_b, after)) = (a.outcome(now, i), b.outcome(now, j));
        !(gate_a && gate_b) || after.iter().all(|(end, _)| a.outcome(*end, i).0)
    })
}

fn failure_survives(a: &Action, b: &Action) -> bool {
    situations().all(|(now, i, j)| {
        let ((gate_a, _), (gate_b, after)) = (a.outcome(now, i), b.outcome(now, j));
        gate_a || !gate_b || after.iter().any(|(end, _)| !a.outcome(*end, i).0)
    })
}

fn never_blocks(a: &Action) -> bool {
    situations().all(|(now, i, _)| {
        let (gate, after) = a.outcome(now, i);
        !gate || !after.is_empty()
    })
}

/// May the check be proved, and may it be refuted, by its definition?
fn expected(actions: &[Action; 2], key: &UnitKey) -> Option<(bool, bool)> {
    let of = |name: &Name| actions.iter().find(|action| *name == action.name);
    let both = |pair: &Pair| of(&pair.first).zip(of(&pair.second));
    let holds = match key {
        UnitKey::Commutativity(pair) => both(pair).map(|(a, b)| commutes(a, b)),
        UnitKey::GatePreservation(pair) => both(pair).map(|(a, b)| gate_survives(a, b)),
        UnitKey::FailurePreservation(pair) => {
            let (a, b) = both(pair)?;
            let holds = failure_survives(a, b);
            // That the left mover has an outcome is a check of its own.
            return Some((holds || !never_blocks(b), !holds));
        }
        UnitKey::Nonblocking(name, _) => of(name).map(never_blocks),
        UnitKey::Plain(_)
        | UnitKey::GateSufficiency(_)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::StepNoninterference(..)
        | UnitKey::Invariant(..)
        | UnitKey::Refinement(..) => None,
    };
    holds.map(|holds| (holds, !holds))
}

fn random_program(seed: u64) -> ([Action; 2], String) {
    let mut random = Random(seed);
    let mover = ["left", "right", "both"][random.below(3)];
    let first = Action { name: "X", mover: "atomic", body: random.body(0, 4) };
    let second = Action { name: "Y", mover, body: random.body(0, 4) };
    let mut text = String::new();
    for var in &VARS[..GLOBALS] {
        let _ = writeln!(text, "var {{:layer 0,1}} {var}: bool;");
    }
    text += &(first.text() + &second.text());
    ([first, second], text)
}

#[test]
fn checks_of_random_actions_mean_what_they_say() {
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..100 {
        let (actions, text) = random_program(seed);
        let db = Database::default();
        let program = program(&db, &text, &[]);
        for unit in units(&db, program).iter() {
            let Some((may_prove, may_refute)) = expected(&actions, &unit.key) else { continue };
            if unit.skipped.is_some() {
                assert!(may_prove, "{} is wrongly skipped in\n{text}", unit.name);
                continue;
            }
            let verdict = verdicts(&db, program, &unit.key);
            let right = match verdict.as_str() {
                "proved" => {
                    proved += 1;
                    may_prove
                }
                words if words.contains("refuted") => {
                    refuted += 1;
                    may_refute
                }
                _undecided => {
                    open += 1;
                    true
                }
            };
            assert!(right, "{} is {verdict} in\n{text}", unit.name);
        }
    }
    assert!(proved > 50 && refuted > 20 && open < 10, "{proved} {refuted} {open}");
}
