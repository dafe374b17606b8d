//! Who holds which permissions at the start.
//!
//! **In:** an initial state. **Out:** for each way to deal the permissions that no global holds to the
//! threads of the client, their frames; and, for a state in which nobody can move, whether that is a
//! matter of the deal alone.
//!
//! # Soundness
//! Threads differ in nothing but what they hold. So of deals that differ in the order of the threads
//! one is enough: permissions are dealt in order, each to a thread that has some or to the next one.
//!
//! If every root borrows exactly one permission and hands out none, a thread without any never calls,
//! and what one thread does with two permissions, one call after the other, two threads can do with one
//! each. Then those deals are enough in which no thread is empty-handed while another has two.

use std::collections::BTreeMap;

use ir::{Symbol, exploration::Inexact};

use super::Search;
use crate::{
    arena::{Kind, Val},
    code::At,
    compile::Start,
};

/// More deals than this are not tried for one initial state.
const MOST_DEALS: usize = 1000;

impl Search<'_> {
    /// The frames of idle clients, for each deal.
    pub(super) fn deals(&mut self, start: &Start, globals: &[Val], most: usize) -> Vec<Vec<Val>> {
        let free = self.free(start, globals);
        let (threads, one_each) = (self.callers, self.clients[0].0.borrows_one);
        let most = most.min(MOST_DEALS);
        let deals = ways(free.len(), threads, one_each, most).unwrap_or_else(|| {
            self.notes.extend(free.iter().map(|it| Inexact::FewDeals(it.0.clone())));
            let in_turn = (0..free.len()).map(|nth| nth % threads.max(1)).collect();
            vec![in_turn, vec![0; free.len()]]
        });
        deals.iter().map(|deal| self.frames(&free, deal)).collect()
    }

    /// The permissions that roots take and no global holds, each with its domain.
    fn free(&mut self, start: &Start, globals: &[Val]) -> Vec<(Symbol, Val)> {
        let code = self.machine.code.clone();
        let machine = &mut self.machine;
        let mut out = Vec::new();
        let client = &self.clients[0].0;
        for (domain, sort) in client.domains.iter().filter(|it| client.takes.contains(it.0)) {
            machine.eval.registers[..globals.len()].copy_from_slice(globals);
            let held = start.held.iter().filter(|it| it.0 == *domain);
            let held: Vec<Val> = held.map(|it| machine.eval.value(&code, it.1)).collect();
            let arena = &mut machine.eval.arena;
            let Some((indices, _)) = sort.as_array() else { continue };
            let all = machine.domains.of(&indices[0], arena);
            let is_free = |it: &Val| held.iter().all(|set| arena.select(*set, &[*it]) != Val::TRUE);
            let free = all.values.iter().copied().filter(is_free);
            out.extend(free.map(|it| (domain.clone(), it)));
        }
        out
    }

    /// The frames of idle clients, where `deal` says for each permission which thread has it.
    fn frames(&mut self, free: &[(Symbol, Val)], deal: &[usize]) -> Vec<Val> {
        let code = self.machine.code.clone();
        let mut out = Vec::new();
        for (nth, (client, calls)) in self.clients.iter().enumerate() {
            let body = &code.bodies[client.body as usize];
            let mut words = vec![Val::raw(body.entry), Val::constant(1)];
            words.push(calls.and_then(|it| Val::small(i64::from(it))).unwrap_or(Val::ZERO));
            for (domain, sort) in &client.domains {
                let own = free.iter().zip(deal).filter(|(it, thread)| {
                    it.0 == *domain && **thread == nth && nth < self.callers
                });
                let entries: Vec<Val> = own.flat_map(|(it, _)| [it.1, Val::TRUE]).collect();
                let arena = &mut self.machine.eval.arena;
                let full = self.machine.domains.full(sort, arena);
                words.push(arena.map(1, Val::FALSE, &entries, full.as_deref()));
                words.push(arena.map(1, Val::FALSE, &[], full.as_deref()));
            }
            out.push(self.machine.eval.arena.intern(Kind::Frame, &words));
        }
        out
    }

    /// Nobody can move: could an idle thread, if it had what others hold and do not use?
    pub(super) fn is_stuck_by_deal(&mut self, row: &[Val]) -> bool {
        let domains: Vec<Symbol> = self.clients[0].0.domains.keys().cloned().collect();
        let first = self.machine.shape.globals;
        let mut unused: BTreeMap<usize, Vec<Val>> = BTreeMap::new();
        let mut idle = Vec::new();
        for thread in 0..self.callers {
            let leaf = row[first + thread];
            if self.machine.places(leaf).iter().any(|it| it.1 == At::Idle) {
                idle.push(thread);
            }
            let Some(frame) = self.client_frame(leaf) else { continue };
            for (nth, _) in domains.iter().enumerate() {
                let members = self.machine.eval.arena.members(frame[held(nth)]);
                unused.entry(nth).or_default().extend(members.unwrap_or_default());
            }
        }
        if unused.values().all(Vec::is_empty) {
            return false;
        }
        let mut other = row.to_vec();
        for thread in idle {
            let Some(mut frame) = self.client_frame(row[first + thread]) else { continue };
            for (nth, more) in &unused {
                for permission in more {
                    let arena = &mut self.machine.eval.arena;
                    frame[held(*nth)] = arena.store(frame[held(*nth)], &[*permission], Val::TRUE);
                }
            }
            other[first + thread] = self.machine.eval.arena.intern(Kind::Frame, &frame);
        }
        self.machine.expand(&other);
        !self.machine.outcomes.is_empty() || self.machine.doubtful || self.machine.bounded
    }

    /// The words of the client's frame, below everything that its thread has called.
    fn client_frame(&self, leaf: Val) -> Option<Vec<Val>> {
        let body = self.clients[0].0.body;
        let mut at = leaf;
        loop {
            let (kind, words) = self.machine.eval.arena.look(at)?;
            let point = &self.machine.code.points[words.first()?.word() as usize];
            if kind == Kind::Frame && point.body == body {
                return Some(words.to_vec());
            }
            at = *words.get(1)?;
        }
    }
}

/// Where the frame of a client has what it holds of its domain number `nth`.
fn held(nth: usize) -> usize {
    3 + 2 * nth
}

/// All ways to deal so many things, up to the order of those who get them; nothing if there are more
/// than `most`. `one_each`: nobody is left out while another gets two.
fn ways(things: usize, threads: usize, one_each: bool, most: usize) -> Option<Vec<Vec<usize>>> {
    if threads == 0 {
        return Some(vec![vec![0; things]]);
    }
    let wanted = if one_each { threads.min(things) } else { 0 };
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), 0)];
    while let Some((deal, used)) = todo.pop() {
        let left = things - deal.len();
        if left == 0 {
            found.push(deal);
            if found.len() > most {
                return None;
            }
            continue;
        }
        for thread in (0..threads.min(used + 1)).rev() {
            let used = used.max(thread + 1);
            if used + left > wanted {
                let longer = deal.iter().copied().chain([thread]).collect();
                todo.push((longer, used));
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::ways;

    #[test]
    fn deals_are_counted_up_to_the_order_of_threads() {
        let count =
            |things, threads, one_each| ways(things, threads, one_each, 100).map(|it| it.len());
        assert_eq!(count(0, 2, false), Some(1));
        assert_eq!(ways(2, 2, false, 100), Some(vec![vec![0, 0], vec![0, 1]]));
        assert_eq!(ways(2, 3, true, 100), Some(vec![vec![0, 1]]));
        // Partitions of five things into at most three, and into exactly three parts.
        assert_eq!((count(5, 3, false), count(5, 3, true)), (Some(41), Some(25)));
        assert_eq!((count(3, 1, false), count(16, 2, false)), (Some(1), None));
    }
}
