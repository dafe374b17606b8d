"""Which programs have a model here, their wrong variants, and the scopes that are counted.

A scope is `(threads, calls of each thread, size)`; the size is that of the sort the program names, and 1 where it names none.
"""
import collections
import importlib

from naive import Scope

Program = collections.namedtuple("Program", "sort threads bugs")

PROGRAMS = {
    "lazy_set": Program("int", 3, (
        "mark_test_dropped", "mark_dropped", "validation_dropped", "unlink_order", "sentinel_comparison", "result_flipped",
        "restart_dropped", "stale_successor")),
    "lazy_locked_set": Program("int", 3, ("validation_dropped", "mark_dropped", "one_lock")),
    "optimistic_set": Program("int", 3, ("validation_dropped", "one_lock", "lock_order")),
    "lock_coupling_set": Program("int", 3, ("let_go_early", "lock_kept", "pred_let_go")),
    "ticket_lock": Program(None, 3, ("number_drawn_twice", "served_early", "written_after_serving")),
    "peterson": Program(None, 2, ("turn_before_flag", "own_turn", "flag_dropped_early")),
    "treiber_stack": Program("X", 3, ("push_overwrites", "pop_overwrites", "linked_once")),
    "michael_scott_queue": Program("X", 3, ("link_overwrites", "head_overwrites", "item_of_first")),
    "dglm_queue": Program("X", 3, ("link_overwrites", "head_overwrites", "item_of_first")),
    "two_lock_queue": Program("X", 3, ("tail_unlocked", "head_read_early", "lock_kept")),
    "herlihy_wing_queue": Program("X", 3, ("slot_drawn_twice", "taken_twice", "newest_first")),
    "multiset": Program("int", 3, ("published_apart", "valid_ignored", "reserved_twice")),
    "snapshot": Program("int", 3, ("read_once", "gives_up", "left_unchecked")),
    "readers_writer_lock": Program("int", 3, ("count_unlocked", "writer_unlocked", "lock_kept")),
    "barrier": Program(None, 2, ("turned_before_reset", "no_wait", "arrived_twice")),
    "bounded_buffer": Program("X", 3, ("count_read_early", "one_too_many", "lock_kept")),
}

# Scopes in the order in which a violation is looked for: fewest calls altogether, then fewest threads, then smallest size.
LADDER = tuple(Scope(*it) for it in (
    (2, 1, 1), (2, 1, 2), (3, 1, 1), (3, 1, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1), (2, 3, 2), (3, 2, 1), (3, 2, 2)))

# Those in which right programs are exhausted.
FIRST_STEPS = LADDER[:6]

# More states than this are not followed: in scopes of a right program, which are then left out, and of a wrong one.
LIMIT = 100_000
PATIENCE = 600_000

# The rows of `expected.tsv`. None: as many calls as a thread likes.
COUNTED = tuple((name, Scope(*scope)) for name, scope in (
    ("lazy_set", (2, None, 1)), ("lazy_set", (2, 1, 2)), ("lazy_set", (2, 1, 3)), ("lazy_set", (3, 1, 1)),
    ("lazy_set", (2, 2, 2)), ("lazy_set", (3, 1, 2)), ("lazy_set", (3, 2, 1)), ("lazy_set", (2, None, 2)),
    ("ticket_lock", (2, 1, 1)), ("ticket_lock", (2, 3, 1)), ("ticket_lock", (3, 2, 1)),
    ("treiber_stack", (2, 1, 1)), ("treiber_stack", (2, 2, 1)), ("treiber_stack", (2, 2, 2)), ("treiber_stack", (3, 1, 2)),
    ("treiber_stack", (2, 4, 1)),
    ("peterson", (2, 1, 1)), ("peterson", (2, 2, 1)), ("peterson", (2, None, 1)),
    ("lazy_locked_set", (2, 1, 1)), ("lazy_locked_set", (2, 2, 1)), ("lazy_locked_set", (2, None, 1)),
    ("optimistic_set", (2, 1, 1)), ("optimistic_set", (2, 2, 1)),
    ("lock_coupling_set", (2, 1, 2)), ("lock_coupling_set", (2, None, 1)),
    ("michael_scott_queue", (2, 1, 1)), ("michael_scott_queue", (2, 2, 1)),
    ("dglm_queue", (2, 1, 1)), ("dglm_queue", (2, 2, 1)),
    ("two_lock_queue", (2, 1, 2)), ("two_lock_queue", (2, 2, 2)),
    ("herlihy_wing_queue", (2, 1, 2)), ("herlihy_wing_queue", (2, 2, 2)),
    ("multiset", (2, 1, 1)), ("multiset", (2, 2, 2)),
    ("snapshot", (2, 1, 2)), ("snapshot", (2, 2, 2)),
    ("readers_writer_lock", (2, 1, 2)), ("readers_writer_lock", (2, None, 2)), ("readers_writer_lock", (3, 1, 2)),
    ("barrier", (2, 1, 1)), ("barrier", (2, 3, 1)),
    ("bounded_buffer", (2, 1, 2)), ("bounded_buffer", (2, None, 2)),
))


def model(name, bug=None):
    return importlib.import_module(name).model(bug)


def ladder(name):
    program = PROGRAMS[name]
    return [s for s in LADDER if s.threads <= program.threads and (program.sort or s.size == 1)]


def shown(name, scope):
    """A scope as comments and tables write it."""
    words = [f"threads={scope.threads}", f"calls={'inf' if scope.calls is None else scope.calls}"]
    sort = PROGRAMS[name].sort
    return " ".join(words + ([f"{sort}={scope.size}"] if sort else []))
