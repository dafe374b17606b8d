//! What the tokens of small texts are.

use expect_test::{Expect, expect};

use super::tokenize;

fn check(text: &str, expect: Expect) {
    let tokens = tokenize(text);
    assert_eq!(tokens.starts.last().copied(), Some(text.len() as u32));
    let mut out = String::new();
    for (i, kind) in tokens.kinds.iter().enumerate() {
        if *kind != crate::SyntaxKind::WHITESPACE {
            out += &format!("{kind:?} {:?}\n", tokens.text(text, i));
        }
    }
    for error in tokens.errors {
        out += &format!("error at {}: {}\n", error.token, error.message);
    }
    expect.assert_eq(&out);
}

#[test]
fn identifiers_may_contain_odd_letters() {
    check(
        r"AtomicVC.Leq Inv#1 x' \old old",
        expect![[r#"
            IDENT "AtomicVC.Leq"
            IDENT "Inv#1"
            IDENT "x'"
            IDENT "\\old"
            OLD_KW "old"
        "#]],
    );
}

#[test]
fn operators_take_the_longest_match() {
    check(
        "<==> <== ==> == = <= < := :: : |{ }| || | -> - ** * ++ +",
        expect![[r#"
            IFF "<==>"
            EXPLIES "<=="
            IMPLIES "==>"
            EQ2 "=="
            EQ "="
            LTEQ "<="
            L_ANGLE "<"
            COLON_EQ ":="
            COLON2 "::"
            COLON ":"
            L_CODE "|{"
            R_CODE "}|"
            PIPE2 "||"
            PIPE "|"
            ARROW "->"
            MINUS "-"
            STAR2 "**"
            STAR "*"
            PLUS2 "++"
            PLUS "+"
        "#]],
    );
}

#[test]
fn numbers_have_five_shapes() {
    check(
        "5 5bv8 5bv 5e-3 5.25e2 5. 0x1.8e-3f24e8 -0x1.0e0f24e8 0NaN24e8 0+oo11e53 0-oo RNE",
        expect![[r#"
            INT_NUMBER "5"
            BV_NUMBER "5bv8"
            INT_NUMBER "5"
            IDENT "bv"
            DECIMAL_NUMBER "5e-3"
            DECIMAL_NUMBER "5.25e2"
            INT_NUMBER "5"
            IDENT "."
            FLOAT_NUMBER "0x1.8e-3f24e8"
            FLOAT_NUMBER "-0x1.0e0f24e8"
            FLOAT_NUMBER "0NaN24e8"
            FLOAT_NUMBER "0+oo11e53"
            INT_NUMBER "0"
            MINUS "-"
            IDENT "oo"
            ROUNDING_MODE "RNE"
        "#]],
    );
}

#[test]
fn comments_nest_and_may_be_unclosed() {
    check(
        "/* a /* b */ c */ x // y\n/* /* */",
        expect![[r#"
            BLOCK_COMMENT "/* a /* b */ c */"
            IDENT "x"
            LINE_COMMENT "// y"
            BLOCK_COMMENT "/* /* */"
            error at 6: this comment is never closed
        "#]],
    );
}

#[test]
fn strings_end_with_their_line() {
    check(
        "\"a\\\"b\" \"open\nx",
        expect![[r#"
            STRING "\"a\\\"b\""
            STRING "\"open"
            IDENT "x"
            error at 2: this string is never closed
        "#]],
    );
}

#[test]
fn hash_in_the_first_column_is_a_pragma() {
    check(
        "#line 7 f.bpl\nx #y\n  #if A\n#what",
        expect![[r##"
            PRAGMA "#line 7 f.bpl"
            IDENT "x"
            IDENT "#y"
            PRAGMA "#if A"
            PRAGMA "#what"
            error at 6: conditional compilation is not supported
            error at 8: unknown preprocessor line
        "##]],
    );
}

#[test]
fn unicode_operators_are_spellings_and_the_rest_are_errors() {
    check(
        "∀x•a ⇒ b é\u{1}@ y %",
        expect![[r#"
            FORALL_KW "∀"
            IDENT "x"
            COLON2 "•"
            IDENT "a"
            IMPLIES "⇒"
            IDENT "b"
            ERROR_TOKEN "é\u{1}"
            ERROR_TOKEN "@"
            IDENT "y"
            ERROR_TOKEN "%"
            error at 9: this character has no meaning here
            error at 10: this character has no meaning here
            error at 14: this character has no meaning here
        "#]],
    );
}

#[test]
fn comments_strings_and_preprocessor_lines_end_at_every_line_end() {
    let lines = ["// one", "a", "#line 7", "b", "\"open", "c"];
    for end in ["\n", "\r\n", "\r"] {
        let text = lines.join(end);
        let tokens = tokenize(&text);
        let all = (0..tokens.kinds.len()).map(|at| tokens.text(&text, at));
        let real: Vec<&str> = all.filter(|it| *it != end).collect();
        assert_eq!(real, lines, "{end:?}");
        assert_eq!(tokens.errors.len(), 1, "{end:?}");
    }
}

#[test]
fn a_line_end_of_two_bytes_is_one() {
    for (text, count) in [("", 0), ("a\r\nb", 1), ("\r\r", 2), ("\n\r", 2), ("\r\n\r\n", 2)] {
        assert_eq!(super::line_ends(text), count, "{text:?}");
    }
}
