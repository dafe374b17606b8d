//! What a person reads when resting on a name.

#![allow(clippy::wildcard_enum_match_arm, reason = "all other kinds are variables")]

use std::fmt::Write;

use base::{DeclId, DeclKind, Name, Program};
use hir::{ClauseKind, ProcSig};
use syntax::ast::{self, AstNode};

use crate::Analysis;
use crate::editor::answers::{Hover, Position, SymbolKind};
use crate::editor::describe::range_text;
use crate::editor::semantics::{Definition, Resolver};

impl Analysis {
    /// What the name, keyword or attribute at the cursor means.
    pub fn hover(&self, at: Position) -> Option<Hover> {
        let (program, file) = (self.program(at.program), self.source(at.file));
        let resolver = self.resolver(program, file);
        let Some(name) = resolver.at(at.offset.into()) else {
            return self.hover_attribute(at).or_else(|| self.hover_checked(at));
        };
        let here = self.token_location(file, &name.token)?;
        let (markdown, subject) = match &name.definition {
            Definition::Global(decl) => self.hover_global(program, *decl)?,
            Definition::Constructor(decl, ctor) => {
                (self.hover_constructor(program, *decl, ctor)?, None)
            }
            Definition::Field(decl, field) => (self.hover_field(program, *decl, field)?, None),
            Definition::Local { kind, .. } => {
                let text = ast::ident_text(name.token.text());
                (self.hover_local(&resolver, &name.definition, text, *kind), None)
            }
        };
        Some(Hover { at: here, markdown, subject })
    }

    fn hover_global(&self, program: Program, decl: DeclId) -> Option<(String, Option<String>)> {
        let mut text = fenced(&self.signature_text(program, decl)?);
        let subject = hir::proc_sig_of(&self.db, program, decl);
        match (decl.kind(&self.db), &subject) {
            (DeclKind::Var, _) => text.push_str(&self.variable_life(program, decl)),
            (_, Some(sig)) => text.push_str(&self.proc_facts(program, sig)),
            (_, None) => {}
        }
        let action = hir::decl_node(&self.db, decl).and_then(ast::ActionDecl::cast);
        let words =
            action.map(|action| crate::editor::action_words::lines(&action)).unwrap_or_default();
        if !words.is_empty() {
            let _infallible = write!(text, "\n\nin one step it\n{}", words.join("\n"));
        }
        if let Some(doc) = self.doc_comment(decl) {
            let _infallible = write!(text, "\n\n{doc}");
        }
        Some((text, subject.map(|sig| sig.name.to_string())))
    }

    fn variable_life(&self, program: Program, decl: DeclId) -> String {
        let Some(var) = hir::global_of(&self.db, program, decl) else { return String::new() };
        let range = range_text(Some(var.layers));
        if range.is_empty() { String::new() } else { format!("\n\nexists at layers {range}") }
    }

    /// Where it exists, how it moves, what it changes, what must hold before.
    fn proc_facts(&self, program: Program, sig: &ProcSig) -> String {
        let mut facts: Vec<String> = Vec::new();
        if sig.is_action() {
            let mover = sig.mover.map_or("", mover_words);
            facts.push(format!("{mover}; exists at layers {}", range_text(sig.layers)));
        } else if sig.is_yield_procedure()
            && let Some(layer) = sig.layer()
        {
            facts.push(match (&sig.refines, sig.mover) {
                (Some(action), _) => {
                    format!(
                        "disappears at layer {layer}: above it, calls are calls of `{}`",
                        action.titled()
                    )
                }
                (None, Some(mover)) => format!("{}; checked at layer {layer}", mover_words(mover)),
                (None, None) => format!("disappears at layer {layer}: above it, calls do nothing"),
            });
        }
        let modifies = hir::modifies(&self.db, program, sig.name.clone());
        if !modifies.is_empty() {
            let names: Vec<String> = modifies.iter().map(|name| format!("`{name}`")).collect();
            facts.push(format!("may change {}", names.join(", ")));
        }
        let gate = self.clause_texts(program, sig);
        let mut out: String = facts.iter().map(|fact| format!("\n\n{fact}")).collect();
        if !gate.is_empty() {
            let _infallible = write!(out, "\n\n{}", fenced(&gate.join("\n")));
        }
        out
    }

    /// Requirements and gate, as written.
    fn clause_texts(&self, program: Program, sig: &ProcSig) -> Vec<String> {
        let (Some(specs), Some(map)) =
            (hir::specs(&self.db, program, sig.decl), hir::specs_map(&self.db, program, sig.decl))
        else {
            return Vec::new();
        };
        let text = |number: usize| {
            let place = map.place(map.clauses.get(number)?.whole());
            let at = hir::place_range(&self.db, place);
            let source = at.file.text(&self.db);
            source
                .get(usize::from(at.range.start())..usize::from(at.range.end()))
                .map(str::to_owned)
        };
        let kinds =
            [ClauseKind::Requires, ClauseKind::Preserves, ClauseKind::Asserts, ClauseKind::Ensures];
        let numbers = kinds
            .into_iter()
            .flat_map(|kind| specs.of_kind(kind).map(|(n, _)| n).collect::<Vec<_>>());
        numbers.filter_map(text).collect()
    }

    fn hover_constructor(&self, program: Program, decl: DeclId, ctor: &Name) -> Option<String> {
        let sig = hir::func_sig(&self.db, program, ctor.clone())?;
        let text = format!(
            "{ctor}({}): {}",
            crate::editor::describe::params(&sig.params, false),
            sig.result
        );
        Some(format!("{}\n\nconstructor of `{}`", fenced(&text), decl.name(&self.db)))
    }

    fn hover_field(&self, program: Program, decl: DeclId, field: &Name) -> Option<String> {
        let datatype = hir::datatype_of(&self.db, program, decl)?;
        let ty = datatype.field_ty(field)?;
        Some(format!("{}\n\nfield of `{}`", fenced(&format!("{field}: {ty}")), datatype.name))
    }

    fn hover_local(
        &self,
        resolver: &Resolver<'_>,
        definition: &Definition,
        name: &str,
        kind: SymbolKind,
    ) -> String {
        let word = match kind {
            SymbolKind::Parameter => "parameter",
            SymbolKind::Bound => "bound variable",
            SymbolKind::TypeVariable => "type variable",
            SymbolKind::Label => "label",
            _ => "local variable",
        };
        let ty = resolver.variable_type(definition);
        let attributes = ty.as_ref().and_then(|ty| ty.parent()).map(|group| {
            let attributes = group.children().filter_map(ast::Attribute::cast);
            attributes
                .map(|a| format!("{} ", a.syntax().text().to_string().trim()))
                .collect::<String>()
        });
        let ty = ty.map(|ty| format!(": {}", ty.text().to_string().trim())).unwrap_or_default();
        format!("{}\n\n{word}", fenced(&format!("{}{name}{ty}", attributes.unwrap_or_default())))
    }

    /// At which layers an assertion or clause is checked; nothing in a program with errors, which
    /// has no obligations.
    fn hover_checked(&self, at: Position) -> Option<Hover> {
        if crate::diagnostics::has_error(&self.check(at.program)) {
            return None;
        }
        let checked = self.checked_at(at)?;
        Some(Hover { at: checked.at, markdown: checked.words(), subject: None })
    }

    fn hover_attribute(&self, at: Position) -> Option<Hover> {
        let file = self.source(at.file);
        let tokens = self.root(file).token_at_offset(at.offset.into());
        let token = tokens
            .into_iter()
            .find(|t| t.parent().is_some_and(|p| ast::AttributeName::can_cast(p.kind())))?;
        let words = crate::editor::words::attribute(token.text())?;
        Some(Hover {
            at: self.token_location(file, &token)?,
            markdown: words.to_owned(),
            subject: None,
        })
    }
}

fn mover_words(mover: hir::Mover) -> &'static str {
    match mover {
        hir::Mover::Atomic => "non-mover: it commutes with nothing in general",
        hir::Mover::Left => "left mover: it can be done earlier, before any concurrent action",
        hir::Mover::Right => "right mover: it can be done later, after any concurrent action",
        hir::Mover::Both => "both mover: it commutes with every concurrent action",
    }
}

fn fenced(text: &str) -> String {
    format!("```civl\n{text}\n```")
}
