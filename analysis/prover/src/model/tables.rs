//! Printed functions that only ask whether their variables are certain values.
//!
//! **In:** `(lambda (xs) body)`. **Out:** the leaf at each tuple of values that are asked for, and the one everywhere
//! else. A function that needs more than such a table is `None`.

use crate::sexpr::Sexpr;

/// A table of printed values.
pub(super) struct Rows {
    pub(super) entries: Vec<(Vec<Sexpr>, Sexpr)>,
    pub(super) default: Sexpr,
}

/// More tuples than this are not looked at.
const MOST_TUPLES: usize = 256;

/// A value of a variable; nothing stands for all that are never asked for.
type Place<'s> = Option<&'s Sexpr>;

/// The table that a function is. Formulas become `true` and `false`.
pub(super) fn rows(printed: &Sexpr, arity: usize, is_formula: bool) -> Option<Rows> {
    let [head, Sexpr::List(bound), body] = printed.list()? else { return None };
    let names: Vec<&str> =
        bound.iter().map(|one| one.list()?.first()?.atom()).collect::<Option<_>>()?;
    if head.atom() != Some("lambda") || names.len() != arity {
        return None;
    }
    let mut asked: Vec<Vec<&Sexpr>> = vec![Vec::new(); arity];
    collect(body, &names, &mut asked);
    let mut tuples: Vec<Vec<Place<'_>>> = vec![Vec::new()];
    for own in &asked {
        let mut longer = Vec::new();
        for tuple in &tuples {
            let places = own.iter().map(|it| Some(*it)).chain([None]);
            longer.extend(places.map(|place| [tuple.as_slice(), &[place]].concat()));
        }
        tuples = longer;
        if tuples.len() > MOST_TUPLES {
            return None;
        }
    }
    let leaf = |tuple: &[Place<'_>]| leaf(body, &Asked { names: &names, tuple }, is_formula);
    let default = leaf(&vec![None; arity])?;
    let mut entries = Vec::new();
    for tuple in &tuples {
        let own = leaf(tuple)?;
        match tuple.iter().map(|it| it.cloned()).collect::<Option<Vec<Sexpr>>>() {
            Some(index) => entries.push((index, own)),
            None if own == default => {}
            None => return None,
        }
    }
    Some(Rows { entries, default })
}

fn collect<'s>(body: &'s Sexpr, names: &[&str], asked: &mut [Vec<&'s Sexpr>]) {
    let Some(parts) = body.list() else { return };
    if let Some((nth, value)) = question(parts, names)
        && !asked[nth].contains(&value)
    {
        asked[nth].push(value);
    }
    parts.iter().for_each(|part| collect(part, names, asked));
}

/// `(= x value)`
fn question<'s>(parts: &'s [Sexpr], names: &[&str]) -> Option<(usize, &'s Sexpr)> {
    let [head, left, right] = parts else { return None };
    let name = |it: &Sexpr| names.iter().position(|name| it.atom() == Some(name));
    match (head.atom()?, name(left), name(right)) {
        ("=", Some(nth), None) if !super::mentions(right, names) => Some((nth, right)),
        ("=", None, Some(nth)) if !super::mentions(left, names) => Some((nth, left)),
        _other => None,
    }
}

/// What the variables are.
struct Asked<'a> {
    names: &'a [&'a str],
    tuple: &'a [Place<'a>],
}

fn leaf(body: &Sexpr, asked: &Asked<'_>, is_formula: bool) -> Option<Sexpr> {
    let mut rest = body;
    while let Some([head, test, yes, no]) = rest.list()
        && head.atom() == Some("ite")
    {
        rest = if truth(test, asked)? { yes } else { no };
    }
    if is_formula {
        let word = if truth(rest, asked)? { "true" } else { "false" };
        return Some(Sexpr::Atom(word.to_owned()));
    }
    (!super::mentions(rest, asked.names)).then(|| rest.clone())
}

fn truth(test: &Sexpr, asked: &Asked<'_>) -> Option<bool> {
    match test.atom() {
        Some("true") => return Some(true),
        Some("false") => return Some(false),
        Some(_) | None => {}
    }
    let all = test.list()?;
    if let Some((nth, value)) = question(all, asked.names) {
        return Some(asked.tuple[nth] == Some(value));
    }
    let (head, parts) = all.split_first()?;
    let mut truths = parts.iter().map(|part| truth(part, asked));
    match (head.atom()?, parts) {
        ("not", [_]) => Some(!truths.next()??),
        ("and", _) => truths.try_fold(true, |all, it| Some(all && it?)),
        ("or", _) => truths.try_fold(false, |any, it| Some(any || it?)),
        ("=>", [_, _]) => Some(!truths.next()?? || truths.next()??),
        ("ite", [test, yes, no]) => truth(if truth(test, asked)? { yes } else { no }, asked),
        _other => None,
    }
}
