//! Every diagnostic code.
//!
//! One row per code: its variant, its stable text, its phase, and one line that says what is wrong.
//! Each crate has its own section, so that they can grow independently. Each code has a manual page
//! `tests/spec/codes/<text>.md`.

use std::fmt;

use crate::Phase;

/// One row of the table of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRow {
    /// The code.
    pub code: Code,
    /// Its stable text.
    pub text: &'static str,
    /// The phase in which it arises.
    pub phase: Phase,
    /// What is wrong, in one line.
    pub summary: &'static str,
}

macro_rules! codes {
    ($($variant:ident $text:literal $phase:ident $summary:literal;)*) => {
        /// A stable name for a kind of complaint.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        /// The table of all codes.
        pub const ALL_CODES: &[CodeRow] = &[
            $(CodeRow { code: Code::$variant, text: $text, phase: Phase::$phase, summary: $summary },)*
        ];
    };
}

codes! {
    // ---- syntax
    InvalidUtf8 "invalid-utf8" Syntax "the file is not valid UTF-8";
    Manifest "manifest" Syntax "a civl.toml cannot be used as it is";
    SyntaxError "syntax-error" Syntax "the text does not follow the grammar";
    UnexpectedCharacter "unexpected-character" Syntax "a character that no token starts with";
    UnterminatedComment "unterminated-comment" Syntax "a comment is never closed";
    UnterminatedString "unterminated-string" Syntax "a string does not end on its line";
    PreprocessorLine "preprocessor-line" Syntax "a line for a preprocessor, which is not supported";
    NestingTooDeep "nesting-too-deep" Syntax "brackets, blocks or operators are nested too deeply";
    WhereNotAllowed "where-not-allowed" Syntax "a where clause stands on a variable that cannot have one";
    FunctionParameter "function-parameter" Syntax "a function parameter lacks its name or type";
    DefinePolymorphic "define-polymorphic" Syntax "a function with `define` has type parameters";
    DuplicateConstructor "duplicate-constructor" Syntax "two constructors of one datatype have the same name";
    MoverOnPureAction "mover-on-pure-action" Syntax "a pure action has a mover keyword";
    DuplicateRefines "duplicate-refines" Syntax "a declaration has more than one refines clause";
    CallForm "call-form" Syntax "a parallel, async or free call stands where only a plain one may";
    MixedOperators "mixed-operators" Syntax "operators that need parentheses are mixed";
    ComparisonChain "comparison-chain" Syntax "comparisons are chained";
    BitvectorBounds "bitvector-bounds" Syntax "bounds of bits are misplaced or no numbers";
    TriggerNotAllowed "trigger-not-allowed" Syntax "a trigger stands where none may";
    MissingParentheses "missing-parentheses" Syntax "a quantifier or lambda has no parentheses";
    NopatsArgument "nopats-argument" Syntax "the attribute `nopats` has no expression";
    CodeExpressionBlock "code-expression-block" Syntax "a block of a code expression has no label";
    ClauseNotAllowed "clause-not-allowed" Syntax "a declaration has a clause its kind cannot have";
    NumberTooLarge "number-too-large" Syntax "the size of a literal is too large";

    // ---- hir: names (language.md 4.2)
    DuplicateName "duplicate-name" Resolve "two declarations of the same name in one name space";
    ExternBody "extern-body" Resolve "a procedure that gives way to another of its name has a body";
    ReservedTypeName "reserved-type-name" Resolve "a type is declared with the name of a built-in type";
    TypeVariableShadowsType "type-variable-shadows-type" Resolve "a type variable is named like a type";
    UndeclaredType "undeclared-type" Resolve "no type of this name is declared";
    TypeArity "type-arity" Resolve "a type is applied to the wrong number of arguments";
    SynonymCycle "synonym-cycle" Resolve "type synonyms are defined in terms of each other";
    UnusedTypeVariable "unused-type-variable" Resolve "a type variable occurs in no argument or result type";
    NegativeDatatype "negative-datatype" Type "a datatype contains maps over itself";
    IllFoundedDatatype "ill-founded-datatype" Resolve "no finite value of the datatype exists";
    TooManyUnique "too-many-unique" Resolve "more constants are unique than their type has values";
    UndeclaredIdentifier "undeclared-identifier" Resolve "no variable or constant of this name is visible";
    UndeclaredFunction "undeclared-function" Resolve "no function or constructor of this name is declared";
    UndeclaredProcedure "undeclared-procedure" Resolve "no procedure of this name is declared";
    UndeclaredAction "undeclared-action" Resolve "a refines clause names no action";
    UndeclaredLabel "undeclared-label" Resolve "no block of this name exists in the body";
    GlobalNotAllowed "global-not-allowed" Resolve "a global variable is used where no state exists";
    OldNotAllowed "old-not-allowed" Resolve "`old` is used where there is only one state";
    CallArity "call-arity" Resolve "a call has the wrong number of arguments or results";
    CallResultTwice "call-result-twice" Resolve "one call assigns a variable twice";
    ParallelResultTwice "parallel-result-twice" Resolve "two arms of a parallel call assign the same variable";
    ParallelResultRead "parallel-result-read" Resolve "an arm of a parallel call reads what another arm assigns";
    AsyncResults "async-results" Resolve "a procedure with results is called asynchronously";
    AssignmentArity "assignment-arity" Resolve "an assignment has different numbers of targets and values";
    AssignedTwice "assigned-twice" Resolve "a parallel assignment assigns a variable twice";
    ImplementationWithoutProcedure "implementation-without-procedure" Resolve "an implementation is given for an undeclared procedure";
    BadTrigger "bad-trigger" Resolve "a quantifier's trigger cannot be matched";
    PureModifies "pure-modifies" Resolve "a pure action or procedure has a modifies clause";
    LayerRangeInvalid "layer-range-invalid" Resolve "more than two layers are given where a range is expected";
    LayerNotLiteral "layer-not-literal" Resolve "a layer is not a natural number";
    SingleLayerExpected "single-layer-expected" Resolve "exactly one layer is needed";
    LayersExpected "layers-expected" Resolve "a specification says at no layer that it holds";
    LayerTooHigh "layer-too-high" Resolve "a layer lies above the layer of its procedure";
    LayerOutsideAction "layer-outside-action" Resolve "a precondition names a layer outside its action's range";
    InvariantExpected "invariant-expected" Resolve "a specification calls something that is not an invariant";
    ModifiesWithoutMover "modifies-without-mover" Resolve "a yielding procedure without mover type has a modifies clause";
    MoverRefines "mover-refines" Resolve "a mover procedure has a refines clause";
    CalleeKind "callee-kind" Resolve "this kind of caller may not call this kind of callee";
    AsyncTarget "async-target" Resolve "an asynchronous call has the wrong caller or callee";
    DuplicateStatementId "duplicate-statement-id" Resolve "two statements have the same id";
    YieldOutsideProcedure "yield-outside-procedure" Resolve "a yield statement stands outside a yield procedure";
    BreakOutsideLoop "break-outside-loop" Resolve "break is not inside the statement it wants to leave";

    // ---- hir: functions (language.md 5.5)
    InlineNotBoolean "inline-not-boolean" Type "the parameter of the inline attribute is not Boolean";
    InlineAndDefine "inline-and-define" Type "a function is both inlined and defined";
    BuiltinWithBody "builtin-with-body" Type "a function is an operator of the solver and has a body";
    FunctionWithoutBody "function-without-body" Type "an inlined or defined function has no body";
    FunctionCycle "function-cycle" Type "inlined or defined functions call each other in a cycle";

    // ---- hir: types (language.md 5.3)
    OperatorTypes "operator-types" Type "an operator is applied to the wrong types";
    FunctionArity "function-arity" Type "a function has the wrong number of arguments";
    ArgumentType "argument-type" Type "an argument has the wrong type";
    ResultType "result-type" Type "a call's result is stored in a variable of the wrong type";
    MapArity "map-arity" Type "a map is used with the wrong number of indices";
    NotAMap "not-a-map" Type "something that is not a map is indexed";
    StoredType "stored-type" Type "a value of the wrong type is stored in a map";
    BadCoercion "bad-coercion" Type "a value is coerced to a type it does not have";
    BranchTypes "branch-types" Type "the parts of an if-then-else have unsuitable types";
    NotADatatype "not-a-datatype" Type "a field or constructor of a non-datatype is used";
    UnknownField "unknown-field" Type "the datatype has no such field";
    UnknownConstructor "unknown-constructor" Type "the datatype has no such constructor";
    FieldTypeMismatch "field-type-mismatch" Type "constructors give one field different types";
    UpdatedFieldType "updated-field-type" Type "a field is updated with a value of the wrong type";
    QuantifierBody "quantifier-body" Type "the body of a quantifier is not Boolean";
    QuantifierTypeVariable "quantifier-type-variable" Type "a quantified type variable cannot be determined";
    BitVectorExtract "bit-vector-extract" Type "the bounds or operand of a bit-vector operation do not fit";
    ConditionType "condition-type" Type "a condition is not Boolean";
    MeasureType "measure-type" Type "a measure is neither an integer nor Boolean";
    FunctionBodyType "function-body-type" Type "the body of a function has not the declared type";
    AssignmentTypes "assignment-types" Type "a value of the wrong type is assigned";
    AssignToImmutable "assign-to-immutable" Type "something that never changes is assigned";
    UnpackNotConstructor "unpack-not-constructor" Type "the left side of an unpack is not a constructor";
    UnpackedTwice "unpacked-twice" Type "an unpack assigns a variable twice";
    ImplementationMismatch "implementation-mismatch" Type "an implementation differs from its procedure";
    ModifiesConstant "modifies-constant" Type "a modifies clause lists a constant";
    MissingModifies "missing-modifies" Type "a global variable is changed without permission";
    AmbiguousType "ambiguous-type" Type "a type parameter is not determined and was chosen to be int";
    UnsupportedFeature "unsupported-feature" Type "a language feature this tool does not support";
    IrreducibleLoop "irreducible-loop" Type "jumps form a loop with several entries that cannot be untangled";
    GrowingTypes "growing-types" Type "recursion needs ever larger types";

    // ---- discipline: layers, access, calls, refinement (language.md 8, 9)
    VarOutOfLayer "var-out-of-layer" Layer "a variable is used at a layer where it does not exist";
    OldInCode "old-in-code" Layer "code reads a global inside `old`";
    GlobalOutsideOld "global-outside-old" Layer "a global is read where only its old value may be read";
    IntroducedLate "introduced-late" Layer "an action or global invariant uses a variable introduced at its own layer";
    GlobalWritten "global-written" Layer "a yield procedure writes a global variable itself";
    ResultLayer "result-layer" Layer "a variable outlives the result that is stored in it";
    ActionLoop "action-loop" Layer "the body of an action has a loop";
    ActionWithoutBody "action-without-body" Layer "an action has no body";
    ActionBodies "action-bodies" Layer "an action has more than one body";
    ProcedureBodies "procedure-bodies" Layer "a yield procedure has more than one body, or an invariant has one";
    ActionPrecondition "action-precondition-layer" Layer "a precondition of an action is not of its one layer, or not global";
    RefinedActionMissing "refined-action-missing" Layer "the refined action does not exist at the layer above";
    ActionCallee "action-callee" Layer "an action calls something that is no action";
    ActionCalleeRange "action-callee-range" Layer "an action calls an action that lives at fewer layers";
    ActionAsync "action-async" Layer "an action makes an asynchronous call";
    ActionCycle "action-cycle" Layer "actions call each other in a circle";
    MoverModifies "mover-modifies" Layer "a mover procedure changes a variable unknown at its layer";
    PreservesClause "preserves-clause" Layer "a preserves clause stands where none is allowed";
    CalleeLayer "callee-layer" Layer "caller and callee are at layers that do not fit";
    AsyncNotSynchronized "async-not-synchronized" Layer "an asynchronous call of a procedure with an effect is not synchronised";
    CalleeActionMissing "callee-action-missing" Layer "the callee is no action at the caller's layer";
    SyncNotLeft "sync-not-left" Layer "a synchronised call is not a left mover";
    MoverCaller "mover-caller" Layer "a mover procedure calls a procedure that yields at its layer";
    MachineAccess "machine-access" Layer "a pure call touches state of the machine more than one step can";
    PureCallLayer "pure-call-layer" Layer "a pure call touches a global without saying at which layer";
    PureCallIntroduced "pure-call-introduced" Layer "a pure call writes a global not introduced at its layer";
    PureCallHidden "pure-call-hidden" Layer "a pure call writes a global that is visible above its layer";
    RefinementSignature "refinement-signature" Layer "a procedure or action differs in signature from the action it refines";
    ForgedVector "forged-vector" Layer "a vector is built or changed without the functions of the library";
    MeasureMisplaced "measure-misplaced" Layer "a measure is misplaced, doubled or missing";

    // ---- discipline: linear types (language.md 10)
    OneOfLinear "one-of-linear" Linear "`One` is applied to a type that holds permissions itself";
    MapKeyLinear "map-key-linear" Linear "a map's keys hold permissions but are not `One _`";
    LinearKind "linear-kind" Linear "a global or result is linear_in or linear_out instead of linear";
    InvariantLinearKind "invariant-linear-kind" Linear "a parameter of an invariant is linear_in or linear_out";
    AssignInsideLinear "assign-inside-linear" Linear "an assignment changes the inside of a `One` or `Map`";
    AssignLackingField "assign-lacking-field" Linear "a field is assigned that a linear value may not have";
    LinearSourceTwice "linear-source-twice" Linear "one assignment takes the same permissions twice";
    PackArgument "pack-argument" Linear "a linear field is built from something that is not a variable";
    UnpackSource "unpack-source" Linear "something that is not a variable is taken apart";
    LinearArgument "linear-argument" Linear "something that is not a variable is passed to a linear parameter";
    LinearPath "linear-path" Linear "a primitive is applied to something that is not a usable path";
    LinearGlobalArgument "linear-global-argument" Linear "a global variable is passed to a linear parameter";
    LinearArgumentTwice "linear-argument-twice" Linear "one call is given the same permissions twice";
    LinearGlobalLost "linear-global-lost" Linear "a global variable is given away and not received back";
    PathNotOrdinary "path-not-ordinary" Linear "a load or store of something that holds permissions";
    MoveArgument "move-argument" Linear "an argument of Move is not a variable";
    PrimitiveAssignsInput "primitive-assigns-input" Linear "a primitive would change an in-parameter";
    PrimitiveResultClash "primitive-result-clash" Linear "a primitive changes the variable that also takes its result";
    PrimitiveModifies "primitive-modifies" Linear "a primitive changes a global variable without permission";
    ParallelPrimitive "parallel-primitive" Linear "a linear primitive is an arm of a parallel call";
    ParallelLinearTwice "parallel-linear-twice" Linear "two arms of a parallel call are given the same permissions";
    ParallelLinearShared "parallel-linear-shared" Linear "a procedure and an invariant share permissions in a parallel call";
    LinearUnavailable "linear-unavailable" Linear "permissions are passed on that the code does not hold";
    LinearGlobalUnavailable "linear-global-unavailable" Linear "a linear global variable is not whole where it must be";
    LinearParameterUnavailable "linear-parameter-unavailable" Linear "a linear parameter is not given back at a return";
    GhostPermission "ghost-permission" Linear "a permission taken by ghost code is given to an action of the same layer";

    // ---- discipline: yields (language.md 9.7, 9.8, 11)
    YieldSufficiency "yield-sufficiency" Yield "two transactions are not separated by a yield";
    MoverDeclaration "mover-declaration" Yield "the code of a mover procedure does not fit its mover type";
    MoverYields "mover-yields" Yield "a mover procedure yields at its own layer";
    MoverEndless "mover-endless" Yield "a left mover procedure never ends";
    MoverTermination "mover-termination" Yield "nothing shows that a left mover procedure ends";
    CommittedBlocks "committed-blocks" Yield "nothing shows that a transaction that took effect gets to its end";
    GhostBlocks "ghost-blocks" Yield "nothing shows that a pure procedure ends";
    AsyncSufficiency "async-sufficiency" Yield "a global is changed before an asynchronous call's precondition is seen";
    LoopMustYield "loop-must-yield" Yield "a loop that does not yield contains a yield";
    ParallelMovers "parallel-movers" Yield "the movers of a parallel call do not form one transaction";
    ParallelYieldAndAtomic "parallel-yield-and-atomic" Yield "a parallel call mixes a non-mover with a yielding procedure";
    ParallelYieldOrder "parallel-yield-order" Yield "the movers around yielding arms of a parallel call stand in the wrong order";
    YieldsCondition "yields-condition" Layer "a condition stands on an annotation that nobody checks";
    LoopYieldLayers "loop-yield-layers" Layer "a loop names several layers up to which it yields";
    LoopYieldTooHigh "loop-yield-too-high" Layer "a loop yields above the layer of its procedure";
    LoopYieldMissing "loop-yield-missing" Layer "a loop calls yield invariants but does not yield";
    LoopInvariantLayer "loop-invariant-layer" Layer "a loop does not yield at the layer of its yield invariant";
    LoopInvariantGlobal "loop-invariant-global" Layer "a yielding loop's invariant mentions a global variable";
    ParallelCaller "parallel-caller" Layer "a parallel call stands outside a yielding procedure";
    ParallelCallee "parallel-callee" Layer "an arm of a parallel call is not a yielding procedure or invariant";
    ParallelRefined "parallel-refined" Layer "two arms of a parallel call may both change what the caller refines";

    // ---- obligations and proofs (language.md 13)
    Assertion "assertion" Proof "an assertion may fail";
    Precondition "precondition" Proof "a precondition may not hold at a call";
    Postcondition "postcondition" Proof "a postcondition may not hold at a return";
    LoopInvariant "loop-invariant" Proof "a loop invariant may not hold on entry or after a round";
    Gate "gate" Proof "an assertion of an action may fail at its call";
    ActionPreconditionFails "action-precondition" Proof "a precondition of an action may not hold at its call";
    Noninterference "noninterference" Proof "an invariant may be broken by another thread";
    Refinement "refinement" Proof "a procedure may do what its refined action cannot";
    Commutativity "commutativity" Proof "two actions may not commute";
    GatePreservation "gate-preservation" Proof "an action may break the gate of another";
    FailurePreservation "failure-preservation" Proof "an action may hide the failure of another";
    Nonblocking "nonblocking" Proof "a left mover may block";
    ActionRefinement "action-refinement" Proof "an action may do what the action it refines cannot";
    Measure "measure" Proof "a measure may not decrease or may become negative";
    Permission "permission" Proof "a linear primitive may not find what it needs";
    Unpack "unpack" Proof "a value may be built by another constructor";
    GateSufficiency "gate-sufficiency" Proof "the declared gate of an action may not suffice for its body";
    Undecided "undecided" Proof "a question got no answer";
    Vacuous "vacuous" Proof "an assertion was proved from contradictory assumptions";
    InternalError "internal-error" Proof "this tool made a mistake; nothing is called proved";
    Unsupported "unsupported" Proof "something cannot be decided because it is not supported";

    // ---- runs of small instances
    ExploreFailure "explore-failure" Exploration "a run of a small instance breaks a condition";
    ExploreDeadlock "explore-deadlock" Exploration "in a run of a small instance no thread can go on";
    NotExecutable "not-executable" Exploration "a piece of the program cannot be run";
}

impl Code {
    /// The row of this code.
    pub fn row(self) -> &'static CodeRow {
        &ALL_CODES[self as usize]
    }

    /// The stable text.
    pub fn as_str(self) -> &'static str {
        self.row().text
    }

    /// The phase in which it arises.
    pub fn phase(self) -> Phase {
        self.row().phase
    }

    /// The code with this text.
    pub fn parse(text: &str) -> Option<Code> {
        ALL_CODES.iter().find(|row| row.text == text).map(|row| row.code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL_CODES, Code};

    #[test]
    fn every_code_finds_its_own_row_and_back() {
        for row in ALL_CODES {
            assert_eq!(row.code.as_str(), row.text);
            assert_eq!(Code::parse(row.text), Some(row.code), "{} is used twice", row.text);
        }
    }

    #[test]
    fn codes_are_kebab_case() {
        for row in ALL_CODES {
            let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            assert!(row.text.bytes().all(fits), "{}", row.text);
            assert!(row.text.starts_with(|c: char| c.is_ascii_lowercase()), "{}", row.text);
        }
    }
}
