"""The programs `lock_coupling_set.bpl` and `wrong/lock_coupling_set_*.bpl`, step for step."""
from locked_nodes import Entry, lock, unlock
from sorted_list import LOWEST, below, element, new, read_head, read_next, read_rank, set_model, write_next


def model(bug=None):
    def locate_and_lock(k):
        rank = LOWEST
        pred = yield (read_head,)
        yield (lock, pred)
        curr = yield (read_next, pred)
        yield (lock, curr)
        while True:
            rank = yield (read_rank, curr)
            if not below(rank, k):
                return pred, curr, rank == element(k)
            yield (unlock, pred)
            pred = curr
            if bug == "let_go_early":
                yield (unlock, pred)
            curr = yield (read_next, pred)
            if bug == "let_go_early":
                yield (lock, pred)
            yield (lock, curr)

    def add(k):
        pred, curr, found = yield from locate_and_lock(k)
        entry = None
        if bug == "pred_let_go":
            yield (unlock, pred)
        if not found:
            entry = yield (new, Entry(element(k), curr, False))
            yield (write_next, pred, entry)
        if not found or bug != "lock_kept":
            yield (unlock, curr)
        if bug != "pred_let_go":
            yield (unlock, pred)
        return not found

    def remove(k):
        pred, curr, found = yield from locate_and_lock(k)
        following = None
        if found:
            following = yield (read_next, curr)
            yield (write_next, pred, following)
        yield (unlock, curr)
        yield (unlock, pred)
        return found

    def contains(k):
        pred, curr, found = yield from locate_and_lock(k)
        yield (unlock, curr)
        yield (unlock, pred)
        return found

    return set_model(Entry, add, remove, contains)
