//! Every byte comes back, nothing hangs, nothing overflows.

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use proptest::test_runner::Config;

use super::recovery::deletions;
use super::tree_files::programs;
use crate::lexer::tokenize;
use crate::{Edit, ErrorCode, TextRange, parse};

fn all_programs() -> Vec<String> {
    super::programs().into_iter().map(|it| it.1).collect()
}

/// Every byte comes back, and problems lie inside the text.
fn check_bytes(text: &str) -> crate::Parse {
    let parse = parse(text);
    assert!(parse.syntax_node().text() == text, "lost text of {text:?}");
    let end = u32::try_from(text.len()).unwrap();
    for error in parse.errors() {
        assert!(u32::from(error.range.end()) <= end, "{error:?} lies outside");
    }
    parse
}

/// The promises that hold for any text.
fn check(text: &str) {
    let parse = check_bytes(text);
    for node in parse.syntax_node().descendants().skip(1) {
        assert!(!node.text_range().is_empty(), "empty {:?} in {text:?}", node.kind());
        assert!(!node.first_token().unwrap().kind().is_trivia(), "trivia starts {:?}", node.kind());
        assert!(!node.last_token().unwrap().kind().is_trivia(), "trivia ends {:?}", node.kind());
    }
}

#[test]
fn every_prefix_comes_back() {
    for text in all_programs() {
        for (i, _) in text.char_indices() {
            check_bytes(&text[..i]);
        }
    }
}

#[test]
fn every_text_without_one_token_comes_back() {
    for text in all_programs() {
        deletions(&text, |_, _, broken| check(broken));
    }
}

/// A token of the language, or something that is none.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<String> = all_programs()
        .iter()
        .flat_map(|text| {
            let tokens = tokenize(text);
            (0..tokens.kinds.len()).map(|i| tokens.text(text, i).to_owned()).collect::<Vec<_>>()
        })
        .collect();
    prop_oneof![
        8 => prop::sample::select(words),
        1 => prop::sample::select(vec!["|{", "}|", "/*", "*/", "\"", "é", "#", "\n#if", "\\", "::"])
            .prop_map(str::to_owned),
    ]
}

/// A program with a few tokens deleted, inserted or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..3usize, piece(), any::<bool>());
    (prop::sample::select(all_programs()), prop::collection::vec(change, 1..6)).prop_map(
        |(mut text, changes)| {
            for (at, delete, insert, also) in changes {
                let tokens = tokenize(&text);
                if tokens.kinds.is_empty() {
                    break;
                }
                let first = at.index(tokens.kinds.len());
                let last = (first + delete).min(tokens.kinds.len());
                let range = tokens.starts[first] as usize..tokens.starts[last] as usize;
                text.replace_range(range, if also { &insert } else { "" });
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(Config { cases: 600, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mutated_programs_come_back(text in mutated()) {
        check(&text);
    }

    #[test]
    fn heaps_of_tokens_come_back(pieces in prop::collection::vec(piece(), 0..60)) {
        check(&pieces.join(" "));
        check(&pieces.concat());
    }

    #[test]
    fn random_text_comes_back(text in prop_oneof![
        any::<String>(),
        prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|it| String::from_utf8_lossy(&it).into_owned()),
        Just(String::new()),
    ]) {
        check(&text);
    }

    #[test]
    fn reading_one_declaration_again_equals_reading_all(
        text in prop_oneof![prop::sample::select(all_programs()), mutated()],
        at in any::<prop::sample::Index>(),
        delete in 0..4usize,
        insert in prop_oneof![piece(), Just(String::new()), Just("x := 1;".to_owned()), Just(" ".to_owned())],
    ) {
        let tokens = tokenize(&text);
        if !tokens.kinds.is_empty() {
            let first = at.index(tokens.kinds.len());
            let last = (first + delete).min(tokens.kinds.len());
            let range = TextRange::new(tokens.starts[first].into(), tokens.starts[last].into());
            check_edit(&text, &Edit { range, text: insert });
        }
    }
}

fn check_edit(text: &str, edit: &Edit) -> bool {
    let new_text = edit.apply(text);
    let full = parse(&new_text);
    match parse(text).incremental(edit) {
        Some(parse) => {
            assert_eq!(parse.errors(), full.errors(), "{edit:?} in\n{text}");
            assert!(parse == full, "{edit:?} in\n{text}");
            true
        }
        None => false,
    }
}

#[test]
fn edits_inside_bodies_are_read_alone() {
    let text = programs("ok").into_iter().find(|it| it.0.ends_with("ticket.bpl")).unwrap().1;
    for (place, insert) in [
        ("ticket := next", "x"),
        ("yield {:layer 1} serving", " + 1 ="),
        ("next := next + 1", "; ;"),
        ("i := i + 1", "} {"),
    ] {
        let start = (text.find(place).unwrap() + 1) as u32;
        let edit = Edit { range: TextRange::empty(start.into()), text: insert.to_owned() };
        assert!(check_edit(&text, &edit), "{place}");
    }
}

#[test]
fn deep_nesting_is_cut_and_told() {
    let n = 100_000;
    for (open, close) in [
        ("(", ")"),
        ("f(", ")"),
        ("m[", "]"),
        ("if (*) {", "}"),
        ("{", "}"),
        ("(forall x: int :: ", ")"),
        ("if a then b else ", ""),
        ("a ==> ", ""),
        ("a && ", ""),
        ("- ", ""),
        ("x->f", ""),
        ("x: (", ")"),
        ("x: [int]", ""),
        ("if (*) { } else ", ""),
        ("while (*) {", "}"),
        ("|{ a: assert ", "; }|"),
        ("{:a ", "}"),
        ("a[0 := ", "]"),
    ] {
        for (start, end) in [("axiom ", ";"), ("procedure p() { ", "}"), ("var v: ", ";")] {
            for closed in [close, ""] {
                let text =
                    [start, &open.repeat(n), "x", &closed.repeat(n), end, "\nvar y: int;"].concat();
                let parse = parse(&text);
                assert!(parse.syntax_node().text() == text.as_str());
                assert!(!parse.errors().is_empty(), "{open}");
                assert!(
                    parse.errors().len() <= crate::MAX_ERRORS,
                    "{open}: {}",
                    parse.errors().len()
                );
            }
        }
    }
}

#[test]
fn deep_nesting_has_its_own_code() {
    let text = ["axiom ", &"(".repeat(1000), "x", &")".repeat(1000), ";"].concat();
    let codes: Vec<ErrorCode> = parse(&text).errors().iter().map(|it| it.code).collect();
    assert_eq!(codes, [ErrorCode::NestingTooDeep]);
}

#[test]
fn deep_comments_are_fine() {
    let text = ["/*".repeat(100_000), "*/".repeat(100_000), "var x: int;".to_owned()].concat();
    assert!(parse(&text).errors().is_empty());
}

#[test]
fn a_long_file_and_a_long_line_are_fine() {
    let program = programs("ok").into_iter().find(|it| it.0.ends_with("ticket.bpl")).unwrap().1;
    let long = program.repeat(10_000_000 / program.len() + 1);
    assert!(parse(&long).errors().is_empty());
    let statement = "x := x + 1; ";
    let line = ["procedure p() { ", &statement.repeat(1_000_000 / statement.len()), "}"].concat();
    assert!(parse(&line).errors().is_empty());
    check(&"(".repeat(1_000_000));
}
