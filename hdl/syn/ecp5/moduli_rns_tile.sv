// The tile for ECP5: a MULT18X18D with the register behind the product inside it, which Yosys does not infer. It takes the place
// of rtl/moduli_rns_tile.sv and does the same.

(* blackbox *)
module MULT18X18D #(
  parameter REG_OUTPUT_CLK = "NONE",
  parameter REG_OUTPUT_CE  = "CE0",
  parameter REG_OUTPUT_RST = "RST0"
) (
  input logic
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11,
    A12, A13, A14, A15, A16, A17, B0, B1, B2, B3, B4, B5,
    B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
    SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, RST0,
  output logic
    P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11,
    P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
    P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
endmodule

module moduli_rns_tile #(
  parameter int WidthA = 18,
  parameter int WidthB = 18
) (
  input  logic                     clk_i,
  input  logic [       WidthA-1:0] a_i,
  input  logic [       WidthB-1:0] b_i,
  output logic [WidthA+WidthB-1:0] p_o    // one cycle later
);
  logic [17:0] a, b;
  logic [35:0] p;
  assign a   = 18'(a_i);
  assign b   = 18'(b_i);
  assign p_o = p[WidthA+WidthB-1:0];
  MULT18X18D #(
    .REG_OUTPUT_CLK("CLK0"),
    .REG_OUTPUT_CE ("CE0"),
    .REG_OUTPUT_RST("RST0")
  ) u_mult (
    .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]),
    .A6(a[6]), .A7(a[7]), .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]),
    .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]), .A16(a[16]), .A17(a[17]),
    .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]),
    .B6(b[6]), .B7(b[7]), .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]),
    .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]),
    .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]), .P5(p[5]),
    .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]),
    .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]), .P16(p[16]), .P17(p[17]),
    .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]),
    .P24(p[24]), .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]),
    .P30(p[30]), .P31(p[31]), .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35]),
    .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
    .CLK0(clk_i), .CE0(1'b1), .RST0(1'b0)
  );
endmodule
