//! Actions, and what is made new.

use super::{
    Child, Configuration, Done, Frame, Halt, Machine, Values,
    choices::{self, Chooser},
    no,
};
use crate::{
    exploration::Choice,
    layer::{ActionId, Next, NodeId, Step},
    symbol::Symbol,
    term::{Term, Var},
    value::{Data, Element, Value},
};

/// What one run of an action leads to, and its results.
pub type Outcome = (Done<Configuration>, Vec<Option<Value>>);

impl Machine<'_> {
    /// Every run of the action with these arguments, those that block left out.
    pub fn outcomes(
        &self,
        action: ActionId,
        args: &[Option<Value>],
        from: &Configuration,
    ) -> Vec<Outcome> {
        let mut runs: Vec<Outcome> = Vec::new();
        choices::all(|chooser| {
            let mut config = from.clone();
            let results = self.run_action(action, args.to_vec(), &mut config, chooser);
            match &results {
                Ok(results) => runs.push((Ok(config.clone()), results.clone())),
                Err(Halt::Blocked) => {}
                Err(halt) => runs.push((Err(halt.clone()), Vec::new())),
            }
            results.map(|_| (config, Vec::new()))
        });
        runs
    }

    /// The action in one step; its results.
    pub(super) fn run_action(
        &self,
        id: ActionId,
        args: Vec<Option<Value>>,
        config: &mut Configuration,
        chooser: &mut Chooser<'_>,
    ) -> Done<Vec<Option<Value>>> {
        let Some(action) = self.program.action(id).filter(|it| !it.nodes.is_empty()) else {
            return no("an action that cannot be executed");
        };
        let formals = action.ins.iter().cloned().zip(args);
        let mut vars: Values = formals.filter_map(|(var, value)| Some((var, value?))).collect();
        for condition in action.requires.iter().chain(&action.gate) {
            self.check(condition, &config.globals, &vars)?;
        }
        let mut at = NodeId(0);
        loop {
            let node = &action.nodes[at.index()];
            for step in &node.steps {
                self.action_step(step, config, &mut vars, chooser)?;
            }
            at = match &node.next {
                Next::Return => break,
                Next::Goto(targets) => super::frames::branch(targets, chooser)?,
            };
        }
        Ok(action.outs.iter().map(|var| vars.get(var).cloned()).collect())
    }

    fn action_step(
        &self,
        step: &Step,
        config: &mut Configuration,
        vars: &mut Values,
        chooser: &mut Chooser<'_>,
    ) -> Done<()> {
        match step {
            Step::Assume(term, _) => {
                if self.truth(term, &config.globals, vars)? {
                    Ok(())
                } else {
                    Err(Halt::Blocked)
                }
            }
            Step::Assert(condition) => self.check(condition, &config.globals, vars),
            Step::Assign(pairs, _) => {
                let terms: Vec<Term> = pairs.iter().map(|(_, term)| term.clone()).collect();
                let values = self.args(&terms, &config.globals, vars);
                for ((var, _), value) in pairs.iter().zip(values) {
                    self.set(&mut config.globals, vars, var, value);
                }
                Ok(())
            }
            Step::Havoc(chosen, _) => self.havoc(chosen, config, vars, chooser),
            Step::Fresh(var, _) => {
                let value = self.fresh(var, config, vars, chooser)?;
                self.set(&mut config.globals, vars, var, Some(value));
                Ok(())
            }
            Step::Act(_)
            | Step::Call(_)
            | Step::Par(..)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => no("an action that calls"),
        }
    }

    /// A value for `var` that is new to the configuration and to `vars`.
    pub(super) fn fresh(
        &self,
        var: &Var,
        config: &Configuration,
        vars: &Values,
        chooser: &mut Chooser<'_>,
    ) -> Done<Value> {
        let def = self.program.signature.datatype(&var.sort);
        let Some((def, sort)) = def.zip(self.program.element_sort(var)) else {
            return no(format!("new values of the sort {}", var.sort));
        };
        let value = |index: u32| {
            let element = Value::Element(Element { sort: sort.clone(), index });
            let (datatype, name) = (def.name().clone(), def.ctors()[0].name.clone());
            Value::Data(Data { datatype, ctor: 0, name, fields: vec![element] })
        };
        let is_new = |index: &u32| {
            let element = Element { sort: sort.clone(), index: *index };
            let occurs = |values: &Values| values.values().any(|it| mentions(it, &element));
            let given =
                config.given.iter().any(|given| mentions(&Value::Map(given.set.clone()), &element));
            let frames = config.threads.iter().filter_map(|thread| thread.frame.as_ref());
            let in_frames = frames.into_iter().any(|frame| self.matters(frame, &element));
            !(occurs(&config.globals) || occurs(vars) || given || in_frames)
        };
        let first = (0..self.scope.size_of(&sort)).find(is_new);
        let option = |_| Choice::Value(value(first.unwrap_or_default()));
        let is_fine = |choice: &Choice| {
            let Choice::Value(Value::Data(data)) = choice else { return false };
            let Some(Value::Element(element)) = data.fields.first() else { return false };
            data.datatype == *def.name() && element.sort == sort && is_new(&element.index)
        };
        if first.is_none() && !matches!(chooser, Chooser::Script(..)) {
            return no(used_up(&sort));
        }
        let choice = chooser.choose(|| Some(1), option, is_fine)?;
        if let Choice::Value(value) = choice { Ok(value) } else { no("a new value is missing") }
    }

    /// Is the element in a variable of the frame, or of those it waits for, that can still be read?
    fn matters(&self, frame: &Frame, element: &Element) -> bool {
        let waits = usize::from(!frame.children.is_empty());
        let live = &self.live[frame.procedure.index()][frame.node.index()];
        let live = live.get(frame.step + waits);
        let mut own = frame.vars.iter();
        let is_read = |var: &Var| live.is_none_or(|live| live.contains(var));
        own.any(|(var, value)| is_read(var) && mentions(value, element))
            || frame.children.iter().any(|child| match child {
                Child::Done => false,
                Child::Act(args) => args.iter().flatten().any(|value| mentions(value, element)),
                Child::Running(child) => self.matters(child, element),
            })
    }
}

/// What is said where no element is left.
pub(super) fn used_up(sort: &Symbol) -> String {
    format!("all elements of `{sort}` are in use")
}

fn mentions(value: &Value, element: &Element) -> bool {
    match value {
        Value::Element(own) => own == element,
        Value::Data(data) => data.fields.iter().any(|field| mentions(field, element)),
        Value::Seq(items) => items.iter().any(|item| mentions(item, element)),
        Value::Map(map) => {
            let entries = map.entries().any(|(index, value)| {
                index.iter().any(|it| mentions(it, element)) || mentions(value, element)
            });
            entries || map.default().is_some_and(|value| mentions(value, element))
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::BitVec(..)
        | Value::String(_)
        | Value::Opaque(_) => false,
    }
}
