"""A program with everything looked up: layers, actions, contracts, bodies."""
from flow import Code
from evaluate import Evaluator
from tree import Node, attribute, clone, layers_of, walk
from values import Types, Unsure

TOP = 1 << 30
LINEAR = ("linear", "linear_in", "linear_out")
PRIMITIVES = ("One_Get", "One_Put", "Map_Get", "Map_Put", "Map_Split", "Map_Join", "Move", "Path_Load", "Path_Store", "Map_MakeEmpty",
              "Loc_New", "Tag_New", "Tags_New")
NATIVE = PRIMITIVES + ("Copy", "Assume", "Assert")


def kind_of(f):
    return next((k for k in LINEAR if attribute(f, k) is not None), None)


def span(node, low, high):
    layers = layers_of(node)
    return (low, high) if not layers else (layers[0], layers[-1])


class Formal:
    """A variable: its type, the layers at which it exists, how it holds permissions."""

    def __init__(self, node, types, low, high, params=()):
        self.name, self.node = node.name, node
        self.type = types.of(node.type)
        self.generic = mentions(self.type, set(params))
        self.plain = not self.generic and types.plain(self.type)
        self.low, self.high = span(node, low, high)
        self.kind = kind_of(node)
        self.hidden = attribute(node, "hide") is not None
        self.where = node.where
        self.linear = not self.generic and types.is_linear(self.type)

    def at(self, layer):
        return self.low <= layer <= self.high


def mentions(type, params):
    if type[0] == "map":
        return any(mentions(t, params) for t in (*type[1], type[2]))
    return type[0] in params or any(mentions(t, params) for t in type[1:])


class Action:
    """A gated atomic action, or a pure one."""

    def __init__(self, program, node, name=None):
        self.name, self.node, self.pure = name or node.name, node, node.pure
        self.mover = node.mover or ("both" if node.pure else "atomic")
        self.low, self.high = span(node, 0, TOP)
        self.ins = [Formal(f, program.types, self.low, self.high) for f in node.ins]
        self.outs = [Formal(f, program.types, self.low, self.high) for f in node.outs]
        self.code = Code(node.ins, node.outs, node.body, TOP)
        self.refines = next((p.name for p in node.specs if p.kind == "refines"), None)
        compile = program.evaluator.compile
        self.asserts = [compile(p.e) for p in node.specs if p.kind == "spec" and p.what == "asserts"]
        self.requires = [Clause(program, p, self.low) for p in node.specs if p.kind == "spec" and p.what == "requires"]
        self.touched = {n.name for n in walk([node.body, node.specs]) if n.kind == "var"} & program.global_names if node.body else set()


class Clause:
    """A requires, ensures, preserves or invariant: an expression at some layers, or a call of an invariant."""

    def __init__(self, program, node, layer=None):
        self.node, self.what, self.free = node, node.what, node.free
        self.layers = layers_of(node) or []
        self.call = node.e.kind == "call"
        self.label = f"{'free ' if self.free else ''}{node.what}"
        if self.call:
            arm = node.e.arms[0]
            self.invariant, self.args = arm.name, [program.evaluator.compile(a) for a in arm.args]
        else:
            self.test = program.evaluator.compile(node.e)


class Invariant:
    def __init__(self, program, node):
        self.name, self.node, self.layer = node.name, node, (layers_of(node) or [0])[-1]
        self.ins = [f.name for f in node.ins]
        self.clauses = [program.evaluator.compile(p.e) for p in node.specs]


class Procedure:
    """A yield procedure, a lemma or an ordinary procedure."""

    def __init__(self, program, node):
        self.name, self.node, self.yields, self.pure, self.mover = node.name, node, node.yields, node.pure, node.mover
        self.params = node.params
        self.layer = (layers_of(node) or [0])[-1] if node.yields else TOP
        make = lambda f: Formal(f, program.types, 0, self.layer, node.params)
        self.ins, self.outs = [make(f) for f in node.ins], [make(f) for f in node.outs]
        self.clauses = [Clause(program, p) for p in node.specs if p.kind == "spec" and p.what in ("requires", "ensures", "preserves")]
        self.modifies = [n for p in node.specs if p.kind == "spec" and p.what == "modifies" for n in p.names]
        self.refines = None
        for p in node.specs:
            if p.kind == "refines":
                self.refines = p.name if p.body is None else program.inline_action(node, p)
        self.bodies = [Code(node.ins, node.outs, node.body, self.layer)] if node.body is not None else []
        self.ignored = attribute(node, "ignore") is not None

    def visible(self):
        """Positions of the formals that the refined action has."""
        return [nth for nth, f in enumerate(self.ins) if self.shows(f)], [nth for nth, f in enumerate(self.outs) if self.shows(f)]

    def shows(self, f):
        return f.high == self.layer and not f.hidden


class Program:
    def __init__(self, declarations):
        self.declarations = declarations
        self.types = Types(declarations)
        self.evaluator = Evaluator(self.types, declarations)
        self.global_nodes = [d for d in declarations if d.kind == "var"]
        self.global_names = {d.name for d in self.global_nodes}
        self.globals = [Formal(d, self.types, 0, TOP) for d in self.global_nodes]
        self.by_name = {g.name: g for g in self.globals}
        self.actions, self.procedures, self.invariants = {}, {}, {}
        self.mark_invariant_calls()
        for d in declarations:
            if d.kind == "action":
                self.actions[d.name] = Action(self, d)
            elif d.kind == "invariant":
                self.invariants[d.name] = Invariant(self, d)
        for d in declarations:
            if d.kind == "procedure":
                self.add_procedure(d)
        for d in declarations:
            # An implementation that is ignored is not there.
            if d.kind == "implementation" and d.name in self.procedures and attribute(d, "ignore") is None:
                p = self.procedures[d.name]
                p.bodies.append(Code(d.ins, d.outs, d.body, p.layer))
                p.bodies[-1].params = d.params
        for p in self.procedures.values():
            if p.yields and not p.bodies:
                p.bodies, p.machine = [Code(p.node.ins, p.node.outs, None, p.layer)], True
            else:
                p.machine = False
        literals = {n.value for n in walk(declarations) if n.kind == "lit" and type(n.value) is int}
        self.numbers, self.largest = sorted(n for n in literals if 2 < n < 100), max(literals, default=0)

    def add_procedure(self, d):
        """Of two declarations with one name, both are asked if one is `extern`."""
        name = d.name
        while name in self.procedures:
            name += "'"
        p = Procedure(self, d)
        p.name = name
        self.procedures[name] = p

    def mark_invariant_calls(self):
        names = {d.name for d in self.declarations if d.kind == "invariant"}
        for node in walk(self.declarations):
            if node.kind == "arm":
                node.set("invariant", node.name in names)

    def inline_action(self, procedure, spec):
        name = f"{procedure.name}.{spec.name}" if spec.name == "_" else spec.name
        shown = lambda fs: [Node("formal", attrs=clone(f.attrs), name=f.name, type=f.type, where=None) for f in fs if attribute(f, "hide") is None]
        ins, outs = shown(procedure.ins), shown(procedure.outs)
        node = Node("action", attrs=spec.layer, yields=False, pure=False, mover=spec.mover, name=name, params=[], ins=ins, outs=outs, specs=[], body=spec.body)
        # The formals of an action have no layers of their own.
        for f in [*node.ins, *node.outs]:
            f.set("attrs", [a for a in f.attrs if a.name != "layer"])
        self.actions[name] = Action(self, node, name)
        return name

    # ---- What a procedure is at a layer --------------------------------------------------------------------------------

    def action_at(self, p, layer):
        """The action that a procedure has become at a layer above its own; None: nothing (skip)."""
        name = p.refines
        while name is not None:
            a = self.actions.get(name)
            if a is None:
                raise Unsure(f"action {name}")
            if layer <= a.high:
                return a
            name = a.refines
        if p.refines is not None:
            raise Unsure(f"{p.name} is no action at layer {layer}")
        return None

    def layers(self):
        """Layers at which code ends or something is claimed: there, yields must suffice."""
        found = {p.layer for p in self.procedures.values() if p.yields and not p.machine} | {i.layer for i in self.invariants.values()}
        found |= {a.high for a in self.actions.values() if a.refines is not None}
        for node in walk([d for d in self.declarations if d.kind in ("procedure", "implementation")]):
            if node.kind in ("assert", "spec") and attribute(node, "yields") is None:
                found |= set(layers_of(node) or [])
        return found
