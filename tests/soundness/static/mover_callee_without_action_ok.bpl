// A mover procedure sees its callees as actions.
// verdict: verified

var {:layer 0,2} x: int;

left action {:layer 1,2} A() { x := 1; }
yield procedure {:layer 0} P();
refines A;

yield left procedure {:layer 2} M()
{
  call P();
}
