//! Types.
//!
//! **Out:** [`Ty`], with synonyms expanded. Types are compared structurally; the parameters of a
//! polymorphic map type are bound, so such types are compared up to renaming by
//! [`Ty::same_as`] and by unification, while `==` is textual.
//!
//! # Invariants
//! - `Infer` occurs only while a body is being inferred; nothing that leaves the crate contains it.
//! - `Error` stands for a type that was complained about already; it fits every other type.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use base::Name;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    Int,
    Real,
    Bool,
    /// `bv32` and the like.
    Bv(u32),
    /// `float24e8`: bits of the significand, bits of the exponent.
    Float(u32, u32),
    /// Rounding modes.
    RMode,
    String,
    Regex,
    /// `[T, ..]U`, or `<a>[T, ..]U`.
    Map(Arc<MapTy>),
    /// An uninterpreted type or a datatype, applied to as many types as it has parameters.
    Ctor(Name, Arc<[Ty]>),
    /// A type parameter in whose scope we are; it stands for itself.
    Param(Name),
    /// A type that is not known yet (during inference only).
    Infer(InferVar),
    /// A type that was complained about.
    Error,
}

/// The parts of a map type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapTy {
    /// Bound type parameters; almost always none.
    pub params: Arc<[Name]>,
    /// Types of the indices.
    pub args: Arc<[Ty]>,
    /// Type of the values.
    pub result: Ty,
}

/// Number of an unknown type within one inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InferVar(pub u32);

/// What type parameters stand for.
pub type TySubst = BTreeMap<Name, Ty>;

impl Ty {
    /// The map type from `args` to `result` without type parameters.
    pub fn map(args: impl Into<Arc<[Ty]>>, result: Ty) -> Ty {
        Ty::Map(Arc::new(MapTy { params: Arc::from([]), args: args.into(), result }))
    }

    /// The type `name args`.
    pub fn ctor(name: impl Into<Name>, args: impl Into<Arc<[Ty]>>) -> Ty {
        Ty::Ctor(name.into(), args.into())
    }

    /// The set type `[element]bool`.
    pub fn set_of(element: Ty) -> Ty {
        Ty::map([element], Ty::Bool)
    }

    /// The name and the arguments of a constructor type.
    pub fn as_ctor(&self) -> Option<(&Name, &[Ty])> {
        if let Ty::Ctor(name, args) = self { Some((name, args)) } else { None }
    }

    /// The parts of a map type.
    pub fn as_map(&self) -> Option<&MapTy> {
        if let Ty::Map(map) = self { Some(map) } else { None }
    }

    /// Is this, or does it contain, a type that was complained about?
    pub fn has_error(&self) -> bool {
        self.any(&|ty| matches!(ty, Ty::Error))
    }

    /// Does it contain a type parameter (bound ones of map types included)?
    pub fn has_param(&self) -> bool {
        self.any(&|ty| matches!(ty, Ty::Param(_)))
    }

    /// Does it contain a type that is not known yet?
    pub fn has_infer(&self) -> bool {
        self.any(&|ty| matches!(ty, Ty::Infer(_)))
    }

    /// Does `test` hold of the type or of a part of it?
    pub fn any(&self, test: &dyn Fn(&Ty) -> bool) -> bool {
        test(self)
            || match self {
                Ty::Map(map) => map.args.iter().any(|ty| ty.any(test)) || map.result.any(test),
                Ty::Ctor(_, args) => args.iter().any(|ty| ty.any(test)),
                Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => false,
                Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => false,
            }
    }

    /// The type with its direct parts replaced.
    pub fn map_parts(&self, part: &mut dyn FnMut(&Ty) -> Ty) -> Ty {
        match self {
            Ty::Map(map) => Ty::Map(Arc::new(MapTy {
                params: map.params.clone(),
                args: map.args.iter().map(&mut *part).collect(),
                result: part(&map.result),
            })),
            Ty::Ctor(name, args) => Ty::Ctor(name.clone(), args.iter().map(part).collect()),
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => self.clone(),
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => self.clone(),
        }
    }

    /// The type with type parameters replaced. Parameters bound by a map type inside stay.
    pub fn subst(&self, subst: &TySubst) -> Ty {
        if subst.is_empty() {
            return self.clone();
        }
        match self {
            Ty::Param(name) => subst.get(name).cloned().unwrap_or_else(|| self.clone()),
            Ty::Map(map) if map.params.iter().any(|name| subst.contains_key(name)) => {
                let mut inner = subst.clone();
                for name in map.params.iter() {
                    inner.remove(name);
                }
                self.map_parts(&mut |ty| ty.subst(&inner))
            }
            Ty::Map(_) | Ty::Ctor(..) => self.map_parts(&mut |ty| ty.subst(subst)),
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => self.clone(),
            Ty::String | Ty::Regex | Ty::Infer(_) | Ty::Error => self.clone(),
        }
    }

    /// Equality up to renaming of the parameters of map types. Errors equal everything.
    pub fn same_as(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Map(a), Ty::Map(b)) => {
                if a.params.len() != b.params.len() || a.args.len() != b.args.len() {
                    return false;
                }
                let renaming: TySubst = (b.params.iter().cloned())
                    .zip(a.params.iter().cloned().map(Ty::Param))
                    .collect();
                let same = |x: &Ty, y: &Ty| x.same_as(&y.subst(&renaming));
                a.args.iter().zip(b.args.iter()).all(|(x, y)| same(x, y))
                    && same(&a.result, &b.result)
            }
            (Ty::Ctor(a, xs), Ty::Ctor(b, ys)) => {
                a == b
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|(x, y)| x.same_as(y))
            }
            _other => self == other,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int => f.write_str("int"),
            Ty::Real => f.write_str("real"),
            Ty::Bool => f.write_str("bool"),
            Ty::Bv(width) => write!(f, "bv{width}"),
            Ty::Float(significand, exponent) => write!(f, "float{significand}e{exponent}"),
            Ty::RMode => f.write_str("rmode"),
            Ty::String => f.write_str("string"),
            Ty::Regex => f.write_str("regex"),
            Ty::Map(map) => map.fmt(f),
            Ty::Ctor(name, args) => {
                name.fmt(f)?;
                for arg in args.iter() {
                    if arg.is_atomic() {
                        write!(f, " {arg}")?;
                    } else {
                        write!(f, " ({arg})")?;
                    }
                }
                Ok(())
            }
            Ty::Param(name) => name.fmt(f),
            Ty::Infer(_) => f.write_str("_"),
            Ty::Error => f.write_str("?"),
        }
    }
}

impl Ty {
    /// Can it stand as an argument of a type without parentheses?
    fn is_atomic(&self) -> bool {
        match self {
            Ty::Map(_) => false,
            Ty::Ctor(_, args) => args.is_empty(),
            Ty::Int | Ty::Real | Ty::Bool | Ty::Bv(_) | Ty::Float(..) | Ty::RMode => true,
            Ty::String | Ty::Regex | Ty::Param(_) | Ty::Infer(_) | Ty::Error => true,
        }
    }
}

impl fmt::Display for MapTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, items: &[String]| f.write_str(&items.join(","));
        if !self.params.is_empty() {
            f.write_str("<")?;
            list(f, &self.params.iter().map(Name::to_string).collect::<Vec<_>>())?;
            f.write_str(">")?;
        }
        f.write_str("[")?;
        list(f, &self.args.iter().map(Ty::to_string).collect::<Vec<_>>())?;
        write!(f, "]{}", self.result)
    }
}
