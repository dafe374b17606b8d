//! `textDocument/codeAction` and `codeAction/resolve`.
//!
//! Candidates are collected on a snapshot and tried without one; see [`ide::Trial`]. What promises a
//! proof is offered without an edit: the proof is tried when somebody has chosen it.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use ide::{Candidate, Candidates, Known, Trial, VerifyOptions};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Diagnostic, NumberOrString, Range, Url, WorkspaceEdit,
};

use super::Opened;
use super::rename::workspace_edit;
use crate::session::Snapshot;
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
    candidates: Candidates,
    candidate: Candidate,
    options: VerifyOptions,
    failures: BTreeSet<String>,
    title: String,
    edit: WorkspaceEdit,
}

/// The candidates at a place that the client wants to hear of.
pub(crate) fn candidates(snapshot: &Snapshot, params: &CodeActionParams) -> Option<Untried> {
    let uri = &params.text_document.uri;
    let mut candidates = collected(snapshot, uri, params.range)?;
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
            action.title = format!("{title} (checked)");
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
    let candidates =
        collected(snapshot, &choice.uri, choice.range).filter(|_| version == choice.version);
    let candidates = candidates.ok_or_else(Error::content_modified)?;
    let mut all = candidates.all.iter();
    let candidate = all.find(|c| c.fix.title == choice.title && c.proves.is_some()).cloned();
    let candidate = candidate.ok_or_else(Error::content_modified)?;
    let mut options = verifier::options(snapshot, ide::Filter::default());
    options.time_limit_ms = options.time_limit_ms.min(LONGEST_OBLIGATION_MS);
    let known = snapshot.proofs.by_program.values().flat_map(|proofs| &proofs.entries);
    let failures =
        known.filter(|entry| matches!(entry.state.word(), "failed" | "timeout" | "unknown"));
    Ok(Unproved {
        options,
        failures: failures.map(|entry| entry.state.id.clone()).collect(),
        title: candidate.fix.title.clone(),
        edit: workspace_edit(snapshot, candidate.fix.edits.clone()),
        candidate,
        candidates,
    })
}

/// Tries the proof; the edit is told only if it succeeds.
pub(crate) fn proved(
    unproved: Unproved,
    action: CodeAction,
    cancel: &AtomicBool,
) -> Result<CodeAction> {
    let Unproved { candidates, candidate, options, failures, title, edit } = unproved;
    let known = Known { failures: &failures, cancel };
    match Trial::default().prove(&candidates, &candidate, &options, &known) {
        Ok(()) => Ok(CodeAction {
            title: format!("{title} (checked: proves)"),
            edit: Some(edit),
            data: None,
            ..action
        }),
        Err(why) => Err(failed(&format!("cannot {title}: {why}"))),
    }
}

pub(crate) fn failed(why: &str) -> Error {
    Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: why.to_owned().into(),
        data: None,
    }
}

fn collected(snapshot: &Snapshot, uri: &Url, range: Range) -> Option<Candidates> {
    let opened = Opened::find(snapshot, uri)?;
    let failures = snapshot.proofs.of(&[opened.program]);
    let range = opened.offsets(range);
    let failures = &failures.diagnostics;
    Some(snapshot.analysis.candidates(opened.program, opened.file, range, failures))
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
