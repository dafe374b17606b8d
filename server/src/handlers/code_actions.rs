//! `textDocument/codeAction` and `codeAction/resolve`.
//!
//! Candidates are collected on a snapshot and tried without one; see [`ide::Trial`]. What promises a
//! proof is offered without an edit: the proof is tried when somebody has chosen it.
//!
//! # The rule
//! An edit is checked in every program with a file that it changes. What "proves" is proved in all of
//! them, none of which may lack a file; what fails already excuses a failure only in the program where
//! it fails now. What promises no proof is tried in the first program, and says "checked" only if
//! there is no other.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use ide::{Candidate, Candidates, Known, ProgramId, Trial, VerifyOptions};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString, Range, Url, WorkspaceEdit,
};

use super::Opened;
use super::rename::workspace_edit;
use crate::session::Snapshot;
use crate::session::proofs::Entry;
use crate::session::verifier;

/// The error code of the protocol for a request that cannot be fulfilled.
const REQUEST_FAILED: i64 = -32803;
/// Nobody waits longer for an obligation of an edit that was chosen.
const LONGEST_OBLIGATION_MS: u64 = 5000;

/// Candidates in the words of the protocol, before they are tried.
pub(crate) struct Untried {
    candidates: Candidates,
    shown: Vec<CodeAction>,
}

/// What a client sends back when it has chosen an edit that promises a proof.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Choice {
    uri: Url,
    version: Option<i32>,
    range: Range,
    title: String,
}

/// An edit to be proved.
pub(crate) struct Unproved {
    /// One for each program.
    trials: Vec<InProgram>,
    options: VerifyOptions,
    title: String,
    edit: WorkspaceEdit,
}

/// An edit in one program.
struct InProgram {
    candidates: Candidates,
    candidate: Candidate,
    /// What is not proved now.
    failures: BTreeSet<String>,
}

/// The candidates at a place that the client wants to hear of.
pub(crate) fn candidates(snapshot: &Snapshot, params: &CodeActionParams) -> Option<Untried> {
    let uri = &params.text_document.uri;
    let opened = Opened::find(snapshot, uri)?;
    let mut candidates = collected(&opened, opened.program, params.range);
    let alone = snapshot.members.dependents_of(opened.file).len() < 2;
    candidates.all.retain(|candidate| is_wanted(&kind(candidate), params.context.only.as_deref()));
    let version = snapshot.documents.get(uri).map(|document| document.version);
    let choice = |title: &str| Choice {
        uri: uri.clone(),
        version,
        range: params.range,
        title: title.to_owned(),
    };
    let show = |candidate: &Candidate| {
        let all = params.context.diagnostics.iter();
        let own: Vec<Diagnostic> =
            all.filter(|d| has_code(d, candidate.repairs)).cloned().collect();
        let title = &candidate.fix.title;
        let mut action = CodeAction {
            kind: Some(kind(candidate)),
            diagnostics: (!own.is_empty()).then_some(own),
            ..CodeAction::default()
        };
        if candidate.proves.is_some() {
            action.title = format!("{title}, if that can be proved");
            action.data = serde_json::to_value(choice(title)).ok();
        } else {
            action.title = format!("{title}{}", if alone { " (checked)" } else { "" });
            action.edit = Some(workspace_edit(snapshot, candidate.fix.edits.clone()));
            action.is_preferred = candidate.repairs.map(|_| true);
        }
        action
    };
    let shown = candidates.all.iter().map(show).collect();
    Some(Untried { candidates, shown })
}

/// Those that hold what they promise. `wanted` says whether somebody still waits.
pub(crate) fn offered(
    untried: Untried,
    trial: &Mutex<Trial>,
    wanted: &dyn Fn() -> bool,
) -> CodeActionResponse {
    let Untried { candidates, mut shown } = untried;
    if candidates.all.is_empty() {
        return Vec::new();
    }
    let numbers = match trial.lock() {
        Ok(mut trial) => trial.offered(&candidates, wanted),
        // A trial that panicked may have left anything behind.
        Err(_) => Trial::default().offered(&candidates, wanted),
    };
    let mut take =
        |number: usize| CodeActionOrCommand::CodeAction(std::mem::take(&mut shown[number]));
    numbers.into_iter().map(&mut take).collect()
}

/// The edit that was chosen, if the document is still the same.
pub(crate) fn chosen(snapshot: &Snapshot, choice: &Choice) -> Result<Unproved> {
    let version = snapshot.documents.get(&choice.uri).map(|document| document.version);
    let opened = Opened::find(snapshot, &choice.uri).filter(|_| version == choice.version);
    let opened = opened.ok_or_else(Error::content_modified)?;
    let first = in_program(&opened, opened.program, choice).ok_or_else(Error::content_modified)?;
    let edits = first.candidate.fix.edits.clone();
    let changed = edits.iter().map(|(at, _)| at.file).chain([opened.file]);
    let programs: BTreeSet<ProgramId> =
        changed.flat_map(|file| snapshot.members.dependents_of(file)).copied().collect();
    let mut trials = Vec::new();
    for program in programs.iter().filter(|program| **program != opened.program) {
        let same = in_program(&opened, *program, choice);
        let same = same.filter(|it| it.candidate.fix.edits == edits);
        trials.push(same.ok_or_else(|| failed("it cannot be checked in every program"))?);
    }
    trials.insert(0, first);
    if !programs.iter().all(|program| snapshot.members.is_complete(*program)) {
        return Err(failed("it cannot be checked: the program is not complete"));
    }
    let mut options = verifier::options(snapshot, ide::Filter::default());
    options.time_limit_ms = options.time_limit_ms.min(LONGEST_OBLIGATION_MS);
    let title = choice.title.clone();
    Ok(Unproved { trials, options, title, edit: workspace_edit(snapshot, edits) })
}

/// The edit that was chosen, as a candidate in one program.
fn in_program(opened: &Opened<'_>, program: ProgramId, choice: &Choice) -> Option<InProgram> {
    let candidates = collected(opened, program, choice.range);
    let mut all = candidates.all.iter();
    let candidate = all.find(|c| c.fix.title == choice.title && c.proves.is_some()).cloned()?;
    let proofs = opened.snapshot.proofs.of(&[program]);
    let bad = |it: &&Entry| matches!(it.state.word(), "failed" | "timeout" | "unknown");
    let now = proofs.entries.iter().filter(|entry| !entry.stale).filter(bad);
    let failures = now.map(|entry| entry.state.id.clone()).collect();
    Some(InProgram { candidates, candidate, failures })
}

/// Tries the proof; the edit is told only if it succeeds.
pub(crate) fn proved(
    unproved: Unproved,
    action: CodeAction,
    cancel: &AtomicBool,
) -> Result<CodeAction> {
    let Unproved { trials, options, title, edit } = unproved;
    for InProgram { candidates, candidate, failures } in trials {
        let known = Known { failures: &failures, cancel };
        Trial::default()
            .prove(&candidates, &candidate, &options, &known)
            .map_err(|why| failed(&format!("cannot {title}: {why}")))?;
    }
    Ok(CodeAction {
        title: format!("{title} (checked: proves)"),
        edit: Some(edit),
        data: None,
        ..action
    })
}

pub(crate) fn failed(why: &str) -> Error {
    Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: why.to_owned().into(),
        data: None,
    }
}

fn collected(opened: &Opened<'_>, program: ProgramId, range: Range) -> Candidates {
    let failures = opened.snapshot.proofs.of(&[program]);
    let (range, failures) = (opened.offsets(range), &failures.diagnostics);
    opened.snapshot.analysis.candidates(program, opened.file, range, failures)
}

fn kind(candidate: &Candidate) -> CodeActionKind {
    match candidate.repairs {
        Some(_) => CodeActionKind::QUICKFIX,
        None => CodeActionKind::REFACTOR,
    }
}

/// Kinds are paths: `refactor` admits `refactor.extract`.
fn is_wanted(kind: &CodeActionKind, only: Option<&[CodeActionKind]>) -> bool {
    let admits = |wanted: &CodeActionKind| wanted.as_str().is_empty() || wanted == kind;
    only.is_none_or(|only| only.iter().any(admits))
}

fn has_code(diagnostic: &Diagnostic, code: Option<&str>) -> bool {
    match (&diagnostic.code, code) {
        (Some(NumberOrString::String(have)), Some(want)) => have == want,
        _ => false,
    }
}
