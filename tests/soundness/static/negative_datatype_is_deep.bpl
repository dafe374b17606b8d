// A set of values of the own type, thirty datatypes deep: however deep, it is refused before anything is asked.
// verdict: errors

datatype D0 { N(), C0(x0: D1) } //~ error[negative-datatype]
datatype D1 { C1(x1: D2) } //~ error[negative-datatype]
datatype D2 { C2(x2: D3) } //~ error[negative-datatype]
datatype D3 { C3(x3: D4) } //~ error[negative-datatype]
datatype D4 { C4(x4: D5) } //~ error[negative-datatype]
datatype D5 { C5(x5: D6) } //~ error[negative-datatype]
datatype D6 { C6(x6: D7) } //~ error[negative-datatype]
datatype D7 { C7(x7: D8) } //~ error[negative-datatype]
datatype D8 { C8(x8: D9) } //~ error[negative-datatype]
datatype D9 { C9(x9: D10) } //~ error[negative-datatype]
datatype D10 { C10(x10: D11) } //~ error[negative-datatype]
datatype D11 { C11(x11: D12) } //~ error[negative-datatype]
datatype D12 { C12(x12: D13) } //~ error[negative-datatype]
datatype D13 { C13(x13: D14) } //~ error[negative-datatype]
datatype D14 { C14(x14: D15) } //~ error[negative-datatype]
datatype D15 { C15(x15: D16) } //~ error[negative-datatype]
datatype D16 { C16(x16: D17) } //~ error[negative-datatype]
datatype D17 { C17(x17: D18) } //~ error[negative-datatype]
datatype D18 { C18(x18: D19) } //~ error[negative-datatype]
datatype D19 { C19(x19: D20) } //~ error[negative-datatype]
datatype D20 { C20(x20: D21) } //~ error[negative-datatype]
datatype D21 { C21(x21: D22) } //~ error[negative-datatype]
datatype D22 { C22(x22: D23) } //~ error[negative-datatype]
datatype D23 { C23(x23: D24) } //~ error[negative-datatype]
datatype D24 { C24(x24: D25) } //~ error[negative-datatype]
datatype D25 { C25(x25: D26) } //~ error[negative-datatype]
datatype D26 { C26(x26: D27) } //~ error[negative-datatype]
datatype D27 { C27(x27: D28) } //~ error[negative-datatype]
datatype D28 { C28(x28: D29) } //~ error[negative-datatype]
datatype D29 { C29(x29: D30) } //~ error[negative-datatype]
datatype D30 { C30(s: Seq ([D0]bool)) } //~ error[negative-datatype]

procedure P()
{
  assert true;
}
