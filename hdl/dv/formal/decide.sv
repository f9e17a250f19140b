// The next step, compared with greatest common divisors by `%`. If gcd(V, Q) is not 1, V is divided by it. Otherwise V
// + U or V - U, whichever has the larger gcd, is divided by that. U is coprime to Q.

module decide
  import moduli_rns_params_pkg::*;
(
  input  logic          clk_i,
  input  logic [A2-1:0] v_twos_i,
  input  logic [   3:0] v_threes_i,
  input  logic [A2-1:0] u_twos_i,
  input  logic [   3:0] u_threes_i,
  output logic          bad_o
);
  localparam int Threes = A3 == 2 ? 9 : A3 == 1 ? 3 : 1;
  logic alone, minus;
  logic [GROUP_W-1:0] group;
  logic [MUL_AW-1:0] multiplier;
  moduli_rns_decide u_decide (
    .clk_i,
    .v_twos_i,
    .v_threes_i,
    .u_twos_i,
    .u_threes_i,
    .v_twos_next_i  (v_twos_i),
    .v_threes_next_i(v_threes_i),
    .u_twos_next_i  (u_twos_i),
    .u_threes_next_i(u_threes_i),
    .alone_o        (alone),
    .minus_o        (minus),
    .group_o        (group),
    .multiplier_o   (multiplier)
  );

  logic allowed;
  assign allowed = u_twos_i[0] && int'(v_threes_i) < Threes && int'(u_threes_i) < Threes && (A3 == 0 || u_threes_i % 4'd3 != 4'd0);

  // Whether a divisor of Q divides the value with these residues.
  function automatic logic divides(input int two, input int three, input logic [4:0] twos, input logic [4:0] threes);
    divides = twos % 5'(two) == 5'd0 && threes % 5'(three) == 5'd0;
  endfunction

  logic [4:0] twos[3], threes[3];  // of V, V + U, V - U
  logic [7:0] divisor[3];
  logic [7:0] place[3];  // i + 5*j
  logic [GROUP_W-1:0] expected;
  always_comb begin
    twos[0] = 5'(v_twos_i);
    twos[1] = 5'(v_twos_i) + 5'(u_twos_i);
    twos[2] = 5'(v_twos_i) + 5'(2 ** A2) - 5'(u_twos_i);
    threes[0] = 5'(v_threes_i);
    threes[1] = 5'(v_threes_i) + 5'(u_threes_i);
    threes[2] = 5'(v_threes_i) + 5'(Threes) - 5'(u_threes_i);
    for (int k = 0; k < 3; k++) begin
      divisor[k] = 8'd1;
      place[k] = '0;
      for (int j = 0; j <= A3; j++) begin
        for (int i = 0; i <= A2; i++) begin
          if (divides(2 ** i, 3 ** j, twos[k], threes[k]) && divisor[k] < 8'(2 ** i * 3 ** j)) begin
            divisor[k] = 8'(2 ** i * 3 ** j);
            place[k] = 8'(i + 5 * j);
          end
        end
      end
    end
    expected = '0;
    for (int k = 0; k < 15; k++) begin
      if (divisor[0] != 8'd1) begin
        if (place[0] == 8'(k)) expected = ALONE_GROUP[k*GROUP_W+:GROUP_W];
      end else if (divisor[2] > divisor[1]) begin
        if (place[2] == 8'(k)) expected = MINUS_GROUP[k*GROUP_W+:GROUP_W];
      end else if (place[1] == 8'(k)) begin
        expected = PLUS_GROUP[k*GROUP_W+:GROUP_W];
      end
    end
  end

  logic [MUL_AW-1:0] constant;
  always_comb begin
    constant = '0;
    for (int g = 0; g < GROUPS; g++) if (expected == GROUP_W'(g)) constant = GROUP_MUL[g*MUL_AW+:MUL_AW];
  end
  logic right;
  assign right = alone == (divisor[0] != 8'd1) && (alone || minus == (divisor[2] > divisor[1]))
      && group == expected && multiplier == constant;
  assign bad_o = allowed && !right;
endmodule
