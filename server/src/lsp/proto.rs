//! Between our plain data and the protocol's types.

use ide::{ColumnEncoding, FileId, Lines, Location};
use serde_json::json;
use tower_lsp::lsp_types::{
    self, CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString,
    Position, Range, Url,
};

use crate::session::Snapshot;
use crate::session::documents;
use crate::session::publish::FileSeen;
use crate::session::workspace::Fault;

/// Where the manual pages of codes are; `civl/libraryText` answers with them.
const PAGES: &str = "civl://codes/";

/// The manual page at an address.
pub(crate) fn page(uri: &Url) -> Option<ide::Page> {
    ide::explain(uri.as_str().strip_prefix(PAGES)?.strip_suffix(".md")?)
}

/// The code of what cannot be used of a manifest.
const MANIFEST: &str = "manifest";

/// More steps of a trace than this are not listed as related places; `civl/trace` tells all.
const MOST_STEPS: usize = 20;

pub(crate) fn range(lines: &Lines, start: u32, end: u32, encoding: ColumnEncoding) -> Range {
    Range::new(position(lines, start, encoding), position(lines, end, encoding))
}

pub(crate) fn position(lines: &Lines, offset: u32, encoding: ColumnEncoding) -> Position {
    let place = lines.place(offset, encoding);
    Position::new(place.line, place.column)
}

/// A location of any file of the snapshot.
pub(crate) fn location(snapshot: &Snapshot, at: Location) -> Option<lsp_types::Location> {
    let (uri, range) = uri_range(snapshot, at)?;
    Some(lsp_types::Location { uri, range })
}

pub(crate) fn uri_range(snapshot: &Snapshot, at: Location) -> Option<(Url, Range)> {
    let uri = uri(snapshot, at.file)?;
    let range = match snapshot.documents.of_file(at.file) {
        Some(document) => range(&document.lines, at.start, at.end, snapshot.encoding),
        None => range(&snapshot.analysis.lines(at.file), at.start, at.end, snapshot.encoding),
    };
    Some((uri, range))
}

pub(crate) fn uri(snapshot: &Snapshot, file: FileId) -> Option<Url> {
    let open = snapshot.documents.of_file(file).map(|document| document.uri.clone());
    open.or_else(|| documents::address(snapshot.analysis.path(file)))
}

pub(crate) fn diagnostic(
    diagnostic: &ide::Diagnostic,
    files: &[FileSeen],
    encoding: ColumnEncoding,
) -> lsp_types::Diagnostic {
    let place = |at: Location| {
        let seen = files.iter().find(|seen| seen.file == at.file)?;
        Some(lsp_types::Location {
            uri: seen.uri.clone(),
            range: range(&seen.lines, at.start, at.end, encoding),
        })
    };
    let related = diagnostic.related.iter().filter_map(|r| {
        Some(DiagnosticRelatedInformation { location: place(r.at)?, message: r.message.clone() })
    });
    let at_it = |message: String| {
        Some(DiagnosticRelatedInformation { location: place(diagnostic.at)?, message })
    };
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    // The lines of a run are told with its places.
    let lines = diagnostic.explanation.iter().filter(|_| diagnostic.trace.is_none()).cloned();
    let doubt = diagnostic.trace.iter().filter_map(|view| view.doubt.as_ref());
    let doubt = doubt.map(|why| format!("not confirmed by replay: {why}"));
    let steps =
        diagnostic.trace.iter().flat_map(|view| view.places()).filter_map(|(at, message)| {
            Some(DiagnosticRelatedInformation { location: place(at)?, message })
        });
    let words = help.chain(lines).chain(doubt).filter_map(at_it);
    let related: Vec<_> = related.chain(words).chain(steps.take(MOST_STEPS)).collect();
    lsp_types::Diagnostic {
        range: place(diagnostic.at).map(|location| location.range).unwrap_or_default(),
        severity: Some(severity(diagnostic.severity)),
        code: Some(NumberOrString::String(diagnostic.code.into())),
        code_description: description(diagnostic.code),
        source: Some("civl".into()),
        message: diagnostic.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: None,
        data: diagnostic.obligation.as_ref().map(|id| json!({"obligation": id})),
    }
}

/// The same for a client that shows nothing but the message: all words in it, a line each.
pub(crate) fn in_one_text(diagnostics: &mut [lsp_types::Diagnostic]) {
    for diagnostic in diagnostics {
        for related in diagnostic.related_information.take().unwrap_or_default() {
            let line = related.location.range.start.line;
            let place = match line == diagnostic.range.start.line {
                true => String::new(),
                false => format!("line {}: ", line + 1),
            };
            diagnostic.message.push_str(&format!("\n{place}{}", related.message));
        }
    }
}

/// Something in a manifest that cannot be used.
pub(crate) fn fault(
    lines: &Lines,
    fault: &Fault,
    encoding: ColumnEncoding,
) -> lsp_types::Diagnostic {
    lsp_types::Diagnostic {
        range: range(lines, fault.at.0, fault.at.1, encoding),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(MANIFEST.into())),
        code_description: description(MANIFEST),
        source: Some("civl".into()),
        message: fault.message.clone(),
        ..lsp_types::Diagnostic::default()
    }
}

fn description(code: &str) -> Option<CodeDescription> {
    Url::parse(&format!("{PAGES}{code}.md")).ok().map(|href| CodeDescription { href })
}

fn severity(severity: ide::Severity) -> DiagnosticSeverity {
    match severity {
        ide::Severity::Error => DiagnosticSeverity::ERROR,
        ide::Severity::Warning => DiagnosticSeverity::WARNING,
        ide::Severity::Hint => DiagnosticSeverity::HINT,
    }
}

pub(crate) fn symbol_kind(kind: ide::SymbolKind) -> lsp_types::SymbolKind {
    use lsp_types::SymbolKind as To;
    match kind {
        ide::SymbolKind::Type | ide::SymbolKind::TypeVariable => To::TYPE_PARAMETER,
        ide::SymbolKind::Datatype => To::ENUM,
        ide::SymbolKind::Constructor => To::ENUM_MEMBER,
        ide::SymbolKind::Field => To::FIELD,
        ide::SymbolKind::Const => To::CONSTANT,
        ide::SymbolKind::Function => To::FUNCTION,
        ide::SymbolKind::Axiom | ide::SymbolKind::Attribute => To::BOOLEAN,
        ide::SymbolKind::Global
        | ide::SymbolKind::Parameter
        | ide::SymbolKind::Local
        | ide::SymbolKind::Bound
        | ide::SymbolKind::Label => To::VARIABLE,
        ide::SymbolKind::Procedure | ide::SymbolKind::YieldProcedure => To::METHOD,
        ide::SymbolKind::Action => To::EVENT,
        ide::SymbolKind::Invariant => To::INTERFACE,
        ide::SymbolKind::Keyword | ide::SymbolKind::Snippet => To::KEY,
    }
}

pub(crate) fn completion_kind(kind: ide::SymbolKind) -> lsp_types::CompletionItemKind {
    use lsp_types::CompletionItemKind as To;
    match kind {
        ide::SymbolKind::Type | ide::SymbolKind::Datatype => To::CLASS,
        ide::SymbolKind::TypeVariable => To::TYPE_PARAMETER,
        ide::SymbolKind::Constructor => To::ENUM_MEMBER,
        ide::SymbolKind::Field => To::FIELD,
        ide::SymbolKind::Const => To::CONSTANT,
        ide::SymbolKind::Function => To::FUNCTION,
        ide::SymbolKind::Axiom => To::VALUE,
        ide::SymbolKind::Attribute => To::PROPERTY,
        ide::SymbolKind::Global
        | ide::SymbolKind::Parameter
        | ide::SymbolKind::Local
        | ide::SymbolKind::Bound
        | ide::SymbolKind::Label => To::VARIABLE,
        ide::SymbolKind::Procedure | ide::SymbolKind::YieldProcedure => To::METHOD,
        ide::SymbolKind::Action => To::EVENT,
        ide::SymbolKind::Invariant => To::INTERFACE,
        ide::SymbolKind::Keyword => To::KEYWORD,
        ide::SymbolKind::Snippet => To::SNIPPET,
    }
}
