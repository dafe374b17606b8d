//! A person who types at random: changes of a text as an editor reports them.
//!
//! **In:** a program and random choices. **Out:** one change after the other, each small; the text
//! stays near the program, so that most of the time there is something to prove.

use serde_json::{Value, json};
use testing::Random;

use crate::mutation::mutants;

/// What is typed: pieces of programs and what does not belong into one.
const PIECES: &[&str] = &[
    " ",
    "\n",
    "// note\n",
    "/*",
    "*/",
    "(",
    ")",
    "{",
    "}",
    ";",
    ":=",
    "x",
    "0",
    "1",
    "true",
    "&&",
    "==>",
    "assert true;\n",
    "yield;\n",
    "call ",
    "havoc ",
    "var i: int;\n",
    "{:layer 1}",
    "old(",
    "[",
    "]",
    "\"",
    "é",
    "𝒳",
    "\t",
    "#",
    "forall i: int :: ",
];

/// A document and what is typed into it.
pub struct Typist {
    /// What is gone back to.
    pub program: String,
    pub text: String,
    pub version: i32,
}

impl Typist {
    pub fn new(program: String) -> Typist {
        Typist { text: program.clone(), program, version: 1 }
    }

    /// The next change, as the list that `didChange` carries; the text is already changed.
    pub fn change(&mut self, random: &mut Random) -> Value {
        self.version += 1;
        match random.below(10) {
            // Back to the program: undo, or another checkout.
            0..=2 => {
                self.text.clone_from(&self.program);
                json!([{"text": self.text}])
            }
            // A slip that leaves a program.
            3..=5 => {
                let all = mutants(&self.program);
                let Some(mutant) = random.pick(&all) else { return json!([]) };
                let new = mutant.text.clone();
                let (from, to) = difference(&self.text, &new);
                let piece = new[from..new.len() - (self.text.len() - to)].to_owned();
                json!([self.replace(from, to, &piece)])
            }
            6 => {
                let (from, to) = self.some_range(30, random);
                json!([self.replace(from, to, "")])
            }
            // Several changes in one message, each on top of the one before.
            7 => {
                let changes: Vec<Value> = (0..3).map(|_| self.insertion(random)).collect();
                Value::Array(changes)
            }
            _ => json!([self.insertion(random)]),
        }
    }

    fn insertion(&mut self, random: &mut Random) -> Value {
        let (from, to) = self.some_range(3, random);
        let piece = random.pick(PIECES).copied().unwrap_or_default();
        self.replace(from, to, piece)
    }

    fn some_range(&self, longest: usize, random: &mut Random) -> (usize, usize) {
        let boundary = |mut at: usize| {
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = boundary(random.below(self.text.len() + 1));
        let to = boundary((from + random.below(longest)).min(self.text.len()));
        (from, to.max(from))
    }

    fn replace(&mut self, from: usize, to: usize, piece: &str) -> Value {
        let range = json!({"start": position(&self.text, from), "end": position(&self.text, to)});
        self.text.replace_range(from..to, piece);
        json!({"range": range, "text": piece})
    }

    /// Some place in the text, as a client names it.
    pub fn some_position(&self, random: &mut Random) -> Value {
        position(&self.text, self.some_range(1, random).0)
    }
}

/// Line and UTF-16 column of a byte offset.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count();
    json!({"line": line, "character": before[line_start..].encode_utf16().count()})
}

/// The range of `old` outside of which `new` is the same.
fn difference(old: &str, new: &str) -> (usize, usize) {
    let mut from = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    while !(old.is_char_boundary(from) && new.is_char_boundary(from)) {
        from -= 1;
    }
    let longest = (old.len() - from).min(new.len() - from);
    let (old_end, new_end) = (old.bytes().rev(), new.bytes().rev());
    let mut same = old_end.zip(new_end).take(longest).take_while(|(a, b)| a == b).count();
    while !(old.is_char_boundary(old.len() - same) && new.is_char_boundary(new.len() - same)) {
        same -= 1;
    }
    (from, old.len() - same)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies what a client would send, in the plainest way.
    fn apply(text: &str, change: &Value) -> String {
        let piece = change["text"].as_str().unwrap();
        let Some(range) = change.get("range") else { return piece.to_owned() };
        let offset = |place: &Value| {
            let line = place["line"].as_u64().unwrap() as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let mut column = place["character"].as_u64().unwrap() as usize;
            let chars = text[start..].chars().take_while(|c| {
                let inside = column > 0;
                column = column.saturating_sub(c.len_utf16());
                inside
            });
            start + chars.map(char::len_utf8).sum::<usize>()
        };
        format!("{}{piece}{}", &text[..offset(&range["start"])], &text[offset(&range["end"])..])
    }

    #[test]
    fn the_changes_lead_to_the_text() {
        let program =
            "var {:layer 0,1} x: int; // 𝒳é\natomic action {:layer 1} A() { x := x + 1; }\n";
        let mut typist = Typist::new(program.to_owned());
        let mut random = Random::new(7);
        let mut text = program.to_owned();
        for _ in 0..3000 {
            let changes = typist.change(&mut random);
            for change in changes.as_array().unwrap() {
                text = apply(&text, change);
            }
            assert_eq!(text, typist.text);
        }
    }
}
