"""Who holds which permission, followed through a run. No permission may have two holders.

`held` of a frame names its variables that hold something. A callee borrows linear arguments, keeps what it takes in, and hands out what it
returns; an assignment moves. Only what exists at the layer counts.
"""
from sequence import root
from tree import layers_of


class Permits:
    def linear_names(self, code):
        """Variables of a body whose type can hold permissions."""
        known = self.linears.get(id(code))
        if known is None:
            names = {n for n, f in code.variables.items() if self.types.is_linear(self.types.of(f.type))}
            known = self.linears[id(code)] = (names, code)
        return known[0]

    # ---- Calls -----------------------------------------------------------------------------------------------------------

    def lend(self, frame, item):
        """While a callee runs, its linear arguments are not the caller's."""
        gone = {a.name for a, f in zip(item.arm.args, item.callee.ins) if a.kind == "var" and f.linear and f.kind in ("linear", "linear_in")}
        return frame.but(held=frame.held - gone) if gone & frame.held else frame

    give_away = lend

    def given(self, item):
        """Variables of the caller that hold something after a call that is one step."""
        p, arm = item.callee, item.arm
        # Above the layer of the callee, only its action hands something out; what was lent comes back in any case.
        handed = lambda f: p.shows(f) if self.layer > p.layer and not p.mover else f.at(self.layer)
        pairs = [(a.name, f) for a, f in zip(arm.args, p.ins) if a.kind == "var" and f.linear]
        back = {n for n, f in pairs if f.kind == "linear" or f.kind == "linear_out" and handed(f)}
        back |= {o for o, f in zip(arm.outs, p.outs) if f.linear and f.kind and handed(f)}
        return frozenset(back)

    def given_back(self, p, frame):
        """The same at the end of a frame, as far as the frame holds it."""
        if frame.arm is None:
            return frozenset()
        pairs = list(zip(frame.arm.args, p.ins, frame.code.ins))
        back = {a.name for a, f, n in pairs if a.kind == "var" and f.linear and f.kind in ("linear", "linear_out") and n in frame.held}
        back |= {o for o, f, n in zip(frame.arm.outs, p.outs, frame.code.outs) if f.linear and f.kind and n in frame.held}
        return frozenset(back)

    def receive(self, frame, names, values, given):
        """The caller's frame with results."""
        loc = frame.loc
        for name, value in zip(names, values):
            loc, _ = self.sequence.store(loc, {}, name, value, frame.code)
        return frame.but(loc=loc, held=(frame.held - set(names)) | given)

    # ---- Statements --------------------------------------------------------------------------------------------------------

    def held_after(self, frame, instr):
        linear, held = self.linear_names(frame.code), frame.held
        if not linear or instr.op in ("nop", "assume", "assert", "head"):
            return held
        s = instr.data
        if instr.op == "havoc":
            return held - set(s.names)
        if instr.op == "assign":
            return self.after_assign(s, held, linear)
        if instr.op == "unpack":
            if s.e.kind == "var" and s.e.name in held:
                return held - {s.e.name} - set(s.names) | (set(s.names) & linear)
            return held - set(s.names)
        if instr.op == "call":
            return self.after_pure(s.arms[0], held, linear)
        return held

    def after_assign(self, s, held, linear):
        gained, before = set(), held
        for left, right in zip(s.left, s.right):
            target = root(left)
            if target not in linear:
                continue
            sources = None
            if right.kind == "var":
                sources = {right.name}
            elif right.kind == "app" and right.name in self.types.ctors and right.name not in ("One", "Map"):
                sources = {a.name for a in right.args if a.kind == "var" and a.name in linear}
            has = sources is not None and sources <= held and (left.kind == "var" or target in before)
            held = held - {target}
            if has:
                held = held - sources
                gained.add(target)
        return held | gained

    def after_pure(self, arm, held, linear):
        names = [root(a) if a.kind in ("var", "sel", "field") else None for a in arm.args]
        outs = set(arm.outs) & linear
        owner = bool(names) and (names[0] in held or names[0] in self.program.global_names)
        if arm.name in ("One_Get", "Map_Get"):
            got = ({names[1]} & linear) | outs
            return held | got if owner else held - got
        if arm.name in ("One_Put", "Map_Put", "Map_Join"):
            return held - set(names[1:])
        if arm.name == "Map_Split":
            return held | outs if owner else held - outs
        if arm.name == "Move":
            return (held - {names[0]}) | ({names[1]} & linear) if names[0] in held else held - {names[1]}
        if arm.name == "Map_MakeEmpty":
            return held | outs
        callee = self.program.procedures.get(arm.name) or self.program.actions.get(arm.name)
        if callee is None:
            return held - outs
        kinds = [f.kind for f in callee.ins]
        held = held - {n for n, k in zip(names, kinds) if k == "linear_in"} - outs
        held = held | ({n for n, k in zip(names, kinds) if k == "linear_out"} & linear)
        return held | {o for o, f in zip(arm.outs, callee.outs) if f.kind and o in linear}

    # ---- The claim -----------------------------------------------------------------------------------------------------------

    def permissions(self, g, threads):
        """At a yield point all that is held is apart."""
        found, holders = [], {}
        for x in self.linear_globals:
            found += [(p, x.name) for p in self.types.permissions(g[x.name], x.type)]
        for thread in threads:
            self.of_thread(thread, found)
        for permission, holder in found:
            if permission in holders:
                self.fail("permission held twice", f"{holders[permission]} and {holder}")
            holders[permission] = holder

    def of_thread(self, thread, found):
        for frame in thread.frames:
            for name in frame.held:
                node = frame.code.variables.get(name)
                if node is None:
                    continue
                layers = self.layers_of_variable(frame, name, node)
                if layers and not layers[0] <= self.layer <= layers[-1]:
                    continue
                type = self.types.of(node.type)
                found += [(p, f"{frame.proc.name}.{name}") for p in self.types.permissions(frame.loc[name], type)]
        for kid in thread.kids or ():
            self.of_thread(kid, found)

    def layers_of_variable(self, frame, name, node):
        """A formal has the layers of the declaration, whatever an implementation says."""
        for f, n in zip([*frame.proc.ins, *frame.proc.outs], [*frame.code.ins, *frame.code.outs]):
            if n == name:
                return [f.low, f.high]
        return layers_of(node)
