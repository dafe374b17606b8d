"""The programs `lazy_set.bpl` and `wrong/lazy_set_*.bpl`, step for step."""
import collections

from naive import Loc, Model, allocate, load, require, store

Entry = collections.namedtuple("Entry", "rank next marked")
LOWEST, HIGHEST = ("lowest",), ("highest",)


def element(k):
    return ("element", k)


def below(rank, k):
    return rank == LOWEST or (rank[0] == "element" and rank[1] < k)


def read_first(g):
    following = load(g["nodes"], g["head"]).next
    require(following is not None, "behind the last node")
    return g["head"], following


def read_rank(g, loc):
    return load(g["nodes"], loc).rank


def read_next(g, loc):
    following = load(g["nodes"], loc).next
    require(following is not None, "behind the last node")
    return following


def new(g, entry):
    return allocate(g["nodes"], entry)


def mark(g, loc):
    store(g["nodes"], loc, marked=True)


def write_if_valid(g, pred, curr, desired):
    entry = load(g["nodes"], pred)
    done = not entry.marked and entry.next == curr
    if done:
        store(g["nodes"], pred, next=desired)
    return done


def locate(k):
    found = False
    pred, curr = yield (read_first,)
    while True:
        rank = yield (read_rank, curr)
        if not below(rank, k):
            found = rank == element(k)
            return pred, curr, found
        pred = curr
        curr = yield (read_next, curr)


def try_add(k):
    pred, curr, found = yield from locate(k)
    if found:
        return True, False
    entry = yield (new, Entry(element(k), curr, False))
    done = yield (write_if_valid, pred, curr, entry)
    return done, done


def add(k):
    done = False
    while not done:
        done, added = yield from try_add(k)
    return added


def try_remove(k):
    pred, curr, found = yield from locate(k)
    if not found:
        return True, False
    yield (mark, curr)
    next_ = yield (read_next, curr)
    done = yield (write_if_valid, pred, curr, next_)
    return done, done


def remove(k):
    done = False
    while not done:
        done, removed = yield from try_remove(k)
    return removed


def contains(k):
    pred, curr, found = yield from locate(k)
    return found


def keys(_, size):
    return [(k,) for k in range(size)]


def model(bug=None):
    tail, head = Loc(0), Loc(1)
    nodes = {tail: Entry(HIGHEST, None, False), head: Entry(LOWEST, tail, False)}
    roots = {"Add": (add, keys), "Remove": (remove, keys), "Contains": (contains, keys)}
    return Model({"head": head, "nodes": nodes}, roots, frozenset(), None, "nodes")
