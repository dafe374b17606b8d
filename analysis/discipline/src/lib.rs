//! civl-discipline: being built.
