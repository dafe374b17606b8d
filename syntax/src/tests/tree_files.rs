//! `test_data/{ok,err}/*.bpl` with the expected tree beside each.
//!
//! Run with `UPDATE_EXPECT=1` to write the trees, then read the difference.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::{NodeOrToken, Parse, SyntaxNode, WalkEvent};

/// The programs of one folder, by name.
pub(super) fn programs(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data").join(folder);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "bpl"));
    paths.sort();
    #[allow(clippy::disallowed_methods, reason = "tests read their data")]
    paths.into_iter().map(|it| (it.clone(), std::fs::read_to_string(&it).unwrap())).collect()
}

/// The tree as text: one line per node and real token, then the problems.
fn dump(parse: &Parse) -> String {
    let mut out = String::new();
    tree(&parse.syntax_node(), &mut out);
    for error in parse.errors() {
        writeln!(out, "{:?} {}: {}", error.range, error.code.as_str(), error.message).unwrap();
        if let Some((range, text)) = error.other {
            writeln!(out, "  {range:?} {text}").unwrap();
        }
        writeln!(out, "  help: {}", error.help).unwrap();
    }
    out
}

fn tree(root: &SyntaxNode, out: &mut String) {
    let mut depth = 0;
    for event in root.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(it)) => {
                writeln!(out, "{:1$}{2:?}", "", depth * 2, it.kind()).unwrap();
                depth += 1;
            }
            WalkEvent::Enter(NodeOrToken::Token(it)) if it.text().trim().is_empty() => {}
            WalkEvent::Enter(NodeOrToken::Token(it)) => {
                writeln!(out, "{:1$}{2:?} {3:?}", "", depth * 2, it.kind(), it.text()).unwrap();
            }
            WalkEvent::Leave(NodeOrToken::Node(_)) => depth -= 1,
            WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
}

fn check_folder(folder: &str) {
    for (path, text) in programs(folder) {
        let parse = crate::parse(&text);
        assert_eq!(parse.errors().is_empty(), folder == "ok", "{path:?}: {:#?}", parse.errors());
        expect_test::expect_file![path.with_extension("tree")].assert_eq(&dump(&parse));
    }
}

#[test]
fn good_programs_have_their_trees() {
    check_folder("ok");
}

#[test]
fn broken_programs_have_their_trees_and_problems() {
    check_folder("err");
}
