//! Running a program on values.
//!
//! **In:** a program without cycles, whose assignments are deterministic once the variables it never
//! assigns have values, and an [`Env`] with those. **Out:** the environment at the end of the first
//! run, or what every run gets stuck at.
//!
//! # Soundness
//! Nothing is guessed: a condition or value that evaluation does not know ends the attempt, unless
//! another branch gets to its end without it.

use crate::{
    command::{BlockId, Command, Program},
    eval::{Env, Unknown, evaluate},
    term::Term,
    value::Value,
};

/// Why no run gets to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// This condition is false; it is the one that the longest attempt met.
    Blocked(Term),
    /// Something has no known value.
    Unknown(Unknown),
}

/// More blocks than this are not entered.
const MOST_STEPS: usize = 10_000;

/// Runs `program` from its entry.
pub fn execute(program: &Program, env: &Env) -> Result<Env, Stuck> {
    let mut open = vec![(program.entry, env.clone(), 0usize)];
    let mut stuck: Option<(usize, Stuck)> = None;
    let mut steps = 0;
    while let Some((at, mut env, depth)) = open.pop() {
        steps += 1;
        if steps > MOST_STEPS {
            return Err(Stuck::Unknown(Unknown("too many steps".into())));
        }
        match block(program, at, &mut env) {
            Ok([]) => return Ok(env),
            Ok(successors) => {
                let next = successors.iter().rev();
                open.extend(next.map(|next| (*next, env.clone(), depth + 1)));
            }
            Err(why) => {
                if stuck.as_ref().is_none_or(|(deepest, _)| *deepest < depth) {
                    stuck = Some((depth, why));
                }
            }
        }
    }
    Err(stuck.map_or_else(|| Stuck::Unknown(Unknown("a program without blocks".into())), |it| it.1))
}

fn block<'p>(program: &'p Program, at: BlockId, env: &mut Env) -> Result<&'p [BlockId], Stuck> {
    let Some(block) = program.blocks.get(at.index()) else { return Ok(&[]) };
    for command in &block.commands {
        match command {
            Command::Assume { term, .. } => match evaluate(term, env) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Err(Stuck::Blocked(term.clone())),
                Err(why) => return Err(Stuck::Unknown(why)),
            },
            Command::Assign(pairs) => {
                let mut values = Vec::with_capacity(pairs.len());
                for (var, term) in pairs {
                    let value = evaluate(term, env).map_err(Stuck::Unknown)?;
                    values.push((var.clone(), value));
                }
                env.vars.extend(values);
            }
            Command::Havoc(vars) => {
                vars.iter().for_each(|var| {
                    env.vars.remove(var);
                });
            }
            Command::Assert { .. } | Command::Capture(_) => {}
        }
    }
    Ok(&block.successors)
}

#[cfg(test)]
mod tests {
    use super::{Stuck, execute};
    use crate::{
        command::{Block, BlockId, Command, Program},
        eval::Env,
        samples::{i, ivar, n},
        term::Term,
        value::Value,
    };

    /// `if (x < 3) { x := x + 1; } else { assume x < 9; }`
    fn program() -> Program {
        let mut blocks = vec![Block::new("entry"), Block::new("then"), Block::new("else")];
        blocks[0].successors = vec![BlockId(1), BlockId(2)];
        let small = Term::lt(i("x"), n(3));
        let sum = Term::app(crate::Op::Add, vec![i("x"), n(1)]);
        blocks[1].commands = vec![Command::assume(small.clone()), Command::assign(ivar("x"), sum)];
        blocks[2].commands =
            vec![Command::assume(Term::not(small)), Command::assume(Term::lt(i("x"), n(9)))];
        Program { vars: vec![ivar("x")], blocks, entry: BlockId(0) }
    }

    fn run(x: i32) -> Result<Value, Stuck> {
        let mut env = Env::default();
        env.vars.insert(ivar("x"), Value::Int(x.into()));
        execute(&program(), &env).map(|end| end.vars[&ivar("x")].clone())
    }

    #[test]
    fn the_branch_that_gets_to_its_end_is_taken() {
        assert_eq!(run(1), Ok(Value::Int(2.into())));
        assert_eq!(run(5), Ok(Value::Int(5.into())));
        assert!(matches!(run(12), Err(Stuck::Blocked(_))));
    }

    #[test]
    fn nothing_is_guessed() {
        assert!(matches!(execute(&program(), &Env::default()), Err(Stuck::Unknown(_))));
    }
}
