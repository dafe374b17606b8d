"""The programs `lazy_set.bpl` and `wrong/lazy_set_*.bpl`, step for step."""
import collections

from naive import load, store
from sorted_list import HIGHEST, LOWEST, below, element, new, read_first, read_next, read_rank, set_model

Entry = collections.namedtuple("Entry", "rank next marked")


def mark(g, loc):
    store(g["nodes"], loc, marked=True)


def write_if_valid(bug):
    def action(g, pred, curr, desired):
        entry = load(g["nodes"], pred)
        unmarked = bug == "mark_test_dropped" or not entry.marked
        done = bug == "validation_dropped" or (unmarked and entry.next == curr)
        if done:
            store(g["nodes"], pred, next=desired)
        return done
    return action


def model(bug=None):
    write = write_if_valid(bug)

    def locate(k):
        rank = LOWEST
        pred, curr = yield (read_first,)
        while True:
            rank = yield (read_rank, curr)
            if not below(rank, k) and not (bug == "sentinel_comparison" and rank == HIGHEST):
                found = rank == element(k)
                return pred, curr, found
            pred = curr
            curr = yield (read_next, curr)

    def try_add(k):
        pred, curr, found = yield from locate(k)
        if found:
            return True, False
        entry = yield (new, Entry(element(k), curr, False))
        done = yield (write, pred, curr, entry)
        if bug == "restart_dropped":
            return True, done
        return done, done

    def add(k):
        done, added = False, False
        while not done:
            done, added = yield from try_add(k)
        return added

    def try_remove(k):
        pred, curr, found = yield from locate(k)
        if not found:
            return True, False
        if bug not in ("mark_dropped", "unlink_order", "stale_successor"):
            yield (mark, curr)
        next_ = yield (read_next, curr)
        if bug == "stale_successor":
            yield (mark, curr)
        done = yield (write, pred, curr, next_)
        if bug == "unlink_order" and done:
            yield (mark, curr)
        return done, done

    def remove(k):
        done, removed = False, False
        while not done:
            done, removed = yield from try_remove(k)
        return removed

    def contains(k):
        pred, curr, found = yield from locate(k)
        return found != (bug == "result_flipped")

    return set_model(Entry, add, remove, contains)
