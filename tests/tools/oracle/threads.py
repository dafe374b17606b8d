"""Threads as values: frames, parallel arms, what is claimed when they go on.

A `Thread` runs its last frame, or waits for its `kids`, the arms of a parallel call. `claims` are what must hold when it is its
turn again. A `Monitor` remembers, for a procedure whose refined action is due at this layer, what its fragments did to visible state.
"""


class Frame:
    __slots__ = ("proc", "code", "pc", "loc", "old", "arm", "mon", "todo", "held", "cached")

    def __init__(self, proc, code, pc, loc, old, arm, mon, todo=(), held=frozenset()):
        self.proc, self.code, self.pc, self.loc, self.old, self.arm, self.mon, self.todo, self.held = proc, code, pc, loc, old, arm, mon, todo, held
        self.cached = None

    def but(self, **parts):
        new = Frame(self.proc, self.code, self.pc, self.loc, self.old, self.arm, self.mon, self.todo, self.held)
        for name, value in parts.items():
            setattr(new, name, value)
        return new

    def key(self):
        if self.cached is None:
            todo = tuple((id(i.arm), i.args) for i in self.todo)
            self.cached = (id(self.code), self.pc, tuple(self.loc.values()), tuple(self.old.values()), id(self.arm), self.mon, todo, self.held)
        return self.cached


class Item:
    """A call whose arguments are computed: `callee` is a procedure or an invariant."""
    __slots__ = ("arm", "callee", "args")

    def __init__(self, arm, callee, args):
        self.arm, self.callee, self.args = arm, callee, args


class Claim:
    """A condition with the values of its variables."""
    __slots__ = ("label", "tests", "loc", "old", "cached")

    def __init__(self, label, tests, loc, old):
        self.label, self.tests, self.loc, self.old = label, tests, loc, old
        self.cached = (label, tuple(loc.values()), tuple(old.values()))


class Thread:
    __slots__ = ("frames", "kids", "claims", "result", "solo", "root", "cached")

    def __init__(self, frames, claims=(), kids=None, result=None, solo=None, root=False):
        self.frames, self.claims, self.kids, self.result, self.solo, self.root = frames, claims, kids, result, solo, root
        self.cached = None

    def but(self, **parts):
        new = Thread(self.frames, self.claims, self.kids, self.result, self.solo, self.root)
        for name, value in parts.items():
            setattr(new, name, value)
        return new

    def done(self):
        return self.result is not None

    def key(self):
        if self.cached is None:
            kids = tuple(k.key() for k in self.kids) if self.kids is not None else None
            solo = (id(self.solo.arm), self.solo.args) if self.solo else None
            self.cached = (tuple(f.key() for f in self.frames), kids, tuple(c.cached for c in self.claims), self.result, solo)
        return self.cached


# ---- Monitors: (state, data). "open": no visible change yet, data = stuttering states; "changed": data = (before, after); "off" ------------

OPEN = ("open", frozenset())
OFF = ("off", None)
