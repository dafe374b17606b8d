//! From written types to [`Ty`]: names looked up, synonyms expanded, arities checked.
//!
//! Synonyms of a program are expanded together, in an order in which each comes after those it
//! mentions; the ones left over form cycles. So nothing here recurses through definitions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use syntax::ast::{self, AstNode};

use crate::problem::{Fault, Problem};
use crate::scope::{NameSpace, scope};
use crate::tree::NodeNumbers;
use crate::{Db, MapTy, Ty, TySubst, decl_place, lookup_type, shape};

/// What a type name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeDef {
    /// `type T a b;`
    Opaque {
        arity: usize,
    },
    /// `type T a = ..;` with everything in it expanded.
    Synonym {
        params: Arc<[Name]>,
        body: Ty,
    },
    Datatype {
        arity: usize,
    },
}

/// What the name of a type stands for.
#[salsa::tracked(returns(clone))]
pub fn type_def(db: &dyn Db, program: Program, name: Name) -> Option<TypeDef> {
    let decl = lookup_type(db, program, name.clone())?;
    let head = type_head(db, decl);
    match head {
        TypeHead::Opaque { arity } => Some(TypeDef::Opaque { arity }),
        TypeHead::Datatype { arity } => Some(TypeDef::Datatype { arity }),
        TypeHead::Synonym => synonyms(db, program).defs.get(&name).cloned(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypeHead {
    Opaque { arity: usize },
    Datatype { arity: usize },
    Synonym,
}

#[salsa::tracked(returns(copy))]
fn type_head(db: &dyn Db, decl: DeclId) -> TypeHead {
    let Some(shape) = shape(db, decl) else { return TypeHead::Opaque { arity: 0 } };
    if let Some(datatype) = shape.cast::<ast::DatatypeDecl>() {
        let arity = datatype.type_params().map_or(0, |it| it.names().count());
        return TypeHead::Datatype { arity };
    }
    match type_node(db, decl, &shape.syntax()) {
        Some(def) if def.eq_token().is_some() => TypeHead::Synonym,
        Some(def) => TypeHead::Opaque { arity: def.params().len() },
        None => TypeHead::Opaque { arity: 0 },
    }
}

/// The part of `type A, B = ..;` that declares `decl`.
pub(crate) fn type_node(
    db: &dyn Db,
    decl: DeclId,
    root: &syntax::SyntaxNode,
) -> Option<ast::TypeDef> {
    let name = decl.name(db);
    let mut defs = ast::TypeDecl::cast(root.clone())?.type_defs();
    defs.find(|def| def.name().is_some_and(|it| *name == it.text().as_str()))
}

/// All synonyms of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Synonyms {
    defs: BTreeMap<Name, TypeDef>,
    pub(crate) problems: Vec<Problem>,
}

/// Expands all synonyms. Reads the declarations of synonyms only.
#[salsa::tracked(returns(clone))]
pub(crate) fn synonyms(db: &dyn Db, program: Program) -> Arc<Synonyms> {
    let scope = scope(db, program);
    let all: BTreeMap<Name, DeclId> = scope
        .names(NameSpace::Type)
        .filter(|(_, decl)| decl.kind(db) == DeclKind::Type)
        .filter(|(_, decl)| type_head(db, *decl) == TypeHead::Synonym)
        .map(|(name, decl)| (name.clone(), decl))
        .collect();
    let mut out = Synonyms { defs: BTreeMap::new(), problems: Vec::new() };
    let mut waiting: BTreeMap<Name, BTreeSet<Name>> = (all.iter())
        .map(|(name, decl)| {
            let mut names = mentioned_types(db, *decl);
            names.retain(|it| all.contains_key(it));
            (name.clone(), names)
        })
        .collect();
    while let Some(name) = next_ready(&waiting, &out.defs) {
        waiting.remove(&name);
        let def = lower_synonym(db, program, all[&name], &mut out);
        out.defs.insert(name, def);
    }
    let cyclic: Vec<Name> = waiting.keys().cloned().collect();
    for name in &cyclic {
        let place = decl_place(db, all[name]);
        let fault = Fault::SynonymCycle { name: name.clone(), cycle: cyclic.clone() };
        out.problems.push(Problem { place, fault });
        let params = synonym_params(db, all[name]);
        out.defs.insert(name.clone(), TypeDef::Synonym { params, body: Ty::Error });
    }
    Arc::new(out)
}

fn next_ready(
    waiting: &BTreeMap<Name, BTreeSet<Name>>,
    done: &BTreeMap<Name, TypeDef>,
) -> Option<Name> {
    let ready = waiting.iter().find(|(_, needs)| needs.iter().all(|it| done.contains_key(it)));
    ready.map(|(name, _)| name.clone())
}

fn mentioned_types(db: &dyn Db, decl: DeclId) -> BTreeSet<Name> {
    let Some(shape) = shape(db, decl) else { return BTreeSet::new() };
    let Some(def) = type_node(db, decl, &shape.syntax()) else { return BTreeSet::new() };
    let params = synonym_params(db, decl);
    let names = def.syntax().descendants().filter_map(ast::NameRef::cast);
    names.map(|name| Name::new(name.text())).filter(|name| !params.contains(name)).collect()
}

fn synonym_params(db: &dyn Db, decl: DeclId) -> Arc<[Name]> {
    let Some(shape) = shape(db, decl) else { return Arc::from([]) };
    let def = type_node(db, decl, &shape.syntax());
    let names = def.map(|def| def.params()).unwrap_or_default();
    names.iter().map(|name| Name::new(name.text())).collect()
}

fn lower_synonym(db: &dyn Db, program: Program, decl: DeclId, out: &mut Synonyms) -> TypeDef {
    let params = synonym_params(db, decl);
    let node = shape(db, decl).and_then(|shape| type_node(db, decl, &shape.syntax()));
    let Some(node) = node else { return TypeDef::Synonym { params, body: Ty::Error } };
    let root = node.syntax().ancestors().last().unwrap_or_else(|| node.syntax().clone());
    let numbers = NodeNumbers::new(&root);
    let mut lowering = TypeLowering::new(db, program, decl, &numbers);
    lowering.known = Some(&out.defs);
    lowering.params = params.to_vec();
    let body = lowering.optional(node.ty());
    let problems = lowering.problems;
    out.problems.extend(problems);
    TypeDef::Synonym { params, body }
}

/// Lowers the types written in one declaration.
pub(crate) struct TypeLowering<'a> {
    db: &'a dyn Db,
    program: Program,
    decl: DeclId,
    numbers: &'a NodeNumbers,
    /// Type parameters in scope, inner ones last.
    pub(crate) params: Vec<Name>,
    pub(crate) problems: Vec<Problem>,
    /// While synonyms are being expanded: those that are done.
    known: Option<&'a BTreeMap<Name, TypeDef>>,
}

impl<'a> TypeLowering<'a> {
    pub(crate) fn new(
        db: &'a dyn Db,
        program: Program,
        decl: DeclId,
        numbers: &'a NodeNumbers,
    ) -> TypeLowering<'a> {
        let (params, problems) = (Vec::new(), Vec::new());
        TypeLowering { db, program, decl, numbers, params, problems, known: None }
    }

    fn problem(&mut self, node: &syntax::SyntaxNode, fault: Fault) {
        let place = Place::new(self.decl, self.numbers.node(node));
        self.problems.push(Problem { place, fault });
    }

    /// Brings type parameters into scope; complains about duplicates, about names that an outer scope
    /// has, since a type variable is known by its name, and about names of types.
    pub(crate) fn declare_params(&mut self, names: impl Iterator<Item = ast::Name>) -> Arc<[Name]> {
        let mut out: Vec<Name> = Vec::new();
        for node in names {
            let name = Name::new(node.text());
            if out.contains(&name) || self.params.contains(&name) {
                let fault = Fault::DuplicateLocal {
                    noun: "type variable",
                    name: name.clone(),
                    first: None,
                };
                self.problem(node.syntax(), fault);
            } else if let Some(decl) = self.shadowed_type(&name) {
                let declared = Some(decl_place(self.db, decl));
                let fault = Fault::TypeVariableShadowsType { name: name.clone(), declared };
                self.problem(node.syntax(), fault);
            }
            out.push(name);
        }
        self.params.extend(out.iter().cloned());
        out.into()
    }

    /// The type a type variable takes its name from. The names that our libraries choose for theirs
    /// are none of the user's business.
    fn shadowed_type(&self, name: &Name) -> Option<DeclId> {
        if self.decl.file(self.db).library(self.db).is_some() {
            return None;
        }
        lookup_type(self.db, self.program, name.clone())
    }

    pub(crate) fn optional(&mut self, ty: Option<ast::Type>) -> Ty {
        ty.map_or(Ty::Error, |ty| self.lower(&ty))
    }

    pub(crate) fn lower(&mut self, ty: &ast::Type) -> Ty {
        match ty {
            ast::Type::PrimType(prim) if prim.int_token().is_some() => Ty::Int,
            ast::Type::PrimType(prim) if prim.real_token().is_some() => Ty::Real,
            ast::Type::PrimType(_) => Ty::Bool,
            ast::Type::ParenType(paren) => self.optional(paren.ty()),
            ast::Type::MapType(map) => self.map(map),
            ast::Type::NamedType(named) => self.named(named),
        }
    }

    fn map(&mut self, map: &ast::MapType) -> Ty {
        let depth = self.params.len();
        let names = map.type_params();
        let params = self.declare_params(names.iter().flat_map(|it| it.names()));
        let args: Arc<[Ty]> = match map.map_domain() {
            Some(domain) => domain.types().map(|ty| self.lower(&ty)).collect(),
            None => Arc::from([]),
        };
        let result = self.optional(map.ty());
        self.params.truncate(depth);
        let declared = names.iter().flat_map(|it| it.names());
        for (node, name) in declared.zip(params.iter()) {
            if !args.iter().any(|ty| mentions(ty, name)) {
                let fault = Fault::UnusedTypeVariable { name: name.clone(), owner: "map" };
                self.problem(node.syntax(), fault);
            }
        }
        Ty::Map(Arc::new(MapTy { params, args, result }))
    }

    fn named(&mut self, named: &ast::NamedType) -> Ty {
        let Some(name_ref) = named.name_ref() else { return Ty::Error };
        let name = Name::new(name_ref.text());
        let args: Vec<Ty> = named.args().map(|ty| self.lower(&ty)).collect();
        if self.params.contains(&name) {
            self.check_arity(&name_ref, &name, 0, args.len());
            return Ty::Param(name);
        }
        if let Some(ty) = builtin_type(name.as_str()) {
            self.check_arity(&name_ref, &name, 0, args.len());
            return ty;
        }
        let def = match self.known {
            Some(known) => self.known_def(known, &name),
            None => type_def(self.db, self.program, name.clone()),
        };
        match def {
            None => {
                self.problem(name_ref.syntax(), Fault::UndeclaredType { name });
                Ty::Error
            }
            Some(TypeDef::Opaque { arity } | TypeDef::Datatype { arity }) => {
                if !self.check_arity(&name_ref, &name, arity, args.len()) {
                    return Ty::Error;
                }
                Ty::Ctor(name, args.into())
            }
            Some(TypeDef::Synonym { params, body }) => {
                if !self.check_arity(&name_ref, &name, params.len(), args.len()) {
                    return Ty::Error;
                }
                let subst: TySubst = params.iter().cloned().zip(args).collect();
                body.subst(&subst)
            }
        }
    }

    fn known_def(&self, known: &BTreeMap<Name, TypeDef>, name: &Name) -> Option<TypeDef> {
        let decl = lookup_type(self.db, self.program, name.clone())?;
        match type_head(self.db, decl) {
            TypeHead::Opaque { arity } => Some(TypeDef::Opaque { arity }),
            TypeHead::Datatype { arity } => Some(TypeDef::Datatype { arity }),
            TypeHead::Synonym => known.get(name).cloned(),
        }
    }

    fn check_arity(
        &mut self,
        node: &ast::NameRef,
        name: &Name,
        expected: usize,
        found: usize,
    ) -> bool {
        if expected == found {
            return true;
        }
        let decl = lookup_type(self.db, self.program, name.clone());
        let declared = decl.map(|decl| decl_place(self.db, decl));
        self.problem(
            node.syntax(),
            Fault::TypeArity { name: name.clone(), expected, found, declared },
        );
        false
    }
}

/// Does the type parameter `name` occur in `ty`?
pub(crate) fn mentions(ty: &Ty, name: &Name) -> bool {
    ty.any(&|part| matches!(part, Ty::Param(it) if it == name))
}

/// Types known by name without declaration.
pub(crate) fn builtin_type(name: &str) -> Option<Ty> {
    match name {
        "rmode" => return Some(Ty::RMode),
        "string" => return Some(Ty::String),
        "regex" => return Some(Ty::Regex),
        _other => {}
    }
    if let Some(width) = name.strip_prefix("bv") {
        return number(width).map(Ty::Bv);
    }
    let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
    Some(Ty::Float(number(significand)?, number(exponent)?))
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
