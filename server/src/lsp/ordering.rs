//! The service in front of tower-lsp: it sees every message in wire order.
//!
//! tower-lsp polls the handlers of all messages on one task, in any order after their first `await`.
//! Two things make that safe: handlers post to the session before their first `await`, and this
//! service polls each new handler once, at once, so that the posts happen in wire order whatever
//! the library's scheduling does.
//!
//! It also ends the process on `exit` (tower-lsp waits for the end of input instead), and turns
//! a panic of a handler into an error answer instead of a dead connection.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde_json::Value;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

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
        let request = repaired(request);
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
