//! What a person can choose; every choice has a default that is fine for a beginner.

use serde::Deserialize;

/// When the solver is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum VerifyMode {
    Never,
    #[default]
    Save,
    Change,
    /// On saving, what is declared down to the last edit.
    Cursor,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Settings {
    pub(crate) verify: VerifyMode,
    /// Seconds one obligation may take.
    pub(crate) time_limit: f64,
    /// Solver processes; 0 means one per processor.
    pub(crate) jobs: usize,
    pub(crate) hints: Hints,
    pub(crate) lens: bool,
    /// Keep verdicts between sessions.
    pub(crate) cache: bool,
}

/// Inlay hints, each with its switch.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Hints {
    pub(crate) layers: bool,
    pub(crate) movers: bool,
    pub(crate) phases: bool,
    pub(crate) modifies: bool,
    pub(crate) linear: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            verify: VerifyMode::Save,
            time_limit: 10.0,
            jobs: 0,
            hints: Hints::default(),
            lens: true,
            cache: true,
        }
    }
}

impl Default for Hints {
    fn default() -> Hints {
        Hints { layers: false, movers: true, phases: false, modifies: false, linear: false }
    }
}

impl Settings {
    /// Reads settings from what a client sends: the section itself, or an object that holds it as
    /// `civl`. A client that says nothing, or what cannot be read, leaves the settings as they are,
    /// the latter with the reason.
    pub(crate) fn read(value: &serde_json::Value) -> (Option<Settings>, Option<String>) {
        let section = value.get("civl").unwrap_or(value);
        if section.is_null() {
            return (None, None);
        }
        match serde_json::from_value::<Settings>(section.clone()) {
            Ok(settings) => (Some(settings.within_limits()), None),
            Err(error) => (None, Some(format!("civl settings: {error}"))),
        }
    }

    fn within_limits(mut self) -> Settings {
        self.time_limit =
            if self.time_limit.is_finite() { self.time_limit.clamp(0.1, 3600.0) } else { 10.0 };
        self.jobs = self.jobs.min(64);
        self
    }

    pub(crate) fn job_count(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_section_may_be_wrapped_or_bare() {
        for value in [json!({"civl": {"verify": "never"}}), json!({"verify": "never"})] {
            let settings = Settings::read(&value).0.unwrap();
            assert_eq!(settings.verify, VerifyMode::Never);
        }
    }

    #[test]
    fn a_wrong_value_changes_nothing_and_says_why() {
        let (settings, why) = Settings::read(&json!({"verify": 3}));
        assert!(settings.is_none() && why.is_some());
        let (settings, why) = Settings::read(&json!({"civl": null}));
        assert!(settings.is_none() && why.is_none());
    }
}
