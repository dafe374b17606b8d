// expect: refused
// The map over T is inside a function that looks like a constructor.
function Odd<T>(x: T): Option T { if (MapConst(true)[x := false] == MapConst(false)) then None() else Some(x) }
procedure P<T>(x: T)
ensures Odd(x) == Some(x);
{
}
datatype U { U() }
procedure Main() { call P(U()); assert false; }
