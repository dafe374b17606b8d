"""Is a proof empty? Probes of verified programs.

`assert false`, each behind a choice of its own, is put at all places of all bodies at once: one answer tells at which of them
the verifier does not object. Each such place is then tried alone, and the judge decides whether it can be reached. And a call that writes is put
somewhere: whoever refines something must object.
"""
from scope import Scope
from statements_changed import bodies, declared, layer_attr, lists, yields
from tree import Node, attribute, clone, lit


def places(declarations):
    """(declaration, list, index) where a statement can stand without becoming part of a loop head."""
    found = []
    for d, body in bodies(declarations):
        for block in lists(body):
            head = False
            for nth, s in enumerate(block):
                if s.kind == "label":
                    head = True
                    continue
                if head and (s.kind in ("assert", "measure") or s.kind == "call" and all(not a.outs for a in s.arms)):
                    continue
                head = False
                found.append((d, block, nth))
            if not block or block[-1].kind not in ("goto", "return", "break", "label"):
                found.append((d, block, len(block)))
    return found


def probe(declarations, d, rng, mark):
    layer = Scope(declarations, d, rng).layer
    layer = layer if rng.random() < 0.75 else rng.randint(0, layer)
    attrs = [layer_attr(layer)] if yields(declarations, d) else []
    attrs.append(Node("attr", name="id", args=[Node("text", value=f'"{mark}"')]))
    return Node("if", c=None, then=[Node("assert", attrs=attrs, e=lit(False))], other=None)


def probed(declarations, rng):
    """A copy with a probe at every place, and the copies with one probe each, by mark."""
    everything, single = clone(declarations), {}
    spots = places(everything)
    for nth, (d, block, at) in reversed(list(enumerate(spots))):
        mark = f"p{nth}"
        node = probe(everything, d, rng, mark)
        block.insert(at, node)
        single[mark] = (nth, clone(node))
    return everything, single


def alone(declarations, nth, node):
    """A copy with this probe only, without its mark."""
    copy = clone(declarations)
    _, block, at = places(copy)[nth]
    inner = node.then[0]
    inner.set("attrs", [a for a in inner.attrs if a.name != "id"])
    block.insert(at, node)
    return copy


def silent(asker, declarations, rng, show):
    """Programs with one probe that the verifier does not object to."""
    everything, single = probed(declarations, rng)
    text = show(everything)
    said, answer = asker.verdict(text)
    if said not in ("errors", "verified") or any(x.get("phase") not in (None, "proof") and x["severity"] == "error" for x in answer["diagnostics"]):
        return []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    broken = {x["line"] for x in answer["diagnostics"] if x["severity"] == "error"}
    raw = text.split("\n")
    found = []
    for mark, (nth, node) in single.items():
        at = {k + 1 for source in (lines, raw) for k, line in enumerate(source) if f'"{mark}"' in line}
        if not at & broken:
            found.append(alone(declarations, nth, node))
    rng.shuffle(found)
    return found


def writes(declarations, rng):
    """A copy in which some procedure also calls a machine that writes; None if there is none."""
    machines = declared(declarations, "procedure", lambda d: d.yields and d.body is None and not d.mover and any(p.kind == "refines" for p in d.specs))
    copy = clone(declarations)
    spots = [(d, block, at) for d, block, at in places(copy) if yields(copy, d) and not (d.kind == "procedure" and d.mover)]
    if not machines or not spots:
        return None
    d, block, at = rng.choice(spots)
    arm = Scope(copy, d, rng, d.body).arm(rng.choice(machines))
    if arm is None:
        return None
    block.insert(at, Node("call", is_async=False, free=False, arms=[arm]))
    return copy
