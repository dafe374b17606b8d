//! Names in the script: short, numbered by first occurrence, never a name of the user.
//!
//! **In:** sorts, functions, variables and constructors as they are met. **Out:** a symbol of
//! SMT-LIB for each, and the declarations, in an order in which the solver accepts them.
//!
//! Numbering by first occurrence makes the script independent of the user's names, so a
//! renaming cannot change a verdict. It also keeps users from writing SMT-LIB: no text of
//! theirs reaches the script, except as a comment on one line.
//!
//! # Invariants
//! - Equal entities get equal symbols, different ones different symbols. A variable is its
//!   name and sort, a function its name and signature.
//! - A datatype is declared once, with one definition; a second, different definition of the
//!   same name is refused.

use std::fmt::Write;
use std::sync::Arc;

use ir::{DatatypeDef, FuncSym, Signature, Sort, Symbol, Var};
use rustc_hash::FxHashMap;

use super::Unsupported;

/// Symbols and declarations of one script.
#[derive(Default)]
pub(crate) struct Names {
    sorts: FxHashMap<Symbol, usize>,
    sort_order: Vec<Symbol>,
    datatypes: FxHashMap<Symbol, usize>,
    datatype_order: Vec<Arc<DatatypeDef>>,
    functions: FxHashMap<Arc<FuncSym>, usize>,
    function_order: Vec<Arc<FuncSym>>,
    variables: FxHashMap<Var, usize>,
    variable_order: Vec<Var>,
    pub(crate) uses_power: bool,
}

/// What a function of the solver without a name there is called.
const POWER: &str = "real_pow";

/// Could a script declare this name? Sorts, datatypes, constructors, selectors, functions, variables,
/// bound variables, shared terms and quantifiers are a letter and numbers.
pub(crate) fn is_own(name: &str) -> bool {
    let numbers = name.strip_prefix(['T', 'D', 'c', 's', 'f', 'v', 'x', 'l', 'q']);
    let is_numbers = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '_');
    name == POWER || numbers.is_some_and(|rest| !rest.is_empty() && is_numbers(rest))
}

/// What a symbol of the script stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Constructor(Arc<DatatypeDef>, usize),
    Function(Arc<FuncSym>),
}

impl Names {
    /// Makes a sort and everything inside it known.
    pub(crate) fn see_sort(
        &mut self,
        sort: &Sort,
        signature: &Signature,
    ) -> Result<(), Unsupported> {
        let mut todo = vec![sort.clone()];
        while let Some(sort) = todo.pop() {
            match &sort {
                Sort::Uninterpreted(name) => {
                    if !self.sorts.contains_key(name) {
                        self.sorts.insert(name.clone(), self.sort_order.len());
                        self.sort_order.push(name.clone());
                    }
                }
                Sort::Datatype(name) => {
                    let def = signature.datatype(&sort).ok_or_else(|| {
                        Unsupported(format!("the datatype `{name}` has no definition"))
                    })?;
                    self.see_datatype(def, &mut todo)?;
                }
                Sort::Array(indices, element) => {
                    todo.extend(indices.iter().cloned());
                    todo.push(element.as_ref().clone());
                }
                Sort::Seq(element) => todo.push(element.as_ref().clone()),
                Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::Float(..)
                | Sort::RoundingMode
                | Sort::String
                | Sort::RegEx => {}
            }
        }
        Ok(())
    }

    /// Is no map inside the values of this sort?
    pub(crate) fn is_free_of_maps(&self, sort: &Sort) -> bool {
        let (mut todo, mut seen) = (vec![sort], Vec::new());
        while let Some(sort) = todo.pop() {
            match sort {
                Sort::Array(..) => return false,
                Sort::Seq(element) => todo.push(element),
                Sort::Datatype(name) if !seen.contains(&name) => {
                    seen.push(name);
                    let Some(index) = self.datatypes.get(name) else { return false };
                    let fields =
                        self.datatype_order[*index].ctors().iter().flat_map(|it| &it.fields);
                    todo.extend(fields.map(|(_, sort)| sort));
                }
                Sort::Datatype(_)
                | Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::Float(..)
                | Sort::RoundingMode
                | Sort::String
                | Sort::RegEx
                | Sort::Uninterpreted(_) => {}
            }
        }
        true
    }

    /// Checks that an operator and the table agree about a datatype.
    pub(crate) fn see_definition(
        &mut self,
        def: &Arc<DatatypeDef>,
        signature: &Signature,
    ) -> Result<(), Unsupported> {
        self.see_sort(&def.sort(), signature)?;
        match self.datatypes.get(def.name()) {
            Some(index) if self.datatype_order[*index] == *def => Ok(()),
            Some(_) | None => {
                Err(Unsupported(format!("the datatype `{}` has two definitions", def.name())))
            }
        }
    }

    fn see_datatype(
        &mut self,
        def: &Arc<DatatypeDef>,
        todo: &mut Vec<Sort>,
    ) -> Result<(), Unsupported> {
        if let Some(index) = self.datatypes.get(def.name()) {
            if self.datatype_order[*index] == *def {
                return Ok(());
            }
            return Err(Unsupported(format!("the datatype `{}` has two definitions", def.name())));
        }
        self.datatypes.insert(def.name().clone(), self.datatype_order.len());
        self.datatype_order.push(Arc::clone(def));
        let fields = def.ctors().iter().flat_map(|ctor| &ctor.fields);
        todo.extend(fields.map(|(_, sort)| sort.clone()));
        Ok(())
    }

    pub(crate) fn see_function(
        &mut self,
        function: &Arc<FuncSym>,
        signature: &Signature,
    ) -> Result<(), Unsupported> {
        if self.functions.contains_key(function) {
            return Ok(());
        }
        for sort in function.args.iter().chain([&function.result]) {
            self.see_sort(sort, signature)?;
        }
        self.functions.insert(Arc::clone(function), self.function_order.len());
        self.function_order.push(Arc::clone(function));
        Ok(())
    }

    pub(crate) fn see_variable(
        &mut self,
        variable: &Var,
        signature: &Signature,
    ) -> Result<(), Unsupported> {
        if self.variables.contains_key(variable) {
            return Ok(());
        }
        self.see_sort(&variable.sort, signature)?;
        self.variables.insert(variable.clone(), self.variable_order.len());
        self.variable_order.push(variable.clone());
        Ok(())
    }

    /// Writes the name of a function.
    pub(crate) fn function(
        &self,
        function: &Arc<FuncSym>,
        out: &mut String,
    ) -> Result<(), Unsupported> {
        let index = self.functions.get(function).ok_or_else(|| unseen(&function.name))?;
        let _infallible = write!(out, "f{index}");
        Ok(())
    }

    /// Writes the name of a variable.
    pub(crate) fn variable(&self, variable: &Var, out: &mut String) -> Result<(), Unsupported> {
        let index = self.variables.get(variable).ok_or_else(|| unseen(&variable.name))?;
        let _infallible = write!(out, "v{index}");
        Ok(())
    }

    pub(crate) fn constructor(&self, def: &DatatypeDef, ctor: u32) -> Result<String, Unsupported> {
        let index = self.datatypes.get(def.name()).ok_or_else(|| unseen(def.name()))?;
        Ok(format!("c{index}_{ctor}"))
    }

    pub(crate) fn selector(
        &self,
        def: &DatatypeDef,
        ctor: u32,
        field: u32,
    ) -> Result<String, Unsupported> {
        let index = self.datatypes.get(def.name()).ok_or_else(|| unseen(def.name()))?;
        Ok(format!("s{index}_{ctor}_{field}"))
    }

    /// The text of a sort. A map without indices is its element.
    pub(crate) fn sort(&self, sort: &Sort) -> Result<String, Unsupported> {
        Ok(match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Real => "Real".to_owned(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Float(exponent, significand) => {
                format!("(_ FloatingPoint {exponent} {significand})")
            }
            Sort::RoundingMode => "RoundingMode".to_owned(),
            Sort::String => "String".to_owned(),
            Sort::RegEx => "(RegEx String)".to_owned(),
            Sort::Uninterpreted(name) => {
                let index = self.sorts.get(name).ok_or_else(|| unseen(name))?;
                format!("T{index}")
            }
            Sort::Datatype(name) => {
                let index = self.datatypes.get(name).ok_or_else(|| unseen(name))?;
                format!("D{index}")
            }
            Sort::Array(indices, element) if indices.is_empty() => self.sort(element)?,
            Sort::Array(indices, element) => {
                let mut text = "(Array".to_owned();
                for part in indices.iter().chain([element.as_ref()]) {
                    text.push(' ');
                    text.push_str(&self.sort(part)?);
                }
                text.push(')');
                text
            }
            Sort::Seq(element) => format!("(Seq {})", self.sort(element)?),
        })
    }

    /// What a symbol in a printed value means. Values hold no variables.
    pub(crate) fn meaning(&self, symbol: &str) -> Option<Meaning> {
        if let Some(rest) = symbol.strip_prefix('c') {
            let (def, ctor) = rest.split_once('_')?;
            let def = self.datatype_order.get(def.parse::<usize>().ok()?)?;
            let ctor = ctor.parse::<usize>().ok()?;
            return (ctor < def.ctors().len()).then(|| Meaning::Constructor(Arc::clone(def), ctor));
        }
        let index = symbol.strip_prefix('f')?.parse::<usize>().ok()?;
        self.function_order.get(index).map(|function| Meaning::Function(Arc::clone(function)))
    }

    /// The number and definition of a datatype that was seen.
    pub(crate) fn datatype(&self, name: &Symbol) -> Option<(usize, &DatatypeDef)> {
        let nth = self.datatype_order.iter().position(|def| def.name() == name)?;
        Some((nth, &self.datatype_order[nth]))
    }

    /// The declarations of everything that was seen.
    pub(crate) fn declarations(&self) -> Result<String, Unsupported> {
        let mut out = String::new();
        for (index, name) in self.sort_order.iter().enumerate() {
            let _ = writeln!(out, "(declare-sort T{index} 0) ; {}", comment(name));
        }
        for group in self.datatype_groups() {
            self.declare_datatypes(&group, &mut out)?;
        }
        if self.uses_power {
            let _ = writeln!(out, "(declare-fun {POWER} (Real Real) Real)");
        }
        for (index, function) in self.function_order.iter().enumerate() {
            let mut sorts = Vec::new();
            for sort in function.args.iter() {
                sorts.push(self.sort(sort)?);
            }
            let result = self.sort(&function.result)?;
            let _ = writeln!(
                out,
                "(declare-fun f{index} ({}) {result}) ; {}",
                sorts.join(" "),
                comment(&function.name)
            );
        }
        for (index, variable) in self.variable_order.iter().enumerate() {
            let sort = self.sort(&variable.sort)?;
            let _ = writeln!(out, "(declare-fun v{index} () {sort}) ; {}", comment(&variable.name));
        }
        Ok(out)
    }

    fn declare_datatypes(&self, group: &[usize], out: &mut String) -> Result<(), Unsupported> {
        out.push_str("(declare-datatypes (");
        for index in group {
            let _ = write!(out, "(D{index} 0)");
        }
        out.push_str(") (");
        for index in group {
            out.push('(');
            for (nth, ctor) in self.datatype_order[*index].ctors().iter().enumerate() {
                let _ = write!(out, "(c{index}_{nth}");
                for (field, (_, sort)) in ctor.fields.iter().enumerate() {
                    let _ = write!(out, " (s{index}_{nth}_{field} {})", self.sort(sort)?);
                }
                out.push(')');
            }
            out.push(')');
        }
        let names: Vec<String> =
            group.iter().map(|index| comment(self.datatype_order[*index].name())).collect();
        let _ = writeln!(out, ")) ; {}", names.join(", "));
        Ok(())
    }

    /// Mutually recursive datatypes together, each group after those it uses.
    fn datatype_groups(&self) -> Vec<Vec<usize>> {
        let mentions: Vec<Vec<usize>> =
            self.datatype_order.iter().map(|def| self.mentioned_by(def)).collect();
        components(&mentions)
    }

    fn mentioned_by(&self, def: &DatatypeDef) -> Vec<usize> {
        let mut mentioned = Vec::new();
        for (_, sort) in def.ctors().iter().flat_map(|ctor| &ctor.fields) {
            sort.walk(&mut |part| {
                if let Sort::Datatype(name) = part
                    && let Some(index) = self.datatypes.get(name)
                {
                    mentioned.push(*index);
                }
            });
        }
        mentioned
    }
}

fn unseen(name: &Symbol) -> Unsupported {
    Unsupported(format!("`{name}` was not declared"))
}

/// A name as it may stand in a comment: on one line.
fn comment(name: &Symbol) -> String {
    name.as_str().chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Strongly connected components of a graph given by successors, in dependency order (Tarjan
/// 1972), with an explicit stack.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = successors.len();
    let (mut number, mut low) = (vec![NEW; count], vec![0; count]);
    let (mut on_stack, mut stack, mut found) = (vec![false; count], Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..count {
        let mut calls = if number[root] == NEW { vec![(root, 0)] } else { vec![] };
        while let Some((node, child)) = calls.pop() {
            if child == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                on_stack[node] = true;
                stack.push(node);
            }
            if let Some(&target) = successors[node].get(child) {
                calls.push((node, child + 1));
                if number[target] == NEW {
                    calls.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            if low[node] == number[node] {
                let start = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                let mut group = stack.split_off(start);
                group.iter().for_each(|member| on_stack[*member] = false);
                group.sort_unstable();
                found.push(group);
            }
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_dependency_order() {
        // 0 -> 1 <-> 2 -> 3,  4 -> 4
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4]];
        assert_eq!(components(&graph), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
