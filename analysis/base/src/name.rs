//! Names as the program writes them.
//!
//! Two names are equal iff their texts are equal; the order is the order of texts, so that
//! everything sorted by name is the same on every run and machine.
//!
//! # Actions without a name
//! The action that a procedure `P` writes as `_` in its `refines` clause has a name of its own,
//! which no program can write. This file alone knows how it is spelled; people never see it:
//!
//! | where | they read | made by |
//! | --- | --- | --- |
//! | ids and subjects of obligations, runs | `P` | [`Name::readable`] |
//! | outlines, hovers | `action of P` | [`Name::titled`] |
//! | tables, beside a column that says "action" | `_ of P` | [`Name::listed`] |
//! | sentences, where names stand in quotes | ``the action of `P` `` | [`Name::in_sentence`] |
//! | units, named as the reference names them | `AnonymousAction_P` | [`Name::in_reference`] |

use std::borrow::Borrow;
use std::fmt;

use smol_str::SmolStr;

/// Stands before the procedure in the name of its action; no identifier has this sign.
const ANONYMOUS: &str = "action@";

/// The same in names of the reference, which numbers such actions.
const ANONYMOUS_IN_REFERENCE: &str = "AnonymousAction_";

/// An identifier of the program, without the leading backslash that makes keywords identifiers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(SmolStr);

impl Name {
    /// The name with this text.
    pub fn new(text: impl AsRef<str>) -> Name {
        Name(SmolStr::new(text))
    }

    /// The stand-in for a name the user has not typed yet. No identifier is empty.
    pub fn missing() -> Name {
        Name(SmolStr::default())
    }

    /// Is this the stand-in of [`Name::missing`]?
    pub fn is_missing(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of the action that `procedure` writes as `_`.
    pub fn anonymous_action(procedure: &Name) -> Name {
        Name::new(format!("{ANONYMOUS}{procedure}"))
    }

    /// The procedure that writes this action as `_`, if it is such an action.
    pub fn procedure_of_anonymous(&self) -> Option<&str> {
        self.0.strip_prefix(ANONYMOUS)
    }

    /// As a title: `action of P`.
    pub fn titled(&self) -> String {
        self.or_of_procedure("action of ")
    }

    /// As an entry of a table: `_ of P`.
    pub fn listed(&self) -> Name {
        Name::new(self.or_of_procedure("_ of "))
    }

    /// As the reference spells it, but with the procedure where that has a number.
    pub fn in_reference(&self) -> String {
        self.or_of_procedure(ANONYMOUS_IN_REFERENCE)
    }

    /// A text in which names stand as [`Name::in_reference`] spells them, with our own spelling.
    pub fn out_of_reference(text: &str) -> String {
        text.replace(ANONYMOUS_IN_REFERENCE, ANONYMOUS)
    }

    fn or_of_procedure(&self, before: &str) -> String {
        self.procedure_of_anonymous().map_or_else(|| self.to_string(), |it| format!("{before}{it}"))
    }

    /// A text that names actions, each without a name called like its procedure.
    pub fn readable(text: &str) -> String {
        text.replace(ANONYMOUS, "")
    }

    /// A sentence with names in quotes, each action without a name spoken of as that of its
    /// procedure.
    pub fn in_sentence(text: &str) -> String {
        text.replace(&format!("`{ANONYMOUS}"), "the action of `")
    }

    /// The text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_without_a_name_is_called_after_its_procedure() {
        let (plain, action) = (Name::new("P"), Name::anonymous_action(&Name::new("P")));
        assert_eq!(
            (plain.procedure_of_anonymous(), action.procedure_of_anonymous()),
            (None, Some("P"))
        );
        assert_eq!((plain.titled(), action.titled()), ("P".into(), "action of P".into()));
        assert_eq!((plain.listed(), action.listed()), (plain.clone(), Name::new("_ of P")));
        assert_eq!(action.in_reference(), "AnonymousAction_P");
        for text in
            [action.to_string(), plain.to_string(), Name::out_of_reference(&action.in_reference())]
        {
            assert_eq!(Name::readable(&format!("after {text}")), "after P");
        }
        let sentence = Name::in_sentence(&format!("`Q` calls `{action}` and `{action}`"));
        assert_eq!(sentence, "`Q` calls the action of `P` and the action of `P`");
    }
}
