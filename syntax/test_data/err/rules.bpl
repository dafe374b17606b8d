pure left action A() { }
datatype D { C(), C(x: int where true) }
function {:inline} {:define} f<T>(T, x: int, y): int;
axiom a && b || c;
axiom a ==> b <== c;
axiom a < b < c;
axiom forall x: int :: x > 0;
axiom (lambda x: int :: {x} x);
axiom (forall x: int where true :: {:nopats} x);
axiom v[x:1];
axiom 1bv99999999999;
yield procedure p()
refines A;
refines B;
asserts x;
free requires x;
requires call I() | J();
{
  v[3:1] := 0;
  async call A() | B();
  assert {x} true;
}
procedure q();
requires call I();
implementation r(x: int where true) { }
action s() refines action _ { } { }
