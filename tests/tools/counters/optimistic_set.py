"""The programs `optimistic_set.bpl` and `wrong/optimistic_set_*.bpl`, step for step."""
from locked_nodes import Entry, lock, unlock
from sorted_list import LOWEST, below, element, new, read_first, read_next, read_rank, set_model, write_next


def locate(k):
    rank = LOWEST
    pred, curr = yield (read_first,)
    while True:
        rank = yield (read_rank, curr)
        if not below(rank, k):
            return pred, curr, rank == element(k)
        pred = curr
        curr = yield (read_next, curr)


def model(bug=None):
    def locate_and_lock(k):
        pred, curr, found = yield from locate(k)
        yield (lock, pred)
        if bug != "one_lock":
            yield (lock, curr)
        pred_again, curr_again, found = yield from locate(k)
        valid = bug == "validation_dropped" or (pred_again == pred and curr_again == curr)
        return pred, curr, valid, found

    def locate_and_lock_backwards(k):
        pred, curr, found = yield from locate(k)
        yield (lock, curr)
        yield (lock, pred)
        pred_again, curr_again, found = yield from locate(k)
        return pred, curr, pred_again == pred and curr_again == curr, found

    def let_go(pred, curr):
        if bug != "one_lock":
            yield (unlock, curr)
        yield (unlock, pred)

    def try_add(k):
        pred, curr, done, found = yield from locate_and_lock(k)
        added = done and not found
        entry = None
        if added:
            entry = yield (new, Entry(element(k), curr, False))
            yield (write_next, pred, entry)
        yield from let_go(pred, curr)
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
            following = yield (read_next, curr)
            yield (write_next, pred, following)
        yield from let_go(pred, curr)
        return done, removed

    def remove(k):
        done, removed = False, False
        while not done:
            done, removed = yield from try_remove(k)
        return removed

    def try_contains(k):
        if bug == "lock_order":
            pred, curr, done, found = yield from locate_and_lock_backwards(k)
            yield (unlock, pred)
            yield (unlock, curr)
            return done, found
        pred, curr, done, found = yield from locate_and_lock(k)
        yield from let_go(pred, curr)
        return done, found

    def contains(k):
        done, found = False, False
        while not done:
            done, found = yield from try_contains(k)
        return found

    return set_model(Entry, add, remove, contains)
