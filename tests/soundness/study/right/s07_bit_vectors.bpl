// expect: verified
// Operators of the solver with the types that it gives them.
function {:bvbuiltin "bvadd"} Add(x: bv8, y: bv8): bv8;
function {:bvbuiltin "bvult"} Less(x: bv8, y: bv8): bool;
function {:builtin "div"} Half(x: int, y: int): int;
procedure P(x: bv8) requires Less(x, 10bv8); { assert Less(Add(x, 1bv8), 11bv8); assert Half(7, 2) == 3; }
