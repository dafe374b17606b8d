// A mover procedure sees its callees as actions; this one has none at layer 2.
// verdict: errors

var {:layer 0,2} x: int;

atomic action {:layer 1} A() { x := 1; }
yield procedure {:layer 0} P();
refines A;

yield left procedure {:layer 2} M()
{
  call P(); //~ error[callee-action-missing] "layer 2"
}
