"""The programs `multiset.bpl` and `wrong/multiset_*.bpl`, step for step."""
import collections

from naive import Model, require, wait

Slot = collections.namedtuple("Slot", "item valid locked")


def change(g, slot, **changes):
    g["slots"][slot] = g["slots"][slot]._replace(**changes)


def try_reserve(g, slot, x):
    won = g["slots"][slot].item is None
    if won:
        change(g, slot, item=("some", x))
    return won


def is_free(g, slot):
    return g["slots"][slot].item is None


def write_item(g, slot, x):
    change(g, slot, item=("some", x))


def give_back(g, slot):
    change(g, slot, item=None)


def publish(g, slot):
    change(g, slot, valid=True)


def lock(g, slot):
    wait(not g["slots"][slot].locked)
    change(g, slot, locked=True)


def unlock(g, slot):
    require(g["slots"][slot].locked, "not locked")
    change(g, slot, locked=False)


def pairs(_, size):
    return [(x, y) for x in range(size) for y in range(size)]


def items(_, size):
    return [(x,) for x in range(size)]


def spec(there, root, arguments):
    if root == "LookUp":
        return [(there, arguments[0] in there)]
    return [(there, False), (tuple(sorted(there + arguments)), True)]


def model(bug=None):
    def holds(g, slot, x):
        seen = g["slots"][slot]
        return (seen.valid or bug == "valid_ignored") and seen.item == ("some", x)

    def reserve(x):
        slot, won = 0, False
        while slot < 2:
            if bug == "reserved_twice":
                won = yield (is_free, slot)
                if won:
                    yield (write_item, slot, x)
            else:
                won = yield (try_reserve, slot, x)
            if won:
                return slot
            slot += 1
        return slot

    def insert_pair(x, y):
        first = yield from reserve(x)
        if first == 2:
            return False
        second = yield from reserve(y)
        if second == 2:
            yield (give_back, first)
            return False
        if bug == "published_apart":
            yield (lock, first)
            yield (publish, first)
            yield (unlock, first)
            yield (lock, second)
            yield (publish, second)
            yield (unlock, second)
            return True
        yield (lock, min(first, second))
        yield (lock, max(first, second))
        yield (publish, first)
        yield (publish, second)
        yield (unlock, first)
        yield (unlock, second)
        return True

    def look_up(x):
        found, slot = False, 0
        while slot < 2 and not found:
            yield (lock, slot)
            found = yield (holds, slot, x)
            yield (unlock, slot)
            slot += 1
        return found

    free = Slot(None, False, False)
    roots = {"InsertPair": (insert_pair, pairs), "LookUp": (look_up, items)}
    return Model({"slots": {0: free, 1: free}}, roots, (), spec, None)
