"""What the linked queues have in common: `michael_scott_queue.bpl`, `dglm_queue.bpl`, `two_lock_queue.bpl`. A pointer is None or an address."""
import collections

from naive import Loc, Model, allocate, load, require, store

QueueNode = collections.namedtuple("QueueNode", "next item")


def read_head(g):
    return g["head"]


def read_tail(g):
    return g["tail"]


def read_next(g, node):
    require(node is not None, "a null pointer")
    return load(g["nodes"], node).next


def read_item(g, node):
    require(node is not None, "a null pointer")
    return load(g["nodes"], node).item


def new(g, cell):
    return allocate(g["nodes"], cell)


def write_next(g, node, following):
    require(node is not None, "a null pointer")
    store(g["nodes"], node, next=following)


def write_head(g, node):
    g["head"] = node


def write_tail(g, node):
    g["tail"] = node


def swap_next(g, node, expected, desired):
    done = read_next(g, node) == expected
    if done:
        store(g["nodes"], node, next=desired)
    return done


def swap_head(g, expected, desired):
    done = g["head"] == expected
    if done:
        g["head"] = desired
    return done


def swap_tail(g, expected, desired):
    done = g["tail"] == expected
    if done:
        g["tail"] = desired
    return done


def enqueuing(bug):
    """Enqueue of Michael and Scott."""
    def enqueue(x):
        last, following, done, moved = None, None, False, False
        node = yield (new, QueueNode(None, ("some", x)))
        while not done:
            last = yield (read_tail,)
            following = yield (read_next, last)
            if following is not None:
                moved = yield (swap_tail, last, following)
            elif bug == "link_overwrites":
                yield (write_next, last, node)
                done = True
            else:
                done = yield (swap_next, last, None, node)
        moved = yield (swap_tail, last, node)
    return enqueue


def values(_, size):
    return [(x,) for x in range(size)]


def spec(queue, root, arguments):
    if root == "Enqueue":
        return [(queue + arguments, None)]
    if not queue:
        return [((), None)]
    return [(queue[1:], ("some", queue[0]))]


def queue_model(enqueue, dequeue, **more):
    dummy = Loc(0)
    start = {"head": dummy, "tail": dummy, "nodes": {dummy: QueueNode(None, None)}, **more}
    roots = {"Enqueue": (enqueue, values), "Dequeue": (dequeue, lambda _thread, _size: [()])}
    return Model(start, roots, (), spec, "nodes")
