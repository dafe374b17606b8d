//! Library functions that have no body, or one that cannot be executed.
//!
//! Lists in memory are walked: `next` of a node is its first field and `val` its second, an address
//! is wrapped in `One`, and `None` ends a list. A walk over a lasso ends where it started to repeat.

#![allow(clippy::wildcard_enum_match_arm, reason = "all others have bodies")]

use ir::layer::Intrinsic;

use super::Eval;
use crate::{arena::Val, code::Library};

impl Eval {
    pub(super) fn library(&mut self, which: Intrinsic, library: &Library, args: &[Val]) -> Val {
        if args.contains(&Val::POISON) {
            return Val::POISON;
        }
        self.known(which, library, args).unwrap_or(Val::POISON)
    }

    fn known(&mut self, which: Intrinsic, library: &Library, args: &[Val]) -> Option<Val> {
        match which {
            Intrinsic::Default => library.filler,
            Intrinsic::Choice => self.choice(library, args[0]),
            Intrinsic::SetSize => self.set_size(library, args[0]),
            Intrinsic::Range => {
                let (from, count) = (args[0].as_small()?, args[1].as_small()?);
                let entries: Option<Vec<Val>> = (from..from + count.clamp(0, 100_000))
                    .flat_map(|it| [Val::small(it), Some(Val::TRUE)])
                    .collect();
                Some(self.arena.map(1, Val::FALSE, &entries?, None))
            }
            Intrinsic::VecConcat => {
                let (mut items, more) = (self.vector(args[0])?, self.vector(args[1])?);
                items.extend(more);
                self.make_vector(&items, library.filler?)
            }
            Intrinsic::VecSlice => {
                let items = self.vector(args[0])?;
                let (from, to) = (args[1].as_small()?, args[2].as_small()?);
                let valid = 0 <= from && from < to && to <= items.len() as i64;
                let part = if valid { &items[from as usize..to as usize] } else { &[] };
                self.make_vector(part, library.filler?)
            }
            Intrinsic::Between => self.between(args).map(Val::bool),
            Intrinsic::Avoiding => self.avoiding(args).map(Val::bool),
            Intrinsic::StackAbs => {
                let mut items = self.list(args[0], args[1])?;
                items.reverse();
                self.make_vector(&items, library.filler?)
            }
            Intrinsic::QueueAbs => {
                let mut items = self.vector(args[0])?;
                items.extend(self.list(args[1], args[2])?);
                self.make_vector(&items, library.filler?)
            }
            Intrinsic::SetAbs => {
                let items = self.list(args[0], args[1])?;
                let mut set = match &library.full {
                    Some(full) => self.arena.map(1, Val::FALSE, &[], Some(full)),
                    None => self.arena.constant(1, Val::FALSE),
                };
                for item in items {
                    set = self.arena.store(set, &[item], Val::TRUE);
                }
                Some(set)
            }
            _other => None,
        }
    }

    fn choice(&self, library: &Library, set: Val) -> Option<Val> {
        let (_, default, entries) = self.arena.entries(set)?;
        let member = entries.chunks_exact(2).find(|entry| entry[1] == Val::TRUE);
        match (member, default) {
            (Some(entry), _) => Some(entry[0]),
            (None, Val::FALSE) => library.filler,
            (None, _) => library.filler.filter(|it| self.arena.select(set, &[*it]) == Val::TRUE),
        }
    }

    fn set_size(&self, library: &Library, set: Val) -> Option<Val> {
        let (_, default, entries) = self.arena.entries(set)?;
        let listed = entries.chunks_exact(2).filter(|entry| entry[1] == Val::TRUE).count();
        let others = entries.len() / 2;
        match default {
            Val::FALSE => Val::small(listed as i64),
            _all => Val::small((library.full.as_ref()?.len() - others + listed) as i64),
        }
    }

    /// The items of a vector of the library: a map and a length.
    fn vector(&self, vec: Val) -> Option<Vec<Val>> {
        let (_, fields) = self.arena.data(vec)?;
        let (contents, length) = (*fields.first()?, fields.get(1)?.as_small()?);
        (0..length).map(|at| Some(self.arena.select(contents, &[Val::small(at)?]))).collect()
    }

    fn make_vector(&mut self, items: &[Val], filler: Val) -> Option<Val> {
        let entries: Option<Vec<Val>> = items
            .iter()
            .enumerate()
            .flat_map(|(at, item)| [Val::small(at as i64), Some(*item)])
            .collect();
        let contents = self.arena.map(1, filler, &entries?, None);
        let length = Val::small(items.len() as i64)?;
        Some(self.arena.ctor(0, &[contents, length]))
    }

    /// The node at an address, if `at` is one.
    fn node(&mut self, nodes: Val, at: Val) -> Option<(Val, Val)> {
        let (_, fields) = self.arena.data(at)?;
        let address = *fields.first()?;
        let one = self.arena.ctor(0, &[address]);
        let node = self.arena.select(nodes, &[one]);
        let (_, fields) = self.arena.data(node)?;
        Some((*fields.first()?, fields.get(1).copied().unwrap_or(Val::POISON)))
    }

    /// The optional addresses met from `start` on, in order, `None` included.
    fn walk(&mut self, nodes: Val, start: Val) -> Option<Vec<Val>> {
        let mut met = vec![start];
        let mut at = start;
        while let Some((next, _)) = self.node(nodes, at) {
            if next == Val::POISON || self.arena.is_tainted(next) {
                return None;
            }
            if met.contains(&next) {
                break;
            }
            met.push(next);
            at = next;
        }
        Some(met)
    }

    /// From `args[1]` one meets `args[2]`, then `args[3]`, and the second not after the first time
    /// one meets the third.
    fn between(&mut self, args: &[Val]) -> Option<bool> {
        let met = self.walk(args[0], args[1])?;
        let place = |it: Val| met.iter().position(|at| *at == it);
        Some(match (place(args[2]), place(args[3])) {
            (Some(middle), Some(end)) => middle <= end,
            (_, None) | (None, _) => false,
        })
    }

    /// From `args[1]` one meets `args[2]` without passing `args[3]` before.
    fn avoiding(&mut self, args: &[Val]) -> Option<bool> {
        let met = self.walk(args[0], args[1])?;
        let place = |it: Val| met.iter().position(|at| *at == it);
        Some(match (place(args[2]), place(args[3])) {
            (Some(middle), Some(end)) => middle <= end,
            (Some(_), None) => true,
            (None, _) => false,
        })
    }

    /// The values of the list from `start` in a heap; nothing if it does not end.
    fn list(&mut self, start: Val, heap: Val) -> Option<Vec<Val>> {
        let (_, fields) = self.arena.data(heap)?;
        let nodes = *fields.get(1)?;
        let met = self.walk(nodes, start)?;
        let last = *met.last()?;
        let (_, fields) = self.arena.data(last)?;
        if !fields.is_empty() {
            return None;
        }
        let mut values = Vec::new();
        for at in &met[..met.len() - 1] {
            values.push(self.node(nodes, *at)?.1);
        }
        Some(values)
    }
}
