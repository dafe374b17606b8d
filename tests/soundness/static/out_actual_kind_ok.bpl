// A result declared linear brings its permission.
// verdict: verified

type Tid;

yield procedure {:layer 1} Use({:linear} t: One Tid) { }

yield procedure {:layer 1} Fresh() returns ({:linear} t: One Loc)
{
  call t := Loc_New();
}

yield procedure {:layer 1} UseLoc({:linear} t: One Loc) { }

yield procedure {:layer 1} P()
{
  var s: One Loc;

  call s := Fresh();
  call UseLoc(s);
}
