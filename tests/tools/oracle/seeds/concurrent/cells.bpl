// Cells of a map owned by keys, read and written in place.
// favour: leaf, duplicate, linear_kind
type Key;
var {:layer 0,2} {:linear} heap: Map (One Key) int;
yield procedure {:layer 0} Peek(k: One Key) returns (v: int);
refines atomic action {:layer 1} _ { assume Map_Contains(heap, k); call v := Path_Load(heap->val[k]); }
yield procedure {:layer 0} Poke(k: One Key, v: int);
refines atomic action {:layer 1} _ { assume Map_Contains(heap, k); call Path_Store(heap->val[k], v); }
yield procedure {:layer 1} Look(k: One Key) returns (v: int)
refines atomic action {:layer 2} _ { assume Map_Contains(heap, k); v := Map_At(heap, k); }
{
  call v := Peek(k);
}
yield procedure {:layer 1} Set(k: One Key, v: int)
refines atomic action {:layer 2} _ { assume Map_Contains(heap, k); call Path_Store(heap->val[k], v); }
{
  call Poke(k, v);
}
