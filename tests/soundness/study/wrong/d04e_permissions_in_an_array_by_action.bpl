// expect: refused
// Wrong: the same in an action. Take hands out One(5) as often as it is called, so both arms of Main hold it. Run: left arm
// takes, writes 1; right arm takes, writes 2; left arm passes `Is(t, 1)` and asserts slots[5] == 1, which is 2.
datatype R { R(a: [int](UnitMap (One int)), u: One int) }

var {:layer 0,1} {:linear} r: R;
var {:layer 0,1} slots: [int]int;

yield invariant {:layer 1} Y();
preserves true;

yield invariant {:layer 1} Is({:linear} t: One int, v: int);
preserves slots[t->val] == v;

yield procedure {:layer 0} Take(mk: [int](UnitMap (One int)), {:linear_out} t: One int);
refines atomic action {:layer 1} _ {
  assert Set_Contains(mk[0]->dom, t);
  r->a := mk;
  call One_Get(r->a[0], t);
}

yield procedure {:layer 0} Write({:linear} t: One int, v: int);
refines both action {:layer 1} _ { slots[t->val] := v; }

yield procedure {:layer 1} P(mk: [int](UnitMap (One int)), v: int)
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  var t: One int;
  t := One(5);
  call Take(mk, t);
  call Y();
  call Write(t, v);
  call Is(t, v);
  assert {:layer 1} slots[5] == v;
}

yield procedure {:layer 1} Main(mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  call P(mk, 1) | P(mk, 2);
}
