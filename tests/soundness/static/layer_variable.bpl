// The same for the layers of a shared variable.
// verdict: errors

const top: int;

var {:layer 0,top} x: int; //~ error[layer-not-literal]

yield procedure {:layer 1} P()
{
}
