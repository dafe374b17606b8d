//! Every use of a name.

use base::{Program, SourceFile};
use syntax::ast;

use crate::Analysis;
use crate::editor::answers::{Position, Reference};
use crate::editor::semantics::Definition;

impl Analysis {
    /// Every use of the name at the cursor, its declaration included, in order.
    pub fn references(&self, at: Position) -> Vec<Reference> {
        let Some(name) = self.name_at(at) else { return Vec::new() };
        let text = ast::ident_text(name.token.text()).to_owned();
        let mut found = self.uses(self.program(at.program), &name.definition, &text);
        found.sort();
        found.dedup();
        found
    }

    pub(crate) fn uses(
        &self,
        program: Program,
        definition: &Definition,
        text: &str,
    ) -> Vec<Reference> {
        let files: Vec<SourceFile> = match definition {
            Definition::Local { file, .. } => vec![*file],
            Definition::Global(_) | Definition::Constructor(..) | Definition::Field(..) => {
                self.files_of(program).to_vec()
            }
        };
        let mut found = Vec::new();
        for file in files {
            let resolver = self.resolver(program, file);
            let same_text = |token: &syntax::SyntaxToken| ast::ident_text(token.text()) == text;
            for name in resolver.names_below(&self.root(file), &same_text) {
                if name.definition == *definition {
                    let at = self.token_location(file, &name.token);
                    found.extend(at.map(|at| Reference { at, access: name.access }));
                }
            }
        }
        found
    }
}
