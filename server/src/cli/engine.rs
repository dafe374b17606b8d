//! From arguments to an analysed program, and from its answers to findings.

use std::collections::BTreeMap;

use serde_json::json;

use ide::{Analysis, AnalysisHost, ColumnEncoding, Diagnostic, FileId, Lines, Location, ProgramId};

use super::Sources;
use super::report::{CheckedLine, Counts, Faith, Finding, Related, Report, Severity, Spot};
use crate::files::{self, ProgramSources};
use crate::told::{self, Places};

/// One program, loaded.
pub(super) struct Opened {
    pub(super) host: AnalysisHost,
    pub(super) program: ProgramId,
    /// Its files as they are shown.
    pub(super) files: Vec<String>,
    /// Files that were not UTF-8, with the first bad place.
    replaced: Vec<(FileId, u32)>,
    /// A manifest that names what cannot be used: the program is not complete.
    problem: Option<(String, String)>,
}

/// Loads every program that the arguments mean, and says which manifest was used.
pub(super) fn open(sources: &Sources) -> anyhow::Result<Vec<Opened>> {
    let programs = files::programs(&sources.files, &sources.libs)?;
    let mut told = Vec::new();
    for manifest in programs.iter().filter_map(|it| it.manifest.as_ref()) {
        if !told.contains(&manifest) {
            let count = programs.iter().filter(|it| it.manifest.as_ref() == Some(manifest)).count();
            let programs = if count == 1 { "program" } else { "programs" };
            super::complain(&format!("using {count} {programs} of {}", manifest.display()));
            told.push(manifest);
        }
    }
    programs.into_iter().map(open_one).collect()
}

/// Loads exactly one complete program; several are an error that says how to choose.
pub(super) fn open_single(sources: &Sources) -> anyhow::Result<Opened> {
    let mut all = open(sources)?;
    match (all.pop(), all.is_empty()) {
        (Some(Opened { problem: Some((manifest, why)), .. }), true) => {
            anyhow::bail!("in {manifest}: {why}")
        }
        (Some(one), true) => Ok(one),
        _ => anyhow::bail!("there are several programs; name all files of the one you mean"),
    }
}

pub(super) fn open_one(sources: ProgramSources) -> anyhow::Result<Opened> {
    let mut host = AnalysisHost::new();
    let mut ids = Vec::new();
    let mut replaced = Vec::new();
    for source in sources.files {
        let id = host.set_file(&source.path, source.text);
        anyhow::ensure!(!ids.contains(&id), "two files are called {}", source.path);
        ids.push(id);
        replaced.extend(source.replaced_at.map(|at| (id, at)));
    }
    let mut problem = sources.problem;
    let program = match (host.add_program(&ids, &sources.libs), &sources.manifest) {
        (Ok(program), _) => program,
        (Err(why), None) => anyhow::bail!(why),
        (Err(why), Some(_)) => {
            problem = problem.or(Some(why));
            host.add_program(&ids, &[]).map_err(anyhow::Error::msg)?
        }
    };
    let files = ids.iter().map(|id| host.analysis().path(*id).to_owned()).collect();
    let manifest = sources.manifest.unwrap_or_default().display().to_string();
    let problem = problem.map(|why| (manifest, why));
    Ok(Opened { host, program, files, replaced, problem })
}

impl Opened {
    /// The answer about a program that is not complete: nothing is asked of a part of it.
    pub(super) fn refused(&self) -> Option<Report> {
        let (manifest, why) = self.problem.as_ref()?;
        let at = Spot {
            file: manifest.clone(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            bytes: (0, 0),
        };
        let finding = Finding {
            message: why.clone(),
            help: Some("correct the name in civl.toml, or create the file".into()),
            ..bare(at, "manifest")
        };
        let mut report = Report::new(vec![finding], Counts::default(), false);
        report.files = self.files.clone();
        if report.files.is_empty() {
            report.files.push(manifest.clone());
        }
        Some(report)
    }
}

/// An error of the syntax phase without words.
fn bare(at: Spot, code: &str) -> Finding {
    Finding {
        at,
        severity: Severity::Error,
        code: code.into(),
        phase: "syntax".into(),
        message: String::new(),
        help: None,
        related: Vec::new(),
        reported_at: None,
        trace: None,
        obligation: None,
        explanation: Vec::new(),
    }
}

/// At which layers each assertion of a program without static errors is checked.
pub(super) fn checked_lines(opened: &Opened) -> Vec<CheckedLine> {
    let analysis = opened.host.analysis();
    if analysis.check(opened.program).iter().any(|it| it.severity == ide::Severity::Error) {
        return Vec::new();
    }
    let line = |it: &ide::Checked| {
        let (file, text) = (analysis.path(it.at.file).to_owned(), it.text.clone());
        CheckedLine { file, line: analysis.place(it.at).line + 1, text, by: it.words() }
    };
    analysis.checked_layers(opened.program).iter().map(line).collect()
}

/// Turns diagnostics into findings, keeping the text of each file they point into.
pub(super) struct Finder<'a> {
    analysis: &'a Analysis,
    lines: BTreeMap<FileId, Lines>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Finder<'a> {
        Finder { analysis, lines: BTreeMap::new() }
    }

    pub(super) fn findings(&mut self, opened: &Opened, diagnostics: &[Diagnostic]) -> Vec<Finding> {
        let mut findings: Vec<Finding> = diagnostics.iter().map(|d| self.finding(d)).collect();
        findings.extend(opened.replaced.iter().map(|(file, at)| self.replaced_byte(*file, *at)));
        findings
    }

    /// Hands the texts that findings point into to the report.
    pub(super) fn give_texts(self, report: &mut Report) {
        for (file, lines) in self.lines {
            report.texts.insert(self.analysis.path(file).to_owned(), lines.with_line_feeds());
        }
    }

    /// What is taken on faith, at its places.
    pub(super) fn faith(&mut self, trusted: &[ide::Trusted]) -> Vec<Faith> {
        let faith = |it: &ide::Trusted| Faith {
            kind: it.kind.as_str(),
            what: it.what.clone(),
            at: it.at.map(|at| self.spot(at)),
            counted: it.kind,
        };
        trusted.iter().map(faith).collect()
    }

    pub(super) fn finding(&mut self, diagnostic: &Diagnostic) -> Finding {
        let related = diagnostic.related.iter();
        let trace = diagnostic.trace.as_ref().map(|trace| self.trace(trace));
        Finding {
            at: self.spot(diagnostic.at),
            severity: severity(diagnostic.severity),
            code: diagnostic.code.to_owned(),
            phase: diagnostic.phase.as_str().to_owned(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            related: related
                .map(|r| Related { at: self.spot(r.at), message: r.message.clone() })
                .collect(),
            reported_at: diagnostic.reported_at.map(|at| self.spot(at)),
            trace,
            obligation: diagnostic.obligation.clone(),
            explanation: diagnostic.explanation.clone(),
        }
    }

    fn trace(&mut self, trace: &ide::TraceView) -> serde_json::Value {
        let places = &mut Places { field: "at", place: &mut |at| json!(self.spot(at)) };
        told::trace(trace, places)
    }

    fn replaced_byte(&mut self, file: FileId, at: u32) -> Finding {
        let end = at + '\u{fffd}'.len_utf8() as u32;
        Finding {
            message: "the file is not valid UTF-8; this is the first byte that is no text".into(),
            help: Some("save the file as UTF-8".into()),
            ..bare(self.spot(Location { file, start: at, end }), "invalid-utf8")
        }
    }

    pub(super) fn spot(&mut self, at: Location) -> Spot {
        let analysis = self.analysis;
        let lines = self.lines.entry(at.file).or_insert_with(|| analysis.lines(at.file));
        let start = lines.place(at.start, ColumnEncoding::Utf32);
        let end = lines.place(at.end, ColumnEncoding::Utf32);
        Spot {
            file: analysis.path(at.file).to_owned(),
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
            bytes: (at.start, at.end),
        }
    }
}

fn severity(severity: ide::Severity) -> Severity {
    match severity {
        ide::Severity::Error => Severity::Error,
        ide::Severity::Warning => Severity::Warning,
        ide::Severity::Hint => Severity::Information,
    }
}
