// The same for the layers of a shared variable.

var {:layer 0,7} x: int;

yield procedure {:layer 1} P()
{
}
