//! Signatures of variables, constants, functions and datatypes.

use std::sync::Arc;

use base::{DeclId, DeclKind, Name, Place, Program};
use syntax::ast::{self, AstNode, HasName};

use super::formals::{FormalLayers, FormalLowering, Formals};
use crate::attrs::{as_range, layers, linear_kind, raw_attrs};
use crate::problem::{Fault, Problem};
use crate::tree::NodeNumbers;
use crate::types::mentions;
use crate::{
    Constant, Constructor, Datatype, Db, Field, FuncKind, FuncSig, GlobalVar, LayerRange, Param,
    RawArg, RawAttrs, Ty, shape,
};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GlobalData {
    pub(crate) var: Arc<GlobalVar>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConstData {
    pub(crate) constant: Arc<Constant>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FuncData {
    pub(crate) sig: Arc<FuncSig>,
    pub(crate) formals: Formals,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DatatypeData {
    pub(crate) datatype: Arc<Datatype>,
    /// The constructors as functions.
    pub(crate) ctors: Vec<Arc<FuncSig>>,
    /// Where the constructor names and their fields are written.
    pub(crate) places: Vec<(Place, Vec<Place>)>,
    pub(crate) problems: Vec<Problem>,
}

#[salsa::tracked(returns(clone))]
pub(crate) fn global_data(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<GlobalData>> {
    let node = shape(db, decl)?.cast::<ast::GlobalVarDecl>()?;
    let numbers = NodeNumbers::new(node.syntax());
    let mut lowering = FormalLowering::new(db, program, decl, &numbers);
    let name = decl.name(db).clone();
    let mut groups = node.var_groups();
    let has_name = |it: ast::Name| name == it.text().as_str();
    let group = groups.find(|group| group.names().any(has_name))?;
    let attrs = raw_attrs(node.attributes());
    let set = layers(node.attributes(), decl, &numbers, &mut lowering.problems);
    let range = as_range(&set, LayerRange::ALL).unwrap_or_else(|fault| {
        lowering.problem(super::decl_place(db, decl), fault);
        LayerRange::ALL
    });
    let ty = lowering.types.optional(group.ty());
    let linear = linear_kind(&attrs);
    let var = GlobalVar { decl, name, ty, linear, layers: range, attrs };
    Some(Arc::new(GlobalData { var: Arc::new(var), problems: lowering.finish() }))
}

#[salsa::tracked(returns(clone))]
pub(crate) fn const_data(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<ConstData>> {
    let node = shape(db, decl)?.cast::<ast::ConstDecl>()?;
    let numbers = NodeNumbers::new(node.syntax());
    let mut lowering = FormalLowering::new(db, program, decl, &numbers);
    let ty = lowering.types.optional(node.ty());
    let constant = Constant {
        decl,
        name: decl.name(db).clone(),
        ty,
        unique: node.is_unique(),
        attrs: raw_attrs(node.attributes()),
    };
    Some(Arc::new(ConstData { constant: Arc::new(constant), problems: lowering.finish() }))
}

#[salsa::tracked(returns(clone))]
pub(crate) fn func_data(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<FuncData>> {
    let node = shape(db, decl)?.cast::<ast::FunctionDecl>()?;
    let numbers = NodeNumbers::new(node.syntax());
    let mut lowering = FormalLowering::new(db, program, decl, &numbers);
    let type_params = node.type_params();
    let names = type_params.iter().flat_map(|it| it.names());
    let type_params = lowering.types.declare_params(names);
    let formals = function_formals(&mut lowering, &node);
    let result = function_result(&mut lowering, &node);
    lowering.check_distinct(&[&formals]);
    let attrs = raw_attrs(node.attributes());
    let has_body = node.function_body().is_some();
    let sig = FuncSig {
        decl,
        name: decl.name(db).clone(),
        params: formals.params.clone().into(),
        result,
        kind: function_kind(&attrs, has_body),
        has_body,
        attrs,
        type_params,
    };
    let types = sig.params.iter().map(|param| &param.ty).chain([&sig.result]);
    unused_type_params(&mut lowering, node.type_params(), types, "function");
    check_function(&mut lowering, super::decl_place(db, decl), &sig);
    Some(Arc::new(FuncData { sig: Arc::new(sig), formals, problems: lowering.finish() }))
}

fn function_formals(lowering: &mut FormalLowering<'_>, node: &ast::FunctionDecl) -> Formals {
    let mut out = Formals::default();
    for view in node.function_param_list().iter().flat_map(|list| list.resolved()) {
        let attrs = raw_attrs(view.param.attributes());
        let ty = lowering.types.optional(view.ty.clone());
        let name = view.name.as_ref().map(|token| Name::new(ast::ident_text(token.text())));
        let parent = view.name.as_ref().and_then(|token| token.parent());
        out.places.push(lowering.place(parent.as_ref().unwrap_or(view.param.syntax())));
        out.params.push(param(name.unwrap_or_else(Name::missing), ty, attrs));
    }
    out
}

fn function_result(lowering: &mut FormalLowering<'_>, node: &ast::FunctionDecl) -> Ty {
    let returns = node.function_returns();
    let ty = returns.and_then(|it| it.ty().or_else(|| it.function_param()?.ty()));
    lowering.types.optional(ty)
}

fn param(name: Name, ty: Ty, attrs: RawAttrs) -> Param {
    let linear = linear_kind(&attrs);
    let pools = attrs.strings("pool").cloned().collect();
    Param { name, ty, linear, layers: None, hide: false, pools, attrs }
}

fn function_kind(attrs: &RawAttrs, has_body: bool) -> FuncKind {
    let builtin = attrs.strings("builtin").next().or_else(|| attrs.strings("bvbuiltin").next());
    if let Some(name) = builtin {
        FuncKind::Builtin(name.clone())
    } else if attrs.is_on("inline") && has_body {
        FuncKind::Inline
    } else if attrs.is_on("define") && has_body {
        FuncKind::Define
    } else if has_body {
        FuncKind::Axiom
    } else {
        FuncKind::Uninterpreted
    }
}

/// The rules of language.md 5.5 that need one function only.
fn check_function(lowering: &mut FormalLowering<'_>, place: Place, sig: &FuncSig) {
    let inline = sig.attrs.find("inline");
    let boolean = |args: &[RawArg]| matches!(args, [] | [RawArg::Bool(_)]);
    if inline.is_some_and(|attr| !boolean(&attr.args)) {
        lowering.problem(place, Fault::InlineNotBoolean);
    }
    if sig.attrs.is_on("inline") && sig.attrs.is_on("define") {
        lowering.problem(place, Fault::InlineAndDefine);
    }
    if matches!(sig.kind, FuncKind::Builtin(_)) && sig.has_body {
        lowering.problem(place, Fault::BuiltinWithBody);
    }
    for attribute in ["inline", "define"] {
        if sig.attrs.is_on(attribute) && !sig.has_body {
            lowering.problem(place, Fault::FunctionWithoutBody { attribute });
        }
    }
}

/// Complains about type parameters that occur in none of `types`.
pub(super) fn unused_type_params<'t>(
    lowering: &mut FormalLowering<'_>,
    params: Option<ast::TypeParams>,
    types: impl Iterator<Item = &'t Ty> + Clone,
    owner: &'static str,
) {
    for node in params.iter().flat_map(|it| it.names()) {
        let name = Name::new(node.text());
        if !types.clone().any(|ty| ty.has_error() || mentions(ty, &name)) {
            let place = lowering.place(node.syntax());
            lowering.problem(place, Fault::UnusedTypeVariable { name, owner });
        }
    }
}

#[salsa::tracked(returns(clone))]
pub(crate) fn datatype_data(
    db: &dyn Db,
    program: Program,
    decl: DeclId,
) -> Option<Arc<DatatypeData>> {
    debug_assert_eq!(decl.kind(db), DeclKind::Datatype);
    let node = shape(db, decl)?.cast::<ast::DatatypeDecl>()?;
    let numbers = NodeNumbers::new(node.syntax());
    let mut lowering = FormalLowering::new(db, program, decl, &numbers);
    let names = node.type_params();
    let type_params = lowering.types.declare_params(names.iter().flat_map(|it| it.names()));
    let name = decl.name(db).clone();
    let result = Ty::Ctor(name.clone(), type_params.iter().cloned().map(Ty::Param).collect());
    let (mut ctors, mut sigs, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for ctor in node.constructors() {
        let Some(ctor_name) = HasName::name(&ctor) else { continue };
        let formals = lowering.list(ctor.param_list(), FormalLayers::None);
        lowering.check_distinct(&[&formals]);
        let field = |param: &Param| Field { name: param.name.clone(), ty: param.ty.clone() };
        let fields = formals.params.iter().map(field).collect();
        let index = u32::try_from(ctors.len()).unwrap_or(u32::MAX);
        places.push((lowering.place(ctor_name.syntax()), formals.places));
        ctors.push(Constructor { name: Name::new(ctor_name.text()), fields });
        sigs.push(Arc::new(FuncSig {
            decl,
            name: Name::new(ctor_name.text()),
            type_params: type_params.clone(),
            params: formals.params.into(),
            result: result.clone(),
            kind: FuncKind::Constructor { datatype: name.clone(), index },
            has_body: false,
            attrs: RawAttrs::default(),
        }));
    }
    check_field_types(&mut lowering, &ctors, &places);
    let datatype = Arc::new(Datatype { decl, name, type_params, ctors: ctors.into() });
    Some(Arc::new(DatatypeData { datatype, ctors: sigs, places, problems: lowering.finish() }))
}

/// A field name that several constructors use must have one type.
fn check_field_types(
    lowering: &mut FormalLowering<'_>,
    ctors: &[Constructor],
    places: &[(Place, Vec<Place>)],
) {
    let mut seen: Vec<(&Field, &Name, Place)> = Vec::new();
    for (ctor, (_, field_places)) in ctors.iter().zip(places) {
        for (field, place) in ctor.fields.iter().zip(field_places) {
            let Some((first, first_ctor, at)) = seen.iter().find(|it| it.0.name == field.name)
            else {
                seen.push((field, &ctor.name, *place));
                continue;
            };
            if !first.ty.same_as(&field.ty) {
                let (name, ctor) = (field.name.clone(), (*first_ctor).clone());
                let first = Some(*at);
                lowering.problem(*place, Fault::FieldTypeMismatch { field: name, ctor, first });
            }
        }
    }
}
