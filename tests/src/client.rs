//! A scripted client: the real server over real pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything should take, also on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The store of all servers of this process. A process of the same number may have left one behind,
/// whose answers would make proofs that a test waits for come from the store.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| {
    let cache = std::env::temp_dir().join(format!("civl-lsp-cache-{}", std::process::id()));
    let _none = std::fs::remove_dir_all(&cache);
    cache
});

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications and requests of the server that nobody asked for yet.
    pub inbox: Vec<Value>,
    /// Answers that nobody asked for yet.
    answers: Vec<Value>,
    next_id: i64,
    /// A request of the server that this client leaves unanswered.
    pub unanswered: Option<&'static str>,
}

impl Client {
    /// Starts a server that has not been initialized.
    pub fn start(civl: &str) -> Client {
        let mut child = Command::new(civl)
            .arg("lsp")
            .env("CIVL_CACHE", &*CACHE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(message) = read_message(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let (inbox, answers) = (Vec::new(), Vec::new());
        Client { child, stdin, messages, inbox, answers, next_id: 0, unanswered: None }
    }

    /// Starts a server and initializes it with these capabilities and options.
    pub fn initialized(civl: &str, params: Value) -> Client {
        let mut client = Client::start(civl);
        client.request("initialize", params).expect("initialize is answered");
        client.notify("initialized", json!({}));
        client
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, message: &Value) {
        self.send_raw(frame(&message.to_string()).as_bytes());
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        assert!(self.try_send_raw(bytes), "the server listens");
    }

    /// Sends bytes; false if nobody listens any more.
    pub fn try_send_raw(&mut self, bytes: &[u8]) -> bool {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).is_ok()
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its number.
    pub fn post(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        id
    }

    /// The result of a request, or its error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.post(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        self.answer_within(id, PATIENCE)
    }

    /// The answer to a request; for those who leave the processor to others and wait longer.
    pub fn answer_within(&mut self, id: i64, patience: Duration) -> Result<Value, Value> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(at) = self.answers.iter().position(|m| m["id"] == id) {
                let message = self.answers.remove(at);
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            assert!(self.receive(deadline), "no answer to request {id}");
        }
    }

    /// The answer to a request if it has come.
    pub fn answered(&mut self, id: i64) -> Option<Value> {
        let at = self.answers.iter().position(|m| m["id"] == id)?;
        Some(self.answers.remove(at))
    }

    /// Does an answer with this id come in time?
    pub fn wait_for_answer(&mut self, id: &Value, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.answers.iter().any(|message| message["id"] == *id) {
            if !self.receive(deadline) {
                return false;
            }
        }
        true
    }

    /// Drops answers that nobody waits for.
    pub fn forget_answers(&mut self) {
        self.answers.clear();
    }

    /// Takes in what has come, without waiting.
    pub fn drain(&mut self) {
        while self.receive(Instant::now()) {}
    }

    /// Waits for a notification that fits; others stay in the inbox.
    pub fn wait_for(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.try_wait_for(method, PATIENCE, fits).unwrap_or_else(|| panic!("no {method} that fits"))
    }

    pub fn try_wait_for(
        &mut self,
        method: &str,
        patience: Duration,
        fits: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        let deadline = Instant::now() + patience;
        loop {
            let found = self.inbox.iter().position(|m| m["method"] == method && fits(&m["params"]));
            if let Some(at) = found {
                return Some(self.inbox.remove(at)["params"].clone());
            }
            if !self.receive(deadline) {
                return None;
            }
        }
    }

    /// Takes one message in; requests of the server are answered with `null`.
    fn receive(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(left) {
            Ok(message) if message.get("method").is_none() => self.answers.push(message),
            Ok(message) => {
                let silent = self.unanswered.is_some_and(|method| message["method"] == method);
                if let Some(id) = message.get("id").filter(|_| !silent) {
                    let result = match message["method"].as_str() {
                        Some("workspace/configuration") => json!([null]),
                        _ => Value::Null,
                    };
                    self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
                }
                self.inbox.push(message);
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "civl", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }

    pub fn save(&mut self, uri: &str) {
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    }

    /// Diagnostics of a document as soon as they fit.
    pub fn diagnostics(&mut self, uri: &str, fits: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let own =
            |p: &Value| p["uri"] == uri && p["diagnostics"].as_array().is_some_and(|d| fits(d));
        let params = self.wait_for("textDocument/publishDiagnostics", own);
        params["diagnostics"].as_array().cloned().unwrap_or_default()
    }

    /// Closes the input, as an editor that vanishes does.
    pub fn vanish(&mut self) {
        self.stdin = None;
    }

    pub fn shut_down(&mut self) -> Option<ExitStatus> {
        self.request("shutdown", Value::Null).expect("shutdown is answered");
        self.notify("exit", Value::Null);
        self.wait_exit(Duration::from_secs(10))
    }

    pub fn wait_exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }

    /// The processes that the server has started and that run.
    pub fn workers(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            if parent_of(pid) == Some(self.id()) && is_running(pid) {
                found.push(pid);
            }
        }
        found
    }

    /// Waits until the server has started a worker.
    pub fn wait_for_workers(&self) -> Vec<u32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let workers = self.workers();
            if !workers.is_empty() {
                return workers;
            }
            assert!(Instant::now() < deadline, "no worker was started");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Resident memory in kilobytes.
    pub fn memory_kb(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// The most resident memory so far, in kilobytes.
    pub fn peak_memory_kb(&self) -> u64 {
        self.status("VmHWM:")
    }

    fn status(&self, field: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// What `/proc` says of a process behind its name: state, parent, ...
fn fields(pid: u32) -> Vec<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let rest = stat.rsplit_once(") ").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    rest.split_whitespace().map(str::to_owned).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    fields(pid).get(1).and_then(|parent| parent.parse().ok())
}

/// Is there such a process, and is it more than a zombie?
pub fn is_running(pid: u32) -> bool {
    fields(pid).first().is_some_and(|state| state != "Z")
}

/// A message with its header.
pub fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
