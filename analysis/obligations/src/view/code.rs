//! A body as nodes of steps, under construction.
//!
//! **In:** commands that the lowering writes, and steps that are kept. **Out:** nodes, each step with
//! its place.
//!
//! Commands go to a [`UnitBuilder`], as for a proof. A step that is no command stands there as a
//! capture, whose number says which step it is. A statement that touches globals in several steps
//! becomes an action of its own: nobody may see the state between them.

use std::collections::{BTreeMap, BTreeSet};

use base::{Name, Place};
use hir::Layer;
use ir::layer::{Act, Action, ActionId, Condition, Next, Node, NodeId, ProcId, Step, Why};
use ir::{AssertId, BlockId, Capture, CaptureId, Command, ObligationKind, Site, Symbol, Term, Var};
use rustc_hash::FxHashMap;

use super::{Part, tidy};
use crate::builder::UnitBuilder;
use crate::claim::Claim;
use crate::lowering::{Checks, Env, Lowering, Text, Unfold, Writer};
use crate::unit::AssertInfo;
use crate::world::World;

/// Where a step stands, and whether it is said at the head of a loop.
#[derive(Clone, Copy)]
struct Mark {
    place: Place,
    at_head: bool,
}

/// Code under construction.
pub(super) struct Code<'db> {
    pub(super) world: World<'db>,
    pub(super) layer: Layer,
    pub(super) lowering: Lowering<'db>,
    pub(super) out: UnitBuilder,
    /// The block that is being written.
    pub(super) at: BlockId,
    pub(super) part: Part,
    kept: Vec<Step>,
    marks: Vec<Vec<Mark>>,
    returns: BTreeSet<BlockId>,
    sites: FxHashMap<Place, Site>,
}

impl<'db> Code<'db> {
    pub(super) fn new(world: World<'db>, layer: Layer, place: Place) -> Code<'db> {
        let mut out = UnitBuilder::new();
        let at = out.block("init", None);
        Code {
            world,
            layer,
            lowering: Lowering::new(world, place).unfolding(Unfold::KeepLibrary),
            out,
            at,
            part: Part::default(),
            kept: Vec::new(),
            marks: Vec::new(),
            returns: BTreeSet::new(),
            sites: FxHashMap::default(),
        }
    }

    /// The finished part, except for its procedure or action.
    pub(super) fn finish(self) -> Part {
        let Code { mut part, lowering, out, .. } = self;
        part.claims = out.asserts;
        let (tables, problems, _) = lowering.finish();
        part.tables = tables;
        part.problems = problems;
        part
    }

    /// An opaque mark for `place`; the same for the same place.
    pub(super) fn site(&mut self, place: Place) -> Site {
        if let Some(site) = self.sites.get(&place) {
            return *site;
        }
        let site = Site(u32::try_from(self.part.sites.len()).unwrap_or(u32::MAX));
        self.part.sites.push(place);
        self.sites.insert(place, site);
        site
    }

    /// The number of an action in this part.
    pub(super) fn action(&mut self, name: &Name) -> ActionId {
        ActionId(number(&mut self.part.actions, name))
    }

    /// The number of a procedure in this part.
    pub(super) fn procedure(&mut self, name: &Name) -> ProcId {
        ProcId(number(&mut self.part.procedures, name))
    }

    /// Does the variable hold a global in the current state?
    pub(super) fn is_global(&self, var: &Var) -> bool {
        self.world.global(&Name::new(var.name.as_str())).is_some()
    }

    /// A condition that has to hold.
    pub(super) fn condition(
        &mut self,
        term: Term,
        claim: Claim,
        (place, clause): (Place, Place),
        why: Why,
    ) -> Condition {
        let info = AssertInfo::new(ObligationKind::Contract, claim, place).reported_at(clause);
        let id = self.out.claim(info);
        Condition { term, id, why, site: self.site(clause) }
    }

    /// Writes commands at the end of the code.
    pub(super) fn write<R>(
        &mut self,
        (text, env): (Text<'_>, &Env),
        write: impl FnOnce(&mut Writer<'_, 'db>) -> R,
    ) -> R {
        let checks = Checks::Assert(ObligationKind::Contract);
        let (lowering, out) = (&mut self.lowering, &mut self.out);
        let mut writer = Writer { lowering, out, text, env, checks, at: self.at };
        let result = write(&mut writer);
        self.at = writer.at;
        result
    }

    /// What was written since the last mark stands at `place`.
    pub(super) fn mark(&mut self, place: Place, at_head: bool) {
        self.marks.resize(self.out.blocks.len(), Vec::new());
        for (marks, block) in self.marks.iter_mut().zip(&self.out.blocks) {
            marks.resize(block.commands.len(), Mark { place, at_head });
        }
    }

    /// Appends a step that is no command.
    pub(super) fn keep(&mut self, step: Step, place: Place) {
        let id = CaptureId(u32::try_from(self.kept.len()).unwrap_or(u32::MAX));
        self.kept.push(step);
        self.out.push(self.at, Command::Capture(Capture { id, values: Vec::new() }));
        self.mark(place, false);
    }

    /// The run ends where the code ends now.
    pub(super) fn leave(&mut self) {
        self.returns.insert(self.at);
    }

    /// A statement of a procedure: its steps, or one action if others could see a state between them.
    pub(super) fn statement(
        &mut self,
        (text, env): (Text<'_>, &Env),
        (place, at_head): (Place, bool),
        write: impl FnOnce(&mut Writer<'_, 'db>),
    ) {
        let before = self.at;
        let start = self.out.block("step", None);
        self.at = start;
        self.write((text, env), write);
        self.mark(place, at_head);
        self.returns.insert(self.at);
        let mut nodes = self.nodes(start, place);
        self.returns.remove(&self.at);
        tidy::simplify(&mut nodes);
        let steps = || nodes.iter().flat_map(|node| &node.steps);
        if steps().filter(|step| self.touches_global(step)).count() > 1 {
            self.at = before;
            let act = self.statement_action(&text.body.proc, nodes, place);
            self.keep(Step::Act(act), place);
        } else {
            self.out.edge(before, start);
        }
    }

    fn touches_global(&self, step: &Step) -> bool {
        let read = step.terms().into_iter().flat_map(ir::free_vars);
        let mut vars = read.chain(step.written().into_iter().cloned());
        vars.any(|var| self.is_global(&var))
    }

    /// An action that does what the nodes do, and its call.
    fn statement_action(&mut self, owner: &Name, mut nodes: Vec<Node>, place: Place) -> Act {
        let number = self.part.made.len() + 1;
        let name = Name::new(format!("{owner}.step{number}"));
        let site = self.site(place);
        let is_own = |var: &&Var| !tidy::is_temporary(var) && !self.is_global(var);
        let written = nodes.iter().flat_map(|node| &node.steps).flat_map(Step::written);
        let written: BTreeSet<Var> = written.filter(is_own).cloned().collect();
        let live = tidy::live_at_entry(&nodes, &written);
        let ins: Vec<Var> = live.into_iter().filter(|var| !self.is_global(var)).collect();
        let outs: Vec<Var> = written.into_iter().collect();
        let formal = |var: &Var| Var::new(format!("{}@out", var.name), var.sort.clone());
        let results: Vec<(Var, Term)> =
            outs.iter().map(|var| (formal(var), Term::var(var.clone()))).collect();
        for node in nodes.iter_mut().filter(|node| node.next == Next::Return) {
            if !results.is_empty() {
                node.steps.push(Step::Assign(results.clone(), site));
            }
        }
        let action = Action {
            name: Symbol::new(name.as_str()),
            ins: ins.clone(),
            outs: outs.iter().map(formal).collect(),
            locals: Vec::new(),
            gate: Vec::new(),
            requires: Vec::new(),
            nodes,
            label: ir::layer::Label::NonMover,
            footprint: Default::default(),
            site,
        };
        let action = self.completed(action);
        self.part.made.push(action);
        let action = self.action(&name);
        let ins = ins.into_iter().map(Term::var).collect();
        Act { action, ins, outs, hidden: Vec::new(), site }
    }

    /// The action with its locals and its footprint; of a statement, with its label.
    pub(super) fn completed(&self, mut action: Action) -> Action {
        let steps = || action.nodes.iter().flat_map(|node| &node.steps);
        let conditions = action.gate.iter().chain(&action.requires).map(|it| &it.term);
        let read = steps().flat_map(Step::terms).chain(conditions).flat_map(ir::free_vars);
        let read: BTreeSet<Var> = read.collect();
        let written: BTreeSet<Var> = steps().flat_map(Step::written).cloned().collect();
        let globals = |vars: &BTreeSet<Var>| {
            let globals = vars.iter().filter(|var| self.is_global(var));
            globals.map(|var| var.name.clone()).collect::<BTreeSet<Symbol>>()
        };
        action.footprint.reads = globals(&read);
        action.footprint.writes = globals(&written);
        let formal = |var: &Var| action.ins.contains(var) || action.outs.contains(var);
        let locals = read.union(&written).filter(|var| !self.is_global(var) && !formal(var));
        action.locals = locals.cloned().collect();
        if self.part.procedure_name.is_some() {
            let (db, program) = (self.world.db, self.world.program);
            let touched = action.footprint.reads.union(&action.footprint.writes);
            let names = touched.map(|name| Name::new(name.as_str()));
            let is_step = names
                .into_iter()
                .any(|name| discipline::machine::is_machine(db, program, &name, self.layer));
            let label =
                if is_step { ir::layer::Label::NonMover } else { ir::layer::Label::Private };
            action.label = label;
        }
        action
    }

    /// The code from `entry` on as nodes, `entry` first.
    pub(super) fn nodes(&mut self, entry: BlockId, place: Place) -> Vec<Node> {
        let mut numbers = BTreeMap::from([(entry, NodeId(0))]);
        let mut order = vec![entry];
        let mut next = 0;
        while let Some(block) = order.get(next) {
            next += 1;
            for target in self.out.blocks[block.index()].successors.clone() {
                let number = NodeId(u32::try_from(order.len()).unwrap_or(u32::MAX));
                numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    number
                });
            }
        }
        order.into_iter().map(|block| self.node(block, &numbers, place)).collect()
    }

    fn node(&mut self, id: BlockId, numbers: &BTreeMap<BlockId, NodeId>, place: Place) -> Node {
        let block = self.out.blocks[id.index()].clone();
        let marks = self.marks.get(id.index()).cloned().unwrap_or_default();
        let site = self.site(marks.first().map_or(place, |mark| mark.place));
        let mut steps = Vec::new();
        for (nth, command) in block.commands.into_iter().enumerate() {
            let mark = marks.get(nth).copied().unwrap_or(Mark { place, at_head: false });
            self.step(command, mark, &mut steps);
        }
        let next = if self.returns.contains(&id) {
            Next::Return
        } else {
            Next::Goto(block.successors.iter().filter_map(|it| numbers.get(it).copied()).collect())
        };
        Node { steps, next, site }
    }

    fn step(&mut self, command: Command, mark: Mark, steps: &mut Vec<Step>) {
        let site = self.site(mark.place);
        match command {
            Command::Assume { term, .. } if term.is_true() => {}
            Command::Assume { term, .. } => steps.push(Step::Assume(term, site)),
            Command::Assert { term, id, .. } => {
                let why = self.why(id, mark);
                steps.push(Step::Assert(Condition { term, id, why, site }));
            }
            Command::Assign(pairs) => steps.push(Step::Assign(pairs, site)),
            Command::Havoc(vars) => {
                let (new, any): (Vec<Var>, Vec<Var>) =
                    vars.into_iter().partition(|var| self.lowering.made_new.contains(var));
                steps.extend(new.into_iter().map(|var| Step::Fresh(var, site)));
                if !any.is_empty() {
                    steps.push(Step::Havoc(any, site));
                }
            }
            Command::Capture(capture) => {
                steps.extend(self.kept.get(capture.id.0 as usize).cloned());
            }
        }
    }

    fn why(&self, id: AssertId, mark: Mark) -> Why {
        let is_action = self.part.procedure_name.is_none();
        match self.out.info(id).map(|info| &info.claim) {
            _ if mark.at_head => Why::Loop,
            Some(Claim::Assertion) if is_action => Why::Gate,
            Some(Claim::Assertion) | None => Why::Assertion,
            Some(Claim::Gate { .. } | Claim::Sufficiency { .. }) => Why::Gate,
            Some(Claim::Permission(_) | Claim::Unpack { .. }) => Why::Demand,
            Some(Claim::Postcondition { .. }) => Why::Ensures,
            Some(_) => Why::Requires,
        }
    }
}

fn number(names: &mut Vec<Name>, name: &Name) -> u32 {
    let known = names.iter().position(|it| it == name);
    let number = known.unwrap_or_else(|| {
        names.push(name.clone());
        names.len() - 1
    });
    u32::try_from(number).unwrap_or(u32::MAX)
}
