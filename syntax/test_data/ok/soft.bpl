// A name may be a soft keyword, or a keyword behind a backslash.
type left;
var push: left;
const \old: left;
function hide(pop: int): int { reveal(pop) }
atomic action {:layer 1} both(atomic: One left) { \old := atomic->right; }
