// One hardware multiplier: the product of two unsigned numbers of at most 18 bits, with a register behind it. The
// operands come from registers. It is a separate module, so that a vendor's primitive can replace it.

module moduli_rns_tile #(
  parameter int WidthA = 18,
  parameter int WidthB = 18
) (
  input  logic                     clk_i,
  input  logic [       WidthA-1:0] a_i,
  input  logic [       WidthB-1:0] b_i,
  output logic [WidthA+WidthB-1:0] p_o    // one cycle later
);
  always_ff @(posedge clk_i) p_o <= (WidthA + WidthB)'(a_i) * (WidthA + WidthB)'(b_i);
endmodule
