// expect: refused
// `None()` is not built by `Some`; nothing else is claimed at layer 2, where this is run.
pure action {:layer 2} GetSome(o: Option int) returns (y: int) { Some(y) := o; }
yield procedure {:layer 3} P() { var {:layer 2} y: int; call {:layer 2} y := GetSome(None()); }
