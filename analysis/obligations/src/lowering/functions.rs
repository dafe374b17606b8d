//! Applications of functions, constructors, fields and constants.
//!
//! **In:** a function, its type arguments, lowered arguments. **Out:** a term.
//!
//! Inlined and defined functions are replaced by their bodies, once per application with the same
//! arguments; [`Unfold`] may except those of libraries. A function with an ordinary body, or without
//! one, becomes a symbol per instance; its definition is an axiom (see [`crate::axioms`]).
//!
//! # Soundness
//! A function that is kept and has no axiom means any function of its sorts: what is proved of all is
//! true of the one that the library defines.

use std::sync::Arc;

use base::Name;
use hir::{FuncKind, FuncSig, Ty, TySubst};
use ir::{DatatypeDef, FuncSym, Op, PointwiseOp, Sort, Symbol, Term};

use super::builtins::{Known, known};
use super::exprs::Scope;
use super::{Env, FuncInstance, Lowering, Unfold};
use crate::faith::FaithKind;

/// An application of an inlined function; equal ones have equal terms.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Application {
    func: Name,
    types: Vec<Ty>,
    args: Vec<Term>,
    level: u32,
}

/// A datatype, and where a field is in it: constructor, position.
type FieldPlaces = (Arc<DatatypeDef>, Vec<(usize, usize)>);

/// Names of operators of the solver, and what they are in `ir`.
const POINTWISE: &[(&str, PointwiseOp)] = &[
    ("MapEq", PointwiseOp::Eq),
    ("MapIte", PointwiseOp::Ite),
    ("MapNot", PointwiseOp::Not),
    ("MapAnd", PointwiseOp::And),
    ("MapOr", PointwiseOp::Or),
    ("MapImp", PointwiseOp::Implies),
    ("MapIff", PointwiseOp::Iff),
    ("MapAdd", PointwiseOp::Add),
    ("MapSub", PointwiseOp::Sub),
    ("MapMul", PointwiseOp::Mul),
    ("MapDiv", PointwiseOp::Div),
    ("MapMod", PointwiseOp::Mod),
    ("MapGt", PointwiseOp::Gt),
    ("MapGe", PointwiseOp::Ge),
    ("MapLt", PointwiseOp::Lt),
    ("MapLe", PointwiseOp::Le),
];

const SEQUENCES: &[(&str, Op)] = &[
    ("seq.len", Op::SeqLen),
    ("seq.++", Op::SeqConcat),
    ("seq.unit", Op::SeqUnit),
    ("seq.nth", Op::SeqNth),
    ("seq.extract", Op::SeqExtract),
];

impl Lowering<'_> {
    /// `func<types>(args)`, for library functions and the like.
    pub fn application(&mut self, func: &str, types: &[Ty], args: Vec<Term>) -> Term {
        self.call(&Name::new(func), types, args, 0)
    }

    pub(super) fn call(&mut self, func: &Name, types: &[Ty], args: Vec<Term>, level: u32) -> Term {
        let Some(sig) = self.world.func_sig(func) else {
            return self.unknown(format!("the function `{func}`"), Sort::Bool);
        };
        match &sig.kind {
            FuncKind::Constructor { datatype, index } => {
                let ty = Ty::ctor(datatype.clone(), types);
                let Some(def) = self.datatype_def(&ty) else {
                    return self.unknown(format!("the datatype `{datatype}`"), Sort::Bool);
                };
                let sort = def.sort();
                self.apply(Op::Ctor(def, *index), args, sort)
            }
            FuncKind::Inline | FuncKind::Define if self.unfolds(&sig) => {
                self.inline(&sig, types, args, level)
            }
            FuncKind::Builtin(name) => self.builtin(&sig, name, types, args),
            FuncKind::Inline | FuncKind::Define | FuncKind::Uninterpreted | FuncKind::Axiom => {
                let symbol = self.function_symbol(&sig, types);
                let sort = symbol.result.clone();
                self.apply(Op::Func(Arc::new(symbol)), args, sort)
            }
        }
    }

    /// Is the function replaced by its body?
    fn unfolds(&self, sig: &FuncSig) -> bool {
        match self.unfold {
            Unfold::All => true,
            Unfold::KeepLibrary => sig.decl.file(self.world.db).library(self.world.db).is_none(),
        }
    }

    /// The symbol of an instance.
    pub fn function_symbol(&mut self, sig: &FuncSig, types: &[Ty]) -> FuncSym {
        let subst = subst_of(sig, types);
        let args: Vec<Sort> =
            sig.params.iter().map(|param| self.sort_of(&param.ty, &subst)).collect();
        let result = self.sort_of(&sig.result, &subst);
        let name = instance_name(&sig.name, types, args.is_empty());
        let instance = FuncInstance { name: sig.name.clone(), type_args: types.into() };
        self.tables.functions.insert(name.clone(), instance);
        FuncSym::new(name, args, result)
    }

    fn inline(&mut self, sig: &FuncSig, types: &[Ty], args: Vec<Term>, level: u32) -> Term {
        let key = Application { func: sig.name.clone(), types: types.to_vec(), args, level };
        if let Some(term) = self.inlined.get(&key) {
            return term.clone();
        }
        let subst = subst_of(sig, types);
        let result = self.sort_of(&sig.result, &subst);
        let Some(body) = self.world.expr_body(sig.decl) else {
            return self.unknown(format!("the function `{}` without a body", sig.name), result);
        };
        if body.params.len() != key.args.len() || body.has_errors {
            return self.unknown(format!("the function `{}` with an error", sig.name), result);
        }
        let env = Env { types: subst, ..Env::empty() };
        let bound = body.params.iter().copied().zip(key.args.iter().cloned()).collect();
        let term = self.expr_in(&body.exprs, &env, Scope { bound, level }, body.root);
        if *term.sort() != result {
            return self.unknown(format!("the function `{}` with an error", sig.name), result);
        }
        self.inlined.insert(key, term.clone());
        term
    }

    /// A part of the body of a function, for these arguments: what explanations evaluate.
    pub fn part_of_function(
        &mut self,
        sig: &FuncSig,
        types: &[Ty],
        args: &[Term],
        part: hir::ExprId,
    ) -> Term {
        let Some(body) = self.world.expr_body(sig.decl) else {
            return self.unknown(format!("the function `{}` without a body", sig.name), Sort::Bool);
        };
        let env = Env { types: subst_of(sig, types), ..Env::empty() };
        let bound = body.params.iter().copied().zip(args.iter().cloned()).collect();
        self.expr_in(&body.exprs, &env, Scope { bound, level: 0 }, part)
    }

    fn builtin(&mut self, sig: &FuncSig, name: &str, types: &[Ty], args: Vec<Term>) -> Term {
        let result = self.sort_of(&sig.result, &subst_of(sig, types));
        if name == "MapConst" {
            return self.apply(Op::ConstArray(result.clone()), args, result);
        }
        if name == "seq.empty" {
            return self.apply(Op::SeqEmpty(result.clone()), args, result);
        }
        if let Some((_, op)) = POINTWISE.iter().find(|(text, _)| *text == name) {
            return self.apply(Op::MapOp(*op), args, result);
        }
        if let Some((_, op)) = SEQUENCES.iter().find(|(text, _)| *text == name) {
            return self.apply(op.clone(), args, result);
        }
        let sorts: Vec<Sort> = args.iter().map(|arg| arg.sort().clone()).collect();
        match known(name, &sorts) {
            Known::Sort(sort) if sort == result => {}
            Known::Sort(_) | Known::Misfit => {
                return self.unknown(format!("the operator `{name}` with these types"), result);
            }
            Known::Nothing => {
                let place = hir::decl_place(self.world.db, sig.decl);
                self.on_faith(FaithKind::Builtin, &sig.name, place);
            }
        }
        self.apply(Op::Builtin(Symbol::new(name), result.clone()), args, result)
    }

    /// The symbol of a constant.
    pub fn constant(&mut self, name: &Name) -> Term {
        let Some(constant) = self.world.constant(name) else {
            return self.unknown(format!("the constant `{name}`"), Sort::Bool);
        };
        let sort = self.closed_sort(&constant.ty);
        let symbol = Symbol::from(format!("{name}@const"));
        self.tables.constants.insert(symbol.clone(), name.clone());
        Term::func(&Arc::new(FuncSym::new(symbol, [], sort)), Vec::new())
    }

    /// `value->field`. If several constructors have the field, the first decides for the others.
    pub fn field(&mut self, ty: &Ty, field: &Name, value: Term, sort: Sort) -> Term {
        let Some((def, places)) = self.field_places(ty, field) else {
            return self.unknown(format!("the field `{field}`"), sort);
        };
        if *value.sort() != def.sort() {
            return self.unknown(format!("the field `{field}` of another type"), sort);
        }
        let mut places = places.into_iter();
        let Some((ctor, position)) = places.next() else {
            return self.unknown(format!("the field `{field}`"), sort);
        };
        let mut term = Term::field(&def, ctor, position, value.clone());
        for (ctor, position) in places {
            let own = Term::field(&def, ctor, position, value.clone());
            let test = Term::is(&def, ctor, value.clone());
            term = self.apply(Op::Ite, vec![test, own, term], sort.clone());
        }
        term
    }

    /// `value->(field := new)`: the value rebuilt by its own constructor; by the first that has the
    /// field if its own has not.
    pub fn field_update(&mut self, ty: &Ty, field: &Name, value: Term, new: Term) -> Term {
        let sort = value.sort().clone();
        let Some((def, places)) = self.field_places(ty, field) else {
            return self.unknown(format!("the field `{field}`"), sort);
        };
        let mut term: Option<Term> = None;
        for (ctor, position) in places {
            let fields = (0..def.ctors()[ctor].fields.len()).map(|nth| {
                if nth == position {
                    new.clone()
                } else {
                    Term::field(&def, ctor, nth, value.clone())
                }
            });
            let op = Op::Ctor(def.clone(), u32::try_from(ctor).unwrap_or(u32::MAX));
            let own = self.apply(op, fields.collect(), sort.clone());
            term = Some(match term {
                None => own,
                Some(other) => {
                    let test = Term::is(&def, ctor, value.clone());
                    self.apply(Op::Ite, vec![test, own, other], sort.clone())
                }
            });
        }
        term.unwrap_or_else(|| self.unknown(format!("the field `{field}`"), sort))
    }

    /// `value is ctor`
    pub fn tester(&mut self, ty: &Ty, ctor: &Name, value: Term) -> Term {
        let def = self.datatype_def(ty);
        let Some((def, index)) = def.and_then(|def| Some((def.clone(), def.ctor(ctor.as_str())?)))
        else {
            return self.unknown(format!("the constructor `{ctor}`"), Sort::Bool);
        };
        let op = Op::Is(def, u32::try_from(index).unwrap_or(u32::MAX));
        self.apply(op, vec![value], Sort::Bool)
    }

    /// The type of a field of a datatype instance.
    pub fn field_ty(&self, ty: &Ty, field: &Name) -> Option<Ty> {
        let (name, args) = ty.as_ctor()?;
        let datatype = self.world.datatype(name)?;
        Some(datatype.field_ty(field)?.subst(&datatype.subst(args)))
    }

    /// Constructors that have the field, and its position in each.
    fn field_places(&mut self, ty: &Ty, field: &Name) -> Option<FieldPlaces> {
        let def = self.datatype_def(ty)?;
        let places = (def.ctors().iter().enumerate())
            .filter_map(|(nth, ctor)| Some((nth, ctor.field(field.as_str())?)))
            .collect();
        Some((def, places))
    }
}

/// What the type parameters of a function stand for in an instance.
pub(crate) fn subst_of(sig: &FuncSig, types: &[Ty]) -> TySubst {
    sig.type_params.iter().cloned().zip(types.iter().cloned()).collect()
}

/// `f`, `f<int,bool>`; with `()` if there are no arguments, so that constants do not clash.
fn instance_name(name: &Name, types: &[Ty], nullary: bool) -> Symbol {
    let mut text = name.to_string();
    if !types.is_empty() {
        let types: Vec<String> = types.iter().map(Ty::to_string).collect();
        text = format!("{text}<{}>", types.join(","));
    }
    if nullary {
        text.push_str("()");
    }
    Symbol::from(text)
}

#[cfg(test)]
mod tests {
    use base::LibraryName;
    use ir::{Op, Sort, Term, Var};

    use super::{Lowering, Unfold};
    use crate::World;
    use crate::tests::{Database, program};

    /// Functions that are symbols in the lowering of a function that inlines, and its tables.
    fn symbols(unfold: Unfold) -> (Vec<String>, Vec<String>) {
        let text = "function {:inline} ours(x: int): bool { Set_Contains(Set_Singleton(x), x) }";
        let db = Database::default();
        let program = program(&db, text, &[LibraryName::Base]);
        let world = World::new(&db, program);
        let sig = world.func_sig(&base::Name::new("ours")).expect("it is declared");
        let mut lowering = Lowering::new(world, hir::decl_place(&db, sig.decl)).unfolding(unfold);
        let term = lowering.application("ours", &[], vec![Term::var(Var::new("x", Sort::Int))]);
        let mut found = Vec::new();
        ir::subst::for_each_subterm([&term], |part| {
            if let Some((Op::Func(function), _)) = part.as_app() {
                found.push(function.name.to_string());
            }
        });
        found.sort();
        assert!(lowering.problems().is_empty());
        (found, lowering.tables().functions.keys().map(ToString::to_string).collect())
    }

    #[test]
    fn functions_of_libraries_are_kept_by_request_only() {
        assert_eq!(symbols(Unfold::All), (vec![], vec![]));
        let kept = vec!["Set_Contains<int>".to_owned(), "Set_Singleton<int>".to_owned()];
        assert_eq!(symbols(Unfold::KeepLibrary), (kept.clone(), kept));
    }
}
