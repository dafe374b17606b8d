//! The stages of the pipeline as text, for people who want to look inside.

use std::fmt::Write;

use base::SourceFile;
use syntax::{NodeOrToken, WalkEvent};

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
    /// The program as engines execute it, at one layer or at each.
    View(Option<u32>),
    /// Proof obligations.
    Obligations,
    /// Names of the units that are proved, as the reference calls them.
    Units,
}

impl Analysis {
    /// The program at a stage, or why it cannot be shown.
    pub fn dump(&self, program: ProgramId, stage: Stage) -> Result<String, String> {
        let input = self.program(program);
        let of_files = |show: fn(&Analysis, SourceFile, &mut String)| {
            let mut out = String::new();
            for file in input.files(&self.db) {
                show(self, *file, &mut out);
            }
            out
        };
        match stage {
            Stage::Tokens => Ok(of_files(tokens)),
            Stage::Tree => Ok(of_files(tree)),
            Stage::Decls => Ok(self.decls(program)),
            Stage::Cfg => Ok(self.graphs(program)),
            Stage::View(_) | Stage::Obligations | Stage::Units => self.dump_proof(program, stage),
        }
    }

    fn decls(&self, program: ProgramId) -> String {
        let program = self.program(program);
        let mut out = String::new();
        for decl in hir::program_decls(&self.db, program).iter() {
            let Some(text) = self.signature_text(program, *decl) else { continue };
            let file = decl.file(&self.db).base_name(&self.db);
            let _infallible = writeln!(out, "{file}: {text}");
        }
        out
    }

    fn graphs(&self, program: ProgramId) -> String {
        let program = self.program(program);
        let mut out = String::new();
        for decl in hir::program_decls(&self.db, program).iter() {
            if let Some(text) = hir::pretty::cfg_text(&self.db, program, *decl) {
                let _infallible = writeln!(out, "{text}");
            }
        }
        out
    }
}

fn tokens(analysis: &Analysis, file: SourceFile, out: &mut String) {
    let root = hir::parse(&analysis.db, file).syntax_node();
    let all = root.descendants_with_tokens().filter_map(NodeOrToken::into_token);
    for token in all {
        let _infallible =
            writeln!(out, "{:?}@{:?} {:?}", token.kind(), token.text_range(), token.text());
    }
}

fn tree(analysis: &Analysis, file: SourceFile, out: &mut String) {
    let root = hir::parse(&analysis.db, file).syntax_node();
    let mut depth = 0;
    for event in root.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(element) => {
                let (kind, range) = (element.kind(), element.text_range());
                let text = element
                    .as_token()
                    .map(|token| format!(" {:?}", token.text()))
                    .unwrap_or_default();
                let _infallible =
                    writeln!(out, "{:depth$}{kind:?}@{range:?}{text}", "", depth = 2 * depth);
                depth += 1;
            }
            WalkEvent::Leave(_) => depth -= 1,
        }
    }
}
