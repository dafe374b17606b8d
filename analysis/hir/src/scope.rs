//! The global name spaces.
//!
//! **In:** the declaration trees of all files. **Out:** `lookup_*`: a name to its declaration.
//!
//! Types, variables (with constants), functions (with datatype constructors) and procedures (plain
//! ones, actions, yield procedures, invariants) are independent name spaces. The first declaration
//! of a name wins; later ones are duplicates.
//!
//! # Soundness
//! What is not asked about must not be used either. Two kinds of declarations are not there at all,
//! neither as names nor among [`crate::program_decls`], with everything written inside them:
//! - those with `{:ignore}`;
//! - those with `{:extern}` that give way: to the first declaration of the name without it, or else to
//!   the first one. A procedure that gives way has no body, since nobody would ask about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Program};

use crate::tree::DeclEntry;
use crate::{Db, decl_tree, program_files};

/// The independent global name spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameSpace {
    Type,
    Variable,
    Function,
    Procedure,
}

impl NameSpace {
    /// What a member of the space is called in messages.
    pub fn noun(self) -> &'static str {
        match self {
            NameSpace::Type => "type",
            NameSpace::Variable => "variable",
            NameSpace::Function => "function",
            NameSpace::Procedure => "procedure",
        }
    }
}

/// A second declaration of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duplicate {
    pub(crate) space: NameSpace,
    pub(crate) name: Name,
    pub(crate) first: DeclId,
    pub(crate) second: DeclId,
}

/// All global names.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Scope {
    names: BTreeMap<(NameSpace, Name), DeclId>,
    implementations: BTreeMap<Name, Vec<DeclId>>,
    pub(crate) duplicates: Vec<Duplicate>,
    /// Declarations that give way, each with the one that is there.
    pub(crate) given_way: Vec<(DeclId, DeclId)>,
    /// Names of declarations that are left out by `{:ignore}`.
    ignored: BTreeMap<(NameSpace, Name), DeclId>,
}

impl Scope {
    fn get(&self, space: NameSpace, name: &Name) -> Option<DeclId> {
        self.names.get(&(space, name.clone())).copied()
    }

    /// The declaration with `{:ignore}` that this name would mean, if nothing else has it.
    pub(crate) fn ignored(&self, space: NameSpace, name: &Name) -> Option<DeclId> {
        let key = (space, name.clone());
        self.ignored.get(&key).copied().filter(|_| !self.names.contains_key(&key))
    }

    /// Is the declaration part of the program?
    pub(crate) fn is_there(&self, entry: &DeclEntry) -> bool {
        let gives_way = |decl: DeclId| self.given_way.iter().any(|(it, _)| *it == decl);
        !entry.ignored && !gives_way(entry.decl) && !entry.parent.is_some_and(gives_way)
    }

    fn declare(&mut self, space: NameSpace, name: &Name, second: DeclId) {
        if name.is_missing() {
            return;
        }
        let key = (space, name.clone());
        match self.names.get(&key).copied() {
            None => {
                self.names.insert(key, second);
            }
            Some(first) => {
                self.duplicates.push(Duplicate { space, name: name.clone(), first, second });
            }
        }
    }

    /// Every name of a space, ascending.
    pub(crate) fn names(&self, space: NameSpace) -> impl Iterator<Item = (&Name, DeclId)> {
        let all = self.names.iter().filter(move |((it, _), _)| *it == space);
        all.map(|((_, name), decl)| (name, *decl))
    }
}

/// The name space a declaration's own name belongs to.
pub(crate) fn space_of(kind: DeclKind) -> Option<NameSpace> {
    match kind {
        DeclKind::Type | DeclKind::Datatype => Some(NameSpace::Type),
        DeclKind::Const | DeclKind::Var => Some(NameSpace::Variable),
        DeclKind::Function => Some(NameSpace::Function),
        DeclKind::Procedure | DeclKind::Action => Some(NameSpace::Procedure),
        DeclKind::YieldProcedure | DeclKind::Invariant => Some(NameSpace::Procedure),
        DeclKind::Axiom | DeclKind::Implementation => None,
    }
}

/// All global names of a program. Reads declaration trees only.
#[salsa::tracked(returns(clone))]
pub(crate) fn scope(db: &dyn Db, program: Program) -> Arc<Scope> {
    let files = program_files(db, program);
    let entries: Vec<&DeclEntry> =
        files.iter().flat_map(|file| &decl_tree(db, *file).entries).collect();
    let mut scope = Scope { given_way: given_way(db, &entries), ..Scope::default() };
    for entry in entries {
        let name = entry.decl.name(db);
        let kind = entry.decl.kind(db);
        let own = space_of(kind).map(|space| (space, name));
        let ctors = entry.ctors.iter().map(|ctor| (NameSpace::Function, ctor));
        let names: Vec<(NameSpace, &Name)> = own.into_iter().chain(ctors).collect();
        if entry.ignored {
            let ignored = names.iter().map(|(space, it)| ((*space, (*it).clone()), entry.decl));
            scope.ignored.extend(ignored);
        }
        if !scope.is_there(entry) {
            continue;
        }
        names.into_iter().for_each(|(space, it)| scope.declare(space, it, entry.decl));
        if kind == DeclKind::Implementation {
            scope.implementations.entry(name.clone()).or_default().push(entry.decl);
        }
    }
    Arc::new(scope)
}

/// The declarations with `{:extern}` that give way, each with the one that is there.
fn given_way(db: &dyn Db, entries: &[&DeclEntry]) -> Vec<(DeclId, DeclId)> {
    let mut named: BTreeMap<(NameSpace, &Name), Vec<&DeclEntry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.ignored) {
        let name = entry.decl.name(db);
        if let Some(space) = space_of(entry.decl.kind(db)).filter(|_| !name.is_missing()) {
            named.entry((space, name)).or_default().push(entry);
        }
    }
    let mut out = Vec::new();
    for group in named.values() {
        let Some(winner) = group.iter().find(|it| !it.is_extern).or(group.first()) else {
            continue;
        };
        let others = group.iter().filter(|it| it.is_extern && it.decl != winner.decl);
        out.extend(others.map(|it| (it.decl, winner.decl)));
    }
    out
}

/// The declaration of a type name.
#[salsa::tracked(returns(copy))]
pub fn lookup_type(db: &dyn Db, program: Program, name: Name) -> Option<DeclId> {
    scope(db, program).get(NameSpace::Type, &name)
}

/// The declaration of a global variable or constant.
#[salsa::tracked(returns(copy))]
pub fn lookup_var(db: &dyn Db, program: Program, name: Name) -> Option<DeclId> {
    scope(db, program).get(NameSpace::Variable, &name)
}

/// The declaration of a function, or of the datatype a constructor belongs to.
#[salsa::tracked(returns(copy))]
pub fn lookup_func(db: &dyn Db, program: Program, name: Name) -> Option<DeclId> {
    scope(db, program).get(NameSpace::Function, &name)
}

/// The declaration of a procedure, action, yield procedure or invariant.
#[salsa::tracked(returns(copy))]
pub fn lookup_proc(db: &dyn Db, program: Program, name: Name) -> Option<DeclId> {
    scope(db, program).get(NameSpace::Procedure, &name)
}

/// The `implementation`s given for a procedure, in order.
#[salsa::tracked(returns(clone))]
pub(crate) fn separate_implementations(db: &dyn Db, program: Program, name: Name) -> Arc<[DeclId]> {
    let scope = scope(db, program);
    scope.implementations.get(&name).map(|it| it.as_slice().into()).unwrap_or_default()
}

/// Every global name of a name space with its declaration, by name. For completion and the like.
pub fn global_names(db: &dyn Db, program: Program, space: NameSpace) -> Vec<(Name, DeclId)> {
    scope(db, program).names(space).map(|(name, decl)| (name.clone(), decl)).collect()
}
