"""Values and types: small universes, all small values of a type, the permissions in a value.

Numbers and truth values are Python's. An element of an uninterpreted type is `U(type, nth)`, a value of a datatype is
`D(constructor, fields)`, a map is an `FMap`: a default and the exceptions from it. Types are tuples: ("int",), ("One", ("Tid",)),
("map", (keys...), value); synonyms are expanded. Uninterpreted types have a few elements: every size is a legal universe.
`Unsure` says that the answer depends on infinitely many values, or on something that cannot be executed.
"""
import itertools
from collections import namedtuple

U = namedtuple("U", "type nth")
D = namedtuple("D", "ctor fields")


class Unsure(Exception):
    """Nothing is claimed about this."""


class Exhausted(Exception):
    """The work allowed for one program is done."""


class Budget:
    """Work is counted, not timed: the same seed does the same on every machine."""

    def __init__(self, steps):
        self.left, self.now = steps, steps

    def spend(self, steps=1):
        self.left -= steps
        self.now -= steps
        if self.left < 0:
            raise Exhausted

    def begin(self, steps):
        """Allows so many steps for what comes next."""
        self.now = steps


class Default:
    """The value of `Default()` as long as its type is not known."""

    def __repr__(self):
        return "Default"


DEFAULT = Default()


class FMap:
    __slots__ = ("default", "items", "hash")

    def __init__(self, default, items):
        self.default = default
        self.items = {k: v for k, v in items.items() if not identical(v, default)}
        self.hash = None

    def get(self, key):
        return self.items.get(key, self.default)

    def put(self, key, value):
        return FMap(self.default, {**self.items, key: value})

    def __eq__(self, other):
        return isinstance(other, FMap) and identical(self.default, other.default) and self.items == other.items

    def __hash__(self):
        if self.hash is None:
            self.hash = hash((self.default, frozenset(self.items.items())))
        return self.hash

    def __repr__(self):
        inner = ", ".join(f"{k}: {v}" for k, v in sorted(self.items.items(), key=repr))
        return f"[{inner}{', ' if inner else ''}else {self.default}]"

    def __reduce__(self):
        return (FMap, (self.default, self.items))


def identical(a, b):
    return type(a) is type(b) and a == b


class Types:
    """The types of a program. `sizes` says how many elements uninterpreted types have."""

    INTS = (0, 1, 2)
    # Numbers that a quantifier tries: one that decides is enough, none leaves the answer open.
    WINDOW = tuple(range(-3, 9))

    def __init__(self, declarations):
        self.synonyms, self.datatypes, self.ctors, self.sizes, self.all = {}, {}, {}, {}, {}
        self.opaque, self.budget = set(), Budget(10 ** 9)
        self.add_datatype("Option", ["T"], [("None", []), ("Some", [("t", ("T",))])])
        self.add_datatype("One", ["T"], [("One", [("val", ("T",))])])
        self.add_datatype("Unit", [], [("Unit", [])])
        self.add_datatype("Cell", ["T", "U"], [("Cell", [("key", ("One", ("T",))), ("val", ("U",))])])
        self.add_datatype("Map", ["T", "U"], [("Map", [("dom", ("map", (("T",),), ("bool",))), ("val", ("map", (("T",),), ("U",)))])])
        self.synonyms["UnitMap"] = (["K"], ("Map", ("K",), ("Unit",)))
        self.opaque.add("Loc")
        for d in declarations:
            if d.kind == "type" and d.value is None:
                self.opaque.add(d.name)
            elif d.kind == "type":
                self.synonyms[d.name] = (d.params, d.value)
        for d in declarations:
            if d.kind == "datatype":
                self.add_datatype(d.name, d.params, [(c.name, [(f.name, self.of(f.type)) for f in c.fields]) for c in d.ctors])

    def add_datatype(self, name, params, ctors):
        self.datatypes[name] = (params, ctors)
        for ctor, fields in ctors:
            self.ctors[ctor] = (name, [f for f, _ in fields])

    # ---- Types as tuples ---------------------------------------------------------------------------------------------

    def of(self, node, by=None):
        """The tuple of a type tree; `by` gives types for type parameters."""
        by = by or {}
        if isinstance(node, tuple):
            return self.put(node, by)
        if node.kind == "map":
            if node.params:
                raise Unsure("polymorphic map")
            return ("map", tuple(self.of(k, by) for k in node.keys), self.of(node.value, by))
        if node.name in by and not node.args:
            return by[node.name]
        args = [self.of(a, by) for a in node.args]
        return self.synonym(node.name, args)

    def synonym(self, name, args):
        if name in self.synonyms:
            params, value = self.synonyms[name]
            return self.of(value, dict(zip(params, args)))
        return (name, *args)

    def put(self, type, by):
        if type[0] == "map":
            return ("map", tuple(self.put(k, by) for k in type[1]), self.put(type[2], by))
        if type[0] in by and len(type) == 1:
            return by[type[0]]
        return self.synonym(type[0], [self.put(a, by) for a in type[1:]])

    def fields(self, type):
        """Constructors with the types of their fields, of a datatype."""
        params, ctors = self.datatypes[type[0]]
        by = dict(zip(params, type[1:]))
        return [(ctor, [(f, self.put(t, by)) for f, t in fields]) for ctor, fields in ctors]

    def finite(self, type):
        if type[0] == "bool" or type[0] in self.opaque:
            return True
        if type[0] == "map":
            return all(self.finite(k) for k in type[1]) and self.finite(type[2])
        if type[0] in self.datatypes:
            return all(self.finite(t) for _, fields in self.fields(type) for _, t in fields)
        return False

    # ---- All small values --------------------------------------------------------------------------------------------

    def values(self, type, ints=INTS, limit=600):
        """All values of a type built from these numbers."""
        key = (type, ints, tuple(self.sizes.values()))
        if key not in self.all:
            self.all[key] = self.build(type, ints, limit)
        return self.all[key]

    def build(self, type, ints, limit):
        if type == ("bool",):
            return [False, True]
        if type == ("int",):
            return list(ints)
        if type[0] in self.opaque:
            return [U(type[0], nth) for nth in range(self.sizes.get(type[0], 2))]
        if type[0] == "map":
            keys = self.keys(type[1], ints)
            results = self.values(type[2], ints)
            if len(results) ** len(keys) > limit:
                raise Unsure("too many values")
            start = self.first(type[2])
            return [self.canon(FMap(start, dict(zip(keys, row))), type) for row in itertools.product(results, repeat=len(keys))]
        if type[0] == "Map":
            return self.well_formed(type, ints)
        if type[0] in self.datatypes:
            found = []
            for ctor, fields in self.fields(type):
                found += [D(ctor, row) for row in itertools.product(*[self.values(t, ints) for _, t in fields])]
                if len(found) > limit:
                    raise Unsure("too many values")
            return found
        raise Unsure(f"values of {type[0]}")

    def well_formed(self, type, ints):
        """Values of `Map K V`: outside the domain everything is Default."""
        keys, results = self.keys((type[1],), ints), self.values(type[2], ints)
        if (len(results) + 1) ** len(keys) > 600:
            raise Unsure("too many values")
        rest = self.first(type[2])
        found = []
        for chosen in itertools.product([None] + list(range(len(results))), repeat=len(keys)):
            dom = {k: True for k, c in zip(keys, chosen) if c is not None}
            val = {k: results[c] for k, c in zip(keys, chosen) if c is not None}
            found.append(self.canon(D("Map", (FMap(False, dom), FMap(rest, val))), type))
        return found

    def keys(self, types, ints):
        lists = [self.values(t, ints) for t in types]
        return lists[0] if len(lists) == 1 else list(itertools.product(*lists))

    def first(self, type):
        """The value that `Default()` and variables without a value have."""
        if type == ("int",):
            return 0
        if type == ("bool",):
            return False
        if type[0] in self.opaque:
            return U(type[0], 0)
        if type[0] == "map":
            return FMap(self.first(type[2]), {})
        if type[0] == "Map":
            return D("Map", (FMap(False, {}), FMap(self.first(type[2]), {})))
        if type[0] in self.datatypes:
            ctor, fields = self.fields(type)[0]
            return D(ctor, tuple(self.first(t) for _, t in fields))
        raise Unsure(f"value of {type[0]}")

    def canon(self, value, type):
        """The one way to write a value of this type."""
        if value is DEFAULT:
            return self.first(type)
        if isinstance(value, FMap) and type[0] == "map":
            inner = type[2]
            items = {k: self.canon(v, inner) for k, v in value.items.items()}
            default = self.canon(value.default, inner)
            if all(self.finite(k) for k in type[1]):
                keys = self.keys(type[1], ())
                return FMap(self.first(inner), {k: items.get(k, default) for k in keys})
            return FMap(default, items)
        if isinstance(value, D) and type[0] in self.datatypes:
            for ctor, fields in self.fields(type):
                if ctor == value.ctor:
                    return D(ctor, tuple(self.canon(v, t) for v, (_, t) in zip(value.fields, fields)))
        return value

    def plain(self, type):
        """Is every value of the type canonical already?"""
        return type in (("int",), ("bool",)) or type[0] in self.opaque

    # ---- Types of values, for type parameters --------------------------------------------------------------------------

    def type_of(self, value):
        if isinstance(value, bool):
            return ("bool",)
        if isinstance(value, int):
            return ("int",)
        if isinstance(value, U):
            return (value.type,)
        if isinstance(value, D):
            name, _ = self.ctors[value.ctor]
            params, ctors = self.datatypes[name]
            by = {}
            for (ctor, fields) in ctors:
                if ctor == value.ctor:
                    for v, (_, t) in zip(value.fields, fields):
                        self.match(t, v, set(params), by)
            return (name, *[by.get(p, ("?",)) for p in params])
        return ("?",)

    def match(self, type, value, params, by):
        """Finds out what the type parameters in `type` stand for."""
        if type[0] in params and len(type) == 1:
            by.setdefault(type[0], self.type_of(value))
        elif isinstance(value, D) and type[0] in self.datatypes:
            for ctor, fields in self.fields(type):
                if ctor == value.ctor:
                    for v, (_, t) in zip(value.fields, fields):
                        self.match(t, v, params, by)
        elif isinstance(value, FMap) and type[0] == "map":
            for k, v in value.items.items():
                self.match(type[1][0], k, params, by) if len(type[1]) == 1 else None
                self.match(type[2], v, params, by)
            if value.default is not DEFAULT:
                self.match(type[2], value.default, params, by)

    # ---- Permissions -------------------------------------------------------------------------------------------------

    def is_linear(self, type, seen=()):
        if type[0] == "One":
            return True
        if type[0] == "Map":
            return type[1][0] == "One" or self.is_linear(type[2], seen)
        if type[0] in self.datatypes and type not in seen:
            return any(self.is_linear(t, seen + (type,)) for _, fields in self.fields(type) for _, t in fields)
        return False

    def permissions(self, value, type):
        """The permissions in a value, as a list: one that occurs twice is there twice."""
        if type[0] == "One":
            return [(type, value)]
        if type[0] == "Map":
            found = []
            if type[1][0] == "One":
                found = [(type[1], k) for k, v in value.fields[0].items.items() if v is True]
            if self.is_linear(type[2]):
                for k, v in value.fields[0].items.items():
                    if v is True:
                        found += self.permissions(value.fields[1].get(k), type[2])
            return found
        if type[0] in self.datatypes and self.is_linear(type):
            for ctor, fields in self.fields(type):
                if ctor == value.ctor:
                    return [p for v, (_, t) in zip(value.fields, fields) for p in self.permissions(v, t)]
        return []
