//! Frames between the prover and its workers.
//!
//! **In and out:** bytes. A frame is a magic word, one byte of kind, three numbers, a length and
//! that many bytes of UTF-8 text. Nothing is trusted: a frame with another magic word, an
//! unknown kind, an excessive length or invalid text is an error, and the reader gives up.
//! The first number is that of the question; an answer to another question is none.

use std::io::{self, Read, Write};

const MAGIC: [u8; 4] = *b"cvl3";

/// Longer frames are taken for garbage, not for work.
const LONGEST: u32 = 512 * 1024 * 1024;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ask in a new solver context.
    Fresh,
    /// Ask in the context of the last question.
    Continue,
    /// The solver answered; the number is the CPU time it took, in microseconds.
    Answer,
    /// The solver reported an error; the number as above.
    Complaint,
}

const KINDS: [(Kind, u8); 4] =
    [(Kind::Fresh, 1), (Kind::Continue, 2), (Kind::Answer, 3), (Kind::Complaint, 4)];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) kind: Kind,
    /// Of the question, or of the question that is answered.
    pub(crate) question: u64,
    pub(crate) number: u64,
    /// What the solver counted while it answered, in units of its resource limit.
    pub(crate) steps: u64,
    pub(crate) text: String,
}

pub(crate) fn write(out: &mut impl Write, frame: &Frame) -> io::Result<()> {
    let code = KINDS.iter().find(|(kind, _)| *kind == frame.kind).map_or(0, |(_, code)| *code);
    let length = u32::try_from(frame.text.len()).map_err(|_| garbage("the frame is too long"))?;
    let mut bytes = Vec::with_capacity(frame.text.len() + 33);
    bytes.extend_from_slice(&MAGIC);
    bytes.push(code);
    bytes.extend_from_slice(&frame.question.to_le_bytes());
    bytes.extend_from_slice(&frame.number.to_le_bytes());
    bytes.extend_from_slice(&frame.steps.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(frame.text.as_bytes());
    out.write_all(&bytes)?;
    out.flush()
}

/// The next frame, or `None` at the end of the input between two frames.
pub(crate) fn read(input: &mut impl Read) -> io::Result<Option<Frame>> {
    let mut magic = [0; 4];
    let got = input.read(&mut magic[..1])?;
    if got == 0 {
        return Ok(None);
    }
    input.read_exact(&mut magic[1..])?;
    if magic != MAGIC {
        return Err(garbage("a frame does not start with the magic word"));
    }
    let (mut code, mut question, mut number) = ([0; 1], [0; 8], [0; 8]);
    let (mut steps, mut length) = ([0; 8], [0; 4]);
    input.read_exact(&mut code)?;
    input.read_exact(&mut question)?;
    input.read_exact(&mut number)?;
    input.read_exact(&mut steps)?;
    input.read_exact(&mut length)?;
    let Some((kind, _)) = KINDS.iter().find(|(_, known)| *known == code[0]) else {
        return Err(garbage("a frame of unknown kind"));
    };
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(garbage("a frame of excessive length"));
    }
    let mut bytes = Vec::new();
    let read = input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if read as u64 != u64::from(length) {
        return Err(garbage("a frame was cut short"));
    }
    let text = String::from_utf8(bytes).map_err(|_| garbage("a frame is not text"))?;
    let (question, number) = (u64::from_le_bytes(question), u64::from_le_bytes(number));
    let steps = u64::from_le_bytes(steps);
    Ok(Some(Frame { kind: *kind, question, number, steps, text }))
}

fn garbage(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "(check-sat) ∀".to_owned();
        let frame = Frame { kind: Kind::Answer, question: 5, number: 77, steps: 9, text };
        let mut bytes = Vec::new();
        write(&mut bytes, &frame).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap(), Some(frame));
        assert_eq!(read(&mut input).unwrap(), None);
    }

    #[test]
    fn every_damaged_frame_is_refused() {
        let frame =
            Frame { kind: Kind::Fresh, question: 5, number: 1, steps: 0, text: "abc".to_owned() };
        let mut good = Vec::new();
        write(&mut good, &frame).unwrap();
        for cut in 1..good.len() {
            assert!(read(&mut &good[..cut]).is_err(), "cut at {cut}");
        }
        for (at, byte) in [(0, b'x'), (4, 0), (4, 9), (32, 255), (33, 0xff)] {
            let mut bad = good.clone();
            bad[at] = byte;
            assert!(read(&mut bad.as_slice()).is_err(), "byte {at}");
        }
    }
}
