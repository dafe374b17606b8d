// The library `base`: pure data structures, linear permissions and the primitives that move them.
//
// It is part of every program that uses a CIVL attribute. The comment above a declaration is what an editor
// shows when you point at a use of the name. Nothing here is proved: the axioms and the meaning of the
// primitives are the part of the tool that you trust (see the chapter on trust in the manual).

//---------------------------------------------------------------------------------------------------------
// Small values
//---------------------------------------------------------------------------------------------------------

// The type with exactly one value.
datatype Unit { Unit() }

// A value that may be missing.
datatype Option<T> { None(), Some(t: T) }

// The filler value of a type: what a `Map` holds outside its domain and a `Vec` outside its bounds.
// Nothing else is known about it.
function Default<T>(): T;

// The argument itself.
function {:inline} Id<T>(t: T): T
{
  t
}

//---------------------------------------------------------------------------------------------------------
// Total maps `[T]U`, point by point. These are operators of the solver's array theory.
//---------------------------------------------------------------------------------------------------------

// The map that sends every index to the given value.
function {:builtin "MapConst"} MapConst<T,U>(U): [T]U;

// Pointwise choice: where the condition holds the second argument's value, elsewhere the third's.
function {:builtin "MapIte"} MapIte<T,U>([T]bool, [T]U, [T]U): [T]U;

// The set of indices at which two maps agree.
function {:builtin "MapEq"} MapEq<T,U>([T]U, [T]U): [T]bool;

// Pointwise negation.
function {:builtin "MapNot"} MapNot<T>([T]bool): [T]bool;

// Pointwise conjunction.
function {:builtin "MapAnd"} MapAnd<T>([T]bool, [T]bool): [T]bool;

// Pointwise disjunction.
function {:builtin "MapOr"} MapOr<T>([T]bool, [T]bool): [T]bool;

// Pointwise implication.
function {:builtin "MapImp"} MapImp<T>([T]bool, [T]bool): [T]bool;

// Pointwise equivalence.
function {:builtin "MapIff"} MapIff<T>([T]bool, [T]bool): [T]bool;

// Holds where the first argument does and the second does not.
function {:inline} MapDiff<T>(a: [T]bool, b: [T]bool): [T]bool
{
  MapAnd(a, MapNot(b))
}

// Pointwise sum.
function {:builtin "MapAdd"} MapAdd<T>([T]int, [T]int): [T]int;

// Pointwise difference.
function {:builtin "MapSub"} MapSub<T>([T]int, [T]int): [T]int;

// Pointwise product.
function {:builtin "MapMul"} MapMul<T>([T]int, [T]int): [T]int;

// Pointwise quotient (`div`).
function {:builtin "MapDiv"} MapDiv<T>([T]int, [T]int): [T]int;

// Pointwise remainder (`mod`).
function {:builtin "MapMod"} MapMod<T>([T]int, [T]int): [T]int;

// Indices at which the first map is smaller.
function {:builtin "MapLt"} MapLt<T>([T]int, [T]int): [T]bool;

// Indices at which the first map is smaller or equal.
function {:builtin "MapLe"} MapLe<T>([T]int, [T]int): [T]bool;

// Indices at which the first map is greater.
function {:builtin "MapGt"} MapGt<T>([T]int, [T]int): [T]bool;

// Indices at which the first map is greater or equal.
function {:builtin "MapGe"} MapGe<T>([T]int, [T]int): [T]bool;

//---------------------------------------------------------------------------------------------------------
// Sets, as maps to bool
//---------------------------------------------------------------------------------------------------------

// The set without elements.
function {:inline} Set_Empty<T>(): [T]bool
{
  MapConst(false)
}

// The set whose only element is `t`.
function {:inline} Set_Singleton<T>(t: T): [T]bool
{
  Set_Add(Set_Empty(), t)
}

// Is `t` an element of `a`?
function {:inline} Set_Contains<T>(a: [T]bool, t: T): bool
{
  a[t]
}

// `a` with `t` put in.
function {:inline} Set_Add<T>(a: [T]bool, t: T): [T]bool
{
  a[t := true]
}

// `a` with `t` taken out.
function {:inline} Set_Remove<T>(a: [T]bool, t: T): [T]bool
{
  a[t := false]
}

// Elements of `a`, of `b`, or of both.
function {:inline} Set_Union<T>(a: [T]bool, b: [T]bool): [T]bool
{
  MapOr(a, b)
}

// Elements that `a` and `b` share.
function {:inline} Set_Intersection<T>(a: [T]bool, b: [T]bool): [T]bool
{
  MapAnd(a, b)
}

// Elements of `a` that are not in `b`.
function {:inline} Set_Difference<T>(a: [T]bool, b: [T]bool): [T]bool
{
  MapDiff(a, b)
}

// Is every element of `a` also in `b`?
function {:inline} Set_IsSubset<T>(a: [T]bool, b: [T]bool): bool
{
  MapImp(a, b) == MapConst(true)
}

// Do `a` and `b` share no element?
function {:inline} Set_IsDisjoint<T>(a: [T]bool, b: [T]bool): bool
{
  Set_Intersection(a, b) == Set_Empty()
}

// Some element of `a`, always the same one for the same set; any value if `a` is empty.
function Choice<T>(a: [T]bool): T;
axiom (forall<E> s: [E]bool :: {Choice(s)} s == MapConst(false) || s[Choice(s)]);

//---------------------------------------------------------------------------------------------------------
// Intervals of integers
//---------------------------------------------------------------------------------------------------------

// The map that sends every integer to itself.
const Identity: [int]int;
axiom (forall i: int :: Identity[i] == i);

// All integers from `x` upwards.
function {:inline} AtLeast(x: int): [int]bool
{
  MapLe(MapConst(x), Identity)
}

// The `n` integers `from`, `from + 1`, ...
function {:inline} Range(from: int, n: int): [int]bool
{
  MapDiff(AtLeast(from), AtLeast(from + n))
}

//---------------------------------------------------------------------------------------------------------
// Vectors
//---------------------------------------------------------------------------------------------------------

// A finite vector: elements at 0 .. len - 1. Build vectors with the functions below, never with the
// constructor: the two axioms say that no vector has a negative length or contents beyond its length,
// so that vectors with equal elements are equal.
datatype Vec<T> { Vec(contents: [int]T, len: int) }
axiom (forall<E> v: Vec E :: {v->len} v->len >= 0);
axiom (forall<E> v: Vec E :: {v->len} {v->contents}
  MapIte(Range(0, v->len), MapConst(Default()), v->contents) == MapConst(Default()));

// The vector without elements.
function {:inline} Vec_Empty<T>(): Vec T
{
  Vec(MapConst(Default()), 0)
}

// The number of elements.
function {:inline} Vec_Len<T>(v: Vec T): int
{
  v->len
}

// Is `i` an index of `v`?
function {:inline} Vec_Contains<T>(v: Vec T, i: int): bool
{
  0 <= i && i < Vec_Len(v)
}

// The element at index `i`; `Default()` if there is none.
function {:inline} Vec_Nth<T>(v: Vec T, i: int): T
{
  v->contents[i]
}

// `v` with `x` added at the end.
function {:inline} Vec_Append<T>(v: Vec T, x: T): Vec T
{
  Vec(v->contents[v->len := x], v->len + 1)
}

// `v` without its last element; an empty vector stays empty.
function {:inline} Vec_Remove<T>(v: Vec T): Vec T
{
  (
    var some, last := 0 < v->len, v->len - 1;
    Vec(v->contents[last := if (some) then Default() else v->contents[last]], if (some) then last else v->len)
  )
}

// `v` with `x` at index `i`; unchanged if `i` is no index of `v`.
function {:inline} Vec_Update<T>(v: Vec T, i: int, x: T): Vec T
{
  if (0 <= i && i < v->len) then Vec(v->contents[i := x], v->len) else v
}

// `v` with the elements at `i` and `j` exchanged; unchanged unless both are indices of `v`.
function {:inline} Vec_Swap<T>(v: Vec T, i: int, j: int): Vec T
{
  (
    var both_in := 0 <= i && i < v->len && 0 <= j && j < v->len;
    Vec(
      v->contents
        [i := v->contents[if (both_in) then j else i]]
        [j := v->contents[if (both_in) then i else j]],
      v->len)
  )
}

// The elements of `v1` followed by those of `v2`.
function {:inline} Vec_Concat<T>(v1: Vec T, v2: Vec T): Vec T
{
  Vec(
    (lambda {:pool "Concat"} k: int ::
      if (k < 0) then Default()
      else if (0 <= k && k < Vec_Len(v1)) then Vec_Nth(v1, k)
      else if (Vec_Len(v1) <= k && k < Vec_Len(v1) + Vec_Len(v2)) then Vec_Nth(v2, k - Vec_Len(v1))
      else Default()),
    Vec_Len(v1) + Vec_Len(v2))
}

// The elements of `v` from index `i` up to, not including, `j`; empty unless 0 <= i < j <= len.
function {:inline} Vec_Slice<T>(v: Vec T, i: int, j: int): Vec T
{
  (
    var valid := 0 <= i && i < j && j <= v->len;
    Vec(
      (lambda {:pool "Slice"} n: int ::
        if (valid && 0 <= n && n < j - i) then Vec_Nth(v, n + i) else Default()),
      if (valid) then j - i else 0)
  )
}

// Extensionality, to be called where two vectors should be shown equal: either they are, or their lengths
// differ, or `i` is an index at which they differ.
procedure Vec_Ext<T>(A: Vec T, B: Vec T) returns (i: int);
ensures A == B || Vec_Len(A) != Vec_Len(B) || Vec_Nth(A, i) != Vec_Nth(B, i);

//---------------------------------------------------------------------------------------------------------
// Sequences of the solver
//---------------------------------------------------------------------------------------------------------

// The solver's own theory of finite sequences.
type {:builtin "Seq"} Seq _;

// The sequence without elements.
function {:builtin "seq.empty"} Seq_Empty<T>(): Seq T;

// The sequence of one element.
function {:builtin "seq.unit"} Seq_Unit<T>(v: T): Seq T;

// The number of elements.
function {:builtin "seq.len"} Seq_Len<T>(a: Seq T): int;

// The element at index `i`; any value if there is none.
function {:builtin "seq.nth"} Seq_Nth<T>(a: Seq T, i: int): T;

// The elements of `a` followed by those of `b`.
function {:builtin "seq.++"} Seq_Concat<T>(a: Seq T, b: Seq T): Seq T;

// At most `length` elements of `a`, starting at index `pos`.
function {:builtin "seq.extract"} Seq_Extract<T>(a: Seq T, pos: int, length: int): Seq T;

//---------------------------------------------------------------------------------------------------------
// Finite maps
//---------------------------------------------------------------------------------------------------------

// A map with a domain. A map whose keys are `One _` is linear: it owns the permissions in its domain.
datatype Map<T,U> { Map(dom: [T]bool, val: [T]U) }

// A set of permissions: a map whose values carry nothing.
type UnitMap K = Map K Unit;

// The map without keys.
function {:inline} Map_Empty<T,U>(): Map T U
{
  Map(MapConst(false), MapConst(Default()))
}

// The map with the one entry `t` to `u`.
function {:inline} Map_Singleton<T,U>(t: T, u: U): Map T U
{
  Map_Update(Map_Empty(), t, u)
}

// Is `t` a key of `a`?
function {:inline} Map_Contains<T,U>(a: Map T U, t: T): bool
{
  Set_Contains(a->dom, t)
}

// The value at key `t`; `Default()` if `a` is well-formed and has no such key.
function {:inline} Map_At<T,U>(a: Map T U, t: T): U
{
  a->val[t]
}

// `a` with the entry `t` to `u` added or replaced.
function {:inline} Map_Update<T,U>(a: Map T U, t: T, u: U): Map T U
{
  Map(Set_Add(a->dom, t), a->val[t := u])
}

// `a` without the key `t`.
function {:inline} Map_Remove<T,U>(a: Map T U, t: T): Map T U
{
  Map(Set_Remove(a->dom, t), a->val[t := Default()])
}

// `a` with the values at `t1` and `t2` exchanged.
function {:inline} Map_Swap<T,U>(a: Map T U, t1: T, t2: T): Map T U
{
  (
    var before1, before2 := Map_At(a, t1), Map_At(a, t2);
    Map_Update(Map_Update(a, t1, before2), t2, before1)
  )
}

// The part of `a` at the keys `t`.
function {:inline} Map_Extract<T,U>(a: Map T U, t: [T]bool): Map T U
{
  Map(t, MapIte(t, a->val, MapConst(Default())))
}

// The part of `a` outside the keys `t`.
function {:inline} Map_Exclude<T,U>(a: Map T U, t: [T]bool): Map T U
{
  Map(Set_Difference(a->dom, t), MapIte(t, MapConst(Default()), a->val))
}

// All entries of both maps; where both have a key, `a` decides.
function {:inline} Map_Union<T,U>(a: Map T U, b: Map T U): Map T U
{
  Map(Set_Union(a->dom, b->dom), MapIte(a->dom, a->val, b->val))
}

// Do `a` and `b` share no key?
function {:inline} Map_IsDisjoint<T,U>(a: Map T U, b: Map T U): bool
{
  Set_IsDisjoint(a->dom, b->dom)
}

// Are all values outside the domain `Default()`? Linear maps always are.
function {:inline} Map_WellFormed<T,U>(a: Map T U): bool
{
  a->val == MapIte(a->dom, a->val, MapConst(Default()))
}

//---------------------------------------------------------------------------------------------------------
// Permissions
//---------------------------------------------------------------------------------------------------------

// The permission named by `val`: at any moment at most one available variable of the program holds it.
datatype One<T> { One(val: T) }

// A permission together with a value, as stored in one entry of a linear map.
datatype Cell<T,U> { Cell(key: One T, val: U) }

// Addresses. Each can be handed out once, by `Loc_New` and its relatives.
type Loc;

// A permission name that belongs to an address: several of them can be made together with the address.
datatype Tag<V> { Tag(loc: Loc, val: V) }

// The permissions with address `loc` and a value in `xs`.
function {:inline} Tags<V>(loc: Loc, xs: [V]bool): [One (Tag V)]bool
{
  (lambda p: One (Tag V) :: p->val->loc == loc && Set_Contains(xs, p->val->val))
}

// The permission that a `One` owns, as a set.
function {:inline} One_Collector<T>(a: One T): [One T]bool
{
  Set_Singleton(a)
}

// The permissions that a map owns through its keys.
function {:inline} Map_Collector<T,U>(a: Map T U): [T]bool
{
  a->dom
}

// The permissions of another type that a map owns: none are counted.
function {:inline} Map_Collector_Empty<T,U,P>(a: Map T U): [P]bool
{
  MapConst(false)
}

//---------------------------------------------------------------------------------------------------------
// Linear primitives. The first argument of those with a `path` is a variable followed by `[i]` and `->f`
// steps, and is updated in place.
//---------------------------------------------------------------------------------------------------------

// Gives the permissions of `u` to `v`. Fails unless both have the same value.
pure procedure Move<T>({:linear_in} u: T, {:linear_out} v: T);

// Takes the permission `l` out of the set `path`. Fails if it is not there.
pure procedure One_Get<K>({:linear} path: UnitMap K, {:linear_out} l: K);

// Puts the permission `l` into the set `path`.
pure procedure One_Put<K>({:linear} path: UnitMap K, {:linear_in} l: K);

// Takes the key `k` and its value `v` out of the map `path`. Fails if the key is not there.
pure procedure Map_Get<K,V>({:linear} path: Map K V, {:linear_out} k: K) returns ({:linear} v: V);

// Puts the key `k` with value `v` into the map `path`. A linear key cannot be there already.
pure procedure Map_Put<K,V>({:linear} path: Map K V, {:linear_in} k: K, {:linear_in} v: V);

// Cuts the entries with keys in `k` out of `path`. Fails unless all of them are there.
pure procedure Map_Split<K,V>({:linear} path: Map K V, k: [K]bool) returns ({:linear} l: Map K V);

// Moves all entries of `l` into `path`.
pure procedure Map_Join<K,V>({:linear} path: Map K V, {:linear_in} l: Map K V);

// Reads an ordinary value inside a linear one. Fails if a key or field on the path is missing.
pure procedure Path_Load<V>(path: V) returns (v: V);

// Writes an ordinary value inside a linear one. Fails if a key or field on the path is missing.
pure procedure Path_Store<V>(path: V, v: V);

// A linear map that owns nothing.
pure procedure {:inline 1} Map_MakeEmpty<K,V>() returns ({:linear} m: Map K V)
{
  m := Map_Empty();
}

// A fresh address: different from every other that is owned anywhere.
pure procedure {:inline 1} Loc_New() returns ({:linear} {:pool "Loc_New"} l: One Loc)
{
  assume {:add_to_pool "Loc_New", l} true;
}

// A fresh address and one more permission that belongs to it.
pure procedure {:inline 1} Tag_New() returns ({:linear} {:pool "Loc_New"} l: One Loc, {:linear} tag: One (Tag Unit))
{
  assume {:add_to_pool "Loc_New", l} true;
  tag := One(Tag(l->val, Unit()));
}

// A fresh address and, for each value in `vals`, one permission that belongs to it.
pure procedure {:inline 1} Tags_New<V>(vals: [V]bool) returns ({:linear} {:pool "Loc_New"} l: One Loc, {:linear} tags: UnitMap (One (Tag V)))
{
  assume {:add_to_pool "Loc_New", l} true;
  tags := Map(Tags(l->val, vals), MapConst(Unit()));
}

//---------------------------------------------------------------------------------------------------------
// Ghost code in yield procedures: call these with `{:layer n}`
//---------------------------------------------------------------------------------------------------------

// A copy of an ordinary value; the way to read a global variable in ghost code.
pure procedure Copy<T>(v: T) returns (v': T);
ensures v' == v;

// Assumes `b` without proof. Everything proved after it depends on `b` being true.
pure procedure Assume(b: bool);
ensures b;

// Checks `b` as the gate of an action does.
pure action Assert(b: bool)
{
  assert b;
}
