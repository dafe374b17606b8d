var a: int, b: bool, c: real;
var d: Map (One Tid) int;
var e: [int][bool]Set (Seq int) [int]bool;
var f: <a, b>[a, Pair a b]b;
var g: ((Option int));
var h: Pair int [Tid]bool;
var i: Pair Tid (Option Tid) <q>[q]int;
var j: []int;
var k: bv32, l: float24e8;
