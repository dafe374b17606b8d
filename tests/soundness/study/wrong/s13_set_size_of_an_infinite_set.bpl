// expect: faith
// low severity (the manual, chapter 13, mentions it). VERIFIED by civl --strict with nothing "taken on faith", but WRONG: proves false. The axioms of
// `set_size` are true of finite sets only, and the set of all integers is not finite. The library comes by itself as soon as the name Set_Size
// is used (hir/src/library.rs used_libraries), although its text says "ask for it with --lib set_size". That all sets in question are
// finite is a promise of the program, not a fact about the library. Missing rule: a proof that uses an axiom or a lemma of `set_size`
// lists "all sets whose size is asked for are finite" (a promise: strict refuses), or Set_Size is only applied to sets that are built finitely.
procedure P()
{
  var s: [int]bool; var i: int; var n: int;
  s := MapConst(true); n := Set_Size(s); i := 0;
  while (i <= n)
  invariant 0 <= i; invariant (forall j: int :: i <= j ==> s[j]);
  invariant Set_Size(s) == n - i;
  {
    assert Set_Contains(s, i);
    s := Set_Remove(s, i);
    i := i + 1;
  }
  assert Set_Size(s) >= 0;
  assert false;
}
