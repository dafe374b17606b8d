//! The versioned JSON form; its schema is `server/schema/verify.json`.

use crate::cli::report::Report;

pub(super) fn render(report: &Report) -> String {
    match serde_json::to_string_pretty(report) {
        Ok(text) => text + "\n",
        // Plain data cannot fail to serialise; if it does, the answer must not look like a proof.
        Err(_) => "{\"version\": 1, \"verdict\": \"unknown\", \"diagnostics\": []}\n".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::tests::sample;

    #[test]
    fn carries_every_field_of_the_contract() {
        let value: serde_json::Value = serde_json::from_str(&render(&sample())).unwrap();
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
    fn the_schema_is_json_of_the_same_version() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../schema/verify.json")).unwrap();
        assert_eq!(schema["properties"]["version"]["const"], crate::cli::report::JSON_VERSION);
    }
}
