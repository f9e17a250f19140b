// The matrix of k division steps, one step per cycle, from the k low bits of f and g. Also, from the words of d and e
// times -1/P, the multiples of P that make the new d and e divisible by 2^k.
//
//   delta > 0 and g odd   (delta, f, g) <- (1 - delta, g, (g - f)/2), else (1 + delta, f, (g + (g mod 2)*f)/2)
//
// The rows (u, v) of f and (q, r) of g are updated in the same steps. The words of d and e are updated Lag cycles
// later, because they are read later. Entries are stored negated, so that each, plus 2^k, is 0 to 2^(k+1) - 1.

module moduli_rns_matrix (
  input  logic                                                         clk_i,
  input  logic                                                         rst_ni,
  input  logic                                                         wipe_i,
  input  logic                         [moduli_rns_pkg::WordW-1:0]     word_i,
  input  logic                                                         first_i,  // jump of an inversion: f = P, d = 0, e = 2^k, delta = 1/2
  input  logic                                                         load_f_i,
  input  logic                                                         load_g_i,  // and start
  input  logic                                                         run_i,  // otherwise the matrix is 1
  input  logic                                                         load_d_i,
  input  logic                                                         load_e_i,
  input  moduli_rns_pkg::term_e                                        term_i,
  output logic                         [moduli_rns_pkg::WordW:0]       term_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int CountW = $clog2(WordW + 1);
  localparam int DeltaW = DELTA_W > 0 ? DELTA_W : 1;  // a core without division steps has none

  // The number of steps left, and delta - 1/2.
  logic [CountW-1:0] count_q;
  logic [DeltaW-1:0] delta_q;
  logic [WordW-1:0] f_q, g_q;
  logic [WordW:0] u_q, v_q, q_q, r_q;
  logic step, odd, swap;
  assign step = count_q != '0;
  assign odd  = g_q[0];
  assign swap = odd && !delta_q[DeltaW-1];

  // The second row, plus or minus the first, or unchanged.
  logic [WordW-1:0] sum_g;
  logic [WordW:0] sum_q, sum_r;
  always_comb begin
    sum_g = g_q + ((f_q ^ {WordW{swap}}) & {WordW{odd}}) + WordW'(swap);
    sum_q = q_q + ((u_q ^ {WordW + 1{swap}}) & {WordW + 1{odd}}) + (WordW + 1)'(swap);
    sum_r = r_q + ((v_q ^ {WordW + 1{swap}}) & {WordW + 1{odd}}) + (WordW + 1)'(swap);
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      count_q <= count_q - CountW'(1);
      delta_q <= (delta_q ^ {DeltaW{swap}}) + DeltaW'(1);
      // The bits that are shifted in at the top do not matter.
      g_q <= sum_g >> 1;
      if (swap) f_q <= g_q;
      u_q <= (swap ? q_q : u_q) << 1;
      v_q <= (swap ? r_q : v_q) << 1;
      q_q <= sum_q;
      r_q <= sum_r;
    end
    if (load_f_i) begin
      f_q <= first_i ? WordW'(PRIME) : word_i;
      if (first_i) delta_q <= '0;
    end
    if (load_g_i) begin
      g_q <= word_i;
      count_q <= run_i ? CountW'(WordW) : '0;
      {u_q, v_q, q_q, r_q} <= {{WordW + 1{1'b1}}, {2 * (WordW + 1) {1'b0}}, {WordW + 1{1'b1}}};
    end
    if (wipe_i) begin
      {delta_q, f_q, g_q} <= '0;
      {u_q, v_q, q_q, r_q} <= '0;
    end
    if (!rst_ni) count_q <= '0;
  end

  // d and e, with the same steps.
  logic [Lag-1:0] steps_q, odds_q, swaps_q;
  logic [WordW-1:0] d_q, e_q;
  logic late_odd, late_swap;
  assign late_odd  = odds_q[Lag-1];
  assign late_swap = swaps_q[Lag-1];
  always_ff @(posedge clk_i) begin
    steps_q <= Lag'({steps_q, step});
    odds_q  <= Lag'({odds_q, odd});
    swaps_q <= Lag'({swaps_q, swap});
    if (steps_q[Lag-1]) begin
      d_q <= (late_swap ? e_q : d_q) << 1;
      e_q <= e_q + ((d_q ^ {WordW{late_swap}}) & {WordW{late_odd}}) + WordW'(late_swap);
    end
    // The words of 0 and of 2^k.
    if (load_d_i) d_q <= first_i ? '0 : word_i;
    if (load_e_i) e_q <= first_i ? '0 : word_i;
    if (wipe_i) {d_q, e_q, odds_q, swaps_q} <= '0;
    if (!rst_ni) steps_q <= '0;
  end

  // Adds 2^k, or 2^(k-1): the sign bit is inverted.
  always_comb begin
    unique case (term_i)
      EntryU: term_o = {!u_q[WordW], u_q[WordW-1:0]};
      EntryV: term_o = {!v_q[WordW], v_q[WordW-1:0]};
      EntryQ: term_o = {!q_q[WordW], q_q[WordW-1:0]};
      EntryR: term_o = {!r_q[WordW], r_q[WordW-1:0]};
      MultipleD: term_o = {1'b0, !d_q[WordW-1], d_q[WordW-2:0]};
      default: term_o = {1'b0, !e_q[WordW-1], e_q[WordW-2:0]};
    endcase
  end
endmodule
