//! The state of a run of the text: globals, and a stack of bodies that are being executed.
//!
//! **Out:** [`Machine`], and [`Guide`], who decides what is left to chance, what becomes of assumptions and
//! who hears of checks. [`super::sequential`] executes statements; loops, yields and what a call means in a
//! copy of a yield procedure are decided by the guides.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{DeclId, Name, Place};
use hir::{BlockId, Body, Cfg, ExprId, ProcSig, SourceMap, Ty, TySubst, VarRef};
use ir::Value;
use obligations::{Claim, Moment, World};

use super::exprs::View;
use super::log::Log;
use super::permissions::{Held, Holder, location_type};
use super::structure::{Doubt, Known, Structure};

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Known(Value),
    /// Exactly what the choice of this number is, whatever that is.
    Choice(usize),
    /// Something that depends on a choice.
    Unknown,
}

/// Primitives whose first result is a location that nobody has held before.
pub(super) const MAKES_NEW: [&str; 3] = ["Loc_New", "Tag_New", "Tags_New"];

/// Global variables and what they hold.
pub(super) type Globals = BTreeMap<Name, Slot>;

/// A body and its graph.
#[derive(Clone)]
pub(super) struct Code {
    pub(super) sig: Arc<ProcSig>,
    pub(super) body: Arc<Body>,
    pub(super) map: Arc<SourceMap>,
    pub(super) cfg: Arc<Cfg>,
}

impl Code {
    /// The body held by a declaration.
    pub(super) fn of_decl(world: World<'_>, decl: DeclId) -> Option<Code> {
        let sig = hir::proc_sig_of(world.db, world.program, decl)?;
        let (body, map, cfg) = (world.body(decl)?, world.body_map(decl)?, world.cfg(decl)?);
        let fine = !body.has_errors && cfg.irreducible.is_empty() && !cfg.untangled;
        fine.then_some(Code { sig, body, map, cfg })
    }

    /// The only body of a procedure or action.
    pub(super) fn of_name(world: World<'_>, name: &Name) -> Option<Code> {
        match &*world.implementations(name) {
            [decl] => Code::of_decl(world, *decl),
            [] | [_, _, ..] => None,
        }
    }
}

/// What becomes of the assertions of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// They are checks of this run.
    Demanded,
    /// Others check them.
    Assumed,
    /// They were dealt with when the body was called.
    Dropped,
}

/// Where the run goes on when a body returns.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) outs: Box<[VarRef]>,
    pub(super) place: Place,
    /// The postconditions of an inlined procedure are checked.
    pub(super) ensures: bool,
    /// The state is shown afterwards, as of this moment.
    pub(super) shown: Option<Moment>,
}

/// A body that is being executed.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) code: Code,
    pub(super) types: Arc<TySubst>,
    pub(super) locals: Vec<Slot>,
    pub(super) old: Arc<Globals>,
    pub(super) block: BlockId,
    /// The next command of the block.
    pub(super) next: usize,
    pub(super) checks: Checks,
    pub(super) caller: Option<Caller>,
    /// The measures of loops at the start of their rounds.
    pub(super) measures: BTreeMap<BlockId, Vec<Value>>,
}

impl Frame {
    pub(super) fn new(code: Code, types: TySubst, ins: Vec<Slot>, old: Globals) -> Frame {
        let mut locals = ins;
        locals.resize(code.body.locals.len(), Slot::Unknown);
        Frame {
            code,
            types: Arc::new(types),
            locals,
            old: Arc::new(old),
            block: BlockId(0),
            next: 0,
            checks: Checks::Demanded,
            caller: None,
            measures: BTreeMap::new(),
        }
    }

    pub(super) fn view<'a>(&'a self, now: &'a Globals) -> View<'a> {
        let exprs = &self.code.body.exprs;
        View { exprs, types: &self.types, locals: &self.locals, now, old: &self.old }
    }

    pub(super) fn ty(&self, var: &VarRef, world: World<'_>) -> Option<Ty> {
        match var {
            VarRef::Local(id) => Some(self.code.body.locals.get(id.index())?.ty.subst(&self.types)),
            VarRef::Global(name) => Some(world.global(name)?.ty.clone()),
            VarRef::Error => None,
        }
    }

    /// The name of a variable.
    pub(super) fn name(&self, var: &VarRef) -> Name {
        match var {
            VarRef::Local(id) => self.code.body.local(*id).name.clone(),
            VarRef::Global(name) => name.clone(),
            VarRef::Error => Name::missing(),
        }
    }
}

/// What a copy of a yield procedure keeps track of since its last yield.
#[derive(Clone, Default)]
pub(super) struct Fragment {
    /// The globals where the fragment started.
    pub(super) start: Globals,
    /// What the thread held there.
    pub(super) held: Held,
    /// The locations it has made since.
    pub(super) made: Vec<Value>,
    /// The results there.
    pub(super) results: Vec<Slot>,
    /// Has some fragment changed visible state?
    pub(super) changed: bool,
    /// Are the results explained by a fragment that did the action? Kept only if it matters.
    pub(super) done: bool,
}

/// A run, between two steps.
#[derive(Clone)]
pub(super) struct Machine {
    pub(super) globals: Globals,
    pub(super) frames: Vec<Frame>,
    /// How many moments of the run that is followed have been passed.
    pub(super) seen: usize,
    /// The types of the choices made so far.
    pub(super) choices: Vec<Ty>,
    /// Did it depend on a choice whether the run gets here?
    pub(super) maybe: bool,
    /// The blocks that were entered.
    pub(super) trail: Vec<BlockId>,
    /// Bodies that follow, with their inputs; first comes last.
    pub(super) queue: Vec<Frame>,
    /// What the bodies that ended returned.
    pub(super) results: Vec<Vec<Slot>>,
    pub(super) fragment: Fragment,
    /// The locations that were made new; nothing if not all of them are known.
    pub(super) made: Option<Vec<Slot>>,
    /// What was seen to be held on the way: no location that is made new is among this.
    pub(super) held: Vec<Holder>,
    /// What happened so far.
    pub(super) log: Log,
}

impl Machine {
    pub(super) fn new(globals: Globals, frame: Frame) -> Machine {
        Machine {
            globals,
            frames: vec![frame],
            seen: 0,
            choices: Vec::new(),
            maybe: false,
            trail: Vec::new(),
            queue: Vec::new(),
            results: Vec::new(),
            fragment: Fragment::default(),
            made: Some(Vec::new()),
            held: Vec::new(),
            log: Log::default(),
        }
    }

    /// A body has returned. If it makes a location new, that was nobody's before.
    pub(super) fn note_made(
        &mut self,
        structure: &Structure<'_>,
        sig: &ProcSig,
        results: &[Slot],
    ) -> Result<(), Stop> {
        if sig.primitive.is_none_or(|it| !MAKES_NEW.contains(&it.name)) {
            return Ok(());
        }
        if let Some(made) = &mut self.made {
            made.extend(results.first().cloned());
        }
        let Some(Slot::Known(value)) = results.first() else { return Ok(()) };
        if !structure.is_new(value, &self.held)? {
            return Err(Stop::Dead(Doubt("a location that is made new is held already".into())));
        }
        self.note_held([Holder { ty: location_type(), value: value.clone() }]);
        self.fragment.made.push(value.clone());
        Ok(())
    }

    /// Somebody holds this.
    pub(super) fn note_held(&mut self, holders: impl IntoIterator<Item = Holder>) {
        for holder in holders {
            if !self.held.contains(&holder) {
                self.held.push(holder);
            }
        }
    }

    /// The body that is being executed; the stack is never empty while a run goes on.
    pub(super) fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// What a variable of the present body holds.
    pub(super) fn get(&self, var: &VarRef) -> Slot {
        let slot = match var {
            VarRef::Local(id) => self.top().locals.get(id.index()),
            VarRef::Global(name) => self.globals.get(name),
            VarRef::Error => None,
        };
        slot.cloned().unwrap_or(Slot::Unknown)
    }

    /// The program writes a variable.
    pub(super) fn set(&mut self, var: &VarRef, slot: Slot) {
        let global = matches!(var, VarRef::Global(_));
        if global || self.frames.len() == 1 {
            let (name, before) = (self.top().name(var), self.get(var));
            self.log.wrote((&name, global), &before, &slot);
        }
        self.learn(var, slot);
    }

    /// A variable holds this, as we are told.
    pub(super) fn learn(&mut self, var: &VarRef, slot: Slot) {
        match var {
            VarRef::Local(id) => {
                if let Some(own) = self.top_mut().locals.get_mut(id.index()) {
                    *own = slot;
                }
            }
            VarRef::Global(name) => {
                self.globals.insert(name.clone(), slot);
            }
            VarRef::Error => {}
        }
    }

    /// The truth of an expression of the present body.
    pub(super) fn truth(&self, structure: &Structure<'_>, id: ExprId) -> Known<bool> {
        structure.truth(self.top().view(&self.globals), id)
    }

    /// The value of an expression of the present body.
    pub(super) fn value(&self, structure: &Structure<'_>, id: ExprId) -> Known<Value> {
        structure.value(self.top().view(&self.globals), id)
    }
}

/// Something that is checked: what it claims, where, and the clause it stems from.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) claim: Claim,
    pub(super) place: Place,
    pub(super) clause: Option<Place>,
}

impl Check {
    pub(super) fn new(claim: Claim, place: Place) -> Check {
        Check { claim, place, clause: None }
    }

    pub(super) fn of(claim: Claim, place: Place, clause: Place) -> Check {
        Check { claim, place, clause: Some(clause) }
    }
}

/// Why a run does not go on.
pub(super) enum Stop {
    /// What is assumed is false: this is no run.
    Dead(Doubt),
    /// It cannot be said how the run goes on.
    Open(Doubt),
    /// A check fails, and that is what was looked for.
    Reached,
    /// A check fails.
    Failed(Place),
}

impl From<Doubt> for Stop {
    fn from(doubt: Doubt) -> Stop {
        Stop::Open(doubt)
    }
}

pub(super) fn stuck<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Open(Doubt(why.into())))
}

/// All ways in which a run goes on, or why it does not.
pub(super) type Walk = Result<Vec<Machine>, Stop>;

/// Who decides what the text leaves open.
pub(super) trait Guide {
    fn structure(&self) -> &Structure<'_>;

    /// The machine with each value that the variable may get.
    fn choose(&self, machine: Machine, var: &VarRef) -> Vec<Machine>;

    /// Goes on if the condition holds.
    fn assume(&self, machine: &mut Machine, condition: Known<bool>, what: &str)
    -> Result<(), Stop>;

    /// Goes on if the check passes.
    fn demand(
        &self,
        machine: &mut Machine,
        condition: Known<bool>,
        check: Check,
    ) -> Result<(), Stop>;
}
