//! The hand-written accessors, each on a small program.

use super::{
    ArithOp, AstNode, BinaryOp, Expr, HasAttributes as _, Item, LiteralKind, LogicOp, MoverKind,
    Stmt,
};
use crate::{SyntaxNode, parse};

fn items(text: &str) -> Vec<Item> {
    let parse = parse(text);
    assert_eq!(parse.errors(), []);
    parse.tree().items().collect()
}

fn find<N: AstNode>(text: &str) -> N {
    let root: SyntaxNode = parse(text).syntax_node();
    root.descendants().find_map(N::cast).unwrap()
}

fn axiom(expr: &str) -> Expr {
    let root = parse(&format!("axiom {expr};")).tree();
    match root.items().next() {
        Some(Item::AxiomDecl(it)) => it.expr().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn doc_comments_are_the_lines_directly_above() {
    let all = items(
        "// not this\n\n// one\n/// two\nvar x: int; // behind\nvar y: int;\n/* no */ var z: int;",
    );
    let docs: Vec<_> = all.iter().map(Item::doc_comment).collect();
    assert_eq!(docs, [Some("one\ntwo".to_owned()), None, None]);
}

#[test]
fn names_of_items_include_constructors_and_groups() {
    let all = items("const a, b: int; datatype D { C(), E() } var x, y: int, z: int; type T _, U;");
    let names: Vec<Vec<String>> =
        all.iter().map(|it| it.names().iter().map(|it| it.text()).collect()).collect();
    let expected: [&[&str]; 4] = [&["a", "b"], &["D", "C", "E"], &["x", "y", "z"], &["T", "U"]];
    assert_eq!(names, expected);
    assert_eq!(items("type \\old;")[0].names()[0].text(), "old");
}

#[test]
fn function_parameters_share_the_next_type() {
    let list: super::FunctionParamList = find("function f(a, b: int, c: bool): int;");
    let resolved: Vec<_> = list
        .resolved()
        .iter()
        .map(|it| (it.name.as_ref().unwrap().text().to_owned(), it.ty.clone().unwrap()))
        .map(|(name, ty)| format!("{name}: {}", ty.syntax()))
        .collect();
    assert_eq!(resolved, ["a: int", "b: int", "c: bool"]);
    let list: super::FunctionParamList = find("function f(int, T): int;");
    assert!(list.resolved().iter().all(|it| it.name.is_none() && it.ty.is_some()));
}

#[test]
fn attributes_have_names_and_arguments() {
    let item: super::ActionDecl = find("left action {:layer 1, 2} {:msg \"m\"} A() { }");
    let layer = item.attribute("layer").unwrap();
    let layers: Vec<String> =
        layer.args().filter_map(|it| it.as_int()).map(|it| it.text().to_owned()).collect();
    assert_eq!(layers, ["1", "2"]);
    let message = item.attribute("msg").unwrap().args().next().unwrap();
    assert_eq!(message.as_string().as_deref(), Some("m"));
    assert_eq!(item.mover().and_then(|it| it.kind()), Some(MoverKind::Left));
    assert!(item.body().is_some() && item.spec_clauses().next().is_none());
}

#[test]
fn operators_and_operands_are_told_apart() {
    let Expr::BinaryExpr(expr) = axiom("a - b ==> c") else { panic!() };
    assert_eq!(expr.op(), Some(BinaryOp::Logic(LogicOp::Implies)));
    let Some(Expr::BinaryExpr(lhs)) = expr.lhs() else { panic!() };
    assert_eq!(lhs.op(), Some(BinaryOp::Arith(ArithOp::Sub)));
    assert_eq!(lhs.rhs().unwrap().syntax().text(), "b");
    let Expr::IfExpr(expr) = axiom("if a then b else c") else { panic!() };
    assert_eq!(expr.condition().unwrap().syntax().text(), "a");
    assert_eq!(expr.then_value().unwrap().syntax().text(), "b");
    assert_eq!(expr.else_value().unwrap().syntax().text(), "c");
    let Expr::Literal(literal) = axiom("5bv8") else { panic!() };
    assert_eq!(literal.kind(), Some(LiteralKind::BitVector));
}

#[test]
fn updates_know_base_place_and_value() {
    let Expr::StoreExpr(store) = axiom("m[1, 2 := 3]") else { panic!() };
    let args = store.store_args().unwrap();
    assert_eq!(args.indices().count(), 2);
    assert_eq!(args.value().unwrap().syntax().text(), "3");
    assert_eq!(store.base().unwrap().syntax().text(), "m");
    let Expr::FieldUpdateExpr(update) = axiom("a->(f := b)") else { panic!() };
    assert_eq!(update.base().unwrap().syntax().text(), "a");
    assert_eq!(update.value().unwrap().syntax().text(), "b");
    let Expr::ExtractExpr(bits) = axiom("v[8:3]") else { panic!() };
    let bounds = [bits.high(), bits.low()].map(|it| it.unwrap().text().to_owned());
    assert_eq!(bounds, ["8", "3"]);
}

#[test]
fn statements_are_placed_at_their_telling_token() {
    let body: super::Body =
        find("procedure p() { x := 1; async call q(); C(a) := b; assert true; L: yield x > 0; }");
    let tokens: Vec<String> =
        body.stmts().filter_map(|it| it.position_token()).map(|it| it.text().to_owned()).collect();
    assert_eq!(tokens, [":=", "call", ":=", "assert", "L", "yield"]);
    let Some(Stmt::YieldStmt(stmt)) = body.stmts().last() else { panic!() };
    assert_eq!(stmt.expr().unwrap().syntax().text(), "x > 0");
}
