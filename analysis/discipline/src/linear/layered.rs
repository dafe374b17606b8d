//! What exists at a layer, as far as permissions are concerned.
//!
//! **In:** a body, and a layer or none. **Out:** does a variable exist here, does a call happen here,
//! and which of its parameters are passed here?
//!
//! | call | at the layer | passes |
//! | --- | --- | --- |
//! | pure | at the layers written on it | everything |
//! | invariant | at its layer | everything |
//! | yield procedure | up to its own | the parameters that exist there |
//! | yield procedure | above its own | the parameters its action has |
//! | anything else | – | everything |
//!
//! Without a layer everything exists.

use hir::{Arm, Body, Layer, LocalId, Param, ProcKind, ProcSig, VarRef};

use super::owner::{Owner, Passing};

/// A body, seen at a layer.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub(super) owner: &'a Owner<'a>,
    pub(super) body: &'a Body,
    pub(super) layer: Option<Layer>,
}

impl Here<'_> {
    pub(super) fn has_variable(&self, var: &VarRef) -> bool {
        let Some(layer) = self.layer else { return true };
        match var {
            VarRef::Local(id) => self.has_local(*id, layer),
            VarRef::Global(name) => {
                let global = hir::global(self.owner.db, self.owner.program, name.clone());
                global.is_some_and(|it| it.layers.contains(layer))
            }
            VarRef::Error => false,
        }
    }

    fn has_local(&self, id: LocalId, layer: Layer) -> bool {
        let local = self.body.locals.get(id.index());
        local.is_some_and(|it| it.layers.is_none_or(|range| range.contains(layer)))
    }

    /// Does the call of one arm happen here? What is not understood does.
    pub(super) fn has_call(&self, arm: &Arm) -> bool {
        self.owner.callee(arm).is_none_or(|callee| self.has_arm(&callee, arm))
    }

    /// Does the call of `callee` happen here?
    pub(super) fn has_arm(&self, callee: &ProcSig, arm: &Arm) -> bool {
        let Some(layer) = self.layer else { return true };
        match callee.kind {
            ProcKind::Pure | ProcKind::Action { pure: true } => {
                arm.layers.hull().is_none_or(|range| range.contains(layer))
            }
            ProcKind::Invariant { .. } => callee.layer() == Some(layer),
            ProcKind::Yield | ProcKind::Plain | ProcKind::Action { pure: false } => true,
        }
    }

    /// Is the parameter of `callee` passed here?
    fn has_param(&self, callee: &ProcSig, param: &Param) -> bool {
        let Some(layer) = self.layer else { return true };
        match (callee.kind, callee.layer()) {
            (ProcKind::Yield, Some(own)) if layer <= own => {
                param.layers.is_none_or(|range| range.contains(layer))
            }
            (ProcKind::Yield, _) => callee.is_visible(param),
            (ProcKind::Plain | ProcKind::Pure, _)
            | (ProcKind::Action { .. } | ProcKind::Invariant { .. }, _) => true,
        }
    }

    /// The arguments that meet linear parameters here.
    pub(super) fn passings<'s>(&self, arm: &Arm, callee: &'s ProcSig) -> Vec<Passing<'s>> {
        if !self.has_arm(callee, arm) {
            return Vec::new();
        }
        let all = self.owner.passings(arm, callee).into_iter();
        all.filter(|it| self.has_param(callee, it.param)).collect()
    }

    /// The variables that the call assigns here, each with whether it receives permissions.
    pub(super) fn results<'s>(&self, arm: &'s Arm, callee: &ProcSig) -> Vec<(&'s VarRef, bool)> {
        if !self.has_arm(callee, arm) {
            return Vec::new();
        }
        let all = self.owner.results(arm, callee).into_iter().zip(callee.outs.iter());
        all.map(|((var, given), param)| (var, given && self.has_param(callee, param))).collect()
    }
}
