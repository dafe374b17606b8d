//! Which left mover procedures can return at all?
//!
//! **In:** the left mover procedures of a program. **Out:** those without any way to their end on
//! which every mover procedure they call has one, and the statement at which they get stuck.
//!
//! # Invariants
//! - Procedures without body or with a measure are taken to end; measures are proved elsewhere.
//! - Callees are looked at before their callers, so a procedure outside of circles of calls is looked at
//!   once, and one in a circle once more for each of its callees that turns out to end.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, Name, Program};
use hir::{Command, StmtId, Transfer};

use super::leaving::is_no_way_out;
use super::{Procedure, called_movers, has_measure, never_passes};
use crate::Db;

/// All that matters of a left mover procedure for the question whether it can return.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Skeleton {
    name: Name,
    measured: bool,
    /// In the order of the blocks of the body; the entry is the first.
    blocks: Vec<Part>,
}

/// What matters of a block.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    head: Option<StmtId>,
    /// The calls of mover procedures, in the order of the code.
    calls: Vec<(StmtId, Name)>,
    /// Has it a guard that never holds?
    stuck: bool,
    /// The blocks after it; nothing if it returns.
    next: Option<Vec<usize>>,
}

/// The skeleton of the body written in a declaration, if it is a left mover's.
#[salsa::tracked(returns(clone))]
pub(super) fn skeleton(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<Skeleton>> {
    let found = Procedure::of_decl(db, program, decl)?;
    let code = found.code(db, program);
    let calls: Vec<(StmtId, Name)> = called_movers(&code, found.layer).collect();
    let part = |block: &hir::Block| Part {
        head: block.head.as_ref().and_then(|head| head.stmt),
        calls: block.commands.iter().flat_map(|it| calls_of(&calls, it)).cloned().collect(),
        stuck: block
            .commands
            .iter()
            .any(|it| never_passes(&code, *it) || is_no_way_out(&code, *it, found.layer)),
        next: match &block.transfer {
            Transfer::Return(_) => None,
            Transfer::Goto(targets) => Some(targets.iter().map(|it| it.index()).collect()),
        },
    };
    Some(Arc::new(Skeleton {
        name: code.sig.name.clone(),
        measured: has_measure(db, program, code.sig, found.layer),
        blocks: code.cfg.blocks.iter().map(part).collect(),
    }))
}

/// The calls that a command makes, of a list that ascends by statement.
fn calls_of<'a>(calls: &'a [(StmtId, Name)], command: &Command) -> &'a [(StmtId, Name)] {
    match command {
        Command::Stmt(stmt) => {
            let from = calls.partition_point(|(at, _)| at < stmt);
            let to = calls.partition_point(|(at, _)| at <= stmt);
            &calls[from..to]
        }
        Command::Guard { .. } => &[],
    }
}

impl Skeleton {
    /// If no way from the entry reaches a return: the statement at which the first way ends. A way
    /// ends at a call of a mover procedure that does not end, and at a guard that never holds.
    pub(super) fn blocked_at(&self, ends: &dyn Fn(&Name) -> bool) -> Option<StmtId> {
        let mut todo = BTreeSet::from([0]);
        let mut seen = BTreeSet::new();
        let (mut call, mut head) = (None, None);
        while let Some(id) = todo.pop_first() {
            if !seen.insert(id) {
                continue;
            }
            let part = &self.blocks[id];
            head = head.or(part.head);
            let endless = part.calls.iter().find(|(_, name)| !ends(name)).map(|(stmt, _)| *stmt);
            call = call.or(endless);
            if endless.is_some() || part.stuck {
                continue;
            }
            todo.extend(part.next.as_ref()?);
        }
        // A body that only stops at `assume false` or the like is not endless, it is impossible.
        call.or(head)
    }
}

/// The left mover procedures that never return.
#[salsa::tracked(returns(clone))]
pub(super) fn endless(db: &dyn Db, program: Program) -> Arc<BTreeSet<Name>> {
    let decls = hir::program_decls(db, program);
    let mut bodies: Vec<Arc<Skeleton>> =
        decls.iter().filter_map(|decl| skeleton(db, program, *decl)).collect();
    bodies.sort_by(|a, b| a.name.cmp(&b.name));
    // A procedure may have several bodies; all of them must end.
    let groups: Vec<&[Arc<Skeleton>]> = bodies.chunk_by(|a, b| a.name == b.name).collect();
    let number = |name: &Name| groups.binary_search_by(|group| group[0].name.cmp(name)).ok();
    let succs = groups.iter().map(|group| {
        let parts = group.iter().flat_map(|body| &body.blocks);
        let called = parts.flat_map(|part| &part.calls).filter_map(|(_, name)| number(name));
        called.collect::<BTreeSet<usize>>().into_iter().collect()
    });
    let ends = least(succs.collect(), |group, known| {
        let ends = |name: &Name| number(name).is_none_or(|it| known[it]);
        groups[group].iter().all(|body| body.measured || body.blocked_at(&ends).is_none())
    });
    let endless = groups.iter().zip(ends).filter(|(_, ends)| !ends);
    Arc::new(endless.map(|(group, _)| group[0].name.clone()).collect())
}

/// The least set of nodes that contains each node for which `holds` says so, given the set. It may
/// only ask for successors of the node, and must not change its mind when the set grows.
fn least(succs: Vec<Vec<usize>>, mut holds: impl FnMut(usize, &[bool]) -> bool) -> Vec<bool> {
    let mut out = vec![false; succs.len()];
    let mut preds = vec![Vec::new(); succs.len()];
    for (node, targets) in succs.iter().enumerate() {
        for target in targets {
            preds[*target].push(node);
        }
    }
    // Components come before those they lead to.
    let mut visited = vec![false; succs.len()];
    for component in hir::components(succs).into_iter().rev() {
        for start in component {
            let mut todo = vec![start];
            while let Some(node) = todo.pop() {
                visited[node] = true;
                if !out[node] && holds(node, &out) {
                    out[node] = true;
                    todo.extend(preds[node].iter().filter(|it| visited[**it]));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use testing::QueryLog;

    use super::least;
    use crate::fixture::{Database, program};
    use crate::program_diagnostics;

    /// How often `least` asks, for nodes that need all successors, and those for which `free` holds.
    fn asked(succs: Vec<Vec<usize>>, free: impl Fn(usize) -> bool) -> (usize, usize) {
        let mut asked = 0;
        let edges = succs.clone();
        let found = least(succs, |node, known| {
            asked += 1;
            free(node) || edges[node].iter().all(|it| known[*it])
        });
        (found.into_iter().filter(|it| *it).count(), asked)
    }

    #[test]
    fn each_node_is_asked_about_a_constant_number_of_times() {
        let n = 1000;
        let ring = || (0..n).map(|it| vec![(it + 1) % n]).collect::<Vec<_>>();
        assert_eq!(asked(ring(), |_| false), (0, n));
        assert_eq!(asked(ring(), |_| true).0, n);
        for free in [0, 1, n / 2, n - 1] {
            let (found, asked) = asked(ring(), |it| it == free);
            assert_eq!(found, n);
            assert!(asked <= 2 * n + 1, "{asked} questions about {n} nodes");
        }
        let chain = |up: bool| {
            let next = move |it| if up { it + 1 } else { it - 1 };
            let last = if up { n - 1 } else { 0 };
            (0..n).map(|it| if it == last { vec![] } else { vec![next(it)] }).collect::<Vec<_>>()
        };
        assert_eq!(asked(chain(true), |_| false), (n, n));
        assert_eq!(asked(chain(false), |_| false), (n, n));
        let star = || (0..n).map(|it| if it == 0 { (1..n).collect() } else { vec![] });
        assert_eq!(asked(star().collect(), |_| false), (n, n));
    }

    /// How often the queries run for a ring of left movers.
    fn runs_for_ring(length: usize) -> Vec<usize> {
        let log = QueryLog::default();
        let db = Database::logged(&log);
        let member = |it: usize| {
            let next = (it + 1) % length;
            format!(
                "yield left procedure {{:layer 1}} P{it}() {{ if (*) {{ call P{next}(); }} }}\n"
            )
        };
        let text: String = (0..length).map(member).collect();
        let found = program_diagnostics(&db, program(&db, &text));
        assert_eq!(found.len(), length, "one warning for each call");
        log.take_runs(&["endless", "circles", "skeleton", "callees"])
    }

    #[test]
    fn each_left_mover_of_a_ring_is_read_once() {
        let (short, long) = (runs_for_ring(10), runs_for_ring(40));
        let more: Vec<usize> = long.iter().zip(&short).map(|(long, short)| long - short).collect();
        assert_eq!(short[..2], [1, 1]);
        assert_eq!(more, [0, 0, 30, 30]);
    }
}
