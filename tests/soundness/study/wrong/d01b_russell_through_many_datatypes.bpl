// expect: refused
// A set of values of the own type lies deep inside the datatype.
datatype D0 { N(), C0(x0: D1) }
datatype D1 { C1(x1: D2) }
datatype D2 { C2(x2: D3) }
datatype D3 { C3(x3: D4) }
datatype D4 { C4(x4: D5) }
datatype D5 { C5(x5: D6) }
datatype D6 { C6(x6: D7) }
datatype D7 { C7(x7: D8) }
datatype D8 { C8(x8: D9) }
datatype D9 { C9(x9: D10) }
datatype D10 { C10(x10: D11) }
datatype D11 { C11(x11: D12) }
datatype D12 { C12(x12: D13) }
datatype D13 { C13(x13: D14) }
datatype D14 { C14(x14: D15) }
datatype D15 { C15(x15: D16) }
datatype D16 { C16(x16: D17) }
datatype D17 { C17(x17: D18) }
datatype D18 { C18(x18: D19) }
datatype D19 { C19(x19: D20) }
datatype D20 { C20(x20: D21) }
datatype D21 { C21(x21: D22) }
datatype D22 { C22(x22: D23) }
datatype D23 { C23(x23: D24) }
datatype D24 { C24(x24: D25) }
datatype D25 { C25(x25: D26) }
datatype D26 { C26(x26: D27) }
datatype D27 { C27(x27: D28) }
datatype D28 { C28(x28: D29) }
datatype D29 { C29(x29: D30) }
datatype D30 { C30(x30: D31) }
datatype D31 { C31(x31: D32) }
datatype D32 { C32(x32: D33) }
datatype D33 { C33(x33: D34) }
datatype D34 { C34(x34: D35) }
datatype D35 { C35(x35: D36) }
datatype D36 { C36(x36: D37) }
datatype D37 { C37(x37: D38) }
datatype D38 { C38(x38: D39) }
datatype D39 { C39(x39: D40) }
datatype D40 { C40(x40: D41) }
datatype D41 { C41(x41: D42) }
datatype D42 { C42(x42: D43) }
datatype D43 { C43(x43: D44) }
datatype D44 { C44(x44: D45) }
datatype D45 { C45(x45: D46) }
datatype D46 { C46(x46: D47) }
datatype D47 { C47(x47: D48) }
datatype D48 { C48(x48: D49) }
datatype D49 { C49(x49: D50) }
datatype D50 { C50(x50: D51) }
datatype D51 { C51(x51: D52) }
datatype D52 { C52(x52: D53) }
datatype D53 { C53(x53: D54) }
datatype D54 { C54(x54: D55) }
datatype D55 { C55(x55: D56) }
datatype D56 { C56(x56: D57) }
datatype D57 { C57(x57: D58) }
datatype D58 { C58(x58: D59) }
datatype D59 { C59(x59: D60) }
datatype D60 { C60(x60: D61) }
datatype D61 { C61(x61: D62) }
datatype D62 { C62(x62: D63) }
datatype D63 { C63(x63: D64) }
datatype D64 { C64(x64: D65) }
datatype D65 { C65(x65: D66) }
datatype D66 { C66(x66: D67) }
datatype D67 { C67(x67: D68) }
datatype D68 { C68(x68: D69) }
datatype D69 { C69(x69: D70) }
datatype D70 { C70(x70: D71) }
datatype D71 { C71(x71: D72) }
datatype D72 { C72(x72: D73) }
datatype D73 { C73(x73: D74) }
datatype D74 { C74(x74: D75) }
datatype D75 { C75(x75: D76) }
datatype D76 { C76(x76: D77) }
datatype D77 { C77(x77: D78) }
datatype D78 { C78(x78: D79) }
datatype D79 { C79(x79: D80) }
datatype D80 { C80(s: Seq ([D0]bool)) }

procedure P()
{
  var r: D0;
  var m: [D0]bool;
  m := (lambda d: D0 :: !Seq_Nth(d->x0->x1->x2->x3->x4->x5->x6->x7->x8->x9->x10->x11->x12->x13->x14->x15->x16->x17->x18->x19->x20->x21->x22->x23->x24->x25->x26->x27->x28->x29->x30->x31->x32->x33->x34->x35->x36->x37->x38->x39->x40->x41->x42->x43->x44->x45->x46->x47->x48->x49->x50->x51->x52->x53->x54->x55->x56->x57->x58->x59->x60->x61->x62->x63->x64->x65->x66->x67->x68->x69->x70->x71->x72->x73->x74->x75->x76->x77->x78->x79->s, 0)[d]);
  r := C0(C1(C2(C3(C4(C5(C6(C7(C8(C9(C10(C11(C12(C13(C14(C15(C16(C17(C18(C19(C20(C21(C22(C23(C24(C25(C26(C27(C28(C29(C30(C31(C32(C33(C34(C35(C36(C37(C38(C39(C40(C41(C42(C43(C44(C45(C46(C47(C48(C49(C50(C51(C52(C53(C54(C55(C56(C57(C58(C59(C60(C61(C62(C63(C64(C65(C66(C67(C68(C69(C70(C71(C72(C73(C74(C75(C76(C77(C78(C79(C80(Seq_Unit(m))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
  assert Seq_Nth(r->x0->x1->x2->x3->x4->x5->x6->x7->x8->x9->x10->x11->x12->x13->x14->x15->x16->x17->x18->x19->x20->x21->x22->x23->x24->x25->x26->x27->x28->x29->x30->x31->x32->x33->x34->x35->x36->x37->x38->x39->x40->x41->x42->x43->x44->x45->x46->x47->x48->x49->x50->x51->x52->x53->x54->x55->x56->x57->x58->x59->x60->x61->x62->x63->x64->x65->x66->x67->x68->x69->x70->x71->x72->x73->x74->x75->x76->x77->x78->x79->s, 0) == m;
  assert m[r] == !Seq_Nth(r->x0->x1->x2->x3->x4->x5->x6->x7->x8->x9->x10->x11->x12->x13->x14->x15->x16->x17->x18->x19->x20->x21->x22->x23->x24->x25->x26->x27->x28->x29->x30->x31->x32->x33->x34->x35->x36->x37->x38->x39->x40->x41->x42->x43->x44->x45->x46->x47->x48->x49->x50->x51->x52->x53->x54->x55->x56->x57->x58->x59->x60->x61->x62->x63->x64->x65->x66->x67->x68->x69->x70->x71->x72->x73->x74->x75->x76->x77->x78->x79->s, 0)[r];
  assert false;
}