"""Counting states the slow and obvious way.

In:  a `Model`: the globals at the start, the operations of the client as Python generators written from a program's text, and its
     specification. A generator yields one request `(action, arguments...)` for each call of an atomic action and is sent the result.
Out: numbers of distinct states and transitions of all interleavings, or the first violation on a shortest run.
Must stay true: nothing here is shared with the tool, no reduction is applied, and the cut of steps is the one of `README.md`.
"""
import collections
import inspect


class Loc(int):
    """An address: a plain number, but one that collection can tell from others."""


class Blocked(Exception):
    """An `assume` of an atomic action does not hold: the action waits."""


class Failed(Exception):
    """An `assert` of an atomic action, or a library operation on a missing address, fails."""


UNEXPLAINED = "no order of the calls explains the results"

Model = collections.namedtuple("Model", "globals roots spec_state spec collect")
Scope = collections.namedtuple("Scope", "threads calls size")
Answer = collections.namedtuple("Answer", "verdict what states transitions run")


def require(condition, what):
    if not condition:
        raise Failed(what)


def wait(condition):
    if not condition:
        raise Blocked


def allocate(heap, cell):
    """The least address that is not in memory, which now holds `cell`."""
    fresh = Loc(next(n for n in range(len(heap) + 1) if n not in heap))
    heap[fresh] = cell
    return fresh


def load(heap, loc):
    require(loc in heap, f"address {loc} is not in memory")
    return heap[loc]


def store(heap, loc, **changes):
    heap[loc] = load(heap, loc)._replace(**changes)


def frozen(value):
    """A value that can be a key of a dictionary."""
    if isinstance(value, dict):
        return tuple(sorted((key, frozen(item)) for key, item in value.items()))
    return value


def thawed(globals_, kinds):
    return {name: dict(value) if name in kinds else value for name, value in globals_}


def addresses(value):
    """All addresses inside a value."""
    if isinstance(value, Loc):
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for item in value:
            yield from addresses(item)


def collected(globals_, heap_name, held):
    """The globals without the cells that neither another global nor a thread reaches."""
    heap = dict(dict(globals_)[heap_name])
    todo = [loc for name, value in globals_ if name != heap_name for loc in addresses(value)] + list(held)
    seen = set()
    while todo:
        loc = todo.pop()
        if loc not in seen and loc in heap:
            seen.add(loc)
            todo.extend(addresses(heap[loc]))
    rest = tuple(sorted((loc, cell) for loc, cell in heap.items() if loc in seen))
    return tuple((name, rest if name == heap_name else value) for name, value in globals_)


class Numbers:
    """Things seen so far, each with its number."""

    def __init__(self):
        self.of = {}
        self.items = []

    def __call__(self, item):
        number = self.of.get(item)
        if number is None:
            number = self.of[item] = len(self.items)
            self.items.append(item)
        return number


def place(generator):
    """Program counters and locals of a suspended operation, the outermost frame first."""
    frames = []
    while generator is not None:
        frame = generator.gi_frame
        captured = frame.f_code.co_freevars
        local = {name: frozen(value) for name, value in frame.f_locals.items() if name not in captured}
        frames.append((frame.f_code.co_name, frame.f_lineno, tuple(sorted(local.items()))))
        generator = generator.gi_yieldfrom
    return tuple(frames)


class Threads:
    """What a thread does next depends on its place alone, so each place is entered once and then remembered."""

    def __init__(self, roots):
        self.roots = roots
        self.places = Numbers()
        self.how = []       # place -> (root, arguments, results so far) of one way to get there
        self.request = []   # place -> the action it calls next
        self.held = []      # place -> addresses in its locals
        self.after = {}
        self.assigned = {}  # program counters -> the locals that have a value there

    def start(self, root, arguments):
        return self.advance((root, arguments, ()))

    def resume(self, number, result):
        key = (number, result)
        if key not in self.after:
            root, arguments, results = self.how[number]
            self.after[key] = self.advance((root, arguments, results + (result,)))
        return self.after[key]

    def advance(self, how):
        """`("at", place)`, `("returned", result)` or `("fails", what)` of an operation that got these results."""
        root, arguments, results = how
        operation = self.roots[root][0](*arguments)
        assert inspect.isgenerator(operation)
        try:
            request = next(operation)
            for result in results:
                request = operation.send(result)
        except StopIteration as end:
            return "returned", end.value
        except Failed as why:
            return "fails", str(why)
        where = place(operation)
        counters = tuple(frame[:2] for frame in where)
        assigned = tuple(name for frame in where for name, _ in frame[2])
        if self.assigned.setdefault(counters, assigned) != assigned:
            raise ValueError(f"at {counters} a local has a value on some ways only: its first value would count")
        known = len(self.places.items)
        number = self.places(where)
        if number == known:
            self.how.append(how)
            self.request.append(request)
            self.held.append(tuple(sorted(set(addresses(self.places.items[number])))))
        assert self.request[number] == request, "a place calls one action"
        return "at", number


class System:
    """The interleavings of a model in a scope. A thread is `("idle", calls left)` or `("at", place, calls left)`."""

    def __init__(self, model, scope):
        self.model, self.scope = model, scope
        self.heap_name = model.collect
        self.threads = Threads(model.roots)
        self.shared = Numbers()
        self.kinds = {name for name, value in model.globals.items() if isinstance(value, dict)}
        self.effects, self.cleaned = {}, {}

    def initial(self):
        shared = self.shared(tuple(sorted((name, frozen(value)) for name, value in self.model.globals.items())))
        return shared, tuple(("idle", self.scope.calls) for _ in range(self.scope.threads))

    def act(self, shared, request):
        """Globals and result after an action; what it lacks if it waits or fails."""
        key = (shared, request)
        if key not in self.effects:
            globals_ = thawed(self.shared.items[shared], self.kinds)
            try:
                result = request[0](globals_, *request[1:])
                after = self.shared(tuple(sorted((name, frozen(value)) for name, value in globals_.items())))
                self.effects[key] = ("done", after, result)
            except Blocked:
                self.effects[key] = ("waits", None, None)
            except Failed as why:
                self.effects[key] = ("fails", None, f"{request[0].__name__}: {why}")
        return self.effects[key]

    def clean(self, shared, threads):
        if self.heap_name is None:
            return shared
        held = tuple(loc for thread in threads if thread[0] == "at" for loc in self.threads.held[thread[1]])
        key = (shared, held)
        if key not in self.cleaned:
            self.cleaned[key] = self.shared(collected(self.shared.items[shared], self.heap_name, held))
        return self.cleaned[key]

    def steps(self, state):
        """Every step as `(events, state afterwards)`, or `("fails", what)`. Events are calls and returns, in order."""
        shared, threads = state
        for me, thread in enumerate(threads):
            if thread[0] == "idle":
                yield from self.calls(state, me)
                continue
            verdict, after, result = self.act(shared, self.threads.request[thread[1]])
            if verdict == "fails":
                yield "fails", f"thread {me}, {result}"
            elif verdict == "done":
                where = self.threads.resume(thread[1], result)
                if where[0] == "fails":
                    yield "fails", f"thread {me}, {where[1]}"
                else:
                    yield self.moved(after, threads, me, where, thread[2], ())

    def calls(self, state, me):
        shared, threads = state
        left = threads[me][1]
        if left == 0:
            return
        for root, (_, arguments) in self.model.roots.items():
            for chosen in arguments(me, self.scope.size):
                call = (("call", me, root, chosen),)
                left_after = None if left is None else left - 1
                yield self.moved(shared, threads, me, self.threads.start(root, chosen), left_after, call)

    def moved(self, shared, threads, me, where, left, events):
        if where[0] == "at":
            mine = ("at", where[1], left)
        else:
            mine = ("idle", left)
            events += (("return", me, where[1]),)
        threads = threads[:me] + (mine,) + threads[me + 1:]
        return events, (self.clean(shared, threads), threads)


def stuck(state):
    return any(thread[0] == "at" for thread in state[1])


def search(system, follow, start, limit=None):
    """Breadth first over pairs of a state and what `follow` remembers of the events; `follow` returns None for a violation."""
    first = (system.initial(), start)
    seen = {first: None}
    todo = collections.deque([first])
    transitions = 0
    while todo:
        pair = todo.popleft()
        moved = False
        for events, after in system.steps(pair[0]):
            transitions += 1
            moved = True
            if events == "fails":
                return Answer("violation", after, len(seen), transitions, run_to(seen, pair, system))
            memory = follow(pair[1], events)
            if memory is None:
                run = run_to(seen, pair, system) + [events]
                return Answer("violation", UNEXPLAINED, len(seen), transitions, run)
            following = (after, memory)
            if following not in seen:
                seen[following] = pair
                todo.append(following)
        if not moved and stuck(pair[0]):
            return Answer("violation", "deadlock", len(seen), transitions, run_to(seen, pair, system))
        if limit and len(seen) > limit:
            return Answer("truncated", "", len(seen), transitions, [])
    return Answer("exhausted", "", len(seen), transitions, [])


def run_to(seen, pair, system):
    """The events of a shortest run, for people; steps without events are left out."""
    pairs = [pair]
    while seen[pairs[-1]] is not None:
        pairs.append(seen[pairs[-1]])
    pairs.reverse()
    run = []
    for before, after in zip(pairs, pairs[1:]):
        events = next(events for events, state in system.steps(before[0]) if state == after[0])
        run.append(events)
    return run


def count(model, scope, limit=None):
    """States, transitions and failures of all interleavings."""
    return search(System(model, scope), lambda memory, events: memory, (), limit)
