//! Prints what names and types have to say about programs: `file(line,col): code message`.
//!
//! Usage: `problems FILE[+FILE..] ..`; files joined by `+` form one program. Syntax problems and
//! libraries are included.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for developers that reads files and prints"
)]

use base::{ColumnEncoding, LineMap, SourceFile};
use civl_hir as hir;

testing::database!(Database: hir::Db);

fn main() {
    let db = Database::default();
    for paths in std::env::args().skip(1) {
        let mut files = Vec::new();
        for path in paths.split('+') {
            let Ok(text) = std::fs::read_to_string(path) else { continue };
            files.push(SourceFile::new(&db, path.to_owned(), text.into(), None));
        }
        let program = hir::program_of(&db, files);
        for diagnostic in hir::program_diagnostics(&db, program) {
            let range = hir::place_range(&db, diagnostic.reference_place());
            let map = LineMap::new(range.file.text(&db));
            let at = map.line_column(range.range.start(), ColumnEncoding::Utf8);
            let (name, line, column) = (range.file.base_name(&db), at.line + 1, at.column);
            let (code, message) = (diagnostic.code, &diagnostic.message);
            println!("{name}({line},{column}): {:?} {code} {message}", diagnostic.phase);
        }
    }
}
