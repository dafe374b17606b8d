//! Reading the text form.

pub(super) mod layer;

use std::{collections::BTreeMap, str::FromStr, sync::Arc};

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use rustc_hash::FxHashMap;

use super::{NESTING, ReadError};
use crate::{
    command::{AssertId, BlockId, Capture, CaptureId},
    obligation::{Obligation, ObligationId, ObligationKind, Question},
    op::{Op, PointwiseOp},
    passive::{Item, Passive, PassiveBlock},
    site::Site,
    sort::{CtorDef, DatatypeDef, Signature, Sort},
    symbol::Symbol,
    term::{Bound, FuncSym, Lambda, PoolHint, Quant, QuantKind, Term, TermKind, Var},
};

type Read<T> = Result<T, ReadError>;

pub(super) fn question(text: &str) -> Read<Question> {
    let mut reader = Reader::new(text);
    reader.forms()?;
    reader.finish()
}

pub(super) fn obligation(text: &str) -> Read<Obligation> {
    let mut reader = Reader::new(text);
    let (id, unit) = reader.head()?;
    reader.forms()?;
    Ok(Obligation { id, unit, question: reader.finish()? })
}

pub(super) fn term(text: &str) -> Read<Term> {
    let mut reader = Reader::new(text);
    reader.forms()?;
    match <[Term; 1]>::try_from(std::mem::take(&mut reader.axioms)) {
        Ok([term]) => Ok(term),
        Err(_) => reader.fail("expected one term"),
    }
}

enum Token<'a> {
    Open,
    Close,
    /// A word as it stands: keyword, number or plain symbol.
    Word(&'a str),
    /// A symbol between bars.
    Symbol(String),
    String(String),
    End,
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    vars: FxHashMap<Symbol, Term>,
    funcs: FxHashMap<Symbol, Arc<FuncSym>>,
    datatypes: BTreeMap<Symbol, Arc<DatatypeDef>>,
    defined: Vec<Term>,
    axioms: Vec<Term>,
    distinct: Vec<Vec<Term>>,
    blocks: Vec<PassiveBlock>,
    nesting: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader {
            text,
            offset: 0,
            vars: FxHashMap::default(),
            funcs: FxHashMap::default(),
            datatypes: BTreeMap::new(),
            defined: Vec::new(),
            axioms: Vec::new(),
            distinct: Vec::new(),
            blocks: Vec::new(),
            nesting: 0,
        }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(ReadError { offset: self.offset, message: message.into() })
    }

    fn finish(self) -> Read<Question> {
        let offset = self.offset;
        let passive = Passive::new(self.blocks)
            .ok_or_else(|| ReadError { offset, message: "an edge does not go forward".into() })?;
        let signature = Signature { datatypes: self.datatypes };
        let (axioms, distinct) = (self.axioms, self.distinct);
        Ok(Question { axioms, signature, distinct, ..Question::new(passive) })
    }

    // Tokens

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.offset).is_some_and(u8::is_ascii_whitespace) {
            self.offset += 1;
        }
    }

    fn next(&mut self) -> Read<Token<'a>> {
        self.skip_space();
        let bytes = self.text.as_bytes();
        let start = self.offset;
        match bytes.get(start) {
            None => Ok(Token::End),
            Some(b'(') => {
                self.offset += 1;
                Ok(Token::Open)
            }
            Some(b')') => {
                self.offset += 1;
                Ok(Token::Close)
            }
            Some(b'|') => self.quoted('|').map(Token::Symbol),
            Some(b'"') => self.quoted('"').map(Token::String),
            Some(_) => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()|\"".contains(byte);
                let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
                self.offset += length;
                Ok(Token::Word(&self.text[start..start + length]))
            }
        }
    }

    fn quoted(&mut self, mark: char) -> Read<String> {
        let mut out = String::new();
        let mut symbols = self.text[self.offset + 1..].char_indices();
        while let Some((at, symbol)) = symbols.next() {
            if symbol == mark {
                self.offset += 1 + at + symbol.len_utf8();
                return Ok(out);
            }
            let kept =
                if symbol == '\\' { symbols.next().map(|(_, next)| next) } else { Some(symbol) };
            out.extend(kept);
        }
        self.fail("a quoted text does not end")
    }

    /// Is a list next? Consumes its parenthesis.
    fn open(&mut self) -> bool {
        self.eat(b'(')
    }

    fn close(&mut self) -> bool {
        self.eat(b')')
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.text.as_bytes().get(self.offset) == Some(&byte);
        self.offset += usize::from(found);
        found
    }

    fn expect_open(&mut self) -> Read<()> {
        if self.open() { Ok(()) } else { self.fail("expected `(`") }
    }

    fn expect_close(&mut self) -> Read<()> {
        if self.close() { Ok(()) } else { self.fail("expected `)`") }
    }

    fn word(&mut self) -> Read<&'a str> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            Token::Open | Token::Close | Token::Symbol(_) | Token::String(_) | Token::End => {
                self.fail("expected a word")
            }
        }
    }

    fn symbol(&mut self) -> Read<Symbol> {
        match self.next()? {
            Token::Word(word) => Ok(Symbol::new(word)),
            Token::Symbol(text) => Ok(Symbol::from(text)),
            Token::Open | Token::Close | Token::String(_) | Token::End => {
                self.fail("expected a symbol")
            }
        }
    }

    fn string(&mut self) -> Read<String> {
        match self.next()? {
            Token::String(text) => Ok(text),
            Token::Open | Token::Close | Token::Word(_) | Token::Symbol(_) | Token::End => {
                self.fail("expected a string")
            }
        }
    }

    fn number<T: FromStr>(&mut self) -> Read<T> {
        let word = self.word()?;
        word.parse().or_else(|_| self.fail(format!("`{word}` is not a number that fits here")))
    }

    /// Reads until the closing parenthesis.
    fn until_close<T>(&mut self, mut each: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut all = Vec::new();
        while !self.close() {
            all.push(each(self)?);
        }
        Ok(all)
    }

    // Forms

    fn head(&mut self) -> Read<(ObligationId, String)> {
        self.expect_open()?;
        if self.word()? != "obligation" {
            return self.fail("expected an obligation");
        }
        let kind = self.word()?;
        let Some(kind) = ObligationKind::from_name(kind) else {
            return self.fail(format!("`{kind}` is no kind of obligation"));
        };
        self.expect_open()?;
        let subjects = self.until_close(Self::symbol)?;
        let mut layer = None;
        let unit = match self.next()? {
            Token::String(unit) => unit,
            Token::Word(word) => {
                layer = word.parse().ok();
                self.string()?
            }
            Token::Open | Token::Close | Token::Symbol(_) | Token::End => {
                return self.fail("expected a layer or a unit");
            }
        };
        self.expect_close()?;
        Ok((ObligationId { kind, subjects, layer }, unit))
    }

    fn forms(&mut self) -> Read<()> {
        loop {
            match self.next()? {
                Token::End => return Ok(()),
                Token::Open => self.form()?,
                Token::Close | Token::Word(_) | Token::Symbol(_) | Token::String(_) => {
                    return self.fail("expected a form");
                }
            }
        }
    }

    fn form(&mut self) -> Read<()> {
        match self.word()? {
            "datatype" => self.datatype(),
            "var" => self.var(),
            "fun" => self.fun(),
            "def" => {
                let number = self.word()?;
                if number.strip_prefix('$').and_then(|text| text.parse().ok())
                    != Some(self.defined.len())
                {
                    return self.fail("definitions must be numbered in order");
                }
                let term = self.term()?;
                self.defined.push(term);
                self.expect_close()
            }
            "axiom" => {
                let term = self.term()?;
                self.axioms.push(term);
                self.expect_close()
            }
            "distinct" => {
                let group = self.until_close(Self::term)?;
                self.distinct.push(group);
                Ok(())
            }
            "block" => self.block(),
            other => self.fail(format!("`{other}` is no form")),
        }
    }

    fn datatype(&mut self) -> Read<()> {
        let name = self.symbol()?;
        let ctors = self.until_close(|reader| {
            reader.expect_open()?;
            let name = reader.symbol()?;
            let fields = reader.until_close(|reader| {
                reader.expect_open()?;
                let field = (reader.symbol()?, reader.sort()?);
                reader.expect_close()?;
                Ok(field)
            })?;
            Ok(CtorDef { name, fields })
        })?;
        let def = DatatypeDef::new(name.clone(), ctors);
        match self.datatypes.insert(name, def) {
            None => Ok(()),
            Some(_) => self.fail("a datatype is defined twice"),
        }
    }

    /// The token, and the name: the string that follows, or the same.
    fn declared(&mut self) -> Read<(Symbol, Symbol)> {
        let token = self.symbol()?;
        self.skip_space();
        if self.text.as_bytes().get(self.offset) == Some(&b'"') {
            return Ok((token, Symbol::from(self.string()?)));
        }
        Ok((token.clone(), token))
    }

    fn var(&mut self) -> Read<()> {
        let (token, name) = self.declared()?;
        let sort = self.sort()?;
        self.vars.insert(token, Term::var(Var { name, sort }));
        self.expect_close()
    }

    fn fun(&mut self) -> Read<()> {
        let (token, name) = self.declared()?;
        self.expect_open()?;
        let args = self.until_close(Self::sort)?;
        let result = self.sort()?;
        self.funcs.insert(token, Arc::new(FuncSym { name, args: args.into(), result }));
        self.expect_close()
    }

    fn block(&mut self) -> Read<()> {
        let label = self.symbol()?;
        let mut block = PassiveBlock { label, items: vec![], successors: vec![], site: None };
        while !self.close() {
            self.expect_open()?;
            match self.word()? {
                "site" => {
                    block.site = Some(Site(self.number()?));
                    self.expect_close()?;
                }
                "goto" => {
                    block.successors = self.until_close(|reader| Ok(BlockId(reader.number()?)))?
                }
                word => {
                    let item = self.item(word)?;
                    block.items.push(item);
                }
            }
        }
        self.blocks.push(block);
        Ok(())
    }

    fn item(&mut self, word: &str) -> Read<Item> {
        match word {
            "assume" => Ok(Item::Assume { term: self.formula()?, hints: self.hints()? }),
            "assert" | "check" => {
                let id = AssertId(self.number()?);
                let term = self.formula()?;
                Ok(Item::Assert { term, id, hints: self.hints()?, subsumes: word == "assert" })
            }
            "capture" => {
                let id = CaptureId(self.number()?);
                let values = self.until_close(|reader| {
                    reader.expect_open()?;
                    let value = (reader.symbol()?, reader.term()?);
                    reader.expect_close()?;
                    Ok(value)
                })?;
                Ok(Item::Capture(Capture { id, values }))
            }
            other => self.fail(format!("`{other}` is no command")),
        }
    }

    fn hints(&mut self) -> Read<Vec<PoolHint>> {
        self.until_close(|reader| {
            reader.expect_open()?;
            match reader.word()? {
                "hint" => reader.hint(),
                other => reader.fail(format!("expected a hint, not `{other}`")),
            }
        })
    }

    fn hint(&mut self) -> Read<PoolHint> {
        Ok(PoolHint { label: self.symbol()?, terms: self.until_close(Self::term)? })
    }

    // Sorts and terms

    fn sort(&mut self) -> Read<Sort> {
        match self.next()? {
            Token::Word("Bool") => Ok(Sort::Bool),
            Token::Word("Int") => Ok(Sort::Int),
            Token::Word("Real") => Ok(Sort::Real),
            Token::Word("RoundingMode") => Ok(Sort::RoundingMode),
            Token::Word("String") => Ok(Sort::String),
            Token::Word("RegEx") => Ok(Sort::RegEx),
            Token::Open => {
                let sort = match self.word()? {
                    "BitVec" => Sort::BitVec(self.number()?),
                    "Float" => Sort::Float(self.number()?, self.number()?),
                    "Sort" => Sort::Uninterpreted(self.symbol()?),
                    "Data" => Sort::Datatype(self.symbol()?),
                    "Array" => {
                        self.expect_open()?;
                        let indices = self.until_close(Self::sort)?;
                        Sort::array(indices, self.sort()?)
                    }
                    "Seq" => Sort::seq(self.sort()?),
                    other => return self.fail(format!("`{other}` is no sort")),
                };
                self.expect_close()?;
                Ok(sort)
            }
            Token::Word(_) | Token::Close | Token::Symbol(_) | Token::String(_) | Token::End => {
                self.fail("expected a sort")
            }
        }
    }

    fn formula(&mut self) -> Read<Term> {
        let term = self.term()?;
        if *term.sort() == Sort::Bool { Ok(term) } else { self.fail("expected a formula") }
    }

    fn term(&mut self) -> Read<Term> {
        match self.next()? {
            Token::Open => {
                self.nesting += 1;
                if self.nesting > 4 * NESTING {
                    return self.fail("terms nest too deeply");
                }
                let term = self.list()?;
                self.nesting -= 1;
                Ok(term)
            }
            Token::String(text) => Ok(Term::string(text)),
            Token::Symbol(text) => self.lookup(&Symbol::from(text)),
            Token::Word(word) => self.atom(word),
            Token::Close | Token::End => self.fail("expected a term"),
        }
    }

    fn atom(&mut self, word: &str) -> Read<Term> {
        match word {
            "true" => return Ok(Term::tt()),
            "false" => return Ok(Term::ff()),
            _ => {}
        }
        if let Some(number) = word.strip_prefix('$') {
            let term = number.parse().ok().and_then(|nth: usize| self.defined.get(nth));
            return term.cloned().map_or_else(|| self.fail(format!("`{word}` is not defined")), Ok);
        }
        if word.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            let value = BigInt::from_str(word);
            return value.map(Term::int).or_else(|_| self.fail(format!("`{word}` is no number")));
        }
        self.lookup(&Symbol::new(word))
    }

    fn lookup(&self, token: &Symbol) -> Read<Term> {
        self.vars
            .get(token)
            .cloned()
            .map_or_else(|| self.fail(format!("`{token}` is not declared")), Ok)
    }

    fn list(&mut self) -> Read<Term> {
        let word = self.word()?;
        match word {
            "real" => {
                let (numer, denom): (BigInt, BigInt) = (self.number()?, self.number()?);
                if denom.sign() == Sign::NoSign {
                    return self.fail("a denominator is zero");
                }
                self.expect_close()?;
                Ok(Term::real(BigRational::new(numer, denom)))
            }
            "bv" => {
                let (value, width): (BigInt, u32) = (self.number()?, self.number()?);
                self.expect_close()?;
                Ok(Term::bit_vec(value, width))
            }
            "forall" => self.quant(QuantKind::Forall),
            "exists" => self.quant(QuantKind::Exists),
            "lambda" => {
                let bound = self.bound()?;
                let body = self.term()?;
                self.expect_close()?;
                let indices: Vec<Sort> = bound.iter().map(|bound| bound.var.sort.clone()).collect();
                let sort = Sort::array(indices, body.sort().clone());
                Ok(Term::node(TermKind::Lambda(Box::new(Lambda { bound, body })), sort))
            }
            _ => {
                let op = self.op(word)?;
                let args = self.until_close(Self::term)?;
                Term::app_verbatim(op, args).or_else(|error| self.fail(error.to_string()))
            }
        }
    }

    fn bound(&mut self) -> Read<Vec<Bound>> {
        self.expect_open()?;
        let bound = self.until_close(|reader| {
            reader.expect_open()?;
            let token = reader.symbol()?;
            let var = reader.lookup(&token)?.as_var().cloned();
            let Some(var) = var else { return reader.fail("expected a variable") };
            Ok(Bound { var, pools: reader.until_close(Self::symbol)? })
        })?;
        if bound.is_empty() { self.fail("expected a bound variable") } else { Ok(bound) }
    }

    fn quant(&mut self, kind: QuantKind) -> Read<Term> {
        let bound = self.bound()?;
        let mut quant = Quant::new(kind, bound, self.formula()?);
        while !self.close() {
            self.expect_open()?;
            match self.word()? {
                "pattern" => quant.triggers.push(self.until_close(Self::term)?),
                "nopattern" => quant.nopats = self.until_close(Self::term)?,
                "weight" => {
                    quant.weight = self.number()?;
                    self.expect_close()?;
                }
                "hint" => quant.hints.push(self.hint()?),
                other => return self.fail(format!("`{other}` does not belong to a quantifier")),
            }
        }
        Ok(Term::node(TermKind::Quant(Box::new(quant)), Sort::Bool))
    }

    fn op(&mut self, word: &str) -> Read<Op> {
        if let Some((_, op)) = SIMPLE.iter().find(|(keyword, _)| *keyword == word) {
            return Ok(op.clone());
        }
        match word {
            "const" => Ok(Op::ConstArray(self.sort()?)),
            "seq.empty" => Ok(Op::SeqEmpty(self.sort()?)),
            "map" => {
                let name = self.word()?;
                let op = PointwiseOp::ALL.into_iter().find(|op| op.element_op_name() == name);
                op.map_or_else(
                    || self.fail(format!("`{name}` is no pointwise operator")),
                    |op| Ok(Op::MapOp(op)),
                )
            }
            "ctor" => Ok(Op::Ctor(self.def()?, self.number()?)),
            "is" => Ok(Op::Is(self.def()?, self.number()?)),
            "field" => Ok(Op::Field(self.def()?, self.number()?, self.number()?)),
            "func" => {
                let token = self.symbol()?;
                let func = self.funcs.get(&token).cloned();
                func.map_or_else(
                    || self.fail(format!("`{token}` is not declared")),
                    |func| Ok(Op::Func(func)),
                )
            }
            "extract" => Ok(Op::BvExtract { high: self.number()?, low: self.number()? }),
            "builtin" => Ok(Op::Builtin(Symbol::from(self.string()?), self.sort()?)),
            other => self.fail(format!("`{other}` is no operator")),
        }
    }

    fn def(&mut self) -> Read<Arc<DatatypeDef>> {
        let name = self.symbol()?;
        let def = self.datatypes.get(&name).cloned();
        def.map_or_else(|| self.fail(format!("`{name}` is not defined")), Ok)
    }
}

/// Operators without parameters, by keyword.
const SIMPLE: &[(&str, Op)] = &[
    ("=", Op::Eq),
    ("and", Op::And),
    ("select", Op::Select),
    ("not", Op::Not),
    ("or", Op::Or),
    ("=>", Op::Implies),
    ("ite", Op::Ite),
    ("store", Op::Store),
    ("distinct", Op::Distinct),
    ("+", Op::Add),
    ("-", Op::Sub),
    ("*", Op::Mul),
    ("<", Op::Lt),
    ("<=", Op::Le),
    (">", Op::Gt),
    (">=", Op::Ge),
    ("div", Op::IntDiv),
    ("mod", Op::IntMod),
    ("/", Op::RealDiv),
    ("neg", Op::Neg),
    ("to_real", Op::ToReal),
    ("to_int", Op::ToInt),
    ("pow", Op::Pow),
    ("seq.len", Op::SeqLen),
    ("seq.++", Op::SeqConcat),
    ("seq.unit", Op::SeqUnit),
    ("seq.nth", Op::SeqNth),
    ("seq.extract", Op::SeqExtract),
    ("concat", Op::BvConcat),
];
