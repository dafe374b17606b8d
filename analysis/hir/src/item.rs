//! What a declaration says about itself without its body and its specifications.
//!
//! **Out:** signatures. They hold names and types, never positions; each has its places in a
//! separate list (`*_places`), so that moving a formal to another line changes no signature.

use std::fmt;
use std::sync::Arc;

use base::{DeclId, Name};
use smol_str::SmolStr;

use crate::{Layer, LayerRange, LayerSet, Ty};

/// How an action, or a procedure at its own layer, commutes with concurrent actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mover {
    /// Neither left nor right.
    Atomic,
    Left,
    Right,
    Both,
}

impl Mover {
    /// Left or both.
    pub fn is_left(self) -> bool {
        matches!(self, Mover::Left | Mover::Both)
    }

    /// Right or both.
    pub fn is_right(self) -> bool {
        matches!(self, Mover::Right | Mover::Both)
    }

    /// The keyword.
    pub fn as_str(self) -> &'static str {
        match self {
            Mover::Atomic => "atomic",
            Mover::Left => "left",
            Mover::Right => "right",
            Mover::Both => "both",
        }
    }
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The linearity attribute of a formal or global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum LinearKind {
    /// No attribute.
    #[default]
    Ordinary,
    /// `{:linear}`
    Linear,
    /// `{:linear_in}`
    LinearIn,
    /// `{:linear_out}`
    LinearOut,
}

/// An attribute, with expressions left out: what can be read off without names and types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawAttr {
    pub name: Name,
    pub args: Arc<[RawArg]>,
}

/// A parameter of a [`RawAttr`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RawArg {
    String(SmolStr),
    /// A literal number, as written.
    Number(SmolStr),
    Bool(bool),
    /// Anything else.
    Expr,
}

/// The attributes of a declaration or of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct RawAttrs(pub Arc<[RawAttr]>);

impl RawAttrs {
    /// The first attribute of this name.
    pub fn find(&self, name: &str) -> Option<&RawAttr> {
        self.0.iter().find(|attr| attr.name == name)
    }

    /// Is the attribute there at all?
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Is the Boolean attribute on: no parameter, or the literal `true`?
    pub fn is_on(&self, name: &str) -> bool {
        self.0
            .iter()
            .any(|attr| attr.name == name && matches!(&*attr.args, [] | [RawArg::Bool(true)]))
    }

    /// The string parameters of all attributes of this name, in order.
    pub fn strings<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a SmolStr> + 'a {
        let attrs = self.0.iter().filter(move |attr| attr.name == name);
        attrs.flat_map(|attr| attr.args.iter()).filter_map(|arg| match arg {
            RawArg::String(text) => Some(text),
            RawArg::Number(_) | RawArg::Bool(_) | RawArg::Expr => None,
        })
    }
}

/// A formal parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    pub name: Name,
    pub ty: Ty,
    pub linear: LinearKind,
    /// Where it exists (language.md 4.3); nothing for plain and pure procedures and functions.
    pub layers: Option<LayerRange>,
    /// `{:hide}`: not part of the interface to the refined action.
    pub hide: bool,
    /// Names of `{:pool}`.
    pub pools: Arc<[SmolStr]>,
    pub attrs: RawAttrs,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GlobalVar {
    pub decl: DeclId,
    pub name: Name,
    pub ty: Ty,
    pub linear: LinearKind,
    /// Introduced at the low end, hidden at the high end; all layers without attribute.
    pub layers: LayerRange,
    pub attrs: RawAttrs,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    pub decl: DeclId,
    pub name: Name,
    pub ty: Ty,
    /// Different from every other unique constant of its type.
    pub unique: bool,
    pub attrs: RawAttrs,
}

/// How the body of a function is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FuncKind {
    /// No body, no meaning of its own.
    Uninterpreted,
    /// `{:inline}`: every application is replaced by the body.
    Inline,
    /// `{:define}`: handed to the solver as a definition.
    Define,
    /// A body without attribute: an axiom `forall params :: {f(params)} f(params) == body`.
    Axiom,
    /// `{:builtin "s"}` or `{:bvbuiltin "s"}`: a function of the solver.
    Builtin(SmolStr),
    /// Constructor number `index` of a datatype.
    Constructor { datatype: Name, index: u32 },
}

/// A function or a datatype constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FuncSig {
    /// The function, or the datatype the constructor belongs to.
    pub decl: DeclId,
    pub name: Name,
    pub type_params: Arc<[Name]>,
    /// Unnamed parameters have the empty name.
    pub params: Arc<[Param]>,
    pub result: Ty,
    pub kind: FuncKind,
    pub has_body: bool,
    pub attrs: RawAttrs,
}

impl FuncSig {
    pub fn is_constructor(&self) -> bool {
        matches!(self.kind, FuncKind::Constructor { .. })
    }
}

/// A datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Datatype {
    pub decl: DeclId,
    pub name: Name,
    pub type_params: Arc<[Name]>,
    pub ctors: Arc<[Constructor]>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constructor {
    pub name: Name,
    pub fields: Arc<[Field]>,
}

/// A field of a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub name: Name,
    pub ty: Ty,
}

impl Datatype {
    /// The constructor of this name, with its number.
    pub fn ctor(&self, name: &Name) -> Option<(usize, &Constructor)> {
        self.ctors.iter().enumerate().find(|(_, ctor)| ctor.name == *name)
    }

    /// Every constructor that has a field of this name: (constructor number, field number).
    pub fn field_places(&self, field: &Name) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        for (i, ctor) in self.ctors.iter().enumerate() {
            if let Some(j) = ctor.fields.iter().position(|it| it.name == *field) {
                out.push((i, j));
            }
        }
        out
    }

    /// The type of a field, in terms of the datatype's parameters.
    pub fn field_ty(&self, field: &Name) -> Option<&Ty> {
        let (i, j) = *self.field_places(field).first()?;
        Some(&self.ctors[i].fields[j].ty)
    }

    /// The type parameters replaced by `args`.
    pub fn subst(&self, args: &[Ty]) -> crate::TySubst {
        self.type_params.iter().cloned().zip(args.iter().cloned()).collect()
    }
}

/// What sort of procedure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcKind {
    /// `procedure`
    Plain,
    /// `pure procedure`
    Pure,
    /// `action`, `pure action`
    Action { pure: bool },
    /// `yield procedure`; its mover type, if any, is [`ProcSig::mover`].
    Yield,
    /// `yield invariant`, or `invariant` if global.
    Invariant { global: bool },
}

/// Anything that can be called: procedure, action, yield procedure, invariant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcSig {
    pub decl: DeclId,
    pub name: Name,
    pub kind: ProcKind,
    pub type_params: Arc<[Name]>,
    pub ins: Arc<[Param]>,
    pub outs: Arc<[Param]>,
    /// Range of an action; `[n, n]` for an invariant at layer n; `[0, n]` for a yield procedure at
    /// layer n; nothing for plain and pure procedures.
    pub layers: Option<LayerRange>,
    /// Mover of an action (`Atomic` if none is written, `Both` if pure) or of a mover procedure.
    pub mover: Option<Mover>,
    /// The action named, or written, in the `refines` clause.
    pub refines: Option<Name>,
    /// The written `modifies` clauses.
    pub modifies: Arc<[Name]>,
    /// Is the body part of this declaration? (An `implementation` may give one elsewhere.)
    pub has_body: bool,
    pub attrs: RawAttrs,
    /// Set iff it is a linear primitive of the library `base`.
    pub primitive: Option<&'static Primitive>,
}

impl ProcSig {
    pub fn is_pure(&self) -> bool {
        matches!(self.kind, ProcKind::Pure | ProcKind::Action { pure: true })
    }

    pub fn is_action(&self) -> bool {
        matches!(self.kind, ProcKind::Action { .. })
    }

    pub fn is_yield_procedure(&self) -> bool {
        matches!(self.kind, ProcKind::Yield)
    }

    pub fn is_invariant(&self) -> bool {
        matches!(self.kind, ProcKind::Invariant { .. })
    }

    pub fn is_plain_or_pure_procedure(&self) -> bool {
        matches!(self.kind, ProcKind::Plain | ProcKind::Pure)
    }

    /// `yield left procedure` and the like.
    pub fn is_mover_procedure(&self) -> bool {
        self.is_yield_procedure() && self.mover.is_some()
    }

    /// A yield procedure without mover type and without `refines`: it becomes Skip.
    pub fn is_skip_procedure(&self) -> bool {
        self.is_yield_procedure() && self.mover.is_none() && self.refines.is_none()
    }

    /// The layer of a yield procedure or invariant, the upper layer of an action.
    pub fn layer(&self) -> Option<Layer> {
        self.layers.map(LayerRange::high)
    }

    /// In-parameters, then out-parameters: the formals in the order of [`crate::LocalId`].
    pub fn formals(&self) -> impl Iterator<Item = &Param> {
        self.ins.iter().chain(self.outs.iter())
    }

    /// Is `param` part of the interface between this yield procedure and its refined action
    /// (language.md 4.3)? Always so for formals of anything but yield procedures.
    pub fn is_visible(&self, param: &Param) -> bool {
        if !self.is_yield_procedure() {
            return true;
        }
        let reaches_top = param.layers.map(LayerRange::high) == self.layer();
        self.mover.is_none() && self.refines.is_some() && reaches_top && !param.hide
    }

    /// The visible in-parameters, with their numbers.
    pub fn visible_ins(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.ins.iter().enumerate().filter(|(_, param)| self.is_visible(param))
    }

    /// The visible out-parameters, with their numbers.
    pub fn visible_outs(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.outs.iter().enumerate().filter(|(_, param)| self.is_visible(param))
    }
}

/// What the library calls are named that the checker treats specially (language.md 10.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Primitive {
    pub name: &'static str,
    /// Is the root of argument 0 modified?
    pub modifies_first: bool,
}

/// The linear primitives of the library `base`.
pub const PRIMITIVES: &[Primitive] = &[
    Primitive { name: "Loc_New", modifies_first: false },
    Primitive { name: "Tag_New", modifies_first: false },
    Primitive { name: "Tags_New", modifies_first: false },
    Primitive { name: "Move", modifies_first: false },
    Primitive { name: "Map_MakeEmpty", modifies_first: false },
    Primitive { name: "One_Get", modifies_first: true },
    Primitive { name: "One_Put", modifies_first: true },
    Primitive { name: "Map_Get", modifies_first: true },
    Primitive { name: "Map_Put", modifies_first: true },
    Primitive { name: "Map_Split", modifies_first: true },
    Primitive { name: "Map_Join", modifies_first: true },
    Primitive { name: "Path_Load", modifies_first: false },
    Primitive { name: "Path_Store", modifies_first: true },
];

/// The primitive that this name means in the library. A procedure that a program itself declares
/// is none, whatever its name is.
pub(crate) fn library_primitive(name: &Name) -> Option<&'static Primitive> {
    PRIMITIVES.iter().find(|it| *name == it.name)
}

/// The layers of `attrs`, ignoring parameters that are no layers.
pub fn layers_of(attrs: &RawAttrs) -> LayerSet {
    let layer_attrs = attrs.0.iter().filter(|attr| attr.name == "layer");
    let numbers = layer_attrs.flat_map(|attr| attr.args.iter()).filter_map(|arg| match arg {
        RawArg::Number(text) => text.parse::<u32>().ok().map(Layer),
        RawArg::String(_) | RawArg::Bool(_) | RawArg::Expr => None,
    });
    LayerSet::new(numbers.filter(|layer| *layer <= Layer::MAX).collect())
}
