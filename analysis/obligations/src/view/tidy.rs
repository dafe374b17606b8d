//! Fewer steps, fewer variables, fewer choices.
//!
//! **In:** nodes as lowering left them. **Out:** nodes that do the same.
//!
//! - A node with one successor takes in a successor that nobody else goes to.
//! - A temporary variable of the lowering is replaced by what it holds, or by the variable that it is
//!   copied to.
//! - A choice that the assumption behind it determines is no choice.
//! - What the program leaves to chance is chosen only where somebody reads it.
//!
//! # Soundness
//! The values of temporaries are nobody else's, so reading the value where it is used is the same as
//! reading it where it is computed, as long as nothing it is computed from was written in between.

use std::collections::{BTreeMap, BTreeSet};

use ir::layer::{Next, Node, NodeId, Step, live_before};
use ir::{Site, Substitution, Term, Var};

/// Is it a variable that lowering made up?
pub(super) fn is_temporary(var: &Var) -> bool {
    var.name.as_str().contains("@fresh") || var.name.as_str().contains("@copy")
}

/// All simplifications of one piece of code.
pub(super) fn simplify(nodes: &mut Vec<Node>) {
    merge(nodes);
    for node in nodes.iter_mut() {
        determine_choices(node);
    }
    let shared = shared_temporaries(nodes);
    for node in nodes.iter_mut() {
        forward(node, &shared);
        coalesce(node, &shared);
        drop_dead(node, &shared);
    }
}

/// Straight lines become one node. The entry stays first.
fn merge(nodes: &mut Vec<Node>) {
    let mut entered = vec![0usize; nodes.len()];
    entered[0] = 1;
    for target in nodes.iter().flat_map(|node| node.next.targets()) {
        entered[target.index()] += 1;
    }
    let mut gone = vec![false; nodes.len()];
    for at in 0..nodes.len() {
        while !gone[at]
            && let Next::Goto(targets) = &nodes[at].next
            && let [target] = targets[..]
            && target.index() != at
            && entered[target.index()] == 1
        {
            gone[target.index()] = true;
            let steps = std::mem::take(&mut nodes[target.index()].steps);
            let next = std::mem::replace(&mut nodes[target.index()].next, Next::Goto(Vec::new()));
            nodes[at].steps.extend(steps);
            nodes[at].next = next;
        }
    }
    let mut numbers = BTreeMap::new();
    for (old, _) in gone.iter().enumerate().filter(|(_, gone)| !**gone) {
        numbers.insert(old, NodeId(u32::try_from(numbers.len()).unwrap_or(u32::MAX)));
    }
    let mut keep = gone.iter().map(|gone| !gone);
    nodes.retain(|_| keep.next().unwrap_or(true));
    for node in nodes {
        if let Next::Goto(targets) = &mut node.next {
            for target in targets {
                *target = numbers[&target.index()];
            }
        }
    }
}

/// `havoc x; assume x == e && p(x)` is `x := e; assume p(e)`.
fn determine_choices(node: &mut Node) {
    let mut steps = Vec::with_capacity(node.steps.len());
    let mut rest = std::mem::take(&mut node.steps).into_iter().peekable();
    while let Some(step) = rest.next() {
        let Step::Havoc(vars, site) = step else {
            steps.push(step);
            continue;
        };
        let mut assumed: Vec<(Term, Site)> = Vec::new();
        while let Some(Step::Assume(term, site)) = rest.peek() {
            assumed.push((term.clone(), *site));
            rest.next();
        }
        let mut open: BTreeSet<Var> = vars.iter().cloned().collect();
        let mut values = Vec::new();
        while let Some((var, value)) =
            assumed.iter().find_map(|(term, _)| ir::eliminate::determine(term, &open))
        {
            open.remove(&var);
            let mut replace = Substitution::of_vars([(var.clone(), value.clone())]);
            assumed.iter_mut().for_each(|(term, _)| *term = replace.apply(term));
            values.push((var, value));
        }
        let left: Vec<Var> = vars.into_iter().filter(|var| open.contains(var)).collect();
        if !left.is_empty() {
            steps.push(Step::Havoc(left, site));
        }
        // What was found later does not mention what was found earlier.
        steps.extend(values.into_iter().rev().map(|pair| Step::Assign(vec![pair], site)));
        let assumed = assumed.into_iter().filter(|(term, _)| !term.is_true());
        steps.extend(assumed.map(|(term, site)| Step::Assume(term, site)));
    }
    node.steps = steps;
}

/// The temporaries that more than one node mentions.
fn shared_temporaries(nodes: &[Node]) -> BTreeSet<Var> {
    let mut seen: BTreeMap<Var, usize> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (nth, node) in nodes.iter().enumerate() {
        for step in &node.steps {
            let read = step.terms().into_iter().flat_map(ir::free_vars);
            for var in read.chain(step.written().into_iter().cloned()).filter(is_temporary) {
                if *seen.entry(var.clone()).or_insert(nth) != nth {
                    shared.insert(var);
                }
            }
        }
    }
    shared
}

/// Temporaries are replaced by what was assigned to them.
fn forward(node: &mut Node, shared: &BTreeSet<Var>) {
    let mut known: BTreeMap<Var, Term> = BTreeMap::new();
    let mut steps = Vec::with_capacity(node.steps.len());
    for mut step in std::mem::take(&mut node.steps) {
        let mut replace = Substitution::of_vars(known.clone());
        for term in step.terms_mut() {
            *term = replace.apply(term);
        }
        let site = step.site();
        let written: BTreeSet<Var> = step.written().into_iter().cloned().collect();
        // The step itself reads before it writes; what comes later has to find the old value.
        let stale: Vec<Var> = known
            .iter()
            .filter(|(var, term)| {
                !written.contains(var) && !ir::free_vars(term).is_disjoint(&written)
                    || touches_globals_unseen(&step, term)
            })
            .map(|(var, _)| var.clone())
            .collect();
        for var in stale {
            if let Some(term) = known.remove(&var) {
                steps.push(Step::Assign(vec![(var, term)], site));
            }
        }
        known.retain(|var, _| !written.contains(var));
        match step {
            Step::Assume(..)
            | Step::Assert(_)
            | Step::Havoc(..)
            | Step::Fresh(..)
            | Step::Act(_)
            | Step::Call(_)
            | Step::Par(..)
            | Step::Spawn { .. }
            | Step::Yield(..)
            | Step::Event { .. } => steps.push(step),
            Step::Assign(pairs, site) => {
                let private = |var: &Var| is_temporary(var) && !shared.contains(var);
                let (temporary, other): (Vec<_>, Vec<_>) =
                    pairs.into_iter().partition(|(var, _)| private(var));
                // A temporary that was computed from what is written here is no longer known.
                let others: BTreeSet<Var> = other.iter().map(|(var, _)| var.clone()).collect();
                let (stale, fine): (Vec<_>, Vec<_>) = temporary
                    .into_iter()
                    .partition(|(_, term)| !ir::free_vars(term).is_disjoint(&others));
                let pairs: Vec<(Var, Term)> = other.into_iter().chain(stale).collect();
                if !pairs.is_empty() {
                    steps.push(Step::Assign(pairs, site));
                }
                known.extend(fine);
            }
        }
    }
    node.steps = steps;
}

/// May the step change, in a way that [`Step::written`] does not tell, what `term` is computed from?
fn touches_globals_unseen(step: &Step, term: &Term) -> bool {
    let calls = match step {
        Step::Act(_) | Step::Call(_) | Step::Par(..) | Step::Yield(..) | Step::Spawn { .. } => true,
        Step::Assume(..)
        | Step::Assert(_)
        | Step::Assign(..)
        | Step::Havoc(..)
        | Step::Fresh(..)
        | Step::Event { .. } => false,
    };
    calls && !ir::free_vars(term).is_empty()
}

/// A temporary that is copied to one variable and read nowhere afterwards is that variable.
fn coalesce(node: &mut Node, shared: &BTreeSet<Var>) {
    while let Some((temporary, var, at)) = copied(node, shared) {
        let mut replace = Substitution::of_vars([(temporary.clone(), Term::var(var.clone()))]);
        if let Step::Assign(pairs, _) = &mut node.steps[at] {
            pairs.retain(|(it, _)| *it != var);
        }
        for step in &mut node.steps[..at] {
            step.terms_mut().into_iter().for_each(|term| *term = replace.apply(term));
            rename_written(step, &temporary, &var);
        }
        node.steps.retain(|step| !matches!(step, Step::Assign(pairs, _) if pairs.is_empty()));
    }
}

/// Nobody needs a temporary that nobody reads, or a variable assigned to itself.
fn drop_dead(node: &mut Node, shared: &BTreeSet<Var>) {
    loop {
        let terms = node.steps.iter().flat_map(Step::terms);
        let read: BTreeSet<Var> = terms.flat_map(ir::free_vars).collect();
        let is_dead = |(var, value): &(Var, Term)| {
            value.as_var() == Some(var)
                || is_temporary(var) && !shared.contains(var) && !read.contains(var)
        };
        let mut dropped = false;
        for step in &mut node.steps {
            if let Step::Assign(pairs, _) = step {
                let before = pairs.len();
                pairs.retain(|pair| !is_dead(pair));
                dropped |= pairs.len() < before;
            }
        }
        node.steps.retain(|step| !matches!(step, Step::Assign(pairs, _) if pairs.is_empty()));
        if !dropped {
            return;
        }
    }
}

/// A temporary, the variable that it may become, and the assignment that copies it.
fn copied(node: &Node, shared: &BTreeSet<Var>) -> Option<(Var, Var, usize)> {
    node.steps.iter().enumerate().find_map(|(at, step)| {
        let Step::Assign(pairs, _) = step else { return None };
        pairs.iter().find_map(|(var, value)| {
            let temporary = value.as_var().filter(|it| is_temporary(it) && !shared.contains(it))?;
            let defined: Vec<usize> = (0..node.steps.len())
                .filter(|nth| node.steps[*nth].written().contains(&temporary))
                .collect();
            let [from] = defined[..] else { return None };
            let others = pairs.iter().filter(|(it, _)| it != var);
            let in_others = others.into_iter().any(|(_, term)| {
                ir::subst::occurs_free(var, term) || ir::subst::occurs_free(temporary, term)
            });
            let mentions = |step: &Step, what: &Var| {
                step.written().contains(&what)
                    || step.terms().into_iter().any(|term| ir::subst::occurs_free(what, term))
            };
            let between = node.steps.get(from..at)?.iter().any(|step| mentions(step, var));
            let after = node.steps[at + 1..].iter().any(|step| mentions(step, temporary));
            // A thread that gives way in between shows its variables to nobody, but keeps them.
            (from < at && !in_others && !between && !after)
                .then(|| (temporary.clone(), var.clone(), at))
        })
    })
}

fn rename_written(step: &mut Step, from: &Var, to: &Var) {
    let rename = |var: &mut Var| {
        if var == from {
            *var = to.clone();
        }
    };
    match step {
        Step::Assign(pairs, _) => pairs.iter_mut().for_each(|(var, _)| rename(var)),
        Step::Havoc(vars, _) => vars.iter_mut().for_each(rename),
        Step::Fresh(var, _) => rename(var),
        Step::Act(act) => act.outs.iter_mut().chain(&mut act.hidden).for_each(rename),
        Step::Call(call) => call.outs.iter_mut().for_each(rename),
        Step::Par(..)
        | Step::Assume(..)
        | Step::Assert(_)
        | Step::Spawn { .. }
        | Step::Yield(..)
        | Step::Event { .. } => {}
    }
}

/// Values that are chosen and that nobody reads need not be chosen. Globals are read by others.
pub(super) fn drop_dead_choices(
    nodes: &mut [Node],
    at_exit: &BTreeSet<Var>,
    is_global: impl Fn(&Var) -> bool,
) {
    let live = live_before(nodes, at_exit);
    for (node, live) in nodes.iter_mut().zip(live) {
        for (step, live) in node.steps.iter_mut().zip(live.iter().skip(1)) {
            let matters = |var: &Var| is_global(var) || live.contains(var);
            if let Step::Havoc(vars, _) = step {
                vars.retain(matters);
            } else if let Step::Act(act) = step {
                act.hidden.retain(matters);
            }
        }
        node.steps.retain(|step| !matches!(step, Step::Havoc(vars, _) if vars.is_empty()));
    }
}

/// The variables whose values at the entry can matter, if those of `at_exit` matter at returns.
pub(super) fn live_at_entry(nodes: &[Node], at_exit: &BTreeSet<Var>) -> BTreeSet<Var> {
    let entry = live_before(nodes, at_exit).into_iter().next();
    entry.and_then(|node| node.into_iter().next()).unwrap_or_default()
}
