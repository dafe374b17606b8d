// verdict: verified
// CR alone, LF and CR LF in one text; nothing but comments is hidden.procedure P(x: int)
{ // assert false;  assert x == x;
}
