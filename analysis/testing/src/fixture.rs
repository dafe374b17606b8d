//! Programs for tests: one or several files, perhaps with a cursor.
//!
//! `//- name.bpl` on a line of its own starts a file; without it everything is `main.bpl`. `$0` marks the
//! cursor and is taken out of the text.

/// The files of a test program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Names and texts.
    pub files: Vec<(String, String)>,
    /// Number of the file with the cursor, and the byte offset.
    pub cursor: Option<(usize, u32)>,
}

/// The name of the file of a fixture that names none.
pub const MAIN: &str = "main.bpl";

impl Fixture {
    /// Reads a fixture.
    pub fn parse(text: &str) -> Fixture {
        let mut files: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.strip_prefix("//- ") {
                files.push((name.trim().to_owned(), String::new()));
                continue;
            }
            if files.is_empty() {
                files.push((MAIN.to_owned(), String::new()));
            }
            if let Some((_, text)) = files.last_mut() {
                text.push_str(line);
            }
        }
        let mut cursor = None;
        for (number, (_, text)) in files.iter_mut().enumerate() {
            if let Some(offset) = text.find("$0") {
                text.replace_range(offset..offset + 2, "");
                cursor = u32::try_from(offset).ok().map(|offset| (number, offset));
            }
        }
        Fixture { files, cursor }
    }

    /// The text of the only file, or of the first.
    pub fn main_text(&self) -> &str {
        self.files.first().map_or("", |(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::Fixture;

    #[test]
    fn a_text_without_names_is_one_file() {
        let fixture = Fixture::parse("type T;\nvar x: T$0;\n");
        assert_eq!(fixture.files, [("main.bpl".to_owned(), "type T;\nvar x: T;\n".to_owned())]);
        assert_eq!(fixture.cursor, Some((0, 16)));
    }

    #[test]
    fn names_start_files() {
        let fixture = Fixture::parse("//- a.bpl\ntype T;\n//- b.bpl\nvar x: T;\n");
        let names: Vec<_> = fixture.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.bpl", "b.bpl"]);
    }
}
