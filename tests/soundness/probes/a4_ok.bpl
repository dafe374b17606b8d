// Nearest good neighbour of a4: the copy is a value, and says what it is.
// verdict: verified

both action {:layer 1} A_Dup({:linear} t: One int) returns (s: One int) { s := One(t->val); }
yield procedure {:layer 0} Dup({:linear} t: One int) returns (s: One int); refines A_Dup;
yield invariant {:layer 1} Z(); preserves true;
yield procedure {:layer 1} P({:linear} t: One int)
{
  var s: One int;
  call s := Dup(t);
  call Z();
  assert {:layer 1} s == t;
}
