// The Cox computes the quotient q, and the value modulo 2^A2 and 3^A3, from the digits of all Rowers.
//
//   X + C0 = sum of xi_i*M_i - q*M,   q = floor(alpha + sum of top_i/2^T),   alpha = 1/2, or 0 for the short quotient
//   X mod 2^A2 = sum of low_i*|M_i| - q*|M| - |C0|, and the same modulo 3^A3
//
// The digits may be any numbers below 2^(W+1). The identity also holds for these, if all three units use the same
// digits.
//
// Stage 1 takes the top and low bits. Stage 2 delivers q without a register; units that use q register it. Stage 2 also
// takes the residues modulo 3 or 9, which the Rowers register, and delivers the value. Modulo 9, there is a third
// stage.

module moduli_rns_cox (
  input  logic                                                          clk_i,
  input  logic [     moduli_rns_params_pkg::N*moduli_rns_pkg::TopW-1:0] tops_i,
  input  logic [moduli_rns_params_pkg::N*moduli_rns_params_pkg::A2-1:0] lows_i,
  input  logic                                                          short_i,
  // the quotient must be that of the digits in the registers, below 2^W
  input  logic                                                          reduced_i,
  input  logic [                        moduli_rns_params_pkg::N*4-1:0] threes_i,  // one cycle after the tops
  output logic [                         moduli_rns_pkg::QuotientW-1:0] quotient_o,  // one cycle after the tops
  output logic [                         moduli_rns_params_pkg::A2-1:0] twos_o,  // CoxStages cycles after the tops
  output logic [                                                   3:0] threes_o,
  // the values in the next cycle; only for wide plus-minus
  output logic [                         moduli_rns_params_pkg::A2-1:0] twos_next_o,
  output logic [                                                   3:0] threes_next_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // Sums of many rows: six rows are replaced by three, column by column, until three are left. These are replaced by
  // two, which one carry chain adds. All sums are below 2^RowW.
  localparam int SumTopW = T + QuotientW;
  localparam int SumNinesW = $clog2(9 * (N + 1));
  localparam int LeastW = A3 == 2 ? SumNinesW : A2;
  localparam int RowW = SumTopW > LeastW ? SumTopW : LeastW;
  localparam int Rows = 3 * ((N + 3) / 3);
  localparam int Nodes = (Rows - 3) / 3;
  typedef logic [RowW-1:0] row_t;

  function automatic row_t [2:0] three(input row_t [Rows-1:0] rows);
    row_t [Rows+3*Nodes-1:0] row;
    logic [2:0] ones;
    int k, b, j;
    row = (RowW * (Rows + 3 * Nodes))'(rows);
    for (k = 0; k < Nodes; k++) begin
      for (b = 0; b < RowW; b++) begin
        ones = ones6({row[6*k][b], row[6*k+1][b], row[6*k+2][b], row[6*k+3][b], row[6*k+4][b], row[6*k+5][b]});
        for (j = 0; j < 3; j++) if (b + j < RowW) row[Rows+3*k+j][b+j] = ones[j];
      end
    end
    three = row[Rows+3*Nodes-1:Rows+3*Nodes-3];
  endfunction

  function automatic row_t [1:0] two(input row_t [2:0] rows);
    logic [1:0] ones;
    int b;
    two = '0;
    for (b = 0; b < RowW; b++) begin
      ones = ones3({rows[2][b], rows[1][b], rows[0][b]});
      two[0][b] = ones[0];
      if (b + 1 < RowW) two[1][b+1] = ones[1];
    end
  endfunction

  // Low bits times a constant, modulo 2^A2. A table, because a product would be mapped to carry chains.
  function automatic logic [A2-1:0] times(input logic [A2-1:0] value, input logic [A2-1:0] weight);
    int k;
    times = '0;
    for (k = 0; k < 2 ** A2; k++) if (value == A2'(k)) times = A2'(k * int'(weight));
  endfunction

  // Stage 1 reduces the top bits and alpha, and the low bits, to three rows each. The rest of their sums takes as long
  // again, which is left to the next stage.
  row_t [Rows-1:0] tops, lows;
  row_t [2:0] tops_q, lows_q;
  always_comb begin
    tops = '0;
    tops[N] = row_t'(MULTIPLY == 0 || !short_i) << (T - 1);
    lows = '0;
    lows[N] = row_t'(NEG_C2);
    for (int i = 0; i < N; i++) begin
      // If the last fold removes 2^W, it subtracts m, which changes the quotient by exactly 1.
      tops[i] = row_t'({tops_i[i*TopW+T] && (MULTIPLY == 0 || !reduced_i), tops_i[i*TopW+:T]});
      lows[i] = row_t'(times(lows_i[i*A2+:A2], WEIGHTS2[i*A2+:A2]));
    end
  end
  always_ff @(posedge clk_i) begin
    tops_q <= three(tops);
    lows_q <= three(lows);
  end

  // Stage 2.
  row_t [1:0] top, low;
  logic [A2-1:0] twos_q;
  assign top = two(tops_q);
  assign low = two(lows_q);
  assign quotient_o = QuotientW'((top[1] + top[0]) >> T);
  always_ff @(posedge clk_i) twos_q <= A2'(low[1] + low[0]) + times(A2'(quotient_o), A2'(NEG_M2));

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
    // The concatenated residues are a number in base 4, which is congruent to their sum modulo 3. The correction is
    // available late, so it is added last.
    logic [2*N-1:0] side_by_side;
    logic [1:0] others, rest;
    always_comb for (int i = 0; i < N; i++) side_by_side[2*i+:2] = threes_i[4*i+:2];
    moduli_rns_mod3 #(.W(2 * N)) u_others (
      .x_i(side_by_side),
      .r_o(others)
    );
    moduli_rns_mod3 #(.W(4)) u_rest (
      .x_i({correction[1:0], others}),
      .r_o(rest)
    );
    always_ff @(posedge clk_i) threes <= 4'(rest);
    assign twos = twos_q;
    assign {twos_next, threes_next} = '0;
  end else if (A3 == 2) begin : g_mod9
    row_t [Rows-1:0] nines;
    row_t [1:0] others, corrected;
    logic [SumNinesW-1:0] sum_q;
    always_comb begin
      nines = '0;
      for (int i = 0; i < N; i++) nines[i] = row_t'(threes_i[4*i+:4]);
      others = two(three(nines));
      corrected = two({others, row_t'(correction)});
    end
    logic [3:0] rest;
    moduli_rns_mod9 #(.W(SumNinesW)) u_mod9 (
      .x_i(sum_q),
      .r_o(rest)
    );
    assign {twos_next, threes_next} = {twos_q, rest};
    always_ff @(posedge clk_i) begin
      sum_q <= SumNinesW'(corrected[1] + corrected[0]);
      {twos, threes} <= {twos_next, threes_next};
    end
  end else begin : g_no_threes
    assign {twos, threes} = {twos_q, 4'd0};
    assign {twos_next, threes_next} = '0;
    logic unused_threes;
    assign unused_threes = ^{threes_i, correction};
  end

  // A delay for steps that are longer than the pipeline, such as those of wide plus-minus without a factor 9.
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
