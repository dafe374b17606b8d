"""Random programs, and small changes of those that were refused."""
from machine import INTS
from program import Callee, Global, Invariant, Program, action_names, is_permission, replace_body, without


# ---- Making programs ---------------------------------------------------------------------------------------------

class Maker:
    def __init__(self, rng):
        self.rng = rng

    def chance(self, p):
        return self.rng.random() < p

    def program(self):
        rng = self.rng
        p = self.p = Program(rng.choice((1, 1, 2)))
        self.lock, self.box = self.chance(0.6), self.chance(0.35)
        if self.lock:
            p.globals.append(Global("lk", "int", rng.choice((1, 1, p.top, p.top + 1))))
        for nth in range(rng.choice((1, 2, 2))):
            p.globals.append(Global(f"g{nth}", "int", rng.choice((p.top + 1, p.top + 1, p.top, 1))))
        if self.chance(0.3):
            p.globals.append(Global("b", "bool", rng.choice((p.top + 1, 1))))
        if self.box:
            p.globals.append(Global("box", "Box", rng.choice((1, p.top, p.top + 1))))
        for nth in range(rng.choice((0, 1, 2))):
            p.invariants.append(self.invariant(nth))
        for nth in range(rng.choice((2, 3, 4, 5))):
            p.callees.append(self.primitive(nth))
        if self.lock:
            p.callees += [self.acquire(), self.release()]
        if self.box:
            p.callees += [self.put(), self.take()]
        for layer in range(1, p.top + 1):
            for nth in range(rng.choice((1, 1, 2))):
                p.callees.append(self.procedure(f"P{layer}{nth}", layer))
        return p

    def variables(self, layer, type="int"):
        return [g.name for g in self.p.globals if g.high >= layer and g.type == type]

    def expression(self, ints):
        rng = self.rng
        if ints and self.chance(0.6):
            x = rng.choice(ints)
            return rng.choice((x, x, ("+", x, 1), ("-", 1, x)))
        return rng.choice(INTS)

    def condition(self, ints, bools=()):
        rng = self.rng
        if bools and self.chance(0.4):
            return rng.choice((rng.choice(bools), ("!", rng.choice(bools))))
        a = rng.choice(ints) if ints else 0
        simple = (rng.choice(("==", "!=", "<=", "<")), a, self.expression(ints))
        return simple if self.chance(0.8) else (rng.choice(("&&", "||")), simple, ("==", rng.choice(ints) if ints else 1, rng.choice(INTS)))

    def invariant(self, nth):
        rng = self.rng
        layer = rng.randint(1, self.p.top)
        ints, bools = self.variables(layer), self.variables(layer, "bool")
        me = (self.lock and "lk" in ints or self.box) and self.chance(0.6)
        ins = ("n",) if self.chance(0.3) else ()
        own = ("==", "lk", "me") if "lk" in ints else ("!", ("holds", "box", "me")) if "box" in self.variables(layer, "Box") else True
        condition = own if me and self.chance(0.7) else self.condition(ints + ["n"] * len(ins), bools)
        if me and self.chance(0.4):
            condition = ("&&", own, self.condition(ints, bools))
        if ins and self.chance(0.6) and ints:
            condition = ("<=", "n", rng.choice(ints))
        i = Invariant(f"I{nth}", layer, me, ins, condition)
        i.linear = not self.chance(0.05)
        return i

    def layers(self, c, body):
        """Where an action can exist: from 1 to the lowest end of what it mentions."""
        ends = [g.high for g in self.p.globals if g.name in action_names(body)] + [self.p.top]
        c.low, c.high = 1, self.rng.choice((1, min(ends), min(ends)))

    def primitive(self, nth):
        rng = self.rng
        ints, bools = [v for v in self.variables(1) if v != "lk" or self.chance(0.2)], self.variables(1, "bool")
        me = (self.lock or self.box) and self.chance(0.7)
        ins = ("v",) if self.chance(0.4) else ()
        outs = ("r",) if self.chance(0.4) else ()
        c = Callee(f"A{nth}", 0, me, ins, outs)
        c.linear = not self.chance(0.05)
        body = self.statements(ints + list(ins), ints, bools, rng.choice((1, 1, 2)))
        if outs:
            body += (("set", "r", self.expression(ints)),)
        if me and self.box and self.chance(0.3):
            body = (("assert", ("!", ("holds", "box", "me"))),) + body
        elif me and self.lock and self.chance(0.85):
            body = (("assert", ("==", "lk", "me")),) + body
        elif self.chance(0.15):
            body = (("assert", self.condition(ints, bools)),) + body
        c.action = body
        c.mover = rng.choice(("both", "both", "left", "right", "atomic") if me else ("atomic", "atomic", "left", "right", "both"))
        self.layers(c, body)
        return c

    def statements(self, reads, writes, bools, count):
        rng, done = self.rng, ()
        for _ in range(count):
            dice = rng.random()
            if dice < 0.1:
                done += (("assume", self.condition(reads, bools)),)
            elif dice < 0.2:
                done += (("if", None if self.chance(0.4) else self.condition(reads, bools), self.statements(reads, writes, bools, 1), self.statements(reads, writes, bools, rng.choice((0, 1)))),)
            elif bools and dice < 0.35:
                done += (("set", rng.choice(bools), rng.choice((True, False, self.condition(reads, bools)))),)
            elif writes:
                done += (("set", rng.choice(writes), self.expression(reads)),)
        return done

    def acquire(self):
        c = Callee("Acquire", 0, True, (), ())
        c.action = (("assume", ("==", "lk", 0)), ("set", "lk", "me"))
        c.mover = "right" if self.chance(0.9) else self.rng.choice(("atomic", "both", "left"))
        self.layers(c, c.action)
        return c

    def release(self):
        c = Callee("Release", 0, True, (), ())
        c.action = (("set", "lk", 0),) if self.chance(0.05) else (("assert", ("==", "lk", "me")), ("set", "lk", 0))
        c.mover = "left" if self.chance(0.9) else self.rng.choice(("atomic", "both", "right"))
        self.layers(c, c.action)
        return c

    def put(self):
        c = Callee("Put", 0, True, (), ())
        c.consumes = not self.chance(0.1)
        c.action = (("assume", ("empty", "box")),) * (not self.chance(0.2)) + (("set", "box", "me"),)
        return self.finished(c)

    def take(self):
        c = Callee("Take", 0, False, (), ("mine",))
        c.action = (("assume", ("!", ("empty", "box"))), ("set", "mine", "box")) + (("set", "box", 0),) * (not self.chance(0.1))
        return self.finished(c)

    def finished(self, c):
        c.mover = self.rng.choice(("atomic", "atomic", "left", "right", "both"))
        self.layers(c, c.action)
        return c

    def procedure(self, name, layer):
        rng, p = self.rng, self.p
        me = (self.lock or self.box) and self.chance(0.8)
        ins = ("w",) if self.chance(0.3) else ()
        outs = ("s",) if self.chance(0.35) else ()
        c = Callee(name, layer, me, ins, outs)
        c.linear = not self.chance(0.03)
        c.locals = ("t",) + (("mine",) if self.box and self.chance(0.6) else ())
        c.consumes = self.box and self.chance(0.5)
        usable = [k for k in p.callees if (not k.me or me) and ("mine" in c.locals or "mine" not in k.outs) and (k.layer == layer or (k.action is not None and k.low <= layer <= k.high))]
        invariants = [i for i in p.invariants if i.layer == layer and (not i.me or me)]
        if invariants and self.chance(0.4):
            c.requires = tuple((i, self.arguments(i, ins)) for i in rng.sample(invariants, 1))
        if invariants and self.chance(0.3):
            c.ensures = tuple((i, self.arguments(i, ins)) for i in rng.sample(invariants, 1))
        c.body = self.body(c, usable, invariants, rng.choice((1, 2, 3, 4)), 2)
        if me and self.chance(0.7) and any(k.name == "Acquire" for k in usable):
            find = lambda wanted: next((k for k in usable if k.name == wanted), None)
            if find("Release") is not None:
                c.body = (("call", find("Acquire"), (), (), "me"),) + c.body + (("call", find("Release"), (), (), "me"),)
        if self.chance(0.85):
            self.refine(c)
        return c

    def arguments(self, callee, values):
        return tuple(self.expression(list(values)) for _ in callee.ins)

    def body(self, c, usable, invariants, count, depth):
        rng, done = self.rng, ()
        values = self.numbers(c)
        for _ in range(count):
            dice = rng.random()
            if dice < 0.55 and usable:
                k = rng.choice(usable)
                done += (self.call(k, c, values),)
            elif dice < 0.62 and usable:
                arms = [k for k in usable if k.layer == c.layer or k.mover in ("left", "both", "right", "atomic")]
                chosen = [self.call(rng.choice(arms), c, values) for _ in range(2)]
                if not (chosen[0][3] and chosen[1][3]) and not (chosen[0][1].me and chosen[0][1].linear and chosen[1][1].me and chosen[1][1].linear):
                    done += (("par", tuple(chosen)),)
            elif dice < 0.68 and usable:
                k = rng.choice(usable)
                if not k.outs and not (k.me and k.linear):
                    done += (("async", k, self.arguments(k, values), k.layer < c.layer or self.chance(0.5)),)
            elif dice < 0.8 and invariants:
                done += (("yield", tuple((i, self.arguments(i, values)) for i in rng.sample(invariants, 1))),)
            elif dice < 0.86 and depth:
                condition = None if self.chance(0.5) else self.condition(list(values))
                done += (("if", condition, self.body(c, usable, invariants, 1, depth - 1), self.body(c, usable, invariants, rng.choice((0, 1)), depth - 1)),)
            elif dice < 0.92 and depth:
                kept = tuple((i, self.arguments(i, c.ins)) for i in invariants if self.chance(0.4))
                yields = self.chance(0.7)
                done += (("while", None, yields, kept if yields else (), self.body(c, usable, invariants, rng.choice((1, 2)), depth - 1)),)
            elif dice < 0.97:
                done += (("set", rng.choice([v for v in values if v not in c.ins]), self.expression(list(values))),)
            else:
                done += (("assert", self.condition(list(values)), rng.randint(1, c.layer)),)
        return done

    def numbers(self, c):
        return tuple(name for name in (*c.ins, *c.outs, *c.locals) if not is_permission(name))

    def call(self, k, c, values):
        settable = [v for v in values if v not in c.ins]
        outs = tuple("mine" if out == "mine" else self.rng.choice(settable) for out in k.outs)
        holder = "mine" if "mine" in c.locals and self.chance(0.4) else "me"
        return ("call", k, self.arguments(k, values), outs, holder)

    def refine(self, c):
        """An action for a procedure: some of its calls one after the other, without what is hidden above."""
        rng, above = self.rng, c.layer + 1
        gone = {g.name for g in self.p.globals if g.high < above}
        body, locals = (), tuple(c.locals)
        chosen = [s for s in c.body if s[0] in ("call", "set", "if")]
        if len(chosen) > 1 and self.chance(0.3):
            chosen.remove(rng.choice(chosen))
        body, locals = self.flat(chosen, locals)
        asserts = [s for s in body if s[0] == "assert"]
        body = without(tuple(s for s in body if s[0] != "assert"), gone)
        if not c.me:
            body = without(body, {"me"})
        if asserts and self.chance(0.5):
            body = without((rng.choice(asserts),), gone | (set() if c.me else {"me"}) | set(locals)) + body
        if self.chance(0.15) and body:
            nth = rng.randrange(len(body))
            body = body[:nth] + body[nth + 1:]
        if self.chance(0.1):
            body = (("if", None, body, ()),)
        # Parameters cannot be assigned; values that were never set are 0 in the machine and anything in the language.
        body = tuple(("set", name, 0) for name in (*c.outs, *locals) if not is_permission(name)) + body
        if not any(s[:1] == ("set",) and s[2] == 0 for s in c.body[:1]):
            c.body = tuple(("set", name, 0) for name in self.numbers(c) if name not in c.ins) + c.body
        c.action, c.action_locals, c.low = body, locals, above
        ends = [g.high for g in self.p.globals if g.name in action_names(body)] + [self.p.top + 1]
        c.high = min(ends)
        c.mover = rng.choice(("atomic", "atomic", "atomic", "both", "left", "right")) if above <= self.p.top else "atomic"

    def flat(self, statements, locals):
        body = ()
        for kind, *rest in statements:
            if kind == "set":
                body += (("set", rest[0], rest[1]),)
            elif kind == "if":
                then, locals = self.flat(rest[1], locals)
                other, locals = self.flat(rest[2], locals)
                body += (("if", rest[0], then, other),)
            elif kind == "call" and rest[0].action is not None:
                k, arguments, outs, holder = rest
                tag = f"_{len(locals)}"
                by = {name: name + tag for name in (*k.ins, *k.outs, *k.action_locals)}
                locals += tuple(by.values())
                by["me"] = holder
                body += tuple(("set", by[name], a) for name, a in zip(k.ins, arguments))
                body += tuple(("set", by[name], 0) for name in (*k.outs, *k.action_locals) if not is_permission(name))
                body += replace_body(k.action, by)
                body += tuple(("set", out, by[name]) for name, out in zip(k.outs, outs))
        return body, locals


class Mender:
    """Changes a refused program a little, near what was refused, so that it may be accepted: that is where mistakes hide."""

    MOVER = {"commutativity", "failure-preservation", "gate-preservation", "nonblocking"}
    WEAKER = {"both": ("left", "right", "atomic"), "left": ("atomic",), "right": ("atomic",), "atomic": ("atomic",)}

    def __init__(self, program, rng):
        self.program, self.rng, self.maker = program, rng, Maker(rng)
        self.maker.p = program
        self.maker.lock, self.maker.box = (any(g.name == name for g in program.globals) for name in ("lk", "box"))

    def mend(self, problems):
        for d in problems:
            at = [c for c in self.program.callees if c.line <= d["line"]]
            if at:
                self.repair(d["code"], at[-1])
            elif self.program.invariants:
                self.rng.choice(self.program.invariants).condition = True

    def repair(self, code, c):
        rng = self.rng
        if code in self.MOVER:
            if rng.random() < 0.15 and c.action:
                c.action = tuple(s for s in c.action if s[0] != "assume")
            elif rng.random() < 0.5:
                c.mover = rng.choice(self.WEAKER[c.mover])
        elif c.body is None:
            pass
        elif code.startswith("linear"):
            self.linear(c)
        elif code == "refinement":
            self.refinement(c)
        elif code in ("noninterference", "precondition", "postcondition"):
            if rng.random() < 0.5 and self.program.invariants:
                rng.choice(self.program.invariants).condition = True
            else:
                c.ensures = ()
        elif code == "gate":
            self.gate(c)
        elif code == "assertion":
            c.body = self.drop(c.body, lambda s: s[0] == "assert")
        elif code == "yield-sufficiency" or code == "loop-must-yield":
            c.body = self.with_yield(c.body, c)
        else:
            c.body = self.drop(c.body, lambda s: s[0] in ("par", "async", "while"))

    def refinement(self, c):
        dice = self.rng.random()
        if dice < 0.3:
            c.body = self.with_yield(c.body, c)
        elif dice < 0.6:
            calls = [s for s in c.body if s[0] == "call"]
            if calls:
                gone = self.rng.choice(calls)
                c.body = tuple(s for s in c.body if s is not gone)
        else:
            self.maker.refine(c)

    def linear(self, c):
        if self.rng.random() < 0.3:
            c.consumes = not c.consumes
        else:
            calls = [s for s in c.body if s[0] in ("call", "par", "yield")]
            gone = self.rng.choice(calls) if calls else None
            c.body = tuple(s for s in c.body if s is not gone)

    def gate(self, c):
        for k in self.program.callees:
            if self.rng.random() < 0.3 and k.action:
                k.action = tuple(s for s in k.action if s[0] != "assert")
        if self.rng.random() < 0.3:
            c.body = tuple(s for s in c.body if s[0] != "yield")

    def drop(self, body, bad):
        return tuple(s for s in body if not bad(s))

    def with_yield(self, body, c):
        fitting = [i for i in self.program.invariants if i.layer == c.layer and (not i.me or c.me)]
        if not fitting:
            fitting = [Invariant(f"I{len(self.program.invariants)}", c.layer, False, (), True)]
            self.program.invariants += fitting
        i = self.rng.choice(fitting)
        point = ("yield", ((i, self.maker.arguments(i, self.maker.numbers(c))),))
        nested = [nth for nth, s in enumerate(body) if s[0] in ("while", "if")]
        if nested and self.rng.random() < 0.5:
            nth = self.rng.choice(nested)
            s = body[nth]
            inner = self.with_yield(s[4], c) if s[0] == "while" else self.with_yield(s[2], c)
            s = s[:4] + (inner,) if s[0] == "while" else s[:2] + (inner, s[3])
            return body[:nth] + (s,) + body[nth + 1:]
        nth = self.rng.randint(0, len(body))
        return body[:nth] + (point,) + body[nth:]
