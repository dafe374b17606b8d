// Cells in a map, split off and joined.
// favour: linear_kind, to_arms
type Key;
var {:layer 0,2} {:linear} heap: Map (One Key) int;
yield procedure {:layer 0} Fetch({:linear_out} k: One Key) returns (v: int);
refines atomic action {:layer 1} _ { assume Map_Contains(heap, k); call v := Map_Get(heap, k); }
yield procedure {:layer 0} Back({:linear_in} k: One Key, v: int);
refines atomic action {:layer 1} _ { call Map_Put(heap, k, v); }
yield procedure {:layer 1} Out({:linear_out} k: One Key) returns (v: int)
refines atomic action {:layer 2} _ { assume Map_Contains(heap, k); call v := Map_Get(heap, k); }
{
  call v := Fetch(k);
}
yield procedure {:layer 1} Home({:linear_in} k: One Key, v: int)
refines atomic action {:layer 2} _ { call Map_Put(heap, k, v); }
{
  call Back(k, v);
}
