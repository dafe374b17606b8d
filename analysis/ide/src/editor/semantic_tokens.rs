//! Tokens with their meaning, for highlighting.

#![allow(clippy::wildcard_enum_match_arm, reason = "most kinds of tokens are punctuation")]

use base::{DeclKind, Program};
use hir::LinearKind;
use syntax::{SyntaxKind, SyntaxToken};

use crate::Analysis;
use crate::editor::answers::{Access, SymbolKind, Token, TokenClass, TokenModifier};
use crate::editor::semantics::{Definition, NameUse, Resolver};
use crate::types::{FileId, ProgramId};

impl Analysis {
    /// The meaningful tokens of a file, in order; comments of several lines are cut at line ends.
    pub fn semantic_tokens(&self, program: ProgramId, file: FileId) -> Vec<Token> {
        let source = self.source(file);
        let resolver = self.resolver(self.program(program), source);
        let mut out = Vec::new();
        for token in self.root(source).descendants_with_tokens().filter_map(|e| e.into_token()) {
            if let Some((class, modifiers)) = self.classify(&resolver, &token) {
                push_lines(&mut out, &token, class, modifiers);
            }
        }
        out
    }

    fn classify(&self, resolver: &Resolver<'_>, token: &SyntaxToken) -> Option<(TokenClass, u32)> {
        let parent = token.parent()?.kind();
        match token.kind() {
            SyntaxKind::LINE_COMMENT | SyntaxKind::BLOCK_COMMENT => Some((TokenClass::Comment, 0)),
            SyntaxKind::STRING => Some((TokenClass::String, 0)),
            SyntaxKind::INT_NUMBER
            | SyntaxKind::DECIMAL_NUMBER
            | SyntaxKind::FLOAT_NUMBER
            | SyntaxKind::BV_NUMBER => Some((TokenClass::Number, 0)),
            _ if parent == SyntaxKind::ATTRIBUTE_NAME => Some((TokenClass::Decorator, 0)),
            _ if matches!(parent, SyntaxKind::NAME | SyntaxKind::NAME_REF) => {
                let name = resolver.resolve(token)?;
                Some((class(self, &name.definition), self.modifiers(resolver.program, &name)))
            }
            SyntaxKind::INT_KW | SyntaxKind::BOOL_KW | SyntaxKind::REAL_KW => {
                Some((TokenClass::Type, 0))
            }
            kind if kind.is_keyword() => Some((TokenClass::Keyword, 0)),
            _ => None,
        }
    }

    fn modifiers(&self, program: Program, name: &NameUse) -> u32 {
        let mut bits = match name.access {
            Access::Declare => TokenModifier::Declaration.bit(),
            Access::Write => TokenModifier::Modification.bit(),
            Access::Read | Access::Call => 0,
        };
        let Definition::Global(decl) = &name.definition else { return bits };
        if decl.file(&self.db).library(&self.db).is_some() {
            bits |= TokenModifier::DefaultLibrary.bit();
        }
        match decl.kind(&self.db) {
            DeclKind::Const => bits |= TokenModifier::Readonly.bit(),
            DeclKind::Var => {
                let var = hir::global_of(&self.db, program, *decl);
                if var.as_ref().is_some_and(|v| v.linear != LinearKind::Ordinary) {
                    bits |= TokenModifier::Linear.bit();
                }
                if var.is_some_and(|v| v.layers != hir::LayerRange::ALL) {
                    bits |= TokenModifier::Layered.bit();
                }
            }
            DeclKind::Action => bits |= TokenModifier::Mover.bit(),
            DeclKind::YieldProcedure | DeclKind::Invariant => bits |= TokenModifier::Yields.bit(),
            DeclKind::Type
            | DeclKind::Datatype
            | DeclKind::Function
            | DeclKind::Axiom
            | DeclKind::Procedure
            | DeclKind::Implementation => {}
        }
        bits
    }
}

fn class(analysis: &Analysis, definition: &Definition) -> TokenClass {
    match definition {
        Definition::Constructor(..) => TokenClass::EnumMember,
        Definition::Field(..) => TokenClass::Property,
        Definition::Local { kind, .. } => match kind {
            SymbolKind::Parameter => TokenClass::Parameter,
            SymbolKind::TypeVariable => TokenClass::TypeParameter,
            SymbolKind::Label => TokenClass::Label,
            _ => TokenClass::Variable,
        },
        Definition::Global(decl) => match decl.kind(&analysis.db) {
            DeclKind::Type | DeclKind::Datatype => TokenClass::Type,
            DeclKind::Const | DeclKind::Var | DeclKind::Axiom => TokenClass::Variable,
            DeclKind::Function => TokenClass::Function,
            DeclKind::Procedure
            | DeclKind::Action
            | DeclKind::YieldProcedure
            | DeclKind::Invariant
            | DeclKind::Implementation => TokenClass::Method,
        },
    }
}

fn push_lines(out: &mut Vec<Token>, token: &SyntaxToken, class: TokenClass, modifiers: u32) {
    let mut start: u32 = token.text_range().start().into();
    for line in base::with_line_feeds(token.text()).split_inclusive('\n') {
        let length = u32::try_from(line.trim_end_matches(['\n', '\r']).len()).unwrap_or(0);
        if length > 0 {
            out.push(Token { start, end: start + length, class, modifiers });
        }
        start += u32::try_from(line.len()).unwrap_or(0);
    }
}
