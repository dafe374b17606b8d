//! The states that were seen, each with the one it was first reached from.
//!
//! # Invariants
//! - Rows stand one after the other, in the order in which they were found; a number is found again
//!   by open addressing on 64 bits of hash.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::arena::Val;

pub(super) struct States {
    width: usize,
    rows: Vec<Val>,
    parents: Vec<u32>,
    /// State + 1, or 0.
    table: Vec<u32>,
}

fn hash(row: &[Val]) -> usize {
    let mut hasher = FxHasher::default();
    let mut pairs = row.chunks_exact(2);
    for pair in &mut pairs {
        hasher.write_u64(u64::from(pair[0].word()) << 32 | u64::from(pair[1].word()));
    }
    pairs.remainder().iter().for_each(|val| hasher.write_u32(val.word()));
    let hash = hasher.finish();
    (hash ^ (hash >> 29)) as usize
}

impl States {
    pub(super) fn new(width: usize) -> States {
        States { width, rows: Vec::new(), parents: Vec::new(), table: vec![0; 1 << 12] }
    }

    pub(super) fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.rows.capacity() + self.parents.capacity() + self.table.capacity())
    }

    pub(super) fn get(&self, state: u32) -> &[Val] {
        let start = state as usize * self.width;
        &self.rows[start..start + self.width]
    }

    pub(super) fn parent(&self, state: u32) -> Option<u32> {
        self.parents.get(state as usize).copied().filter(|it| *it != u32::MAX)
    }

    /// Adds the state, unless it was seen.
    pub(super) fn insert(&mut self, row: &[Val], parent: u32) -> bool {
        if self.table.len() * 3 < self.parents.len() * 4 + 4 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(row) & mask;
        loop {
            match self.table[at] {
                0 => break,
                found if self.get(found - 1) == row => return false,
                _other => at = (at + 1) & mask,
            }
        }
        self.rows.extend_from_slice(row);
        self.parents.push(parent);
        self.table[at] = self.parents.len() as u32;
        true
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![0u32; size];
        for state in 0..self.len() {
            let mut at = hash(self.get(state)) & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = state + 1;
        }
        self.table = table;
    }
}
