//! The global name spaces.
//!
//! **In:** the declaration trees of all files. **Out:** `lookup_*`: a name to its declaration.
//!
//! Types, variables (with constants), functions (with datatype constructors) and procedures (plain
//! ones, actions, yield procedures, invariants) are independent name spaces. The first declaration
//! of a name wins; later ones are duplicates, unless one of the two is `{:extern}`.

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
    names: BTreeMap<(NameSpace, Name), (DeclId, bool)>,
    implementations: BTreeMap<Name, Vec<DeclId>>,
    pub(crate) duplicates: Vec<Duplicate>,
}

impl Scope {
    fn get(&self, space: NameSpace, name: &Name) -> Option<DeclId> {
        self.names.get(&(space, name.clone())).map(|(decl, _)| *decl)
    }

    fn declare(&mut self, space: NameSpace, name: &Name, entry: &DeclEntry) {
        if name.is_missing() {
            return;
        }
        let second = entry.decl;
        let key = (space, name.clone());
        let Some((first, first_extern)) = self.names.get(&key).copied() else {
            self.names.insert(key, (second, entry.is_extern));
            return;
        };
        if first_extern && !entry.is_extern {
            self.names.insert(key, (second, false));
        } else if !entry.is_extern && !first_extern {
            self.duplicates.push(Duplicate { space, name: name.clone(), first, second });
        }
    }

    /// Every name of a space, ascending.
    pub(crate) fn names(&self, space: NameSpace) -> impl Iterator<Item = (&Name, DeclId)> {
        let all = self.names.iter().filter(move |((it, _), _)| *it == space);
        all.map(|((_, name), (decl, _))| (name, *decl))
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
    let mut scope = Scope::default();
    for file in program_files(db, program).iter() {
        for entry in &decl_tree(db, *file).entries {
            let name = entry.decl.name(db);
            let kind = entry.decl.kind(db);
            if let Some(space) = space_of(kind) {
                scope.declare(space, name, entry);
            }
            for ctor in entry.ctors.iter() {
                scope.declare(NameSpace::Function, ctor, entry);
            }
            let has_body_apart = kind == DeclKind::Implementation && !entry.ignored;
            if has_body_apart {
                scope.implementations.entry(name.clone()).or_default().push(entry.decl);
            }
        }
    }
    Arc::new(scope)
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
