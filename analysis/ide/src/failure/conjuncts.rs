//! The condition that fails, unfolded to the parts that are to blame.
//!
//! **In:** the clause or assertion as it stands in the text, and the term that evaluation found
//! false. **Out:** the condition and, below it, its failing parts with their values; functions are
//! replaced by their bodies step by step.
//!
//! The text says nothing about which value a name has in this run. So the text is lowered once more
//! with a hole for every name, and the holes are filled by matching the result with the false term.
//! If they do not match, the term itself is shown as people would write it.

use std::collections::BTreeMap;

use base::Place;
use hir::{BinaryOp, Expr, ExprId, Exprs, SourceMap, UnaryOp};
use ir::{Op, Substitution, Term, TermKind, Value, Var};
use obligations::{Claim, Env, Lowering, Role, State};

use super::Conjunct;
use super::scene::Scene;
use super::values::shown;
use crate::types::Location;

/// Deeper parts are not shown.
const DEEPEST: u32 = 7;
/// More lines than this are not shown.
const MOST_LINES: usize = 12;
/// Every hole ends in this.
const HOLE: &str = "@hole";

/// The condition of the failing assertion and its failing parts.
pub(super) fn failing(scene: &Scene<'_>) -> Vec<Conjunct> {
    let Some(term) = scene.failing_term() else { return Vec::new() };
    let mut found = from_text(scene, &term).unwrap_or_default();
    if found.is_empty() {
        // A condition that is literally false says nothing.
        if !term.is_false() {
            unfold_term(&term, &scene.env(), 0, &mut found);
        }
    }
    found.truncate(MOST_LINES);
    found
}

/// The parts of the condition as they stand in the text; nothing if the text is not found or does
/// not explain the failure.
fn from_text(scene: &Scene<'_>, term: &Term) -> Option<Vec<Conjunct>> {
    let places = [scene.info.place].into_iter().chain(scene.info.reported_at);
    let places = places.chain(scene.info.related.iter().map(|(place, _)| *place));
    for clause in places.filter_map(|place| clause_at(scene, place)) {
        let mut unfolding = Unfolding::new(scene, &clause, term);
        let text = Text { exprs: &clause.exprs, map: &clause.map, call: None };
        let mut out = Vec::new();
        unfolding.unfold(&text, clause.root, 0, &mut out);
        if out.first().is_some_and(|it| it.holds == Some(false)) {
            return Some(out);
        }
    }
    None
}

/// A condition in the text.
struct Clause {
    exprs: Exprs,
    map: std::sync::Arc<SourceMap>,
    root: ExprId,
    /// Names and types of the locals it may mention.
    locals: Vec<(base::Name, hir::Ty)>,
}

/// The condition that is reported at this place.
fn clause_at(scene: &Scene<'_>, place: Place) -> Option<Clause> {
    let world = scene.world;
    let decl = place.decl()?;
    if let (Some(specs), Some(map)) = (world.specs(decl), world.specs_map(decl)) {
        for (nth, clause) in specs.clauses.iter().enumerate() {
            if map.clause(nth) == place {
                let sig = hir::proc_sig_of(world.db, world.program, decl)?;
                let locals = sig.formals().map(|it| (it.name.clone(), it.ty.clone())).collect();
                return Some(Clause { exprs: specs.exprs.clone(), map, root: clause.expr, locals });
            }
        }
    }
    let (body, map) = (world.body(decl)?, world.body_map(decl)?);
    let at =
        (0..body.stmts.len()).map(hir::StmtId::from_index).find(|id| map.stmt(*id) == place)?;
    let stated = |stmt: &hir::Stmt| {
        if let hir::Stmt::Assert { expr, .. } = stmt {
            return Some(*expr);
        }
        if let hir::Stmt::Yield { expr, .. } = stmt { *expr } else { None }
    };
    let root = stated(body.stmt(at))?;
    let locals = body.locals.iter().map(|it| (it.name.clone(), it.ty.clone())).collect();
    Some(Clause { exprs: body.exprs.clone(), map, root, locals })
}

/// Text whose parts can be evaluated.
struct Text<'t> {
    exprs: &'t Exprs,
    map: &'t SourceMap,
    /// For the body of a function: the function, its type arguments and its arguments.
    call: Option<(&'t hir::FuncSig, &'t [hir::Ty], &'t [Term])>,
}

struct Unfolding<'s, 'a> {
    scene: &'s Scene<'a>,
    lowering: Lowering<'a>,
    /// How names read: as holes.
    holes: Env,
    /// What the holes stand for.
    filled: BTreeMap<Var, Term>,
    values: ir::Env,
}

impl<'s, 'a> Unfolding<'s, 'a> {
    /// Fills the holes of `clause` so that it becomes `term`. If it does not, because the values of
    /// some names are known to the term, by the values at the end of the run.
    fn new(scene: &'s Scene<'a>, clause: &Clause, term: &Term) -> Unfolding<'s, 'a> {
        let tables = scene.unit.tables.clone();
        let mut lowering = Lowering::with_tables(scene.world, scene.info.place, tables);
        let mut locals = Vec::new();
        for (name, ty) in &clause.locals {
            let sort = lowering.closed_sort(ty);
            locals.push(Term::var(Var::new(format!("{name}{HOLE}"), sort)));
        }
        let holes = Env::of_locals(locals)
            .in_states(State::suffixed("@now@hole"), State::suffixed("@then@hole"));
        let pattern = lowering.expr(&clause.exprs, &holes, clause.root);
        let mut filled = BTreeMap::new();
        let mut values = scene.env();
        if !matches(&pattern, term, &mut filled) {
            filled.clear();
            let holes = ir::free_vars(&pattern);
            let known =
                holes.iter().filter_map(|hole| Some((hole.clone(), value_at_end(scene, hole)?)));
            values.vars.extend(known);
        }
        Unfolding { scene, lowering, holes, filled, values }
    }

    /// Writes the part and, if it fails, what is to blame below it.
    fn unfold(&mut self, text: &Text<'_>, id: ExprId, depth: u32, out: &mut Vec<Conjunct>) {
        let holds = self.truth(text, id);
        let at = self.scene.location(whole_place(text.map, id));
        let words = at.and_then(|at| self.scene.excerpt(at)).unwrap_or_default();
        out.push(Conjunct { depth, holds, text: words, values: self.with_values(text, id), at });
        if depth < DEEPEST && out.len() < MOST_LINES {
            self.unfold_parts(text, id, (depth + 1, holds), out);
        }
    }

    fn unfold_parts(
        &mut self,
        text: &Text<'_>,
        id: ExprId,
        (depth, holds): (u32, Option<bool>),
        out: &mut Vec<Conjunct>,
    ) {
        match text.exprs.expr(id) {
            Expr::Binary { op: BinaryOp::And, .. } if holds != Some(true) => {
                for part in conjuncts_of(text.exprs, id) {
                    if self.truth(text, part) != Some(true) {
                        self.unfold(text, part, depth, out);
                    }
                }
            }
            Expr::Binary { op: BinaryOp::Or, lhs, rhs } if holds != Some(true) => {
                self.unfold(text, *lhs, depth, out);
                self.unfold(text, *rhs, depth, out);
            }
            Expr::Binary { op: BinaryOp::Implies, lhs, rhs } if holds != Some(true) => {
                let premise = out.len();
                self.unfold(text, *lhs, depth, out);
                out.truncate(premise + 1);
                self.unfold(text, *rhs, depth, out);
            }
            Expr::Call { func, type_args, args } if holds != Some(true) => {
                let (func, types) = (func.clone(), type_args.clone());
                let args: Vec<Term> = args.iter().map(|arg| self.lowered(text, *arg)).collect();
                self.unfold_function(&func, &types, &args, depth, out);
            }
            Expr::Unary { op: UnaryOp::Not, arg } if holds == Some(false) => {
                if let Expr::Call { .. } | Expr::Binary { .. } = text.exprs.expr(*arg) {
                    self.unfold(text, *arg, depth, out);
                }
            }
            Expr::Missing
            | Expr::Literal(_)
            | Expr::Local(_)
            | Expr::Global(_)
            | Expr::Const(_)
            | Expr::Bound(_)
            | Expr::Call { .. }
            | Expr::Old(_)
            | Expr::Quant { .. }
            | Expr::Lambda { .. }
            | Expr::Let { .. }
            | Expr::Ite { .. }
            | Expr::Select { .. }
            | Expr::Store { .. }
            | Expr::Field { .. }
            | Expr::FieldUpdate { .. }
            | Expr::Is { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Coerce { .. }
            | Expr::Convert { .. }
            | Expr::Extract { .. } => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call is three things")]
    fn unfold_function(
        &mut self,
        func: &base::Name,
        types: &[hir::Ty],
        args: &[Term],
        depth: u32,
        out: &mut Vec<Conjunct>,
    ) {
        let world = self.scene.world;
        let Some(sig) = world.func_sig(func) else { return };
        let own = sig.decl;
        let (Some(body), Some(map)) =
            (world.expr_body(own), hir::expr_body_map(world.db, world.program, own))
        else {
            return;
        };
        let library = self.scene.location(world.whole(own));
        let library = library.is_none_or(|at| self.scene.analysis.is_library(at.file));
        if body.has_errors || body.params.len() != args.len() || library {
            return;
        }
        let text = Text { exprs: &body.exprs, map: &map, call: Some((&sig, types, args)) };
        self.unfold(&text, body.root, depth, out);
    }

    fn lowered(&mut self, text: &Text<'_>, id: ExprId) -> Term {
        match text.call {
            None => self.lowering.expr(text.exprs, &self.holes, id),
            Some((sig, types, args)) => self.lowering.part_of_function(sig, types, args, id),
        }
    }

    /// The part over the values of the run.
    fn term(&mut self, text: &Text<'_>, id: ExprId) -> Term {
        let term = self.lowered(text, id);
        let pairs = self.filled.iter().map(|(hole, value)| (hole.clone(), value.clone()));
        Substitution::of_vars(pairs).apply(&term)
    }

    fn value(&mut self, text: &Text<'_>, id: ExprId) -> Option<Value> {
        let term = self.term(text, id);
        ir::evaluate(&term, &self.values).ok()
    }

    fn truth(&mut self, text: &Text<'_>, id: ExprId) -> Option<bool> {
        if let Value::Bool(truth) = self.value(text, id)? { Some(truth) } else { None }
    }

    /// A comparison with the values of its sides.
    fn with_values(&mut self, text: &Text<'_>, id: ExprId) -> Option<String> {
        let Expr::Binary { op, lhs, rhs } = text.exprs.expr(id) else { return None };
        let (_, sign) = COMPARISONS.iter().find(|(it, _)| it == op)?;
        let (lhs, rhs) = (*lhs, *rhs);
        let (left, right) = (shown(&self.value(text, lhs)?), shown(&self.value(text, rhs)?));
        Some(format!("{left} {sign} {right}"))
    }
}

/// The value that the name of a hole has at the end of the run, or that the waiting thread has for it.
fn value_at_end(scene: &Scene<'_>, hole: &Var) -> Option<Value> {
    let name = ir::source_name(hole.name.as_str());
    let stop = match hole.name.as_str().ends_with("@then@hole") {
        true => scene.stops.first()?,
        false => scene.stops.last()?,
    };
    let is_global = scene.world.global(&base::Name::new(name)).is_some();
    if let (Claim::Noninterference { invariant, .. }, false) = (&scene.info.claim, is_global) {
        let is_own = |var: &Var, role: &Role| match role {
            Role::Waiting { at, name: own } => {
                at == invariant && *own == name && var.sort == hole.sort
            }
            Role::Snapshot(_) => false,
        };
        let (own, _) = scene.unit.roles.iter().find(|(var, role)| is_own(var, role))?;
        return scene.refutation.replay()?.env.vars.get(own).cloned();
    }
    stop.state.get(name).cloned()
}

/// Operators whose sides are worth showing.
const COMPARISONS: &[(BinaryOp, &str)] = &[
    (BinaryOp::Eq, "=="),
    (BinaryOp::Ne, "!="),
    (BinaryOp::Lt, "<"),
    (BinaryOp::Le, "<="),
    (BinaryOp::Gt, ">"),
    (BinaryOp::Ge, ">="),
];

/// The whole expression, where the map points to the token that is reported.
fn whole_place(map: &SourceMap, id: ExprId) -> Place {
    map.place(map.exprs[id.index()].whole())
}

fn conjuncts_of(exprs: &Exprs, id: ExprId) -> Vec<ExprId> {
    if let Expr::Binary { op: BinaryOp::And, lhs, rhs } = exprs.expr(id) {
        return [conjuncts_of(exprs, *lhs), conjuncts_of(exprs, *rhs)].concat();
    }
    vec![id]
}

/// Is `term` the pattern with its holes filled? Every hole is filled with one term only.
fn matches(pattern: &Term, term: &Term, filled: &mut BTreeMap<Var, Term>) -> bool {
    let mut tasks = vec![(pattern.clone(), term.clone())];
    while let Some((pattern, term)) = tasks.pop() {
        if let Some(hole) = pattern.as_var().filter(|var| var.name.as_str().ends_with(HOLE)) {
            let known = filled.entry(hole.clone()).or_insert_with(|| term.clone());
            if *known != term || hole.sort != *term.sort() {
                return false;
            }
            continue;
        }
        if pattern == term {
            continue;
        }
        match (pattern.kind(), term.kind()) {
            (TermKind::App(one, left), TermKind::App(two, right))
                if one == two && left.len() == right.len() =>
            {
                tasks.extend(left.iter().cloned().zip(right.iter().cloned()));
            }
            (TermKind::Quant(one), TermKind::Quant(two))
                if one.kind == two.kind && one.bound.len() == two.bound.len() =>
            {
                let same = one.bound.iter().zip(&two.bound).all(|(l, r)| l.var == r.var);
                if !same {
                    return false;
                }
                tasks.push((one.body.clone(), two.body.clone()));
            }
            (TermKind::Lambda(one), TermKind::Lambda(two)) if one.bound == two.bound => {
                tasks.push((one.body.clone(), two.body.clone()));
            }
            _ => return false,
        }
    }
    true
}

/// The same for a term that no text stands for.
fn unfold_term(term: &Term, env: &ir::Env, depth: u32, out: &mut Vec<Conjunct>) {
    let holds = match ir::evaluate(term, env) {
        Ok(Value::Bool(truth)) => Some(truth),
        _ => None,
    };
    let text = super::orders::shortened(&ir::source_text(term));
    out.push(Conjunct { depth, holds, text, values: None, at: None::<Location> });
    if holds == Some(true) || depth >= DEEPEST || out.len() >= MOST_LINES {
        return;
    }
    if let Some(parts) = term.args_of(&Op::And) {
        for part in parts.iter().filter(|part| !ir::eval::is_known(part, env, true)) {
            unfold_term(part, env, depth + 1, out);
        }
    } else if let Some(parts) = term.args_of(&Op::Or).or(term.args_of(&Op::Implies)) {
        parts.iter().for_each(|part| unfold_term(part, env, depth + 1, out));
    }
}
