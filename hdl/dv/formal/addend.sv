// Modular addition of the small residues, and the resulting address, compared with `%`. The word of a value x = v, v +
// u or v - u in a group of divisor 2^i*3^j must be at base + 2^i*(x mod 3^j) + x mod 2^i.

module addend
  import moduli_rns_params_pkg::*;
(
  input  logic               clk_i,
  input  logic [GROUP_W-1:0] group_i,
  input  logic               zero_i,
  input  logic               alone_i,
  input  logic               minus_i,
  input  logic [     A2-1:0] v_twos_i,
  input  logic [        3:0] v_threes_i,
  input  logic [     A2-1:0] u_twos_i,
  input  logic [        3:0] u_threes_i,
  output logic               bad_o
);
  localparam int Threes = A3 == 2 ? 9 : A3 == 1 ? 3 : 1;
  logic [ADD_AW-1:0] address;
  moduli_rns_addend u_addend (
    .clk_i,
    .group_i,
    .zero_i,
    .alone_i,
    .minus_i,
    .v_twos_i,
    .v_threes_i,
    .u_twos_i,
    .u_threes_i,
    .address_o(address)
  );

  logic allowed;
  assign allowed = int'(group_i) < GROUPS && int'(v_threes_i) < Threes && int'(u_threes_i) < Threes;

  logic [11:0] twos, threes, expected;
  logic [2:0] i;
  logic [1:0] j;
  always_comb begin
    i = '0;
    j = '0;
    expected = '0;
    for (int g = 0; g < GROUPS; g++) begin
      if (group_i == GROUP_W'(g)) begin
        i = GROUP_TWOS[3*g+:3];
        j = GROUP_THREES[2*g+:2];
        expected = 12'(GROUP_BASE[ADD_AW*g+:ADD_AW]);
      end
    end
    twos = 12'(v_twos_i);
    threes = 12'(v_threes_i);
    if (!alone_i) begin
      twos = minus_i ? twos + 12'd16 - 12'(u_twos_i) : twos + 12'(u_twos_i);
      threes = minus_i ? threes + 12'd9 - 12'(u_threes_i) : threes + 12'(u_threes_i);
    end
    threes = j == 2'd2 ? threes % 12'd9 : j == 2'd1 ? threes % 12'd3 : '0;
    twos = twos & ((12'd1 << i) - 12'd1);
    if (!zero_i) expected = expected + (threes << i) + twos;
  end
  assign bad_o = allowed && 12'(address) != expected;
endmodule
