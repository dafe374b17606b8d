//! How fast texts are read, read again and formatted. Targets: 15 MB/s, 1 ms, 50 ms.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops when its own input is wrong"
)]

use civl_syntax::{Edit, TextRange, format, parse};
use divan::Bencher;
use divan::counter::BytesCount;

fn main() {
    divan::main();
}

/// A program of about `lines` lines: locks, actions, loops, quantifiers and comments.
fn program(lines: usize) -> String {
    let mut out = String::from("type Tid;\ndatatype Slot { Free(), Taken(owner: Tid) }\n\n");
    let mut n = 0;
    while out.lines().count() < lines {
        out += &unit(n);
        n += 1;
    }
    out
}

fn unit(n: usize) -> String {
    UNIT.replace('@', &n.to_string())
}

const UNIT: &str = "\
var {:layer 0, 3} lock_@: Slot;
var {:layer 1, 2} {:linear} pool_@: UnitMap (One Tid);

function {:inline} InUse_@(low: int, high: int): [int]bool
{
  (lambda i: int :: low <= i && i < high)
}

yield invariant {:layer 1} Order_@(n: int);
preserves n >= 0 ==> lock_@ == Free() || Map_Contains(pool_@, One(lock_@->owner));
preserves (forall i: int, j: int :: InUse_@(0, n)[i] && i < j ==> Good(i + j * 2 - 1));

// Takes the lock.
right action {:layer 2} A_Enter_@({:linear} me: One Tid)
modifies lock_@;
{
  assume lock_@ == Free();
  lock_@ := Taken(me->val);
}

yield procedure {:layer 2} Worker_@({:linear} me: One Tid, count: int) returns (total: int)
refines A_Enter_@;
requires call Order_@(count);
requires {:layer 1} count > 0;
{
  var i: int;
  var {:layer 1} seen: [int]bool;

  i := 0;
  while (i < count)
  invariant {:yields} true;
  invariant {:layer 1} 0 <= i && i <= count; // in range
  invariant call Order_@(i);
  {
    call Enter(me) | Order_@(i);
    seen[i] := true;
    if (i mod 2 == 0) {
      call {:layer 1} total := Copy(total + i);
    } else {
      async call {:sync} Leave(me);
    }
    assert {:layer 1} (exists j: int :: {seen[j]} seen[j] && j == old(i));
    i := i + 1;
  }
}

";

#[divan::bench]
fn read_one_megabyte(bencher: Bencher<'_, '_>) {
    let text = program(28_000);
    assert!(parse(&text).errors().is_empty());
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(&text));
}

#[divan::bench]
fn read_2000_lines(bencher: Bencher<'_, '_>) {
    let text = program(2000);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(&text));
}

#[divan::bench]
fn read_one_body_of_2000_lines_again(bencher: Bencher<'_, '_>) {
    let text = program(2000);
    let before = parse(&text);
    let place = text.find("total + i").expect("in the unit") + "total".len();
    let edit = Edit { range: TextRange::empty((place as u32).into()), text: " + 1".to_owned() };
    assert!(before.incremental(&edit).unwrap() == parse(&edit.apply(&text)));
    bencher.bench(|| before.incremental(&edit));
}

#[divan::bench]
fn format_2000_lines(bencher: Bencher<'_, '_>) {
    let text = program(2000).replace("  ", "    ");
    bencher.bench(|| format(&text));
}
