//! SARIF 2.1.0: one run, one rule per code, related places kept.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cli::report::{Finding, Outcome, Report, Severity, Spot, Verdict};

pub(super) fn render(reports: &[Report]) -> String {
    let all = || reports.iter().flat_map(|report| &report.diagnostics);
    let codes: BTreeSet<&str> = all().map(|d| d.code.as_str()).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
    // A file in two programs is not to be told twice.
    let mut results: Vec<Value> = Vec::new();
    for result in all().map(result) {
        if !results.contains(&result) || reports.len() == 1 {
            results.push(result);
        }
    }
    let properties = match reports {
        [one] => json!({"verdict": one.verdict, "obligations": one.obligations}),
        several => {
            let one = |it: &Report| json!({"files": it.files, "verdict": it.verdict, "obligations": it.obligations});
            json!({"verdict": Verdict::of(several), "programs": several.iter().map(one).collect::<Vec<_>>()})
        }
    };
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "civl", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "invocations": [invocation(reports)],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": properties,
        }],
    });
    format!("{log:#}\n")
}

/// A run that left something undecided, or that found a fault of ours, was not successful, and each such
/// thing is a notification: a reader of results alone would take it for a clean one.
fn invocation(reports: &[Report]) -> Value {
    let mut notifications = Vec::new();
    for report in reports {
        let files = report.files.join(", ");
        for case in &report.cases {
            if let Outcome::Unknown(why) = &case.outcome {
                notifications
                    .push(notification(&format!("{files}: {} is undecided: {why}", case.name)));
            }
        }
        for fault in report.errors().filter(|d| d.code == ide::INTERNAL_ERROR) {
            notifications.push(notification(&format!("{files}: {}", fault.message)));
        }
        if let Some(why) = report.undecided() {
            notifications.push(notification(&format!("{files}: {why}")));
        }
    }
    json!({
        "executionSuccessful": notifications.is_empty(),
        "toolExecutionNotifications": notifications,
    })
}

fn notification(text: &str) -> Value {
    json!({"level": "error", "message": {"text": text}})
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
    if let Some(trace) = &finding.trace {
        result["codeFlows"] = code_flows(trace);
        result["properties"]["trace"] = trace.clone();
    }
    result
}

/// The run as one flow; two orders of two actions as two, one thread flow for each thread.
fn code_flows(trace: &Value) -> Value {
    let columns = trace["columns"].as_array().filter(|columns| !columns.is_empty());
    let orders: Vec<(&Value, &Value)> = match columns {
        Some(columns) => columns.iter().map(|it| (&it["title"], &it["steps"])).collect(),
        None => vec![(&trace["headline"], &trace["steps"])],
    };
    let flows = orders.into_iter().map(
        |(title, steps)| json!({"message": {"text": title}, "threadFlows": thread_flows(steps)}),
    );
    Value::Array(flows.collect())
}

fn thread_flows(steps: &Value) -> Vec<Value> {
    let mut threads: Vec<(String, Vec<Value>)> = Vec::new();
    for (nth, step) in steps.as_array().into_iter().flatten().enumerate() {
        let thread = step["thread"].as_str().unwrap_or_default().to_owned();
        let location = flow_location(step, nth + 1);
        match threads.iter_mut().find(|(known, _)| *known == thread) {
            Some((_, locations)) => locations.push(location),
            None => threads.push((thread, vec![location])),
        }
    }
    let flow =
        |(thread, locations): (String, Vec<Value>)| json!({"id": thread, "locations": locations});
    threads.into_iter().map(flow).collect()
}

fn flow_location(step: &Value, order: usize) -> Value {
    let changes = step["changes"].as_array().cloned().unwrap_or_default();
    let words = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let state: serde_json::Map<String, Value> =
        changes.iter().map(|it| (words(&it["name"]), json!({"text": it["value"]}))).collect();
    let mut location = json!({"message": {"text": step["what"]}});
    if let (Some(file), at) = (step["at"]["file"].as_str(), &step["at"]) {
        location["physicalLocation"] = json!({
            "artifactLocation": {"uri": file},
            "region": {
                "startLine": at["line"], "startColumn": at["column"],
                "endLine": at["end_line"], "endColumn": at["end_column"],
            },
        });
    }
    json!({"location": location, "executionOrder": order, "state": state})
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
    use crate::cli::report::Counts;
    use crate::cli::report::tests::sample;

    #[test]
    fn a_finding_becomes_a_result_with_its_rule() {
        let log: Value = serde_json::from_str(&render(&[sample()])).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["results"][0]["ruleId"], "some-code");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "some-code");
        assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    }

    #[test]
    fn an_undecided_run_was_not_successful() {
        let log: Value = serde_json::from_str(&render(&[sample()])).unwrap();
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
        let counts = Counts { total: 1, proved: 1, ..Counts::default() };
        let filtered = Report::new(vec![], counts, false);
        let log: Value = serde_json::from_str(&render(&[sample(), filtered])).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert!(told.as_str().unwrap().ends_with("not every obligation was asked"), "{told}");
        assert_eq!(run["properties"]["programs"][0]["verdict"], "errors");
    }

    #[test]
    fn a_fault_of_ours_is_no_success() {
        let mut report = sample();
        report.diagnostics[0].code = ide::INTERNAL_ERROR.into();
        let log: Value = serde_json::from_str(&render(&[report])).unwrap();
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    }

    #[test]
    fn each_order_of_two_actions_is_a_code_flow_with_a_flow_per_thread() {
        let step = |thread: &str| {
            json!({"at": null, "what": thread, "thread": thread,
            "changes": [{"name": "x", "value": "1"}]})
        };
        let column = |one: &str, two: &str| {
            json!({"title": format!("{one} ; {two}"),
            "steps": [step(one), step(two)]})
        };
        let mut report = sample();
        report.diagnostics[0].trace = Some(json!({
            "confirmed": true, "headline": "h", "steps": [],
            "columns": [column("A", "B"), column("B", "A")],
        }));
        let log: Value = serde_json::from_str(&render(&[report])).unwrap();
        let flows = &log["runs"][0]["results"][0]["codeFlows"];
        assert_eq!(flows.as_array().map(Vec::len), Some(2));
        assert_eq!(flows[1]["message"]["text"], "B ; A");
        assert_eq!(flows[1]["threadFlows"][0]["id"], "B");
        let first = &flows[1]["threadFlows"][0]["locations"][0];
        assert_eq!(
            (&first["executionOrder"], &first["state"]["x"]["text"]),
            (&json!(1), &json!("1"))
        );
    }
}
