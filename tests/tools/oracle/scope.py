"""What can be said at a place of a program: variables and their types, expressions and calls made of them."""
from program import kind_of
from show import show_type
from tree import Node, layers_of, lit, var


class Scope:
    """Variables of a body (or declaration) and of the program, by type as text."""

    def __init__(self, declarations, owner, rng, body=None):
        self.declarations, self.owner, self.rng = declarations, owner, rng
        self.locals, self.globals = {}, {}
        for f in [*owner.parts.get("ins", []), *owner.parts.get("outs", []), *(body.locals if body is not None else [])]:
            self.locals[f.name] = show_type(f.type)
        for d in declarations:
            if d.kind == "var":
                self.globals[d.name] = show_type(d.type)
        self.layer = (layers_of(owner) or [0])[-1] if "attrs" in owner.parts else 0
        if owner.kind == "implementation":
            for d in declarations:
                if d.kind == "procedure" and d.name == owner.name:
                    self.layer = (layers_of(d) or [0])[-1]

    def type_of(self, e):
        """The type of an expression as text, if that is easy to say."""
        if e.kind == "lit":
            return "bool" if isinstance(e.value, bool) else "int"
        if e.kind == "var":
            return self.locals.get(e.name) or self.globals.get(e.name)
        if e.kind == "old":
            return self.type_of(e.e)
        if e.kind == "bin":
            return "int" if e.op in ("+", "-", "*", "div", "mod") else "bool"
        if e.kind in ("is", "quant"):
            return "bool"
        if e.kind == "un":
            return "bool" if e.op == "!" else "int"
        return None

    def leaf(self, type, globals_too=True):
        """Some small expression of a type."""
        rng = self.rng
        own = [var(n) for n, t in self.locals.items() if t == type]
        shared = [var(n) for n, t in self.globals.items() if t == type] if globals_too else []
        choices = own * 2 + shared + [Node("old", e=v) for v in shared] + [Node("old", e=v) for v in own[:1]]
        if type == "int":
            choices += [lit(rng.choice((0, 1, 2, 7))), lit(rng.choice((0, 1)))]
            choices += [Node("bin", op="+", a=v, b=lit(1)) for v in own[:2]]
        elif type == "bool":
            choices += [lit(True), lit(False)]
        # A permission's value, and a value as a permission.
        choices += [Node("field", e=var(n), name="val") for n, t in self.locals.items() if t in (f"One {type}", f"One ({type})")]
        if type.startswith("One "):
            choices += [Node("app", name="One", args=[var(n)]) for n, t in self.locals.items() if type == f"One {t}"]
        return rng.choice(choices) if choices else None

    def condition(self):
        """Some small condition over variables in scope."""
        rng = self.rng
        dice = rng.random()
        if dice < 0.35:
            return lit(False)
        ints = [n for n, t in {**self.globals, **self.locals}.items() if t == "int"]
        if not ints or dice < 0.4:
            return lit(True)
        a, b = var(rng.choice(ints)), self.leaf("int")
        return Node("bin", op=rng.choice(("==", "==", "<=", "!=")), a=a, b=b)

    def arm(self, callee):
        """A call with fitting arguments; None if there are none."""
        args, outs = [], []
        for f in callee.parts.get("ins", []):
            type = show_type(f.type)
            linear = kind_of(f)
            e = self.leaf(type, globals_too=callee.kind == "invariant") if not linear else self.holder(type)
            if e is None:
                return None
            args.append(e)
        for f in callee.parts.get("outs", []):
            type = show_type(f.type)
            fitting = [n for n, t in self.locals.items() if t == type and n not in outs and n not in {i.name for i in self.owner.ins}]
            if not fitting:
                return None
            outs.append(self.rng.choice(fitting))
        return Node("arm", attrs=[], outs=outs, name=callee.name, args=args)

    def holder(self, type):
        fitting = [n for n, t in self.locals.items() if t == type]
        return var(self.rng.choice(fitting)) if fitting else None
