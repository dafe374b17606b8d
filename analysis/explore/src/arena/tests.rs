//! Values of the arena.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::{Arena, Full, Val};

fn n(value: i64) -> Val {
    Val::small(value).unwrap()
}

#[test]
fn equal_structures_are_one_word() {
    let mut arena = Arena::default();
    let one = arena.ctor(1, &[n(3), Val::TRUE]);
    let two = arena.ctor(1, &[n(3), Val::TRUE]);
    let other = arena.ctor(2, &[n(3), Val::TRUE]);
    assert_eq!(one, two);
    assert_ne!(one, other);
    assert_eq!(arena.data(one), Some((1, [n(3), Val::TRUE].as_slice())));
}

#[test]
fn integers_of_any_size_come_back() {
    let mut arena = Arena::default();
    for text in
        ["0", "-1", "134217727", "134217728", "-134217728", "-134217729", "-98765432109876543210"]
    {
        let value: BigInt = text.parse().unwrap();
        let val = arena.int(&value);
        assert_eq!(arena.as_int(val), Some(value.clone()), "{text}");
        assert_eq!(arena.int(&value), val);
    }
    let half = BigRational::new(1.into(), 2.into());
    let val = arena.real(&half);
    assert_eq!(arena.as_real(val), Some(half));
}

#[test]
fn maps_with_the_same_elements_are_one_word() {
    let mut arena = Arena::default();
    let empty = arena.constant(1, n(0));
    let ab = arena.store(empty, &[n(1)], n(5));
    let ab = arena.store(ab, &[n(2)], n(6));
    let ba = arena.store(empty, &[n(2)], n(6));
    let ba = arena.store(ba, &[n(1)], n(5));
    assert_eq!(ab, ba);
    assert_eq!(arena.select(ab, &[n(2)]), n(6));
    assert_eq!(arena.select(ab, &[n(9)]), n(0));
    let back = arena.store(ab, &[n(1)], n(0));
    let back = arena.store(back, &[n(2)], n(0));
    assert_eq!(back, empty);
}

#[test]
fn maps_over_finite_sorts_have_one_form() {
    let mut arena = Arena::default();
    let full = Full::new(1, vec![vec![n(0)], vec![n(1)], vec![n(2)]], Val::FALSE);
    let mut built = arena.constant(1, Val::FALSE);
    for (at, element) in [(0, true), (1, true), (2, false)] {
        built = arena.store(built, &[n(at)], Val::bool(element));
    }
    let listed = arena.map(1, Val::TRUE, &[n(2), Val::FALSE], Some(&full));
    assert_eq!(built, listed);
    assert_eq!(arena.select(built, &[n(1)]), Val::TRUE);
    assert_eq!(arena.select(built, &[n(2)]), Val::FALSE);
    let all = arena.store(built, &[n(2)], Val::TRUE);
    assert_eq!(all, arena.map(1, Val::TRUE, &[], Some(&full)));
}

#[test]
fn poison_is_seen_inside_structures() {
    let mut arena = Arena::default();
    let bad = arena.ctor(0, &[Val::POISON]);
    let worse = arena.seq(&[n(1), bad]);
    let good = arena.seq(&[n(1)]);
    assert!(arena.is_tainted(worse) && !arena.is_tainted(good));
    assert_eq!(arena.seq(&[n(1), bad]), worse);
    let map = arena.constant(1, n(0));
    assert_eq!(arena.select(map, &[worse]), Val::POISON);
}

#[test]
fn occurring_elements_are_remembered() {
    let mut arena = Arena::default();
    let inner = arena.ctor(0, &[Val::element(3)]);
    let outer = arena.ctor(1, &[inner, Val::element(0)]);
    assert_eq!(arena.marks(outer), 0b1001);
}

#[test]
fn many_structures_survive_growth() {
    let mut arena = Arena::default();
    let vals: Vec<Val> = (0..5000).map(|it| arena.ctor(7, &[n(it), n(-it)])).collect();
    for (it, val) in vals.iter().enumerate() {
        assert_eq!(arena.ctor(7, &[n(it as i64), n(-(it as i64))]), *val);
    }
    assert_eq!(arena.len(), 5000);
}
