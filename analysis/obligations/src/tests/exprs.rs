//! Expressions mean what the language says.

use super::check_unit;

/// Each of `claims`, alone, is proved; each of `lies` is not.
#[track_caller]
fn check(declarations: &str, formals: &str, claims: &[&str], lies: &[&str]) {
    for claim in claims {
        let text = format!("{declarations}\nprocedure P({formals})\n{{\n  assert {claim};\n}}\n");
        check_unit(&text, "P", "proved");
    }
    let line = declarations.matches('\n').count() + 4;
    for lie in lies {
        let text = format!("{declarations}\nprocedure P({formals})\n{{\n  assert {lie};\n}}\n");
        let verdict = verdict_of(&text);
        assert!(
            verdict == format!("{line}:3 assertion refuted")
                || verdict == format!("{line}:3 assertion unknown"),
            "{lie}: {verdict}"
        );
    }
}

fn verdict_of(text: &str) -> String {
    let db = super::Database::default();
    let program = super::program(&db, text, &[base::LibraryName::Base]);
    let key = super::key(&db, program, "P");
    super::verdicts(&db, program, &key)
}

#[test]
fn integers_divide_as_in_smt_lib() {
    check(
        "",
        "x: int",
        &[
            "7 div 2 == 3",
            "(0-7) div 2 == 0-4",
            "(0-7) mod 2 == 1",
            "7 div (0-2) == 0-3",
            "x div 0 == x div 0",
        ],
        &["x div 0 == 0", "x mod 0 == 0", "x div 2 == 0"],
    );
}

#[test]
fn reals_convert_and_divide() {
    check(
        "",
        "x: real, i: int",
        &[
            "1 / 2 == 0.5",
            "real(i) <= real(i) + 0.25",
            "int(1.5) == 1",
            "int(0.0 - 1.5) == 0-2",
            "1e-1 * 10.0 == 1.0",
        ],
        &["int(x) >= 1", "real(i) > 0.5"],
    );
}

#[test]
fn bit_vectors_concatenate_and_extract() {
    check(
        "function {:bvbuiltin \"bvadd\"} add(a: bv8, b: bv8): bv8;",
        "x: bv8",
        &["add(255bv8, 1bv8) == 0bv8", "(x ++ 0bv8)[16:8] == x", "x[8:4] ++ x[4:0] == x"],
        &["add(x, 1bv8) != 0bv8"],
    );
}

#[test]
fn sequences_are_the_solvers() {
    check(
        "",
        "s: Seq int",
        &[
            "Seq_Len(Seq_Concat(s, Seq_Unit(1))) == Seq_Len(s) + 1",
            "Seq_Nth(Seq_Unit(5), 0) == 5",
            "Seq_Len(Seq_Empty(): Seq int) == 0",
        ],
        &["Seq_Len(s) > 0"],
    );
}

#[test]
fn maps_of_several_indices_and_none() {
    check(
        "",
        "m: [int,bool]int, c: []int",
        &[
            "m[1,true := 4][1,true] == 4",
            "m[1,true := 4][1,false] == m[1,false]",
            "c[] == c[]",
            "c[:= 3][] == 3",
        ],
        &["m[1,true := 4][1,false] == 4"],
    );
}

#[test]
fn binders_of_inlined_functions_capture_nothing() {
    check(
        "function {:inline} above(x: int): bool { (exists i: int :: {Id(i)} i > x && Id(i) == i) }
function {:inline} const_of(x: int): [int]int { (lambda i: int :: x) }
function {:inline} twice(f: [int]int, x: int): int { f[f[x]] }",
        "n: int",
        &[
            "(forall i: int :: const_of(i)[3] == i)",
            "twice((lambda i: int :: i + 1), n) == n + 2",
            "(lambda i: int :: (lambda j: int :: i - j))[5][n] == 5 - n",
            "(forall i: int :: (var i2 := i + 1; (lambda i: int :: i2 + i))[1] == i + 2)",
        ],
        &["(forall i: int :: const_of(i)[3] == 3)", "(forall i: int :: above(i) ==> i > 0)"],
    );
}

#[test]
fn nested_inlining_is_shared() {
    let mut functions = String::from("function {:inline} f0(x: int): int { x + 1 }");
    for nth in 1..80 {
        let inner = nth - 1;
        functions += &format!(
            "function {{:inline}} f{nth}(x: int): int {{ f{inner}(x) - f{inner}(x) + f{inner}(x) }}"
        );
    }
    check(&functions, "x: int", &["f79(x) == x + 1"], &["f79(x) == x"]);
}

#[test]
fn lets_are_parallel() {
    check("", "a: int, b: int", &["(var a, b := b, a; a - b) == b - a"], &[]);
}

#[test]
fn fields_of_several_constructors_follow_the_first() {
    check(
        "datatype D { A(x: int, y: int), B(x: int), C() }",
        "d: D",
        &[
            "B(3)->x == 3",
            "B(3)->(x := 4) == B(4)",
            "A(1, 2)->(x := 4) == A(4, 2)",
            "d is B ==> d->(x := 1) is B",
            "d is A || d is B || d is C",
        ],
        &["d->x == 0", "C()->x == 0", "C()->(x := 1) is C", "d is C ==> d->(x := d->x) == d"],
    );
}

#[test]
fn functions_with_bodies_are_defined_by_axioms_also_when_recursive() {
    check(
        "function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) }
function poly<T>(x: T, y: T): bool { x == y }
function {:define} inc(x: int): int { x + 1 }",
        "n: int",
        &[
            "fact(0) == 1",
            "fact(1) == 1",
            "poly(n, n)",
            "!poly(true, false)",
            "inc(inc(n)) == n + 2",
        ],
        &["fact(n) > 0", "poly(n, 3)"],
    );
}

#[test]
fn polymorphic_axioms_hold_at_each_type_in_use() {
    check(
        "function size<T>(s: [T]bool): int;
axiom (forall<T> s: [T]bool :: {size(s)} size(s) >= 0);
axiom (forall<T> s: [T]bool, t: T :: {size(Set_Add(s, t))} s[t] || size(Set_Add(s, t)) == size(s) + 1);
function pair<A,B>(a: A, b: B): int;
axiom (forall<A,B> a: A, b: B :: {pair(a, b)} pair(a, b) == pair(b, a));",
        "s: [int]bool, r: [bool]bool, n: int",
        &["size(s) >= 0", "size(r) >= 0", "!s[n] ==> size(Set_Add(s, n)) > 0", "pair(1, true) == pair(true, 1)"],
        &["size(s) >= 1", "pair(1, true) == pair(1, false)"],
    );
}
