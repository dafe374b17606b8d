"""The text of a tree. Operators are always in parentheses, so that nothing depends on how tightly they bind."""


def show_type(t, inner=False):
    if t.kind == "map":
        params = f"<{', '.join(t.params)}>" if t.params else ""
        text = f"{params}[{', '.join(show_type(k) for k in t.keys)}]{show_type(t.value)}"
        return f"({text})" if inner else text
    text = " ".join([t.name] + [show_type(a, True) for a in t.args])
    return f"({text})" if inner and t.args else text


def show_attrs(attrs):
    return "".join("{:" + a.name + (" " + ", ".join(show(e) for e in a.args) if a.args else "") + "} " for a in attrs)


def show_formal(f):
    return f"{show_attrs(f.attrs)}{f.name}: {show_type(f.type)}" + (f" where {show(f.where)}" if f.where is not None else "")


def show_formals(formals):
    return ", ".join(show_formal(f) for f in formals)


def show_list(es):
    return ", ".join(show(e) for e in es)


def show(e):
    """The text of an expression."""
    return SHOW[e.kind](e)


def show_quant(e):
    tags = "".join(show_attrs([t]) if t.kind == "attr" else "{ " + show_list(t.args) + " } " for t in e.tags)
    params = f"<{', '.join(e.params)}> " if e.params else " "
    return f"({e.op}{params}{show_formals(e.binds)} :: {tags}{show(e.body)})"


SHOW = {
    "lit": lambda e: ("true" if e.value else "false") if isinstance(e.value, bool) else str(e.value) if e.value >= 0 else f"(-{-e.value})",
    "text": lambda e: e.value,
    "var": lambda e: e.name,
    "old": lambda e: f"old({show(e.e)})",
    "un": lambda e: f"({e.op}{show(e.e)})",
    "bin": lambda e: f"({show(e.a)} {e.op} {show(e.b)})",
    "ite": lambda e: f"(if {show(e.c)} then {show(e.a)} else {show(e.b)})",
    "app": lambda e: f"{e.name}({show_list(e.args)})",
    "sel": lambda e: f"{show(e.m)}[{show_list(e.index)}]",
    "store": lambda e: f"{show(e.m)}[{show_list(e.index)} := {show(e.value)}]",
    "field": lambda e: f"{show(e.e)}->{e.name}",
    "update": lambda e: f"{show(e.e)}->({e.name} := {show(e.value)})",
    "is": lambda e: f"({show(e.e)} is {e.name})",
    "quant": show_quant,
    "let": lambda e: f"(var {', '.join(e.names)} := {show_list(e.values)}; {show(e.body)})",
    "cast": lambda e: f"({show(e.e)} : {show_type(e.type)})",
}


# ---- Statements ------------------------------------------------------------------------------------------------------

def show_arm(a):
    outs = f"{', '.join(a.outs)} := " if a.outs else ""
    return f"{show_attrs(a.attrs)}{outs}{a.name}({show_list(a.args)})"


def show_call(s):
    return ("async " if s.is_async else "") + ("free " if s.free else "") + "call " + " | ".join(show_arm(a) for a in s.arms)


def show_guard(c):
    return "(*)" if c is None else f"({show(c)})"


SIMPLE = {
    "assert": lambda s: f"assert {show_attrs(s.attrs)}{show(s.e)};",
    "assume": lambda s: f"assume {show_attrs(s.attrs)}{show(s.e)};",
    "havoc": lambda s: f"havoc {', '.join(s.names)};",
    "measure": lambda s: f"measure {show_attrs(s.attrs)}{show_list(s.values)};",
    "call": lambda s: show_call(s) + ";",
    "break": lambda s: f"break {s.label};" if s.label else "break;",
    "goto": lambda s: f"goto {', '.join(s.labels)};",
    "return": lambda s: "return;",
    "yield": lambda s: f"yield {show_attrs(s.attrs)}{show(s.e) if s.e is not None else ''};",
    "assign": lambda s: f"{show_list(s.left)} := {show_list(s.right)};",
    "unpack": lambda s: f"{s.name}({', '.join(s.names)}) := {show(s.e)};",
    # A comment that ends with a lone CR: what follows is a line of its own.
    "cr": lambda s: "// lone CR" + "\r" + show_statements([s.stmt], "")[0],
}


def show_statements(stmts, indent):
    lines = []
    for s in stmts:
        if s.kind == "label":
            lines.append(f"{s.name}:")
        elif s.kind == "if":
            lines += [f"{indent}if {show_guard(s.c)} {{"] + show_statements(s.then, indent + "  ")
            if s.other is not None:
                lines += [f"{indent}}} else {{"] + show_statements(s.other, indent + "  ")
            lines.append(indent + "}")
        elif s.kind == "while":
            lines += [f"{indent}while {show_guard(s.c)}"] + [indent + show_spec(p) for p in s.specs]
            lines += [indent + "{"] + show_statements(s.stmts, indent + "  ") + [indent + "}"]
        else:
            lines.append(indent + SIMPLE[s.kind](s))
    return lines


def show_body(body):
    return ["{"] + [f"  var {show_formal(v)};" for v in body.locals] + show_statements(body.stmts, "  ") + ["}"]


# ---- Declarations ----------------------------------------------------------------------------------------------------

def show_spec(p):
    if p.kind == "refines":
        if p.body is None:
            return f"refines {p.name};"
        return f"refines {p.mover + ' ' if p.mover else ''}action {show_attrs(p.layer)}{p.name} " + " ".join(x.strip() for x in show_body(p.body))
    free = "free " if p.free else ""
    if p.what == "modifies":
        return f"{free}modifies {', '.join(p.names)};"
    if p.what == "measure":
        return f"{free}measure {show_attrs(p.attrs)}{show_list(p.values)};"
    value = show_call(p.e) if p.e.kind == "call" else show(p.e)
    return f"{free}{p.what} {show_attrs(p.attrs)}{value};"


def show_returns(outs):
    return f" returns ({show_formals(outs)})" if outs else ""


def show_params(params):
    return f"<{', '.join(params)}>" if params else ""


def show_callable(d):
    words = ("yield " if d.yields else "") + ("pure " if d.pure else "") + (d.mover + " " if d.mover else "") + d.kind
    end = "" if d.body is not None else ";"
    lines = [f"{words} {show_attrs(d.attrs)}{d.name}{show_params(d.params)}({show_formals(d.ins)}){show_returns(d.outs)}{end}"]
    return lines + [show_spec(p) for p in d.specs] + (show_body(d.body) if d.body is not None else [])


def show_declaration(d):
    if d.kind in ("action", "procedure"):
        return show_callable(d)
    if d.kind == "implementation":
        return [f"implementation {show_attrs(d.attrs)}{d.name}{show_params(d.params)}({show_formals(d.ins)}){show_returns(d.outs)}"] + show_body(d.body)
    if d.kind == "invariant":
        head = f"{'yield ' if d.yields else ''}invariant {show_attrs(d.attrs)}{d.name}({show_formals(d.ins)});"
        return [head] + [show_spec(p) for p in d.specs]
    if d.kind == "var":
        return [f"var {show_formal(d)};"]
    if d.kind == "const":
        return [f"const {show_attrs(d.attrs)}{'unique ' if d.unique else ''}{d.name}: {show_type(d.type)};"]
    if d.kind == "axiom":
        return [f"axiom {show_attrs(d.attrs)}{show(d.e)};"]
    if d.kind == "type":
        return [f"type {show_attrs(d.attrs)}{' '.join([d.name] + d.params)}{' = ' + show_type(d.value) if d.value else ''};"]
    if d.kind == "datatype":
        ctors = ", ".join(f"{c.name}({show_formals(c.fields)})" for c in d.ctors)
        return [f"datatype {show_attrs(d.attrs)}{d.name}{show_params(d.params)} {{ {ctors} }}"]
    body = f" {{ {show(d.body)} }}" if d.body is not None else ";"
    ins = show_formals(d.ins)
    return [f"function {show_attrs(d.attrs)}{d.name}{show_params(d.params)}({ins}): {show_type(d.result)}{body}"]


def show_program(declarations):
    return "\n".join("\n".join(show_declaration(d)) for d in declarations) + "\n"
