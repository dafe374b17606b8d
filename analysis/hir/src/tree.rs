//! From text to the trees of declarations, and from places back to text.
//!
//! **In:** the text of a file. **Out:** [`parse`], [`decl_tree`], [`shape`], [`place_range`].
//!
//! The *shape* of a declaration is its tree without comments and white space. Everything that has
//! meaning is computed from shapes, so an edit of a comment stops here, and an edit inside one
//! declaration reaches only what reads the shape of that declaration.
//!
//! # Invariants
//! - Nodes are counted in preorder; the count is the same in a shape and in the real tree.
//! - A [`DeclTree`] holds no position and nothing from inside a body or specification.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{
    DeclId, DeclKind, FileRange, Name, NodePtr, Place, SourceFile, TextRange, TextSize, TokenPick,
};
use rustc_hash::FxHashMap;
use syntax::ast::{self, AstNode};
use syntax::{GreenNode, NodeOrToken, Parse, SyntaxNode, SyntaxToken};

use crate::Db;

/// The lossless tree of a file.
#[salsa::tracked(lru = 256)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Parse {
    let text = file.text(db);
    // A library never changes.
    match db.last_parses().filter(|_| file.library(db).is_none()) {
        Some(last) => last.parse(file, text),
        None => syntax::parse(text),
    }
}

/// The tree of a declaration without comments and white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    green: GreenNode,
    /// The declaration this one is written inside of: the procedure of an inline action, the
    /// function or constant of an axiom in a `uses` clause.
    pub parent: Option<DeclId>,
}

impl Shape {
    /// The root of the shape.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The root as a typed node.
    pub fn cast<N: AstNode>(&self) -> Option<N> {
        N::cast(self.syntax())
    }
}

/// Where in a file the tree of a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TreePath {
    /// Number among the nodes directly below the file.
    item: usize,
    /// Preorder number below that node; 0 is the node itself.
    node: usize,
}

/// The shapes of all declarations of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileShapes {
    /// In declaration order: an inline action comes before its procedure.
    entries: Vec<(DeclId, Shape, TreePath)>,
    index: FxHashMap<DeclId, usize>,
}

impl FileShapes {
    /// The trees of the declarations that are not written inside another one.
    pub(crate) fn roots(&self) -> impl Iterator<Item = SyntaxNode> {
        let outer = self.entries.iter().filter(|(_, shape, _)| shape.parent.is_none());
        outer.map(|(_, shape, _)| shape.syntax())
    }
}

/// All shapes of a file at once. Reads the whole text; equal under comment and white space edits.
#[salsa::tracked(returns(clone))]
pub(crate) fn file_shapes(db: &dyn Db, file: SourceFile) -> Arc<FileShapes> {
    let mut collector = Collector { db, file, counts: BTreeMap::new(), entries: Vec::new() };
    for (number, node) in parse(db, file).syntax_node().children().enumerate() {
        if let Some(item) = ast::Item::cast(node) {
            collector.item(number, &item);
        }
    }
    let entries = collector.entries;
    let index = entries.iter().enumerate().map(|(i, (decl, _, _))| (*decl, i)).collect();
    Arc::new(FileShapes { entries, index })
}

/// The shape of a declaration; nothing if the declaration is gone.
#[salsa::tracked(returns(clone))]
pub fn shape(db: &dyn Db, decl: DeclId) -> Option<Shape> {
    let shapes = file_shapes(db, decl.file(db));
    let position = *shapes.index.get(&decl)?;
    Some(shapes.entries[position].1.clone())
}

struct Collector<'a> {
    db: &'a dyn Db,
    file: SourceFile,
    counts: BTreeMap<(DeclKind, Name), u32>,
    entries: Vec<(DeclId, Shape, TreePath)>,
}

impl Collector<'_> {
    fn item(&mut self, number: usize, item: &ast::Item) {
        let green = syntax::shape(item.syntax());
        let top = TreePath { item: number, node: 0 };
        match item {
            ast::Item::ConstDecl(it) => {
                self.named(DeclKind::Const, it.names(), &green, top);
                self.uses(it.uses_clause(), item, number);
            }
            ast::Item::FunctionDecl(it) => {
                self.named(DeclKind::Function, it.name(), &green, top);
                self.uses(it.uses_clause(), item, number);
            }
            ast::Item::AxiomDecl(_) => {
                self.add(DeclKind::Axiom, Name::missing(), Shape { green, parent: None }, top);
            }
            ast::Item::TypeDecl(it) => {
                let names = it.type_defs().filter_map(|def| def.name());
                self.named(DeclKind::Type, names, &green, top);
            }
            ast::Item::DatatypeDecl(it) => self.named(DeclKind::Datatype, it.name(), &green, top),
            ast::Item::GlobalVarDecl(it) => {
                let names = it.var_groups().flat_map(|group| group.names());
                self.named(DeclKind::Var, names, &green, top);
            }
            ast::Item::InvariantDecl(it) => self.named(DeclKind::Invariant, it.name(), &green, top),
            ast::Item::ActionDecl(it) => self.named(DeclKind::Action, it.name(), &green, top),
            ast::Item::YieldProcDecl(it) => self.yield_procedure(it, green, top),
            ast::Item::ProcDecl(it) => self.named(DeclKind::Procedure, it.name(), &green, top),
            ast::Item::ImplDecl(it) => self.named(DeclKind::Implementation, it.name(), &green, top),
        }
    }

    fn add(&mut self, kind: DeclKind, name: Name, shape: Shape, path: TreePath) -> DeclId {
        let count = self.counts.entry((kind, name.clone())).or_default();
        let decl = DeclId::new(self.db, self.file, kind, name, *count);
        *count += 1;
        self.entries.push((decl, shape, path));
        decl
    }

    fn named(
        &mut self,
        kind: DeclKind,
        names: impl IntoIterator<Item = ast::Name>,
        green: &GreenNode,
        path: TreePath,
    ) {
        for name in names {
            let shape = Shape { green: green.clone(), parent: None };
            self.add(kind, Name::new(name.text()), shape, path);
        }
    }

    /// An inline action comes before its procedure.
    fn yield_procedure(&mut self, proc: &ast::YieldProcDecl, green: GreenNode, top: TreePath) {
        let Some(name) = proc.name() else { return };
        let name = Name::new(name.text());
        let inline = proc.syntax().descendants().enumerate().find_map(|(node, it)| {
            let action = ast::InlineAction::cast(it)?;
            let given = action.name().map(|it| it.text());
            let given = given.filter(|it| it != "_" && !it.is_empty());
            let name = given.map_or_else(|| Name::anonymous_action(&name), Name::new);
            Some((syntax::shape(action.syntax()), name, TreePath { node, ..top }))
        });
        let Some((inline_green, inline_name, path)) = inline else {
            self.add(DeclKind::YieldProcedure, name, Shape { green, parent: None }, top);
            return;
        };
        let shape = Shape { green, parent: None };
        let procedure = self.add(DeclKind::YieldProcedure, name, shape, top);
        let shape = Shape { green: inline_green, parent: Some(procedure) };
        self.add(DeclKind::Action, inline_name, shape, path);
        let last = self.entries.len() - 1;
        self.entries.swap(last - 1, last);
    }

    /// Axioms inside a `uses` clause are declarations of their own, after their owner.
    fn uses(&mut self, clause: Option<ast::UsesClause>, item: &ast::Item, number: usize) {
        if clause.is_none() {
            return;
        }
        let parent = self.entries.last().map(|(decl, _, _)| *decl);
        for (node, it) in item.syntax().descendants().enumerate() {
            if ast::AxiomDecl::can_cast(it.kind()) {
                let shape = Shape { green: syntax::shape(&it), parent };
                let path = TreePath { item: number, node };
                self.add(DeclKind::Axiom, Name::missing(), shape, path);
            }
        }
    }
}

/// A declaration as a file announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclEntry {
    pub decl: DeclId,
    /// `{:ignore}`, on it or on what it is written inside of: it is not part of the program.
    pub ignored: bool,
    /// `{:extern}`: it gives way to another declaration of the same name.
    pub is_extern: bool,
    /// The declaration this one is written inside of.
    pub parent: Option<DeclId>,
    /// Constructor names of a datatype.
    pub ctors: Arc<[Name]>,
    /// The name that `{:name "N"}` gives to an axiom.
    pub axiom_name: Option<Name>,
}

/// The declarations of a file in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclTree {
    pub entries: Vec<DeclEntry>,
    /// Some declaration carries an attribute that only CIVL programs have.
    pub has_civl_attribute: bool,
}

/// Attributes on a declaration that make its program a CIVL program.
const CIVL_ATTRIBUTES: &[&str] =
    &["layer", "yields", "hide", "sync", "linear", "linear_in", "linear_out"];

/// The declarations of a file: names and flags only. No edit inside a body or specification
/// changes it.
#[salsa::tracked]
pub fn decl_tree(db: &dyn Db, file: SourceFile) -> DeclTree {
    let mut tree = DeclTree { entries: Vec::new(), has_civl_attribute: false };
    for (decl, shape, _) in &file_shapes(db, file).entries {
        let node = shape.syntax();
        let attrs: Vec<String> = node
            .children()
            .filter_map(ast::Attribute::cast)
            .filter_map(|attr| attr.name_text())
            .collect();
        let has = |name: &str| attrs.iter().any(|it| it == name);
        tree.has_civl_attribute |= CIVL_ATTRIBUTES.iter().any(|name| has(name));
        tree.entries.push(DeclEntry {
            decl: *decl,
            ignored: has("ignore"),
            is_extern: has("extern"),
            parent: shape.parent,
            ctors: ctor_names(&node),
            axiom_name: axiom_name(&node),
        });
    }
    let ignored: Vec<DeclId> =
        tree.entries.iter().filter(|it| it.ignored).map(|it| it.decl).collect();
    for entry in &mut tree.entries {
        entry.ignored |= entry.parent.is_some_and(|parent| ignored.contains(&parent));
    }
    tree
}

fn axiom_name(node: &SyntaxNode) -> Option<Name> {
    let mut attrs = ast::AxiomDecl::cast(node.clone())?.attributes();
    let attr = attrs.find(|attr| attr.name_text().as_deref() == Some("name"))?;
    attr.args().next()?.as_string().map(Name::new)
}

fn ctor_names(node: &SyntaxNode) -> Arc<[Name]> {
    let ctors = node.children().filter_map(ast::Constructor::cast);
    ctors.filter_map(|ctor| ctor.name()).map(|name| Name::new(name.text())).collect()
}

/// Numbers of the nodes and tokens of one shape, to make [`NodePtr`]s while walking it.
pub(crate) struct NodeNumbers {
    /// By start, end and kind, which only empty nodes share.
    numbers: FxHashMap<(u32, u32, u16), u32>,
    next: u32,
    /// Where the tokens of the shape begin, ascending.
    token_starts: Vec<u32>,
}

type GreenData = <GreenNode as std::ops::Deref>::Target;

impl NodeNumbers {
    pub(crate) fn new(root: &SyntaxNode) -> NodeNumbers {
        let (map, token_starts) = (FxHashMap::default(), Vec::new());
        let mut numbers = NodeNumbers { numbers: map, next: 0, token_starts };
        numbers.add(root.green(), 0);
        numbers
    }

    /// Walks the tree without making cursors, which is most of the cost otherwise. The depth is bounded
    /// by the parser.
    fn add(&mut self, green: &GreenData, start: u32) {
        let key = (start, start + u32::from(green.text_len()), green.kind().0);
        self.numbers.entry(key).or_insert(self.next);
        self.next += 1;
        let mut at = start;
        for child in green.children() {
            match child {
                NodeOrToken::Node(node) => {
                    self.add(node, at);
                    at += u32::from(node.text_len());
                }
                NodeOrToken::Token(token) => {
                    self.token_starts.push(at);
                    at += u32::from(token.text_len());
                }
            }
        }
    }

    /// The whole node.
    pub(crate) fn node(&self, node: &SyntaxNode) -> NodePtr {
        let range = node.text_range();
        let key = (range.start().into(), range.end().into(), node.kind() as u16);
        NodePtr::node(self.numbers.get(&key).copied().unwrap_or_default())
    }

    /// A token below `node`, or the whole node if there is no such token.
    pub(crate) fn at(&self, node: &SyntaxNode, token: Option<SyntaxToken>) -> NodePtr {
        let position = |start: TextSize| self.token_starts.binary_search(&start.into()).ok();
        let pick = token.and_then(|token| {
            let first = position(node.text_range().start())?;
            let number = position(token.text_range().start())?.checked_sub(first)?;
            u32::try_from(number).ok().map(TokenPick)
        });
        NodePtr { token: pick, ..self.node(node) }
    }
}

fn real_tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let tokens = node.descendants_with_tokens().filter_map(|it| it.into_token());
    tokens.filter(|token| !token.kind().is_trivia())
}

/// Where the nodes directly below a file are, so that none has to be counted off.
#[salsa::tracked(returns(clone))]
fn item_ranges(db: &dyn Db, file: SourceFile) -> Arc<[TextRange]> {
    parse(db, file).syntax_node().children().map(|node| node.text_range()).collect()
}

/// The tree of a declaration in the current text.
pub fn decl_node(db: &dyn Db, decl: DeclId) -> Option<SyntaxNode> {
    let file = decl.file(db);
    let shapes = file_shapes(db, file);
    let position = *shapes.index.get(&decl)?;
    let path = shapes.entries[position].2;
    let range = *item_ranges(db, file).get(path.item)?;
    let item = parse(db, file).syntax_node().child_or_token_at_range(range)?.into_node()?;
    item.descendants().nth(path.node)
}

/// A place as a range of the current text. A place that is gone becomes the start of its file.
pub fn place_range(db: &dyn Db, place: Place) -> FileRange {
    match place {
        Place::Range(range) => range,
        Place::File(file) => FileRange { file, range: TextRange::empty(0.into()) },
        Place::Node { decl, ptr } => {
            let range = node_range(db, decl, ptr).unwrap_or(TextRange::empty(0.into()));
            FileRange { file: decl.file(db), range }
        }
    }
}

fn node_range(db: &dyn Db, decl: DeclId, ptr: NodePtr) -> Option<TextRange> {
    let root = decl_node(db, decl)?;
    let node = root.descendants().nth(ptr.node as usize)?;
    let Some(TokenPick(nth)) = ptr.token else { return Some(trimmed_range(&node)) };
    real_tokens(&node).nth(nth as usize).map(|token| token.text_range())
}

/// From the first to the last real token.
fn trimmed_range(node: &SyntaxNode) -> TextRange {
    let is_real = |token: Option<SyntaxToken>| token.is_some_and(|it| !it.kind().is_trivia());
    if is_real(node.first_token()) && is_real(node.last_token()) {
        return node.text_range();
    }
    let mut real = real_tokens(node).map(|token| token.text_range());
    let Some(first) = real.next() else { return node.text_range() };
    first.cover(real.last().unwrap_or(first))
}

/// The ranges of all nodes of a declaration in the current text, by number.
pub(crate) fn node_ranges(db: &dyn Db, decl: DeclId) -> Vec<TextRange> {
    let root = decl_node(db, decl);
    root.iter().flat_map(|root| root.descendants()).map(|node| trimmed_range(&node)).collect()
}

/// Every declaration whose tree is the node at `path`, for semantics: the declarations of the item
/// that contains `offset`, nested ones first.
pub(crate) fn decls_at(db: &dyn Db, file: SourceFile, offset: TextSize) -> Vec<DeclId> {
    let shapes = file_shapes(db, file);
    let mut found: Vec<(TextRange, DeclId)> = Vec::new();
    let items: Vec<SyntaxNode> = parse(db, file).syntax_node().children().collect();
    for (decl, _, path) in &shapes.entries {
        let Some(item) = items.get(path.item) else { continue };
        if !item.text_range().contains_inclusive(offset) {
            continue;
        }
        let Some(node) = item.descendants().nth(path.node) else { continue };
        if node.text_range().contains_inclusive(offset) {
            found.push((node.text_range(), *decl));
        }
    }
    found.sort_by_key(|(range, _)| range.len());
    found.into_iter().map(|(_, decl)| decl).collect()
}
