//! Commands above declarations.

use crate::Analysis;
use crate::editor::answers::Lens;
use crate::editor::describe::symbol_kind;
use crate::types::{FileId, ProgramId};

impl Analysis {
    /// Everything that can be verified on its own, with the layers at which it can be shown.
    pub fn lenses(&self, program: ProgramId, file: FileId) -> Vec<Lens> {
        let input = self.program(program);
        let source = self.source(file);
        let own = self.procs(input).into_iter().filter(|decl| decl.file(&self.db) == source);
        let own = own.filter(|decl| !decl.name(&self.db).as_str().contains('@'));
        let lens = |decl: base::DeclId| {
            let sig = hir::proc_sig_of(&self.db, input, decl)?;
            let layers = if sig.is_yield_procedure() { sig.layer().map(|l| l.0) } else { None };
            Some(Lens {
                at: self.location(hir::decl_place(&self.db, decl))?,
                name: sig.name.to_string(),
                kind: symbol_kind(decl.kind(&self.db)),
                layers: layers.into_iter().flat_map(|layer| [layer, layer + 1]).collect(),
            })
        };
        own.filter_map(lens).collect()
    }
}
