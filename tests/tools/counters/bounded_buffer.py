"""The programs `bounded_buffer.bpl` and `wrong/bounded_buffer_*.bpl`, step for step."""
from naive import Model, require, wait


def lock(g):
    wait(not g["locked"])
    g["locked"] = True


def unlock(g):
    require(g["locked"], "not locked")
    g["locked"] = False


def read(g, name):
    return g[name]


def write(g, name, value):
    g[name] = value


def read_slot(g, slot):
    return g["slots"][slot]


def write_slot(g, slot, item):
    g["slots"][slot] = item


def spec(buffer, root, arguments):
    if root == "TryPut":
        return [(buffer + arguments, True)] if len(buffer) < 2 else [(buffer, False)]
    return [(buffer[1:], ("some", buffer[0]))] if buffer else [((), None)]


def values(_, size):
    return [(x,) for x in range(size)]


def model(bug=None):
    def try_put(x):
        if bug == "count_read_early":
            size = yield (read, "count")
            yield (lock,)
        else:
            yield (lock,)
            size = yield (read, "count")
        if size == (3 if bug == "one_too_many" else 2):
            yield (unlock,)
            return False
        start = yield (read, "first")
        yield (write_slot, (start + size) % 2, ("some", x))
        yield (write, "count", size + 1)
        yield (unlock,)
        return True

    def try_take():
        yield (lock,)
        size = yield (read, "count")
        if size == 0:
            if bug != "lock_kept":
                yield (unlock,)
            return None
        start = yield (read, "first")
        result = yield (read_slot, start)
        yield (write_slot, start, None)
        yield (write, "first", (start + 1) % 2)
        yield (write, "count", size - 1)
        yield (unlock,)
        return result

    start = {"locked": False, "slots": {0: None, 1: None}, "first": 0, "count": 0}
    roots = {"TryPut": (try_put, values), "TryTake": (try_take, lambda _thread, _size: [()])}
    return Model(start, roots, (), spec, None)
