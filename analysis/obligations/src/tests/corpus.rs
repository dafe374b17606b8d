//! Every statement of the public corpus has a faithful image, quickly.
#![expect(
    clippy::disallowed_methods,
    reason = "the corpus is found at test time; speed is measured"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use base::{LibraryName, Program};
use ir::ObligationKind;

use super::plain::CORPUS;
use super::{Database, program};
use crate::{Checks, Lowering, Text, UnitBuilder, World, Writer};

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "bpl") {
            out.push(path);
        }
    }
}

/// What the bodies, specifications and axioms of a program could not be lowered to.
fn problems(db: &Database, program: Program) -> Vec<String> {
    let world = World::new(db, program);
    let mut lowering = Lowering::new(world, world.somewhere());
    let mut out = UnitBuilder::new();
    for decl in hir::program_decls(db, program).iter().copied() {
        let body = world.body(decl).zip(world.body_map(decl));
        if let Some((body, map)) = body.filter(|(body, _)| !body.has_errors) {
            let env = lowering.body_env(&body, "");
            let at = out.block("body", None);
            let text = Text { body: &body, map: &map };
            let checks = Checks::Assert(ObligationKind::Plain);
            let mut writer =
                Writer { lowering: &mut lowering, out: &mut out, text, env: &env, checks, at };
            let Some(cfg) = world.cfg(decl) else { continue };
            for command in cfg.blocks.iter().flat_map(|block| &block.commands) {
                writer.command(*command);
            }
        }
    }
    lowering.finish().1.into_iter().map(|problem| problem.what).collect()
}

#[test]
fn every_statement_of_the_corpus_has_an_image() {
    let mut paths = Vec::new();
    files(Path::new(CORPUS), &mut paths);
    let mut bad = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let db = Database::default();
        let program = program(&db, &text, &LibraryName::ALL);
        let problems = problems(&db, program);
        // Names and types are known by now; what is left is lowering. Tests are not optimised.
        let start = Instant::now();
        assert_eq!(super::corpus::problems(&db, program), problems);
        let time = start.elapsed().as_millis();
        if time > 600 {
            bad.push(format!("{}: lowered in {time} ms", path.display()));
        }
        bad.extend(problems.into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
