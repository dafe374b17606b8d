// A layer is a number that stands in the text.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 1} P()
{
}
