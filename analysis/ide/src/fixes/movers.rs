//! Other mover types. Whether they are right only a proof can tell.

use syntax::ast::{self, AstNode, MoverKind};
use syntax::{SyntaxKind, SyntaxNode};

use super::Cursor;
use super::text::{signature_around, start, token_at, token_place};
use crate::Analysis;
use crate::types::{Diagnostic, FileId, Fix, Location, ProgramId};

/// A mover type, and the stronger ones with their names, the strongest first.
const STRONGER: &[(MoverKind, &[(&str, &str)])] = &[
    (
        MoverKind::Atomic,
        &[("both", "a both mover"), ("left", "a left mover"), ("right", "a right mover")],
    ),
    (MoverKind::Left, &[("both", "a both mover")]),
    (MoverKind::Right, &[("both", "a both mover")]),
    (MoverKind::Both, &[]),
];

/// The action that a change of its mover type is about, or the procedure of one without a name.
pub(super) fn subject(fix: &Fix) -> Option<String> {
    fix.title.split('`').nth(1).map(str::to_owned)
}

/// Stronger mover types for the action at the cursor.
pub(super) fn strengthen(cursor: &Cursor<'_>) -> Vec<Fix> {
    let action = cursor.token.parent_ancestors().find_map(Written::of);
    let header = |action: &Written| {
        let body = action.node.children().find_map(ast::Body::cast);
        body.is_none_or(|body| cursor.at.start <= start(body.syntax()))
    };
    let action = action.filter(header);
    action.map(|action| stronger(&action, cursor.at.file)).unwrap_or_default()
}

/// Stronger mover types for the actions that the call at a problem comes down to.
pub(super) fn strengthen_callees(
    analysis: &Analysis,
    program: ProgramId,
    problem: &Diagnostic,
) -> Vec<Fix> {
    let input = analysis.program(program);
    let Some(token) = token_at(analysis, problem.at) else { return Vec::new() };
    let caller = signature_around(analysis, input, token.parent_ancestors());
    let call = token.parent_ancestors().find_map(ast::CallStmt::cast);
    let (Some(layer), Some(call)) = (caller.and_then(|sig| sig.layer()), call) else {
        return Vec::new();
    };
    let names = call.syntax().descendants().filter_map(ast::CallArm::cast);
    let names = names.filter_map(|arm| Some(base::Name::new(arm.name_ref()?.text())));
    let mut fixes: Vec<Fix> = Vec::new();
    for name in names {
        let action = hir::refined_action(&analysis.db, input, name, layer);
        let sig = action.and_then(|action| hir::proc_sig(&analysis.db, input, action));
        let Some(sig) = sig else { continue };
        let node = hir::decl_node(&analysis.db, sig.decl).and_then(Written::of);
        let file = analysis.file_id(sig.decl.file(&analysis.db));
        if let (Some(node), Some(file)) = (node, file) {
            fixes.extend(stronger(&node, file));
        }
    }
    fixes.dedup();
    fixes
}

/// An action as it is written: on its own, or inside a `refines` clause.
struct Written {
    node: SyntaxNode,
    /// What it is called in a title.
    words: String,
    mover: Option<ast::Mover>,
}

impl Written {
    fn of(node: SyntaxNode) -> Option<Written> {
        let (name, mover) = match ast::ActionDecl::cast(node.clone()) {
            Some(action) => (action.name(), action.mover()),
            None => {
                let action = ast::InlineAction::cast(node.clone())?;
                (action.name(), action.mover())
            }
        };
        let name = name.map(|name| name.text()).filter(|name| name != "_" && !name.is_empty());
        let owner = || node.ancestors().find_map(ast::YieldProcDecl::cast)?.name();
        let words = match name {
            Some(name) => format!("`{name}`"),
            None => format!("the action of `{}`", owner()?.text()),
        };
        Some(Written { node, words, mover })
    }
}

fn stronger(action: &Written, file: FileId) -> Vec<Fix> {
    let tokens = || action.node.children_with_tokens().filter_map(|e| e.into_token());
    let pure = tokens().any(|token| token.kind() == SyntaxKind::PURE_KW);
    let keyword = tokens().find(|token| token.kind() == SyntaxKind::ACTION_KW);
    let (Some(keyword), false) = (keyword, pure) else { return Vec::new() };
    let nowhere = Location { file, start: 0, end: 0 };
    let written = action.mover.as_ref().and_then(|mover| Some((mover.kind()?, mover.token()?)));
    let (kind, at, space) = match &written {
        Some((kind, token)) => (*kind, token_place(nowhere, token), ""),
        None => {
            let at = token_place(nowhere, &keyword);
            (MoverKind::Atomic, Location { end: at.start, ..at }, " ")
        }
    };
    let rows = STRONGER.iter().filter(|(from, _)| *from == kind).flat_map(|(_, to)| *to);
    let fix = |(word, words): &(&str, &str)| Fix {
        title: format!("make {} {words}", action.words),
        edits: vec![(at, format!("{word}{space}"))],
    };
    rows.map(fix).collect()
}

/// The mover type `atomic` for each action the failure is about.
pub(super) fn weaken(analysis: &Analysis, _: ProgramId, problem: &Diagnostic) -> Vec<Fix> {
    let places = std::iter::once(problem.at).chain(problem.related.iter().map(|r| r.at));
    let fix = |at: Location| {
        let token = token_at(analysis, at)?;
        let action = token.parent_ancestors().find_map(Written::of)?;
        let keyword = action.mover?.token().filter(|t| t.kind() != SyntaxKind::ATOMIC_KW)?;
        let title = format!("make {} a non-mover", action.words);
        Some(Fix { title, edits: vec![(token_place(at, &keyword), "atomic".to_owned())] })
    };
    let mut fixes: Vec<Fix> = places.filter_map(fix).collect();
    fixes.dedup();
    fixes
}
