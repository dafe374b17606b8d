"""The programs `peterson.bpl` and `wrong/peterson_*.bpl`, step for step. Thread 0 is `Left()`, thread 1 is `Right()`."""
from critical import enter, flip_spec, leave, read_bit, write_bit
from naive import Model


def set_flag(g, side, up):
    g["flag"][side] = up


def read_flag(g, side):
    return g["flag"][side]


def set_turn(g, side):
    g["turn"] = side


def read_turn(g):
    return g["turn"]


def model(bug=None):
    def flip(me):
        up, whose = False, 0
        if bug == "turn_before_flag":
            yield (set_turn, 1 - me)
            yield (set_flag, me, True)
        else:
            yield (set_flag, me, True)
            yield (set_turn, me if bug == "own_turn" else 1 - me)
        while True:
            up = yield (read_flag, 1 - me)
            if not up:
                break
            whose = yield (read_turn,)
            if whose == me:
                break
        yield (enter,)
        old_bit = yield (read_bit,)
        if bug == "flag_dropped_early":
            yield (leave,)
            yield (set_flag, me, False)
            yield (write_bit, not old_bit)
            return old_bit
        yield (write_bit, not old_bit)
        yield (leave,)
        yield (set_flag, me, False)
        return old_bit

    start = {"flag": {0: False, 1: False}, "turn": 0, "inside": False, "bit": False}
    return Model(start, {"Flip": (flip, lambda thread, _size: [(thread,)])}, False, flip_spec, None)
