//! The slow machine against the solver: for actions of the examples and random states, what the machine
//! does is what the formulas of the proofs allow, and it fails where the gate does not hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Name;
use ir::carriers::{Carriers, least};
use ir::exploration::{Scope, Start};
use ir::layer::{ActionId, Intrinsic, LayerProgram};
use ir::machine::{Configuration, Done, Halt, Machine};
use ir::{AssertId, Block, BlockId, Command, Sort, Symbol, Term, Value, Var, Verdict};
use testing::Random;

use super::view::{EXAMPLES, for_each_layer};
use crate::action::{ActionIr, action_ir};
use crate::{Tables, World, layer_unit, question_of};

/// What the solver is told about the values of an instance.
struct Facts<'a> {
    program: &'a LayerProgram,
    scope: &'a Scope,
    tables: &'a Tables,
    world: World<'a>,
}

impl Facts<'_> {
    fn element(sort: &Symbol, index: u32) -> Term {
        Term::var(Var::new(format!("{sort}!{index}"), Sort::Uninterpreted(sort.clone())))
    }

    /// Elements differ; `closed`: there are no others. What enumerates nothing need not know that, and
    /// the solver has it easier.
    fn carriers(&self, closed: bool) -> Vec<Term> {
        let mut facts = Vec::new();
        for sort in self.program.sorts.keys() {
            let all: Vec<Term> =
                (0..self.scope.size_of(sort)).map(|index| Facts::element(sort, index)).collect();
            let var = Var::new("x!any", Sort::Uninterpreted(sort.clone()));
            let one_of = all.iter().map(|it| Term::eq(Term::var(var.clone()), it.clone()));
            if closed {
                facts.push(Term::forall(vec![ir::Bound::plain(var.clone())], Term::or(one_of)));
            }
            facts.push(Term::app(ir::Op::Distinct, all));
        }
        // Nothing is known of `Default()`; the machine takes the least value.
        for function in self.program.functions.values() {
            if function.intrinsic == Some(Intrinsic::Default) {
                let value = least(&self.program.signature, &function.symbol.result);
                let term = Term::func(&function.symbol, Vec::new());
                facts.extend(value.and_then(|value| self.has_value(&term, &value)));
            }
        }
        facts
    }

    /// `term` has this value: element by element where the indices are enumerated.
    fn has_value(&self, term: &Term, value: &Value) -> Option<Term> {
        let carriers = Carriers {
            signature: &self.program.signature,
            vectors: &self.program.vectors,
            scope: self.scope,
        };
        match value {
            Value::Map(map) => {
                let (indices, element) = term.sort().as_array()?;
                let axes = indices.iter().map(|index| carriers.values(index));
                let axes = axes.map(|it| it.filter(|it| it.complete).map(|it| it.values));
                let Some(axes) = axes.collect::<Option<Vec<_>>>() else {
                    let default = self.term(map.default()?, element)?;
                    let mut whole = Term::const_array(term.sort().clone(), default);
                    for (index, value) in map.entries() {
                        let [index] = index else { return None };
                        let [sort] = indices else { return None };
                        let (index, value) = (self.term(index, sort)?, self.term(value, element)?);
                        whole = Term::store(whole, index, value);
                    }
                    return Some(Term::eq(term.clone(), whole));
                };
                let mut parts = Vec::new();
                for key in ir::carriers::tuples(&axes)? {
                    let mut args = vec![term.clone()];
                    for (value, sort) in key.iter().zip(indices) {
                        args.push(self.term(value, sort)?);
                    }
                    let part = Term::app(ir::Op::Select, args);
                    parts.push(self.has_value(&part, &map.get(&key)?)?);
                }
                Some(Term::and(parts))
            }
            Value::Data(data) => {
                let def = self.program.signature.datatype(term.sort())?;
                let ctor = data.ctor as usize;
                let mut parts = vec![Term::is(def, ctor, term.clone())];
                for (nth, value) in data.fields.iter().enumerate() {
                    parts.push(self.has_value(&Term::field(def, ctor, nth, term.clone()), value)?);
                }
                Some(Term::and(parts))
            }
            Value::Bool(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::BitVec(..)
            | Value::String(_)
            | Value::Element(_)
            | Value::Seq(_)
            | Value::Opaque(_) => Some(Term::eq(term.clone(), self.term(value, term.sort())?)),
        }
    }

    /// A value without enumerated maps as a term.
    fn term(&self, value: &Value, sort: &Sort) -> Option<Term> {
        Some(match value {
            Value::Bool(value) => Term::bool(*value),
            Value::Int(value) => Term::int(value.clone()),
            Value::Real(value) => Term::real(value.clone()),
            Value::BitVec(value, width) => Term::bit_vec(value.clone(), *width),
            Value::Element(it) => Facts::element(&it.sort, it.index),
            Value::Data(data) => {
                let def = self.program.signature.datatype(sort)?;
                let fields = &def.ctors()[data.ctor as usize].fields;
                let fields =
                    data.fields.iter().zip(fields).map(|(it, (_, sort))| self.term(it, sort));
                Term::ctor(def, data.ctor as usize, fields.collect::<Option<_>>()?)
            }
            Value::Map(map) => {
                let (_, element) = sort.as_array()?;
                if map.entries().next().is_some() {
                    return None;
                }
                Term::const_array(sort.clone(), self.term(map.default()?, element)?)
            }
            Value::Seq(_) | Value::String(_) | Value::Opaque(_) => return None,
        })
    }

    /// One of the values of the scope.
    fn in_scope(&self, var: &Var) -> Option<Term> {
        let carriers = Carriers {
            signature: &self.program.signature,
            vectors: &self.program.vectors,
            scope: self.scope,
        };
        let values = carriers.values(&var.sort)?.values;
        if values.len() > 40 {
            return None;
        }
        let term = Term::var(var.clone());
        let some = values.iter().map(|value| self.has_value(&term, value));
        Some(Term::or(some.collect::<Option<Vec<_>>>()?))
    }
}

/// Is there a quantifier, a comprehension or a comparison of maps in the action?
fn enumerates(action: &ActionIr) -> bool {
    let commands = action.body.blocks.iter().flat_map(|block| &block.commands);
    let of_command = |command: &Command| match command {
        Command::Assume { term, .. } | Command::Assert { term, .. } => vec![term.clone()],
        Command::Assign(pairs) => pairs.iter().map(|(_, term)| term.clone()).collect(),
        Command::Havoc(_) | Command::Capture(_) => Vec::new(),
    };
    let mut terms: Vec<Term> = commands.flat_map(of_command).collect();
    terms.extend(action.gate.iter().map(|it| it.term.clone()));
    let mut compares = false;
    ir::subst::for_each_subterm(&terms, |term| {
        let sides = term.args_of(&ir::Op::Eq).unwrap_or_default();
        compares |= sides.iter().any(|side| side.sort().as_array().is_some());
    });
    compares || terms.iter().any(|term| term.has_quantifier() || term.has_lambda())
}

/// Is the condition true after every run of the body from here? `None`: the solver does not know.
fn always(
    (world, tables): (World<'_>, &Tables),
    action: &ActionIr,
    before: Vec<Term>,
    after: Option<Term>,
) -> Option<bool> {
    let mut body = action.body.clone();
    let end = BlockId(u32::try_from(body.blocks.len()).unwrap());
    for returns in action.returns.keys() {
        body.blocks[returns.index()].successors.push(end);
    }
    let assertion = |term| vec![Command::assert(term, AssertId(0))];
    let last = Block { commands: after.clone().map_or(vec![], assertion), ..Block::new("end") };
    body.blocks.push(last);
    let mut first = Block::new("before");
    first.commands = before.into_iter().map(Command::assume).collect();
    if after.is_none() {
        let gate = Term::and(action.gate.iter().map(|it| it.term.clone()));
        first.commands.extend(assertion(gate));
    }
    first.successors.push(body.entry);
    body.blocks.push(first);
    body.entry = BlockId(end.0 + 1);
    let passive = ir::passify(&body).unwrap().select(&[AssertId(0)]);
    let mut tables = tables.clone();
    tables.datatypes.extend(action.unit.tables.datatypes.clone());
    tables.functions.extend(action.unit.tables.functions.clone());
    let (question, unsupported, _) = question_of(world, world.somewhere(), passive, &tables);
    if !unsupported.is_empty() {
        return None;
    }
    let limits = prover::Limits { steps: Some(400_000), ..prover::Limits::default() };
    let verdicts = prover::solve_here(&question, limits);
    match verdicts.first().map(|(_, verdict)| verdict) {
        None | Some(Verdict::Proved(_)) => Some(true),
        Some(Verdict::Refuted(_)) => Some(false),
        Some(Verdict::HoldsUpTo(_) | Verdict::Unknown(_)) => None,
    }
}

/// How often the machine and the solver agreed, and what they disagree about.
#[derive(Default)]
struct Tally {
    outcomes: usize,
    complete: usize,
    gates: usize,
    open: usize,
    wrong: Vec<String>,
}

/// A configuration with random globals, and random arguments.
fn random_state(
    facts: &Facts<'_>,
    machine: &Machine<'_>,
    id: ActionId,
    random: &mut Random,
) -> Option<(Configuration, Vec<Value>)> {
    let carriers = Carriers {
        signature: &facts.program.signature,
        vectors: &facts.program.vectors,
        scope: facts.scope,
    };
    let mut any = |sort: &Sort| random.pick(&carriers.values(sort)?.values).cloned();
    let globals = facts.program.globals.iter().map(|global| any(&global.var.sort));
    let globals = globals.collect::<Option<Vec<Value>>>()?;
    let ins = facts.program.actions[id.0 as usize].ins.iter();
    let ins = ins.map(|var| any(&var.sort)).collect::<Option<Vec<Value>>>()?;
    Some((machine.start(&Start { globals, functions: BTreeMap::new() }), ins))
}

fn compare(
    name: &str,
    facts: &Facts<'_>,
    (id, action): (ActionId, &Arc<ActionIr>),
    (from, ins): (&Configuration, &[Value]),
    tally: &mut Tally,
) {
    let world = facts.world;
    let machine = Machine::new(facts.program, facts.scope, &BTreeMap::new());
    let args: Vec<Option<Value>> = ins.iter().cloned().map(Some).collect();
    let runs = machine.outcomes(id, &args, from);
    let mut before = facts.carriers(enumerates(action));
    let given = from.globals.iter().chain(action.ins.iter().zip(ins));
    for (var, value) in given {
        let Some(fact) = facts.has_value(&Term::var(var.clone()), value) else { return };
        before.push(fact);
    }
    let fails = runs.iter().any(|(run, _)| matches!(run, Err(Halt::Failed { .. })));
    if runs.iter().any(|(run, _)| matches!(run, Err(Halt::Unknown(_)))) {
        tally.open += 1;
        return;
    }
    match always((world, facts.tables), action, before.clone(), None) {
        None => tally.open += 1,
        Some(holds) if holds == fails => {
            tally.wrong.push(format!("{name}: the gate, {from:?} {ins:?}"))
        }
        Some(_) => tally.gates += 1,
    }
    if fails {
        return;
    }
    let mut ends = BTreeSet::new();
    for (run, outs) in &runs {
        let Some(end) = end_of(facts, action, run, outs) else { return };
        ends.insert(end);
    }
    for end in ends.iter().take(4) {
        match always((world, facts.tables), action, before.clone(), Some(Term::not(end.clone()))) {
            None => tally.open += 1,
            Some(false) => tally.outcomes += 1,
            Some(true) => {
                tally.wrong.push(format!("{name}: an outcome too many, {from:?} {ins:?}"))
            }
        }
    }
    if !action.made_new.is_empty() {
        return;
    }
    let mut chosen = before;
    for choice in &action.choices {
        let Some(fact) = facts.in_scope(choice) else { return };
        chosen.push(fact);
    }
    match always((world, facts.tables), action, chosen, Some(Term::or(ends))) {
        None => tally.open += 1,
        Some(true) => tally.complete += 1,
        Some(false) => tally.wrong.push(format!("{name}: an outcome is missing, {from:?} {ins:?}")),
    }
}

/// The globals and outputs at the end of a run, as a term.
fn end_of(
    facts: &Facts<'_>,
    action: &ActionIr,
    run: &Done<Configuration>,
    outs: &[Option<Value>],
) -> Option<Term> {
    let config = run.as_ref().ok()?;
    let mut parts = Vec::new();
    for global in &facts.program.globals {
        let value = config.globals.get(&global.var)?;
        parts.push(facts.has_value(&Term::var(global.var.clone()), value)?);
    }
    for (var, value) in action.outs.iter().zip(outs) {
        parts.push(facts.has_value(&Term::var(var.clone()), value.as_ref()?)?);
    }
    Some(Term::and(parts))
}

#[test]
fn the_machine_does_what_formulas_allow() {
    let mut tally = Tally::default();
    let mut random = Random::new(17);
    let scope = Scope::default();
    let mut actions = 0;
    let mut compared = BTreeSet::new();
    for_each_layer(EXAMPLES, |name, db, program, layer| {
        if name.contains("/broken/") {
            return;
        }
        let unit = layer_unit(db, program, layer);
        let facts = Facts {
            program: &unit.program,
            scope: &scope,
            tables: &unit.tables,
            world: World::new(db, program),
        };
        let machine = Machine::new(&unit.program, &scope, &BTreeMap::new());
        for (nth, found) in (0..).zip(&unit.program.actions) {
            let Some(action) = action_ir(db, program, Name::new(found.name.as_str())) else {
                continue;
            };
            let name = format!("{name}, {}", found.name);
            let short = name.split(" at ").next().unwrap_or_default().to_owned();
            if !compared.insert(format!("{short} {}", found.name)) {
                continue;
            }
            actions += 1;
            for _ in 0..3 {
                let id = ActionId(nth);
                let state = random_state(&facts, &machine, id, &mut random);
                let Some((from, ins)) = state else { continue };
                compare(&name, &facts, (id, &action), (&from, &ins), &mut tally);
            }
        }
    });
    let Tally { outcomes, complete, gates, open, wrong } = tally;
    assert!(open * 10 < outcomes + complete + gates, "{open} questions are open");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        actions > 40 && outcomes > 60 && complete > 40 && gates > 60,
        "too little was compared"
    );
}
