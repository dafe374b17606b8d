//! Every kind of token and node. Written by the test `generated_code_is_fresh`.

/// What a token or node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
#[allow(non_camel_case_types, reason = "kinds are written like constants")]
pub enum SyntaxKind {
    EOF,
    L_PAREN,
    R_PAREN,
    L_BRACK,
    R_BRACK,
    L_CURLY,
    R_CURLY,
    L_CODE,
    R_CODE,
    L_ANGLE,
    R_ANGLE,
    COMMA,
    SEMICOLON,
    COLON,
    COLON2,
    COLON_EQ,
    EQ,
    EQ2,
    NEQ,
    LTEQ,
    GTEQ,
    IMPLIES,
    EXPLIES,
    IFF,
    AMP2,
    PIPE2,
    PIPE,
    BANG,
    PLUS,
    MINUS,
    STAR,
    SLASH,
    STAR2,
    PLUS2,
    ARROW,
    ATOMIC_KW,
    BOTH_KW,
    LEFT_KW,
    RIGHT_KW,
    REVEAL_KW,
    HIDE_KW,
    PUSH_KW,
    POP_KW,
    YIELD_KW,
    VAR_KW,
    WHERE_KW,
    INT_KW,
    REAL_KW,
    BOOL_KW,
    CONST_KW,
    UNIQUE_KW,
    USES_KW,
    REVEALED_KW,
    FUNCTION_KW,
    RETURNS_KW,
    HIDEABLE_KW,
    AXIOM_KW,
    TYPE_KW,
    DATATYPE_KW,
    INVARIANT_KW,
    PRESERVES_KW,
    PURE_KW,
    ACTION_KW,
    REFINES_KW,
    PROCEDURE_KW,
    ASSERTS_KW,
    REQUIRES_KW,
    ENSURES_KW,
    MEASURE_KW,
    IMPLEMENTATION_KW,
    FREE_KW,
    MODIFIES_KW,
    GOTO_KW,
    RETURN_KW,
    IF_KW,
    ELSE_KW,
    WHILE_KW,
    BREAK_KW,
    ASSERT_KW,
    ASSUME_KW,
    HAVOC_KW,
    ASYNC_KW,
    CALL_KW,
    DIV_KW,
    MOD_KW,
    IS_KW,
    FALSE_KW,
    TRUE_KW,
    OLD_KW,
    THEN_KW,
    FORALL_KW,
    EXISTS_KW,
    LAMBDA_KW,
    IDENT,
    INT_NUMBER,
    DECIMAL_NUMBER,
    FLOAT_NUMBER,
    BV_NUMBER,
    STRING,
    ROUNDING_MODE,
    WHITESPACE,
    LINE_COMMENT,
    BLOCK_COMMENT,
    PRAGMA,
    ERROR_TOKEN,
    // nodes
    ERROR,
    SOURCE_FILE,
    CONST_DECL,
    FUNCTION_DECL,
    AXIOM_DECL,
    TYPE_DECL,
    DATATYPE_DECL,
    GLOBAL_VAR_DECL,
    INVARIANT_DECL,
    ACTION_DECL,
    YIELD_PROC_DECL,
    PROC_DECL,
    IMPL_DECL,
    ATTRIBUTE,
    NAME,
    USES_CLAUSE,
    TYPE_PARAMS,
    FUNCTION_PARAM_LIST,
    FUNCTION_RETURNS,
    FUNCTION_BODY,
    FUNCTION_PARAM,
    TYPE_DEF,
    TYPE_DEF_PARAMS,
    CONSTRUCTOR,
    PARAM_LIST,
    VAR_GROUP,
    WHERE_CLAUSE,
    PRESERVES_CLAUSE,
    MOVER,
    RETURNS,
    BODY,
    PARAM_GROUP,
    NAME_REF,
    ATTRIBUTE_NAME,
    ATTRIBUTE_ARG,
    PRIM_TYPE,
    NAMED_TYPE,
    MAP_TYPE,
    PAREN_TYPE,
    MAP_DOMAIN,
    REFINES_CLAUSE,
    REQUIRES_CLAUSE,
    ENSURES_CLAUSE,
    ASSERTS_CLAUSE,
    MODIFIES_CLAUSE,
    MEASURE_CLAUSE,
    INLINE_ACTION,
    CALL,
    CALL_ARM,
    CALL_OUTS,
    ARG_LIST,
    LOCAL_VAR_DECL,
    BLOCK,
    LABEL_STMT,
    ASSIGN_STMT,
    UNPACK_STMT,
    ASSERT_STMT,
    ASSUME_STMT,
    HAVOC_STMT,
    MEASURE_STMT,
    CALL_STMT,
    REVEAL_STMT,
    HIDE_STMT,
    PUSH_STMT,
    POP_STMT,
    IF_STMT,
    WHILE_STMT,
    BREAK_STMT,
    GOTO_STMT,
    RETURN_STMT,
    YIELD_STMT,
    LHS_PATH,
    LHS_INDEX,
    LHS_FIELD,
    UNPACK_VARS,
    GUARD,
    ELSE_BRANCH,
    LOOP_INVARIANT,
    BINARY_EXPR,
    UNARY_EXPR,
    IS_EXPR,
    COERCION_EXPR,
    INDEX_EXPR,
    STORE_EXPR,
    EXTRACT_EXPR,
    FIELD_EXPR,
    FIELD_UPDATE_EXPR,
    LITERAL,
    NAME_EXPR,
    CALL_EXPR,
    OLD_EXPR,
    CONVERT_EXPR,
    PAREN_EXPR,
    QUANT_EXPR,
    LAMBDA_EXPR,
    LET_EXPR,
    IF_EXPR,
    CODE_EXPR,
    INDEX_ARGS,
    STORE_ARGS,
    BOUND_VARS,
    TRIGGER,
    LET_BINDERS,
    LET_INITS,
    LET_VAR,
}

use self::SyntaxKind::*;

/// All kinds, in order of their numbers.
#[rustfmt::skip]
pub(crate) const ALL: &[SyntaxKind] = &[
    EOF, L_PAREN, R_PAREN, L_BRACK, R_BRACK, L_CURLY, R_CURLY, L_CODE,
    R_CODE, L_ANGLE, R_ANGLE, COMMA, SEMICOLON, COLON, COLON2, COLON_EQ,
    EQ, EQ2, NEQ, LTEQ, GTEQ, IMPLIES, EXPLIES, IFF,
    AMP2, PIPE2, PIPE, BANG, PLUS, MINUS, STAR, SLASH,
    STAR2, PLUS2, ARROW, ATOMIC_KW, BOTH_KW, LEFT_KW, RIGHT_KW, REVEAL_KW,
    HIDE_KW, PUSH_KW, POP_KW, YIELD_KW, VAR_KW, WHERE_KW, INT_KW, REAL_KW,
    BOOL_KW, CONST_KW, UNIQUE_KW, USES_KW, REVEALED_KW, FUNCTION_KW, RETURNS_KW, HIDEABLE_KW,
    AXIOM_KW, TYPE_KW, DATATYPE_KW, INVARIANT_KW, PRESERVES_KW, PURE_KW, ACTION_KW, REFINES_KW,
    PROCEDURE_KW, ASSERTS_KW, REQUIRES_KW, ENSURES_KW, MEASURE_KW, IMPLEMENTATION_KW, FREE_KW, MODIFIES_KW,
    GOTO_KW, RETURN_KW, IF_KW, ELSE_KW, WHILE_KW, BREAK_KW, ASSERT_KW, ASSUME_KW,
    HAVOC_KW, ASYNC_KW, CALL_KW, DIV_KW, MOD_KW, IS_KW, FALSE_KW, TRUE_KW,
    OLD_KW, THEN_KW, FORALL_KW, EXISTS_KW, LAMBDA_KW, IDENT, INT_NUMBER, DECIMAL_NUMBER,
    FLOAT_NUMBER, BV_NUMBER, STRING, ROUNDING_MODE, WHITESPACE, LINE_COMMENT, BLOCK_COMMENT, PRAGMA,
    ERROR_TOKEN, ERROR, SOURCE_FILE, CONST_DECL, FUNCTION_DECL, AXIOM_DECL, TYPE_DECL, DATATYPE_DECL,
    GLOBAL_VAR_DECL, INVARIANT_DECL, ACTION_DECL, YIELD_PROC_DECL, PROC_DECL, IMPL_DECL, ATTRIBUTE, NAME,
    USES_CLAUSE, TYPE_PARAMS, FUNCTION_PARAM_LIST, FUNCTION_RETURNS, FUNCTION_BODY, FUNCTION_PARAM, TYPE_DEF, TYPE_DEF_PARAMS,
    CONSTRUCTOR, PARAM_LIST, VAR_GROUP, WHERE_CLAUSE, PRESERVES_CLAUSE, MOVER, RETURNS, BODY,
    PARAM_GROUP, NAME_REF, ATTRIBUTE_NAME, ATTRIBUTE_ARG, PRIM_TYPE, NAMED_TYPE, MAP_TYPE, PAREN_TYPE,
    MAP_DOMAIN, REFINES_CLAUSE, REQUIRES_CLAUSE, ENSURES_CLAUSE, ASSERTS_CLAUSE, MODIFIES_CLAUSE, MEASURE_CLAUSE, INLINE_ACTION,
    CALL, CALL_ARM, CALL_OUTS, ARG_LIST, LOCAL_VAR_DECL, BLOCK, LABEL_STMT, ASSIGN_STMT,
    UNPACK_STMT, ASSERT_STMT, ASSUME_STMT, HAVOC_STMT, MEASURE_STMT, CALL_STMT, REVEAL_STMT, HIDE_STMT,
    PUSH_STMT, POP_STMT, IF_STMT, WHILE_STMT, BREAK_STMT, GOTO_STMT, RETURN_STMT, YIELD_STMT,
    LHS_PATH, LHS_INDEX, LHS_FIELD, UNPACK_VARS, GUARD, ELSE_BRANCH, LOOP_INVARIANT, BINARY_EXPR,
    UNARY_EXPR, IS_EXPR, COERCION_EXPR, INDEX_EXPR, STORE_EXPR, EXTRACT_EXPR, FIELD_EXPR, FIELD_UPDATE_EXPR,
    LITERAL, NAME_EXPR, CALL_EXPR, OLD_EXPR, CONVERT_EXPR, PAREN_EXPR, QUANT_EXPR, LAMBDA_EXPR,
    LET_EXPR, IF_EXPR, CODE_EXPR, INDEX_ARGS, STORE_ARGS, BOUND_VARS, TRIGGER, LET_BINDERS,
    LET_INITS, LET_VAR,
];

impl SyntaxKind {
    /// The text of a token kind that has only one spelling in ASCII.
    #[rustfmt::skip]
    pub const fn fixed_text(self) -> Option<&'static str> {
        let text = match self {
            L_PAREN => "(",
            R_PAREN => ")",
            L_BRACK => "[",
            R_BRACK => "]",
            L_CURLY => "{",
            R_CURLY => "}",
            L_CODE => "|{",
            R_CODE => "}|",
            L_ANGLE => "<",
            R_ANGLE => ">",
            COMMA => ",",
            SEMICOLON => ";",
            COLON => ":",
            COLON2 => "::",
            COLON_EQ => ":=",
            EQ => "=",
            EQ2 => "==",
            NEQ => "!=",
            LTEQ => "<=",
            GTEQ => ">=",
            IMPLIES => "==>",
            EXPLIES => "<==",
            IFF => "<==>",
            AMP2 => "&&",
            PIPE2 => "||",
            PIPE => "|",
            BANG => "!",
            PLUS => "+",
            MINUS => "-",
            STAR => "*",
            SLASH => "/",
            STAR2 => "**",
            PLUS2 => "++",
            ARROW => "->",
            ATOMIC_KW => "atomic",
            BOTH_KW => "both",
            LEFT_KW => "left",
            RIGHT_KW => "right",
            REVEAL_KW => "reveal",
            HIDE_KW => "hide",
            PUSH_KW => "push",
            POP_KW => "pop",
            YIELD_KW => "yield",
            VAR_KW => "var",
            WHERE_KW => "where",
            INT_KW => "int",
            REAL_KW => "real",
            BOOL_KW => "bool",
            CONST_KW => "const",
            UNIQUE_KW => "unique",
            USES_KW => "uses",
            REVEALED_KW => "revealed",
            FUNCTION_KW => "function",
            RETURNS_KW => "returns",
            HIDEABLE_KW => "hideable",
            AXIOM_KW => "axiom",
            TYPE_KW => "type",
            DATATYPE_KW => "datatype",
            INVARIANT_KW => "invariant",
            PRESERVES_KW => "preserves",
            PURE_KW => "pure",
            ACTION_KW => "action",
            REFINES_KW => "refines",
            PROCEDURE_KW => "procedure",
            ASSERTS_KW => "asserts",
            REQUIRES_KW => "requires",
            ENSURES_KW => "ensures",
            MEASURE_KW => "measure",
            IMPLEMENTATION_KW => "implementation",
            FREE_KW => "free",
            MODIFIES_KW => "modifies",
            GOTO_KW => "goto",
            RETURN_KW => "return",
            IF_KW => "if",
            ELSE_KW => "else",
            WHILE_KW => "while",
            BREAK_KW => "break",
            ASSERT_KW => "assert",
            ASSUME_KW => "assume",
            HAVOC_KW => "havoc",
            ASYNC_KW => "async",
            CALL_KW => "call",
            DIV_KW => "div",
            MOD_KW => "mod",
            IS_KW => "is",
            FALSE_KW => "false",
            TRUE_KW => "true",
            OLD_KW => "old",
            THEN_KW => "then",
            FORALL_KW => "forall",
            EXISTS_KW => "exists",
            LAMBDA_KW => "lambda",
            _ => return None,
        };
        Some(text)
    }

    /// The keyword spelled `text`, soft keywords included.
    #[rustfmt::skip]
    pub fn from_keyword(text: &[u8]) -> Option<SyntaxKind> {
        let kind = match text {
            b"atomic" => ATOMIC_KW,
            b"both" => BOTH_KW,
            b"left" => LEFT_KW,
            b"right" => RIGHT_KW,
            b"reveal" => REVEAL_KW,
            b"hide" => HIDE_KW,
            b"push" => PUSH_KW,
            b"pop" => POP_KW,
            b"yield" => YIELD_KW,
            b"var" => VAR_KW,
            b"where" => WHERE_KW,
            b"int" => INT_KW,
            b"real" => REAL_KW,
            b"bool" => BOOL_KW,
            b"const" => CONST_KW,
            b"unique" => UNIQUE_KW,
            b"uses" => USES_KW,
            b"revealed" => REVEALED_KW,
            b"function" => FUNCTION_KW,
            b"returns" => RETURNS_KW,
            b"hideable" => HIDEABLE_KW,
            b"axiom" => AXIOM_KW,
            b"type" => TYPE_KW,
            b"datatype" => DATATYPE_KW,
            b"invariant" => INVARIANT_KW,
            b"preserves" => PRESERVES_KW,
            b"pure" => PURE_KW,
            b"action" => ACTION_KW,
            b"refines" => REFINES_KW,
            b"procedure" => PROCEDURE_KW,
            b"asserts" => ASSERTS_KW,
            b"requires" => REQUIRES_KW,
            b"ensures" => ENSURES_KW,
            b"measure" => MEASURE_KW,
            b"implementation" => IMPLEMENTATION_KW,
            b"free" => FREE_KW,
            b"modifies" => MODIFIES_KW,
            b"goto" => GOTO_KW,
            b"return" => RETURN_KW,
            b"if" => IF_KW,
            b"else" => ELSE_KW,
            b"while" => WHILE_KW,
            b"break" => BREAK_KW,
            b"assert" => ASSERT_KW,
            b"assume" => ASSUME_KW,
            b"havoc" => HAVOC_KW,
            b"async" => ASYNC_KW,
            b"call" => CALL_KW,
            b"div" => DIV_KW,
            b"mod" => MOD_KW,
            b"is" => IS_KW,
            b"false" => FALSE_KW,
            b"true" => TRUE_KW,
            b"old" => OLD_KW,
            b"then" => THEN_KW,
            b"forall" => FORALL_KW,
            b"exists" => EXISTS_KW,
            b"lambda" => LAMBDA_KW,
            _ => return None,
        };
        Some(kind)
    }
}

/// The kind of a token by its text: `T![:=]`, `T![call]`, `T!['(']`.
#[macro_export]
#[rustfmt::skip]
macro_rules! T {
    ['('] => { $crate::SyntaxKind::L_PAREN };
    [')'] => { $crate::SyntaxKind::R_PAREN };
    ['['] => { $crate::SyntaxKind::L_BRACK };
    [']'] => { $crate::SyntaxKind::R_BRACK };
    ['{'] => { $crate::SyntaxKind::L_CURLY };
    ['}'] => { $crate::SyntaxKind::R_CURLY };
    ["|{"] => { $crate::SyntaxKind::L_CODE };
    ["}|"] => { $crate::SyntaxKind::R_CODE };
    [<] => { $crate::SyntaxKind::L_ANGLE };
    [>] => { $crate::SyntaxKind::R_ANGLE };
    [,] => { $crate::SyntaxKind::COMMA };
    [;] => { $crate::SyntaxKind::SEMICOLON };
    [:] => { $crate::SyntaxKind::COLON };
    [::] => { $crate::SyntaxKind::COLON2 };
    [:=] => { $crate::SyntaxKind::COLON_EQ };
    [=] => { $crate::SyntaxKind::EQ };
    [==] => { $crate::SyntaxKind::EQ2 };
    [!=] => { $crate::SyntaxKind::NEQ };
    [<=] => { $crate::SyntaxKind::LTEQ };
    [>=] => { $crate::SyntaxKind::GTEQ };
    [==>] => { $crate::SyntaxKind::IMPLIES };
    [<==] => { $crate::SyntaxKind::EXPLIES };
    [<==>] => { $crate::SyntaxKind::IFF };
    [&&] => { $crate::SyntaxKind::AMP2 };
    [||] => { $crate::SyntaxKind::PIPE2 };
    [|] => { $crate::SyntaxKind::PIPE };
    [!] => { $crate::SyntaxKind::BANG };
    [+] => { $crate::SyntaxKind::PLUS };
    [-] => { $crate::SyntaxKind::MINUS };
    [*] => { $crate::SyntaxKind::STAR };
    [/] => { $crate::SyntaxKind::SLASH };
    [**] => { $crate::SyntaxKind::STAR2 };
    [++] => { $crate::SyntaxKind::PLUS2 };
    [->] => { $crate::SyntaxKind::ARROW };
    [atomic] => { $crate::SyntaxKind::ATOMIC_KW };
    [both] => { $crate::SyntaxKind::BOTH_KW };
    [left] => { $crate::SyntaxKind::LEFT_KW };
    [right] => { $crate::SyntaxKind::RIGHT_KW };
    [reveal] => { $crate::SyntaxKind::REVEAL_KW };
    [hide] => { $crate::SyntaxKind::HIDE_KW };
    [push] => { $crate::SyntaxKind::PUSH_KW };
    [pop] => { $crate::SyntaxKind::POP_KW };
    [yield] => { $crate::SyntaxKind::YIELD_KW };
    [var] => { $crate::SyntaxKind::VAR_KW };
    [where] => { $crate::SyntaxKind::WHERE_KW };
    [int] => { $crate::SyntaxKind::INT_KW };
    [real] => { $crate::SyntaxKind::REAL_KW };
    [bool] => { $crate::SyntaxKind::BOOL_KW };
    [const] => { $crate::SyntaxKind::CONST_KW };
    [unique] => { $crate::SyntaxKind::UNIQUE_KW };
    [uses] => { $crate::SyntaxKind::USES_KW };
    [revealed] => { $crate::SyntaxKind::REVEALED_KW };
    [function] => { $crate::SyntaxKind::FUNCTION_KW };
    [returns] => { $crate::SyntaxKind::RETURNS_KW };
    [hideable] => { $crate::SyntaxKind::HIDEABLE_KW };
    [axiom] => { $crate::SyntaxKind::AXIOM_KW };
    [type] => { $crate::SyntaxKind::TYPE_KW };
    [datatype] => { $crate::SyntaxKind::DATATYPE_KW };
    [invariant] => { $crate::SyntaxKind::INVARIANT_KW };
    [preserves] => { $crate::SyntaxKind::PRESERVES_KW };
    [pure] => { $crate::SyntaxKind::PURE_KW };
    [action] => { $crate::SyntaxKind::ACTION_KW };
    [refines] => { $crate::SyntaxKind::REFINES_KW };
    [procedure] => { $crate::SyntaxKind::PROCEDURE_KW };
    [asserts] => { $crate::SyntaxKind::ASSERTS_KW };
    [requires] => { $crate::SyntaxKind::REQUIRES_KW };
    [ensures] => { $crate::SyntaxKind::ENSURES_KW };
    [measure] => { $crate::SyntaxKind::MEASURE_KW };
    [implementation] => { $crate::SyntaxKind::IMPLEMENTATION_KW };
    [free] => { $crate::SyntaxKind::FREE_KW };
    [modifies] => { $crate::SyntaxKind::MODIFIES_KW };
    [goto] => { $crate::SyntaxKind::GOTO_KW };
    [return] => { $crate::SyntaxKind::RETURN_KW };
    [if] => { $crate::SyntaxKind::IF_KW };
    [else] => { $crate::SyntaxKind::ELSE_KW };
    [while] => { $crate::SyntaxKind::WHILE_KW };
    [break] => { $crate::SyntaxKind::BREAK_KW };
    [assert] => { $crate::SyntaxKind::ASSERT_KW };
    [assume] => { $crate::SyntaxKind::ASSUME_KW };
    [havoc] => { $crate::SyntaxKind::HAVOC_KW };
    [async] => { $crate::SyntaxKind::ASYNC_KW };
    [call] => { $crate::SyntaxKind::CALL_KW };
    [div] => { $crate::SyntaxKind::DIV_KW };
    [mod] => { $crate::SyntaxKind::MOD_KW };
    [is] => { $crate::SyntaxKind::IS_KW };
    [false] => { $crate::SyntaxKind::FALSE_KW };
    [true] => { $crate::SyntaxKind::TRUE_KW };
    [old] => { $crate::SyntaxKind::OLD_KW };
    [then] => { $crate::SyntaxKind::THEN_KW };
    [forall] => { $crate::SyntaxKind::FORALL_KW };
    [exists] => { $crate::SyntaxKind::EXISTS_KW };
    [lambda] => { $crate::SyntaxKind::LAMBDA_KW };
    [ident] => { $crate::SyntaxKind::IDENT };
    [int_number] => { $crate::SyntaxKind::INT_NUMBER };
    [decimal_number] => { $crate::SyntaxKind::DECIMAL_NUMBER };
    [float_number] => { $crate::SyntaxKind::FLOAT_NUMBER };
    [bv_number] => { $crate::SyntaxKind::BV_NUMBER };
    [string] => { $crate::SyntaxKind::STRING };
    [rounding_mode] => { $crate::SyntaxKind::ROUNDING_MODE };
}
