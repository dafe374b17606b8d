//! Steps and graphs of nodes, of procedures and actions alike.

#![allow(clippy::wildcard_enum_match_arm, reason = "other sorts hold no elements")]

use std::collections::BTreeSet;

use ir::{
    Sort, Term, Var,
    exploration::Inexact,
    free_vars,
    layer::{Act, Action, Condition, Item, Next, Node, Step, Why},
};

use super::{Compiled, Compiler, procedures::live_where, refuse};
use crate::{
    arena::Val,
    code::{At, Fresh, Instr, Operand, Pc, Slot},
};

/// Whose nodes are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// One step, with all its code.
    Action,
    /// Others may run between steps.
    Procedure,
}

/// Where nodes start, and who wants to know.
struct Labels {
    starts: Vec<Pc>,
    /// Behind the assumptions with which a node starts.
    bodies: Vec<Pc>,
    jumps: Vec<(Pc, usize, bool)>,
    returns: Vec<Pc>,
}

impl Compiler<'_, '_> {
    /// Code for a graph; `at_return` is emitted wherever it returns, before a jump to the end.
    pub(super) fn graph(
        &mut self,
        nodes: &[Node],
        owner: Owner,
        at_return: &mut dyn FnMut(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let none = vec![0; nodes.len()];
        let mut labels =
            Labels { starts: none.clone(), bodies: none, jumps: vec![], returns: vec![] };
        for at in reachable(nodes) {
            let node = &nodes[at];
            self.forget_all();
            labels.starts[at] = self.here();
            let leading = leading(node);
            for (nth, step) in node.steps[..leading].iter().enumerate() {
                self.cursor = (at, nth);
                self.step(step, owner)?;
            }
            self.forget_all();
            labels.bodies[at] = self.here();
            self.steps(node, (at, leading), owner)?;
            self.cursor = (at, node.steps.len());
            match &node.next {
                Next::Return => {
                    at_return(self)?;
                    labels.returns.push(self.emit(Instr::Jump(0)));
                }
                Next::Goto(_) => self.go(nodes, node, owner, &mut labels)?,
            }
        }
        let end = self.here();
        for (at, node, body) in labels.jumps {
            let to = if body { labels.bodies[node] } else { labels.starts[node] };
            self.code.instrs[at as usize] = Instr::Jump(to);
        }
        for at in labels.returns {
            self.code.instrs[at as usize] = Instr::Jump(end);
        }
        self.forget_all();
        Ok(())
    }

    fn go(
        &mut self,
        nodes: &[Node],
        from: &Node,
        owner: Owner,
        labels: &mut Labels,
    ) -> Compiled<()> {
        let targets: Vec<usize> = from.next.targets().iter().map(|it| it.index()).collect();
        let targets = &targets[..];
        match targets {
            [] => {
                self.emit(Instr::Assume(Operand::FALSE));
                return Ok(());
            }
            [only] => {
                let at = self.emit(Instr::Jump(0));
                labels.jumps.push((at, *only, false));
                return Ok(());
            }
            _several => {}
        }
        let first = |target: usize| match nodes[target].steps.first() {
            Some(Step::Assume(term, _)) => Some(term.clone()),
            _other => None,
        };
        let mut starts = Vec::new();
        let opposite = match targets {
            [one, other] => first(*one).filter(|it| first(*other) == Some(Term::not(it.clone()))),
            _several => None,
        };
        if owner == Owner::Procedure {
            // What it waits for is the first guard.
            let node = &nodes[targets[0]];
            let site = node.steps.first().map_or(from.site, Step::site);
            let guards = targets.iter().map(|it| &nodes[*it].steps[..leading(&nodes[*it])]);
            let local = guards.clone().flatten().flat_map(Step::terms).all(|it| self.is_local(it));
            let mut counts = guards.map(<[Step]>::len);
            let one_is_open = match &opposite {
                Some(_) => counts.all(|it| it == 1),
                None => counts.any(|it| it == 0),
            };
            let passes = local && one_is_open;
            self.point(if passes { At::Local } else { At::Step }, site);
        }
        let branch = match &opposite {
            Some(cond) => {
                let cond = self.term(cond)?;
                let at = self.emit(Instr::Test { cond, no: 0, undefined: 0 });
                (at, Some(cond))
            }
            None => (self.emit(Instr::Choose(Box::new([]))), None),
        };
        for (nth, target) in targets.iter().enumerate() {
            starts.push(self.here());
            self.scoped(|own| {
                own.emit(Instr::Branch(nth as u32));
                let known = usize::from(opposite.is_some());
                for step in nodes[*target].steps[..leading(&nodes[*target])].iter().skip(known) {
                    own.plain(step)?;
                }
                let at = own.emit(Instr::Jump(0));
                labels.jumps.push((at, *target, true));
                Ok(())
            })?;
        }
        self.code.instrs[branch.0 as usize] = match branch.1 {
            Some(cond) => {
                let undefined = self.emit(Instr::Assume(Operand::val(Val::POISON)));
                Instr::Test { cond, no: starts[1], undefined }
            }
            None => Instr::Choose(starts.into()),
        };
        Ok(())
    }

    /// Does the term mention variables of the frame alone?
    pub(super) fn is_local(&self, term: &Term) -> bool {
        free_vars(term).iter().all(|var| !self.code.globals.contains(var))
    }

    /// The steps of a node from some position on. A choice sees the assumptions that follow it.
    fn steps(&mut self, node: &Node, (nth, first): (usize, usize), owner: Owner) -> Compiled<()> {
        let mut at = first;
        while let Some(step) = node.steps.get(at) {
            self.cursor = (nth, at);
            at += 1;
            let Step::Havoc(vars, site) = step else {
                self.step(step, owner)?;
                continue;
            };
            let mut assumptions = Vec::new();
            while let Some(Step::Assume(term, _)) = node.steps.get(at) {
                assumptions.push(term.clone());
                at += 1;
            }
            let globals: Vec<&Var> =
                vars.iter().filter(|it| self.code.globals.contains(it)).collect();
            if owner == Owner::Procedure {
                let local = assumptions.is_empty() && globals.is_empty();
                self.point(if local { At::Local } else { At::Step }, *site);
            }
            self.site = *site;
            // A value that nobody reads is no choice.
            let after = self.live.get(nth).and_then(|it| it.get(at));
            let is_read = |var: &Var| after.is_none_or(|after| after.contains(var));
            let dead = assumptions.is_empty() && globals.is_empty() && !vars.iter().any(is_read);
            if dead {
                self.choose_nothing(vars)?;
            } else {
                self.choose(vars, &assumptions)?;
            }
            if owner == Owner::Procedure && !assumptions.is_empty() {
                self.emit(Instr::Tick(assumptions.len() as u32));
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, owner: Owner) -> Compiled<()> {
        self.site = step.site();
        if owner == Owner::Procedure {
            return self.procedure_step(step);
        }
        self.plain(step)
    }

    /// The steps that actions have as well.
    pub(super) fn plain(&mut self, step: &Step) -> Compiled<()> {
        match step {
            Step::Assume(term, _) => {
                let cond = self.term(term)?;
                self.emit(Instr::Assume(cond));
                Ok(())
            }
            Step::Assert(condition) => self.check(condition),
            Step::Assign(pairs, _) => {
                let mut stores = Vec::new();
                for (var, term) in pairs {
                    stores.push((self.slot_of(var)?, self.term(term)?));
                }
                self.store_all(stores);
                pairs.iter().for_each(|(var, _)| self.forget(var));
                Ok(())
            }
            Step::Havoc(vars, _) => self.choose(vars, &[]),
            Step::Fresh(var, _) => self.fresh(var),
            Step::Act(_)
            | Step::Call(_)
            | Step::Par(..)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => refuse("a step that actions do not have"),
        }
    }

    fn fresh(&mut self, var: &Var) -> Compiled<()> {
        let (sort, wrap) = match &var.sort {
            Sort::Uninterpreted(name) => (name.clone(), false),
            sort => {
                let def = self.program.signature.datatype(sort);
                match def.and_then(|def| def.ctors().first()?.fields.first()) {
                    Some((_, Sort::Uninterpreted(name))) => (name.clone(), true),
                    _other => return refuse("a new element of a sort without elements"),
                }
            }
        };
        let dst = self.slot_of(var)?;
        let (first, size) = self.domains.elements(&sort);
        if first + size > 63 {
            return refuse(format!("more than 63 elements of `{sort}`"));
        }
        let note = self.note(Inexact::UsedUp(sort));
        let end = self.frame_end;
        let locals = self.named.iter().copied().filter(|it| it.0 >= end).collect();
        let number = self.sort_number(&var.sort);
        let fresh = Fresh { dst, wrap, sort: number, note, first, size, locals };
        self.emit(Instr::Fresh(Box::new(fresh)));
        self.forget(var);
        Ok(())
    }

    /// Fails here unless the condition holds, if conditions of its kind are checked.
    pub(super) fn check(&mut self, condition: &Condition) -> Compiled<()> {
        if !self.checked.contains(&condition.why) || condition.term.is_true() {
            return Ok(());
        }
        let cond = self.term(&condition.term)?;
        if self.is_above && matches!(condition.why, Why::Gate | Why::Demand) {
            self.emit(Instr::Excuse(cond, condition.site));
            return Ok(());
        }
        let number = self.code.checks.len() as u32;
        self.code.checks.push(condition.clone());
        self.emit(Instr::Assert(cond, number));
        Ok(())
    }

    /// An action, in one step; its results are in the registers that are returned.
    pub(super) fn action(&mut self, act: &Act) -> Compiled<Vec<Slot>> {
        let program = self.program;
        let Some(action) = program.action(act.action) else { return refuse("an unknown action") };
        if let Some(excluded) = program.excluded(&Item::Action(action.name.clone())) {
            return refuse(format!("`{}`: {}", action.name, excluded.why));
        }
        let ins = self.arguments(&act.ins)?;
        let env = self.env.clone();
        let named = self.named.clone();
        self.forget_all();
        for (var, operand) in action.ins.iter().zip(ins) {
            self.env.insert(var.clone(), operand);
            self.named.extend(operand.get());
        }
        let mut outs = Vec::new();
        let written = written_first(action);
        for (nth, var) in action.outs.iter().chain(&action.locals).enumerate() {
            let slot = self.temp();
            self.env.insert(var.clone(), Operand::slot(slot));
            self.named.push(slot);
            if nth < action.outs.len() {
                outs.push(slot);
            }
            if !written.contains(var) {
                self.emit(Instr::Copy { dst: slot, src: Operand::val(Val::POISON) });
            }
        }
        for condition in action.requires.iter().chain(&action.gate) {
            self.check(condition)?;
        }
        let globals = self.code.globals.iter().cloned();
        let at_exit = action.outs.iter().cloned().chain(globals).collect();
        let live = std::mem::replace(&mut self.live, live_where(&action.nodes, &at_exit));
        let cursor = self.cursor;
        let made = self.graph(&action.nodes, Owner::Action, &mut |_| Ok(()));
        self.live = live;
        self.cursor = cursor;
        made?;
        self.env = env;
        self.named = named;
        Ok(outs)
    }

    /// Arguments that keep their values whatever is written.
    pub(super) fn arguments(&mut self, terms: &[Term]) -> Compiled<Vec<Operand>> {
        let mut out = Vec::new();
        for term in terms {
            let value = self.term(term)?;
            let is_global =
                value.get().is_ok_and(|slot| (slot.0 as usize) < self.code.globals.len());
            out.push(if is_global {
                self.compute(|dst| Instr::Copy { dst, src: value })
            } else {
                value
            });
        }
        Ok(out)
    }
}

/// With how many assumptions the node starts.
fn leading(node: &Node) -> usize {
    node.steps.iter().take_while(|step| matches!(step, Step::Assume(..))).count()
}

/// The nodes that runs can reach, in order.
fn reachable(nodes: &[Node]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![0];
    while let Some(at) = todo.pop() {
        let Some(node) = nodes.get(at).filter(|_| seen.insert(at)) else { continue };
        if let Next::Goto(targets) = &node.next {
            todo.extend(targets.iter().map(|it| it.index()));
        }
    }
    seen
}

/// Variables that the first node writes before anything reads them.
fn written_first(action: &Action) -> BTreeSet<Var> {
    let mut written = BTreeSet::new();
    let mut read = BTreeSet::new();
    let first = action.nodes.first().map_or(&[][..], |node| &node.steps);
    // An element that is new may not occur in a variable either.
    let is_fresh = |step: &Step| matches!(step, Step::Fresh(..));
    if action.nodes.iter().any(|node| node.steps.iter().any(is_fresh)) {
        return written;
    }
    for step in first {
        match step {
            Step::Assume(term, _) => read.extend(free_vars(term)),
            Step::Assert(condition) => read.extend(free_vars(&condition.term)),
            Step::Assign(pairs, _) => {
                pairs.iter().for_each(|(_, term)| read.extend(free_vars(term)));
                written.extend(pairs.iter().map(|it| it.0.clone()).filter(|it| !read.contains(it)));
            }
            Step::Havoc(vars, _) => {
                written.extend(vars.iter().filter(|it| !read.contains(*it)).cloned());
            }
            Step::Fresh(..)
            | Step::Act(_)
            | Step::Call(_)
            | Step::Par(..)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => {}
        }
    }
    written
}
