//! Between the client's bytes and the protocol library: only whole, well-formed messages get through.
//!
//! The library ends the conversation at the first message it cannot read. Here such a message costs
//! one error answer; after a wrong length the reader looks for the next header. A message is passed
//! on as it was understood here, so that both understand the same (of a key written twice, the
//! last).
//!
//! What cannot be read may be about a document, and is then passed on as [`LOST`]. Half of a surrogate
//! pair, which clients in JavaScript write, is no text; of a document it makes the text unknown.

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::ordering::{LOST, Lost};
use super::parked::Parked;

const HEADER: &[u8] = b"Content-Length:";
const END_OF_HEADER: &[u8] = b"\r\n\r\n";
/// Larger messages are refused.
const LARGEST_MESSAGE: usize = 512 << 20;

/// Takes messages apart.
struct Frames<R> {
    reader: R,
    buffer: Vec<u8>,
    /// May a body be anything but a message?
    suspicious: bool,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    fn new(reader: R, suspicious: bool) -> Frames<R> {
        Frames { reader, buffer: Vec::new(), suspicious }
    }

    /// The next body; nothing at the end of the input. Can be dropped and called again.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(body) = self.take() {
                return Some(body);
            }
            if self.reader.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
        }
    }

    /// A body that is complete in the buffer.
    fn take(&mut self) -> Option<Vec<u8>> {
        loop {
            let start = find(&self.buffer, HEADER)?;
            self.buffer.drain(..start);
            let end = find(&self.buffer, END_OF_HEADER)?;
            let Some(length) = content_length(&self.buffer[HEADER.len()..end]) else {
                self.buffer.drain(..HEADER.len());
                continue;
            };
            let body = end + END_OF_HEADER.len();
            if self.buffer.len() < body + length {
                return None;
            }
            let bytes = self.buffer[body..body + length].to_vec();
            // After a body that is no message, its bytes are searched for the next header.
            let whole = !self.suspicious || is_message(&bytes);
            let used = if whole { body + length } else { body };
            self.buffer.drain(..used);
            return Some(bytes);
        }
    }
}

pub(super) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn content_length(header: &[u8]) -> Option<usize> {
    let line = header.split(|byte| *byte == b'\r').next()?;
    let length: usize = std::str::from_utf8(line).ok()?.trim().parse().ok()?;
    (length <= LARGEST_MESSAGE).then_some(length)
}

/// The message in a body, if the protocol library can read it.
fn message(body: &[u8]) -> Option<Value> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let fields = message.as_object()?;
    let id_fits = fields.get("id").is_none_or(|id| id.is_i64() || id.is_string() || id.is_null());
    let is_call = fields.get("method").is_some_and(Value::is_string);
    let is_error = |error: &Value| error["code"].is_i64() && error["message"].is_string();
    let is_answer = fields.contains_key("id")
        && (fields.contains_key("result") || fields.get("error").is_some_and(is_error));
    let is_version = fields.get("jsonrpc").is_some_and(|v| v == "2.0");
    (is_version && id_fits && (is_call || is_answer)).then_some(message)
}

fn is_message(body: &[u8]) -> bool {
    understood(body).is_some()
}

/// The notifications that say what a client has.
const ABOUT_A_DOCUMENT: &str = "textDocument/did";

/// The message in a body, also if it has halves of surrogate pairs.
fn understood(body: &[u8]) -> Option<Value> {
    if let Some(message) = message(body) {
        return Some(message);
    }
    let message = message(&without_halves(body))?;
    let method = message["method"].as_str().unwrap_or_default();
    Some(if method.starts_with(ABOUT_A_DOCUMENT) { lost(&message["params"]) } else { message })
}

fn lost(params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": LOST, "params": Lost::of(params)})
}

/// JSON with each half of a surrogate pair replaced.
fn without_halves(body: &[u8]) -> Vec<u8> {
    const ESCAPE: usize = 6;
    let unit = |at: usize| -> Option<u16> {
        let digits = body.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut out, mut at) = (Vec::with_capacity(body.len()), 0);
    while at < body.len() {
        let second = unit(at + ESCAPE).is_some_and(|it| (0xdc00..0xe000).contains(&it));
        let (length, half) = match unit(at) {
            Some(0xd800..0xdc00) if second => (2 * ESCAPE, false),
            Some(0xd800..0xe000) => (ESCAPE, true),
            Some(_) => (ESCAPE, false),
            None if body[at] == b'\\' => (2, false),
            None => (1, false),
        };
        let end = (at + length).min(body.len());
        out.extend_from_slice(if half { b"\\ufffd" } else { &body[at..end] });
        at = end;
    }
    out
}

/// Moves messages from the client to the library; what is no message is complained about.
pub(super) async fn pump_in(
    reader: impl AsyncRead + Unpin,
    mut library: DuplexStream,
    complaints: UnboundedSender<String>,
) {
    let mut frames = Frames::new(reader, true);
    while let Some(body) = frames.next().await {
        let message = understood(&body);
        if message.is_none() {
            let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"this is no message"}}"#;
            let _client_gone = complaints.send(error.to_owned());
        }
        let about = || find(&body, ABOUT_A_DOCUMENT.as_bytes()).map(|_| lost(&Value::Null));
        let Some(message) = message.or_else(about) else { continue };
        let body = message.to_string();
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        let sent = library.write_all(header.as_bytes()).await;
        if sent.is_err() || library.write_all(body.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Moves messages from the library to the client, complaints in between; what is parked is put in.
pub(super) async fn pump_out(
    library: DuplexStream,
    writer: impl AsyncWrite,
    mut complaints: UnboundedReceiver<String>,
    parked: Parked,
) {
    let mut writer = std::pin::pin!(writer);
    let mut frames = Frames::new(library, false);
    loop {
        let body = tokio::select! {
            body = frames.next() => match body {
                Some(body) => body,
                None => return,
            },
            Some(complaint) = complaints.recv() => complaint.into_bytes(),
        };
        let pieces = parked.redeem(body);
        let length: usize = pieces.iter().map(Vec::len).sum();
        let header = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        for piece in std::iter::once(header).chain(pieces) {
            if writer.write_all(&piece).await.is_err() {
                return;
            }
        }
        if writer.flush().await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(input: &str) -> Vec<String> {
        let mut frames = Frames::new(tokio::io::empty(), true);
        frames.buffer = input.as_bytes().to_vec();
        let mut found = Vec::new();
        while let Some(body) = frames.take() {
            found.push(String::from_utf8(body).unwrap());
        }
        found.retain(|body| is_message(body.as_bytes()));
        found
    }

    const GOOD: &str = r#"{"jsonrpc":"2.0","method":"a"}"#;

    #[test]
    fn messages_are_found_after_any_garbage() {
        let good = format!("Content-Length: {}\r\n\r\n{GOOD}", GOOD.len());
        for bad in [
            "",
            "garbage",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 5\r\n\r\n{bad}",
            "Content-Length: 3\r\n\r\n{too long for its header}",
            "Content-Length: 60\r\n\r\n{too short}",
            "Content-Length: 6\r\n\r\n[1, 2]",
        ] {
            assert_eq!(
                bodies(&format!("{bad}{good}{good}")).last().map(String::as_str),
                Some(GOOD),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_key_written_twice_counts_once() {
        let twice = br#"{"jsonrpc":"2.0","method":"a","params":{"x":1},"params":{"x":2}}"#;
        let passed_on = message(twice).unwrap().to_string();
        assert_eq!(passed_on, r#"{"jsonrpc":"2.0","method":"a","params":{"x":2}}"#);
        assert!(!is_message(br#"{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}"#));
    }

    #[test]
    fn half_a_pair_makes_a_document_unknown_and_nothing_else() {
        let with = |method: &str, text: &str| {
            let params = format!(r#"{{"textDocument":{{"uri":"file:///a"}},"x":"{text}"}}"#);
            let body = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
            understood(body.as_bytes()).unwrap()
        };
        let change = "textDocument/didChange";
        for half in ["\\ud83d", "\\udc00x", "\\ud83d\\ud83d\\ude00", "\\\\\\ud83d"] {
            let passed_on = with(change, half);
            assert_eq!(
                (&passed_on["method"], &passed_on["params"]["uri"]),
                (&json!(LOST), &json!("file:///a"))
            );
            assert_eq!(with("civl/verify", half)["method"], "civl/verify");
        }
        for text in ["\\ud83d\\ude00", "\\\\ud83d", "\\u0041"] {
            assert_eq!(with(change, text)["method"], change);
        }
    }

    #[test]
    fn other_header_lines_are_allowed() {
        let input = format!(
            "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{GOOD}",
            GOOD.len()
        );
        assert_eq!(bodies(&input), [GOOD]);
    }
}
