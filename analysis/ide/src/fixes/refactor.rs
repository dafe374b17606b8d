//! Changes on request: stubs, signatures, yield invariants, layers, `modifies`.
//!
//! Each function returns a list of changes; a change is a list of alternatives, the best first.

use hir::{Param, ProcSig};
use syntax::ast::{self, AstNode, HasName, HasSpecs};
use syntax::{SyntaxKind, SyntaxNode};

use super::Cursor;
use super::text::{end_of, start, token_at, token_place, trimmed, whole};
use crate::Analysis;
use crate::editor::answers::SymbolKind;
use crate::editor::describe;
use crate::editor::semantics::Definition;
use crate::types::{Diagnostic, FileId, Fix, Location, ProgramId};

/// Mover types of a new action, in the order in which they are tried: callers may need a strong one.
const STUB_MOVERS: [&str; 4] = ["atomic", "left", "right", "both"];

impl Cursor<'_> {
    /// The declaration whose head the cursor is in, with its signature.
    fn head<N: AstNode + HasName + HasSpecs>(&self) -> Option<(N, std::sync::Arc<ProcSig>)> {
        let node = self.token.parent_ancestors().find_map(N::cast)?;
        let body = node.body().map(|body| start(body.syntax()));
        if body.is_some_and(|body| self.at.start > body) {
            return None;
        }
        let sig = self.sig(&node.name()?.text())?;
        Some((node, sig))
    }

    fn sig(&self, name: &str) -> Option<std::sync::Arc<ProcSig>> {
        hir::proc_sig(&self.analysis.db, self.program, base::Name::new(name))
    }

    /// `wanted`, or with a number if there is such a procedure already.
    fn fresh(&self, wanted: &str) -> String {
        let taken = |name: &String| {
            let name = base::Name::new(name);
            hir::lookup_proc(&self.analysis.db, self.program, name).is_some()
        };
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_else(|| wanted.to_owned())
    }

    /// The highest layer of any yield procedure.
    fn top(&self) -> u32 {
        let procs = self.analysis.procs(self.program).into_iter();
        let sigs = procs.filter_map(|decl| hir::proc_sig_of(&self.analysis.db, self.program, decl));
        let layers = sigs.filter(|sig| sig.is_yield_procedure()).filter_map(|sig| sig.layer());
        layers.map(|layer| layer.0).max().unwrap_or(0)
    }
}

/// An action for the yield procedure at the cursor, and `refines` for the procedure.
pub(super) fn stub_action(cursor: &Cursor<'_>) -> Vec<Vec<Fix>> {
    let Some((node, sig)) = cursor.head::<ast::YieldProcDecl>() else { return Vec::new() };
    let Some(layer) = sig.layer().filter(|_| sig.is_skip_procedure()) else { return Vec::new() };
    let low = layer.0 + 1;
    let name = cursor.fresh(&format!("Atomic{}", capitalised(sig.name.as_str())));
    let title = format!("write a stub action `{name}` that `{}` refines", sig.name);
    let refines = (after_head(cursor.at, node.syntax()), format!("\nrefines {name};"));
    let behind = end_of(cursor.at, node.syntax());
    let mut alternatives = Vec::new();
    let mut highs = vec![low, cursor.top().max(low)];
    highs.dedup();
    for high in highs {
        for mover in STUB_MOVERS {
            let layers = if low == high { format!("{low}") } else { format!("{low},{high}") };
            let head = signature(&format!("{mover} action {{:layer {layers}}} {name}"), &sig);
            let action = (behind, format!("\n\n{head}\n{{\n}}"));
            alternatives.push(Fix { title: title.clone(), edits: vec![refines.clone(), action] });
        }
    }
    vec![alternatives]
}

/// A procedure that refines the action at the cursor.
pub(super) fn stub_procedure(cursor: &Cursor<'_>) -> Vec<Vec<Fix>> {
    let Some((node, sig)) = cursor.head::<ast::ActionDecl>() else { return Vec::new() };
    let low = sig.layers.map_or(0, |layers| layers.low().0);
    let procs = cursor.analysis.procs(cursor.program).into_iter();
    let mut sigs =
        procs.filter_map(|decl| hir::proc_sig_of(&cursor.analysis.db, cursor.program, decl));
    if low == 0 || sig.is_pure() || sigs.any(|other| other.refines.as_ref() == Some(&sig.name)) {
        return Vec::new();
    }
    let own = sig.name.as_str();
    let wanted = own.strip_prefix("Atomic").or(own.strip_prefix("atomic_")).unwrap_or(own);
    let wanted = if wanted.is_empty() { own } else { wanted };
    let name = cursor.fresh(&uncapitalised(wanted));
    let head = signature(&format!("yield procedure {{:layer {}}} {name}", low - 1), &sig);
    vec![vec![Fix {
        title: format!("write a stub procedure `{name}` that refines `{own}`"),
        edits: vec![(end_of(cursor.at, node.syntax()), format!("\n\n{head};\nrefines {own};"))],
    }]]
}

/// The parameters of the refined action for the procedure, or the other way round.
pub(super) fn match_signature(
    analysis: &Analysis,
    program: ProgramId,
    problem: &Diagnostic,
) -> Vec<Fix> {
    let input = analysis.program(program);
    let places = std::iter::once(problem.at).chain(problem.related.iter().map(|r| r.at));
    let refining = places.filter_map(|at| {
        let token = token_at(analysis, at)?;
        let name = token.parent_ancestors().find_map(ast::Item::cast)?.name()?;
        let sig = hir::proc_sig(&analysis.db, input, base::Name::new(name.text()))?;
        let action = hir::proc_sig(&analysis.db, input, sig.refines.clone()?)?;
        Some((sig, action))
    });
    let Some((sig, action)) = refining.into_iter().next() else { return Vec::new() };
    let mut fixes = Vec::new();
    for (to, from) in [(&sig, &action), (&action, &sig)] {
        fixes.extend(with_parameters(analysis, to, from));
    }
    fixes
}

/// `to` with the visible parameters of `from` beside its own hidden ones.
fn with_parameters(analysis: &Analysis, to: &ProcSig, from: &ProcSig) -> Option<Fix> {
    let node = hir::decl_node(&analysis.db, to.decl)?;
    let file = analysis.file_id(to.decl.file(&analysis.db))?;
    let nowhere = Location { file, start: 0, end: 0 };
    let list = node.children().find_map(ast::ParamList::cast)?;
    let mixed = |own: &[Param], other: &[Param]| {
        let visible = other.iter().filter(|param| !param.hide);
        let all = visible.chain(own.iter().filter(|param| param.hide));
        all.map(|param| describe::param(param, false)).collect::<Vec<_>>().join(", ")
    };
    let mut edits =
        vec![(whole(nowhere, list.syntax()), format!("({})", mixed(&to.ins, &from.ins)))];
    let outs = mixed(&to.outs, &from.outs);
    let text = if outs.is_empty() { String::new() } else { format!(" returns ({outs})") };
    match node.children().find_map(ast::Returns::cast) {
        Some(returns) => {
            let at = whole(nowhere, returns.syntax());
            edits.push((at, text.trim_start().to_owned()));
        }
        None if text.is_empty() => {}
        None => edits.push((end_of(nowhere, list.syntax()), text)),
    }
    let (to, from) = (to.name.titled(), from.name.titled());
    Some(Fix { title: format!("give `{to}` the parameters of `{from}`"), edits })
}

/// A yield invariant for the condition of the `yield` statement or clause at the cursor.
pub(super) fn extract_invariant(cursor: &Cursor<'_>) -> Vec<Vec<Fix>> {
    extracted(cursor).map(|fix| vec![vec![fix]]).unwrap_or_default()
}

fn extracted(cursor: &Cursor<'_>) -> Option<Fix> {
    let holder = cursor.token.parent_ancestors().find(|node| holds_condition(node.kind()))?;
    let expr = holder.children().find(|node| ast::Expr::can_cast(node.kind()))?;
    let owner = holder.ancestors().find_map(ast::YieldProcDecl::cast)?;
    let sig = cursor.sig(&owner.name()?.text())?;
    let layer = match layer_numbers(&holder).as_slice() {
        [] => sig.layer()?.0,
        [only] => *only,
        _ => return None,
    };
    if expr.descendants().any(|node| node.kind() == SyntaxKind::OLD_EXPR) {
        return None;
    }
    let (params, arguments) = free_variables(cursor, &expr)?;
    let name = cursor.fresh(&format!("Yield{}", capitalised(sig.name.as_str())));
    let call = format!("call {name}({});", arguments.join(", "));
    let keyword = first_word(&holder);
    let text =
        if holder.kind() == SyntaxKind::YIELD_STMT { call } else { format!("{keyword} {call}") };
    let invariant = format!(
        "\n\nyield invariant {{:layer {layer}}} {name}({});\npreserves {};",
        params.join(", "),
        trimmed(&expr)
    );
    Some(Fix {
        title: format!("extract the yield invariant `{name}`"),
        edits: vec![
            (whole(cursor.at, &holder), text),
            (end_of(cursor.at, owner.syntax()), invariant),
        ],
    })
}

fn holds_condition(kind: SyntaxKind) -> bool {
    [
        SyntaxKind::YIELD_STMT,
        SyntaxKind::REQUIRES_CLAUSE,
        SyntaxKind::ENSURES_CLAUSE,
        SyntaxKind::PRESERVES_CLAUSE,
    ]
    .contains(&kind)
}

/// The local variables of a condition, as parameters and as arguments.
fn free_variables(cursor: &Cursor<'_>, expr: &SyntaxNode) -> Option<(Vec<String>, Vec<String>)> {
    let file = cursor.analysis.source(cursor.at.file);
    let resolver = cursor.analysis.resolver(cursor.program, file);
    let (mut params, mut arguments) = (Vec::new(), Vec::new());
    for name in resolver.names_below(expr, &|_| true) {
        let Definition::Local { kind: SymbolKind::Parameter | SymbolKind::Local, .. } =
            &name.definition
        else {
            continue;
        };
        let text = name.token.text().to_owned();
        if arguments.contains(&text) {
            continue;
        }
        let ty = resolver.variable_type(&name.definition)?;
        let attributes = ty.parent()?.children().filter_map(ast::Attribute::cast);
        let mut attributes = attributes.filter_map(|attribute| attribute.name_text());
        let linear = attributes.any(|name| name.starts_with("linear"));
        let linear = if linear { "{:linear} " } else { "" };
        params.push(format!("{linear}{text}: {}", trimmed(&ty)));
        arguments.push(text);
    }
    Some((params, arguments))
}

/// One more layer above the one at the cursor: all higher numbers grow by one.
pub(super) fn insert_layer(cursor: &Cursor<'_>) -> Vec<Vec<Fix>> {
    let attribute = cursor.token.parent_ancestors().find_map(ast::Attribute::cast);
    let attribute = attribute.filter(|it| it.name_text().as_deref() == Some("layer"));
    let Some(attribute) = attribute else { return Vec::new() };
    let at_cursor = cursor.token.text().parse().ok();
    let Some(above) = at_cursor.or(numbers(attribute.syntax()).last().copied()) else {
        return Vec::new();
    };
    let fix = |variables_stay: bool| {
        let files = cursor.program.files(&cursor.analysis.db).iter();
        let ids = files.filter_map(|source| cursor.analysis.file_id(*source));
        let edits = ids.flat_map(|file| renumbered(cursor.analysis, file, above, variables_stay));
        Fix {
            title: format!("insert a layer above {above} and renumber what is higher"),
            edits: edits.collect(),
        }
    };
    vec![vec![fix(false), fix(true)]]
}

/// What begins directly above the new layer must begin at it, for it is refined to from below; so
/// do variables, if `variables_stay`.
fn renumbered(
    analysis: &Analysis,
    file: FileId,
    above: u32,
    variables_stay: bool,
) -> Vec<(Location, String)> {
    let root = analysis.root(analysis.source(file));
    let attributes = root.descendants().filter_map(ast::Attribute::cast);
    let layers = attributes.filter(|it| it.name_text().as_deref() == Some("layer"));
    let edit = |attribute: ast::Attribute| {
        let old = numbers(attribute.syntax());
        let owner = attribute.syntax().parent()?.kind();
        let is_action = [SyntaxKind::ACTION_DECL, SyntaxKind::INLINE_ACTION].contains(&owner);
        let is_variable =
            [SyntaxKind::GLOBAL_VAR_DECL, SyntaxKind::LOCAL_VAR_DECL].contains(&owner);
        let stays = is_action || (is_variable && variables_stay);
        let up = |number: u32| if number > above { number + 1 } else { number };
        let mut new: Vec<u32> = old.iter().copied().map(up).collect();
        if stays && old.first() == Some(&(above + 1)) {
            new[0] = above + 1;
            if old.len() == 1 {
                new.push(above + 2);
            }
        }
        let text: Vec<String> = new.iter().map(ToString::to_string).collect();
        let at = whole(Location { file, start: 0, end: 0 }, attribute.syntax());
        (old != new).then(|| (at, format!("{{:layer {}}}", text.join(","))))
    };
    layers.filter_map(edit).collect()
}

/// Without one of the variables of the `modifies` clause at the cursor.
pub(super) fn remove_modifies(cursor: &Cursor<'_>) -> Vec<Vec<Fix>> {
    let clause = cursor.token.parent_ancestors().find_map(ast::ModifiesClause::cast);
    let Some(clause) = clause else { return Vec::new() };
    let owner = clause.syntax().parent();
    let has_body = |node: &SyntaxNode| node.children().any(|n| n.kind() == SyntaxKind::BODY);
    if !owner.as_ref().is_some_and(has_body) {
        return Vec::new();
    }
    let names: Vec<ast::NameRef> =
        clause.syntax().children().filter_map(ast::NameRef::cast).collect();
    let fix = |name: &ast::NameRef| {
        let others = names.iter().map(ast::NameRef::text).filter(|other| *other != name.text());
        let others: Vec<String> = others.collect();
        let text = match others.is_empty() {
            true => String::new(),
            false => format!("modifies {};", others.join(", ")),
        };
        let title = format!("remove `{}` from `modifies`: it is not needed", name.text());
        vec![Fix { title, edits: vec![(whole(cursor.at, clause.syntax()), text)] }]
    };
    names.iter().map(fix).collect()
}

/// A head with the visible parameters of a signature.
fn signature(head: &str, sig: &ProcSig) -> String {
    let visible = |params: &[Param]| {
        let shown = params.iter().filter(|param| !param.hide);
        shown.map(|param| describe::param(param, false)).collect::<Vec<_>>().join(", ")
    };
    let outs = visible(&sig.outs);
    let returns = if outs.is_empty() { String::new() } else { format!(" returns ({outs})") };
    format!("{head}({}){returns}", visible(&sig.ins))
}

/// Behind the parameters, results and semicolon of a declaration.
fn after_head(at: Location, node: &SyntaxNode) -> Location {
    let part = |kind: SyntaxKind| node.children().find(|child| child.kind() == kind);
    let last = part(SyntaxKind::RETURNS).or_else(|| part(SyntaxKind::PARAM_LIST));
    let mut tokens = node.children_with_tokens().filter_map(|element| element.into_token());
    let semicolon = tokens.find(|token| token.kind() == SyntaxKind::SEMICOLON);
    match (semicolon, last) {
        (Some(token), _) => {
            let end = token_place(at, &token).end;
            Location { start: end, end, ..at }
        }
        (None, Some(last)) => end_of(at, &last),
        (None, None) => end_of(at, node),
    }
}

/// The numbers of an attribute.
fn numbers(attribute: &SyntaxNode) -> Vec<u32> {
    let tokens = attribute.descendants_with_tokens().filter_map(|element| element.into_token());
    tokens.filter_map(|token| token.text().parse().ok()).collect()
}

/// The numbers of the `layer` attributes directly at a node.
fn layer_numbers(node: &SyntaxNode) -> Vec<u32> {
    let own = node.children().filter_map(ast::Attribute::cast);
    let layers = own.filter(|attribute| attribute.name_text().as_deref() == Some("layer"));
    layers.flat_map(|attribute| numbers(attribute.syntax())).collect()
}

fn first_word(node: &SyntaxNode) -> String {
    super::text::first_token(node).map(|token| token.text().to_owned()).unwrap_or_default()
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

fn uncapitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_lowercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}
