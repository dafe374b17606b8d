// verdict: verified
// A CR alone ends the comment, so the line with `RUN:` is no leading comment and asks for no library.procedure P() { assert true; } // RUN: -lib:base
datatype Option<T> { Nothing() }
