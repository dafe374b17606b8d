//! Quantifiers over integers that say themselves over which.
//!
//! **In:** `forall i: int :: lo <= i && i < hi ==> p`, or `exists i: int :: lo <= i && i < hi && p`.
//! **Out:** all tuples for which the guard can hold. Only in an instance, where it decides.

use num_bigint::BigInt;

use crate::{
    carriers::tuples,
    op::Op,
    sort::Sort,
    subst::occurs_free,
    term::{Quant, QuantKind, Term, Var},
    value::Value,
};

use super::{Evaluator, Locals};

/// Longer ranges are not tried.
const MOST: u32 = 256;

/// Orders; whether a variable on the left is bounded from below; whether the bound is excluded.
const ORDERS: [(Op, bool, bool); 4] =
    [(Op::Le, false, false), (Op::Lt, false, true), (Op::Ge, true, false), (Op::Gt, true, true)];

impl Evaluator<'_> {
    /// The tuples that matter, if every bound variable is of an enumerated sort or has a range.
    pub(super) fn guarded(&mut self, quant: &Quant, locals: &Locals) -> Option<Vec<Vec<Value>>> {
        let instance = self.env.instance.clone()?;
        let guard = match (quant.kind, quant.body.as_app()) {
            (QuantKind::Forall, Some((Op::Implies, [guard, _]))) => guard,
            (QuantKind::Exists, _) => &quant.body,
            (QuantKind::Forall, _) => return None,
        };
        let mut conjuncts = Vec::new();
        let mut todo = vec![guard];
        while let Some(term) = todo.pop() {
            match term.args_of(&Op::And) {
                Some(args) => todo.extend(args),
                None => conjuncts.push(term),
            }
        }
        let own: Vec<&Var> = quant.bound.iter().map(|bound| &bound.var).collect();
        let mut axes = Vec::new();
        for var in &own {
            if instance.complete.contains(&var.sort) {
                axes.push(self.env.candidates.get(&var.sort)?.clone());
                continue;
            }
            if var.sort != Sort::Int {
                return None;
            }
            let (mut low, mut high): (Option<BigInt>, Option<BigInt>) = (None, None);
            for conjunct in &conjuncts {
                match self.limit(conjunct, var, &own, locals) {
                    Some((value, true)) => {
                        low = Some(low.map_or(value.clone(), |it| it.max(value)))
                    }
                    Some((value, false)) => {
                        high = Some(high.map_or(value.clone(), |it| it.min(value)));
                    }
                    None => {}
                }
            }
            let (low, high) = (low?, high?);
            let count =
                u32::try_from(&high - &low + 1).unwrap_or(if high < low { 0 } else { MOST + 1 });
            if count > MOST {
                return None;
            }
            axes.push((0..count).map(|nth| Value::Int(&low + nth)).collect());
        }
        tuples(&axes)
    }

    /// The least (true) or greatest (false) value that the conjunct leaves to `var`.
    fn limit(
        &mut self,
        conjunct: &Term,
        var: &Var,
        bound: &[&Var],
        locals: &Locals,
    ) -> Option<(BigInt, bool)> {
        let (op, [left, right]) = conjunct.as_app()? else { return None };
        let is_var = |term: &Term| term.as_var() == Some(var);
        // Read as `var op limit`.
        let &(_, above_if_left, strict) = ORDERS.iter().find(|(it, ..)| it == op)?;
        let (limit, above) = match (is_var(left), is_var(right)) {
            (true, false) => (right, above_if_left),
            (false, true) => (left, !above_if_left),
            (true, true) | (false, false) => return None,
        };
        if bound.iter().any(|it| occurs_free(it, limit)) {
            return None;
        }
        match self.nested(limit, locals) {
            Ok(Value::Int(value)) if strict && above => Some((value + 1, true)),
            Ok(Value::Int(value)) if strict => Some((value - 1, false)),
            Ok(Value::Int(value)) => Some((value, above)),
            Ok(_) | Err(_) => None,
        }
    }
}
