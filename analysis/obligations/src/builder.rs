//! Building units block by block.
//!
//! **In:** commands, assertions with what they claim, edges. **Out:** the parts of a [`Unit`].
//!
//! # Invariants
//! - Every variable that is assigned or havocked is declared; [`UnitBuilder::assign`] and
//!   [`UnitBuilder::havoc`] see to it.
//! - Cycles are cut by [`UnitBuilder::cut_loops`] before [`UnitBuilder::finish`].

use std::collections::{BTreeMap, BTreeSet};

use base::{Name, Place};
use ir::{
    AssertId, Block, BlockId, Capture, CaptureId, Command, ObligationId, PoolHint, Program, Site,
    Symbol, Term, Var,
};

use smol_str::SmolStr;

use crate::lowering::{Lowering, OLD};
use crate::unit::{AssertInfo, CapturePoint, Role, Unit, UnitKey, Unsupported, Visit};

/// A unit under construction.
#[derive(Default)]
pub struct UnitBuilder {
    vars: BTreeSet<Var>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) asserts: Vec<AssertInfo>,
    sites: Vec<Place>,
    captures: Vec<CapturePoint>,
    unsupported: Vec<Unsupported>,
    pools: BTreeMap<Var, Vec<Symbol>>,
    pub(crate) roles: BTreeMap<Var, Role>,
    wheres: BTreeMap<Var, Term>,
    watched: Vec<Name>,
    visited: BTreeSet<Visit>,
}

impl UnitBuilder {
    /// Nothing yet.
    pub fn new() -> UnitBuilder {
        UnitBuilder::default()
    }

    /// `var` can change.
    pub fn declare(&mut self, var: Var) {
        self.vars.insert(var);
    }

    /// Whenever a loop forgets the value of `var`, `clause` still holds.
    pub fn declare_where(&mut self, var: Var, clause: Term) {
        if !clause.is_true() {
            self.wheres.insert(var, clause);
        }
    }

    pub(crate) fn where_of(&self, var: &Var) -> Option<Term> {
        self.wheres.get(var).cloned()
    }

    /// The claim is asked about from here on.
    pub fn visit(&mut self, visit: Visit) {
        self.visited.insert(visit);
    }

    /// Traces show these globals.
    pub fn watch(&mut self, globals: Vec<Name>) {
        self.watched = globals;
    }

    /// The globals that traces show.
    pub fn watched(&self) -> &[Name] {
        &self.watched
    }

    /// A new block without commands and successors. The first one is the entry.
    pub fn block(&mut self, label: impl Into<Symbol>, place: Option<Place>) -> BlockId {
        let site = place.map(|place| self.site(place));
        self.blocks.push(Block { site, ..Block::new(label) });
        BlockId(u32::try_from(self.blocks.len() - 1).unwrap_or(u32::MAX))
    }

    /// An opaque mark for `place`.
    pub fn site(&mut self, place: Place) -> Site {
        self.sites.push(place);
        Site(u32::try_from(self.sites.len() - 1).unwrap_or(u32::MAX))
    }

    /// From `from` the run may go on at `to`.
    pub fn edge(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from.index()].successors.push(to);
    }

    /// Appends a command.
    pub fn push(&mut self, at: BlockId, command: Command) {
        match &command {
            Command::Assign(pairs) => {
                self.vars.extend(pairs.iter().map(|(var, _)| var.clone()));
            }
            Command::Havoc(vars) => self.vars.extend(vars.iter().cloned()),
            Command::Assume { .. } | Command::Assert { .. } | Command::Capture(_) => {}
        }
        self.blocks[at.index()].commands.push(command);
    }

    /// `assume term`
    pub fn assume(&mut self, at: BlockId, term: Term) {
        self.assume_with(at, term, Vec::new());
    }

    /// `assume term` with pool instances. An assumption that says nothing is left out.
    pub fn assume_with(&mut self, at: BlockId, term: Term, hints: Vec<PoolHint>) {
        if !term.is_true() || !hints.is_empty() {
            self.push(at, Command::Assume { term, hints });
        }
    }

    /// `assert term`; it is assumed afterwards.
    pub fn assert(&mut self, at: BlockId, term: Term, info: AssertInfo) -> AssertId {
        self.assert_with(at, term, info, Vec::new())
    }

    /// `assert term` with pool instances.
    pub fn assert_with(
        &mut self,
        at: BlockId,
        term: Term,
        info: AssertInfo,
        hints: Vec<PoolHint>,
    ) -> AssertId {
        let id = self.claim(info);
        self.push(at, Command::Assert { term, id, hints, subsumes: true });
        id
    }

    /// A number for an assertion that is pushed by hand.
    pub fn claim(&mut self, info: AssertInfo) -> AssertId {
        self.asserts.push(info);
        AssertId(u32::try_from(self.asserts.len() - 1).unwrap_or(u32::MAX))
    }

    /// What an assertion claims.
    pub fn info(&self, id: AssertId) -> Option<&AssertInfo> {
        self.asserts.get(id.0 as usize)
    }

    /// `var := term`
    pub fn assign(&mut self, at: BlockId, var: Var, term: Term) {
        self.push(at, Command::assign(var, term));
    }

    /// `havoc vars`
    pub fn havoc(&mut self, at: BlockId, vars: Vec<Var>) {
        if !vars.is_empty() {
            self.push(at, Command::Havoc(vars));
        }
    }

    /// Remembers the values of source variables for traces.
    pub fn capture(&mut self, at: BlockId, point: CapturePoint, values: Vec<(Symbol, Term)>) {
        self.captures.push(point);
        let id = CaptureId(u32::try_from(self.captures.len() - 1).unwrap_or(u32::MAX));
        self.push(at, Command::Capture(Capture { id, values }));
    }

    /// Where `var` becomes bound, its binder belongs to these pools.
    pub fn pools(&mut self, var: Option<&Var>, labels: &[SmolStr]) {
        if let (Some(var), false) = (var, labels.is_empty()) {
            let labels = labels.iter().map(|label| Symbol::new(label.as_str()));
            self.pools.insert(var.clone(), labels.collect());
        }
    }

    /// `var` holds what `global` was where the present fragment started.
    pub(crate) fn is_snapshot(&mut self, var: Var, global: Name) {
        self.roles.insert(var, Role::Snapshot(global));
    }

    /// These are parameters or locals of a thread that waits and relies on `at`.
    pub(crate) fn waits(&mut self, at: &Name, own: Vec<(Name, Var)>) {
        let role = |name| Role::Waiting { at: at.clone(), name };
        self.roles.extend(own.into_iter().map(|(name, var)| (var, role(name))));
    }

    /// The unit cannot be decided faithfully.
    pub fn unsupported(&mut self, place: Place, what: impl Into<String>) {
        self.unsupported.push(Unsupported { place, what: what.into() });
    }

    /// The finished unit, entered at block 0, with all that `lowering` met.
    pub fn finish(
        mut self,
        key: UnitKey,
        name: impl Into<String>,
        id: ObligationId,
        lowering: Lowering<'_>,
    ) -> Unit {
        if self.blocks.is_empty() {
            self.block("entry", None);
        }
        self.bind_old_globals();
        let (tables, problems, faith) = lowering.finish();
        self.unsupported.extend(problems);
        let vars = self.vars.into_iter().collect();
        Unit {
            key,
            name: name.into(),
            id,
            program: Program { vars, blocks: self.blocks, entry: BlockId(0) },
            asserts: self.asserts,
            sites: self.sites,
            captures: self.captures,
            unsupported: self.unsupported,
            faith,
            visited: self.visited,
            pools: self.pools,
            roles: self.roles,
            tables,
        }
    }

    /// `g@old` is the value of `g` where the unit is entered, for each one that occurs and that
    /// nobody assigns.
    fn bind_old_globals(&mut self) {
        let mut roots: Vec<&Term> = Vec::new();
        for command in self.blocks.iter().flat_map(|block| &block.commands) {
            match command {
                Command::Assume { term, hints } | Command::Assert { term, hints, .. } => {
                    roots.push(term);
                    roots.extend(hints.iter().flat_map(|hint| &hint.terms));
                }
                Command::Assign(pairs) => roots.extend(pairs.iter().map(|(_, term)| term)),
                Command::Havoc(_) => {}
                Command::Capture(capture) => roots.extend(capture.values.iter().map(|(_, it)| it)),
            }
        }
        let mut found = BTreeSet::new();
        ir::subst::for_each_subterm(roots, |term| {
            let old = term.as_var().filter(|var| !self.vars.contains(*var));
            found.extend(old.filter(|var| var.name.as_str().ends_with(OLD)).cloned());
        });
        let equations = found.into_iter().map(|old| {
            let name = old.name.as_str().trim_end_matches(OLD);
            let now = Var::new(name, old.sort.clone());
            Command::assume(Term::eq(Term::var(old), Term::var(now)))
        });
        let equations: Vec<Command> = equations.collect();
        self.blocks[0].commands.splice(0..0, equations);
    }
}
