//! `textDocument/diagnostic`: the same diagnostics, when the client asks

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};

use super::Opened;
use crate::lsp::proto;
use crate::session::Snapshot;
use crate::session::publish::{diagnostics_of, files_of, joined};

pub(crate) fn pull(
    snapshot: &Snapshot,
    params: &DocumentDiagnosticParams,
    related: bool,
) -> Result<DocumentDiagnosticReportResult> {
    let opened = Opened::find(snapshot, &params.text_document.uri)
        .ok_or_else(|| Error::invalid_params("the document is not open"))?;
    let mut items = joined(opened.programs.iter().map(|program| {
        let files = files_of(snapshot, *program);
        let statics = snapshot.analysis.problems(*program);
        let proofs = snapshot.proofs.by_program.get(program);
        diagnostics_of(opened.file, &files, &statics, proofs, snapshot.encoding)
    }));
    if !related {
        proto::in_one_text(&mut items);
    }
    let result_id = digest(&items);
    let report = if params.previous_result_id.as_deref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        })
    };
    Ok(DocumentDiagnosticReportResult::Report(report))
}

fn digest(items: &[tower_lsp::lsp_types::Diagnostic]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    format!("{items:?}").hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
