"""The programs `ticket_lock.bpl` and `wrong/ticket_lock_*.bpl`, step for step."""
from critical import enter, flip_spec, leave, read_bit, write_bit
from naive import Model


def take_number(g):
    g["next_ticket"] += 1
    return g["next_ticket"] - 1


def read_number(g):
    return g["next_ticket"]


def count_up(g, number):
    g["next_ticket"] = number + 1


def read_serving(g):
    return g["now_serving"]


def serve_next(g):
    g["now_serving"] += 1


def model(bug=None):
    def flip():
        shown = 0
        if bug == "number_drawn_twice":
            number = yield (read_number,)
            yield (count_up, number)
        else:
            number = yield (take_number,)
        while True:
            shown = yield (read_serving,)
            if shown == number:
                break
        yield (enter,)
        old_bit = yield (read_bit,)
        if bug == "written_after_serving":
            yield (leave,)
            yield (serve_next,)
            yield (write_bit, not old_bit)
            return old_bit
        yield (write_bit, not old_bit)
        if bug == "served_early":
            yield (serve_next,)
            yield (leave,)
            return old_bit
        yield (leave,)
        yield (serve_next,)
        return old_bit

    start = {"next_ticket": 0, "now_serving": 0, "inside": False, "bit": False}
    return Model(start, {"Flip": (flip, lambda _thread, _size: [()])}, False, flip_spec, None)
