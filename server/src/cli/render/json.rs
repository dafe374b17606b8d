//! The versioned JSON form; its schema is `server/schema/verify.json`.

use serde::Serialize;

use crate::cli::report::{JSON_VERSION, Report, Verdict};

/// The answer about several programs.
#[derive(Serialize)]
struct Several<'a> {
    version: u32,
    /// The worst of all.
    verdict: Verdict,
    programs: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    files: &'a [String],
    #[serde(flatten)]
    report: &'a Report,
}

pub(super) fn render(reports: &[Report]) -> String {
    let written = match reports {
        [report] => serde_json::to_string_pretty(report),
        several => {
            let programs = several.iter().map(|it| One { files: &it.files, report: it }).collect();
            let verdict = Verdict::of(several);
            serde_json::to_string_pretty(&Several { version: JSON_VERSION, verdict, programs })
        }
    };
    match written {
        Ok(text) => text + "\n",
        // Plain data cannot fail to serialise; if it does, the answer must not look like a proof.
        Err(_) => "{\"version\": 1, \"verdict\": \"unknown\", \"diagnostics\": []}\n".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::Counts;
    use crate::cli::report::tests::sample;

    #[test]
    fn carries_every_field_of_the_contract() {
        let value: serde_json::Value = serde_json::from_str(&render(&[sample()])).unwrap();
        assert_eq!(value["verdict"], "errors");
        let first = &value["diagnostics"][0];
        for field in
            ["file", "line", "column", "severity", "code", "phase", "message", "related", "trace"]
        {
            assert!(first.get(field).is_some(), "{field} is missing");
        }
        for field in ["total", "proved", "failed", "unknown", "skipped", "cached"] {
            assert!(value["obligations"].get(field).is_some(), "{field} is missing");
        }
        for field in ["wall_ms", "cpu_ms", "solver_cpu_ms"] {
            assert!(value["time"].get(field).is_some(), "{field} is missing");
        }
    }

    #[test]
    fn several_programs_are_one_object_with_the_worst_verdict() {
        let mut good = Report::new(vec![], Counts::default(), true);
        good.files = vec!["a.bpl".into(), "b.bpl".into()];
        let value: serde_json::Value = serde_json::from_str(&render(&[good, sample()])).unwrap();
        assert_eq!(value["verdict"], "errors");
        assert_eq!(value["programs"][0]["verdict"], "verified");
        assert_eq!(value["programs"][0]["files"][1], "b.bpl");
        assert_eq!(value["programs"][1]["diagnostics"][0]["code"], "some-code");
    }

    #[test]
    fn the_schema_is_json_of_the_same_version() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../schema/verify.json")).unwrap();
        for shape in ["report", "several"] {
            assert_eq!(schema["$defs"][shape]["properties"]["version"]["const"], JSON_VERSION);
        }
    }
}
