//! From the cursor to what is meant, and back to every place that means it.
//!
//! **In:** a position in the current text, or an [`Entity`].
//! **Out:** [`entity_at`], [`declarations`], [`references`], [`type_at`].
//!
//! Occurrences are found per declaration and memoised: a walk over the names of its tree, with the
//! lowered contents deciding what variables and fields mean.
//!
//! # Invariants
//! - A local thing (formal, local, bound variable, type parameter, label) is identified by the place
//!   where it is declared; a global one by name space and name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, DeclKind, FilePosition, FileRange, Name, NodePtr, Place, Program};
use syntax::SyntaxKind;
use syntax::ast::{self, AstNode};

use crate::lower::{lowered_body, lowered_expr_body, lowered_specs};
use crate::scope::NameSpace;
use crate::signature::{ctor_place, datatype_data, proc_data};
use crate::tree::{NodeNumbers, decls_at, node_ranges};
use crate::{
    Db, Expr, ExprId, Exprs, SourceMap, Ty, decl_place, lookup_func, lookup_proc, lookup_type,
    lookup_var, place_range, program_decls, program_files, shape,
};

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// A type, global variable or constant, function or constructor, procedure.
    Global(NameSpace, Name),
    /// A field of a datatype, in all constructors that have it.
    Field { datatype: Name, field: Name },
    /// A formal, local or bound variable, type parameter or label: where it is declared.
    Local { name: Name, declared: Place },
}

impl Entity {
    /// Its name.
    pub fn name(&self) -> &Name {
        match self {
            Entity::Global(_, name) | Entity::Local { name, .. } => name,
            Entity::Field { field, .. } => field,
        }
    }
}

/// A place where an entity is named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    pub ptr: NodePtr,
    pub entity: Entity,
    /// The name is introduced here.
    pub is_declaration: bool,
    /// The variable is written here.
    pub is_write: bool,
}

/// All names in a declaration and what they mean, in the order of the text.
#[salsa::tracked(returns(clone))]
pub fn occurrences(db: &dyn Db, program: Program, decl: DeclId) -> Arc<[Occurrence]> {
    let Some(shape) = shape(db, decl) else { return Arc::from([]) };
    let root = shape.syntax();
    let numbers = NodeNumbers::new(&root);
    let known = Known::new(db, program, decl);
    let walk = Walk { db, program, decl, numbers: &numbers, known };
    let mut out = Vec::new();
    for node in root.descendants() {
        let inside_inline_action = decl.kind(db) == DeclKind::YieldProcedure
            && node.ancestors().any(|it| it.kind() == SyntaxKind::INLINE_ACTION);
        if inside_inline_action {
            continue;
        }
        if let Some(name) = ast::Name::cast(node.clone()) {
            out.extend(walk.declared(&name));
        } else if let Some(name) = ast::NameRef::cast(node) {
            out.extend(walk.used(&name));
        }
    }
    out.into()
}

/// What lowering knows, by node.
struct Known {
    variables: BTreeMap<u32, Entity>,
    fields: BTreeMap<u32, Entity>,
    /// Declaring names of formals, locals and bound variables.
    declared: BTreeMap<u32, Entity>,
}

impl Known {
    fn new(db: &dyn Db, program: Program, decl: DeclId) -> Known {
        let mut known = Known {
            variables: BTreeMap::new(),
            fields: BTreeMap::new(),
            declared: BTreeMap::new(),
        };
        if let Some(it) = lowered_specs(db, program, decl) {
            let names: Vec<Name> = it.contents.locals.iter().map(|it| it.name.clone()).collect();
            known.add(&it.contents.exprs, &it.map, &names);
        }
        if let Some(it) = lowered_body(db, program, decl) {
            let names: Vec<Name> = it.contents.locals.iter().map(|it| it.name.clone()).collect();
            known.add(&it.contents.exprs, &it.map, &names);
        }
        if let Some(it) = lowered_expr_body(db, program, decl) {
            known.add(&it.contents.exprs, &it.map, &[]);
        }
        known
    }

    fn add(&mut self, exprs: &Exprs, map: &SourceMap, locals: &[Name]) {
        let local = |name: &Name, declared: Place| Entity::Local { name: name.clone(), declared };
        for (name, place) in locals.iter().zip(&map.locals) {
            if let Place::Node { decl, ptr } = place
                && *decl == map.decl
            {
                self.declared.insert(ptr.node, local(name, *place));
            }
        }
        for (bound, ptr) in exprs.bound.iter().zip(&map.bound) {
            self.declared.insert(ptr.node, local(&bound.name, map.place(*ptr)));
        }
        for id in exprs.ids() {
            let node = map.exprs[id.index()].node;
            let expr = exprs.expr(id);
            let entity = if let Expr::Local(id) = expr {
                locals.get(id.index()).map(|it| local(it, map.local(*id)))
            } else if let Expr::Bound(id) = expr {
                let name = &exprs.bound(*id).name;
                Some(local(name, map.place(map.bound[id.index()])))
            } else if let Expr::Global(name) | Expr::Const(name) = expr {
                Some(Entity::Global(NameSpace::Variable, name.clone()))
            } else {
                None
            };
            if let Some(entity) = entity {
                self.variables.insert(node, entity);
            }
            self.add_field(exprs, map, id);
        }
    }

    fn add_field(&mut self, exprs: &Exprs, map: &SourceMap, id: ExprId) {
        let (Expr::Field { base, field } | Expr::FieldUpdate { base, field, .. }) = exprs.expr(id)
        else {
            return;
        };
        let (Some(member), Ty::Ctor(datatype, _)) = (map.members.get(&id), exprs.ty(*base)) else {
            return;
        };
        let entity = Entity::Field { datatype: datatype.clone(), field: field.clone() };
        self.fields.insert(member.node, entity);
    }
}

struct Walk<'a> {
    db: &'a dyn Db,
    program: Program,
    decl: DeclId,
    numbers: &'a NodeNumbers,
    known: Known,
}

impl Walk<'_> {
    fn occurrence(&self, node: &syntax::SyntaxNode, entity: Entity) -> Occurrence {
        let ptr = self.numbers.node(node);
        Occurrence { ptr, entity, is_declaration: false, is_write: false }
    }

    /// A name that introduces something.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other parent declares a local")]
    fn declared(&self, name: &ast::Name) -> Option<Occurrence> {
        let node = name.syntax();
        let parent = node.parent()?;
        let text = Name::new(name.text());
        let here = Place::new(self.decl, self.numbers.node(node));
        let local = || Entity::Local { name: text.clone(), declared: here };
        let global = |space| Entity::Global(space, text.clone());
        let entity = match parent.kind() {
            SyntaxKind::CONST_DECL => global(NameSpace::Variable),
            SyntaxKind::VAR_GROUP if self.decl.kind(self.db) == DeclKind::Var => {
                global(NameSpace::Variable)
            }
            SyntaxKind::FUNCTION_DECL | SyntaxKind::CONSTRUCTOR => global(NameSpace::Function),
            SyntaxKind::TYPE_DEF | SyntaxKind::DATATYPE_DECL => global(NameSpace::Type),
            SyntaxKind::PROC_DECL
            | SyntaxKind::ACTION_DECL
            | SyntaxKind::YIELD_PROC_DECL
            | SyntaxKind::INVARIANT_DECL
            | SyntaxKind::IMPL_DECL => global(NameSpace::Procedure),
            SyntaxKind::INLINE_ACTION => {
                Entity::Global(NameSpace::Procedure, self.decl.name(self.db).clone())
            }
            SyntaxKind::PARAM_GROUP if self.decl.kind(self.db) == DeclKind::Datatype => {
                let datatype = self.decl.name(self.db).clone();
                Entity::Field { datatype, field: text.clone() }
            }
            _local => self
                .known
                .declared
                .get(&self.numbers.node(node).node)
                .cloned()
                .unwrap_or_else(local),
        };
        let is_declaration = parent.kind() != SyntaxKind::IMPL_DECL;
        Some(Occurrence { is_declaration, ..self.occurrence(node, entity) })
    }

    /// A name that refers to something.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other parent writes a variable")]
    fn used(&self, name: &ast::NameRef) -> Option<Occurrence> {
        let node = name.syntax();
        let parent = node.parent()?;
        let text = Name::new(name.text());
        let number = self.numbers.node(node).node;
        let mut is_write = false;
        let entity = match parent.kind() {
            SyntaxKind::NAMED_TYPE => self.type_name(node, text),
            SyntaxKind::CALL_EXPR
            | SyntaxKind::IS_EXPR
            | SyntaxKind::UNPACK_STMT
            | SyntaxKind::REVEAL_STMT
            | SyntaxKind::HIDE_STMT => Some(Entity::Global(NameSpace::Function, text)),
            SyntaxKind::CALL_ARM | SyntaxKind::REFINES_CLAUSE => {
                Some(Entity::Global(NameSpace::Procedure, text))
            }
            SyntaxKind::MODIFIES_CLAUSE => Some(Entity::Global(NameSpace::Variable, text)),
            SyntaxKind::FIELD_EXPR | SyntaxKind::FIELD_UPDATE_EXPR | SyntaxKind::LHS_FIELD => {
                self.known.fields.get(&number).cloned()
            }
            SyntaxKind::GOTO_STMT | SyntaxKind::BREAK_STMT => self.label(node, text),
            SyntaxKind::NAME_EXPR => {
                let number = self.numbers.node(&parent).node;
                self.known.variables.get(&number).cloned()
            }
            _written => {
                is_write = true;
                self.known.variables.get(&number).cloned()
            }
        };
        entity.map(|entity| Occurrence { is_write, ..self.occurrence(node, entity) })
    }

    /// A type parameter of an enclosing node, or a global type.
    fn type_name(&self, node: &syntax::SyntaxNode, name: Name) -> Option<Entity> {
        for around in node.ancestors() {
            let params = around.children().filter(|it| {
                matches!(it.kind(), SyntaxKind::TYPE_PARAMS | SyntaxKind::TYPE_DEF_PARAMS)
            });
            for declared in params.flat_map(|it| it.children()).filter_map(ast::Name::cast) {
                if name == declared.text().as_str() {
                    let ptr = self.numbers.node(declared.syntax());
                    return Some(Entity::Local { name, declared: Place::new(self.decl, ptr) });
                }
            }
        }
        lookup_type(self.db, self.program, name.clone())?;
        Some(Entity::Global(NameSpace::Type, name))
    }

    fn label(&self, node: &syntax::SyntaxNode, name: Name) -> Option<Entity> {
        let root = node.ancestors().last()?;
        let labels = root.descendants().filter_map(ast::LabelStmt::cast);
        let found = labels.filter_map(|it| it.name()).find(|it| name == it.text().as_str())?;
        let ptr = self.numbers.node(found.syntax());
        Some(Entity::Local { name, declared: Place::new(self.decl, ptr) })
    }
}

/// What the name at a position means, and the range of the name.
pub fn entity_at(
    db: &dyn Db,
    program: Program,
    position: FilePosition,
) -> Option<(Entity, FileRange)> {
    for decl in decls_at(db, position.file, position.offset) {
        let ranges = node_ranges(db, decl);
        for occurrence in occurrences(db, program, decl).iter() {
            let Some(range) = ranges.get(occurrence.ptr.node as usize) else { continue };
            if range.contains_inclusive(position.offset) {
                let range = FileRange { file: position.file, range: *range };
                return Some((occurrence.entity.clone(), range));
            }
        }
    }
    None
}

/// Where an entity is declared: one place, except for fields that several constructors have.
pub fn declarations(db: &dyn Db, program: Program, entity: &Entity) -> Vec<Place> {
    match entity {
        Entity::Local { declared, .. } => vec![*declared],
        Entity::Field { datatype, field } => field_places(db, program, datatype, field),
        Entity::Global(space, name) => {
            let name = name.clone();
            let decl = match space {
                NameSpace::Type => lookup_type(db, program, name),
                NameSpace::Variable => lookup_var(db, program, name),
                NameSpace::Function => lookup_func(db, program, name),
                NameSpace::Procedure => lookup_proc(db, program, name),
            };
            decl.map(|decl| match (space, decl.kind(db)) {
                (NameSpace::Function, DeclKind::Datatype) => ctor_place(db, decl, entity.name()),
                _other => decl_place(db, decl),
            })
            .into_iter()
            .collect()
        }
    }
}

fn field_places(db: &dyn Db, program: Program, datatype: &Name, field: &Name) -> Vec<Place> {
    let decl = lookup_type(db, program, datatype.clone());
    let Some(decl) = decl.filter(|it| it.kind(db) == DeclKind::Datatype) else {
        return Vec::new();
    };
    let Some(data) = datatype_data(db, program, decl) else { return Vec::new() };
    let mut out = Vec::new();
    for (ctor, field_number) in data.datatype.field_places(field) {
        out.push(data.places[ctor].1[field_number]);
    }
    out
}

/// Every place that names the entity, declarations included, in declaration order.
pub fn references(db: &dyn Db, program: Program, entity: &Entity) -> Vec<(Place, Occurrence)> {
    let mut out: Vec<(Place, Occurrence)> = Vec::new();
    let mut seen: BTreeSet<(usize, u32)> = BTreeSet::new();
    let files = program_files(db, program);
    for decl in program_decls(db, program).iter() {
        for occurrence in occurrences(db, program, *decl).iter() {
            if occurrence.entity == *entity {
                let place = Place::new(*decl, occurrence.ptr);
                let range = place_range(db, place);
                let file = files.iter().position(|it| *it == range.file).unwrap_or_default();
                // Names of one `var` or `type` declaration share a tree.
                if seen.insert((file, range.range.start().into())) {
                    out.push((place, occurrence.clone()));
                }
            }
        }
    }
    out
}

/// The type of the smallest expression at a position, and the range of that expression.
pub fn type_at(db: &dyn Db, program: Program, position: FilePosition) -> Option<(Ty, FileRange)> {
    let mut best: Option<(Ty, FileRange)> = None;
    for decl in decls_at(db, position.file, position.offset) {
        let body = lowered_body(db, program, decl);
        let specs = lowered_specs(db, program, decl);
        let expr = lowered_expr_body(db, program, decl);
        let parts = [
            body.as_ref().map(|it| (&it.contents.exprs, &it.map)),
            specs.as_ref().map(|it| (&it.contents.exprs, &it.map)),
            expr.as_ref().map(|it| (&it.contents.exprs, &it.map)),
        ];
        let ranges = node_ranges(db, decl);
        for (exprs, map) in parts.into_iter().flatten() {
            for id in exprs.ids() {
                let Some(range) = ranges.get(map.exprs[id.index()].node as usize) else { continue };
                let smaller = |it: &(Ty, FileRange)| range.len() < it.1.range.len();
                if range.contains_inclusive(position.offset) && best.as_ref().is_none_or(smaller) {
                    let range = FileRange { file: position.file, range: *range };
                    best = Some((exprs.ty(id).clone(), range));
                }
            }
        }
        if best.is_some() {
            return best;
        }
    }
    best
}

/// The formals of a callable thing, as text for signature help: in-parameters, out-parameters.
pub fn formals_text(
    db: &dyn Db,
    program: Program,
    name: &Name,
) -> Option<(Vec<String>, Vec<String>)> {
    let decl = lookup_proc(db, program, name.clone())?;
    let data = proc_data(db, program, decl)?;
    let text = |param: &crate::Param| format!("{}: {}", param.name, param.ty);
    Some((data.sig.ins.iter().map(text).collect(), data.sig.outs.iter().map(text).collect()))
}
