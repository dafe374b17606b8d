//! Units and obligations as text.

use std::fmt::Write;

use crate::dump::Stage;
use crate::{Analysis, ProgramId};

impl Analysis {
    pub(crate) fn dump_proof(&self, program: ProgramId, stage: Stage) -> Result<String, String> {
        let input = self.program(program);
        let mut out = String::new();
        for entry in obligations::units(&self.db, input).iter() {
            if stage == Stage::Units {
                let skipped = entry
                    .skipped
                    .as_ref()
                    .map(|why| format!("\tskipped: {why}"))
                    .unwrap_or_default();
                let _infallible = writeln!(out, "{}{skipped}", entry.name);
                continue;
            }
            if entry.skipped.is_some() {
                continue;
            }
            let unit = obligations::unit_of(&self.db, input, entry.key.clone());
            if stage == Stage::View {
                let _infallible = writeln!(out, "// {}\n{:#?}\n", unit.name, unit.program);
                continue;
            }
            for task in obligations::obligations(&self.db, input, entry.key.clone()).iter() {
                let _infallible = writeln!(out, "// {} {}", task.obligation.id, task.fingerprint);
                let _infallible =
                    writeln!(out, "{}", ir::pretty::write_obligation(&task.obligation));
            }
        }
        Ok(out)
    }

    /// Each obligation as an SMT-LIB script, by name.
    pub fn smt2(&self, program: ProgramId) -> Result<Vec<(String, String)>, String> {
        let input = self.program(program);
        let mut scripts = Vec::new();
        for entry in obligations::units(&self.db, input).iter().filter(|e| e.skipped.is_none()) {
            for task in obligations::obligations(&self.db, input, entry.key.clone()).iter() {
                let script = prover::smt2(&task.obligation.question)?;
                scripts.push((task.obligation.id.to_string(), script));
            }
        }
        Ok(scripts)
    }
}
