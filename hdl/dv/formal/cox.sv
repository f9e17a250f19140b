// The Cox compared with plain sums and `%`, for digits with any top bits, low bits and residues. The script removes the
// registers between its stages, so values pass in one step.

module cox
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic [N*TopW-1:0] tops_i,
  input  logic [  N*A2-1:0] lows_i,
  input  logic              short_i,
  input  logic              reduced_i,
  input  logic [   N*4-1:0] threes_i,
  output logic              bad_o
);
  localparam int Threes = A3 == 2 ? 9 : A3 == 1 ? 3 : 1;
  localparam int SumW = 16;
  logic [QuotientW-1:0] quotient;
  logic [A2-1:0] twos, twos_next;
  logic [3:0] threes, threes_next;
  moduli_rns_cox u_cox (
    .clk_i(1'b0),
    .tops_i,
    .lows_i,
    .short_i,
    .reduced_i,
    .threes_i,
    .quotient_o(quotient),
    .twos_o(twos),
    .threes_o(threes),
    .twos_next_o(twos_next),
    .threes_next_o(threes_next)
  );

  // Without products, every quotient is the rounded one, and no digit counts as reduced.
  logic allowed, rounded, whole;
  assign rounded = MULTIPLY == 0 || !short_i;
  assign whole = MULTIPLY == 0 || !reduced_i;
  logic [SumW-1:0] sum, sum_twos, sum_threes;
  always_comb begin
    allowed = 1'b1;
    sum = rounded ? SumW'(1) << (T - 1) : '0;
    sum_twos = SumW'(NEG_C2);
    sum_threes = SumW'(NEG_C3);
    for (int i = 0; i < N; i++) begin
      if (int'(threes_i[4*i+:4]) >= Threes) allowed = 1'b0;
      sum += SumW'(tops_i[i*TopW+:T]);
      if (whole && tops_i[i*TopW+T]) sum += SumW'(1) << T;
      sum_twos += SumW'(lows_i[i*A2+:A2]) * SumW'(WEIGHTS2[i*A2+:A2]);
      sum_threes += SumW'(threes_i[4*i+:4]);
    end
    sum_twos += (sum >> T) * SumW'(NEG_M2);
    sum_threes += (sum >> T) * SumW'(NEG_M3);
  end

  logic wrong_quotient, wrong_twos, wrong_threes, wrong_next;
  assign wrong_quotient = SumW'(quotient) != sum >> T;
  assign wrong_twos = twos != A2'(sum_twos);
  assign wrong_threes = A3 != 0 && SumW'(threes) != sum_threes % SumW'(Threes);
  // Without registers, the next values equal the current ones.
  assign wrong_next = A3 == 2 && {twos_next, threes_next} != {twos, threes};
  assign bad_o = allowed && (wrong_quotient || wrong_twos || wrong_threes || wrong_next);
endmodule
