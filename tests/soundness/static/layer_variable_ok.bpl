// The same for the layers of a shared variable.
// verdict: verified

var {:layer 0,7} x: int;

yield procedure {:layer 1} P()
{
}
