//! Where verdicts are kept between runs.
//!
//! **In:** keys and bytes. **Out:** bytes, some time later, perhaps in another process.
//!
//! A key is the hash of all that an answer depends on: the fingerprint of the question, the
//! solver and its version, its options, and the version of the encoder. So an entry is never
//! stale, only unused. Whoever implements [`Store`] on disk must return what was saved or
//! nothing; a changed byte must be detected.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use ir::Fingerprint;

use crate::ask::Lane;
use crate::encode::ENCODER_VERSION;

/// The key of a stored answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoreKey(pub [u8; 32]);

impl StoreKey {
    pub(crate) fn new(fingerprint: &Fingerprint, solver_version: &str, seed: u32) -> StoreKey {
        let options = Lane::ALL.map(|lane| lane.options(seed)).concat();
        let mut hash = blake3::Hasher::new();
        hash.update(&fingerprint.0);
        hash.update(
            format!("\nz3 {solver_version}\nencoder {ENCODER_VERSION}\n{options}").as_bytes(),
        );
        StoreKey(*hash.finalize().as_bytes())
    }

    /// The key of a failing run of the same question under these names. Proofs are shared by all
    /// questions of one form; runs are not, because they show names.
    pub(crate) fn with_names(&self, names: &[u8; 32]) -> StoreKey {
        let mut hash = blake3::Hasher::new();
        hash.update(&self.0);
        hash.update(names);
        StoreKey(*hash.finalize().as_bytes())
    }
}

/// Keeps answers. Called from several threads at once.
pub trait Store: Send + Sync {
    /// What was saved under this key, if it is there and intact.
    fn load(&self, key: &StoreKey) -> Option<Vec<u8>>;

    /// Keeps `bytes`, or not; nobody relies on it.
    fn save(&self, key: &StoreKey, bytes: &[u8]);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStore;

impl Store for NoStore {
    fn load(&self, _key: &StoreKey) -> Option<Vec<u8>> {
        None
    }

    fn save(&self, _key: &StoreKey, _bytes: &[u8]) {}
}

/// Keeps answers as long as the process runs.
#[derive(Debug, Default)]
pub struct MemoryStore {
    entries: Mutex<BTreeMap<StoreKey, Vec<u8>>>,
}

impl MemoryStore {
    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Store for MemoryStore {
    fn load(&self, key: &StoreKey) -> Option<Vec<u8>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn save(&self, key: &StoreKey, bytes: &[u8]) {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).insert(*key, bytes.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_seed_does_not_find_stored_answers() {
        let key = |seed| StoreKey::new(&Fingerprint([7; 32]), "4.15.0", seed);
        assert_eq!(key(0), key(0));
        assert_ne!(key(0), key(1));
        assert_ne!(key(1), key(2));
    }
}
