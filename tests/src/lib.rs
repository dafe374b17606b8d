//! What the tests of the whole share: running programs, reading expectations, speaking LSP.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "support code of tests: a surprise should stop the test"
)]

pub mod client;
#[cfg(unix)]
pub mod editor;
pub mod large;
pub mod literate;
pub mod marks;
pub mod mutation;
pub mod processes;
pub mod run;
pub mod typing;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie below the root").to_path_buf()
}

/// Every file below `folder` with this extension, sorted; nothing if there is no such folder.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(next) = todo.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A path as the repository shows it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Applies `work` to every item on two threads and keeps the order of the answers.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let answers = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    let Some(item) = items.get(at) else { break };
                    let answer = work(item);
                    answers.lock().expect("no panic while held").push((at, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no panic while held");
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Fails with all complaints at once.
pub fn expect_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n{} complaints", complaints.join("\n"), complaints.len());
}
