//! Whose value can still matter?

use std::collections::BTreeSet;

use super::{Next, Node};
use crate::{subst::free_vars, term::Var};

/// For each node and each position between its steps, the variables that may be read before they are
/// written, if `at_exit` are read at returns. Globals are treated like any others.
pub fn live_before(nodes: &[Node], at_exit: &BTreeSet<Var>) -> Vec<Vec<BTreeSet<Var>>> {
    let mut live: Vec<Vec<BTreeSet<Var>>> =
        nodes.iter().map(|node| vec![BTreeSet::new(); node.steps.len() + 1]).collect();
    loop {
        let mut changed = false;
        for (nth, node) in nodes.iter().enumerate().rev() {
            let mut now: BTreeSet<Var> = match &node.next {
                Next::Return => at_exit.clone(),
                Next::Goto(targets) => {
                    let entries = targets.iter().filter_map(|target| live[target.index()].first());
                    entries.flatten().cloned().collect()
                }
            };
            changed |= live[nth][node.steps.len()] != now;
            live[nth][node.steps.len()] = now.clone();
            for (at, step) in node.steps.iter().enumerate().rev() {
                step.written().into_iter().for_each(|var| _ = now.remove(var));
                now.extend(step.terms().into_iter().flat_map(free_vars));
                changed |= live[nth][at] != now;
                live[nth][at] = now.clone();
            }
        }
        if !changed {
            return live;
        }
    }
}
