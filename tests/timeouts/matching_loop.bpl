// Each instance of the axiom about `size` makes two terms that it matches again.

type Node;

function left(n: Node): Node;
function right(n: Node): Node;
function size(n: Node): int;
function depth(n: Node): int;
function twice(n: int): int { n + n }

axiom (forall n: Node :: {size(n)} size(n) == size(left(n)) + size(right(n)) + 1);

procedure Walk(root: Node, limit: int)
  requires (forall d: Node :: {depth(d)} depth(d) > 0 - limit);
{
  assert size(root) != twice(depth(root)) + limit;
}
