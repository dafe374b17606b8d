//! Which attributes of the reference mean something, and what we make of them.
//!
//! **In:** the tree of a declaration. **Out:** the attributes in it that would change what is to be
//! proved and that we do not honour, with their places.
//!
//! The table lists every attribute that the sources of the reference look up. An attribute that is
//! not in it means nothing to anybody.
//!
//! # Soundness
//! Who proves something about a declaration, or calls it, asks here first: with such an attribute the
//! answer is "undecided". So neither a proof nor a failure is about another program than the one
//! that is written.

use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place};
use syntax::ast::{self, AstNode};

use crate::tree::NodeNumbers;
use crate::{Db, shape};

/// What we make of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Honour {
    /// It means here what it means to the reference.
    Honoured,
    /// It changes how the reference searches, splits, reports or infers, not what is true.
    Harmless,
    /// It changes what is to be proved, and we do not follow.
    Ignored,
}

/// The attributes of the reference, by what becomes of them.
const TABLE: &[(Honour, &[&str])] = &[
    (
        Honour::Honoured,
        &[
            "add_to_pool",
            "builtin",
            "bvbuiltin",
            "define",
            "extern",
            "hide",
            "ignore",
            "inline",
            "layer",
            "linear",
            "linear_in",
            "linear_out",
            "msg",
            "pool",
            "subsumption",
            "sync",
            "verify",
            "weight",
            "yields",
        ],
    ),
    (
        Honour::Harmless,
        &[
            // what the solver is asked first, for how long, in which pieces
            "focus",
            "isolate",
            "priority",
            "qid",
            "random_seed",
            "rlimit",
            "skolemid",
            "smt_option",
            "split_here",
            "timeLimit",
            "vcs_split_on_every_assert",
            // how a quantifier or function is presented to the solver
            "expand",
            "include_dep",
            "keep",
            "never_pattern",
            // what is reported
            "captureState",
            "checksum",
            "id",
            "msg_if_verifies",
            "name",
            "print",
            "verboseName",
            // which model is shown; a core of what was needed
            "maximize",
            "minimize",
            "try",
            // inference of contracts, abstract interpretation, unrolling: not part of a proof
            "candidate",
            "entrypoint",
            "existential",
            "identity",
            "kInductionDepth",
            "si_fcall",
            "stage_active",
            "stage_complete",
            "staged_houdini_tag",
            // marks of the reference for itself
            "PossiblyUnreachable",
            "assumption_variable_initialization",
            "may_unverified_instrumentation",
            "originated_from_invariant",
            "partition",
            "precondition_previous_snapshot",
        ],
    ),
    (
        Honour::Ignored,
        &[
            // a postcondition that is assumed where its procedure is inlined
            "InlineAssume",
            // a free precondition that callers assume
            "always_assume",
            // a variable that is true on entry
            "assumption",
            // what stands before the mark is assumed
            "selective_checking",
            "start_checking_here",
            // an assumption that the solver may give up
            "soft",
            // an assertion that holds or else this does
            "verified_under",
        ],
    ),
];

/// What we make of the attribute of this name; nothing if it means nothing to the reference.
pub fn honour(attribute: &str) -> Option<Honour> {
    let row = TABLE.iter().find(|(_, names)| names.contains(&attribute));
    row.map(|(honour, _)| *honour)
}

/// An attribute that is not honoured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredAttribute {
    pub name: Name,
    pub place: Place,
}

/// The attributes of a declaration, its body and its clauses that change what is to be proved and
/// that we do not honour.
///
/// Reads the shape of the declaration only.
#[salsa::tracked(returns(clone))]
pub fn ignored_attributes(db: &dyn Db, decl: DeclId) -> Arc<[IgnoredAttribute]> {
    let Some(shape) = shape(db, decl) else { return Arc::from([]) };
    let root = shape.syntax();
    let mut found = Vec::new();
    for node in root.descendants().filter_map(ast::Attribute::cast) {
        let Some(name) = node.name_text() else { continue };
        // The inlining that an implementation asks for by itself is not done.
        let own = decl.kind(db) == DeclKind::Implementation
            && node.syntax().parent() == Some(root.clone());
        if honour(&name) == Some(Honour::Ignored) || own && name == "inline" {
            let ptr = NodeNumbers::new(&root).node(node.syntax());
            found.push(IgnoredAttribute { name: Name::new(name), place: Place::new(decl, ptr) });
        }
    }
    found.into()
}

#[cfg(test)]
mod tests {
    use super::{Honour, TABLE, honour};

    #[test]
    fn every_attribute_has_one_row() {
        let all: Vec<&str> = TABLE.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut once = all.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), all.len());
        assert_eq!(honour("layer"), Some(Honour::Honoured));
        assert_eq!(honour("verified_under"), Some(Honour::Ignored));
        assert_eq!(honour("of_my_own"), None);
    }
}
