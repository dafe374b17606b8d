// The implementation calls the type parameter by another name; a value of that type may be a permission all the same.
// verdict: errors

procedure Dup<T>({:linear_in} x: T) returns ({:linear} a: T, {:linear} b: T);
implementation Dup<U>(x: U) returns (a: U, b: U)
{
  a := x;
  b := x;
} //~ error[linear-parameter-unavailable]

procedure Q({:layer 0} {:linear_in} t: One int) { }
