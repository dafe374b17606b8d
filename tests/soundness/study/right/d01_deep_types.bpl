// expect: verified
// Sequences and maps inside a recursive datatype, which is in the index of none.
datatype Tree { Leaf(), Node(children: Seq (Option (Option Tree)), names: [int]Tree) }
procedure P(t: Tree)
requires t is Node;
{
  var s: Seq (Option (Option Tree));
  s := Seq_Unit(Some(Some(t)));
  assert Seq_Nth(s, 0) == Some(Some(t));
}
