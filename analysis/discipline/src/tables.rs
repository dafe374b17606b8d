//! What exists at which layer, and what each call is there: the facts behind `civl layers` and
//! `civl movers --static`.
//!
//! **In:** a program. **Out:** rows in declaration order, items of the libraries left out, and a
//! plain text form of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base::{ColumnEncoding, DeclId, DeclKind, LineMap, Name, Place, Program};
use hir::{Layer, LayerRange, Mover, ProcKind, ProcSig, Stmt, StmtId};

use crate::Db;
use crate::layers_of_program::{code_layers, invariant_layers};
use crate::standing::{ProcedureAt, procedure_at};
use crate::yields::{Label, call_labels};

/// The kinds of rows of the layer table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    Variable,
    Action,
    Procedure,
    Invariant,
}

impl RowKind {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            RowKind::Variable => "variable",
            RowKind::Action => "action",
            RowKind::Procedure => "procedure",
            RowKind::Invariant => "invariant",
        }
    }
}

/// What an item is at one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Absent,
    /// A variable or invariant that exists.
    Exists,
    /// An action of this mover type.
    Mover(Mover),
    /// A procedure that is code.
    Code,
    /// A procedure that is this action by now.
    IsAction(Name),
    /// A procedure without effect by now.
    Skip,
}

/// One item of the layer table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerRow {
    pub kind: RowKind,
    pub name: Name,
    pub place: Place,
    /// One cell per layer of the table.
    pub cells: Vec<Cell>,
}

/// Items by layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerTable {
    /// Every layer that something mentions, ascending.
    pub layers: Vec<Layer>,
    /// Variables, actions, procedures, invariants; each in declaration order.
    pub rows: Vec<LayerRow>,
}

/// One call of the mover table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoverRow {
    pub caller: Name,
    pub callee: Name,
    /// The call.
    pub place: Place,
    /// The label at each layer at which the caller is code and something is checked.
    pub labels: Vec<(Layer, Label)>,
}

/// Every layer that something mentions, ascending.
pub fn mentioned_layers(db: &dyn Db, program: Program) -> Vec<Layer> {
    let mut layers: BTreeSet<Layer> = invariant_layers(db, program).iter().copied().collect();
    for decl in user_decls(db, program) {
        let range = range_of(db, program, decl);
        let ends = range.into_iter().flat_map(|it| [it.low(), it.high()]);
        layers.extend(ends.filter(|layer| *layer != Layer::MAX));
    }
    layers.into_iter().collect()
}

/// The table of items by layer.
pub fn layer_table(db: &dyn Db, program: Program) -> LayerTable {
    let layers = mentioned_layers(db, program);
    let decls = user_decls(db, program);
    let mut rows: Vec<LayerRow> =
        decls.iter().filter_map(|decl| layer_row(db, program, *decl, &layers)).collect();
    rows.sort_by_key(|row| row.kind);
    LayerTable { layers, rows }
}

/// The label of each call of each yield procedure at each layer, as declared.
pub fn mover_table(db: &dyn Db, program: Program) -> Vec<MoverRow> {
    let decls = user_decls(db, program);
    decls.iter().flat_map(|decl| mover_rows(db, program, *decl)).collect()
}

/// The layer table as text.
pub fn layer_text(table: &LayerTable) -> String {
    let mut head = vec!["kind".to_owned(), "name".to_owned()];
    head.extend(table.layers.iter().map(Layer::to_string));
    let mut lines = vec![head];
    for row in &table.rows {
        let mut line = vec![row.kind.as_str().to_owned(), row.name.to_string()];
        line.extend(row.cells.iter().map(cell_text));
        lines.push(line);
    }
    aligned(&lines)
}

/// The mover table as text, with lines counted from 1.
pub fn mover_text(db: &dyn Db, rows: &[MoverRow]) -> String {
    let mut lines = vec![["line", "caller", "callee", "labels"].map(str::to_owned).to_vec()];
    for row in rows {
        let range = hir::place_range(db, row.place);
        let map = LineMap::new(range.file.text(db));
        let line = map.line_column(range.range.start(), ColumnEncoding::Utf8).line + 1;
        let labels = row.labels.iter().map(|(layer, label)| format!("{layer}:{}", label.letter()));
        let labels: Vec<String> = labels.collect();
        let (caller, callee) = (row.caller.to_string(), row.callee.to_string());
        lines.push(vec![line.to_string(), caller, callee, labels.join(" ")]);
    }
    aligned(&lines)
}

fn user_decls(db: &dyn Db, program: Program) -> Vec<DeclId> {
    let decls = hir::program_decls(db, program);
    decls.iter().copied().filter(|decl| decl.file(db).library(db).is_none()).collect()
}

fn range_of(db: &dyn Db, program: Program, decl: DeclId) -> Option<LayerRange> {
    match decl.kind(db) {
        DeclKind::Var => hir::global_of(db, program, decl).map(|it| it.layers),
        DeclKind::Action | DeclKind::YieldProcedure | DeclKind::Invariant => {
            hir::proc_sig_of(db, program, decl)?.layers
        }
        DeclKind::Type | DeclKind::Datatype | DeclKind::Const | DeclKind::Function => None,
        DeclKind::Axiom | DeclKind::Procedure | DeclKind::Implementation => None,
    }
}

fn layer_row(db: &dyn Db, program: Program, decl: DeclId, layers: &[Layer]) -> Option<LayerRow> {
    let range = range_of(db, program, decl)?;
    let exists =
        |layer: &Layer, cell: Cell| if range.contains(*layer) { cell } else { Cell::Absent };
    let (kind, cells) = if decl.kind(db) == DeclKind::Var {
        (RowKind::Variable, layers.iter().map(|it| exists(it, Cell::Exists)).collect())
    } else {
        let sig = hir::proc_sig_of(db, program, decl)?;
        let mover = sig.mover.unwrap_or(Mover::Atomic);
        match sig.kind {
            ProcKind::Action { .. } => {
                (RowKind::Action, layers.iter().map(|it| exists(it, Cell::Mover(mover))).collect())
            }
            ProcKind::Invariant { .. } => {
                (RowKind::Invariant, layers.iter().map(|it| exists(it, Cell::Exists)).collect())
            }
            ProcKind::Yield => {
                let cell = |layer: &Layer| procedure_cell(db, program, &sig, *layer);
                (RowKind::Procedure, layers.iter().map(cell).collect())
            }
            ProcKind::Plain | ProcKind::Pure => return None,
        }
    };
    Some(LayerRow { kind, name: decl.name(db).listed(), place: hir::decl_place(db, decl), cells })
}

fn procedure_cell(db: &dyn Db, program: Program, sig: &ProcSig, layer: Layer) -> Cell {
    match procedure_at(db, program, sig, layer) {
        ProcedureAt::Code => Cell::Code,
        ProcedureAt::Mover(mover) => Cell::Mover(mover),
        ProcedureAt::Action(action) => Cell::IsAction(action),
        ProcedureAt::Skip => Cell::Skip,
        ProcedureAt::Gone => Cell::Absent,
    }
}

fn mover_rows(db: &dyn Db, program: Program, decl: DeclId) -> Vec<MoverRow> {
    let parts = || {
        let kinds = [DeclKind::YieldProcedure, DeclKind::Implementation];
        let sig = kinds.contains(&decl.kind(db)).then(|| hir::proc_sig_of(db, program, decl))??;
        let top = sig.layer().filter(|_| sig.is_yield_procedure())?;
        Some((sig, top, hir::body(db, program, decl)?, hir::body_map(db, program, decl)?))
    };
    let Some((sig, top, body, map)) = parts() else { return Vec::new() };
    let layers = code_layers(db, program, top);
    let mut out = Vec::new();
    for (index, stmt) in body.stmts.iter().enumerate() {
        if let Stmt::Yield { layers: own, .. } = stmt {
            let label = |layer: &Layer| {
                (*layer, if own.contains(*layer) { Label::Yield } else { Label::Private })
            };
            out.push(MoverRow {
                caller: sig.name.clone(),
                callee: Name::new("yield"),
                place: map.stmt(StmtId::from_index(index)),
                labels: layers.iter().map(label).collect(),
            });
        }
        let Stmt::Call { arms, is_async, .. } = stmt else { continue };
        for arm in arms {
            let label = |layer: &Layer| {
                let call = (arm, *is_async);
                (*layer, call_labels(db, program, call, &body.exprs, *layer).atomicity)
            };
            out.push(MoverRow {
                caller: sig.name.clone(),
                callee: arm.callee.clone(),
                place: map.stmt(StmtId::from_index(index)),
                labels: layers.iter().map(label).collect(),
            });
        }
    }
    out
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Absent => "-".to_owned(),
        Cell::Exists => "x".to_owned(),
        Cell::Mover(mover) => mover.to_string(),
        Cell::Code => "code".to_owned(),
        Cell::IsAction(name) => name.listed().to_string(),
        Cell::Skip => "skip".to_owned(),
    }
}

/// Columns padded to their widest entry, two spaces apart.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |i: usize| lines.iter().filter_map(|it| it.get(i)).map(|it| it.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (entry, width) in line.iter().zip(&widths) {
            // Writing to a string cannot fail.
            let _written = write!(text, "{entry:<width$}  ");
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::{layer_table, layer_text, mover_table, mover_text};
    use crate::fixture::{Database, program};

    const PROGRAM: &str = r#"
var {:layer 0,2} x: int;
yield invariant {:layer 1} I(); preserves true;
left action {:layer 1} A_L() { x := 0; }
yield procedure {:layer 0} L(); refines A_L;
yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := 1; }
{
  call L();
  call I();
}
yield left procedure {:layer 1} M() { call L(); }
yield procedure {:layer 2} Q() { call P(); }
"#;

    #[test]
    fn the_layer_table_shows_what_everything_is_at_each_layer() {
        let db = Database::default();
        let text = layer_text(&layer_table(&db, program(&db, PROGRAM)));
        expect![[r#"
            kind       name    0     1     2
            variable   x       x     x     x
            action     A_L     -     left  -
            action     _ of P  -     -     atomic
            procedure  L       code  A_L   -
            procedure  P       code  code  _ of P
            procedure  M       code  left  -
            procedure  Q       code  code  code
            invariant  I       -     x     -
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn the_mover_table_shows_the_label_of_each_call_at_each_layer() {
        let db = Database::default();
        let text = mover_text(&db, &mover_table(&db, program(&db, PROGRAM)));
        expect![[r#"
            line  caller  callee  labels
            9     P       L       1:L
            10    P       I       1:Y
            12    M       L       1:L
            13    Q       P       1:Y 2:N
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn the_mover_table_shows_at_which_layers_a_statement_yields() {
        let db = Database::default();
        let text =
            PROGRAM.replace("{ call P(); }", "{ call P(); yield; yield {:layer 1} x == 0; }");
        let text = mover_text(&db, &mover_table(&db, program(&db, &text)));
        expect![[r#"
            line  caller  callee  labels
            9     P       L       1:L
            10    P       I       1:Y
            12    M       L       1:L
            13    Q       P       1:Y 2:N
            13    Q       yield   1:P 2:Y
            13    Q       yield   1:Y 2:P
        "#]]
        .assert_eq(&text);
    }
}
