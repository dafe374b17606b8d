//! The one file that talks to C: the solver library and a few calls of the operating system.
//!
//! **In:** SMT-LIB scripts, limits. **Out:** the text that the solver prints, or [`SolverError`].
//!
//! The solver is used as a function from a script to its replies, so what `--smt2` writes to
//! disk is exactly what is solved, and no handle of the library leaves this file.
//!
//! # Invariants
//! - Every pointer handed to C outlives the call; every string that comes back is copied at once.
//! - A [`Context`] is used by the thread that made it (it is not `Send`), and there is one at a time.
//! - An error code of the library is never overlooked: [`Context::eval`] then returns `Err`.
#![expect(unsafe_code, reason = "calls into libz3 and libc; nothing else in this crate is unsafe")]

use std::ffi::{CStr, CString, c_uint};
use std::sync::{Mutex, MutexGuard, PoisonError};

use z3_sys::{
    Z3_context, Z3_del_config, Z3_del_context, Z3_eval_smtlib2_string, Z3_get_error_code,
    Z3_get_error_msg, Z3_get_version, Z3_global_param_reset_all, Z3_global_param_set, Z3_mk_config,
    Z3_mk_context, Z3_set_error_handler,
};

/// What the solver library complained about, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SolverError(pub(crate) String);

/// Options are global in Z3, so there is one context at a time in a process.
static ONE_CONTEXT: Mutex<()> = Mutex::new(());

/// A fresh solver state. Dropping it frees everything that was declared in it.
pub(crate) struct Context {
    raw: Z3_context,
    /// Held for the life of the context; it also makes the type not `Send`.
    _turn: MutexGuard<'static, ()>,
}

impl Context {
    /// Resets the options of the whole process, then makes a context.
    ///
    /// Options set inside a script are global in Z3; without the reset they would leak from
    /// one question into the next and verdicts would depend on the order of work.
    pub(crate) fn new(memory_megabytes: u32) -> Result<Context, SolverError> {
        let turn = ONE_CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let value = c_string(&memory_megabytes.to_string())?;
        // SAFETY: both arguments are NUL-terminated and alive during the call.
        unsafe {
            Z3_global_param_reset_all();
            Z3_global_param_set(c"memory_max_size".as_ptr(), value.as_ptr());
        }
        // SAFETY: the configuration is deleted exactly once, after its only use.
        let raw = unsafe {
            Z3_mk_config().and_then(|config| {
                let raw = Z3_mk_context(config);
                Z3_del_config(config);
                raw
            })
        };
        let raw = raw.ok_or_else(|| SolverError("the solver does not start".to_owned()))?;
        // SAFETY: `raw` is a live context. Without a handler errors are codes, not exits.
        unsafe { Z3_set_error_handler(raw, None) };
        Ok(Context { raw, _turn: turn })
    }

    /// Runs the commands of `script` and returns what they print.
    pub(crate) fn eval(&mut self, script: &str) -> Result<String, SolverError> {
        let script = c_string(script)?;
        // SAFETY: the context is live, the script NUL-terminated and alive during the call;
        // the answer belongs to the context and is copied before the next call.
        let printed = unsafe {
            let answer = Z3_eval_smtlib2_string(self.raw, script.as_ptr());
            if answer.is_null() {
                String::new()
            } else {
                CStr::from_ptr(answer).to_string_lossy().into_owned()
            }
        };
        // SAFETY: as above; the message belongs to the library and is copied at once.
        let code = unsafe { Z3_get_error_code(self.raw) };
        if code == z3_sys::ErrorCode::Ok {
            return Ok(printed);
        }
        let message = unsafe {
            let text = Z3_get_error_msg(self.raw, code);
            if text.is_null() {
                String::new()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            }
        };
        Err(SolverError(format!("{} {}", message.trim(), printed.trim()).trim().to_owned()))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made in `new`, deleted only here.
        unsafe { Z3_del_context(self.raw) };
    }
}

/// The version of the library that was loaded, which need not be the one linked against.
pub(crate) fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut build, mut revision): (c_uint, c_uint, c_uint, c_uint) =
        (0, 0, 0, 0);
    // SAFETY: four valid, distinct pointers to integers.
    unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
    (major, minor, build)
}

/// Ends this process when the process that started it ends, however it ends.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_parent() {
    // SAFETY: no memory is involved. Failure leaves the second line of defence: end of input.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_parent() {}

/// Bounds the address space of this process; beyond it, allocations fail.
pub(crate) fn limit_memory(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: the structure is alive during the call. Failure leaves the solver's own limit.
    unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
}

/// Writes no image of the process when it crashes: that could take longer than a deadline, and
/// the image would hold the user's program.
pub(crate) fn leave_no_core() {
    let limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is alive during the call. Failure leaves what the user has set.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &limit) };
}

/// CPU time that this process has used so far.
pub(crate) fn cpu_microseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid pointer to a structure that is alive during the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or(0);
    seconds * 1_000_000 + nanoseconds / 1000
}

/// Ends the process without waiting for other threads and without running destructors, which
/// would free what a running solver still uses.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: takes no memory and does not return.
    unsafe { libc::_exit(code) }
}

fn c_string(text: &str) -> Result<CString, SolverError> {
    CString::new(text).map_err(|_| SolverError("a script holds a NUL character".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(script: &str) -> Result<String, SolverError> {
        Context::new(1000).unwrap().eval(script)
    }

    #[test]
    fn the_loaded_library_is_the_pinned_one() {
        let (major, minor, build) = version();
        assert_eq!(format!("{major}.{minor}.{build}"), z3_dist::VERSION);
    }

    #[test]
    fn a_script_is_answered_line_by_line() {
        let script = "(declare-const x Int)(assert (> x 3))(check-sat)(get-value ((> x 2)))";
        assert_eq!(eval(script).unwrap(), "sat\n(((> x 2) true))\n");
    }

    #[test]
    fn a_parse_error_is_never_taken_for_an_answer() {
        let error = eval("(assert (> y 3))(check-sat)").unwrap_err();
        assert!(error.0.contains("unknown constant y"), "{}", error.0);
    }

    #[test]
    fn options_do_not_leak_into_the_next_context() {
        eval("(set-option :timeout 1)(check-sat)").unwrap();
        assert_eq!(eval("(get-option :timeout)").unwrap(), "4294967295\n");
    }
}
