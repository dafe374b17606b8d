//! Hand-written parts of the view of declarations: names, attributes, movers, doc comments.

use super::support::{AstChildren, AstNode, tokens};
use super::tokens::{ident_text, string_text};
use super::{
    ActionDecl, Attribute, AttributeArg, AttributeName, AxiomDecl, Body, CallOuts, ConstDecl,
    Constructor, DatatypeDecl, Expr, FunctionDecl, FunctionParamList, ImplDecl, InvariantDecl,
    Item, Literal, LiteralKind, Mover, Name, NameRef, ParamGroup, ProcDecl, SpecClause, Type,
    TypeDef, YieldProcDecl,
};
use crate::SyntaxKind;
use crate::lexer::line_ends;
use crate::tree::{Direction, NodeOrToken, SyntaxToken};

/// How an action or procedure moves, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MoverKind {
    Left,
    Right,
    Both,
    Atomic,
}

impl Mover {
    /// The keyword.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.syntax).find(|it| !it.kind().is_trivia())
    }

    pub fn kind(&self) -> Option<MoverKind> {
        let has = |kind| super::support::token(&self.syntax, kind).is_some();
        [
            (SyntaxKind::LEFT_KW, MoverKind::Left),
            (SyntaxKind::RIGHT_KW, MoverKind::Right),
            (SyntaxKind::BOTH_KW, MoverKind::Both),
            (SyntaxKind::ATOMIC_KW, MoverKind::Atomic),
        ]
        .into_iter()
        .find(|it| has(it.0))
        .map(|it| it.1)
    }
}

/// Nodes with exactly one name.
pub trait HasName: AstNode {
    fn name(&self) -> Option<Name> {
        super::support::child(self.syntax())
    }
}

/// Nodes that may carry attributes.
pub trait HasAttributes: AstNode {
    fn attributes(&self) -> AstChildren<Attribute> {
        AstChildren::new(self.syntax())
    }

    /// The first attribute called `name`.
    fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes().find(|it| it.name_text().as_deref() == Some(name))
    }
}

/// Declarations with specification clauses.
pub trait HasSpecs: AstNode {
    fn spec_clauses(&self) -> AstChildren<SpecClause> {
        AstChildren::new(self.syntax())
    }

    fn body(&self) -> Option<Body> {
        super::support::child(self.syntax())
    }
}

macro_rules! implement {
    ($trait:ident for $($node:ident)*) => {
        $(impl $trait for super::$node {})*
    };
}

implement!(HasName for FunctionDecl DatatypeDecl InvariantDecl ActionDecl YieldProcDecl ProcDecl
    ImplDecl InlineAction Constructor TypeDef LetVar LabelStmt FunctionParam);
implement!(HasAttributes for ConstDecl FunctionDecl FunctionParam AxiomDecl TypeDecl DatatypeDecl
    GlobalVarDecl LocalVarDecl InvariantDecl ActionDecl YieldProcDecl ProcDecl ImplDecl ParamGroup
    RefinesClause InlineAction RequiresClause EnsuresClause PreservesClause AssertsClause
    MeasureClause CallArm AssignStmt UnpackStmt AssertStmt AssumeStmt MeasureStmt IfStmt
    LoopInvariant GotoStmt ReturnStmt YieldStmt QuantExpr LambdaExpr LetExpr LetVar);
implement!(HasSpecs for ActionDecl YieldProcDecl ProcDecl);

impl Name {
    /// The name, without the backslash that may precede a keyword used as a name.
    pub fn text(&self) -> String {
        self.ident_token().map(|it| ident_text(it.text()).to_owned()).unwrap_or_default()
    }
}

impl NameRef {
    /// The name, without the backslash that may precede a keyword used as a name.
    pub fn text(&self) -> String {
        self.ident_token().map(|it| ident_text(it.text()).to_owned()).unwrap_or_default()
    }
}

impl AttributeName {
    pub fn text(&self) -> String {
        self.ident_token().map(|it| ident_text(it.text()).to_owned()).unwrap_or_default()
    }
}

impl Attribute {
    /// The word after `{:`.
    pub fn name_text(&self) -> Option<String> {
        self.attribute_name().map(|it| it.text())
    }

    pub fn args(&self) -> AstChildren<AttributeArg> {
        self.attribute_args()
    }
}

impl AttributeArg {
    /// The characters of the argument if it is a string literal.
    pub fn as_string(&self) -> Option<String> {
        let token = self.as_literal(LiteralKind::String)?;
        Some(string_text(token.text()).to_owned())
    }

    /// The token of the argument if it is a number literal.
    pub fn as_int(&self) -> Option<SyntaxToken> {
        self.as_literal(LiteralKind::Int)
    }

    fn as_literal(&self, kind: LiteralKind) -> Option<SyntaxToken> {
        let Expr::Literal(literal) = self.expr()? else { return None };
        (Literal::kind(&literal) == Some(kind)).then(|| literal.token())?
    }
}

/// A parameter of a function after sharing of types: `f(a, b: int)` has two of type `int`.
#[derive(Debug, Clone)]
pub struct FunctionParamView {
    /// The parameter node the name (or the lone type) stands in.
    pub param: super::FunctionParam,
    /// The identifier that names it; `None` for `f(int)`.
    pub name: Option<SyntaxToken>,
    pub ty: Option<Type>,
}

impl FunctionParamList {
    /// The parameters, with the rule applied that a bare name before a named parameter shares
    /// that parameter's type.
    pub fn resolved(&self) -> Vec<FunctionParamView> {
        let params: Vec<_> = self.function_params().collect();
        let any_named = params.iter().any(|it| it.name().is_some());
        let mut out = Vec::with_capacity(params.len());
        let mut next_type: Option<Type> = None;
        for param in params.into_iter().rev() {
            let name = match param.name() {
                Some(name) => {
                    next_type = param.ty();
                    name.ident_token()
                }
                None if any_named => param.ty().and_then(|it| it.bare_name()),
                None => {
                    next_type = param.ty();
                    None
                }
            };
            out.push(FunctionParamView { param, name, ty: next_type.clone() });
        }
        out.reverse();
        out
    }
}

impl Type {
    /// The identifier of a type that is nothing but a name.
    pub fn bare_name(&self) -> Option<SyntaxToken> {
        let Type::NamedType(named) = self else { return None };
        if named.args().next().is_some() {
            return None;
        }
        named.name_ref()?.ident_token()
    }
}

impl CallOuts {
    /// The variables assigned by the call, in order.
    pub fn targets(&self) -> AstChildren<NameRef> {
        AstChildren::new(&self.syntax)
    }
}

impl ParamGroup {
    /// Each name of the group.
    pub fn each_name(&self) -> AstChildren<Name> {
        AstChildren::new(&self.syntax)
    }
}

impl Item {
    /// The name of the declaration if it has exactly one.
    pub fn name(&self) -> Option<Name> {
        match self {
            Item::FunctionDecl(it) => FunctionDecl::name(it),
            Item::DatatypeDecl(it) => DatatypeDecl::name(it),
            Item::InvariantDecl(it) => InvariantDecl::name(it),
            Item::ActionDecl(it) => ActionDecl::name(it),
            Item::YieldProcDecl(it) => YieldProcDecl::name(it),
            Item::ProcDecl(it) => ProcDecl::name(it),
            Item::ImplDecl(it) => ImplDecl::name(it),
            Item::ConstDecl(_)
            | Item::AxiomDecl(_)
            | Item::TypeDecl(_)
            | Item::GlobalVarDecl(_) => None,
        }
    }

    /// All names the declaration introduces at top level, constructors included.
    pub fn names(&self) -> Vec<Name> {
        match self {
            Item::ConstDecl(it) => it.names().collect(),
            Item::TypeDecl(it) => it.type_defs().filter_map(|it| it.name()).collect(),
            Item::GlobalVarDecl(it) => it.var_groups().flat_map(|it| it.names()).collect(),
            Item::DatatypeDecl(it) => {
                let constructors = it.constructors().filter_map(|it| it.name());
                it.name().into_iter().chain(constructors).collect()
            }
            Item::AxiomDecl(_) => Vec::new(),
            Item::FunctionDecl(_)
            | Item::InvariantDecl(_)
            | Item::ActionDecl(_)
            | Item::YieldProcDecl(_)
            | Item::ProcDecl(_)
            | Item::ImplDecl(_) => self.name().into_iter().collect(),
        }
    }

    pub fn attributes(&self) -> AstChildren<Attribute> {
        AstChildren::new(self.syntax())
    }

    /// The text of the `//` or `///` comments directly above the declaration (no blank line in
    /// between), slashes and one space removed, lines joined.
    pub fn doc_comment(&self) -> Option<String> {
        let mut lines = Vec::new();
        for element in self.syntax().siblings_with_tokens(Direction::Prev).skip(1) {
            let NodeOrToken::Token(token) = element else { break };
            match token.kind() {
                SyntaxKind::WHITESPACE if line_ends(token.text()) <= 1 => {}
                SyntaxKind::LINE_COMMENT if starts_its_line(&token) => {
                    lines.push(comment_text(token.text()).to_owned());
                }
                _ => break,
            }
        }
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Whether nothing but white space stands before the token on its line.
fn starts_its_line(token: &SyntaxToken) -> bool {
    match token.prev_token() {
        None => true,
        Some(it) => it.kind() == SyntaxKind::WHITESPACE && line_ends(it.text()) > 0,
    }
}

fn comment_text(text: &str) -> &str {
    let text = text.trim_start_matches('/').trim_end();
    text.strip_prefix(' ').unwrap_or(text)
}

impl ConstDecl {
    /// Whether the constants differ from all other unique constants of their type.
    pub fn is_unique(&self) -> bool {
        self.unique_token().is_some()
    }
}

impl InvariantDecl {
    /// `yield invariant` as opposed to a global `invariant`.
    pub fn is_yield(&self) -> bool {
        self.yield_token().is_some()
    }
}

impl ActionDecl {
    pub fn is_pure(&self) -> bool {
        self.pure_token().is_some()
    }
}

impl ProcDecl {
    pub fn is_pure(&self) -> bool {
        self.pure_token().is_some()
    }
}

impl AxiomDecl {
    pub fn is_hideable(&self) -> bool {
        self.hideable_token().is_some()
    }
}

impl TypeDef {
    /// The parameters of the type, in order.
    pub fn params(&self) -> Vec<Name> {
        self.type_def_params().map(|it| it.names().collect()).unwrap_or_default()
    }
}

impl DatatypeDecl {
    /// The constructor called `name`.
    pub fn constructor(&self, name: &str) -> Option<Constructor> {
        self.constructors().find(|it| it.name().is_some_and(|it| it.text() == name))
    }
}
