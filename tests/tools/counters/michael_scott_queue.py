"""The programs `michael_scott_queue.bpl` and `wrong/michael_scott_queue_*.bpl`, step for step."""
from linked_queue import enqueuing, queue_model, read_head, read_item, read_next, read_tail, swap_head, swap_tail, write_head


def model(bug=None):
    def dequeue():
        first, last, following, result, done, moved = None, None, None, None, False, False
        while not done:
            first = yield (read_head,)
            last = yield (read_tail,)
            following = yield (read_next, first)
            if first == last:
                if following is None:
                    return None
                moved = yield (swap_tail, last, following)
            else:
                result = yield (read_item, first if bug == "item_of_first" else following)
                if bug == "head_overwrites":
                    yield (write_head, following)
                    done = True
                else:
                    done = yield (swap_head, first, following)
        return result

    return queue_model(enqueuing(bug), dequeue)
