//! Writing the text form.

pub(super) mod layer;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::NESTING;
use crate::{
    obligation::{Obligation, Question},
    op::Op,
    passive::{Item, PassiveBlock},
    sort::{DatatypeDef, Sort},
    subst::for_each_subterm,
    symbol::Symbol,
    term::{Bound, FuncSym, PoolHint, Quant, QuantKind, Term, TermKind, Var},
};

pub(super) fn question(question: &Question) -> String {
    let mut writer = Writer::new();
    writer.question(question);
    writer.out
}

pub(super) fn obligation(obligation: &Obligation) -> String {
    let mut writer = Writer::new();
    let id = &obligation.id;
    let _ = write!(writer.out, "(obligation {} (", id.kind);
    for (nth, subject) in id.subjects.iter().enumerate() {
        writer.out.push_str(if nth == 0 { "" } else { " " });
        writer.symbol(subject.as_str());
    }
    writer.out.push(')');
    if let Some(layer) = id.layer {
        let _ = write!(writer.out, " {layer}");
    }
    writer.out.push(' ');
    writer.string(&obligation.unit);
    writer.out.push_str(")\n");
    writer.question(&obligation.question);
    writer.out
}

pub(super) fn term(term: &Term) -> String {
    let mut writer = Writer::new();
    writer.declare(&[term], &BTreeMap::new());
    writer.define(term);
    writer.out.push_str("(axiom ");
    writer.term(term);
    writer.out.push_str(")\n");
    writer.out
}

struct Writer {
    out: String,
    vars: BTreeMap<Var, String>,
    funcs: BTreeMap<Arc<FuncSym>, String>,
    /// Subterms that get a definition.
    shared: FxHashSet<Term>,
    defined: FxHashMap<Term, usize>,
    visited: FxHashSet<Term>,
}

impl Writer {
    fn new() -> Self {
        Writer {
            out: String::new(),
            vars: BTreeMap::new(),
            funcs: BTreeMap::new(),
            shared: FxHashSet::default(),
            defined: FxHashMap::default(),
            visited: FxHashSet::default(),
        }
    }

    fn question(&mut self, question: &Question) {
        let mut roots: Vec<&Term> = question.terms().collect();
        for item in question.passive.blocks().iter().flat_map(|block| &block.items) {
            if let Item::Capture(capture) = item {
                roots.extend(capture.values.iter().map(|(_, term)| term));
            }
        }
        self.declare(&roots, &question.signature.datatypes);
        for axiom in &question.axioms {
            self.define(axiom);
            self.out.push_str("(axiom ");
            self.term(axiom);
            self.out.push_str(")\n");
        }
        for group in &question.distinct {
            group.iter().for_each(|term| self.define(term));
            self.out.push_str("(distinct");
            self.terms(group);
            self.out.push_str(")\n");
        }
        question.passive.blocks().iter().for_each(|block| self.block(block));
    }

    /// Finds out what occurs and what is shared, and writes the declarations.
    fn declare(&mut self, roots: &[&Term], datatypes: &BTreeMap<Symbol, Arc<DatatypeDef>>) {
        self.declare_with(roots, datatypes, (Vec::new(), Vec::new()));
    }

    /// The same, where these variables and functions occur outside terms as well.
    fn declare_with(
        &mut self,
        roots: &[&Term],
        datatypes: &BTreeMap<Symbol, Arc<DatatypeDef>>,
        (mut vars, mut funcs): (Vec<Var>, Vec<Arc<FuncSym>>),
    ) {
        let mut seen: FxHashSet<&Term> = FxHashSet::default();
        let mut defs: Vec<Arc<DatatypeDef>> = datatypes.values().cloned().collect();
        let mut shared = FxHashSet::default();
        for_each_subterm(roots.iter().copied(), |term| {
            if term.depth() > 0 && term.depth().is_multiple_of(NESTING) {
                shared.insert(term.clone());
            }
            term.for_each_child(&mut |child| {
                if !seen.insert(child) && child.depth() > 0 {
                    shared.insert(child.clone());
                }
            });
            vars.extend(term.as_var().cloned());
            vars.extend(term.bound().iter().map(|bound| bound.var.clone()));
            match term.as_app() {
                Some((Op::Func(func), _)) => funcs.push(func.clone()),
                Some((Op::Ctor(def, _) | Op::Field(def, ..) | Op::Is(def, _), _)) => {
                    defs.push(def.clone())
                }
                _ => {}
            }
        });
        let mut roots_seen: FxHashSet<&Term> = FxHashSet::default();
        for root in roots {
            if (!roots_seen.insert(root) || seen.contains(root)) && root.depth() > 0 {
                shared.insert((*root).clone());
            }
        }
        self.shared = shared;
        self.datatypes(defs);
        self.symbols(vars, funcs);
    }

    fn datatypes(&mut self, defs: Vec<Arc<DatatypeDef>>) {
        let mut known: BTreeMap<Symbol, Arc<DatatypeDef>> = BTreeMap::new();
        for def in defs {
            match known.get(def.name()) {
                Some(own) if *own == def => continue,
                // Two definitions of one name: the reader refuses this form.
                Some(_) => self.out.push_str("(conflict "),
                None => self.out.push_str("(datatype "),
            }
            known.insert(def.name().clone(), def.clone());
            self.symbol(def.name().as_str());
            for ctor in def.ctors() {
                self.out.push_str(" (");
                self.symbol(ctor.name.as_str());
                for (field, sort) in &ctor.fields {
                    self.out.push_str(" (");
                    self.symbol(field.as_str());
                    self.out.push(' ');
                    self.sort(sort);
                    self.out.push(')');
                }
                self.out.push(')');
            }
            self.out.push_str(")\n");
        }
    }

    fn symbols(&mut self, vars: Vec<Var>, funcs: Vec<Arc<FuncSym>>) {
        let mut taken = BTreeSet::new();
        for var in vars {
            if self.vars.contains_key(&var) {
                continue;
            }
            let token = token(var.name.as_str(), &mut taken);
            self.declaration("(var ", &token, &var.name);
            self.sort(&var.sort);
            self.out.push_str(")\n");
            self.vars.insert(var, token);
        }
        taken.clear();
        for func in funcs {
            if self.funcs.contains_key(&func) {
                continue;
            }
            let token = token(func.name.as_str(), &mut taken);
            self.declaration("(fun ", &token, &func.name);
            self.out.push('(');
            for (nth, sort) in func.args.iter().enumerate() {
                self.out.push_str(if nth == 0 { "" } else { " " });
                self.sort(sort);
            }
            self.out.push_str(") ");
            self.sort(&func.result);
            self.out.push_str(")\n");
            self.funcs.insert(func, token);
        }
    }

    /// The name follows as a string where it differs from the token.
    fn declaration(&mut self, head: &str, token: &str, name: &Symbol) {
        self.out.push_str(head);
        self.symbol(token);
        self.out.push(' ');
        if token != name.as_str() {
            self.string(name.as_str());
            self.out.push(' ');
        }
    }

    fn block(&mut self, block: &PassiveBlock) {
        for item in &block.items {
            match item {
                Item::Assume { term, hints } | Item::Assert { term, hints, .. } => {
                    self.define(term);
                    hints.iter().flat_map(|hint| &hint.terms).for_each(|term| self.define(term));
                }
                Item::Capture(capture) => {
                    capture.values.iter().for_each(|(_, term)| self.define(term))
                }
            }
        }
        self.out.push_str("(block ");
        self.symbol(block.label.as_str());
        if let Some(site) = block.site {
            let _ = write!(self.out, " (site {})", site.0);
        }
        if !block.successors.is_empty() {
            self.out.push_str(" (goto");
            for next in &block.successors {
                let _ = write!(self.out, " {}", next.0);
            }
            self.out.push(')');
        }
        for item in &block.items {
            self.out.push_str("\n  ");
            self.item(item);
        }
        self.out.push_str(")\n");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Assume { term, hints } => {
                self.out.push_str("(assume ");
                self.term(term);
                self.hints(hints);
            }
            Item::Assert { term, id, hints, subsumes } => {
                let word = if *subsumes { "assert" } else { "check" };
                let _ = write!(self.out, "({word} {} ", id.0);
                self.term(term);
                self.hints(hints);
            }
            Item::Capture(capture) => {
                let _ = write!(self.out, "(capture {}", capture.id.0);
                for (name, term) in &capture.values {
                    self.out.push_str(" (");
                    self.symbol(name.as_str());
                    self.out.push(' ');
                    self.term(term);
                    self.out.push(')');
                }
            }
        }
        self.out.push(')');
    }

    fn hints(&mut self, hints: &[PoolHint]) {
        for PoolHint { label, terms } in hints {
            self.out.push_str(" (hint ");
            self.symbol(label.as_str());
            self.terms(terms);
            self.out.push(')');
        }
    }

    /// Writes the definitions that `root` needs, innermost first.
    fn define(&mut self, root: &Term) {
        let mut todo = vec![(root, false)];
        while let Some((term, ready)) = todo.pop() {
            if ready {
                let number = self.defined.len();
                let _ = write!(self.out, "(def ${number} ");
                self.expand(term);
                self.out.push_str(")\n");
                self.defined.insert(term.clone(), number);
                continue;
            }
            if term.depth() == 0 || !self.visited.insert(term.clone()) {
                continue;
            }
            if self.shared.contains(term) {
                todo.push((term, true));
            }
            term.for_each_child(&mut |child| todo.push((child, false)));
        }
    }

    fn terms(&mut self, terms: &[Term]) {
        for term in terms {
            self.out.push(' ');
            self.term(term);
        }
    }

    fn term(&mut self, term: &Term) {
        match self.defined.get(term) {
            Some(number) => _ = write!(self.out, "${number}"),
            None => self.expand(term),
        }
    }

    fn expand(&mut self, term: &Term) {
        match term.kind() {
            TermKind::Var(var) => {
                let token = self.vars.get(var).cloned().unwrap_or_default();
                self.symbol(&token);
            }
            TermKind::Bool(value) => _ = write!(self.out, "{value}"),
            TermKind::Int(value) => _ = write!(self.out, "{value}"),
            TermKind::Real(value) => {
                _ = write!(self.out, "(real {} {})", value.numer(), value.denom())
            }
            TermKind::BitVec(value, width) => _ = write!(self.out, "(bv {value} {width})"),
            TermKind::String(value) => self.string(value),
            TermKind::App(op, args) => {
                self.out.push_str(if term.is_ill_formed() { "(ill-formed " } else { "(" });
                self.op(op);
                self.terms(args);
                self.out.push(')');
            }
            TermKind::Quant(quant) => self.quant(quant),
            TermKind::Lambda(lambda) => {
                self.out.push_str("(lambda ");
                self.bound(&lambda.bound);
                self.term(&lambda.body);
                self.out.push(')');
            }
        }
    }

    fn bound(&mut self, bound: &[Bound]) {
        self.out.push('(');
        for Bound { var, pools } in bound {
            self.out.push('(');
            let token = self.vars.get(var).cloned().unwrap_or_default();
            self.symbol(&token);
            for label in pools {
                self.out.push(' ');
                self.symbol(label.as_str());
            }
            self.out.push(')');
        }
        self.out.push_str(") ");
    }

    fn quant(&mut self, quant: &Quant) {
        let Quant { kind, bound, triggers, nopats, weight, hints, body } = quant;
        self.out.push_str(match kind {
            QuantKind::Forall => "(forall ",
            QuantKind::Exists => "(exists ",
        });
        self.bound(bound);
        self.term(body);
        for trigger in triggers {
            self.out.push_str(" (pattern");
            self.terms(trigger);
            self.out.push(')');
        }
        if !nopats.is_empty() {
            self.out.push_str(" (nopattern");
            self.terms(nopats);
            self.out.push(')');
        }
        if *weight != 1 {
            let _ = write!(self.out, " (weight {weight})");
        }
        self.hints(hints);
        self.out.push(')');
    }

    fn op(&mut self, op: &Op) {
        self.out.push_str(op.keyword());
        match op {
            Op::ConstArray(sort) | Op::SeqEmpty(sort) => {
                self.out.push(' ');
                self.sort(sort);
            }
            Op::MapOp(op) => _ = write!(self.out, " {}", op.element_op_name()),
            Op::Ctor(def, ctor) | Op::Is(def, ctor) => self.ctor(def, *ctor),
            Op::Field(def, ctor, field) => {
                self.ctor(def, *ctor);
                let _ = write!(self.out, " {field}");
            }
            Op::Func(func) => {
                let token = self.funcs.get(func).cloned().unwrap_or_default();
                self.out.push(' ');
                self.symbol(&token);
            }
            Op::BvExtract { high, low } => _ = write!(self.out, " {high} {low}"),
            Op::Builtin(name, sort) => {
                self.out.push(' ');
                self.string(name.as_str());
                self.out.push(' ');
                self.sort(sort);
            }
            crate::plain_op!() => {}
        }
    }

    fn ctor(&mut self, def: &DatatypeDef, ctor: u32) {
        self.out.push(' ');
        self.symbol(def.name().as_str());
        let _ = write!(self.out, " {ctor}");
    }

    fn sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Bool => self.out.push_str("Bool"),
            Sort::Int => self.out.push_str("Int"),
            Sort::Real => self.out.push_str("Real"),
            Sort::RoundingMode => self.out.push_str("RoundingMode"),
            Sort::String => self.out.push_str("String"),
            Sort::RegEx => self.out.push_str("RegEx"),
            Sort::BitVec(width) => _ = write!(self.out, "(BitVec {width})"),
            Sort::Float(eb, sb) => _ = write!(self.out, "(Float {eb} {sb})"),
            Sort::Uninterpreted(name) => self.named_sort("(Sort ", name),
            Sort::Datatype(name) => self.named_sort("(Data ", name),
            Sort::Array(indices, element) => {
                self.out.push_str("(Array (");
                for (nth, index) in indices.iter().enumerate() {
                    self.out.push_str(if nth == 0 { "" } else { " " });
                    self.sort(index);
                }
                self.out.push_str(") ");
                self.sort(element);
                self.out.push(')');
            }
            Sort::Seq(element) => {
                self.out.push_str("(Seq ");
                self.sort(element);
                self.out.push(')');
            }
        }
    }

    fn named_sort(&mut self, head: &str, name: &Symbol) {
        self.out.push_str(head);
        self.symbol(name.as_str());
        self.out.push(')');
    }

    /// Plain where possible, else between bars.
    fn symbol(&mut self, text: &str) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.#@'~!?`^>-:".contains(&byte);
        let first = text.as_bytes().first().copied().unwrap_or(b'0');
        let plain = text.bytes().all(plain)
            && !(first.is_ascii_digit() || first == b'-')
            && text != "true"
            && text != "false";
        if plain { self.out.push_str(text) } else { self.quoted('|', text) }
    }

    fn string(&mut self, text: &str) {
        self.quoted('"', text);
    }

    fn quoted(&mut self, mark: char, text: &str) {
        self.out.push(mark);
        for symbol in text.chars() {
            if symbol == mark || symbol == '\\' {
                self.out.push('\\');
            }
            self.out.push(symbol);
        }
        self.out.push(mark);
    }
}

/// The name itself, or one like it that nobody has.
fn token(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut token = name.to_owned();
    let mut nth = 1;
    while !taken.insert(token.clone()) {
        nth += 1;
        token = format!("{name}~{nth}");
    }
    token
}
