// Type parameters.
// favour: more_type_params, swap_type_params
procedure Sym<T>(p: T, q: T)
requires p == q;
ensures q == p;
{ }
procedure Pair<T,U>(p: T, q: U, r: T, s: U)
requires p == r && q == s;
ensures r == p && s == q;
{ }
procedure First<T,U>(p: T, q: U) returns (r: T)
ensures r == p;
{ r := p; }
procedure All<T,U>(x: T, y: U);
ensures (forall t: T :: t == t);
implementation All<T,U>(x: T, y: U) { }
procedure Main()
{
  var i: int;
  call Sym(1, 1);
  call Pair(1, true, 1, true);
  call i := First(2, false);
  assert i == 2;
  call All(1, 2);
}
