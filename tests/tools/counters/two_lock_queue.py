"""The programs `two_lock_queue.bpl` and `wrong/two_lock_queue_*.bpl`, step for step."""
from linked_queue import (
    QueueNode, new, queue_model, read_head, read_item, read_next, read_tail, write_head, write_next, write_tail)
from naive import require, wait


def lock(g, end):
    wait(not g[end])
    g[end] = True


def unlock(g, end):
    require(g[end], "not locked")
    g[end] = False


def model(bug=None):
    def enqueue(x):
        node = yield (new, QueueNode(None, ("some", x)))
        if bug != "tail_unlocked":
            yield (lock, "tail_locked")
        last = yield (read_tail,)
        yield (write_next, last, node)
        yield (write_tail, node)
        if bug != "tail_unlocked":
            yield (unlock, "tail_locked")

    def dequeue():
        if bug == "head_read_early":
            first = yield (read_head,)
            yield (lock, "head_locked")
        else:
            yield (lock, "head_locked")
            first = yield (read_head,)
        following = yield (read_next, first)
        result = None
        if following is not None:
            result = yield (read_item, following)
            yield (write_head, following)
        if following is not None or bug != "lock_kept":
            yield (unlock, "head_locked")
        return result

    return queue_model(enqueue, dequeue, head_locked=False, tail_locked=False)
