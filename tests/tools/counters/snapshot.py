"""The programs `snapshot.bpl` and `wrong/snapshot_*.bpl`, step for step. A cell is `(value, version)`; cell 0 is `Left()`."""
from naive import Model


def read_cell(g, side):
    return g["cells"][side]


def write_cell(g, side, value):
    g["cells"][side] = (value, g["cells"][side][1] + 1)


def write(side, value):
    yield (write_cell, side, value)


def spec(values, root, arguments):
    if root == "Scan":
        return [(values, values)]
    side, value = arguments
    return [((value, values[1]) if side == 0 else (values[0], value), None)]


def model(bug=None):
    def scan():
        tried, left, right, left_again, right_again = False, (0, 0), (0, 0), (0, 0), (0, 0)
        while True:
            left = yield (read_cell, 0)
            right = yield (read_cell, 1)
            if bug == "read_once":
                return left[0], right[0]
            left_again = yield (read_cell, 0)
            right_again = yield (read_cell, 1)
            if tried or (right == right_again and (left == left_again or bug == "left_unchecked")):
                return left[0], right[0]
            tried = bug == "gives_up"

    def writes(_, size):
        return [(side, value) for side in (0, 1) for value in range(size)]

    roots = {"Write": (write, writes), "Scan": (scan, lambda _thread, _size: [()])}
    return Model({"cells": {0: (0, 0), 1: (0, 0)}}, roots, (0, 0), spec, None)
