//! Plain and pure procedures with bodies (verification.md 3.10, 6).
//!
//! **In:** a declaration that holds a body: a procedure, or an implementation of one.
//! **Out:** a unit with all its assertions in one group.
//!
//! Assumed at the start: `where` clauses, and preconditions, free ones too. Asserted at each return:
//! postconditions that are not free. A polymorphic procedure is taken once, with types about which
//! nothing is known in place of its parameters.
//!
//! # Soundness
//! A proof for unknown types is a proof for all: nothing distinguishes such a type from any other,
//! except that it has a value, which every type has.

use base::{DeclId, DeclKind, Name, NodePtr, Place};
use hir::{Body, Cfg, ClauseKind, Expr, Exprs, ProcSig, SourceMap, Specs, VarRef};
use ir::{ObligationId, ObligationKind};
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::builder::UnitBuilder;
use crate::claim::Claim;
use crate::lowering::{
    Checks, Env, Lowering, Text, Writer, inline_count, is_not_negative, write_graph,
};
use crate::unit::{AssertInfo, CapturePoint, Moment, Unit, UnitEntry, UnitKey};
use crate::world::World;

/// The units of plain and pure procedures, in declaration order.
pub fn units(world: World<'_>) -> Vec<UnitEntry> {
    let decls = hir::program_decls(world.db, world.program);
    let wanted = decls.iter().copied().filter(|decl| is_unit(world, *decl));
    wanted
        .map(|decl| UnitEntry::new(UnitKey::Plain(decl), decl.name(world.db).to_string()))
        .collect()
}

pub(crate) fn is_unit(world: World<'_>, decl: DeclId) -> bool {
    let Some(sig) = hir::proc_sig_of(world.db, world.program, decl) else { return false };
    let holds_body = match decl.kind(world.db) {
        DeclKind::Procedure => sig.has_body,
        DeclKind::Implementation => true,
        DeclKind::Type
        | DeclKind::Datatype
        | DeclKind::Const
        | DeclKind::Function
        | DeclKind::Axiom
        | DeclKind::Var
        | DeclKind::Action
        | DeclKind::YieldProcedure
        | DeclKind::Invariant => false,
    };
    let unverified = sig.attrs.find("verify").is_some_and(|attr| {
        attr.args.first().is_some_and(|arg| matches!(arg, hir::RawArg::Bool(false)))
    });
    holds_body && sig.is_plain_or_pure_procedure() && inline_count(&sig).is_none() && !unverified
}

/// What a unit of this kind is made of.
struct Parts {
    sig: Arc<ProcSig>,
    specs: Arc<Specs>,
    specs_map: Arc<SourceMap>,
    body: Arc<Body>,
    map: Arc<SourceMap>,
    cfg: Arc<Cfg>,
}

fn parts(world: World<'_>, decl: DeclId) -> Option<Parts> {
    let sig = hir::proc_sig_of(world.db, world.program, decl)?;
    Some(Parts {
        specs: world.specs(sig.decl)?,
        specs_map: world.specs_map(sig.decl)?,
        body: world.body(decl)?,
        map: world.body_map(decl)?,
        cfg: world.cfg(decl)?,
        sig,
    })
}

/// The unit of the body held by `decl`.
pub fn unit(world: World<'_>, decl: DeclId) -> Unit {
    let place = hir::decl_place(world.db, decl);
    let mut lowering = Lowering::new(world, place);
    let mut out = UnitBuilder::new();
    match parts(world, decl) {
        Some(parts) => write(&mut lowering, &mut out, &parts, place),
        None => lowering.unsupported("a body with an error"),
    }
    let name = decl.name(world.db).to_string();
    let id = ObligationId::new(ObligationKind::Plain, [name.as_str()], None);
    out.finish(UnitKey::Plain(decl), name, id, lowering)
}

fn write(lowering: &mut Lowering<'_>, out: &mut UnitBuilder, parts: &Parts, place: Place) {
    if parts.body.has_errors || parts.specs.has_errors {
        lowering.unsupported("a procedure with an error");
    }
    let env = lowering.body_env(&parts.body, "");
    let at = out.block("entry", None);
    let text = Text { body: &parts.body, map: &parts.map };
    let checks = Checks::Assert(ObligationKind::Plain);
    let mut writer = Writer { lowering, out, text, env: &env, checks, at };
    let globals = mentioned_globals(parts);
    assume_wheres(&mut writer, &globals);
    let before = Env { old: env.now.clone(), ..env.clone() };
    let specs = (&*parts.specs, &*parts.specs_map);
    let requires = writer.lowering.believed(&parts.sig, specs, ClauseKind::Requires, &before);
    requires.into_iter().for_each(|term| writer.assume(term));
    let measure = writer.lowering.measure((&parts.specs, &parts.specs_map), &before, None);
    let bounds = measure.iter().filter_map(|it| is_not_negative(&it.term));
    bounds.for_each(|term| writer.assume(term));
    let point = CapturePoint { place, moment: Moment::Entry };
    let globals: Vec<Name> = globals.into_iter().collect();
    writer.capture(point, &globals);
    writer.out.watch(globals);
    let first = write_graph(&mut writer, text, &env, &parts.cfg, "", &mut |writer, at| {
        assert_ensures(writer, parts, at);
    });
    writer.out.edge(writer.at, first);
    out.cut_loops(place);
}

/// `ensures` clauses at a return, one assertion each.
fn assert_ensures(writer: &mut Writer<'_, '_>, parts: &Parts, at: NodePtr) {
    let place = parts.map.place(at);
    let env = writer.env;
    let clauses = writer.lowering.clauses(&parts.specs, ClauseKind::Ensures, env, false);
    for (nth, term) in clauses {
        let claim = Claim::Postcondition { procedure: parts.sig.name.clone() };
        let info = AssertInfo::new(ObligationKind::Plain, claim, place)
            .related(parts.specs_map.clause(nth), "this postcondition");
        writer.out.assert(writer.at, term, info);
    }
}

/// `where` clauses of globals and locals hold at the start and whenever a value is forgotten.
fn assume_wheres(writer: &mut Writer<'_, '_>, globals: &BTreeSet<Name>) {
    let locals = writer.text.body.local_ids().map(VarRef::Local);
    let globals = globals.iter().cloned().map(VarRef::Global);
    for target in globals.chain(locals).collect::<Vec<_>>() {
        let clause = writer.where_of(&target);
        if clause.is_true() {
            continue;
        }
        writer.assume(clause.clone());
        if let Some((var, _)) = writer.variable(&target) {
            writer.out.declare_where(var, clause);
        }
    }
}

/// The globals that the procedure mentions or may change.
fn mentioned_globals(parts: &Parts) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    let mut collect = |exprs: &Exprs| {
        for id in exprs.ids() {
            if let Expr::Global(name) = exprs.expr(id) {
                found.insert(name.clone());
            }
        }
    };
    collect(&parts.body.exprs);
    collect(&parts.specs.exprs);
    found
}
