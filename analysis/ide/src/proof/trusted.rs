//! What a proof takes on faith (manual, chapter 13).
//!
//! **In:** a program without static errors, its warnings, and what the user asked not to check.
//! **Out:** one [`Trusted`] for each thing that nobody proves.
//!
//! # Invariants
//! - What is *given* describes the world: axioms, procedures that are the machine. Everything else
//!   is a *promise* that could be proved or left out; strict runs refuse it.
//! - Assumptions are listed by the units that make them ([`obligations::Faith`]); what is listed here
//!   by declaration is what describes the world of all units.
//! - Libraries are not listed: they are the same for everyone.

use std::collections::{BTreeMap, BTreeSet};

use base::{DeclId, DeclKind, Name, Program};
use hir::{ClauseKind, Expr, FuncKind, LayerRange, LinearKind, Param, ProcKind, ProcSig};
use obligations::{Faith, FaithKind};

use crate::diagnostics::has_error;
use crate::proof::filter::Believed;
use crate::types::{Diagnostic, Location};
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
    /// A permission that a yield procedure without body returns and no action speaks of: nothing
    /// shows that it was nobody's before.
    Permission,
    /// The mover type of a procedure without body.
    Mover,
    /// A `free` clause or loop invariant.
    FreeClause,
    /// A `free call`, whose preconditions are not asked.
    FreeCall,
    /// A call of `Assume`.
    Assume,
    /// An operator of the solver that this tool does not know.
    Builtin,
    /// A `where` clause.
    WhereClause,
    /// That a left mover, a committed transaction or ghost code gets to its end.
    Termination,
    /// That sets are finite, which the axioms of the library `set_size` rest on.
    FiniteSets,
    /// A kind of check that was switched off.
    Flag,
}

/// Name in JSON, one of them, several of them, and is it a promise?
const KINDS: [(TrustedKind, &str, [&str; 2], bool); 14] = [
    (TrustedKind::Axiom, "axiom", ["axiom", "axioms"], false),
    (
        TrustedKind::RecursiveFunction,
        "recursive-function",
        ["recursive function", "recursive functions"],
        true,
    ),
    (
        TrustedKind::Machine,
        "procedure",
        ["yield procedure without body", "yield procedures without body"],
        false,
    ),
    (TrustedKind::Lemma, "lemma", ["procedure without body", "procedures without body"], true),
    (
        TrustedKind::Permission,
        "permission",
        ["permission that no action hands out", "permissions that no action hands out"],
        true,
    ),
    (
        TrustedKind::Mover,
        "mover",
        ["mover procedure without body", "mover procedures without body"],
        true,
    ),
    (TrustedKind::FreeClause, "free-clause", ["free clause", "free clauses"], true),
    (TrustedKind::FreeCall, "free-call", ["free call", "free calls"], true),
    (TrustedKind::Assume, "assume", ["call of Assume", "calls of Assume"], true),
    (TrustedKind::Builtin, "builtin", ["unknown operator", "unknown operators"], true),
    (TrustedKind::WhereClause, "where-clause", ["where clause", "where clauses"], true),
    (
        TrustedKind::Termination,
        "termination",
        ["step not shown to end", "steps not shown to end"],
        true,
    ),
    (TrustedKind::FiniteSets, "finite-sets", ["claim that sets are finite"; 2], true),
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
    pub fn assumptions(&self, program: ProgramId, believed: Believed) -> Option<Vec<Trusted>> {
        let problems = self.check(program);
        (!has_error(&problems)).then(|| self.trusted(program, &problems, believed))
    }

    /// What a proof of the program takes on faith, given the `warnings` of its static phases.
    pub(crate) fn trusted(
        &self,
        program: ProgramId,
        warnings: &[Diagnostic],
        believed: Believed,
    ) -> Vec<Trusted> {
        let input = self.program(program);
        let files = input.files(&self.db);
        let decls = hir::program_decls(&self.db, input);
        let own = decls.iter().filter(|decl| files.contains(&decl.file(&self.db)));
        let mut out: Vec<Trusted> = own.flat_map(|decl| self.trusted_in(input, *decl)).collect();
        out.extend(self.assumed(input));
        let counts = hir::program_files(&self.db, input)
            .iter()
            .any(|file| file.library(&self.db) == Some(base::LibraryName::SetSize));
        out.extend(counts.then(|| Trusted {
            kind: TrustedKind::FiniteSets,
            what: "every set whose size is asked for is finite".to_owned(),
            at: None,
        }));
        let ends = warnings.iter().filter(|it| UNPROVED_ENDS.contains(&it.code));
        out.extend(ends.map(|it| Trusted {
            kind: TrustedKind::Termination,
            what: it.message.clone(),
            at: Some(it.at),
        }));
        let flags = believed.switched_off().into_iter();
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
            for (kind, what) in self.missing_body(program, &sig) {
                add(kind, what, place);
            }
        }
        out
    }

    /// What the units of the program assume, each where it stands.
    fn assumed(&self, program: Program) -> Vec<Trusted> {
        let mut seen: Vec<Faith> = Vec::new();
        let units = obligations::units(&self.db, program);
        for entry in units.iter().filter(|entry| entry.skipped.is_none()) {
            let tasks = obligations::obligations(&self.db, program, entry.key.clone());
            for faith in tasks.iter().flat_map(|task| task.faith.iter()) {
                if !seen.contains(faith) {
                    seen.push(faith.clone());
                }
            }
        }
        let trusted = |Faith { kind, about, place }: Faith| {
            let (kind, what) = faith_words(kind, &about);
            Trusted { kind, what, at: self.location(place) }
        };
        seen.into_iter().map(trusted).collect()
    }

    fn missing_body(&self, program: Program, sig: &ProcSig) -> Vec<(TrustedKind, String)> {
        let name = &sig.name;
        if !hir::implementations(&self.db, program, name.clone()).is_empty() {
            return Vec::new();
        }
        match sig.kind {
            ProcKind::Yield => {
                let machine = format!("`{name}` does what it refines");
                let contract = self
                    .ensures_something(program, sig)
                    .then(|| (TrustedKind::Lemma, format!("`{name}` ensures what it says")));
                let conjured = self.conjured(program, sig).into_iter().map(|param| {
                    let what = format!(
                        "nobody else has the permissions that `{name}` returns in `{param}`"
                    );
                    (TrustedKind::Permission, what)
                });
                let mover = sig.mover.map(|mover| {
                    (TrustedKind::Mover, format!("`{name}` moves as declared: {mover}"))
                });
                let given = [(TrustedKind::Machine, machine)].into_iter();
                given.chain(contract).chain(mover).chain(conjured).collect()
            }
            ProcKind::Plain
            | ProcKind::Pure
            | ProcKind::Action { .. }
            | ProcKind::Invariant { .. } => Vec::new(),
        }
    }

    /// Has the procedure a postcondition? Without a body it is more than what is refined.
    fn ensures_something(&self, program: Program, sig: &ProcSig) -> bool {
        let ensures = [ClauseKind::Ensures, ClauseKind::Preserves];
        hir::specs(&self.db, program, sig.decl).is_none_or(|specs| {
            specs.clauses.iter().any(|it| ensures.contains(&it.kind))
                || specs.calls.iter().any(|it| ensures.contains(&it.kind))
        })
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
        // Inlined functions are unfolded into the definitions that use them.
        let defined = |sig: &FuncKind| match sig {
            FuncKind::Axiom | FuncKind::Inline | FuncKind::Define => true,
            FuncKind::Uninterpreted | FuncKind::Builtin(_) | FuncKind::Constructor { .. } => false,
        };
        let Some(sig) = sig.filter(|sig| defined(&sig.kind)) else { return BTreeSet::new() };
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

fn faith_words(kind: FaithKind, about: &Name) -> (TrustedKind, String) {
    match kind {
        FaithKind::Contract => (TrustedKind::Lemma, format!("`{about}` ensures what it says")),
        FaithKind::Assume => (TrustedKind::Assume, "the argument of this call".to_owned()),
        FaithKind::FreeCall => {
            (TrustedKind::FreeCall, format!("what this call of `{about}` requires"))
        }
        FaithKind::FreeClause => (TrustedKind::FreeClause, format!("a free clause of `{about}`")),
        FaithKind::FreeInvariant => {
            (TrustedKind::FreeClause, format!("a free loop invariant of `{about}`"))
        }
        FaithKind::Builtin => {
            (TrustedKind::Builtin, format!("the operator behind `{about}` has these types"))
        }
        FaithKind::WhereClause => {
            (TrustedKind::WhereClause, format!("the `where` clause of `{about}`"))
        }
    }
}

impl Analysis {
    /// The parameters in which a yield procedure without body returns permissions of which nothing
    /// shows that they were nobody's before: the action it refines does not mention the parameter, or
    /// takes permissions from a variable or an argument that does not exist at all layers at which the
    /// procedure is code and hands them out.
    fn conjured(&self, program: Program, sig: &ProcSig) -> Vec<Name> {
        let layers_of = |param: &Param| param.layers.or(sig.layers).unwrap_or(LayerRange::ALL);
        let action = sig.refines.clone();
        let taken = action.map(|action| hir::modifies(&self.db, program, action));
        let sources: Vec<LayerRange> = (taken.iter().flat_map(|names| names.iter()))
            .filter_map(|name| hir::global(&self.db, program, name.clone()))
            .filter(|global| global.linear != LinearKind::Ordinary)
            .map(|global| global.layers)
            .chain(sig.ins.iter().filter(|it| it.linear == LinearKind::LinearIn).map(layers_of))
            .collect();
        let is_shown = |param: &Param| {
            sig.is_visible(param)
                && sources.iter().all(|source| layers_of(param).is_within(*source))
        };
        let ins = sig.ins.iter().filter(|it| it.linear == LinearKind::LinearOut);
        let outs = sig.outs.iter().filter(|it| it.linear != LinearKind::Ordinary);
        ins.chain(outs).filter(|it| !is_shown(it)).map(|it| it.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::AnalysisHost;
    use crate::proof::filter::Believed;

    /// What a proof of the program takes on faith: kind and words.
    fn trusted(text: &str, believed: Believed) -> Vec<(&'static str, String)> {
        let mut host = AnalysisHost::new();
        let file = host.set_file("test.bpl", text);
        let program = host.add_program(&[file], &[]).expect("no library is asked for");
        let analysis = host.analysis();
        let warnings = analysis.check(program);
        let all = analysis.trusted(program, &warnings, believed).into_iter();
        all.map(|it| (it.kind.as_str(), it.what)).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = trusted(text, Believed::default());
        let found: Vec<(&str, &str)> = found.iter().map(|(kind, it)| (*kind, &**it)).collect();
        assert_eq!(found, expected, "{text}");
    }

    const MACHINE: (&str, &str) = ("procedure", "`P` does what it refines");

    #[test]
    fn each_thing_that_nobody_proves_is_listed() {
        check("axiom true;", &[("axiom", "this axiom")]);
        let circular = ("recursive-function", "the definition of `f` is not circular");
        check("function f(i: int): int { f(i) }", &[circular]);
        check("yield procedure {:layer 0} P();", &[MACHINE]);
        let lemma = "pure procedure L(); ensures true;\npure procedure M() { call L(); }";
        check(lemma, &[("lemma", "`L` ensures what it says")]);
        let mover = ("mover", "`P` moves as declared: both");
        check("yield both procedure {:layer 0} P();", &[MACHINE, mover]);
        check("procedure Q() free requires true; { }", &[("free-clause", "a free clause of `Q`")]);
        let clause = ("where-clause", "the `where` clause of `x`");
        check("var x: int where x > 0; procedure Q() { assert x > 0; }", &[clause]);
        check("procedure Q() { var x: int where x > 0; assert x > 0; }", &[clause]);
        check("procedure Q(x: int where x > 0) { assert x > 0; }", &[clause]);
        check("procedure Q() returns (x: int where x > 0) { assert x > 0; }", &[clause]);
        let result = "procedure R() returns (x: int where x > 5) { x := 6; }\n";
        check(&format!("{result}procedure Q() {{ var z: int; call z := R(); }}"), &[clause]);
        // Without a body, only callers rely on it.
        let result = "procedure R() returns (x: int where x > 5);\n";
        let bodyless = ("lemma", "`R` ensures what it says");
        let caller = "procedure Q() { var z: int; call z := R(); }";
        check(&format!("{result}{caller}"), &[bodyless, clause]);
        let code = "yield procedure {:layer 1} P() returns (x: int where x > 5);
yield procedure {:layer 1} Q() { var z: int; call z := P(); }";
        check(code, &[MACHINE, clause]);
        let free =
            "pure procedure L(b: bool) requires b; { }\npure procedure M() { free call L(false); }";
        check(free, &[("free-call", "what this call of `L` requires")]);
        let assume = "yield procedure {:layer 1} P() { call {:layer 1} Assume(false); }";
        check(assume, &[("assume", "the argument of this call")]);
        let invariant = "procedure Q() { while (*) free invariant false; { } }";
        check(invariant, &[("free-clause", "a free loop invariant of `Q`")]);
        let inlined =
            "function {:inline} g(i: int): int { f(i) }\nfunction f(i: int): int { g(i) }";
        let inlined_too = ("recursive-function", "the definition of `g` is not circular");
        check(inlined, &[inlined_too, circular]);
        let endless = "yield left procedure {:layer 1} P() { if (*) { call P(); } }";
        assert_eq!(trusted(endless, Believed::default())[0].0, "termination");
        let flag = trusted("", Believed { movers: true, ..Believed::default() });
        assert_eq!(flag, [("flag", "declared mover types".to_owned())]);
    }

    #[test]
    fn what_is_proved_or_defined_is_not_listed() {
        check("function f(i: int): int { i }", &[]);
        check("procedure Q() requires true; { }", &[]);
        check("yield procedure {:layer 1} P() { }", &[]);
        check("pure procedure L() ensures true; { }", &[]);
        check("yield left procedure {:layer 1} P() { }", &[]);
        // Nobody relies on them.
        check("pure procedure L(); ensures true;", &[]);
        check("var x: int where x > 0;", &[]);
        let inlined = "function {:inline} g(i: int): int { i }\nfunction f(i: int): int { g(i) }";
        check(inlined, &[]);
    }

    #[test]
    fn a_permission_from_nowhere_is_a_promise() {
        let conjured = ("permission", "nobody else has the permissions that `P` returns in `p`");
        let skip = "action {:layer 1} A() { }\n";
        for (action, header) in [
            ("", "P({:linear_out} p: One int);"),
            ("", "P() returns ({:linear} p: One int);"),
            (skip, "P({:hide} {:linear_out} p: One int); refines A;"),
            (skip, "P() returns ({:hide} {:linear} p: One int); refines A;"),
        ] {
            let text = format!("{action}yield procedure {{:layer 0}} {header}");
            check(&text, &[MACHINE, conjured]);
        }
    }

    #[test]
    fn a_permission_that_the_action_hands_out_or_the_caller_gave_is_none() {
        let take = "var {:layer 0,1} {:linear} pool: UnitMap (One int);
action {:layer 1} A() returns ({:linear} p: One int)
{ assume Map_Contains(pool, p); call One_Get(pool, p); }
yield procedure {:layer 0} P() returns ({:linear} p: One int); refines A;";
        check(take, &[MACHINE]);
        check("yield procedure {:layer 0} P({:linear} p: One int);", &[MACHINE]);
        check("yield procedure {:layer 0} P({:linear_in} p: One int);", &[MACHINE]);
        check("yield procedure {:layer 0} P() returns ({:hide} p: One int);", &[MACHINE]);
        check("yield procedure {:layer 1} P({:linear_out} p: One int) { }", &[]);
    }
}
