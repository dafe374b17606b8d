//! `textDocument/signatureHelp`

use tower_lsp::lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation, TextDocumentPositionParams,
};

use super::cursor;
use crate::session::Snapshot;

pub(crate) fn help(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<SignatureHelp> {
    let found = snapshot.analysis.signature_help(cursor(snapshot, params)?)?;
    let label = |(start, end): (u32, u32)| {
        found.label.get(start as usize..end as usize).unwrap_or_default().to_owned()
    };
    let parameter = |range| ParameterInformation {
        label: ParameterLabel::Simple(label(range)),
        documentation: None,
    };
    let parameters: Vec<_> = found.parameters.iter().copied().map(parameter).collect();
    let documentation = found.documentation.map(|value| {
        Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
    });
    let signature = SignatureInformation {
        label: found.label,
        documentation,
        parameters: Some(parameters),
        active_parameter: Some(found.active),
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(found.active),
    })
}
