//! The stages of the pipeline as text, for people who want to look inside.

use crate::{Analysis, ProgramId};

/// A stage that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The tokens of each file.
    Tokens,
    /// The syntax tree of each file.
    Tree,
    /// Declarations and signatures.
    Decls,
    /// Control-flow graphs of bodies.
    Cfg,
    /// The program as seen at each layer.
    View,
    /// Proof obligations.
    Obligations,
    /// Names of the units that are proved, as the reference calls them.
    Units,
}

impl Analysis {
    /// The program at a stage, or why it cannot be shown.
    pub fn dump(&self, _program: ProgramId, stage: Stage) -> Result<String, String> {
        Err(format!("stage {stage:?} cannot be shown yet"))
    }
}

impl Analysis {
    /// Each obligation as an SMT-LIB script, by name.
    pub fn smt2(&self, _program: ProgramId) -> Result<Vec<(String, String)>, String> {
        Err("questions cannot be written as SMT-LIB yet".into())
    }

    /// The table of variables, actions, procedures and invariants by layer.
    pub fn layer_table(&self, _program: ProgramId) -> String {
        String::new()
    }

    /// The declarations of a file that exist at a layer, as text.
    pub fn layer_view(
        &self,
        _program: ProgramId,
        _file: crate::FileId,
        _layer: Option<u32>,
    ) -> String {
        String::new()
    }

    /// The mover label of each call at each layer.
    pub fn mover_table(&self, _program: ProgramId) -> String {
        String::new()
    }
}
