//! Does a procedure or action have the signature of the action it refines? (language.md 9.9)
//!
//! **In:** a yield procedure (its visible formals) or an action (all formals) with a `refines`
//! clause. **Out:** the first difference of each kind: number of parameters, else per parameter
//! name, type or linearity.

use base::{Place, Program};
use hir::{Param, ProcSig};

use crate::Db;
use crate::problem::LayerProblem;
use crate::problem::layers::{Difference, Direction, SignatureMismatch};

/// The differences between `sig` and the action it refines.
pub(crate) fn check(db: &dyn Db, program: Program, sig: &ProcSig, out: &mut Vec<LayerProblem>) {
    let Some(name) = &sig.refines else { return };
    let Some(action) = hir::proc_sig(db, program, name.clone()) else { return };
    if !action.is_action() || sig.is_mover_procedure() {
        return;
    }
    let places = hir::formal_places(db, program, sig.decl);
    let pair = Pair { db, ours: sig, theirs: &action, places };
    let ins: Vec<(usize, &Param)> = sig.visible_ins().collect();
    pair.compare(Direction::In, &ins, &action.ins, out);
    let first_out = sig.ins.len();
    let outs: Vec<(usize, &Param)> =
        sig.visible_outs().map(|(number, param)| (first_out + number, param)).collect();
    pair.compare(Direction::Out, &outs, &action.outs, out);
}

struct Pair<'a> {
    db: &'a dyn Db,
    ours: &'a ProcSig,
    theirs: &'a ProcSig,
    /// Where our formals are written.
    places: Vec<Place>,
}

impl Pair<'_> {
    fn compare(
        &self,
        direction: Direction,
        ours: &[(usize, &Param)],
        theirs: &[Param],
        out: &mut Vec<LayerProblem>,
    ) {
        if ours.len() != theirs.len() {
            let difference =
                Difference::Count { direction, ours: ours.len(), theirs: theirs.len() };
            out.push(self.mismatch(hir::decl_place(self.db, self.ours.decl), difference));
            return;
        }
        for ((number, param), other) in ours.iter().zip(theirs) {
            if let Some(difference) = difference(direction, param, other) {
                let name = || hir::decl_place(self.db, self.ours.decl);
                let at = self.places.get(*number).copied().unwrap_or_else(name);
                out.push(self.mismatch(at, difference));
            }
        }
    }

    fn mismatch(&self, at: Place, difference: Difference) -> LayerProblem {
        LayerProblem::Signature(SignatureMismatch {
            refiner: self.ours.name.clone(),
            action: self.theirs.name.clone(),
            between_actions: self.ours.is_action(),
            at,
            declared: Some(hir::decl_place(self.db, self.theirs.decl)),
            difference,
        })
    }
}

fn difference(direction: Direction, ours: &Param, theirs: &Param) -> Option<Difference> {
    let name = ours.name.clone();
    if ours.name != theirs.name {
        let theirs = theirs.name.clone();
        Some(Difference::Name { direction, ours: name, theirs })
    } else if ours.ty != theirs.ty {
        let (ours, theirs) = (ours.ty.to_string(), theirs.ty.to_string());
        Some(Difference::Type { direction, name, ours, theirs })
    } else if ours.linear != theirs.linear {
        Some(Difference::Linearity { direction, name })
    } else {
        None
    }
}
