//! Parts put together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{DeclId, Name, Place, Program};
use discipline::standing::{ProcedureAt, procedure_at};
use hir::{Layer, NameSpace};
use ir::layer::{
    Action, ActionId, Arm, Condition, Excluded, Item, LayerProgram, Node, ProcId, Procedure, Spec,
    Step,
};
use ir::{AssertId, Site, Sort, Symbol, Var};

use super::functions::Functions;
use super::{LayerUnit, Part, layer_action, layer_procedure, roots};
use rustc_hash::FxHashMap;

use crate::Db;
use crate::lowering::{Lowering, Tables};
use crate::unit::AssertInfo;
use crate::world::World;

pub(super) fn assemble(db: &dyn Db, program: Program, layer: Layer) -> LayerUnit {
    let world = World::new(db, program);
    let mut whole = Whole::new(world, layer);
    whole.collect_procedures();
    let (wishes, init) = roots::wishes(world, layer);
    whole.program.wishes = wishes;
    if let Some(init) = &init {
        whole.program.wishes.init = Some(whole.action(init));
    }
    whole.collect_actions();
    whole.collect_globals();
    whole.program.roots = roots::roots(world, &whole.program.procedures);
    whole.collect_functions();
    whole.declare();
    let Whole { program, sites, claims, tables, .. } = whole;
    let digest = ir::pretty::layer_digest(&program);
    LayerUnit { program, sites, claims, tables, digest }
}

struct Whole<'db> {
    world: World<'db>,
    layer: Layer,
    program: LayerProgram,
    sites: Vec<Place>,
    claims: Vec<AssertInfo>,
    tables: Tables,
    /// Numbers of procedures and actions by name. An action with a number may not be written yet.
    procedures: BTreeMap<Name, ProcId>,
    actions: BTreeMap<Name, ActionId>,
    waiting: Vec<Name>,
    site_of: FxHashMap<Place, Site>,
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<'db> Whole<'db> {
    fn new(world: World<'db>, layer: Layer) -> Whole<'db> {
        Whole {
            world,
            layer,
            program: LayerProgram { layer: layer.0, ..LayerProgram::default() },
            sites: Vec::new(),
            claims: Vec::new(),
            tables: Tables::default(),
            procedures: BTreeMap::new(),
            actions: BTreeMap::new(),
            waiting: Vec::new(),
            site_of: FxHashMap::default(),
        }
    }

    fn site(&mut self, place: Place) -> Site {
        let next = Site(count(self.sites.len()));
        let sites = &mut self.sites;
        *self.site_of.entry(place).or_insert_with(|| {
            sites.push(place);
            next
        })
    }

    /// The number of an action. One that is new is written later.
    fn action(&mut self, name: &Name) -> ActionId {
        if let Some(id) = self.actions.get(name) {
            return *id;
        }
        let id = ActionId(count(self.program.actions.len()));
        self.actions.insert(name.clone(), id);
        self.waiting.push(name.clone());
        let whole = hir::lookup_proc(self.world.db, self.world.program, name.clone());
        let place = whole.map_or(self.world.somewhere(), |decl| self.place(decl));
        let site = self.site(place);
        self.program.actions.push(Action {
            name: Symbol::new(name.as_str()),
            ins: Vec::new(),
            outs: Vec::new(),
            locals: Vec::new(),
            gate: Vec::new(),
            requires: Vec::new(),
            nodes: Vec::new(),
            label: ir::layer::Label::NonMover,
            footprint: Default::default(),
            site,
        });
        id
    }

    fn place(&self, decl: DeclId) -> Place {
        hir::decl_place(self.world.db, decl)
    }

    fn collect_procedures(&mut self) {
        let World { db, program } = self.world;
        let mut parts: Vec<(Name, Arc<Part>)> = Vec::new();
        for (name, _) in hir::global_names(db, program, NameSpace::Procedure) {
            let sig = self.world.proc_sig(&name).filter(|sig| sig.is_yield_procedure());
            let Some(sig) = sig else { continue };
            let at = procedure_at(db, program, &sig, self.layer);
            if !matches!(at, ProcedureAt::Code | ProcedureAt::Mover(_)) {
                continue;
            }
            if let Some(part) = layer_procedure(db, program, name.clone(), self.layer) {
                self.procedures.insert(name.clone(), ProcId(count(parts.len())));
                parts.push((name, part));
            }
        }
        for (name, part) in parts {
            let item = Item::Procedure(Symbol::new(name.as_str()));
            let made: BTreeSet<Name> =
                part.made.iter().map(|it| Name::new(it.name.as_str())).collect();
            let mut numbers = self.numbers(&part, &made);
            if let Some(mut procedure) = part.procedure.clone() {
                numbers.procedure(&mut procedure);
                self.program.procedures.push(procedure);
            }
            for action in &part.made {
                let mut action = action.clone();
                numbers.action(&mut action);
                let id = self.actions[&Name::new(action.name.as_str())];
                self.program.actions[id.index()] = action;
            }
            self.exclude(&part, &item);
        }
    }

    fn collect_actions(&mut self) {
        let World { db, program } = self.world;
        while let Some(name) = self.waiting.pop() {
            let id = self.actions[&name];
            let item = Item::Action(Symbol::new(name.as_str()));
            let Some(part) = layer_action(db, program, name.clone(), self.layer) else {
                let site = self.program.actions[id.index()].site;
                let why = "it has no body".to_owned();
                self.program.excluded.push(Excluded { item, why, site });
                continue;
            };
            let mut numbers = self.numbers(&part, &BTreeSet::new());
            if let Some(mut action) = part.action.clone() {
                numbers.action(&mut action);
                self.program.actions[id.index()] = action;
            }
            self.exclude(&part, &item);
        }
    }

    /// The numbers of a part in the whole. The actions in `made` are written by the caller.
    fn numbers(&mut self, part: &Part, made: &BTreeSet<Name>) -> Numbers {
        let claims = count(self.claims.len());
        self.claims.extend(part.claims.iter().cloned());
        learn(&mut self.tables, &part.tables);
        let sites = part.sites.iter().map(|place| self.site(*place)).collect();
        let actions = part.actions.iter().map(|name| self.action(name)).collect();
        self.waiting.retain(|name| !made.contains(name));
        let procedures =
            part.procedures.iter().map(|name| self.procedures.get(name).copied()).collect();
        Numbers { claims, sites, actions, procedures }
    }

    fn exclude(&mut self, part: &Part, item: &Item) {
        for problem in &part.problems {
            let site = self.site(problem.place);
            let row = Excluded { item: item.clone(), why: problem.what.clone(), site };
            if !self.program.excluded.contains(&row) {
                self.program.excluded.push(row);
            }
        }
    }

    fn collect_globals(&mut self) {
        let mut lowering = Lowering::new(self.world, self.world.somewhere())
            .unfolding(crate::lowering::Unfold::KeepLibrary);
        let (globals, narrowed) = roots::globals(&mut lowering, self.layer);
        (self.program.globals, self.program.narrowed) = (globals, narrowed);
        let (tables, problems, _) = lowering.finish();
        learn(&mut self.tables, &tables);
        for problem in problems {
            let (item, site) = (Item::Program, self.site(problem.place));
            self.program.excluded.push(Excluded { item, why: problem.what, site });
        }
    }

    fn collect_functions(&mut self) {
        let mut functions = Functions::new(self.world, std::mem::take(&mut self.tables));
        functions.close(self.program.terms().into_iter().cloned().collect());
        self.program.distinct = functions.distinct();
        let Functions { lowering, functions, axioms, excluded, .. } = functions;
        self.program.functions = functions;
        self.program.axioms = axioms;
        for (symbol, place, why) in excluded {
            let (item, site) = (Item::Function(symbol), self.site(place));
            self.program.excluded.push(Excluded { item, why, site });
        }
        self.tables = lowering.finish().0;
    }

    /// Datatypes and uninterpreted sorts.
    fn declare(&mut self) {
        let mut sorts: BTreeSet<Sort> = self.program.sorts_mentioned();
        let mut todo: Vec<Sort> = sorts.iter().cloned().collect();
        while let Some(sort) = todo.pop() {
            let Sort::Datatype(name) = &sort else { continue };
            let Some(instance) = self.tables.datatypes.get(name) else { continue };
            if instance.name == "Vec" && self.is_of_library(&instance.name) {
                self.program.vectors.insert(name.clone());
            }
            self.program.signature.declare(instance.def.clone());
            for (_, field) in instance.def.ctors().iter().flat_map(|ctor| &ctor.fields) {
                field.walk(&mut |part| {
                    if sorts.insert(part.clone()) {
                        todo.push(part.clone());
                    }
                });
            }
        }
        for sort in &sorts {
            if let Sort::Uninterpreted(name) = sort {
                self.program.sorts.entry(name.clone()).or_default();
            }
        }
        for function in self.program.functions.values() {
            if let (Sort::Uninterpreted(name), []) =
                (&function.symbol.result, &*function.symbol.args)
            {
                let carrier = self.program.sorts.entry(name.clone()).or_default();
                carrier.constants.push(function.symbol.name.clone());
            }
        }
        for var in fresh_vars(&self.program) {
            if let Some(sort) = self.program.element_sort(&var) {
                self.program.sorts.entry(sort).or_default().made_new = true;
            }
        }
    }

    fn is_of_library(&self, name: &Name) -> bool {
        let decl = hir::lookup_type(self.world.db, self.world.program, name.clone());
        decl.is_some_and(|decl| decl.file(self.world.db).library(self.world.db).is_some())
    }
}

fn fresh_vars(program: &LayerProgram) -> Vec<Var> {
    let fresh = |step: &Step| if let Step::Fresh(var, _) = step { Some(var.clone()) } else { None };
    program.nodes().flat_map(|node| &node.steps).filter_map(fresh).collect()
}

fn learn(known: &mut Tables, more: &Tables) {
    let Tables { datatypes, functions, constants } = more;
    known.datatypes.extend(datatypes.iter().map(|(k, v)| (k.clone(), v.clone())));
    known.functions.extend(functions.iter().map(|(k, v)| (k.clone(), v.clone())));
    known.constants.extend(constants.iter().map(|(k, v)| (k.clone(), v.clone())));
}

/// From the numbers of a part to those of the whole.
struct Numbers {
    claims: u32,
    sites: Vec<Site>,
    actions: Vec<ActionId>,
    /// Nothing for a procedure that is not in the program: it was complained about.
    procedures: Vec<Option<ProcId>>,
}

impl Numbers {
    fn site(&self, site: &mut Site) {
        *site = self.sites[site.0 as usize];
    }

    fn condition(&self, condition: &mut Condition) {
        condition.id = AssertId(condition.id.0 + self.claims);
        self.site(&mut condition.site);
    }

    fn procedure(&mut self, procedure: &mut Procedure) {
        let conditions = procedure.requires.iter_mut().chain(&mut procedure.ensures);
        conditions.for_each(|condition| self.condition(condition));
        if let Some(Spec::Action { action, .. }) = &mut procedure.spec {
            *action = self.actions[action.index()];
        }
        self.site(&mut procedure.site);
        self.nodes(&mut procedure.nodes);
    }

    fn action(&mut self, action: &mut Action) {
        let conditions = action.gate.iter_mut().chain(&mut action.requires);
        conditions.for_each(|condition| self.condition(condition));
        self.site(&mut action.site);
        self.nodes(&mut action.nodes);
    }

    fn nodes(&self, nodes: &mut [Node]) {
        for node in nodes {
            self.site(&mut node.site);
            node.steps.iter_mut().for_each(|step| self.step(step));
        }
    }

    fn called(&self, procedure: &mut ProcId) {
        // A number that no procedure has: whoever gets there is told so.
        let found = self.procedures[procedure.index()];
        *procedure = found.unwrap_or(ProcId(u32::MAX));
    }

    fn step(&self, step: &mut Step) {
        match step {
            Step::Assume(_, site)
            | Step::Assign(_, site)
            | Step::Havoc(_, site)
            | Step::Fresh(_, site)
            | Step::Event { site, .. } => self.site(site),
            Step::Assert(condition) => self.condition(condition),
            Step::Yield(claims, site) => {
                claims.iter_mut().for_each(|claim| self.condition(claim));
                self.site(site);
            }
            Step::Act(act) => {
                act.action = self.actions[act.action.index()];
                self.site(&mut act.site);
            }
            Step::Call(call) => {
                self.called(&mut call.procedure);
                self.site(&mut call.site);
            }
            Step::Spawn { procedure, site, .. } => {
                self.called(procedure);
                self.site(site);
            }
            Step::Par(arms, site) => {
                self.site(site);
                for arm in arms {
                    match arm {
                        Arm::Act(act) => {
                            act.action = self.actions[act.action.index()];
                            self.site(&mut act.site);
                        }
                        Arm::Call(call) => {
                            self.called(&mut call.procedure);
                            self.site(&mut call.site);
                        }
                        Arm::Claims(claims) => {
                            claims.iter_mut().for_each(|claim| self.condition(claim));
                        }
                    }
                }
            }
        }
    }
}
