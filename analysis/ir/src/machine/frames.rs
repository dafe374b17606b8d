//! Steps of procedures.

use super::{
    Child, Configuration, Done, Frame, Halt, Machine, Thread, Values, choices::Chooser, no,
};
use crate::{
    exploration::{Choice, Event},
    layer::{Act, Arm, Next, NodeId, ProcId, Step},
    sort::Sort,
    term::{Term, Var},
    value::Value,
};

/// Which arms lead from the frame of a thread to the one that moves.
type Way = Vec<usize>;

impl Machine<'_> {
    pub(super) fn micro_step(
        &self,
        from: &Configuration,
        thread: u32,
        chooser: &mut Chooser<'_>,
    ) -> Done<(Configuration, Vec<Event>)> {
        let mut config = from.clone();
        let mut events = Vec::new();
        let Some(mover) = config.threads.get(thread as usize) else {
            return no(format!("there is no thread {thread}"));
        };
        let Some(frame) = &mover.frame else {
            self.client_call(&mut config, thread, chooser, &mut events)?;
            return Ok((config, events));
        };
        let mut way = Way::new();
        let mut frame = frame;
        while let Some(arm) = waiting_arm(frame, chooser)? {
            way.push(arm);
            match &frame.children[arm] {
                Child::Running(child) => frame = child,
                Child::Act(_) | Child::Done => {
                    self.arm_action(&mut config, (thread, &way), chooser)?;
                    return Ok((config, events));
                }
            }
        }
        let mut frame = frame.clone();
        match self.frame_step(&mut config, &mut frame, chooser, &mut events)? {
            None => *self.frame(&mut config, thread, &way)? = frame,
            Some(results) => {
                self.return_from(&mut config, (thread, &way), (&frame, results), &mut events)?;
            }
        }
        Ok((config, events))
    }

    /// The frame that the way leads to.
    fn frame<'c>(
        &self,
        config: &'c mut Configuration,
        thread: u32,
        way: &[usize],
    ) -> Done<&'c mut Frame> {
        let thread = config.threads.get_mut(thread as usize);
        let Some(mut frame) = thread.and_then(|it| it.frame.as_mut()) else {
            return no("a thread without frame");
        };
        for arm in way {
            match frame.children.get_mut(*arm) {
                Some(Child::Running(child)) => frame = child,
                _other => return no("an arm that does not run"),
            }
        }
        Ok(frame)
    }

    /// A new frame of a procedure.
    pub(super) fn enter(&self, procedure: ProcId, args: Vec<Option<Value>>) -> Done<Frame> {
        let Some(callee) = self.program.procedure(procedure).filter(|it| !it.nodes.is_empty())
        else {
            return no("a procedure that cannot be executed");
        };
        let formals = callee.ins.iter().map(|formal| formal.var.clone());
        let vars = formals.zip(args).filter_map(|(var, value)| Some((var, value?)));
        let (node, vars) = (NodeId(0), vars.collect());
        let mut frame = Frame { procedure, node, step: 0, vars, children: Vec::new() };
        self.settle(&mut frame);
        Ok(frame)
    }

    /// The end of a node with one target takes no step.
    fn settle(&self, frame: &mut Frame) {
        let nodes = &self.program.procedures[frame.procedure.index()].nodes;
        // A loop of empty nodes is left where it is: it never gets anywhere.
        for _ in 0..=nodes.len() {
            let node = &nodes[frame.node.index()];
            match &node.next {
                Next::Goto(targets) if frame.step == node.steps.len() && targets.len() == 1 => {
                    (frame.node, frame.step) = (targets[0], 0);
                }
                Next::Goto(_) | Next::Return => return,
            }
        }
    }

    pub(super) fn args(
        &self,
        terms: &[Term],
        globals: &Values,
        vars: &Values,
    ) -> Vec<Option<Value>> {
        terms.iter().map(|term| self.value(term, globals, vars).ok()).collect()
    }

    /// One step of a frame that waits for nothing; its results if it returns.
    fn frame_step(
        &self,
        config: &mut Configuration,
        frame: &mut Frame,
        chooser: &mut Chooser<'_>,
        events: &mut Vec<Event>,
    ) -> Done<Option<Vec<Option<Value>>>> {
        let procedure = &self.program.procedures[frame.procedure.index()];
        let node = &procedure.nodes[frame.node.index()];
        if let Some(step) = node.steps.get(frame.step) {
            self.step_of(config, frame, (step, chooser), events)?;
            if frame.children.is_empty() {
                frame.step += 1;
                self.settle(frame);
            }
            return Ok(None);
        }
        match &node.next {
            Next::Return => {
                for condition in &procedure.ensures {
                    self.check(condition, &config.globals, &frame.vars)?;
                }
                let outs = procedure.outs.iter();
                Ok(Some(outs.map(|formal| frame.vars.get(&formal.var).cloned()).collect()))
            }
            Next::Goto(targets) => {
                frame.node = branch(targets, chooser)?;
                frame.step = 0;
                for step in &procedure.nodes[frame.node.index()].steps {
                    let Step::Assume(term, _) = step else { break };
                    if !self.truth(term, &config.globals, &frame.vars)? {
                        return Err(Halt::Blocked);
                    }
                    frame.step += 1;
                }
                self.settle(frame);
                Ok(None)
            }
        }
    }

    fn step_of(
        &self,
        config: &mut Configuration,
        frame: &mut Frame,
        (step, chooser): (&Step, &mut Chooser<'_>),
        events: &mut Vec<Event>,
    ) -> Done<()> {
        match step {
            Step::Assume(term, _) => {
                if !self.truth(term, &config.globals, &frame.vars)? {
                    return Err(Halt::Blocked);
                }
            }
            Step::Assert(condition) => self.check(condition, &config.globals, &frame.vars)?,
            Step::Assign(pairs, _) => {
                let terms: Vec<Term> = pairs.iter().map(|(_, term)| term.clone()).collect();
                let values = self.args(&terms, &config.globals, &frame.vars);
                for ((var, _), value) in pairs.iter().zip(values) {
                    self.set(&mut config.globals, &mut frame.vars, var, value);
                }
            }
            Step::Havoc(vars, _) => self.havoc(vars, config, &mut frame.vars, chooser)?,
            Step::Fresh(var, _) => {
                let value = self.fresh(var, config, &Values::new(), chooser)?;
                self.set(&mut config.globals, &mut frame.vars, var, Some(value));
            }
            Step::Act(act) => {
                self.havoc(&act.hidden, config, &mut frame.vars, chooser)?;
                let args = self.args(&act.ins, &config.globals, &frame.vars);
                let results = self.run_action(act.action, args, config, chooser)?;
                self.set_all(config, frame, &act.outs, results);
            }
            Step::Call(call) => {
                let args = self.args(&call.ins, &config.globals, &frame.vars);
                let child = self.called(call.procedure, args, config)?;
                frame.children.push(Child::Running(child));
            }
            Step::Spawn { procedure, ins, .. } => {
                let args = self.args(ins, &config.globals, &frame.vars);
                let frame = Some(self.called(*procedure, args, config)?);
                config.threads.push(Thread { is_client: false, calls: 0, frame });
            }
            Step::Par(arms, _) => {
                for arm in arms {
                    let child = match arm {
                        Arm::Claims(claims) => {
                            for claim in claims {
                                self.check(claim, &config.globals, &frame.vars)?;
                            }
                            Child::Done
                        }
                        Arm::Act(Act { ins, .. }) => {
                            Child::Act(self.args(ins, &config.globals, &frame.vars))
                        }
                        Arm::Call(call) => {
                            let args = self.args(&call.ins, &config.globals, &frame.vars);
                            Child::Running(self.called(call.procedure, args, config)?)
                        }
                    };
                    frame.children.push(child);
                }
            }
            Step::Yield(claims, _) => {
                for claim in claims {
                    self.check(claim, &config.globals, &frame.vars)?;
                }
            }
            Step::Event { name, when, args, .. } => {
                if self.truth(when, &config.globals, &frame.vars)? {
                    let values = self.args(args, &config.globals, &frame.vars);
                    let Some(args) = values.into_iter().collect() else {
                        return no("an event without data");
                    };
                    events.push(Event::Named { name: name.clone(), args });
                }
            }
        }
        Ok(())
    }

    /// A frame for a callee, whose requirements hold.
    fn called(
        &self,
        procedure: ProcId,
        args: Vec<Option<Value>>,
        config: &Configuration,
    ) -> Done<Frame> {
        let frame = self.enter(procedure, args)?;
        for condition in &self.program.procedures[procedure.index()].requires {
            self.check(condition, &config.globals, &frame.vars)?;
        }
        Ok(frame)
    }

    /// An arm of a parallel call that is an action.
    fn arm_action(
        &self,
        config: &mut Configuration,
        (thread, way): (u32, &[usize]),
        chooser: &mut Chooser<'_>,
    ) -> Done<()> {
        let Some((arm, way)) = way.split_last() else { return no("an action without call") };
        let mut parent = self.frame(config, thread, way)?.clone();
        let act = match self.waiting_step(&parent) {
            Some(Step::Par(arms, _)) => match arms.get(*arm) {
                Some(Arm::Act(act)) => act,
                _other => return no("an arm that is no action"),
            },
            _other => return no("an arm that is no action"),
        };
        let Some(Child::Act(args)) = parent.children.get(*arm).cloned() else {
            return no("an arm that is no action");
        };
        self.havoc(&act.hidden, config, &mut parent.vars, chooser)?;
        let results = self.run_action(act.action, args, config, chooser)?;
        self.set_all(config, &mut parent, &act.outs, results);
        self.arm_done(config, &mut parent, *arm)?;
        *self.frame(config, thread, way)? = parent;
        Ok(())
    }

    fn return_from(
        &self,
        config: &mut Configuration,
        (thread, way): (u32, &[usize]),
        (frame, results): (&Frame, Vec<Option<Value>>),
        events: &mut Vec<Event>,
    ) -> Done<()> {
        let Some((arm, way)) = way.split_last() else {
            return self.thread_return(config, thread, (frame.procedure, results), events);
        };
        let mut parent = self.frame(config, thread, way)?.clone();
        let outs = match self.waiting_step(&parent) {
            Some(Step::Call(call)) => call.outs.clone(),
            Some(Step::Par(arms, _)) => match arms.get(*arm) {
                Some(Arm::Call(call)) => call.outs.clone(),
                _other => return no("a return to an arm that is no call"),
            },
            _other => return no("a return to a step that is no call"),
        };
        self.set_all(config, &mut parent, &outs, results);
        self.arm_done(config, &mut parent, *arm)?;
        *self.frame(config, thread, way)? = parent;
        Ok(())
    }

    pub(super) fn waiting_step(&self, frame: &Frame) -> Option<&Step> {
        let procedure = self.program.procedure(frame.procedure)?;
        procedure.nodes.get(frame.node.index())?.steps.get(frame.step)
    }

    fn arm_done(&self, config: &Configuration, frame: &mut Frame, arm: usize) -> Done<()> {
        frame.children[arm] = Child::Done;
        if frame.children.iter().any(|child| *child != Child::Done) {
            return Ok(());
        }
        if let Some(Step::Par(arms, _)) = self.waiting_step(frame) {
            for arm in arms {
                let Arm::Claims(claims) = arm else { continue };
                for claim in claims {
                    self.check(claim, &config.globals, &frame.vars)?;
                }
            }
        }
        frame.children.clear();
        frame.step += 1;
        self.settle(frame);
        Ok(())
    }

    fn set_all(
        &self,
        config: &mut Configuration,
        frame: &mut Frame,
        vars: &[Var],
        values: Vec<Option<Value>>,
    ) {
        for (var, value) in vars.iter().zip(values) {
            self.set(&mut config.globals, &mut frame.vars, var, value);
        }
    }

    pub(super) fn set(
        &self,
        globals: &mut Values,
        vars: &mut Values,
        var: &Var,
        value: Option<Value>,
    ) {
        let is_global = self.program.globals.iter().any(|global| global.var == *var);
        let values = if is_global { globals } else { vars };
        match value {
            Some(value) => _ = values.insert(var.clone(), self.canonical(value, &var.sort)),
            None => _ = values.remove(var),
        }
    }

    pub(super) fn havoc(
        &self,
        chosen: &[Var],
        config: &mut Configuration,
        vars: &mut Values,
        chooser: &mut Chooser<'_>,
    ) -> Done<()> {
        for var in chosen {
            let value = self.any_value(&var.sort, chooser)?;
            self.set(&mut config.globals, vars, var, Some(value));
        }
        Ok(())
    }

    pub(super) fn any_value(&self, sort: &Sort, chooser: &mut Chooser<'_>) -> Done<Value> {
        let values = self.values(sort);
        if self.carriers().is_cut(sort) {
            self.cut.set(true);
        }
        let count = || values.as_ref().map(|values| values.len());
        let value = |nth: usize| {
            let values = values.as_deref().unwrap_or_default();
            values.get(nth).map_or(Choice::Branch(0), |value| Choice::Value(value.clone()))
        };
        let is_value =
            |choice: &Choice| matches!(choice, Choice::Value(value) if has_sort(value, sort));
        let choice = chooser.choose(count, value, is_value)?;
        if let Choice::Value(value) = choice { Ok(value) } else { no("a value is missing") }
    }
}

/// Does the value look like one of the sort?
fn has_sort(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (Value::Element(element), Sort::Uninterpreted(name)) => element.sort == *name,
        (Value::Data(data), Sort::Datatype(name)) => data.datatype == *name,
        (Value::BitVec(_, one), Sort::BitVec(two)) => one == two,
        (Value::Bool(_), Sort::Bool)
        | (Value::Int(_), Sort::Int)
        | (Value::Real(_), Sort::Real)
        | (Value::String(_), Sort::String)
        | (Value::Map(_), Sort::Array(..))
        | (Value::Seq(_), Sort::Seq(_)) => true,
        _other => false,
    }
}

/// One of several targets.
pub(super) fn branch(targets: &[NodeId], chooser: &mut Chooser<'_>) -> Done<NodeId> {
    match targets {
        [] => Err(Halt::Blocked),
        [only] => Ok(*only),
        several => {
            let count = u32::try_from(several.len()).unwrap_or(u32::MAX);
            let option = |nth: usize| Choice::Branch(u32::try_from(nth).unwrap_or(u32::MAX));
            let is_target = |choice: &Choice| matches!(choice, Choice::Branch(nth) if *nth < count);
            let choice = chooser.choose(|| Some(several.len()), option, is_target)?;
            let Choice::Branch(nth) = choice else { return no("a branch is missing") };
            Ok(several[nth as usize])
        }
    }
}

/// Which arm of a frame moves; nothing if it waits for none.
fn waiting_arm(frame: &Frame, chooser: &mut Chooser<'_>) -> Done<Option<usize>> {
    let children = frame.children.iter().enumerate();
    let open: Vec<usize> =
        children.filter(|(_, child)| **child != Child::Done).map(|(nth, _)| nth).collect();
    match open[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        [..] => {
            let number = |nth: &usize| Choice::Arm(u32::try_from(*nth).unwrap_or(u32::MAX));
            let is_open = |choice: &Choice| open.iter().any(|nth| number(nth) == *choice);
            let choice = chooser.choose(|| Some(open.len()), |nth| number(&open[nth]), is_open)?;
            let Choice::Arm(nth) = choice else { return no("an arm is missing") };
            Ok(Some(nth as usize))
        }
    }
}
