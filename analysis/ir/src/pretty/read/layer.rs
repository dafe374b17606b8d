//! Reading programs of a layer.

use super::{Read, Reader, Token};
use crate::{
    command::AssertId,
    layer::{
        Act, Action, ActionId, Arm, Call, Carrier, Condition, Definition, Excluded, Footprint,
        Formal, Function, Global, Held, Intrinsic, Item, Label, LayerProgram, Linear, Next, Node,
        NodeId, ProcId, Procedure, Spec, Step, Why, Words,
    },
    site::Site,
    term::{Term, Var},
};

pub(in crate::pretty) fn program(text: &str) -> Read<LayerProgram> {
    let mut reader = Reader::new(text);
    let mut program = LayerProgram::default();
    reader.expect_open()?;
    reader.expect_word("layer")?;
    program.layer = reader.number()?;
    reader.expect_close()?;
    loop {
        match reader.next()? {
            Token::End => break,
            Token::Open => {
                let start = reader.offset;
                let word = reader.word()?;
                if !reader.layer_form(word, &mut program)? {
                    reader.offset = start;
                    reader.form()?;
                }
            }
            Token::Close | Token::Word(_) | Token::Symbol(_) | Token::String(_) => {
                return reader.fail("expected a form");
            }
        }
    }
    if !(reader.blocks.is_empty() && reader.distinct.is_empty()) {
        return reader.fail("a question among the forms of a layer");
    }
    program.axioms = reader.axioms;
    program.signature.datatypes = reader.datatypes;
    Ok(program)
}

impl Reader<'_> {
    fn expect_word(&mut self, expected: &str) -> Read<()> {
        let word = self.word()?;
        if word == expected { Ok(()) } else { self.fail(format!("expected `{expected}`")) }
    }

    /// `(word`, items, `)`
    fn group<T>(&mut self, word: &str, each: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.expect_open()?;
        self.expect_word(word)?;
        self.until_close(each)
    }

    fn worded<T: Words>(&mut self) -> Read<T> {
        let word = self.word()?;
        T::from_word(word).map_or_else(|| self.fail(format!("`{word}` is not expected here")), Ok)
    }

    fn site(&mut self) -> Read<Site> {
        self.number().map(Site)
    }

    /// False: not a form of a layer.
    fn layer_form(&mut self, word: &str, program: &mut LayerProgram) -> Read<bool> {
        match word {
            "vectors" => program.vectors.extend(self.until_close(Self::symbol)?),
            "sort" => {
                let name = self.symbol()?;
                let made_new = match self.word()? {
                    "new" => true,
                    "given" => false,
                    other => return self.fail(format!("`{other}` says nothing about a sort")),
                };
                let constants = self.group("constants", Self::symbol)?;
                program.sorts.insert(name, Carrier { made_new, constants });
                self.expect_close()?;
            }
            "function" => {
                let function = self.function()?;
                program.functions.insert(function.symbol.name.clone(), function);
            }
            "differ" => program.distinct.push(self.until_close(Self::symbol)?),
            "global" => program.globals.push(self.global()?),
            "narrowed" => {
                program.narrowed.push(self.term()?);
                self.expect_close()?;
            }
            "action" => program.actions.push(self.action()?),
            "procedure" => program.procedures.push(self.procedure()?),
            "roots" => program.roots = self.until_close(|reader| reader.number().map(ProcId))?,
            "wish" => {
                match self.word()? {
                    "init" => program.wishes.init = Some(ActionId(self.number()?)),
                    "threads" => program.wishes.threads = Some(self.number()?),
                    "calls" => program.wishes.calls = Some(self.number()?),
                    other => return self.fail(format!("nobody wishes for `{other}`")),
                }
                self.expect_close()?;
            }
            "size" => {
                let (name, size) = (self.symbol()?, self.number()?);
                program.wishes.sizes.insert(name, size);
                self.expect_close()?;
            }
            "excluded" => program.excluded.push(self.excluded()?),
            _other => return Ok(false),
        }
        Ok(true)
    }

    fn layer_var(&mut self) -> Read<Var> {
        let token = self.symbol()?;
        let var = self.lookup(&token)?.as_var().cloned();
        var.map_or_else(|| self.fail("expected a variable"), Ok)
    }

    fn function(&mut self) -> Read<Function> {
        let token = self.symbol()?;
        let Some(symbol) = self.funcs.get(&token).cloned() else {
            return self.fail(format!("`{token}` is not declared"));
        };
        let mut function = Function { symbol, intrinsic: None, definition: None };
        while !self.close() {
            self.expect_open()?;
            match self.word()? {
                "intrinsic" => {
                    let name = self.word()?;
                    function.intrinsic = Intrinsic::named(name);
                    if function.intrinsic.is_none() {
                        return self.fail(format!("`{name}` is not known"));
                    }
                    self.expect_close()?;
                }
                "is" => {
                    self.expect_open()?;
                    let params = self.until_close(Self::layer_var)?;
                    let body = self.term()?;
                    function.definition = Some(Definition { params, body });
                    self.expect_close()?;
                }
                other => return self.fail(format!("`{other}` says nothing about a function")),
            }
        }
        Ok(function)
    }

    fn held(&mut self) -> Read<Held> {
        self.expect_open()?;
        let (domain, set) = (self.symbol()?, self.term()?);
        self.expect_close()?;
        Ok(Held { domain, set })
    }

    fn global(&mut self) -> Read<Global> {
        let var = self.layer_var()?;
        let (above, introduced) = (self.word()?, self.word()?);
        let known = ["above", "hidden"].contains(&above) && ["ghost", "real"].contains(&introduced);
        if !known {
            return self.fail("expected what is known of a global");
        }
        let holds = self.until_close(Self::held)?;
        Ok(Global { var, holds, above: above == "above", introduced: introduced == "ghost" })
    }

    /// What follows the opening parenthesis of a condition.
    fn condition(&mut self) -> Read<Condition> {
        let why: Why = self.worded()?;
        let id = AssertId(self.number()?);
        let (term, site) = (self.formula()?, self.site()?);
        self.expect_close()?;
        Ok(Condition { term, id, why, site })
    }

    fn opened_condition(&mut self) -> Read<Condition> {
        self.expect_open()?;
        self.condition()
    }

    fn action(&mut self) -> Read<Action> {
        Ok(Action {
            name: self.symbol()?,
            site: self.site()?,
            label: self.worded::<Label>()?,
            ins: self.group("in", Self::layer_var)?,
            outs: self.group("out", Self::layer_var)?,
            locals: self.group("local", Self::layer_var)?,
            footprint: Footprint {
                reads: self.group("reads", Self::symbol)?.into_iter().collect(),
                writes: self.group("writes", Self::symbol)?.into_iter().collect(),
            },
            gate: self.group("gate", Self::opened_condition)?,
            requires: self.group("requires", Self::opened_condition)?,
            nodes: self.until_close(Self::node)?,
        })
    }

    fn formal(&mut self) -> Read<Formal> {
        self.expect_open()?;
        let (var, linear) = (self.layer_var()?, self.worded::<Linear>()?);
        let holds = self.until_close(Self::held)?;
        Ok(Formal { var, linear, holds })
    }

    fn procedure(&mut self) -> Read<Procedure> {
        let mut procedure = Procedure {
            name: self.symbol()?,
            site: self.site()?,
            ins: self.group("in", Self::formal)?,
            outs: self.group("out", Self::formal)?,
            locals: self.group("local", Self::layer_var)?,
            requires: self.group("requires", Self::opened_condition)?,
            ensures: self.group("ensures", Self::opened_condition)?,
            nodes: Vec::new(),
            mover: None,
            spec: None,
            marked: false,
        };
        while !self.close() {
            self.expect_open()?;
            match self.word()? {
                "mover" => {
                    procedure.mover = Some(self.worded()?);
                    self.expect_close()?;
                }
                "skip" => {
                    procedure.spec = Some(Spec::Skip);
                    self.expect_close()?;
                }
                "spec" => {
                    let action = ActionId(self.number()?);
                    let ins = self.group("in", Self::number)?;
                    let outs = self.group("out", Self::number)?;
                    procedure.spec = Some(Spec::Action { action, ins, outs });
                    self.expect_close()?;
                }
                "marked" => {
                    procedure.marked = true;
                    self.expect_close()?;
                }
                "node" => {
                    let node = self.opened_node()?;
                    procedure.nodes.push(node);
                }
                other => return self.fail(format!("`{other}` says nothing about a procedure")),
            }
        }
        Ok(procedure)
    }

    fn node(&mut self) -> Read<Node> {
        self.expect_open()?;
        self.expect_word("node")?;
        self.opened_node()
    }

    fn opened_node(&mut self) -> Read<Node> {
        let site = self.site()?;
        self.expect_open()?;
        let next = match self.word()? {
            "return" => {
                self.expect_close()?;
                Next::Return
            }
            "goto" => Next::Goto(self.until_close(|reader| reader.number().map(NodeId))?),
            other => return self.fail(format!("`{other}` is no end of a node")),
        };
        let steps = self.until_close(|reader| {
            reader.expect_open()?;
            reader.step()
        })?;
        Ok(Node { steps, next, site })
    }

    fn step(&mut self) -> Read<Step> {
        match self.word()? {
            "assume" => {
                let (term, site) = (self.formula()?, self.site()?);
                self.expect_close()?;
                Ok(Step::Assume(term, site))
            }
            "check" => Ok(Step::Assert(self.condition()?)),
            "assign" => {
                let site = self.site()?;
                let pairs = self.until_close(|reader| {
                    reader.expect_open()?;
                    let (var, term) = (reader.layer_var()?, reader.term()?);
                    if var.sort != *term.sort() {
                        return reader.fail("a value of another sort");
                    }
                    reader.expect_close()?;
                    Ok((var, term))
                })?;
                Ok(Step::Assign(pairs, site))
            }
            "havoc" => {
                let site = self.site()?;
                Ok(Step::Havoc(self.until_close(Self::layer_var)?, site))
            }
            "fresh" => {
                let (var, site) = (self.layer_var()?, self.site()?);
                self.expect_close()?;
                Ok(Step::Fresh(var, site))
            }
            "act" => self.act().map(Step::Act),
            "call" => self.call().map(Step::Call),
            "par" => {
                let site = self.site()?;
                Ok(Step::Par(self.until_close(Self::arm)?, site))
            }
            "spawn" => {
                let (procedure, site) = (ProcId(self.number()?), self.site()?);
                Ok(Step::Spawn { procedure, ins: self.until_close(Self::term)?, site })
            }
            "yield" => {
                let site = self.site()?;
                Ok(Step::Yield(self.until_close(Self::opened_condition)?, site))
            }
            "event" => {
                let (name, site) = (self.symbol()?, self.site()?);
                let when: Term = self.formula()?;
                Ok(Step::Event { name, when, args: self.until_close(Self::term)?, site })
            }
            other => self.fail(format!("`{other}` is no step")),
        }
    }

    fn arm(&mut self) -> Read<Arm> {
        self.expect_open()?;
        match self.word()? {
            "act" => self.act().map(Arm::Act),
            "call" => self.call().map(Arm::Call),
            "claims" => Ok(Arm::Claims(self.until_close(Self::opened_condition)?)),
            other => self.fail(format!("`{other}` is no arm")),
        }
    }

    fn act(&mut self) -> Read<Act> {
        let (action, site) = (ActionId(self.number()?), self.site()?);
        let ins = self.group("in", Self::term)?;
        let outs = self.group("out", Self::layer_var)?;
        let hidden = self.group("hidden", Self::layer_var)?;
        self.expect_close()?;
        Ok(Act { action, ins, outs, hidden, site })
    }

    fn call(&mut self) -> Read<Call> {
        let (procedure, site) = (ProcId(self.number()?), self.site()?);
        let ins = self.group("in", Self::term)?;
        let outs = self.group("out", Self::layer_var)?;
        self.expect_close()?;
        Ok(Call { procedure, ins, outs, site })
    }

    fn excluded(&mut self) -> Read<Excluded> {
        let item = match self.word()? {
            "program" => Item::Program,
            "procedure" => Item::Procedure(self.symbol()?),
            "action" => Item::Action(self.symbol()?),
            "function" => Item::Function(self.symbol()?),
            other => return self.fail(format!("`{other}` cannot be excluded")),
        };
        let (why, site): (String, Site) = (self.string()?, self.site()?);
        self.expect_close()?;
        Ok(Excluded { item, why, site })
    }
}
