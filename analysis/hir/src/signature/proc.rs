//! Signatures of procedures, actions, yield procedures and invariants.

use std::sync::Arc;

use base::{DeclId, Name, Place, Program};
use syntax::ast::{self, AstNode, MoverKind};

use super::data::unused_type_params;
use super::formals::{FormalLayers, FormalLowering, Formals};
use crate::attrs::{as_range, layers, raw_attrs};
use crate::problem::{Fault, Problem};
use crate::tree::{NodeNumbers, Shape};
use crate::{Db, Layer, LayerRange, LayerSet, Mover, Param, ProcKind, ProcSig, Ty, shape};

/// A signature with its places and problems.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProcData {
    pub(crate) sig: Arc<ProcSig>,
    pub(crate) formals: ProcFormals,
    pub(crate) problems: Vec<Problem>,
}

/// Both lists of formals.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct ProcFormals {
    pub(crate) ins: Formals,
    pub(crate) outs: Formals,
}

/// The parts every procedure-like node has.
pub(crate) struct ProcNode {
    pub(crate) syntax: syntax::SyntaxNode,
    pub(crate) kind: ProcKind,
    pub(crate) mover: Option<Mover>,
    pub(crate) type_params: Option<ast::TypeParams>,
    pub(crate) ins: Option<ast::ParamList>,
    pub(crate) outs: Option<ast::ParamList>,
    pub(crate) specs: Vec<ast::SpecClause>,
    pub(crate) body: Option<ast::Body>,
}

impl ProcNode {
    /// The procedure-like node at the root of a shape.
    pub(crate) fn of(shape: &Shape) -> Option<ProcNode> {
        let item = shape.cast::<ast::Item>();
        match item {
            Some(ast::Item::ProcDecl(it)) => Some(ProcNode {
                kind: if it.is_pure() { ProcKind::Pure } else { ProcKind::Plain },
                mover: None,
                type_params: it.type_params(),
                ins: it.param_list(),
                outs: it.returns().and_then(|it| it.param_list()),
                specs: it.spec_clauses().collect(),
                body: it.body(),
                syntax: it.syntax().clone(),
            }),
            Some(ast::Item::ActionDecl(it)) => Some(ProcNode::action(&it)),
            Some(ast::Item::YieldProcDecl(it)) => Some(ProcNode {
                kind: ProcKind::Yield,
                mover: mover(it.mover()),
                type_params: None,
                ins: it.param_list(),
                outs: it.returns().and_then(|it| it.param_list()),
                specs: it.spec_clauses().collect(),
                body: it.body(),
                syntax: it.syntax().clone(),
            }),
            Some(ast::Item::InvariantDecl(it)) => Some(ProcNode {
                kind: ProcKind::Invariant { global: !it.is_yield() },
                mover: None,
                type_params: None,
                ins: it.param_list(),
                outs: None,
                specs: it.preserves_clauses().map(ast::SpecClause::PreservesClause).collect(),
                body: None,
                syntax: it.syntax().clone(),
            }),
            Some(ast::Item::ImplDecl(it)) => Some(ProcNode {
                kind: ProcKind::Plain,
                mover: None,
                type_params: it.type_params(),
                ins: it.param_list(),
                outs: it.returns().and_then(|it| it.param_list()),
                specs: Vec::new(),
                body: it.body(),
                syntax: it.syntax().clone(),
            }),
            Some(
                ast::Item::ConstDecl(_)
                | ast::Item::FunctionDecl(_)
                | ast::Item::AxiomDecl(_)
                | ast::Item::TypeDecl(_)
                | ast::Item::DatatypeDecl(_)
                | ast::Item::GlobalVarDecl(_),
            ) => None,
            None => ProcNode::inline(shape),
        }
    }

    fn action(node: &ast::ActionDecl) -> ProcNode {
        let pure = node.is_pure();
        let written = mover(node.mover());
        let default = if pure { Mover::Both } else { Mover::Atomic };
        ProcNode {
            kind: ProcKind::Action { pure },
            mover: Some(if pure { Mover::Both } else { written.unwrap_or(default) }),
            type_params: None,
            ins: node.param_list(),
            outs: node.returns().and_then(|it| it.param_list()),
            specs: node.spec_clauses().collect(),
            body: node.body(),
            syntax: node.syntax().clone(),
        }
    }

    fn inline(shape: &Shape) -> Option<ProcNode> {
        let node = shape.cast::<ast::InlineAction>()?;
        Some(ProcNode {
            kind: ProcKind::Action { pure: false },
            mover: Some(mover(node.mover()).unwrap_or(Mover::Atomic)),
            type_params: None,
            ins: None,
            outs: None,
            specs: Vec::new(),
            body: node.body(),
            syntax: node.syntax().clone(),
        })
    }

    pub(crate) fn attributes(&self) -> impl Iterator<Item = ast::Attribute> + use<> {
        self.syntax.children().filter_map(ast::Attribute::cast)
    }
}

fn mover(node: Option<ast::Mover>) -> Option<Mover> {
    Some(match node?.kind()? {
        MoverKind::Left => Mover::Left,
        MoverKind::Right => Mover::Right,
        MoverKind::Both => Mover::Both,
        MoverKind::Atomic => Mover::Atomic,
    })
}

#[salsa::tracked(returns(clone))]
pub(crate) fn proc_data(db: &dyn Db, program: Program, decl: DeclId) -> Option<Arc<ProcData>> {
    let shape = shape(db, decl)?;
    let node = ProcNode::of(&shape)?;
    let numbers = NodeNumbers::new(&node.syntax);
    let mut lowering = FormalLowering::new(db, program, decl, &numbers);
    let name_place = super::decl_place(db, decl);
    let set = layers(node.attributes(), decl, &numbers, &mut lowering.problems);
    let complained = !lowering.problems.is_empty();
    let range = own_layers(&mut lowering, node.kind, &set, name_place, complained);
    let names = node.type_params.iter().flat_map(|it| it.names());
    let type_params = lowering.types.declare_params(names);
    let formals = match shape.parent {
        Some(parent) => inline_formals(db, program, parent, range),
        None => own_formals(&mut lowering, &node, range),
    };
    lowering.check_distinct(&[&formals.ins, &formals.outs]);
    let all = formals.ins.params.iter().chain(&formals.outs.params).map(|param| &param.ty);
    let types: Vec<Ty> = all.cloned().collect();
    unused_type_params(&mut lowering, node.type_params.clone(), types.iter(), "procedure");
    let name = decl.name(db).clone();
    let is_base = decl.file(db).library(db) == Some(base::LibraryName::Base);
    let sig = ProcSig {
        decl,
        primitive: is_base.then(|| crate::item::library_primitive(&name)).flatten(),
        refines: refines(&node, &name),
        name,
        kind: node.kind,
        type_params,
        ins: formals.ins.params.clone().into(),
        outs: formals.outs.params.clone().into(),
        layers: range,
        mover: node.mover,
        modifies: modifies(&node),
        has_body: node.body.is_some(),
        attrs: raw_attrs(node.attributes()),
    };
    Some(Arc::new(ProcData { sig: Arc::new(sig), formals, problems: lowering.finish() }))
}

/// The layers of the declaration itself (language.md 4.2, 4.3).
fn own_layers(
    lowering: &mut FormalLowering<'_>,
    kind: ProcKind,
    set: &LayerSet,
    place: Place,
    complained: bool,
) -> Option<LayerRange> {
    let mut single = |noun: &'static str| {
        if set.as_slice().len() != 1 && !complained {
            let found = set.as_slice().len();
            lowering.problem(place, Fault::SingleLayerExpected { noun, found });
        }
        set.max().unwrap_or(Layer::ZERO)
    };
    match kind {
        ProcKind::Plain | ProcKind::Pure => None,
        ProcKind::Yield => Some(LayerRange::up_to(single("yield procedure"))),
        ProcKind::Invariant { global } => {
            let noun = if global { "invariant" } else { "yield invariant" };
            Some(LayerRange::single(single(noun)))
        }
        ProcKind::Action { .. } => Some(as_range(set, LayerRange::ALL).unwrap_or_else(|fault| {
            lowering.problem(place, fault);
            LayerRange::ALL
        })),
    }
}

fn own_formals(
    lowering: &mut FormalLowering<'_>,
    node: &ProcNode,
    range: Option<LayerRange>,
) -> ProcFormals {
    let rule = match (node.kind, range) {
        (ProcKind::Yield, Some(range)) => FormalLayers::UpTo(range.high()),
        (ProcKind::Action { .. } | ProcKind::Invariant { .. }, Some(range)) => {
            FormalLayers::Fixed(range)
        }
        (ProcKind::Plain | ProcKind::Pure, _) | (_, None) => FormalLayers::None,
    };
    let ins = lowering.list(node.ins.clone(), rule);
    let outs = lowering.list(node.outs.clone(), rule);
    ProcFormals { ins, outs }
}

/// An inline action has the formals of its procedure that are not hidden (language.md 2.3).
fn inline_formals(
    db: &dyn Db,
    program: Program,
    parent: DeclId,
    range: Option<LayerRange>,
) -> ProcFormals {
    let Some(data) = proc_data(db, program, parent) else { return ProcFormals::default() };
    let visible = |formals: &Formals| {
        let mut out = Formals::default();
        for (param, place) in formals.params.iter().zip(&formals.places) {
            if !param.hide {
                out.params.push(Param { layers: range, ..param.clone() });
                out.places.push(*place);
            }
        }
        out
    };
    ProcFormals { ins: visible(&data.formals.ins), outs: visible(&data.formals.outs) }
}

/// The name an inline action of procedure `owner` goes by.
pub(crate) fn inline_action_name(node: &ast::InlineAction, owner: &Name) -> Name {
    use syntax::ast::HasName;
    let given = HasName::name(node).map(|it| it.text()).filter(|it| it != "_" && !it.is_empty());
    given.map_or_else(|| Name::anonymous_action(owner), Name::new)
}

fn refines(node: &ProcNode, owner: &Name) -> Option<Name> {
    node.specs.iter().find_map(|clause| match clause {
        ast::SpecClause::RefinesClause(it) => match it.inline_action() {
            Some(action) => Some(inline_action_name(&action, owner)),
            None => it.name_ref().map(|name| Name::new(name.text())),
        },
        ast::SpecClause::RequiresClause(_)
        | ast::SpecClause::EnsuresClause(_)
        | ast::SpecClause::PreservesClause(_)
        | ast::SpecClause::AssertsClause(_)
        | ast::SpecClause::ModifiesClause(_)
        | ast::SpecClause::MeasureClause(_) => None,
    })
}

fn modifies(node: &ProcNode) -> Arc<[Name]> {
    modified_names(node).into_iter().map(|name| Name::new(name.text())).collect()
}

/// The names in `modifies` clauses; of a name that is written twice, the first.
pub(crate) fn modified_names(node: &ProcNode) -> Vec<ast::NameRef> {
    let mut out: Vec<ast::NameRef> = Vec::new();
    for clause in &node.specs {
        let ast::SpecClause::ModifiesClause(clause) = clause else { continue };
        for name in clause.name_refs() {
            if out.iter().all(|seen| seen.text() != name.text()) {
                out.push(name);
            }
        }
    }
    out
}
