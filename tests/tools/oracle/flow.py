"""Bodies as lists of instructions with places to go on.

An instruction is (op, data, next): `next` is a list of places. `if` and `while` become `goto`s to `assume`s, as in the language.
A loop head, or what stands at a label with `{:yields}`, becomes one `head`: the others may run there.
"""
from tree import Node, attribute, layers_of, walk


class Instr:
    __slots__ = ("op", "data", "next")

    def __init__(self, op, data, next):
        self.op, self.data, self.next = op, data, next


class Head:
    """A place where a loop may yield: up to which layer (None: it does not), and the invariants that hold there."""

    def __init__(self, layer, calls):
        self.layer, self.calls = layer, calls


def negated(e):
    return Node("un", op="!", e=e)


class Code:
    """What a body does. `variables` gives name -> formal or local declaration."""

    def __init__(self, ins, outs, body, layer):
        self.ins, self.outs = [f.name for f in ins], [f.name for f in outs]
        self.variables = {f.name: f for f in [*ins, *outs, *(body.locals if body else [])]}
        self.locals = [f.name for f in (body.locals if body else [])]
        self.layer, self.instrs, self.labels, self.breaks = layer, [], {}, []
        self.body = body
        if body is None:
            self.add("machine", None)
        else:
            self.block(body.stmts)
        self.add("return", None, [])
        self.link()
        self.old_in_code = body is not None and reads_old(body.stmts)

    def add(self, op, data, next=None):
        at = len(self.instrs)
        self.instrs.append(Instr(op, data, [at + 1] if next is None else next))
        return at

    def link(self):
        """Labels become places."""
        for instr in self.instrs:
            instr.next = [self.labels.get(n, len(self.instrs) - 1) if isinstance(n, str) else n for n in instr.next]

    def block(self, stmts):
        at = 0
        while at < len(stmts):
            s = stmts[at]
            at += 1
            if s.kind == "label":
                self.labels[s.name] = len(self.instrs)
                at = self.label_head(stmts, at)
            else:
                getattr(self, "on_" + s.kind, self.simple)(s)

    def label_head(self, stmts, at):
        """`{:yields}` and the calls of invariants beside it are one head."""
        layer, calls, end = None, [], at
        while end < len(stmts):
            s = stmts[end]
            if s.kind == "assert" and attribute(s, "yields") is not None:
                layer = (layers_of(s) or [self.layer])[-1]
            elif s.kind == "call" and not s.is_async and all(not a.outs for a in s.arms) and self.is_invariant(s):
                calls.append(s)
            else:
                break
            end += 1
        if layer is None:
            return at
        self.add("head", Head(layer, calls))
        return end

    def is_invariant(self, s):
        """Only a call of invariants can belong to a head; whether they are is found out when the program is known."""
        return all(arm.parts.get("invariant", True) for arm in s.arms)

    def simple(self, s):
        if s.kind == "assert" and attribute(s, "yields") is not None:
            self.add("head", Head((layers_of(s) or [self.layer])[-1], []))
        else:
            self.add(s.kind, s)

    def on_cr(self, s):
        self.block([s.stmt])

    def on_measure(self, s):
        pass

    def on_return(self, s):
        self.add("nop", None, ["<end>"])

    def on_goto(self, s):
        self.add("nop", None, list(s.labels))

    def on_break(self, s):
        at = self.add("nop", None, [])
        if s.label or not self.breaks:
            self.instrs[at].next = [f"<after {s.label}>"]
        else:
            self.breaks[-1].append(at)

    def on_if(self, s):
        fork = self.add("nop", None, [])
        ends = []
        for positive, stmts in ((True, s.then), (False, s.other or [])):
            self.instrs[fork].next.append(len(self.instrs))
            if s.c is not None:
                self.add("assume", Node("assume", attrs=[], e=s.c if positive else negated(s.c)))
            self.block(stmts)
            ends.append(self.add("nop", None, []))
        for end in ends:
            self.instrs[end].next = [len(self.instrs)]
        self.add("nop", None)

    def on_while(self, s):
        yields = [p for p in s.specs if p.what == "invariant" and attribute(p, "yields") is not None]
        calls = [p.e for p in s.specs if p.what == "invariant" and p.e.kind == "call"]
        layer = (layers_of(yields[0]) or [self.layer])[-1] if yields else None
        head = self.add("head", Head(layer, calls))
        for p in s.specs:
            if p.what == "invariant" and p.e.kind != "call" and p not in yields:
                self.add("assert", Node("assert", attrs=p.attrs, e=p.e, free=p.free))
        fork = self.add("nop", None, [])
        self.breaks.append([])
        self.instrs[fork].next.append(len(self.instrs))
        if s.c is not None:
            self.add("assume", Node("assume", attrs=[], e=s.c))
        self.block(s.stmts)
        self.add("nop", None, [head])
        self.instrs[fork].next.append(len(self.instrs))
        if s.c is not None:
            self.add("assume", Node("assume", attrs=[], e=negated(s.c)))
        after = self.add("nop", None)
        for at in self.breaks.pop():
            self.instrs[at].next = [after]


def reads_old(stmts):
    """Does executable code (not a specification) say `old`?"""
    for node in walk(stmts):
        if node.kind in ("assign", "assume", "if", "while", "unpack"):
            parts = {"assign": ("right", "left"), "assume": ("e",), "if": ("c",), "while": ("c",), "unpack": ("e",)}[node.kind]
            if any(x.kind == "old" for part in parts if node.parts[part] is not None for x in walk(node.parts[part])):
                return True
        if node.kind == "arm" and any(x.kind == "old" for x in walk(node.args)):
            return True
    return False
