//! Which quantifiers the solver was busy with when time ran out.
//!
//! **In:** assertions without an answer. **Out:** for some of them the quantifiers that were
//! instantiated most often, in a short run of the solver that counts.
//!
//! Nothing here changes a finding: the run is made for its counts, its answer is thrown away.

use std::collections::BTreeMap;
use std::time::Duration;

use ir::{AssertId, Term};

use super::{Asking, GRACE, Lane, SHORTEST};
use crate::encode::print::{BY_MODELS, BY_PATTERNS};
use crate::engine::Start;
use crate::record::{Finding, Undecided};

/// A quantifier and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The assertion that has no answer.
    pub assert: AssertId,
    /// As it was put to the solver.
    pub quantifier: Term,
    /// How often it was instantiated in a run that counted.
    pub instances: u64,
}

/// So many quantifiers are named for each assertion.
const MOST: usize = 3;
/// So many assertions are asked about.
const MOST_ASSERTS: usize = 3;
/// All counting together takes at most this part of the time of a question.
const PART: u32 = 8;
/// And no more than this.
const LONGEST: Duration = Duration::from_secs(2);
/// Steps of the solver for one count: enough to see what dominates, the same on every machine.
const STEPS: u32 = 60_000;
/// How the solver marks a line with counts.
const MARK: &str = "[quantifier_instances]";

/// What has to be left of the time of a question, to count if it is needed.
pub(super) fn reserve(time: Duration) -> Duration {
    (time / PART).min(LONGEST)
}

impl Asking<'_> {
    /// Counts instances for the first assertions that ran out of time or steps, until `reserve`
    /// is used up.
    pub(super) fn costs(&mut self, reserve: Duration) -> Vec<Cost> {
        let ran_out = |finding: &Finding| {
            matches!(finding, Finding::Undecided(Undecided::Time { .. } | Undecided::Steps { .. }))
        };
        let late: Vec<AssertId> = self
            .findings
            .iter()
            .filter(|(_, finding)| ran_out(finding))
            .map(|(id, _)| *id)
            .take(MOST_ASSERTS)
            .collect();
        let Ok(parts) = u32::try_from(late.len().max(1)) else { return Vec::new() };
        let mut costs = Vec::new();
        for id in late {
            let counted = self.count(id, reserve / parts).unwrap_or_default();
            costs.extend(counted.into_iter().map(|(quantifier, instances)| Cost {
                assert: id,
                quantifier,
                instances,
            }));
        }
        costs
    }

    fn count(&mut self, id: AssertId, time: Duration) -> Option<Vec<(Term, u64)>> {
        if time < SHORTEST || self.script.quantifiers.is_empty() {
            return None;
        }
        let fact = self.fact(&self.script.correctness.failing_only_at(id)).ok()?;
        // Counts are printed when the quantifiers are given up.
        let script = format!(
            "{}(set-option :smt.qi.profile true)\n(set-option :timeout {})\n(set-option :rlimit {STEPS})\n(push 1)\n{}{fact}(check-sat)\n(pop 1)\n",
            Lane::Tuned.options(self.limits.seed),
            time.as_millis(),
            self.script.text,
        );
        // Noticing the limit and giving up many quantifiers takes its time.
        let printed = self.eval(Start::Fresh, &script, time * 2 + GRACE).ok()?;
        let mut counted: Vec<(usize, u64)> = counts(&printed).into_iter().collect();
        counted.sort_by_key(|(nth, count)| (std::cmp::Reverse(*count), *nth));
        let named = counted
            .into_iter()
            .filter_map(|(nth, count)| Some((self.script.quantifiers.get(nth)?.clone(), count)));
        Some(named.take(MOST).collect())
    }
}

/// The number of each quantifier and how often it was instantiated, copies of it added up.
fn counts(printed: &str) -> BTreeMap<usize, u64> {
    let mut found = BTreeMap::new();
    for line in printed.lines() {
        let Some(line) = line.trim_start().strip_prefix(MARK) else { continue };
        let mut fields = line.split(':').map(str::trim);
        let number = fields
            .next()
            .and_then(|name| name.strip_prefix([BY_MODELS, BY_PATTERNS])?.parse::<usize>().ok());
        let count = fields.next().and_then(|count| count.parse::<u64>().ok());
        if let (Some(number), Some(count @ 1..)) = (number, count) {
            *found.entry(number).or_insert(0) += count;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_about_our_quantifiers_are_counted() {
        let printed = "unknown\n\
            [quantifier_instances]         q2 :   4208 :   0 :   0 :   9 : 10\n\
            [quantifier_instances]       k!12 :     77 :   0 :   0 :   9 : 10\n\
            [quantifier_instances]         q2 :      2 :   0 :   0 :   9 : 10\n\
            [quantifier_instances]         q0 :      0 :   0\n\
            [quantifier_instances]         q1 :     x\n\
            q3 : 9\n";
        assert_eq!(counts(printed), BTreeMap::from([(2, 4210)]));
    }
}
