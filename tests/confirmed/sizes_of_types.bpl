// Right assertions about the size of a type: what bounds it is outside the run.
// verdict: errors
// candidates

type T;
const unique c, d: T;

procedure Two(x: T)
{
  assert (exists a: T :: a != x); //~ error[assertion]
}

procedure Maps(m: [T]int, x: T)
{
  assume (forall t: T :: t == x ==> m[t] == 0);
  assume (forall t: T :: t != x ==> m[t] == 1);
  assert m != MapConst(0); //~ error[assertion]
}

type U;
const e, f: U;
axiom e != f;

procedure ByConstants()
{
  assert (exists a, b: U :: a != b); //~ error[assertion]
}

type V;
function Number(x: V): int;
function Nth(n: int): V;
axiom (forall n: int :: Number(Nth(n)) == n);

procedure ByNumbers()
{
  assert (exists a, b: V :: a != b); //~ error[assertion]
}

type W;
datatype Box { Box(w: W) }
const k, l: W;
axiom k != l;

procedure InBox()
{
  assert (exists a, b: Box :: a != b); //~ error[assertion]
}

const unique three, other: int;
axiom three == 3;

procedure Number3()
{
  assert other != 3; //~ error[assertion]
}
