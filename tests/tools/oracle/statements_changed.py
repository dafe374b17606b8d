"""Changes of statements: delete, move, insert, arms, loops, ghost calls."""
from scope import Scope
from tree import Node, attribute, clone, layers_of, lit, var, walk


def bodies(declarations, kinds=("procedure", "implementation")):
    return [(d, d.body) for d in declarations if d.kind in kinds and d.body is not None]


def lists(body):
    """All lists of statements in a body."""
    found = [body.stmts]
    for node in walk(body.stmts):
        if node.kind == "if":
            found += [node.then] + ([node.other] if node.other is not None else [])
        elif node.kind == "while":
            found.append(node.stmts)
    return found


def place(declarations, rng, kinds=("procedure", "implementation"), wanted=None):
    """A random statement: (declaration, body, list, index)."""
    blocks = [(d, b, block) for d, b in bodies(declarations, kinds) for block in lists(b)]
    spots = [(d, b, block, nth) for d, b, block in blocks for nth, s in enumerate(block) if wanted is None or wanted(s)]
    return rng.choice(spots) if spots else None


def gap(declarations, rng, kinds=("procedure", "implementation")):
    """A random place between statements."""
    spots = [(d, b, block, nth) for d, b in bodies(declarations, kinds) for block in lists(b) for nth in range(len(block) + 1)]
    return rng.choice(spots) if spots else None


def layer_attr(*layers):
    return Node("attr", name="layer", args=[lit(n) for n in layers])


def declared(declarations, kind, wanted=lambda d: True):
    return [d for d in declarations if d.kind == kind and wanted(d)]


def yields(declarations, d):
    """Is the body of `d` that of a yield procedure?"""
    return d.kind == "procedure" and d.yields or d.kind == "implementation" and any(p.yields for p in declared(declarations, "procedure", lambda p: p.name == d.name))


# ---- Anything ------------------------------------------------------------------------------------------------------------

def delete(declarations, rng):
    spot = place(declarations, rng, ("procedure", "implementation", "action"))
    if not spot:
        return False
    del spot[2][spot[3]]
    return True


def duplicate(declarations, rng):
    source, target = place(declarations, rng), gap(declarations, rng)
    if not source or not target:
        return False
    target[2].insert(target[3], clone(source[2][source[3]]))
    return True


def swap(declarations, rng):
    spot = place(declarations, rng)
    if not spot or spot[3] + 1 >= len(spot[2]):
        return False
    block, nth = spot[2:]
    block[nth], block[nth + 1] = block[nth + 1], block[nth]
    return True


def move(declarations, rng):
    source = place(declarations, rng)
    if not source:
        return False
    s = source[2].pop(source[3])
    spots = [(block, nth) for block in lists(source[1]) for nth in range(len(block) + 1)] if rng.random() < 0.7 else [gap(declarations, rng)[2:]]
    block, nth = rng.choice(spots)
    block.insert(nth, s)
    return True


def insert_assert(declarations, rng):
    spot = gap(declarations, rng)
    if not spot:
        return False
    d, body, block, nth = spot
    scope = Scope(declarations, d, rng, body)
    layer = scope.layer if rng.random() < 0.7 else rng.randint(0, scope.layer)
    attrs = [layer_attr(layer)] if yields(declarations, d) else []
    block.insert(nth, Node("assert", attrs=attrs, e=scope.condition()))
    return True


def insert_call(declarations, rng):
    spot = gap(declarations, rng)
    callees = declared(declarations, "invariant") + declared(declarations, "procedure")
    if not spot or not callees:
        return False
    d, body, block, nth = spot
    scope, callee = Scope(declarations, d, rng, body), rng.choice(callees)
    arm = scope.arm(callee)
    if arm is None:
        return False
    if callee.kind == "procedure" and callee.pure and rng.random() < 0.7:
        arm.set("attrs", [layer_attr(rng.randint(0, scope.layer))])
    skip = callee.kind == "procedure" and callee.yields and not any(p.kind == "refines" for p in callee.specs) and not callee.outs
    is_async = skip and rng.random() < 0.4
    block.insert(nth, Node("call", is_async=is_async, free=False, arms=[arm]))
    return True


def insert_assign(declarations, rng):
    spot = gap(declarations, rng)
    if not spot:
        return False
    d, body, block, nth = spot
    scope = Scope(declarations, d, rng, body)
    targets = [n for n in scope.locals if n not in {f.name for f in d.ins}]
    if not targets:
        return False
    name = rng.choice(targets)
    e = scope.leaf(scope.locals[name])
    if e is None:
        return False
    block.insert(nth, Node("assign", left=[var(name)], right=[e]))
    return True


def wrap(declarations, rng):
    """A statement becomes part of a branch or loop."""
    spot = place(declarations, rng, wanted=lambda s: s.kind not in ("label", "goto"))
    if not spot:
        return False
    block, nth = spot[2:]
    inner = [block[nth]]
    if rng.random() < 0.5:
        block[nth] = Node("if", c=None, then=inner, other=None)
    else:
        specs = [Node("spec", what="invariant", free=False, attrs=[Node("attr", name="yields", args=[])], e=lit(True))] if rng.random() < 0.8 else []
        block[nth] = Node("while", c=None, specs=specs, stmts=inner)
    return True


# ---- Arms and async --------------------------------------------------------------------------------------------------------

def is_call(s):
    return s.kind == "call" and not s.is_async


def to_arms(declarations, rng):
    """Two calls in a row become one parallel call."""
    spot = place(declarations, rng, wanted=is_call)
    if not spot:
        return False
    block, nth = spot[2:]
    if nth + 1 >= len(block) or not is_call(block[nth + 1]):
        return False
    block[nth].set("arms", block[nth].arms + block.pop(nth + 1).arms)
    return True


def swap_arms(declarations, rng):
    spot = place(declarations, rng, wanted=lambda s: s.kind == "call" and len(s.arms) > 1)
    if not spot:
        return False
    rng.shuffle(spot[2][spot[3]].arms)
    return True


def add_arm(declarations, rng):
    spot = place(declarations, rng, wanted=lambda s: is_call(s) and yields_arm(declarations, s))
    callees = declared(declarations, "invariant") + declared(declarations, "procedure", lambda p: p.yields)
    if not spot or not callees:
        return False
    d, body, block, nth = spot
    arm = Scope(declarations, d, rng, body).arm(rng.choice(callees))
    if arm is None:
        return False
    block[nth].arms.insert(rng.randint(0, len(block[nth].arms)), arm)
    return True


def yields_arm(declarations, s):
    names = {d.name for d in declarations if d.kind == "invariant" or d.kind == "procedure" and d.yields}
    return all(a.name in names for a in s.arms)


def split_arms(declarations, rng):
    spot = place(declarations, rng, wanted=lambda s: s.kind == "call" and len(s.arms) > 1)
    if not spot:
        return False
    block, nth = spot[2:]
    block[nth:nth + 1] = [Node("call", is_async=False, free=False, arms=[a]) for a in block[nth].arms]
    return True


def toggle_async(declarations, rng):
    spot = place(declarations, rng, wanted=lambda s: s.kind == "call" and len(s.arms) == 1 and not s.arms[0].outs)
    if not spot:
        return False
    s = spot[2][spot[3]]
    if s.is_async and rng.random() < 0.5:
        s.set("is_async", False)
        s.arms[0].set("attrs", [a for a in s.arms[0].attrs if a.name != "sync"])
        return True
    s.set("is_async", True)
    if rng.random() < 0.5 and attribute(s.arms[0], "sync") is None:
        s.arms[0].attrs.append(Node("attr", name="sync", args=[]))
    return True


# ---- Loops -----------------------------------------------------------------------------------------------------------------

def loops(declarations):
    return [(d, b, n) for d, b in bodies(declarations) for n in walk(b.stmts) if n.kind == "while"]


def loop_invariant(declarations, rng):
    """One more invariant, or one less."""
    found = loops(declarations)
    if not found:
        return False
    d, body, loop = rng.choice(found)
    if loop.specs and rng.random() < 0.3:
        loop.specs.pop(rng.randrange(len(loop.specs)))
        return True
    scope = Scope(declarations, d, rng, body)
    invariants = declared(declarations, "invariant")
    if invariants and rng.random() < 0.6:
        arm = scope.arm(rng.choice(invariants))
        if arm is None:
            return False
        e, attrs = Node("call", is_async=False, free=False, arms=[arm]), []
    else:
        e, attrs = scope.condition(), [layer_attr(scope.layer)] if yields(declarations, d) else []
    loop.specs.append(Node("spec", what="invariant", free=False, attrs=attrs, e=e))
    return True


def loop_yields(declarations, rng):
    found = loops(declarations)
    if not found:
        return False
    d, body, loop = rng.choice(found)
    marked = [p for p in loop.specs if p.what == "invariant" and attribute(p, "yields") is not None]
    if marked and rng.random() < 0.5:
        loop.set("specs", [p for p in loop.specs if p not in marked])
    elif marked:
        layer = rng.randint(0, Scope(declarations, d, rng, body).layer)
        marked[0].set("attrs", [Node("attr", name="yields", args=[]), layer_attr(layer)])
    else:
        loop.specs.insert(0, Node("spec", what="invariant", free=False, attrs=[Node("attr", name="yields", args=[])], e=lit(True)))
    return True


def free_invariant(declarations, rng):
    found = [p for _, _, loop in loops(declarations) for p in loop.specs if p.what == "invariant" and p.e.kind != "call" and attribute(p, "yields") is None]
    if not found:
        return False
    p = rng.choice(found)
    p.set("free", True)
    if rng.random() < 0.5:
        p.set("e", lit(False))
    return True


def loop_to_goto(declarations, rng):
    """A loop with labels instead of `while`."""
    spots = [(b, block, nth) for d, b in bodies(declarations) for block in [b.stmts] for nth, s in enumerate(block) if s.kind == "while"]
    if not spots:
        return False
    body, block, nth = rng.choice(spots)
    loop = block[nth]
    used = {n.name for n in walk(body.stmts) if n.kind == "label"}
    names = iter(f"L{k}" for k in range(50) if f"L{k}" not in used)
    head, inner, after = next(names), next(names), next(names)
    lines = [Node("label", name=head)]
    for p in loop.specs:
        if p.what == "measure":
            lines.append(Node("measure", attrs=p.attrs, values=p.values))
        elif p.e.kind == "call":
            lines.append(p.e)
        else:
            lines.append(Node("assert", attrs=p.attrs, e=p.e))
    lines.sort(key=lambda s: (s.kind != "label", attribute(s, "yields") is None if "attrs" in s.parts else True))
    lines += [Node("goto", labels=[inner, after]), Node("label", name=inner)]
    lines += [Node("assume", attrs=[], e=loop.c)] if loop.c is not None else []
    lines += loop.stmts + [Node("goto", labels=[head]), Node("label", name=after)]
    lines += [Node("assume", attrs=[], e=Node("un", op="!", e=clone(loop.c)))] if loop.c is not None else []
    block[nth:nth + 1] = lines
    return True


def goto_more(declarations, rng):
    """One more target, one less, or another."""
    gotos = [(b, n) for d, b in bodies(declarations) for n in walk(b.stmts) if n.kind == "goto"]
    if not gotos:
        return False
    body, goto = rng.choice(gotos)
    labels = [n.name for n in walk(body.stmts) if n.kind == "label"]
    if rng.random() < 0.6:
        goto.labels.append(rng.choice(labels))
    else:
        goto.labels[rng.randrange(len(goto.labels))] = rng.choice(labels)
    return True


def insert_measure(declarations, rng):
    """A measure at a loop head, at any place of it."""
    heads = [(d, b, block, nth) for d, b in bodies(declarations) for block in lists(b) for nth, s in enumerate(block) if s.kind == "label"]
    found = loops(declarations)
    if heads and (not found or rng.random() < 0.6):
        d, body, block, nth = rng.choice(heads)
        scope = Scope(declarations, d, rng, body)
        block.insert(nth + rng.randint(1, 3), Node("measure", attrs=[layer_attr(scope.layer)], values=[scope.leaf("int", False)]))
        return True
    if not found:
        return False
    d, body, loop = rng.choice(found)
    scope = Scope(declarations, d, rng, body)
    attrs = [layer_attr(scope.layer)] if yields(declarations, d) else []
    loop.specs.insert(rng.randint(0, len(loop.specs)), Node("spec", what="measure", free=False, attrs=attrs, values=[scope.leaf("int", False)]))
    return True


# ---- Ghost code and faith ----------------------------------------------------------------------------------------------------

def call_layers(declarations, rng):
    """Other layers for an assertion or a ghost call."""
    spot = place(declarations, rng, wanted=lambda s: s.kind == "assert" or s.kind == "call" and len(s.arms) == 1)
    if not spot:
        return False
    d, body, block, nth = spot
    s = block[nth] if block[nth].kind == "assert" else block[nth].arms[0]
    layer = Scope(declarations, d, rng, body).layer
    s.set("attrs", [a for a in s.attrs if a.name != "layer"] + [layer_attr(rng.randint(0, layer))])
    return True


def insert_ghost(declarations, rng):
    """`call {:layer k} v := Copy(e)` or `Assert(e)`."""
    spot = gap(declarations, rng)
    if not spot or not yields(declarations, spot[0]):
        return False
    d, body, block, nth = spot
    scope = Scope(declarations, d, rng, body)
    layer = rng.randint(0, scope.layer)
    if rng.random() < 0.35:
        arm = Node("arm", attrs=[layer_attr(layer)], outs=[], name="Assert", args=[scope.condition()])
    else:
        targets = [n for n, t in {**scope.locals, **scope.globals}.items() if n not in {f.name for f in d.ins}]
        if not targets:
            return False
        name = rng.choice(targets)
        type = scope.locals.get(name) or scope.globals[name]
        e = scope.leaf(type)
        if e is None:
            return False
        arm = Node("arm", attrs=[layer_attr(layer)], outs=[name], name="Copy", args=[e])
    block.insert(nth, Node("call", is_async=False, free=False, arms=[arm]))
    return True


def faith_call(declarations, rng):
    spot = gap(declarations, rng)
    if not spot:
        return False
    d, body, block, nth = spot
    scope = Scope(declarations, d, rng, body)
    attrs = [layer_attr(scope.layer)] if yields(declarations, d) else []
    arm = Node("arm", attrs=attrs, outs=[], name="Assume", args=[scope.condition()])
    block.insert(nth, Node("call", is_async=False, free=False, arms=[arm]))
    return True


def free_call(declarations, rng):
    names = {d.name for d in declarations if d.kind == "procedure" and not d.yields}
    spot = place(declarations, rng, wanted=lambda s: s.kind == "call" and len(s.arms) == 1 and s.arms[0].name in names)
    if not spot:
        return False
    spot[2][spot[3]].set("free", True)
    return True


def inline_lemma(declarations, rng):
    """The condition of an assertion becomes the precondition of a lemma that is called instead."""
    spot = place(declarations, rng, wanted=lambda s: s.kind == "assert" and attribute(s, "yields") is None)
    if not spot:
        return False
    d, body, block, nth = spot
    layers = layers_of(block[nth])
    attrs = [layer_attr(layers[0])] if layers else []
    name = f"Lemma{len(declarations)}"
    b = var("b")
    specs = [Node("spec", what=w, free=False, attrs=[], e=clone(b)) for w in ("requires", "ensures")]
    formal = Node("formal", attrs=[], name="b", type=Node("name", name="bool", args=[]), where=None)
    body = Node("body", locals=[], stmts=[])
    lemma = Node("procedure", attrs=[], yields=False, pure=True, mover=None, name=name, params=[], ins=[formal], outs=[], specs=specs, body=body)
    declarations.append(lemma)
    block[nth] = Node("call", is_async=False, free=False, arms=[Node("arm", attrs=attrs, outs=[], name=name, args=[block[nth].e])])
    return True


def lone_cr(declarations, rng):
    """A comment that ends with a lone CR before a statement."""
    spot = place(declarations, rng, wanted=lambda s: s.kind in ("assert", "call", "assign"))
    if not spot:
        return False
    block, nth = spot[2:]
    block[nth] = Node("cr", stmt=block[nth])
    return True
