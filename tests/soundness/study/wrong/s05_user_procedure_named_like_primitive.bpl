// expect: refused
// VERIFIED by civl --strict (nothing on faith), but WRONG: Path_Store is the program's own procedure; it sets g to 7 and cannot change x.
// obligations/src/lowering/primitives.rs is_path_primitive and hir/src/item.rs:370 `primitive` go by the NAME alone; a program that declares
// the name itself does not get the library `base` (hir/src/library.rs used_libraries), yet the call is lowered as the library's primitive:
// no havoc of g, x := 5. Missing rule: a primitive is a declaration of the library, not a name (as forged.rs asks for `Vec`:
// `lookup_proc(name)` must lie in LibraryName::Base). The same for `Move`, `Path_Load`, `One_Get`, ... and for the linear checks.
var g: int;

procedure Path_Store(path: int, v: int) modifies g; { g := 7; }

procedure Q() modifies g;
{
  var x: int;
  g := 0; x := 1;
  call Path_Store(x, 5);
  assert g == 0;
  assert x == 5;
}
