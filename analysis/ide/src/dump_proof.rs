//! Units and obligations as text.

use crate::diagnostics::has_error;
use crate::dump::Stage;
use crate::{Analysis, ProgramId};

impl Analysis {
    pub(crate) fn dump_proof(&self, program: ProgramId, stage: Stage) -> Result<String, String> {
        let input = self.program(program);
        let problems = self.check(program);
        if has_error(&problems) {
            return Err("the program has static errors; `civl check` shows them".into());
        }
        Ok(match stage {
            Stage::Units => obligations::dump_units(&self.db, input),
            Stage::Obligations => obligations::dump_obligations(&self.db, input),
            Stage::View(layer) => obligations::dump_layers(&self.db, input, layer),
            Stage::Tokens | Stage::Tree | Stage::Decls | Stage::Cfg => String::new(),
        })
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
