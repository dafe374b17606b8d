//! Linear types and availability, each rule in both directions.

use base::DeclKind;
use hir::{Ty, VarRef};

use super::{availability, is_linear, permission_types};
use crate::fixture::{Database, check, program};

#[test]
fn permissions_are_what_can_be_reached_through_fields_and_maps() {
    let db = Database::default();
    let text = "
datatype {:layer 0} Pair<T,U> { Pair(a: One T, b: U) }
datatype Tree { Leaf(), Node(left: Tree, own: One int, right: Tree) }
datatype Plain { Plain(xs: [int]One int, next: Option int) }
";
    let program = program(&db, text);
    let one = |ty: Ty| Ty::ctor("One", [ty]);
    let map = |key: Ty, value: Ty| Ty::ctor("Map", [key, value]);
    let rows: &[(Ty, Vec<Ty>)] = &[
        (Ty::Int, vec![]),
        (one(Ty::Int), vec![one(Ty::Int)]),
        (map(one(Ty::Bool), Ty::Int), vec![one(Ty::Bool)]),
        (map(Ty::Int, one(Ty::Bool)), vec![one(Ty::Bool)]),
        (map(Ty::Int, Ty::Int), vec![]),
        (map(one(Ty::Int), one(Ty::Bool)), vec![one(Ty::Bool), one(Ty::Int)]),
        (Ty::ctor("Option", [one(Ty::Int)]), vec![one(Ty::Int)]),
        (Ty::ctor("Vec", [one(Ty::Int)]), vec![]),
        (Ty::map([one(Ty::Int)], one(Ty::Int)), vec![]),
        (Ty::ctor("Pair", [Ty::Int, one(Ty::Bool)]), vec![one(Ty::Bool), one(Ty::Int)]),
        (Ty::ctor("Tree", []), vec![one(Ty::Int)]),
        (Ty::ctor("Plain", []), vec![]),
        (Ty::ctor("Cell", [Ty::Int, Ty::Bool]), vec![one(Ty::Int)]),
    ];
    for (ty, expected) in rows {
        let mut expected = expected.clone();
        expected.sort();
        assert_eq!(permission_types(&db, program, ty), expected, "{ty}");
        assert_eq!(is_linear(&db, program, ty), !expected.is_empty(), "{ty}");
    }
}

#[test]
fn a_type_that_grows_for_ever_does_not_run_for_ever() {
    let db = Database::default();
    let program =
        program(&db, "datatype {:layer 0} G<T> { L(), G(more: G (Option T), one: One int) }");
    assert!(is_linear(&db, program, &Ty::ctor("G", [Ty::Int])));
}

/// A limit on how deeply types are looked into must not make a deep type ordinary.
#[test]
fn a_permission_is_found_however_deep_it_lies() {
    let db = Database::default();
    let program = program(&db, "datatype {:layer 0} Box<T> { Box(x: T) }");
    let one = Ty::ctor("One", [Ty::Int]);
    let deep = |of: Ty| (0..200).fold(of, |ty, _| Ty::ctor("Box", [ty]));
    assert_eq!(permission_types(&db, program, &deep(one.clone())), [one]);
    assert!(!is_linear(&db, program, &deep(Ty::Int)));
}

#[test]
fn one_and_map_are_not_applied_to_linear_types() {
    check(
        r#"
datatype A { A(x: One int) }
procedure P({:linear_in} a: One A) { } //~ error[one-of-linear] "A"
procedure Q(m: Map A int) { } //~ error[map-key-linear] "A"
procedure R(m: Map (One int) A) { }
var {:layer 0} g: int;
"#,
    );
}

#[test]
fn globals_and_results_are_linear_or_nothing() {
    check(
        r#"
var {:linear_in} g: One int; //~ error[linear-kind] "g"
procedure P() returns ({:linear_out} r: One int); //~ error[linear-kind] "r"
yield invariant {:layer 1} I({:linear_in} x: One int); //~ error[invariant-linear-kind] "x"
preserves true;
"#,
    );
}

#[test]
fn only_variables_give_permissions() {
    check(
        r#"
datatype {:layer 0} Pair { Pair(a: One int, b: One int) }
procedure Use({:linear_in} x: One int);
procedure P({:linear_in} x: One int, {:linear_in} y: One int)
{
  var p, q: Pair;
  var z, w: One int;
  p := Pair(x, One(3)); //~ error[pack-argument] "b"
  p := Pair(x, x); //~ error[linear-source-twice] "x"
  p, q := q, q; //~ error[linear-source-twice] "q"
  p->a->val := 3; //~ error[assign-inside-linear]
  call Use(One(3)); //~ error[linear-argument] "x"
  Pair(z, w) := Pair(x, y); //~ error[unpack-source]
}
"#,
    );
}

#[test]
fn moves_swaps_packs_and_unpacks_keep_permissions() {
    check(
        r#"
datatype {:layer 0} Pair { Pair(a: One int, b: One int) }
procedure P({:linear_in} x: One int, {:linear_in} y: One int)
  returns ({:linear} p: Pair)
{
  var a, b: One int;
  a, b := x, y;
  a, b := b, a;
  p := Pair(a, b);
  Pair(a, b) := p;
  p := Pair(b, a);
}
"#,
    );
}

#[test]
fn what_was_given_away_is_gone() {
    check(
        r#"
datatype {:layer 0} Pair { Pair(a: One int, b: One int) }
procedure P({:linear_in} x: One int) returns ({:linear} p: Pair)
{
  var a: One int;
  a := x;
  p := Pair(a, x);
} //~ error[linear-parameter-unavailable] "p"
"#,
    );
}

#[test]
fn a_value_computed_from_permissions_carries_none() {
    check(
        r#"
procedure P({:linear} x: One int) returns ({:linear} r: One int)
{
  r := One(x->val);
} //~ error[linear-parameter-unavailable] "r"
procedure {:layer 1} Q({:linear_in} x: One int) returns ({:linear} r: One int)
{
  r := x;
}
"#,
    );
}

/// Stricter than Boogie: it adds every result of linear type.
#[test]
fn a_result_is_available_only_if_it_is_declared_linear() {
    let text = |attribute: &str, mark: &str| {
        format!(
            r#"
both action {{:layer 1}} A_Dup({{:linear_in}} t: One int) returns ({attribute} s: One int) {{ s := t; }}
yield procedure {{:layer 0}} Dup({{:linear_in}} t: One int) returns ({attribute} s: One int);
refines A_Dup;
yield procedure {{:layer 1}} Take({{:linear_in}} t: One int);
yield procedure {{:layer 1}} P({{:linear_in}} t: One int)
{{
  var s: One int;
  call s := Dup(t);
  call Take(s);{mark}
}}
"#
        )
    };
    check(&text("", " //~ error[linear-unavailable] \"s\""));
    check(&text("{:linear}", ""));
}

/// Stricter than Boogie: `Copy` of a linear value would duplicate it.
#[test]
fn a_copy_is_not_available() {
    check(
        r#"
yield procedure {:layer 1} Take({:linear_in} t: One int);
yield procedure {:layer 1} P({:linear} t: One int)
{
  var s: One int;
  call s := Copy(t);
  call Take(s); //~ error[linear-unavailable] "s"
}
"#,
    );
}

/// Stricter than Boogie: what else the record holds is stale and may live elsewhere by now.
#[test]
fn filling_one_field_does_not_revive_the_others() {
    let text = |assignment: &str, mark: &str| {
        format!(
            r#"
datatype {{:layer 0}} Pair {{ Pair(a: One int, b: One int) }}
procedure P({{:linear_in}} p: Pair) returns ({{:linear}} q: Pair, {{:linear}} b: One int)
{{
  var a, c: One int;
  q := p;
  Pair(a, b) := q;
  {assignment}
}}{mark}
"#
        )
    };
    check(&text("q->a := a;", " //~ error[linear-parameter-unavailable] \"q\""));
    check(&text(
        "call c := Loc(); q := Pair(a, c);\n} procedure Loc() returns ({:linear} l: One int) {\n  assume false; call l := Loc();",
        "",
    ));
}

#[test]
fn filling_the_only_linear_field_makes_the_record_available() {
    check(
        r#"
datatype {:layer 0} Box { Box(own: One int, note: int) }
procedure P({:linear_in} x: One int) returns ({:linear} b: Box)
{
  b->own := x;
  b->note := 3;
}
"#,
    );
}

#[test]
fn replacing_a_field_of_an_available_record_keeps_it_available() {
    check(
        r#"
datatype {:layer 0} Pair { Pair(a: One int, b: One int) }
procedure P({:linear_in} p: Pair, {:linear_in} x: One int) returns ({:linear} q: Pair)
{
  q := p;
  q->a := x;
}
procedure Q({:linear_in} p: Pair, {:linear_in} x: One int)
  returns ({:linear} q: Pair, {:linear} r: Pair)
{
  q := p;
  r, q->a := q, x;
} //~ error[linear-parameter-unavailable] "q"
"#,
    );
}

/// Stricter than Boogie: the thread has not run yet, so it has not returned anything.
#[test]
fn an_asynchronous_call_returns_no_permission() {
    let text = |call: &str, mark: &str| {
        format!(
            r#"
yield procedure {{:layer 1}} Make({{:linear_out}} t: One int);
yield procedure {{:layer 1}} Take({{:linear_in}} t: One int);
yield procedure {{:layer 1}} P(t: One int)
{{
  var s: One int;
  s := t;
  {call} Make(s);
  call Take(s);{mark}
}}
"#
        )
    };
    check(&text("async call", " //~ error[linear-unavailable] \"s\""));
    check(&text("call", ""));
}

#[test]
fn an_asynchronous_call_keeps_even_what_it_only_borrows() {
    check(
        r#"
yield procedure {:layer 1} Borrow({:linear} t: One int);
yield procedure {:layer 1} P({:linear} t: One int)
{
  call Borrow(t);
  async call Borrow(t);
} //~ error[linear-parameter-unavailable] "t"
"#,
    );
}

/// Stricter than Boogie: a map of permissions can be copied, so nothing can be taken out of it.
#[test]
fn a_variable_of_ordinary_type_owns_nothing_whatever_its_attribute() {
    check(
        r#"
var {:layer 0,1} {:linear} pools: [int]UnitMap (One int);
atomic action {:layer 1} A(l: One int) returns ({:linear} r: One int)
{
  var x: One int;
  x := l;
  call One_Get(pools[0], x); //~ error[linear-path]
  r := x;
}
var {:layer 0,1} {:linear} pool: UnitMap (One int);
atomic action {:layer 1} B(l: One int) returns ({:linear} r: One int)
{
  r := l;
  call One_Get(pool, r);
}
"#,
    );
}

/// Stricter than Boogie: other threads may change a global that is not linear at any yield.
#[test]
fn permissions_put_into_an_ordinary_global_are_lost() {
    let text = |attribute: &str, mark: &str| {
        format!(
            r#"
var {{:layer 0,1}} {attribute} g: One int;
atomic action {{:layer 1}} A({{:linear_in}} x: One int) returns ({{:linear}} y: One int)
{{
  y := g;
  g := x;
}}{mark}
"#
        )
    };
    check(&text("", " //~ error[linear-parameter-unavailable] \"y\""));
    check(&text("{:linear}", ""));
    check(
        r#"
var {:layer 0,1} g: One int;
atomic action {:layer 1} B({:linear_in} x: One int) returns ({:linear} y: One int)
{
  g := x;
  y := g;
} //~ error[linear-parameter-unavailable] "y"
"#,
    );
}

#[test]
fn linear_globals_are_whole_at_calls_returns_and_loop_heads() {
    check(
        r#"
var {:linear} g: One int;
procedure Other();
procedure P() returns ({:linear} r: One int)
{
  r := g;
  call Other(); //~ error[linear-global-unavailable] "at this call"
  while (*) //~ error[linear-global-unavailable] "at this loop head"
  {
  }
  assume true;
} //~ error[linear-global-unavailable] "at this return"
procedure Q()
{
  var x: One int;
  x := g;
  g := x;
}
"#,
    );
}

#[test]
fn a_variable_is_available_only_if_it_is_on_every_way() {
    check(
        r#"
yield procedure {:layer 1} Take({:linear_in} t: One int);
yield procedure {:layer 1} P({:linear_in} t: One int)
{
  if (*) {
    call Take(t);
  }
  call Take(t); //~ error[linear-unavailable]
}
yield procedure {:layer 1} Q({:linear_in} t: One int)
{
  while (*)
  invariant {:yields} true;
  {
    call Take(t); //~ error[linear-unavailable]
  }
}
"#,
    );
}

#[test]
fn loop_invariants_are_given_what_is_available() {
    check(
        r#"
yield invariant {:layer 1} I({:linear} t: One int);
preserves true;
yield procedure {:layer 1} Take({:linear_in} t: One int);
yield procedure {:layer 1} P({:linear_in} t: One int)
{
  call Take(t);
  while (*)
  invariant {:yields} true;
  invariant call I(t); //~ error[linear-unavailable]
  {
  }
}
"#,
    );
    check(
        r#"
yield invariant {:layer 1} I({:linear} t: One int);
preserves true;
yield procedure {:layer 1} P({:linear} t: One int)
{
  while (*)
  invariant {:yields} true;
  invariant call I(t);
  {
  }
}
"#,
    );
}

#[test]
fn specifications_pass_what_the_attribute_promises() {
    check(
        r#"
yield invariant {:layer 1} I({:linear} t: One int);
preserves true;
yield procedure {:layer 1} P({:linear} a: One int, {:linear_in} b: One int, {:linear_out} c: One int, d: One int);
requires call I(a);
requires call I(b);
requires call I(c); //~ error[linear-unavailable] "c"
requires call I(d); //~ error[linear-unavailable] "d"
ensures call I(a);
ensures call I(b); //~ error[linear-unavailable] "b"
ensures call I(c);
preserves call I(a);
preserves call I(b); //~ error[linear-unavailable] "b"
preserves call I(c); //~ error[linear-unavailable] "c"
"#,
    );
}

#[test]
fn arms_of_a_parallel_call_share_no_permissions() {
    check(
        r#"
yield invariant {:layer 1} I({:linear} t: One int);
preserves true;
yield procedure {:layer 1} Q({:linear} t: One int);
yield procedure {:layer 1} P({:linear} t: One int, {:linear} u: One int)
{
  call Q(t) | Q(u);
  call Q(t) | Q(t); //~ error[parallel-linear-twice] "t"
  call Q(t) | I(u) | I(u);
  call Q(t) | I(t); //~ error[parallel-linear-shared] "t"
}
"#,
    );
}

#[test]
fn primitives_change_only_what_may_change() {
    check(
        r#"
var {:layer 0,1} {:linear} pool: UnitMap (One int);
procedure P({:linear} m: UnitMap (One int), {:linear_in} x: One int)
{
  call One_Put(m, x); //~ error[primitive-assigns-input] "m"
}
procedure Q({:linear_in} m: Map (One int) (One bool), {:linear_in} k: One int)
  returns ({:linear} r: Map (One int) (One bool), {:linear} v: One bool)
{
  r := m;
  call v := Map_Get(r, k);
}
procedure R({:linear_in} m: UnitMap (One int)) returns ({:linear} r: UnitMap (One int))
{
  r := m;
  call r := Map_Split(r, MapConst(true)); //~ error[primitive-result-clash] "r"
}
procedure S({:linear_in} x: One int, y: int)
{
  call Move(x, One(y)); //~ error[move-argument]
  call Path_Store(x->val, y); //~ error[linear-path] error[primitive-assigns-input]
}
"#,
    );
}

/// A polymorphic body is right for every instance, so its type parameters count as linear.
#[test]
fn a_polymorphic_body_may_not_duplicate_its_parameter() {
    check(
        r#"
procedure {:layer 1} Dup<T>({:linear} x: T) returns ({:linear} y: T)
{
  y := x;
} //~ error[linear-parameter-unavailable] "x"
procedure Pass<T>({:linear_in} x: T) returns ({:linear} y: T)
{
  y := x;
}
"#,
    );
}

/// The attributes that callers see decide, also in a body given apart.
#[test]
fn a_separate_implementation_keeps_what_its_procedure_promises() {
    check(
        r#"
var {:layer 0} x: int;
procedure P({:linear} a: One int) returns ({:linear} b: One int);
implementation P(a: One int) returns (b: One int)
{
} //~ error[linear-parameter-unavailable] "b"
"#,
    );
}

#[test]
fn availability_is_known_at_entry_calls_and_loop_heads() {
    let db = Database::default();
    let text = r#"
var {:layer 0,1} {:linear} pool: UnitMap (One int);
yield procedure {:layer 1} Take({:linear_in} t: One int);
yield procedure {:layer 1} P({:linear_in} t: One int, {:linear} u: One int, o: One int)
{
  call Take(t);
  while (*)
  invariant {:yields} true;
  {
  }
}
"#;
    let program = program(&db, text);
    let decls = hir::program_decls(&db, program);
    let decl = *decls.iter().find(|it| it.name(&db) == "P").unwrap();
    assert_eq!(decl.kind(&db), DeclKind::YieldProcedure);
    let known = availability(&db, program, decl);
    let (t, u) = (VarRef::Local(hir::LocalId(0)), VarRef::Local(hir::LocalId(1)));
    let pool = VarRef::Global("pool".into());
    assert_eq!(known.at_entry(), [t.clone(), u.clone(), pool.clone()]);
    let cfg = hir::cfg(&db, program, decl).unwrap();
    let header = cfg.loops[0].header;
    assert_eq!(known.at_loop_head(header), [u.clone(), pool.clone()]);
    let body = hir::body(&db, program, decl).unwrap();
    let is_call = |id: &hir::StmtId| matches!(body.stmt(*id), hir::Stmt::Call { .. });
    let call = (0..body.stmts.len()).map(hir::StmtId::from_index).find(is_call).unwrap();
    assert_eq!(known.before_call(call), [t, u.clone(), pool.clone()]);
    assert_eq!(known.after_call(call), [u, pool]);
}

#[test]
fn nothing_is_available_in_a_body_with_problems() {
    let db = Database::default();
    let text = r#"
yield procedure {:layer 1} Take({:linear_in} t: One int);
yield procedure {:layer 1} P({:linear_in} t: One int)
{
  call Take(t);
  call Take(t);
}
"#;
    let program = program(&db, text);
    let decls = hir::program_decls(&db, program);
    let decl = *decls.iter().find(|it| it.name(&db) == "P").unwrap();
    assert_eq!(availability(&db, program, decl).at_entry(), []);
}

/// Stricter than Boogie: a value built by `C` would be rebuilt by `A`, with a permission from nowhere.
#[test]
fn a_field_that_a_constructor_lacks_is_not_assigned() {
    check(
        r#"
datatype {:layer 0} D { A(p: One int, q: One int, x: int), B(p: One int), C() }
datatype R { R(d: D, n: int) }
datatype E { E(p: One int, x: int), F(x: int) }
datatype G { H(p: One int), I(x: int) }
procedure P({:linear_in} d': D, {:linear_in} r': R, {:linear_in} p: One int)
{
  var d: D;
  var r: R;
  d := d';
  d->x := 5; //~ error[assign-lacking-field] "`d` may have no field `x`: `B` has none"
  r := r';
  r->d->x := 5; //~ error[assign-lacking-field] "`r` may have no field `x`"
  r->n := 5;
  d->p := p; //~ error[assign-lacking-field] "`C` has none"
}
procedure Q({:linear_in} e': E, {:linear_in} g': G, {:linear_in} p: One int)
{
  var e: E;
  var g: G;
  var d: D;
  e := e';
  e->x := 5;
  g := g';
  g->x := 5;
  g->p := p;
  d->x := 5;
}
"#,
    );
}

/// Stricter than Boogie: the stored function may give the same permission to two keys.
#[test]
fn the_values_of_a_map_are_not_stored_all_at_once() {
    check(
        r#"
datatype {:layer 0} R { R(m: Map int (One int), n: Map (One int) int) }
procedure P({:linear_in} r': R, {:linear_in} k: One int, f: [int]One int, g: [One int]int)
{
  var r: R;
  var h: [One int]int;
  r := r';
  call Path_Store(r->m->val, f); //~ error[linear-path] "all at once"
  call Path_Store(r->n->val, g); //~ error[linear-path] "all at once"
}
procedure Q({:linear_in} r': R, {:linear_in} k: One int)
{
  var r: R;
  var h: [One int]int;
  r := r';
  call h := Path_Load(r->n->val);
  call Path_Store(r->n->val[k], 3);
}
"#,
    );
}
