"""All runs of a few threads at one layer.

At layer n a procedure of layer >= n is code; one of a lower layer is the action it has become. In a *cooperative* run the threads switch at
yield points only: calls and ends of code, calls of invariants of layer n, yielding loop heads. There all claims of layer n must
hold, before and after the others ran, and each procedure of layer n must do what its action says in one of its fragments. In a *free* run they
switch before every step that touches shared state; there only final states, results and failing gates count.
"""
from calls import Calls
from sequence import Failure
from threads import OFF, Frame, Thread
from values import Unsure

# The most states of one exploration, the most steps of one fragment, the largest number.
STATES, STEPS, LARGEST = 1200, 400, 40
# Steps after which a left mover that has one way only does not end, if no number in the program is larger than MODEST.
ENDLESS, MODEST = 6000, 100


class Found(Exception):
    """Something that a verdict excludes."""

    def __init__(self, what, where, run):
        super().__init__(what)
        self.what, self.where, self.run = what, where, run


class Outcome:
    """Final states, results of threads that are done while others are not, and what else an exploration met."""

    def __init__(self):
        self.partial = set()
        self.finals, self.failable, self.complete, self.failures, self.states = set(), False, True, set(), 0


class Machine(Calls):
    def __init__(self, program, sequence, layer, free, budget):
        super().__init__(program, sequence, layer, free)
        self.budget = budget
        self.outcome = Outcome()
        self.large_numbers = program.largest > MODEST
        self.largest = LARGEST + 2 * max(program.numbers, default=0)

    # ---- Exploration -----------------------------------------------------------------------------------------------------

    def explore(self, g, threads):
        first = (tuple(g.values()), tuple(t.key() for t in threads))
        seen, stack = {first}, [(g, threads)]
        out = self.outcome
        while stack:
            g, threads = stack.pop()
            if all(t.done() for t in threads):
                out.partial.add(tuple(t.result for t in threads if t.root))
                out.finals.add((tuple(g.items()), tuple(t.result for t in threads if t.root)))
                continue
            out.partial.add(tuple(t.result for t in threads if t.root))
            for nth, thread in enumerate(threads):
                if thread.done():
                    continue
                for g2, thread2, started in self.moves(g, thread, ()):
                    rest = threads[:nth] + (thread2,) + threads[nth + 1:] + started
                    rest = tuple(t for t in rest if t.root or not t.done())
                    if not self.free:
                        self.permissions(g2, rest)
                    key = (tuple(g2.values()), tuple(t.key() for t in rest))
                    if key in seen:
                        continue
                    if len(seen) >= STATES or self.budget.now < 0 or self.large(g2):
                        out.complete = False
                        continue
                    seen.add(key)
                    stack.append((g2, rest))
        out.states = len(seen)
        return out

    def large(self, g):
        return any(isinstance(v, int) and abs(v) > self.largest for v in g.values())

    def moves(self, g, t, above):
        """What a thread, or one of its arms, can do next: (globals, thread, threads started)."""
        if t.kids is None:
            yield from self.fragment(g, t, above + t.frames)
            return
        for nth, kid in enumerate(t.kids):
            if kid.done():
                continue
            for g2, kid2, started in self.moves(g, kid, above + t.frames):
                frames = tuple(self.watched(f, g, g2) for f in t.frames) if not self.free else t.frames
                t2 = t.but(frames=frames, kids=t.kids[:nth] + (kid2,) + t.kids[nth + 1:])
                yield g2, self.joined(t2, g2), started

    def joined(self, t, g):
        """When all arms are done, their results are the caller's, and what they ensure is claimed."""
        if not all(k.done() for k in t.kids):
            return t
        frame, claims = t.frames[-1], list(t.claims)
        for kid in t.kids:
            outs, frame = kid.result[1], frame
            frame = self.receive(frame, kid.result[0], outs, kid.result[2])
            claims += kid.claims
        return Thread(t.frames[:-1] + (frame,), tuple(claims), None, None, None, t.root)

    # ---- One fragment ----------------------------------------------------------------------------------------------------

    def fragment(self, g, t, chain):
        """Runs a thread to its next stop, in all ways."""
        if t.solo is not None:
            yield from self.solo(g, t)
            return
        if not self.free:
            for claim in t.claims:
                self.check(claim, g, "after others ran")
            t = t.but(frames=tuple(self.gated(f, g) for f in t.frames), claims=())
        self.start, self.chain = g, chain
        stack, steps, seen, ended = [(g, t.frames, (), False)], 0, set(), False
        while stack:
            h, frames, started, stepped = stack.pop()
            steps += 1
            self.budget.spend()
            if steps > STEPS and not self.endless(frames, stack, ended, steps):
                self.outcome.complete = False
                return
            top = frames[-1]
            instr = top.code.instrs[top.pc]
            if instr.op == "head":
                key = (tuple(h.values()), tuple(f.key() for f in frames))
                if key in seen:
                    continue
                seen.add(key)
            if self.free and stepped and self.shared(top, instr):
                yield h, Thread(frames, (), None, None, None, t.root), started
                continue
            shared = self.free and self.shared(top, instr)
            try:
                ways = self.instruction(h, frames, instr, t)
            except Unsure:
                self.outcome.complete = False
                continue
            for way in ways:
                if isinstance(way, Failure):
                    self.failed(way, h, frames)
                elif way[0] == "stop":
                    _, h2, t2, more = way
                    ended = True
                    yield h2, self.stopped(t2, t, g, h2), started + more
                else:
                    _, h2, frames2, more = way
                    stack.append((h2, frames2, started + more, stepped or shared))

    def endless(self, frames, stack, ended, steps):
        """A left mover must end. If its only way goes on for very long with small numbers, it does not; True while nobody knows."""
        left = any(f.proc.mover in ("left", "both") and f.proc.layer == self.layer for f in frames)
        if self.free or not left or ended or len(stack) > 2 or self.large_numbers:
            return False
        if steps > ENDLESS:
            raise Found("left mover does not end", frames[-1].proc.name, self.layer)
        return True

    def stopped(self, t2, t, g, h):
        """At the end of a fragment the monitors learn what it did."""
        if self.free:
            return t2
        frames = []
        for nth, frame in enumerate(t2.frames):
            old = t.frames[nth] if nth < len(t.frames) else None
            frames.append(self.watched(frame, g, h) if old is not None and old.code is frame.code else frame)
        return t2.but(frames=tuple(frames))

    def instruction(self, g, frames, instr, t):
        """Ways to go on: ("go", globals, frames, started), ("stop", globals, thread, started), or Failure."""
        top = frames[-1]
        if top.todo:
            return self.todo(g, frames, t)
        op = instr.op
        if op == "return":
            return self.returned(g, frames, t)
        if op == "call":
            return self.called(g, frames, instr, t)
        if op == "head":
            return self.head(g, frames, instr, t)
        if op == "yield":
            return self.yielded(g, frames, instr, t)
        if op == "machine":
            return self.by_machine(g, frames)
        if op == "assert":
            self.assertion(g, top, instr.data)
            ways = [(top.loc, g)]
        elif op == "assign" and not all(self.exists(top, l) for l in instr.data.left):
            ways = [(top.loc, g)]
        else:
            ways = self.sequence.step(instr, top.code, top.loc, g, top.old, False)
        held = self.held_after(top, instr)
        found = []
        for way in ways:
            if isinstance(way, Failure):
                found.append(way)
                continue
            loc, h = way
            found += [("go", h, frames[:-1] + (top.but(pc=n, loc=loc, held=held),), ()) for n in instr.next]
        return found

    def failed(self, failure, g, frames):
        """A failure of code: of a gate if an action says so, else of a claim of this layer."""
        if self.free:
            self.outcome.failures.add(failure.what)
            return
        if not failure.gate:
            raise Found(failure.what, frames[-1].proc.name, self.layer)
        self.outcome.failable = True
        if not self.excused(g, frames, failure):
            raise Found("gate" if hasattr(failure, "callee") else failure.what, frames[-1].proc.name, self.layer)
