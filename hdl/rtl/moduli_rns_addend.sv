// The address of an addend, combinational: the base of its group, and what the divided value is modulo the group's divisor.

module moduli_rns_addend
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic [GROUP_W-1:0] group_i,
  input  logic               zero_i,      // the divided value is a multiple of the divisor
  input  logic               alone_i,
  input  logic               minus_i,
  input  logic [     A2-1:0] v_twos_i,
  input  logic [        3:0] v_threes_i,
  input  logic [     A2-1:0] u_twos_i,
  input  logic [        3:0] u_threes_i,
  output logic [ ADD_AW-1:0] address_o
);
  logic [A2-1:0] twos;
  logic [3:0] threes;
  assign twos = alone_i ? v_twos_i : (minus_i ? v_twos_i - u_twos_i : v_twos_i + u_twos_i);

  if (A3 == 0) begin : g_none
    assign threes = '0;
  end else if (A3 == 1) begin : g_three
    // A function of six bits: an adder would be mapped to carry chains. -U is U with its bits exchanged.
    logic [1:0] v, u;
    assign v = v_threes_i[1:0];
    assign u = alone_i ? 2'd0 : minus_i ? {u_threes_i[0], u_threes_i[1]} : u_threes_i[1:0];
    always_comb begin
      unique case ({v, u})
        4'b0000, 4'b0110, 4'b1001: threes = 4'd0;
        4'b0001, 4'b0100, 4'b1010: threes = 4'd1;
        default: threes = 4'd2;
      endcase
    end
    logic unused;
    assign unused = ^{v_threes_i[3:2], u_threes_i[3:2]};
  end else begin : g_nine
    localparam int Threes = 9;
    logic [4:0] sum, reduced;
    always_comb begin
      sum = alone_i ? 5'(v_threes_i)
          : minus_i ? 5'(v_threes_i) + 5'(Threes) - 5'(u_threes_i)
          : 5'(v_threes_i) + 5'(u_threes_i);
      reduced = sum >= 5'(Threes) ? sum - 5'(Threes) : sum;
    end
    assign threes = reduced[3:0];
  end

  // Modulo 3 of a value modulo 9.
  function automatic logic [3:0] modulo3(input logic [3:0] value);
    unique case (value)
      4'd0, 4'd3, 4'd6: modulo3 = 4'd0;
      4'd1, 4'd4, 4'd7: modulo3 = 4'd1;
      default: modulo3 = 4'd2;
    endcase
  endfunction

  // The word within a group, for every divisor 2^i*3^j.
  logic [7:0] word;
  logic [2:0] i;
  logic [1:0] j;
  logic [ADD_AW-1:0] base;
  always_comb begin
    i = '0;
    j = '0;
    base = '0;
    for (int g = 0; g < GROUPS; g++) begin
      if (group_i == GROUP_W'(g)) begin
        i = GROUP_TWOS[3*g+:3];
        j = GROUP_THREES[2*g+:2];
        base = GROUP_BASE[ADD_AW*g+:ADD_AW];
      end
    end
    word = '0;
    for (int a = 0; a <= A2; a++) begin
      for (int b = 0; b <= A3; b++) begin
        if (i == 3'(a) && j == 2'(b)) begin
          word = 8'(twos) & 8'(2 ** a - 1);
          if (b == A3 && b > 0) word |= 8'(threes) << a;
          else if (b == 1) word |= 8'(modulo3(threes)) << a;
        end
      end
    end
  end
  assign address_o = zero_i ? base : base | ADD_AW'(word);
endmodule
