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
    /// One JSON object, also for several programs; schema in `server/schema/verify.json`.
    Json,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// JUnit XML, one case per obligation.
    Junit,
    /// Annotations for GitHub workflows.
    Github,
}

/// One report as text in `format`.
pub fn render(report: Report, format: Format) -> String {
    let mut document = Document::new(format, 1);
    document.add(report) + &document.end()
}

/// The answer about all programs of a run: one document, however many there are. What people read
/// comes as soon as it is known, what machines read at the end.
pub struct Document {
    format: Format,
    programs: usize,
    reports: Vec<Report>,
}

impl Document {
    pub fn new(format: Format, programs: usize) -> Document {
        Document { format, programs, reports: Vec::new() }
    }

    /// Takes in the report about the next program; what can be printed of it now.
    pub fn add(&mut self, report: Report) -> String {
        let head = match self.programs {
            0 | 1 => String::new(),
            _ => format!("program {}:\n", report.files.join(", ")),
        };
        if self.format == Format::Text {
            return head + &text::render(&report, colour_wanted());
        }
        self.reports.push(report);
        String::new()
    }

    /// The rest.
    pub fn end(&self) -> String {
        match self.format {
            Format::Text => String::new(),
            Format::Json => json::render(&self.reports),
            Format::Sarif => sarif::render(&self.reports),
            Format::Junit => junit::render(&self.reports),
            Format::Github => github::render(&self.reports),
        }
    }
}

/// Colour only for a person at a terminal who did not object.
fn colour_wanted() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
