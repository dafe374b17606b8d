//! What a proof takes on faith (manual, chapter 13).
//!
//! **In:** a program without static errors, its warnings, and what the user asked not to check.
//! **Out:** one [`Trusted`] for each thing that nobody proves.
//!
//! # Invariants
//! - What is *given* describes the world: axioms, procedures that are the machine. Everything else
//!   is a *promise* that could be proved or left out; strict runs refuse it.
//! - Libraries are not listed: they are the same for everyone.

use std::collections::{BTreeMap, BTreeSet};

use base::{DeclId, DeclKind, Name, Program};
use hir::{Expr, FuncKind, ProcKind, ProcSig};

use crate::diagnostics::has_error;
use crate::types::{Diagnostic, Location};
use crate::verify::Trust;
use crate::{Analysis, ProgramId};

/// Something that nobody proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// What it is.
    pub kind: TrustedKind,
    /// In words.
    pub what: String,
    /// Where it stands, if it is part of the text.
    pub at: Option<Location>,
}

/// Kinds of faith.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrustedKind {
    /// An axiom.
    Axiom,
    /// A function whose definition uses the function: an axiom that may contradict itself.
    RecursiveFunction,
    /// A yield procedure without body: the machine.
    Machine,
    /// Another procedure without body.
    Lemma,
    /// A `free` clause.
    FreeClause,
    /// A `where` clause.
    WhereClause,
    /// That a left mover, a committed transaction or ghost code gets to its end.
    Termination,
    /// A kind of check that was switched off.
    Flag,
}

/// Name in JSON, one of them, several of them, and is it a promise?
const KINDS: [(TrustedKind, &str, [&str; 2], bool); 8] = [
    (TrustedKind::Axiom, "axiom", ["axiom", "axioms"], false),
    (
        TrustedKind::RecursiveFunction,
        "recursive-function",
        ["recursive function", "recursive functions"],
        false,
    ),
    (
        TrustedKind::Machine,
        "procedure",
        ["yield procedure without body", "yield procedures without body"],
        false,
    ),
    (TrustedKind::Lemma, "lemma", ["procedure without body", "procedures without body"], true),
    (TrustedKind::FreeClause, "free-clause", ["free clause", "free clauses"], true),
    (TrustedKind::WhereClause, "where-clause", ["where clause", "where clauses"], true),
    (
        TrustedKind::Termination,
        "termination",
        ["step not shown to end", "steps not shown to end"],
        true,
    ),
    (TrustedKind::Flag, "flag", ["kind of check", "kinds of checks"], true),
];

/// The codes of warnings that say what is not shown to end.
const UNPROVED_ENDS: [&str; 3] = ["mover-termination", "committed-blocks", "ghost-blocks"];

impl TrustedKind {
    /// All kinds, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = TrustedKind> {
        KINDS.into_iter().map(|(kind, ..)| kind)
    }

    fn row(self) -> (&'static str, [&'static str; 2], bool) {
        let row = KINDS.into_iter().find(|(kind, ..)| *kind == self);
        row.map_or(("other", ["other", "others"], true), |(_, word, words, promise)| {
            (word, words, promise)
        })
    }

    /// The word of the JSON contract.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// `2 axioms`
    pub fn counted(self, count: usize) -> String {
        let [one, several] = self.row().1;
        format!("{count} {}", if count == 1 { one } else { several })
    }

    /// Could it be proved, or left out? Strict runs refuse promises.
    pub fn is_promise(self) -> bool {
        self.row().2
    }
}

impl Analysis {
    /// What a proof of the program takes on faith; nothing if static errors leave nothing to prove.
    pub fn assumptions(&self, program: ProgramId, trust: Trust) -> Option<Vec<Trusted>> {
        let problems = self.check(program);
        (!has_error(&problems)).then(|| self.trusted(program, &problems, trust))
    }

    /// What a proof of the program takes on faith, given the `warnings` of its static phases.
    pub(crate) fn trusted(
        &self,
        program: ProgramId,
        warnings: &[Diagnostic],
        trust: Trust,
    ) -> Vec<Trusted> {
        let input = self.program(program);
        let files = input.files(&self.db);
        let decls = hir::program_decls(&self.db, input);
        let own = decls.iter().filter(|decl| files.contains(&decl.file(&self.db)));
        let mut out: Vec<Trusted> = own.flat_map(|decl| self.trusted_in(input, *decl)).collect();
        let ends = warnings.iter().filter(|it| UNPROVED_ENDS.contains(&it.code));
        out.extend(ends.map(|it| Trusted {
            kind: TrustedKind::Termination,
            what: it.message.clone(),
            at: Some(it.at),
        }));
        let flags = trust.switched_off().into_iter();
        out.extend(flags.map(|what| Trusted { kind: TrustedKind::Flag, what, at: None }));
        out.sort_by_key(|it| (it.kind, it.at));
        out
    }

    fn trusted_in(&self, program: Program, decl: DeclId) -> Vec<Trusted> {
        let name = decl.name(&self.db);
        let place = hir::decl_place(&self.db, decl);
        let mut out = Vec::new();
        let mut add = |kind, what: String, place| {
            out.push(Trusted { kind, what, at: self.location(place) });
        };
        match decl.kind(&self.db) {
            DeclKind::Axiom => add(TrustedKind::Axiom, "this axiom".to_owned(), place),
            DeclKind::Function if self.is_recursive(program, decl) => {
                let what = format!("the definition of `{name}` is not circular");
                add(TrustedKind::RecursiveFunction, what, place);
            }
            DeclKind::Var if hir::expr_body(&self.db, program, decl).is_some() => {
                add(TrustedKind::WhereClause, format!("the `where` clause of `{name}`"), place);
            }
            DeclKind::Type
            | DeclKind::Datatype
            | DeclKind::Const
            | DeclKind::Function
            | DeclKind::Var
            | DeclKind::Procedure
            | DeclKind::Action
            | DeclKind::YieldProcedure
            | DeclKind::Invariant
            | DeclKind::Implementation => {}
        }
        let Some(sig) = hir::proc_sig_of(&self.db, program, decl) else { return out };
        if sig.decl == decl {
            if let Some((kind, what)) = self.missing_body(program, &sig) {
                add(kind, what, place);
            }
            let specs = hir::specs(&self.db, program, decl);
            let map = hir::specs_map(&self.db, program, decl);
            if let (Some(specs), Some(map)) = (specs, map) {
                for (nth, _) in specs.clauses.iter().enumerate().filter(|(_, it)| it.free) {
                    let what = format!("a free clause of `{name}`");
                    add(TrustedKind::FreeClause, what, map.clause(nth));
                }
            }
        }
        if let Some(body) = hir::body(&self.db, program, decl) {
            let named = body.locals.iter().filter(|local| local.condition.is_some());
            for local in named {
                let what = format!("the `where` clause of `{}`", local.name);
                add(TrustedKind::WhereClause, what, place);
            }
        }
        out
    }

    fn missing_body(&self, program: Program, sig: &ProcSig) -> Option<(TrustedKind, String)> {
        let name = &sig.name;
        if !hir::implementations(&self.db, program, name.clone()).is_empty() {
            return None;
        }
        match sig.kind {
            ProcKind::Yield => {
                Some((TrustedKind::Machine, format!("`{name}` does what it refines and ensures")))
            }
            ProcKind::Plain | ProcKind::Pure => {
                Some((TrustedKind::Lemma, format!("`{name}` ensures what it says")))
            }
            ProcKind::Action { .. } | ProcKind::Invariant { .. } => None,
        }
    }

    /// Does the definition of a function lead back to it?
    fn is_recursive(&self, program: Program, decl: DeclId) -> bool {
        let own = decl.name(&self.db);
        let mut known: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
        let mut todo = vec![own.clone()];
        while let Some(name) = todo.pop() {
            if known.contains_key(&name) {
                continue;
            }
            let called = self.called_functions(program, &name);
            if called.contains(own) {
                return true;
            }
            todo.extend(called.iter().cloned());
            known.insert(name, called);
        }
        false
    }

    fn called_functions(&self, program: Program, name: &Name) -> BTreeSet<Name> {
        let sig = hir::func_sig(&self.db, program, name.clone());
        let Some(sig) = sig.filter(|sig| sig.kind == FuncKind::Axiom) else {
            return BTreeSet::new();
        };
        let Some(body) = hir::expr_body(&self.db, program, sig.decl) else {
            return BTreeSet::new();
        };
        let mut found = BTreeSet::new();
        let mut todo = vec![body.root];
        while let Some(id) = todo.pop() {
            let expr = body.exprs.expr(id);
            todo.extend(expr.children());
            if let Expr::Call { func, .. } = expr {
                found.insert(func.clone());
            }
        }
        found
    }
}
