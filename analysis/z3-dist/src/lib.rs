//! civl-z3-dist: being built.
