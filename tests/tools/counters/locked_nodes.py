"""Locks of nodes, as in `optimistic_set.bpl` and `lock_coupling_set.bpl`."""
import collections

from naive import load, require, store, wait

Entry = collections.namedtuple("Entry", "rank next locked")


def lock(g, loc):
    wait(not load(g["nodes"], loc).locked)
    store(g["nodes"], loc, locked=True)


def unlock(g, loc):
    require(load(g["nodes"], loc).locked, "not locked")
    store(g["nodes"], loc, locked=False)
