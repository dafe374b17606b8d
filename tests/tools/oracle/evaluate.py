"""Expressions as computations: `compile(e)` gives f(locals, globals, old globals)."""
import itertools

from library import equal, functions
from tree import walk
from values import D, FMap, Unsure

# How deep functions may call functions before nobody waits for an answer.
DEPTH = 60


class Evaluator:
    def __init__(self, types, declarations):
        self.types = types
        self.functions = functions(types)
        self.defined = {d.name: d for d in declarations if d.kind == "function"}
        self.globals = {d.name for d in declarations if d.kind == "var"}
        self.constants, self.depth, self.bodies = {}, 0, {}
        self.applied = set()

    def compile(self, e):
        return getattr(self, "on_" + e.kind)(e)

    def condition(self, e):
        """A computation of a truth value; None if it is always true."""
        return None if e.kind == "lit" and e.value is True else self.compile(e)

    # ---- Names -------------------------------------------------------------------------------------------------------

    def on_lit(self, e):
        value = e.value
        return lambda l, g, o: value

    def on_text(self, e):
        raise Unsure("string")

    def on_var(self, e):
        name, constants = e.name, self.constants
        if name in self.globals:
            return lambda l, g, o: l[name] if name in l else g[name]

        def look(l, g, o):
            if name in l:
                return l[name]
            if name in constants:
                return constants[name]
            raise Unsure(f"value of {name}")
        return look

    def on_old(self, e):
        inner = self.compile(e.e)
        return lambda l, g, o: inner(l, o, o)

    # ---- Operators ---------------------------------------------------------------------------------------------------

    def on_un(self, e):
        inner = self.compile(e.e)
        return (lambda l, g, o: not inner(l, g, o)) if e.op == "!" else (lambda l, g, o: -inner(l, g, o))

    def on_bin(self, e):
        a, b, op, types = self.compile(e.a), self.compile(e.b), e.op, self.types
        if op == "&&":
            return lambda l, g, o: both(a, b, l, g, o)
        if op == "||":
            return lambda l, g, o: not both(lambda *s: not a(*s), lambda *s: not b(*s), l, g, o)
        if op == "==>":
            return lambda l, g, o: not both(a, lambda *s: not b(*s), l, g, o)
        if op in ("==", "<==>"):
            return lambda l, g, o: equal(a(l, g, o), b(l, g, o), types)
        if op == "!=":
            return lambda l, g, o: not equal(a(l, g, o), b(l, g, o), types)
        if op == "+":
            return lambda l, g, o: number(a(l, g, o)) + number(b(l, g, o))
        if op == "-":
            return lambda l, g, o: number(a(l, g, o)) - number(b(l, g, o))
        if op == "*":
            return lambda l, g, o: number(a(l, g, o)) * number(b(l, g, o))
        if op in ("div", "mod"):
            return lambda l, g, o: divided(a(l, g, o), b(l, g, o), op)
        if op in ("<", "<=", ">", ">="):
            compare = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}[op]
            return lambda l, g, o: compare(number(a(l, g, o)), number(b(l, g, o)))
        raise Unsure(f"operator {op}")

    def on_ite(self, e):
        c, a, b = self.compile(e.c), self.compile(e.a), self.compile(e.b)
        return lambda l, g, o: a(l, g, o) if c(l, g, o) else b(l, g, o)

    def on_cast(self, e):
        return self.compile(e.e)

    # ---- Maps and datatypes --------------------------------------------------------------------------------------------

    def key(self, index):
        parts = [self.compile(i) for i in index]
        if len(parts) == 1:
            return parts[0]
        return lambda l, g, o: tuple(p(l, g, o) for p in parts)

    def on_sel(self, e):
        m, key = self.compile(e.m), self.key(e.index)
        return lambda l, g, o: fmap(m(l, g, o)).get(key(l, g, o))

    def on_store(self, e):
        m, key, value = self.compile(e.m), self.key(e.index), self.compile(e.value)
        return lambda l, g, o: fmap(m(l, g, o)).put(key(l, g, o), value(l, g, o))

    def on_field(self, e):
        inner, name, types = self.compile(e.e), e.name, self.types
        return lambda l, g, o: field(inner(l, g, o), name, types)

    def on_update(self, e):
        inner, name, value, types = self.compile(e.e), e.name, self.compile(e.value), self.types
        return lambda l, g, o: updated(inner(l, g, o), name, value(l, g, o), types)

    def on_is(self, e):
        inner, name = self.compile(e.e), e.name
        return lambda l, g, o: datum(inner(l, g, o)).ctor == name

    def on_app(self, e):
        name, args = e.name, [self.compile(a) for a in e.args]
        if name in self.defined:
            return self.user_function(self.defined[name], args)
        if name in self.types.ctors:
            return lambda l, g, o: D(name, tuple(a(l, g, o) for a in args))
        if name in self.functions:
            computed = self.functions[name]
            return lambda l, g, o: computed(*[a(l, g, o) for a in args])
        raise Unsure(f"function {name}")

    def user_function(self, d, args):
        names, mine = [f.name for f in d.ins], self

        def call(l, g, o):
            if d.body is None:
                raise Unsure(f"function {d.name} without definition")
            if d.name not in mine.bodies:
                mine.bodies[d.name] = mine.compile(d.body)
            values = [a(l, g, o) for a in args]
            inner = dict(zip(names, values))
            if d.params:
                inner.update(mine.type_arguments(d, values))
            mine.depth += 1
            try:
                if mine.depth > DEPTH:
                    raise Unsure("deep recursion")
                return mine.bodies[d.name](inner, {}, {})
            finally:
                mine.depth -= 1
        return call

    def type_arguments(self, d, values):
        """`<T>` -> type, for the type parameters of a function or procedure."""
        by = {}
        for f, value in zip(d.ins, values):
            self.types.match(self.types.of(f.type), value, set(d.params), by)
        return {f"<{name}>": type for name, type in by.items()}

    # ---- Binders -----------------------------------------------------------------------------------------------------

    def on_let(self, e):
        names, values, body = e.names, [self.compile(v) for v in e.values], self.compile(e.body)
        return lambda l, g, o: body({**l, **dict(zip(names, [v(l, g, o) for v in values]))}, g, o)

    def on_quant(self, e):
        if e.params:
            raise Unsure("polymorphic quantifier")
        names, body, types = [b.name for b in e.binds], self.compile(e.body), self.types
        kinds = [types.of(b.type) for b in e.binds]

        def actual(l):
            by = {k[1:-1]: t for k, t in l.items() if k[:1] == "<"}
            found = [types.put(k, by) for k in kinds] if by else kinds
            if any("?" in str(k) for k in found):
                raise Unsure("type of a bound variable")
            return found

        if e.op == "lambda":
            return lambda l, g, o: tabulate(actual(l), names, body, types, (l, g, o))
        return lambda l, g, o: quantified(e.op == "forall", actual(l), names, body, types, (l, g, o))


def tabulate(kinds, names, body, types, at):
    l, g, o = at
    if not all(types.finite(k) for k in kinds):
        inner = {**l, **{n: None for n in names}}
        try:
            return FMap(body(inner, g, o), {})
        except (TypeError, AttributeError, Unsure):
            raise Unsure("lambda over an infinite type") from None
    keys = types.keys(kinds, ())
    rows = {k: body({**l, **dict(zip(names, (k,) if len(names) == 1 else k))}, g, o) for k in keys}
    return FMap(next(iter(rows.values())), rows)


def quantified(universal, kinds, names, body, types, at):
    """One that decides is enough; none decides only if all were tried."""
    l, g, o = at
    unsure = not all(types.finite(k) for k in kinds)
    for row in itertools.product(*[types.values(k, types.WINDOW) for k in kinds]):
        types.budget.spend(0.1)
        try:
            if body({**l, **dict(zip(names, row))}, g, o) is not universal:
                return not universal
        except Unsure:
            unsure = True
    if unsure:
        raise Unsure("quantifier over an infinite type")
    return universal


def both(a, b, l, g, o):
    """a && b: false if one is false, even if nobody knows the other."""
    try:
        first = a(l, g, o)
    except Unsure:
        if b(l, g, o) is False:
            return False
        raise
    return b(l, g, o) if first else False


def number(value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unsure("number")
    if abs(value) > 10 ** 6:
        raise Unsure("large number")
    return value


def divided(a, b, op):
    """Euclidean, as the language has it; by zero it is some number that nobody knows."""
    if number(b) == 0:
        raise Unsure("division by zero")
    rest = number(a) % abs(b)
    return rest if op == "mod" else (a - rest) // b


def fmap(value):
    if not isinstance(value, FMap):
        raise Unsure("map")
    return value


def datum(value):
    if not isinstance(value, D):
        raise Unsure("datatype")
    return value


def field(value, name, types):
    fields = types.ctors[datum(value).ctor][1]
    if name not in fields:
        raise Unsure(f"{value.ctor} has no {name}")
    return value.fields[fields.index(name)]


def updated(value, name, new, types):
    fields = types.ctors[datum(value).ctor][1]
    if name not in fields:
        raise Unsure(f"{value.ctor} has no {name}")
    at = fields.index(name)
    return D(value.ctor, value.fields[:at] + (new,) + value.fields[at + 1:])


def reads_globals(e, names):
    return any(node.kind == "var" and node.name in names for node in walk(e))
