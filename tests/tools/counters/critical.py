"""A bit that every call flips inside a critical section, as in `ticket_lock.bpl`, `peterson.bpl` and their wrong variants."""
from naive import require


def enter(g):
    require(not g["inside"], "somebody is inside")
    g["inside"] = True


def leave(g):
    require(g["inside"], "nobody is inside")
    g["inside"] = False


def read_bit(g):
    return g["bit"]


def write_bit(g, new):
    g["bit"] = new


def flip_spec(value, _root, _arguments):
    return [(not value, value)]
