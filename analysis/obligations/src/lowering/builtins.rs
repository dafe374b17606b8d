//! Operators of the solver that a program names: `{:builtin "bvadd"}`.
//!
//! **In:** a name and the sorts of the arguments. **Out:** the sort of the result, as the solver has it.
//!
//! # Soundness
//! A program may declare an operator with any types. The solver would convert between integers and
//! reals without a word, and then `/` declared with integers proves that an integer is one half. So
//! an operator of [`RULES`] is used only with its own sorts; one that is not listed there is used as
//! declared, and that is taken on faith.

use ir::Sort;

/// The sorts of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// As many arguments as the number says, all of one sort of the class; the same sort as result.
    Same(Class, usize),
    /// The same, with a truth value as result.
    Test(Class, usize),
    /// Bit vectors of two widths; the sum of the widths.
    Concat,
    /// A bit vector, made longer by the number in the name.
    Extend,
    /// A bit vector, rotated by the number in the name.
    Rotate,
    /// A bit vector; an integer.
    ToInt,
    /// An integer; a bit vector of the width in the name.
    FromInt,
    /// A condition, and two values of one sort.
    Choice,
    /// Two values of one sort; a truth value.
    Equality,
}

/// Sorts that an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Bits,
    Integers,
    Reals,
    /// Integers, or reals, not both.
    Numbers,
    Truth,
}

use Class::{Bits, Integers, Numbers, Reals, Truth};

/// Names of operators, without the numbers of indexed ones.
const RULES: &[(&[&str], Rule)] = &[
    (&["bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem"], Rule::Same(Bits, 2)),
    (&["bvsmod", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor"], Rule::Same(Bits, 2)),
    (&["bvshl", "bvlshr", "bvashr", "ext_rotate_left", "ext_rotate_right"], Rule::Same(Bits, 2)),
    (&["bvneg", "bvnot"], Rule::Same(Bits, 1)),
    (
        &["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"],
        Rule::Test(Bits, 2),
    ),
    (&["concat"], Rule::Concat),
    (&["sign_extend", "zero_extend"], Rule::Extend),
    (&["rotate_left", "rotate_right"], Rule::Rotate),
    (&["bv2int", "bv2nat", "ubv_to_int", "sbv_to_int"], Rule::ToInt),
    (&["int2bv", "int_to_bv"], Rule::FromInt),
    (&["div", "mod", "rem"], Rule::Same(Integers, 2)),
    (&["/"], Rule::Same(Reals, 2)),
    (&["+", "-", "*"], Rule::Same(Numbers, 2)),
    (&["abs"], Rule::Same(Numbers, 1)),
    (&["<", "<=", ">", ">="], Rule::Test(Numbers, 2)),
    (&["and", "or", "xor", "=>"], Rule::Same(Truth, 2)),
    (&["not"], Rule::Same(Truth, 1)),
    (&["ite"], Rule::Choice),
    (&["=", "distinct"], Rule::Equality),
];

/// What is known of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Applied to these arguments it has this sort.
    Sort(Sort),
    /// It does not take such arguments.
    Misfit,
    /// Nothing.
    Nothing,
}

/// What the operator `name` is for arguments of these sorts.
pub(super) fn known(name: &str, args: &[Sort]) -> Known {
    let inside = name.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')'));
    let mut words = inside.unwrap_or(name).split(' ');
    let head = words.next().unwrap_or_default();
    let number: Option<u32> = words.next().and_then(|word| word.parse().ok());
    let Some((_, rule)) = RULES.iter().find(|(names, _)| names.contains(&head)) else {
        return Known::Nothing;
    };
    rule.result(number, args).map_or(Known::Misfit, Known::Sort)
}

impl Rule {
    fn result(self, number: Option<u32>, args: &[Sort]) -> Option<Sort> {
        match (self, args) {
            (Rule::Same(class, count), [first, ..]) if args.len() == count => {
                (class.has(first) && args.iter().all(|it| it == first)).then(|| first.clone())
            }
            (Rule::Test(class, count), [first, ..]) if args.len() == count => {
                (class.has(first) && args.iter().all(|it| it == first)).then_some(Sort::Bool)
            }
            (Rule::Concat, [Sort::BitVec(left), Sort::BitVec(right)]) => {
                left.checked_add(*right).map(Sort::BitVec)
            }
            (Rule::Extend, [Sort::BitVec(width)]) => number?.checked_add(*width).map(Sort::BitVec),
            (Rule::Rotate, [Sort::BitVec(width)]) => number.map(|_| Sort::BitVec(*width)),
            (Rule::ToInt, [Sort::BitVec(_)]) => Some(Sort::Int),
            (Rule::FromInt, [Sort::Int]) => number.filter(|it| *it > 0).map(Sort::BitVec),
            (Rule::Choice, [Sort::Bool, left, right]) => (left == right).then(|| left.clone()),
            (Rule::Equality, [left, right]) => (left == right).then_some(Sort::Bool),
            _misfit => None,
        }
    }
}

impl Class {
    fn has(self, sort: &Sort) -> bool {
        match self {
            Class::Bits => matches!(sort, Sort::BitVec(_)),
            Class::Integers => *sort == Sort::Int,
            Class::Reals => *sort == Sort::Real,
            Class::Numbers => matches!(sort, Sort::Int | Sort::Real),
            Class::Truth => *sort == Sort::Bool,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, known};
    use ir::Sort;

    #[test]
    fn operators_have_the_sorts_that_the_solver_gives_them() {
        let (int, real, byte) = (Sort::Int, Sort::Real, Sort::BitVec(8));
        let sort = |name, args: &[&Sort]| {
            known(name, &args.iter().map(|it| (*it).clone()).collect::<Vec<_>>())
        };
        assert_eq!(sort("bvadd", &[&byte, &byte]), Known::Sort(byte.clone()));
        assert_eq!(sort("bvult", &[&byte, &byte]), Known::Sort(Sort::Bool));
        assert_eq!(sort("(_ sign_extend 8)", &[&byte]), Known::Sort(Sort::BitVec(16)));
        assert_eq!(sort("concat", &[&byte, &byte]), Known::Sort(Sort::BitVec(16)));
        assert_eq!(sort("/", &[&real, &real]), Known::Sort(real.clone()));
        assert_eq!(sort("/", &[&int, &int]), Known::Misfit);
        assert_eq!(sort("*", &[&int, &real]), Known::Misfit);
        assert_eq!(sort("bvadd", &[&byte]), Known::Misfit);
        assert_eq!(sort("str.len", &[&int]), Known::Nothing);
    }
}
