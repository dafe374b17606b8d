//! How long names and types take for a program of 2,000 lines. Targets: 60 ms cold, 10 ms after an
//! edit inside one body.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark stops when its own input is wrong"
)]

use base::{Change, Program, Settings, SourceFile};
use civl_hir as hir;
use divan::Bencher;

fn main() {
    divan::main();
}

#[salsa::db]
#[derive(Clone, Default)]
struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}
#[salsa::db]
impl base::Db for Database {}
#[salsa::db]
impl hir::Db for Database {}

const LINES: usize = 2_000;

/// Locks, actions, loops and quantifiers, all of them well typed.
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

yield procedure {:layer 1} Enter_@({:linear} me: One Tid, count: int)
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

";

fn program(lines: usize) -> String {
    let mut text = String::from("type Tid;\n\n");
    let units = lines / UNIT.lines().count();
    for number in 0..units {
        text += &UNIT.replace('@', &number.to_string());
    }
    text
}

fn start(text: &str) -> (Database, SourceFile, Program) {
    let db = Database::default();
    let file = SourceFile::new(&db, "bench.bpl".to_owned(), text.into(), None);
    let libraries = hir::libraries(&db);
    let program = Program::new(&db, vec![file], libraries, Settings::default());
    (db, file, program)
}

#[divan::bench]
fn cold(bencher: Bencher<'_, '_>) {
    let text = program(LINES);
    bencher.with_inputs(|| start(&text)).bench_values(|(db, _, program)| {
        assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    });
}

#[divan::bench]
fn after_an_edit_inside_one_body(bencher: Bencher<'_, '_>) {
    let text = program(LINES);
    let (mut db, file, program) = start(&text);
    hir::program_diagnostics(&db, program);
    let place = text.rfind("i + 1").expect("the text has the statement to be edited");
    let mut round = 0;
    bencher.bench_local(|| {
        round += 1;
        let mut edited = text.clone();
        edited.insert_str(place, &format!("{round} + "));
        let mut change = Change::default();
        change.set_text(file, edited);
        change.apply(&mut db);
        assert_eq!(hir::program_diagnostics(&db, program).len(), 0);
    });
}
