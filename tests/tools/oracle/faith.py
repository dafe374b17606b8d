"""What a program asks to believe: with `--strict`, a proof must not rest on it.

A promise is anything that is assumed and proved nowhere. Axioms, definitions of functions (if a recursive one is listed as such) and
yield procedures without body are listed, but not refused. What is *false* and believed is found by running (`sequence.py` treats promises as claims);
this module finds what is believed although nobody knows.
"""
from features import recursive
from tree import attribute, lit, same, walk


def promises(declarations):
    """Promises that a proof may rest on, in words."""
    found = set()
    called = {n.name for d in declarations for n in walk(d) if n.kind == "arm"}
    implemented = {d.name for d in declarations if d.kind == "implementation" and attribute(d, "ignore") is None}
    demanding = {d.name for d in declarations if d.kind == "procedure" and any(demands(p) for p in d.specs)}
    for d in declarations:
        ignored = "attrs" in d.parts and any(a.name == "ignore" for a in d.attrs)
        if ignored:
            continue
        for n in walk(d):
            if n.kind == "arm" and n.name == "Assume" and not same(n.args[0], lit(True)):
                found.add("Assume")
            if n.kind == "call" and n.free and any(a.name in demanding for a in n.arms):
                found.add("free call")
            if n.kind == "spec" and n.free and n.what == "invariant" and not same(n.e, lit(True)):
                found.add("free invariant")
        if d.kind == "procedure" and d.yields and d.mover and d.body is None and d.name not in implemented and d.name in called:
            found.add("mover without body")
        if d.kind == "procedure" and not d.yields:
            found |= of_procedure(d, d.name in called, d.body is not None or d.name in implemented)
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
