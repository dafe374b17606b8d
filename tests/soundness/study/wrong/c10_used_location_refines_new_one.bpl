// expect: refused
// Was VERIFIED by civl --strict ("3 yield procedures without body"; binary of main built at 17:36, run at 17:44; also by the binary of 16:51), but WRONG: P can return b = true and l = One(k).
// Attack on the answer to c08b/c08c ("Loc_New returns something that nobody has EVER held", manual 13). At layer 2, New is said to do `l := Loc_New()`; but its body takes a USED location out of `spare`, which is hidden there.
// Refinement lets the action choose any location (existential), so nothing asks that l was never held. Above, the action counts as making something new: as a left mover that shares no variable with Drop.
// Run (layers 0, 1): pool = {L0}, spare = {}. P(L0): Has: b = true. Other thread, DropIt(L0): Drop: Shift: pool = {}, spare = {L0}. P: New: Reuse: l = One(L0), spare = {}. P returns (true, One(L0)).
//   No Loc_New is run at all. Layer 3: DropIt is A_Drop, P is one step that excludes b && l == k: no order of the two gives (true, One(L0)).
// Rule: the transition relation of a refined action does not get to choose what it makes new: obligations/src/copy/refinement.rs action_terms (disjunction over copy.closing()) and kind/action_refinement.rs matched (made_new_is_given: false):
// the value must be one that the fragment, or the refining action, itself made new; otherwise "ever held" is false one layer up. (With "held now" instead of "ever held", refinement is fine and c08b, c08c, c10 are failures of commutativity.)
var {:layer 0,3} {:linear} pool: UnitMap (One Loc);
var {:layer 0,1} {:linear} spare: UnitMap (One Loc);
yield procedure {:layer 0} Has(k: Loc) returns (b: bool);
refines atomic action {:layer 1,2} _ { b := Set_Contains(pool->dom, One(k)); }
yield procedure {:layer 0} Reuse() returns ({:linear} l: One Loc);
refines atomic action {:layer 1} _ { assume Set_Contains(spare->dom, l); call One_Get(spare, l); }
yield procedure {:layer 0} Shift(k: Loc);
refines atomic action {:layer 1} _
{
  var p: One Loc;
  if (Set_Contains(pool->dom, One(k))) { p := One(k); call One_Get(pool, p); call One_Put(spare, p); }
}
yield procedure {:layer 1} New() returns ({:linear} l: One Loc)
refines left action {:layer 2} _ { call l := Loc_New(); }
{
  call l := Reuse();
}
yield procedure {:layer 1} Drop(k: Loc)
refines atomic action {:layer 2,3} A_Drop
{
  var p: One Loc;
  if (Set_Contains(pool->dom, One(k))) { p := One(k); call One_Get(pool, p); }
}
{
  call Shift(k);
}
yield procedure {:layer 2} DropIt(k: Loc)
refines A_Drop;
{
  call Drop(k);
}
yield procedure {:layer 2} P(k: Loc) returns (b: bool, {:linear} l: One Loc)
refines atomic action {:layer 3} _ { b := Set_Contains(pool->dom, One(k)); call l := Loc_New(); assume !(b && l->val == k); }
{
  var i: int;
  call b := Has(k);
  call l := New();
  i := 0;
  while (i < 1)                   // only to make the proof look at permissions once more
  invariant {:layer 2} i <= 1;
  { i := i + 1; }
}
