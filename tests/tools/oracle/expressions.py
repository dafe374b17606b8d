"""Reading types, attributes and expressions."""
from reader import Reader, Unreadable
from tree import Node, lit, var


# Words that end a type.
AFTER_TYPE = ("where", "returns", "uses", "refines", "requires", "ensures", "preserves", "modifies", "asserts", "free", "measure")


class Expressions(Reader):
    # ---- Types -------------------------------------------------------------------------------------------------------

    def type(self):
        if self.peek() in ("[", "<"):
            return self.map_type()
        if self.peek() == "(":
            return self.type_atom()
        name = self.name()
        args = []
        if name not in ("int", "bool", "real"):
            while self.starts_type():
                if self.peek() in ("[", "<"):
                    args.append(self.map_type())
                    break
                args.append(self.type_atom())
        return Node("name", name=name, args=args)

    def starts_type(self):
        return self.peek() in ("(", "[", "<") or (self.kind() == "word" and self.peek() not in AFTER_TYPE)

    def type_atom(self):
        if self.take("("):
            found = self.type()
            self.want(")")
            return found
        return Node("name", name=self.name(), args=[])

    def map_type(self):
        params = self.type_params()
        self.want("[")
        keys = []
        while not self.take("]"):
            keys.append(self.type())
            self.take(",")
        return Node("map", params=params, keys=keys, value=self.type())

    def type_params(self):
        found = []
        if self.take("<"):
            found = self.names()
            self.want(">")
        return found

    # ---- Attributes --------------------------------------------------------------------------------------------------

    def attrs(self):
        found = []
        while self.peek() == "{" and self.peek(1) == ":":
            self.next(), self.next()
            name, args = self.name(), []
            while not self.take("}"):
                args.append(Node("text", value=self.next()) if self.kind() == "string" else self.expr())
                self.take(",")
            found.append(Node("attr", name=name, args=args))
        return found

    # ---- Expressions -------------------------------------------------------------------------------------------------

    def exprs(self, end):
        found = []
        while self.peek() != end:
            found.append(self.expr())
            if not self.take(","):
                break
        self.want(end)
        return found

    def expr(self):
        left = self.implication()
        while self.take("<==>"):
            left = Node("bin", op="<==>", a=left, b=self.implication())
        return left

    def implication(self):
        left = self.logical()
        if self.take("==>"):
            return Node("bin", op="==>", a=left, b=self.implication())
        while self.take("<=="):
            left = Node("bin", op="==>", a=self.logical(), b=left)
        return left

    def logical(self):
        left = self.relation()
        while self.peek() in ("&&", "||"):
            left = Node("bin", op=self.next(), a=left, b=self.relation())
        return left

    def relation(self):
        left = self.term()
        if self.peek() in ("==", "!=", "<", "<=", ">", ">="):
            return Node("bin", op=self.next(), a=left, b=self.term())
        return left

    def term(self):
        left = self.factor()
        while self.peek() in ("+", "-"):
            left = Node("bin", op=self.next(), a=left, b=self.factor())
        if self.peek() == "++":
            raise Unreadable("bit vectors")
        return left

    def factor(self):
        left = self.test()
        while self.peek() in ("*", "div", "mod", "/"):
            left = Node("bin", op=self.next(), a=left, b=self.test())
        return left

    def test(self):
        left = self.unary()
        return Node("is", e=left, name=self.name()) if self.take("is") else left

    def unary(self):
        if self.peek() in ("-", "!"):
            return Node("un", op=self.next(), e=self.unary())
        left = self.postfix(self.atom())
        while self.peek() == ":" and self.peek(1) != "=":
            self.next()
            left = Node("cast", e=left, type=self.type())
        return left

    def postfix(self, left):
        while True:
            if self.take("["):
                left = self.index(left)
            elif self.take("->"):
                if self.take("("):
                    name = self.name()
                    self.want(":=")
                    left = Node("update", e=left, name=name, value=self.expr())
                    self.want(")")
                else:
                    left = Node("field", e=left, name=self.name())
            else:
                return left

    def index(self, left):
        found = []
        while self.peek() not in ("]", ":="):
            found.append(self.expr())
            self.take(",")
        if self.take(":="):
            left = Node("store", m=left, index=found, value=self.expr())
        else:
            left = Node("sel", m=left, index=found)
        self.want("]")
        return left

    def atom(self):
        kind, word = self.kind(), self.peek()
        if kind == "number":
            if not word.isdigit():
                raise Unreadable(f"number {word}")
            return lit(int(self.next()))
        if self.take("("):
            found = self.inner()
            self.want(")")
            return found
        if kind != "word":
            raise Unreadable(f"expression expected, {word!r} found")
        if word in ("true", "false"):
            return lit(self.next() == "true")
        if word == "old":
            self.next(), self.want("(")
            found = Node("old", e=self.expr())
            self.want(")")
            return found
        if word == "if":
            self.next()
            c = self.expr()
            self.want("then")
            a = self.expr()
            self.want("else")
            return Node("ite", c=c, a=a, b=self.expr())
        name = self.name()
        return Node("app", name=name, args=self.exprs(")")) if self.take("(") else var(name)

    def inner(self):
        if self.peek() in ("forall", "exists", "lambda"):
            return self.quantifier()
        if self.peek() == "var":
            self.next()
            names = self.names()
            self.want(":=")
            values = [self.expr()]
            while self.take(","):
                values.append(self.expr())
            self.want(";")
            return Node("let", names=names, values=values, body=self.expr())
        return self.expr()

    def quantifier(self):
        op, params, binds, tags = self.next(), self.type_params(), [], []
        while not self.take("::"):
            attrs, names = self.attrs(), self.names()
            self.want(":")
            type = self.type()
            binds += [Node("formal", attrs=attrs, name=name, type=type, where=None) for name in names]
            self.take(",")
        while self.peek() == "{":
            if self.peek(1) == ":":
                tags += self.attrs()
            else:
                self.next()
                tags.append(Node("trigger", args=self.exprs("}")))
        return Node("quant", op=op, params=params, binds=binds, tags=tags, body=self.expr())
