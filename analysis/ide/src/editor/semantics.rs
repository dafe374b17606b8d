//! From a name in the text to what it means.
//!
//! **In:** the tree of a file and the global name spaces. **Out:** a [`Definition`] for each name.
//!
//! The grammar tells which name space a name belongs to; scopes inside a declaration are read off
//! the tree. So this works in texts that cannot be typed, and says the same as `hir` in texts that can.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of nodes and tokens say nothing about names"
)]

use base::{DeclId, DeclKind, Name, Program, SourceFile};
use hir::NameSpace;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use crate::Analysis;
use crate::editor::answers::{Access, SymbolKind};
use crate::types::Location;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Definition {
    /// A global declaration.
    Global(DeclId),
    /// A constructor of a datatype.
    Constructor(DeclId, Name),
    /// A field of a datatype.
    Field(DeclId, Name),
    /// Anything declared inside a declaration, by the range of its name.
    Local { file: SourceFile, range: TextRange, kind: SymbolKind },
}

/// A name in the text.
#[derive(Clone, Debug)]
pub(crate) struct NameUse {
    pub(crate) token: SyntaxToken,
    pub(crate) definition: Definition,
    pub(crate) access: Access,
}

/// Resolves names of one file.
pub(crate) struct Resolver<'a> {
    pub(crate) analysis: &'a Analysis,
    pub(crate) program: Program,
    pub(crate) file: SourceFile,
}

impl Analysis {
    pub(crate) fn resolver(&self, program: Program, file: SourceFile) -> Resolver<'_> {
        Resolver { analysis: self, program, file }
    }

    pub(crate) fn root(&self, file: SourceFile) -> SyntaxNode {
        hir::parse(&self.db, file).syntax_node()
    }

    /// The name of a definition in the current text.
    pub(crate) fn definition_name(&self, definition: &Definition) -> Option<Location> {
        match definition {
            Definition::Global(decl) => self.location(hir::decl_place(&self.db, *decl)),
            Definition::Constructor(decl, name) => {
                let node = hir::decl_node(&self.db, *decl).and_then(ast::DatatypeDecl::cast)?;
                let ctor = node.constructor(name.as_str())?;
                self.token_location(decl.file(&self.db), &ctor.name()?.ident_token()?)
            }
            Definition::Field(decl, field) => {
                let node = hir::decl_node(&self.db, *decl)?;
                let names = node.descendants().filter(|n| n.kind() == SyntaxKind::PARAM_GROUP);
                let mut names =
                    names.flat_map(|group| group.children().filter_map(ast::Name::cast));
                let name = names.find(|name| name.text() == field.as_str())?;
                self.token_location(decl.file(&self.db), &name.ident_token()?)
            }
            Definition::Local { file, range, .. } => Some(Location {
                file: self.file_id(*file)?,
                start: range.start().into(),
                end: range.end().into(),
            }),
        }
    }

    pub(crate) fn token_location(&self, file: SourceFile, token: &SyntaxToken) -> Option<Location> {
        let range = token.text_range();
        Some(Location {
            file: self.file_id(file)?,
            start: range.start().into(),
            end: range.end().into(),
        })
    }
}

impl Resolver<'_> {
    /// The name at an offset: the token the cursor is in or touches.
    pub(crate) fn at(&self, offset: TextSize) -> Option<NameUse> {
        let root = self.analysis.root(self.file);
        if offset > root.text_range().end() {
            return None;
        }
        let tokens = root.token_at_offset(offset);
        tokens
            .into_iter()
            .filter(|token| self.is_name(token))
            .find_map(|token| self.resolve(&token))
    }

    /// Every name below `node` that can be resolved and passes `wanted`.
    pub(crate) fn names_below(
        &self,
        node: &SyntaxNode,
        wanted: &dyn Fn(&SyntaxToken) -> bool,
    ) -> Vec<NameUse> {
        let tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
        tokens
            .filter(|t| self.is_name(t) && wanted(t))
            .filter_map(|token| self.resolve(&token))
            .collect()
    }

    fn is_name(&self, token: &SyntaxToken) -> bool {
        token.parent().is_some_and(|p| matches!(p.kind(), SyntaxKind::NAME | SyntaxKind::NAME_REF))
    }

    /// What an identifier stands for.
    pub(crate) fn resolve(&self, token: &SyntaxToken) -> Option<NameUse> {
        let node = token.parent()?;
        let parent = node.parent()?;
        let name = Name::new(ast::ident_text(token.text()));
        let (definition, access) = match node.kind() {
            SyntaxKind::NAME => (self.declared(&name, token, &parent)?, Access::Declare),
            SyntaxKind::NAME_REF => self.referred(&name, token, &parent)?,
            _ => return None,
        };
        Some(NameUse { token: token.clone(), definition, access })
    }

    fn global(&self, space: NameSpace, name: &Name) -> Option<Definition> {
        let db = &self.analysis.db;
        let decl = match space {
            NameSpace::Type => hir::lookup_type(db, self.program, name.clone()),
            NameSpace::Variable => hir::lookup_var(db, self.program, name.clone()),
            NameSpace::Function => hir::lookup_func(db, self.program, name.clone()),
            NameSpace::Procedure => hir::lookup_proc(db, self.program, name.clone()),
        }?;
        let is_constructor = space == NameSpace::Function && decl.kind(db) == DeclKind::Datatype;
        Some(if is_constructor {
            Definition::Constructor(decl, name.clone())
        } else {
            Definition::Global(decl)
        })
    }

    fn local(&self, token: &SyntaxToken, kind: SymbolKind) -> Definition {
        Definition::Local { file: self.file, range: token.text_range(), kind }
    }

    /// The definition that a declaring name introduces.
    fn declared(
        &self,
        name: &Name,
        token: &SyntaxToken,
        parent: &SyntaxNode,
    ) -> Option<Definition> {
        Some(match parent.kind() {
            SyntaxKind::TYPE_DEF | SyntaxKind::DATATYPE_DECL => {
                self.global(NameSpace::Type, name)?
            }
            SyntaxKind::CONST_DECL => self.global(NameSpace::Variable, name)?,
            SyntaxKind::FUNCTION_DECL | SyntaxKind::CONSTRUCTOR => {
                self.global(NameSpace::Function, name)?
            }
            SyntaxKind::INVARIANT_DECL
            | SyntaxKind::ACTION_DECL
            | SyntaxKind::YIELD_PROC_DECL
            | SyntaxKind::PROC_DECL
            | SyntaxKind::IMPL_DECL
            | SyntaxKind::INLINE_ACTION => self.global(NameSpace::Procedure, name)?,
            SyntaxKind::VAR_GROUP => {
                let owner = parent.parent()?;
                match owner.kind() {
                    SyntaxKind::GLOBAL_VAR_DECL => self.global(NameSpace::Variable, name)?,
                    _ => self.local(token, SymbolKind::Local),
                }
            }
            SyntaxKind::PARAM_GROUP => self.declared_in_group(name, token, parent)?,
            SyntaxKind::FUNCTION_PARAM => self.local(token, SymbolKind::Parameter),
            SyntaxKind::LET_VAR => self.local(token, SymbolKind::Bound),
            SyntaxKind::TYPE_PARAMS | SyntaxKind::TYPE_DEF_PARAMS => {
                self.local(token, SymbolKind::TypeVariable)
            }
            SyntaxKind::LABEL_STMT => self.local(token, SymbolKind::Label),
            _ => return None,
        })
    }

    fn declared_in_group(
        &self,
        name: &Name,
        token: &SyntaxToken,
        group: &SyntaxNode,
    ) -> Option<Definition> {
        let list = group.parent()?;
        if list.kind() != SyntaxKind::PARAM_LIST {
            return Some(self.local(token, SymbolKind::Bound));
        }
        let owner = list.parent()?;
        if owner.kind() != SyntaxKind::CONSTRUCTOR {
            return Some(self.local(token, SymbolKind::Parameter));
        }
        let datatype = ast::DatatypeDecl::cast(owner.parent()?)?.name()?;
        match self.global(NameSpace::Type, &Name::new(datatype.text()))? {
            Definition::Global(decl) => Some(Definition::Field(decl, name.clone())),
            Definition::Constructor(..) | Definition::Field(..) | Definition::Local { .. } => None,
        }
    }

    fn referred(
        &self,
        name: &Name,
        token: &SyntaxToken,
        parent: &SyntaxNode,
    ) -> Option<(Definition, Access)> {
        let global = |space| self.global(space, name);
        Some(match parent.kind() {
            SyntaxKind::NAMED_TYPE => match self.bare_parameter(token, parent) {
                Some(parameter) => (parameter, Access::Declare),
                None => (self.type_name(name, parent)?, Access::Read),
            },
            SyntaxKind::NAME_EXPR => (self.variable(name, parent)?, Access::Read),
            SyntaxKind::CALL_EXPR => (global(NameSpace::Function)?, Access::Call),
            SyntaxKind::UNPACK_STMT | SyntaxKind::IS_EXPR => {
                (global(NameSpace::Function)?, Access::Read)
            }
            SyntaxKind::REVEAL_STMT | SyntaxKind::HIDE_STMT => {
                (global(NameSpace::Function)?, Access::Read)
            }
            SyntaxKind::CALL_ARM => (global(NameSpace::Procedure)?, Access::Call),
            SyntaxKind::REFINES_CLAUSE => (global(NameSpace::Procedure)?, Access::Read),
            SyntaxKind::MODIFIES_CLAUSE => (global(NameSpace::Variable)?, Access::Read),
            SyntaxKind::CALL_OUTS
            | SyntaxKind::LHS_PATH
            | SyntaxKind::UNPACK_VARS
            | SyntaxKind::HAVOC_STMT => (self.variable(name, parent)?, Access::Write),
            SyntaxKind::LHS_FIELD => (self.field(name, None)?, Access::Write),
            SyntaxKind::FIELD_EXPR | SyntaxKind::FIELD_UPDATE_EXPR => {
                (self.field(name, parent.children().next())?, Access::Read)
            }
            SyntaxKind::BREAK_STMT | SyntaxKind::GOTO_STMT => {
                (self.label(name, parent)?, Access::Read)
            }
            _ => return None,
        })
    }

    /// `a` in `f(a, b: int)`: it looks like a type and is a parameter.
    fn bare_parameter(&self, token: &SyntaxToken, named_type: &SyntaxNode) -> Option<Definition> {
        let list = named_type.parent()?.parent().and_then(ast::FunctionParamList::cast)?;
        let own = list.resolved().into_iter().any(|p| p.name.as_ref() == Some(token));
        own.then(|| self.local(token, SymbolKind::Parameter))
    }

    fn type_name(&self, name: &Name, at: &SyntaxNode) -> Option<Definition> {
        for scope in at.ancestors() {
            let params = scope.children().filter(|n| {
                matches!(n.kind(), SyntaxKind::TYPE_PARAMS | SyntaxKind::TYPE_DEF_PARAMS)
            });
            let mut names = params.flat_map(|list| list.children().filter_map(ast::Name::cast));
            if let Some(found) = names.find(|n| n.text() == name.as_str()) {
                return Some(self.local(&found.ident_token()?, SymbolKind::TypeVariable));
            }
        }
        self.global(NameSpace::Type, name)
    }

    fn variable(&self, name: &Name, at: &SyntaxNode) -> Option<Definition> {
        let mut inner: Option<SyntaxNode> = None;
        for scope in at.ancestors() {
            for (token, kind) in scope_names(&scope, inner.as_ref()) {
                if ast::ident_text(token.text()) == name.as_str() {
                    return Some(self.local(&token, kind));
                }
            }
            inner = Some(scope);
        }
        self.global(NameSpace::Variable, name)
    }

    fn label(&self, name: &Name, at: &SyntaxNode) -> Option<Definition> {
        let body = at
            .ancestors()
            .find(|n| matches!(n.kind(), SyntaxKind::BODY | SyntaxKind::CODE_EXPR))?;
        let mut labels =
            body.descendants().filter_map(ast::LabelStmt::cast).filter_map(|l| l.name());
        let found = labels.find(|label| label.text() == name.as_str())?;
        Some(self.local(&found.ident_token()?, SymbolKind::Label))
    }

    /// The datatype that has the field: the one of the base's type if that is easy to see, else the
    /// first that has such a field.
    fn field(&self, name: &Name, base: Option<SyntaxNode>) -> Option<Definition> {
        let db = &self.analysis.db;
        if let Some(decl) = base.and_then(|base| self.datatype_of(&base)) {
            let datatype = hir::datatype_of(db, self.program, decl)?;
            if !datatype.field_places(name).is_empty() {
                return Some(Definition::Field(decl, name.clone()));
            }
        }
        let types = hir::global_names(db, self.program, NameSpace::Type);
        let datatypes = types.into_iter().filter(|(_, decl)| decl.kind(db) == DeclKind::Datatype);
        let mut having = datatypes.filter(|(_, decl)| {
            hir::datatype_of(db, self.program, *decl)
                .is_some_and(|d| !d.field_places(name).is_empty())
        });
        having.next().map(|(_, decl)| Definition::Field(decl, name.clone()))
    }

    /// The datatype of a variable whose declared type is a plain type name.
    fn datatype_of(&self, base: &SyntaxNode) -> Option<DeclId> {
        let name = ast::NameExpr::cast(base.clone())?.name_ref()?;
        let ty = self.variable_type(&self.variable(&Name::new(name.text()), base)?)?;
        let named = ast::NamedType::cast(ty)?.name_ref()?;
        let decl = hir::lookup_type(&self.analysis.db, self.program, Name::new(named.text()))?;
        (decl.kind(&self.analysis.db) == DeclKind::Datatype).then_some(decl)
    }

    /// The written type of a variable.
    pub(crate) fn variable_type(&self, definition: &Definition) -> Option<SyntaxNode> {
        let (file, at) = match definition {
            Definition::Local { file, range, .. } => (*file, *range),
            Definition::Global(decl) => {
                let place =
                    hir::place_range(&self.analysis.db, hir::decl_place(&self.analysis.db, *decl));
                (place.file, place.range)
            }
            Definition::Constructor(..) | Definition::Field(..) => return None,
        };
        let token = self.analysis.root(file).token_at_offset(at.start()).right_biased()?;
        let group = token.parent()?.parent()?;
        group.children().find(|n| ast::Type::can_cast(n.kind()))
    }
}

/// The names that a node brings into scope for the nodes inside it; `inner` is the child we come from.
pub(crate) fn scope_names(
    scope: &SyntaxNode,
    inner: Option<&SyntaxNode>,
) -> Vec<(SyntaxToken, SymbolKind)> {
    let groups = |list: SyntaxNode, kind: SymbolKind| {
        let names = list.children().flat_map(|group| group.children().filter_map(ast::Name::cast));
        let tokens = names.filter_map(|name| name.ident_token());
        tokens.map(|token| (token, kind)).collect::<Vec<_>>()
    };
    let children = |kind: SyntaxKind| scope.children().filter(move |n| n.kind() == kind);
    match scope.kind() {
        SyntaxKind::QUANT_EXPR | SyntaxKind::LAMBDA_EXPR => children(SyntaxKind::BOUND_VARS)
            .flat_map(|list| groups(list, SymbolKind::Bound))
            .collect(),
        SyntaxKind::LET_EXPR if inner.is_none_or(|n| n.kind() != SyntaxKind::LET_INITS) => {
            children(SyntaxKind::LET_BINDERS)
                .flat_map(|list| groups(list, SymbolKind::Bound))
                .collect()
        }
        SyntaxKind::BODY | SyntaxKind::CODE_EXPR => children(SyntaxKind::LOCAL_VAR_DECL)
            .flat_map(|decl| groups(decl, SymbolKind::Local))
            .collect(),
        SyntaxKind::ACTION_DECL
        | SyntaxKind::YIELD_PROC_DECL
        | SyntaxKind::PROC_DECL
        | SyntaxKind::IMPL_DECL
        | SyntaxKind::INVARIANT_DECL => {
            let returned =
                children(SyntaxKind::RETURNS).flat_map(|r| r.children().collect::<Vec<_>>());
            let lists = children(SyntaxKind::PARAM_LIST).chain(returned);
            lists.flat_map(|list| groups(list, SymbolKind::Parameter)).collect()
        }
        SyntaxKind::FUNCTION_DECL => {
            let lists =
                children(SyntaxKind::FUNCTION_PARAM_LIST).filter_map(ast::FunctionParamList::cast);
            let tokens = lists.flat_map(|list| list.resolved()).filter_map(|param| param.name);
            tokens.map(|token| (token, SymbolKind::Parameter)).collect()
        }
        _ => Vec::new(),
    }
}
