//! Which queries ran: names and counts, never raw ids.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A log that a database's event callback writes to. Clones share the log.
#[derive(Clone, Debug, Default)]
pub struct QueryLog {
    entries: Arc<Mutex<Vec<String>>>,
}

impl QueryLog {
    /// Notes that a query runs; `key` is its debug text, such as `body(Id(400))`.
    pub fn push(&self, key: &str) {
        let name = key.split('(').next().unwrap_or(key).trim();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(name.to_owned());
    }

    /// Names with counts since the last call, by name: `body ×1, parse ×1`.
    pub fn take(&self) -> String {
        shown(&self.take_counts())
    }

    /// How often each of these queries ran since the last call.
    pub fn take_runs(&self, queries: &[&str]) -> Vec<usize> {
        let counts = self.take_counts();
        queries.iter().map(|query| counts.get(*query).copied().unwrap_or(0)).collect()
    }

    /// Names with counts since the last call.
    pub fn take_counts(&self) -> BTreeMap<String, usize> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = BTreeMap::new();
        for name in entries.drain(..) {
            *counts.entry(name).or_insert(0) += 1;
        }
        counts
    }
}

/// Names with counts as text: `body ×1, parse ×1`.
pub fn shown(counts: &BTreeMap<String, usize>) -> String {
    counts.iter().map(|(name, count)| format!("{name} ×{count}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::QueryLog;

    #[test]
    fn a_log_counts_by_name_and_forgets() {
        let log = QueryLog::default();
        for key in ["parse(Id(0))", "body(Id(1))", "body(Id(2))"] {
            log.push(key);
        }
        assert_eq!(log.take(), "body ×2, parse ×1");
        assert_eq!(log.take(), "");
    }
}
