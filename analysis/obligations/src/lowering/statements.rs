//! Simple statements to commands.
//!
//! **In:** statements without jumps of one body. **Out:** commands at the end of a block.
//!
//! A [`Writer`] holds what all of them need: where to write, how names read, and whether what the
//! statements demand is checked or taken for granted.
//!
//! # Invariants
//! - Locals of the [`Env`] are variables wherever they are assigned.
//! - An assignment evaluates everything before it changes anything.

use base::{Name, Place};
use hir::{Body, ExprId, LocalId, SourceMap, Step, Stmt, StmtId, Target, Ty, VarRef};
use ir::{BlockId, Command, ObligationKind, Op, Symbol, Term, Var};
use smol_str::SmolStr;

use super::{Env, Lowering};
use crate::builder::UnitBuilder;
use crate::claim::Claim;
use crate::faith::FaithKind;
use crate::unit::AssertInfo;

/// A body and its places.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub body: &'a Body,
    pub map: &'a SourceMap,
}

/// What becomes of the demands of statements: assertions, unpacks, primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// They are asserted, as part of this rule.
    Assert(ObligationKind),
    /// They are assumed: another unit asserts them.
    Assume,
}

/// Writes statements of one body to the end of a block.
pub struct Writer<'a, 'db> {
    pub lowering: &'a mut Lowering<'db>,
    pub out: &'a mut UnitBuilder,
    pub text: Text<'a>,
    pub env: &'a Env,
    pub checks: Checks,
    /// The block that is being written. Inlined calls move on to new blocks.
    pub at: BlockId,
}

impl Lowering<'_> {
    /// The environment in which every formal and local is a variable of its own name and `suffix`.
    ///
    /// The type parameters of a polymorphic procedure stand for types about which nothing is known.
    pub fn body_env(&mut self, body: &Body, suffix: &str) -> Env {
        self.refuse_ignored(body.decl);
        let sig = self.world.proc_sig(&body.proc);
        sig.iter().for_each(|sig| self.refuse_ignored(sig.decl));
        let params = sig.map(|sig| sig.type_params.clone()).unwrap_or_default();
        let mut env = Env::empty();
        env.types = super::rigid::rigid_types(&params);
        env.locals = self.local_vars(body, &env, suffix).into_iter().map(Term::var).collect();
        env
    }

    /// Variables for the formals and locals of a body, in the types of `env`.
    pub fn local_vars(&mut self, body: &Body, env: &Env, suffix: &str) -> Vec<Var> {
        let mut vars = Vec::with_capacity(body.locals.len());
        for local in &body.locals {
            let sort = self.sort(&local.ty, env);
            let clash = suffix.is_empty() && self.world.global(&local.name).is_some();
            let suffix = if clash { "@local" } else { suffix };
            vars.push(Var::new(Symbol::from(format!("{}{suffix}", local.name)), sort));
        }
        vars
    }

    /// The variable of a global in the current state.
    pub fn global_var(&mut self, name: &Name) -> Option<Var> {
        let global = self.world.global(name)?;
        let sort = self.closed_sort(&global.ty);
        Some(Var::new(Symbol::new(name.as_str()), sort))
    }

    /// The `where` clause of a formal or local of `body`; nothing if it has none. Those of formals
    /// are written at the procedure, also for an `implementation`, whose formals have the same numbers.
    /// It is taken on faith.
    pub fn local_where(&mut self, body: &Body, env: &Env, id: LocalId) -> Option<Term> {
        let world = self.world;
        let local = body.locals.get(id.index())?;
        if let Some(clause) = local.condition {
            let place = world.body_map(body.decl)?.local(id);
            self.on_faith(FaithKind::WhereClause, &local.name, place);
            return Some(self.expr(&body.exprs, env, clause));
        }
        let sig = world.proc_sig(&body.proc)?;
        let (specs, map) = (world.specs(sig.decl)?, world.specs_map(sig.decl)?);
        let declared = specs.locals.get(id.index())?;
        let clause = declared.condition?;
        self.on_faith(FaithKind::WhereClause, &declared.name, map.local(id));
        Some(self.expr(&specs.exprs, env, clause))
    }

    /// The `where` clause of a global in the state `env.now`; nothing if it has none.
    pub fn global_where(&mut self, name: &Name, env: &Env) -> Option<Term> {
        let global = self.world.global(name)?;
        let clause = self.world.expr_body(global.decl)?;
        let place = hir::decl_place(self.world.db, global.decl);
        self.on_faith(FaithKind::WhereClause, name, place);
        let env = Env { locals: Vec::new(), types: Default::default(), ..env.clone() };
        Some(self.expr(&clause.exprs, &env, clause.root))
    }
}

impl<'a> Writer<'a, '_> {
    /// The term of an expression of the body.
    pub fn expr(&mut self, id: ExprId) -> Term {
        self.lowering.expr(&self.text.body.exprs, self.env, id)
    }

    /// The type of an expression of the body, with type parameters replaced.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.text.body.exprs.ty(id).subst(&self.env.types)
    }

    /// `assume term`
    pub fn assume(&mut self, term: Term) {
        self.out.assume(self.at, term);
    }

    /// Asserts or assumes `term`, as [`Writer::checks`] says.
    pub fn demand(&mut self, term: Term, claim: Claim, place: Place) {
        match self.checks {
            Checks::Assert(kind) => {
                self.out.assert(self.at, term, AssertInfo::new(kind, claim, place));
            }
            Checks::Assume => self.out.assume(self.at, term),
        }
    }

    /// Writes a statement; false if it is a call of something other than a primitive of §5.5, which
    /// the caller has to write. `reveal` and `hide` write nothing.
    pub fn simple(&mut self, id: StmtId) -> bool {
        self.lowering.at(self.text.map.stmt(id));
        match self.text.body.stmt(id) {
            Stmt::Assign { targets, values, .. } => self.assign(targets, values),
            Stmt::Unpack { ctor, targets, value, .. } => {
                self.unpack(ctor, targets, *value, self.text.map.stmt(id));
            }
            Stmt::Assert { expr, attrs, .. } => self.assertion(id, *expr, attrs),
            Stmt::Assume { expr, attrs, .. } => {
                if self.text.body.is_free_invariant(id) {
                    let (about, place) = (&self.text.body.proc, self.text.map.stmt(id));
                    self.lowering.on_faith(FaithKind::FreeInvariant, about, place);
                }
                let term = self.expr(*expr);
                let hints = self.lowering.hints(&self.text.body.exprs, self.env, attrs);
                self.out.assume_with(self.at, term, hints);
            }
            Stmt::Havoc { targets } => self.havoc(targets),
            Stmt::Call { arms, .. } => return self.primitive_call(id, arms),
            Stmt::Visibility(_) => {}
            Stmt::Measure { .. } => self.lowering.unsupported("a measure outside a loop head"),
            Stmt::Yield { .. } => self.lowering.unsupported("a yield in sequential code"),
            Stmt::Error
            | Stmt::If { .. }
            | Stmt::While { .. }
            | Stmt::Break { .. }
            | Stmt::Goto { .. }
            | Stmt::Label(_)
            | Stmt::Return => self.lowering.unsupported("a statement with an error"),
        }
        true
    }

    /// A command of a control-flow graph; false as for [`Writer::simple`].
    pub fn command(&mut self, command: hir::Command) -> bool {
        match command {
            hir::Command::Stmt(id) => self.simple(id),
            hir::Command::Guard { cond, negated, of } => {
                self.lowering.at(self.text.map.stmt(of));
                let term = self.expr(cond);
                self.assume(if negated { Term::not(term) } else { term });
                true
            }
        }
    }

    /// `assert expr`, checked or assumed.
    pub fn assertion(&mut self, id: StmtId, expr: ExprId, attrs: &hir::Attrs) {
        let term = self.expr(expr);
        let hints = self.lowering.hints(&self.text.body.exprs, self.env, attrs);
        let Checks::Assert(kind) = self.checks else {
            self.out.assume_with(self.at, term, hints);
            return;
        };
        let info = AssertInfo::new(kind, Claim::Assertion, self.text.map.stmt(id));
        let id = self.out.claim(info.message(message_of(attrs)));
        let subsumes = !has_no_subsumption(&self.text.body.exprs, attrs);
        self.out.push(self.at, Command::Assert { term, id, hints, subsumes });
    }

    fn assign(&mut self, targets: &[Target], values: &[ExprId]) {
        if targets.len() != values.len() {
            return self.lowering.unsupported("an assignment with an error");
        }
        let mut pairs: Vec<(Var, Term)> = Vec::with_capacity(targets.len());
        for (target, value) in targets.iter().zip(values) {
            let value = self.expr(*value);
            let Some((var, ty)) = self.variable(&target.root) else { return };
            let new = self.updated(Term::var(var.clone()), &ty, &target.path, value);
            if var.sort != *new.sort() || pairs.iter().any(|(other, _)| *other == var) {
                return self.lowering.unsupported("an assignment with an error");
            }
            pairs.push((var, new));
        }
        self.out.push(self.at, Command::Assign(pairs));
    }

    /// `current` with the part at `path` replaced by `value`.
    pub fn updated(&mut self, current: Term, ty: &Ty, path: &[Step], value: Term) -> Term {
        let Some((step, rest)) = path.split_first() else { return value };
        match step {
            Step::Index(indices) => {
                let indices: Vec<Term> = indices.iter().map(|id| self.expr(*id)).collect();
                let Some(map) = ty.as_map() else {
                    self.lowering.unsupported("an index of something other than a map");
                    return current;
                };
                let element = self.lowering.closed_sort(&map.result);
                if indices.is_empty() {
                    return self.updated(current, &map.result, rest, value);
                }
                let mut args = vec![current];
                args.extend(indices);
                let part = self.lowering.apply(Op::Select, args.clone(), element);
                let part = self.updated(part, &map.result, rest, value);
                let sort = args[0].sort().clone();
                args.push(part);
                self.lowering.apply(Op::Store, args, sort)
            }
            Step::Field(field) => {
                let Some(field_ty) = self.lowering.field_ty(ty, field) else {
                    self.lowering.unsupported(format!("the field `{field}`"));
                    return current;
                };
                let sort = self.lowering.closed_sort(&field_ty);
                let part = self.lowering.field(ty, field, current.clone(), sort);
                let part = self.updated(part, &field_ty, rest, value);
                self.lowering.field_update(ty, field, current, part)
            }
        }
    }

    /// `ctor(targets) := value`: the value must be built by `ctor`; its fields are assigned.
    fn unpack(&mut self, ctor: &Name, targets: &[VarRef], value: ExprId, place: Place) {
        let ty = self.ty(value);
        let value = self.expr(value);
        let test = self.lowering.tester(&ty, ctor, value.clone());
        let Some(def) = self.lowering.datatype_def(&ty) else { return };
        let Some(index) = def.ctor(ctor.as_str()) else { return };
        self.demand(test, Claim::Unpack { ctor: ctor.clone() }, place);
        if def.ctors()[index].fields.len() != targets.len() || *value.sort() != def.sort() {
            return self.lowering.unsupported("an unpack with an error");
        }
        let mut pairs = Vec::with_capacity(targets.len());
        for (nth, target) in targets.iter().enumerate() {
            let Some((var, _)) = self.variable(target) else { return };
            let part = Term::field(&def, index, nth, value.clone());
            if var.sort != *part.sort() {
                return self.lowering.unsupported("an unpack with an error");
            }
            pairs.push((var, part));
        }
        self.out.push(self.at, Command::Assign(pairs));
    }

    /// `havoc targets`, whose `where` clauses hold afterwards.
    fn havoc(&mut self, targets: &[VarRef]) {
        let vars: Option<Vec<(Var, Ty)>> = targets.iter().map(|it| self.variable(it)).collect();
        let Some(vars) = vars else { return };
        self.out.havoc(self.at, vars.into_iter().map(|(var, _)| var).collect());
        for target in targets {
            let clause = self.where_of(target);
            self.out.assume(self.at, clause);
        }
    }

    /// The `where` clause of a variable; `true` if it has none.
    pub fn where_of(&mut self, target: &VarRef) -> Term {
        let clause = match target {
            VarRef::Local(id) => self.lowering.local_where(self.text.body, self.env, *id),
            VarRef::Global(name) => self.lowering.global_where(name, self.env),
            VarRef::Error => None,
        };
        clause.unwrap_or_else(Term::tt)
    }

    /// The variable that a statement writes, and its type.
    pub fn variable(&mut self, target: &VarRef) -> Option<(Var, Ty)> {
        let found = match target {
            VarRef::Local(id) => self.local_variable(*id),
            VarRef::Global(name) => match self.env.now.given(name) {
                Some(term) => {
                    let ty = self.lowering.world.global(name).map(|global| global.ty.clone());
                    term.as_var().cloned().zip(ty)
                }
                None => {
                    let ty = self.lowering.world.global(name).map(|global| global.ty.clone());
                    self.global_variable(name).zip(ty)
                }
            },
            VarRef::Error => None,
        };
        if found.is_none() {
            self.lowering.unsupported("an assignment to something other than a variable");
        }
        found
    }

    fn local_variable(&mut self, id: LocalId) -> Option<(Var, Ty)> {
        let ty = self.text.body.locals.get(id.index())?.ty.subst(&self.env.types);
        Some((self.env.local(id)?.as_var()?.clone(), ty))
    }

    fn global_variable(&mut self, name: &Name) -> Option<Var> {
        let var = self.lowering.global_var(name)?;
        Some(Var::new(self.env.now.symbol(name), var.sort))
    }
}

/// `{:msg "words"}`
pub(crate) fn message_of(attrs: &hir::Attrs) -> Option<SmolStr> {
    match attrs.find("msg")?.args.first()? {
        hir::AttrArg::String(words) => Some(words.clone()),
        hir::AttrArg::Expr(_) => None,
    }
}

/// `{:subsumption 0}`: not assumed afterwards.
fn has_no_subsumption(exprs: &hir::Exprs, attrs: &hir::Attrs) -> bool {
    let zero = hir::Expr::Literal(hir::Literal::Int(0.into()));
    attrs.find("subsumption").is_some_and(|attr| {
        attr.args
            .iter()
            .any(|arg| matches!(arg, hir::AttrArg::Expr(id) if *exprs.expr(*id) == zero))
    })
}
