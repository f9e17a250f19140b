// Converts the digits xi_i of X to the canonical X or -X modulo P.
//
//   E = sum of xi_i*M_i - q*M + (P - C0) modulo 2^(NW), which is X + P, 0 < X + P < 2P
//
// two columns at a time. Column j is the sum of digit j of all M_i times xi_i, with q times digit j of -M as the last
// term, and its carry goes to the next column. Two products per cycle take ceil(N/2)*(N + 1) cycles. The ring delivers
// the xi_i in turn, and q is summed in its first round. E or 2P - E (for -X), and the same minus P, go through two
// digit-serial subtractors; the borrow of the second one selects the result.
//
// For a redundant channel and for checks of inverses, the registers of both candidates rotate once. Each digit of the
// selected candidate is then written to both, so the result is stored twice. The parity of each digit is stored elsewhere.
// The first copy of a digit is the output if it has this parity, otherwise the second. So a bit that flips in a waiting
// result is corrected.

module moduli_rns_unloader (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                wipe_i,
  input  logic                                start_i,  // the ring holds the digits from the next cycle on
  input  logic                                minus_i,
  input  logic                                skip_i,  // there is no result: deliver 0
  output logic                                ready_o,
  output logic                                shift_o,
  input  logic [moduli_rns_params_pkg::W-1:0] digit_i,
  output logic                                valid_o,
  input  logic                                ready_i,
  // Rotates both registers by a digit, and makes them copies of the selected candidate.
  input  logic                                rotate_i,
  input  logic                                copies_i,  // they are copies
  input  logic [moduli_rns_params_pkg::N-1:0] parities_i,  // of the digits of the copies
  output logic                                damaged_o,  // the highest digit of the first copy has another parity
  output logic [moduli_rns_params_pkg::W-1:0] lowest_o,  // the lowest digit of the selected candidate
  output logic                                reduced_o,  // this is the second candidate
  output logic                                column_o,  // a digit enters both candidates
  output logic [moduli_rns_params_pkg::L-1:0] data_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int SumTopW = T + QuotientW;
  localparam int AccW = 2 * W + $clog2(N + 3) + 1;
  localparam int Passes = (N + 1) / 2;
  localparam int Bits = N * W;
  // The cycles from a term to its sum.
  localparam int Latency = 5;

  typedef enum logic [1:0] {
    Free,
    Sum,
    Drain,
    Done
  } state_e;
  state_e state_q;
  logic [DigitW-1:0] pass_q, term_q;
  logic [OUT_AW-1:0] address_q;
  logic minus_q;
  logic last_term;
  assign last_term = term_q == DigitW'(N);
  assign ready_o = state_q == Free;
  // From a register, because it goes to every channel: the next term is a digit.
  logic shift_q;
  assign shift_o = shift_q;

  // The flags of a term accompany it through the pipeline.
  typedef struct packed {
    logic valid;
    logic first;
    logic last;
  } flags_t;
  flags_t flags;
  flags_t flags_q[Latency];
  assign flags = '{
    valid: state_q == Sum,
    first: term_q == '0,
    last: last_term
  };

  // 0: the digit, or q; the address of the constant.
  logic [SumTopW-1:0] tops_q;
  logic [W-1:0] x_q, constant;
  always_ff @(posedge clk_i) begin
    if (state_q == Free) tops_q <= SumTopW'(2 ** (T - 1));
    else if (pass_q == '0 && !last_term) tops_q <= tops_q + SumTopW'(digit_i[W-1:W-T]);
    x_q <= last_term ? W'(tops_q[SumTopW-1:T]) : digit_i;
  end
  logic [W-1:0] constant_b;
  moduli_rns_rom_out u_rom_out_a (
    .clk_i,
    .addr_i(address_q),
    .data_o(constant)
  );
  moduli_rns_rom_out u_rom_out_b (
    .clk_i,
    .addr_i(address_q + OUT_AW'(N + 1)),
    .data_o(constant_b)
  );

  // 1: the constants from the memory, with x delayed equally. 2 to 4: products.
  logic [W-1:0] x_2q, constant_q, constant_bq;
  logic [2*W-1:0] term_a, term_b;
  always_ff @(posedge clk_i) begin
    x_2q <= x_q;
    constant_q <= constant;
    constant_bq <= constant_b;
  end
  moduli_rns_digit_product u_product_a (
    .clk_i,
    .a_i(x_2q),
    .b_i(constant_q),
    .p_o(term_a)
  );
  moduli_rns_digit_product u_product_b (
    .clk_i,
    .a_i(x_2q),
    .b_i(constant_bq),
    .p_o(term_b)
  );

  // 5: two columns, beginning with the digits of the offset.
  logic [AccW-1:0] sum_a_q, sum_b_q;
  logic [DigitW-1:0] out_pass_q;
  logic [W-1:0] offset_a, offset_b, offset_aq, offset_bq;
  logic pass_done_q;
  always_comb begin
    offset_a = '0;
    offset_b = '0;
    for (int k = 0; k < N; k++) begin
      if (out_pass_q == DigitW'(k / 2) && k % 2 == 0) offset_a = OUT_OFFSET[k*W+:W];
      if (out_pass_q == DigitW'(k / 2) && k % 2 == 1) offset_b = OUT_OFFSET[k*W+:W];
    end
  end
  always_ff @(posedge clk_i) begin
    offset_aq <= offset_a;
    offset_bq <= offset_b;
    if (flags_q[2].valid && flags_q[2].last) out_pass_q <= out_pass_q + DigitW'(1);
    if (state_q == Free) out_pass_q <= '0;
    pass_done_q <= flags_q[4].valid && flags_q[4].last;
    if (flags_q[4].valid) begin
      sum_a_q <= AccW'(term_a) + (flags_q[4].first ? AccW'(offset_aq) : sum_a_q);
      sum_b_q <= AccW'(term_b) + (flags_q[4].first ? AccW'(offset_bq) : sum_b_q);
    end
    if (wipe_i) begin
      sum_a_q <= '0;
      sum_b_q <= '0;
    end
    if (!rst_ni) pass_done_q <= 1'b0;
  end

  // 6 and 7: the column with the carry, then the other; their low ends are digits of E.
  logic [AccW-1:0] waiting_q, total_q;
  logic [1:0] emit_q;
  logic [DigitW-1:0] digit_q;
  logic column_done;
  // For an odd N, the last pass has no second column.
  assign column_done = emit_q[0] || (emit_q[1] && digit_q != DigitW'(N));
  always_ff @(posedge clk_i) begin
    emit_q <= {emit_q[0], pass_done_q};
    if (pass_done_q) begin
      waiting_q <= sum_b_q;
      total_q   <= sum_a_q + (total_q >> W);
    end else if (emit_q[0]) begin
      total_q <= waiting_q + (total_q >> W);
    end
    if (state_q == Free || wipe_i) begin
      total_q   <= '0;
      waiting_q <= '0;
    end
    if (!rst_ni) emit_q <= '0;
  end

  // The candidates.
  logic borrow1_q, borrow2_q;
  logic [Bits-1:0] first_q, second_q;
  logic [W-1:0] e, p1, p2;
  logic [W:0] candidate1, candidate2;
  assign e = total_q[W-1:0];
  always_comb begin
    p1 = '0;
    p2 = '0;
    for (int k = 0; k < N; k++) begin
      if (digit_q == DigitW'(k)) begin
        p1 = W'((N * W)'(PRIME) >> (k * W));
        p2 = W'(((N * W)'(PRIME) << 1) >> (k * W));
      end
    end
    candidate1 = {1'b0, p2} - {1'b0, e} - (W + 1)'(borrow1_q);
    candidate2 = minus_q ? {1'b0, p1} - {1'b0, e} - (W + 1)'(borrow2_q) : {1'b0, e} - {1'b0, p1} - (W + 1)'(borrow2_q);
    if (!minus_q) candidate1 = {1'b0, e};
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Free) begin
      digit_q   <= '0;
      borrow1_q <= 1'b0;
      borrow2_q <= 1'b0;
      if (start_i) begin
        first_q  <= '0;
        second_q <= '0;
      end
    end else if (column_done) begin
      digit_q   <= digit_q + DigitW'(1);
      borrow1_q <= candidate1[W];
      borrow2_q <= candidate2[W];
      first_q   <= Bits'({candidate1[W-1:0], first_q} >> W);
      second_q  <= Bits'({candidate2[W-1:0], second_q} >> W);
    end else if ((REDUNDANT != 0 || Checks) && rotate_i) begin
      first_q  <= Bits'({lowest_o, first_q} >> W);
      second_q <= Bits'({lowest_o, second_q} >> W);
    end
    if (wipe_i) begin
      first_q  <= '0;
      second_q <= '0;
    end
  end
  assign lowest_o  = borrow2_q ? first_q[W-1:0] : second_q[W-1:0];
  assign reduced_o = !borrow2_q;
  assign column_o  = column_done;
  if (REDUNDANT != 0 || Checks) begin : g_copies
    logic [N-1:0] damaged, second;
    always_comb begin
      for (int k = 0; k < N; k++) begin
        damaged[k] = ^first_q[k*W+:W] != parities_i[k];
        second[k]  = copies_i ? damaged[k] : !borrow2_q;
      end
      for (int k = 0; k < L; k++) data_o[k] = second[k/W] ? second_q[k] : first_q[k];
    end
    assign damaged_o = damaged[N-1];
  end else begin : g_candidates
    assign data_o = borrow2_q ? first_q[L-1:0] : second_q[L-1:0];
    assign damaged_o = 1'b0;
    logic unused_copies;
    assign unused_copies = ^parities_i ^ copies_i ^ rotate_i;
  end
  assign valid_o = state_q == Done;

  always_ff @(posedge clk_i) begin
    flags_q[0] <= flags;
    for (int k = 1; k < Latency; k++) flags_q[k] <= flags_q[k-1];
    shift_q <= 1'b0;
    unique case (state_q)
      Free: begin
        pass_q    <= '0;
        term_q    <= '0;
        address_q <= '0;
        minus_q   <= minus_i;
        if (start_i) begin
          state_q <= skip_i ? Done : Sum;
          shift_q <= !skip_i;
        end
      end
      Sum: begin
        address_q <= address_q + OUT_AW'(1);
        term_q <= last_term ? '0 : term_q + DigitW'(1);
        shift_q <= last_term ? pass_q != DigitW'(Passes - 1) : term_q != DigitW'(N - 1);
        if (last_term) begin
          pass_q <= pass_q + DigitW'(1);
          // The other column of this pass is done.
          address_q <= address_q + OUT_AW'(N + 2);
          if (pass_q == DigitW'(Passes - 1)) state_q <= Drain;
        end
      end
      Drain: if (column_done && digit_q == DigitW'(N - 1)) state_q <= Done;
      Done: if (ready_i) state_q <= Free;
    endcase
    if (!rst_ni) begin
      state_q <= Free;
      shift_q <= 1'b0;
      for (int k = 0; k < Latency; k++) flags_q[k] <= '0;
    end
  end
endmodule
