//! Yield procedures as code of a layer.
//!
//! **In:** a yield procedure, and a layer at which it is code. **Out:** a [`Part`] with a
//! procedure in it.
//!
//! | statement | becomes |
//! | --- | --- |
//! | call | see [`super::calls`] |
//! | `yield e`, at its layers | a yield with a claim |
//! | head of a loop that yields here | a yield with the invariants that it calls |
//! | `assert`, loop invariant, at its layers | a condition |
//! | unpack into variables of other layers, measure | nothing |
//! | anything else | what the lowering makes of it |

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Name, Place, Program};
use discipline::standing::{ProcedureAt, loop_yields, procedure_at};
use discipline::yields::label_of;
use hir::{Cfg, ClauseKind, Layer, Param, ProcSig, Role, Stmt, Transfer};
use ir::layer::{Condition, Formal, Linear, Node, Procedure, Spec, Step, Why};
use ir::{BlockId, Symbol, Term, Var};

use super::code::Code;
use super::contracts::claimed;
use super::{Part, contracts, primitives, roots, tidy};
use crate::Db;
use crate::claim::Claim;
use crate::lowering::{Env, OLD, Text};
use crate::world::World;

/// A procedure under construction.
pub(super) struct Body<'a, 'db> {
    pub(super) code: Code<'db>,
    pub(super) sig: Arc<ProcSig>,
    pub(super) text: Text<'a>,
    pub(super) env: Env,
    cfg: &'a Cfg,
}

/// The procedure `name` at `layer`; nothing if it is no code there, or has no body.
pub(super) fn project(db: &dyn Db, program: Program, name: &Name, layer: Layer) -> Option<Part> {
    let world = World::new(db, program);
    let sig = world.proc_sig(name)?;
    let mover = match procedure_at(db, program, &sig, layer) {
        ProcedureAt::Code => None,
        ProcedureAt::Mover(mover) => Some(label_of(mover)),
        ProcedureAt::Action(_) | ProcedureAt::Skip | ProcedureAt::Gone => return None,
    };
    let implementations = world.implementations(name);
    let Some(decl) = implementations.first().copied() else {
        return Some(primitives::project(world, &sig, layer, mover));
    };
    let ((body, map), cfg) = (world.body(decl).zip(world.body_map(decl))?, world.cfg(decl)?);
    let mut code = Code::new(world, layer, hir::decl_place(db, sig.decl));
    code.part.procedure_name = Some(name.clone());
    if implementations.len() > 1 {
        code.lowering.unsupported("a procedure with several bodies");
    }
    let env = code.lowering.body_env(&body, "");
    let text = Text { body: &body, map: &map };
    let mut body = Body { code, sig, text, env, cfg: &cfg };
    body.write();
    let procedure = body.procedure(mover);
    let mut part = body.code.finish();
    part.procedure = Some(procedure);
    Some(part)
}

impl Body<'_, '_> {
    fn write(&mut self) {
        if !self.cfg.irreducible.is_empty() || self.text.body.has_errors {
            self.code.lowering.unsupported("a body with an error");
        }
        let blocks = self.cfg.blocks.iter();
        let starts = blocks.map(|block| self.code.out.block(block.label.as_str(), None));
        let starts: Vec<BlockId> = starts.collect();
        self.code.out.edge(self.code.at, starts[self.cfg.entry().index()]);
        for (id, start) in self.cfg.block_ids().zip(&starts) {
            self.code.at = *start;
            self.block(id, &starts);
        }
    }

    fn block(&mut self, id: hir::BlockId, starts: &[BlockId]) {
        let cfg = self.cfg;
        let block = cfg.block(id);
        if let Some(head) = &block.head
            && loop_yields(head, &self.sig, self.code.layer)
        {
            let ptr = head.place.or(block.place);
            let whole = hir::decl_place(self.code.world.db, self.sig.decl);
            let place = ptr.map_or(whole, |ptr| self.text.map.place(ptr));
            let mut claims = Vec::new();
            for call in &head.invariant_calls {
                claims.extend(self.claims_of_call(*call));
            }
            let site = self.code.site(place);
            self.code.keep(Step::Yield(claims, site), place);
        }
        for command in &block.commands {
            self.command(*command);
        }
        match &block.transfer {
            Transfer::Goto(targets) => {
                for target in targets {
                    self.code.out.edge(self.code.at, starts[target.index()]);
                }
            }
            Transfer::Return(_) => self.code.leave(),
        }
    }

    /// The claims of a call of invariants at a loop head.
    fn claims_of_call(&mut self, call: hir::StmtId) -> Vec<Condition> {
        let Stmt::Call { arms, .. } = self.text.body.stmt(call) else { return Vec::new() };
        let place = self.text.map.stmt(call);
        let mut claims = Vec::new();
        for arm in arms {
            let env = self.env.clone();
            let args = self.code.lowering.exprs(&self.text.body.exprs, &env, &arm.args);
            claims.extend(self.invariant(&arm.callee, args, (place, Claim::LoopEntry)));
        }
        claims
    }

    /// The clauses of an invariant of the layer as conditions.
    pub(super) fn invariant(
        &mut self,
        name: &Name,
        args: Vec<Term>,
        (place, claim): (Place, Claim),
    ) -> Vec<Condition> {
        let layer = self.code.layer;
        let clauses = contracts::invariant(&mut self.code.lowering, name, args, layer);
        let condition = |it: contracts::Claimed| {
            self.code.condition(it.term, claim.clone(), (place, it.clause), Why::Invariant)
        };
        clauses.into_iter().map(condition).collect()
    }

    fn command(&mut self, command: hir::Command) {
        let text = self.text;
        let hir::Command::Stmt(id) = command else {
            let hir::Command::Guard { of, .. } = command else { return };
            let env = self.env.clone();
            self.code.write((text, &env), |writer| writer.command(command));
            return self.code.mark(text.map.stmt(of), false);
        };
        let place = text.map.stmt(id);
        self.code.lowering.at(place);
        let layer = self.code.layer;
        let exists = match text.body.stmt(id) {
            Stmt::Assert { layers, .. } => layers.contains(layer),
            Stmt::Measure { .. } => false,
            Stmt::Unpack { targets, .. } => {
                text.body.layers_of_targets(targets).is_none_or(|range| range.contains(layer))
            }
            Stmt::Yield { expr, layers, .. } => {
                if layers.contains(layer) {
                    self.yield_statement(*expr, place);
                }
                return;
            }
            Stmt::Call { .. } => return self.call(id),
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
            | Stmt::Return => true,
        };
        if exists {
            let at_head =
                matches!(text.body.stmt(id), Stmt::Assert { role: Role::LoopInvariant, .. });
            let env = self.env.clone();
            self.code.statement((text, &env), (place, at_head), |writer| {
                writer.command(command);
            });
        }
    }

    fn yield_statement(&mut self, expr: Option<hir::ExprId>, place: Place) {
        let env = self.env.clone();
        let claim = expr.map(|expr| self.code.lowering.expr(&self.text.body.exprs, &env, expr));
        let claims = claim
            .map(|term| self.code.condition(term, Claim::Yield, (place, place), Why::Invariant));
        let site = self.code.site(place);
        self.code.keep(Step::Yield(claims.into_iter().collect(), site), place);
    }

    /// What was written, as a procedure.
    fn procedure(&mut self, mover: Option<ir::layer::Label>) -> Procedure {
        let sig = Arc::clone(&self.sig);
        let whole = hir::decl_place(self.code.world.db, sig.decl);
        let site = self.code.site(whole);
        let formals: Vec<Option<Formal>> = sig
            .formals()
            .zip(self.env.locals.clone())
            .map(|(param, term)| {
                let var = term.as_var().filter(|_| exists(param, self.code.layer))?.clone();
                Some(roots::formal(&mut self.code.lowering, param, var))
            })
            .collect();
        let (ins, outs) = formals.split_at(sig.ins.len().min(formals.len()));
        let (ins, outs): (Vec<Formal>, Vec<Formal>) =
            (ins.iter().flatten().cloned().collect(), outs.iter().flatten().cloned().collect());
        let env = self.env.clone();
        let requires = contract(&mut self.code, &sig, &env, ClauseKind::Requires);
        let ensures = contract(&mut self.code, &sig, &env, ClauseKind::Ensures);
        let spec = spec(&mut self.code, &sig);
        let mut nodes = self.code.nodes(BlockId(0), whole);
        self.drop_absent(&mut nodes);
        tidy::simplify(&mut nodes);
        let at_exit = self.read_at_exit(&outs, &ensures);
        tidy::drop_dead_choices(&mut nodes, &at_exit, |var| self.code.is_global(var));
        let narrowed = self.narrowed();
        self.start(&mut nodes, (&ins, &at_exit, &narrowed), site);
        if !self.code.lowering.problems().is_empty() {
            nodes.clear();
        }
        let is_formal = |var: &Var| ins.iter().chain(&outs).any(|formal| formal.var == *var);
        let steps = || nodes.iter().flat_map(|node| &node.steps);
        let mut locals: BTreeSet<Var> = steps().flat_map(Step::written).cloned().collect();
        locals.extend(steps().flat_map(Step::terms).flat_map(ir::free_vars));
        locals.extend(at_exit);
        locals.retain(|var| !is_formal(var) && !self.code.is_global(var));
        Procedure {
            name: Symbol::new(sig.name.as_str()),
            ins,
            outs,
            locals: locals.into_iter().collect(),
            requires,
            ensures,
            nodes,
            mover,
            spec,
            marked: sig.attrs.has("explore.root"),
            site,
        }
    }

    /// Variables of other layers are nobody's business here.
    fn drop_absent(&self, nodes: &mut [Node]) {
        let locals = self.text.body.locals.iter().zip(&self.env.locals);
        let absent = locals.filter(|(local, _)| {
            local.layers.is_some_and(|range| !range.contains(self.code.layer))
        });
        let absent: BTreeSet<Var> = absent.filter_map(|(_, term)| term.as_var().cloned()).collect();
        for node in nodes {
            for step in &mut node.steps {
                if let Step::Assign(pairs, _) = step {
                    pairs.retain(|(var, _)| !absent.contains(var));
                } else if let Step::Havoc(vars, _) = step {
                    vars.retain(|var| !absent.contains(var));
                } else if let Step::Act(act) = step {
                    act.hidden.retain(|var| !absent.contains(var));
                }
            }
            let is_empty = |step: &Step| {
                matches!(step, Step::Assign(pairs, _) if pairs.is_empty())
                    || matches!(step, Step::Havoc(vars, _) if vars.is_empty())
            };
            node.steps.retain(|step| !is_empty(step));
        }
    }

    /// The variables whose values matter at a return.
    fn read_at_exit(&self, outs: &[Formal], ensures: &[Condition]) -> BTreeSet<Var> {
        let mut vars: BTreeSet<Var> = outs.iter().map(|formal| formal.var.clone()).collect();
        vars.extend(ensures.iter().flat_map(|it| ir::free_vars(&it.term)));
        vars.retain(|var| !self.code.is_global(var));
        vars
    }

    /// Locals with their `where` clauses.
    fn narrowed(&mut self) -> Vec<(Var, Term)> {
        let (body, env) = (self.text.body, self.env.clone());
        let mut out = Vec::new();
        for id in body.local_ids() {
            let var = env.local(id).and_then(Term::as_var).cloned();
            let clause = self.code.lowering.local_where(body, &env, id);
            out.extend(var.zip(clause));
        }
        out
    }

    /// Before the first step: `old` globals are remembered, values that the program leaves open and
    /// reads are chosen, as their `where` clauses say.
    fn start(
        &self,
        nodes: &mut [Node],
        (ins, at_exit, narrowed): (&[Formal], &BTreeSet<Var>, &[(Var, Term)]),
        site: ir::Site,
    ) {
        let mut live = tidy::live_at_entry(nodes, at_exit);
        loop {
            let clauses = narrowed.iter().filter(|it| live.contains(&it.0));
            let more: Vec<Var> = clauses.flat_map(|it| ir::free_vars(&it.1)).collect();
            let before = live.len();
            live.extend(more);
            if live.len() == before {
                break;
            }
        }
        live.retain(|var| !self.code.is_global(var) && ins.iter().all(|formal| formal.var != *var));
        let is_old = |var: &Var| var.name.as_str().ends_with(OLD);
        let (old, open): (Vec<Var>, Vec<Var>) = live.into_iter().partition(is_old);
        let value = |var: &Var| {
            let name = var.name.as_str().trim_end_matches(OLD);
            Term::var(Var::new(name, var.sort.clone()))
        };
        let saved: Vec<(Var, Term)> =
            old.into_iter().map(|var| (var.clone(), value(&var))).collect();
        let mut first = Vec::new();
        if !saved.is_empty() {
            first.push(Step::Assign(saved, site));
        }
        if !open.is_empty() {
            let clauses = narrowed.iter().filter(|it| open.contains(&it.0));
            let clauses: Vec<Step> =
                clauses.map(|(_, clause)| Step::Assume(clause.clone(), site)).collect();
            first.push(Step::Havoc(open, site));
            first.extend(clauses);
        }
        nodes[0].steps.splice(0..0, first);
    }
}

/// What a procedure requires or ensures at the layer; `where` clauses of its parameters included.
pub(super) fn contract(
    code: &mut Code<'_>,
    sig: &ProcSig,
    env: &Env,
    kind: ClauseKind,
) -> Vec<Condition> {
    let mut env = env.clone();
    let (claim, why) = if kind == ClauseKind::Requires {
        env.old = env.now.clone();
        (Claim::Precondition { callee: sig.name.clone() }, Why::Requires)
    } else {
        (Claim::Postcondition { procedure: sig.name.clone() }, Why::Ensures)
    };
    let mut clauses = claimed(&mut code.lowering, sig, &env, kind, code.layer);
    if kind == ClauseKind::Requires {
        // Clients keep to them; procedures that call it are refused.
        clauses.extend(contracts::narrowed(&mut code.lowering, sig, &env, code.layer));
    }
    let condition = |it: contracts::Claimed| {
        code.condition(it.term, claim.clone(), (it.clause, it.clause), why)
    };
    clauses.into_iter().map(condition).collect()
}

/// What the procedure is at the layer above, if it is code no longer.
pub(super) fn spec(code: &mut Code<'_>, sig: &ProcSig) -> Option<Spec> {
    let (world, layer) = (code.world, code.layer);
    let position = |all: &[Param], nth: usize| {
        let before = all[..nth].iter().filter(|param| exists(param, layer)).count();
        u32::try_from(before).unwrap_or(u32::MAX)
    };
    match procedure_at(world.db, world.program, sig, layer.next()) {
        ProcedureAt::Skip => Some(Spec::Skip),
        ProcedureAt::Action(name) => {
            let ins = sig.visible_ins().map(|(nth, _)| position(&sig.ins, nth)).collect();
            let outs = sig.visible_outs().map(|(nth, _)| position(&sig.outs, nth)).collect();
            Some(Spec::Action { action: code.action(&name), ins, outs })
        }
        ProcedureAt::Code | ProcedureAt::Mover(_) | ProcedureAt::Gone => None,
    }
}

/// Does the formal exist at the layer?
pub(super) fn exists(param: &Param, layer: Layer) -> bool {
    param.layers.is_none_or(|range| range.contains(layer))
}

/// What a call does with the permissions of a formal.
pub(super) fn linear(param: &Param) -> Linear {
    match param.linear {
        hir::LinearKind::Ordinary => Linear::Ordinary,
        hir::LinearKind::Linear => Linear::Linear,
        hir::LinearKind::LinearIn => Linear::In,
        hir::LinearKind::LinearOut => Linear::Out,
    }
}
