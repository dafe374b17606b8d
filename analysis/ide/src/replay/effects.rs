//! Which variables some blocks of a body may write, and whether it makes something new.

use std::collections::BTreeSet;

use hir::{Arm, BlockId, Command, Stmt, VarRef};
use obligations::World;

use super::machine::{Code, MAKES_NEW};

/// The variables that a body writes, or only these blocks of it.
pub(super) fn assigned(
    world: World<'_>,
    code: &Code,
    blocks: Option<&[BlockId]>,
) -> BTreeSet<VarRef> {
    let mut found = BTreeSet::new();
    for id in code.cfg.block_ids().filter(|id| blocks.is_none_or(|it| it.contains(id))) {
        for command in &code.cfg.block(id).commands {
            if let Command::Stmt(stmt) = command {
                written(world, code, code.body.stmt(*stmt), &mut found);
            }
        }
    }
    found
}

fn written(world: World<'_>, code: &Code, stmt: &Stmt, found: &mut BTreeSet<VarRef>) {
    match stmt {
        Stmt::Assign { targets, .. } => found.extend(targets.iter().map(|it| it.root.clone())),
        Stmt::Unpack { targets, .. } | Stmt::Havoc { targets } => {
            found.extend(targets.iter().cloned());
        }
        Stmt::Call { arms, .. } => {
            for arm in arms {
                found.extend(arm.outs.iter().cloned());
                if arm.primitive.is_some_and(|it| it.modifies_first) {
                    let root = arm.args.first().and_then(|it| hir::path_root(&code.body, *it));
                    found.extend(root);
                }
                let globals = world.modifies(&arm.callee);
                found.extend(globals.iter().cloned().map(VarRef::Global));
            }
        }
        Stmt::Assert { .. } | Stmt::Assume { .. } | Stmt::Measure { .. } | Stmt::Yield { .. } => {}
        Stmt::Visibility(_) | Stmt::If { .. } | Stmt::While { .. } | Stmt::Break { .. } => {}
        Stmt::Goto { .. } | Stmt::Label(_) | Stmt::Return | Stmt::Error => {}
    }
}

/// Does a body make no location new, and call nothing but primitives?
pub(super) fn makes_nothing(code: &Code) -> bool {
    let commands = code.cfg.blocks.iter().flat_map(|block| &block.commands);
    let arms = commands.flat_map(|command| match command {
        Command::Stmt(id) => called(code.body.stmt(*id)),
        Command::Guard { .. } => &[],
    });
    let known = |arm: &Arm| arm.primitive.is_some_and(|it| !MAKES_NEW.contains(&it.name));
    arms.into_iter().all(known)
}

fn called(stmt: &Stmt) -> &[Arm] {
    if let Stmt::Call { arms, .. } = stmt { arms } else { &[] }
}
