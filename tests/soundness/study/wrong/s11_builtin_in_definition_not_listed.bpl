// expect: faith
// VERIFIED by civl --strict (binary of 16:35, after the repair of s07), nothing on faith, but WRONG: proves false. `sel` reads a real and is declared as an int.
// Used in P directly, "the operator behind `sel` has these types" is listed and strict refuses; used in the definition of g it is not:
// definitions and axioms are lowered by a Lowering of their own, and obligations/src/axioms.rs `made` throws its faith away
// (`let (tables, mut problems, _) = lowering.finish();`). With an axiom instead of the definition, only the axiom is listed.
// Missing rule: a fact carries what it takes on faith, and who chooses the fact takes it over (as it takes over tables and problems).
function {:builtin "select"} sel(m: [int]real, i: int): int;
function g(m: [int]real): int { sel(m, 0) }

procedure P(m: [int]real)
{
  var x: int;
  var n: [int]real;
  n := m[0 := 0.5];
  x := g(n);
  assert x == x + 0;
  assert 2 * g(n) == 1;
  assert false;
}
