// Section 14.4, seen by the linear rules: the copy cannot be used as a permission.
// Expected: a static error at the call of Use.
// verdict: errors

both action {:layer 1} A_Dup({:linear} t: One int) returns (s: One int) { s := One(t->val); }
yield procedure {:layer 0} Dup({:linear} t: One int) returns (s: One int); refines A_Dup;
yield procedure {:layer 1} Use({:linear} a: One int) { }
yield procedure {:layer 1} P({:linear} t: One int)
{
  var s: One int;
  call s := Dup(t);
  call Use(s); //~ error[linear-unavailable] "s"
}
