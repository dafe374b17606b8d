//! What can be wrong with a program at this level, as facts.
//!
//! A [`Problem`] says what and where; `render` finds the words. Each variant of [`Fault`] belongs to
//! exactly one [`base::Code`].

use base::{Name, Place};

use crate::scope::NameSpace;
use crate::{Layer, LayerRange, Ty};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Where it is shown (language.md 12.2).
    pub place: Place,
    pub fault: Fault,
}

/// Where something else was declared, for the second half of a message.
pub type Declared = Option<Place>;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    // ---- names
    DuplicateGlobal {
        space: NameSpace,
        name: Name,
        first: Declared,
    },
    /// A procedure that gives way to another has a body.
    ExternBody {
        name: Name,
        winner: Declared,
    },
    DuplicateLocal {
        noun: &'static str,
        name: Name,
        first: Declared,
    },
    ReservedTypeName {
        name: Name,
    },
    TypeVariableShadowsType {
        name: Name,
        declared: Declared,
    },
    UndeclaredType {
        name: Name,
    },
    TypeArity {
        name: Name,
        expected: usize,
        found: usize,
        declared: Declared,
    },
    SynonymCycle {
        name: Name,
        cycle: Vec<Name>,
    },
    UnusedTypeVariable {
        name: Name,
        owner: &'static str,
    },
    /// A datatype occurs in the index of a map in one of its own fields.
    NegativeDatatype {
        name: Name,
    },
    IllFoundedDatatype {
        names: Vec<Name>,
    },
    TooManyUnique {
        name: Name,
        ty: Ty,
        values: usize,
    },
    UndeclaredIdentifier {
        name: Name,
    },
    UndeclaredFunction {
        name: Name,
    },
    UndeclaredProcedure {
        name: Name,
    },
    UndeclaredAction {
        name: Name,
        declared: Declared,
    },
    UndeclaredLabel {
        name: Name,
    },
    GlobalNotAllowed {
        name: Name,
        declared: Declared,
    },
    OldNotAllowed,
    CallArity {
        callee: Name,
        results: bool,
        expected: usize,
        found: usize,
        declared: Declared,
    },
    CallResultTwice {
        name: Name,
    },
    ParallelResultTwice {
        name: Name,
        first: Declared,
    },
    ParallelResultRead {
        name: Name,
        written: Declared,
    },
    AsyncResults {
        callee: Name,
        declared: Declared,
    },
    AssignmentArity {
        targets: usize,
        values: usize,
    },
    AssignedTwice {
        name: Name,
        first: Declared,
    },
    ImplementationWithoutProcedure {
        name: Name,
    },
    BadTrigger(TriggerFault),
    PureModifies {
        noun: &'static str,
    },
    LayerRangeInvalid,
    LayerNotLiteral {
        too_large: bool,
    },
    SingleLayerExpected {
        noun: &'static str,
        found: usize,
    },
    LayersExpected {
        noun: &'static str,
    },
    LayerTooHigh {
        what: HighLayer,
        found: Layer,
        limit: Layer,
    },
    CallLayers,
    LayerOutsideAction {
        range: LayerRange,
    },
    MeasureWithoutLayer,
    YieldOutsideProcedure,
    InvariantExpected {
        callee: Name,
        declared: Declared,
    },
    ModifiesWithoutMover,
    MoverRefines,
    CalleeKind {
        rule: CalleeRule,
        callee: Name,
        declared: Declared,
    },
    AsyncTarget {
        rule: AsyncRule,
        callee: Name,
        declared: Declared,
    },
    DuplicateStatementId {
        id: String,
        first: Declared,
    },
    BreakOutsideLoop {
        label: Option<Name>,
    },

    // ---- functions
    InlineNotBoolean,
    InlineAndDefine,
    BuiltinWithBody,
    FunctionWithoutBody {
        attribute: &'static str,
    },
    FunctionCycle {
        names: Vec<Name>,
    },

    // ---- types
    UnaryTypes {
        op: &'static str,
        ty: Ty,
    },
    BinaryTypes {
        op: &'static str,
        lhs: Ty,
        rhs: Ty,
    },
    FunctionArity {
        func: Name,
        expected: usize,
        found: usize,
        declared: Declared,
    },
    ArgumentType {
        of: Callee,
        number: usize,
        expected: Ty,
        found: Ty,
        declared: Declared,
    },
    ResultType {
        callee: Name,
        number: usize,
        expected: Ty,
        found: Ty,
        declared: Declared,
    },
    MapArity {
        expected: usize,
        found: usize,
    },
    NotAMap {
        ty: Ty,
    },
    IndexType {
        number: usize,
        expected: Ty,
        found: Ty,
    },
    StoredType {
        expected: Ty,
        found: Ty,
    },
    BadCoercion {
        from: Ty,
        to: Ty,
    },
    BadConversion {
        found: Ty,
        expected: Ty,
    },
    ConditionOfIte {
        ty: Ty,
    },
    BranchTypes {
        then: Ty,
        other: Ty,
    },
    NotADatatype {
        ty: Ty,
    },
    UnknownField {
        ty: Ty,
        field: Name,
        declared: Declared,
    },
    UnknownConstructor {
        ty: Ty,
        ctor: Name,
        declared: Declared,
    },
    FieldTypeMismatch {
        field: Name,
        ctor: Name,
        first: Declared,
    },
    UpdatedFieldType {
        field: Name,
        expected: Ty,
        found: Ty,
    },
    QuantifierBody {
        ty: Ty,
    },
    QuantifierTypeVariable {
        name: Name,
    },
    LambdaTypeVariable {
        name: Name,
    },
    ExtractBounds {
        reason: &'static str,
    },
    ExtractOperand {
        width: u32,
        ty: Ty,
    },
    ConditionType {
        what: &'static str,
        ty: Ty,
    },
    MeasureType {
        ty: Ty,
    },
    FunctionBodyType {
        expected: Ty,
        found: Ty,
    },
    AssignmentTypes {
        target: Ty,
        value: Ty,
    },
    AssignToImmutable {
        name: Name,
        declared: Declared,
    },
    UnpackNotConstructor {
        name: Name,
    },
    UnpackedTwice {
        name: Name,
    },
    ImplementationCount {
        noun: &'static str,
        name: Name,
        declared: Declared,
    },
    ImplementationType {
        noun: &'static str,
        name: Name,
        param: Name,
        declared: Declared,
    },
    /// `what`: the attribute that differs.
    ImplementationAttribute {
        what: &'static str,
        name: Name,
        param: Name,
        declared: Declared,
    },
    /// Shown at the name; the reference reports it at the procedure.
    ModifiesConstant {
        name: Name,
        procedure: Place,
    },
    MissingModifies {
        name: Name,
        noun: &'static str,
        declared: Declared,
    },
    AmbiguousType {
        name: Name,
        chosen: Ty,
    },
    Unsupported {
        what: &'static str,
    },
    IrreducibleLoop {
        label: Name,
    },
    GrowingTypes {
        what: Name,
        ty: Ty,
    },
}

/// Whose argument it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Function(Name),
    Procedure(Name),
}

/// Why a trigger is bad.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TriggerFault {
    Quantifier,
    BooleanOperator,
    Equality,
    Comparison,
    BareVariable,
    Unmentioned(Name),
}

/// Which layer is too high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighLayer {
    /// Of a specification or assertion.
    Specification,
    /// Upper layer of a formal or local.
    Local,
    /// Of a call.
    Call,
}

/// Who may call whom (language.md 4.2, 9.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CalleeRule {
    ProcedureCallsProcedure,
    PureCallsPure,
    YieldProcedureCalls,
}

/// Who may be called asynchronously.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AsyncRule {
    TargetAction,
    TargetYieldProcedure,
    Caller,
}
