// Lemmas and pure actions in ghost code.
// favour: call_layers, more_type_params
var {:layer 0,2} x: int;
pure procedure Trans(a: int, b: int, c: int)
requires a <= b && b <= c;
ensures a <= c;
{ }
pure procedure Sym<T>(p: T, q: T)
requires p == q;
ensures q == p;
{ }
pure action Inverse(a: int) returns (r: int)
{ assert a != 0; r := 10 div a; }
yield invariant {:layer 2} Any(); preserves true;
yield procedure {:layer 2} Main(a: int, b: int)
requires {:layer 1,2} a <= b;
{
  var {:layer 2} r: int;
  call {:layer 2} Trans(a, b, b + 1);
  call Any();
  call {:layer 1} Trans(a, b, b);
  call {:layer 2} r := Inverse(1);
  call {:layer 2} Sym(a, a);
  assert {:layer 2} a <= b + 1;
  assert {:layer 1} a <= b;
}
