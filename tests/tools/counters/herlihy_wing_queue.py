"""The programs `herlihy_wing_queue.bpl` and `wrong/herlihy_wing_queue_*.bpl`, step for step. Slots that are not mentioned are empty."""
from linked_queue import values
from naive import Model


def draw_slot(g):
    g["back"] += 1
    return g["back"] - 1


def read_back(g):
    return g["back"]


def write_back(g, end):
    g["back"] = end


def write_slot(g, slot, x):
    g["slots"][slot] = ("some", x)


def read_slot(g, slot):
    return g["slots"].get(slot)


def take_slot(g, slot):
    return g["slots"].pop(slot, None)


def empty_slot(g, slot):
    g["slots"].pop(slot, None)


def spec(queue, root, arguments):
    if root == "Enqueue":
        return [(queue + arguments, None)]
    return [(queue[1:], ("some", queue[0]))] if queue else []


def model(bug=None):
    def enqueue(x):
        if bug == "slot_drawn_twice":
            slot = yield (read_back,)
            yield (write_back, slot + 1)
        else:
            slot = yield (draw_slot,)
        yield (write_slot, slot, x)

    def dequeue():
        result, slot, end = None, 0, 0
        while result is None:
            end = yield (read_back,)
            slot = 0
            while slot < end and result is None:
                if bug == "taken_twice":
                    result = yield (read_slot, slot)
                    if result is not None:
                        yield (empty_slot, slot)
                else:
                    result = yield (take_slot, end - 1 - slot if bug == "newest_first" else slot)
                slot += 1
        return result

    roots = {"Enqueue": (enqueue, values), "Dequeue": (dequeue, lambda _thread, _size: [()])}
    return Model({"slots": {}, "back": 0}, roots, (), spec, None)
