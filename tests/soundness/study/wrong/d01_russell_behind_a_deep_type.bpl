// expect: refused
// A set of values of the own type lies deep inside the datatype.
datatype D { N(p: Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Option (Seq ([D]bool)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))), C(s: Seq ([D]bool)) }

procedure P()
{
  var r: D;
  var m: [D]bool;
  m := (lambda d: D :: !Seq_Nth(d->s, 0)[d]);
  r := C(Seq_Unit(m));
  assert Seq_Nth(r->s, 0) == m;
  assert m[r] == !Seq_Nth(r->s, 0)[r];
  assert false;
}
