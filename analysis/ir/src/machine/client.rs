//! The most general client: every thread calls any root with any arguments, as often as the scope says.
//!
//! It keeps to what roots require, and passes every permission at most once: one that is in a linear
//! global, that another call has, or that was given away, it does not have.

use super::{Configuration, Done, Given, Halt, Machine, Values, choices::Chooser, no};
use crate::{
    exploration::{Choice, Event},
    layer::{Formal, Held, Linear, ProcId},
    symbol::Symbol,
    value::{MapValue, Value},
};

impl Machine<'_> {
    pub(super) fn client_call(
        &self,
        config: &mut Configuration,
        thread: u32,
        chooser: &mut Chooser<'_>,
        events: &mut Vec<Event>,
    ) -> Done<()> {
        let caller = &config.threads[thread as usize];
        let may_call = self.scope.calls.is_none_or(|calls| caller.calls < calls);
        if !caller.is_client || !may_call {
            return Err(Halt::Blocked);
        }
        let roots = &self.program.roots;
        let is_root = |choice: &Choice| matches!(choice, Choice::Root(_));
        let Choice::Root(procedure) =
            chooser.choose(|| Some(roots.len()), |nth| Choice::Root(roots[nth]), is_root)?
        else {
            return no("a root is missing");
        };
        let Some(callee) = self.program.procedure(procedure) else {
            return no("a root that does not exist");
        };
        let mut args = Vec::new();
        for formal in &callee.ins {
            let cut = self.cut.get();
            let value = self.any_value(&formal.var.sort, chooser)?;
            // There are no permissions but those of the scope.
            self.cut.set(cut || (self.cut.get() && formal.holds.is_empty()));
            args.push(self.canonical(value, &formal.var.sort));
        }
        let frame = self.enter(procedure, args.iter().cloned().map(Some).collect())?;
        let wanted = self.permissions(&callee.ins, &frame.vars)?;
        if !self.are_free(config, &wanted)? {
            return Err(Halt::Blocked);
        }
        for condition in &callee.requires {
            if !self.truth(&condition.term, &config.globals, &frame.vars)? {
                return Err(Halt::Blocked);
            }
        }
        for (linear, domain, set) in wanted {
            let lent_by = (linear == Linear::Linear).then_some(thread);
            config.given.push(Given { domain, set, lent_by });
        }
        config.given.sort();
        config.threads[thread as usize].frame = Some(frame);
        events.push(Event::Call { thread, procedure, args });
        Ok(())
    }

    /// The permissions that the formals take at a call.
    fn permissions(
        &self,
        formals: &[Formal],
        vars: &Values,
    ) -> Done<Vec<(Linear, Symbol, MapValue)>> {
        let mut found = Vec::new();
        for formal in formals {
            if !matches!(formal.linear, Linear::Linear | Linear::In) {
                continue;
            }
            for held in &formal.holds {
                let set = self.held(held, &Values::new(), vars)?;
                found.push((formal.linear, held.domain.clone(), set));
            }
        }
        Ok(found)
    }

    fn held(&self, held: &Held, globals: &Values, vars: &Values) -> Done<MapValue> {
        match self.value(&held.set, globals, vars) {
            Ok(Value::Map(set)) => Ok(set),
            Ok(_) => no("permissions that are no set"),
            Err(why) => no(why),
        }
    }

    /// Does nobody have any of the permissions?
    fn are_free(
        &self,
        config: &Configuration,
        wanted: &[(Linear, Symbol, MapValue)],
    ) -> Done<bool> {
        let mut taken: Vec<(Symbol, MapValue)> = Vec::new();
        for held in self.program.globals.iter().flat_map(|global| &global.holds) {
            taken.push((held.domain.clone(), self.held(held, &config.globals, &Values::new())?));
        }
        taken.extend(config.given.iter().map(|given| (given.domain.clone(), given.set.clone())));
        for (_, domain, set) in wanted {
            if taken.iter().any(|(other, it)| other == domain && overlap(it, set)) {
                return Ok(false);
            }
            taken.push((domain.clone(), set.clone()));
        }
        Ok(true)
    }

    /// A call of a root, or a thread that was started, has returned.
    pub(super) fn thread_return(
        &self,
        config: &mut Configuration,
        thread: u32,
        (procedure, results): (ProcId, Vec<Option<Value>>),
        events: &mut Vec<Event>,
    ) -> Done<()> {
        let mover = &mut config.threads[thread as usize];
        mover.frame = None;
        if !mover.is_client {
            return Ok(());
        }
        // Without a bound nobody counts.
        mover.calls += u32::from(self.scope.calls.is_some());
        config.given.retain(|given| given.lent_by != Some(thread));
        let outs = &self.program.procedures[procedure.index()].outs;
        let formals = outs.iter().map(|formal| formal.var.clone()).zip(results.clone());
        let vars: Values = formals.filter_map(|(var, value)| Some((var, value?))).collect();
        for formal in outs.iter().filter(|formal| formal.linear != Linear::Ordinary) {
            for held in &formal.holds {
                let set = self.held(held, &Values::new(), &vars)?;
                for given in config.given.iter_mut().filter(|it| it.domain == held.domain) {
                    given.set = without(&given.set, &set);
                }
            }
        }
        let is_empty = |set: &MapValue| !holds_any(set);
        config.given.retain(|given| given.lent_by.is_some() || !is_empty(&given.set));
        let Some(results) = results.into_iter().collect() else {
            return no("a result without value");
        };
        events.push(Event::Return { thread, procedure, results });
        Ok(())
    }
}

fn is_in(set: &MapValue, index: &[Value]) -> bool {
    set.row(index) == Some(&Value::Bool(true))
}

fn overlap(one: &MapValue, two: &MapValue) -> bool {
    let mut keys = one.entries().chain(two.entries()).map(|(index, _)| index);
    let everywhere = |set: &MapValue| set.default() == Some(&Value::Bool(true));
    keys.any(|index| is_in(one, index) && is_in(two, index)) || (everywhere(one) && everywhere(two))
}

fn holds_any(set: &MapValue) -> bool {
    set.default() == Some(&Value::Bool(true))
        || set.entries().any(|(_, value)| *value == Value::Bool(true))
}

fn without(set: &MapValue, gone: &MapValue) -> MapValue {
    let keys = set.entries().chain(gone.entries()).map(|(index, _)| index.to_vec());
    let entries = keys.map(|index| {
        let left = is_in(set, &index) && !is_in(gone, &index);
        (index, Value::Bool(left))
    });
    let everywhere = |set: &MapValue| set.default() == Some(&Value::Bool(true));
    let default = everywhere(set) && !everywhere(gone);
    MapValue::new(entries.collect::<Vec<_>>(), Some(Value::Bool(default)))
}
