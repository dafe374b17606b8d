//! Programs at one layer, as engines execute them.
//!
//! **In:** what `obligations` projects a checked program to. **Out:** [`LayerProgram`]: the closed
//! program of one layer. Calls are kept, choices are open, library functions have names.
//!
//! # How it runs
//! A configuration has values for the globals and a tree of frames for each thread. One *micro step*
//! of a thread is one of:
//!
//! - the next [`Step`] of a node;
//! - the end of a node with several targets: one is chosen, and all [`Step::Assume`]s with which it
//!   starts are passed at once (so a branch whose guard is false is never entered);
//! - a return: results go to the frame that called;
//! - the beginning of a call by the client.
//!
//! The end of a node with one target takes no step. A frame that waits for a call, or for the arms of
//! a parallel call, moves when they have returned. A step whose assumption is false waits: other
//! threads may make it true. An [`Act`] happens in one step, with all its code; a run of that code that
//! meets a false assumption does not exist.
//!
//! A variable of a frame that was never written has no value. Where the program leaves a first value to
//! chance *and reads it*, there is a [`Step::Havoc`]. A term that has no value (a field of another
//! constructor, say) makes the variable it is assigned to one without value; a condition without value
//! ends what can be said about the run.
//!
//! # Invariants
//! - No text, no positions: a [`Site`] and an [`AssertId`] index tables of `obligations`.
//! - Variables of a procedure or action differ from all globals. The variables of a frame are its
//!   formals and locals; every term of a body mentions those and globals only.
//! - The code of an action has no cycle, and its steps are `Assume`, `Assert`, `Assign`, `Havoc` and
//!   `Fresh`.
//! - A [`Label`] says what the program declares. That an action really moves as declared is proved
//!   elsewhere (kind commutativity and its relatives); a label is no evidence of it.

mod functions;
mod live;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    site::Site,
    sort::{Signature, Sort},
    subst::for_each_subterm,
    symbol::Symbol,
    term::{Term, Var},
};

pub use functions::{Definition, Function, Intrinsic};
pub use live::live_before;
pub use steps::{Act, Arm, Call, Condition, Next, Node, NodeId, Step, Why};

/// The position of an action in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// The position of a procedure in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcId(pub u32);

impl ActionId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ProcId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The closed program at one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerProgram {
    /// The layer.
    pub layer: u32,
    /// Every datatype that occurs.
    pub signature: Signature,
    /// The datatypes that are vectors of the library: contents beyond the length are the least value.
    pub vectors: BTreeSet<Symbol>,
    /// Every uninterpreted sort that occurs, by name.
    pub sorts: BTreeMap<Symbol, Carrier>,
    /// Every function and constant that occurs, by name.
    pub functions: BTreeMap<Symbol, Function>,
    /// What the program assumes about functions without a meaning.
    pub axioms: Vec<Term>,
    /// Groups of constants that are pairwise different.
    pub distinct: Vec<Vec<Symbol>>,
    /// The globals that exist at the layer, by name.
    pub globals: Vec<Global>,
    /// What `where` clauses say about the globals at the start.
    pub narrowed: Vec<Term>,
    /// The actions that some step names, the specifications, the initialisation.
    pub actions: Vec<Action>,
    /// The procedures that are code at the layer.
    pub procedures: Vec<Procedure>,
    /// What a client calls: the procedures that the program marks, else those that nobody calls here.
    pub roots: Vec<ProcId>,
    /// What the program asks of an exploration.
    pub wishes: Wishes,
    /// What cannot be executed. Whoever needs such an item cannot be executed either.
    pub excluded: Vec<Excluded>,
}

impl LayerProgram {
    /// The action at `id`.
    pub fn action(&self, id: ActionId) -> Option<&Action> {
        self.actions.get(id.index())
    }

    /// The procedure at `id`.
    pub fn procedure(&self, id: ProcId) -> Option<&Procedure> {
        self.procedures.get(id.index())
    }

    /// The procedure called `name`.
    pub fn procedure_named(&self, name: &str) -> Option<ProcId> {
        let at = self.procedures.iter().position(|it| it.name.as_str() == name)?;
        u32::try_from(at).ok().map(ProcId)
    }

    /// The action called `name`.
    pub fn action_named(&self, name: &str) -> Option<ActionId> {
        let at = self.actions.iter().position(|it| it.name.as_str() == name)?;
        u32::try_from(at).ok().map(ActionId)
    }

    /// Why the item cannot be executed, if it cannot.
    pub fn excluded(&self, item: &Item) -> Option<&Excluded> {
        self.excluded.iter().find(|it| it.item == *item)
    }
}

impl LayerProgram {
    /// The nodes of all procedures and actions.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let procedures = self.procedures.iter().flat_map(|it| &it.nodes);
        procedures.chain(self.actions.iter().flat_map(|it| &it.nodes))
    }

    /// Every term of the program.
    pub fn terms(&self) -> Vec<&Term> {
        let mut terms: Vec<&Term> = self.axioms.iter().collect();
        let definitions = self.functions.values().filter_map(|it| it.definition.as_ref());
        terms.extend(definitions.map(|it| &it.body));
        terms.extend(self.globals.iter().flat_map(|it| &it.holds).map(|held| &held.set));
        terms.extend(&self.narrowed);
        for procedure in &self.procedures {
            let formals = procedure.ins.iter().chain(&procedure.outs);
            terms.extend(formals.flat_map(|it| &it.holds).map(|held| &held.set));
            let conditions = procedure.requires.iter().chain(&procedure.ensures);
            terms.extend(conditions.map(|it| &it.term));
        }
        for action in &self.actions {
            terms.extend(action.gate.iter().chain(&action.requires).map(|it| &it.term));
        }
        terms.extend(self.nodes().flat_map(|node| &node.steps).flat_map(Step::terms));
        terms
    }

    /// Every variable of the program, bound ones and those of terms left out.
    pub fn vars(&self) -> BTreeSet<&Var> {
        let mut vars: BTreeSet<&Var> = self.globals.iter().map(|it| &it.var).collect();
        for procedure in &self.procedures {
            vars.extend(procedure.ins.iter().chain(&procedure.outs).map(|formal| &formal.var));
            vars.extend(&procedure.locals);
        }
        for action in &self.actions {
            vars.extend(action.ins.iter().chain(&action.outs).chain(&action.locals));
        }
        vars
    }

    /// Every sort that occurs, parts of sorts included, fields of datatypes left out.
    pub fn sorts_mentioned(&self) -> BTreeSet<Sort> {
        let mut sorts = BTreeSet::new();
        let mut add = |sort: &Sort| {
            sort.walk(&mut |part| {
                sorts.insert(part.clone());
            });
        };
        self.vars().into_iter().for_each(|var| add(&var.sort));
        for function in self.functions.values() {
            function.symbol.args.iter().for_each(&mut add);
            add(&function.symbol.result);
        }
        for_each_subterm(self.terms(), |term| {
            add(term.sort());
            term.bound().iter().for_each(|bound| add(&bound.var.sort));
        });
        sorts
    }

    /// The uninterpreted sort of the element that makes a value of `var` new.
    pub fn element_sort(&self, var: &Var) -> Option<Symbol> {
        let def = self.signature.datatype(&var.sort)?;
        match def.ctors() {
            [only] => match &only.fields[..] {
                [(_, Sort::Uninterpreted(name))] => Some(name.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An uninterpreted sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carrier {
    /// Are elements made new by [`Step::Fresh`]? Then the scope says how many there can be at once.
    pub made_new: bool,
    /// The constants of the sort, by name.
    pub constants: Vec<Symbol>,
}

/// A global variable of the layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The variable.
    pub var: Var,
    /// The permissions in it, if it is linear.
    pub holds: Vec<Held>,
    /// Does it still exist at the layer above?
    pub above: bool,
    /// Is it introduced here? Then it is ghost state: nothing below has it.
    pub introduced: bool,
}

/// Permissions of one domain that a variable holds. No two variables hold the same permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The domain: the name of the sort of its permissions.
    pub domain: Symbol,
    /// A set of permissions, over the variable alone.
    pub set: Term,
}

/// What a call does with the permissions of an argument or result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Linear {
    /// They are not permissions.
    #[default]
    Ordinary,
    /// Lent, and given back at the return; as a result: handed out.
    Linear,
    /// Taken.
    In,
    /// Handed out at the return.
    Out,
}

/// A formal of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formal {
    /// The variable.
    pub var: Var,
    /// What becomes of its permissions.
    pub linear: Linear,
    /// The permissions in it.
    pub holds: Vec<Held>,
}

/// What an action touches, gate included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Globals that are read, or may be.
    pub reads: BTreeSet<Symbol>,
    /// Globals that are written, or may be.
    pub writes: BTreeSet<Symbol>,
}

/// An atomic action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name.
    pub name: Symbol,
    /// Inputs.
    pub ins: Vec<Var>,
    /// Outputs.
    pub outs: Vec<Var>,
    /// Locals.
    pub locals: Vec<Var>,
    /// Its `asserts` clauses, over inputs and globals. Without any, the assertions of the code are all
    /// there is; with some, those of the code follow from them.
    pub gate: Vec<Condition>,
    /// What callers promise at the layer, over inputs and globals.
    pub requires: Vec<Condition>,
    /// The code. Runs start at the first node and end at [`Next::Return`].
    pub nodes: Vec<Node>,
    /// Its declared mover type.
    pub label: Label,
    /// The globals it touches.
    pub footprint: Footprint,
    /// Its declaration.
    pub site: Site,
}

/// A procedure that is code at the layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// Its name.
    pub name: Symbol,
    /// Inputs that exist at the layer.
    pub ins: Vec<Formal>,
    /// Outputs that exist at the layer.
    pub outs: Vec<Formal>,
    /// Other variables of its frames.
    pub locals: Vec<Var>,
    /// What callers promise at the layer, over inputs and globals.
    pub requires: Vec<Condition>,
    /// What holds at the return, over formals, locals and globals.
    pub ensures: Vec<Condition>,
    /// The code. Runs start at the first node.
    pub nodes: Vec<Node>,
    /// Set for a mover procedure of this layer: it runs without yields, and moves like this.
    pub mover: Option<Label>,
    /// What it is at the layer above, if it is no longer code there.
    pub spec: Option<Spec>,
    /// Does the program mark it as an entry for clients?
    pub marked: bool,
    /// Its declaration.
    pub site: Site,
}

/// What a procedure is at the layer above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// Nothing that can be seen.
    Skip,
    /// One step.
    Action {
        /// Which.
        action: ActionId,
        /// Positions, among the inputs of the procedure, of the inputs of the action.
        ins: Vec<u32>,
        /// Positions, among the outputs of the procedure, of the outputs of the action.
        outs: Vec<u32>,
    },
}

/// What the attributes of the program ask of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// An action that makes the initial state.
    pub init: Option<ActionId>,
    /// How many threads.
    pub threads: Option<u32>,
    /// How many calls each.
    pub calls: Option<u32>,
    /// How many elements a sort has.
    pub sizes: BTreeMap<Symbol, u32>,
}

/// What an [`Excluded`] row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// The whole program.
    Program,
    /// The procedure of this name. It is still listed, without code.
    Procedure(Symbol),
    /// The action of this name. It is still listed, without code.
    Action(Symbol),
    /// The function of this name.
    Function(Symbol),
}

/// Something that cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// What.
    pub item: Item,
    /// Why, in words.
    pub why: String,
    /// What stands in the way.
    pub site: Site,
}

/// Alternatives with a word each, for text.
pub trait Words: Copy + PartialEq + 'static {
    /// Every alternative with its word.
    fn table() -> &'static [(Self, &'static str)];

    /// The word.
    fn word(self) -> &'static str {
        Self::table().iter().find(|(it, _)| *it == self).map_or("", |(_, word)| *word)
    }

    /// The alternative with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::table().iter().find(|(_, it)| *it == word).map(|(it, _)| *it)
    }
}

impl Words for Linear {
    fn table() -> &'static [(Linear, &'static str)] {
        &[
            (Linear::Ordinary, "ordinary"),
            (Linear::Linear, "linear"),
            (Linear::In, "in"),
            (Linear::Out, "out"),
        ]
    }
}

impl Words for Label {
    fn table() -> &'static [(Label, &'static str)] {
        &[
            (Label::Private, "P"),
            (Label::Both, "B"),
            (Label::Right, "R"),
            (Label::Left, "L"),
            (Label::NonMover, "N"),
            (Label::Yield, "Y"),
        ]
    }
}

/// What a step of the code is to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Touches nothing that other threads see.
    Private,
    /// Left and right mover.
    Both,
    /// Right mover.
    Right,
    /// Left mover.
    Left,
    /// Neither left nor right mover.
    NonMover,
    /// Other threads may run here.
    Yield,
}

impl Label {
    /// Every label.
    pub const ALL: [Label; 6] =
        [Label::Private, Label::Both, Label::Right, Label::Left, Label::NonMover, Label::Yield];

    /// One letter, as in tables.
    pub fn letter(self) -> char {
        match self {
            Label::Private => 'P',
            Label::Both => 'B',
            Label::Right => 'R',
            Label::Left => 'L',
            Label::NonMover => 'N',
            Label::Yield => 'Y',
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Label::Private => "private step",
            Label::Both => "both mover",
            Label::Right => "right mover",
            Label::Left => "left mover",
            Label::NonMover => "non-mover",
            Label::Yield => "yield",
        }
    }
}
