//! Quantifiers that took the solver's time, named by where they stand.
//!
//! **In:** quantifiers as they were put to the solver, with counts. **Out:** lines for people.
//!
//! A term does not know its place. So it is looked for in the text: the quantifiers that bind the same
//! names, and of these the ones that mention most of what the term mentions. If several are equally
//! good, all of them are named.

use std::collections::BTreeSet;

use ir::{Op, QuantKind, Term, TermKind};
use prover::Cost;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxNode};

use super::orders::shortened;
use crate::Analysis;
use crate::types::Location;

/// More places than this are not listed.
const MOST_PLACES: usize = 3;

/// The costliest quantifiers of an assertion, a heading first; nothing if nobody counted.
pub(crate) fn lines(analysis: &Analysis, program: base::Program, costs: &[&Cost]) -> Vec<String> {
    if costs.is_empty() {
        return Vec::new();
    }
    let wide = costs.iter().map(|cost| cost.instances.to_string().len()).max().unwrap_or(0);
    let line = |cost: &&Cost| {
        let words = describe(analysis, program, &cost.quantifier);
        format!("  {:>wide$} × {words}", cost.instances)
    };
    let heading = "quantifiers that were instantiated most, in a short run that counts:".to_owned();
    [heading].into_iter().chain(costs.iter().map(line)).collect()
}

fn describe(analysis: &Analysis, program: base::Program, term: &Term) -> String {
    let Some(wanted) = Wanted::of(term) else { return "a quantifier".to_owned() };
    let text = ir::source_text(term);
    let found = places(analysis, program, &wanted);
    if let [first, rest @ ..] = found.as_slice() {
        let source = analysis.text(first.file);
        let text = source.get(first.start as usize..first.end as usize).unwrap_or(&text);
        let mut at = spot(analysis, *first);
        for other in rest.iter().take(MOST_PLACES - 1) {
            at.push_str(&format!(" or {}", spot(analysis, *other)));
        }
        return format!("{at}: {}", shortened(&on_one_line(text)));
    }
    if let Some(function) = &wanted.defines {
        return format!("the definition of function `{function}`");
    }
    // Names with a space are made by the encoding of maps.
    let is_ours = |name: &String| name.contains(' ');
    if wanted.bound.iter().chain(&wanted.mentioned).any(is_ours) {
        return "a map given by its elements".to_owned();
    }
    shortened(&text)
}

/// What is known of a quantifier in the text.
struct Wanted {
    kind: ast::QuantKind,
    bound: Vec<String>,
    /// Everything else that it mentions.
    mentioned: BTreeSet<String>,
    /// The function that it defines, if it has the form of a definition.
    defines: Option<String>,
}

impl Wanted {
    fn of(term: &Term) -> Option<Wanted> {
        let TermKind::Quant(quant) = term.kind() else { return None };
        let name = |symbol: &ir::Symbol| ir::source_name(symbol.as_str()).to_owned();
        let mut mentioned = BTreeSet::new();
        ir::subst::for_each_subterm([&quant.body], |part| {
            if let TermKind::Var(var) = part.kind() {
                mentioned.insert(name(&var.name));
            }
            if let Some((Op::Func(function), _)) = part.as_app() {
                mentioned.insert(name(&function.name));
            }
        });
        let bound: Vec<String> = quant.bound.iter().map(|bound| name(&bound.var.name)).collect();
        mentioned.retain(|name| !bound.contains(name));
        Some(Wanted {
            kind: match quant.kind {
                QuantKind::Forall => ast::QuantKind::Forall,
                QuantKind::Exists => ast::QuantKind::Exists,
            },
            bound,
            mentioned,
            defines: defined(term),
        })
    }

    /// How much of the term a quantifier of the text mentions; nothing if it is another one.
    fn likeness(&self, quant: &ast::QuantExpr) -> Option<usize> {
        let groups = quant.bound_vars()?;
        let names = groups.param_groups().flat_map(|group| group.names().collect::<Vec<_>>());
        let bound: Vec<String> = names.map(|name| name.syntax().text().to_string()).collect();
        let same = quant.kind() == Some(self.kind) && bound == self.bound;
        let words = identifiers(quant.syntax());
        let known = self.mentioned.iter().filter(|name| words.contains(*name)).count();
        let all = self.defines.iter().all(|name| words.contains(name));
        (same && all && (known > 0 || self.mentioned.is_empty())).then_some(known)
    }
}

fn identifiers(node: &SyntaxNode) -> BTreeSet<String> {
    let tokens = node.descendants_with_tokens().filter_map(|it| it.into_token());
    let names = tokens.filter(|token| token.kind() == SyntaxKind::IDENT);
    names.map(|token| token.text().to_owned()).collect()
}

/// The quantifiers of the program that are most like the wanted one.
fn places(analysis: &Analysis, program: base::Program, wanted: &Wanted) -> Vec<Location> {
    let mut best = (0, Vec::new());
    for source in analysis.files_of(program).iter() {
        let Some(file) = analysis.file_id(*source) else { continue };
        let nodes = analysis.root(*source).descendants();
        for quant in nodes.filter_map(ast::QuantExpr::cast) {
            let Some(likeness) = wanted.likeness(&quant) else { continue };
            if likeness > best.0 {
                best = (likeness, Vec::new());
            }
            if likeness == best.0 {
                let range = quant.syntax().text_range();
                let (start, end) = (range.start().into(), range.end().into());
                best.1.push(Location { file, start, end });
            }
        }
    }
    best.1
}

/// The function that the term defines: it says what a call of it with the bound variables equals.
fn defined(term: &Term) -> Option<String> {
    let TermKind::Quant(quant) = term.kind() else { return None };
    let call = quant.body.args_of(&Op::Eq)?.first()?;
    let (Op::Func(function), args) = call.as_app()? else { return None };
    let same = args.len() == quant.bound.len()
        && args.iter().zip(&quant.bound).all(|(arg, bound)| arg.as_var() == Some(&bound.var));
    let name = ir::source_name(function.name.as_str());
    (same && !name.contains(' ')).then(|| name.to_owned())
}

/// `line 7`, or the file and line in a library or another file than the first.
fn spot(analysis: &Analysis, at: Location) -> String {
    let line = analysis.place(at).line + 1;
    match analysis.source(at.file).library(&analysis.db) {
        Some(library) => format!("library {} line {line}", library.as_str()),
        None => format!("line {line}"),
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
