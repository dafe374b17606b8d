// Every kind of declaration, small.
type Tid;
type {:builtin "Seq"} Seq _, Pair a b;
type Table k = [k]int;
type Poly = <a>[Seq a, int]bool;

const a, b: int;
const {:msg "m"} unique c: Tid;
const d: int uses {
  axiom d > 0;
  hideable axiom {:name "big"} d > 10;
}

var x: int;
var {:layer 0, 2} {:linear} y, z: Option Tid, w: [int]bool where w[0];

/// Adds one.
/// Really.
function {:inline} next(i: int): int { i + 1 }
function plain(int, bool) returns (int);
function shared(i, j: int, {:a} k: bool) returns (r: int);
revealed function id<T>(t: T): T { t } uses { axiom true; }
function empty<T, U>(): Pair T U uses { }

axiom {:a} (forall i: int :: next(i) > i);

datatype Option<T> { None(), Some(t: T) }
datatype Unit { Unit() }

invariant {:layer 1} Global();
preserves x >= 0;

yield invariant {:layer 1} Held({:linear} me: One Tid, n: int);
preserves x == n;
preserves {:layer 1} y == Some(me->val);

procedure {:inline 1} lemma<T>(t: T) returns (r: T where r == t);
free requires true;
requires {:a} x > 0;
modifies x, y;
modifies;
ensures r == old(t);
free ensures true;
measure x, 1;

implementation lemma<T>(t: T) returns (r: T)
{
  r := t;
}

pure procedure Copy<T>(v: T) returns (v': T);
ensures v' == v;

pure action Assert(p: bool)
{
  assert p;
}
