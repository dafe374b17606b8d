//! Which linear variables are available where (language.md 10.4).
//!
//! **In:** the graph of a body whose commands passed [`super::commands`], and a layer or none.
//! **Out:** the available variables at entry, around each call and its arms and at each loop head,
//! and the problems of the flow.
//!
//! A forward analysis: a variable is available at a point if it is available on every way to it.
//! Transfer functions are monotone, so the problems seen at the fixpoint are all there are.
//!
//! At a layer, only what exists there counts: variables, pure calls and parameters of procedures
//! ([`super::layered`]). What does not exist at the layer neither takes nor gives permissions.
//!
//! # Invariants
//! - Only locals of linear type and linear globals are ever in a set.
//! - A body with any problem offers no variable at all: nothing may be assumed about it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Place, Program};
use hir::{
    Arm, Block, BlockId, Body, Cfg, Command, ExprId, Layer, LinearKind, LocalId, SourceMap, Stmt,
    StmtId, Target, Transfer, VarRef,
};

use super::availability::Availability;
use super::commands::{self, Code, pack_arguments};
use super::fields;
use super::layered::Here;
use super::owner::{Owner, as_var, passed_var, var_name};
use crate::Db;
use crate::problem::{GlobalPoint, LinearProblem, Unavailable, UnavailableWhy};

/// What is known about one body.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Flow {
    pub(super) availability: Arc<Availability>,
    pub(super) problems: Vec<LinearProblem>,
}

type Available = BTreeSet<VarRef>;

/// The flow at `layer`, or whatever the layer.
///
/// Reads the body, the signatures of its callees and the declarations of globals.
#[salsa::tracked(returns(clone))]
pub(super) fn flow(db: &dyn Db, program: Program, decl: DeclId, layer: Option<Layer>) -> Arc<Flow> {
    let parts = || {
        let sig = hir::proc_sig_of(db, program, decl)?;
        let body = hir::body(db, program, decl).filter(|body| !body.has_errors)?;
        let map = hir::body_map(db, program, decl)?;
        let cfg = hir::cfg(db, program, decl)?;
        Some((sig, body, map, cfg))
    };
    let Some((sig, body, map, cfg)) = parts() else { return Arc::default() };
    if sig.primitive.is_some() {
        return Arc::default();
    }
    let owner = Owner::new(db, program, sig);
    let here = Here { owner: &owner, body: &body, layer };
    let walk = Walk { owner: &owner, body: &body, map: &map, cfg: &cfg, here };
    Arc::new(walk.run())
}

/// One body being analysed.
struct Walk<'a> {
    owner: &'a Owner<'a>,
    body: &'a Body,
    map: &'a SourceMap,
    cfg: &'a Cfg,
    here: Here<'a>,
}

/// Where a walk over one block writes what it sees.
#[derive(Default)]
struct Seen {
    before: BTreeMap<StmtId, Available>,
    arms: BTreeMap<(StmtId, usize), Available>,
    after: BTreeMap<StmtId, Available>,
    problems: Vec<LinearProblem>,
}

impl Walk<'_> {
    fn run(&self) -> Flow {
        let problems = self.command_problems();
        if !problems.is_empty() {
            return Flow { problems, ..Flow::default() };
        }
        let entries = self.fixpoint();
        let mut seen = Seen::default();
        let mut heads = BTreeMap::new();
        let mut blocks: Vec<BlockId> = Vec::new();
        for id in self.cfg.block_ids() {
            let Some(start) = &entries[id.index()] else { continue };
            let block = self.cfg.block(id);
            if block.head.is_some() {
                self.check_head(block, start, &mut seen);
                heads.insert(id, start.iter().cloned().collect());
            }
            let end = self.block(block, start.clone(), &mut seen);
            if let Transfer::Return(ptr) = &block.transfer {
                self.check_return(self.map.place(*ptr), &end, &mut seen);
            }
            blocks.resize(seen.problems.len(), id);
        }
        if !seen.problems.is_empty() {
            let found = seen.problems.into_iter().zip(blocks);
            let mut problems =
                found.map(|(problem, at)| self.traced(problem, at, &entries)).collect();
            dedup(&mut problems);
            return Flow { problems, ..Flow::default() };
        }
        let entry = self.entry().into_iter().collect();
        let (before, arms, after) = (listed(seen.before), listed(seen.arms), listed(seen.after));
        let availability = Arc::new(Availability { entry, before, arms, after, heads });
        Flow { availability, problems: Vec::new() }
    }

    /// The problem that was found in block `at`, with the statements that took the permissions.
    fn traced(
        &self,
        problem: LinearProblem,
        at: BlockId,
        entries: &[Option<Available>],
    ) -> LinearProblem {
        let (LinearProblem::Unavailable(Unavailable { name, .. })
        | LinearProblem::GlobalUnavailable { name, .. }
        | LinearProblem::ParameterUnavailable { name, .. }) = &problem
        else {
            return problem;
        };
        let name = name.clone();
        let local = self.body.locals.iter().position(|it| it.name == name);
        let var = local.map_or_else(
            || VarRef::Global(name.clone()),
            |nth| VarRef::Local(LocalId::from_index(nth)),
        );
        let reaching = self.reaching(at);
        let mut lost = Vec::new();
        for id in self.cfg.block_ids().filter(|id| reaching.contains(id)) {
            let Some(mut set) = entries[id.index()].clone() else { continue };
            for stmt in self.cfg.block(id).commands.iter().filter_map(statement) {
                let held = set.contains(&var);
                self.command(stmt, &mut set, &mut Seen::default());
                let place = self.map.stmt(stmt);
                if held && !set.contains(&var) && !lost.contains(&place) {
                    lost.push(place);
                }
            }
        }
        if lost.is_empty() {
            return problem;
        }
        LinearProblem::Lost { problem: Box::new(problem), name, at: lost }
    }

    /// The blocks from which a way leads to `to`, itself included.
    fn reaching(&self, to: BlockId) -> BTreeSet<BlockId> {
        let mut found = BTreeSet::from([to]);
        loop {
            let leads = |id: &BlockId| self.cfg.successors(*id).iter().any(|it| found.contains(it));
            let more: Vec<BlockId> =
                self.cfg.block_ids().filter(|id| !found.contains(id) && leads(id)).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Problems of single commands, in the order of blocks.
    fn command_problems(&self) -> Vec<LinearProblem> {
        let code = Code { body: self.body, map: self.map };
        let mut out = Vec::new();
        for id in self.cfg.block_ids() {
            let block = self.cfg.block(id);
            let invariants = block.head.iter().flat_map(|head| head.invariant_calls.iter());
            for stmt in invariants.copied().chain(block.commands.iter().filter_map(statement)) {
                commands::check(self.owner, &code, stmt, &mut out);
            }
        }
        dedup(&mut out);
        out
    }

    /// The available variables at the start of each block; nothing for blocks never reached.
    fn fixpoint(&self) -> Vec<Option<Available>> {
        let mut starts: Vec<Option<Available>> = vec![None; self.cfg.blocks.len()];
        let Some(first) = starts.first_mut() else { return starts };
        *first = Some(self.entry());
        let mut todo = BTreeSet::from([self.cfg.entry()]);
        while let Some(id) = todo.pop_first() {
            let Some(start) = starts[id.index()].clone() else { continue };
            let end = self.block(self.cfg.block(id), start, &mut Seen::default());
            for next in self.cfg.successors(id) {
                let joined = match &starts[next.index()] {
                    Some(known) => known.intersection(&end).cloned().collect(),
                    None => end.clone(),
                };
                if starts[next.index()].as_ref() != Some(&joined) {
                    starts[next.index()] = Some(joined);
                    todo.insert(*next);
                }
            }
        }
        starts
    }

    /// In-parameters that bring permissions, and the linear globals.
    fn entry(&self) -> Available {
        let ins = (0..self.owner.sig.ins.len()).map(LocalId::from_index);
        let brings = |local: &LocalId| match self.owner.kind(*local) {
            LinearKind::Linear | LinearKind::LinearIn => self.is_linear_local(*local),
            LinearKind::Ordinary | LinearKind::LinearOut => false,
        };
        let globals = self.owner.linear_globals();
        let globals = globals.iter().cloned().map(VarRef::Global);
        let all = ins.filter(brings).map(VarRef::Local).chain(globals);
        all.filter(|var| self.here.has_variable(var)).collect()
    }

    fn is_linear_local(&self, local: LocalId) -> bool {
        self.body.locals.get(local.index()).is_some_and(|it| self.owner.is_linear(&it.ty))
    }

    /// May the variable be available here: a local of linear type, or a linear global? Any thread may
    /// change another global, so permissions put into it are lost.
    fn is_linear_var(&self, var: &VarRef) -> bool {
        self.here.has_variable(var)
            && match var {
                VarRef::Local(local) => self.is_linear_local(*local),
                VarRef::Global(name) => self.owner.linear_globals().contains(name),
                VarRef::Error => false,
            }
    }

    /// The set after a block that starts with `start`.
    fn block(&self, block: &Block, start: Available, seen: &mut Seen) -> Available {
        let mut set = start;
        for stmt in block.commands.iter().filter_map(statement) {
            self.command(stmt, &mut set, seen);
        }
        set
    }

    fn command(&self, id: StmtId, set: &mut Available, seen: &mut Seen) {
        match self.body.stmt(id) {
            Stmt::Assign { targets, values, .. } => {
                self.check_fields(id, targets, set, seen);
                self.assign(targets, values, set);
            }
            Stmt::Unpack { targets, value, .. } => self.unpack(targets, *value, set),
            Stmt::Havoc { targets } => {
                for var in targets {
                    set.remove(var);
                }
            }
            Stmt::Call { arms, is_async, .. } => {
                meet(&mut seen.before, id, set);
                self.call((id, arms), *is_async, set, seen);
                meet(&mut seen.after, id, set);
            }
            Stmt::Yield { .. } => {
                meet(&mut seen.before, id, set);
                self.check_globals(self.map.stmt(id), GlobalPoint::Yield, set, seen);
                meet(&mut seen.after, id, set);
            }
            // A statement that may do anything leaves nothing available.
            Stmt::Error => set.clear(),
            Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } => {}
            Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } | Stmt::Label(_) => {}
            Stmt::Break { .. } | Stmt::Goto { .. } | Stmt::Return => {}
        }
    }

    /// No assignment to a field of an available variable may build a value with new permissions.
    fn check_fields(&self, id: StmtId, targets: &[Target], set: &Available, seen: &mut Seen) {
        let available = targets.iter().enumerate().filter(|(_, it)| set.contains(&it.root));
        for (number, target) in available {
            let ty = self.owner.var_ty(self.body, &target.root);
            let Some(lacking) = fields::lacking(self.owner, &ty, &target.path) else { continue };
            let fields::Lacking { field, ctor, linear } = lacking;
            let ptr = self.map.targets.get(&id).and_then(|it| it.get(number).copied());
            let place = ptr.map_or(self.map.stmt(id), |ptr| self.map.place(ptr));
            let name = var_name(&self.body.locals, &target.root);
            let problem = LinearProblem::AssignLackingField { place, name, field, ctor, linear };
            seen.problems.push(problem);
        }
    }

    /// All targets at once: permissions move from the values' variables to the targets' roots.
    fn assign(&self, targets: &[Target], values: &[ExprId], set: &mut Available) {
        let before = set.clone();
        let pairs = targets.iter().zip(values);
        let linear: Vec<_> = pairs.filter(|(target, _)| self.owner.is_linear(&target.ty)).collect();
        let mut received = Vec::new();
        for (target, value) in &linear {
            set.remove(&target.root);
            let Some(sources) = self.sources(**value) else { continue };
            if sources.iter().all(|var| before.contains(var)) {
                for var in &sources {
                    set.remove(var);
                }
                received.push(*target);
            }
        }
        let given: BTreeSet<VarRef> =
            linear.iter().filter_map(|(_, value)| self.sources(**value)).flatten().collect();
        for target in received {
            let kept = before.contains(&target.root) && !given.contains(&target.root);
            let ty = self.owner.var_ty(self.body, &target.root);
            let replaced = fields::replaces_all(self.owner, &ty, &target.path);
            if (kept || replaced) && self.is_linear_var(&target.root) {
                set.insert(target.root.clone());
            }
        }
    }

    /// The variables a value takes its permissions from; nothing if it is neither a variable nor
    /// built from variables.
    fn sources(&self, value: ExprId) -> Option<Vec<VarRef>> {
        if let Some(var) = as_var(&self.body.exprs, value) {
            return Some(vec![var]);
        }
        let args = pack_arguments(self.owner, &self.body.exprs, value)?;
        args.into_iter().map(|(_, arg)| as_var(&self.body.exprs, arg)).collect()
    }

    fn unpack(&self, targets: &[VarRef], value: ExprId, set: &mut Available) {
        if !self.owner.is_linear(self.body.exprs.ty(value)) {
            return;
        }
        let source = as_var(&self.body.exprs, value).filter(|var| set.contains(var));
        for target in targets {
            set.remove(target);
        }
        if let Some(source) = source {
            set.remove(&source);
            set.extend(targets.iter().filter(|var| self.is_linear_var(var)).cloned());
        }
    }

    fn call(
        &self,
        (id, arms): (StmtId, &[Arm]),
        is_async: bool,
        set: &mut Available,
        seen: &mut Seen,
    ) {
        let primitive = matches!(arms, [arm] if arm.primitive.is_some());
        let happens = arms.iter().any(|arm| self.here.has_call(arm));
        if !primitive && happens {
            self.check_globals(self.map.stmt(id), GlobalPoint::Call, set, seen);
        }
        self.moments(id, arms, is_async, (set, seen));
        for arm in arms {
            self.arguments((id, arm), is_async, set, seen);
        }
        for arm in arms {
            self.returned(arm, is_async, set);
        }
        for arm in arms {
            self.results(arm, set);
        }
    }

    /// What is available before each arm, and when all arms have taken what they take.
    fn moments(
        &self,
        id: StmtId,
        arms: &[Arm],
        is_async: bool,
        (set, seen): (&Available, &mut Seen),
    ) {
        let mut moment = set.clone();
        for (nth, arm) in arms.iter().enumerate() {
            meet(&mut seen.arms, (id, nth), &moment);
            // Complaints are made where the whole call is followed.
            self.arguments((id, arm), is_async, &mut moment, &mut Seen::default());
            for var in arm.outs.iter().chain(&self.handed_out(arm)) {
                moment.remove(var);
            }
        }
        meet(&mut seen.arms, (id, arms.len()), &moment);
    }

    /// The variables that `linear_out` parameters of an arm fill.
    fn handed_out(&self, arm: &Arm) -> Vec<VarRef> {
        let Some(callee) = self.owner.callee(arm) else { return Vec::new() };
        let passings = self.here.passings(arm, &callee).into_iter();
        let out = passings.filter(|it| it.param.linear == LinearKind::LinearOut);
        out.filter_map(|it| passed_var(&self.body.exprs, &it)).collect()
    }

    /// Adds what `linear_out` parameters return. An asynchronous call returns nothing to its caller.
    fn returned(&self, arm: &Arm, is_async: bool, set: &mut Available) {
        let Some(callee) = self.owner.callee(arm).filter(|_| !is_async) else { return };
        for passing in self.here.passings(arm, &callee) {
            let var = passed_var(&self.body.exprs, &passing);
            if let (Some(var), LinearKind::LinearOut) = (var, passing.param.linear)
                && self.is_linear_var(&var)
            {
                set.insert(var);
            }
        }
    }

    /// Results replace whatever their variables held, also what a `linear_out` parameter returned.
    fn results(&self, arm: &Arm, set: &mut Available) {
        let Some(callee) = self.owner.callee(arm) else {
            set.clear();
            return;
        };
        for (var, given) in self.here.results(arm, &callee) {
            if given && self.is_linear_var(var) {
                set.insert(var.clone());
            } else {
                set.remove(var);
            }
        }
    }

    /// Takes the permissions that the arguments of one arm give away.
    fn arguments(
        &self,
        (id, arm): (StmtId, &Arm),
        is_async: bool,
        set: &mut Available,
        seen: &mut Seen,
    ) {
        let Some(callee) = self.owner.callee(arm) else { return };
        for passing in self.here.passings(arm, &callee) {
            let Some(var) = passed_var(&self.body.exprs, &passing) else { continue };
            match passing.param.linear {
                LinearKind::Ordinary | LinearKind::LinearOut => {}
                LinearKind::Linear | LinearKind::LinearIn if !set.contains(&var) => {
                    let param = passing.param.name.clone();
                    let why = UnavailableWhy::Statement;
                    let found = (passing.arg, &var);
                    seen.problems.push(self.unavailable((id, arm), found, (param, why)));
                }
                LinearKind::LinearIn => {
                    set.remove(&var);
                }
                LinearKind::Linear if is_async => {
                    set.remove(&var);
                }
                LinearKind::Linear => {}
            }
        }
    }

    fn unavailable(
        &self,
        (id, arm): (StmtId, &Arm),
        (arg, var): (ExprId, &VarRef),
        (param, why): (base::Name, UnavailableWhy),
    ) -> LinearProblem {
        LinearProblem::Unavailable(Unavailable {
            place: self.map.stmt(id),
            arg: self.map.expr(arg),
            name: var_name(&self.body.locals, var),
            callee: arm.callee.clone(),
            param,
            why,
        })
    }

    fn check_globals(&self, place: Place, point: GlobalPoint, set: &Available, seen: &mut Seen) {
        for name in self.owner.linear_globals().iter() {
            let global = VarRef::Global(name.clone());
            if self.here.has_variable(&global) && !set.contains(&global) {
                let decl = hir::lookup_var(self.owner.db, self.owner.program, name.clone());
                let decl = decl.map(|decl| hir::decl_place(self.owner.db, decl));
                let name = name.clone();
                seen.problems.push(LinearProblem::GlobalUnavailable { place, name, point, decl });
            }
        }
    }

    fn check_return(&self, place: Place, set: &Available, seen: &mut Seen) {
        self.check_globals(place, GlobalPoint::Return, set, seen);
        let ins = self.owner.sig.ins.len();
        for (i, param) in self.owner.sig.formals().enumerate() {
            let local = LocalId::from_index(i);
            let output = i >= ins;
            let returned = match param.linear {
                LinearKind::Linear => true,
                LinearKind::LinearOut => !output,
                LinearKind::Ordinary | LinearKind::LinearIn => false,
            };
            let var = VarRef::Local(local);
            let held = set.contains(&var);
            if returned && self.is_linear_local(local) && self.here.has_variable(&var) && !held {
                let (name, decl) = (param.name.clone(), self.map.local(local));
                let problem = LinearProblem::ParameterUnavailable { place, name, output, decl };
                seen.problems.push(problem);
            }
        }
    }

    /// Globals are whole at a loop head, and its invariants are given what is there.
    fn check_head(&self, block: &Block, set: &Available, seen: &mut Seen) {
        let Some(head) = &block.head else { return };
        let ptr = head.place.or(block.place);
        let place =
            ptr.map_or(hir::decl_place(self.owner.db, self.map.decl), |it| self.map.place(it));
        self.check_globals(place, GlobalPoint::LoopHead, set, seen);
        for id in &head.invariant_calls {
            let Stmt::Call { arms, .. } = self.body.stmt(*id) else { continue };
            for arm in arms {
                self.check_head_arm((*id, arm), set, seen);
            }
        }
    }

    fn check_head_arm(&self, (id, arm): (StmtId, &Arm), set: &Available, seen: &mut Seen) {
        let Some(callee) = self.owner.callee(arm) else { return };
        if !self.here.has_arm(&callee, arm) {
            return;
        }
        for (param, arg) in callee.ins.iter().zip(&arm.args) {
            let Some(var) = as_var(&self.body.exprs, *arg) else { continue };
            if param.linear != LinearKind::Ordinary && !self.is_there(&var, set) {
                let what = (param.name.clone(), UnavailableWhy::LoopHead);
                seen.problems.push(self.unavailable((id, arm), (*arg, &var), what));
            }
        }
    }

    /// Available; a formal of ordinary type counts by its attribute alone.
    fn is_there(&self, var: &VarRef, set: &Available) -> bool {
        match var {
            VarRef::Local(local) if !self.is_linear_local(*local) => {
                let kind = self.owner.kind(*local);
                self.owner.is_in(*local)
                    && matches!(kind, LinearKind::Linear | LinearKind::LinearIn)
            }
            VarRef::Local(_) | VarRef::Global(_) => set.contains(var),
            VarRef::Error => true,
        }
    }
}

fn statement(command: &Command) -> Option<StmtId> {
    match command {
        Command::Stmt(id) => Some(*id),
        Command::Guard { .. } => None,
    }
}

/// A statement in several blocks: what is available in all of them.
fn meet<K: Ord>(sets: &mut BTreeMap<K, Available>, id: K, set: &Available) {
    match sets.get_mut(&id) {
        Some(known) => known.retain(|var| set.contains(var)),
        None => {
            sets.insert(id, set.clone());
        }
    }
}

fn listed<K: Ord>(sets: BTreeMap<K, Available>) -> BTreeMap<K, Vec<VarRef>> {
    sets.into_iter().map(|(key, set)| (key, set.into_iter().collect())).collect()
}

/// Blocks made from the same code report the same problem: keep the first.
fn dedup(problems: &mut Vec<LinearProblem>) {
    let mut kept: Vec<LinearProblem> = Vec::new();
    for problem in problems.drain(..) {
        if !kept.contains(&problem) {
            kept.push(problem);
        }
    }
    *problems = kept;
}
