//! Hand-written parts of the view of statements and clauses.

use super::support::{AstChildren, AstNode};
use super::{
    Attribute, Call, CallArm, EnsuresClause, Guard, HideStmt, LoopInvariant, NameRef,
    PreservesClause, RequiresClause, RevealStmt, Stmt,
};
use crate::tree::SyntaxToken;

impl Call {
    /// Whether this is a parallel call.
    pub fn is_parallel(&self) -> bool {
        self.call_arms().nth(1).is_some()
    }

    pub fn is_async(&self) -> bool {
        self.async_token().is_some()
    }
}

impl CallArm {
    /// The called procedure, action or invariant.
    pub fn callee(&self) -> Option<NameRef> {
        self.name_ref()
    }

    /// The variables before `:=`, in order.
    pub fn outs(&self) -> Vec<NameRef> {
        self.call_outs().map(|it| it.name_refs().collect()).unwrap_or_default()
    }
}

impl Guard {
    /// `(*)`: both branches are possible.
    pub fn is_star(&self) -> bool {
        self.star_token().is_some()
    }
}

impl RevealStmt {
    pub fn is_star(&self) -> bool {
        self.star_token().is_some()
    }
}

impl HideStmt {
    pub fn is_star(&self) -> bool {
        self.star_token().is_some()
    }
}

impl LoopInvariant {
    pub fn is_free(&self) -> bool {
        self.free_token().is_some()
    }
}

impl RequiresClause {
    pub fn is_free(&self) -> bool {
        self.free_token().is_some()
    }
}

impl EnsuresClause {
    pub fn is_free(&self) -> bool {
        self.free_token().is_some()
    }
}

impl PreservesClause {
    pub fn is_free(&self) -> bool {
        self.free_token().is_some()
    }
}

impl Stmt {
    pub fn attributes(&self) -> AstChildren<Attribute> {
        AstChildren::new(self.syntax())
    }

    /// The token whose position is the position of the statement in messages: the `:=` of
    /// assignments, the `call` keyword of calls (also after `async`), otherwise the first token.
    pub fn position_token(&self) -> Option<SyntaxToken> {
        let special = match self {
            Stmt::AssignStmt(it) => it.assign_token(),
            Stmt::UnpackStmt(it) => it.assign_token(),
            Stmt::CallStmt(it) => it.call().and_then(|it| it.call_token()),
            Stmt::LabelStmt(_)
            | Stmt::AssertStmt(_)
            | Stmt::AssumeStmt(_)
            | Stmt::HavocStmt(_)
            | Stmt::MeasureStmt(_)
            | Stmt::RevealStmt(_)
            | Stmt::HideStmt(_)
            | Stmt::PushStmt(_)
            | Stmt::PopStmt(_)
            | Stmt::IfStmt(_)
            | Stmt::WhileStmt(_)
            | Stmt::BreakStmt(_)
            | Stmt::GotoStmt(_)
            | Stmt::ReturnStmt(_)
            | Stmt::YieldStmt(_) => None,
        };
        special.or_else(|| self.syntax().first_token())
    }
}
