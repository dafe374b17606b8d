"""Programs as trees: one class for all nodes, with walks and copies that need to know nothing about the kinds.

A node has a kind and named parts; a part is a node, a list of parts, a word, a number or None. Kinds:

types       name(name, args) map(params, keys, value)
expressions lit(value) var(name) old(e) un(op, e) bin(op, a, b) ite(c, a, b) app(name, args) sel(m, index) store(m, index, value)
            field(e, name) update(e, name, value) is(e, name) quant(op, params, binds, tags, body) let(names, values, body) cast(e, type)
            text(value): a string in an attribute
statements  label assign unpack assert assume havoc measure call if while break goto return yield
declarations  var const function axiom type datatype invariant action procedure implementation
"""


class Node:
    __slots__ = ("kind", "parts")

    def __init__(self, kind, **parts):
        self.kind, self.parts = kind, parts

    def __getattr__(self, name):
        try:
            return self.parts[name]
        except KeyError:
            raise AttributeError(f"{self.kind} has no {name}") from None

    def set(self, name, value):
        self.parts[name] = value

    def __repr__(self):
        return f"{self.kind}({self.parts})"

    def __reduce__(self):
        return (restored, (self.kind, self.parts))


def restored(kind, parts):
    return Node(kind, **parts)


def clone(part):
    if isinstance(part, Node):
        return Node(part.kind, **{name: clone(value) for name, value in part.parts.items()})
    if isinstance(part, list):
        return [clone(value) for value in part]
    return part


def walk(part):
    """All nodes, parents first."""
    if isinstance(part, Node):
        yield part
        for value in part.parts.values():
            if isinstance(value, (Node, list)):
                yield from walk(value)
    elif isinstance(part, list):
        for value in part:
            yield from walk(value)


def same(a, b):
    """Structural equality."""
    if isinstance(a, Node):
        return isinstance(b, Node) and a.kind == b.kind and all(same(v, b.parts.get(n)) for n, v in a.parts.items())
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def replace_vars(part, by):
    """A copy in which variables are replaced by expressions."""
    if isinstance(part, Node):
        if part.kind == "var" and part.name in by:
            return clone(by[part.name])
        if part.kind == "quant":
            by = {n: e for n, e in by.items() if n not in {b.name for b in part.binds}}
        if part.kind == "let":
            by = {n: e for n, e in by.items() if n not in part.names}
        return Node(part.kind, **{name: replace_vars(value, by) for name, value in part.parts.items()})
    if isinstance(part, list):
        return [replace_vars(value, by) for value in part]
    return part


def names_in(part):
    return {node.name for node in walk(part) if node.kind == "var"}


def attribute(node, name):
    """The parameters of an attribute (an empty list if it has none), or None."""
    for attr in node.attrs:
        if attr.name == name:
            return attr.args
    return None


def layers_of(node):
    """All numbers of the `{:layer}` attributes, sorted; None if there is none."""
    found = [arg.value for attr in node.attrs if attr.name == "layer" for arg in attr.args if arg.kind == "lit"]
    return sorted(set(found)) if any(attr.name == "layer" for attr in node.attrs) else None


def lit(value):
    return Node("lit", value=value)


def var(name):
    return Node("var", name=name)
