//! Looking at processes through `/proc`; where there is none, nothing is seen.

use std::path::PathBuf;

/// The processes that `parent` started and that still run.
pub fn children(parent: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may hold anything; state and parent follow it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The words a process was started with, or nothing if it is gone.
pub fn command(id: u32) -> String {
    let bytes = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// What the open files of a process point to.
pub fn open_files(id: u32) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(format!("/proc/{id}/fd")) else { return Vec::new() };
    entries.flatten().filter_map(|e| std::fs::read_link(e.path()).ok()).collect()
}
