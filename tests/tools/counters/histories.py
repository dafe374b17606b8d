"""Are all histories of calls and returns explained by a specification? Twice, in two ways that share nothing.

In:  a `Model` with `spec(state, root, arguments) -> [(state afterwards, result)]`; no pair: the action waits; None: its gate fails.
Out: an answer of `naive.search`.
Must stay true: `monitored` follows sets of specification states and so manages unbounded calls; `brute_force` keeps whole histories
and tries all orders of their calls, so it is for the smallest scopes only.
"""
import functools

from naive import System, search

ANYTHING = frozenset(["the specification may fail, so everything is allowed"])


def monitored(model, scope, limit=None):
    start = frozenset([(model.spec_state, (None,) * scope.threads)])

    @functools.lru_cache(maxsize=None)
    def after(states, event):
        if states == ANYTHING:
            return states
        if event[0] == "call":
            return closed(model.spec, {replaced(s, event[1], ("pending", event[2], event[3])) for s in states})
        kept = {replaced(s, event[1], None) for s in states if s[1][event[1]] == ("done", event[2])}
        return frozenset(kept) or None

    def follow(states, events):
        for event in events:
            if states is not None:
                states = after(states, event)
        return states

    return search(System(model, scope), follow, start, limit)


def replaced(state, thread, status):
    return state[0], state[1][:thread] + (status,) + state[1][thread + 1:]


def closed(spec, states):
    """These states, and what they become when pending calls take effect."""
    todo = list(states)
    states = set(states)
    while todo:
        state = todo.pop()
        for thread, status in enumerate(state[1]):
            if status is None or status[0] != "pending":
                continue
            outcomes = spec(state[0], status[1], status[2])
            if outcomes is None:
                return ANYTHING
            for value, result in outcomes:
                following = replaced((value, state[1]), thread, ("done", result))
                if following not in states:
                    states.add(following)
                    todo.append(following)
    return frozenset(states)


def brute_force(model, scope, limit=None):
    @functools.lru_cache(maxsize=None)
    def explained(history):
        return any(orders(model.spec, model.spec_state, operations(history)))

    def follow(history, events):
        history += events
        return history if not events or events[-1][0] == "call" or explained(history) else None

    return search(System(model, scope), follow, (), limit)


def operations(history):
    """Calls as `(called at, returned at or None, root, arguments, result)`."""
    open_, all_ = {}, []
    for time, event in enumerate(history):
        if event[0] == "call":
            open_[event[1]] = (time, event[2], event[3])
        else:
            called, root, arguments = open_.pop(event[1])
            all_.append((called, time, root, arguments, event[2]))
    return all_ + [(called, None, root, arguments, None) for called, root, arguments in open_.values()]


def orders(spec, state, left):
    """Yields once for each order of the calls that explains all results; calls that have not returned may be left out."""
    if all(returned is None for _, returned, _, _, _ in left):
        yield True
        return
    earliest = min(returned for _, returned, _, _, _ in left if returned is not None)
    for nth, (called, returned, root, arguments, result) in enumerate(left):
        if called > earliest:
            continue
        outcomes = spec(state, root, arguments)
        if outcomes is None:
            yield True
            return
        for value, given in outcomes:
            if returned is None or given == result:
                yield from orders(spec, value, left[:nth] + left[nth + 1:])
