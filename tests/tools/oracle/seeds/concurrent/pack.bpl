// A permission in a box: put in, taken out.
// favour: linear_kind, swap, duplicate
type Tid;
datatype Box { Full(p: One Tid), Empty() }
var {:layer 0,2} {:linear} box: Box;
yield procedure {:layer 0} Fill({:linear_in} p: One Tid);
refines atomic action {:layer 1} _ { assume box is Empty; box := Full(p); }
yield procedure {:layer 0} Drain() returns ({:linear} p: One Tid);
refines atomic action {:layer 1} _ { assume box is Full; Full(p) := box; box := Empty(); }
yield procedure {:layer 1} Put({:linear_in} p: One Tid)
refines atomic action {:layer 2} _ { assume box is Empty; box := Full(p); }
{
  var q: One Tid;
  q := p;
  call Fill(q);
}
yield procedure {:layer 1} Take() returns ({:linear} p: One Tid)
refines atomic action {:layer 2} _ { assume box is Full; Full(p) := box; box := Empty(); }
{
  var b: Box;
  var q: One Tid;
  call q := Drain();
  b := Full(q);
  Full(p) := b;
}
