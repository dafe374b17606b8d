// A permission is used after it was given away.
type Tid;

yield procedure {:layer 1} Consume({:linear_in} t: One Tid) { }

yield procedure {:layer 1} P({:linear_in} t: One Tid, again: bool)
{
  call Consume(t);
  if (again) {
    call Consume(t);
  }
}
