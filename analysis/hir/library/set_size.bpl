// The library `set_size`: how many elements a set has. Ask for it with `--lib set_size`.
//
// The axioms are true of finite sets. Use the library only for sets that are finite in your program: for an
// infinite one, such as the set of all integers, the axioms contradict each other.

// The number of elements of a finite set.
function Set_Size<T>(a: [T]bool): int;

// No set has fewer than no elements.
axiom (forall<E> s: [E]bool :: 0 <= Set_Size(s));

// The empty set has none.
axiom (forall<E> :: Set_Size(Set_Empty(): [E]bool) == 0);

// Putting an element in counts if it is new.
axiom (forall<E> s: [E]bool, e: E :: {Set_Add(s, e)}
  Set_Size(Set_Add(s, e)) == if Set_Contains(s, e) then Set_Size(s) else Set_Size(s) + 1);

// Taking an element out counts if it is there.
axiom (forall<E> s: [E]bool, e: E :: {Set_Remove(s, e)}
  Set_Size(Set_Remove(s, e)) == if Set_Contains(s, e) then Set_Size(s) - 1 else Set_Size(s));

// A set is what it shares with another and the rest.
axiom (forall<E> s: [E]bool, r: [E]bool :: {Set_Size(Set_Difference(s, r))} {Set_Size(Set_Intersection(s, r))}
  Set_Size(s) == Set_Size(Set_Difference(s, r)) + Set_Size(Set_Intersection(s, r)));

// A union counts what both have once.
axiom (forall<E> s: [E]bool, r: [E]bool :: {Set_Size(Set_Union(s, r))} {Set_Size(Set_Intersection(s, r))}
  Set_Size(Set_Union(s, r)) + Set_Size(Set_Intersection(s, r)) == Set_Size(s) + Set_Size(r));

// Puts a new element in: the size grows by one.
pure procedure Lemma_SetSize_Add<T>(a: [T]bool, t: T) returns (b: [T]bool);
requires !Set_Contains(a, t);
ensures b == Set_Add(a, t);
ensures Set_Size(b) == Set_Size(a) + 1;

// Takes an element out: the size shrinks by one.
pure procedure Lemma_SetSize_Remove<T>(a: [T]bool, t: T) returns (b: [T]bool);
requires Set_Contains(a, t);
ensures b == Set_Remove(a, t);
ensures Set_Size(b) + 1 == Set_Size(a);

// A part of a set is the whole set or smaller.
pure procedure Lemma_SetSize_Subset<T>(a: [T]bool, b: [T]bool);
requires Set_IsSubset(a, b);
ensures a == b || Set_Size(a) < Set_Size(b);
