//! What formatting does, by example and on all programs.

use expect_test::{Expect, expect};

use super::{apply, format, format_range, same_tokens};
use crate::TextRange;

fn check(text: &str, expect: Expect) {
    let once = format(text);
    expect.assert_eq(&once);
    assert_eq!(format(&once), once, "not a fixed point");
}

#[test]
fn tokens_of_one_line_get_their_spaces() {
    check(
        "\
var{:layer 0 , 2}{ :linear }x:Map( One Tid )[int] bool;
function   f < T > ( x :T,int ) :int{x+ 1 *-2-f( x )}
procedure p( ) returns( r : [ int,bool ]<a>[a] int ) ;
axiom(forall<T>{:pool \"P\"}x:T::{ f( x ) }m [ x ] [ 0:=1 ]==! b&&v [ 8 : 0 ]==e -> f->( g:=1 ));
axiom - -x == -(1) && x is C&&(lambda i:int::i)[0] == (var y:=1;y);
datatype D<T>{A( ),B(x:T)}
",
        expect![[r#"
            var {:layer 0,2} {:linear} x: Map (One Tid) [int]bool;
            function f<T>(x: T, int): int { x + 1 * -2 - f(x) }
            procedure p() returns (r: [int, bool]<a>[a]int);
            axiom (forall <T> {:pool "P"} x: T :: {f(x)} m[x][0 := 1] == !b && v[8:0] == e->f->(g := 1));
            axiom --x == -(1) && x is C && (lambda i: int :: i)[0] == (var y := 1; y);
            datatype D<T> { A(), B(x: T) }
        "#]],
    );
}

#[test]
fn lines_are_indented_by_what_they_belong_to() {
    check(
        "

   yield procedure {:layer 1} p(x: int,
 y: int)
    returns (r: int)
       refines atomic action {:layer 2} _
   {
 x := 1;
   }
      requires {:layer 1} x > 0 &&
   y > 0;
   {

  var i: int;



  L:
  while (i < 1)
      invariant {:yields}
 true;
      {
  if (x > 0 &&
   y > 0) {
  call a(x,
 y)
  | b();
   } else if (*)
 { havoc x; }
  // before the end

  }
  assert (forall j: int ::
 f(
 j
 ) &&
 g(j));

  }
 procedure q(); procedure r();
",
        expect![[r#"
            yield procedure {:layer 1} p(x: int,
              y: int)
            returns (r: int)
            refines atomic action {:layer 2} _
            {
              x := 1;
            }
            requires {:layer 1} x > 0 &&
              y > 0;
            {
              var i: int;

              L:
              while (i < 1)
              invariant {:yields}
                true;
              {
                if (x > 0 &&
                  y > 0) {
                  call a(x,
                    y)
                    | b();
                } else if (*)
                { havoc x; }
                // before the end
              }
              assert (forall j: int ::
                f(
                  j
                ) &&
                g(j));
            }
            procedure q();
            procedure r();
        "#]],
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "\
// first
var x: int;    // aligned
var y: int;//tight
   /* block */ var z: int; /* behind */
   // alone
 procedure p() // header
 // before the brace
 { // open
 x := /* inside */ 1/* tight */; // end
 // last
 } // close
 // bottom",
        expect![[r#"
            // first
            var x: int;    // aligned
            var y: int; //tight
            /* block */ var z: int; /* behind */
            // alone
            procedure p() // header
            // before the brace
            { // open
              x := /* inside */ 1/* tight */; // end
              // last
            } // close
            // bottom
        "#]],
    );
}

#[test]
fn function_bodies_and_datatypes_break_as_written() {
    check(
        "\
function f(x: int): bool
{
x > 0 &&
x < 10
}
datatype D
{
A(),
B(x: int)
}
const c: int uses {
axiom c >
0;
}
function g(
x: int)
: int;
",
        expect![[r#"
            function f(x: int): bool
            {
              x > 0 &&
              x < 10
            }
            datatype D
              {
              A(),
              B(x: int)
            }
            const c: int uses {
              axiom c >
                0;
            }
            function g(
              x: int)
              : int;
        "#]],
    );
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    check(
        "var   x : int;\nprocedure   p( {\n   x :=  ;\n }\nvar   y : int;\n",
        expect![[r#"
            var x: int;
            procedure   p( {
               x :=  ;
             }
            var y: int;
        "#]],
    );
}

#[test]
fn line_ends_of_the_file_are_kept() {
    assert_eq!(
        format("var  x: int;\r\n\r\n\r\n\r\nvar y: int;"),
        "var x: int;\r\n\r\nvar y: int;\r\n"
    );
    assert_eq!(format("\u{feff}var  x: int;"), "\u{feff}var x: int;\n");
    assert_eq!(format(""), "");
}

#[test]
fn a_range_formats_only_its_declarations() {
    let text = "var  a: int;\n\n\nvar  b: int;\nvar  c: int;";
    let at = text.find('b').unwrap() as u32;
    let edits = format_range(text, TextRange::empty(at.into()));
    assert_eq!(apply(text, &edits), "var  a: int;\n\n\nvar b: int;\nvar  c: int;");
    let all = format_range(text, TextRange::up_to((text.len() as u32).into()));
    assert_eq!(apply(text, &all), format(text));
}

#[test]
fn all_programs_keep_their_tokens_and_reach_a_fixed_point() {
    for (path, text) in crate::tests::programs() {
        let once = format(&text);
        assert!(same_tokens(&text, &once), "{path:?}");
        assert_eq!(format(&once), once, "{path:?}");
        assert_eq!(crate::parse(&once).errors().len(), crate::parse(&text).errors().len());
    }
}
