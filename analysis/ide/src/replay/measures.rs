//! Measures of loops and calls, on values (language.md 9.10).

use base::Place;
use hir::{BlockId, Command, ExprId, Layer, LayerSet, ProcSig, Stmt, StmtId};
use ir::Value;
use obligations::Claim;

use super::exprs::View;
use super::machine::{Check, Code, Guide, Machine, Stop};
use super::sequential::judge;
use super::structure::{Known, doubt};

/// Which measures count: all in code without layers, else those of one layer.
fn counts(layers: &LayerSet, layer: Option<Layer>) -> bool {
    layer.is_none_or(|layer| layers.contains(layer))
}

/// The measure of the loop with this header.
pub(super) fn of_loop(
    code: &Code,
    head: BlockId,
    layer: Option<Layer>,
) -> Option<(StmtId, Vec<ExprId>)> {
    code.cfg.block(head).commands.iter().find_map(|command| {
        let Command::Stmt(id) = command else { return None };
        let Stmt::Measure { exprs, layers, .. } = code.body.stmt(*id) else { return None };
        counts(layers, layer).then(|| (*id, exprs.to_vec()))
    })
}

/// Is `now` smaller than `before`?
pub(super) fn is_smaller(now: &[Value], before: &[Value]) -> Known<bool> {
    if now.len() != before.len() {
        return Ok(false);
    }
    for pair in now.iter().zip(before) {
        match pair {
            (Value::Int(now), Value::Int(before)) if now != before => return Ok(now < before),
            (Value::Bool(now), Value::Bool(before)) if now != before => return Ok(*before),
            (Value::Int(_), Value::Int(_)) | (Value::Bool(_), Value::Bool(_)) => {}
            _other => return doubt("a measure of different shapes"),
        }
    }
    Ok(false)
}

/// `0 <= value`; nothing for truth values.
fn is_not_negative(value: &Known<Value>) -> Option<Known<bool>> {
    match value {
        Ok(Value::Int(it)) => Some(Ok(it.sign() != num_bigint::Sign::Minus)),
        Ok(_) => None,
        Err(why) => Some(Err(why.clone())),
    }
}

/// At the head of a loop: no integer of its measure is negative. `maintained` tells who asks.
pub(super) fn at_head(
    guide: &dyn Guide,
    machine: &mut Machine,
    exprs: &[ExprId],
) -> Result<(), Stop> {
    for expr in exprs {
        let value = machine.value(guide.structure(), *expr);
        let Some(holds) = is_not_negative(&value) else { continue };
        let claim = Claim::MeasureNonNegative { callee: None };
        let place = machine.top().code.map.expr(*expr);
        judge(guide, machine, holds, Check::new(claim, place))?;
    }
    Ok(())
}

/// The values of a measure.
pub(super) fn values(guide: &dyn Guide, machine: &Machine, exprs: &[ExprId]) -> Known<Vec<Value>> {
    exprs.iter().map(|expr| machine.value(guide.structure(), *expr)).collect()
}

/// At a call: the callee's measure is not negative and, if the call is recursive, smaller than the
/// caller's was at entry.
pub(super) fn at_call(
    guide: &dyn Guide,
    machine: &mut Machine,
    (sig, view): (&ProcSig, View<'_>),
    (place, layer): (Place, Option<Layer>),
) -> Result<(), Stop> {
    let world = guide.structure().world;
    let measured = |sig: &ProcSig, view: View<'_>| -> Vec<(Known<Value>, Place)> {
        let Some((specs, map)) = world.specs(sig.decl).zip(world.specs_map(sig.decl)) else {
            return Vec::new();
        };
        let view = View { exprs: &specs.exprs, ..view };
        let clauses = specs.measures.iter().filter(|it| counts(&it.layers, layer));
        let exprs = clauses.flat_map(|it| it.exprs.iter());
        exprs.map(|id| (guide.structure().value(view, *id), map.expr(*id))).collect()
    };
    let now = measured(sig, view);
    for (value, clause) in &now {
        let Some(holds) = is_not_negative(value) else { continue };
        let claim = Claim::MeasureNonNegative { callee: Some(sig.name.clone()) };
        judge(guide, machine, holds, Check::of(claim, place, *clause))?;
    }
    let caller = machine.top().code.sig.clone();
    if !discipline::reaches(world.db, world.program, &sig.name, &caller.name) {
        return Ok(());
    }
    let frame = machine.top().clone();
    let before = measured(&caller, View { old: &frame.old, ..frame.view(&frame.old) });
    if before.is_empty() {
        return Ok(());
    }
    let all = |it: Vec<(Known<Value>, Place)>| -> Known<Vec<Value>> {
        it.into_iter().map(|(value, _)| value).collect()
    };
    let first = now.first().map(|(_, place)| *place);
    let smaller = all(now).and_then(|now| is_smaller(&now, &all(before)?));
    let claim = Claim::MeasureDecreases { callee: Some(sig.name.clone()) };
    judge(guide, machine, smaller, Check { claim, place, clause: first })
}
