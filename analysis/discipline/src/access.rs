//! May this place read this variable? (language.md 8)
//!
//! **In:** an expression and what its place allows ([`Access`]). **Out:** a problem for each
//! variable that does not exist at all layers the place needs, for each global that is read
//! directly where only its value at the call may be read, and for each that code reads inside `old`.
//!
//! The access table of the language is spread over the callers, one [`Access`] value per place;
//! this module holds the three questions every row consists of: which layers, may globals be read
//! directly, is it an action, an invariant or a procedure that asks.
//!
//! # Soundness
//! `old(g)` in code is a read of `g` at the moment of the call. No action does it, so nobody sees that
//! other threads may change `g` around it. Specifications are free to talk about that moment. Ghost
//! code is too, if what it computes exists at one layer above 0 only: ghost code of a layer is run
//! inside the transactions of that layer, after they were made. At layer 0 it is the machine, and a
//! value of several layers would be one that the transactions of the higher layer rest on.
//!
//! # Invariants
//! - Every occurrence of a variable in the expression is asked about, bound variables and
//!   constants excepted.

use base::{Place, Program};
use hir::{
    Expr, ExprId, Exprs, Layer, LayerRange, Local, Name, ProcKind, ProcSig, SourceMap, StmtId,
};

use crate::Db;
use crate::machine::is_machine;
use crate::problem::layers::{LayerProblem, OldContext, Owner, Variable};

/// What a place may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The layers at which the expression is evaluated; nothing if no layer is asked for.
    pub(crate) needed: Option<LayerRange>,
    /// `Some` if globals may be read inside `old` only, with the reason; code that is no ghost code
    /// may not read them at all.
    pub(crate) only_old: Option<OldContext>,
}

impl Access {
    /// Globals may be read; everything must exist at `needed`.
    pub(crate) fn direct(needed: Option<LayerRange>) -> Access {
        Access { needed, only_old: None }
    }

    /// Globals may be read inside `old` only; everything must exist at `needed`.
    pub(crate) fn only_old(needed: Option<LayerRange>, context: OldContext) -> Access {
        Access { needed, only_old: Some(context) }
    }

    /// Is this code? Then it is run at all layers, or at these.
    fn run_at(self) -> Option<LayerRange> {
        match self.only_old {
            Some(OldContext::Code) => Some(self.needed.unwrap_or(LayerRange::ALL)),
            Some(OldContext::Contract | OldContext::Precondition) | None => None,
        }
    }
}

/// The expressions of one body or of one set of specifications, with their places.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) program: Program,
    pub(crate) sig: &'a ProcSig,
    pub(crate) exprs: &'a Exprs,
    pub(crate) locals: &'a [Local],
    pub(crate) map: &'a SourceMap,
}

impl Scope<'_> {
    /// The layer of the procedure or invariant, the upper layer of the action.
    pub(crate) fn layer(&self) -> Layer {
        self.sig.layer().unwrap_or(Layer::MAX)
    }

    /// Complains about every variable of `root` that `access` does not allow.
    pub(crate) fn check(&self, root: ExprId, access: Access, out: &mut Vec<LayerProblem>) {
        let mut todo = vec![(root, false)];
        while let Some((id, in_old)) = todo.pop() {
            let expr = self.exprs.expr(id);
            if let Expr::Global(name) = expr {
                self.check_global(name, self.map.expr(id), (access, in_old), out);
            } else if let Expr::Local(local) = expr {
                self.check_local(*local, id, access, out);
            }
            let in_old = in_old || matches!(expr, Expr::Old(_));
            todo.extend(expr.children().into_iter().rev().map(|child| (child, in_old)));
        }
    }

    /// Complains about a use of the global `name`, read or written, that its owner may not make.
    pub(crate) fn check_global(
        &self,
        name: &Name,
        at: Place,
        (access, in_old): (Access, bool),
        out: &mut Vec<LayerProblem>,
    ) {
        let Some(variable) = global_variable(self.db, self.program, name) else { return };
        match self.sig.kind {
            ProcKind::Plain | ProcKind::Pure => {}
            ProcKind::Action { .. } => {
                if let (Some(context), false) = (access.only_old, in_old) {
                    out.push(LayerProblem::OutsideOld { variable, at, context });
                } else {
                    self.check_action_access(variable, at, access, out);
                }
            }
            ProcKind::Invariant { global } => {
                let layer = self.layer();
                if !variable.lifetime.contains(layer) {
                    let needed = LayerRange::single(layer);
                    out.push(LayerProblem::OutOfLayer { variable, at, needed });
                } else if global && variable.lifetime.low() == layer {
                    let owner = Owner::GlobalInvariant(self.sig.name.clone());
                    out.push(LayerProblem::IntroducedLate { variable, at, owner, lowest: layer });
                }
            }
            ProcKind::Yield => {
                if let (Some(context), false) = (access.only_old, in_old) {
                    let variable = variable.clone();
                    out.push(LayerProblem::OutsideOld { variable, at, context });
                } else if in_old && access.run_at().is_some_and(|it| !self.is_ghost(name, it)) {
                    let (variable, needed) = (variable.clone(), access.needed);
                    out.push(LayerProblem::OldInCode { variable, at, needed });
                }
                if let Some(needed) = access.needed
                    && !needed.is_within(variable.lifetime)
                {
                    out.push(LayerProblem::OutOfLayer { variable, at, needed });
                }
            }
        }
    }

    /// Is code that reads `global` and is run at these layers ghost code: at one layer, at which the
    /// global is no state of the machine? Every global that exists at layer 0 is, there.
    fn is_ghost(&self, global: &Name, run: LayerRange) -> bool {
        let layer = run.low();
        let is_one = layer == run.high() && layer > Layer::ZERO;
        is_one && !is_machine(self.db, self.program, global, layer)
    }

    fn check_action_access(
        &self,
        variable: Variable,
        at: Place,
        access: Access,
        out: &mut Vec<LayerProblem>,
    ) {
        let Some(range) = self.sig.layers else { return };
        let needed = access.needed.unwrap_or(range);
        if range.low() <= variable.lifetime.low() {
            let owner = Owner::Action(self.sig.name.clone());
            out.push(LayerProblem::IntroducedLate { variable, at, owner, lowest: range.low() });
        } else if !needed.is_within(variable.lifetime) {
            out.push(LayerProblem::OutOfLayer { variable, at, needed });
        }
    }

    fn check_local(
        &self,
        local: hir::LocalId,
        id: ExprId,
        access: Access,
        out: &mut Vec<LayerProblem>,
    ) {
        if !self.sig.is_yield_procedure() {
            return;
        }
        let (Some(needed), Some(variable)) = (access.needed, self.local_variable(local)) else {
            return;
        };
        if !needed.is_within(variable.lifetime) {
            out.push(LayerProblem::OutOfLayer { variable, at: self.map.expr(id), needed });
        }
    }

    /// A formal or local with its lifetime.
    pub(crate) fn local_variable(&self, id: hir::LocalId) -> Option<Variable> {
        let local = self.locals.get(id.index())?;
        let declared = (id.index() < self.map.locals.len()).then(|| self.map.local(id));
        Some(Variable { name: local.name.clone(), lifetime: local.layers?, declared })
    }

    /// Where target number `number` of a statement is written.
    pub(crate) fn target_place(&self, id: StmtId, number: usize) -> Place {
        let ptr = self.map.targets.get(&id).and_then(|places| places.get(number));
        ptr.map_or(self.map.stmt(id), |ptr| self.map.place(*ptr))
    }
}

/// A global with its lifetime.
pub(crate) fn global_variable(db: &dyn Db, program: Program, name: &Name) -> Option<Variable> {
    let global = hir::global(db, program, name.clone())?;
    let declared = hir::decl_place(db, global.decl);
    Some(Variable { name: name.clone(), lifetime: global.layers, declared: Some(declared) })
}
