//! Long parts of messages that do not pass through the protocol library.
//!
//! The library turns whatever it sends into a tree of values, which takes ten times the memory of the
//! text. So a long part is written once, parked here, and a short [`Ticket`] goes through the library
//! in its place; at the wire the ticket is replaced by the text.
//!
//! # Invariants
//! - Order stays: the text leaves where its ticket stood.
//! - A text leaves at most once; a ticket that nobody gave out is left as it is.
//! - Lists of obligations leave in the order in which they became true: an answer that a newer list of
//!   the same document has overtaken leaves as "content modified".

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::lsp_types::Url;

/// How a ticket begins and ends on the wire. Inside a string its quotes would be escaped, so no text
/// of a user looks like one.
const BEFORE: &[u8] = b"{\"$civl/parked\":";
const AFTER: u8 = b'}';

/// The error code of the protocol.
const CONTENT_MODIFIED: i32 = -32801;

/// Stands for a text that is parked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    #[serde(rename = "$civl/parked")]
    number: u64,
}

/// The parked texts of one conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parked(Arc<Mutex<Texts>>);

#[derive(Debug, Default)]
struct Texts {
    given: u64,
    waiting: BTreeMap<u64, Text>,
    /// The newest list of each document that has left.
    left: BTreeMap<Url, u64>,
}

#[derive(Debug)]
struct Text {
    text: String,
    list: Option<List>,
}

/// What a parked list is about.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) uri: Url,
    /// So many lists had become true when this one had; counted by the session.
    pub(crate) age: u64,
    /// It was asked for.
    pub(crate) answer: bool,
}

impl Parked {
    /// Keeps a text, which is JSON, until its ticket passes the wire.
    pub(crate) fn park(&self, text: String, list: Option<List>) -> Ticket {
        let mut texts = self.texts();
        texts.given += 1;
        let number = texts.given;
        texts.waiting.insert(number, Text { text, list });
        Ticket { number }
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message as the client gets it, in pieces.
    pub(super) fn redeem(&self, message: Vec<u8>) -> [Vec<u8>; 3] {
        let Some((start, end, number)) = find(&message) else {
            return [message, Vec::new(), Vec::new()];
        };
        let mut texts = self.texts();
        let Some(Text { text, list }) = texts.waiting.remove(&number) else {
            return [message, Vec::new(), Vec::new()];
        };
        if let Some(List { uri, age, answer }) = list {
            let newest = texts.left.entry(uri).or_default();
            if answer && *newest > age {
                return [overtaken(&message), Vec::new(), Vec::new()];
            }
            *newest = age.max(*newest);
        }
        [message[..start].to_vec(), text.into_bytes(), message[end..].to_vec()]
    }
}

/// The answer to a request whose list is not true any more.
fn overtaken(answer: &[u8]) -> Vec<u8> {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    let error = json!({"code": CONTENT_MODIFIED, "message": "content modified"});
    json!({"jsonrpc": "2.0", "id": answer["id"], "error": error}).to_string().into_bytes()
}

/// Where the first ticket of a message begins and ends, and its number.
fn find(message: &[u8]) -> Option<(usize, usize, u64)> {
    let start = super::wire::find(message, BEFORE)?;
    let digits = start + BEFORE.len();
    let end = digits + message[digits..].iter().position(|byte| *byte == AFTER)?;
    let number = std::str::from_utf8(&message[digits..end]).ok()?.parse().ok()?;
    Some((start, end + 1, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redeemed(parked: &Parked, message: &str) -> String {
        String::from_utf8(parked.redeem(message.into()).concat()).unwrap()
    }

    #[test]
    fn a_text_leaves_once_and_where_its_ticket_stands() {
        let parked = Parked::default();
        let ticket = serde_json::to_value(parked.park("[1,2]".into(), None)).unwrap();
        let message = serde_json::json!({"id": "}{", "params": ticket, "z": "{}"}).to_string();
        let whole = r#"{"id":"}{","params":[1,2],"z":"{}"}"#;
        assert_eq!(redeemed(&parked, &message), whole);
        assert_eq!(redeemed(&parked, &message), message);
        assert!(parked.texts().waiting.is_empty());
    }

    #[test]
    fn an_answer_that_was_overtaken_does_not_leave() {
        let parked = Parked::default();
        let leave = |name: &str, age, answer| {
            let uri = Url::parse(&format!("file:///{name}")).unwrap();
            let ticket = parked.park("[]".into(), Some(List { uri, age, answer }));
            redeemed(&parked, &json!({"id": 7, "result": ticket}).to_string())
        };
        assert!(leave("a", 2, true).contains("[]"));
        assert!(leave("a", 3, false).contains("[]"));
        assert!(leave("a", 2, true).contains(r#""code":-32801"#));
        assert!(leave("a", 2, true).contains(r#""id":7"#));
        assert!(leave("b", 2, true).contains("[]"));
        assert!(leave("a", 3, true).contains("[]"));
    }

    #[test]
    fn a_text_that_speaks_of_tickets_is_none() {
        let parked = Parked::default();
        parked.park("[]".into(), None);
        let quoted = serde_json::json!([r#"{"$civl/parked":1}"#]).to_string();
        let foreign = r#"{"$civl/parked":7}"#;
        let odd = r#"{"$civl/parked":"x"}"#;
        for message in [quoted.as_str(), foreign, odd, r#"{"$civl/parked":"#] {
            assert_eq!(redeemed(&parked, message), message);
        }
    }
}
