//! Programs of layers: every program has them, and they agree with the copies that are proved.
#![expect(clippy::disallowed_methods, reason = "examples and corpus are found at test time")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::{LibraryName, Name, Place, Program};
use hir::Layer;
use ir::layer::{Arm, LayerProgram, Procedure, Step, Why};

use super::{Database, program};
use crate::action::action_ir;
use crate::claim::Claim;
use crate::unit::Moment;
use crate::{LayerUnit, UnitKey, layer_unit, unit_of, units, view};

/// Only where the environment names it: these tests take a minute there.
pub(super) const CORPUS: &str = match option_env!("CIVL_CORPUS") {
    Some(path) => path,
    None => "/no/corpus",
};

pub(super) const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/examples");

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "bpl") {
            found.push(path);
        }
    }
    found
}

/// The libraries that a program names in its first lines.
fn libraries(text: &str) -> Vec<LibraryName> {
    let named = |library: &LibraryName| match library {
        LibraryName::Base => true,
        LibraryName::Node => text.contains("-lib:node") || text.contains("Between"),
        LibraryName::SetSize => text.contains("Set_Size") || text.contains("SetSize"),
    };
    LibraryName::ALL.into_iter().filter(named).collect()
}

/// Each program, with each of its layers.
pub(super) fn for_each_layer(
    folder: &str,
    mut each: impl FnMut(&str, &Database, Program, Layer),
) -> usize {
    let mut count = 0;
    for path in files(Path::new(folder)) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let db = Database::default();
        let program = program(&db, &text, &libraries(&text));
        for layer in view::layers(&db, program) {
            count += 1;
            each(&format!("{} at {layer}", path.display()), &db, program, layer);
        }
    }
    count
}

/// What is wrong with the numbers and variables of a program.
fn ill_formed(program: &LayerProgram) -> Vec<String> {
    let mut found = Vec::new();
    let globals: BTreeSet<_> = program.globals.iter().map(|it| &it.var).collect();
    let mut code = |name: &ir::Symbol, own: BTreeSet<&ir::Var>, nodes: &[ir::layer::Node]| {
        for node in nodes {
            if node.next.targets().iter().any(|target| target.index() >= nodes.len()) {
                found.push(format!("{name}: a target without node"));
            }
            for step in &node.steps {
                let read = step.terms().into_iter().flat_map(ir::free_vars);
                for var in read.chain(step.written().into_iter().cloned()) {
                    if !own.contains(&var) && !globals.contains(&var) {
                        found.push(format!("{name}: `{}` is nobody's", var.name));
                    }
                }
                if step.terms().into_iter().any(ir::Term::is_ill_formed) {
                    found.push(format!("{name}: an ill-formed term"));
                }
                for act in step.acts() {
                    let Some(action) = program.action(act.action) else {
                        found.push(format!("{name}: an act without action"));
                        continue;
                    };
                    let sorts = |vars: &[ir::Var]| vars.iter().map(|it| it.sort.clone()).collect();
                    let given: Vec<ir::Sort> = act.ins.iter().map(|it| it.sort().clone()).collect();
                    let wanted: Vec<ir::Sort> = sorts(&action.ins);
                    let results: Vec<ir::Sort> = sorts(&action.outs);
                    if given != wanted || results != sorts(&act.outs) {
                        found.push(format!("{name}: a call of {} does not fit", action.name));
                    }
                }
            }
        }
    };
    for procedure in &program.procedures {
        let formals = procedure.ins.iter().chain(&procedure.outs).map(|formal| &formal.var);
        code(&procedure.name, formals.chain(&procedure.locals).collect(), &procedure.nodes);
    }
    for action in &program.actions {
        let own = action.ins.iter().chain(&action.outs).chain(&action.locals).collect();
        code(&action.name, own, &action.nodes);
    }
    found
}

#[test]
fn every_example_has_its_programs() {
    let mut bad = Vec::new();
    let mut rows = Vec::new();
    let count = for_each_layer(EXAMPLES, |name, db, program, layer| {
        let unit = layer_unit(db, program, layer);
        bad.extend(ill_formed(&unit.program).into_iter().map(|it| format!("{name}: {it}")));
        let why = unit.program.excluded.iter().map(|row| format!("{name}: {:?}", row));
        rows.extend(why);
        let again = ir::pretty::read_layer(&ir::pretty::write_layer(&unit.program));
        if again.as_ref() != Ok(&unit.program) {
            bad.push(format!("{name}: reads back as another program: {:?}", again.err()));
        }
    });
    assert!(count > 30, "{count} programs of layers");
    assert_eq!(bad, Vec::<String>::new());
    assert_eq!(rows, Vec::<String>::new());
}

#[test]
fn every_program_of_the_corpus_has_its_programs() {
    let mut bad = Vec::new();
    let mut rows = BTreeSet::new();
    for_each_layer(CORPUS, |name, db, program, layer| {
        let unit = layer_unit(db, program, layer);
        bad.extend(ill_formed(&unit.program).into_iter().map(|it| format!("{name}: {it}")));
        let why = unit.program.excluded.iter().map(|row| format!("{name}: {row:?}"));
        rows.extend(why);
        let again = ir::pretty::read_layer(&ir::pretty::write_layer(&unit.program));
        if again.as_ref() != Ok(&unit.program) {
            bad.push(format!("{name}: reads back as another program: {:?}", again.err()));
        }
    });
    let samples = rows.iter().filter(|row| row.contains("samples")).collect::<Vec<_>>();
    assert_eq!(samples, Vec::<&String>::new());
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// What of a procedure both projections have to say in the same way.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    /// Where others may run.
    yields: BTreeSet<String>,
    /// Where which gate is checked.
    gates: BTreeSet<String>,
    /// Where something is asserted.
    assertions: BTreeSet<String>,
}

fn shown(db: &Database, place: Place) -> String {
    let range = hir::place_range(db, place);
    let before = &range.file.text(db)[..usize::from(range.range.start())];
    format!("line {}", before.matches('\n').count() + 1)
}

fn said_by_copies(db: &Database, program: Program, name: &Name, layer: Layer) -> Said {
    let mut said = Said::default();
    let invariant = unit_of(db, program, UnitKey::Invariant(name.clone(), layer));
    for point in invariant.captures.iter().filter(|it| it.moment == Moment::AfterOthers) {
        said.yields.insert(shown(db, point.place));
    }
    let refinement = unit_of(db, program, UnitKey::Refinement(name.clone(), layer));
    for info in invariant.asserts.iter().chain(&refinement.asserts) {
        if info.claim == Claim::Assertion {
            said.assertions.insert(shown(db, info.place));
        }
        if let Claim::Gate { action } = &info.claim
            && !hir::proc_sig(db, program, action.clone()).expect("an action").is_pure()
        {
            said.gates.insert(format!("{action} at {}", shown(db, info.place)));
        }
    }
    said
}

fn said_by_view(
    (db, program): (&Database, Program),
    unit: &LayerUnit,
    procedure: &Procedure,
) -> Said {
    let mut said = Said::default();
    let place = |site: ir::Site| shown(db, unit.sites[site.0 as usize]);
    let is_mover = |id: ir::layer::ProcId| unit.program.procedures[id.index()].mover.is_some();
    for step in procedure.nodes.iter().flat_map(|node| &node.steps) {
        for act in step.acts() {
            let name = Name::new(unit.program.actions[act.action.index()].name.as_str());
            if action_ir(db, program, name.clone()).is_some_and(|it| !it.gate.is_empty()) {
                said.gates.insert(format!("{name} at {}", place(act.site)));
            }
        }
        let claims = |arm: &Arm| matches!(arm, Arm::Claims(_));
        let yields = match step {
            Step::Spawn { .. } => false,
            Step::Par(arms, _) if arms.iter().any(claims) => true,
            Step::Par(..)
            | Step::Call(_)
            | Step::Assume(..)
            | Step::Assert(_)
            | Step::Assign(..)
            | Step::Havoc(..)
            | Step::Fresh(..)
            | Step::Act(_)
            | Step::Yield(..)
            | Step::Event { .. } => step.callees().into_iter().any(|id| !is_mover(id)),
        };
        if yields || matches!(step, Step::Yield(..)) {
            said.yields.insert(place(step.site()));
        }
        if let Step::Assert(condition) = step
            && matches!(condition.why, Why::Assertion | Why::Loop)
        {
            // An assertion of a pure action that is called here is its gate to the proof.
            let own = shown(db, unit.claims[condition.id.0 as usize].place);
            said.assertions.extend(Some(own).filter(|it| *it == place(condition.site)));
        }
    }
    said
}

/// Procedures whose two projections say different things.
fn disagreements(folder: &str) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut found = Vec::new();
    for_each_layer(folder, |name, db, program, layer| {
        let unit = layer_unit(db, program, layer);
        let keys: Vec<UnitKey> = units(db, program).iter().map(|it| it.key.clone()).collect();
        for procedure in &unit.program.procedures {
            let own = Name::new(procedure.name.as_str());
            let proved = keys.contains(&UnitKey::Refinement(own.clone(), layer));
            if !proved || procedure.nodes.is_empty() {
                continue;
            }
            count += 1;
            let mut copies = said_by_copies(db, program, &own, layer);
            let view = said_by_view((db, program), &unit, procedure);
            // What a callee that is code refines is a fragment of the caller to the proof.
            let at = |gate: &String| gate.split(" at ").nth(1).unwrap_or_default().to_owned();
            copies
                .gates
                .retain(|gate| view.gates.contains(gate) || !view.yields.contains(&at(gate)));
            if copies != view {
                found.push(format!("{name}, {own}:\n  proof {copies:?}\n  view  {view:?}"));
            }
        }
    });
    (count, found)
}

#[test]
fn both_projections_of_the_examples_agree() {
    let (count, found) = disagreements(EXAMPLES);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(count > 60, "{count} procedures");
}

#[test]
fn both_projections_of_the_corpus_agree() {
    let (_, found) = disagreements(CORPUS);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
