//! `civl worker`: answers solver questions on standard input until it ends.

use super::Exit;

pub(super) fn run() -> Exit {
    match ide::run_worker() {
        Ok(()) => Exit::Proved,
        Err(why) => {
            super::complain(&why);
            Exit::Internal
        }
    }
}
