// expect: refused
// As e02, through two procedures that call each other, and a lemma.
datatype U { U() }
pure procedure Lemma<T>(x: T);
ensures MapConst(true)[x := false] != MapConst(false);
implementation Lemma<T>(x: T) { }
procedure Odd<A, B>(a: A, b: B)
ensures MapConst(true)[b := false] != MapConst(false);
{
  if (*) { call Even(b, a); }
  call Lemma(b);
}
procedure Even<B, A>(b: B, a: A)
ensures MapConst(true)[b := false] != MapConst(false);
{
  call Odd(a, b);
}
procedure Main()
{
  call Even(U(), 1);
  assert (forall u: U :: MapConst(true)[U() := false][u] == false);
  assert MapConst(true)[U() := false] == MapConst(false);
  assert false;
}
