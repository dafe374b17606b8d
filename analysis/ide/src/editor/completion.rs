//! What could stand at the cursor.
//!
//! The token before the cursor decides what is wanted; the layer of the procedure around it decides
//! what comes first. Nothing is left out because of a layer: it only sorts last.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of tokens and nodes do not matter here"
)]

use base::{DeclId, DeclKind, FilePosition, Name, Program, SourceFile};
use hir::{Layer, LayerRange, NameSpace, ProcKind, ProcSig};
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextSize};

use crate::Analysis;
use crate::editor::answers::{Completion, Position, SymbolKind};
use crate::editor::describe::{params, proc_detail, symbol_kind};
use crate::editor::semantics::scope_names;
use crate::editor::words::ATTRIBUTES;

/// Keyword of a declaration, and the text it stands for.
const DECLARATIONS: &[(&str, &str)] = &[
    ("atomic action", "atomic action {:layer ${1:1}} ${2:Name}($3)\n{\n  $0\n}"),
    ("left action", "left action {:layer ${1:1}} ${2:Name}($3)\n{\n  $0\n}"),
    ("right action", "right action {:layer ${1:1}} ${2:Name}($3)\n{\n  $0\n}"),
    ("both action", "both action {:layer ${1:1}} ${2:Name}($3)\n{\n  $0\n}"),
    (
        "yield procedure",
        "yield procedure {:layer ${1:1}} ${2:name}($3)\nrefines ${4:Action};\n{\n  $0\n}",
    ),
    ("yield invariant", "yield invariant {:layer ${1:1}} ${2:Inv}($3);\npreserves $0;"),
    ("procedure", "procedure ${1:name}($2)\n{\n  $0\n}"),
    ("var", "var {:layer ${1:0,1}} ${2:x}: ${0:int};"),
    ("const", "const ${1:c}: ${0:int};"),
    ("function", "function ${1:f}($2): ${3:int}\n{\n  $0\n}"),
    ("datatype", "datatype ${1:T} { ${0:C}() }"),
    ("type", "type ${0:T};"),
    ("axiom", "axiom $0;"),
];

const STATEMENTS: &[(&str, &str)] = &[
    ("call", "call $0;"),
    ("async call", "async call $0;"),
    ("assert", "assert $0;"),
    ("assume", "assume $0;"),
    ("havoc", "havoc $0;"),
    ("if", "if ($1)\n{\n  $0\n}"),
    ("while", "while ($1)\n  invariant $2;\n{\n  $0\n}"),
    ("while yielding", "while ($1)\n  invariant {:yields} true;\n{\n  $0\n}"),
    ("yield", "yield $0;"),
    ("return", "return;"),
    ("break", "break;"),
];

const EXPRESSIONS: &[(&str, &str)] = &[
    ("forall", "(forall ${1:x}: ${2:int} :: $0)"),
    ("exists", "(exists ${1:x}: ${2:int} :: $0)"),
    ("lambda", "(lambda ${1:x}: ${2:int} :: $0)"),
    ("if then else", "(if $1 then $2 else $0)"),
    ("old", "old($0)"),
    ("true", "true"),
    ("false", "false"),
];

const CLAUSES: &[&str] =
    &["requires", "ensures", "preserves", "asserts", "modifies", "refines", "measure"];

/// Is the place inside a comment or a string, where nothing can be meant?
fn is_prose(token: &SyntaxToken, offset: TextSize) -> bool {
    let inside = token.text_range().start() < offset && offset < token.text_range().end();
    match token.kind() {
        SyntaxKind::LINE_COMMENT => offset > token.text_range().start(),
        SyntaxKind::BLOCK_COMMENT => inside || !token.text().ends_with("*/"),
        SyntaxKind::STRING => inside,
        _ => false,
    }
}

/// What is wanted at a place.
enum Wanted {
    Attributes,
    Types,
    Callees,
    Actions,
    Fields,
    Globals,
    Labels,
    Statements,
    Declarations,
    Expressions,
}

struct Place {
    program: Program,
    file: SourceFile,
    before: Option<SyntaxToken>,
    around: SyntaxNode,
    layer: Option<Layer>,
}

impl Analysis {
    /// Everything that could stand at the cursor, best first by rank.
    pub fn completion(&self, at: Position) -> Vec<Completion> {
        let Some(place) = self.completion_place(at) else { return Vec::new() };
        let mut found = match wanted(&place) {
            Wanted::Attributes => attributes(),
            Wanted::Types => self.types(&place),
            Wanted::Callees => self.callees(&place, &|_| true),
            Wanted::Actions => self.callees(&place, &ProcSig::is_action),
            Wanted::Fields => self.fields(&place),
            Wanted::Globals => self.variables(&place),
            Wanted::Labels => labels(&place),
            Wanted::Statements => {
                let mut all = snippets(STATEMENTS, 10);
                all.extend(locals(&place));
                all.extend(self.variables(&place));
                all
            }
            Wanted::Declarations => {
                let mut all = snippets(DECLARATIONS, 10);
                all.extend(CLAUSES.iter().map(|word| keyword(word, 20)));
                all
            }
            Wanted::Expressions => {
                let mut all = locals(&place);
                all.extend(self.variables(&place));
                all.extend(self.functions(&place));
                all.extend(snippets(EXPRESSIONS, 50));
                all
            }
        };
        found.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
        found.dedup_by(|a, b| a.label == b.label && a.kind == b.kind);
        found
    }

    fn completion_place(&self, at: Position) -> Option<Place> {
        let root = self.root(self.source(at.file));
        let offset = TextSize::from(at.offset);
        if offset > root.text_range().end() {
            return None;
        }
        let left = root.token_at_offset(offset).left_biased();
        if left.as_ref().is_some_and(|token| is_prose(token, offset)) {
            return None;
        }
        // The word being typed does not count.
        let typed =
            |token: &SyntaxToken| token.kind() == SyntaxKind::IDENT || token.kind().is_keyword();
        let start = match left {
            Some(token) if typed(&token) && token.text_range().end() >= offset => {
                token.prev_token()
            }
            other => other.filter(|token| token.text_range().start() < offset),
        };
        let before =
            std::iter::successors(start, SyntaxToken::prev_token).find(|t| !t.kind().is_trivia());
        let around = before.as_ref().and_then(SyntaxToken::parent).unwrap_or(root);
        let program = self.program(at.program);
        let layer = self.layer_around(program, &around);
        Some(Place { program, file: self.source(at.file), before, around, layer })
    }

    /// The layer of the yield procedure around a node.
    fn layer_around(&self, program: Program, node: &SyntaxNode) -> Option<Layer> {
        let item = node.ancestors().find_map(ast::Item::cast)?;
        let sig = hir::proc_sig(&self.db, program, Name::new(item.name()?.text()))?;
        sig.layer()
    }

    fn types(&self, place: &Place) -> Vec<Completion> {
        let built_in = ["int", "bool", "real"].iter().map(|word| keyword(word, 5));
        let named = hir::global_names(&self.db, place.program, NameSpace::Type).into_iter();
        built_in
            .chain(named.map(|(name, decl)| self.plain(place.program, &name, decl, 10)))
            .collect()
    }

    fn variables(&self, place: &Place) -> Vec<Completion> {
        let all = hir::global_names(&self.db, place.program, NameSpace::Variable).into_iter();
        let item = |(name, decl): (Name, DeclId)| {
            let layers = hir::global_of(&self.db, place.program, decl).map(|var| var.layers);
            self.plain(place.program, &name, decl, rank(20, layers, place.layer))
        };
        all.map(item).collect()
    }

    fn functions(&self, place: &Place) -> Vec<Completion> {
        let all = hir::global_names(&self.db, place.program, NameSpace::Function).into_iter();
        let item = |(name, decl): (Name, DeclId)| {
            let sig = hir::func_sig(&self.db, place.program, name.clone())?;
            let kind =
                if sig.is_constructor() { SymbolKind::Constructor } else { SymbolKind::Function };
            let stops = tab_stops(sig.params.iter().map(|p| p.name.as_str()));
            Some(Completion {
                label: name.to_string(),
                kind,
                detail: format!("({}): {}", params(&sig.params, false), sig.result),
                insert: format!("{name}({stops})"),
                is_snippet: true,
                rank: 30,
                documentation: self.doc_comment(decl),
            })
        };
        all.filter_map(item).collect()
    }

    fn callees(&self, place: &Place, wanted: &dyn Fn(&ProcSig) -> bool) -> Vec<Completion> {
        let all = hir::global_names(&self.db, place.program, NameSpace::Procedure).into_iter();
        let item = |(name, decl): (Name, DeclId)| {
            let sig = hir::proc_sig(&self.db, place.program, name.clone())?;
            let nameless = name.as_str().contains('@');
            if nameless || !wanted(&sig) {
                return None;
            }
            let stops = tab_stops(sig.ins.iter().map(|p| p.name.as_str()));
            let only_name = matches!(
                place.before.as_ref().map(SyntaxToken::kind),
                Some(SyntaxKind::REFINES_KW)
            );
            Some(Completion {
                label: name.to_string(),
                kind: symbol_kind(decl.kind(&self.db)),
                detail: proc_detail(&sig),
                insert: if only_name { name.to_string() } else { format!("{name}({stops})") },
                is_snippet: !only_name,
                rank: callee_rank(&sig, place.layer),
                documentation: self.doc_comment(decl),
            })
        };
        all.filter_map(item).collect()
    }

    fn fields(&self, place: &Place) -> Vec<Completion> {
        let all = hir::global_names(&self.db, place.program, NameSpace::Type).into_iter();
        let datatypes = all.filter(|(_, decl)| decl.kind(&self.db) == DeclKind::Datatype);
        let known = self.datatype_before_arrow(place);
        let datatypes =
            datatypes.filter(|(name, _)| known.as_ref().is_none_or(|known| known == name));
        let fields =
            datatypes.filter_map(|(_, decl)| hir::datatype_of(&self.db, place.program, decl));
        let item = |datatype: std::sync::Arc<hir::Datatype>| {
            let fields = datatype.ctors.iter().flat_map(|ctor| ctor.fields.iter());
            fields
                .map(|field| Completion {
                    label: field.name.to_string(),
                    kind: SymbolKind::Field,
                    detail: format!("{} of {}", field.ty, datatype.name),
                    insert: field.name.to_string(),
                    is_snippet: false,
                    rank: 10,
                    documentation: None,
                })
                .collect::<Vec<_>>()
        };
        fields.flat_map(item).collect()
    }

    /// The datatype of what stands before `->`, if its type is known.
    fn datatype_before_arrow(&self, place: &Place) -> Option<Name> {
        let arrow = place.before.as_ref()?;
        let offset = arrow.text_range().start().checked_sub(1.into())?;
        let position = FilePosition { file: place.file, offset };
        let (ty, _) = hir::semantics::type_at(&self.db, place.program, position)?;
        ty.as_ctor().map(|(name, _)| name.clone())
    }

    fn plain(&self, program: Program, name: &Name, decl: DeclId, rank: u8) -> Completion {
        Completion {
            label: name.to_string(),
            kind: symbol_kind(decl.kind(&self.db)),
            detail: self.detail(program, decl),
            insert: name.to_string(),
            is_snippet: false,
            rank,
            documentation: self.doc_comment(decl),
        }
    }
}

fn wanted(place: &Place) -> Wanted {
    let Some(before) = &place.before else { return Wanted::Declarations };
    let inside = |kind: SyntaxKind| place.around.ancestors().any(|n| n.kind() == kind);
    let in_body = inside(SyntaxKind::BODY);
    let previous = std::iter::successors(before.prev_token(), SyntaxToken::prev_token)
        .find(|t| !t.kind().is_trivia())
        .map(|t| t.kind());
    match before.kind() {
        SyntaxKind::COLON if previous == Some(SyntaxKind::L_CURLY) => Wanted::Attributes,
        SyntaxKind::COLON => Wanted::Types,
        SyntaxKind::CALL_KW => Wanted::Callees,
        SyntaxKind::PIPE if inside(SyntaxKind::CALL) => Wanted::Callees,
        SyntaxKind::COLON_EQ if place.around.kind() == SyntaxKind::CALL_ARM => Wanted::Callees,
        SyntaxKind::REFINES_KW => Wanted::Actions,
        SyntaxKind::ARROW => Wanted::Fields,
        SyntaxKind::MODIFIES_KW | SyntaxKind::HAVOC_KW => Wanted::Globals,
        SyntaxKind::GOTO_KW | SyntaxKind::BREAK_KW => Wanted::Labels,
        SyntaxKind::SEMICOLON | SyntaxKind::L_CURLY | SyntaxKind::R_CURLY if in_body => {
            let closed =
                before.kind() == SyntaxKind::R_CURLY && place.around.kind() == SyntaxKind::BODY;
            if closed { Wanted::Declarations } else { Wanted::Statements }
        }
        SyntaxKind::SEMICOLON | SyntaxKind::R_CURLY if !in_body => Wanted::Declarations,
        SyntaxKind::R_PAREN if !in_body && !inside(SyntaxKind::FUNCTION_BODY) => {
            Wanted::Declarations
        }
        _ => Wanted::Expressions,
    }
}

/// What exists at the layer comes first.
fn rank(base: u8, layers: Option<LayerRange>, layer: Option<Layer>) -> u8 {
    match (layers, layer) {
        (Some(layers), Some(layer)) if !layers.contains(layer) => base + 50,
        _ => base,
    }
}

fn callee_rank(sig: &ProcSig, layer: Option<Layer>) -> u8 {
    let Some(layer) = layer else { return 20 };
    let own = sig.layer();
    match sig.kind {
        ProcKind::Invariant { .. } => {
            if own == Some(layer) {
                11
            } else {
                60
            }
        }
        ProcKind::Yield => {
            if own.is_some_and(|own| own <= layer) {
                10
            } else {
                70
            }
        }
        ProcKind::Action { .. } => rank(30, sig.layers, Some(layer)),
        ProcKind::Plain | ProcKind::Pure => 25,
    }
}

fn tab_stops<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let stops = names.enumerate().map(|(at, name)| {
        if name.is_empty() { format!("${}", at + 1) } else { format!("${{{}:{name}}}", at + 1) }
    });
    stops.collect::<Vec<_>>().join(", ")
}

fn keyword(word: &str, rank: u8) -> Completion {
    Completion {
        label: word.to_owned(),
        kind: SymbolKind::Keyword,
        detail: String::new(),
        insert: word.to_owned(),
        is_snippet: false,
        rank,
        documentation: None,
    }
}

fn snippets(table: &[(&str, &str)], rank: u8) -> Vec<Completion> {
    let item = |(label, insert): &(&str, &str)| Completion {
        kind: SymbolKind::Snippet,
        insert: (*insert).to_owned(),
        is_snippet: insert.contains('$'),
        ..keyword(label, rank)
    };
    table.iter().map(item).collect()
}

fn attributes() -> Vec<Completion> {
    let item = |(name, words): &(&str, &str)| Completion {
        kind: SymbolKind::Attribute,
        documentation: Some((*words).to_owned()),
        ..keyword(name, 10)
    };
    ATTRIBUTES.iter().map(item).collect()
}

fn locals(place: &Place) -> Vec<Completion> {
    let mut found = Vec::new();
    let mut inner: Option<SyntaxNode> = None;
    for scope in place.around.ancestors() {
        for (token, kind) in scope_names(&scope, inner.as_ref()) {
            let ty = token.parent().and_then(|n| n.parent());
            let ty = ty.and_then(|group| group.children().find(|n| ast::Type::can_cast(n.kind())));
            let detail = ty.map(|ty| ty.text().to_string().trim().to_owned()).unwrap_or_default();
            found.push(Completion { kind, detail, ..keyword(ast::ident_text(token.text()), 1) });
        }
        inner = Some(scope);
    }
    found
}

fn labels(place: &Place) -> Vec<Completion> {
    let Some(body) = place.around.ancestors().find(|n| n.kind() == SyntaxKind::BODY) else {
        return Vec::new();
    };
    let names =
        body.descendants().filter_map(ast::LabelStmt::cast).filter_map(|l| ast::HasName::name(&l));
    names.map(|name| Completion { kind: SymbolKind::Label, ..keyword(&name.text(), 1) }).collect()
}
