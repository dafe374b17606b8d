//! A folder on disk and an editor in front of it, which keeps count of what it was told.
//!
//! **In:** what a person and other programs do. **Out:** messages to a server; the texts as they are
//! on disk and on the screen; the verdicts that are shown.
//!
//! Lines end as the protocol says (LF, CR LF, CR); this is counted here again, without our own code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::Client;

/// An obligation and how it is shown: `proved`, `failed`, ...; what is stale is not among them.
pub type Shown = BTreeMap<String, String>;

/// The error code of the protocol.
const CONTENT_MODIFIED: i32 = -32801;

/// An open document.
pub struct Open {
    pub text: String,
    version: i32,
}

pub struct Editor {
    pub root: PathBuf,
    pub client: Client,
    pub open: BTreeMap<String, Open>,
    /// The lists that the server has sent, by document.
    told: BTreeMap<String, Value>,
    /// Links and the files that they lead to.
    pub links: BTreeMap<String, String>,
}

impl Editor {
    /// A fresh folder, which is the root of a repository, and a server for it.
    pub fn start(civl: &str, name: &str, settings: Value) -> Editor {
        let root = std::env::temp_dir().join(format!("civl-truth-{}-{name}", std::process::id()));
        let _none = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join(".git")).expect("a folder");
        let folder = json!({"uri": format!("file://{}", root.display()), "name": "root"});
        let params = json!({
            "capabilities": {}, "processId": null, "rootUri": null, "workspaceFolders": [folder],
            "initializationOptions": settings,
        });
        let client = Client::initialized(civl, params);
        let (open, told, links) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Editor { root, client, open, told, links }
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.root.join(name).display())
    }

    /// Another program writes a file; nobody hears of it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file can be written");
    }

    /// Another program removes a file; nobody hears of it.
    pub fn remove(&self, name: &str) {
        let _none = std::fs::remove_file(self.root.join(name));
    }

    /// A second name for a file.
    pub fn link(&mut self, name: &str, to: &str) {
        std::os::unix::fs::symlink(to, self.root.join(name)).expect("a link");
        self.links.insert(name.to_owned(), to.to_owned());
    }

    /// The watch of the editor has seen that a file is different.
    pub fn watch(&mut self, name: &str) {
        let changed = json!({"changes": [{"uri": self.uri(name), "type": 2}]});
        self.client.notify("workspace/didChangeWatchedFiles", changed);
    }

    pub fn on_disk(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(name)).ok()
    }

    pub fn open(&mut self, name: &str, text: &str) {
        self.client.open(&self.uri(name), text);
        self.open.insert(name.to_owned(), Open { text: text.to_owned(), version: 1 });
    }

    /// The whole text is replaced.
    pub fn replace(&mut self, name: &str, text: &str) {
        let Some(open) = self.open.get_mut(name) else { return };
        text.clone_into(&mut open.text);
        open.version += 1;
        let version = open.version;
        self.client.change(&self.uri(name), version, json!([{"text": text}]));
    }

    /// A stretch of bytes is replaced, told by lines and columns.
    pub fn edit(&mut self, name: &str, range: std::ops::Range<usize>, new: &str) {
        let Some(open) = self.open.get_mut(name) else { return };
        let (start, end) = (position(&open.text, range.start), position(&open.text, range.end));
        open.text.replace_range(range, new);
        open.version += 1;
        let version = open.version;
        let change = json!([{"range": {"start": start, "end": end}, "text": new}]);
        self.client.change(&self.uri(name), version, change);
    }

    pub fn save(&mut self, name: &str) {
        if let Some(open) = self.open.get(name) {
            self.write(name, &open.text);
            self.client.save(&self.uri(name));
        }
    }

    pub fn close(&mut self, name: &str) {
        if self.open.remove(name).is_some() {
            let uri = self.uri(name);
            self.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
        }
    }

    /// A person asks for a proof of a document, or of all.
    pub fn verify(&mut self, name: Option<&str>) {
        let params = name.map_or_else(|| json!({}), |name| json!({"uri": self.uri(name)}));
        self.client.request("civl/verify", params).expect("an answer");
    }

    /// The list of a document, when no proof is under way any more.
    pub fn list(&mut self, name: &str) -> Value {
        let deadline = std::time::Instant::now() + 3 * crate::client::PATIENCE;
        loop {
            let asked = self.client.request("civl/obligations", json!({"uri": self.uri(name)}));
            // A list that a newer one has overtaken is asked for again.
            let overtaken = asked.as_ref().is_err_and(|error| error["code"] == CONTENT_MODIFIED);
            let list = asked.unwrap_or_default();
            if !overtaken && list["finished"] != false {
                return list;
            }
            assert!(std::time::Instant::now() < deadline, "proofs of {name} never end");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// What the last list that came by itself says of a document; nothing if none came.
    pub fn told(&mut self, name: &str) -> Option<Shown> {
        self.client.drain();
        for message in std::mem::take(&mut self.client.inbox) {
            if message["method"] == "civl/obligations" {
                let uri = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
                self.told.insert(uri, message["params"].clone());
            }
        }
        self.told.get(&self.uri(name)).map(shown)
    }

    /// The folder with every open text in the place of the one on disk.
    pub fn mirror(&self) -> PathBuf {
        let mirror = self.root.with_extension("mirror");
        let _none = std::fs::remove_dir_all(&mirror);
        copy(&self.root, &mirror);
        for (name, open) in &self.open {
            let file = self.links.get(name).unwrap_or(name);
            // Of two documents that are one file, the first counts.
            if file != name && self.open.contains_key(file) {
                continue;
            }
            let path = mirror.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, &open.text).expect("a file can be written");
        }
        mirror
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        for folder in [&self.root, &self.root.with_extension("mirror")] {
            let _left_behind = std::fs::remove_dir_all(folder);
        }
    }
}

/// The entries of a list that are about the present text.
pub fn shown(list: &Value) -> Shown {
    let all = list["obligations"].as_array().cloned().unwrap_or_default();
    let fresh = all.iter().filter(|entry| entry["stale"] == false);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    fresh.map(|entry| (text(&entry["id"]), text(&entry["state"]))).collect()
}

/// Line and UTF-16 column of an offset.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let bytes = text.as_bytes();
    let ends = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let breaks: Vec<usize> = (0..offset).filter(ends).collect();
    let start = breaks.last().map_or(0, |at| at + 1);
    let column = before[start..].encode_utf16().count();
    json!({"line": breaks.len(), "character": column})
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            copy(&path, &target);
        } else if kind.is_symlink() {
            let leads_to = std::fs::read_link(&path).expect("a link");
            std::os::unix::fs::symlink(leads_to, target).expect("a link");
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_the_protocol_says() {
        let text = "a\r\nb\rc\n𝄞d";
        for (needle, line, column) in [("a", 0, 0), ("b", 1, 0), ("c", 2, 0), ("d", 3, 2)] {
            let at = text.find(needle).expect("it is there");
            assert_eq!(position(text, at), json!({"line": line, "character": column}));
        }
    }
}
