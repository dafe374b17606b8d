//! What this process and its ended children have used.

use std::fs;

/// The kernel counts processor time in these units.
const TICKS_PER_SECOND: u64 = 100;

/// Processor time of this process and of the children it has waited for; 0 where the system does
/// not say.
pub fn cpu_ms() -> u64 {
    let Ok(stat) = fs::read("/proc/self/stat") else { return 0 };
    let stat = String::from_utf8_lossy(&stat);
    // Fields after the command name, which may itself contain blanks and parentheses.
    let Some((_, fields)) = stat.rsplit_once(") ") else { return 0 };
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(4).filter_map(|f| f.parse::<u64>().ok()).sum();
    ticks * 1000 / TICKS_PER_SECOND
}

/// Largest resident size so far, in kilobytes; 0 where the system does not say.
pub fn peak_memory_kb() -> u64 {
    let Ok(status) = fs::read("/proc/self/status") else { return 0 };
    let status = String::from_utf8_lossy(&status);
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}
