//! civl-prover: questions of `ir` to Z3, in worker processes.

mod foreign;

/// The oldest Z3 whose limits and answers can be relied on.
const OLDEST_SOLVER: (u32, u32, u32) = (4, 13, 3);

/// The version of the loaded solver library, or why it cannot be used.
pub fn solver_version() -> Result<String, String> {
    let found @ (major, minor, build) = foreign::version();
    let version = format!("{major}.{minor}.{build}");
    if found >= OLDEST_SOLVER {
        return Ok(version);
    }
    let (a, b, c) = OLDEST_SOLVER;
    Err(format!(
        "libz3 {version} is too old, {a}.{b}.{c} or newer is needed; unset Z3_LIBRARY_PATH_OVERRIDE to use {}",
        z3_dist::VERSION
    ))
}
