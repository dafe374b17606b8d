//! Words between the characters: mover letters, phases, layers, linear values, modifies clauses.

use base::{DeclKind, Program, SourceFile};
use discipline::yields::{self, Phase};
use hir::{Layer, Stmt, StmtId, VarRef};

use crate::Analysis;
use crate::editor::answers::{Access, HintKind, InlayHint};
use crate::editor::describe::range_text;
use crate::editor::semantics::Definition;
use crate::types::{FileId, ProgramId};

impl Analysis {
    /// The hints in a stretch of a file.
    pub fn inlay_hints(
        &self,
        program: ProgramId,
        file: FileId,
        range: (u32, u32),
    ) -> Vec<InlayHint> {
        let input = self.program(program);
        let source = self.source(file);
        let mut hints = self.mover_hints(input, source);
        hints.extend(self.phase_hints(input, source));
        hints.extend(self.layer_hints(input, source));
        hints.extend(self.end_hints(input, source));
        hints.extend(self.modifies_hints(input, source));
        hints.extend(self.linear_hints(input, source));
        hints.retain(|hint| range.0 <= hint.offset && hint.offset <= range.1);
        hints.sort_by_key(|hint| (hint.offset, hint.kind));
        hints
    }

    /// The label of each call of a yield procedure at the procedure's own layer.
    fn mover_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let mut hints = Vec::new();
        for decl in self.procs(program).into_iter().filter(|decl| decl.file(&self.db) == file) {
            let Some(sig) = hir::proc_sig_of(&self.db, program, decl) else { continue };
            let Some(layer) = sig.layer().filter(|_| sig.is_yield_procedure()) else { continue };
            let (Some(body), Some(map)) =
                (hir::body(&self.db, program, decl), hir::body_map(&self.db, program, decl))
            else {
                continue;
            };
            for (number, stmt) in body.stmts.iter().enumerate() {
                let Stmt::Call { arms, is_async, .. } = stmt else { continue };
                let places = map.arms.get(&StmtId::from_index(number));
                for (arm, place) in arms.iter().zip(places.into_iter().flatten()) {
                    let label = yields::call_labels(
                        &self.db,
                        program,
                        (arm, *is_async),
                        &body.exprs,
                        layer,
                    )
                    .atomicity;
                    let Some(at) = self.location(map.place(place.callee)) else { continue };
                    hints.push(mover_hint(at.start, label, layer));
                }
            }
        }
        hints
    }

    /// Where in its transaction each call stands, at the procedure's own layer.
    fn phase_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let mut hints = Vec::new();
        for decl in self.procs(program).into_iter().filter(|decl| decl.file(&self.db) == file) {
            let Some(sig) = hir::proc_sig_of(&self.db, program, decl) else { continue };
            let Some(layer) = sig.layer().filter(|_| sig.is_yield_procedure()) else { continue };
            for step in yields::transaction_steps(&self.db, program, decl, layer) {
                let Some(at) = self.location(step.at) else { continue };
                hints.extend(phase_hint(at.start, &step, layer));
            }
        }
        hints
    }

    /// Above which layer each yield procedure is gone.
    fn end_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let mut hints = Vec::new();
        for decl in self.procs(program).into_iter().filter(|decl| decl.file(&self.db) == file) {
            let Some(sig) = hir::proc_sig_of(&self.db, program, decl) else { continue };
            let Some(layer) = sig.layer().filter(|_| sig.is_yield_procedure()) else { continue };
            let Some(at) = self.location(hir::decl_place(&self.db, decl)) else { continue };
            hints.push(InlayHint {
                offset: at.end,
                label: format!("⊤@{layer}"),
                tooltip: Some(format!("it disappears above layer {layer}")),
                kind: HintKind::Layers,
                pad_left: true,
            });
        }
        hints
    }

    /// The layers of each global variable where it is used.
    fn layer_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let resolver = self.resolver(program, file);
        let names = resolver.names_below(&self.root(file), &|_| true).into_iter();
        let hint = |name: crate::editor::semantics::NameUse| {
            let Definition::Global(decl) = &name.definition else { return None };
            if decl.kind(&self.db) != DeclKind::Var || name.access == Access::Declare {
                return None;
            }
            let var = hir::global_of(&self.db, program, *decl)?;
            let label = range_text(Some(var.layers));
            (!label.is_empty()).then(|| InlayHint {
                offset: name.token.text_range().end().into(),
                label,
                tooltip: Some(format!("`{}` exists at these layers", var.name)),
                kind: HintKind::Layers,
                pad_left: true,
            })
        };
        names.filter_map(hint).collect()
    }

    /// The linear variables that are available after each call.
    fn linear_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let mut hints = Vec::new();
        for decl in self.procs(program).into_iter().filter(|decl| decl.file(&self.db) == file) {
            let (Some(body), Some(map)) =
                (hir::body(&self.db, program, decl), hir::body_map(&self.db, program, decl))
            else {
                continue;
            };
            let availability = discipline::linear::availability(&self.db, program, decl);
            for (number, stmt) in body.stmts.iter().enumerate() {
                let id = StmtId::from_index(number);
                if !matches!(stmt, Stmt::Call { .. }) || availability.after_call(id).is_empty() {
                    continue;
                }
                let names = availability.after_call(id).iter().map(|var| match var {
                    VarRef::Local(local) => body.local(*local).name.to_string(),
                    VarRef::Global(name) => name.to_string(),
                    VarRef::Error => String::new(),
                });
                let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
                let Some(at) = self.location(map.place(map.stmts[number].whole())) else {
                    continue;
                };
                hints.push(InlayHint {
                    offset: at.end,
                    label: format!("holds {}", names.join(", ")),
                    tooltip: Some("linear variables available after this call".into()),
                    kind: HintKind::Linear,
                    pad_left: true,
                });
            }
        }
        hints
    }

    /// What a procedure without a modifies clause may change.
    fn modifies_hints(&self, program: Program, file: SourceFile) -> Vec<InlayHint> {
        let mut hints = Vec::new();
        for decl in self.procs(program).into_iter().filter(|decl| decl.file(&self.db) == file) {
            let Some(sig) = hir::proc_sig_of(&self.db, program, decl) else { continue };
            let modifies = hir::modifies(&self.db, program, sig.name.clone());
            if modifies.is_empty() || !sig.modifies.is_empty() {
                continue;
            }
            let Some(at) = self.location(hir::decl_place(&self.db, decl)) else { continue };
            let names: Vec<&str> = modifies.iter().map(base::Name::as_str).collect();
            hints.push(InlayHint {
                offset: at.end,
                label: format!("modifies {}", names.join(", ")),
                tooltip: Some("inferred from the body".into()),
                kind: HintKind::Modifies,
                pad_left: true,
            });
        }
        hints
    }
}

/// From a phase to a phase, or out of order.
type Turn = (Phase, Option<Phase>);

/// What a turn from one phase to another means.
const TURNS: &[(Turn, &str, &str)] = &[
    ((Phase::Before, Some(Phase::Before)), "opening", "before the commit point"),
    ((Phase::Before, Some(Phase::After)), "commit", "the commit point"),
    ((Phase::After, Some(Phase::After)), "closing", "after the commit point"),
    ((Phase::After, Some(Phase::Before)), "yields", "a new transaction begins"),
    ((Phase::After, None), "stuck", "not allowed after the commit point"),
    ((Phase::Before, None), "stuck", "not allowed before the commit point"),
];

/// Nothing for private steps: they may stand anywhere.
fn phase_hint(offset: u32, step: &yields::TransactionStep, layer: Layer) -> Option<InlayHint> {
    let meaning = |turn: &(Phase, Option<Phase>)| {
        let row = TURNS.iter().find(|(own, _, _)| own == turn);
        row.map(|(_, word, words)| (*word, *words))
    };
    let mut words: Vec<(&str, &str)> = match step.label {
        yields::Label::Private => return None,
        yields::Label::Yield => vec![("yields", "a new transaction begins")],
        yields::Label::Both
        | yields::Label::Right
        | yields::Label::Left
        | yields::Label::NonMover => step.turns.iter().filter_map(meaning).collect(),
    };
    words.dedup();
    let label: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let tooltip: Vec<&str> = words.iter().map(|(_, words)| *words).collect();
    Some(InlayHint {
        offset,
        label: label.join("|"),
        tooltip: Some(format!("in the transaction at layer {layer}: {}", tooltip.join(" or "))),
        kind: HintKind::Phases,
        pad_left: false,
    })
}

fn mover_hint(offset: u32, label: yields::Label, layer: Layer) -> InlayHint {
    InlayHint {
        offset,
        label: label.letter().to_string(),
        tooltip: Some(format!("{} at layer {layer}", label.words())),
        kind: HintKind::Movers,
        pad_left: false,
    }
}
