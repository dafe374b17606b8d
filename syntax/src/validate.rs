//! Complaints about well-shaped declarations.
//!
//! **In:** the tree of a file. **Out:** problems that need more than one token of lookahead to
//! see, but no meaning: clauses a declaration cannot have, repeated constructors, and so on.
//!
//! # Invariants
//! - Only the outer part of a declaration is looked at, never its body: rules about statements
//!   and expressions are checked by the grammar while it reads them. So this costs little, and one
//!   declaration can be validated alone.

use std::collections::BTreeSet;

use crate::ast::{self, AstNode, HasAttributes as _};
use crate::error::{ErrorCode, SyntaxError};
use crate::tree::{SyntaxNode, TextRange};

/// Adds the problems of all declarations of a file.
pub(crate) fn validate(root: &SyntaxNode, errors: &mut Vec<SyntaxError>) {
    for item in root.children().filter_map(ast::Item::cast) {
        validate_item(&item, errors);
    }
}

/// Adds the problems of one declaration.
pub(crate) fn validate_item(item: &ast::Item, errors: &mut Vec<SyntaxError>) {
    let mut report = |range: TextRange, code: ErrorCode, message: String| {
        errors.push(SyntaxError { range, code, message });
    };
    match item {
        ast::Item::FunctionDecl(it) => function(it, &mut report),
        ast::Item::DatatypeDecl(it) => datatype(it, &mut report),
        ast::Item::ActionDecl(it) => {
            pure_action(it, &mut report);
            clauses(item.syntax(), &ACTION, &mut report);
            refines(it.spec_clauses(), &mut report);
        }
        ast::Item::YieldProcDecl(it) => {
            clauses(item.syntax(), &YIELD_PROC, &mut report);
            refines(it.spec_clauses(), &mut report);
        }
        ast::Item::ProcDecl(_) => clauses(item.syntax(), &PROC, &mut report),
        ast::Item::InvariantDecl(_) => clauses(item.syntax(), &INVARIANT, &mut report),
        ast::Item::ImplDecl(_) => clauses(item.syntax(), &IMPLEMENTATION, &mut report),
        ast::Item::ConstDecl(_)
        | ast::Item::AxiomDecl(_)
        | ast::Item::TypeDecl(_)
        | ast::Item::GlobalVarDecl(_) => {}
    }
}

type Report<'a> = dyn FnMut(TextRange, ErrorCode, String) + 'a;

/// Which clauses a declaration may have, and in which forms.
struct Clauses {
    owner: &'static str,
    allowed: &'static [Clause],
    /// Whether `requires call I();` and its kin are allowed.
    calls: bool,
    free: bool,
    inline_actions: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Clause {
    Refines,
    Requires,
    Ensures,
    Preserves,
    Asserts,
    Modifies,
    Measure,
}

const ACTION: Clauses = Clauses {
    owner: "an action",
    allowed: &[Clause::Refines, Clause::Modifies, Clause::Requires, Clause::Asserts],
    calls: true,
    free: false,
    inline_actions: false,
};
const YIELD_PROC: Clauses = Clauses {
    owner: "a yield procedure",
    allowed: &[
        Clause::Refines,
        Clause::Requires,
        Clause::Preserves,
        Clause::Ensures,
        Clause::Measure,
        Clause::Modifies,
    ],
    calls: true,
    free: false,
    inline_actions: true,
};
const PROC: Clauses = Clauses {
    owner: "a procedure",
    allowed: &[Clause::Modifies, Clause::Requires, Clause::Ensures, Clause::Measure],
    calls: false,
    free: true,
    inline_actions: false,
};
const INVARIANT: Clauses = Clauses {
    owner: "an invariant",
    allowed: &[Clause::Preserves],
    calls: false,
    free: false,
    inline_actions: false,
};
const IMPLEMENTATION: Clauses = Clauses {
    owner: "an implementation",
    allowed: &[],
    calls: false,
    free: false,
    inline_actions: false,
};

/// Complains about the first clause only: when the keyword of the declaration is wrong, all are.
fn clauses(decl: &SyntaxNode, rules: &Clauses, report: &mut Report<'_>) {
    for clause in decl.children().filter_map(ast::SpecClause::cast) {
        let facts = clause_facts(&clause);
        let owner = rules.owner;
        let range = clause.syntax().first_token().map_or(clause.range(), |it| it.text_range());
        let word = facts.word;
        let wrong = if !rules.allowed.contains(&facts.kind) {
            format!("`{word}`")
        } else if facts.call && !rules.calls {
            format!("`{word} call`")
        } else if facts.free && !rules.free {
            format!("`free {word}`")
        } else if facts.inline_action && !rules.inline_actions {
            "inline refined action".to_owned()
        } else {
            continue;
        };
        report(range, ErrorCode::ClauseNotAllowed, format!("{owner} has no {wrong}"));
        return;
    }
}

struct ClauseFacts {
    kind: Clause,
    word: &'static str,
    call: bool,
    free: bool,
    inline_action: bool,
}

fn clause_facts(clause: &ast::SpecClause) -> ClauseFacts {
    use ast::SpecClause as S;
    let (kind, word) = match clause {
        S::RefinesClause(_) => (Clause::Refines, "refines"),
        S::RequiresClause(_) => (Clause::Requires, "requires"),
        S::EnsuresClause(_) => (Clause::Ensures, "ensures"),
        S::PreservesClause(_) => (Clause::Preserves, "preserves"),
        S::AssertsClause(_) => (Clause::Asserts, "asserts"),
        S::ModifiesClause(_) => (Clause::Modifies, "modifies"),
        S::MeasureClause(_) => (Clause::Measure, "measure"),
    };
    let node = clause.syntax();
    ClauseFacts {
        kind,
        word,
        call: node.children().any(|it| ast::Call::can_cast(it.kind())),
        free: crate::ast::first_token_is(node, T![free]),
        inline_action: node.children().any(|it| ast::InlineAction::can_cast(it.kind())),
    }
}

fn refines(clauses: ast::AstChildren<ast::SpecClause>, report: &mut Report<'_>) {
    let all = clauses.filter_map(|it| match it {
        ast::SpecClause::RefinesClause(it) => Some(it),
        ast::SpecClause::RequiresClause(_)
        | ast::SpecClause::EnsuresClause(_)
        | ast::SpecClause::PreservesClause(_)
        | ast::SpecClause::AssertsClause(_)
        | ast::SpecClause::ModifiesClause(_)
        | ast::SpecClause::MeasureClause(_) => None,
    });
    for second in all.skip(1) {
        let range = second.refines_token().map_or(second.range(), |it| it.text_range());
        let message = "there is already a `refines` before this one".to_owned();
        report(range, ErrorCode::DuplicateRefines, message);
    }
}

fn pure_action(action: &ast::ActionDecl, report: &mut Report<'_>) {
    if let (true, Some(mover)) = (action.is_pure(), action.mover()) {
        let message = "a pure action is a both mover; drop the keyword".to_owned();
        report(mover.range(), ErrorCode::MoverOnPureAction, message);
    }
}

fn datatype(decl: &ast::DatatypeDecl, report: &mut Report<'_>) {
    let mut seen = BTreeSet::new();
    for name in decl.constructors().filter_map(|it| it.name()) {
        let text = name.text();
        if !seen.insert(text.clone()) {
            let message = format!("the datatype already has a constructor `{text}`");
            report(name.range(), ErrorCode::DuplicateConstructor, message);
        }
    }
}

fn function(decl: &ast::FunctionDecl, report: &mut Report<'_>) {
    if let (Some(define), Some(_)) = (decl.attribute("define"), decl.type_params()) {
        let message = "a function with `{:define}` has no type parameters".to_owned();
        report(define.range(), ErrorCode::DefinePolymorphic, message);
    }
    if let Some(params) = decl.function_param_list() {
        function_params(&params, report);
    }
}

/// As soon as one parameter has a name, all have.
fn function_params(params: &ast::FunctionParamList, report: &mut Report<'_>) {
    let all: Vec<ast::FunctionParam> = params.function_params().collect();
    if all.iter().all(|it| it.name().is_none()) {
        return;
    }
    for (i, param) in all.iter().enumerate() {
        if param.name().is_some() {
            continue;
        }
        if param.ty().is_some_and(|it| it.bare_name().is_none()) {
            let message = "expected a name: other parameters have names".to_owned();
            report(param.range(), ErrorCode::FunctionParameter, message);
        } else if i + 1 == all.len() {
            let message = "the last parameter has no type".to_owned();
            report(param.range(), ErrorCode::FunctionParameter, message);
        }
    }
}
