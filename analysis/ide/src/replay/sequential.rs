//! Statements of sequential code, executed on values.
//!
//! **In:** a [`Machine`] whose innermost body has a command to do. **Out:** all machines that come of it.
//!
//! An assignment evaluates everything before it changes anything. A procedure that asks for it, and an
//! action, is entered; any other is known by its contract: its preconditions are checked, what it may
//! change and its results are left to chance, its postconditions and `where` clauses hold.

use std::sync::Arc;

use base::{Name, Place};
use hir::{
    Arm, ClauseKind, Command, ProcSig, RawArg, SourceMap, Specs, Step, Stmt, StmtId, Target, Ty,
};
use hir::{ExprId, Transfer, TySubst, VarRef};
use ir::Value;
use obligations::Claim;

use super::exprs::View;
use super::machine::{Caller, Check, Checks, Code, Frame, Guide, Machine, Slot, Stop, Walk, stuck};
use super::structure::{Known, Structure, doubt};

/// Bodies nested more deeply than this are not entered.
const MOST_FRAMES: usize = 12;
/// More combinations of values than this are not tried.
const MOST_COMBINATIONS: usize = 300;

/// One step of an inner body: of an inlined procedure or an action.
pub(super) fn step(guide: &dyn Guide, mut machine: Machine) -> Walk {
    let frame = machine.top();
    let block = frame.code.cfg.block(frame.block);
    if block.head.is_some() {
        return stuck("a loop of a body that is inlined");
    }
    if let Some(command) = block.commands.get(frame.next).copied() {
        machine.top_mut().next += 1;
        return self::command(guide, machine, command);
    }
    match &block.transfer {
        Transfer::Goto(targets) => {
            let targets = targets.clone();
            let to = |target| {
                let mut machine = machine.clone();
                machine.top_mut().block = target;
                machine.top_mut().next = 0;
                machine.trail.push(target);
                machine
            };
            Ok(targets.into_iter().map(to).collect())
        }
        Transfer::Return(_) => leave(guide, machine),
    }
}

/// A command of the present body.
pub(super) fn command(guide: &dyn Guide, mut machine: Machine, command: Command) -> Walk {
    match command {
        Command::Stmt(id) => statement(guide, machine, id),
        Command::Guard { cond, negated, .. } => {
            let holds = machine.truth(guide.structure(), cond).map(|it| it != negated);
            guide.assume(&mut machine, holds, "a guard")?;
            Ok(vec![machine])
        }
    }
}

fn statement(guide: &dyn Guide, mut machine: Machine, id: StmtId) -> Walk {
    let code = machine.top().code.clone();
    let place = code.map.stmt(id);
    match code.body.stmt(id) {
        Stmt::Assign { targets, values, .. } => {
            assign(guide.structure(), &mut machine, targets, values)?;
            Ok(vec![machine])
        }
        Stmt::Unpack { ctor, targets, value, .. } => {
            unpack(guide, machine, (ctor, targets), (*value, place))
        }
        Stmt::Assert { expr, attrs, .. } => {
            let holds = machine.truth(guide.structure(), *expr);
            // An assertion that is not assumed afterwards may fail on the way to another.
            let passable = is_forgotten(&code, attrs) && holds == Ok(false);
            match judge(guide, &mut machine, holds, Check::new(Claim::Assertion, place)) {
                Err(Stop::Dead(_)) if passable => Ok(vec![machine]),
                Ok(()) => Ok(vec![machine]),
                Err(stop) => Err(stop),
            }
        }
        Stmt::Assume { expr, .. } => {
            let holds = machine.truth(guide.structure(), *expr);
            guide.assume(&mut machine, holds, "an assumption")?;
            Ok(vec![machine])
        }
        Stmt::Havoc { targets } => havoc(guide, machine, targets),
        Stmt::Call { arms, is_async, is_free } => match (&**arms, is_async) {
            ([arm], false) => call(guide, machine, (arm, place), *is_free),
            _other => stuck("a parallel or asynchronous call here"),
        },
        Stmt::Visibility(_) => Ok(vec![machine]),
        Stmt::Measure { .. } | Stmt::Yield { .. } | Stmt::Error => {
            stuck("a statement out of place")
        }
        Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } | Stmt::Goto { .. } => {
            stuck("a statement out of place")
        }
        Stmt::Label(_) | Stmt::Return => stuck("a statement out of place"),
    }
}

/// `{:subsumption 0}`
fn is_forgotten(code: &Code, attrs: &hir::Attrs) -> bool {
    let zero = hir::Expr::Literal(hir::Literal::Int(0.into()));
    let is_zero = |arg: &hir::AttrArg| matches!(arg, hir::AttrArg::Expr(id) if *code.body.exprs.expr(*id) == zero);
    attrs.find("subsumption").is_some_and(|attr| attr.args.iter().any(is_zero))
}

/// What becomes of a check of the present body.
pub(super) fn judge(
    guide: &dyn Guide,
    machine: &mut Machine,
    holds: Known<bool>,
    check: Check,
) -> Result<(), Stop> {
    match machine.top().checks {
        Checks::Demanded => guide.demand(machine, holds, check),
        Checks::Assumed => guide.assume(machine, holds, "what others check"),
        Checks::Dropped => Ok(()),
    }
}

fn assign(
    structure: &Structure<'_>,
    machine: &mut Machine,
    targets: &[Target],
    values: &[ExprId],
) -> Result<(), Stop> {
    let mut new = Vec::new();
    for (target, value) in targets.iter().zip(values) {
        let slot = match (&*target.path, copied(machine, *value)) {
            ([], Some(slot)) => slot,
            _other => {
                let value = machine.value(structure, *value);
                let value = value.and_then(|it| updated(structure, machine, target, it));
                value.map_or(Slot::Unknown, Slot::Known)
            }
        };
        new.push((target.root.clone(), slot));
    }
    // A value that is not known is not wrong until it is read.
    new.into_iter().for_each(|(root, slot)| machine.set(&root, slot));
    Ok(())
}

/// What a variable holds, if the expression is one.
fn copied(machine: &Machine, value: ExprId) -> Option<Slot> {
    let expr = machine.top().code.body.exprs.expr(value);
    if let hir::Expr::Local(id) = expr {
        Some(machine.get(&VarRef::Local(*id)))
    } else if let hir::Expr::Global(name) = expr {
        Some(machine.get(&VarRef::Global(name.clone())))
    } else {
        None
    }
}

/// The root of the target with the part at its path replaced.
fn updated(
    structure: &Structure<'_>,
    machine: &Machine,
    target: &Target,
    value: Value,
) -> Known<Value> {
    let Some(ty) = machine.top().ty(&target.root, structure.world) else {
        return doubt("the target of an assignment");
    };
    match target.path.is_empty() {
        true => Ok(value),
        false => {
            let name = machine.top().name(&target.root);
            let root = super::exprs::known(Some(&machine.get(&target.root)), name.as_str())?;
            replaced(structure, machine, (root, &ty), &target.path, value)
        }
    }
}

/// `root` with the part at `path` replaced.
pub(super) fn replaced(
    structure: &Structure<'_>,
    machine: &Machine,
    (root, ty): (Value, &Ty),
    path: &[Step],
    value: Value,
) -> Known<Value> {
    let Some((step, rest)) = path.split_first() else { return Ok(value) };
    match step {
        Step::Index(indices) => {
            let Some(map) = ty.as_map() else { return doubt("an index of this value") };
            let at: Known<Vec<Value>> =
                indices.iter().map(|id| machine.value(structure, *id)).collect();
            let (at, element) = (at?, map.result.clone());
            if at.is_empty() {
                return replaced(structure, machine, (root, &element), rest, value);
            }
            let Value::Map(table) = root else { return doubt("an index of this value") };
            let part = match rest {
                [] => value,
                _more => {
                    let Some(part) = table.get(&at) else {
                        return doubt("an element of a map");
                    };
                    replaced(structure, machine, (part, &element), rest, value)?
                }
            };
            Ok(Value::Map(table.set(at, part)))
        }
        Step::Field(field) => {
            let datatype = ty.as_ctor().and_then(|(name, _)| structure.world.datatype(name));
            let args = ty.as_ctor().map(|(_, args)| args.to_vec()).unwrap_or_default();
            let found = datatype.and_then(|it| Some(it.field_ty(field)?.subst(&it.subst(&args))));
            let Some(part_ty) = found else { return doubt(format!("the field `{field}`")) };
            let part = match rest {
                [] => value,
                _more => {
                    let part = structure.field(ty, field, &root)?;
                    replaced(structure, machine, (part, &part_ty), rest, value)?
                }
            };
            structure.field_update(ty, field, &root, part)
        }
    }
}

fn unpack(
    guide: &dyn Guide,
    mut machine: Machine,
    (ctor, targets): (&Name, &[VarRef]),
    (value, place): (ExprId, Place),
) -> Walk {
    let structure = guide.structure();
    let frame = machine.top();
    let ty = frame.code.body.exprs.ty(value).subst(&frame.types);
    let value = machine.value(structure, value)?;
    let fits = structure.is_built_by(&ty, ctor, &value);
    judge(
        guide,
        &mut machine,
        fits.clone(),
        Check::new(Claim::Unpack { ctor: ctor.clone() }, place),
    )?;
    let Value::Data(data) = value else { return stuck("an unpack of this value") };
    if fits != Ok(true) || data.fields.len() != targets.len() {
        return stuck("an unpack of another constructor");
    }
    for (target, field) in targets.iter().zip(data.fields) {
        machine.set(target, Slot::Known(field));
    }
    Ok(vec![machine])
}

/// The variables get values left to chance, such that their `where` clauses hold.
pub(super) fn havoc(guide: &dyn Guide, machine: Machine, targets: &[VarRef]) -> Walk {
    let machines = chosen(guide, machine, targets);
    let mut fitting = Vec::new();
    let mut why = None;
    for mut machine in machines {
        let held = targets.iter().try_for_each(|target| {
            let clause = where_clause(guide.structure(), &machine, target);
            clause.map_or(Ok(()), |it| guide.assume(&mut machine, it, "a `where` clause"))
        });
        match held {
            Ok(()) => fitting.push(machine),
            Err(stop) => why = Some(stop),
        }
    }
    match (fitting.is_empty(), why) {
        (true, Some(why)) => Err(why),
        (true | false, _) => Ok(fitting),
    }
}

/// Does the `where` clause of a variable hold? Nothing if it has none.
pub(super) fn where_clause(
    structure: &Structure<'_>,
    machine: &Machine,
    var: &VarRef,
) -> Option<Known<bool>> {
    let frame = machine.top();
    match var {
        VarRef::Local(id) => {
            let code = &frame.code;
            if let Some(clause) = code.body.locals.get(id.index())?.condition {
                return Some(machine.truth(structure, clause));
            }
            let specs = structure.world.specs(code.sig.decl)?;
            let clause = specs.locals.get(id.index())?.condition?;
            let view = View { exprs: &specs.exprs, ..frame.view(&machine.globals) };
            Some(structure.truth(view, clause))
        }
        VarRef::Global(name) => {
            let global = structure.world.global(name)?;
            let clause = structure.world.expr_body(global.decl)?;
            let view = View { exprs: &clause.exprs, locals: &[], ..frame.view(&machine.globals) };
            Some(structure.truth(view, clause.root))
        }
        VarRef::Error => None,
    }
}

/// A call in sequential code.
pub(super) fn call(
    guide: &dyn Guide,
    machine: Machine,
    (arm, place): (&Arm, Place),
    is_free: bool,
) -> Walk {
    let world = guide.structure().world;
    let sig = world.proc_sig(&arm.callee).filter(|sig| arm.args.len() == sig.ins.len());
    let Some(sig) = sig else { return stuck(format!("a call of `{}`", arm.callee)) };
    if super::primitives::is_primitive(arm) {
        return super::primitives::call(guide, machine, arm, place);
    }
    let has_body = !world.implementations(&sig.name).is_empty();
    if sig.is_action() || is_inlined(&sig) && has_body {
        return enter(guide, machine, (&sig, arm), place);
    }
    by_contract(guide, machine, (&sig, arm), (place, is_free))
}

/// Does every call of the procedure stand for its body?
pub(super) fn is_inlined(sig: &ProcSig) -> bool {
    sig.attrs.find("inline").is_some_and(|attr| match attr.args.first() {
        None | Some(RawArg::Bool(true)) => true,
        Some(RawArg::Number(text)) => text.as_str() != "0",
        Some(RawArg::Bool(false) | RawArg::String(_) | RawArg::Expr) => false,
    })
}

/// The arguments of a call. What is not known is not wrong until it is read.
pub(super) fn arguments(structure: &Structure<'_>, machine: &Machine, arm: &Arm) -> Vec<Slot> {
    let slot = |id: &ExprId| {
        copied(machine, *id)
            .unwrap_or_else(|| machine.value(structure, *id).map_or(Slot::Unknown, Slot::Known))
    };
    arm.args.iter().map(slot).collect()
}

fn call_types(machine: &Machine, sig: &ProcSig, arm: &Arm) -> TySubst {
    let types = arm.type_args.iter().map(|ty| ty.subst(&machine.top().types));
    sig.type_params.iter().cloned().zip(types).collect()
}

/// The clauses of a callee, for its formals: number and truth.
pub(super) fn clauses(
    structure: &Structure<'_>,
    specs: &Specs,
    (kind, free): (ClauseKind, bool),
    view: View<'_>,
) -> Vec<(usize, Known<bool>)> {
    let wanted = specs.of_kind(kind).filter(|(_, clause)| free || !clause.free);
    let view = View { exprs: &specs.exprs, ..view };
    wanted.map(|(nth, clause)| (nth, structure.truth(view, clause.expr))).collect()
}

fn specs_of(guide: &dyn Guide, sig: &ProcSig) -> Result<(Arc<Specs>, Arc<SourceMap>), Stop> {
    let world = guide.structure().world;
    match world.specs(sig.decl).zip(world.specs_map(sig.decl)).filter(|(it, _)| !it.has_errors) {
        Some(found) => Ok(found),
        None => stuck(format!("the specification of `{}`", sig.name)),
    }
}

/// Enters the body of the callee.
fn enter(
    guide: &dyn Guide,
    mut machine: Machine,
    (sig, arm): (&Arc<ProcSig>, &Arm),
    place: Place,
) -> Walk {
    let structure = guide.structure();
    let Some(code) = Code::of_name(structure.world, &sig.name) else {
        return stuck(format!("the body of `{}`", sig.name));
    };
    if machine.frames.len() > MOST_FRAMES {
        return stuck(format!("inlining `{}`", sig.name));
    }
    let (specs, map) = specs_of(guide, sig)?;
    let ins = arguments(structure, &machine, arm);
    let types = call_types(&machine, sig, arm);
    let mut frame = Frame::new(code, types, ins, machine.globals.clone());
    frame.checks = machine.top().checks;
    frame.caller =
        Some(Caller { outs: arm.outs.clone(), place, ensures: !sig.is_action(), shown: None });
    let before = machine.globals.clone();
    let view = frame.view(&before);
    for (nth, holds) in clauses(structure, &specs, (ClauseKind::Requires, false), view) {
        let claim = Claim::Precondition { callee: sig.name.clone() };
        judge(guide, &mut machine, holds, Check::of(claim, place, map.clause(nth)))?;
    }
    // The declared gate of an action; one that is not declared stands in the body.
    for (nth, holds) in clauses(structure, &specs, (ClauseKind::Asserts, true), view) {
        let claim = Claim::Gate { action: sig.name.clone() };
        judge(guide, &mut machine, holds, Check::of(claim, place, map.clause(nth)))?;
    }
    machine.frames.push(frame);
    initialise(guide, machine, sig.ins.len())
}

/// Locals and results of a body that is entered start with values left to chance. One that is
/// assigned somewhere is not known until then, unless a `where` clause speaks about it.
pub(super) fn initialise(guide: &dyn Guide, machine: Machine, inputs: usize) -> Walk {
    let assigned = super::effects::assigned(guide.structure().world, &machine.top().code, None);
    let own = machine.top().code.body.local_ids().skip(inputs).map(VarRef::Local);
    let open = |var: &VarRef| {
        !assigned.contains(var) || where_clause(guide.structure(), &machine, var).is_some()
    };
    let own: Vec<VarRef> = own.filter(open).collect();
    havoc(guide, machine, &own)
}

/// The present body returns to its caller.
fn leave(guide: &dyn Guide, mut machine: Machine) -> Walk {
    let Some(frame) = machine.frames.pop() else { return stuck("no body") };
    let ins = frame.code.sig.ins.len();
    let results: Vec<Slot> =
        frame.locals.iter().skip(ins).take(frame.code.sig.outs.len()).cloned().collect();
    machine.note_made(guide.structure(), &frame.code.sig, &results)?;
    let Some(caller) = frame.caller.clone() else {
        // A body of its own: the next one in the queue follows.
        machine.results.push(results);
        let Some(next) = machine.queue.pop() else { return Ok(vec![machine]) };
        let inputs = next.code.sig.ins.len();
        machine.frames.push(next);
        return initialise(guide, machine, inputs);
    };
    if caller.ensures {
        let (specs, map) = specs_of(guide, &frame.code.sig)?;
        let globals = machine.globals.clone();
        let view = frame.view(&globals);
        let checked = clauses(guide.structure(), &specs, (ClauseKind::Ensures, false), view);
        for (nth, holds) in checked {
            let claim = Claim::Postcondition { procedure: frame.code.sig.name.clone() };
            judge(guide, &mut machine, holds, Check::of(claim, caller.place, map.clause(nth)))?;
        }
    }
    for (out, slot) in caller.outs.iter().zip(results) {
        machine.set(out, slot);
    }
    Ok(vec![machine])
}

/// A call by contract.
fn by_contract(
    guide: &dyn Guide,
    mut machine: Machine,
    (sig, arm): (&Arc<ProcSig>, &Arm),
    (place, is_free): (Place, bool),
) -> Walk {
    let structure = guide.structure();
    let world = structure.world;
    let (specs, map) = specs_of(guide, sig)?;
    // It may have made something, and nobody tells what.
    machine.made = None;
    let ins = arguments(structure, &machine, arm);
    let types = call_types(&machine, sig, arm);
    let before = machine.globals.clone();
    let view =
        View { exprs: &specs.exprs, types: &types, locals: &ins, now: &before, old: &before };
    if !is_free {
        for (nth, holds) in clauses(structure, &specs, (ClauseKind::Requires, false), view) {
            let claim = Claim::Precondition { callee: sig.name.clone() };
            judge(guide, &mut machine, holds, Check::of(claim, place, map.clause(nth)))?;
        }
        super::measures::at_call(guide, &mut machine, (sig, view), (place, None))?;
    }
    let changed = world.modifies(&sig.name);
    let globals: Vec<VarRef> = changed.iter().cloned().map(VarRef::Global).collect();
    let all: Vec<VarRef> = globals.iter().chain(arm.outs.iter()).cloned().collect();
    let mut fitting = Vec::new();
    let mut why = None;
    // The results go to variables of the caller, where the run shows them.
    for mut machine in chosen(guide, machine, &all) {
        let outs = arm.outs.iter().map(|out| machine.get(out));
        let locals: Vec<Slot> = ins.iter().cloned().chain(outs).collect();
        let now = machine.globals.clone();
        let view = View { locals: &locals, now: &now, old: &before, ..view };
        match promised(guide, &mut machine, (sig, &specs), (view, &globals)) {
            Ok(()) => fitting.push(machine),
            Err(stop) => why = Some(stop),
        }
    }
    match (fitting.is_empty(), why) {
        (true, Some(why)) => Err(why),
        (true | false, _) => Ok(fitting),
    }
}

/// The machine with the values that these variables may get, the likeliest first.
pub(super) fn chosen(guide: &dyn Guide, machine: Machine, targets: &[VarRef]) -> Vec<Machine> {
    let mut machines = vec![machine];
    for target in targets {
        let more = machines.into_iter().flat_map(|it| guide.choose(it, target));
        machines = more.take(MOST_COMBINATIONS).collect();
    }
    machines
}

/// What a callee promises: `where` clauses and postconditions.
fn promised(
    guide: &dyn Guide,
    machine: &mut Machine,
    (sig, specs): (&ProcSig, &Specs),
    (view, globals): (View<'_>, &[VarRef]),
) -> Result<(), Stop> {
    let structure = guide.structure();
    for global in globals {
        if let Some(holds) = where_clause(structure, machine, global) {
            guide.assume(machine, holds, "a `where` clause")?;
        }
    }
    for clause in specs.locals.iter().skip(sig.ins.len()).filter_map(|local| local.condition) {
        let view = View { exprs: &specs.exprs, ..view };
        guide.assume(machine, structure.truth(view, clause), "a `where` clause")?;
    }
    for (_, holds) in clauses(structure, specs, (ClauseKind::Ensures, true), view) {
        guide.assume(machine, holds, "a postcondition")?;
    }
    Ok(())
}
