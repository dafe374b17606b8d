//! What terms with maps become, and what has no lowered form.

use ir::{CtorDef, DatatypeDef, Lambda, PointwiseOp};

use super::*;

fn int(name: &str) -> Term {
    Term::var(Var::new(name, Sort::Int))
}

fn map(name: &str) -> Term {
    Term::var(Var::new(name, Sort::map(Sort::Int, Sort::Int)))
}

/// The lowered form, and whether it says everything.
fn lowered(terms: &[&Term], signature: &Signature) -> (Vec<String>, bool) {
    let mut lowering = Lowering::new(signature, terms.iter().copied());
    let texts = terms.iter().map(|term| lowering.plain(term).unwrap().to_string()).collect();
    (texts, lowering.is_exact())
}

fn one(term: &Term) -> (String, bool) {
    let (mut texts, exact) = lowered(&[term], &Signature::default());
    (texts.remove(0), exact)
}

#[test]
fn elements_of_updated_maps_are_conditions() {
    let updated = Term::store(map("m"), int("i"), int("v"));
    let (text, exact) = one(&Term::eq(Term::select(updated, int("j")), int("x")));
    assert!(exact);
    assert!(text.contains("ite") && !text.contains("store"), "{text}");
}

#[test]
fn equal_maps_are_equal_everywhere() {
    let (text, exact) = one(&Term::eq(map("m"), map("n")));
    assert!(exact && text.contains("forall"), "{text}");
    let sum = Term::map_op(PointwiseOp::Add, vec![map("m"), map("n")]);
    let (text, _) = one(&Term::eq(Term::select(sum, int("i")), int("x")));
    assert!(text.contains('+') && !text.contains("forall"), "{text}");
}

#[test]
fn index_variables_are_not_captured() {
    // (lambda k :: m[k := 1] == n)[j]: the comparison is at an index of its own.
    let k = Var::new("k", Sort::Int);
    let body = Term::eq(Term::store(map("m"), Term::var(k.clone()), Term::int(1)), map("n"));
    let lambda = Term::lambda(Lambda { bound: vec![Bound::plain(k)], body });
    let set = Term::var(Var::new("s", Sort::set(Sort::Int)));
    let (text, exact) = one(&Term::eq(lambda.clone(), set));
    assert!(exact);
    // The index of the outer comparison and that of the inner one.
    assert_eq!(text.matches("forall").count(), 2, "{text}");
    let (text, _) = one(&Term::select(lambda, int("j")));
    assert!(text.contains('j'), "{text}");
}

#[test]
fn what_has_no_form_is_unknown_and_said_so() {
    let of_map = Arc::new(FuncSym::new("size", [Sort::map(Sort::Int, Sort::Int)], Sort::Int));
    let size = Term::func(&of_map, vec![map("m")]);
    let (text, exact) = one(&Term::lt(size, int("x")));
    assert!(!exact && text.contains("unknown"), "{text}");
    let m = Var::new("m", Sort::map(Sort::Int, Sort::Int));
    let every = Term::forall(
        vec![Bound::plain(m.clone())],
        Term::lt(Term::select(Term::var(m), int("i")), int("x")),
    );
    let (_, exact) = one(&every);
    assert!(!exact);
}

#[test]
fn unknown_parts_follow_the_variables_around_them() {
    let of_map = Arc::new(FuncSym::new("size", [Sort::map(Sort::Int, Sort::Int)], Sort::Int));
    let i = Var::new("i", Sort::Int);
    let updated = Term::store(map("m"), Term::var(i.clone()), Term::int(0));
    let size = Term::func(&of_map, vec![updated]);
    let every = Term::forall(vec![Bound::plain(i)], Term::lt(Term::int(0), size));
    let (text, _) = one(&every);
    assert!(text.contains("unknown 1(i)") || text.contains("unknown 1 i"), "{text}");
}

#[test]
fn values_with_maps_inside_are_their_fields() {
    let fields = vec![("dom".into(), Sort::set(Sort::Int)), ("size".into(), Sort::Int)];
    let def = DatatypeDef::new("Box", vec![CtorDef::new("Box", fields)]);
    let mut signature = Signature::default();
    signature.declare(Arc::clone(&def));
    let b = Term::var(Var::new("b", def.sort()));
    let dom = Term::field(&def, 0, 0, b.clone());
    let made = Term::ctor(&def, 0, vec![dom.clone(), int("n")]);
    let (texts, exact) = lowered(&[&Term::eq(made, b), &Term::select(dom, int("i"))], &signature);
    assert!(exact);
    assert!(texts[0].contains("n") && !texts[0].contains("forall"), "{}", texts[0]);
}

#[test]
fn indices_that_are_tuples_are_taken_apart() {
    let def = DatatypeDef::new("One", vec![CtorDef::new("One", vec![("val".into(), Sort::Int)])]);
    let mut signature = Signature::default();
    signature.declare(Arc::clone(&def));
    let pool = |name: &str| Term::var(Var::new(name, Sort::set(def.sort())));
    let own = Term::select(pool("p"), Term::ctor(&def, 0, vec![int("i")]));
    let mut lowering = Lowering::new(&signature, [&own]);
    let text = lowering.plain(&own).unwrap().to_string();
    assert!(text.contains('i') && !text.contains("One("), "{text}");
    let same = Term::eq(pool("p"), pool("q"));
    let mut lowering = Lowering::new(&signature, [&same]);
    let lowered = apart::quantifiers(&lowering.plain(&same).unwrap(), &signature);
    let TermKind::Quant(quant) = lowered.kind() else { panic!("{lowered}") };
    assert_eq!(quant.bound[0].var.sort, Sort::Int, "{lowered}");
}
