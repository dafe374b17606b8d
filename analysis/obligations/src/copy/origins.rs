//! Which statement of the body wrote a command of the copy.
//!
//! **In:** where each statement starts to write. **Out:** the place of the statement that was the last
//! to write one of some globals, before a point of the copy.
//!
//! Only for words: a wrong place would be shown, nothing else would change.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;
use ir::{Block, BlockId, Command, Var};

use crate::builder::UnitBuilder;
use crate::unit::Role;

/// Where statements started to write.
#[derive(Default)]
pub(super) struct Origins {
    /// Block, number of commands before, and the statement that wrote from there on.
    starts: BTreeMap<(BlockId, usize), Place>,
    /// How many blocks there were when the present statement started.
    blocks: usize,
    present: Option<Place>,
}

impl Origins {
    /// The statement at `place` starts to write at the end of the block `at`.
    pub(super) fn statement(&mut self, out: &UnitBuilder, at: BlockId, place: Place) {
        self.starts.insert((at, out.blocks[at.index()].commands.len()), place);
        self.blocks = out.blocks.len();
        self.present = Some(place);
    }

    /// The present statement is written: the new blocks belong to it.
    pub(super) fn end(&mut self, out: &UnitBuilder) {
        let Some(place) = self.present.take() else { return };
        for index in self.blocks..out.blocks.len() {
            let id = BlockId(u32::try_from(index).unwrap_or(u32::MAX));
            self.starts.entry((id, 0)).or_insert(place);
        }
    }

    /// The statement that was the last to write one of `vars` before the end of `at`, on whatever
    /// way since the start of the fragment; nothing if different ways differ.
    pub(super) fn last_write(
        &self,
        out: &UnitBuilder,
        at: BlockId,
        vars: &BTreeSet<&Var>,
    ) -> Option<Place> {
        let mut found: Option<Place> = None;
        let mut seen = BTreeSet::new();
        let mut todo = vec![at];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            match last_in(out, id, vars) {
                Last::Write(nth) => {
                    let writer = self.writer(id, nth)?;
                    if found.is_some_and(|known| known != writer) {
                        return None;
                    }
                    found = Some(writer);
                }
                Last::Snapshot => {}
                Last::Nothing => todo.extend(predecessors(&out.blocks, id)),
            }
        }
        found
    }

    /// The statement that wrote the command at `nth`.
    fn writer(&self, block: BlockId, nth: usize) -> Option<Place> {
        self.starts.range((block, 0)..=(block, nth)).next_back().map(|(_, place)| *place)
    }
}

enum Last {
    /// The command at this position writes.
    Write(usize),
    /// The fragment starts here, and nothing is written afterwards.
    Snapshot,
    Nothing,
}

fn last_in(out: &UnitBuilder, block: BlockId, vars: &BTreeSet<&Var>) -> Last {
    let is_snapshot = |var: &&Var| matches!(out.roles.get(*var), Some(Role::Snapshot(_)));
    for (nth, command) in out.blocks[block.index()].commands.iter().enumerate().rev() {
        let written: Vec<&Var> = match command {
            Command::Assign(pairs) => pairs.iter().map(|(var, _)| var).collect(),
            Command::Havoc(vars) => vars.iter().collect(),
            Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => continue,
        };
        if written.iter().any(is_snapshot) {
            return Last::Snapshot;
        }
        if written.iter().any(|var| vars.contains(*var)) {
            return Last::Write(nth);
        }
    }
    Last::Nothing
}

fn predecessors(blocks: &[Block], of: BlockId) -> impl Iterator<Item = BlockId> {
    let ids = (0..blocks.len()).filter_map(|index| u32::try_from(index).ok()).map(BlockId);
    let from = move |id: &BlockId| blocks[id.index()].successors.contains(&of);
    ids.filter(from)
}
