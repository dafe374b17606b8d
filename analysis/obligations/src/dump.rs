//! Units and questions as text, for people who want to look inside.
//!
//! **Out:** one line per unit under the name of the reference; questions in the form that
//! [`ir::pretty`] reads back.

use std::fmt::Write;

use base::Program;
use hir::Layer;

use crate::{Db, layer_unit, obligations, units, view};

/// One line per unit, in order: its name; after a tab, why it is skipped, if it is.
pub fn dump_units(db: &dyn Db, program: Program) -> String {
    let mut out = String::new();
    for unit in units(db, program).iter() {
        out.push_str(&unit.name);
        if let Some(why) = unit.skipped {
            let _ = write!(out, "\tskipped: {}", crate::render::skip(why));
        }
        out.push('\n');
    }
    out
}

/// Every question, in the order of the units, as text that can be read back and asked alone.
pub fn dump_obligations(db: &dyn Db, program: Program) -> String {
    let mut out = String::new();
    for unit in units(db, program).iter().filter(|unit| unit.skipped.is_none()) {
        for task in obligations(db, program, unit.key.clone()).iter() {
            let _ = writeln!(out, "; {} [{}] {}", task.obligation.id, unit.name, task.fingerprint);
            for problem in &task.unsupported {
                let _ = writeln!(out, "; not supported: {}", problem.what);
            }
            out.push_str(&ir::pretty::write_obligation(&task.obligation));
            out.push('\n');
        }
    }
    out
}

/// The program at one layer, or at every layer with code, as text that can be read back.
pub fn dump_layers(db: &dyn Db, program: Program, layer: Option<u32>) -> String {
    let layers = layer.map_or_else(|| view::layers(db, program), |layer| vec![Layer(layer)]);
    let texts = layers
        .into_iter()
        .map(|layer| ir::pretty::write_layer(&layer_unit(db, program, layer).program));
    texts.collect::<Vec<String>>().join("\n")
}
