"""The functions of the library `base`, as computations."""
from values import D, DEFAULT, FMap, Unsure, identical


def zipped(op, *maps):
    keys = set().union(*(m.items for m in maps))
    return FMap(op(*(m.default for m in maps)), {k: op(*(m.get(k) for m in maps)) for k in keys})


def equal(a, b, types):
    """Equality of values, whatever their types."""
    if a is DEFAULT or b is DEFAULT:
        if a is b:
            return True
        raise Unsure("Default")
    if type(a) is not type(b):
        return False
    if isinstance(a, D):
        return a.ctor == b.ctor and all(equal(x, y, types) for x, y in zip(a.fields, b.fields))
    if isinstance(a, FMap):
        keys = set(a.items) | set(b.items)
        if not all(equal(a.get(k), b.get(k), types) for k in keys):
            return False
        if identical(a.default, b.default):
            return True
        return not_beyond(keys, types) or equal(a.default, b.default, types)
    return a == b


def not_beyond(keys, types):
    """Are these all keys there are?"""
    for key in keys:
        kind = types.type_of(key) if not isinstance(key, tuple) or hasattr(key, "_fields") else None
        if kind is None or "?" in str(kind):
            raise Unsure("map equality")
        return types.finite(kind) and len(keys) == len(types.values(kind))
    return False


def contains_all(m, types):
    """Is a map to bool true everywhere?"""
    return equal(m, FMap(True, {}), types)


def functions(types):
    """Name -> (computation)."""
    both, either = lambda a, b: a and b, lambda a, b: a or b
    dom, val = lambda m: m.fields[0], lambda m: m.fields[1]
    make = lambda d, v: D("Map", (d, v))
    restrict = lambda d, v: zipped(lambda inside, x: x if inside else DEFAULT, d, v)
    extract = lambda m, s: make(zipped(both, dom(m), s), restrict(zipped(both, dom(m), s), val(m)))
    return {
        "MapConst": lambda v: FMap(v, {}),
        "MapEq": lambda a, b: zipped(lambda x, y: equal(x, y, types), a, b),
        "MapIte": lambda c, a, b: zipped(lambda p, x, y: x if p else y, c, a, b),
        "MapOr": lambda a, b: zipped(either, a, b),
        "MapAnd": lambda a, b: zipped(both, a, b),
        "MapNot": lambda a: zipped(lambda x: not x, a),
        "MapImp": lambda a, b: zipped(lambda x, y: (not x) or y, a, b),
        "MapIff": lambda a, b: zipped(lambda x, y: x == y, a, b),
        "MapDiff": lambda a, b: zipped(lambda x, y: x and not y, a, b),
        "MapAdd": lambda a, b: zipped(lambda x, y: x + y, a, b),
        "MapSub": lambda a, b: zipped(lambda x, y: x - y, a, b),
        "MapLe": lambda a, b: zipped(lambda x, y: x <= y, a, b),
        "Id": lambda t: t,
        "Default": lambda: DEFAULT,
        "Set_Empty": lambda: FMap(False, {}),
        "Set_Contains": lambda a, t: a.get(t),
        "Set_IsSubset": lambda a, b: contains_all(zipped(lambda x, y: (not x) or y, a, b), types),
        "Set_IsDisjoint": lambda a, b: equal(zipped(both, a, b), FMap(False, {}), types),
        "Set_Add": lambda a, t: a.put(t, True),
        "Set_Singleton": lambda t: FMap(False, {t: True}),
        "Set_Remove": lambda a, t: a.put(t, False),
        "Set_Union": lambda a, b: zipped(either, a, b),
        "Set_Difference": lambda a, b: zipped(lambda x, y: x and not y, a, b),
        "Set_Intersection": lambda a, b: zipped(both, a, b),
        "Map_Empty": lambda: make(FMap(False, {}), FMap(DEFAULT, {})),
        "Map_Singleton": lambda k, v: make(FMap(False, {k: True}), FMap(DEFAULT, {k: v})),
        "Map_Contains": lambda m, k: dom(m).get(k),
        "Map_IsDisjoint": lambda a, b: equal(zipped(both, dom(a), dom(b)), FMap(False, {}), types),
        "Map_At": lambda m, k: val(m).get(k),
        "Map_Remove": lambda m, k: make(dom(m).put(k, False), val(m).put(k, DEFAULT)),
        "Map_Update": lambda m, k, v: make(dom(m).put(k, True), val(m).put(k, v)),
        "Map_Extract": extract,
        "Map_Exclude": lambda m, s: extract(m, zipped(lambda x: not x, s)),
        "Map_Union": lambda a, b: make(zipped(either, dom(a), dom(b)), zipped(lambda p, x, y: x if p else y, dom(a), val(a), val(b))),
        "Map_WellFormed": lambda m: all(dom(m).get(k) for k in val(m).items),
    }

