"""What a program asks to believe: with `--strict`, a proof must not rest on it.

A promise is anything that is assumed and proved nowhere. Axioms, definitions of functions (if a recursive one is listed as such) and
yield procedures without body are listed, but not refused. What is *false* and believed is found by running (`sequence.py` treats promises as claims);
this module finds what is believed although nobody knows.
"""
from features import recursive
from flow import Code
from tree import attribute, lit, same


def reached(d):
    """Calls and loop invariants in the body of a declaration that some path leads to."""
    if d.kind not in ("procedure", "implementation", "action") or d.body is None:
        return []
    code = Code(d.ins, d.outs, d.body, 0)
    seen, work = {0}, [0]
    while work:
        for n in code.instrs[work.pop()].next:
            if n not in seen:
                seen.add(n)
                work.append(n)
    return [code.instrs[n].data for n in sorted(seen) if code.instrs[n].op in ("call", "assert")]


def promises(declarations):
    """Promises that a proof may rest on, in words."""
    found = set()
    there = [d for d in declarations if "attrs" not in d.parts or attribute(d, "ignore") is None]
    statements = [s for d in there for s in reached(d)]
    # Code that yields asks what its free calls require, as if they were not free; runs show if it does.
    yielding = {d.name for d in there if d.kind == "procedure" and d.yields}
    free = [s for d in there if d.parts.get("name") not in yielding for s in reached(d) if s.kind == "call" and s.free]
    called = {a.name for s in statements if s.kind == "call" for a in s.arms}
    implemented = {d.name for d in there if d.kind == "implementation"}
    demanding = {d.name for d in declarations if d.kind == "procedure" and any(demands(p) for p in d.specs)}
    for s in statements:
        if s.kind == "call":
            if any(a.name == "Assume" and not same(a.args[0], lit(True)) for a in s.arms):
                found.add("Assume")
        elif s.parts.get("free") and not same(s.e, lit(True)):
            found.add("free invariant")
    if any(a.name in demanding for s in free for a in s.arms):
        found.add("free call")
    for d in there:
        has_body = d.parts.get("body") is not None or d.parts.get("name") in implemented
        if d.kind == "procedure" and d.yields and d.mover and not has_body and d.name in called:
            found.add("mover without body")
        if d.kind == "procedure" and not d.yields:
            found |= of_procedure(d, d.name in called, has_body)
    return found


def demands(p):
    """Is a clause something that a caller must show?"""
    return p.kind == "spec" and p.what == "requires" and not p.free and not same(p.e, lit(True))


def of_procedure(d, called, has_body):
    found = set()
    for p in d.specs:
        if p.kind == "spec" and p.what in ("requires", "ensures") and not same(p.e, lit(True)):
            if p.free and (p.what == "requires" and has_body or p.what == "ensures" and called):
                found.add(f"free {p.what}")
            if not has_body and p.what == "ensures" and called:
                found.add("lemma without body")
    if called and any(f.where is not None and not same(f.where, lit(True)) for f in d.outs):
        found.add("where of a result")
    return found


def believed(declarations, answer):
    """What a strict "verified" should not have believed; None if there is nothing."""
    kinds = {t["kind"] for t in answer.get("trusted", [])}
    found = promises(declarations)
    if recursive(declarations) and "recursive-function" not in kinds:
        found.add("recursive function not listed")
    return "faith: " + ", ".join(sorted(found)) if found else None
