// x modulo 9, times a factor, combinational.
//
// Because 8 = -1 modulo 9, x is congruent to the sum of its base-8 digits with alternating signs. A negative digit d is
// replaced by its complement, -d = ~d - 7 = ~d + 2, so that all digits are added and the constants are combined into
// one number. A node replaces six digits by three: the number of ones among the six bits of weight 1 (of weight 2, of
// weight 4) is a digit again. A bit that a shift moves beyond weight 4 returns complemented, because 8*b = -b = ~b - 1.
// At the end, three digits are left.

module moduli_rns_mod9 #(
  parameter int W = 33,  // bits of x, at least 1
  parameter int Factor = 1
) (
  input  logic [W-1:0] x_i,
  output logic [  3:0] r_o  // Factor*x modulo 9, 0 to 8
);
  import moduli_rns_pkg::*;

  // Base-8 digits, padded with leading zeros to a multiple of three.
  localparam int Triples = (W + 2) / 3;
  localparam int Digits = 3 * ((Triples + 2) / 3);
  localparam int Nodes = (Digits - 3) / 3;
  // Every complemented digit contributes +2. A node contributes -1 for weight 2, and -1 - 2 for weight 4.
  localparam int Complemented = Triples / 2;
  localparam int Offset = 2 * Complemented + 5 * Nodes;

  // Tables, computed at elaboration, because adders would be mapped to carry chains.
  typedef logic [15:0][3:0] low_table_t;
  typedef logic [63:0][3:0] high_table_t;

  // Maps {number of ones of weight 2, number of ones of weight 1} to their sum with the constant, modulo 9.
  function automatic low_table_t low_table();
    int i;
    for (i = 0; i < 16; i++) low_table[i] = 4'((i / 4 * 2 + i % 4 + Offset) % 9);
  endfunction

  // Maps {number of ones of weight 4, a remainder} to their sum modulo 9, times the factor.
  function automatic high_table_t high_table();
    int i;
    for (i = 0; i < 64; i++) high_table[i] = 4'((i / 16 * 4 + i % 16) * Factor % 9);
  endfunction

  localparam low_table_t LowTable = low_table();
  localparam high_table_t HighTable = high_table();

  logic [3*Digits-1:0] padded;

  always_comb begin
    padded = '0;
    for (int i = 0; i < W; i++) padded[i] = x_i[i];
    for (int i = 1; i < Triples; i += 2) padded[3*i+:3] = ~padded[3*i+:3];
  end

  always_comb begin
    logic [2:0] value[Digits+3*Nodes];
    logic [2:0] a;
    logic [2:0] b;
    logic [2:0] c;
    logic [5:0] column[3];
    logic [3:0] low;
    for (int i = 0; i < Digits; i++) value[i] = padded[3*i+:3];
    for (int k = 0; k < Nodes; k++) begin
      for (int j = 0; j < 3; j++) begin
        for (int i = 0; i < 6; i++) column[j][i] = value[6*k+i][j];
      end
      a = ones6(column[0]);
      b = ones6(column[1]);
      c = ones6(column[2]);
      value[Digits+3*k] = a;
      value[Digits+3*k+1] = {b[1:0], ~b[2]};
      value[Digits+3*k+2] = {c[0], ~c[2:1]};
    end
    // The last three digits: first the bits of weight 1 and 2 with the constant (six bits), then the bits of weight 4.
    a = value[Digits+3*Nodes-3];
    b = value[Digits+3*Nodes-2];
    c = value[Digits+3*Nodes-1];
    low = LowTable[{ones3({a[1], b[1], c[1]}), ones3({a[0], b[0], c[0]})}];
    r_o = HighTable[{ones3({a[2], b[2], c[2]}), low}];
  end

endmodule
