//! What one missing token may cost.

use super::good_programs;
use crate::ast::AstNode as _;
use crate::lexer::tokenize;
use crate::{GreenNode, parse, shape};

fn items(text: &str) -> Vec<(u32, u32, GreenNode)> {
    let node = parse(text).syntax_node();
    let items = node.children().filter(|it| crate::ast::Item::can_cast(it.kind()));
    items
        .map(|it| (it.text_range().start().into(), it.text_range().end().into(), shape(&it)))
        .collect()
}

/// Deletes each token in turn and hands over the start and end of it, and the new text.
pub(super) fn deletions(text: &str, mut check: impl FnMut(u32, u32, &str)) {
    let tokens = tokenize(text);
    for (i, kind) in tokens.kinds.iter().enumerate() {
        if kind.is_trivia() {
            continue;
        }
        let (start, end) = (tokens.starts[i], tokens.starts[i + 1]);
        let mut broken = text.to_owned();
        broken.replace_range(start as usize..end as usize, "");
        check(start, end, &broken);
    }
}

#[test]
fn a_missing_token_costs_at_most_three_complaints() {
    for (path, text) in good_programs() {
        deletions(&text, |start, _, broken| {
            let errors = parse(broken).errors().len();
            assert!(errors <= 3, "{path:?} at {start}: {:#?}\n{broken}", parse(broken).errors());
        });
    }
}

#[test]
fn a_missing_token_leaves_every_other_declaration_alone() {
    for (path, text) in good_programs() {
        let before = items(&text);
        deletions(&text, |start, end, broken| {
            let after: Vec<GreenNode> = items(broken).into_iter().map(|it| it.2).collect();
            let others = before.iter().filter(|it| !(it.0 <= start && end <= it.1));
            for (_, _, other) in others {
                assert!(after.contains(other), "{path:?} at {start}: lost {other}\n{broken}");
            }
        });
    }
}
