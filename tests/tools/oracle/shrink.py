"""Smaller programs that are still verified and still wrong: parts are left out as long as that lasts."""
from statements_changed import lists
from tree import Node, clone, lit, walk


def shrink(declarations, still_wrong, tries=220):
    """The smallest program found. `still_wrong` says whether a program is still verified and wrong."""
    best, left = clone(declarations), tries
    progress = True
    while progress and left > 0:
        progress = False
        for make in (without_declarations, without_statements, without_clauses, unwrapped, without_attributes, simpler):
            for candidate in make(best):
                left -= 1
                if left < 0:
                    return best
                if still_wrong(candidate):
                    best, progress = candidate, True
                    break
            if progress:
                break
    return best


def edited(declarations, edit):
    """A copy with an edit; None if the edit says so."""
    new = clone(declarations)
    return new if edit(new) is not False else None


def without_declarations(best):
    for nth in range(len(best) - 1, -1, -1):
        yield [clone(d) for k, d in enumerate(best) if k != nth]


def blocks(declarations):
    """All lists of statements, of procedures, implementations, actions and inline actions."""
    found = []
    for d in declarations:
        if d.parts.get("body") is not None and d.kind in ("procedure", "implementation", "action"):
            found += lists(d.body)
        for p in d.parts.get("specs", []):
            if p.kind == "refines" and p.body is not None:
                found += lists(p.body)
    return found


def without_statements(best):
    for b, block in enumerate(blocks(best)):
        for nth in range(len(block) - 1, -1, -1):
            new = clone(best)
            blocks(new)[b].pop(nth)
            yield new


def without_clauses(best):
    for k, d in enumerate(best):
        for nth in range(len(d.parts.get("specs", []))):
            new = clone(best)
            new[k].specs.pop(nth)
            yield new
    loops = [n for n in walk(best) if n.kind == "while"]
    for k, loop in enumerate(loops):
        for nth in range(len(loop.specs)):
            new = clone(best)
            [n for n in walk(new) if n.kind == "while"][k].specs.pop(nth)
            yield new
    calls = [n for n in walk(best) if n.kind == "call" and len(n.arms) > 1]
    for k, call in enumerate(calls):
        for nth in range(len(call.arms)):
            new = clone(best)
            [n for n in walk(new) if n.kind == "call" and len(n.arms) > 1][k].arms.pop(nth)
            yield new


def unwrapped(best):
    """A branch or loop becomes what is inside."""
    for b, block in enumerate(blocks(best)):
        for nth, s in enumerate(block):
            if s.kind in ("if", "while"):
                new = clone(best)
                target = blocks(new)[b]
                target[nth:nth + 1] = target[nth].then if s.kind == "if" else target[nth].stmts
                yield new
    for k, d in enumerate(best):
        for nth, f in enumerate(d.body.locals if d.kind in ("procedure", "implementation", "action") and d.body is not None else []):
            new = clone(best)
            new[k].body.locals.pop(nth)
            yield new


def without_attributes(best):
    holders = [n for n in walk(best) if n.parts.get("attrs")]
    for k, holder in enumerate(holders):
        for nth in range(len(holder.attrs)):
            new = clone(best)
            [n for n in walk(new) if n.parts.get("attrs")][k].attrs.pop(nth)
            yield new


def simpler(best):
    """Conditions become true or one of their sides."""
    spots = [n for n in walk(best) if any(isinstance(v, Node) and v.kind == "bin" for v in n.parts.values())]
    for k, node in enumerate(spots):
        for part, value in node.parts.items():
            if not (isinstance(value, Node) and value.kind == "bin"):
                continue
            choices = [value.a, value.b] if value.op in ("&&", "||", "+", "-") else [lit(True)]
            for choice in choices:
                new = clone(best)
                same_spots = [n for n in walk(new) if any(isinstance(v, Node) and v.kind == "bin" for v in n.parts.values())]
                same_spots[k].set(part, clone(choice))
                yield new
