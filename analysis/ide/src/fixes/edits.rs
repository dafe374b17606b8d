//! The repairs themselves: from the place of a problem to replacements of text.

use std::collections::BTreeSet;

use hir::{Param, ProcSig};
use syntax::ast::{self, AstNode, HasAttributes};
use syntax::{SyntaxKind, SyntaxNode};

use super::text::{
    end_of, first_token, indentation, previous_keyword, signature_around, start, statement_at,
    token_at, trimmed, whole,
};
use crate::Analysis;
use crate::editor::semantics::{Definition, scope_names};
use crate::types::{Diagnostic, Fix, Location, ProgramId};

/// A call of a yield invariant, or a statement `yield;`, before the offending
/// statement.
pub(super) fn insert_yield(
    analysis: &Analysis,
    program: ProgramId,
    problem: &Diagnostic,
) -> Vec<Fix> {
    let Some(statement) = statement_at(analysis, problem.at) else { return Vec::new() };
    let before = Location { end: start(&statement), start: start(&statement), ..problem.at };
    let indent = indentation(&statement);
    let mut fixes = Vec::new();
    for call in fitting_calls(analysis, program, &statement) {
        let title = format!("insert `call {call}` before this statement");
        fixes.push(Fix { title, edits: vec![(before, format!("call {call};\n{indent}"))] });
    }
    let title = "insert a yield before this statement".to_owned();
    fixes.push(Fix { title, edits: vec![(before, format!("yield;\n{indent}"))] });
    fixes
}

/// Calls of yield invariants at the layer of the procedure around a statement, with arguments that
/// are in scope there.
fn fitting_calls(
    analysis: &Analysis,
    program: ProgramId,
    statement: &SyntaxNode,
) -> BTreeSet<String> {
    let input = analysis.program(program);
    let sig = signature_around(analysis, input, statement.ancestors());
    let Some(sig) = sig else { return BTreeSet::new() };
    let scope = variables(analysis, input, &sig, statement);
    let all = hir::global_names(&analysis.db, input, hir::NameSpace::Procedure).into_iter();
    let call = |name: base::Name| {
        let invariant = hir::proc_sig(&analysis.db, input, name)?;
        let fits = invariant.kind == hir::ProcKind::Invariant { global: false }
            && invariant.layer() == sig.layer();
        let arguments = invariant.ins.iter().map(|param| argument(param, &scope));
        let arguments: Vec<String> = arguments.collect::<Option<_>>().filter(|_| fits)?;
        Some(format!("{}({})", invariant.name, arguments.join(", ")))
    };
    all.filter_map(|(name, _)| call(name)).collect()
}

/// The variables in scope at a statement with their types as written, the innermost first.
fn variables(
    analysis: &Analysis,
    program: base::Program,
    sig: &ProcSig,
    statement: &SyntaxNode,
) -> Vec<(String, String)> {
    let file = sig.decl.file(&analysis.db);
    let resolver = analysis.resolver(program, file);
    let (mut found, mut inner) = (Vec::new(), None);
    for scope in statement.ancestors() {
        for (token, kind) in scope_names(&scope, inner.as_ref()) {
            let definition = Definition::Local { file, range: token.text_range(), kind };
            if let Some(ty) = resolver.variable_type(&definition) {
                found.push((token.text().to_owned(), without_space(&ty.text().to_string())));
            }
        }
        inner = Some(scope);
    }
    found
}

/// The variable of the same name and type, or else of the same type.
fn argument(param: &Param, scope: &[(String, String)]) -> Option<String> {
    let ty = without_space(&param.ty.to_string());
    let mut fitting = scope.iter().filter(|(_, own)| *own == ty).map(|(name, _)| name);
    let same = fitting.clone().find(|name| name.as_str() == param.name.as_str());
    same.or_else(|| fitting.next()).cloned()
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// `invariant {:yields} true;` at the head of the loop.
pub(super) fn mark_loop_yielding(
    analysis: &Analysis,
    _: ProgramId,
    problem: &Diagnostic,
) -> Vec<Fix> {
    let Some(token) = token_at(analysis, problem.at) else { return Vec::new() };
    let Some(head) = token.parent_ancestors().find_map(ast::WhileStmt::cast) else {
        return Vec::new();
    };
    let Some(guard) = head.guard() else { return Vec::new() };
    let at = end_of(problem.at, guard.syntax());
    let indent = indentation(head.syntax());
    let text = format!("\n{indent}  invariant {{:yields}} true;");
    vec![Fix { title: "mark the loop as yielding".into(), edits: vec![(at, text)] }]
}

/// Two neighbouring arms of a parallel call in the other order, for every pair of neighbours.
pub(super) fn reorder_arms(analysis: &Analysis, _: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let arms = arms_at(analysis, problem.at);
    let swap = |pair: &[ast::CallArm]| {
        let (first, second) = (&pair[0], &pair[1]);
        let edit = |to: &ast::CallArm, from: &ast::CallArm| {
            (whole(problem.at, to.syntax()), trimmed(from.syntax()))
        };
        let title = format!("swap `{}` and `{}`", callee(first), callee(second));
        Fix { title, edits: vec![edit(first, second), edit(second, first)] }
    };
    arms.windows(2).map(swap).collect()
}

/// One call per arm, one after the other.
pub(super) fn split_arms(analysis: &Analysis, _: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let arms = arms_at(analysis, problem.at);
    let Some(call) =
        arms.first().and_then(|arm| arm.syntax().parent()).and_then(|call| call.parent())
    else {
        return Vec::new();
    };
    if arms.len() < 2 {
        return Vec::new();
    }
    let indent = indentation(&call);
    let calls: Vec<String> =
        arms.iter().map(|arm| format!("call {};", trimmed(arm.syntax()))).collect();
    let text = calls.join(&format!("\n{indent}"));
    vec![Fix {
        title: "make it separate calls".into(),
        edits: vec![(whole(problem.at, &call), text)],
    }]
}

/// The layer range of the variable, wide enough for the layer of the procedure around the use.
pub(super) fn widen_layers(
    analysis: &Analysis,
    program: ProgramId,
    problem: &Diagnostic,
) -> Vec<Fix> {
    let input = analysis.program(program);
    let Some(token) = token_at(analysis, problem.at) else { return Vec::new() };
    let name = base::Name::new(ast::ident_text(token.text()));
    let Some(var) = hir::global(&analysis.db, input, name) else { return Vec::new() };
    let Some(node) = hir::decl_node(&analysis.db, var.decl) else { return Vec::new() };
    let Some(attribute) = ast::GlobalVarDecl::cast(node).and_then(|d| d.attribute("layer")) else {
        return Vec::new();
    };
    let Some(file) = analysis.file_id(var.decl.file(&analysis.db)) else { return Vec::new() };
    let at = whole(Location { file, ..problem.at }, attribute.syntax());
    let sig = signature_around(analysis, input, token.parent_ancestors());
    let Some(used) = sig.and_then(|sig| sig.layers) else { return Vec::new() };
    let range = var.layers.hull(used);
    let text = format!("{{:layer {},{}}}", range.low(), range.high());
    vec![Fix {
        title: format!("widen the layers of `{}` to {range}", var.name),
        edits: vec![(at, text)],
    }]
}

/// `{:layer 1}` after the keyword of the declaration, or the layer of the procedure after a clause.
pub(super) fn add_layer(analysis: &Analysis, program: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let Some(token) = token_at(analysis, problem.at) else { return Vec::new() };
    let item = token.parent_ancestors().find_map(ast::Item::cast);
    let clause = token.parent_ancestors().find(|n| ast::SpecClause::can_cast(n.kind()));
    let input = analysis.program(program);
    let sig = signature_around(analysis, input, token.parent_ancestors());
    let layer = sig.and_then(|sig| sig.layer()).map_or(1, |layer| layer.0);
    let place = match (clause, item) {
        (Some(clause), _) => first_token(&clause),
        (None, Some(item)) => item.name().and_then(|name| previous_keyword(&name)),
        (None, None) => None,
    };
    let Some(keyword) = place else { return Vec::new() };
    let end: u32 = keyword.text_range().end().into();
    let at = Location { start: end, end, ..problem.at };
    vec![Fix {
        title: format!("add `{{:layer {layer}}}`"),
        edits: vec![(at, format!(" {{:layer {layer}}}"))],
    }]
}

/// A `modifies` clause for the variable named in the message.
pub(super) fn add_modifies(analysis: &Analysis, _: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let Some(token) = token_at(analysis, problem.at) else { return Vec::new() };
    let Some(item) = token.parent_ancestors().find_map(ast::Item::cast) else { return Vec::new() };
    let Some(body) = item.syntax().children().find(|n| n.kind() == SyntaxKind::BODY) else {
        return Vec::new();
    };
    let Some(name) = problem.message.split('`').nth(1) else { return Vec::new() };
    let at = Location { start: start(&body), end: start(&body), ..problem.at };
    vec![Fix {
        title: format!("add `modifies {name};`"),
        edits: vec![(at, format!("modifies {name};\n"))],
    }]
}

fn arms_at(analysis: &Analysis, at: Location) -> Vec<ast::CallArm> {
    let call =
        token_at(analysis, at).and_then(|t| t.parent_ancestors().find_map(ast::CallStmt::cast));
    call.map(|call| call.syntax().descendants().filter_map(ast::CallArm::cast).collect())
        .unwrap_or_default()
}

fn callee(arm: &ast::CallArm) -> String {
    arm.name_ref().map(|name| name.text()).unwrap_or_default()
}
