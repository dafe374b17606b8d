//! Stand-ins for the queries that are being written: they know nothing, so nothing can be concluded
//! from them. Each one disappears when its real query lands; crates above compile meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, Diagnostic, Name, Program};

use crate::Db;

macro_rules! unknown {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {$(
        /// Not there yet.
        pub fn $name(_db: &dyn Db, _program: Program, $($arg: $ty),*) -> $out {
            Default::default()
        }
    )*};
}

unknown! {
    modifies(_name: Name) -> Arc<BTreeSet<Name>>;
    diagnostics(_decl: DeclId) -> Arc<[Diagnostic]>;
    program_diagnostics() -> Vec<Diagnostic>;
}
