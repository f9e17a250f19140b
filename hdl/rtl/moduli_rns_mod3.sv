// x modulo 3, combinational.
//
// Because 4 = 1 modulo 3, x is congruent to the sum of its base-4 digits. A tree adds three digits (or
// remainders) at a time: each node is a function of six bits, two 6-input tables. A node with three inputs
// and one output removes two digits, so W bits cost 2*ceil((W - 2)/4) tables in ceil(log3(W/2)) levels.

module moduli_rns_mod3 #(
  parameter int W = 33  // bits of x, at least 1
) (
  input  logic [W-1:0] x_i,
  output logic [1:0]   r_o  // 0, 1 or 2
);

  // Base-4 digits, padded with leading zeros to an odd number of at least three.
  localparam int Pairs = (W + 1) / 2;
  localparam int Digits = (Pairs < 3) ? 3 : Pairs + (1 - Pairs % 2);
  localparam int Nodes = (Digits - 1) / 2;

  // a + b modulo 3, for a and b from 0 to 3. An adder would be mapped to a carry chain, and some tools make a memory
  // from a table, and move the registers of x_i to its other side.
  function automatic logic [1:0] add3(input logic [1:0] a, input logic [1:0] b);
    logic [2:0] i, j;  // whether it is 2, 1 or 0 modulo 3
    i = {a[1] & ~a[0], a[0] & ~a[1], a[1] == a[0]};
    j = {b[1] & ~b[0], b[0] & ~b[1], b[1] == b[0]};
    add3 = {(i[2] & j[0]) | (i[1] & j[1]) | (i[0] & j[2]), (i[1] & j[0]) | (i[0] & j[1]) | (i[2] & j[2])};
  endfunction

  logic [2*Digits-1:0] padded;
  assign padded = (2 * Digits)'(x_i);

  always_comb begin
    logic [1:0] value[Digits+Nodes];
    for (int i = 0; i < Digits; i++) value[i] = padded[2*i+:2];
    // Each node takes the three oldest values that are left, which gives the flattest tree.
    for (int k = 0; k < Nodes; k++) begin
      value[Digits+k] = add3(add3(value[3*k], value[3*k+1]), value[3*k+2]);
    end
    r_o = value[Digits+Nodes-1];
  end

endmodule
