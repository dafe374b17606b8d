//! What we tell the client we can do, and what we remember of what it can.

use std::path::PathBuf;

use ide::ColumnEncoding;
use tower_lsp::lsp_types::{
    CallHierarchyServerCapability, ClientCapabilities, CodeActionKind, CodeActionOptions,
    CodeActionProviderCapability, CodeLensOptions, CompletionOptions, DeclarationCapability,
    DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions,
    DocumentOnTypeFormattingOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, ImplementationProviderCapability, InitializeParams, OneOf,
    PositionEncodingKind, RenameOptions, SaveOptions, SelectionRangeProviderCapability,
    SemanticTokenModifier, SemanticTokenType, SemanticTokensFullOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    TypeDefinitionProviderCapability, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use crate::session::outgoing::ClientFeatures;

/// Commands a client may execute; code lenses use them.
pub(crate) const COMMANDS: [&str; 2] = ["civl.verify", "civl.cancel"];

/// The encoding both sides can count in; bytes are cheapest.
pub(crate) fn encoding(client: &ClientCapabilities) -> ColumnEncoding {
    let offered =
        client.general.as_ref().and_then(|g| g.position_encodings.clone()).unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) {
        ColumnEncoding::Utf8
    } else if offered.contains(&PositionEncodingKind::UTF32)
        && !offered.contains(&PositionEncodingKind::UTF16)
    {
        ColumnEncoding::Utf32
    } else {
        ColumnEncoding::Utf16
    }
}

pub(crate) fn features(client: &ClientCapabilities) -> ClientFeatures {
    let workspace = client.workspace.clone().unwrap_or_default();
    let yes = |flag: Option<bool>| flag == Some(true);
    ClientFeatures {
        progress: client.window.as_ref().is_some_and(|w| yes(w.work_done_progress)),
        refresh_diagnostics: workspace.diagnostic.as_ref().is_some_and(|d| yes(d.refresh_support)),
        refresh_lenses: workspace.code_lens.as_ref().is_some_and(|c| yes(c.refresh_support)),
        refresh_hints: workspace.inlay_hint.as_ref().is_some_and(|h| yes(h.refresh_support)),
        related: client
            .text_document
            .as_ref()
            .and_then(|text| text.publish_diagnostics.as_ref())
            .is_some_and(|published| yes(published.related_information)),
        configuration: yes(workspace.configuration),
        watch_files: workspace
            .did_change_watched_files
            .as_ref()
            .is_some_and(|w| yes(w.dynamic_registration)),
        differences: client
            .experimental
            .as_ref()
            .is_some_and(|ours| ours["civl"]["obligationDifferences"] == true),
    }
}

/// The folders the client works in.
pub(crate) fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.clone().unwrap_or_default();
    let mut roots: Vec<PathBuf> =
        folders.iter().filter_map(|f| f.uri.to_file_path().ok()).collect();
    if roots.is_empty() {
        #[allow(deprecated, reason = "older clients send nothing else")]
        let root = params.root_uri.as_ref().and_then(|uri| uri.to_file_path().ok());
        roots.extend(root);
    }
    roots
}

/// A client that only pulls would miss proofs, which come long after the last edit; so pulling is
/// offered to those that can be told to pull again.
pub(crate) fn server(encoding: ColumnEncoding, client: ClientFeatures) -> ServerCapabilities {
    let encoding = match encoding {
        ColumnEncoding::Utf8 => PositionEncodingKind::UTF8,
        ColumnEncoding::Utf16 => PositionEncodingKind::UTF16,
        ColumnEncoding::Utf32 => PositionEncodingKind::UTF32,
    };
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(sync()),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(completion()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".into(), ",".into()]),
            ..SignatureHelpOptions::default()
        }),
        semantic_tokens_provider: Some(tokens().into()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".into(),
            more_trigger_character: Some(vec![";".into()]),
        }),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR]),
            resolve_provider: Some(true),
            ..CodeActionOptions::default()
        })),
        diagnostic_provider: client.refresh_diagnostics.then(pull),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(ToString::to_string).collect(),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

fn pull() -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("civl".into()),
        inter_file_dependencies: true,
        workspace_diagnostics: false,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    })
}

fn sync() -> TextDocumentSyncCapability {
    TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
            include_text: Some(false),
        })),
        ..TextDocumentSyncOptions::default()
    })
}

fn completion() -> CompletionOptions {
    let triggers = [":", "{", ">", "(", " "].iter().map(ToString::to_string).collect();
    CompletionOptions { trigger_characters: Some(triggers), ..CompletionOptions::default() }
}

fn tokens() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: token_types(),
            token_modifiers: token_modifiers(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..SemanticTokensOptions::default()
    }
}

/// In the order of `ide::TokenClass`.
fn token_types() -> Vec<SemanticTokenType> {
    vec![
        SemanticTokenType::KEYWORD,
        SemanticTokenType::COMMENT,
        SemanticTokenType::STRING,
        SemanticTokenType::NUMBER,
        SemanticTokenType::OPERATOR,
        SemanticTokenType::TYPE,
        SemanticTokenType::TYPE_PARAMETER,
        SemanticTokenType::VARIABLE,
        SemanticTokenType::PARAMETER,
        SemanticTokenType::PROPERTY,
        SemanticTokenType::FUNCTION,
        SemanticTokenType::ENUM_MEMBER,
        SemanticTokenType::METHOD,
        SemanticTokenType::DECORATOR,
        SemanticTokenType::new("label"),
    ]
}

/// In the order of `ide::TokenModifier`.
fn token_modifiers() -> Vec<SemanticTokenModifier> {
    vec![
        SemanticTokenModifier::DECLARATION,
        SemanticTokenModifier::READONLY,
        SemanticTokenModifier::MODIFICATION,
        SemanticTokenModifier::DEFAULT_LIBRARY,
        SemanticTokenModifier::new("linear"),
        SemanticTokenModifier::new("hidden"),
        SemanticTokenModifier::new("layered"),
        SemanticTokenModifier::new("mover"),
        SemanticTokenModifier::new("yields"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_has_a_name_for_every_class_and_modifier() {
        assert_eq!(token_types().len(), ide::TokenClass::Label as usize + 1);
        assert_eq!(token_modifiers().len(), ide::TokenModifier::Yields as usize + 1);
    }
}
