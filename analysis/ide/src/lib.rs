//! civl-ide: being built.
