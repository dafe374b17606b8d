//! What plain Boogie knows about a program: names, types, bodies, blocks, modified variables.
//!
//! **In:** [`base::Program`]: files and settings. **Out:** everything below, per declaration.
//!
//! Names are references: an item is referred to by its [`Name`] and its name space (types,
//! variables, functions, procedures), never by a number. So a body depends only on the `lookup_*`
//! and `*_sig` queries of the names it mentions.
//!
//! # Queries
//! All are memoised. `P` is [`base::Program`], `D` is [`DeclId`]. Lists come in declaration order.
//!
//! ```text
//! parse(db, SourceFile) -> &Parse                      the lossless tree
//! decl_tree(db, SourceFile) -> &DeclTree               declarations of a file: the barrier against body edits
//! shape(db, D) -> Option<GreenNode>                    tree of a declaration without trivia
//! place_range(db, Place) -> FileRange                  a place as a range of the current revision (plain function)
//! libraries(&mut db) -> Vec<SourceFile>                our libraries as inputs; once per database, for Program::new
//! program_files(db, P) -> &[SourceFile]                the user's files, then the needed libraries
//! program_decls(db, P) -> &[D]                         all declarations that are there (no `{:ignore}`)
//! is_civl(db, P) -> bool                               some CIVL attribute: modifies clauses are inferred
//! lookup_type/var/func/proc(db, P, Name) -> Option<D>  the declaration of a name (func: also the datatype of a constructor)
//! datatype(db, P, Name)  -> Option<Arc<Datatype>>
//! global(db, P, Name)    -> Option<Arc<GlobalVar>>
//! constant(db, P, Name)  -> Option<Arc<Constant>>
//! func_sig(db, P, Name)  -> Option<Arc<FuncSig>>       functions and constructors
//! proc_sig(db, P, Name)  -> Option<Arc<ProcSig>>       procedures, actions, yield procedures, invariants
//! specs(db, P, D)        -> Option<Arc<Specs>>         + specs_map  -> Option<Arc<SourceMap>>
//! body(db, P, D)         -> Option<Arc<Body>>          + body_map   -> Option<Arc<SourceMap>>
//! expr_body(db, P, D)    -> Option<Arc<ExprBody>>      + expr_body_map; function body, axiom, `where` of a global
//! implementations(db, P, Name) -> Arc<[D]>             declarations that hold a body of the procedure
//! cfg(db, P, D)          -> Option<Arc<Cfg>>
//! ignored_attributes(db, D) -> Arc<[IgnoredAttribute]> attributes that change what is to be proved and are not honoured
//! modifies(db, P, Name)  -> Arc<BTreeSet<Name>>        globals a procedure, action or mover procedure may change
//! refined_action(db, P, Name, Layer) -> Option<Name>   the action a yield procedure is at a layer above its own
//! diagnostics(db, P, D) -> Arc<[Diagnostic]>           problems of one declaration, with their phase
//! program_diagnostics(db, P) -> Vec<Diagnostic>        all of them, in the order of the reference
//! ```

mod attrs;
mod blocks;
mod check;
mod contents;
mod counted;
mod db;
mod effects;
mod expr;
mod finite;
mod flow;
mod honoured;
mod infer;
mod instance;
mod item;
mod layer;
mod library;
mod lower;
mod positive;
pub mod pretty;
pub mod problem;
mod render;
mod scope;
pub mod semantics;
mod signature;
#[cfg(test)]
mod test_db;
mod tree;
mod ty;
mod types;

pub use base::{DeclId, DeclKind, Name, NodePtr, Place, TokenPick};
pub use blocks::{Block, Cfg, Command, Loop, LoopHead, LoopYield, Transfer};
pub use check::{
    diagnostics, global_diagnostics, global_problems, problems, program_diagnostics,
    syntax_diagnostics,
};
pub use contents::{
    Arm, ArmPlaces, Body, Branch, Clause, ClauseKind, ExprBody, Local, LocalKind, MeasureClause,
    Role, SourceMap, SpecCall, Specs, Step, Stmt, Target, VarRef, Visibility,
};
pub use counted::may_count;
pub use db::{Db, LastParses};
pub use effects::{modified_root, modifies, path_root};
pub use expr::{
    Attr, AttrArg, Attrs, BinaryOp, BlockId, BoundId, BoundVar, Expr, ExprId, Exprs, Literal,
    LocalId, Quantifier, StmtId, Trigger, UnaryOp,
};
pub use finite::is_finite;
pub use flow::{cfg, components};
pub use honoured::{Honour, IgnoredAttribute, honour, ignored_attributes};
pub use item::{
    Constant, Constructor, Datatype, Field, FuncKind, FuncSig, GlobalVar, LinearKind, Mover,
    PRIMITIVES, Param, Primitive, ProcKind, ProcSig, RawArg, RawAttr, RawAttrs, layers_of,
};
pub use layer::{Layer, LayerRange, LayerSet};
pub use library::{
    infers_modifies, is_civl, libraries, library_text, program_decls, program_files, program_of,
};
pub use lower::operator_text;
pub use lower::{body, body_map, expr_body, expr_body_map, specs, specs_map};
pub use render::render;
pub use scope::{NameSpace, global_names, lookup_func, lookup_proc, lookup_type, lookup_var};
pub use signature::{
    constant, constant_of, datatype, datatype_of, decl_place, formal_places, func_sig, func_sig_of,
    global, global_of, implementations, modifies_places, proc_sig, proc_sig_of, refined_action,
};
pub use tree::{DeclEntry, DeclTree, Shape, decl_node, decl_tree, parse, place_range, shape};
pub use ty::{InferVar, MapTy, Ty, TySubst};
pub use types::{TypeDef, type_def};

#[cfg(test)]
mod tests;
