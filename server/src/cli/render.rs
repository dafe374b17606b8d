//! The output formats: one file each, all from the same [`Report`].

mod github;
pub(crate) mod html;
mod json;
mod junit;
mod sarif;
mod text;

use std::io::IsTerminal;

use clap::ValueEnum;

use super::report::Report;

/// How a report is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Source excerpts for people.
    #[default]
    Text,
    /// One JSON object; schema in `server/schema/verify.json`.
    Json,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// JUnit XML, one case per obligation.
    Junit,
    /// Annotations for GitHub workflows.
    Github,
}

/// The report as text in `format`.
pub fn render(report: &Report, format: Format) -> String {
    match format {
        Format::Text => text::render(report, colour_wanted()),
        Format::Json => json::render(report),
        Format::Sarif => sarif::render(report),
        Format::Junit => junit::render(report),
        Format::Github => github::render(report),
    }
}

/// Colour only for a person at a terminal who did not object.
fn colour_wanted() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
