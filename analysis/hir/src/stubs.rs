//! Stand-ins for the queries that are being written: they know nothing, so nothing can be concluded
//! from them. Each one disappears when its real query lands; crates above compile meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{DeclId, Diagnostic, Name, Place, Program};

use crate::{
    Body, Cfg, Constant, Datatype, Db, ExprBody, FuncSig, GlobalVar, Layer, ProcSig, SourceMap,
    Specs,
};

macro_rules! unknown {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {$(
        /// Not there yet.
        pub fn $name(_db: &dyn Db, _program: Program, $($arg: $ty),*) -> $out {
            Default::default()
        }
    )*};
}

unknown! {
    is_civl() -> bool;
    infers_modifies() -> bool;
    program_decls() -> Arc<[DeclId]>;
    lookup_type(_name: Name) -> Option<DeclId>;
    lookup_var(_name: Name) -> Option<DeclId>;
    lookup_func(_name: Name) -> Option<DeclId>;
    lookup_proc(_name: Name) -> Option<DeclId>;
    datatype(_name: Name) -> Option<Arc<Datatype>>;
    global(_name: Name) -> Option<Arc<GlobalVar>>;
    constant(_name: Name) -> Option<Arc<Constant>>;
    func_sig(_name: Name) -> Option<Arc<FuncSig>>;
    proc_sig(_name: Name) -> Option<Arc<ProcSig>>;
    global_of(_decl: DeclId) -> Option<Arc<GlobalVar>>;
    datatype_of(_decl: DeclId) -> Option<Arc<Datatype>>;
    proc_sig_of(_decl: DeclId) -> Option<Arc<ProcSig>>;
    formal_places(_decl: DeclId) -> Vec<Place>;
    specs(_decl: DeclId) -> Option<Arc<Specs>>;
    specs_map(_decl: DeclId) -> Option<Arc<SourceMap>>;
    body(_decl: DeclId) -> Option<Arc<Body>>;
    body_map(_decl: DeclId) -> Option<Arc<SourceMap>>;
    expr_body(_decl: DeclId) -> Option<Arc<ExprBody>>;
    expr_body_map(_decl: DeclId) -> Option<Arc<SourceMap>>;
    implementations(_name: Name) -> Arc<[DeclId]>;
    cfg(_decl: DeclId) -> Option<Arc<Cfg>>;
    modifies(_name: Name) -> Arc<BTreeSet<Name>>;
    refined_action(_name: Name, _layer: Layer) -> Option<Name>;
    diagnostics(_decl: DeclId) -> Arc<[Diagnostic]>;
    program_diagnostics() -> Vec<Diagnostic>;
}

/// Not there yet.
pub fn decl_place(db: &dyn Db, decl: DeclId) -> Place {
    Place::File(decl.file(db))
}
