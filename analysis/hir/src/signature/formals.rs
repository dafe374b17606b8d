//! Lists of formals and fields.

use std::sync::Arc;

use base::{DeclId, Name, Place, Program};
use syntax::ast::{self, AstNode};

use crate::attrs::{as_range, layers, linear_kind, raw_attrs};
use crate::problem::{Fault, HighLayer, Problem};
use crate::tree::NodeNumbers;
use crate::types::TypeLowering;
use crate::{Db, Layer, LayerRange, Param};

/// Formals with their places.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Formals {
    pub(crate) params: Vec<Param>,
    pub(crate) places: Vec<Place>,
}

/// How the layers of a formal are found (language.md 4.3).
#[derive(Clone, Copy, Debug)]
pub(crate) enum FormalLayers {
    /// Plain and pure procedures, functions, constructors.
    None,
    /// Invariants and actions: these, whatever the attribute says.
    Fixed(LayerRange),
    /// Yield procedures: the attribute, at most this layer.
    UpTo(Layer),
}

/// Reads the formals of one declaration.
pub(crate) struct FormalLowering<'a> {
    pub(crate) decl: DeclId,
    pub(crate) numbers: &'a NodeNumbers,
    pub(crate) types: TypeLowering<'a>,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> FormalLowering<'a> {
    pub(crate) fn new(
        db: &'a dyn Db,
        program: Program,
        decl: DeclId,
        numbers: &'a NodeNumbers,
    ) -> FormalLowering<'a> {
        let types = TypeLowering::new(db, program, decl, numbers);
        FormalLowering { decl, numbers, types, problems: Vec::new() }
    }

    pub(crate) fn problem(&mut self, place: Place, fault: Fault) {
        self.problems.push(Problem { place, fault });
    }

    pub(crate) fn place(&self, node: &syntax::SyntaxNode) -> Place {
        Place::new(self.decl, self.numbers.node(node))
    }

    /// All problems, those of types included.
    pub(crate) fn finish(self) -> Vec<Problem> {
        let mut problems = self.types.problems;
        problems.extend(self.problems);
        problems
    }

    pub(crate) fn list(&mut self, list: Option<ast::ParamList>, rule: FormalLayers) -> Formals {
        let mut out = Formals::default();
        for group in list.iter().flat_map(|list| list.param_groups()) {
            self.group(&group, rule, &mut out);
        }
        out
    }

    fn group(&mut self, group: &ast::ParamGroup, rule: FormalLayers, out: &mut Formals) {
        let attrs = raw_attrs(group.attributes());
        let ty = self.types.optional(group.ty());
        let pools: Arc<[_]> = attrs.strings("pool").cloned().collect();
        for name in group.names() {
            let place = self.place(name.syntax());
            let param = Param {
                name: Name::new(name.text()),
                ty: ty.clone(),
                linear: linear_kind(&attrs),
                layers: self.layers(group, rule, place),
                hide: attrs.is_on("hide"),
                pools: pools.clone(),
                attrs: attrs.clone(),
            };
            out.params.push(param);
            out.places.push(place);
        }
    }

    fn layers(
        &mut self,
        group: &ast::ParamGroup,
        rule: FormalLayers,
        place: Place,
    ) -> Option<LayerRange> {
        match rule {
            FormalLayers::None => None,
            FormalLayers::Fixed(range) => Some(range),
            FormalLayers::UpTo(limit) => {
                let set = layers(group.attributes(), self.decl, self.numbers, &mut self.problems);
                let range = as_range(&set, LayerRange::up_to(limit)).unwrap_or_else(|fault| {
                    self.problem(place, fault);
                    LayerRange::up_to(limit)
                });
                if range.high() > limit {
                    let what = HighLayer::Local;
                    self.problem(place, Fault::LayerTooHigh { what, found: range.high(), limit });
                }
                Some(range)
            }
        }
    }

    /// Complains about names that occur twice among these formals.
    pub(crate) fn check_distinct(&mut self, lists: &[&Formals]) {
        let mut seen: Vec<(&Name, Place)> = Vec::new();
        for (param, place) in lists.iter().flat_map(|it| it.params.iter().zip(&it.places)) {
            let first = seen.iter().find(|(name, _)| **name == param.name).map(|(_, it)| *it);
            if first.is_some() && !param.name.is_missing() {
                let name = param.name.clone();
                let fault = Fault::DuplicateLocal { noun: "variable", name, first };
                self.problems.push(Problem { place: *place, fault });
            } else {
                seen.push((&param.name, *place));
            }
        }
    }
}
