//! Pages are true about the repository: what they point to is there, and nothing is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use civl_tests::{expect_none, files_below, root, shown};

use super::read;

const CIVL: &str = env!("CARGO_BIN_EXE_civl-under-test");

/// Pages, and the fences that may open a block on them. Other tests run the blocks: `spec.rs`
/// those of the manual, `readme.rs` those of the README, `editors/vscode/scripts/check` what that
/// page says about building. JSON and the walkthrough are read here; the map holds drawings.
const FENCES: &[(&str, &[&str])] = &[
    ("tests/spec/", &["civl", "civl verify", "civl unknown", "civl vacuity", "civl explore"]),
    ("README.md", &["sh", "sh build", "text", "toml"]),
    ("editors/README.md", &["json"]),
    ("editors/vscode/README.md", &["sh"]),
    ("editors/vscode/walkthrough/", &["text"]),
    ("analysis/README.md", &[""]),
];

/// Endings of words in back-ticks that are paths of the repository.
const SOURCES: &[&str] = &[".rs", ".md", ".toml", ".bpl", ".txt", ".tsv", ".ungram", ".png"];

#[test]
fn every_link_and_every_path_of_a_page_leads_somewhere() {
    let mut complaints = Vec::new();
    let mut seen = 0;
    for page in pages() {
        for (at, line) in prose(&read(&page)) {
            let targets = links(line).filter(|target| !target.contains("://"));
            let targets = targets.filter_map(|t| t.split('#').next().filter(|t| !t.is_empty()));
            let lost = targets.map(|t| (t, folder(&page).join(t).exists()));
            let named = code_words(line).filter(|word| is_path(word));
            let named = named.map(|word| (word, exists(word, &page)));
            for (target, there) in lost.chain(named) {
                seen += 1;
                if !there {
                    complaints.push(format!("{}:{at}: there is no {target}", shown(&page)));
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} links and paths were found");
    expect_none(&complaints);
}

#[test]
fn every_fence_is_of_a_known_kind() {
    let mut complaints = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages() {
        let known = FENCES.iter().find(|(place, _)| shown(&page).starts_with(place));
        let known = known.map_or(&[] as &[&str], |(_, kinds)| kinds);
        for (at, kind, text) in fences(&read(&page)) {
            if !known.contains(&kind.as_str()) {
                complaints.push(format!("{}:{at}: no test knows `{kind}`", shown(&page)));
            }
            if kind == "json" && serde_json::from_str::<serde_json::Value>(&text).is_err() {
                complaints.push(format!("{}:{at}: this is no JSON", shown(&page)));
            }
            *counts.entry(kind).or_default() += 1;
        }
    }
    println!("{counts:?}");
    expect_none(&complaints);
}

/// The walkthrough of VS Code shows what is said about its example.
#[test]
fn the_walkthrough_shows_what_is_printed() {
    let example = root().join("editors/vscode/examples/museum.bpl");
    let output = Command::new(CIVL).args(["verify", "--no-cache"]).arg(example).output();
    let said = String::from_utf8_lossy(&output.expect("civl starts").stdout).into_owned();
    let said: String = said.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let shown: Vec<String> = files_below(&root().join("editors/vscode/walkthrough"), "md")
        .iter()
        .flat_map(|page| fences(&read(page)))
        .map(|(_, _, text)| text)
        .collect();
    assert!(!shown.is_empty() && shown.iter().all(|text| said.contains(text)), "{said}");
}

#[test]
fn the_contents_of_the_manual_list_every_chapter_and_code() {
    let folder = std::env::temp_dir().join(format!("civl-tidy-manual-{}", std::process::id()));
    run(&["manual", "--out", &folder.display().to_string()]);
    let index = read(&folder.join("index.html"));
    let pages = files_below(&root().join("tests/spec"), "md");
    let link = |page: &PathBuf| {
        let below = shown(page).replace("tests/spec/", "").replace(".md", ".html");
        format!("href=\"{below}\"")
    };
    let missing: Vec<String> =
        pages.iter().map(link).filter(|link| !index.contains(link)).collect();
    let _left_behind = std::fs::remove_dir_all(&folder);
    assert!(pages.len() > 15);
    expect_none(&missing);
}

#[test]
fn the_readme_and_the_page_for_man_have_every_subcommand() {
    let help = run(&["--help"]);
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next());
    let names = commands.expect("a list").lines().filter_map(|l| l.split_whitespace().next());
    let names: BTreeSet<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 12, "{names:?}");
    let readme = read(&root().join("README.md"));
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| `civl ")).collect();
    let man = run(&["man"]).replace('\\', "");
    let mut complaints = Vec::new();
    for name in names {
        let written = format!("`civl {name}");
        let ends = |rest: &str| rest.starts_with(['`', ' ']);
        if !rows.iter().any(|row| row.split(&written).skip(1).any(ends)) {
            complaints.push(format!("no row of README.md is about {name}"));
        }
        if !man.contains(&format!("civl-{name}(1)")) {
            complaints.push(format!("civl.1 does not name {name}"));
        }
    }
    expect_none(&complaints);
}

fn run(arguments: &[&str]) -> String {
    let output = Command::new(CIVL).args(arguments).output().expect("civl starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All Markdown files that are ours.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in ["analysis", "editors", "server", "syntax", "tests"] {
        pages.extend(files_below(&root().join(folder), "md"));
    }
    for page in std::fs::read_dir(root()).expect("a root").flatten() {
        pages.extend(Some(page.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    let foreign = |p: &Path| {
        p.components().any(|c| ["node_modules", "target"].iter().any(|f| c.as_os_str() == *f))
    };
    pages.retain(|page| !foreign(page.strip_prefix(root()).unwrap_or(page)));
    pages.sort();
    pages
}

fn folder(page: &Path) -> &Path {
    page.parent().unwrap_or(page)
}

/// The lines outside of fences, numbered from 1.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    page.lines().enumerate().filter_map(move |(at, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        (!inside && !fence).then_some((at + 1, line))
    })
}

/// Line, words behind the back-ticks, and text of every fence.
fn fences(page: &str) -> Vec<(usize, String, String)> {
    let mut all: Vec<(usize, String, String)> = Vec::new();
    let mut inside = false;
    for (at, line) in page.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(kind) if !inside => all.push((at + 1, kind.trim().to_owned(), String::new())),
            None if inside => all.iter_mut().last().into_iter().for_each(|f| {
                f.2 += line;
                f.2.push('\n');
            }),
            Some(_) | None => {}
        }
        inside ^= line.trim_start().starts_with("```");
    }
    assert!(!inside, "a fence is never closed");
    all
}

/// What stands in the round brackets of `[…](…)`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The words between back-ticks.
fn code_words(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).flat_map(str::split_whitespace)
}

/// Is it a path of the repository, and not a pattern, a placeholder or a place of the user?
fn is_path(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';']);
    let name = word.rsplit('/').next().unwrap_or(word);
    let stem = name.split('.').next().unwrap_or(name);
    word.contains('/')
        && SOURCES.iter().any(|ending| word.ends_with(ending))
        && !word.contains(['*', '{', '~', '$', '…', ':'])
        && !word.contains("/nowhere/")
        && stem.chars().any(char::is_lowercase)
}

/// Pages name files from the root, from their own folder, or as `crate/file`.
fn exists(word: &str, page: &Path) -> bool {
    let word = word.trim_end_matches([',', ';']);
    let (first, rest) = word.split_once('/').unwrap_or((word, ""));
    let places = [
        root().join(word),
        folder(page).join(word),
        folder(page).join("src").join(word),
        root().join("analysis").join(word),
        root().join("analysis").join(first).join("src").join(rest),
        root().join(first).join("src").join(rest),
        root().join("server/src").join(word),
    ];
    places.iter().any(|place| place.exists())
}
