//! From the cursor to what is meant.

use base::FilePosition;

use crate::place_range;
use crate::semantics::{declarations, entity_at, references, type_at};
use crate::test_db::program;

/// The declaration is marked by the text before the cursor's meaning: `declared` is the line on which
/// the entity under the cursor is declared (from 1), `uses` how often it occurs.
fn check(text: &str, declared: usize, uses: usize) {
    let (db, program, fixture) = program(text);
    let (number, offset) = fixture.cursor.unwrap();
    let position = FilePosition { file: program.files(&db)[number], offset: offset.into() };
    let (entity, _) = entity_at(&db, program, position).unwrap();
    let places = declarations(&db, program, &entity);
    let range = place_range(&db, places[0]);
    let text = range.file.text(&db);
    let line = text[..usize::from(range.range.start())].matches('\n').count() + 1;
    assert_eq!(line, declared, "{entity:?}");
    assert_eq!(references(&db, program, &entity).len(), uses, "{entity:?}");
}

#[test]
fn a_global_is_found_from_its_use() {
    check("var g: int;\nprocedure P() modifies g; { $0g := g + 1; }", 1, 4);
}

#[test]
fn inner_variables_hide_outer_ones() {
    check(
        "var x: int;\nprocedure P() {\nvar x: int;\nx := 1; assert (forall x: int :: $0x == 1); }",
        4,
        2,
    );
    check(
        "var x: int;\nprocedure P() {\nvar x: int;\n$0x := 1; assert (forall x: int :: x == 1); }",
        3,
        2,
    );
}

#[test]
fn formals_are_shared_by_specifications_and_body() {
    check("procedure P(a: int)\nrequires a > 0;\n{ assert $0a > 0; }", 1, 3);
}

#[test]
fn formals_of_an_inline_action_are_those_of_its_procedure() {
    check(
        "var {:layer 0, 1} g: int;\nyield procedure {:layer 0} P(a: int);\nrefines atomic action {:layer 1} _ { g := $0a; }",
        2,
        2,
    );
}

#[test]
fn fields_constructors_types_and_labels_are_found() {
    check("datatype D { A(f: int), B(f: int) }\naxiom (forall d: D :: d->$0f == 1);", 1, 3);
    check("datatype D { A(f: int) }\naxiom (forall d: D :: d is $0A && d == A(1));", 1, 3);
    check("type T a;\nfunction f<b>(x: $0T b): b;", 1, 2);
    check("type T a;\nfunction f<b>(x: T b): $0b;", 2, 3);
    check("procedure P() {\nstart:\n  goto $0start;\n}", 2, 2);
}

#[test]
fn callees_are_found() {
    check("procedure Q();\nprocedure P() { call $0Q(); call Q(); }", 1, 3);
    check("action {:layer 1} A() {}\nyield procedure {:layer 0} P(); refines $0A;", 1, 2);
}

#[test]
fn the_type_of_the_smallest_expression_is_told() {
    let (db, program, fixture) = program("const m: [int]bool;\naxiom m[1 +$0 2] == true;");
    let (number, offset) = fixture.cursor.unwrap();
    let position = FilePosition { file: program.files(&db)[number], offset: offset.into() };
    let (ty, _) = type_at(&db, program, position).unwrap();
    assert_eq!(ty.to_string(), "int");
}
