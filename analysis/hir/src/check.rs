//! All problems of this level, and the diagnostics made of them.
//!
//! **Out:** [`diagnostics`] per declaration, [`program_diagnostics`] for everything in the order of the
//! reference: what is found by looking at all declarations together, then each declaration in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{Code, DeclId, DeclKind, Diagnostic, FileRange, Name, Place, Program, SourceFile};

use crate::finite::crowded_types;
use crate::instance::growing_types;
use crate::lower::{lowered_body, lowered_expr_body, lowered_specs};
use crate::problem::{Fault, Problem};
use crate::render::render;
use crate::scope::{Duplicate, NameSpace, scope};
use crate::signature::{ProcNode, const_data, datatype_data, func_data, global_data, proc_data};
use crate::types::{builtin_type, synonyms};
use crate::{
    Datatype, Db, Expr, FuncKind, Ty, cfg, datatype_of, decl_place, decl_tree, expr_body,
    func_sig_of, parse, place_range, program_decls, program_files, shape,
};

/// Problems of one declaration: signature, specifications, body.
#[salsa::tracked(returns(clone))]
pub fn problems(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Problem]> {
    let mut out = Vec::new();
    match decl.kind(db) {
        DeclKind::Type => out.extend(reserved_name(db, decl)),
        DeclKind::Datatype => {
            out.extend(reserved_name(db, decl));
            out.extend(datatype_data(db, program, decl).iter().flat_map(|it| it.problems.clone()));
        }
        DeclKind::Const => {
            out.extend(const_data(db, program, decl).iter().flat_map(|it| it.problems.clone()));
        }
        DeclKind::Var => {
            out.extend(global_data(db, program, decl).iter().flat_map(|it| it.problems.clone()));
            out.extend(expr_problems(db, program, decl));
        }
        DeclKind::Function => {
            out.extend(func_data(db, program, decl).iter().flat_map(|it| it.problems.clone()));
            out.extend(expr_problems(db, program, decl));
        }
        DeclKind::Axiom => out.extend(expr_problems(db, program, decl)),
        DeclKind::Procedure | DeclKind::Action | DeclKind::YieldProcedure | DeclKind::Invariant => {
            out.extend(proc_data(db, program, decl).iter().flat_map(|it| it.problems.clone()));
            out.extend(lowered_specs(db, program, decl).iter().flat_map(|it| it.problems.clone()));
            out.extend(body_problems(db, program, decl));
        }
        DeclKind::Implementation => out.extend(body_problems(db, program, decl)),
    }
    distinct(out).into()
}

fn expr_problems(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Problem> {
    lowered_expr_body(db, program, decl).map(|it| it.problems.clone()).unwrap_or_default()
}

fn body_problems(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Problem> {
    let Some(lowered) = lowered_body(db, program, decl) else { return Vec::new() };
    let mut out = lowered.problems.clone();
    out.extend(irreducible(db, program, decl));
    out
}

/// Names of one `var` or `const` share a tree and would repeat its problems.
fn distinct(problems: Vec<Problem>) -> Vec<Problem> {
    let mut out: Vec<Problem> = Vec::new();
    for problem in problems {
        if !out.contains(&problem) {
            out.push(problem);
        }
    }
    out
}

fn reserved_name(db: &dyn Db, decl: DeclId) -> Option<Problem> {
    let name = decl.name(db).clone();
    let fault = matches!(builtin_type(name.as_str())?, Ty::Bv(_))
        .then_some(Fault::ReservedTypeName { name })?;
    Some(Problem { place: decl_place(db, decl), fault })
}

fn irreducible(db: &dyn Db, program: Program, decl: DeclId) -> Vec<Problem> {
    let Some(cfg) = cfg(db, program, decl) else { return Vec::new() };
    let mut out = Vec::new();
    for header in &cfg.irreducible {
        let block = cfg.block(*header);
        let place = Place::new(decl, block.place.unwrap_or(base::NodePtr::ROOT));
        let fault = Fault::IrreducibleLoop { label: block.label.clone() };
        out.push(Problem { place, fault });
    }
    out
}

/// Problems that only show when all declarations are seen together.
#[salsa::tracked(returns(clone))]
pub fn global_problems(db: &dyn Db, program: Program) -> Arc<[Problem]> {
    let mut out = Vec::new();
    out.extend(scope(db, program).duplicates.iter().filter_map(|it| duplicate(db, it)));
    out.extend(extern_bodies(db, program));
    let growing = growing_types(db, program);
    // Types that grow for ever cannot be looked through; they are refused as they are.
    if growing.is_empty() {
        out.extend(crate::positive::negative_datatypes(db, program));
    }
    out.extend(axiom_names(db, program));
    out.extend(synonyms(db, program).problems.iter().cloned());
    out.extend(ill_founded(db, program));
    out.extend(crowded_types(db, program));
    out.extend(function_cycles(db, program));
    out.extend(growing);
    out.into()
}

fn duplicate(db: &dyn Db, duplicate: &Duplicate) -> Option<Problem> {
    let Duplicate { space, name, first, second } = duplicate.clone();
    // Two constructors of one datatype: the parser complains about them.
    if first == second {
        return None;
    }
    let place = member_place(db, second, space, &name);
    let first = Some(member_place(db, first, space, &name));
    Some(Problem { place, fault: Fault::DuplicateGlobal { space, name, first } })
}

/// Procedures that give way to another one and have a body, which nobody would ask about.
fn extern_bodies(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut out = Vec::new();
    for (decl, winner) in &scope(db, program).given_way {
        let has_body = shape(db, *decl).and_then(|shape| ProcNode::of(&shape)?.body).is_some();
        let is_asked = matches!(decl.kind(db), DeclKind::Procedure | DeclKind::YieldProcedure);
        if has_body && is_asked {
            let (name, winner) = (decl.name(db).clone(), Some(decl_place(db, *winner)));
            let fault = Fault::ExternBody { name, winner };
            out.push(Problem { place: decl_place(db, *decl), fault });
        }
    }
    out
}

/// Two axioms with the same `{:name}`.
fn axiom_names(db: &dyn Db, program: Program) -> Vec<Problem> {
    let mut seen: BTreeMap<Name, DeclId> = BTreeMap::new();
    let mut out = Vec::new();
    for file in program_files(db, program).iter() {
        for entry in decl_tree(db, *file).entries.iter().filter(|it| !it.is_extern && !it.ignored) {
            let Some(name) = entry.axiom_name.clone() else { continue };
            let Some(first) = seen.insert(name.clone(), entry.decl) else { continue };
            let first = Some(decl_place(db, first));
            let fault = Fault::DuplicateLocal { noun: "axiom", name, first };
            out.push(Problem { place: decl_place(db, entry.decl), fault });
        }
    }
    out
}

/// Where `name` is declared by `decl`, which may be the datatype of a constructor.
fn member_place(db: &dyn Db, decl: DeclId, space: NameSpace, name: &Name) -> Place {
    if space == NameSpace::Function && decl.kind(db) == DeclKind::Datatype {
        return crate::signature::ctor_place(db, decl, name);
    }
    decl_place(db, decl)
}

/// Datatypes of which no finite value exists: the complement of the least fixpoint of "has a
/// constructor all of whose fields have values".
fn ill_founded(db: &dyn Db, program: Program) -> Option<Problem> {
    let decls = program_decls(db, program);
    let mut open: BTreeMap<Name, Arc<Datatype>> = (decls.iter())
        .filter(|decl| decl.kind(db) == DeclKind::Datatype)
        .filter_map(|decl| datatype_of(db, program, *decl))
        .map(|datatype| (datatype.name.clone(), datatype))
        .collect();
    loop {
        let names: BTreeSet<Name> = open.keys().cloned().collect();
        let before = open.len();
        open.retain(|_, datatype| {
            let inhabited = |ty: &Ty| is_inhabited(ty, &names);
            !datatype.ctors.iter().any(|it| it.fields.iter().all(|field| inhabited(&field.ty)))
        });
        if open.len() == before {
            break;
        }
    }
    let first = open.values().next()?;
    let place = decl_place(db, first.decl);
    let names = open.keys().cloned().collect();
    Some(Problem { place, fault: Fault::IllFoundedDatatype { names } })
}

/// Has the type a value, given that the datatypes in `open` may have none?
fn is_inhabited(ty: &Ty, open: &BTreeSet<Name>) -> bool {
    match ty {
        Ty::Ctor(name, _) => !open.contains(name),
        Ty::Map(map) => {
            map.args.iter().all(|arg| is_inhabited(arg, open)) && is_inhabited(&map.result, open)
        }
        Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => true,
        Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => true,
    }
}

/// The inlined or defined functions a function's body calls.
#[salsa::tracked(returns(clone))]
fn unfolded_callees(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<BTreeSet<Name>>> {
    let sig = func_sig_of(db, program, decl)?;
    if !matches!(sig.kind, FuncKind::Inline | FuncKind::Define) {
        return None;
    }
    let body = expr_body(db, program, decl)?;
    let mut out = BTreeSet::new();
    for id in body.exprs.ids() {
        if let Expr::Call { func, .. } = body.exprs.expr(id) {
            out.insert(func.clone());
        }
    }
    Some(Arc::new(out))
}

/// Cycles among inlined and defined functions: what is left after repeatedly dropping functions that
/// call none of the rest.
fn function_cycles(db: &dyn Db, program: Program) -> Option<Problem> {
    let mut open: BTreeMap<Name, (DeclId, Arc<BTreeSet<Name>>)> = BTreeMap::new();
    for decl in program_decls(db, program).iter().filter(|it| it.kind(db) == DeclKind::Function) {
        if let Some(callees) = unfolded_callees(db, program, *decl) {
            open.insert(decl.name(db).clone(), (*decl, callees));
        }
    }
    let mut callers: BTreeMap<&Name, Vec<&Name>> = BTreeMap::new();
    let mut count: BTreeMap<&Name, usize> = BTreeMap::new();
    for (name, (_, callees)) in &open {
        let inside = callees.iter().filter(|it| open.contains_key(*it));
        count.insert(name, inside.clone().count());
        inside.for_each(|callee| callers.entry(callee).or_default().push(name));
    }
    let mut ready: Vec<&Name> =
        count.iter().filter(|(_, it)| **it == 0).map(|(name, _)| *name).collect();
    let mut done: BTreeSet<&Name> = BTreeSet::new();
    while let Some(name) = ready.pop() {
        done.insert(name);
        for caller in callers.get(name).into_iter().flatten() {
            if let Some(left) = count.get_mut(*caller) {
                *left -= 1;
                if *left == 0 {
                    ready.push(caller);
                }
            }
        }
    }
    let names: Vec<Name> = open.keys().filter(|name| !done.contains(name)).cloned().collect();
    let (decl, _) = open.get(names.first()?)?;
    Some(Problem { place: decl_place(db, *decl), fault: Fault::FunctionCycle { names } })
}

/// The diagnostics of one declaration.
#[salsa::tracked(returns(clone))]
pub fn diagnostics(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Diagnostic]> {
    problems(db, program, decl).iter().map(|it| worded(db, program, it)).collect()
}

/// A problem in words; a name that was left out on purpose is pointed at.
fn worded(db: &dyn Db, program: Program, problem: &Problem) -> Diagnostic {
    let said = render(problem);
    let ignored = undeclared(&problem.fault)
        .and_then(|(space, name)| Some((name, scope(db, program).ignored(space, name)?)));
    let Some((name, decl)) = ignored else { return said };
    said.label(decl_place(db, decl), format!("this `{name}` has `{{:ignore}}`")).help(format!(
        "what is ignored is not part of the program; remove `{{:ignore}}` to use `{name}`"
    ))
}

/// The name that a problem misses.
#[expect(clippy::wildcard_enum_match_arm, reason = "few problems are about missing names")]
fn undeclared(fault: &Fault) -> Option<(NameSpace, &Name)> {
    match fault {
        Fault::UndeclaredType { name } => Some((NameSpace::Type, name)),
        Fault::UndeclaredIdentifier { name } => Some((NameSpace::Variable, name)),
        Fault::UndeclaredFunction { name } => Some((NameSpace::Function, name)),
        Fault::UndeclaredProcedure { name }
        | Fault::UndeclaredAction { name, .. }
        | Fault::ImplementationWithoutProcedure { name } => Some((NameSpace::Procedure, name)),
        _other => None,
    }
}

/// The diagnostics of [`global_problems`].
#[salsa::tracked(returns(clone))]
pub fn global_diagnostics(db: &dyn Db, program: Program) -> Arc<[Diagnostic]> {
    global_problems(db, program).iter().map(render).collect()
}

/// What the parser complained about in one file.
#[salsa::tracked(returns(clone))]
pub fn syntax_diagnostics(db: &dyn Db, file: SourceFile) -> Arc<[Diagnostic]> {
    let errors = parse(db, file).errors().iter();
    let diagnostics = errors.map(|error| {
        let code = Code::parse(error.code.as_str()).unwrap_or(Code::SyntaxError);
        let place = |range| Place::Range(FileRange { file, range });
        let said = Diagnostic::error(code, place(error.range), error.message.clone());
        let said = said.help(error.help);
        match error.other {
            Some((range, text)) => said.label(place(range), text),
            None => said,
        }
    });
    diagnostics.collect()
}

/// Everything this level has to say about a program: syntax of each file, then what concerns all
/// declarations, then each declaration in order. Phases are marked, not filtered.
pub fn program_diagnostics(db: &dyn Db, program: Program) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for file in program_files(db, program).iter() {
        out.extend(syntax_diagnostics(db, *file).iter().cloned());
    }
    out.extend(global_diagnostics(db, program).iter().cloned());
    for decl in program_decls(db, program).iter() {
        for diagnostic in diagnostics(db, program, *decl).iter() {
            let range = place_range(db, diagnostic.primary);
            let repeated = |it: &&Diagnostic| {
                it.message == diagnostic.message && place_range(db, it.primary) == range
            };
            if !out.iter().rev().take(20).any(|it| repeated(&it)) {
                out.push(diagnostic.clone());
            }
        }
    }
    out
}
