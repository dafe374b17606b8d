// A result brings a permission only if the callee declares it linear. `Copy` copies the value, not the permission.
// verdict: errors

type Tid;

yield procedure {:layer 1} Use({:linear} t: One Tid) { }

yield procedure {:layer 1} P({:linear} t: One Tid)
{
  var s: One Tid;

  call s := Copy(t);
  call Use(s); //~ error[linear-unavailable] "s"
}
