//! An action in words: when it fails, when it waits, what it does.
//!
//! **In:** the tree of an action. **Out:** lines of Markdown, gate first. They are read off the text,
//! statement by statement; nothing is computed, so they are right wherever the text is.

#![allow(clippy::wildcard_enum_match_arm, reason = "the other statements change nothing")]

use syntax::SyntaxNode;
use syntax::ast::{self, AstNode};

/// More lines than anyone reads in a hover.
const MOST_LINES: usize = 14;

/// The lines about an action; none without a body.
pub(crate) fn lines(action: &ast::ActionDecl) -> Vec<String> {
    let mut lines = Vec::new();
    for clause in action.spec_clauses() {
        if let ast::SpecClause::AssertsClause(clause) = clause {
            lines.extend(condition(clause.syntax()).map(|text| format!("- fails unless `{text}`")));
        }
    }
    let Some(body) = action.body() else { return lines };
    statements(body.syntax(), 0, &mut lines);
    if lines.is_empty() {
        lines.push("- changes nothing".into());
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines.push("- …".into());
    }
    lines
}

fn statements(block: &SyntaxNode, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for statement in block.children().filter_map(ast::Stmt::cast) {
        let node = statement.syntax();
        let line = match &statement {
            ast::Stmt::AssertStmt(_) => condition(node).map(|c| format!("fails unless `{c}`")),
            ast::Stmt::AssumeStmt(_) => condition(node).map(|c| format!("waits until `{c}`")),
            ast::Stmt::HavocStmt(_) => {
                let names: Vec<String> = node
                    .children()
                    .filter_map(ast::NameRef::cast)
                    .map(|name| format!("`{}`", name.text()))
                    .collect();
                Some(format!("chooses any value for {}", names.join(", ")))
            }
            ast::Stmt::AssignStmt(_) | ast::Stmt::UnpackStmt(_) => {
                Some(format!("sets `{}`", one_line(node).trim_end_matches(';')))
            }
            ast::Stmt::CallStmt(_) => {
                let text = one_line(node);
                let text = text.trim_end_matches(';');
                Some(format!("does `{}`", text.strip_prefix("call ").unwrap_or(text)))
            }
            ast::Stmt::IfStmt(branch) => {
                conditional(branch, depth, lines);
                None
            }
            _ => None,
        };
        lines.extend(line.map(|line| format!("{indent}- {line}")));
    }
}

fn conditional(branch: &ast::IfStmt, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let guard = branch.syntax().children().find_map(ast::Guard::cast);
    let words = match guard.as_ref().and_then(|guard| condition(guard.syntax())) {
        Some(text) => format!("if `{text}`:"),
        None => "either:".to_owned(),
    };
    lines.push(format!("{indent}- {words}"));
    for part in branch.syntax().children() {
        if ast::Block::can_cast(part.kind()) {
            statements(&part, depth + 1, lines);
        } else if let Some(other) = ast::ElseBranch::cast(part) {
            lines.push(format!("{indent}- otherwise:"));
            for part in other.syntax().children() {
                match ast::IfStmt::cast(part.clone()) {
                    Some(nested) => conditional(&nested, depth + 1, lines),
                    None => statements(&part, depth + 1, lines),
                }
            }
        }
    }
}

/// The expression of a statement, clause or guard.
fn condition(node: &SyntaxNode) -> Option<String> {
    node.children().find(|child| ast::Expr::can_cast(child.kind())).map(|expr| one_line(&expr))
}

fn one_line(node: &SyntaxNode) -> String {
    node.text().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
