"""The programs `readers_writer_lock.bpl` and `wrong/readers_writer_lock_*.bpl`, step for step."""
from naive import Model, require, wait


def read(g, name):
    return g[name]


def write(g, name, value):
    g[name] = value


def lock(g, name):
    wait(not g[name])
    g[name] = True


def unlock(g, name):
    require(g[name], "not locked")
    g[name] = False


def spec(value, root, arguments):
    return [(value, value)] if root == "Read" else [(arguments[0], None)]


def values(_, size):
    return [(value,) for value in range(size)]


def model(bug=None):
    def begin_read():
        if bug != "count_unlocked":
            yield (lock, "counting")
        count = yield (read, "readers")
        yield (write, "readers", count + 1)
        if count == 0:
            yield (lock, "busy")
        if bug != "count_unlocked":
            yield (unlock, "counting")

    def end_read():
        if bug != "count_unlocked":
            yield (lock, "counting")
        count = yield (read, "readers")
        yield (write, "readers", count - 1)
        if count == 1 and bug != "lock_kept":
            yield (unlock, "busy")
        if bug != "count_unlocked":
            yield (unlock, "counting")

    def reading():
        yield from begin_read()
        seen = yield (read, "low")
        high_seen = yield (read, "high")
        require(seen == high_seen, "low and high differ")
        yield from end_read()
        return seen

    def writing(value):
        if bug != "writer_unlocked":
            yield (lock, "busy")
        yield (write, "low", value)
        yield (write, "high", value)
        if bug != "writer_unlocked":
            yield (unlock, "busy")

    start = {"counting": False, "readers": 0, "busy": False, "low": 0, "high": 0}
    roots = {"Read": (reading, lambda _thread, _size: [()]), "Write": (writing, values)}
    return Model(start, roots, 0, spec, None)
