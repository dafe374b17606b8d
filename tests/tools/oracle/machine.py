"""What a program means: all runs of a few threads, and whether its refined actions allow them."""
import itertools

from program import FAIL, replace, run_action, value

# Small initial values, the largest value, the most states of one exploration, the most initial states.
INTS, LIMIT, STATES, STARTS = (0, 1, 2), 9, 8_000, 12


# ---- The machine: all runs ---------------------------------------------------------------------------------------

class TooMany(Exception):
    pass


class Machine:
    """Threads are (continuation, locals). A continuation is a tuple of statements of bodies without calls of procedures
    that have a body (they are copied in); `(par, arms)` runs its arms side by side."""

    def __init__(self, program):
        self.program, self.fresh = program, itertools.count()
        self.shared = [g.name for g in program.globals]

    def inline(self, callee, arguments, outs, me):
        """The statements of a call; `arguments` and `outs` in names of the thread."""
        if callee.body is None:
            return (("step", callee.action, callee.action_locals, tuple(zip(callee.ins, arguments)), tuple(zip(callee.outs, outs)), me if callee.me else None),)
        tag = next(self.fresh)
        by = {name: f"{name}#{tag}" for name in (*callee.ins, *callee.outs, *callee.locals)}
        if callee.me:
            by["me"] = f"me#{tag}"
        start = [("set", by[name], argument) for name, argument in zip(callee.ins, arguments)]
        start += [("set", by["me"], me)] if callee.me else []
        start += [("set", by[name], 0) for name in (*callee.outs, *callee.locals)]
        end = [("set", out, by[name]) for name, out in zip(callee.outs, outs)]
        return tuple(start) + self.copy(callee.body, by) + tuple(end)

    def copy(self, body, by):
        done = []
        for kind, *rest in body:
            if kind == "call":
                callee, arguments, outs, holder = rest
                done += self.inline(callee, [replace(a, by) for a in arguments], [by[o] for o in outs], by.get(holder))
            elif kind == "par":
                arms = tuple(self.inline(c, [replace(a, by) for a in args], [by[o] for o in outs], by.get(holder)) for _, c, args, outs, holder in rest[0])
                done.append(("par", arms))
            elif kind == "async":
                done.append(("async", self.inline(rest[0], [replace(a, by) for a in rest[1]], (), by.get("me"))))
            elif kind in ("set", "assert"):
                done.append((kind, replace(rest[0], by)) + ((replace(rest[1], by),) if kind == "set" else ()))
            elif kind == "if":
                done.append(("if", None if rest[0] is None else replace(rest[0], by), self.copy(rest[1], by), self.copy(rest[2], by)))
            elif kind == "while":
                done.append(("while", None if rest[0] is None else replace(rest[0], by), self.copy(rest[3], by)))
        return tuple(done)

    def steps(self, work, env, shared):
        """Ways to go on: (rest, environment, shared, threads started), or FAIL."""
        if not work:
            return
        (kind, *rest), later = work[0], work[1:]
        if kind == "set":
            yield later, {**env, rest[0]: value(rest[1], env)}, shared, ()
        elif kind == "assert":
            yield (later, env, shared, ()) if value(rest[0], env) else FAIL
        elif kind == "if":
            ways = (rest[1], rest[2]) if rest[0] is None else ((rest[1],) if value(rest[0], env) else (rest[2],))
            for way in ways:
                yield way + later, env, shared, ()
        elif kind == "while":
            if rest[0] is None or not value(rest[0], env):
                yield later, env, shared, ()
            if rest[0] is None or value(rest[0], env):
                yield rest[1] + work, env, shared, ()
        elif kind == "async":
            yield later, env, shared, ((rest[0], tuple(sorted(env.items()))),)
        elif kind == "par":
            arms = rest[0]
            if not any(arms):
                yield later, env, shared, ()
            for nth, arm in enumerate(arms):
                for way in self.steps(arm, env, shared):
                    if way == FAIL:
                        yield FAIL
                        continue
                    more, env2, shared2, started = way
                    yield (("par", arms[:nth] + (more,) + arms[nth + 1:]),) + later, env2, shared2, started
        elif kind == "step":
            body, locals, ins, outs, me = rest
            local = {**{name: 0 for name in locals}, **shared, **{name: value(a, env) for name, a in ins}, **{name: 0 for name, _ in outs}}
            if me is not None:
                local["me"] = value(me, env)
            for end in run_action(body, local):
                if end == FAIL:
                    yield FAIL
                else:
                    yield later, {**env, **{out: end[name] for name, out in outs}}, {g: end[g] for g in shared}, ()

    def explore(self, threads, shared, results):
        """Final states (shared, results of the threads) and whether something fails."""
        freeze = lambda work, env: (work, tuple(sorted(env.items())))
        start = (tuple(sorted(shared.items())), tuple(freeze(*t) for t in threads))
        seen, stack, finals, failed = {start}, [start], set(), False
        while stack:
            shared_items, frozen = stack.pop()
            if all(not work for work, _ in frozen):
                envs = [dict(env) for _, env in frozen]
                finals.add((shared_items, tuple(envs[nth].get(name) for nth, name in results)))
            for nth, (work, env) in enumerate(frozen):
                for way in self.steps(work, dict(env), dict(shared_items)):
                    if way == FAIL:
                        failed = True
                        continue
                    more, env2, shared2, started = way
                    if any(abs(v) > LIMIT for v in (*shared2.values(), *env2.values())):
                        continue
                    after = (tuple(sorted(shared2.items())), frozen[:nth] + (freeze(more, env2),) + frozen[nth + 1:] + tuple(started))
                    if after not in seen:
                        seen.add(after)
                        if len(seen) > STATES:
                            raise TooMany
                        stack.append(after)
        return finals, failed

    def wrong(self, rng):
        """A run of the program that its proof excludes, in words; None if there is none among those tried."""
        entries = self.program.entries()
        teams = list(itertools.combinations_with_replacement(entries, 2))
        rng.shuffle(teams)
        teams = teams[:4] + ([tuple(rng.choice(entries) for _ in range(3))] if rng.random() < 0.3 else [])
        visible = {g.name for g in self.program.globals if g.high > self.program.top}
        for team in teams:
            for tids in {(1, 2, 3)[:len(team)], (1,) * len(team)}:
                if any(c.me and c.linear for c in team) and len(set(tids)) < len(tids):
                    continue
                # A permission in the box is nobody else's.
                domains = {"bool": (False, True), "int": INTS, "Box": (0, 9)}
                starts = list(itertools.product(*[domains[g.type] for g in self.program.globals]))
                for bits in rng.sample(starts, min(len(starts), STARTS)):
                    shared = dict(zip(self.shared, bits))
                    arguments = [[rng.choice(INTS) for _ in c.ins] for c in team]
                    said = self.judge(team, tids, shared, arguments, visible)
                    if said:
                        return said
        return None

    def judge(self, team, tids, shared, arguments, visible):
        def holds(c, nth):
            env = {**shared, "me": tids[nth], **dict(zip(c.ins, arguments[nth]))}
            return all(value(i.condition, {**shared, "me": tids[nth], **{n: value(a, env) for n, a in zip(i.ins, args)}}) for i, args in c.requires)
        if not all(holds(c, nth) for nth, c in enumerate(team)):
            return None
        low, high, results = [], [], []
        for nth, c in enumerate(team):
            env = {"me": tids[nth], **{f"out{n}": 0 for n in range(len(c.outs))}}
            outs = [f"out{n}" for n in range(len(c.outs))]
            results += [(nth, out) for out in outs] if c.action is not None else []
            low.append((self.inline(c, arguments[nth], outs, "me"), env))
            step = ("step", c.action, c.action_locals, tuple(zip(c.ins, arguments[nth])), tuple(zip(c.outs, outs)), "me")
            high.append(((step,) if c.action is not None else (), env))
        finals, failed = self.explore(low, shared, results)
        above, may_fail = self.explore(high, {g: v for g, v in shared.items() if g in visible}, results)
        if may_fail:
            return None
        where = f"{[c.name for c in team]} with {tids} {arguments} from {shared}"
        if failed:
            return f"{where}: something fails"
        seen = {(tuple((g, v) for g, v in items if g in visible), outs) for items, outs in finals}
        if seen - above:
            return f"{where}: ends in {sorted(seen - above)[0]}, above only {sorted(above)}"
        return None
