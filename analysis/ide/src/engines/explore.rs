//! Explorations: which are asked for, and what they found, in words.
//!
//! **In:** a program and a request. **Out:** one [`ExplorePlan`] for each layer, which runs without the
//! database, and the [`ExplorationReport`] of its answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::Name;
use explore::{Explored, Grain, Move, Options};
use ir::exploration::{Answer, Inexact, Scope, Violated};
use ir::layer::{Item, LayerProgram, ProcId, Why, Words};
use ir::{Symbol, Value};
use obligations::{LayerUnit, view};

use crate::types::Location;
use crate::{Analysis, ProgramId};

/// What is asked for. What is left open is what the program wishes, or else small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExploreRequest {
    /// One layer; nothing: all that can be executed.
    pub layer: Option<u32>,
    /// How many threads.
    pub threads: Option<u32>,
    /// How many calls each; `Some(None)`: any number.
    pub calls: Option<Option<u32>>,
    /// Elements of sorts; `int` counts integers from 0.
    pub sizes: Vec<(String, u32)>,
    /// What the client calls.
    pub roots: Vec<String>,
    /// The action that makes the initial state.
    pub init: Option<String>,
    /// The most states.
    pub most_states: Option<u64>,
    /// Are invariants and other claims of the proof checked as well?
    pub claims: bool,
    /// Are deadlocks looked for?
    pub deadlocks: bool,
    /// Do threads run from yield to yield (R1), or can others run between any two steps?
    pub blocks: bool,
}

/// The instance that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExploreScope {
    /// Threads of the client.
    pub threads: u32,
    /// Calls of each; nothing: any number.
    pub calls: Option<u32>,
    /// Elements of each sort, and integers.
    pub sizes: BTreeMap<String, u32>,
    /// All of it in words.
    pub words: String,
}

/// How an exploration ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreAnswer {
    /// All runs of the scope were seen.
    Exhausted,
    /// Something is broken.
    Violation(Box<ScopeViolation>),
    /// Not all runs were seen: why.
    Truncated(String),
}

/// Something that could not be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutOfScope {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
    /// Where.
    pub at: Option<Location>,
}

/// A run that breaks something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeViolation {
    /// What is broken: assertion, gate, demand, requires, deadlock, ...
    pub kind: &'static str,
    /// The stable code.
    pub code: &'static str,
    /// The headline.
    pub message: String,
    /// Where.
    pub at: Option<Location>,
    /// Did the slow machine follow the run and find the same? Else why not.
    pub confirmed: Result<(), String>,
    /// The globals at the start.
    pub start: Vec<(String, String)>,
    /// The run.
    pub turns: Vec<ExplorationTurn>,
}

/// A move of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorationTurn {
    /// Which thread, from 1.
    pub thread: u32,
    /// Where it was.
    pub at: Option<Location>,
    /// The call that the client begins.
    pub call: Option<String>,
    /// Does the call of the client end?
    pub returns: bool,
    /// Name, before, after.
    pub changes: Vec<(String, String, String)>,
}

/// An exploration in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorationReport {
    /// The layer.
    pub layer: u32,
    /// The instance.
    pub scope: ExploreScope,
    /// How it ended.
    pub answer: ExploreAnswer,
    /// Does the answer hold for the whole scope, nothing approximated?
    pub exact: bool,
    /// What was approximated or assumed.
    pub inexact: Vec<String>,
    /// What was left out.
    pub excluded: Vec<LeftOutOfScope>,
    /// Distinct states.
    pub states: u64,
    /// Moves.
    pub transitions: u64,
    /// The reductions that were used.
    pub reductions: Vec<&'static str>,
    /// Did steps run as one because of mover types that the program declares? Then the absence of a
    /// violation rests on them.
    pub assumes_movers: bool,
    /// Initial states.
    pub starts: u64,
    /// Bytes at the end.
    pub bytes: u64,
}

/// An exploration to be run, cut loose from the database.
pub struct ExplorePlan {
    unit: Arc<LayerUnit>,
    layer: u32,
    scope: Scope,
    options: Options,
}

impl ExplorePlan {
    /// The layer.
    pub fn layer(&self) -> u32 {
        self.layer
    }

    /// Runs until an answer is found or the flag is raised.
    pub fn run(&self, cancel: &AtomicBool) -> Explored {
        explore::explore(&self.unit.program, &self.scope, &self.options, cancel)
    }
}

impl Analysis {
    /// The explorations that a request means; or why there are none.
    pub fn explore_plans(
        &self,
        program: ProgramId,
        request: &ExploreRequest,
    ) -> Result<Vec<ExplorePlan>, String> {
        let input = self.program(program);
        if crate::diagnostics::has_error(&self.check(program)) {
            return Err("the program has static errors; `civl check` shows them".into());
        }
        let all = view::layers(&self.db, input);
        let chosen: Vec<_> =
            all.iter().filter(|it| request.layer.is_none_or(|layer| it.0 == layer)).collect();
        if chosen.is_empty() {
            let known: Vec<String> = all.iter().map(|it| it.0.to_string()).collect();
            return Err(match request.layer {
                Some(layer) => {
                    format!(
                        "layer {layer} has no code to run; layers with code: {}",
                        known.join(", ")
                    )
                }
                None => "no layer has code to run".into(),
            });
        }
        let plan = |layer: &&_| {
            let unit = obligations::layer_unit(&self.db, input, **layer);
            plan(unit, layer.0, request)
        };
        chosen.iter().map(plan).collect()
    }

    /// What was found, in words.
    pub fn exploration_report(&self, plan: &ExplorePlan, explored: &Explored) -> ExplorationReport {
        let Explored { exploration, left_out, story, threads, .. } = explored;
        let unit = &plan.unit;
        let told = |name: &Symbol, why: &str, site: ir::Site| LeftOutOfScope {
            name: readable(name),
            why: why.to_owned(),
            at: self.site(unit, site),
        };
        let is_used =
            |name: &Symbol| exploration.inexact.contains(&Inexact::Excluded(name.clone()));
        let mut excluded: Vec<LeftOutOfScope> = left_out
            .iter()
            .filter(|it| is_used(&it.name))
            .map(|it| told(&it.name, &it.why, it.site))
            .collect();
        excluded.extend(
            unit.program
                .excluded
                .iter()
                .filter(|it| it.item == Item::Program)
                .map(|it| told(&"the program".into(), &it.why, it.site)),
        );
        let mut inexact: Vec<String> = exploration
            .inexact
            .iter()
            .filter(|it| !matches!(it, Inexact::Excluded(_)))
            .map(|it| self.inexact(unit, it))
            .collect();
        let started = exploration.stats.starts > 0;
        if !started {
            inexact.insert(0, "no initial state was found, so nothing ran".into());
        }
        let assumed_only = exploration.inexact.iter().all(|it| *it == Inexact::AssumedStart);
        let answer = match &exploration.answer {
            Answer::Exhausted => ExploreAnswer::Exhausted,
            Answer::Truncated(why) => ExploreAnswer::Truncated(why.to_string()),
            Answer::Violation(violation) => {
                let turns = story.moves.iter().map(|it| self.turn(unit, it)).collect();
                let (kind, code, message, at) = self.violated(unit, violation.what());
                let start = story.start.iter().map(|(name, value)| (readable(name), shown(value)));
                ExploreAnswer::Violation(Box::new(ScopeViolation {
                    kind,
                    code,
                    message,
                    at,
                    confirmed: violation.confirmed().map_err(|it| it.what.clone()),
                    start: start.collect(),
                    turns,
                }))
            }
        };
        ExplorationReport {
            layer: plan.layer,
            scope: told_scope(&unit.program, &exploration.scope, *threads),
            exact: started
                && assumed_only
                && excluded.is_empty()
                && !matches!(answer, ExploreAnswer::Truncated(_)),
            answer,
            inexact,
            excluded,
            states: exploration.stats.states,
            transitions: exploration.stats.transitions,
            assumes_movers: explored.by_movers,
            reductions: if plan.options.grain == Grain::Blocks { vec!["R1"] } else { vec![] },
            starts: exploration.stats.starts,
            bytes: exploration.stats.bytes,
        }
    }

    fn site(&self, unit: &LayerUnit, site: ir::Site) -> Option<Location> {
        self.location(*unit.sites.get(site.0 as usize)?)
    }

    fn turn(&self, unit: &LayerUnit, it: &Move) -> ExplorationTurn {
        let call = it.call.as_ref().map(|(root, args)| {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            format!("{}({})", name_of(&unit.program, *root), args.join(", "))
        });
        let change = |(name, old, new): &(Symbol, Option<Value>, Option<Value>)| {
            (readable(name), shown(old), shown(new))
        };
        ExplorationTurn {
            thread: it.thread + 1,
            at: it.from.and_then(|site| self.site(unit, site)),
            call,
            returns: it.returns,
            changes: it.changes.iter().map(change).collect(),
        }
    }

    fn violated(
        &self,
        unit: &LayerUnit,
        what: &Violated,
    ) -> (&'static str, &'static str, String, Option<Location>) {
        match what {
            Violated::Check { id, why, site } => {
                let claim = unit.claims.get(id.0 as usize);
                let said = claim.map(|it| obligations::render::failure(it).message);
                let message = said.map_or_else(String::new, |it| Name::in_sentence(&it));
                let at = claim.and_then(|it| self.location(it.place));
                (word(*why), "explore-failure", message, at.or_else(|| self.site(unit, *site)))
            }
            Violated::Deadlock(sites) => {
                let message = "no thread can go on".to_owned();
                let at = sites.first().and_then(|site| self.site(unit, *site));
                ("deadlock", "explore-deadlock", message, at)
            }
            Violated::NoSpecification { .. } => {
                ("refinement", "explore-failure", "no order of calls explains the run".into(), None)
            }
            Violated::Commutes(..) => {
                ("mover", "explore-failure", "two actions do not move as declared".into(), None)
            }
        }
    }

    fn inexact(&self, unit: &LayerUnit, what: &Inexact) -> String {
        let line = |site: ir::Site| match self.site(unit, site) {
            Some(at) => format!("line {}", self.line_number(at)),
            None => "somewhere".into(),
        };
        match what {
            Inexact::BoundedChoice(sort) => {
                format!("choices of type {} are bounded", readable(sort))
            }
            Inexact::BoundedQuantifier(site) => {
                format!("{}: a quantifier or map looks at some values only", line(*site))
            }
            Inexact::UsedUp(sort) => format!("all elements of {} were in use", readable(sort)),
            Inexact::OneInterpretation(name) => {
                format!("one meaning of {} of several", readable(name))
            }
            Inexact::HiddenResult(site) => format!("{}: a hidden result is arbitrary", line(*site)),
            Inexact::Undefined(site) => format!("{}: something undefined is used", line(*site)),
            Inexact::AssumedStart => {
                "initial states are assumed: all in which the roots can be called".into()
            }
            Inexact::Excluded(name) => format!("{} is left out", readable(name)),
            Inexact::FewDeals(domain) => format!(
                "permissions of type {} are dealt to the threads in a few of many ways",
                readable(domain)
            ),
            Inexact::NeverCalled(name) => format!("{} was never called", readable(name)),
            Inexact::BoundedWait(site) => format!(
                "{}: no thread could go on, but with values beyond the scope one may",
                line(*site)
            ),
            Inexact::CutShort(site, runs) => format!(
                "{}: a gate of layer {} failed, which ended {}",
                line(*site),
                unit.program.layer + 1,
                if *runs == 1 { "a run".to_owned() } else { format!("{runs} runs") }
            ),
        }
    }

    fn line_number(&self, at: Location) -> u32 {
        self.lines(at.file).place(at.start, crate::ColumnEncoding::Utf8).line + 1
    }
}

fn plan(unit: Arc<LayerUnit>, layer: u32, request: &ExploreRequest) -> Result<ExplorePlan, String> {
    let program = &unit.program;
    let mut scope = Scope::default();
    let wishes = &program.wishes;
    scope.threads = request.threads.or(wishes.threads).unwrap_or(scope.threads);
    scope.calls = request.calls.unwrap_or(wishes.calls.map_or(scope.calls, Some));
    scope.sizes.clone_from(&wishes.sizes);
    let asked = request.sizes.iter().map(|(name, size)| (Symbol::new(name.as_str()), *size));
    scope.sizes.extend(asked);
    if let Some(count) = scope.sizes.remove(&Symbol::new("int")) {
        scope.ints = (0, i64::from(count.max(1)) - 1);
    }
    for name in scope.sizes.keys() {
        if !program.sorts.contains_key(name) && request.sizes.iter().any(|it| it.0 == name.as_str())
        {
            let known: Vec<&str> = program.sorts.keys().map(Symbol::as_str).collect();
            return Err(format!(
                "there is no sort `{name}` at layer {layer}; sorts: int, {}",
                known.join(", ")
            ));
        }
    }
    for (name, carrier) in &program.sorts {
        if carrier.made_new && !scope.sizes.contains_key(name) {
            scope.sizes.insert(name.clone(), MADE_NEW);
        }
    }
    let grain = if request.blocks { Grain::Blocks } else { Grain::Shared };
    let mut options = Options {
        claims: request.claims,
        deadlocks: request.deadlocks,
        grain,
        ..Options::default()
    };
    options.most_states = request.most_states.unwrap_or(options.most_states);
    for root in &request.roots {
        let found = program.procedure_named(root);
        options
            .roots
            .push(found.ok_or_else(|| format!("there is no procedure `{root}` at layer {layer}"))?);
    }
    if let Some(init) = &request.init {
        let found = program.action_named(init);
        options.init =
            Some(found.ok_or_else(|| format!("there is no action `{init}` at layer {layer}"))?);
    }
    Ok(ExplorePlan { unit, layer, scope, options })
}

/// How many elements there can be at once of a sort whose elements are made new.
const MADE_NEW: u32 = 16;

/// The scope with as many threads as there are: main programs have threads of their own.
fn told_scope(program: &LayerProgram, scope: &Scope, threads: u32) -> ExploreScope {
    let scope = Scope { threads, ..scope.clone() };
    let mut sizes: BTreeMap<String, u32> =
        program.sorts.keys().map(|name| (readable(name), scope.size_of(name))).collect();
    let (low, high) = scope.ints;
    sizes.insert("int".into(), u32::try_from(high - low + 1).unwrap_or(u32::MAX));
    ExploreScope { threads: scope.threads, calls: scope.calls, sizes, words: scope.to_string() }
}

fn readable(name: &Symbol) -> String {
    Name::readable(ir::source_name(name.as_str())).to_string()
}

fn shown(value: &Option<Value>) -> String {
    value.as_ref().map_or_else(|| "undefined".into(), ToString::to_string)
}

fn name_of(program: &LayerProgram, id: ProcId) -> String {
    program.procedure(id).map_or_else(String::new, |it| readable(&it.name))
}

fn word(why: Why) -> &'static str {
    why.word()
}
