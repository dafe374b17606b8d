//! From units to questions.
//!
//! **In:** a [`Unit`]. **Out:** one [`Task`] per group of its assertions: a question of its own, with
//! the facts it may use, an id for people and a fingerprint for caches.
//!
//! # Soundness
//! The assertions of a unit are answered together or not at all: an assertion that is not asked in a
//! question is assumed there if it subsumes, which is right because the question that asks it has to
//! be answered too. A failing assertion elsewhere can therefore hide others behind it, never a whole
//! unit. What the unit does not support is carried along; such a task is never called proved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Place;
use ir::passify::passify;
use ir::{
    AssertId, Fingerprint, Obligation, ObligationId, Passive, Question, Signature, Sort, Symbol,
};

use crate::axioms::facts_for;
use crate::faith::Faith;
use crate::lowering::Tables;
use crate::unit::{AssertGroup, Unit, Unsupported, Visit};
use crate::world::World;

/// One question of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub obligation: Arc<Obligation>,
    pub fingerprint: Fingerprint,
    /// The assertions it asks about, in the order of the question.
    pub asserts: Vec<AssertId>,
    /// If not empty, the answer is "unknown" for these reasons and nobody needs to ask.
    pub unsupported: Vec<Unsupported>,
    /// What the unit assumes and nobody proves.
    pub faith: Arc<[Faith]>,
    /// The claims that the unit asks about.
    pub visited: Arc<BTreeSet<Visit>>,
}

/// The questions of a unit; one without assertions if the unit has none.
pub fn tasks(world: World<'_>, place: Place, unit: &Unit) -> Vec<Task> {
    let mut unsupported = unit.unsupported.clone();
    let passive = match passify(&unit.program) {
        Ok(passive) => passive,
        Err(error) => {
            unsupported.push(Unsupported { place, what: format!("this unit ({error})") });
            Passive::empty()
        }
    };
    let visited = Arc::new(unit.visited.clone());
    let mut groups = groups_of(unit, &passive);
    if groups.is_empty() {
        groups.push((AssertGroup::of(unit.id.kind), Vec::new()));
    }
    let task = |(group, asserts): (AssertGroup, Vec<AssertId>)| {
        let (question, missing, of_facts) =
            question_of(world, place, passive.select(&asserts), &unit.tables);
        let faith: Arc<[Faith]> = unit.faith.iter().chain(&of_facts).cloned().collect();
        let mut unsupported = unsupported.clone();
        unsupported.extend(missing);
        if question.is_ill_formed() {
            unsupported.push(Unsupported { place, what: "an ill-formed term".to_owned() });
        }
        let fingerprint = ir::canonical::fingerprint(&question);
        let (id, unit) = (id_of(unit, &group), unit.name.clone());
        let obligation = Arc::new(Obligation { id, unit, question });
        let visited = Arc::clone(&visited);
        Task { obligation, fingerprint, asserts, unsupported, faith, visited }
    };
    groups.into_iter().map(task).collect()
}

/// The groups in the order in which their first assertions occur.
fn groups_of(unit: &Unit, passive: &Passive) -> Vec<(AssertGroup, Vec<AssertId>)> {
    let mut groups: Vec<(AssertGroup, Vec<AssertId>)> = Vec::new();
    let mut places: BTreeMap<AssertGroup, usize> = BTreeMap::new();
    for id in passive.asserts() {
        let group = match unit.assert(id) {
            Some(info) => info.group.clone(),
            None => AssertGroup::of(unit.id.kind),
        };
        let place = *places.entry(group.clone()).or_insert_with(|| {
            groups.push((group, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(id);
    }
    groups
}

fn id_of(unit: &Unit, group: &AssertGroup) -> ObligationId {
    let about = group.about.iter().map(|name| Symbol::new(name.as_str()));
    let subjects: Vec<Symbol> = unit.id.subjects.iter().cloned().chain(about).collect();
    ObligationId { kind: group.kind, subjects, layer: unit.id.layer }
}

/// The question of a passive program, with the facts it may use; and what keeps it from being
/// decided, and what the facts take on faith.
pub fn question_of(
    world: World<'_>,
    place: Place,
    passive: Passive,
    tables: &Tables,
) -> (Question, Vec<Unsupported>, Vec<Faith>) {
    let facts = if passive.asserts().is_empty() {
        Default::default()
    } else {
        facts_for(world, place, passive.terms(), tables.clone())
    };
    let mut question = Question {
        passive,
        axioms: facts.axioms,
        signature: Signature::default(),
        distinct: facts.distinct,
        library: facts.library,
    };
    question.signature = signature_of(&question, &facts.tables);
    (question, facts.unsupported, facts.faith)
}

/// Every datatype that the sorts of the question can mention.
fn signature_of(question: &Question, tables: &Tables) -> Signature {
    let mut todo: Vec<Symbol> = Vec::new();
    let add = |sort: &Sort, todo: &mut Vec<Symbol>| {
        sort.walk(&mut |part| {
            if let Sort::Datatype(name) = part {
                todo.push(name.clone());
            }
        });
    };
    let captured = question.passive.blocks().iter().flat_map(|block| &block.items);
    let captured = captured.filter_map(|item| match item {
        ir::Item::Capture(capture) => Some(capture.values.iter().map(|(_, term)| term)),
        ir::Item::Assume { .. } | ir::Item::Assert { .. } => None,
    });
    ir::subst::for_each_subterm(question.terms().chain(captured.flatten()), |term| {
        add(term.sort(), &mut todo);
        term.bound().iter().for_each(|bound| add(&bound.var.sort, &mut todo));
    });
    let mut signature = Signature::default();
    while let Some(name) = todo.pop() {
        let Some(instance) = tables.datatypes.get(&name) else { continue };
        if signature.datatypes.contains_key(&name) {
            continue;
        }
        signature.declare(instance.def.clone());
        for (_, sort) in instance.def.ctors().iter().flat_map(|ctor| &ctor.fields) {
            add(sort, &mut todo);
        }
    }
    signature
}
