//! Terms as SMT-LIB text, in size linear in the shared term.
//!
//! **In:** terms without lambdas, and the names of what occurs in them. **Out:** text.
//!
//! A subterm that occurs twice is bound by `let` at the outermost place where all its
//! variables are known, which is the top or the body of a quantifier.
//!
//! # Soundness
//! The text denotes the term, nothing more and nothing less. A `let` never moves a variable
//! out of its binder: a subterm is bound in a scope only if none of its free variables is
//! bound again anywhere inside that scope. Pool hints are not printed; they carry no meaning.

use std::borrow::Cow;
use std::fmt::Write;

use ir::{Op, PointwiseOp, Quant, QuantKind, Signature, Sort, Term, TermKind, Var};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Unsupported;
use super::names::Names;

/// Finds names for everything in `roots` and for their free variables.
pub(crate) fn see(
    names: &mut Names,
    signature: &Signature,
    roots: &[Term],
) -> Result<(), Unsupported> {
    let mut free = Vec::new();
    let mut binders = FxHashSet::default();
    let mut failure = Ok(());
    ir::subst::for_each_subterm(roots, |term| {
        if failure.is_ok() {
            failure = see_node(names, signature, term);
        }
        if let TermKind::Var(var) = term.kind() {
            free.push(var);
        }
        binders.extend(term.bound().iter().map(|bound| &bound.var));
    });
    failure?;
    // A variable that is bound somewhere is free only if it occurs outside its binder.
    let mut truly_free = None;
    for var in free {
        let is_free = !binders.contains(var)
            || truly_free
                .get_or_insert_with(|| {
                    roots.iter().flat_map(ir::free_vars).collect::<FxHashSet<Var>>()
                })
                .contains(var);
        if is_free {
            names.see_variable(var, signature)?;
        }
    }
    Ok(())
}

fn see_node(names: &mut Names, signature: &Signature, term: &Term) -> Result<(), Unsupported> {
    if term.is_ill_formed() {
        return Err(Unsupported("an ill-sorted term".to_owned()));
    }
    for bound in term.bound() {
        names.see_sort(&bound.var.sort, signature)?;
    }
    let TermKind::App(op, _) = term.kind() else { return Ok(()) };
    match op {
        Op::Func(function) => names.see_function(function, signature),
        Op::Ctor(def, _) | Op::Field(def, ..) | Op::Is(def, _) => {
            names.see_definition(def, signature)
        }
        Op::ConstArray(sort) | Op::SeqEmpty(sort) | Op::Builtin(_, sort) => {
            names.see_sort(sort, signature)
        }
        Op::Pow => {
            names.uses_power = true;
            Ok(())
        }
        // Sorts of all other results are made of sorts of arguments.
        Op::Not
        | Op::And
        | Op::Or
        | Op::Implies
        | Op::Eq
        | Op::Ite
        | Op::Distinct
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::IntDiv
        | Op::IntMod
        | Op::RealDiv
        | Op::Neg
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::ToReal
        | Op::ToInt
        | Op::Select
        | Op::Store
        | Op::MapOp(_)
        | Op::SeqLen
        | Op::SeqConcat
        | Op::SeqUnit
        | Op::SeqNth
        | Op::SeqExtract
        | Op::BvConcat
        | Op::BvExtract { .. } => Ok(()),
    }
}

/// Prints terms whose names were seen before.
pub(crate) struct Printer<'a> {
    names: &'a Names,
    out: String,
    /// Innermost last: the printed names of bound variables.
    bound: Vec<(Var, String)>,
    /// Printed names of subterms bound by an enclosing `let`.
    shared: FxHashMap<Term, String>,
    next_bound: usize,
    next_shared: usize,
    /// Those printed so far; a quantifier is called after its place here.
    pub(crate) quantifiers: Vec<Term>,
    /// Has some quantifier to be left to its patterns?
    pub(crate) by_patterns: bool,
}

/// The solver may instantiate these quantifiers with values of models.
pub(crate) const BY_MODELS: char = 'q';
/// These it may not: not every value of a sort with maps inside is one that a program can build (a vector
/// of negative length, an infinite set whose size is asked for), and axioms and programs speak about
/// those only.
pub(crate) const BY_PATTERNS: char = 'p';

enum Piece<'t> {
    Term(&'t Term),
    Text(&'static str),
}

impl<'a> Printer<'a> {
    pub(crate) fn new(names: &'a Names) -> Printer<'a> {
        Printer {
            names,
            out: String::new(),
            bound: Vec::new(),
            shared: FxHashMap::default(),
            next_bound: 0,
            next_shared: 0,
            quantifiers: Vec::new(),
            by_patterns: false,
        }
    }

    /// The text of a closed term.
    pub(crate) fn print(&mut self, term: &Term) -> Result<String, Unsupported> {
        self.scope(term, &[])?;
        self.shared.clear();
        Ok(std::mem::take(&mut self.out))
    }

    /// The text of a term as a function of variables, or of the term itself if there are none.
    pub(crate) fn function(&mut self, of: &[Var], term: &Term) -> Result<String, Unsupported> {
        if of.is_empty() {
            return self.print(term);
        }
        self.out.push_str("(lambda (");
        for var in of {
            self.bind(var)?;
        }
        self.out.push_str(") ");
        self.scope(term, of)?;
        self.out.push(')');
        self.bound.clear();
        self.shared.clear();
        Ok(std::mem::take(&mut self.out))
    }

    /// Declares a bound variable.
    fn bind(&mut self, var: &Var) -> Result<(), Unsupported> {
        let name = format!("x{}", self.next_bound);
        self.next_bound += 1;
        let _ = write!(self.out, "({name} {})", self.names.sort(&var.sort)?);
        self.bound.push((var.clone(), name));
        Ok(())
    }

    /// Prints `term`, with what it shares bound in front. `own` are the variables bound right
    /// here.
    /// Returns what was bound, for the end of the scope.
    fn scope(&mut self, term: &Term, own: &[Var]) -> Result<Vec<Term>, Unsupported> {
        let levels = sharing(term, own, &self.shared);
        let count = levels.len();
        let mut here = Vec::new();
        for level in levels {
            self.out.push_str("(let (");
            let mut added = Vec::new();
            for part in level {
                let name = format!("l{}", self.next_shared);
                self.next_shared += 1;
                let _ = write!(self.out, "({name} ");
                self.term(&part)?;
                self.out.push_str(")\n");
                added.push((part, name));
            }
            self.out.push_str(") ");
            here.extend(added.iter().map(|(part, _)| part.clone()));
            self.shared.extend(added);
        }
        self.term(term)?;
        self.out.extend(std::iter::repeat_n(')', count));
        Ok(here)
    }

    fn term(&mut self, term: &Term) -> Result<(), Unsupported> {
        let mut todo = vec![Piece::Term(term)];
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Term(term) => {
                    if let Some(name) = self.shared.get(term) {
                        self.out.push_str(name);
                    } else {
                        self.node(term, &mut todo)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn node<'t>(&mut self, term: &'t Term, todo: &mut Vec<Piece<'t>>) -> Result<(), Unsupported> {
        match term.kind() {
            TermKind::Var(var) => {
                let known = self.bound.iter().rev().find(|(own, _)| own == var);
                match known {
                    Some((_, name)) => self.out.push_str(name),
                    None => self.names.variable(var, &mut self.out)?,
                }
            }
            TermKind::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            TermKind::Int(value) => self.out.push_str(&integer(value, "")),
            TermKind::Real(value) => self.out.push_str(&real(value)),
            TermKind::BitVec(value, width) => {
                let _ = write!(self.out, "(_ bv{value} {width})");
            }
            TermKind::String(text) => self.out.push_str(&string(text)),
            TermKind::App(op, args) => self.application(term, op, args, todo)?,
            TermKind::Quant(quant) => self.quantifier(term, quant)?,
            TermKind::Lambda(_) => {
                return Err(Unsupported("a lambda that was not lifted".to_owned()));
            }
        }
        Ok(())
    }

    fn application<'t>(
        &mut self,
        term: &Term,
        op: &Op,
        args: &'t [Term],
        todo: &mut Vec<Piece<'t>>,
    ) -> Result<(), Unsupported> {
        if let Some(same) = stands_for_argument(op, args) {
            todo.push(Piece::Term(same));
            return Ok(());
        }
        // `concat` takes two arguments: (concat (concat a b) c).
        if *op == Op::BvConcat {
            self.out.push_str(&"(concat ".repeat(args.len() - 1));
            todo.extend(
                args.iter()
                    .skip(1)
                    .rev()
                    .flat_map(|arg| [Piece::Text(") "), Piece::Term(arg), Piece::Text(" ")]),
            );
            todo.push(Piece::Term(&args[0]));
            return Ok(());
        }
        if !args.is_empty() {
            self.out.push('(');
            todo.push(Piece::Text(")"));
            for arg in args.iter().rev() {
                todo.push(Piece::Term(arg));
                todo.push(Piece::Text(" "));
            }
        }
        if let Op::Func(function) = op {
            return self.names.function(function, &mut self.out);
        }
        let head = self.head(term, op, args)?;
        self.out.push_str(&head);
        Ok(())
    }

    /// The operator as it stands behind the opening parenthesis.
    fn head(&self, term: &Term, op: &Op, args: &[Term]) -> Result<Cow<'static, str>, Unsupported> {
        let names = self.names;
        Ok(match op {
            Op::And if args.is_empty() => "true".into(),
            Op::Or if args.is_empty() => "false".into(),
            Op::ConstArray(sort) => format!("(as const {})", names.sort(sort)?).into(),
            Op::MapOp(op) => self.pointwise(*op, term, args)?.into(),
            Op::Ctor(def, ctor) => names.constructor(def, *ctor)?.into(),
            Op::Field(def, ctor, field) => names.selector(def, *ctor, *field)?.into(),
            Op::Is(def, ctor) => format!("(_ is {})", names.constructor(def, *ctor)?).into(),
            Op::Func(function) => {
                let mut name = String::new();
                names.function(function, &mut name)?;
                name.into()
            }
            Op::SeqEmpty(sort) => format!("(as seq.empty {})", names.sort(sort)?).into(),
            Op::BvExtract { high, low } => format!("(_ extract {high} {low})").into(),
            Op::Builtin(name, _) => builtin(name.as_str())?.into(),
            ir::plain_op!() => plain(op).into(),
        })
    }

    /// `(_ map f)`, with the signature of `f` where its name alone is ambiguous.
    fn pointwise(
        &self,
        op: PointwiseOp,
        term: &Term,
        args: &[Term],
    ) -> Result<String, Unsupported> {
        let element = |sort: &Sort| match sort.as_array() {
            Some((_, element)) => self.names.sort(element),
            None => {
                Err(Unsupported("a pointwise operation on something that is no map".to_owned()))
            }
        };
        let name = match op {
            PointwiseOp::And => return Ok("(_ map and)".to_owned()),
            PointwiseOp::Or => return Ok("(_ map or)".to_owned()),
            PointwiseOp::Not => return Ok("(_ map not)".to_owned()),
            PointwiseOp::Implies => return Ok("(_ map =>)".to_owned()),
            PointwiseOp::Iff | PointwiseOp::Eq => "=",
            PointwiseOp::Ite => "ite",
            PointwiseOp::Add => "+",
            PointwiseOp::Sub => "-",
            PointwiseOp::Mul => "*",
            PointwiseOp::Div => "div",
            PointwiseOp::Mod => "mod",
            PointwiseOp::Gt => ">",
            PointwiseOp::Ge => ">=",
            PointwiseOp::Lt => "<",
            PointwiseOp::Le => "<=",
        };
        let mut sorts = Vec::new();
        for arg in args {
            sorts.push(element(arg.sort())?);
        }
        Ok(format!("(_ map ({name} ({}) {}))", sorts.join(" "), element(term.sort())?))
    }

    fn quantifier(&mut self, term: &Term, quant: &Quant) -> Result<(), Unsupported> {
        let before = self.bound.len();
        self.out.push_str(match quant.kind {
            QuantKind::Forall => "(forall (",
            QuantKind::Exists => "(exists (",
        });
        for bound in &quant.bound {
            self.bind(&bound.var)?;
        }
        let _ = write!(self.out, ") (! ");
        let own: Vec<Var> = quant.bound.iter().map(|bound| bound.var.clone()).collect();
        // What the body binds by `let` is not visible in the patterns.
        for part in self.scope(&quant.body, &own)? {
            self.shared.remove(&part);
        }
        let by_models = quant.bound.iter().all(|bound| self.names.is_free_of_maps(&bound.var.sort));
        self.by_patterns |= !by_models;
        let prefix = if by_models { BY_MODELS } else { BY_PATTERNS };
        let _ = write!(self.out, " :qid {prefix}{}", self.quantifiers.len());
        self.quantifiers.push(term.clone());
        if quant.weight != 1 {
            let _ = write!(self.out, " :weight {}", quant.weight);
        }
        for trigger in &quant.triggers {
            self.out.push_str(" :pattern (");
            for (nth, term) in trigger.iter().enumerate() {
                self.out.push_str(if nth == 0 { "" } else { " " });
                self.term(term)?;
            }
            self.out.push(')');
        }
        for term in quant.nopats.iter().filter(|_| quant.triggers.is_empty()) {
            self.out.push_str(" :no-pattern ");
            self.term(term)?;
        }
        self.out.push_str("))");
        self.bound.truncate(before);
        Ok(())
    }
}

/// The subterms of `term` to be bound in front of it: those that occur more than once and are
/// not yet `known`, by level, so that each level only uses earlier ones.
///
/// In the body of a quantifier only subterms with one of its `own` variables are bound; the
/// others were dealt with further out.
fn sharing(term: &Term, own: &[Var], known: &FxHashMap<Term, String>) -> Vec<Vec<Term>> {
    let (mut parts, order) = Parts::of(term, known, own);
    let mut levels: Vec<Vec<Term>> = Vec::new();
    for nth in order {
        let facts = parts.settle(nth);
        let Part { term: part, uses, level, .. } = parts.list[nth];
        if uses > 1 && !facts.inner && (facts.own || own.is_empty()) && part != term {
            if levels.len() <= level {
                levels.resize_with(level + 1, Vec::new);
            }
            levels[level].push(part.clone());
            parts.list[nth].level += 1;
        }
    }
    levels.retain(|level| !level.is_empty());
    levels
}

/// A subterm with parts of its own.
struct Part<'t> {
    term: &'t Term,
    uses: usize,
    level: usize,
    /// The variables that occur free, of those that are bound here or further in.
    free: Vec<&'t Var>,
}

/// The subterms of a term, each once, and the variables that are bound here or further in.
struct Parts<'t> {
    list: Vec<Part<'t>>,
    numbers: FxHashMap<&'t Term, usize>,
    inner: FxHashSet<&'t Var>,
    own: &'t [Var],
}

struct Facts {
    /// A variable that is bound further in occurs free.
    inner: bool,
    /// A variable that is bound right here occurs free.
    own: bool,
}

impl<'t> Parts<'t> {
    /// The parts, and their numbers in an order in which children come first.
    fn of(
        term: &'t Term,
        known: &FxHashMap<Term, String>,
        own: &'t [Var],
    ) -> (Parts<'t>, Vec<usize>) {
        let (list, numbers) = (Vec::new(), FxHashMap::default());
        let mut parts = Parts { list, numbers, inner: FxHashSet::default(), own };
        let mut order = Vec::new();
        let mut todo = vec![(term, None)];
        while let Some((term, finished)) = todo.pop() {
            if let Some(nth) = finished {
                order.push(nth);
                continue;
            }
            if is_leaf(term) || known.contains_key(term) {
                continue;
            }
            let next = parts.list.len();
            let nth = *parts.numbers.entry(term).or_insert(next);
            if nth < next {
                parts.list[nth].uses += 1;
                continue;
            }
            parts.list.push(Part { term, uses: 1, level: 0, free: Vec::new() });
            todo.push((term, Some(nth)));
            parts.inner.extend(term.bound().iter().map(|bound| &bound.var));
            printed_children(term, &mut |child| todo.push((child, None)));
        }
        (parts, order)
    }

    /// Finds the level and the free variables of a part whose children are settled.
    fn settle(&mut self, nth: usize) -> Facts {
        let (mut level, mut free): (usize, Vec<&'t Var>) = (0, Vec::new());
        let nothing_is_bound = self.inner.is_empty() && self.own.is_empty();
        let term = self.list[nth].term;
        printed_children(term, &mut |child| match child.as_var() {
            Some(_) if nothing_is_bound => {}
            Some(var) => {
                let bound = self.inner.contains(var) || self.own.contains(var);
                if bound && !free.contains(&var) {
                    free.push(var);
                }
            }
            None if is_leaf(child) => {}
            None => {
                let Some(child) = self.numbers.get(child) else { return };
                let child = &self.list[*child];
                level = level.max(child.level);
                for var in &child.free {
                    if !free.contains(var) {
                        free.push(var);
                    }
                }
            }
        });
        free.retain(|var| !term.bound().iter().any(|bound| bound.var == **var));
        let facts = Facts {
            inner: free.iter().any(|var| self.inner.contains(var)),
            own: free.iter().any(|var| self.own.contains(var)),
        };
        self.list[nth].level = level;
        self.list[nth].free = free;
        facts
    }
}

fn is_leaf(term: &Term) -> bool {
    match term.kind() {
        TermKind::App(_, args) => args.is_empty(),
        TermKind::Quant(_) | TermKind::Lambda(_) => false,
        TermKind::Var(_)
        | TermKind::Bool(_)
        | TermKind::Int(_)
        | TermKind::Real(_)
        | TermKind::BitVec(..)
        | TermKind::String(_) => true,
    }
}

/// The parts that the printer prints: all but hints.
fn printed_children<'t>(term: &'t Term, each: &mut dyn FnMut(&'t Term)) {
    if let TermKind::Quant(quant) = term.kind() {
        each(&quant.body);
        quant.triggers.iter().flatten().for_each(&mut *each);
        quant.nopats.iter().for_each(each);
    } else {
        term.for_each_child(each);
    }
}

/// The argument that an application equals, when the operator says nothing: sums of one,
/// access to maps without indices.
fn stands_for_argument<'t>(op: &Op, args: &'t [Term]) -> Option<&'t Term> {
    let no_indices =
        |map: &Term| map.sort().as_array().is_some_and(|(indices, _)| indices.is_empty());
    match (op, args) {
        (Op::And | Op::Or | Op::Add | Op::Mul | Op::SeqConcat | Op::BvConcat, [only]) => Some(only),
        // ([]T is T: reading and writing it is the value itself)
        (Op::Select, [map]) if no_indices(map) => Some(map),
        (Op::Store, [map, value]) if no_indices(map) => Some(value),
        (Op::ConstArray(sort), [value])
            if sort.as_array().is_some_and(|(indices, _)| indices.is_empty()) =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// Operators whose text is just their name.
const PLAIN: &[(Op, &str)] = &[
    (Op::Not, "not"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Implies, "=>"),
    (Op::Eq, "="),
    (Op::Ite, "ite"),
    (Op::Distinct, "distinct"),
    (Op::Add, "+"),
    (Op::Sub, "-"),
    (Op::Mul, "*"),
    (Op::IntDiv, "div"),
    (Op::IntMod, "mod"),
    (Op::RealDiv, "/"),
    (Op::Neg, "-"),
    (Op::Lt, "<"),
    (Op::Le, "<="),
    (Op::Gt, ">"),
    (Op::Ge, ">="),
    (Op::ToReal, "to_real"),
    (Op::ToInt, "to_int"),
    (Op::Pow, "real_pow"),
    (Op::Select, "select"),
    (Op::Store, "store"),
    (Op::SeqLen, "seq.len"),
    (Op::SeqConcat, "seq.++"),
    (Op::SeqUnit, "seq.unit"),
    (Op::SeqNth, "seq.nth"),
    (Op::SeqExtract, "seq.extract"),
    (Op::BvConcat, "concat"),
];

/// An operator without a row would be an undeclared name, which the solver refuses.
fn plain(op: &Op) -> &'static str {
    PLAIN.iter().find(|(known, _)| known == op).map_or("unknown-operator", |(_, name)| name)
}

fn integer(value: &BigInt, suffix: &str) -> String {
    match value.sign() {
        Sign::Minus => format!("(- {}{suffix})", -value),
        Sign::NoSign | Sign::Plus => format!("{value}{suffix}"),
    }
}

fn real(value: &BigRational) -> String {
    if value.is_integer() {
        return integer(value.numer(), ".0");
    }
    format!("(/ {} {})", integer(value.numer(), ".0"), integer(value.denom(), ".0"))
}

fn string(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\"\""),
            // A backslash could start an escape of SMT-LIB.
            ' '..='~' if c != '\\' => out.push(c),
            _ => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

/// A name from the attribute of a user, which must be one symbol or one `(_ ..)` of symbols
/// and numbers: anything else could close the script's parentheses. A name that a script of ours
/// could declare would mean whatever happens to have it.
fn builtin(name: &str) -> Result<String, Unsupported> {
    let inside = name.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')'));
    let words: Vec<&str> = inside.unwrap_or(name).split(' ').collect();
    let is_symbol = |word: &&str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "+-*/=<>._%?!^~&$@".contains(c))
    };
    let starts_well =
        words.first().is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    if words.iter().all(is_symbol)
        && !words.iter().any(|word| super::names::is_own(word))
        && starts_well
        && (inside.is_some() || words.len() == 1)
    {
        return Ok(name.to_owned());
    }
    Err(Unsupported(format!("`{name}` is not the name of a solver operation")))
}
