//! Outside code: licences, sources and double versions as `.deny.toml` allows them.
//!
//! `cargo deny` reads the same file and looks at more (advisories, other platforms); this is what can
//! be checked wherever the workspace can be built, without another tool and without a network.

use std::collections::BTreeMap;
use std::process::Command;

use civl_tests::{expect_none, root};
use serde_json::Value;

use super::read;

#[test]
fn outside_crates_are_as_the_settings_allow() {
    let settings: toml::Table =
        read(&root().join(".deny.toml")).parse().expect("the settings can be read");
    let allowed = words(&settings["licenses"]["allow"]);
    let twice = settings["bans"]["skip"].as_array().expect("a list").iter();
    let twice: Vec<&str> = twice.filter_map(|skip| skip["name"].as_str()).collect();
    let packages = packages();
    assert!(packages.len() > 100, "only {} crates", packages.len());
    let mut complaints = Vec::new();
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for package in &packages {
        let name = package["name"].as_str().expect("a name");
        *versions.entry(name).or_default() += 1;
        let licence = package["license"].as_str().unwrap_or_default();
        if !permits(licence, &allowed) {
            complaints.push(format!("{name}: the licence `{licence}` is not allowed"));
        }
        let ours = package["manifest_path"]
            .as_str()
            .is_some_and(|path| path.starts_with(&root().display().to_string()));
        match package["source"].as_str() {
            Some("registry+https://github.com/rust-lang/crates.io-index") => {}
            None if ours => {}
            other => complaints.push(format!("{name} comes from {other:?}")),
        }
    }
    for (name, count) in &versions {
        if *count > 1 + usize::from(twice.contains(name)) {
            complaints.push(format!("{name} is there in {count} versions"));
        }
    }
    let gone = twice.iter().filter(|name| !versions.contains_key(**name));
    complaints.extend(gone.map(|name| format!("{name} need not be listed twice any more")));
    expect_none(&complaints);
}

#[test]
fn licences_are_read_as_choices_and_demands() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned()];
    for (licence, expected) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0 / MIT", true),
        ("GPL-3.0", false),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Zlib", true),
        ("(GPL-2.0 OR GPL-3.0) AND Zlib", false),
        ("GPL-3.0 WITH exception", false),
        ("", false),
    ] {
        assert_eq!(permits(licence, &allowed), expected, "{licence}");
    }
}

/// All demands can be met by a choice that is allowed; no crate nests deeper than this reads, and
/// what is not understood is not allowed.
fn permits(licence: &str, allowed: &[String]) -> bool {
    licence.split(" AND ").all(|demand| {
        let demand = demand.trim().trim_start_matches('(').trim_end_matches(')');
        let choices = demand.split(" OR ").flat_map(|choice| choice.split('/'));
        choices.map(str::trim).any(|choice| allowed.iter().any(|licence| licence == choice))
    })
}

fn words(list: &toml::Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

/// Every crate of a build on this platform.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let version = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    all["packages"].as_array().cloned().unwrap_or_default()
}
