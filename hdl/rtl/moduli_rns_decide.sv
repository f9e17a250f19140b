// What a plus-minus step does next, combinational, from V3 and U3 modulo 2^A2 and 3^A3.
//
// V3 is divided by the greatest common divisor D with Q = 2^A2*3^A3, if that is not 1. Else V3 and U3 are coprime to Q, and of
// V3 + U3 and V3 - U3 the one that has the larger D is taken and divided by it. For Q = 4 and 12 this is what binary and
// binary-ternary inversion do; those have forms of their own here, which are short.

module moduli_rns_decide
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic [     A2-1:0] v_twos_i,
  input  logic [        3:0] v_threes_i,
  input  logic [     A2-1:0] u_twos_i,
  input  logic [        3:0] u_threes_i,
  output logic               alone_o,
  output logic               minus_o,    // only if not alone
  output logic [GROUP_W-1:0] group_o
);
  // The exponents of 2 and 3 in D.
  function automatic logic [2:0] twos(input logic [A2-1:0] value);
    twos = 3'(A2);
    for (int k = A2 - 1; k >= 0; k--) if (value[k]) twos = 3'(k);
  endfunction

  function automatic logic [1:0] threes(input logic [3:0] value);
    if (A3 == 0) threes = 2'd0;
    else if (value == 4'd0) threes = 2'(A3);
    else if (A3 == 2 && (value == 4'd3 || value == 4'd6)) threes = 2'd1;
    else threes = 2'd0;
  endfunction

  function automatic logic [GROUP_W-1:0] entry(input logic [15*GROUP_W-1:0] groups, input logic [2:0] i, input logic [1:0] j);
    entry = '0;
    for (int a = 0; a <= A2; a++) begin
      for (int b = 0; b <= A3; b++) begin
        if (i == 3'(a) && j == 2'(b)) entry = groups[(a+5*b)*GROUP_W+:GROUP_W];
      end
    end
  endfunction

  logic [2:0] v_i;
  logic [1:0] v_j;
  assign v_i = twos(v_twos_i);
  assign v_j = threes(v_threes_i);
  assign alone_o = v_i != '0 || v_j != '0;

  logic [2:0] s_i;
  logic [1:0] s_j;
  if (A2 == 2 && A3 <= 1) begin : g_short
    // Both are odd: the sum is divisible by 4 if they differ modulo 4. With a factor 3 that one is taken which it divides:
    // neither is divisible by 3, so the sum is if they differ modulo 3.
    logic differ;
    assign differ = v_twos_i[1] != u_twos_i[1];
    assign minus_o = A3 == 1 ? v_threes_i[1:0] == u_threes_i[1:0] : !differ;
    assign s_i = (differ != minus_o) ? 3'd2 : 3'd1;
    assign s_j = 2'(A3);
    logic unused;
    assign unused = ^{u_twos_i[0], u_threes_i, v_threes_i[3:2]};
  end else begin : g_general
    localparam int Threes = A3 == 2 ? 9 : (A3 == 1 ? 3 : 1);
    logic [4:0] sum3, difference3;
    logic [A2-1:0] sum2, difference2;
    logic [2:0] plus_i, minus_i;
    logic [1:0] plus_j, minus_j;
    assign sum2 = v_twos_i + u_twos_i;
    assign difference2 = v_twos_i - u_twos_i;
    // Only whether they are 0 modulo 3 and 9 matters: 0, 9 and 18, 3, 6, 12 and 15 serve.
    assign sum3 = 5'(v_threes_i) + 5'(u_threes_i);
    assign difference3 = 5'(v_threes_i) + 5'(Threes) - 5'(u_threes_i);
    function automatic logic [1:0] wide_threes(input logic [4:0] value);
      unique case (value)
        5'd0, 5'd9, 5'd18: wide_threes = 2'(A3);
        5'd3, 5'd6, 5'd12, 5'd15: wide_threes = A3 >= 1 ? 2'd1 : 2'd0;
        default: wide_threes = 2'd0;
      endcase
    endfunction
    assign plus_i = twos(sum2);
    assign minus_i = twos(difference2);
    assign plus_j = wide_threes(sum3);
    assign minus_j = wide_threes(difference3);
    // 2^i*3^j in both, compared.
    function automatic logic [7:0] divisor(input logic [2:0] i, input logic [1:0] j);
      divisor = (j == 2'd0 ? 8'd1 : j == 2'd1 ? 8'd3 : 8'd9) << i;
    endfunction
    assign minus_o = divisor(minus_i, minus_j) > divisor(plus_i, plus_j);
    assign s_i = minus_o ? minus_i : plus_i;
    assign s_j = minus_o ? minus_j : plus_j;
  end

  always_comb begin
    if (alone_o) group_o = entry(ALONE_GROUP, v_i, v_j);
    else if (minus_o) group_o = entry(MINUS_GROUP, s_i, s_j);
    else group_o = entry(PLUS_GROUP, s_i, s_j);
  end
endmodule
