//! Tests of the rules: each fixture breaks a rule in one place and keeps it in another.

mod calls;
mod flow;
mod incremental;
mod layers;
mod names;
mod rules;
mod semantics;
mod statements;
mod types;
