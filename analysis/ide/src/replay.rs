//! Replaying a failing run on the text of the program.
//!
//! **In:** a refuted assertion, its unit and the run that the solver found. **Out:** the steps of the program
//! on that run, or why it was not seen to fail like that.
//!
//! `ir::replay` evaluates the formulas that the program was turned into. If they are wrong, so is its
//! answer. Here the text is executed: bodies, `where` clauses, inlined calls, contracts at calls, what
//! callees are at a layer, with values of our own reckoning. Only a run that both agree on is called
//! confirmed.
//!
//! | file | what |
//! | --- | --- |
//! | `structure` | types, constants and functions of the run |
//! | `exprs`, `equality`, `builtins` | expressions on values |
//! | `machine`, `sequential`, `primitives`, `measures`, `effects` | statements on values |
//! | `actions` | what actions can do, for all choices |
//! | `permissions`, `waiting` | what linearity promises; other threads |
//! | `follow` | the search for a run that passes the moments that are shown |
//! | `log` | what the run that was found did |
//! | `plain`, `copies`, `pairs` | what a run is in each kind of unit |
//! | `axioms` | the structure satisfies the axioms |
//!
//! # Soundness
//! Nothing of `obligations::lowering` and no term of `ir` is used; values are shared, and names by which a
//! run calls constants, functions and arbitrary arguments. What cannot be executed or is not known leaves
//! a run a candidate, never confirmed.

mod actions;
mod axioms;
mod builtins;
mod copies;
mod effects;
mod equality;
mod exprs;
mod follow;
mod log;
mod machine;
mod measures;
mod pairs;
mod permissions;
mod plain;
mod primitives;
mod sequential;
mod structure;
#[cfg(test)]
mod tests;
mod waiting;

use ir::Refutation;
use obligations::{AssertInfo, Unit, UnitKey, World};

use follow::{Follower, moments};
pub(crate) use log::{Event, Ran, Step};
use structure::{Known, Structure, doubt};

/// What the program did on the run; if it was not seen to fail as the run says, why.
pub(crate) fn run_of(
    world: World<'_>,
    unit: &Unit,
    info: &AssertInfo,
    refutation: &Refutation,
) -> Result<Ran, String> {
    confirmed(world, unit, info, refutation).map_err(|why| why.0)
}

fn confirmed(
    world: World<'_>,
    unit: &Unit,
    info: &AssertInfo,
    refutation: &Refutation,
) -> Known<Ran> {
    let Some(replay) = refutation.replay() else { return doubt("values that are not known") };
    let structure = Structure::new(world, &replay.env, refutation.trace());
    let follower = Follower::new(&structure, moments(unit, refutation.trace()), info);
    match &unit.key {
        UnitKey::Plain(decl) => plain::follow(&follower, *decl)?,
        UnitKey::Invariant(name, layer) => {
            copies::follow(&follower, (name, *layer), copies::Mode::Invariant, &replay.env)?;
        }
        UnitKey::Refinement(name, layer) => {
            copies::follow(&follower, (name, *layer), copies::Mode::Refinement, &replay.env)?;
        }
        UnitKey::GateSufficiency(_)
        | UnitKey::Commutativity(_)
        | UnitKey::GatePreservation(_)
        | UnitKey::FailurePreservation(_)
        | UnitKey::Nonblocking(..)
        | UnitKey::ActionRefinement(_)
        | UnitKey::GlobalNoninterference(..)
        | UnitKey::StepNoninterference(..) => pairs::follow(&follower, &unit.key, &replay.env)?,
    }
    axioms::hold(&structure)?;
    Ok(follower.ran())
}
