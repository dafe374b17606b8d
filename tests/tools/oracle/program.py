"""Programs as trees: expressions, actions, procedures, and their text."""

# ---- Expressions: constants, names (str) and tuples (operator, parts) --------------------------------------------

def value(e, env):
    if isinstance(e, str):
        return env[e]
    if not isinstance(e, tuple):
        return e
    op, *parts = e
    if op == "&&":
        return all(value(p, env) for p in parts)
    if op == "||":
        return any(value(p, env) for p in parts)
    if op == "!":
        return not value(parts[0], env)
    if op == "empty":
        return value(parts[0], env) == 0
    a, b = (value(p, env) for p in parts)
    return {"holds": a == b, "==": a == b, "!=": a != b, "<=": a <= b, "<": a < b, "+": a + b, "-": a - b}[op]


def is_permission(name):
    return name.startswith("me") or name.startswith("mine")


def typed(name):
    return f"{{:linear}} {name}: One int" if is_permission(name) else f"{name}: int"


def show(e):
    if isinstance(e, bool):
        return "true" if e else "false"
    if isinstance(e, str):
        return f"{e}->val" if is_permission(e) else e
    if not isinstance(e, tuple):
        return str(e)
    if e[0] == "!":
        return f"!({show(e[1])})"
    if e[0] == "empty":
        return f"{e[1]} is Empty"
    if e[0] == "holds":
        return f"({e[1]} is Full && {e[1]}->p == {e[2]})"
    return "(" + f" {e[0]} ".join(show(p) for p in e[1:]) + ")"


def names(e):
    if isinstance(e, str):
        return {e}
    if isinstance(e, tuple):
        return set().union(*(names(p) for p in e[1:])) if len(e) > 1 else set()
    return set()


def replace(e, by):
    if isinstance(e, str):
        return by.get(e, e)
    if isinstance(e, tuple):
        return (e[0],) + tuple(replace(p, by) for p in e[1:])
    return e


# ---- Actions: statements (set, x, e), (assume, e), (assert, e), (if, condition or None, then, else) ----------------

FAIL = "fail"


def run_action(body, env):
    """Every outcome of a body: environments, and FAIL if one way through it violates an assertion."""
    if not body:
        return [env]
    (kind, *rest), later = body[0], body[1:]
    if kind == "set":
        return run_action(later, {**env, rest[0]: value(rest[1], env)})
    if kind == "assume":
        return run_action(later, env) if value(rest[0], env) else []
    if kind == "assert":
        return run_action(later, env) if value(rest[0], env) else [FAIL]
    condition, then, other = rest
    ways = (then, other) if condition is None else ((then,) if value(condition, env) else (other,))
    return [end for way in ways for end in run_action(tuple(way) + tuple(later), env)]


def action_names(body):
    found = set()
    for kind, *rest in body:
        if kind == "if":
            found |= names(rest[0]) if rest[0] is not None else set()
            found |= action_names(rest[1]) | action_names(rest[2])
        else:
            for part in rest:
                found |= names(part)
    return found


def replace_body(body, by):
    done = []
    for kind, *rest in body:
        if kind == "if":
            condition = None if rest[0] is None else replace(rest[0], by)
            done.append(("if", condition, replace_body(rest[1], by), replace_body(rest[2], by)))
        else:
            done.append((kind,) + tuple(replace(part, by) for part in rest))
    return tuple(done)


def without(body, gone):
    """A body without the statements that mention a name that is gone."""
    done = []
    for statement in body:
        if statement[0] == "if":
            if statement[1] is not None and names(statement[1]) & gone:
                continue
            done.append(("if", statement[1], without(statement[2], gone), without(statement[3], gone)))
        elif not action_names((statement,)) & gone:
            done.append(statement)
    return tuple(done)


def show_set(name, e):
    if name == "box":
        return "box := Empty()" if e == 0 else f"box := Full({e})"
    if is_permission(name):
        return f"Full({name}) := box" if e == "box" else f"{name} := {e}"
    return f"{name} := {show(e)}"


def show_condition(condition):
    return "*" if condition is None else show(condition)


def show_if(parts, indent, show_block):
    condition, then, other = parts
    lines = [f"{indent}if ({show_condition(condition)}) {{"] + show_block(then, indent + "  ")
    return lines + [f"{indent}}} else {{"] + show_block(other, indent + "  ") + [f"{indent}}}"]


def show_action(body, indent):
    lines = []
    for kind, *rest in body:
        if kind == "set":
            lines.append(f"{indent}{show_set(*rest)};")
        elif kind == "if":
            lines += show_if(rest, indent, show_action)
        else:
            lines.append(f"{indent}{kind} {show(rest[0])};")
    return lines


# ---- Programs ----------------------------------------------------------------------------------------------------

class Global:
    def __init__(self, name, type, high):
        self.name, self.type, self.high = name, type, high


class Callee:
    """A yield procedure: `layer`, parameters, results, body (None: the machine does it), and the action it refines."""

    def __init__(self, name, layer, me, ins, outs):
        self.name, self.layer, self.me, self.ins, self.outs = name, layer, me, ins, outs
        self.linear, self.consumes = True, False
        self.mover, self.low, self.high, self.action, self.action_locals = None, None, None, None, ()
        self.body, self.locals, self.requires, self.ensures = None, (), (), ()

    def results(self):
        return f" returns ({', '.join(typed(name) for name in self.outs)})" if self.outs else ""


class Invariant:
    def __init__(self, name, layer, me, ins, condition):
        self.name, self.layer, self.me, self.ins, self.condition = name, layer, me, ins, condition
        self.linear, self.consumes = True, False


def show_parameters(c):
    how = ("{:linear_in} " if c.consumes else "{:linear} ") if c.linear else ""
    tid = [how + "me: One int"] if c.me else []
    return ", ".join(tid + [f"{name}: int" for name in c.ins])


def show_call(callee, arguments, outs, holder="me"):
    words = ", ".join(([holder] if callee.me else []) + [show(a) for a in arguments])
    return (f"{', '.join(outs)} := " if outs else "") + f"{callee.name}({words})"


def show_body(body, indent):
    lines = []
    for kind, *rest in body:
        if kind == "call":
            lines.append(f"{indent}call {show_call(*rest)};")
        elif kind == "async":
            lines.append(f"{indent}async call {'{:sync} ' if rest[2] else ''}{show_call(rest[0], rest[1], ())};")
        elif kind == "par":
            lines.append(f"{indent}call {' | '.join(show_call(*arm[1:]) for arm in rest[0])};")
        elif kind == "yield":
            lines.append(f"{indent}call {' | '.join(show_call(i, a, ()) for i, a in rest[0])};")
        elif kind == "set":
            lines.append(f"{indent}{show_set(*rest)};")
        elif kind == "assert":
            lines.append(f"{indent}assert {{:layer {rest[1]}}} {show(rest[0])};")
        elif kind == "if":
            lines += show_if(rest, indent, show_body)
        elif kind == "while":
            condition, yields, invariants, body = rest
            lines.append(f"{indent}while ({show_condition(condition)})")
            lines += [f"{indent}invariant {{:yields}} true;"] if yields else []
            lines += [f"{indent}invariant call {show_call(i, a, ())};" for i, a in invariants]
            lines.append(f"{indent}{{")
            lines += show_body(body, indent + "  ")
            lines.append(f"{indent}}}")
    return lines


class Program:
    def __init__(self, top):
        self.top, self.globals, self.callees, self.invariants = top, [], [], []

    def entries(self):
        return [callee for callee in self.callees if callee.layer == self.top]

    def text(self):
        lines = ["datatype Box { Full(p: One int), Empty() }"] if any(g.type == "Box" for g in self.globals) else []
        lines += [f"var {{:layer 0,{g.high}}} {'{:linear} ' if g.type == 'Box' else ''}{g.name}: {g.type};" for g in self.globals]
        for i in self.invariants:
            lines += ["", f"yield invariant {{:layer {i.layer}}} {i.name}({show_parameters(i)});", f"preserves {show(i.condition)};"]
        for c in self.callees:
            c.line = len(lines) + 2
            end = ";" if c.body is None else ""
            lines += ["", f"yield procedure {{:layer {c.layer}}} {c.name}({show_parameters(c)}){c.results()}{end}"]
            if c.action is not None:
                layers = f"{c.low}" if c.low == c.high else f"{c.low},{c.high}"
                lines.append(f"refines {c.mover} action {{:layer {layers}}} _")
                lines.append("{")
                lines += [f"  var {typed(name)};" for name in c.action_locals]
                lines += show_action(c.action, "  ") + ["}"]
            lines += [f"requires call {show_call(i, a, ())};" for i, a in c.requires]
            lines += [f"ensures call {show_call(i, a, ())};" for i, a in c.ensures]
            if c.body is not None:
                lines += ["{"] + [f"  var {typed(name)};" for name in c.locals] + show_body(c.body, "  ") + ["}"]
        return "\n".join(lines) + "\n"
