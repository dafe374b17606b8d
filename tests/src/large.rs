//! A program of 2,000 lines, for what has to be measured on something large.
//!
//! Thirty modules, each a write barrier under a lock of its own. The shades of each module are other
//! numbers, so that few questions of two modules are the same.

/// How many modules there are.
pub const MODULES: usize = 30;

/// One declaration to a paragraph; `@` stands for the number of the module.
const MODULE: &str = "\
function {:inline} WHITE_@(): int
{
  @
}

function {:inline} GRAY_@(): int
{
  @ + 1
}

var {:layer 0,3} Color_@: int;

var {:layer 0,1} owner_@: Option Tid;

// Colors only get darker.
yield invariant {:layer 2} ColorAtLeast_@(shade: int);
preserves shade <= Color_@;

atomic action {:layer 2,3} SHADE_@({:linear} me: One Tid)
{
  if (Color_@ < GRAY_@()) {
    Color_@ := GRAY_@();
  }
}

yield procedure {:layer 2} WriteBarrier_@({:linear} me: One Tid)
refines SHADE_@;
requires call ColorAtLeast_@(WHITE_@());
ensures call ColorAtLeast_@(GRAY_@());
{
  var seen: int;

  call seen := ReadColor_@();
  call ColorAtLeast_@(seen);
  if (seen < GRAY_@()) {
    call WriteBarrierSlow_@(me);
  }
}

yield procedure {:layer 1} WriteBarrierSlow_@({:linear} me: One Tid)
refines SHADE_@;
{
  var color: int;

  call Acquire_@(me);
  call color := ReadColorLocked_@(me);
  if (color < GRAY_@()) {
    call SetColorLocked_@(me, GRAY_@());
  }
  call Release_@(me);
}

right action {:layer 1} ACQUIRE_@({:linear} me: One Tid)
{
  assume owner_@ is None;
  owner_@ := Some(me->val);
}

yield procedure {:layer 0} Acquire_@({:linear} me: One Tid);
refines ACQUIRE_@;

left action {:layer 1} RELEASE_@({:linear} me: One Tid)
{
  assert owner_@ == Some(me->val);
  owner_@ := None();
}

yield procedure {:layer 0} Release_@({:linear} me: One Tid);
refines RELEASE_@;

yield procedure {:layer 0} ReadColor_@() returns (color: int);
refines atomic action {:layer 1,2} _
{
  color := Color_@;
}

yield procedure {:layer 0} ReadColorLocked_@({:linear} me: One Tid) returns (color: int);
refines both action {:layer 1} _
{
  assert owner_@ == Some(me->val);
  color := Color_@;
}

atomic action {:layer 1} SET_COLOR_@({:linear} me: One Tid, color: int)
{
  assert owner_@ == Some(me->val);
  Color_@ := color;
}

yield procedure {:layer 0} SetColorLocked_@({:linear} me: One Tid, color: int);
refines SET_COLOR_@;

";

/// The program; declarations are paragraphs.
pub fn program() -> String {
    let modules = (1..=MODULES).map(|number| MODULE.replace('@', &number.to_string()));
    format!("type Tid;\n\n{}", modules.collect::<String>())
}
