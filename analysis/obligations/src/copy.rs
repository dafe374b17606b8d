//! Copies of yield procedures at a layer: the heart of CIVL (verification.md 1 to 3).
//!
//! **In:** a yield procedure with a body, a layer at which it is code, and which of the two programs
//! of the layer the copy belongs to. **Out:** a unit.
//!
//! The *invariant copy* asserts contracts, loop invariants and yield invariants and that no fragment
//! disturbs the yield invariants of other threads; it assumes gates. The *refinement copy* asserts
//! gates and that the fragments together do what the refined action does; it assumes the rest. The
//! two lean on each other at the same layer, never on another one.
//!
//! A *fragment* is the code between two yield points. It starts with a snapshot of the globals
//! (`g@snap`) and of the permissions the thread holds; it ends at a yield point, at a yielding
//! loop head or at a return, where the checks of the ended fragment branch off into blocks that
//! lead nowhere.
//!
//! # Soundness
//! - A yield forgets all globals. What is known afterwards comes from yield invariants, whose
//!   stability is what non-interference proves.
//! - `old(g)` is the state at the call, before the yield on entry.
//! - Checker blocks have no successor, so they assume nothing for the rest of the run.

mod arms;
mod calls;
mod contracts;
mod fragments;
mod interference;
mod loops;
mod measures;
mod origins;
mod refinement;
mod yields;

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{DeclId, Name, Place, Program};
use discipline::claims::{ClaimAt, ClaimKind};
use discipline::standing::{self, ProcedureAt, procedure_at};
use hir::{Cfg, Layer, LayerRange, ProcSig, Stmt, Transfer, VarRef};
use ir::{BlockId, ObligationId, ObligationKind, Symbol, Term, Var};

use crate::Db;
use crate::builder::UnitBuilder;
use crate::kind::unit_name;
use crate::lowering::{Checks, Env, LoopMeasure, Lowering, State, Text, Writer};
use crate::permissions::Holder;
use crate::unit::{Unit, UnitKey};
use crate::world::World;

pub(crate) use interference::yield_invariants_at;
pub(crate) use yields::{YieldStatement, waiting_locals, yield_statements_at};

use interference::Permissions;
use origins::Origins;
use refinement::Refinement;

/// Which program of the layer a copy belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Contracts and interference are checked, gates assumed.
    Invariant,
    /// Gates and refinement are checked, contracts assumed.
    Refinement,
}

/// The copy of `name` at `layer`; nothing if it is no yield procedure with a body.
pub(crate) fn build(
    db: &dyn Db,
    program: Program,
    (name, layer): (&Name, Layer),
    mode: Mode,
) -> Option<Unit> {
    let world = World::new(db, program);
    let sig = world.proc_sig(name).filter(|sig| sig.is_yield_procedure())?;
    let decl = *world.implementations(name).first()?;
    let (body, map, cfg) = (world.body(decl)?, world.body_map(decl)?, world.cfg(decl)?);
    let place = hir::decl_place(db, sig.decl);
    let mut lowering = Lowering::new(world, place);
    let env = lowering.body_env(&body, "");
    let globals = globals_at(&mut lowering, layer);
    let text = Text { body: &body, map: &map };
    let mut copy = Copy {
        world,
        sig: Arc::clone(&sig),
        decl,
        layer,
        mode,
        text,
        cfg: &cfg,
        env,
        lowering,
        out: UnitBuilder::new(),
        at: BlockId(0),
        globals,
        in_yielding_loop: false,
        permissions: Permissions::default(),
        refinement: None,
        loop_measures: BTreeMap::new(),
        exits: Vec::new(),
        written_by: Origins::default(),
        considered: Vec::new(),
        arm: None,
    };
    copy.write();
    let (kind, key) = match mode {
        Mode::Invariant => (ObligationKind::Contract, UnitKey::Invariant(name.clone(), layer)),
        Mode::Refinement => (ObligationKind::Refinement, UnitKey::Refinement(name.clone(), layer)),
    };
    let unit = unit_name(world, &key);
    let id = ObligationId::new(kind, [Symbol::new(name.as_str())], Some(layer.0));
    let Copy { mut out, lowering, .. } = copy;
    out.cut_loops(place);
    Some(out.finish(key, unit, id, lowering))
}

/// The globals that exist at a layer, in the order of names.
fn globals_at(lowering: &mut Lowering<'_>, layer: Layer) -> Vec<(Name, Var)> {
    let world = lowering.world;
    let names = hir::global_names(world.db, world.program, hir::NameSpace::Variable);
    let mut out = Vec::new();
    for (name, _) in names {
        let Some(global) = world.global(&name).filter(|it| it.layers.contains(layer)) else {
            continue;
        };
        out.extend(lowering.global_var(&global.name).map(|var| (global.name.clone(), var)));
    }
    out
}

/// The end of a fragment, where its checks branch off.
struct Exit {
    at: BlockId,
    place: Place,
}

/// A copy under construction.
struct Copy<'a, 'db> {
    world: World<'db>,
    sig: Arc<ProcSig>,
    decl: DeclId,
    layer: Layer,
    mode: Mode,
    text: Text<'a>,
    cfg: &'a Cfg,
    env: Env,
    lowering: Lowering<'db>,
    out: UnitBuilder,
    /// The block that is being written.
    at: BlockId,
    /// The globals of the layer.
    globals: Vec<(Name, Var)>,
    in_yielding_loop: bool,
    permissions: Permissions,
    refinement: Option<Refinement>,
    loop_measures: BTreeMap<hir::BlockId, LoopMeasure>,
    exits: Vec<Exit>,
    /// Which statement wrote what.
    written_by: Origins,
    /// The clauses that were read last, see [`Copy::leave`].
    considered: Vec<ClaimAt>,
    /// The arm that is being written.
    arm: Option<ClaimAt>,
}

impl<'a, 'db> Copy<'a, 'db> {
    fn write(&mut self) {
        let entry = self.out.block("init", None);
        let places = self.cfg.blocks.iter().map(|block| {
            (Symbol::new(block.label.as_str()), block.place.map(|ptr| self.text.map.place(ptr)))
        });
        let places: Vec<(Symbol, Option<Place>)> = places.collect();
        let starts: Vec<BlockId> =
            places.into_iter().map(|(label, place)| self.out.block(label, place)).collect();
        self.at = entry;
        self.lowering.refuse_untangled(self.cfg);
        if !self.cfg.irreducible.is_empty() || self.text.body.has_errors {
            self.lowering.unsupported("a body with an error");
        }
        self.plan_measures();
        self.plan_permissions();
        self.plan_refinement();
        self.enter();
        let first = self.cfg.entry();
        if self.is_yielding_head(first) {
            self.write_edge_to_head(None, first);
        }
        self.out.edge(self.at, starts[first.index()]);
        for (id, start) in self.cfg.block_ids().zip(starts.clone()) {
            self.at = start;
            self.in_yielding_loop = self.is_in_yielding_loop(id);
            self.write_block(id, &starts);
        }
        if !self.cfg.blocks.iter().any(|block| matches!(block.transfer, Transfer::Return(_))) {
            self.visit_ensured();
        }
        self.check_interference();
    }

    fn write_block(&mut self, id: hir::BlockId, starts: &[BlockId]) {
        let block = self.cfg.block(id).clone();
        let mut commands = block.commands.iter();
        if let Some(head) = &block.head {
            let invariant = block.predicates(self.text.body);
            self.write_loop_head(id, head, invariant);
            commands = block.commands[invariant.len()..].iter();
        }
        for command in commands {
            self.written_by.statement(&self.out, self.at, self.place_of(*command));
            self.write_command(*command);
            self.written_by.end(&self.out);
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                let from = self.at;
                for target in targets {
                    self.at = from;
                    self.end_round(id, *target);
                    if self.is_yielding_head(*target) {
                        self.write_edge_to_head(Some(id), *target);
                    }
                    self.out.edge(self.at, starts[target.index()]);
                }
            }
            Transfer::Return(ptr) => self.leave(self.text.map.place(*ptr)),
        }
    }

    fn place_of(&self, command: hir::Command) -> Place {
        match command {
            hir::Command::Stmt(id) | hir::Command::Guard { of: id, .. } => self.text.map.stmt(id),
        }
    }

    fn write_command(&mut self, command: hir::Command) {
        if let hir::Command::Stmt(id) = command {
            match self.text.body.stmt(id) {
                Stmt::Assert { layers, role, .. } => {
                    if layers.contains(self.layer) {
                        let kind = match role {
                            hir::Role::Plain => ClaimKind::Assertion,
                            hir::Role::LoopInvariant => ClaimKind::LoopInvariant,
                        };
                        let checks = self.contract_checks();
                        self.visit(checks, ClaimAt::Statement(id), kind);
                        self.with_writer(checks, |writer| writer.simple(id));
                    }
                    return;
                }
                Stmt::Measure { layers, .. } => {
                    self.visit(self.contract_checks(), ClaimAt::Statement(id), ClaimKind::Measure);
                    let known = self.loop_measures.values().any(|it| it.is_at(command));
                    if self.mode == Mode::Invariant && layers.contains(self.layer) && !known {
                        self.lowering.unsupported("a measure outside a loop head");
                    }
                    return;
                }
                Stmt::Call { .. } => return self.call(id),
                Stmt::Yield { expr, layers, .. } => {
                    if layers.contains(self.layer) {
                        let at = ClaimAt::Statement(id);
                        self.visit(self.contract_checks(), at, ClaimKind::Yield);
                        self.yield_statement(id, *expr);
                    }
                    return;
                }
                Stmt::Unpack { targets, .. }
                    if !self.exists_here(self.text.body.layers_of_targets(targets)) =>
                {
                    return;
                }
                Stmt::Unpack { .. } => {
                    let checks = self.primitive_checks();
                    self.visit(checks, ClaimAt::Statement(id), ClaimKind::Unpack);
                }
                Stmt::Error
                | Stmt::Assign { .. }
                | Stmt::Assume { .. }
                | Stmt::Havoc { .. }
                | Stmt::Visibility(_)
                | Stmt::If { .. }
                | Stmt::While { .. }
                | Stmt::Break { .. }
                | Stmt::Goto { .. }
                | Stmt::Label(_)
                | Stmt::Return => {}
            }
        }
        let checks = self.primitive_checks();
        self.with_writer(checks, |writer| writer.command(command));
    }

    /// The mover procedure at the layer at which it runs without yields.
    fn is_mover_here(&self) -> bool {
        self.is_mover_at_layer(&self.sig)
    }

    fn is_mover_at_layer(&self, sig: &ProcSig) -> bool {
        let (db, program) = (self.world.db, self.world.program);
        matches!(procedure_at(db, program, sig, self.layer), ProcedureAt::Mover(_))
    }

    /// The copy asks about this claim, unless it only assumes it.
    fn visit(&mut self, checks: Checks, at: ClaimAt, kind: ClaimKind) {
        match checks {
            Checks::Assert(_) => self.out.visit((at, kind)),
            Checks::Assume => {}
        }
    }

    /// Contracts are checked by the invariant copy.
    fn contract_checks(&self) -> Checks {
        match self.mode {
            Mode::Invariant => Checks::Assert(ObligationKind::Contract),
            Mode::Refinement => Checks::Assume,
        }
    }

    /// Gates of called actions are checked by the refinement copy, and by a mover procedure at its
    /// own layer, which has none.
    fn gate_checks(&self) -> Checks {
        match self.mode {
            Mode::Refinement => Checks::Assert(ObligationKind::GateAtCall),
            Mode::Invariant if self.is_mover_here() => Checks::Assert(ObligationKind::GateAtCall),
            Mode::Invariant => Checks::Assume,
        }
    }

    /// Primitives and pure actions may exist at a few layers only, so they are checked at each layer
    /// below the procedure's own as well.
    fn primitive_checks(&self) -> Checks {
        let below = self.sig.layer().is_some_and(|own| self.layer < own);
        match self.gate_checks() {
            Checks::Assume if below => Checks::Assert(ObligationKind::GateAtCall),
            checks @ (Checks::Assume | Checks::Assert(_)) => checks,
        }
    }

    fn with_writer<R>(
        &mut self,
        checks: Checks,
        write: impl FnOnce(&mut Writer<'_, 'db>) -> R,
    ) -> R {
        let mut writer = Writer {
            lowering: &mut self.lowering,
            out: &mut self.out,
            text: self.text,
            env: &self.env,
            checks,
            at: self.at,
        };
        let result = write(&mut writer);
        self.at = writer.at;
        result
    }

    fn assume(&mut self, term: Term) {
        self.out.assume(self.at, term);
    }

    /// A block that goes on from here.
    fn next_block(&mut self, label: &str) {
        let next = self.out.block(label, None);
        self.out.edge(self.at, next);
        self.at = next;
    }

    fn exists_here(&self, layers: Option<LayerRange>) -> bool {
        layers.is_none_or(|range| range.contains(self.layer))
    }

    /// The available variables that exist at the layer, as holders of permissions.
    fn holders(&self, available: &[VarRef]) -> Vec<Holder> {
        available.iter().filter_map(|var| self.holder(var)).collect()
    }

    fn holder(&self, var: &VarRef) -> Option<Holder> {
        match var {
            VarRef::Local(id) => {
                let local = self.text.body.local(*id);
                let term = self.env.local(*id)?.clone();
                self.exists_here(local.layers).then(|| Holder { ty: local.ty.clone(), term })
            }
            VarRef::Global(name) => {
                let global = self.world.global(name)?;
                let (_, var) = self.globals.iter().find(|(it, _)| it == name)?;
                Some(Holder { ty: global.ty.clone(), term: Term::var(var.clone()) })
            }
            VarRef::Error => None,
        }
    }

    fn assume_linear(&mut self, available: &[VarRef]) {
        let holders = self.holders(available);
        let facts = crate::permissions::linear_facts(&mut self.lowering, &holders);
        self.assume(facts);
    }

    fn global_vars(&self) -> Vec<Var> {
        self.globals.iter().map(|(_, var)| var.clone()).collect()
    }

    fn global_names(&self) -> Vec<Name> {
        self.globals.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The out-parameters, as variables.
    fn out_vars(&self) -> Vec<Var> {
        let ins = self.sig.ins.len();
        let outs = self.env.locals.iter().skip(ins).take(self.sig.outs.len());
        outs.filter_map(|term| term.as_var().cloned()).collect()
    }

    /// Is this an output that the refined action has as well?
    fn is_visible_output(&self, var: &VarRef) -> bool {
        let first_out = self.sig.ins.len();
        matches!(var, VarRef::Local(id)
            if self.sig.visible_outs().any(|(nth, _)| first_out + nth == id.index()))
    }

    fn availability(&self) -> Arc<discipline::linear::Availability> {
        let World { db, program } = self.world;
        discipline::linear::availability_at(db, program, self.decl, self.layer)
    }

    /// The blocks of all loops that yield at this layer.
    fn is_in_yielding_loop(&self, block: hir::BlockId) -> bool {
        let yielding = self.cfg.loops.iter().filter(|it| self.is_yielding_head(it.header));
        yielding.into_iter().any(|it| it.blocks.contains(&block))
    }

    fn is_yielding_head(&self, block: hir::BlockId) -> bool {
        let head = self.cfg.block(block).head.as_ref();
        head.is_some_and(|head| standing::loop_yields(head, &self.sig, self.layer))
    }
}

/// The end of the name of a global at the start of the fragment.
const SNAPSHOT: &str = "@snap";

/// The snapshot of a global at the start of the fragment.
fn snapshot_of(var: &Var) -> Var {
    Var::new(format!("{}{SNAPSHOT}", var.name), var.sort.clone())
}

/// Every global is what it was at the start of the fragment.
fn snapshot() -> State {
    State::suffixed(SNAPSHOT)
}
