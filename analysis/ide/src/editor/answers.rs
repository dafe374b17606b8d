//! The plain data that editor features answer with.

use crate::types::{FileId, Fix, Location, ProgramId};

/// A cursor in a file, seen as part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The program.
    pub program: ProgramId,
    /// The file.
    pub file: FileId,
    /// Byte offset.
    pub offset: u32,
}

/// What a person reads beside the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub at: Location,
    /// The text, as Markdown.
    pub markdown: String,
    /// The procedure, action or invariant it is about, if it is one.
    pub subject: Option<String>,
}

/// How a name is used at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// It is declared here.
    Declare,
    /// Its value is read, or it is mentioned.
    Read,
    /// It is assigned.
    Write,
    /// It is called.
    Call,
}

/// One use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The name.
    pub at: Location,
    /// What happens to it.
    pub access: Access,
}

/// What sort of thing a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolKind {
    /// A type or synonym.
    Type,
    /// A datatype.
    Datatype,
    /// A constructor of a datatype.
    Constructor,
    /// A field of a constructor.
    Field,
    /// A constant.
    Const,
    /// A function.
    Function,
    /// An axiom.
    Axiom,
    /// A global variable.
    Global,
    /// A plain or pure procedure, or its implementation.
    Procedure,
    /// An action.
    Action,
    /// A yield procedure.
    YieldProcedure,
    /// A yield invariant or invariant.
    Invariant,
    /// A formal parameter.
    Parameter,
    /// A local variable.
    Local,
    /// A bound variable.
    Bound,
    /// A type variable.
    TypeVariable,
    /// A label.
    Label,
    /// A keyword.
    Keyword,
    /// An attribute.
    Attribute,
    /// A piece of text to insert.
    Snippet,
}

/// A declaration in an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Type, layers, mover, in a few words.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole declaration.
    pub at: Location,
    /// Its name.
    pub selection: Location,
    /// What is declared inside.
    pub children: Vec<Symbol>,
}

/// A token with its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: u32,
    /// One past the last byte; never on another line.
    pub end: u32,
    /// What it is.
    pub class: TokenClass,
    /// Bits, see [`TokenModifier`].
    pub modifiers: u32,
}

/// Classes of tokens, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TokenClass {
    Keyword,
    Comment,
    String,
    Number,
    Operator,
    Type,
    TypeParameter,
    Variable,
    Parameter,
    Property,
    Function,
    EnumMember,
    Method,
    Decorator,
    Label,
}

/// Modifiers of tokens, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TokenModifier {
    Declaration,
    Readonly,
    Modification,
    DefaultLibrary,
    Linear,
    Hidden,
    Layered,
    Mover,
    Yields,
}

impl TokenModifier {
    /// The bit of this modifier.
    pub fn bit(self) -> u32 {
        1 << (self as u32)
    }
}

/// Something that could stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is shown.
    pub label: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Type or layers.
    pub detail: String,
    /// Text to insert; with `$1`, `$0` where `is_snippet`.
    pub insert: String,
    /// Does `insert` contain tab stops?
    pub is_snippet: bool,
    /// Smaller sorts first.
    pub rank: u8,
    /// Documentation as Markdown.
    pub documentation: Option<String>,
}

/// The call being written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The whole signature.
    pub label: String,
    /// Byte ranges of the parameters in `label`.
    pub parameters: Vec<(u32, u32)>,
    /// The parameter at the cursor.
    pub active: u32,
    /// Documentation as Markdown.
    pub documentation: Option<String>,
}

/// A stretch that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Is it a comment?
    pub comment: bool,
}

/// Words shown between the characters of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// Where.
    pub offset: u32,
    /// The words.
    pub label: String,
    /// Why.
    pub tooltip: Option<String>,
    /// Which switch turns it off.
    pub kind: HintKind,
    /// Does it belong before what follows?
    pub pad_left: bool,
}

/// Kinds of hints; each has a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintKind {
    /// Layer range of a variable or where a procedure disappears.
    Layers,
    /// Mover letter of a call.
    Movers,
    /// Where in the transaction a statement stands.
    Phases,
    /// Inferred modifies clause.
    Modifies,
    /// Available linear variables.
    Linear,
}

/// A line of commands above a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the declaration.
    pub at: Location,
    /// The declaration's name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Layers at which it can be shown.
    pub layers: Vec<u32>,
}

/// A procedure, action or invariant in a call hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    /// The callee or caller.
    pub symbol: Symbol,
    /// Where the calls are written, in the caller.
    pub calls: Vec<Location>,
}

/// An edit somebody can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does.
    pub fix: Fix,
    /// The code of the problem it repairs, if it repairs one.
    pub repairs: Option<&'static str>,
    /// Was the program re-checked with the edit applied?
    pub checked: bool,
}

/// The declaration that obligations are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The whole declaration.
    pub whole: Location,
    /// Its name.
    pub name: Location,
}

/// A link to another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What is clicked.
    pub at: Location,
    /// Where it leads.
    pub target: Location,
}
