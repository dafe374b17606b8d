"""Calls at a layer: who is code, who is an action; contracts; parallel arms; async calls; loop heads."""
from claims import Claims
from program import NATIVE, TOP
from sequence import Failure
from threads import OPEN, Frame, Item, Thread
from tree import attribute, layers_of, names_in, walk
from values import Unsure


class Gate(Failure):
    """The gate of an action fails at a call of procedure `callee`."""

    def __init__(self, what, callee, args):
        super().__init__(what, True)
        self.callee, self.args = callee, args


class Calls(Claims):
    # ---- Frames ----------------------------------------------------------------------------------------------------------

    def frames_of(self, p, args, arm, g):
        """Frames that run a procedure: one per body."""
        found = []
        for code in p.bodies:
            loc = {}
            for f, name, value in zip(p.ins, code.ins, args):
                # What does not exist at this layer has some value or other.
                loc[name] = value if f.at(self.layer) else self.types.first(f.type)
            for name in [*code.outs, *code.locals]:
                loc[name] = self.types.first(self.types.of(code.variables[name].type))
            watched = not self.free and p.layer == self.layer and not p.mover
            held = frozenset(n for f, n in zip(p.ins, code.ins) if f.linear and f.kind in ("linear", "linear_in") and f.at(self.layer))
            old = g if self.uses_old(p) else {}
            found.append(Frame(p, code, 0, loc, old, arm, OPEN if watched else None, (), held))
        return found

    def uses_old(self, p):
        if p.name not in self.old_users:
            impls = [d for d in self.program.declarations if d.kind in ("procedure", "implementation") and d.name == p.node.name]
            self.old_users[p.name] = any(n.kind == "old" for n in walk(impls))
        return self.old_users[p.name]

    def is_code(self, callee):
        """Does a call of it yield at this layer?"""
        if callee.__class__.__name__ == "Invariant":
            return True
        return callee.layer > self.layer if callee.mover else callee.layer >= self.layer

    def exists(self, frame, left):
        """Is the variable that is set there at this layer?"""
        while left.kind != "var":
            left = left.m if left.kind == "sel" else left.e
        node = frame.code.variables.get(left.name)
        if node is None or not frame.proc.yields:
            return True
        layers = layers_of(node)
        return not layers or layers[0] <= self.layer <= layers[-1]

    # ---- Calls -----------------------------------------------------------------------------------------------------------

    def called(self, g, frames, instr, t):
        s, top = instr.data, frames[-1]
        arm = s.arms[0]
        if arm.name not in self.program.procedures and arm.name not in self.program.invariants or self.is_pure(arm.name):
            return self.pure_call(g, frames, instr)
        items = []
        for arm in s.arms:
            callee = self.program.procedures.get(arm.name) or self.program.invariants.get(arm.name)
            if callee is None:
                raise Unsure(f"call of {arm.name}")
            if arm.name in self.program.invariants and (callee.layer != self.layer or self.free):
                continue
            items.append(Item(arm, callee, tuple(self.args_of(arm, callee, top, g))))
        if s.is_async:
            return self.async_call(g, frames, instr, items[0], t)
        return [("go", g, frames[:-1] + (top.but(pc=n, todo=tuple(items)),), ()) for n in instr.next]

    def args_of(self, arm, callee, top, g):
        """Values of the arguments that exist at this layer."""
        formals = getattr(callee, "ins", [])
        for nth, a in enumerate(arm.args):
            f = formals[nth] if nth < len(formals) else None
            if f is None or isinstance(f, str) or f.at(self.layer) or callee.layer < self.layer:
                yield self.sequence.fn(a)(top.loc, g, top.old)
            else:
                yield self.types.first(f.type)

    def is_pure(self, name):
        p = self.program.procedures.get(name)
        return p is not None and not p.yields

    def pure_call(self, g, frames, instr):
        """Ghost code: it exists at the layers of the call only."""
        s, top = instr.data, frames[-1]
        layers = layers_of(s.arms[0])
        if layers and not layers[0] <= self.layer <= layers[-1]:
            return [("go", g, frames[:-1] + (top.but(pc=n),), ()) for n in instr.next]
        self.sequence.calls = 0
        held = self.held_after(top, instr)
        found = []
        # At the layer of the procedure itself, what its action demands is a reason for a demand of ghost code to fail.
        gate = top.proc.layer == self.layer and not top.proc.mover
        for way in self.sequence.call(s, top.code, top.loc, g, top.old, gate):
            if isinstance(way, Failure):
                if not self.free:
                    found.append(way)
                continue
            found += [("go", way[1], frames[:-1] + (top.but(pc=n, loc=way[0], held=held),), ()) for n in instr.next]
        return found

    def shared(self, top, instr):
        """Does the next instruction touch what others see? Only asked in free runs."""
        if top.todo:
            return any(self.touches(i.callee) for i in top.todo)
        if instr.op == "machine":
            return True
        if instr.op == "call" and self.layer == 0:
            arm = instr.data.arms[0]
            if arm.name not in self.program.invariants and (arm.name in NATIVE or self.is_pure(arm.name) or arm.name in self.program.actions):
                return bool((names_in(arm.args) | set(arm.outs)) & self.program.global_names)
        if instr.op == "call":
            return any(self.captures_old(a.name) for a in instr.data.arms)
        return False

    def captures_old(self, name):
        """The moment of the call matters if the body says `old` in code."""
        p = self.program.procedures.get(name)
        return p is not None and p.yields and self.is_code(p) and any(c.old_in_code for c in p.bodies)

    def touches(self, callee):
        if callee.__class__.__name__ == "Invariant" or self.is_code(callee):
            return False
        if callee.mover:
            return callee.machine
        a = self.program.action_at(callee, self.layer)
        return a is not None and bool(self.footprint(a))

    def footprint(self, a):
        """Globals that an action, or one it calls, may touch."""
        if a.name not in self.footprints:
            found = set(a.touched)
            self.footprints[a.name] = found
            for node in walk(a.node.body):
                if node.kind == "arm" and node.name in self.program.actions:
                    found |= self.footprint(self.program.actions[node.name])
        return self.footprints[a.name]

    def todo(self, g, frames, t):
        """The next of the arms whose arguments are computed."""
        top = frames[-1]
        items = top.todo
        if self.free and len(items) > 1:
            return self.fork(g, frames, items, (), t)
        group = []
        for item in items:
            if not self.is_code(item.callee):
                break
            group.append(item)
        if not group:
            item, rest = items[0], frames[:-1] + (top.but(todo=items[1:]),)
            return self.by_mover(g, rest, item) if item.callee.mover else self.by_action(g, rest, item)
        return self.fork(g, frames, tuple(group), items[len(group):], t)

    def fork(self, g, frames, group, rest, t):
        """A yield point: invariants, one procedure, or several side by side."""
        top = frames[-1].but(todo=rest)
        below = frames[:-1]
        claims = [c for i in group if i.callee.__class__.__name__ == "Invariant" for c in self.invariant_claims(i.callee, i.args)]
        procs = [i for i in group if i.callee.__class__.__name__ != "Invariant"]
        for c in claims:
            self.check(c, g, "at a yield")
        if not procs:
            return [("stop", g, Thread(below + (top,), tuple(claims), None, None, None, t.root), ())]
        if len(procs) == 1 and not claims:
            item = procs[0]
            mine = self.lend(top, item)
            wanted = () if self.free else self.entry(item.callee, item.args, g)
            found = []
            for f in self.frames_of(item.callee, item.args, item.arm, g):
                if self.free:
                    found.append(("go", g, below + (mine, f), ()))
                else:
                    found.append(("stop", g, Thread(below + (mine, f), tuple(wanted), None, None, None, t.root), ()))
            return found
        return self.side_by_side(g, below, top, procs, claims, t)

    def side_by_side(self, g, below, top, procs, claims, t):
        ways = [()]
        for item in procs:
            if self.is_code(item.callee) or item.callee.mover and not item.callee.machine:
                top = self.lend(top, item)
                wanted = () if self.free else tuple(self.entry(item.callee, item.args, g))
                kids = [Thread((f,), wanted, solo=None) for f in self.frames_of(item.callee, item.args, item.arm, g)]
            else:
                top = self.lend(top, item)
                kids = [Thread((), (), solo=item)]
            ways = [way + (kid,) for way in ways for kid in kids]
        return [("stop", g, Thread(below + (top,), tuple(claims), kids, None, None, t.root), ()) for kids in ways]

    def solo(self, g, t):
        """An arm that is one atomic step."""
        item = t.solo
        for end in self.atomic(item.callee, item.args, g):
            if isinstance(end, Failure):
                self.outcome.failures.add(end.what)
            else:
                outs, h = end
                yield h, t.but(solo=None, result=(tuple(item.arm.outs), outs, self.given(item))), ()

    # ---- What runs at once -------------------------------------------------------------------------------------------------

    def atomic(self, p, args, g):
        """Ends of a procedure that is one step at this layer: (outs in order of the procedure, globals), or Gate."""
        if p.mover:
            return self.by_contract(p, args, g)
        a = self.program.action_at(p, self.layer)
        return self.act(p, a, args, g)

    def act(self, p, a, args, g):
        if a is None:
            return [(tuple(self.types.first(f.type) for f in p.outs), g)]
        shown, shown_outs = p.visible()
        inner = tuple(args[nth] for nth in shown)
        found = []
        for end in self.ends(a, inner, g):
            if isinstance(end, Failure):
                found.append(Gate(end.what, p, args))
                continue
            values, h = end
            outs = [self.types.first(f.type) for f in p.outs]
            for nth, value in zip(shown_outs, values):
                outs[nth] = value
            found.append((tuple(outs), h))
        return found

    def by_action(self, g, frames, item):
        p = item.callee
        if not self.free:
            a = self.program.action_at(p, self.layer)
            if a is not None:
                self.preconditions(a, p, item.args, g)
        found = []
        for end in self.atomic(p, item.args, g):
            if isinstance(end, Failure):
                found.append(end)
                continue
            top = self.receive(self.lend(frames[-1], item), item.arm.outs, end[0], self.given(item))
            found.append(("go", end[1], frames[:-1] + (top,), ()))
        return found

    def by_mover(self, g, frames, item):
        """A mover procedure of this layer is called like an ordinary one."""
        if len(frames) > 12:
            raise Unsure("deep recursion")
        p = item.callee
        if not self.free:
            self.entry(p, item.args, g)
        if p.machine:
            found = []
            for end in self.by_contract(p, item.args, g):
                top = self.receive(self.lend(frames[-1], item), item.arm.outs, end[0], self.given(item))
                found.append(("go", end[1], frames[:-1] + (top,), ()))
            return found
        mine = frames[:-1] + (self.lend(frames[-1], item),)
        return [("go", g, mine + (f,), ()) for f in self.frames_of(p, item.args, item.arm, g)]

    def by_machine(self, g, frames):
        """A procedure without body does what it refines; without that, what its contract allows."""
        top = frames[-1]
        args = tuple(top.loc[n] for n in top.code.ins)
        p = top.proc
        shows = lambda f: p.refines is not None and p.shows(f)
        if any(f.linear and f.kind == "linear_out" and not shows(f) for f in p.ins) or any(f.linear and f.kind and not shows(f) for f in p.outs):
            raise Unsure("a permission that no action hands out")
        if p.refines is None:
            ends = self.by_contract(p, args, g)
        else:
            ends = self.act(p, self.program.actions[p.refines], args, g)
        found = []
        for end in ends:
            if isinstance(end, Failure):
                self.outcome.failable = True
                self.outcome.failures.add(end.what)
                continue
            if not self.promise_kept(p, args, end[0], g, end[1]):
                continue
            loc = {**top.loc, **dict(zip(top.code.outs, end[0]))}
            held = top.held | {n for f, n in zip(p.ins, top.code.ins) if f.linear and f.kind == "linear_out" and f.at(self.layer) and shows(f)}
            held |= {n for f, n in zip(p.outs, top.code.outs) if f.linear and f.kind and f.at(self.layer) and shows(f)}
            found.append(("go", end[1], frames[:-1] + (top.but(pc=top.pc + 1, loc=loc, held=held),), ()))
        return found

    def by_contract(self, p, args, g):
        """Everything that the postconditions allow; what the procedure may modify must be said."""
        if not all(f.at(self.layer) for f in [*p.ins, *p.outs]):
            raise Unsure("a contract about what is not there")
        loc = dict(zip([f.name for f in p.ins], args))
        ways = [(loc, g)]
        tests = [c.test for c in p.clauses if c.what in ("ensures", "preserves") and not c.call]
        for f in p.outs:
            given = self.said(p, f, loc, g)
            values = given or (self.sequence.any_value(f.type) if tests else [self.types.first(f.type)])
            ways = [({**l, f.name: v}, h) for l, h in ways for v in values]
        for name in p.modifies:
            ways = [(l, {**h, name: v}) for l, h in ways for v in self.sequence.any_value(self.program.by_name[name].type)]
        return [(tuple(l[f.name] for f in p.outs), h) for l, h in ways if all(test(l, h, g) for test in tests)]

    def promise_kept(self, p, args, outs, g, h):
        """Does a machine do what it ensures, at all its layers? Otherwise it is not this machine."""
        loc = dict(zip([f.name for f in [*p.ins, *p.outs]], [*args, *outs]))
        for c in p.clauses:
            if c.what == "requires":
                continue
            if not c.call:
                if not c.test(loc, h, g):
                    return False
                continue
            inv = self.program.invariants.get(c.invariant)
            inner = dict(zip(inv.ins, [a(loc, h, g) for a in c.args])) if inv is not None else {}
            if inv is not None and not all(test(inner, h, g) for test in inv.clauses):
                return False
        return True

    def said(self, p, f, loc, g):
        """The value of a result of which the contract says `f == e`."""
        for c in p.clauses:
            e = c.node.e
            if c.what == "ensures" and e.kind == "bin" and e.op == "==":
                for mine, other in ((e.a, e.b), (e.b, e.a)):
                    if mine.kind == "var" and mine.name == f.name and not names_in(other) & {o.name for o in p.outs}:
                        return [self.sequence.fn(other)(loc, g, g)]
        return None

    # ---- Async, heads, returns -----------------------------------------------------------------------------------------------

    def async_call(self, g, frames, instr, item, t):
        top, p = frames[-1], item.callee
        after = [frames[:-1] + (self.give_away(top.but(pc=n), item),) for n in instr.next]
        if not self.is_code(p):
            if not p.mover and attribute(item.arm, "sync") is None:
                return [("go", g, f, ()) for f in after]
            return [way for f in after for way in (self.by_mover(g, f, item) if p.mover else self.by_action(g, f, item))]
        wanted = () if self.free else tuple(self.entry(p, item.args, g))
        started = [Thread((f,), wanted) for f in self.frames_of(p, item.args, None, g)]
        return [("go", g, f, (s,)) for f in after for s in started]

    def head(self, g, frames, instr, t):
        top, head = frames[-1], instr.data
        after = frames[:-1] + (top.but(pc=instr.next[0]),)
        if self.free or head.layer is None or head.layer < self.layer:
            return [("go", g, after, ())]
        claims = []
        for s in head.calls:
            for arm in s.arms:
                inv = self.program.invariants.get(arm.name)
                if inv is not None and inv.layer == self.layer:
                    claims += self.invariant_claims(inv, [self.sequence.fn(a)(top.loc, g, top.old) for a in arm.args])
        for c in claims:
            self.check(c, g, "at a loop head")
        return [("stop", g, Thread(after, tuple(claims), None, None, None, t.root), ())]

    def yielded(self, g, frames, instr, t):
        """`yield e;`"""
        top, s = frames[-1], instr.data
        after = frames[:-1] + (top.but(pc=instr.next[0]),)
        if self.free or self.layer not in (layers_of(s) or [top.proc.layer]):
            return [("go", g, after, ())]
        claims = [self.claim("yield", [self.sequence.fn(s.e)], top.loc, top.old)] if s.e is not None else []
        for c in claims:
            self.check(c, g, "at a yield")
        return [("stop", g, Thread(after, tuple(claims), None, None, None, t.root), ())]

    def returned(self, g, frames, t):
        top, p = frames[-1], frames[-1].proc
        outs = tuple(top.loc[n] for n in top.code.outs)
        sequential = p.mover and p.layer == self.layer
        claims = ()
        if not self.free:
            claims = self.exit(p, top, g, outs)
            if claims is None:
                return []
            if top.mon is not None:
                self.finished(top, self.start, g, outs)
        given = self.given_back(p, top)
        if len(frames) == 1:
            if t.root:
                result = tuple((n, top.loc[n]) for n in self.lasting(p, top.code))
            else:
                result = (tuple(top.arm.outs) if top.arm else (), outs, given)
            return [("stop", g, Thread((), tuple(claims), None, result, None, t.root), ())]
        caller = self.receive(frames[-2], top.arm.outs, outs, given)
        if self.free or sequential:
            return [("go", g, frames[:-2] + (caller,), ())]
        return [("stop", g, Thread(frames[:-2] + (caller,), tuple(claims), None, None, None, t.root), ())]

    def lasting(self, p, code):
        """Variables of a procedure that exist at all its layers."""
        found = []
        for name, node in code.variables.items():
            layers = layers_of(node)
            if not layers or layers[0] == 0 and layers[-1] >= p.layer:
                declared = [f for f, n in zip([*p.ins, *p.outs], [*code.ins, *code.outs]) if n == name]
                if all(f.low == 0 and f.high >= p.layer for f in declared):
                    found.append(name)
        return found
