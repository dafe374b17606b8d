// A layer is a number that stands in the text.

const top: int;

var {:layer 0,1} x: int;

yield procedure {:layer top} P() //~ error[layer-not-literal]
{
}
