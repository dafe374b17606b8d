//! Which actions move past which: one cell per pair, with its reasons.
//!
//! **In:** obligations about pairs of actions. **Out:** a [`Matrix`], and its text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::report::{Case, Outcome};

/// The checks of pairs.
const KINDS: [&str; 3] = ["commutativity", "gate-preservation", "failure-preservation"];

/// Pairs of actions, each with what was checked and how it ended.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    pub(super) names: Vec<String>,
    pub(super) cells: BTreeMap<(String, String), Vec<Case>>,
}

impl Matrix {
    pub(super) fn of(cases: &[Case]) -> Matrix {
        let mut matrix = Matrix::default();
        for case in cases.iter().filter(|case| Matrix::has_cell(case)) {
            let [first, second, ..] = case.subjects.as_slice() else { continue };
            for name in [first, second] {
                if !matrix.names.contains(name) {
                    matrix.names.push(name.clone());
                }
            }
            let cell = matrix.cells.entry((first.clone(), second.clone())).or_default();
            cell.push(case.clone());
        }
        matrix.names.sort();
        matrix
    }

    /// Is the obligation about a pair of actions?
    pub(super) fn has_cell(case: &Case) -> bool {
        KINDS.contains(&case.group.as_str()) && case.subjects.len() > 1
    }

    /// The sign of a cell: the worst of its outcomes.
    pub(super) fn sign(&self, first: &str, second: &str) -> &'static str {
        let Some(cases) = self.cells.get(&(first.to_owned(), second.to_owned())) else { return "" };
        let worst = cases.iter().map(|case| rank(&case.outcome)).max().unwrap_or(0);
        ["–", "✓", "?", "✗"][worst]
    }

    /// The word for the worst outcome of a cell.
    pub(super) fn class(&self, first: &str, second: &str) -> &'static str {
        match self.sign(first, second) {
            "✗" => "failed",
            "?" => "unknown",
            "✓" => "proved",
            _ => "skipped",
        }
    }

    /// The matrix for a terminal: rows come first, columns second.
    pub(super) fn text(&self) -> String {
        if self.names.is_empty() {
            return "no two actions have to be compared\n".to_owned();
        }
        let corner = "first \\ second";
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = width.max(corner.len());
        let mut out = String::new();
        let heads: String = (1..=self.names.len()).map(|n| format!("{n:>4}")).collect();
        let _infallible = writeln!(out, "{:>4} {corner:width$}{heads}", "");
        for (nth, first) in self.names.iter().enumerate() {
            let row: String = self
                .names
                .iter()
                .map(|second| format!("{:>4}", self.sign(first, second)))
                .collect();
            let _infallible = writeln!(out, "{:>4} {first:width$}{row}", nth + 1);
        }
        out.push_str("✓ proved   – skipped: disjoint variables   ? undecided   ✗ failed   blank: not needed\n");
        for case in self.cells.values().flatten() {
            match &case.outcome {
                Outcome::Failed(why) | Outcome::Unknown(why) => {
                    let _infallible = writeln!(out, "{}: {why}", case.name);
                }
                Outcome::Proved | Outcome::Skipped(_) => {}
            }
        }
        out
    }
}

fn rank(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Skipped(_) => 0,
        Outcome::Proved => 1,
        Outcome::Unknown(_) => 2,
        Outcome::Failed(_) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(kind: &str, first: &str, second: &str, outcome: Outcome) -> Case {
        Case {
            group: kind.into(),
            name: format!("{kind}({first}, {second})"),
            outcome,
            millis: 0,
            layer: None,
            subjects: vec![first.into(), second.into()],
            cached: false,
        }
    }

    #[test]
    fn a_cell_shows_its_worst_outcome() {
        let cases = [
            case("commutativity", "A", "B", Outcome::Proved),
            case("gate-preservation", "A", "B", Outcome::Failed("why".into())),
            case("commutativity", "B", "B", Outcome::Skipped("disjoint".into())),
            case("refinement", "P", "Q", Outcome::Proved),
        ];
        let matrix = Matrix::of(&cases);
        assert_eq!(matrix.names, ["A", "B"]);
        assert_eq!(matrix.sign("A", "B"), "✗");
        assert_eq!(matrix.sign("B", "B"), "–");
        assert_eq!(matrix.sign("B", "A"), "");
        assert!(matrix.text().contains("gate-preservation(A, B): why"));
    }
}
