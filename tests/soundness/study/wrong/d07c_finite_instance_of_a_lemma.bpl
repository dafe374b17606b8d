// expect: refused
// CIVL: a lemma proved for every T, used for a T with one value
pure procedure Lemma<T>(x: T);
ensures MapConst(true)[x := false] != MapConst(false);
implementation Lemma<T>(x: T) { }
var {:layer 0,1} x: int;
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} P()
{
  var v: int;
  call v := Get();
  call {:layer 1} Lemma(Unit());
  assert {:layer 1} MapConst(true)[Unit() := false] == MapConst(false);
  assert {:layer 1} v == v + 1;
}
