// The Cox: from the digits of all Rowers the quotient q, and the value modulo 2^A2 and 3^A3.
//
//   X + C0 = sum of xi_i*M_i - q*M,   q = floor(alpha + sum of top_i/2^T),   alpha = 1/2, or 0 for the short quotient
//   X mod 2^A2 = sum of low_i*|M_i| - q*|M| - |C0|, and the same modulo 3^A3
//
// The digits may be anything below 2^(W+1): the identity holds for them too, if all three units see the same ones.
//
// Stage 1 takes tops and low bits and delivers q; stage 2 takes the residues modulo 3 or 9, which the Rowers register, and
// delivers the value. Modulo 9 there is a third stage.

module moduli_rns_cox (
  input  logic                                                          clk_i,
  input  logic [     moduli_rns_params_pkg::N*moduli_rns_pkg::TopW-1:0] tops_i,
  input  logic [moduli_rns_params_pkg::N*moduli_rns_params_pkg::A2-1:0] lows_i,
  input  logic                                                          short_i,
  // the quotient is to belong to the digits in the registers, below 2^W
  input  logic                                                          reduced_i,
  input  logic [                        moduli_rns_params_pkg::N*4-1:0] threes_i,  // one cycle after the tops
  output logic [                         moduli_rns_pkg::QuotientW-1:0] quotient_o,  // one cycle after the tops
  output logic [                         moduli_rns_params_pkg::A2-1:0] twos_o,  // CoxStages cycles after the tops
  output logic [                                                   3:0] threes_o,
  // what they are in the next cycle; only of wide plus-minus
  output logic [                         moduli_rns_params_pkg::A2-1:0] twos_next_o,
  output logic [                                                   3:0] threes_next_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int SumTopW = T + QuotientW;

  // Stage 1. The tops and alpha are rows of a sum; six of them are replaced by three, column by column, until three are left, and these by
  // two: one carry chain alone.
  localparam int Rows = 3 * ((N + 3) / 3);
  localparam int Nodes = (Rows - 3) / 3;
  logic [QuotientW-1:0] quotient;
  logic [A2-1:0] lows, lows_q;
  always_comb begin
    logic [SumTopW-1:0] row[Rows+3*Nodes];
    logic [SumTopW-1:0] carries, rest;
    logic [2:0] ones;
    for (int i = 0; i < Rows + 3 * Nodes; i++) row[i] = '0;
    row[N] = SumTopW'(MULTIPLY == 0 || !short_i) << (T - 1);
    lows = A2'(NEG_C2);
    for (int i = 0; i < N; i++) begin
      // Where the last fold takes 2^W away, it takes m away.
      row[i] = SumTopW'({tops_i[i*TopW+T] && (MULTIPLY == 0 || !reduced_i), tops_i[i*TopW+:T]});
      lows += A2'(lows_i[i*A2+:A2] * WEIGHTS2[i*A2+:A2]);
    end
    for (int k = 0; k < Nodes; k++) begin
      for (int b = 0; b < SumTopW; b++) begin
        ones = ones6({row[6*k][b], row[6*k+1][b], row[6*k+2][b], row[6*k+3][b], row[6*k+4][b], row[6*k+5][b]});
        for (int j = 0; j < 3; j++) if (b + j < SumTopW) row[Rows+3*k+j][b+j] = ones[j];
      end
    end
    carries = '0;
    for (int b = 0; b < SumTopW; b++) begin
      ones = 3'(ones3({row[Rows+3*Nodes-3][b], row[Rows+3*Nodes-2][b], row[Rows+3*Nodes-1][b]}));
      rest[b] = ones[0];
      if (b + 1 < SumTopW) carries[b+1] = ones[1];
    end
    quotient = QuotientW'((carries + rest) >> T);
  end
  always_ff @(posedge clk_i) begin
    quotient_o <= quotient;
    lows_q <= lows;
  end

  // Stage 2.
  logic [A2-1:0] twos_q;
  always_ff @(posedge clk_i) twos_q <= lows_q + A2'(A2'(quotient_o) * A2'(NEG_M2));

  // -q*M - C0 modulo 3^A3, a table.
  localparam int Threes = A3 == 2 ? 9 : 3;
  logic [3:0] correction;
  always_comb begin
    correction = '0;
    for (int q = 0; q < 2 ** QuotientW; q++) begin
      if (quotient_o == QuotientW'(q)) correction = 4'((q * NEG_M3 + NEG_C3) % Threes);
    end
  end

  // After CoxLatency stages.
  logic [A2-1:0] twos, twos_next;
  logic [3:0] threes, threes_next;
  if (A3 == 1) begin : g_mod3
    // Digits side by side are a number in base 4, which is their sum modulo 3.
    logic [2*N+1:0] side_by_side;
    logic [1:0] rest;
    always_comb begin
      side_by_side[2*N+:2] = correction[1:0];
      for (int i = 0; i < N; i++) side_by_side[2*i+:2] = threes_i[4*i+:2];
    end
    moduli_rns_mod3 #(.W(2 * N + 2)) u_mod3 (
      .x_i(side_by_side),
      .r_o(rest)
    );
    always_ff @(posedge clk_i) threes <= 4'(rest);
    assign twos = twos_q;
    assign {twos_next, threes_next} = '0;
  end else if (A3 == 2) begin : g_mod9
    localparam int SumW9 = $clog2(9 * (N + 1));
    logic [SumW9-1:0] sum, sum_q;
    always_comb begin
      sum = SumW9'(correction);
      for (int i = 0; i < N; i++) sum += SumW9'(threes_i[4*i+:4]);
    end
    logic [3:0] rest;
    moduli_rns_mod9 #(.W(SumW9)) u_mod9 (
      .x_i(sum_q),
      .r_o(rest)
    );
    assign {twos_next, threes_next} = {twos_q, rest};
    always_ff @(posedge clk_i) begin
      sum_q <= sum;
      {twos, threes} <= {twos_next, threes_next};
    end
  end else begin : g_no_threes
    assign {twos, threes} = {twos_q, 4'd0};
    assign {twos_next, threes_next} = '0;
    logic unused_threes;
    assign unused_threes = ^{threes_i, correction};
  end

  // Steps that are longer than the pipeline; those of wide plus-minus without a factor 9 are.
  localparam int Delay = CoxStages - CoxLatency;
  if (Delay > 0) begin : g_late
    logic [Delay-1:0][A2+3:0] late_q;
    always_ff @(posedge clk_i) late_q <= (Delay * (A2 + 4))'({late_q, twos, threes});
    assign {twos_o, threes_o} = late_q[Delay-1];
    assign {twos_next_o, threes_next_o} = Delay > 1 ? late_q[Delay > 1 ? Delay - 2 : 0] : {twos, threes};
    logic unused;
    assign unused = ^{twos_next, threes_next};
  end else begin : g_now
    assign {twos_o, threes_o} = {twos, threes};
    assign {twos_next_o, threes_next_o} = {twos_next, threes_next};
  end
endmodule
