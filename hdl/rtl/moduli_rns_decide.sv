// Selects the next plus-minus step, from V3 and U3 modulo 2^A2 and 3^A3.
//
// If the greatest common divisor D of V3 and Q = 2^A2*3^A3 is not 1, V3 is divided by D. Otherwise V3 and U3 are
// coprime to Q, and of V3 + U3 and V3 - U3, the one with the larger D is divided by it. For Q = 4 and 12, these are the
// rules of binary and binary-ternary inversion, which have shorter implementations here.

module moduli_rns_decide (
  input  logic                                      clk_i,
  input  logic [     moduli_rns_params_pkg::A2-1:0] v_twos_i,
  input  logic [                               3:0] v_threes_i,
  input  logic [     moduli_rns_params_pkg::A2-1:0] u_twos_i,
  input  logic [                               3:0] u_threes_i,
  // the same values, one cycle earlier
  input  logic [     moduli_rns_params_pkg::A2-1:0] v_twos_next_i,
  input  logic [                               3:0] v_threes_next_i,
  input  logic [     moduli_rns_params_pkg::A2-1:0] u_twos_next_i,
  input  logic [                               3:0] u_threes_next_i,
  output logic                                      alone_o,
  output logic                                      minus_o,  // only if not alone
  output logic [moduli_rns_params_pkg::GROUP_W-1:0] group_o,
  output logic [ moduli_rns_params_pkg::MUL_AW-1:0] multiplier_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // The exponents of 2 and 3 in D.
  function automatic logic [2:0] twos(input logic [A2-1:0] value);
    int k;
    twos = 3'(A2);
    for (k = A2 - 1; k >= 0; k--) if (value[k]) twos = 3'(k);
  endfunction

  function automatic logic [1:0] threes(input logic [3:0] value);
    if (A3 == 0) threes = 2'd0;
    else if (value == 4'd0) threes = 2'(A3);
    else if (A3 == 2 && (value == 4'd3 || value == 4'd6)) threes = 2'd1;
    else threes = 2'd0;
  endfunction

  function automatic logic [GROUP_W-1:0] entry(input logic [15*GROUP_W-1:0] groups, input logic [2:0] i, input logic [1:0] j);
    int a, b;
    entry = '0;
    for (a = 0; a <= A2; a++) begin
      for (b = 0; b <= A3; b++) begin
        if (i == 3'(a) && j == 2'(b)) entry = groups[(a+5*b)*GROUP_W+:GROUP_W];
      end
    end
  endfunction

  function automatic logic [MUL_AW-1:0] multiplier_of(input logic [GROUP_W-1:0] group);
    int k;
    multiplier_of = '0;
    for (k = 0; k < GROUPS; k++) begin
      if (group == GROUP_W'(k)) multiplier_of = GROUP_MUL[k*MUL_AW+:MUL_AW];
    end
  endfunction

  // Tables, computed at elaboration, in two levels with a register between them.
  //
  // The first level handles the primes 2 and 3 separately. Does the prime divide V3? If not, which of V3 + U3 and V3 -
  // U3 is divisible by the higher power of it? The other one has the factor 2^1 or 3^0. The result includes the
  // exponent minus 1, of V3 or of the one with the higher power.
  typedef logic [3:0] twos_t;  // alone, minus, exponent - 1
  typedef logic [2:0] threes_t;
  typedef logic [GROUP_W:0] choice_t;  // minus, group

  function automatic twos_t [2**(2*A2-1)-1:0] twos_table();
    int index;
    logic [A2-1:0] v, u;
    logic [2:0] plus, minus;
    for (index = 0; index < 2 ** (2 * A2 - 1); index++) begin
      v = A2'(index >> (A2 - 1));
      u = A2'(2 * index + 1);
      plus = twos(v + u);
      minus = twos(v - u);
      if (!v[0]) twos_table[index] = {2'b10, 2'(twos(v) - 3'd1)};
      else if (minus > plus) twos_table[index] = {2'b01, 2'(minus - 3'd1)};
      else twos_table[index] = {2'b00, 2'(plus - 3'd1)};
    end
  endfunction

  function automatic threes_t [255:0] threes_table();
    int index;
    int v, u, m;
    logic [1:0] plus, minus;
    m = A3 == 2 ? 9 : 3;
    for (index = 0; index < 256; index++) begin
      v = index / 16;
      u = index % 16;
      plus = threes(4'((v + u) % m));
      minus = threes(4'((v + 2 * m - u) % m));
      if (A3 == 0 || v >= m || u >= m) threes_table[index] = '0;
      else if (v % 3 == 0) threes_table[index] = {2'b10, 1'(threes(4'(v)) - 2'd1)};
      else if (minus > plus) threes_table[index] = {2'b01, 1'(minus - 2'd1)};
      else threes_table[index] = {2'b00, 1'(plus - 2'd1)};
    end
  endfunction

  function automatic choice_t [127:0] choice_table();
    int index;
    twos_t i;
    threes_t j;
    int two, three;
    logic minus;
    logic [2:0] exponent;
    for (index = 0; index < 128; index++) begin
      i = twos_t'(index >> 3);
      j = threes_t'(index);
      two = int'(i[1:0]) + 1;
      three = A3 == 0 ? 0 : int'(j[0]) + 1;
      if (i[3] || j[2]) begin
        choice_table[index] = {1'b0, entry(ALONE_GROUP, i[3] ? 3'(two) : 3'd0, j[2] ? 2'(three) : 2'd0)};
      end else begin
        // If both primes select the same sign, it is used. Otherwise the choice is between 2^two in one and 2*3^three
        // in the other.
        minus = (i[2] == j[1] || A3 == 0 || (1 << two) > (three == 2 ? 18 : 6)) ? i[2] : j[1];
        exponent = minus == i[2] ? 3'(two) : 3'd1;
        choice_table[index] = {minus, entry(minus ? MINUS_GROUP : PLUS_GROUP, exponent, minus == j[1] ? 2'(three) : 2'd0)};
      end
    end
  endfunction

  function automatic logic [127:0][MUL_AW-1:0] multiplier_table(input choice_t [127:0] choices);
    int index;
    for (index = 0; index < 128; index++) multiplier_table[index] = multiplier_of(GROUP_W'(choices[index]));
  endfunction

  if (A2 == 2 && A3 <= 1) begin : g_short
    logic [2:0] v_i, s_i;
    logic [1:0] v_j, s_j;
    assign v_i = twos(v_twos_i);
    assign v_j = threes(v_threes_i);
    assign alone_o = v_i != '0 || v_j != '0;
    // Both are odd, so the sum is divisible by 4 if they differ modulo 4. With the factor 3, the one that is divisible
    // by 3 is used: since neither value is divisible by 3, the sum is if they differ modulo 3.
    logic differ;
    assign differ = v_twos_i[1] != u_twos_i[1];
    assign minus_o = A3 == 1 ? v_threes_i[1:0] == u_threes_i[1:0] : !differ;
    assign s_i = (differ != minus_o) ? 3'd2 : 3'd1;
    assign s_j = 2'(A3);
    always_comb begin
      if (alone_o) group_o = entry(ALONE_GROUP, v_i, v_j);
      else if (minus_o) group_o = entry(MINUS_GROUP, s_i, s_j);
      else group_o = entry(PLUS_GROUP, s_i, s_j);
    end
    assign multiplier_o = multiplier_of(group_o);
    logic unused;
    assign unused = ^{clk_i, u_twos_i[0], u_threes_i, v_threes_i[3:2], v_twos_next_i, v_threes_next_i, u_twos_next_i, u_threes_next_i};
  end else begin : g_tables
    localparam twos_t [2**(2*A2-1)-1:0] TwosTable = twos_table();
    localparam threes_t [255:0] ThreesTable = threes_table();
    localparam choice_t [127:0] ChoiceTable = choice_table();
    localparam logic [127:0][MUL_AW-1:0] MultiplierTable = multiplier_table(ChoiceTable);

    twos_t twos_q;
    threes_t threes_q;
    always_ff @(posedge clk_i) begin
      twos_q   <= TwosTable[{v_twos_next_i, u_twos_next_i[A2-1:1]}];
      threes_q <= ThreesTable[{v_threes_next_i, u_threes_next_i}];
    end
    assign alone_o = twos_q[3] || threes_q[2];
    choice_t choice;
    assign choice  = ChoiceTable[{twos_q, threes_q}];
    assign minus_o = choice[GROUP_W];
    assign group_o = choice[GROUP_W-1:0];
    assign multiplier_o = MultiplierTable[{twos_q, threes_q}];
    logic unused;
    assign unused = ^{v_twos_i, v_threes_i, u_twos_i, u_threes_i, u_twos_next_i[0]};
  end
endmodule
