//! civl-hir: being built.
