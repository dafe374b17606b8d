//! The repairs themselves: from the place of a problem to replacements of text.

use syntax::ast::{self, AstNode, HasAttributes};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::Analysis;
use crate::types::{Diagnostic, Fix, Location, ProgramId};

/// A call of a yield invariant without parameters, or a statement `yield;`, before the offending
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
    for name in fitting_invariants(analysis, program, &statement) {
        let title = format!("insert `call {name}()` before this statement");
        fixes.push(Fix { title, edits: vec![(before, format!("call {name}();\n{indent}"))] });
    }
    let title = "insert a yield before this statement".to_owned();
    fixes.push(Fix { title, edits: vec![(before, format!("yield;\n{indent}"))] });
    fixes
}

/// Yield invariants without parameters at the layer of the procedure around a statement.
fn fitting_invariants(
    analysis: &Analysis,
    program: ProgramId,
    statement: &SyntaxNode,
) -> Vec<base::Name> {
    let input = analysis.program(program);
    let item = statement.ancestors().find_map(ast::Item::cast).and_then(|item| item.name());
    let sig =
        item.and_then(|name| hir::proc_sig(&analysis.db, input, base::Name::new(name.text())));
    let Some(layer) = sig.and_then(|sig| sig.layer()) else { return Vec::new() };
    let all = hir::global_names(&analysis.db, input, hir::NameSpace::Procedure).into_iter();
    let fits = |name: &base::Name| {
        let sig = hir::proc_sig(&analysis.db, input, name.clone());
        sig.is_some_and(|sig| {
            let is_yield = sig.kind == hir::ProcKind::Invariant { global: false };
            is_yield && sig.ins.is_empty() && sig.layer() == Some(layer)
        })
    };
    all.map(|(name, _)| name).filter(fits).collect()
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
    let user = token.parent_ancestors().find_map(ast::Item::cast).and_then(|item| item.name());
    let sig =
        user.and_then(|name| hir::proc_sig(&analysis.db, input, base::Name::new(name.text())));
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
    let sig = item
        .as_ref()
        .and_then(ast::Item::name)
        .and_then(|name| hir::proc_sig(&analysis.db, input, base::Name::new(name.text())));
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

/// The mover type `atomic` for each action the failure is about.
pub(super) fn weaken_mover(analysis: &Analysis, _: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let places = std::iter::once(problem.at).chain(problem.related.iter().map(|r| r.at));
    let fix = |at: Location| {
        let token = token_at(analysis, at)?;
        let action = token.parent_ancestors().find_map(ast::ActionDecl::cast)?;
        let mover = action.mover()?;
        let keyword = mover.token().filter(|token| token.kind() != SyntaxKind::ATOMIC_KW)?;
        let title = format!("make `{}` a non-mover", action.name()?.text());
        Some(Fix { title, edits: vec![(token_place(at, &keyword), "atomic".to_owned())] })
    };
    let mut fixes: Vec<Fix> = places.filter_map(fix).collect();
    fixes.dedup();
    fixes
}

fn token_at(analysis: &Analysis, at: Location) -> Option<SyntaxToken> {
    let root = analysis.root(analysis.source(at.file));
    (u32::from(root.text_range().end()) >= at.start)
        .then(|| root.token_at_offset(at.start.into()).right_biased())?
}

fn statement_at(analysis: &Analysis, at: Location) -> Option<SyntaxNode> {
    token_at(analysis, at)?.parent_ancestors().find(|node| ast::Stmt::can_cast(node.kind()))
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

fn first_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let mut tokens = node.descendants_with_tokens().filter_map(|e| e.into_token());
    tokens.find(|token| !token.kind().is_trivia())
}

fn last_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    let tokens = node.descendants_with_tokens().filter_map(|e| e.into_token());
    tokens.filter(|token| !token.kind().is_trivia()).last()
}

fn previous_keyword(name: &ast::Name) -> Option<SyntaxToken> {
    let first = name.ident_token()?;
    std::iter::successors(first.prev_token(), SyntaxToken::prev_token)
        .find(|token| token.kind().is_keyword())
}

fn start(node: &SyntaxNode) -> u32 {
    first_token(node).map_or(node.text_range().start(), |token| token.text_range().start()).into()
}

fn token_place(at: Location, token: &SyntaxToken) -> Location {
    Location {
        start: token.text_range().start().into(),
        end: token.text_range().end().into(),
        ..at
    }
}

fn end_of(at: Location, node: &SyntaxNode) -> Location {
    let end =
        last_token(node).map_or(node.text_range().end(), |token| token.text_range().end()).into();
    Location { start: end, end, ..at }
}

fn whole(at: Location, node: &SyntaxNode) -> Location {
    Location { start: start(node), end: end_of(at, node).end, ..at }
}

fn trimmed(node: &SyntaxNode) -> String {
    node.text().to_string().trim().to_owned()
}

/// The white space before the first token of a node on its line.
fn indentation(node: &SyntaxNode) -> String {
    let before = first_token(node).and_then(|token| token.prev_token());
    let text = before.filter(|t| t.kind() == SyntaxKind::WHITESPACE).map(|t| t.text().to_owned());
    text.and_then(|text| text.rsplit_once('\n').map(|(_, last)| last.to_owned()))
        .unwrap_or_default()
}
