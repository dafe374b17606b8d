//! What the server shows as proved is what a fresh command line proves of the same bytes.
//!
//! First, a conversation for each way in which this was once not so. Then conversations at random: each
//! way in which a text can reach the server (opened, changed as a whole or in part, saved, closed,
//! changed on disk with or without a watch, put into and taken out of programs by manifests and roots,
//! with each line end, under a second name), with proofs running. At every quiet moment the verdicts
//! of all open documents, asked for and sent, are held against `civl verify` in a copy of the folder.
//!
//! An ordinary run takes some seconds. `CIVL_FUZZ_SECONDS=1800` makes it half an hour,
//! `CIVL_FUZZ_SEED` another one, `CIVL_BINARY` names a faster `civl`.
#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that starts programs, measures and prints"
)]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use civl_tests::client::PATIENCE;
use civl_tests::editor::{Editor, Shown, shown};
use serde_json::{Value, json};
use testing::Random;
use testing::random::seconds_or;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");
const RIGHT: &str = "procedure PB(x: int) { assert x == x; }\n";
const WRONG: &str = "procedure PB(x: int) { assert x != x; }\n";

fn start(name: &str) -> Editor {
    let civl = std::env::var("CIVL_BINARY").unwrap_or_else(|_| CIVL.to_owned());
    Editor::start(&civl, name, json!({"timeLimit": 1}))
}

/// What is shown of a document after a proof that somebody asked for.
fn proved(editor: &mut Editor, name: &str) -> Shown {
    editor.verify(Some(name));
    shown(&editor.list(name))
}

/// Waits until the server has done what it was told.
fn handled(editor: &mut Editor) {
    editor.client.request("civl/status", json!({})).expect("an answer");
}

fn one(id: &str, state: &str) -> Shown {
    BTreeMap::from([(id.to_owned(), state.to_owned())])
}

/// Waits until the server has sent a list by itself that shows exactly this.
fn wait_until_told(editor: &mut Editor, name: &str, wanted: &Shown) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let told = editor.told(name);
        if told.as_ref() == Some(wanted) {
            return;
        }
        assert!(Instant::now() < deadline, "{name}: told {told:?}, not {wanted:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_text_that_a_manifest_brought_is_not_proved_by_the_one_before() {
    let mut editor = start("manifest-brings");
    editor.write("b.bpl", RIGHT);
    editor.open("b.bpl", RIGHT);
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "proved"));
    editor.close("b.bpl");
    handled(&mut editor);
    // Another branch has a manifest and another text; then the manifest goes again.
    editor.write("b.bpl", WRONG);
    editor.write("civl.toml", "programs = [{ files = [\"b.bpl\"] }]\n");
    editor.watch("civl.toml");
    handled(&mut editor);
    editor.remove("civl.toml");
    editor.watch("civl.toml");
    editor.open("b.bpl", WRONG);
    assert_eq!(shown(&editor.list("b.bpl")), Shown::new());
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "failed"));
}

#[test]
fn an_edit_after_a_carriage_return_lands_where_the_editor_shows_it() {
    let mut editor = start("returns");
    let text = "// one\r// two\rprocedure PA(x: int) {\r  assert x == x;\r}\r";
    editor.open("a.bpl", text);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PA)", "proved"));
    let at = text.find("==").expect("it is there");
    editor.edit("a.bpl", at..at + 2, "!=");
    assert_eq!(shown(&editor.list("a.bpl")), Shown::new());
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PA)", "failed"));
    // Only a line end is different: the assertion is a comment, or it is none.
    let text = "procedure PA(x: int) { // \n assert false; \n}\n";
    editor.replace("a.bpl", text);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PA)", "failed"));
    let at = text.find('\n').expect("it is there");
    editor.edit("a.bpl", at..at + 1, " ");
    assert_eq!(shown(&editor.list("a.bpl")), Shown::new());
    let now = proved(&mut editor, "a.bpl");
    editor.edit("a.bpl", at..at + 1, "\r");
    assert_eq!(shown(&editor.list("a.bpl")), Shown::new());
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PA)", "failed"), "{now:?} before");
}

#[test]
fn a_program_that_loses_a_file_loses_its_verdicts_at_once() {
    let mut editor = start("dropped");
    editor.write("civl.toml", "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n");
    editor.write("a.bpl", "axiom false;\n");
    editor.write("b.bpl", WRONG);
    editor.open("b.bpl", WRONG);
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "proved"));
    wait_until_told(&mut editor, "b.bpl", &one("plain(PB)", "proved"));
    editor.write("civl.toml", "programs = [{ files = [\"b.bpl\"] }]\n");
    editor.watch("civl.toml");
    wait_until_told(&mut editor, "b.bpl", &Shown::new());
    assert_eq!(shown(&editor.list("b.bpl")), Shown::new());
    // A manifest that changes nothing about the program takes nothing away.
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "failed"));
    editor.write("civl.toml", "# again\nprograms = [{ files = [\"./b.bpl\"] }]\n");
    editor.watch("civl.toml");
    assert_eq!(shown(&editor.list("b.bpl")), one("plain(PB)", "failed"));
    editor.remove("civl.toml");
    editor.watch("civl.toml");
    wait_until_told(&mut editor, "b.bpl", &Shown::new());
}

#[test]
fn a_failure_in_one_of_two_programs_stays() {
    let mut editor = start("two");
    let manifest = "programs = [\n  { files = [\"sub/a.bpl\", \"same.bpl\"] },\n  \
                    { files = [\"sub/a.bpl\", \"next.bpl\"] },\n]\n";
    editor.write("civl.toml", manifest);
    editor.write("same.bpl", "function {:inline} f(x: int): int { x }\n");
    editor.write("next.bpl", "function {:inline} f(x: int): int { x + 1 }\n");
    let a = "procedure PA(x: int) { assert f(x) == x; }\n";
    editor.write("sub/a.bpl", a);
    editor.open("sub/a.bpl", a);
    let failed = one("plain(PA)", "failed");
    assert_eq!(proved(&mut editor, "sub/a.bpl"), failed);
    // Each of them is run alone; the other one still fails.
    for name in ["same.bpl", "next.bpl", "same.bpl"] {
        assert_eq!(proved(&mut editor, name), Shown::new());
        assert_eq!(shown(&editor.list("sub/a.bpl")), failed, "after {name}");
        let uri = editor.uri("sub/a.bpl");
        let document = json!({"textDocument": {"uri": uri}});
        let pulled = editor.client.request("textDocument/diagnostic", document).expect("an answer");
        assert_eq!(pulled["items"].as_array().map(Vec::len), Some(1), "{pulled}");
        assert_eq!(pulled["items"][0]["code"], "assertion", "{pulled}");
    }
    // It is pushed as well, once.
    let uri = editor.uri("sub/a.bpl");
    let failing = |d: &[Value]| d.len() == 1 && d[0]["code"] == "assertion";
    editor.replace("sub/a.bpl", &format!("{a}// new\n"));
    editor.verify(None);
    editor.client.diagnostics(&uri, failing);
    assert_eq!(shown(&editor.list("sub/a.bpl")), failed);
    // The file that is to blame is repaired, and both hold.
    editor.write("next.bpl", "function {:inline} f(x: int): int { 0 + x }\n");
    editor.watch("next.bpl");
    assert_eq!(shown(&editor.list("sub/a.bpl")), Shown::new());
    assert_eq!(proved(&mut editor, "sub/a.bpl"), one("plain(PA)", "proved"));
}

#[test]
fn a_proof_reads_what_is_not_open_without_being_told() {
    let mut editor = start("unwatched");
    editor.write("civl.toml", "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n");
    let define = |what: &str| format!("function {{:inline}} f(x: int): int {{ {what} }}\n");
    editor.write("a.bpl", &define("x"));
    let b = "procedure PB(x: int) { assert f(x) == x; }\n";
    editor.write("b.bpl", b);
    editor.open("b.bpl", b);
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "proved"));
    editor.write("a.bpl", &define("x + 1"));
    assert_eq!(proved(&mut editor, "b.bpl"), one("plain(PB)", "failed"));
    editor.write("a.bpl", &define("x"));
    editor.save("b.bpl");
    assert_eq!(shown(&editor.list("b.bpl")), one("plain(PB)", "proved"));
    // Also the manifest.
    editor.write("civl.toml", "programs = [{ files = [\"b.bpl\"] }]\n");
    assert_eq!(proved(&mut editor, "b.bpl"), Shown::new());
    // And a part of a program is not the program.
    editor.write("c.bpl", RIGHT);
    editor.write("civl.toml", "programs = [{ files = [\"c.bpl\", \"gone.bpl\"] }]\n");
    editor.open("c.bpl", RIGHT);
    assert_eq!(proved(&mut editor, "c.bpl"), Shown::new());
    editor.write("gone.bpl", "");
    assert_eq!(proved(&mut editor, "c.bpl"), one("plain(PB)", "proved"));
    editor.write("civl.toml", "programs = [");
    assert_eq!(proved(&mut editor, "c.bpl"), Shown::new());
}

/// A proof is under way for a second when something changes: what it finds is about another text.
#[test]
fn what_a_proof_finds_of_another_text_is_not_shown() {
    let define = |what: &str| format!("function {{:inline}} f(x: int): int {{ {what} }}\n");
    let b = format!(
        "procedure PB(x: int) {{ assert f(x) == x; }}\n\
         procedure Hard(x: int, y: int, z: int) {{ {HARD} }}\n"
    );
    type Way = fn(&mut Editor, &str, &str);
    let ways: [(&str, Way); 4] = [
        ("edit", |editor, b, _| {
            let at = b.find("==").expect("it is there");
            editor.edit("b.bpl", at..at + 2, "!=");
        }),
        ("watch", |editor, _, wrong| {
            editor.write("a.bpl", wrong);
            editor.watch("a.bpl");
        }),
        ("open", |editor, _, wrong| editor.open("a.bpl", wrong)),
        ("manifest", |editor, _, wrong| {
            editor.write("c.bpl", wrong);
            editor.write("civl.toml", "programs = [{ files = [\"c.bpl\", \"b.bpl\"] }]\n");
            editor.watch("civl.toml");
        }),
    ];
    for (name, change) in ways {
        let mut editor = start(&format!("under-way-{name}"));
        editor.write("civl.toml", "programs = [{ files = [\"a.bpl\", \"b.bpl\"] }]\n");
        editor.write("a.bpl", &define("x"));
        editor.write("b.bpl", &b);
        editor.open("b.bpl", &b);
        editor.verify(Some("b.bpl"));
        editor.client.wait_for("civl/obligations", |list| {
            let all = list["obligations"].as_array().cloned().unwrap_or_default();
            all.iter().any(|entry| entry["state"] == "running")
        });
        change(&mut editor, &b, &define("x + 1"));
        handled(&mut editor);
        assert_eq!(shown(&editor.list("b.bpl")), Shown::new(), "{name}");
        let now = proved(&mut editor, "b.bpl");
        assert_eq!(now.get("plain(PB)").map(String::as_str), Some("failed"), "{name}: {now:?}");
    }
}

/// Two programs have the document; one of them is asked, the other refutes it or cannot be asked.
#[test]
fn a_file_in_two_programs_is_not_proved_by_one_of_them() {
    let a = "procedure PA(x: int) { assert f(x) == x; }\n";
    let next = "function {:inline} f(x: int): int { x + 1 }\n";
    let typo = "function {:inline} f(x: int): bool { x }\n";
    for (name, text, asked) in
        [("next", Some(next), "same.bpl"), ("gone", None, "a.bpl"), ("typo", Some(typo), "a.bpl")]
    {
        let mut editor = start(&format!("one-of-two-{name}"));
        let both = ["same", name].map(|it| format!("{{files=[\"a.bpl\",\"{it}.bpl\"]}}"));
        editor.write("civl.toml", &format!("programs = [{}]\n", both.join(",")));
        editor.write("same.bpl", "function {:inline} f(x: int): int { x }\n");
        text.into_iter().for_each(|text| editor.write(&format!("{name}.bpl"), text));
        editor.write("a.bpl", a);
        editor.open("a.bpl", a);
        proved(&mut editor, asked);
        assert_eq!(shown(&editor.list("a.bpl")), one("plain(PA)", "unknown"), "{name}");
        let document = json!({"textDocument": {"uri": editor.uri("a.bpl")}});
        let lenses = editor.client.request("textDocument/codeLens", document).expect("an answer");
        let title = lenses[0]["command"]["title"].to_string();
        assert!(title.contains("0 of 1 proved"), "{name}: {title}");
    }
}

#[test]
fn a_run_of_a_part_lists_the_whole_program() {
    let mut editor = start("part");
    let text = "procedure PA(x: int) { assert x == x; }\nprocedure PB(x: int) { assert x != x; }\n";
    editor.open("a.bpl", text);
    let asked = json!({"uri": editor.uri("a.bpl"), "symbol": "PA"});
    editor.client.request("civl/verify", asked).expect("an answer");
    let list = editor.list("a.bpl");
    let mut wanted = one("plain(PA)", "proved");
    wanted.insert("plain(PB)".into(), "unknown".into());
    assert_eq!(shown(&list), wanted);
    assert_eq!(list["obligations"][1]["reason"], "not asked", "{list}");
    wait_until_told(&mut editor, "a.bpl", &wanted);
}

#[test]
fn a_document_named_as_a_library_changes_no_program() {
    let mut editor = start("library");
    let text = "procedure PB(x: int) { var s: Option int; s := None(); assert x != x; }\n";
    editor.open("a.bpl", text);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "failed"));
    let library = "civl://library/base.bpl";
    let asked = editor.client.request("civl/libraryText", json!({"uri": library}));
    let own = asked.expect("an answer")["text"].as_str().expect("a text").to_owned();
    editor.client.open(library, &format!("{own}\naxiom false;\n"));
    editor.client.change(library, 2, json!([{"text": "axiom false;\n"}]));
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "failed"));
    let asked = editor.client.request("civl/libraryText", json!({"uri": library}));
    assert_eq!(asked.expect("an answer")["text"], own);
}

#[test]
fn a_run_that_waited_reads_the_disk_when_it_begins() {
    let mut editor = start("waited");
    let programs = "programs=[{files=[\"hard.bpl\"]},{files=[\"dep.bpl\",\"b.bpl\"]}]";
    editor.write("civl.toml", programs);
    let define = |what: &str| format!("function {{:inline}} f(x: int): int {{ {what} }}\n");
    let b = "procedure PB(x: int) { assert f(x) == x; }\n";
    let hard = format!("procedure Hard(x: int, y: int, z: int) {{ {HARD} }}\n");
    for (name, text) in [("hard.bpl", &*hard), ("dep.bpl", &define("x")), ("b.bpl", b)] {
        editor.write(name, text);
    }
    editor.open("hard.bpl", &hard);
    editor.open("b.bpl", b);
    editor.save("hard.bpl");
    editor.client.wait_for("civl/status", |status| status["phase"] == "verifying");
    editor.save("b.bpl");
    handled(&mut editor);
    editor.write("dep.bpl", &define("x + 1"));
    assert_eq!(shown(&editor.list("b.bpl")), one("plain(PB)", "failed"));
}

#[test]
fn a_document_closed_under_a_second_spelling_takes_its_verdicts_along() {
    let mut editor = start("spelling");
    editor.write("a.bpl", WRONG);
    editor.open("a.bpl", WRONG);
    editor.open("%61.bpl", WRONG);
    editor.close("a.bpl");
    editor.replace("%61.bpl", RIGHT);
    assert_eq!(proved(&mut editor, "%61.bpl"), one("plain(PB)", "proved"));
    wait_until_told(&mut editor, "%61.bpl", &one("plain(PB)", "proved"));
    editor.close("%61.bpl");
    wait_until_told(&mut editor, "%61.bpl", &Shown::new());
}

#[test]
fn a_failing_run_of_an_older_text_is_confirmed_in_no_other() {
    let mut editor = start("old-run");
    editor.open("a.bpl", WRONG);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "failed"));
    let asked = json!({"uri": editor.uri("a.bpl"), "obligation": "plain(PB)"});
    let trace = editor.client.request("civl/trace", asked.clone()).expect("an answer");
    let first = &trace["traces"][0];
    assert_eq!((&first["verdict"], &first["stale"]), (&json!("confirmed"), &json!(false)));
    editor.replace("a.bpl", RIGHT);
    let trace = editor.client.request("civl/trace", asked.clone()).expect("an answer");
    let first = &trace["traces"][0];
    assert_eq!((&first["verdict"], &first["stale"]), (&json!("candidate"), &json!(true)));
    let text = trace["text"].as_str().expect("a text");
    assert!(text.contains("before the last edit") && !text.contains("confirmed by"), "{text}");
    let page = editor.client.request("civl/page", asked).expect("an answer");
    let body = page["body"].as_str().expect("a page");
    assert!(body.contains("before the last edit") && !body.contains(", confirmed by replay"));
}

#[test]
fn the_status_is_about_the_last_run_and_the_present_text() {
    let mut editor = start("status");
    editor.open("a.bpl", WRONG);
    editor.open("b.bpl", RIGHT);
    proved(&mut editor, "b.bpl");
    proved(&mut editor, "a.bpl");
    let status = |editor: &mut Editor| {
        let now = editor.client.request("civl/status", json!({})).expect("an answer");
        ["failed", "done", "total"].map(|field| now[field].as_u64().expect("a number"))
    };
    assert_eq!(status(&mut editor), [1, 1, 1]);
    editor.replace("a.bpl", RIGHT);
    assert_eq!(status(&mut editor), [0, 0, 1]);
}

/// What an edit says cannot be read, or only with good will: the text from before is not proved by it.
#[test]
fn an_edit_that_cannot_be_read_is_not_silence() {
    let far =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 1_u64 << 32, "character": 0}});
    // What is clear is read; the rest makes the text unknown.
    for (name, version, change, clear) in [
        ("no-version", json!(null), json!({"text": WRONG}), true),
        ("huge-version", json!(1_u64 << 31), json!({"text": WRONG}), true),
        ("fraction", json!(2.0), json!({"text": WRONG}), true),
        ("far", json!(2), json!({"range": far, "text": WRONG}), true),
        ("negative", json!(2), json!({"range": {"start": -1}, "text": WRONG}), false),
        ("half", json!(2), json!({"text": format!("{WRONG}// HALF\n")}), false),
        ("cut", json!(2), json!({"text": format!("{WRONG}// CUT")}), false),
    ] {
        let mut editor = start(&format!("unread-{name}"));
        editor.open("a.bpl", RIGHT);
        assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "proved"));
        let document = json!({"uri": editor.uri("a.bpl"), "version": version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        let change =
            json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params});
        let body = change.to_string().replace("HALF", "\\ud83d").replace("CUT", "\"");
        editor.client.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        handled(&mut editor);
        assert_eq!(shown(&editor.list("a.bpl")), Shown::new(), "{name}");
        let wanted = if clear { one("plain(PB)", "failed") } else { Shown::new() };
        assert_eq!(proved(&mut editor, "a.bpl"), wanted, "{name}");
        editor.replace("a.bpl", WRONG);
        assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "failed"), "{name}");
    }
    // An edit of another spelling, which is not open.
    let mut editor = start("unread-spelling");
    editor.open("a.bpl", RIGHT);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "proved"));
    let other = editor.uri("%61.bpl");
    editor.client.change(&other, 2, json!([{"text": WRONG}]));
    assert_eq!(proved(&mut editor, "a.bpl"), Shown::new());
    editor.close("a.bpl");
    editor.open("a.bpl", RIGHT);
    assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "proved"));
}

/// After half of a character is gone, nobody knows where the next edit is.
#[test]
fn an_edit_that_cuts_a_character_is_not_silence() {
    let text = "/* \u{1f600} */procedure PB() { assert 1 != 12; }\n";
    let range = |from: usize, to: usize| json!({"start": {"line": 0, "character": from}, "end": {"line": 0, "character": to}});
    for (name, from, to) in [("half", 4, 5), ("point", 4, 4), ("whole", 3, 5)] {
        let clear = name == "whole";
        let mut editor = start(&format!("cut-{name}"));
        editor.open("a.bpl", text);
        assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "proved"));
        let uri = editor.uri("a.bpl");
        editor.client.change(&uri, 2, json!([{"range": range(from, to), "text": ""}]));
        let wanted = if clear { one("plain(PB)", "proved") } else { Shown::new() };
        assert_eq!(proved(&mut editor, "a.bpl"), wanted, "{name}");
        // The `2` of the text that the client has now.
        let at = text[..text.find("12").expect("a number") + 1].encode_utf16().count();
        let at = at - (to - from);
        editor.client.change(&uri, 3, json!([{"range": range(at, at + 1), "text": ""}]));
        let wanted = if clear { one("plain(PB)", "failed") } else { Shown::new() };
        assert_eq!(proved(&mut editor, "a.bpl"), wanted, "{name}");
        editor.replace("a.bpl", WRONG);
        assert_eq!(proved(&mut editor, "a.bpl"), one("plain(PB)", "failed"), "{name}");
    }
}

#[test]
fn a_manifest_of_others_makes_no_program_of_a_file() {
    let mut editor = start("others");
    editor.write("civl.toml", "programs = [{ files = [\"x.bpl\", \"sub/a.bpl\"] }]\n");
    editor.write("x.bpl", "axiom false;\n");
    editor.write("sub/a.bpl", WRONG);
    editor.write("sub/.git/HEAD", "");
    editor.open("sub/a.bpl", WRONG);
    assert_eq!(proved(&mut editor, "sub/a.bpl"), one("plain(PB)", "failed"));
    // A link that lies elsewhere.
    editor.write("w/civl.toml", "programs = [{ files = [\"x.bpl\", \"a.bpl\"] }]\n");
    editor.write("w/x.bpl", "axiom false;\n");
    editor.write("w/a.bpl", WRONG);
    editor.write("v/y.bpl", "");
    editor.link("v/link.bpl", "../w/a.bpl");
    editor.write("w/x2.bpl", "");
    editor.open("w/x2.bpl", "");
    editor.open("v/link.bpl", WRONG);
    assert_eq!(proved(&mut editor, "v/link.bpl"), one("plain(PB)", "failed"));
}

#[test]
fn a_repair_is_proved_in_all_programs_of_the_file_or_in_none() {
    let a = "var {:layer 0,2} x: int;\n\
             atomic action {:layer 1,2} Inc() modifies x; { x := x + 1; }\n\
             yield procedure {:layer 0} inc(); refines Inc;\n";
    let dbl = "atomic action {:layer 1,2} Dbl() modifies x; { x := x * 2; }\n\
               yield procedure {:layer 0} dbl(); refines Dbl;\n";
    let one = "programs=[{files=[\"a.bpl\",\"n.bpl\"]}]";
    let two = "programs=[{files=[\"a.bpl\",\"n.bpl\"]},{files=[\"a.bpl\",\"dbl.bpl\"]}]";
    let gone = "programs=[{files=[\"a.bpl\",\"gone.bpl\"]}]";
    for (nth, (manifest, proves)) in
        [(one, true), (two, false), (gone, false), ("programs=[", false)].into_iter().enumerate()
    {
        let mut editor = start(&format!("repair-{nth}"));
        for (name, text) in [("civl.toml", manifest), ("a.bpl", a), ("n.bpl", ""), ("dbl.bpl", dbl)]
        {
            editor.write(name, text);
        }
        editor.open("a.bpl", a);
        editor.verify(Some("a.bpl"));
        editor.list("a.bpl");
        let at = json!({"line": 1, "character": 30});
        let params = json!({
            "textDocument": {"uri": editor.uri("a.bpl")}, "context": {"diagnostics": []},
            "range": {"start": at, "end": at},
        });
        let all = editor.client.request("textDocument/codeAction", params).expect("an answer");
        let all = all.as_array().cloned().unwrap_or_default();
        let action = all.into_iter().find(|it| it["data"].is_object()).expect("a repair");
        let resolved = editor.client.request("codeAction/resolve", action);
        let title = resolved.as_ref().ok().map(|it| it["title"].to_string()).unwrap_or_default();
        assert_eq!(title.contains("(checked: proves)"), proves, "{manifest}: {resolved:?}");
    }
}

#[test]
fn files_of_programs_are_watched_whatever_they_are_called() {
    let root = std::env::temp_dir().join(format!("civl-watched-{}", std::process::id()));
    std::fs::create_dir_all(root.join(".git")).expect("a folder");
    std::fs::write(root.join("civl.toml"), "programs=[{files=[\"a.bpl\",\"f[1].inc\"]}]")
        .expect("a file");
    let folder = json!({"uri": format!("file://{}", root.display()), "name": "root"});
    let watches = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let params = json!({
        "capabilities": watches, "processId": null, "rootUri": null, "workspaceFolders": [folder],
    });
    let mut client = civl_tests::client::Client::initialized(CIVL, params);
    client.wait_for("client/registerCapability", |it| it.to_string().contains("**/f?1?.inc"));
    std::fs::remove_dir_all(&root).expect("it was there");
}

/// The files of the random conversations, and what their procedures are called.
const FILES: [(&str, &str); 4] =
    [("a.bpl", "A"), ("b.bpl", "B"), ("c.bpl", "C"), ("sub/d.bpl", "D")];
const LINK: &str = "link.bpl";
const MANIFESTS: [&str; 2] = ["civl.toml", "sub/civl.toml"];
/// Nobody decides this in a second.
const HARD: &str = "assert x > 2 ==> x * x * x + y * y * y + z * z * z != 42;";

struct Truth {
    editor: Editor,
    random: Random,
    /// What was done, for a person who looks for the cause.
    script: Vec<String>,
    counts: BTreeMap<&'static str, usize>,
}

#[test]
fn what_is_shown_as_proved_is_what_a_fresh_run_proves() {
    let time = seconds_or(12);
    let (began, mut told) = (Instant::now(), 0);
    let mut truth = Truth {
        editor: start("random"),
        random: Random::from_environment(),
        script: Vec::new(),
        counts: BTreeMap::new(),
    };
    for (name, _) in FILES {
        truth.editor.write(name, "");
    }
    truth.editor.link(LINK, "a.bpl");
    while began.elapsed() < time {
        for _ in 0..=truth.random.below(7) {
            truth.act();
        }
        truth.quiet();
        if began.elapsed().as_secs() / 60 > told {
            told = began.elapsed().as_secs() / 60;
            println!("minute {told}: {:?}", truth.counts);
        }
    }
    println!("{:?}", truth.counts);
    assert!(truth.counts.get("proved").is_some_and(|it| *it > 5), "nothing was proved");
    assert!(truth.counts.get("failed").is_some_and(|it| *it > 5), "nothing failed");
}

impl Truth {
    fn did(&mut self, kind: &'static str, what: String) {
        *self.counts.entry(kind).or_default() += 1;
        self.script.push(format!("{kind} {what}"));
        let excess = self.script.len().saturating_sub(60);
        self.script.drain(..excess);
    }

    fn some_file(&mut self) -> &'static str {
        self.random.pick(&FILES).map_or("a.bpl", |it| it.0)
    }

    fn some_open(&mut self) -> Option<String> {
        let open: Vec<String> = self.editor.open.keys().cloned().collect();
        self.random.pick(&open).cloned()
    }

    /// One thing that a person, an editor or another program does.
    fn act(&mut self) {
        match self.random.below(24) {
            0..=3 => self.open(),
            4..=6 => self.change(),
            7..=10 => self.edit(),
            11 => self.save(),
            12 => self.close(),
            13..=15 => self.write_file(),
            16..=18 => self.write_manifest(),
            19 => self.roots(),
            20 | 21 => {
                let name = if self.random.once_in(3) { None } else { self.some_open() };
                self.did("verify", format!("{name:?}"));
                self.editor.verify(name.as_deref());
            }
            22 => {
                self.did("cancel", String::new());
                self.editor.client.request("civl/cancel", json!({})).expect("an answer");
            }
            _ => {
                let pause = self.random.below(60) as u64;
                self.did("pause", format!("{pause} ms"));
                std::thread::sleep(Duration::from_millis(pause));
            }
        }
    }

    fn open(&mut self) {
        let mut name = self.some_file();
        if self.random.once_in(6) {
            name = LINK;
        }
        if self.editor.open.contains_key(name) {
            return;
        }
        let unsaved = self.random.once_in(4);
        let text = match self.editor.on_disk(name).filter(|_| !unsaved) {
            Some(text) => text,
            None => self.text(letter(name)),
        };
        self.did("open", format!("{name} {text:?}"));
        self.editor.open(name, &text);
    }

    fn change(&mut self) {
        let Some(name) = self.some_open() else { return };
        let text = self.text(letter(&name));
        self.did("change", format!("{name} {text:?}"));
        self.editor.replace(&name, &text);
    }

    /// A small edit: an operator, a line end, or anything anywhere.
    fn edit(&mut self) {
        const PIECES: [&str; 9] =
            ["", " ", "\r", "\n", "\r\n", "// ", "assert false;", "𝄞", "/* */"];
        let Some(name) = self.some_open() else { return };
        let Some(text) = self.editor.open.get(&name).map(|open| open.text.clone()) else { return };
        let (swaps, pieces) = ([("==", "!="), ("!=", "=="), ("\r", "\n"), ("\n", "\r")], PIECES);
        let (old, new) = self.random.pick(&swaps).copied().unwrap_or(("==", "!="));
        let all: Vec<usize> = text.match_indices(old).map(|(at, _)| at).collect();
        let place = self.random.pick(&all).copied().filter(|_| !self.random.once_in(4));
        let (range, new) = match place {
            Some(at) => (at..at + old.len(), new),
            None => {
                let ends: Vec<usize> = (0..=text.len())
                    .filter(|at| text.is_char_boundary(*at) && !text[..*at].ends_with('\r'))
                    .collect();
                let from = self.random.below(ends.len());
                let to = (from + self.random.below(3)).min(ends.len() - 1);
                let piece = self.random.pick(&pieces).copied().unwrap_or(" ");
                (ends[from]..ends[to], piece)
            }
        };
        // A place between CR and LF cannot be said in lines and columns.
        let splits = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        if splits(range.start) || splits(range.end) {
            return;
        }
        self.did("edit", format!("{name} {range:?} {new:?}"));
        self.editor.edit(&name, range, new);
    }

    fn save(&mut self) {
        let Some(name) = self.some_open() else { return };
        self.did("save", name.clone());
        self.editor.save(&name);
    }

    fn close(&mut self) {
        let Some(name) = self.some_open() else { return };
        self.did("close", name.clone());
        self.editor.close(&name);
    }

    fn write_file(&mut self) {
        let name = self.some_file();
        if self.random.once_in(6) {
            self.editor.remove(name);
            self.did("remove", name.into());
        } else {
            let text = self.text(letter(name));
            self.editor.write(name, &text);
            self.did("write", format!("{name} {text:?}"));
        }
        self.maybe_watch(name);
    }

    fn write_manifest(&mut self) {
        let below = !self.random.once_in(3);
        let name = MANIFESTS[usize::from(!below)];
        if self.random.once_in(4) {
            self.editor.remove(name);
            self.did("no manifest", name.into());
        } else {
            let text = self.manifest(name);
            self.editor.write(name, &text);
            self.did("manifest", format!("{name} {text:?}"));
        }
        self.maybe_watch(name);
    }

    /// Without it, the next thing that is asked finds out.
    fn maybe_watch(&mut self, name: &str) {
        if !self.random.once_in(3) {
            self.did("watch", name.into());
            self.editor.watch(name);
        }
    }

    fn roots(&mut self) {
        let sub = json!({"uri": self.editor.uri("sub"), "name": "sub"});
        let (added, removed) =
            if self.random.once_in(2) { (vec![sub], vec![]) } else { (vec![], vec![sub]) };
        self.did("roots", format!("{} added", added.len()));
        let event = json!({"event": {"added": added, "removed": removed}});
        self.editor.client.notify("workspace/didChangeWorkspaceFolders", event);
    }

    /// A text with a procedure that holds, fails, or does so depending on other files.
    fn text(&mut self, letter: &str) -> String {
        let mut lines = Vec::new();
        match self.random.below(8) {
            0 => lines.push("axiom false;".to_owned()),
            1 => lines.push("// a note".to_owned()),
            2 | 3 => lines.push("function {:inline} f(x: int): int { x }".to_owned()),
            4 => lines.push("function {:inline} f(x: int): int { x + 1 }".to_owned()),
            _ => {}
        }
        lines.push(format!("procedure P{letter}(x: int, y: int, z: int) {{"));
        for _ in 0..=self.random.below(2) {
            let claims = [
                "assert x == x;",
                "assert x != x;",
                "// assert x != x;",
                "assert x + 1 > x;",
                "assert f(x) == x;",
                "// all of it: ",
            ];
            let hard = self.random.once_in(48);
            let claim = if hard { HARD } else { self.random.pick(&claims).unwrap_or(&claims[0]) };
            lines.push(format!("  {claim}"));
        }
        lines.push("}".to_owned());
        let ends = ["\n", "\n", "\r\n", "\r"];
        let one = self.random.pick(&ends).copied().filter(|_| !self.random.once_in(4));
        let mut text = String::new();
        for line in lines {
            let end = one.or_else(|| self.random.pick(&ends).copied()).unwrap_or("\n");
            text += &line;
            text += end;
        }
        text
    }

    fn manifest(&mut self, name: &str) -> String {
        match self.random.below(12) {
            0 => return "programs = [".into(),
            1 => return "programs = []\n".into(),
            _ => {}
        }
        let all: &[&str] = match name {
            "civl.toml" => &["a.bpl", "b.bpl", "./c.bpl", "sub/d.bpl", LINK],
            _ => &["d.bpl"],
        };
        let mut programs = Vec::new();
        for _ in 0..=self.random.below(2) {
            let mut files: Vec<&str> = Vec::new();
            for _ in 0..=self.random.below(3) {
                files.extend(self.random.pick(all));
            }
            if self.random.once_in(12) {
                files.push("gone.bpl");
            }
            let libs: &[&str] = match self.random.below(16) {
                0 => &["bass"],
                1 | 2 => &["base"],
                _ => &[],
            };
            programs.push(format!("{{ files = {files:?}, libs = {libs:?} }}"));
        }
        format!("programs = [{}]\n", programs.join(", "))
    }

    /// Everything is said; now what is shown is held against the command line.
    fn quiet(&mut self) {
        let asked = if self.random.once_in(4) { None } else { self.some_open() };
        // What nobody told the server is found out by asking it for a proof.
        let whole = asked.clone().filter(|_| !self.random.once_in(4));
        self.did("ask", format!("{whole:?}"));
        match &whole {
            Some(name) => self.editor.verify(Some(name)),
            None => self.editor.verify(None),
        }
        let open: Vec<String> = self.editor.open.keys().cloned().collect();
        let mirror = self.editor.mirror();
        for name in &open {
            let (mut expected, refused) = fresh(&mirror, name, "1");
            // Of two documents that are one file, the first counts.
            if name == LINK && self.editor.open.contains_key("a.bpl") {
                expected.clear();
            }
            let list = self.editor.list(name);
            let now = shown(&list);
            // On a busy machine a second is over before anything was computed. A proof that was
            // shown must be found again, however long that takes.
            let is_found = |(id, state): (&String, &String)| {
                state != "proved" || expected.get(id).is_none_or(|it| it != "unknown")
            };
            if !now.iter().all(is_found) {
                *self.counts.entry("asked again").or_default() += 1;
                expected = fresh(&mirror, name, "60").0;
            }
            // What was known of a program with static errors before is stale, and stays in sight.
            let was_asked = whole.as_ref().is_none_or(|it| it == name) && !refused;
            self.compare(name, &now, &expected, was_asked);
            self.compare_told(name, &now);
            for state in now.values() {
                let kind = if state == "proved" { "proved" } else { "failed" };
                *self.counts.entry(kind).or_default() += 1;
            }
        }
        *self.counts.entry("quiet moments").or_default() += 1;
    }

    /// All that is shown is so. If just everything was asked, all that is so is shown.
    fn compare(&self, name: &str, now: &Shown, expected: &Shown, was_asked: bool) {
        let own = format!("P{}", letter(name));
        let undecided = |state: &str| state == "unknown" || state == "timeout";
        for (id, state) in now {
            let wanted = expected.get(id).map(String::as_str);
            // A limit of time may stop one of them earlier than the other.
            let fits =
                wanted == Some(state) || wanted.is_some_and(|it| undecided(it) || undecided(state));
            let lie = state == "proved" && wanted != Some("proved");
            assert!(fits && !lie, "{}", self.told(name, now, expected));
        }
        let complete = expected.iter().all(|(id, _)| !id.contains(&own) || now.contains_key(id));
        assert!(complete || !was_asked, "{}", self.told(name, now, expected));
    }

    /// What the server sent by itself is what it answers.
    fn compare_told(&mut self, name: &str, now: &Shown) {
        let deadline = Instant::now() + PATIENCE;
        let proved = |shown: &Shown| -> Vec<String> {
            shown.iter().filter(|it| it.1 == "proved").map(|it| it.0.clone()).collect()
        };
        loop {
            let told = self.editor.told(name).unwrap_or_default();
            if proved(&told).iter().all(|id| now.get(id).is_some_and(|it| it == "proved")) {
                return;
            }
            let what = format!("{name}: it was told {told:?}");
            assert!(Instant::now() < deadline, "{what}\n{}", self.told(name, now, now));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn told(&self, name: &str, now: &Shown, expected: &Shown) -> String {
        let script = self.script.join("\n");
        format!("{name}: shown {now:?}, a fresh run says {expected:?}, after\n{script}")
    }
}

fn letter(name: &str) -> &'static str {
    FILES.iter().find(|(file, _)| *file == name).map_or("A", |it| it.1)
}

/// How the obligations of all programs with a file stand: each as in the worst of them; and whether
/// one of the programs has static errors.
fn fresh(folder: &std::path::Path, name: &str, seconds: &str) -> (Shown, bool) {
    let civl = std::env::var("CIVL_BINARY").unwrap_or_else(|_| CIVL.to_owned());
    let output = Command::new(civl)
        .args(["verify", "--no-cache", "--time-limit", seconds, "--format", "junit", name])
        .current_dir(folder)
        .output()
        .expect("civl starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut all = Shown::new();
    if text.is_empty() {
        assert_eq!(output.status.code(), Some(3), "no answer about {name}");
        return (all, true);
    }
    let tree = roxmltree::Document::parse(&text).expect("XML");
    for case in tree.descendants().filter(|it| it.has_tag_name("testcase")) {
        let id = case.attribute("name").expect("a name").to_owned();
        let element = case.children().find(roxmltree::Node::is_element);
        let state = match element.map(|it| it.tag_name().name()) {
            Some("failure") => "failed",
            Some("error") => "unknown",
            Some("skipped") => "skipped",
            Some(_) | None => "proved",
        };
        let worst =
            |it: &str| ["proved", "skipped", "unknown", "failed"].iter().position(|s| *s == it);
        let before = all.get(&id).map(String::as_str).unwrap_or("proved");
        let state = if worst(before) > worst(state) { before } else { state };
        all.insert(id, state.to_owned());
    }
    // Static problems are no obligations.
    let count = all.len();
    all.retain(|id, _| id.starts_with("plain("));
    let refused = all.len() < count;
    (all, refused)
}
