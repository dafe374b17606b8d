//! `civl worker`: answers solver questions on standard input until it ends.

use super::Exit;

pub(super) fn run(arguments: &[String]) -> Exit {
    match ide::run_worker(arguments) {
        Ok(()) => Exit::Proved,
        Err(why) => {
            super::complain(&why);
            Exit::Internal
        }
    }
}
