"""Is what a program does what its verdict guarantees?

Let P_n be the program at layer n: procedures of layer >= n are code, calls of lower ones are the actions they have become. "Verified" guarantees:

(a) in every cooperative run of P_n (threads switch at yield points of layer n only), from every state that satisfies the preconditions of
    the threads that start, with disjoint permissions dealt out, no assertion, precondition, postcondition or invariant of layer n fails; a gate
    fails only if the action of the calling procedure, or the next layer's action of the callee, could fail from the same state;
(b) in such a run every procedure of layer n acts once, as its refined action says, with the results the action gives, and changes nothing
    visible at layer n+1 otherwise;
(c) what free runs (threads switch anywhere between atomic steps) of P_n end with, and the gates that fail in them, cooperative runs of P_n end
    with too; and what free runs of P_0, the machine, end with, cooperative runs of P_n do, as far as it exists at both layers. The
    results of threads that are done while others are stuck are possible in a cooperative run, too;
(d) no permission has two holders;
(e) nothing false is taken on faith (`--strict`).

An assertion of layer n can be false in the middle of another thread's transaction; therefore assertions are judged in cooperative runs, final
states, results and gates in free ones. Whenever something cannot be executed or there are too many states, nothing is said: `unsure`.
"""
import itertools
import random

from machine import Found, Machine
from program import Program
from sequence import Failure, Sequence
from threads import Thread
from tree import names_in, walk
from values import Budget, D, Exhausted, Unsure

# Teams of threads per program, start states per team, tries to find one.
TEAMS, STARTS, TRIES = 5, 6, 300
# Steps that may be spent on one program, and on one exploration.
BUDGET, PART = 20_000, 2_500


class Verdict:
    """What the judge says: `wrong` is None or (what, where, in words)."""

    def __init__(self):
        self.wrong, self.runs, self.unsure, self.reasons, self.steps = None, 0, 0, {}, 0

    def doubt(self, why):
        self.unsure += 1
        self.reasons[str(why)] = self.reasons.get(str(why), 0) + 1


def judge(declarations, seed=0, steps=BUDGET):
    """Runs a program in many ways. The same seed gives the same answer."""
    verdict = Verdict()
    try:
        program = Program(declarations)
        program.types.budget = Budget(steps)
        worlds(program, verdict)
        judge_sequential(program, verdict)
        if verdict.wrong is None:
            Judge(program, verdict, random.Random(seed)).judge()
    except Unsure as why:
        verdict.doubt(why)
    except RecursionError:
        verdict.doubt("recursion")
    except Exhausted:
        verdict.doubt("budget")
    verdict.steps = steps - program.types.budget.left if verdict.wrong else steps
    return verdict


def worlds(program, verdict):
    """Values of constants that satisfy the axioms."""
    constants = [d for d in program.declarations if d.kind == "const"]
    axioms = [program.evaluator.compile(d.e) for d in program.declarations if d.kind == "axiom"]
    if not constants and not axioms:
        return
    types = program.types
    ints = tuple(sorted({0, 1, 2, *program.numbers}))
    domains = [types.values(types.of(c.type), ints) for c in constants]
    for tried, row in enumerate(itertools.product(*domains)):
        if tried > 3000:
            break
        unique = [v for c, v in zip(constants, row) if c.unique]
        if len(set(unique)) < len(unique):
            continue
        program.evaluator.constants.update(zip([c.name for c in constants], row))
        try:
            if all(a({}, {}, {}) for a in axioms):
                return
        except Unsure:
            continue
    raise Unsure("no values of constants found")


# ---- Ordinary procedures and lemmas ------------------------------------------------------------------------------------------

def judge_sequential(program, verdict):
    used = {n.name for d in program.declarations if not ignored(d) for n in walk_arms(d)}
    for p in program.procedures.values():
        if p.yields or not p.bodies or verdict.wrong or (p.ignored and p.node.name not in used):
            continue
        for by in instances(p):
            try:
                run_alone(program, p, by, verdict)
            except Unsure as why:
                verdict.doubt(why)


def ignored(d):
    return "attrs" in d.parts and any(a.name == "ignore" for a in d.attrs)


def walk_arms(d):
    return [n for n in walk(d) if n.kind == "arm"]


def instances(p):
    """Types for type parameters: equal ones and different ones."""
    if not p.params:
        return [{}]
    rows = [(("int",),) * len(p.params)]
    rows += list(itertools.product((("int",), ("bool",)), repeat=len(p.params)))[1:4]
    return [dict(zip(p.params, row)) for row in rows]


def run_alone(program, p, by, verdict):
    """All small arguments and globals that satisfy the precondition."""
    types, sequence = program.types, Sequence(program)
    domains = [types.values(types.put(f.type, by)) for f in p.ins]
    touched = globals_of(program, p)
    domains += [types.values(program.by_name[n].type) for n in touched]
    rest = {g.name: types.first(g.type) for g in program.globals}
    for tried, row in enumerate(itertools.product(*domains)):
        if tried > 200:
            break
        args, g = row[:len(p.ins)], {**rest, **dict(zip(touched, row[len(p.ins):]))}
        loc = dict(zip([f.name for f in p.ins], args))
        loc.update({f"<{n}>": t for n, t in by.items()})
        if not starts_here(program, p, loc, g, sequence):
            continue
        verdict.runs += 1
        sequence.calls, sequence.inexact = 0, False
        try:
            ends = sequence.procedure(p, list(args), g, first=True)
        except Unsure as why:
            verdict.doubt(why)
            continue
        for end in ends:
            if isinstance(end, Failure) and not (end.what == "promise" and sequence.inexact):
                verdict.wrong = (f"sequential: {end.what}", p.name, f"{p.name}{tuple(args)} with {by or g}")
                return


def globals_of(program, p):
    nodes = [d for d in program.declarations if d.kind in ("procedure", "implementation", "function")]
    used = names_in(nodes) & program.global_names
    return [g.name for g in program.globals if g.name in used][:3]


def starts_here(program, p, loc, g, sequence):
    try:
        wheres = [f.where for f in p.ins if f.where is not None] + [x.where for x in program.globals if x.where is not None]
        if not all(sequence.fn(w)(loc, g, g) for w in wheres):
            return False
        return all(c.test(loc, g, g) for c in p.clauses if c.what == "requires" and not c.call and not c.free)
    except Unsure:
        return False


# ---- Threads -----------------------------------------------------------------------------------------------------------------

class Judge:
    def __init__(self, program, verdict, rng):
        self.program, self.verdict, self.rng, self.types = program, verdict, rng, program.types
        self.budget, self.checked = program.types.budget, program.layers()

    def judge(self):
        roots = [p for p in self.program.procedures.values() if p.yields and not p.mover and not p.ignored]
        called = {n.name for d in self.program.declarations for n in walk_arms(d)}
        first = [p for p in roots if not p.machine and p.node.name not in called] or roots
        others = [p for p in roots if not p.machine]
        machines = [p for p in roots if p.machine]
        movers = [p for p in self.program.procedures.values() if p.yields and p.mover and not p.machine]
        for team in self.teams(first, others, machines) + [(m,) for m in movers]:
            if self.verdict.wrong:
                return
            try:
                self.team(team)
            except Unsure as why:
                self.verdict.doubt(why)

    def teams(self, first, others, machines):
        """Who runs with whom: pairs of procedures nobody calls, then others, now and then a machine or a third."""
        if not others:
            return [(m, m) for m in machines[:1]]
        rng = self.rng
        pairs = list(itertools.combinations_with_replacement(first, 2))
        rng.shuffle(pairs)
        chosen = [(p,) for p in others] + pairs[:TEAMS]
        for _ in range(2):
            chosen.append((rng.choice(others), rng.choice(others)))
        if machines:
            chosen.append((rng.choice(others), rng.choice(machines)))
        if rng.random() < 0.3:
            chosen.append((rng.choice(first), rng.choice(others), rng.choice(others)))
        unique = []
        for team in chosen:
            if team not in unique:
                unique.append(team)
        return unique

    def team(self, team):
        self.sizes(team)
        for g, args in self.starts(team):
            self.verdict.runs += 1
            try:
                self.from_start(team, g, args)
            except Found as found:
                start = ", ".join(f"{k} = {v}" for k, v in g.items())
                names = ", ".join(f"{p.name}{a}" for p, a in zip(team, args))
                self.verdict.wrong = (found.what, found.where, f"layer {found.run}: {found.what} ({found.where}); threads {names}; start {start}")
                return
            except Unsure as why:
                self.verdict.doubt(why)

    def sizes(self, team):
        holders = [f for p in team for f in p.ins if f.linear and f.kind in ("linear", "linear_in") and f.type[0] == "One"]
        for name in sorted(self.types.opaque):
            mine = sum(1 for f in holders if f.type == ("One", (name,)))
            self.types.sizes[name] = min(4, max(2, mine))

    # ---- Start states --------------------------------------------------------------------------------------------------------

    def starts(self, team):
        """Small states in which all may start: preconditions of all layers hold, permissions are apart."""
        found, seen = [], set()
        for tried in range(TRIES):
            if len(found) >= STARTS:
                break
            try:
                state = self.deal(team)
            except Unsure:
                break
            if state is None:
                continue
            g, args = state
            key = (tuple(g.values()), tuple(args))
            if key in seen:
                continue
            seen.add(key)
            if self.may_start(team, g, args):
                found.append((g, args))
        return found

    def deal(self, team):
        # What never exists at one layer need not be apart.
        taken, apart = [], self.rng.random() < 0.5
        slots = [("global", g.name, g) for g in self.program.globals]
        slots += [(nth, f.name, f) for nth, p in enumerate(team) for f in p.ins]
        linear = [s for s in slots if s[2].linear and s[2].kind and s[2].kind != "linear_out"]
        values = {}
        # Who holds one permission chooses first, sets take from the rest.
        self.rng.shuffle(linear)
        for owner, name, f in sorted(linear, key=lambda s: s[2].type[0] != "One"):
            fitting = self.rng.sample(self.small(f.type), len(self.small(f.type)))
            for value in fitting:
                mine = self.types.permissions(value, f.type)
                others = {p for p, o in taken if apart or (o.low <= f.high and f.low <= o.high)}
                if len(set(mine)) == len(mine) and not others & set(mine):
                    values[(owner, name)] = value
                    taken += [(p, f) for p in mine]
                    break
            else:
                return None
        for owner, name, f in slots:
            if (owner, name) not in values:
                values[(owner, name)] = self.rng.choice(self.ordinary(f.type))
        g = {x.name: values[("global", x.name)] for x in self.program.globals}
        return g, tuple(tuple(values[(nth, f.name)] for f in p.ins) for nth, p in enumerate(team))

    def ordinary(self, type):
        """Values of a variable that holds nothing: its maps need not be well-formed."""
        found = self.small(type)
        if type[0] != "Map" or self.rng.random() < 0.5:
            return found
        other = [v for v in self.small(type[2]) if v != self.types.first(type[2])]
        keys = self.types.keys((type[1],), self.types.INTS)
        crooked = [D("Map", (m.fields[0], m.fields[1].put(k, v))) for m in found[:20] for k in keys for v in other[:1] if m.fields[0].get(k) is not True]
        return [self.types.canon(m, type) for m in crooked] or found

    def small(self, type):
        return self.types.values(type)

    def may_start(self, team, g, args):
        sequence = Sequence(self.program)
        for p, row in zip(team, args):
            loc = dict(zip([f.name for f in p.ins], row))
            for c in p.clauses:
                if c.what not in ("requires", "preserves"):
                    continue
                try:
                    if c.call:
                        inv = self.program.invariants.get(c.invariant)
                        if inv is None:
                            return False
                        inner = dict(zip(inv.ins, [a(loc, g, g) for a in c.args]))
                        if not all(test(inner, g, g) for test in inv.clauses):
                            return False
                    elif not c.test(loc, g, g):
                        return False
                except Unsure:
                    return False
        return True

    # ---- Runs ----------------------------------------------------------------------------------------------------------------

    def from_start(self, team, g, args):
        layers = range(0, min(p.layer for p in team) + 1)
        together = {n: self.ends(team, g, args, n, False) for n in layers}
        if len(team) == 1 and not any(self.starts_threads(p) for p in team):
            return
        known = {n: o for n, o in together.items() if n in self.checked and o.complete and not o.failable}
        machine = self.ends(team, g, args, 0, True) if known else None
        for n, outcome in known.items():
            free = machine if n == 0 else self.ends(team, g, args, n, True)
            self.compare(free, outcome, n, max(n - 1, 0), "free run")
            self.compare(machine, outcome, n, 0, "machine")

    def starts_threads(self, p):
        """Can more than one thread come of it?"""
        return any(n.kind == "call" and (n.is_async or len(n.arms) > 1) for n in walk(self.program.declarations))

    def ends(self, team, g, args, layer, free):
        sequence = Sequence(self.program)
        machine = Machine(self.program, sequence, layer, free, self.budget)
        ways = [()]
        for p, row in zip(team, args):
            claims = () if free else tuple(c for c in self.first_claims(machine, p, row, g))
            ways = [way + (Thread((f,), claims, root=True),) for way in ways for f in machine.frames_of(p, row, None, g)]
        outcome = None
        for way in ways:
            self.budget.begin(PART)
            outcome = machine.explore(g, way)
        if sequence.inexact:
            outcome.complete = False
        if not outcome.complete:
            self.verdict.doubt("too many states or values")
        return outcome

    def first_claims(self, machine, p, row, g):
        if p.mover and p.layer == machine.layer:
            return []
        return machine.entry(p, row, g)

    def compare(self, free, together, n, low, what):
        """Every end of a free run must be one of a cooperative run."""
        kept = [x.name for x in self.program.globals if x.low <= low and x.high >= n and (x.low < n or n == 0)]
        project = lambda final: (tuple((k, v) for k, v in final[0] if k in kept), final[1])
        allowed = {project(f) for f in together.finals}
        for final in free.finals:
            if project(final) not in allowed:
                raise Found(f"{what} ends differently", "", f"{n}: {project(final)} is none of {sorted(map(str, allowed))[:3]}, and")
        # Who is done while others are stuck has results that it can have: what the others have begun can be finished or left.
        for some in free.partial:
            if any(some) and not any(all(r is None or r == t for r, t in zip(some, whole)) for whole in together.partial):
                raise Found(f"{what}: results", "", f"{n}: {some} is impossible, and")
        if free.failures:
            raise Found(f"{what}: gate fails", "", n)
