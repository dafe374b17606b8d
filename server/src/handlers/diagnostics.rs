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
use crate::session::publish::{files_of, proof_diagnostics};

pub(crate) fn pull(
    snapshot: &Snapshot,
    params: &DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let opened = Opened::find(snapshot, &params.text_document.uri)
        .ok_or_else(|| Error::invalid_params("the document is not open"))?;
    let files = files_of(snapshot, opened.program);
    let statics = snapshot.analysis.problems(opened.program);
    let own = statics.iter().filter(|d| d.at.file == opened.file);
    let mut items: Vec<_> = own.map(|d| proto::diagnostic(d, &files, snapshot.encoding)).collect();
    if let Some(proofs) = snapshot.proofs.by_program.get(&opened.program) {
        items.extend(proof_diagnostics(proofs, opened.file, &files, snapshot.encoding));
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
