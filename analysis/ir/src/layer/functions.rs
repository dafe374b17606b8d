//! Functions of a layer, and those of the libraries that engines know.

use std::sync::Arc;

use crate::term::{FuncSym, Term, Var};

/// A function or constant.
///
/// Without definition and intrinsic meaning it is free: any interpretation that satisfies the axioms
/// will do, the same one for the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name and sorts.
    pub symbol: Arc<FuncSym>,
    /// What it is, if it is one of those that engines know.
    pub intrinsic: Option<Intrinsic>,
    /// Its body. An intrinsic function may have one as well; the two agree where both can be
    /// evaluated.
    pub definition: Option<Definition>,
}

/// The body of a function. It may call the function itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its parameters.
    pub params: Vec<Var>,
    /// Its value.
    pub body: Term,
}

impl Function {
    /// Is there nothing that says what it is?
    pub fn is_free(&self) -> bool {
        self.intrinsic.is_none() && self.definition.is_none()
    }
}

macro_rules! intrinsics {
    ($($name:ident $text:literal,)*) => {
        /// A function of a library that engines know by heart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the libraries document them")]
        pub enum Intrinsic { $($name,)* }

        impl Intrinsic {
            /// All of them, with their names in the libraries.
            pub const ALL: &[(Intrinsic, &'static str)] = &[$((Intrinsic::$name, $text),)*];
        }
    };
}

intrinsics! {
    Default "Default",
    Id "Id",
    Choice "Choice",
    Identity "Identity",
    MapDiff "MapDiff",
    AtLeast "AtLeast",
    Range "Range",
    SetEmpty "Set_Empty",
    SetSingleton "Set_Singleton",
    SetContains "Set_Contains",
    SetAdd "Set_Add",
    SetRemove "Set_Remove",
    SetUnion "Set_Union",
    SetIntersection "Set_Intersection",
    SetDifference "Set_Difference",
    SetIsSubset "Set_IsSubset",
    SetIsDisjoint "Set_IsDisjoint",
    SetSize "Set_Size",
    VecEmpty "Vec_Empty",
    VecLen "Vec_Len",
    VecContains "Vec_Contains",
    VecNth "Vec_Nth",
    VecAppend "Vec_Append",
    VecRemove "Vec_Remove",
    VecUpdate "Vec_Update",
    VecSwap "Vec_Swap",
    VecConcat "Vec_Concat",
    VecSlice "Vec_Slice",
    MapEmpty "Map_Empty",
    MapSingleton "Map_Singleton",
    MapContains "Map_Contains",
    MapAt "Map_At",
    MapUpdate "Map_Update",
    MapRemove "Map_Remove",
    MapSwap "Map_Swap",
    MapExtract "Map_Extract",
    MapExclude "Map_Exclude",
    MapUnion "Map_Union",
    MapIsDisjoint "Map_IsDisjoint",
    MapWellFormed "Map_WellFormed",
    Tags "Tags",
    OneCollector "One_Collector",
    MapCollector "Map_Collector",
    MapCollectorEmpty "Map_Collector_Empty",
    Between "Between",
    Avoiding "Avoiding",
    BetweenSet "BetweenSet",
    InDomain "InDomain",
    StackAbs "StackAbs",
    StackAbsDef "StackAbsDef",
    SetAbs "SetAbs",
    SetAbsDef "SetAbsDef",
    QueueAbs "QueueAbs",
    QueueAbsDef "QueueAbsDef",
}

impl Intrinsic {
    /// The name in the library.
    pub fn name(self) -> &'static str {
        Intrinsic::ALL[self as usize].1
    }

    /// The function that a library calls `name`.
    pub fn named(name: &str) -> Option<Intrinsic> {
        Intrinsic::ALL.iter().find(|(_, text)| *text == name).map(|(it, _)| *it)
    }
}

#[cfg(test)]
mod tests {
    use super::Intrinsic;

    #[test]
    fn names_are_those_of_the_table() {
        for (intrinsic, name) in Intrinsic::ALL {
            assert_eq!(intrinsic.name(), *name);
            assert_eq!(Intrinsic::named(name), Some(*intrinsic));
        }
    }
}
