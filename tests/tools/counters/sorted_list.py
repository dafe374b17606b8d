"""What the sorted lists have in common: `lazy_set.bpl`, `optimistic_set.bpl`, `lock_coupling_set.bpl`."""
from naive import Loc, Model, allocate, load, require, store

LOWEST, HIGHEST = ("lowest",), ("highest",)


def element(k):
    return ("element", k)


def below(rank, k):
    return rank == LOWEST or (rank[0] == "element" and rank[1] < k)


def read_first(g):
    following = load(g["nodes"], g["head"]).next
    require(following is not None, "behind the last node")
    return g["head"], following


def read_rank(g, loc):
    return load(g["nodes"], loc).rank


def read_next(g, loc):
    following = load(g["nodes"], loc).next
    require(following is not None, "behind the last node")
    return following


def read_head(g):
    return g["head"]


def write_next(g, loc, following):
    store(g["nodes"], loc, next=following)


def new(g, entry):
    return allocate(g["nodes"], entry)


def keys(_, size):
    return [(k,) for k in range(size)]


def spec(keys_there, root, arguments):
    k = arguments[0]
    there = k in keys_there
    if root == "Add":
        return [(keys_there | {k}, not there)]
    if root == "Remove":
        return [(keys_there - {k}, there)]
    return [(keys_there, there)]


def set_model(entry, add, remove, contains):
    """The two sentinels at the start; the third field of a node, a mark or a lock, is false."""
    tail, head = Loc(0), Loc(1)
    nodes = {tail: entry(HIGHEST, None, False), head: entry(LOWEST, tail, False)}
    roots = {"Add": (add, keys), "Remove": (remove, keys), "Contains": (contains, keys)}
    return Model({"head": head, "nodes": nodes}, roots, frozenset(), spec, "nodes")
