//! Typed views of nodes, one per rule of `civl.ungram`.
//! Written by the test `generated_code_is_fresh`; accessors of labelled children are
//! written by hand in the sibling files.

use super::support::{ast_enum, ast_node};

ast_node!(SourceFile = SOURCE_FILE {
    many items: Item;
});

ast_enum!(Item {
    ConstDecl,
    FunctionDecl,
    AxiomDecl,
    TypeDecl,
    DatatypeDecl,
    GlobalVarDecl,
    InvariantDecl,
    ActionDecl,
    YieldProcDecl,
    ProcDecl,
    ImplDecl,
});

ast_node!(ConstDecl = CONST_DECL {
    token const_token: CONST_KW;
    many attributes: Attribute;
    token unique_token: UNIQUE_KW;
    many names: Name;
    token colon_token: COLON;
    one ty: Type;
    token semicolon_token: SEMICOLON;
    one uses_clause: UsesClause;
});

ast_node!(FunctionDecl = FUNCTION_DECL {
    token revealed_token: REVEALED_KW;
    token function_token: FUNCTION_KW;
    many attributes: Attribute;
    one name: Name;
    one type_params: TypeParams;
    one function_param_list: FunctionParamList;
    one function_returns: FunctionReturns;
    one function_body: FunctionBody;
    one uses_clause: UsesClause;
    token semicolon_token: SEMICOLON;
});

ast_node!(AxiomDecl = AXIOM_DECL {
    token hideable_token: HIDEABLE_KW;
    token axiom_token: AXIOM_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(TypeDecl = TYPE_DECL {
    token type_token: TYPE_KW;
    many attributes: Attribute;
    many type_defs: TypeDef;
    token semicolon_token: SEMICOLON;
});

ast_node!(DatatypeDecl = DATATYPE_DECL {
    token datatype_token: DATATYPE_KW;
    many attributes: Attribute;
    one name: Name;
    one type_params: TypeParams;
    token l_curly_token: L_CURLY;
    many constructors: Constructor;
    token r_curly_token: R_CURLY;
});

ast_node!(GlobalVarDecl = GLOBAL_VAR_DECL {
    token var_token: VAR_KW;
    many attributes: Attribute;
    many var_groups: VarGroup;
    token semicolon_token: SEMICOLON;
});

ast_node!(InvariantDecl = INVARIANT_DECL {
    token yield_token: YIELD_KW;
    token invariant_token: INVARIANT_KW;
    many attributes: Attribute;
    one name: Name;
    one param_list: ParamList;
    token semicolon_token: SEMICOLON;
    many preserves_clauses: PreservesClause;
});

ast_node!(ActionDecl = ACTION_DECL {
    token pure_token: PURE_KW;
    one mover: Mover;
    token action_token: ACTION_KW;
    many attributes: Attribute;
    one name: Name;
    one param_list: ParamList;
    one returns: Returns;
    token semicolon_token: SEMICOLON;
    many spec_clauses: SpecClause;
    one body: Body;
});

ast_node!(YieldProcDecl = YIELD_PROC_DECL {
    token yield_token: YIELD_KW;
    one mover: Mover;
    token procedure_token: PROCEDURE_KW;
    many attributes: Attribute;
    one name: Name;
    one param_list: ParamList;
    one returns: Returns;
    token semicolon_token: SEMICOLON;
    many spec_clauses: SpecClause;
    one body: Body;
});

ast_node!(ProcDecl = PROC_DECL {
    token pure_token: PURE_KW;
    token procedure_token: PROCEDURE_KW;
    many attributes: Attribute;
    one name: Name;
    one type_params: TypeParams;
    one param_list: ParamList;
    one returns: Returns;
    token semicolon_token: SEMICOLON;
    many spec_clauses: SpecClause;
    one body: Body;
});

ast_node!(ImplDecl = IMPL_DECL {
    token implementation_token: IMPLEMENTATION_KW;
    many attributes: Attribute;
    one name: Name;
    one type_params: TypeParams;
    one param_list: ParamList;
    one returns: Returns;
    one body: Body;
});

ast_node!(Attribute = ATTRIBUTE {
    token l_curly_token: L_CURLY;
    token colon_token: COLON;
    one attribute_name: AttributeName;
    many attribute_args: AttributeArg;
    token r_curly_token: R_CURLY;
});

ast_node!(Name = NAME {
    token ident_token: IDENT;
});

ast_enum!(Type {
    PrimType,
    NamedType,
    MapType,
    ParenType,
});

ast_node!(UsesClause = USES_CLAUSE {
    token uses_token: USES_KW;
    token l_curly_token: L_CURLY;
    many axiom_decls: AxiomDecl;
    token r_curly_token: R_CURLY;
});

ast_node!(TypeParams = TYPE_PARAMS {
    token l_angle_token: L_ANGLE;
    many names: Name;
    token r_angle_token: R_ANGLE;
});

ast_node!(FunctionParamList = FUNCTION_PARAM_LIST {
    token l_paren_token: L_PAREN;
    many function_params: FunctionParam;
    token r_paren_token: R_PAREN;
});

ast_node!(FunctionReturns = FUNCTION_RETURNS {
    token returns_token: RETURNS_KW;
    token l_paren_token: L_PAREN;
    one function_param: FunctionParam;
    token r_paren_token: R_PAREN;
    token colon_token: COLON;
    one ty: Type;
});

ast_node!(FunctionBody = FUNCTION_BODY {
    token l_curly_token: L_CURLY;
    one expr: Expr;
    token r_curly_token: R_CURLY;
});

ast_node!(FunctionParam = FUNCTION_PARAM {
    many attributes: Attribute;
    one name: Name;
    token colon_token: COLON;
    one ty: Type;
});

ast_enum!(Expr {
    BinaryExpr,
    UnaryExpr,
    IsExpr,
    CoercionExpr,
    IndexExpr,
    StoreExpr,
    ExtractExpr,
    FieldExpr,
    FieldUpdateExpr,
    Literal,
    NameExpr,
    CallExpr,
    OldExpr,
    ConvertExpr,
    ParenExpr,
    QuantExpr,
    LambdaExpr,
    LetExpr,
    IfExpr,
    CodeExpr,
});

ast_node!(TypeDef = TYPE_DEF {
    one name: Name;
    one type_def_params: TypeDefParams;
    token eq_token: EQ;
    one ty: Type;
});

ast_node!(TypeDefParams = TYPE_DEF_PARAMS {
    many names: Name;
});

ast_node!(Constructor = CONSTRUCTOR {
    one name: Name;
    one param_list: ParamList;
});

ast_node!(ParamList = PARAM_LIST {
    token l_paren_token: L_PAREN;
    many param_groups: ParamGroup;
    token r_paren_token: R_PAREN;
});

ast_node!(VarGroup = VAR_GROUP {
    many names: Name;
    token colon_token: COLON;
    one ty: Type;
    one where_clause: WhereClause;
});

ast_node!(WhereClause = WHERE_CLAUSE {
    token where_token: WHERE_KW;
    one expr: Expr;
});

ast_node!(PreservesClause = PRESERVES_CLAUSE {
    token free_token: FREE_KW;
    token preserves_token: PRESERVES_KW;
    many attributes: Attribute;
    one expr: Expr;
    one call: Call;
    token semicolon_token: SEMICOLON;
});

ast_node!(Mover = MOVER {
    token left_token: LEFT_KW;
    token right_token: RIGHT_KW;
    token both_token: BOTH_KW;
    token atomic_token: ATOMIC_KW;
});

ast_node!(Returns = RETURNS {
    token returns_token: RETURNS_KW;
    one param_list: ParamList;
});

ast_enum!(SpecClause {
    RefinesClause,
    RequiresClause,
    EnsuresClause,
    PreservesClause,
    AssertsClause,
    ModifiesClause,
    MeasureClause,
});

ast_node!(Body = BODY {
    token l_curly_token: L_CURLY;
    many local_var_decls: LocalVarDecl;
    many stmts: Stmt;
    token r_curly_token: R_CURLY;
});

ast_node!(ParamGroup = PARAM_GROUP {
    many attributes: Attribute;
    many names: Name;
    token colon_token: COLON;
    one ty: Type;
    one where_clause: WhereClause;
});

ast_node!(NameRef = NAME_REF {
    token ident_token: IDENT;
});

ast_node!(AttributeName = ATTRIBUTE_NAME {
    token ident_token: IDENT;
});

ast_node!(AttributeArg = ATTRIBUTE_ARG {
    one expr: Expr;
});

ast_node!(PrimType = PRIM_TYPE {
    token int_token: INT_KW;
    token real_token: REAL_KW;
    token bool_token: BOOL_KW;
});

ast_node!(NamedType = NAMED_TYPE {
    one name_ref: NameRef;
});

ast_node!(MapType = MAP_TYPE {
    one type_params: TypeParams;
    one map_domain: MapDomain;
    one ty: Type;
});

ast_node!(ParenType = PAREN_TYPE {
    token l_paren_token: L_PAREN;
    one ty: Type;
    token r_paren_token: R_PAREN;
});

ast_node!(MapDomain = MAP_DOMAIN {
    token l_brack_token: L_BRACK;
    many types: Type;
    token r_brack_token: R_BRACK;
});

ast_node!(RefinesClause = REFINES_CLAUSE {
    token refines_token: REFINES_KW;
    many attributes: Attribute;
    one name_ref: NameRef;
    one inline_action: InlineAction;
    token semicolon_token: SEMICOLON;
});

ast_node!(RequiresClause = REQUIRES_CLAUSE {
    token free_token: FREE_KW;
    token requires_token: REQUIRES_KW;
    many attributes: Attribute;
    one expr: Expr;
    one call: Call;
    token semicolon_token: SEMICOLON;
});

ast_node!(EnsuresClause = ENSURES_CLAUSE {
    token free_token: FREE_KW;
    token ensures_token: ENSURES_KW;
    many attributes: Attribute;
    one expr: Expr;
    one call: Call;
    token semicolon_token: SEMICOLON;
});

ast_node!(AssertsClause = ASSERTS_CLAUSE {
    token asserts_token: ASSERTS_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(ModifiesClause = MODIFIES_CLAUSE {
    token modifies_token: MODIFIES_KW;
    many name_refs: NameRef;
    token semicolon_token: SEMICOLON;
});

ast_node!(MeasureClause = MEASURE_CLAUSE {
    token free_token: FREE_KW;
    token measure_token: MEASURE_KW;
    many attributes: Attribute;
    many exprs: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(InlineAction = INLINE_ACTION {
    one mover: Mover;
    token action_token: ACTION_KW;
    many attributes: Attribute;
    one name: Name;
    one body: Body;
});

ast_node!(Call = CALL {
    token async_token: ASYNC_KW;
    token free_token: FREE_KW;
    token call_token: CALL_KW;
    many call_arms: CallArm;
});

ast_node!(CallArm = CALL_ARM {
    many attributes: Attribute;
    one call_outs: CallOuts;
    token assign_token: COLON_EQ;
    one name_ref: NameRef;
    one arg_list: ArgList;
});

ast_node!(CallOuts = CALL_OUTS {
    many name_refs: NameRef;
});

ast_node!(ArgList = ARG_LIST {
    token l_paren_token: L_PAREN;
    many exprs: Expr;
    token r_paren_token: R_PAREN;
});

ast_node!(LocalVarDecl = LOCAL_VAR_DECL {
    token var_token: VAR_KW;
    many attributes: Attribute;
    many var_groups: VarGroup;
    token semicolon_token: SEMICOLON;
});

ast_enum!(Stmt {
    LabelStmt,
    AssignStmt,
    UnpackStmt,
    AssertStmt,
    AssumeStmt,
    HavocStmt,
    MeasureStmt,
    CallStmt,
    RevealStmt,
    HideStmt,
    PushStmt,
    PopStmt,
    IfStmt,
    WhileStmt,
    BreakStmt,
    GotoStmt,
    ReturnStmt,
    YieldStmt,
});

ast_node!(Block = BLOCK {
    token l_curly_token: L_CURLY;
    many stmts: Stmt;
    token r_curly_token: R_CURLY;
});

ast_node!(LabelStmt = LABEL_STMT {
    one name: Name;
    token colon_token: COLON;
});

ast_node!(AssignStmt = ASSIGN_STMT {
    many lhs_paths: LhsPath;
    token assign_token: COLON_EQ;
    many attributes: Attribute;
    many exprs: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(UnpackStmt = UNPACK_STMT {
    one name_ref: NameRef;
    one unpack_vars: UnpackVars;
    token assign_token: COLON_EQ;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(AssertStmt = ASSERT_STMT {
    token assert_token: ASSERT_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(AssumeStmt = ASSUME_STMT {
    token assume_token: ASSUME_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(HavocStmt = HAVOC_STMT {
    token havoc_token: HAVOC_KW;
    many name_refs: NameRef;
    token semicolon_token: SEMICOLON;
});

ast_node!(MeasureStmt = MEASURE_STMT {
    token measure_token: MEASURE_KW;
    many attributes: Attribute;
    many exprs: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(CallStmt = CALL_STMT {
    one call: Call;
    token semicolon_token: SEMICOLON;
});

ast_node!(RevealStmt = REVEAL_STMT {
    token reveal_token: REVEAL_KW;
    one name_ref: NameRef;
    token star_token: STAR;
    token semicolon_token: SEMICOLON;
});

ast_node!(HideStmt = HIDE_STMT {
    token hide_token: HIDE_KW;
    one name_ref: NameRef;
    token star_token: STAR;
    token semicolon_token: SEMICOLON;
});

ast_node!(PushStmt = PUSH_STMT {
    token push_token: PUSH_KW;
    token semicolon_token: SEMICOLON;
});

ast_node!(PopStmt = POP_STMT {
    token pop_token: POP_KW;
    token semicolon_token: SEMICOLON;
});

ast_node!(IfStmt = IF_STMT {
    token if_token: IF_KW;
    many attributes: Attribute;
    one guard: Guard;
    one block: Block;
    one else_branch: ElseBranch;
});

ast_node!(WhileStmt = WHILE_STMT {
    token while_token: WHILE_KW;
    one guard: Guard;
    many loop_specs: LoopSpec;
    one block: Block;
});

ast_node!(BreakStmt = BREAK_STMT {
    token break_token: BREAK_KW;
    one name_ref: NameRef;
    token semicolon_token: SEMICOLON;
});

ast_node!(GotoStmt = GOTO_STMT {
    token goto_token: GOTO_KW;
    many attributes: Attribute;
    many name_refs: NameRef;
    token semicolon_token: SEMICOLON;
});

ast_node!(ReturnStmt = RETURN_STMT {
    token return_token: RETURN_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(YieldStmt = YIELD_STMT {
    token yield_token: YIELD_KW;
    many attributes: Attribute;
    one expr: Expr;
    token semicolon_token: SEMICOLON;
});

ast_node!(LhsPath = LHS_PATH {
    one name_ref: NameRef;
    many accesses: LhsAccess;
});

ast_enum!(LhsAccess {
    LhsIndex,
    LhsField,
});

ast_node!(LhsIndex = LHS_INDEX {
    token l_brack_token: L_BRACK;
    many exprs: Expr;
    token r_brack_token: R_BRACK;
});

ast_node!(LhsField = LHS_FIELD {
    token arrow_token: ARROW;
    one name_ref: NameRef;
});

ast_node!(UnpackVars = UNPACK_VARS {
    token l_paren_token: L_PAREN;
    many name_refs: NameRef;
    token r_paren_token: R_PAREN;
});

ast_node!(Guard = GUARD {
    token l_paren_token: L_PAREN;
    token star_token: STAR;
    one expr: Expr;
    token r_paren_token: R_PAREN;
});

ast_node!(ElseBranch = ELSE_BRANCH {
    token else_token: ELSE_KW;
    one if_stmt: IfStmt;
    one block: Block;
});

ast_enum!(LoopSpec {
    LoopInvariant,
    MeasureClause,
});

ast_node!(LoopInvariant = LOOP_INVARIANT {
    token free_token: FREE_KW;
    token invariant_token: INVARIANT_KW;
    many attributes: Attribute;
    one expr: Expr;
    one call: Call;
    token semicolon_token: SEMICOLON;
});

ast_node!(BinaryExpr = BINARY_EXPR {
});

ast_node!(UnaryExpr = UNARY_EXPR {
    token minus_token: MINUS;
    token bang_token: BANG;
    one expr: Expr;
});

ast_node!(IsExpr = IS_EXPR {
    one expr: Expr;
    token is_token: IS_KW;
    one name_ref: NameRef;
});

ast_node!(CoercionExpr = COERCION_EXPR {
    one expr: Expr;
    token colon_token: COLON;
    one ty: Type;
});

ast_node!(IndexExpr = INDEX_EXPR {
    one expr: Expr;
    one index_args: IndexArgs;
});

ast_node!(StoreExpr = STORE_EXPR {
    one expr: Expr;
    one store_args: StoreArgs;
});

ast_node!(ExtractExpr = EXTRACT_EXPR {
    one expr: Expr;
    token l_brack_token: L_BRACK;
    token colon_token: COLON;
    token r_brack_token: R_BRACK;
});

ast_node!(FieldExpr = FIELD_EXPR {
    one expr: Expr;
    token arrow_token: ARROW;
    one name_ref: NameRef;
});

ast_node!(FieldUpdateExpr = FIELD_UPDATE_EXPR {
    token arrow_token: ARROW;
    token l_paren_token: L_PAREN;
    one name_ref: NameRef;
    token assign_token: COLON_EQ;
    token r_paren_token: R_PAREN;
});

ast_node!(Literal = LITERAL {
    token true_token: TRUE_KW;
    token false_token: FALSE_KW;
    token int_number_token: INT_NUMBER;
    token decimal_number_token: DECIMAL_NUMBER;
    token float_number_token: FLOAT_NUMBER;
    token bv_number_token: BV_NUMBER;
    token string_token: STRING;
    token rounding_mode_token: ROUNDING_MODE;
});

ast_node!(NameExpr = NAME_EXPR {
    one name_ref: NameRef;
});

ast_node!(CallExpr = CALL_EXPR {
    one name_ref: NameRef;
    one arg_list: ArgList;
});

ast_node!(OldExpr = OLD_EXPR {
    token old_token: OLD_KW;
    token l_paren_token: L_PAREN;
    one expr: Expr;
    token r_paren_token: R_PAREN;
});

ast_node!(ConvertExpr = CONVERT_EXPR {
    token int_token: INT_KW;
    token real_token: REAL_KW;
    token l_paren_token: L_PAREN;
    one expr: Expr;
    token r_paren_token: R_PAREN;
});

ast_node!(ParenExpr = PAREN_EXPR {
    token l_paren_token: L_PAREN;
    one expr: Expr;
    token r_paren_token: R_PAREN;
});

ast_node!(QuantExpr = QUANT_EXPR {
    token forall_token: FORALL_KW;
    token exists_token: EXISTS_KW;
    one type_params: TypeParams;
    one bound_vars: BoundVars;
    token colon2_token: COLON2;
    many attributes: Attribute;
    many triggers: Trigger;
    one expr: Expr;
});

ast_node!(LambdaExpr = LAMBDA_EXPR {
    token lambda_token: LAMBDA_KW;
    one type_params: TypeParams;
    one bound_vars: BoundVars;
    token colon2_token: COLON2;
    many attributes: Attribute;
    many triggers: Trigger;
    one expr: Expr;
});

ast_node!(LetExpr = LET_EXPR {
    token var_token: VAR_KW;
    one let_binders: LetBinders;
    token assign_token: COLON_EQ;
    one let_inits: LetInits;
    token semicolon_token: SEMICOLON;
    many attributes: Attribute;
    one expr: Expr;
});

ast_node!(IfExpr = IF_EXPR {
    token if_token: IF_KW;
    token then_token: THEN_KW;
    token else_token: ELSE_KW;
});

ast_node!(CodeExpr = CODE_EXPR {
    token l_code_token: L_CODE;
    many local_var_decls: LocalVarDecl;
    many stmts: Stmt;
    token r_code_token: R_CODE;
});

ast_node!(IndexArgs = INDEX_ARGS {
    token l_brack_token: L_BRACK;
    many exprs: Expr;
    token r_brack_token: R_BRACK;
});

ast_node!(StoreArgs = STORE_ARGS {
    token l_brack_token: L_BRACK;
    token assign_token: COLON_EQ;
    token r_brack_token: R_BRACK;
});

ast_node!(BoundVars = BOUND_VARS {
    many param_groups: ParamGroup;
});

ast_node!(Trigger = TRIGGER {
    token l_curly_token: L_CURLY;
    many exprs: Expr;
    token r_curly_token: R_CURLY;
});

ast_node!(LetBinders = LET_BINDERS {
    many let_vars: LetVar;
});

ast_node!(LetInits = LET_INITS {
    many exprs: Expr;
});

ast_node!(LetVar = LET_VAR {
    many attributes: Attribute;
    one name: Name;
});
