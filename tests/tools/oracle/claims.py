"""What must hold: contracts, invariants, gates, refinement."""
from permits import Permits
from sequence import Failure
from threads import OFF, Claim
from tree import layers_of
from values import Unsure


class Claims(Permits):
    def __init__(self, program, sequence, layer, free):
        self.program, self.sequence, self.types, self.layer, self.free = program, sequence, program.types, layer, free
        self.old_users, self.footprints, self.known = {}, {}, {}
        self.start, self.chain, self.linears = None, (), {}
        self.linear_globals = [g for g in program.globals if g.linear and g.kind and g.at(layer)]
        self.seen_globals = [g.name for g in program.globals if g.low <= layer < g.high]

    def fail(self, what, where):
        from machine import Found
        raise Found(what, where, self.layer)

    # ---- Conditions ------------------------------------------------------------------------------------------------------

    def claim(self, label, tests, loc, old):
        return Claim(label, tests, loc, old)

    def invariant_claims(self, inv, args):
        return [self.claim(f"invariant {inv.name}", inv.clauses, dict(zip(inv.ins, args)), {})]

    def check(self, claim, g, when):
        for test in claim.tests:
            if not self.sequence.holds(test, claim.loc, g, claim.old):
                self.fail(f"{claim.label} {when}", claim.label)

    def assertion(self, g, top, s):
        """An assertion of this layer; lemmas have no layers."""
        layers = layers_of(s)
        if self.free or (top.proc.yields and (layers is None or self.layer not in layers)):
            return
        if not self.sequence.holds(self.sequence.fn(s.e), top.loc, g, top.old):
            self.fail("free invariant" if s.parts.get("free") else "assert", top.proc.name)

    def entry(self, p, args, g):
        """What a caller must establish: checked now, claimed again when the callee starts."""
        loc, claims = dict(zip([f.name for f in p.ins], args)), []
        for c in p.clauses:
            if c.what not in ("requires", "preserves"):
                continue
            if c.call:
                inv = self.program.invariants.get(c.invariant)
                if inv is not None and inv.layer == self.layer:
                    claims += self.invariant_claims(inv, [a(loc, g, g) for a in c.args])
            elif self.layer in c.layers and not self.sequence.holds(c.test, loc, g, g):
                self.fail(c.label, p.name)
        for claim in claims:
            self.check(claim, g, "at a call")
        return claims

    def exit(self, p, top, g, outs):
        """What a procedure promises at its end. A machine that does not keep its promise is not this machine: None."""
        loc = dict(zip([f.name for f in p.ins], [top.loc[n] for n in top.code.ins]))
        loc.update(zip([f.name for f in p.outs], outs))
        claims = []
        for c in p.clauses:
            if c.what not in ("ensures", "preserves"):
                continue
            if c.call:
                inv = self.program.invariants.get(c.invariant)
                if inv is not None and inv.layer == self.layer:
                    claims += self.invariant_claims(inv, [a(loc, g, top.old or g) for a in c.args])
            elif self.layer in c.layers and not self.sequence.holds(c.test, loc, g, top.old or g):
                if p.machine:
                    return None
                self.fail(c.label, p.name)
        for claim in claims:
            if p.machine and not all(self.sequence.holds(t, claim.loc, g, {}) for t in claim.tests):
                return None
            self.check(claim, g, "at an end")
        return claims

    def preconditions(self, a, p, args, g):
        """`requires` of an action are asked wherever it is called at its layer."""
        shown, _ = p.visible()
        loc = dict(zip([f.name for f in a.ins], [args[nth] for nth in shown]))
        for c in a.requires:
            if c.call:
                inv = self.program.invariants.get(c.invariant)
                if inv is not None and inv.layer == self.layer:
                    for claim in self.invariant_claims(inv, [f(loc, g, g) for f in c.args]):
                        self.check(claim, g, "as precondition of an action")
            elif self.layer in c.layers and not self.sequence.holds(c.test, loc, g, g):
                self.fail("precondition of an action", a.name)

    # ---- Actions and gates -----------------------------------------------------------------------------------------------

    def ends(self, a, args, g):
        """Ends of an action, remembered."""
        key = (a.name, args, tuple(g.values()), self.sequence.hints)
        found = self.known.get(key)
        if found is None:
            self.sequence.calls, before = 0, self.sequence.inexact
            self.sequence.inexact = False
            ends = self.sequence.action(a, list(args), g)
            found = self.known[key] = (ends, self.sequence.inexact)
            self.sequence.inexact = before
        self.sequence.inexact = self.sequence.inexact or found[1]
        return found[0]

    def gate_holds(self, a, args, g):
        return not any(isinstance(end, Failure) for end in self.ends(a, args, g))

    def refined(self, frame):
        """The action of a watched frame with its arguments."""
        p = frame.proc
        a = self.program.actions[p.refines] if p.refines is not None else None
        shown, _ = p.visible()
        return a, tuple(frame.loc[frame.code.ins[nth]] for nth in shown)

    def gated(self, frame, g):
        """If its action could fail now, nothing more is promised of a procedure that has not acted yet."""
        if frame.mon is None or frame.mon[0] != "open":
            return frame
        a, args = self.refined(frame)
        try:
            if a is None or self.gate_holds(a, args, g):
                return frame
        except Unsure:
            pass
        self.outcome.failable = True
        return frame.but(mon=OFF)

    def excused(self, g, frames, failure):
        """May this gate fail? If the caller's own action could fail, or the action that the callee becomes one layer up fails too."""
        watched = [f for f in self.chain if f.mon is not None]
        try:
            if watched:
                # A frame that was switched off at the start of this fragment, or before, had a gate that did not hold.
                mine = [f for f in frames if f.code is watched[0].code]
                now = self.gated(watched[0], self.start)
                return now.mon[0] == "off" or any(f.mon is not None and f.mon[0] == "off" for f in mine)
            p = getattr(failure, "callee", None)
            if p is None or frames[-1].proc.layer <= self.layer:
                return False
            a = self.program.action_at(p, self.layer + 1)
            if a is None:
                return False
            shown, _ = p.visible()
            return not self.gate_holds(a, tuple(failure.args[nth] for nth in shown), g)
        except Unsure:
            return True

    # ---- Refinement ------------------------------------------------------------------------------------------------------

    def visible(self, g):
        return tuple(g[name] for name in self.seen_globals)

    def watched(self, frame, g, h):
        """A fragment took the state from g to h: is that nothing, or the action?"""
        if frame.mon is None or frame.mon[0] == "off":
            return frame
        frame = self.gated(frame, g)
        state, data = frame.mon
        if state == "off":
            return frame
        changes = self.visible(g) != self.visible(h)
        if state == "changed":
            if changes:
                self.fail("refinement: acts twice", frame.proc.name)
            return frame
        a, args = self.refined(frame)
        if not changes:
            if a is None:
                return frame
            return frame.but(mon=("open", data | {tuple(g.values())}))
        if a is None or not self.explains(a, args, g, h, None):
            self.fail("refinement: acts differently", frame.proc.name)
        return frame.but(mon=("changed", (tuple(g.values()), tuple(h.values()))))

    def finished(self, frame, g, h, outs):
        """At the end one fragment must have been the action, with these results."""
        frame = self.watched(frame, g, h)
        state, data = frame.mon
        a, args = self.refined(frame)
        if state == "off" or a is None:
            return
        _, shown = frame.proc.visible()
        results = tuple(outs[nth] for nth in shown)
        names = [x.name for x in self.program.globals]
        if state == "changed":
            pairs = [data]
        else:
            pairs = [(s, s) for s in data]
        if not any(self.explains(a, args, dict(zip(names, s)), dict(zip(names, s2)), results) for s, s2 in pairs):
            self.fail("refinement: results" if state == "changed" else "refinement: never acts", frame.proc.name)

    def explains(self, a, args, g, h, results):
        """Can the action take g to h, with these results? If nobody knows: yes."""
        wanted = self.visible(h)
        hints = {v for v in (*h.values(), *(results or ())) if type(v) is int}
        before, self.sequence.hints = (self.sequence.hints, self.sequence.inexact), tuple(sorted(hints))
        self.sequence.inexact = False
        try:
            for end in self.ends(a, args, g):
                if isinstance(end, Failure):
                    return True
                if self.visible(end[1]) == wanted and (results is None or end[0] == results):
                    return True
            return self.sequence.inexact
        except Unsure:
            return True
        finally:
            self.sequence.hints, self.sequence.inexact = before
