// expect: refused
// The program's own type `Seq` is no sequence of the solver: it may have one value only, as the axiom says.
type Seq a;
procedure P(x: Seq int, y: Seq int)
requires (forall s: Seq int, t: Seq int :: s == t);
{ assert false; }
