//! When two values are the same, in a structure; and what several truths make together.

use hir::Ty;
use ir::Value;
use ir::symbolic::{Engine, Val};

use super::structure::{Known, Structure};

impl Structure<'_> {
    /// Are these two values of the type the same?
    pub(super) fn equal(&self, left: &Value, right: &Value, ty: &Ty) -> Known<bool> {
        let (left, right) = (Val::Plain(left.clone()), Val::Plain(right.clone()));
        Ok(Engine::new(self).equal(&left, &right, &self.sort_of(ty))?)
    }
}

/// Are all of these true? One that is false decides, whatever is not known.
pub(super) fn all(parts: impl Iterator<Item = Known<bool>>) -> Known<bool> {
    let mut open = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => open = open.or(Some(why)),
        }
    }
    open.map_or(Ok(true), Err)
}

/// Is one of these true?
pub(super) fn any(parts: impl Iterator<Item = Known<bool>>) -> Known<bool> {
    all(parts.map(|part| part.map(|it| !it))).map(|it| !it)
}
