"""Changes of declarations and expressions: leaves, layers, kinds, clauses, bodies, actions, attributes."""
from program import LINEAR, kind_of
from scope import Scope
from statements_changed import bodies, declared, layer_attr, lists, place
from tree import Node, attribute, clone, layers_of, lit, replace_vars, var, walk


# ---- Expressions -------------------------------------------------------------------------------------------------------------

def expressions(declarations):
    """(owner, body or None, parent node, part, index or None) of all expressions that can be replaced."""
    found = []
    for d in declarations:
        if d.kind in ("procedure", "implementation", "action", "invariant", "function"):
            body = d.parts.get("body") if d.kind != "function" else None
            inner = {id(n) for p in d.parts.get("specs", []) if p.kind == "refines" for n in walk(p)}
            for node in walk([d.parts.get("specs", []), d.parts.get("body")]) if d.kind != "function" else walk(d.body):
                for part, value in node.parts.items():
                    if part in ("left", "attrs", "type", "outs", "locals"):
                        continue
                    if isinstance(value, Node) and value.kind in LEAVES:
                        found.append((d, None if id(node) in inner else body, node, part, None))
                    elif isinstance(value, list):
                        scope = None if id(node) in inner else body
                        found += [(d, scope, node, part, nth) for nth, e in enumerate(value) if isinstance(e, Node) and e.kind in LEAVES]
    return found


LEAVES = ("var", "lit", "old", "bin", "field")


def leaf(declarations, rng):
    """A small expression becomes another of its type: a local, a shared variable, an old value, a constant."""
    found = expressions(declarations)
    if not found:
        return False
    d, body, parent, part, nth = rng.choice(found)
    value = parent.parts[part] if nth is None else parent.parts[part][nth]
    scope = Scope(declarations, d, rng, body)
    type = scope.type_of(value)
    if type is None or value.kind in ("bin",) and rng.random() < 0.7:
        return False
    if type == "bool" and value.kind == "bin":
        new = scope.condition()
    else:
        new = scope.leaf(type)
    if new is None:
        return False
    if nth is None:
        parent.set(part, new)
    else:
        parent.parts[part][nth] = new
    return True


def shared_argument(declarations, rng):
    """A local in an argument of an invariant, an assertion or a clause becomes a shared variable, or what it was before."""
    claiming = {d.name for d in declarations if d.kind == "invariant"} | {"Copy", "Assert"}
    found = []
    for d in declarations:
        if d.kind in ("procedure", "implementation"):
            nodes = [n for n in walk([d.parts.get("specs", []), d.body or []]) if claims(n, claiming)]
            found += [(d, *spot) for n in nodes for spot in variables(n)]
    if not found:
        return False
    d, parent, part, nth = rng.choice(found)
    listed = isinstance(parent.parts[part], list)
    e = parent.parts[part][nth] if listed else parent.parts[part]
    scope = Scope(declarations, d, rng, d.body)
    shared = [var(g) for g, t in scope.globals.items() if t == scope.type_of(e)]
    if not shared:
        return False
    new = rng.choice(shared)
    new = Node("old", e=new) if rng.random() < 0.35 else new
    if listed:
        parent.parts[part][nth] = new
    else:
        parent.set(part, new)
    return True


def claims(n, claiming):
    return n.kind == "arm" and n.name in claiming or n.kind == "assert" or n.kind == "spec" and n.what in ("requires", "ensures", "invariant")


def variables(n):
    """(node, part, index) of the variables in what a node claims."""
    found = []
    for x in [n, *walk(n.args if n.kind == "arm" else n.e)]:
        for part, value in x.parts.items():
            values = value if isinstance(value, list) else [value]
            if part not in ("attrs", "outs"):
                found += [(x, part, nth) for nth, e in enumerate(values) if isinstance(e, Node) and e.kind == "var"]
    return found


def old_in_code(declarations, rng):
    """A local in code becomes the old value of a shared variable."""
    found = [(d, s, k) for d, b in bodies(declarations) for s in walk(b.stmts) if s.kind == "assign" for k, e in enumerate(s.right) if e.kind in ("var", "lit")]
    if not found:
        return False
    d, s, k = rng.choice(found)
    scope = Scope(declarations, d, rng, d.body)
    shared = [var(g) for g, t in scope.globals.items() if t == scope.type_of(s.right[k])]
    if not shared:
        return False
    s.right[k] = Node("old", e=rng.choice(shared))
    return True


def operator(declarations, rng):
    owners = [d for d in declarations if d.kind in ("procedure", "implementation", "action", "invariant")]
    found = [n for d in owners for n in walk([d.parts.get("specs", []), d.parts.get("body") or []]) if n.kind == "bin"]
    if not found:
        return False
    e = rng.choice(found)
    for group in (("==", "!=", "<=", "<", ">=", ">"), ("+", "-"), ("&&", "||", "==>")):
        if e.op in group:
            e.set("op", rng.choice(group))
            return True
    return False


def side(declarations, rng):
    """Of a compound condition, one side is left."""
    found = [(n, part) for d in declarations for n in walk(d) for part, e in n.parts.items() if isinstance(e, Node) and e.kind == "bin" and e.op in ("&&", "||", "==>")]
    if not found:
        return False
    n, part = rng.choice(found)
    n.set(part, rng.choice((n.parts[part].a, n.parts[part].b)))
    return True


# ---- Layers and kinds ----------------------------------------------------------------------------------------------------------

def layer(declarations, rng):
    """Another number in a `{:layer}`."""
    found = [a for n in walk(declarations) if n.kind == "attr" and n.name == "layer" for a in n.args if a.kind == "lit"]
    if not found:
        return False
    a = rng.choice(found)
    a.set("value", max(0, a.value + rng.choice((-1, 1, 1, -2))))
    return True


def local_layer(declarations, rng):
    """Layers for a local or formal, or none."""
    owners = [d for d in declarations if d.kind in ("procedure", "implementation")]
    found = [(d, f) for d in owners for f in [*d.ins, *d.outs, *(d.body.locals if d.body is not None else [])]]
    if not found:
        return False
    d, f = rng.choice(found)
    top = Scope(declarations, d, rng).layer
    if attribute(f, "layer") is not None and rng.random() < 0.6:
        f.set("attrs", [a for a in f.attrs if a.name != "layer"])
    else:
        low = rng.randint(0, top)
        f.set("attrs", [a for a in f.attrs if a.name != "layer"] + [layer_attr(low, rng.randint(low, top))])
    return True


def mover(declarations, rng):
    found = [n for n in walk(declarations) if n.kind == "refines" and n.body is not None]
    found += declared(declarations, "action", lambda d: not d.pure) + declared(declarations, "procedure", lambda d: d.yields and d.mover)
    if not found:
        return False
    rng.choice(found).set("mover", rng.choice(("left", "right", "both", "atomic")))
    return True


def linear_kind(declarations, rng):
    found = [f for d in declarations for f in [*d.parts.get("ins", []), *d.parts.get("outs", [])] if kind_of(f)]
    found += [d for d in declarations if d.kind == "var" and kind_of(d)]
    if not found:
        return False
    f = rng.choice(found)
    rest = [a for a in f.attrs if a.name not in LINEAR]
    new = rng.choice(LINEAR + (None,))
    f.set("attrs", rest + ([Node("attr", name=new, args=[])] if new else []))
    return True


def hide(declarations, rng):
    found = [f for d in declared(declarations, "procedure", lambda d: d.yields) for f in [*d.ins, *d.outs]]
    if not found:
        return False
    f = rng.choice(found)
    if attribute(f, "hide") is not None:
        f.set("attrs", [a for a in f.attrs if a.name != "hide"])
    else:
        f.attrs.append(Node("attr", name="hide", args=[]))
    return True


# ---- Bodies and implementations ------------------------------------------------------------------------------------------------

def split_implementation(declarations, rng):
    """The body moves to an implementation, whose formals may look different."""
    found = declared(declarations, "procedure", lambda d: d.body is not None)
    if not found:
        return False
    d = rng.choice(found)
    ins, outs, params = clone(d.ins), clone(d.outs), list(d.params)
    for f in [*ins, *outs]:
        f.set("where", None)
        if f.attrs and rng.random() < 0.6:
            f.attrs.pop(rng.randrange(len(f.attrs)))
    impl = Node("implementation", attrs=[], name=d.name, params=params, ins=ins, outs=outs, body=d.body)
    if len(params) > 1 and rng.random() < 0.5:
        swap_names(impl, params[0], params[1])
    d.set("body", None)
    declarations.insert(declarations.index(d) + 1, impl)
    return True


def swap_names(impl, a, b):
    """Two type parameters trade names everywhere in an implementation."""
    other = {a: b, b: a}
    impl.set("params", [other.get(p, p) for p in impl.params])
    for node in walk([impl.ins, impl.outs, impl.body]):
        if node.kind == "name" and node.name in other:
            node.set("name", other[node.name])


def swap_type_params(declarations, rng):
    found = declared(declarations, "implementation", lambda d: len(d.params) > 1)
    if not found:
        return False
    d = rng.choice(found)
    swap_names(d, d.params[0], d.params[1])
    return True


def second_implementation(declarations, rng):
    """One more body."""
    sources = bodies(declarations)
    if not sources:
        return False
    d, body = rng.choice(sources)
    new = Node("implementation", attrs=[], name=d.name, params=list(d.params), ins=clone(d.ins), outs=clone(d.outs), body=clone(body))
    for f in [*new.ins, *new.outs]:
        f.set("where", None)
    if new.body.stmts and rng.random() < 0.6:
        new.body.stmts.pop(rng.randrange(len(new.body.stmts)))
    declarations.append(new)
    return True


def drop_body(declarations, rng):
    found = declared(declarations, "procedure", lambda d: d.body is not None and (d.mover or rng.random() < 0.3))
    if not found:
        return False
    rng.choice(found).set("body", None)
    return True


def body_to_machine(declarations, rng):
    """A procedure loses its body and keeps what it refines."""
    found = declared(declarations, "procedure", lambda d: d.body is not None and d.yields and any(p.kind == "refines" for p in d.specs))
    if not found:
        return False
    d = rng.choice(found)
    d.set("body", None)
    d.set("specs", [p for p in d.specs if p.kind == "refines" or rng.random() < 0.3])
    return True


def duplicate_declaration(declarations, rng):
    """A copy of a procedure or invariant under another name, or under the same with `{:extern}`."""
    found = [d for d in declarations if d.kind in ("procedure", "invariant")]
    if not found:
        return False
    new = clone(rng.choice(found))
    if rng.random() < 0.4:
        new.attrs.append(Node("attr", name="extern", args=[]))
    else:
        new.set("name", new.name + "2")
    declarations.append(new)
    return True


def drop_declaration(declarations, rng):
    if len(declarations) < 3:
        return False
    declarations.pop(rng.randrange(len(declarations)))
    return True


# ---- Clauses -------------------------------------------------------------------------------------------------------------------

def drop_clause(declarations, rng):
    found = [(d.specs, p) for d in declarations if "specs" in d.parts for p in d.specs]
    if not found:
        return False
    specs, p = rng.choice(found)
    specs.remove(p)
    return True


def add_clause(declarations, rng):
    """A requires, ensures or preserves: a condition, or a call of an invariant."""
    found = declared(declarations, "procedure")
    if not found:
        return False
    d = rng.choice(found)
    scope = Scope(declarations, d, rng)
    what = rng.choice(("requires", "ensures", "preserves", "ensures") if d.yields else ("requires", "ensures"))
    invariants = declared(declarations, "invariant")
    if d.yields and invariants and rng.random() < 0.5:
        arm = scope.arm(rng.choice(invariants))
        if arm is None:
            return False
        e, attrs = Node("call", is_async=False, free=False, arms=[arm]), []
    else:
        e = scope.condition()
        if rng.random() < 0.5:
            e = replace_vars(e, {g: Node("old", e=var(g)) for g in scope.globals})
        attrs = [layer_attr(rng.choice((scope.layer, scope.layer, 0)))] if d.yields else []
    d.specs.insert(0, Node("spec", what=what, free=False, attrs=attrs, e=e))
    return True


def free_clause(declarations, rng):
    found = [p for d in declared(declarations, "procedure") for p in d.specs if p.kind == "spec" and p.what in ("requires", "ensures")]
    if not found:
        return False
    rng.choice(found).set("free", True)
    return True


def modifies(declarations, rng):
    found, names = declared(declarations, "procedure"), [d.name for d in declarations if d.kind == "var"]
    if not found or not names:
        return False
    rng.choice(found).specs.append(Node("spec", what="modifies", free=False, attrs=[], names=[rng.choice(names)]))
    return True


def where_clause(declarations, rng):
    found = [(d, f) for d in declarations if d.kind == "procedure" for f in [*d.ins, *d.outs, *(d.body.locals if d.body is not None else [])]]
    found += [(None, d) for d in declarations if d.kind == "var"]
    if not found:
        return False
    d, f = rng.choice(found)
    if f.type.kind != "name" or f.type.name != "int":
        return False
    f.set("where", Node("bin", op=rng.choice((">", "==", "<")), a=var(f.name), b=lit(rng.choice((0, 1, 5)))))
    return True


def add_attribute(declarations, rng):
    d = rng.choice(declarations)
    if "attrs" not in d.parts:
        return False
    d.attrs.append(Node("attr", name=rng.choice(("ignore", "extern", "inline")), args=[]))
    return True


# ---- Actions -------------------------------------------------------------------------------------------------------------------

def actions(declarations):
    return declared(declarations, "action", lambda d: d.body is not None)


def named(declarations, rng):
    """A named action; an inline one is given a name."""
    inline = [(d, p) for d in declared(declarations, "procedure") for p in d.specs if p.kind == "refines" and p.body is not None]
    if inline and rng.random() < 0.7:
        d, p = rng.choice(inline)
        name = f"A_{d.name}"
        if any(x.parts.get("name") == name for x in declarations):
            return None
        shown = [f for f in clone(d.ins) if attribute(f, "hide") is None], [f for f in clone(d.outs) if attribute(f, "hide") is None]
        for f in [*shown[0], *shown[1]]:
            f.set("attrs", [a for a in f.attrs if a.name in LINEAR])
        new = Node("action", attrs=p.layer, yields=False, pure=False, mover=p.mover, name=name, params=[], ins=shown[0], outs=shown[1], specs=[], body=p.body)
        d.specs[d.specs.index(p)] = Node("refines", attrs=[], mover=None, layer=[], name=name, body=None)
        declarations.insert(declarations.index(d), new)
        return new
    found = actions(declarations)
    return rng.choice(found) if found else None


def assert_to_asserts(declarations, rng):
    """An assertion of an action becomes its declared gate."""
    a = named(declarations, rng)
    if a is None:
        return False
    for s in a.body.stmts:
        if s.kind == "assert":
            a.specs.append(Node("spec", what="asserts", free=False, attrs=[], e=clone(s.e)))
            if rng.random() < 0.5:
                a.body.stmts.remove(s)
            return True
    return False


def add_asserts(declarations, rng):
    a = named(declarations, rng)
    if a is None:
        return False
    scope = Scope(declarations, a, rng)
    used = {n.name for n in walk(a.body) if n.kind == "var"}
    scope.globals = {g: t for g, t in scope.globals.items() if g in used or rng.random() < 0.3}
    e = scope.condition()
    if rng.random() < 0.7:
        a.specs.append(Node("spec", what="asserts", free=False, attrs=[], e=e))
    else:
        a.body.stmts.insert(0, Node("assert", attrs=[], e=e))
    return True


def outline_action(declarations, rng):
    """The body of an action moves to another action that it calls."""
    a = named(declarations, rng)
    if a is None:
        return False
    name = f"{a.name}_inner"
    if any(d.parts.get("name") == name for d in declarations):
        return False
    inner = clone(a)
    inner.set("name", name)
    inner.set("specs", [p for p in inner.specs if p.kind == "spec" and p.what == "asserts"])
    if rng.random() < 0.5:
        a.set("specs", [p for p in a.specs if not (p.kind == "spec" and p.what == "asserts")])
    for s in list(inner.body.stmts):
        if s.kind == "assert" and rng.random() < 0.6:
            inner.body.stmts.remove(s)
            inner.specs.append(Node("spec", what="asserts", free=False, attrs=[], e=s.e))
    arm = Node("arm", attrs=[], outs=[f.name for f in a.outs], name=name, args=[var(f.name) for f in a.ins])
    a.set("body", Node("body", locals=[], stmts=[Node("call", is_async=False, free=False, arms=[arm])]))
    declarations.append(inner)
    return True


def chain_action(declarations, rng):
    """An action refines a copy of itself above its layers."""
    a = named(declarations, rng)
    if a is None or any(p.kind == "refines" for p in a.specs):
        return False
    layers = layers_of(a) or [1]
    above = clone(a)
    above.set("name", f"{a.name}_up")
    if any(d.parts.get("name") == above.name for d in declarations):
        return False
    cut = rng.randint(layers[0], layers[-1])
    top = max([layers[-1]] + [n for d in declarations for n in (layers_of(d) or []) if "attrs" in d.parts])
    a.set("attrs", [layer_attr(layers[0], cut)])
    above.set("attrs", [layer_attr(cut + 1, max(cut + 1, top))])
    above.set("specs", [p for p in above.specs if rng.random() < 0.5])
    a.specs.insert(0, Node("refines", attrs=[], mover=None, layer=[], name=above.name, body=None))
    declarations.append(above)
    return True


# ---- Functions and type parameters -----------------------------------------------------------------------------------------------

def recursion(declarations, rng):
    """A function uses another, or itself."""
    found = declared(declarations, "function", lambda d: d.body is not None and not d.params)
    if not found:
        return False
    d, other = rng.choice(found), rng.choice(found)
    own = {}
    for f in d.ins:
        own.setdefault(str(f.type), var(f.name))
    if len(d.ins) != len(other.ins) or str(d.result) != str(other.result):
        return False
    call = Node("app", name=other.name, args=[var(f.name) for f in d.ins])
    if d.result.kind == "name" and d.result.name == "int":
        d.set("body", Node("bin", op="+", a=call, b=lit(rng.choice((0, 1)))))
    else:
        d.set("body", call if rng.random() < 0.5 else Node("un", op="!", e=call))
    return True


def more_type_params(declarations, rng):
    """A formal of a polymorphic procedure gets a type parameter of its own."""
    found = declared(declarations, "procedure", lambda d: d.params and len(d.ins) > 1)
    if not found:
        return False
    d = rng.choice(found)
    fresh = next(n for n in ("U", "V", "W", "X", "Y") if n not in d.params)
    f = rng.choice(d.ins)
    if f.type.kind != "name" or f.type.name not in d.params:
        return False
    f.set("type", Node("name", name=fresh, args=[]))
    d.params.append(fresh)
    return True
