"""The programs `barrier.bpl` and `wrong/barrier_*.bpl`, step for step. Thread 0 is `Left()`, thread 1 is `Right()`."""
from naive import Model, require, wait


def work(g, side):
    g["work"][side] += 1


def check(g, side):
    require(all(g["work"][side] <= other for other in g["work"].values()), "somebody is behind")


def read_sense(g):
    return g["sense"]


def turn_sense(g):
    g["sense"] = not g["sense"]


def await_turn(g, old_sense):
    wait(g["sense"] != old_sense)


def arrive(g):
    g["missing"] -= 1
    return g["missing"] == 0


def read_missing(g):
    return g["missing"]


def write_missing(g, count):
    g["missing"] = count


def reset_missing(g):
    g["missing"] = 2


def spec(rounds, _root, arguments):
    me = arguments[0]
    return [(rounds[:me] + (rounds[me] + 1,) + rounds[me + 1:], None)]


def model(bug=None):
    def go_round(me):
        yield (work, me)
        old_sense = yield (read_sense,)
        if bug == "arrived_twice":
            count = yield (read_missing,)
            yield (write_missing, count - 1)
            last = count == 1
        else:
            last = yield (arrive,)
        if last:
            if bug == "turned_before_reset":
                yield (turn_sense,)
                yield (reset_missing,)
            else:
                yield (reset_missing,)
                yield (turn_sense,)
        elif bug != "no_wait":
            yield (await_turn, old_sense)
        yield (check, me)

    start = {"missing": 2, "sense": False, "work": {0: 0, 1: 0}}
    return Model(start, {"Round": (go_round, lambda thread, _size: [(thread,)])}, (0, 0), spec, None)
