// Waiting is a read of the machine too: test and set are two steps.
// verdict: errors

var {:layer 0,1} lock: bool;

pure action Await(b: bool) { assume b; }

yield procedure {:layer 0} Acquire()
refines atomic action {:layer 1} _ { assume !lock; lock := true; }
{
  call {:layer 0} Await(!lock);
  call {:layer 0} lock := Copy(true); //~ error[yield-sufficiency]
}
