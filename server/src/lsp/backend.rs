//! The methods of the protocol: each posts to the session and, for a request, awaits the answer.
//!
//! # Invariants
//! - Nothing happens before the post: see [`ordering`](super::ordering).
//! - A request that an edit overtook is answered with "content modified"; a panic with an error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crossbeam_channel::Sender;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::lsp_types::request::{
    GotoDeclarationParams, GotoDeclarationResponse, GotoImplementationParams,
    GotoImplementationResponse, GotoTypeDefinitionParams, GotoTypeDefinitionResponse,
};
use tower_lsp::lsp_types::*;
use tower_lsp::{Client, LanguageServer, async_trait};

use super::ext::{
    AssumptionsAnswer, CancelParams, DocumentParams, LayerAnswer, LayerParams, ListParams,
    MoversAnswer, PageAnswer, PageParams, StatusParams, TextAnswer, TraceAnswer, TraceParams,
};
use super::parked::{List, Parked, Ticket};
use super::{capabilities, ext::VerifyParams};
use crate::handlers;
use crate::session::outgoing::ClientFeatures;
use crate::session::settings::Settings;
use crate::session::{self, Asked, Event, Snapshot};

pub(crate) struct Backend {
    client: Client,
    session: Sender<Event>,
    parked: Parked,
    features: Mutex<ClientFeatures>,
    /// Where candidates for code actions are tried.
    trial: Arc<Mutex<ide::Trial>>,
}

/// So long may a proof take that a chosen code action promises.
const LONGEST_PROOF: std::time::Duration = std::time::Duration::from_secs(20);

/// Ends a proof whose request is gone.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Backend {
    pub(crate) fn new(client: Client, parked: Parked) -> Backend {
        let runtime = tokio::runtime::Handle::current();
        let session = session::start(client.clone(), &runtime, parked.clone());
        Backend { client, session, parked, features: Mutex::default(), trial: Arc::default() }
    }

    fn post(&self, event: Event) {
        let _session_gone = self.session.send(event);
    }

    /// Has a question answered on a snapshot of this moment.
    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Snapshot) -> Result<T> + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send + 'static {
        let (answer, receiver) = oneshot::channel();
        self.post(Event::Ask(Box::new(move |snapshot| {
            // A cancelled request has nobody waiting.
            if !answer.is_closed() {
                let _cancelled = answer.send(answer_on(&snapshot, question));
            }
        })));
        async { receiver.await.unwrap_or_else(|_| Err(internal("the request was dropped"))) }
    }

    /// The same, with a second part that needs no snapshot: while it works, edits need not wait.
    fn ask_then<A: 'static, T: Send + 'static>(
        &self,
        question: impl FnOnce(&Snapshot) -> Result<A> + Send + 'static,
        then: impl FnOnce(A, &dyn Fn() -> bool) -> T + Send + 'static,
    ) -> impl Future<Output = Result<T>> + Send + 'static {
        let (answer, receiver) = oneshot::channel();
        self.post(Event::Ask(Box::new(move |snapshot| {
            if answer.is_closed() {
                return;
            }
            let first = answer_on(&snapshot, question);
            drop(snapshot);
            let outcome = first.map(|first| then(first, &|| !answer.is_closed()));
            let _cancelled = answer.send(outcome);
        })));
        async { receiver.await.unwrap_or_else(|_| Err(internal("the request was dropped"))) }
    }

    fn features(&self) -> ClientFeatures {
        self.features.lock().map(|features| *features).unwrap_or_default()
    }

    /// Fetches the settings of the client and asks it to watch files; both in the background.
    fn after_initialize(&self) {
        let (client, session, features) =
            (self.client.clone(), self.session.clone(), self.features());
        tokio::spawn(async move {
            if features.watch_files {
                let _refused = client.register_capability(vec![watchers()]).await;
            }
            if features.configuration {
                fetch_settings(&client, &session).await;
            }
        });
    }

    pub(crate) async fn verify(&self, params: VerifyParams) -> Result<()> {
        let filter = ide::Filter {
            only: params.obligation,
            layer: params.layer,
            kind: params.kind,
            subjects: params.symbol.map(|symbol| vec![symbol]),
            ids: params.obligations,
        };
        let position = params.position.map(|position| (position, params.to_cursor));
        let (uri, vacuity) = (params.uri, params.vacuity);
        self.post(Event::Verify(Asked { uri, filter, position, vacuity }));
        Ok(())
    }

    pub(crate) async fn cancel(&self, params: CancelParams) -> Result<()> {
        self.post(Event::Cancel(params.uri));
        Ok(())
    }

    /// Something was said of a document that cannot be understood; see [`ordering`](super::ordering).
    pub(crate) async fn lost(&self, params: super::ordering::Lost) {
        self.post(Event::Lost(params.uri));
    }

    pub(crate) async fn progress_cancel(&self, _: WorkDoneProgressCancelParams) {
        self.post(Event::Cancel(None));
    }

    pub(crate) async fn trace(&self, params: TraceParams) -> Result<TraceAnswer> {
        self.ask(move |snapshot| handlers::custom::trace(snapshot, &params)).await
    }

    pub(crate) async fn layer_view(&self, params: LayerParams) -> Result<LayerAnswer> {
        self.ask(move |snapshot| handlers::custom::layer_view(snapshot, &params)).await
    }

    pub(crate) async fn movers(&self, params: LayerParams) -> Result<MoversAnswer> {
        self.ask(move |snapshot| handlers::custom::movers(snapshot, &params)).await
    }

    pub(crate) async fn page(&self, params: PageParams) -> Result<PageAnswer> {
        self.ask(move |snapshot| handlers::custom::page(snapshot, &params)).await
    }

    pub(crate) async fn library_text(&self, params: DocumentParams) -> Result<TextAnswer> {
        self.ask(move |snapshot| handlers::custom::library_text(snapshot, &params)).await
    }

    pub(crate) async fn assumptions(&self, params: DocumentParams) -> Result<AssumptionsAnswer> {
        self.ask(move |snapshot| handlers::custom::assumptions(snapshot, &params)).await
    }

    pub(crate) async fn obligations(&self, params: ListParams) -> Result<Ticket> {
        let uri = params.uri.clone();
        let list = self.ask(move |snapshot| {
            Ok((handlers::custom::obligations(snapshot, &params)?, snapshot.lists))
        });
        let (text, age) = list.await?;
        Ok(self.parked.park(text, Some(List { uri, age, answer: true })))
    }

    pub(crate) async fn status(&self, _: Value) -> Result<StatusParams> {
        self.ask(|snapshot| Ok(handlers::custom::status(snapshot))).await
    }
}

#[async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let encoding = capabilities::encoding(&params.capabilities);
        let features = capabilities::features(&params.capabilities);
        if let Ok(mut known) = self.features.lock() {
            *known = features;
        }
        let (settings, problem) =
            Settings::read(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        let roots = capabilities::roots(&params);
        let settings = Box::new(settings.unwrap_or_default());
        self.post(Event::Initialize { roots, settings, encoding, features });
        params.process_id.into_iter().for_each(watch_parent);
        if let Some(problem) = problem {
            self.client.log_message(MessageType::WARNING, problem).await;
        }
        Ok(InitializeResult {
            capabilities: capabilities::server(encoding, features),
            server_info: Some(ServerInfo {
                name: "civl".into(),
                version: Some(env!("CARGO_PKG_VERSION").into()),
            }),
        })
    }

    async fn initialized(&self, _: InitializedParams) {
        self.post(Event::Ready);
        self.after_initialize();
    }

    async fn shutdown(&self) -> Result<()> {
        self.post(Event::Cancel(None));
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.post(Event::Open(params.text_document));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.post(Event::Change { uri, version, changes: params.content_changes });
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.post(Event::Save(params.text_document.uri));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.post(Event::Close(params.text_document.uri));
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.post(Event::FilesChanged);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let paths = |folders: Vec<WorkspaceFolder>| {
            folders.iter().filter_map(|f| f.uri.to_file_path().ok()).collect()
        };
        self.post(Event::Roots {
            added: paths(params.event.added),
            removed: paths(params.event.removed),
        });
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.features().configuration {
            let (client, session) = (self.client.clone(), self.session.clone());
            tokio::spawn(async move { fetch_settings(&client, &session).await });
        } else {
            let (settings, problem) = Settings::read(&params.settings);
            settings.into_iter().for_each(|new| self.post(Event::Settings(Box::new(new))));
            if let Some(problem) = problem {
                self.client.log_message(MessageType::WARNING, problem).await;
            }
        }
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.ask(move |snapshot| Ok(handlers::hover::hover(snapshot, &params))).await
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::goto::definition(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn goto_declaration(
        &self,
        params: GotoDeclarationParams,
    ) -> Result<Option<GotoDeclarationResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::goto::definition(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn goto_type_definition(
        &self,
        params: GotoTypeDefinitionParams,
    ) -> Result<Option<GotoTypeDefinitionResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::goto::type_definition(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn goto_implementation(
        &self,
        params: GotoImplementationParams,
    ) -> Result<Option<GotoImplementationResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::goto::implementation(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.ask(move |snapshot| Ok(handlers::references::references(snapshot, &params))).await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        self.ask(move |snapshot| Ok(handlers::references::highlights(snapshot, &params))).await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        self.ask(move |snapshot| handlers::rename::prepare(snapshot, &params)).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        self.ask(move |snapshot| handlers::rename::rename(snapshot, &params)).await
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::symbols::document(snapshot, &params.text_document.uri))
        })
        .await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<Vec<SymbolInformation>>> {
        self.ask(move |snapshot| Ok(handlers::symbols::workspace(snapshot, &params.query))).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        self.ask(move |snapshot| {
            Ok(handlers::calls::prepare(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.ask(move |snapshot| Ok(handlers::calls::incoming(snapshot, &params.item))).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.ask(move |snapshot| Ok(handlers::calls::outgoing(snapshot, &params.item))).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.ask(move |snapshot| {
            Ok(handlers::completion::completion(snapshot, &params.text_document_position))
        })
        .await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        self.ask(move |snapshot| {
            Ok(handlers::signature_help::help(snapshot, &params.text_document_position_params))
        })
        .await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        self.ask(move |snapshot| {
            Ok(handlers::semantic_tokens::full(snapshot, &params.text_document.uri))
        })
        .await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        self.ask(move |snapshot| Ok(handlers::semantic_tokens::delta(snapshot, &params))).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        self.ask(move |snapshot| Ok(handlers::semantic_tokens::range(snapshot, &params))).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.ask(move |snapshot| Ok(handlers::inlay_hints::hints(snapshot, &params))).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.ask(move |snapshot| {
            Ok(handlers::code_lens::lenses(snapshot, &params.text_document.uri))
        })
        .await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.ask(move |snapshot| Ok(handlers::folding::folds(snapshot, &params.text_document.uri)))
            .await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        self.ask(move |snapshot| Ok(handlers::selection::ranges(snapshot, &params))).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.ask(move |snapshot| Ok(handlers::links::links(snapshot, &params.text_document.uri)))
            .await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask(move |snapshot| {
            Ok(handlers::formatting::document(snapshot, &params.text_document.uri))
        })
        .await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.ask(move |snapshot| {
            Ok(handlers::formatting::range(snapshot, &params.text_document.uri, params.range))
        })
        .await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.ask(move |snapshot| {
            Ok(handlers::formatting::on_type(snapshot, &params.text_document_position))
        })
        .await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let trial = Arc::clone(&self.trial);
        self.ask_then(
            move |snapshot| Ok(handlers::code_actions::candidates(snapshot, &params)),
            move |untried, wanted| {
                untried.map(|untried| handlers::code_actions::offered(untried, &trial, wanted))
            },
        )
        .await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let choice = action.data.clone().and_then(|data| serde_json::from_value(data).ok());
        let Some(choice) = choice else { return Ok(action) };
        let unproved =
            self.ask(move |snapshot| handlers::code_actions::chosen(snapshot, &choice)).await?;
        let stop = StopOnDrop(Arc::default());
        let cancel = Arc::clone(&stop.0);
        let proof = tokio::task::spawn_blocking(move || {
            handlers::code_actions::proved(unproved, action, &cancel)
        });
        match tokio::time::timeout(LONGEST_PROOF, proof).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => Err(internal(&panic.to_string())),
            Err(_) => Err(handlers::code_actions::failed("the proof takes too long")),
        }
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        self.post(Event::Pulled(params.text_document.uri.clone()));
        let related = self.features().related;
        self.ask(move |snapshot| handlers::diagnostics::pull(snapshot, &params, related)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        match params.command.as_str() {
            "civl.verify" => {
                let first = params.arguments.into_iter().next().unwrap_or_default();
                let asked: VerifyParams = serde_json::from_value(first).unwrap_or_default();
                self.verify(asked).await?;
            }
            "civl.cancel" => self.post(Event::Cancel(None)),
            other => return Err(Error::invalid_params(format!("there is no command `{other}`"))),
        }
        Ok(None)
    }
}

fn answer_on<T>(snapshot: &Snapshot, question: impl FnOnce(&Snapshot) -> Result<T>) -> Result<T> {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        snapshot.analysis.ask(|_| question(snapshot))
    }));
    match outcome {
        Ok(Ok(answer)) => answer,
        Ok(Err(ide::Cancelled)) => Err(Error::content_modified()),
        Err(payload) => Err(internal(&crate::panic_text(payload.as_ref()))),
    }
}

fn internal(why: &str) -> Error {
    Error { code: ErrorCode::InternalError, message: why.to_owned().into(), data: None }
}

async fn fetch_settings(client: &Client, session: &Sender<Event>) {
    let item = ConfigurationItem { scope_uri: None, section: Some("civl".into()) };
    if let Ok(values) = client.configuration(vec![item]).await {
        let (settings, problem) = Settings::read(values.first().unwrap_or(&Value::Null));
        if let Some(settings) = settings {
            let _session_gone = session.send(Event::Settings(Box::new(settings)));
        }
        if let Some(problem) = problem {
            client.log_message(MessageType::WARNING, problem).await;
        }
    }
}

fn watchers() -> Registration {
    let watch = |pattern: &str| FileSystemWatcher {
        glob_pattern: GlobPattern::String(pattern.into()),
        kind: None,
    };
    let options = DidChangeWatchedFilesRegistrationOptions {
        watchers: ["**/*.bpl", "**/*.civl", "**/civl.toml"].map(watch).to_vec(),
    };
    Registration {
        id: "civl-watch".into(),
        method: "workspace/didChangeWatchedFiles".into(),
        register_options: serde_json::to_value(options).ok(),
    }
}

/// Ends this process when the editor is gone, whatever it left open.
fn watch_parent(process: u32) {
    if !is_alive(process) {
        return;
    }
    let watch = move || {
        while is_alive(process) {
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        std::process::exit(1);
    };
    let _best_effort = std::thread::Builder::new().name("parent".into()).spawn(watch);
}

/// A process that ended but was not yet asked how is gone, too. Where there is no `/proc`, nothing
/// is known to be alive, and the end of the input has to do.
fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}
