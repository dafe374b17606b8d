"""The programs `lazy_locked_set.bpl` and `wrong/lazy_locked_set_*.bpl`, step for step."""
import collections

from locked_nodes import lock, unlock
from naive import load, store
from optimistic_set import locate
from sorted_list import element, new, read_next, set_model, write_next

Entry = collections.namedtuple("Entry", "rank next marked locked", defaults=(False,))


def read_marked(g, loc):
    return load(g["nodes"], loc).marked


def mark(g, loc):
    store(g["nodes"], loc, marked=True)


def model(bug=None):
    def locate_and_lock(k):
        pred, curr, found = yield from locate(k)
        yield (lock, pred)
        yield (lock, curr)
        if bug == "validation_dropped":
            return pred, curr, True, found
        marked = yield (read_marked, pred)
        valid = not marked
        if valid:
            marked = yield (read_marked, curr)
            valid = not marked
        if valid:
            following = yield (read_next, pred)
            valid = following == curr
        return pred, curr, valid, found

    def try_add(k):
        pred, curr, done, found = yield from locate_and_lock(k)
        added = done and not found
        entry = None
        if added:
            entry = yield (new, Entry(element(k), curr, False))
            yield (write_next, pred, entry)
        yield (unlock, curr)
        yield (unlock, pred)
        return done, added

    def add(k):
        done, added = False, False
        while not done:
            done, added = yield from try_add(k)
        return added

    def try_remove(k):
        pred, curr, done, found = yield from locate_and_lock(k)
        removed = done and found
        following = None
        if removed:
            if bug == "one_lock":
                yield (unlock, curr)
            if bug != "mark_dropped":
                yield (mark, curr)
            following = yield (read_next, curr)
            yield (write_next, pred, following)
        if not removed or bug != "one_lock":
            yield (unlock, curr)
        yield (unlock, pred)
        return done, removed

    def remove(k):
        done, removed = False, False
        while not done:
            done, removed = yield from try_remove(k)
        return removed

    def contains(k):
        pred, curr, found = yield from locate(k)
        if found:
            marked = yield (read_marked, curr)
            return not marked
        return found

    return set_model(Entry, add, remove, contains)
