//! A long program without errors, for benchmarks.

/// Locks, actions, loops, ghost code, permissions and quantifiers; `@` is the number of the unit.
const UNIT: &str = "\
var {:layer 0, 3} lock_@: Option Tid;
var {:layer 1, 2} {:linear} pool_@: UnitMap (One Tid);

function {:inline} InUse_@(low: int, high: int): [int]bool
{
  (lambda i: int :: low <= i && i < high)
}

yield invariant {:layer 1} Order_@(n: int);
preserves n >= 0 ==> lock_@ == None() || Map_Contains(pool_@, One(lock_@->t));
preserves (forall i: int, j: int :: InUse_@(0, n)[i] && i < j ==> i + j * 2 - 1 > 0);

right action {:layer 2} A_Enter_@({:linear} me: One Tid)
modifies lock_@;
{
  assume lock_@ == None();
  lock_@ := Some(me->val);
}

left action {:layer 2} A_Leave_@({:linear} me: One Tid)
modifies lock_@;
{
  assert lock_@ == Some(me->val);
  lock_@ := None();
}

yield procedure {:layer 1} Enter_@({:linear} me: One Tid, {:hide} count: int)
refines A_Enter_@;
requires call Order_@(count);
requires {:layer 1} count > 0;
{
  var i: int;
  var {:layer 1} seen: [int]bool;

  i := 0;
  while (i < count)
  invariant {:yields} {:layer 0} true;
  invariant {:layer 1} 0 <= i && i <= count;
  {
    if (*) { i := i + 1; } else { call {:layer 1} seen := Copy(seen[i := true]); }
  }
}

yield procedure {:layer 1} Leave_@({:linear} me: One Tid);
refines A_Leave_@;

yield procedure {:layer 2} Work_@({:linear} me: One Tid, count: int)
requires call Order_@(count);
{
  var n: int;

  n := count;
  while (0 < n)
  invariant {:yields} true;
  invariant call Order_@(n);
  {
    call Enter_@(me, n);
    call Leave_@(me);
    n := n - 1;
  }
}

";

/// A sum in a body of [`long_program`].
const SUM: &str = "i + 1";

/// A long program after an edit inside one body; each `round` another one.
pub fn edited(program: &str, round: usize) -> String {
    let (before, after) = program.rsplit_once(SUM).unwrap_or((program, ""));
    format!("{before}{round} + {SUM}{after}")
}

/// A program of about `lines` lines, well typed and in accord with all static rules.
pub fn long_program(lines: usize) -> String {
    let mut text = String::from("type Tid;\n\n");
    for number in 0..lines / UNIT.lines().count() {
        text += &UNIT.replace('@', &number.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{edited, long_program};

    #[test]
    fn each_round_of_an_edit_changes_one_line_in_its_own_way() {
        let text = long_program(200);
        let changed = |round: usize| -> Vec<String> {
            let after = edited(&text, round);
            assert_eq!(after.lines().count(), text.lines().count());
            let lines = text.lines().zip(after.lines()).filter(|(before, after)| before != after);
            lines.map(|(_, after)| after.to_owned()).collect()
        };
        assert_eq!((changed(1).len(), changed(2).len()), (1, 1));
        assert_ne!(changed(1), changed(2));
    }
}
