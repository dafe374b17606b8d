//! Complaints about well-shaped declarations.
//!
//! **In:** the tree of a file. **Out:** problems that need more than one token of lookahead to
//! see, but no meaning: clauses a declaration cannot have, repeated constructors, and so on.
//!
//! # Invariants
//! - Only the outer part of a declaration is looked at, never its body: rules about statements
//!   and expressions are checked by the grammar while it reads them. So this costs little, and one
//!   declaration can be validated alone.

use std::collections::BTreeMap;

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
    let mut report = |error: SyntaxError| errors.push(error);
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

type Report<'a> = dyn FnMut(SyntaxError) + 'a;

/// Which clauses a declaration may have, and in which forms.
struct Clauses {
    owner: &'static str,
    /// What is to be seen at its name.
    declared: &'static str,
    /// What to do about a clause of a kind it cannot have, if not what the clause says.
    help: Option<&'static str>,
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

impl Clause {
    /// Which declarations have such a clause.
    const fn owners(self) -> &'static str {
        match self {
            Clause::Refines => "drop it; only actions and yield procedures refine something",
            Clause::Requires => "drop it; actions and procedures have `requires`",
            Clause::Ensures => "drop it; procedures have `ensures`, an action says it in its body",
            Clause::Preserves => "drop it; yield procedures and invariants have `preserves`",
            Clause::Asserts => "drop it; only actions have `asserts`, procedures have `requires`",
            Clause::Modifies => "drop it; actions and procedures have `modifies`",
            Clause::Measure => "drop it; only procedures have a `measure`",
        }
    }
}

const ACTION: Clauses = Clauses {
    owner: "an action",
    declared: "this is declared as an action",
    help: None,
    allowed: &[Clause::Refines, Clause::Modifies, Clause::Requires, Clause::Asserts],
    calls: true,
    free: false,
    inline_actions: false,
};
const YIELD_PROC: Clauses = Clauses {
    owner: "a yield procedure",
    declared: "this is declared as a yield procedure",
    help: None,
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
    declared: "this is declared as a procedure",
    help: None,
    allowed: &[Clause::Modifies, Clause::Requires, Clause::Ensures, Clause::Measure],
    calls: false,
    free: true,
    inline_actions: false,
};
const INVARIANT: Clauses = Clauses {
    owner: "an invariant",
    declared: "this is declared as an invariant",
    help: Some("drop it; an invariant has `preserves` clauses only"),
    allowed: &[Clause::Preserves],
    calls: false,
    free: false,
    inline_actions: false,
};
const IMPLEMENTATION: Clauses = Clauses {
    owner: "an implementation",
    declared: "this is declared as an implementation",
    help: Some("write the clause at the procedure that is implemented"),
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
        let (wrong, help) = if !rules.allowed.contains(&facts.kind) {
            (format!("`{word}`"), rules.help.unwrap_or(facts.kind.owners()))
        } else if facts.call && !rules.calls {
            let help =
                "write the formula itself; only yield procedures and actions call invariants";
            (format!("`{word} call`"), help)
        } else if facts.free && !rules.free {
            (
                format!("`free {word}`"),
                "drop `free`; only plain procedures may take a clause on faith",
            )
        } else if facts.inline_action && !rules.inline_actions {
            let help = "declare the action and name it; only yield procedures refine one in place";
            ("inline refined action".to_owned(), help)
        } else {
            continue;
        };
        let name = decl.children().find_map(ast::Name::cast);
        report(SyntaxError {
            range,
            code: ErrorCode::ClauseNotAllowed,
            message: format!("{owner} has no {wrong}"),
            other: name.map(|it| (it.range(), rules.declared)),
            help,
        });
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
    let range =
        |it: &ast::RefinesClause| it.refines_token().map_or(it.range(), |it| it.text_range());
    let mut all = all.map(|it| range(&it));
    let Some(first) = all.next() else { return };
    for second in all {
        report(SyntaxError {
            range: second,
            code: ErrorCode::DuplicateRefines,
            message: "there is already a `refines` before this one".to_owned(),
            other: Some((first, "the first one")),
            help: "keep one of them; nothing refines two actions",
        });
    }
}

fn pure_action(action: &ast::ActionDecl, report: &mut Report<'_>) {
    if let (true, Some(mover)) = (action.is_pure(), action.mover()) {
        let pure = action.pure_token().map(|it| it.text_range());
        report(SyntaxError {
            range: mover.range(),
            code: ErrorCode::MoverOnPureAction,
            message: "a pure action has no mover keyword".to_owned(),
            other: pure.map(|it| (it, "this makes it pure")),
            help: "drop the keyword; a pure action touches no shared state and is a both mover",
        });
    }
}

fn datatype(decl: &ast::DatatypeDecl, report: &mut Report<'_>) {
    let mut seen: BTreeMap<String, TextRange> = BTreeMap::new();
    for name in decl.constructors().filter_map(|it| it.name()) {
        let text = name.text();
        if let Some(first) = seen.get(&text) {
            report(SyntaxError {
                range: name.range(),
                code: ErrorCode::DuplicateConstructor,
                message: format!("the datatype already has a constructor `{text}`"),
                other: Some((*first, "the first one")),
                help: "rename one of them",
            });
        } else {
            seen.insert(text, name.range());
        }
    }
}

fn function(decl: &ast::FunctionDecl, report: &mut Report<'_>) {
    if let (Some(define), Some(params)) = (decl.attribute("define"), decl.type_params()) {
        report(SyntaxError {
            range: define.range(),
            code: ErrorCode::DefinePolymorphic,
            message: "a function with `{:define}` has no type parameters".to_owned(),
            other: Some((params.range(), "the type parameters")),
            help: "drop the type parameters, or write `{:inline}` instead",
        });
    }
    if let Some(params) = decl.function_param_list() {
        function_params(&params, report);
    }
}

/// As soon as one parameter has a name, all have.
fn function_params(params: &ast::FunctionParamList, report: &mut Report<'_>) {
    let all: Vec<ast::FunctionParam> = params.function_params().collect();
    let Some(named) = all.iter().find_map(ast::FunctionParam::name) else { return };
    for (i, param) in all.iter().enumerate() {
        if param.name().is_some() {
            continue;
        }
        let (message, help) = if param.ty().is_some_and(|it| it.bare_name().is_none()) {
            ("expected a name: other parameters have names", "name all parameters, or none")
        } else if i + 1 == all.len() {
            ("the last parameter has no type", "write `:` and its type after the name")
        } else {
            continue;
        };
        report(SyntaxError {
            range: param.range(),
            code: ErrorCode::FunctionParameter,
            message: message.to_owned(),
            other: Some((named.range(), "this one has a name")),
            help,
        });
    }
}
