"""Code that nobody interrupts: actions, lemmas, ordinary procedures, primitives.

`Sequence.run` gives all ends of a piece of code: (locals, globals), or `Failure`. What is assumed without proof (`Assume`, free
clauses, `where`, lemmas without body) is a claim here: under `--strict` nothing false may be believed.
"""
from evaluate import updated
from program import NATIVE
from tree import names_in
from values import D, DEFAULT, FMap, Unsure

# The most ends of one piece of code, and the most instructions of one way through it.
WAYS, STEPS = 400, 3000
# Procedures that call each other so deeply are followed no further.
DEPTH = 12


class Failure:
    """Something claimed is false. `gate`: an assertion of an action, which its caller must establish."""

    def __init__(self, what, gate=False):
        self.what, self.gate = what, gate

    def __repr__(self):
        return f"Failure({self.what})"


class Sequence:
    def __init__(self, program):
        self.program, self.types, self.evaluator = program, program.types, program.evaluator
        self.compiled, self.inexact, self.hints, self.calls, self.depth = {}, False, (), 0, 0
        self.fresh = {}

    def fn(self, e):
        """The computation of an expression, made once."""
        f = self.compiled.get(id(e))
        if f is None:
            f = self.compiled[id(e)] = (self.evaluator.compile(e), e)
        return f[0]

    # ---- Variables -----------------------------------------------------------------------------------------------------

    def type_in(self, formal_type, loc):
        by = {k[1:-1]: t for k, t in loc.items() if k[:1] == "<"}
        return self.types.put(formal_type, by) if by else formal_type

    def store(self, loc, g, name, value, code):
        """Locals and globals after `name := value`."""
        if name in code.variables:
            if isinstance(value, (D, FMap)) or value is DEFAULT:
                value = self.types.canon(value, self.type_in(self.types.of(code.variables[name].type), loc))
            return {**loc, name: value}, g
        formal = self.program.by_name.get(name)
        if formal is None:
            raise Unsure(f"variable {name}")
        if not formal.plain:
            value = self.types.canon(value, formal.type)
        return loc, {**g, name: value}

    def assign(self, loc, g, old, pairs, code):
        """All left sides of one assignment, each a path into a variable."""
        found = [(left, right) for left, right in pairs]
        for left, value in found:
            value = self.through(left, value, (loc, g, old))
            loc, g = self.store(loc, g, root(left), value, code)
        return loc, g

    def through(self, left, value, at):
        """The new value of the variable at the root of a path."""
        while left.kind != "var":
            if left.kind == "sel":
                whole, inner = self.fn(left.m)(*at), left.m
                keys = [self.fn(i)(*at) for i in left.index]
                if not isinstance(whole, FMap):
                    raise Unsure("map")
                value = whole.put(keys[0] if len(keys) == 1 else tuple(keys), value)
            elif left.kind == "field":
                whole, inner = self.fn(left.e)(*at), left.e
                value = updated(whole, left.name, value, self.types)
            else:
                raise Unsure("path")
            left = inner
        return value

    def any_value(self, type):
        """All values, or some and the note that there are more."""
        if not self.types.finite(type):
            self.inexact = True
        found = self.types.values(type, tuple(sorted({*self.types.INTS, *self.hints})))
        self.types.budget.spend(len(found) * 0.1)
        return found

    # ---- Instructions --------------------------------------------------------------------------------------------------

    def run(self, code, loc, g, old, gate):
        """All ends of a body, as (locals, globals) or Failure. `gate`: failures are those of an action."""
        ends, stack, seen, steps = [], [(0, loc, g)], set(), 0
        while stack:
            at, loc, g = stack.pop()
            instr = code.instrs[at]
            steps += 1
            self.types.budget.spend(0.3)
            if steps > STEPS or len(ends) > WAYS:
                raise Unsure("too many ways")
            if instr.op == "return":
                ends.append((loc, g))
                continue
            if instr.op == "head":
                key = (at, tuple(loc.values()), tuple(g.values()))
                if key in seen:
                    continue
                seen.add(key)
            for after in self.step(instr, code, loc, g, old, gate):
                if isinstance(after, Failure):
                    ends.append(after)
                else:
                    stack += [(n, *after) for n in instr.next]
        return ends

    def step(self, instr, code, loc, g, old, gate):
        """(locals, globals) after one instruction, in all ways."""
        op, s = instr.op, instr.data
        if op in ("nop", "head"):
            return [(loc, g)]
        if op == "assign":
            values = [self.fn(r)(loc, g, old) for r in s.right]
            return [self.assign(loc, g, old, list(zip(s.left, values)), code)]
        if op == "assume":
            return [(loc, g)] if self.fn(s.e)(loc, g, old) else []
        if op == "assert":
            try:
                holds = self.fn(s.e)(loc, g, old)
            except Unsure:
                holds = True
            what = "free invariant" if s.parts.get("free") else "assert"
            return [(loc, g)] if holds else [Failure(what, gate)]
        if op == "havoc":
            return self.havoc(s.names, loc, g, code)
        if op == "unpack":
            return self.unpack(s, code, loc, g, old, gate)
        if op == "call":
            return self.call(s, code, loc, g, old, gate)
        raise Unsure(op)

    def havoc(self, names, loc, g, code):
        ways = [(loc, g)]
        for name in names:
            f = code.variables.get(name)
            type = self.type_in(self.types.of(f.type), loc) if f is not None else self.program.by_name[name].type
            where = f.where if f is not None else self.program.by_name[name].where
            ways = [self.store(l, h, name, v, code) for l, h in ways for v in self.any_value(type)]
            if len(ways) > WAYS:
                raise Unsure("too many ways")
            if where is not None:
                ways = [(l, h) for l, h in ways if self.fn(where)(l, h, h)]
        return ways

    def unpack(self, s, code, loc, g, old, gate):
        value = self.fn(s.e)(loc, g, old)
        if not isinstance(value, D):
            raise Unsure("unpack")
        if value.ctor != s.name:
            return [Failure("unpack", gate)]
        for name, part in zip(s.names, value.fields):
            loc, g = self.store(loc, g, name, part, code)
        return [(loc, g)]

    # ---- Calls ---------------------------------------------------------------------------------------------------------

    def call(self, s, code, loc, g, old, gate):
        ways = [(loc, g)]
        for arm in s.arms:
            after = []
            for way in ways:
                if isinstance(way, Failure):
                    after.append(way)
                else:
                    after += self.arm(arm, s.free, code, *way, old, gate)
            ways = after
        return ways

    def arm(self, arm, free, code, loc, g, old, gate):
        """One call of something that is not interrupted."""
        if arm.name in NATIVE and arm.name not in self.program.procedures:
            return self.native(arm, code, loc, g, old, gate)
        args = [self.fn(a)(loc, g, old) for a in arm.args]
        found = []
        if arm.name in self.program.actions:
            ends = self.action(self.program.actions[arm.name], args, g)
        elif arm.name in self.program.procedures:
            ends = self.procedure(self.program.procedures[arm.name], args, g, free)
        else:
            raise Unsure(f"call of {arm.name}")
        for end in ends:
            if isinstance(end, Failure):
                found.append(Failure(end.what, gate and end.gate))
                continue
            outs, h = end
            l = loc
            for name, value in zip(arm.outs, outs):
                l, h = self.store(l, h, name, value, code)
            found.append((l, h))
        return found

    def action(self, a, args, g):
        """Ends of an action: (outs, globals) or Failure."""
        loc = dict(zip(a.code.ins, args))
        found = []
        for test in a.asserts:
            if not test(loc, g, g):
                return [Failure("asserts", True)]
        for start in self.starts(a.code, loc):
            for end in self.run(a.code, start, g, g, True):
                found.append(end if isinstance(end, Failure) else (tuple(end[0][o] for o in a.code.outs), end[1]))
        return found

    def starts(self, code, loc):
        """Values of results and locals at the start: those that are read before they are set can be anything."""
        needed = self.unset(code)
        ways = [loc]
        for name in [*code.outs, *code.locals]:
            type = self.type_in(self.types.of(code.variables[name].type), loc)
            values = self.any_value(type) if name in needed else [self.types.first(type)]
            if len(ways) * len(values) > WAYS:
                raise Unsure("too many ways")
            ways = [{**l, name: v} for l in ways for v in values]
        return [l for l in ways if self.fits(code, l)]

    def fits(self, code, loc):
        """Do the first values of results and locals satisfy their where clauses?"""
        wheres = [code.variables[n].where for n in [*code.outs, *code.locals] if code.variables[n].where is not None and n in self.unset(code)]
        return all(self.holds(self.fn(w), loc, {}, {}) for w in wheres if not names_in(w) & self.program.global_names)

    def unset(self, code):
        """Names that may be read, or returned, before they are set."""
        known = self.fresh.get(id(code))
        if known is None:
            known = self.fresh[id(code)] = (unset_names(code), code)
        return known[0]

    def procedure(self, p, args, g, free=False, first=False):
        """Ends of a lemma or ordinary procedure, with its contract as claims; deep recursion is left out."""
        self.calls += 1
        if self.calls > 200:
            raise Unsure("many calls")
        if self.depth == DEPTH:
            self.inexact = True
            return []
        self.depth += 1
        try:
            return self.ends_of(p, args, g, free, first)
        finally:
            self.depth -= 1

    def ends_of(self, p, args, g, free, first):
        loc = dict(zip([f.name for f in p.ins], args))
        if p.params:
            loc.update(self.evaluator.type_arguments(p.node, args))
        for c in p.clauses:
            if c.what == "requires" and not c.call and not self.holds(c.test, loc, g, g):
                return [Failure("free call" if free else c.label)]
        if not p.bodies:
            return self.promised(p, loc, g)
        found = []
        for code in p.bodies:
            inner = dict(zip(code.ins, args))
            inner.update({k: v for k, v in loc.items() if k[:1] == "<"})
            inner.update(self.renamed_types(p, code, loc))
            for start in self.starts(code, inner):
                for end in self.run(code, start, g, g, False):
                    found.append(end if isinstance(end, Failure) else self.ensured(p, code, loc, end, g, first))
        return found

    def renamed_types(self, p, code, loc):
        """An implementation may name the type parameters differently: they are paired by position."""
        theirs = getattr(code, "params", None)
        return {f"<{b}>": loc[f"<{a}>"] for a, b in zip(p.params, theirs) if f"<{a}>" in loc} if theirs else {}

    def ensured(self, p, code, loc, end, old, first):
        """The end of a body with its contract; what a `where` of a result or a free clause says is believed by callers only."""
        inner, g = end
        outs = tuple(inner[o] for o in code.outs)
        at = {**loc, **dict(zip([f.name for f in p.outs], outs))}
        for f in p.outs if not first else []:
            if f.where is not None and not self.holds(self.fn(f.where), at, g, old):
                return Failure("where")
        for c in p.clauses:
            if c.what == "ensures" and not c.call and not (first and c.free) and not self.holds(c.test, at, g, old):
                return Failure(c.label)
        return outs, g

    def promised(self, p, loc, g):
        """A procedure without body does anything that its contract allows; if that is nothing, the promise is false."""
        ways = [(loc, g)]
        for f in p.outs:
            type = self.type_in(f.type, loc)
            ways = [({**l, f.name: v}, h) for l, h in ways for v in self.any_value(type)]
            if len(ways) > WAYS:
                raise Unsure("too many ways")
        for name in p.modifies:
            ways = [(l, {**h, name: v}) for l, h in ways for v in self.any_value(self.program.by_name[name].type)]
        found = []
        for l, h in ways:
            if all(self.holds(c.test, l, h, g) for c in p.clauses if c.what == "ensures" and not c.call):
                found.append((tuple(l[f.name] for f in p.outs), h))
        if not found and not self.inexact:
            return [Failure("promise")]
        return found

    def holds(self, test, loc, g, old):
        try:
            return test(loc, g, old)
        except Unsure:
            return True

    # ---- Primitives ----------------------------------------------------------------------------------------------------

    def native(self, arm, code, loc, g, old, gate):
        at = (loc, g, old)
        if arm.name == "Copy":
            return [self.put_outs(arm, [self.fn(arm.args[0])(*at)], code, loc, g)]
        if arm.name in ("Assume", "Assert"):
            holds = self.holds(self.fn(arm.args[0]), *at)
            return [(loc, g)] if holds else [Failure(arm.name, gate and arm.name == "Assert")]
        if arm.name == "Move":
            u, v = (self.fn(a)(*at) for a in arm.args)
            return [(loc, g)] if u == v else [Failure("Move", gate)]
        if arm.name == "Map_MakeEmpty":
            empty = D("Map", (FMap(False, {}), FMap(DEFAULT, {})))
            return [self.put_outs(arm, [empty], code, loc, g)]
        if arm.name in ("Loc_New", "Tag_New", "Tags_New"):
            raise Unsure(arm.name)
        if not self.path_exists(arm.args[0], at):
            return [Failure("path", gate)]
        whole = self.fn(arm.args[0])(*at)
        more = [self.fn(a)(*at) for a in arm.args[1:]]
        done = PRIMITIVE[arm.name](whole, *more)
        if done is None:
            return [Failure(arm.name, gate)]
        if done is BLOCKED:
            return []
        new, outs = done
        if new is not whole:
            loc, g = self.assign(loc, g, old, [(arm.args[0], new)], code)
        return [self.put_outs(arm, outs, code, loc, g)]

    def put_outs(self, arm, values, code, loc, g):
        for name, value in zip(arm.outs, values):
            loc, g = self.store(loc, g, name, value, code)
        return loc, g

    def path_exists(self, e, at):
        """`m->val[k]` needs k in the domain of m; `d->f` a constructor that has f."""
        if e.kind == "sel":
            if e.m.kind == "field" and e.m.name == "val":
                m = self.fn(e.m.e)(*at)
                if isinstance(m, D) and m.ctor == "Map" and m.fields[0].get(self.fn(e.index[0])(*at)) is not True:
                    return False
            return self.path_exists(e.m, at)
        if e.kind == "field":
            value = self.fn(e.e)(*at)
            return isinstance(value, D) and e.name in self.types.ctors[value.ctor][1] and self.path_exists(e.e, at)
        return True


BLOCKED = object()


def entry(m):
    return m.fields


def remade(dom, val):
    return D("Map", (dom, val))


def one_get(m, k):
    dom, val = entry(m)
    return (remade(dom.put(k, False), val), []) if dom.get(k) is True else None


def one_put(m, k):
    dom, val = entry(m)
    return remade(dom.put(k, True), val), []


def map_get(m, k):
    dom, val = entry(m)
    return (remade(dom.put(k, False), val.put(k, DEFAULT)), [val.get(k)]) if dom.get(k) is True else None


def map_put(m, k, v):
    dom, val = entry(m)
    if isinstance(k, D) and k.ctor == "One" and dom.get(k) is True:
        return BLOCKED
    return remade(dom.put(k, True), val.put(k, v)), []


def map_split(m, keys):
    dom, val = entry(m)
    if keys.default is not False:
        raise Unsure("infinite set")
    chosen = [k for k, inside in keys.items.items() if inside is True]
    if any(dom.get(k) is not True for k in chosen):
        return None
    part = remade(FMap(False, {k: True for k in chosen}), FMap(DEFAULT, {k: val.get(k) for k in chosen}))
    for k in chosen:
        dom, val = dom.put(k, False), val.put(k, DEFAULT)
    return remade(dom, val), [part]


def map_join(m, part):
    dom, val = entry(m)
    for k, inside in part.fields[0].items.items():
        if inside is True:
            val = val if dom.get(k) is True else val.put(k, part.fields[1].get(k))
            dom = dom.put(k, True)
    return remade(dom, val), []


PRIMITIVE = {
    "One_Get": one_get, "One_Put": one_put, "Map_Get": map_get, "Map_Put": map_put, "Map_Split": map_split, "Map_Join": map_join,
    "Path_Load": lambda path: (path, [path]), "Path_Store": lambda path, value: (value, []),
}


def root(left):
    while left.kind != "var":
        left = left.m if left.kind == "sel" else left.e
    return left.name


def unset_names(code):
    """Must-assignment, forwards: what is read or returned while it may not be set."""
    all_names = set(code.outs) | set(code.locals)
    state, work, needed = {0: set(code.ins)}, [0], set()
    while work:
        at = work.pop()
        instr, known = code.instrs[at], state[at]
        reads, writes = effects(instr, names_in)
        if instr.op == "return":
            needed |= set(code.outs) - known
        needed |= (reads & all_names) - known
        after = known | writes
        for n in instr.next:
            before = state.get(n)
            new = after if before is None else before & after
            if before is None or new != before:
                state[n] = new
                work.append(n)
    return needed


def effects(instr, names_in):
    s = instr.data
    if instr.op == "assign":
        whole = {l.name for l in s.left if l.kind == "var"}
        inner = [l for l in s.left if l.kind != "var"]
        return names_in([s.right, inner]), whole
    if instr.op in ("assume", "assert"):
        return names_in(s.e), set()
    if instr.op == "havoc":
        return set(), set(s.names)
    if instr.op == "unpack":
        return names_in(s.e), set(s.names)
    if instr.op == "call":
        return names_in([a.args for a in s.arms]), {o for a in s.arms for o in a.outs}
    return set(), set()
