"""The programs `dglm_queue.bpl` and `wrong/dglm_queue_*.bpl`, step for step."""
from linked_queue import enqueuing, queue_model, read_head, read_item, read_next, read_tail, swap_head, swap_tail, write_head


def model(bug=None):
    def dequeue():
        first, following, result, done = None, None, None, False
        while not done:
            first = yield (read_head,)
            following = yield (read_next, first)
            if following is None:
                return None
            result = yield (read_item, first if bug == "item_of_first" else following)
            if bug == "head_overwrites":
                yield (write_head, following)
                done = True
            else:
                done = yield (swap_head, first, following)
        last = yield (read_tail,)
        if first == last:
            yield (swap_tail, last, following)
        return result

    return queue_model(enqueuing(bug), dequeue)
