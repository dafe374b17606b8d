"""Reading declarations and statements: the text of a program becomes a list of trees."""
from expressions import Expressions
from reader import Unreadable
from tree import Node

MOVERS = ("left", "right", "both", "atomic")
SPECS = ("refines", "requires", "ensures", "preserves", "modifies", "asserts", "measure", "free")


def parse(text):
    try:
        return Parser(text).program()
    except RecursionError:
        raise Unreadable("too deep") from None


class Parser(Expressions):
    def program(self):
        found = []
        while self.kind() != "end":
            found += self.declaration()
        return found

    # ---- Declarations ------------------------------------------------------------------------------------------------

    def declaration(self):
        word = self.peek()
        if word == "var":
            self.next()
            return [Node("var", attrs=f.attrs, name=f.name, type=f.type, where=f.where) for f in self.variables(";")]
        if word == "const":
            return self.constants()
        if word in ("function", "revealed"):
            return [self.function()]
        if word in ("axiom", "hideable"):
            self.take("hideable"), self.want("axiom")
            attrs, e = self.attrs(), self.expr()
            self.want(";")
            return [Node("axiom", attrs=attrs, e=e)]
        if word == "type":
            return self.types()
        if word == "datatype":
            return [self.datatype()]
        if word == "implementation":
            self.next()
            attrs, name, params = self.attrs(), self.name(), self.type_params()
            ins, outs = self.signature()
            return [Node("implementation", attrs=attrs, name=name, params=params, ins=ins, outs=outs, body=self.body())]
        yields, pure = self.take("yield"), self.take("pure")
        if self.take("invariant"):
            return [self.invariant(yields)]
        mover = self.next() if self.peek() in MOVERS else None
        kind = self.next()
        if kind not in ("action", "procedure"):
            raise Unreadable(f"declaration expected, {kind!r} found")
        return [self.callable(kind, yields, pure, mover)]

    def constants(self):
        self.next()
        attrs, unique, names = self.attrs(), self.take("unique"), None
        attrs += self.attrs()
        names = self.names()
        self.want(":")
        type = self.type()
        self.want(";")
        return [Node("const", attrs=attrs, unique=unique, name=name, type=type) for name in names]

    def function(self):
        self.take("revealed"), self.want("function")
        attrs, name, params = self.attrs(), self.name(), self.type_params()
        self.want("(")
        ins = self.function_formals()
        if self.take("returns"):
            self.want("(")
            self.attrs()
            if self.kind() == "word" and self.peek(1) == ":":
                self.next(), self.next()
            result = self.type()
            self.want(")")
        else:
            self.want(":")
            result = self.type()
        body = None
        if self.take("{"):
            body = self.expr()
            self.want("}")
        else:
            self.want(";")
        return Node("function", attrs=attrs, name=name, params=params, ins=ins, result=result, body=body)

    def function_formals(self):
        found, pending = [], []
        while not self.take(")"):
            attrs = self.attrs()
            if self.kind() == "word" and self.peek(1) == ":":
                name = self.name()
                self.next()
                type = self.type()
                found += [Node("formal", attrs=[], name=n, type=type, where=None) for n in pending]
                found.append(Node("formal", attrs=attrs, name=name, type=type, where=None))
                pending = []
            elif self.kind() == "word" and self.peek(1) == ",":
                pending.append(self.name())
            else:
                found.append(Node("formal", attrs=attrs, name=f"_{len(found)}", type=self.type(), where=None))
            self.take(",")
        return found + [Node("formal", attrs=[], name=f"_{nth}", type=Node("name", name=n, args=[]), where=None) for nth, n in enumerate(pending)]

    def types(self):
        self.next()
        found, attrs = [], self.attrs()
        while True:
            name, params = self.name(), []
            while self.kind() == "word":
                params.append(self.name())
            found.append(Node("type", attrs=attrs, name=name, params=params, value=self.type() if self.take("=") else None))
            if not self.take(","):
                self.want(";")
                return found

    def datatype(self):
        self.next()
        attrs, name, params = self.attrs(), self.name(), self.type_params()
        self.want("{")
        ctors = []
        while not self.take("}"):
            ctor = self.name()
            self.want("(")
            ctors.append(Node("ctor", name=ctor, fields=self.variables(")")))
            self.take(",")
        return Node("datatype", attrs=attrs, name=name, params=params, ctors=ctors)

    def invariant(self, yields):
        attrs, name = self.attrs(), self.name()
        self.want("(")
        ins, clauses = self.variables(")"), []
        self.want(";")
        while self.take("preserves"):
            clauses.append(Node("spec", what="preserves", free=False, attrs=self.attrs(), e=self.expr()))
            self.want(";")
        return Node("invariant", attrs=attrs, yields=yields, name=name, ins=ins, specs=clauses)

    def callable(self, kind, yields, pure, mover):
        attrs, name, params = self.attrs(), self.name(), self.type_params()
        ins, outs = self.signature()
        without = self.take(";")
        specs = []
        while self.peek() in SPECS:
            specs.append(self.spec())
        body = self.body() if not without or self.peek() == "{" else None
        return Node(kind, attrs=attrs, yields=yields, pure=pure, mover=mover, name=name, params=params, ins=ins, outs=outs, specs=specs, body=body)

    def signature(self):
        self.want("(")
        ins, outs = self.variables(")"), []
        if self.take("returns"):
            self.want("(")
            outs = self.variables(")")
        return ins, outs

    def variables(self, end):
        found, attrs = [], []
        first = True
        while not self.take(end):
            attrs = self.attrs() if first or end == ")" else attrs
            first = False
            names = self.names()
            self.want(":")
            type = self.type()
            where = self.expr() if self.take("where") else None
            found += [Node("formal", attrs=list(attrs), name=name, type=type, where=where) for name in names]
            self.take(",")
        return found

    def spec(self):
        free, what = self.take("free"), self.next()
        attrs = self.attrs()
        if what == "refines":
            return self.refines(attrs)
        if what == "modifies":
            names = [] if self.peek() == ";" else self.names()
            self.want(";")
            return Node("spec", what=what, free=free, attrs=attrs, names=names)
        if what == "measure":
            values = [self.expr()]
            while self.take(","):
                values.append(self.expr())
            self.want(";")
            return Node("spec", what=what, free=free, attrs=attrs, values=values)
        e = self.call() if self.peek() in ("call", "async") else self.expr()
        self.want(";")
        return Node("spec", what=what, free=free, attrs=attrs, e=e)

    def refines(self, attrs):
        if self.peek() in MOVERS + ("action",) and self.peek(1) != ";":
            mover = self.next() if self.peek() in MOVERS else None
            self.want("action")
            inner, name = self.attrs(), self.name()
            return Node("refines", attrs=attrs, mover=mover, layer=inner, name=name, body=self.body())
        name = self.name()
        self.want(";")
        return Node("refines", attrs=attrs, mover=None, layer=[], name=name, body=None)

    # ---- Statements --------------------------------------------------------------------------------------------------

    def body(self):
        self.want("{")
        found = []
        while self.take("var"):
            found += self.variables(";")
        return Node("body", locals=found, stmts=self.block())

    def block(self):
        found = []
        while not self.take("}"):
            found.append(self.statement())
        return found

    def statement(self):
        word = self.peek()
        if word in ("assert", "assume"):
            self.next()
            found = Node(word, attrs=self.attrs(), e=self.expr())
        elif word == "havoc":
            self.next()
            found = Node("havoc", names=self.names())
        elif word == "measure":
            self.next()
            attrs, values = self.attrs(), [self.expr()]
            while self.take(","):
                values.append(self.expr())
            found = Node("measure", attrs=attrs, values=values)
        elif word in ("async", "call", "free"):
            found = self.call()
        elif word in ("if", "while"):
            return self.branch() if word == "if" else self.loop()
        elif word == "break":
            self.next()
            found = Node("break", label=None if self.peek() == ";" else self.name())
        elif word == "goto":
            self.next(), self.attrs()
            found = Node("goto", labels=self.names())
        elif word == "return":
            self.next(), self.attrs()
            found = Node("return")
        elif word == "yield":
            self.next()
            found = Node("yield", attrs=self.attrs(), e=None if self.peek() == ";" else self.expr())
        elif self.peek(1) == ":" and self.kind() == "word":
            self.next(), self.next()
            return Node("label", name=word)
        else:
            found = self.assignment()
        self.want(";")
        return found

    def assignment(self):
        if self.peek(1) == "(":
            ctor = self.name()
            self.next()
            names = self.names()
            self.want(")"), self.want(":=")
            self.attrs()
            return Node("unpack", name=ctor, names=names, e=self.expr())
        left = [self.postfix(self.atom())]
        while self.take(","):
            left.append(self.postfix(self.atom()))
        self.want(":=")
        self.attrs()
        right = [self.expr()]
        while self.take(","):
            right.append(self.expr())
        return Node("assign", left=left, right=right)

    def call(self):
        is_async, free = self.take("async"), self.take("free")
        self.want("call")
        arms = [self.arm()]
        while self.take("|"):
            arms.append(self.arm())
        return Node("call", is_async=is_async, free=free, arms=arms)

    def arm(self):
        attrs, outs = self.attrs(), []
        if self.peek(1) in (",", ":="):
            outs = self.names()
            self.want(":=")
        name = self.name()
        self.want("(")
        return Node("arm", attrs=attrs, outs=outs, name=name, args=self.exprs(")"))

    def guard(self):
        self.attrs(), self.want("(")
        e = None if self.take("*") else self.expr()
        self.want(")")
        return e

    def branch(self):
        self.next()
        c = self.guard()
        self.want("{")
        then, other = self.block(), None
        if self.take("else"):
            if self.peek() == "if":
                other = [self.branch()]
            else:
                self.want("{")
                other = self.block()
        return Node("if", c=c, then=then, other=other)

    def loop(self):
        self.next()
        c, specs = self.guard(), []
        while self.peek() in ("invariant", "free", "measure"):
            specs.append(self.spec())
        self.want("{")
        return Node("while", c=c, specs=specs, stmts=self.block())
