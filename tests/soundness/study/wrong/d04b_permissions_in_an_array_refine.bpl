// expect: refused
// Wrong, seen in the results. `Main(r, mk)` with mk[0] = {One(5)}: both arms run Set with a permission for slot 5 that was
// copied out of `mk`. Left arm: owner[5] := 1; right arm: owner[5] := 2; left arm: reads 2, ok := false.
// The refined action says that `ok` is never set to false.
datatype R { R(a: [int](UnitMap (One int)), u: One int) }

var {:layer 0,2} ok: bool;
var {:layer 0,1} owner: [int]int;

yield invariant {:layer 1} Y();
preserves true;

yield invariant {:layer 1} Owns({:linear} t: One int, v: int);
preserves owner[t->val] == v;

yield procedure {:layer 0} Put({:linear} t: One int, v: int);
refines both action {:layer 1} _ { owner[t->val] := v; }

yield procedure {:layer 0} Look({:linear} t: One int) returns (v: int);
refines both action {:layer 1} _ { v := owner[t->val]; }

yield procedure {:layer 0} SetOk(b: bool);
refines atomic action {:layer 1,2} SETOK { ok := b; }

yield procedure {:layer 1} P({:linear_in} r0: R, mk: [int](UnitMap (One int)), v: int)
refines atomic action {:layer 2} _ { ok := true; }
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  var r: R;
  var t: One int;
  var w: int;
  r := r0;
  t := One(5);
  r->a := mk;
  call One_Get(r->a[0], t);
  call Y();
  call Put(t, v);
  call Owns(t, v);
  call w := Look(t);
  call SetOk(w == v);
}

yield procedure {:layer 2} Main({:linear_in} r0: R, {:linear_in} r1: R, mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  async call A(r0, mk);
  async call B(r1, mk);
}
yield procedure {:layer 2} A({:linear_in} r0: R, mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  call P(r0, mk, 1);
}
yield procedure {:layer 2} B({:linear_in} r0: R, mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  call P(r0, mk, 2);
}
