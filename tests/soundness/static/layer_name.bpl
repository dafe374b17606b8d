// A layer is a number that stands in the text.
// verdict: errors

const top: int;

var {:layer 0,1} x: int;

yield procedure {:layer top} P() //~ error[layer-not-literal]
{
}
