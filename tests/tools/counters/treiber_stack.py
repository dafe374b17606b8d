"""The programs `treiber_stack.bpl` and `wrong/treiber_stack_*.bpl`, step for step. A pointer is None or an address."""
import collections

from naive import Model, allocate, load, require, store

StackNode = collections.namedtuple("StackNode", "next item")


def read_top(g):
    return g["top"]


def read_next(g, node):
    require(node is not None, "a null pointer")
    return load(g["nodes"], node).next


def read_item(g, node):
    require(node is not None, "a null pointer")
    return load(g["nodes"], node).item


def write_next(g, node, following):
    require(node is not None, "a null pointer")
    store(g["nodes"], node, next=following)


def new(g, cell):
    return allocate(g["nodes"], cell)


def swap_top(g, expected, desired):
    done = g["top"] == expected
    if done:
        g["top"] = desired
    return done


def write_top(g, desired):
    g["top"] = desired


def push(x):
    seen, done = None, False
    node = yield (new, StackNode(None, x))
    while not done:
        seen = yield (read_top,)
        yield (write_next, node, seen)
        done = yield (swap_top, seen, node)


def push_overwriting(x):
    seen, done = None, False
    node = yield (new, StackNode(None, x))
    while not done:
        seen = yield (read_top,)
        yield (write_next, node, seen)
        yield (write_top, node)
        done = True


def push_linked_once(x):
    seen, done = None, False
    node = yield (new, StackNode(None, x))
    seen = yield (read_top,)
    yield (write_next, node, seen)
    while not done:
        seen = yield (read_top,)
        done = yield (swap_top, seen, node)


def popping(bug):
    def pop():
        seen, following, done = None, None, False
        while not done:
            seen = yield (read_top,)
            if seen is None:
                return None
            following = yield (read_next, seen)
            if bug == "pop_overwrites":
                yield (write_top, following)
                done = True
            else:
                done = yield (swap_top, seen, following)
        x = yield (read_item, seen)
        return ("some", x)
    return pop


def spec(stack, root, arguments):
    if root == "Push":
        return [(stack + arguments, None)]
    if not stack:
        return [((), None)]
    return [(stack[:-1], ("some", stack[-1]))]


def values(_, size):
    return [(x,) for x in range(size)]


def model(bug=None):
    pushing = {"push_overwrites": push_overwriting, "linked_once": push_linked_once}.get(bug, push)
    roots = {"Push": (pushing, values), "Pop": (popping(bug), lambda _thread, _size: [()])}
    return Model({"top": None, "nodes": {}}, roots, (), spec, "nodes")
