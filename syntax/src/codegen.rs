//! Writes the generated half of the crate from `civl.ungram` and the token tables below.
//!
//! **In:** the ungrammar file and the tables [`PUNCT`], [`KEYWORDS`], [`OTHER_TOKENS`].
//! **Out:** `src/kind/generated.rs` and `src/ast/generated.rs`.
//!
//! # Invariants
//! - The test fails when a file was stale, after having rewritten it: run it twice.

#![allow(clippy::disallowed_methods, reason = "a test that reads and writes sources")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ungrammar::{Grammar, Node, NodeData, Rule};

/// Punctuation: text, kind, accessor stem.
const PUNCT: &[(&str, &str, &str)] = &[
    ("(", "L_PAREN", "l_paren"),
    (")", "R_PAREN", "r_paren"),
    ("[", "L_BRACK", "l_brack"),
    ("]", "R_BRACK", "r_brack"),
    ("{", "L_CURLY", "l_curly"),
    ("}", "R_CURLY", "r_curly"),
    ("|{", "L_CODE", "l_code"),
    ("}|", "R_CODE", "r_code"),
    ("<", "L_ANGLE", "l_angle"),
    (">", "R_ANGLE", "r_angle"),
    (",", "COMMA", "comma"),
    (";", "SEMICOLON", "semicolon"),
    (":", "COLON", "colon"),
    ("::", "COLON2", "colon2"),
    (":=", "COLON_EQ", "assign"),
    ("=", "EQ", "eq"),
    ("==", "EQ2", "eq2"),
    ("!=", "NEQ", "neq"),
    ("<=", "LTEQ", "lteq"),
    (">=", "GTEQ", "gteq"),
    ("==>", "IMPLIES", "implies"),
    ("<==", "EXPLIES", "explies"),
    ("<==>", "IFF", "iff"),
    ("&&", "AMP2", "amp2"),
    ("||", "PIPE2", "pipe2"),
    ("|", "PIPE", "pipe"),
    ("!", "BANG", "bang"),
    ("+", "PLUS", "plus"),
    ("-", "MINUS", "minus"),
    ("*", "STAR", "star"),
    ("/", "SLASH", "slash"),
    ("**", "STAR2", "star2"),
    ("++", "PLUS2", "plus2"),
    ("->", "ARROW", "arrow"),
];

/// Keywords; the first eight are soft: they may also be names.
const KEYWORDS: &str = "atomic both left right reveal hide push pop \
    yield var where int real bool const unique uses revealed function returns hideable axiom type \
    datatype invariant preserves pure action refines procedure asserts requires ensures measure \
    implementation free modifies goto return if else while break assert assume havoc async call \
    div mod is false true old then forall exists lambda";

/// Tokens without a fixed text: name in the ungrammar, kind.
const OTHER_TOKENS: &[(&str, &str)] = &[
    ("ident", "IDENT"),
    ("int_number", "INT_NUMBER"),
    ("decimal_number", "DECIMAL_NUMBER"),
    ("float_number", "FLOAT_NUMBER"),
    ("bv_number", "BV_NUMBER"),
    ("string", "STRING"),
    ("rounding_mode", "ROUNDING_MODE"),
];

const TRIVIA: &[&str] = &["WHITESPACE", "LINE_COMMENT", "BLOCK_COMMENT", "PRAGMA"];

#[test]
fn generated_code_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("civl.ungram")).unwrap();
    let grammar: Grammar = text.parse().unwrap();
    let nodes: Vec<Node> = grammar.iter().collect();
    let stale: Vec<PathBuf> = [
        (root.join("src/kind/generated.rs"), kinds(&grammar, &nodes)),
        (root.join("src/ast/generated.rs"), views(&grammar, &nodes)),
    ]
    .into_iter()
    .filter(|(path, fresh)| rewrite(path, fresh))
    .map(|(path, _)| path)
    .collect();
    assert!(stale.is_empty(), "rewritten, run again: {stale:?}");
}

/// Writes `fresh` to `path` if it differs; says whether it did.
fn rewrite(path: &Path, fresh: &str) -> bool {
    if std::fs::read_to_string(path).is_ok_and(|old| old == fresh) {
        return false;
    }
    std::fs::write(path, fresh).unwrap();
    true
}

fn kinds(grammar: &Grammar, nodes: &[Node]) -> String {
    let keywords: Vec<&str> = KEYWORDS.split_whitespace().collect();
    let mut out = String::from(
        "//! Every kind of token and node. Written by the test `generated_code_is_fresh`.\n\n\
         /// What a token or node is.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[repr(u16)]\n#[allow(non_camel_case_types, reason = \"kinds are written like constants\")]\n\
         pub enum SyntaxKind {\n",
    );
    let mut all: Vec<String> = vec!["EOF".into()];
    all.extend(PUNCT.iter().map(|it| it.1.to_owned()));
    all.extend(keywords.iter().map(|it| keyword_kind(it)));
    all.extend(OTHER_TOKENS.iter().map(|it| it.1.to_owned()));
    all.extend(TRIVIA.iter().map(|it| (*it).to_owned()));
    all.push("ERROR_TOKEN".into());
    let first_node = all.len();
    all.push("ERROR".into());
    all.extend(
        nodes
            .iter()
            .filter(|it| enum_variants(grammar, **it).is_none())
            .map(|it| screaming(&grammar[*it].name)),
    );
    for (i, kind) in all.iter().enumerate() {
        if i == first_node {
            out.push_str("    // nodes\n");
        }
        writeln!(out, "    {kind},").unwrap();
    }
    out.push_str("}\n\nuse self::SyntaxKind::*;\n\n");
    writeln!(out, "/// All kinds, in order of their numbers.\n#[rustfmt::skip]\npub(crate) const ALL: &[SyntaxKind] = &[").unwrap();
    for chunk in all.chunks(8) {
        writeln!(out, "    {},", chunk.join(", ")).unwrap();
    }
    out.push_str("];\n\n");
    kind_lookups(&mut out, &keywords);
    kind_macro(&mut out, &keywords);
    out
}

fn kind_lookups(out: &mut String, keywords: &[&str]) {
    out.push_str("impl SyntaxKind {\n");
    out.push_str("    /// The text of a token kind that has only one spelling in ASCII.\n");
    out.push_str("    #[rustfmt::skip]\n    pub const fn fixed_text(self) -> Option<&'static str> {\n        let text = match self {\n");
    for (text, kind, _) in PUNCT {
        writeln!(out, "            {kind} => \"{text}\",").unwrap();
    }
    for word in keywords {
        writeln!(out, "            {} => \"{word}\",", keyword_kind(word)).unwrap();
    }
    out.push_str("            _ => return None,\n        };\n        Some(text)\n    }\n\n");
    out.push_str("    /// The keyword spelled `text`, soft keywords included.\n");
    out.push_str("    #[rustfmt::skip]\n    pub fn from_keyword(text: &[u8]) -> Option<SyntaxKind> {\n        let kind = match text {\n");
    for word in keywords {
        writeln!(out, "            b\"{word}\" => {},", keyword_kind(word)).unwrap();
    }
    out.push_str("            _ => return None,\n        };\n        Some(kind)\n    }\n}\n\n");
}

fn kind_macro(out: &mut String, keywords: &[&str]) {
    out.push_str("/// The kind of a token by its text: `T![:=]`, `T![call]`, `T!['(']`.\n#[macro_export]\n#[rustfmt::skip]\nmacro_rules! T {\n");
    for (text, kind, _) in PUNCT {
        let quoted = match *text {
            "(" | ")" | "[" | "]" | "{" | "}" => format!("'{text}'"),
            "|{" | "}|" => format!("\"{text}\""),
            _ => (*text).to_owned(),
        };
        writeln!(out, "    [{quoted}] => {{ $crate::SyntaxKind::{kind} }};").unwrap();
    }
    for word in keywords {
        writeln!(out, "    [{word}] => {{ $crate::SyntaxKind::{} }};", keyword_kind(word)).unwrap();
    }
    for (word, kind) in OTHER_TOKENS {
        writeln!(out, "    [{word}] => {{ $crate::SyntaxKind::{kind} }};").unwrap();
    }
    out.push_str("}\n");
}

fn views(grammar: &Grammar, nodes: &[Node]) -> String {
    let mut out = String::from(
        "//! Typed views of nodes, one per rule of `civl.ungram`.\n\
         //! Written by the test `generated_code_is_fresh`; accessors of labelled children are\n\
         //! written by hand in the sibling files.\n\n\
         use super::support::{ast_enum, ast_node};\n\n",
    );
    for &node in nodes {
        let name = &grammar[node].name;
        match enum_variants(grammar, node) {
            Some(variants) => {
                writeln!(out, "ast_enum!({name} {{").unwrap();
                for it in variants {
                    writeln!(out, "    {it},").unwrap();
                }
                out.push_str("});\n\n");
            }
            None => view(&mut out, grammar, &grammar[node]),
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn view(out: &mut String, grammar: &Grammar, data: &NodeData) {
    writeln!(out, "ast_node!({} = {} {{", data.name, screaming(&data.name)).unwrap();
    let mut fields = Vec::new();
    collect(grammar, &data.rule, false, &mut fields);
    let mut seen: Vec<String> = Vec::new();
    for (name, line, many) in &fields {
        let repeated = fields.iter().any(|(other, _, m)| other == name && *m);
        if seen.contains(name) || (repeated && !many) {
            continue;
        }
        seen.push(name.clone());
        writeln!(out, "    {line};").unwrap();
    }
    out.push_str("});\n\n");
}

/// Accessors of one rule: (node type or token name, macro line, repeated).
fn collect(grammar: &Grammar, rule: &Rule, many: bool, out: &mut Vec<(String, String, bool)>) {
    match rule {
        Rule::Labeled { .. } => {}
        Rule::Node(node) => {
            let name = &grammar[*node].name;
            let stem = if name == "Type" { "ty".to_owned() } else { snake(name) };
            let line = if many {
                format!("many {}: {name}", plural(&stem))
            } else {
                format!("one {stem}: {name}")
            };
            out.push((name.clone(), line, many));
        }
        Rule::Token(token) => {
            let text = &grammar[*token].name;
            if !many {
                let (stem, kind) = token_names(text);
                out.push((text.clone(), format!("token {stem}_token: {kind}"), false));
            }
        }
        Rule::Seq(rules) | Rule::Alt(rules) => {
            rules.iter().for_each(|it| collect(grammar, it, many, out));
        }
        Rule::Opt(rule) => collect(grammar, rule, many, out),
        Rule::Rep(rule) => collect(grammar, rule, true, out),
    }
}

fn enum_variants(grammar: &Grammar, node: Node) -> Option<Vec<String>> {
    let Rule::Alt(rules) = &grammar[node].rule else { return None };
    rules
        .iter()
        .map(|it| match it {
            Rule::Node(it) => Some(grammar[*it].name.clone()),
            _ => None,
        })
        .collect()
}

fn token_names(text: &str) -> (String, String) {
    if let Some((_, kind, stem)) = PUNCT.iter().find(|it| it.0 == text) {
        return ((*stem).to_owned(), (*kind).to_owned());
    }
    if let Some((stem, kind)) = OTHER_TOKENS.iter().find(|it| it.0 == text) {
        return ((*stem).to_owned(), (*kind).to_owned());
    }
    assert!(KEYWORDS.split_whitespace().any(|it| it == text), "unknown token {text}");
    (text.to_owned(), keyword_kind(text))
}

fn keyword_kind(word: &str) -> String {
    format!("{}_KW", word.to_uppercase())
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

fn plural(stem: &str) -> String {
    match stem {
        "ty" => "types".to_owned(),
        "lhs_access" => "accesses".to_owned(),
        _ if stem.ends_with('s') => format!("{stem}es"),
        _ => format!("{stem}s"),
    }
}
