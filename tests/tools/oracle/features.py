"""What is remarkable about a program: findings with the same remarkable things are one finding."""
from flow import reads_old
from program import kind_of
from tree import attribute, layers_of, walk


# Features that alone say which rule is broken, whatever fails in the end.
TELLING = {"two implementations", "ignore", "extern", "lone CR", "where", "free", "free call", "Assume", "Assert", "recursive function",
           "ghost call at layer 0", "mover without body", "machine above layer 0", "old in code", "measure", "separate implementation",
           "shared argument of an invariant", "asserts", "type parameters"}
PRIMITIVES = {"One_Get", "One_Put", "Map_Get", "Map_Put", "Move", "Map_Split", "Map_Join"}


def signature(what, declarations):
    """A finding in few words: what went wrong, and what is special about the program."""
    if what.startswith("faith"):
        return what
    kind = what.split(":")[0] if not what.startswith(("refinement", "sequential")) else what
    if kind.startswith("invariant"):
        kind = "invariant " + kind.split(" ", 2)[-1]
    return f"{kind} [{', '.join(sorted(features(declarations)))}]"


def features(declarations):
    found = set()
    procedures = [d for d in declarations if d.kind == "procedure"]
    bodies = [d for d in declarations if d.kind in ("procedure", "implementation") and d.body is not None]
    shared = {d.name: layers_of(d) for d in declarations if d.kind == "var"}
    invariants = {d.name for d in declarations if d.kind == "invariant"}
    pure = {d.name for d in procedures if not d.yields} | {"Copy", "Assert", "Assume"} | PRIMITIVES
    for d in declarations:
        if "attrs" in d.parts:
            found |= {a.name for a in d.attrs if a.name in ("ignore", "extern")}
        if d.parts.get("params"):
            found.add("type parameters")
    if any(d.kind == "implementation" for d in declarations):
        names = [d.name for d in bodies]
        found.add("two implementations" if len(set(names)) < len(names) else "separate implementation")
    for d in procedures:
        found |= procedure_features(d, bodies)
    if any(n.kind == "spec" and n.what == "asserts" for n in walk(declarations)):
        found.add("asserts")
    if any(d.kind == "action" and any(p.kind == "refines" for p in d.specs) for d in declarations):
        found.add("action chain")
    for d in bodies:
        found |= body_features(d, shared, invariants, pure)
    if any(n.parts.get("where") is not None for n in walk(declarations)):
        found.add("where")
    if any(n.kind == "cr" for n in walk(declarations)):
        found.add("lone CR")
    if any(n.kind == "spec" and n.free for n in walk(declarations)):
        found.add("free")
    return found | recursive(declarations)


def procedure_features(d, bodies):
    found = set()
    has_body = any(b.name == d.name for b in bodies)
    if d.yields and not has_body and d.mover:
        found.add("mover without body")
    if d.yields and not has_body and (layers_of(d) or [0])[-1] > 0:
        found.add("machine above layer 0")
    if d.yields and d.mover and has_body:
        found.add("mover procedure")
    if any(p.kind == "spec" and p.what in ("ensures", "requires") and any(n.kind == "old" for n in walk(p.e)) for p in d.specs):
        found.add("old in contract")
    if d.yields and d.body is not None and (layers_of(d) or [0])[-1] == 0:
        found.add("code at layer 0")
    if any(kind_of(f) == "linear_out" for f in d.ins):
        found.add("linear_out")
    return found


def body_features(d, shared, invariants, pure):
    found = set()
    if reads_old(d.body.stmts):
        found.add("old in code")
    for n in walk(d.body.stmts):
        if n.kind == "call" and n.is_async:
            found.add("async")
        elif n.kind == "call" and len(n.arms) > 1:
            found.add("arms")
        elif n.kind == "call" and n.free:
            found.add("free call")
        elif n.kind in ("while", "label", "measure"):
            found.add({"while": "loop", "label": "goto"}.get(n.kind, n.kind))
        if n.kind == "spec" and n.what == "measure":
            found.add("measure")
        if n.kind == "arm":
            if n.name in ("Assume", "Assert"):
                found.add(n.name)
            touched = {x.name for x in walk(n.args) if x.kind == "var"} | set(n.outs)
            if n.name in invariants and touched & set(shared):
                found.add("shared argument of an invariant")
            elif n.name in pure and (layers_of(n) or [1]) == [0] and touched & set(shared):
                found.add("ghost call at layer 0")
            elif n.name in pure and n.outs and set(n.outs) & set(shared):
                found.add("ghost write")
            elif n.name in PRIMITIVES:
                found.add("primitive")
    return found


def recursive(declarations):
    """Functions that use themselves."""
    uses = {d.name: {n.name for n in walk(d.body) if n.kind == "app"} for d in declarations if d.kind == "function" and d.body is not None}
    for _ in range(4):
        uses = {name: inner.union(*(uses.get(i, set()) for i in inner)) if inner else inner for name, inner in uses.items()}
    return {"recursive function"} if any(name in inner for name, inner in uses.items()) else set()
