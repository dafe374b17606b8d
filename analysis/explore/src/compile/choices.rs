//! `havoc; assume`, guided: values are tried only where the assumptions do not determine them.
//!
//! [`ir::eliminate`] solves the assumptions for the variables. What is left is chosen in the order in
//! which it is best known, and each assumption is tested as soon as its variables have values.

#![allow(clippy::wildcard_enum_match_arm, reason = "other terms are tests")]

use std::sync::Arc;

use ir::{
    FuncSym, Op, Sort, Substitution, Term, Var, eliminate, exploration::Inexact, subst::occurs_free,
};

use super::{Compiled, Compiler, quantifiers::conjuncts};
use crate::code::{Instr, Operand, Range, Slot};

/// How often definitions are unfolded in a test.
const MOST_UNFOLDED: u32 = 4;

impl Compiler<'_, '_> {
    /// Gives `vars`, which have registers, values that satisfy `assumptions`.
    pub(super) fn choose(&mut self, vars: &[Var], assumptions: &[Term]) -> Compiled<()> {
        vars.iter().for_each(|var| self.forget(var));
        // A marker holds each variable, and in the end the term that it was solved to.
        let markers: Vec<Arc<FuncSym>> = vars.iter().enumerate().map(marker).collect();
        let marked = markers.iter().zip(vars);
        let marked = marked.map(|(mark, var)| Term::func(mark, vec![Term::var(var.clone())]));
        let constraints = assumptions.iter().cloned().chain(marked).collect();
        let (constraints, mut left) = eliminate(constraints, vars);
        let is_marker = |term: &Term| {
            let name = term
                .as_app()
                .and_then(|(op, _)| if let Op::Func(it) = op { Some(it) } else { None });
            markers.iter().position(|mark| Some(mark) == name)
        };
        let mut values: Vec<Option<Term>> = vec![None; vars.len()];
        let mut tests = Vec::new();
        for term in constraints {
            match (is_marker(&term), term.as_app()) {
                (Some(place), Some((_, args))) => values[place] = Some(args[0].clone()),
                _other => tests.push(term),
            }
        }
        self.test_known(&mut tests, &left)?;
        while let Some(place) = self.next_choice(&left, &tests) {
            let var = left.remove(place);
            let (range, note) = self.choice(&var, &tests, &left)?;
            let cut = self.domains.is_cut(&var.sort) && !self.is_bounded(&var, &tests, &left);
            let dst = self.slot_of(&var)?;
            self.emit(Instr::Pick { dst, range: Box::new(range), note, cut });
            self.test_known(&mut tests, &left)?;
        }
        self.store_solved(vars, values)
    }

    /// Gives `vars` values that nobody reads.
    pub(super) fn choose_nothing(&mut self, vars: &[Var]) -> Compiled<()> {
        let mut chosen = Vec::new();
        for var in vars {
            let (dst, src) = (self.slot_of(var)?, Operand::val(self.least(&var.sort)));
            self.emit(Instr::Copy { dst, src });
            self.forget(var);
            chosen.push((dst, self.sort_number(&var.sort)));
        }
        self.emit(Instr::Chosen(chosen.into()));
        Ok(())
    }

    fn next_choice(&mut self, left: &[Var], tests: &[Term]) -> Option<usize> {
        (0..left.len()).min_by_key(|place| {
            let var = &left[*place];
            let others: Vec<Var> = left.iter().filter(|it| *it != var).cloned().collect();
            let guarded = self.is_guarded(var, tests, &others);
            let count = self.domains.of(&var.sort, self.arena).values.len();
            (!guarded, count)
        })
    }

    /// The values of a choice; a note, if the sort has more.
    fn choice(
        &mut self,
        var: &Var,
        tests: &[Term],
        unknown: &[Var],
    ) -> Compiled<(Range, Option<u32>)> {
        let domain = self.domains.of(&var.sort, self.arena);
        if self.is_guarded(var, tests, unknown) {
            return self.range(var, tests, unknown);
        }
        if self.starting {
            let domain = self.domains.at_start(&var.sort, self.arena);
            return Ok((Range::Listed(domain), None));
        }
        // Integers of the scope are all there are to choose from; the scope says so.
        let note = match (&var.sort, domain.complete) {
            (Sort::Int, _) | (_, true) => None,
            (sort, false) => Some(self.note(Inexact::BoundedChoice(sort.to_string().into()))),
        };
        Ok((Range::Listed(domain), note))
    }

    /// Emits the tests whose variables have values.
    fn test_known(&mut self, tests: &mut Vec<Term>, left: &[Var]) -> Compiled<()> {
        let open = |term: &Term| left.iter().any(|var| occurs_free(var, term));
        let (later, now): (Vec<Term>, Vec<Term>) = tests.drain(..).partition(open);
        *tests = later;
        for term in now {
            let cond = self.term(&term)?;
            self.emit(Instr::Assume(cond));
        }
        Ok(())
    }

    fn store_solved(&mut self, vars: &[Var], values: Vec<Option<Term>>) -> Compiled<()> {
        let mut stores: Vec<(Slot, Operand)> = Vec::new();
        for (var, value) in vars.iter().zip(&values) {
            let Some(value) = value.as_ref().filter(|it| it.as_var() != Some(var)) else {
                continue;
            };
            stores.push((self.slot_of(var)?, self.term(value)?));
        }
        self.store_all(stores);
        for (var, value) in vars.iter().zip(&values) {
            if value.as_ref().is_some_and(|it| it.as_var() != Some(var)) {
                self.forget(var);
            }
        }
        let chosen: Compiled<Vec<(Slot, u32)>> =
            vars.iter().map(|var| Ok((self.slot_of(var)?, self.sort_number(&var.sort)))).collect();
        self.emit(Instr::Chosen(chosen?.into()));
        Ok(())
    }

    /// Simultaneous assignment.
    pub(super) fn store_all(&mut self, mut stores: Vec<(Slot, Operand)>) {
        let written: Vec<Slot> = stores.iter().map(|(slot, _)| *slot).collect();
        if stores.len() > 1 {
            for (_, src) in &mut stores {
                if let Ok(from) = src.get()
                    && written.contains(&from)
                {
                    let old = *src;
                    *src = self.compute(|dst| Instr::Copy { dst, src: old });
                }
            }
        }
        for (dst, src) in stores {
            self.emit(Instr::Copy { dst, src });
        }
    }

    /// Do the tests leave no value of `var` to try but those that are tried? Definitions are unfolded.
    fn is_bounded(&self, var: &Var, tests: &[Term], unknown: &[Var]) -> bool {
        let mut parts = tests.to_vec();
        for _ in 0..MOST_UNFOLDED {
            let unfolded = parts.iter().map(|it| self.unfolded(it).unwrap_or_else(|| it.clone()));
            parts = unfolded.flat_map(|it| conjuncts(&it)).collect();
        }
        self.is_guarded(var, &parts, unknown)
    }

    /// The body of the function that the term applies.
    fn unfolded(&self, term: &Term) -> Option<Term> {
        let (Op::Func(func), args) = term.as_app()? else { return None };
        let definition = self.program.functions.get(&func.name)?.definition.as_ref()?;
        let pairs = definition.params.iter().cloned().zip(args.iter().cloned());
        Some(Substitution::of_vars(pairs).apply(&definition.body))
    }

    fn is_guarded(&self, var: &Var, tests: &[Term], unknown: &[Var]) -> bool {
        super::quantifiers::is_guarded(var, tests, unknown)
    }
}

fn marker((place, var): (usize, &Var)) -> Arc<FuncSym> {
    let sorts: [Sort; 1] = [var.sort.clone()];
    Arc::new(FuncSym::new(format!("chosen@{place}"), sorts, Sort::Bool))
}
