// It must hold for all values of its parameter.
// verdict: errors

var {:layer 0,1} a: [int]int;

invariant {:layer 1} NotNegative(i: int);
preserves 0 <= a[i]; //~ error[noninterference] "CLEAR"

atomic action {:layer 1} CLEAR(i: int) { assert a[i] == 0; a[i + 1] := -1; }
