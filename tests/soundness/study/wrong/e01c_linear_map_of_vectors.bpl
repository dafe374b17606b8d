// expect: refused
// Wrong: a map may hold an empty vector under one key and a vector of one element under another.
// Nothing odd in the program: well-formedness of the linear map (MapIte over [One int]Vec int) is lowered wrongly, and the
// axioms about vectors make every model of the other lanes unsure, so that the lowered lane is asked.
yield procedure {:layer 1} P({:layer 1} {:linear} m: Map (One int) (Vec int))
{
  assert {:layer 1} Map_Contains(m, One(0)) && Map_Contains(m, One(1)) ==> Map_At(m, One(0)) == Map_At(m, One(1));
}
