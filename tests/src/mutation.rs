//! Small damage to programs: what a slip of the author would leave behind.
//!
//! **In:** the text of a program. **Out:** its mutants, each with one change, always the same ones
//! in the same order.
//!
//! A mutant that is still verified is either harmless, and somebody can say why, or shows that the
//! verifier misses something. The kinds of damage are the table [`OPERATORS`].

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

/// A program with one change.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// Operator and number among its mutants of this program: `mover/3`.
    pub id: String,
    /// Declaration and change: `Release: left => right`.
    pub change: String,
    /// The whole program.
    pub text: String,
}

/// One kind of damage: where it can be done, and what stands there afterwards.
pub struct Operator {
    /// As in the ids of mutants.
    pub name: &'static str,
    find: fn(&SyntaxNode) -> Vec<Change>,
}

/// What to replace, and by what.
type Change = (TextRange, String);

/// All kinds of damage.
pub const OPERATORS: &[Operator] = &[
    Operator { name: "mover", find: other_mover },
    Operator { name: "yield", find: without_yield },
    Operator { name: "invariant-call", find: without_invariant_call },
    Operator { name: "clause", find: without_clause },
    Operator { name: "off-by-one", find: off_by_one },
    Operator { name: "comparison", find: other_comparison },
    Operator { name: "linear", find: without_linear },
    Operator { name: "layer", find: other_layer },
    Operator { name: "statement", find: without_condition },
    Operator { name: "guard", find: negated_guard },
    Operator { name: "arms", find: swapped_arms },
    Operator { name: "value", find: unchanged_target },
];

/// Mover types, and what is tried instead.
const MOVERS: &[(&str, &[&str])] = &[
    ("atomic", &["left", "right"]),
    ("left", &["right", "both", "atomic"]),
    ("right", &["left", "both", "atomic"]),
    ("both", &["left", "right", "atomic"]),
];

/// Comparisons, and what is tried instead.
const COMPARISONS: &[(&str, &str)] =
    &[("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")];

/// Attributes that make something linear.
const LINEAR: &[&str] = &["linear", "linear_in", "linear_out"];

/// All mutants of a program, by operator and then by position.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let root = syntax::parse(text).syntax_node();
    let of_operator = |operator: &Operator| {
        let name = operator.name;
        let changes = (operator.find)(&root).into_iter().enumerate();
        changes
            .map(|(nth, (range, new))| Mutant {
                id: format!("{name}/{}", nth + 1),
                change: told(&root, range, &new),
                text: replaced(text, range, &new),
            })
            .collect::<Vec<_>>()
    };
    OPERATORS.iter().flat_map(of_operator).collect()
}

fn replaced(text: &str, range: TextRange, new: &str) -> String {
    format!("{}{new}{}", &text[..usize::from(range.start())], &text[usize::from(range.end())..])
}

/// The change on one line, with the name of the declaration around it.
fn told(root: &SyntaxNode, range: TextRange, new: &str) -> String {
    let item = root.children().find(|item| item.text_range().contains_range(range));
    let name = item.and_then(|item| nodes(&item, SyntaxKind::NAME).into_iter().next());
    let name = name.map_or_else(|| "file".to_owned(), |name| name.text().to_string());
    let old = root.text().slice(range).to_string();
    format!("{}: {} => {}", name.trim(), one_line(&old), one_line(new))
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}

fn nodes(root: &SyntaxNode, kind: SyntaxKind) -> Vec<SyntaxNode> {
    root.descendants().filter(|node| node.kind() == kind).collect()
}

fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    node.children_with_tokens().filter_map(|element| element.into_token())
}

fn words(node: &SyntaxNode) -> String {
    node.text().to_string()
}

fn removed(node: &SyntaxNode) -> Change {
    (node.text_range(), String::new())
}

fn is_inside(node: &SyntaxNode, kind: SyntaxKind) -> bool {
    node.ancestors().any(|around| around.kind() == kind)
}

fn other_mover(root: &SyntaxNode) -> Vec<Change> {
    let movers = nodes(root, SyntaxKind::MOVER).into_iter();
    let others = |node: SyntaxNode| {
        let row = MOVERS.iter().find(|(mover, _)| *mover == words(&node));
        let others = row.map_or(&[][..], |(_, others)| others);
        others.iter().map(move |other| (node.text_range(), (*other).to_owned())).collect::<Vec<_>>()
    };
    movers.flat_map(others).collect()
}

/// Yield statements, statements that call only yield invariants, and marks of yielding loops.
fn without_yield(root: &SyntaxNode) -> Vec<Change> {
    let invariants: Vec<String> = nodes(root, SyntaxKind::INVARIANT_DECL)
        .iter()
        .filter_map(|node| node.children().find(|child| child.kind() == SyntaxKind::NAME))
        .map(|name| words(&name))
        .collect();
    let is_yield = |node: &SyntaxNode| {
        let only_invariants = || callees(node).iter().all(|name| invariants.contains(name));
        node.kind() == SyntaxKind::YIELD_STMT
            || node.kind() == SyntaxKind::CALL_STMT && only_invariants()
            || node.kind() == SyntaxKind::LOOP_INVARIANT && marks_yields(node)
    };
    root.descendants().filter(is_yield).map(|node| removed(&node)).collect()
}

fn callees(node: &SyntaxNode) -> Vec<String> {
    let arms = nodes(node, SyntaxKind::CALL_ARM);
    let callee =
        |arm: &SyntaxNode| arm.children().find(|child| child.kind() == SyntaxKind::NAME_REF);
    arms.iter().filter_map(callee).map(|name| words(&name)).collect()
}

/// The attributes that belong to this node itself, by name.
fn attributes(node: &SyntaxNode) -> Vec<(String, SyntaxNode)> {
    let attributes = node.children().filter(|child| child.kind() == SyntaxKind::ATTRIBUTE);
    let named = |attribute: SyntaxNode| {
        let name = attribute.children().find(|child| child.kind() == SyntaxKind::ATTRIBUTE_NAME)?;
        Some((words(&name), attribute))
    };
    attributes.filter_map(named).collect()
}

fn marks_yields(node: &SyntaxNode) -> bool {
    attributes(node).iter().any(|(name, _)| name == "yields")
}

fn is_clause(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::PRESERVES_CLAUSE
            | SyntaxKind::REQUIRES_CLAUSE
            | SyntaxKind::ENSURES_CLAUSE
            | SyntaxKind::LOOP_INVARIANT
    )
}

fn has_call(node: &SyntaxNode) -> bool {
    node.children().any(|child| child.kind() == SyntaxKind::CALL)
}

fn without_invariant_call(root: &SyntaxNode) -> Vec<Change> {
    let clauses = root.descendants().filter(|node| is_clause(node) && has_call(node));
    clauses.map(|node| removed(&node)).collect()
}

fn without_clause(root: &SyntaxNode) -> Vec<Change> {
    let clauses = root.descendants().filter(|node| is_clause(node) && !has_call(node));
    clauses.filter(|node| !marks_yields(node)).map(|node| removed(&node)).collect()
}

fn off_by_one(root: &SyntaxNode) -> Vec<Change> {
    let literals = nodes(root, SyntaxKind::LITERAL).into_iter();
    let outside = literals.filter(|node| !is_inside(node, SyntaxKind::ATTRIBUTE));
    outside.filter_map(|node| one_more(&node)).collect()
}

fn one_more(node: &SyntaxNode) -> Option<Change> {
    let number: u64 = words(node).parse().ok()?;
    Some((node.text_range(), (number + 1).to_string()))
}

fn other_comparison(root: &SyntaxNode) -> Vec<Change> {
    let operators = root.descendants().filter_map(ast::BinaryExpr::cast);
    let other = |token: SyntaxToken| {
        let row = COMPARISONS.iter().find(|(old, _)| *old == token.text());
        row.map(|(_, new)| (token.text_range(), (*new).to_owned()))
    };
    operators.filter_map(|expr| expr.op_token()).filter_map(other).collect()
}

fn without_linear(root: &SyntaxNode) -> Vec<Change> {
    let all = root.descendants().flat_map(|node| attributes(&node));
    all.filter(|(name, _)| LINEAR.contains(&name.as_str())).map(|(_, it)| removed(&it)).collect()
}

fn other_layer(root: &SyntaxNode) -> Vec<Change> {
    let all = root.descendants().flat_map(|node| attributes(&node));
    let layers = all.filter(|(name, _)| name == "layer").map(|(_, attribute)| attribute);
    let numbers = layers.flat_map(|attribute| nodes(&attribute, SyntaxKind::LITERAL));
    numbers.filter_map(|number| one_more(&number)).collect()
}

fn without_condition(root: &SyntaxNode) -> Vec<Change> {
    let is_condition = |node: &SyntaxNode| {
        matches!(node.kind(), SyntaxKind::ASSERT_STMT | SyntaxKind::ASSUME_STMT)
    };
    root.descendants().filter(is_condition).map(|node| removed(&node)).collect()
}

fn negated_guard(root: &SyntaxNode) -> Vec<Change> {
    let expr = |guard: SyntaxNode| guard.children().find_map(ast::Expr::cast);
    let guards = nodes(root, SyntaxKind::GUARD).into_iter().filter_map(expr);
    guards.map(|expr| (expr.range(), format!("!({})", words(expr.syntax())))).collect()
}

fn swapped_arms(root: &SyntaxNode) -> Vec<Change> {
    let swapped = |call: SyntaxNode| {
        let mut arms = call.children().filter(|child| child.kind() == SyntaxKind::CALL_ARM);
        let (first, second) = (arms.next()?, arms.next()?);
        let both = first.text_range().cover(second.text_range());
        Some((both, format!("{} | {}", words(&second), words(&first))))
    };
    nodes(root, SyntaxKind::CALL).into_iter().filter_map(swapped).collect()
}

/// `x := e` becomes `x := x`: of the right type, and without effect.
fn unchanged_target(root: &SyntaxNode) -> Vec<Change> {
    let unchanged = |stmt: SyntaxNode| {
        let target = stmt.children().find(|child| child.kind() == SyntaxKind::LHS_PATH)?;
        let sign = tokens(&stmt).find(|token| token.kind() == SyntaxKind::COLON_EQ)?;
        let behind = |child: &SyntaxNode| child.text_range().start() >= sign.text_range().end();
        let value = stmt.children().filter(behind).find_map(ast::Expr::cast)?;
        Some((value.range(), words(&target)))
    };
    nodes(root, SyntaxKind::ASSIGN_STMT).into_iter().filter_map(unchanged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(text: &str, operator: &str) -> Vec<String> {
        let mutants = mutants(text).into_iter();
        let of_operator = mutants.filter(|it| it.id.starts_with(&format!("{operator}/")));
        of_operator.map(|it| it.change).collect()
    }

    #[test]
    fn mover_types_become_others() {
        let found = changes("left action {:layer 1} A() { }", "mover");
        assert_eq!(found, ["A: left => right", "A: left => both", "A: left => atomic"]);
    }

    #[test]
    fn conditions_are_left_out() {
        let text = "atomic action {:layer 1} A() { assert x == 0; assume y; }";
        assert_eq!(
            changes(text, "statement"),
            ["A: assert x == 0; => nothing", "A: assume y; => nothing"]
        );
    }

    #[test]
    fn numbers_of_layers_are_no_other_numbers() {
        let text = "var {:layer 0,1} x: int; procedure P() { x := 7; }";
        assert_eq!(changes(text, "layer"), ["x: 0 => 1", "x: 1 => 2"]);
        assert_eq!(changes(text, "off-by-one"), ["P: 7 => 8"]);
        assert_eq!(changes(text, "value"), ["P: 7 => x"]);
    }

    #[test]
    fn yields_are_calls_of_invariants_only() {
        let text = "yield invariant {:layer 1} I(); preserves true;
            yield procedure {:layer 1} P() { call I(); call Q(); call I() | Q(); yield x; }";
        assert_eq!(changes(text, "yield"), ["P: call I(); => nothing", "P: yield x; => nothing"]);
        assert_eq!(changes(text, "arms"), ["P: I() | Q() => Q() | I()"]);
    }

    #[test]
    fn the_rest_of_the_program_stays() {
        for mutant in mutants("procedure P() { /* a */ if (x < 1) { } /* b */ }") {
            assert!(mutant.text.contains("/* a */") && mutant.text.contains("/* b */"));
        }
    }
}
