// expect: refused
// `None()` is not built by `Some`; nothing else is claimed at layer 2, where this is run.
yield procedure {:layer 3} P() { var {:layer 2} y: int; Some(y) := None(); }
