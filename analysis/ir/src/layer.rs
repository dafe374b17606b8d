//! Programs at one layer: what their steps are to each other.
//!
//! # Invariants
//! - A [`Label`] says what the program declares. That an action really moves as declared is proved
//!   elsewhere (kind commutativity and its relatives); a label is no evidence of it.

/// What a step of the code is to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Touches nothing that other threads see.
    Private,
    /// Left and right mover.
    Both,
    /// Right mover.
    Right,
    /// Left mover.
    Left,
    /// Neither left nor right mover.
    NonMover,
    /// Other threads may run here.
    Yield,
}

impl Label {
    /// Every label.
    pub const ALL: [Label; 6] =
        [Label::Private, Label::Both, Label::Right, Label::Left, Label::NonMover, Label::Yield];

    /// One letter, as in tables.
    pub fn letter(self) -> char {
        match self {
            Label::Private => 'P',
            Label::Both => 'B',
            Label::Right => 'R',
            Label::Left => 'L',
            Label::NonMover => 'N',
            Label::Yield => 'Y',
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Label::Private => "private step",
            Label::Both => "both mover",
            Label::Right => "right mover",
            Label::Left => "left mover",
            Label::NonMover => "non-mover",
            Label::Yield => "yield",
        }
    }
}
