// expect: faith
// VERIFIED by civl --strict ("1 yield procedure without body"; binary of 16:51, run at 17:08), but WRONG. Variant of c02 that its repair (ide/src/proof/trusted.rs conjured) does not see: the permission comes out of a linear_in
// PARAMETER that exists at layer 1 only, and is returned in a parameter that exists at layer 0 too. At layer 0 the call gives b a permission that nobody gave.
// Run: layer 0: q = One(5). Layer 1: a = One(5). (Each layer by itself is disjoint.) P: Q(a) returns b = a = One(5), exactly what it refines. assert {:layer 0} b != q fails; at layer 0 One(5) is held twice.
// (With a body `b := a` this is an error: a does not exist at layer 0.)
// Rule: a permission that a procedure without body returns at a layer must come from something that exists at that layer: the sources are the linear globals its action writes AND its linear_in parameters;
// given.is_within must hold for the parameter sources, too (if the action has several sources, for all of them).
yield procedure {:layer 1} Q({:layer 1} {:linear_in} a: One int) returns ({:linear} b: One int);
refines atomic action {:layer 2} A_Q { b := a; }
yield procedure {:layer 1} P({:layer 0} {:linear} q: One int, {:layer 1} {:linear_in} a: One int) returns ({:linear} b: One int)
refines A_Q;
{
  call b := Q(a);
  assert {:layer 0} b != q;
}
