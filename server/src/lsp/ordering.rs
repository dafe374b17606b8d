//! The service in front of tower-lsp: it sees every message in wire order.
//!
//! tower-lsp polls the handlers of all messages on one task, in any order after their first `await`.
//! Two things make that safe: handlers post to the session before their first `await`, and this
//! service polls each new handler once, at once, so that the posts happen in wire order whatever
//! the library's scheduling does.
//!
//! What is said of a document and cannot be read becomes [`LOST`]: the library would drop it without a
//! word, and the server would go on to speak of a text that nobody has. Where the meaning is clear it
//! is read leniently: no version, a place far behind the end.
//!
//! It also ends the process on `exit` (tower-lsp waits for the end of input instead), and turns
//! a panic of a handler into an error answer instead of a dead connection.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, Url,
};

use crate::session::UNKNOWN_VERSION;

/// In place of a notification about a document that cannot be read.
pub(super) const LOST: &str = "civl/lost";

/// The document, if that much could be read.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lost {
    #[serde(default)]
    pub(crate) uri: Option<Url>,
}

impl Lost {
    /// Of the parameters of a notification.
    pub(super) fn of(params: &Value) -> Lost {
        let uri = params["textDocument"]["uri"].as_str();
        Lost { uri: uri.and_then(|uri| Url::parse(uri).ok()) }
    }
}

type Answer<E> = Pin<Box<dyn Future<Output = Result<Option<Response>, E>> + Send>>;

pub(crate) struct Front<S> {
    inner: S,
    shut_down: bool,
}

impl<S> Front<S> {
    pub(crate) fn new(inner: S) -> Front<S> {
        Front { inner, shut_down: false }
    }
}

impl<S> Service<Request> for Front<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Answer<S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match request.method() {
            "shutdown" => self.shut_down = true,
            "exit" => std::process::exit(i32::from(!self.shut_down)),
            _ => {}
        }
        let request = understood(repaired(request));
        let id = request.id().cloned();
        let mut future: Answer<S::Error> =
            Box::pin(Guarded { inner: Box::pin(self.inner.call(request)), id });
        // The first poll runs the handler up to its first `await`; a real waker comes with the next.
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Box::pin(std::future::ready(answer)),
            Poll::Pending => future,
        }
    }
}

/// What clients send and the library does not read: `params: null`, which means none (eglot), and
/// the capability `workspace.diagnostics`, which it calls `diagnostic`.
fn repaired(request: Request) -> Request {
    let is_initialize = request.method() == "initialize";
    if !is_initialize && request.params() != Some(&Value::Null) {
        return request;
    }
    let (method, id, params) = request.into_parts();
    let mut builder = Request::build(method);
    if let Some(mut params) = params.filter(|params| !params.is_null()) {
        if let Some(Value::Object(workspace)) = params.pointer_mut("/capabilities/workspace")
            && let Some(diagnostics) = workspace.remove("diagnostics")
        {
            workspace.insert("diagnostic".into(), diagnostics);
        }
        builder = builder.params(params);
    }
    match id {
        Some(id) => builder.id(id).finish(),
        None => builder.finish(),
    }
}

/// A notification about a document as it can be read, or that it cannot be.
fn understood(request: Request) -> Request {
    let readable: fn(&Value) -> bool = match request.method() {
        "textDocument/didOpen" => |it| DidOpenTextDocumentParams::deserialize(it).is_ok(),
        "textDocument/didChange" => |it| DidChangeTextDocumentParams::deserialize(it).is_ok(),
        "textDocument/didSave" => |it| DidSaveTextDocumentParams::deserialize(it).is_ok(),
        "textDocument/didClose" => |it| DidCloseTextDocumentParams::deserialize(it).is_ok(),
        _ => return request,
    };
    let (method, _, params) = request.into_parts();
    let mut params = params.unwrap_or_default();
    if method.ends_with("didOpen") || method.ends_with("didChange") {
        make_lenient(&mut params);
    }
    if readable(&params) {
        return Request::build(method).params(params).finish();
    }
    Request::build(LOST).params(json!(Lost::of(&params))).finish()
}

/// No version, or one that no client has, is none; a place far behind the end is at the end.
fn make_lenient(params: &mut Value) {
    if let Some(Value::Object(document)) = params.get_mut("textDocument") {
        let version = document.get("version").and_then(whole).and_then(|it| i32::try_from(it).ok());
        document.insert("version".into(), json!(version.unwrap_or(UNKNOWN_VERSION)));
    }
    let changes = params.get_mut("contentChanges").and_then(Value::as_array_mut);
    for change in changes.into_iter().flatten().filter_map(Value::as_object_mut) {
        // It says again what the range says.
        change.remove("rangeLength");
        for end in ["start", "end"] {
            let place = change.get_mut("range").and_then(|range| range.get_mut(end));
            for number in place.and_then(Value::as_object_mut).into_iter().flatten() {
                if let Some(far) = whole(number.1).filter(|it| *it >= 0) {
                    *number.1 = json!(u32::try_from(far).unwrap_or(u32::MAX));
                }
            }
        }
    }
}

/// A number without a fraction, however it is written.
fn whole(value: &Value) -> Option<i64> {
    let written = value.as_f64().filter(|it| it.fract() == 0.0);
    value.as_i64().or_else(|| written.map(|it| it as i64))
}

/// A handler whose panic becomes an error answer.
struct Guarded<F> {
    inner: Pin<Box<F>>,
    id: Option<Id>,
}

impl<F, E> Future for Guarded<F>
where
    F: Future<Output = Result<Option<Response>, E>>,
{
    type Output = Result<Option<Response>, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let inner = &mut self.inner;
        match catch_unwind(AssertUnwindSafe(|| inner.as_mut().poll(context))) {
            Ok(poll) => poll,
            Err(payload) => {
                let mut error = Error::new(ErrorCode::InternalError);
                error.message = crate::panic_text(payload.as_ref()).into();
                Poll::Ready(Ok(self.id.take().map(|id| Response::from_error(id, error))))
            }
        }
    }
}
