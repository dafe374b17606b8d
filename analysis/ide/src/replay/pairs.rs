//! The runs of checks about actions (verification.md 4): one or two of them, from one state.
//!
//! | check | what is executed |
//! | --- | --- |
//! | commutativity | first, then second, through the states shown; no run of the other order gets there |
//! | gate preservation | second; then an assertion of first fails that held before |
//! | failure preservation | an assertion of first fails, and holds wherever second can lead |
//! | non-blocking | nothing: no run gets to the end |
//! | refinement of actions | the action; no run of the refined one does the same |
//! | sufficiency | the body: an assertion fails though the clauses hold |
//! | stability | the action; a clause of the invariant is false that was true |

use std::collections::BTreeSet;

use base::{Name, Place};
use hir::{ClauseKind, Layer, LinearKind, ProcSig, TySubst};
use ir::Value;
use obligations::{Claim, Pair, UnitKey};

use super::actions::{Act, Goal, ends, failing, gate, reaches};
use super::effects::makes_nothing;
use super::exprs::View;
use super::follow::{Follower, Shown, ShownState};
use super::machine::{Globals, Slot};
use super::permissions::Holder;
use super::structure::{Known, Structure, doubt};
use super::waiting::Waiting;

/// Follows the run of a check about actions.
pub(super) fn follow(follower: &Follower<'_>, key: &UnitKey, env: &ir::Env) -> Known<()> {
    let scene =
        Scene { follower, structure: follower.structure, env, formals: alone(follower, key) };
    scene.wheres()?;
    let confirmed = match key {
        UnitKey::Commutativity(pair) => scene.commutativity(pair),
        UnitKey::GatePreservation(pair) => scene.gate_preservation(pair),
        UnitKey::FailurePreservation(pair) => scene.failure_preservation(pair),
        UnitKey::Nonblocking(name, layer) => scene.nonblocking(name, *layer),
        UnitKey::ActionRefinement(name) => scene.refinement(name),
        UnitKey::GateSufficiency(name) => scene.sufficiency(name),
        UnitKey::GlobalNoninterference(name, layer) | UnitKey::StepNoninterference(name, layer) => {
            scene.stability(name, *layer)
        }
        UnitKey::Plain(_) | UnitKey::Invariant(..) | UnitKey::Refinement(..) => {
            doubt("another unit")
        }
    };
    match confirmed {
        Ok(true) => Ok(()),
        Ok(false) => doubt("the check holds on this run"),
        Err(why) => Err(why),
    }
}

/// The formals of an action that a check is about alone.
fn alone(follower: &Follower<'_>, key: &UnitKey) -> BTreeSet<Name> {
    let name = match key {
        UnitKey::Nonblocking(name, _)
        | UnitKey::ActionRefinement(name)
        | UnitKey::GateSufficiency(name)
        | UnitKey::GlobalNoninterference(name, _)
        | UnitKey::StepNoninterference(name, _) => name,
        UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Plain(_)
        | UnitKey::Invariant(..)
        | UnitKey::Refinement(..) => return BTreeSet::new(),
    };
    let sig = follower.structure.world.proc_sig(name);
    sig.iter().flat_map(|sig| sig.formals()).map(|it| it.name.clone()).collect()
}

struct Scene<'a> {
    follower: &'a Follower<'a>,
    structure: &'a Structure<'a>,
    env: &'a ir::Env,
    /// The formals that are shown by their bare names.
    formals: BTreeSet<Name>,
}

/// An action and how the moments call its formals.
struct Actor {
    act: Act,
    owner: String,
}

impl Actor {
    fn sig(&self) -> &ProcSig {
        &self.act.code.sig
    }
}

impl Scene<'_> {
    fn moment(&self, nth: usize) -> Known<&ShownState> {
        self.follower.moments.get(nth).map_or_else(|| doubt("a state that is not shown"), Ok)
    }

    /// The globals that a moment shows.
    fn globals(&self, nth: usize) -> Known<Globals> {
        let world = self.structure.world;
        let moment = self.moment(nth)?;
        let names = moment.state.iter().map(|(name, _)| Name::new(name));
        let globals = names.filter(|name| world.global(name).is_some());
        let shown = globals.filter_map(|name| {
            let which = if self.formals.contains(&name) { Shown::First } else { Shown::Only };
            let value = moment.shows(name.as_str(), which)?.clone();
            Some((name, Slot::Known(value)))
        });
        Ok(shown.collect())
    }

    /// The `where` clauses of globals hold at the start.
    fn wheres(&self) -> Known<()> {
        let (world, now) = (self.structure.world, self.globals(0)?);
        let types = TySubst::new();
        for name in now.keys() {
            let global = world.global(name);
            let Some(clause) = global.and_then(|it| world.expr_body(it.decl)) else { continue };
            let exprs = &clause.exprs;
            let view = View { exprs, types: &types, locals: &[], now: &now, old: &now };
            if !self.structure.truth(view, clause.root)? {
                return doubt(format!("the `where` clause of `{name}` is false on this run"));
            }
        }
        Ok(())
    }

    /// What a moment shows of a formal.
    fn formal<'m>(&self, moment: &'m ShownState, owner: &str, name: &Name) -> Option<&'m Value> {
        let clash = owner.is_empty() && self.structure.world.global(name).is_some();
        let second = moment.shows(name.as_str(), Shown::Second).filter(|_| clash);
        second.or_else(|| moment.shows(&format!("{owner}{name}"), Shown::Only))
    }

    /// An action with the inputs that the first moment shows.
    fn actor(&self, name: &Name, owner: String) -> Known<Actor> {
        let Some(sig) = self.structure.world.proc_sig(name) else { return doubt("an action") };
        let moment = self.moment(0)?;
        let slot = |param: &hir::Param| {
            let shown = self.formal(moment, &owner, &param.name).cloned();
            let any =
                || self.structure.candidates(param.name.as_str(), &param.ty).into_iter().next();
            shown.or_else(any).map_or(Slot::Unknown, Slot::Known)
        };
        let act = Act::new(self.structure, name, sig.ins.iter().map(slot).collect())?;
        Ok(Actor { act, owner })
    }

    fn pair(&self, pair: &Pair) -> Known<(Actor, Actor)> {
        let shown = |name: &Name, number: usize| match pair.first == pair.second {
            true => format!("{}#{number}.", name.in_reference()),
            false => format!("{}.", name.in_reference()),
        };
        let first = self.actor(&pair.first, shown(&pair.first, 1))?;
        let second = self.actor(&pair.second, shown(&pair.second, 2))?;
        Ok((first, second))
    }

    /// The results that a moment shows.
    fn results(&self, actor: &Actor, nth: usize) -> Known<Vec<Value>> {
        let moment = self.moment(nth)?;
        let outs = actor.sig().outs.iter().map(|param| {
            let value = self.formal(moment, &actor.owner, &param.name).cloned();
            value.map_or_else(|| doubt("a result that is not shown"), Ok)
        });
        outs.collect()
    }

    /// Inputs of linear kind, but not those of the kind `without`; results if a moment shows them.
    fn holders(
        &self,
        actor: &Actor,
        without: Option<LinearKind>,
        results: Option<usize>,
    ) -> Known<Vec<Holder>> {
        let sig = actor.sig();
        let mut holders = Vec::new();
        if let Some(without) = without {
            for (param, slot) in sig.ins.iter().zip(&actor.act.ins) {
                if param.linear == LinearKind::Ordinary || param.linear == without {
                    continue;
                }
                let Slot::Known(value) = slot else { return doubt("the value of an input") };
                holders.push(Holder { ty: param.ty.clone(), value: value.clone() });
            }
        }
        if let Some(nth) = results {
            let linear = sig.outs.iter().zip(self.results(actor, nth)?);
            let linear = linear.filter(|(param, _)| param.linear != LinearKind::Ordinary);
            holders.extend(linear.map(|(param, value)| Holder { ty: param.ty.clone(), value }));
        }
        Ok(holders)
    }

    /// Linear globals hold permissions too.
    fn global_holders(&self, globals: &Globals) -> Vec<Holder> {
        let world = self.structure.world;
        let linear = globals.iter().filter_map(|(name, slot)| {
            let global = world.global(name).filter(|it| it.linear != LinearKind::Ordinary)?;
            match slot {
                Slot::Known(value) => Some(Holder { ty: global.ty.clone(), value: value.clone() }),
                Slot::Choice(_) | Slot::Unknown => None,
            }
        });
        linear.collect()
    }

    /// What linearity promises of a moment.
    fn apart(&self, mut holders: Vec<Holder>, globals: &Globals) -> Known<()> {
        holders.extend(self.global_holders(globals));
        match self.structure.apart(&holders, &Vec::new())? {
            true => Ok(()),
            false => doubt("the run breaks what linearity promises"),
        }
    }

    fn gate_holds(&self, actor: &Actor, globals: &Globals) -> Known<()> {
        match gate(self.structure, &actor.act, globals)?.is_fine() {
            true => Ok(()),
            false => doubt(format!("the gate of `{}` is false on this run", actor.sig().name)),
        }
    }

    /// What callers of the action prove at a layer.
    fn preconditions(&self, actor: &Actor, layer: Option<Layer>, globals: &Globals) -> Known<()> {
        let Some(layer) = layer else { return Ok(()) };
        let world = self.structure.world;
        let Some(specs) = world.specs(actor.sig().decl) else { return doubt("a precondition") };
        let types = TySubst::new();
        let locals = &actor.act.ins;
        let view = View { exprs: &specs.exprs, types: &types, locals, now: globals, old: globals };
        for (_, clause) in specs.of_kind(ClauseKind::Requires) {
            if clause.layers.contains(layer) && !self.structure.truth(view, clause.expr)? {
                return doubt("a precondition is false on this run");
            }
        }
        for (_, call) in specs.calls_of_kind(ClauseKind::Requires) {
            let args: Known<Vec<Value>> =
                call.arm.args.iter().map(|id| self.structure.value(view, *id)).collect();
            let args: Vec<Slot> = args?.into_iter().map(Slot::Known).collect();
            for (holds, _) in self.invariant(&call.arm.callee, &args, (layer, globals)) {
                if !holds? {
                    return doubt("a precondition is false on this run");
                }
            }
        }
        Ok(())
    }

    fn invariant(
        &self,
        name: &Name,
        args: &[Slot],
        (layer, now): (Layer, &Globals),
    ) -> Vec<(Known<bool>, Place)> {
        let world = self.structure.world;
        let Some(sig) = world.proc_sig(name).filter(|it| it.layer() == Some(layer)) else {
            return Vec::new();
        };
        let Some((specs, map)) = world.specs(sig.decl).zip(world.specs_map(sig.decl)) else {
            return Vec::new();
        };
        let types = TySubst::new();
        let view = View { exprs: &specs.exprs, types: &types, locals: args, now, old: now };
        let clauses = specs.of_kind(ClauseKind::Preserves);
        clauses.map(|(nth, it)| (self.structure.truth(view, it.expr), map.clause(nth))).collect()
    }

    /// The action leads from one moment to the next, and what it makes new is none of `held`.
    fn leads(&self, actor: &Actor, (from, to): (usize, usize), held: &[Holder]) -> Known<()> {
        let mut held = held.to_vec();
        held.extend(self.global_holders(&self.globals(from)?));
        let goal = Goal {
            globals: known(&self.globals(to)?),
            results: vec![self.results(actor, to)?],
            made: None,
            held,
        };
        let acts = std::slice::from_ref(&actor.act);
        match reaches(self.structure, acts, &self.globals(from)?, &goal)? {
            true => Ok(()),
            false => doubt(format!("`{}` does not do what is shown", actor.sig().name)),
        }
    }

    fn commutativity(&self, pair: &Pair) -> Known<bool> {
        let (first, second) = self.pair(pair)?;
        let (before, after) = (self.globals(0)?, self.globals(2)?);
        let out = Some(LinearKind::LinearOut);
        let held = [self.holders(&first, out, None)?, self.holders(&second, out, None)?];
        self.apart(held.concat(), &before)?;
        self.gate_holds(&first, &before)?;
        self.gate_holds(&second, &before)?;
        self.preconditions(&second, pair.conditional, &before)?;
        self.leads(&first, (0, 1), &held.concat())?;
        let outs = self.holders(&first, None, Some(2))?;
        let kept = Some(LinearKind::LinearIn);
        let mut afterwards = [self.holders(&first, kept, None)?, outs.clone()].concat();
        let between = [afterwards.clone(), self.holders(&second, out, None)?].concat();
        self.apart(between, &self.globals(1)?)?;
        self.leads(&second, (1, 2), &[held.concat(), outs].concat())?;
        afterwards.extend(self.holders(&second, kept, Some(2))?);
        self.apart(afterwards, &after)?;
        let goal = Goal {
            globals: known(&after),
            results: vec![self.results(&second, 2)?, self.results(&first, 2)?],
            ..Goal::default()
        };
        let other = [second.act, first.act];
        reaches(self.structure, &other, &before, &goal).map(|it| !it)
    }

    fn gate_preservation(&self, pair: &Pair) -> Known<bool> {
        let (first, second) = self.pair(pair)?;
        let (before, after) = (self.globals(0)?, self.globals(1)?);
        let out = Some(LinearKind::LinearOut);
        let held = self.holders(&first, out, None)?;
        let both = [held.clone(), self.holders(&second, out, None)?].concat();
        self.apart(both.clone(), &before)?;
        self.gate_holds(&first, &before)?;
        self.gate_holds(&second, &before)?;
        self.preconditions(&first, pair.conditional, &before)?;
        self.leads(&second, (0, 1), &both)?;
        let kept = self.holders(&second, Some(LinearKind::LinearIn), Some(1))?;
        self.apart([held, kept].concat(), &after)?;
        let failing = gate(self.structure, &first.act, &after)?;
        Ok(failing.places.contains(&self.follower.target.place))
    }

    fn failure_preservation(&self, pair: &Pair) -> Known<bool> {
        let (first, second) = self.pair(pair)?;
        let before = self.globals(0)?;
        let out = Some(LinearKind::LinearOut);
        let held = [self.holders(&first, out, None)?, self.holders(&second, out, None)?];
        self.apart(held.concat(), &before)?;
        self.gate_holds(&second, &before)?;
        self.preconditions(&second, pair.conditional, &before)?;
        for end in ends(self.structure, &second.act, &before)? {
            if !gate(self.structure, &first.act, &end)?.is_impossible()? {
                return doubt("the failure is not hidden on this run");
            }
        }
        let failing = gate(self.structure, &first.act, &before)?;
        Ok(failing.places.contains(&self.follower.target.place))
    }

    fn nonblocking(&self, name: &Name, layer: Option<Layer>) -> Known<bool> {
        let actor = self.actor(name, String::new())?;
        let before = self.globals(0)?;
        self.apart(self.holders(&actor, Some(LinearKind::LinearOut), None)?, &before)?;
        self.gate_holds(&actor, &before)?;
        self.preconditions(&actor, layer, &before)?;
        let acts = std::slice::from_ref(&actor.act);
        reaches(self.structure, acts, &before, &Goal::default()).map(|it| !it)
    }

    fn refinement(&self, name: &Name) -> Known<bool> {
        let actor = self.actor(name, String::new())?;
        let Some(refined) = actor.sig().refines.clone() else { return doubt("an action") };
        let refined = Act::new(self.structure, &refined, actor.act.ins.clone())?;
        let before = self.globals(0)?;
        if !gate(self.structure, &refined, &before)?.is_fine() {
            return doubt("the gate of the refined action is false on this run");
        }
        if let Claim::RefinedGate { .. } = &self.follower.target.claim {
            let failing = gate(self.structure, &actor.act, &before)?;
            return Ok(failing.places.contains(&self.follower.target.place));
        }
        let Claim::ActionRefinement { .. } = &self.follower.target.claim else {
            let failing = failing(self.structure, &actor.act, &before)?;
            return Ok(failing.places.contains(&self.follower.target.place));
        };
        self.leads(&actor, (0, 1), &self.holders(&actor, Some(LinearKind::LinearOut), None)?)?;
        let top = actor.sig().layer().unwrap_or(Layer::MAX);
        let world = self.structure.world;
        let survives = |name: &Name| {
            let global = world.global(name);
            global.is_none_or(|it| it.layers.low() <= top && top < it.layers.high())
        };
        let after = known(&self.globals(1)?).into_iter();
        let goal = Goal {
            globals: after.filter(|(name, _)| survives(name)).collect(),
            results: vec![self.results(&actor, 1)?],
            made: makes_nothing(&actor.act.code).then(Vec::new),
            held: Vec::new(),
        };
        reaches(self.structure, &[refined], &before, &goal).map(|it| !it)
    }

    fn sufficiency(&self, name: &Name) -> Known<bool> {
        let actor = self.actor(name, String::new())?;
        let before = self.globals(0)?;
        self.apart(self.holders(&actor, Some(LinearKind::LinearOut), None)?, &before)?;
        self.gate_holds(&actor, &before)?;
        let failing = failing(self.structure, &actor.act, &before)?;
        Ok(failing.places.contains(&self.follower.target.place))
    }

    fn stability(&self, name: &Name, layer: Layer) -> Known<bool> {
        let Claim::Noninterference { invariant, .. } = &self.follower.target.claim else {
            return doubt("a check of another kind");
        };
        let actor = self.actor(name, String::new())?;
        let (before, after) = (self.globals(0)?, self.globals(1)?);
        let mut held = self.holders(&actor, Some(LinearKind::LinearOut), None)?;
        self.apart(held.clone(), &before)?;
        self.gate_holds(&actor, &before)?;
        let waiting = Waiting::at(self.structure, self.env, (invariant, layer))?;
        self.leads(&actor, (0, 1), &[held.clone(), waiting.holders.clone()].concat())?;
        held.extend(self.global_holders(&before));
        if !self.structure.apart(&waiting.holders, &self.structure.held(&held)?)? {
            return doubt("the run breaks what linearity promises");
        }
        for (holds, _) in waiting.conditions(&before) {
            if !holds? {
                return doubt("the invariant is false before the action");
            }
        }
        let mut clauses = waiting.conditions(&after).into_iter();
        let broken = clauses.find(|(_, at)| *at == self.follower.target.place);
        broken.map_or_else(|| doubt("a clause"), |(holds, _)| holds.map(|it| !it))
    }
}

/// The globals whose values are known.
fn known(globals: &Globals) -> Vec<(Name, Value)> {
    let known = globals.iter().filter_map(|(name, slot)| match slot {
        Slot::Known(value) => Some((name.clone(), value.clone())),
        Slot::Choice(_) | Slot::Unknown => None,
    });
    known.collect()
}
