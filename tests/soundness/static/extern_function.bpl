// The definition that gives way is not there: it would contradict the other one.
// verdict: not-verified

function {:extern} F(x: int): int { x + 1 }
function F(x: int): int { x + 2 }

procedure P()
{
  assert F(0) == 1;
}
