// The contract that gives way is not believed.
// verdict: errors

procedure {:extern} P(); ensures false;
procedure P() { }

procedure Q()
{
  call P();
  assert false; //~ error[assertion]
}
