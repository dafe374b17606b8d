//! SARIF 2.1.0: one run, one rule per code, related places kept.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cli::report::{Finding, Report, Severity, Spot};

pub(super) fn render(report: &Report) -> String {
    let codes: BTreeSet<&str> = report.diagnostics.iter().map(|d| d.code.as_str()).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
    let results: Vec<Value> = report.diagnostics.iter().map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "civl", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {"verdict": report.verdict, "obligations": report.obligations},
        }],
    });
    format!("{log:#}\n")
}

fn rule(code: &str) -> Value {
    match ide::explain(code) {
        Some(page) => {
            json!({"id": code, "fullDescription": {"text": page.summary}, "help": {"text": page.text}})
        }
        None => json!({"id": code}),
    }
}

fn result(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information => "note",
    };
    let related: Vec<Value> = finding
        .related
        .iter()
        .enumerate()
        .map(|(i, r)| json!({"id": i, "message": {"text": r.message}, "physicalLocation": location(&r.at)}))
        .collect();
    let mut result = json!({
        "ruleId": finding.code,
        "level": level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location(&finding.at)}],
        "relatedLocations": related,
        "properties": {"phase": finding.phase},
    });
    if let (Some(trace), Some(properties)) = (&finding.trace, result.get_mut("properties")) {
        properties["trace"] = trace.clone();
    }
    result
}

fn location(at: &Spot) -> Value {
    json!({
        "artifactLocation": {"uri": at.file},
        "region": {
            "startLine": at.line, "startColumn": at.column,
            "endLine": at.end_line, "endColumn": at.end_column,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::sample;

    #[test]
    fn a_finding_becomes_a_result_with_its_rule() {
        let log: Value = serde_json::from_str(&render(&sample())).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["results"][0]["ruleId"], "some-code");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "some-code");
        assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    }
}
