// From the digits xi_i of X to the canonical X or -X modulo P.
//
//   E = sum of xi_i*M_i - q*M + (P - C0) modulo 2^(NW), which is X + P, 0 < X + P < 2P
//
// column by column: column j sums digit j of all M_i times xi_i, the last term being q times digit j of -M, and carries into the
// next column. One product a cycle, N*(N + 1) in all. The ring brings the xi_i in turn; in its first round q is summed up.
// E or 2P - E (for -X), and that less P, go through two digit-serial subtractors; the borrow of the second says which to keep.

module moduli_rns_unloader
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  input  logic         start_i,   // the ring holds the digits in the next cycle
  input  logic         minus_i,
  input  logic         skip_i,    // there is no result: deliver 0
  output logic         ready_o,
  output logic         shift_o,
  input  logic [W-1:0] digit_i,
  output logic         valid_o,
  input  logic         ready_i,
  output logic [L-1:0] data_o
);
  localparam int Parts = (W + TileW - 1) / TileW;
  localparam int PartW = (W + Parts - 1) / Parts;
  localparam int SumTopW = T + QuotientW;
  localparam int AccW = 2 * W + $clog2(N + 3) + 1;
  localparam int Bits = N * W;
  // Cycles from a term to its sum.
  localparam int Latency = 5;

  typedef enum logic [1:0] {
    Free,
    Sum,
    Drain,
    Done
  } state_e;
  state_e state_q;
  logic [DigitW-1:0] column_q, term_q;
  logic [OUT_AW-1:0] address_q;
  logic minus_q;
  logic last_term;
  assign last_term = term_q == DigitW'(N);
  assign ready_o = state_q == Free;
  assign shift_o = state_q == Sum && !last_term;

  // The flags of a term run beside it.
  typedef struct packed {
    logic valid;
    logic first;
    logic last;
    logic start;  // of the first column
  } flags_t;
  flags_t flags;
  flags_t flags_q[Latency];
  assign flags = '{
    valid: state_q == Sum,
    first: term_q == '0,
    last: last_term,
    start: column_q == '0
  };

  // 0: the digit, or q; the address of the constant.
  logic [SumTopW-1:0] tops_q;
  logic [W-1:0] x_q, constant;
  always_ff @(posedge clk_i) begin
    if (state_q == Free) tops_q <= SumTopW'(2 ** (T - 1));
    else if (column_q == '0 && !last_term) tops_q <= tops_q + SumTopW'(digit_i[W-1:W-T]);
    x_q <= last_term ? W'(tops_q[SumTopW-1:T]) : digit_i;
  end
  moduli_rns_rom_out u_rom_out (
    .clk_i,
    .addr_i(address_q),
    .data_o(constant)
  );

  // 1: constant behind the memory; x keeps step.
  logic [W-1:0] x_2q, constant_q;
  always_ff @(posedge clk_i) begin
    x_2q <= x_q;
    constant_q <= constant;
  end

  // 2: tiles.
  logic [Parts*Parts-1:0][2*PartW-1:0] products;
  for (genvar a = 0; a < Parts; a++) begin : g_a
    for (genvar b = 0; b < Parts; b++) begin : g_b
      moduli_rns_tile #(
        .WidthA(PartW),
        .WidthB(PartW)
      ) u_tile (
        .clk_i,
        .a_i(PartW'((Parts * PartW)'(x_2q) >> (a * PartW))),
        .b_i(PartW'((Parts * PartW)'(constant_q) >> (b * PartW))),
        .p_o(products[a*Parts+b])
      );
    end
  end

  // 3: rows.
  logic [Parts-1:0][W+PartW:0] rows, rows_q;
  always_comb begin
    for (int a = 0; a < Parts; a++) begin
      rows[a] = '0;
      for (int b = 0; b < Parts; b++) rows[a] += (W + PartW + 1)'(products[a*Parts+b]) << (b * PartW);
    end
  end
  always_ff @(posedge clk_i) rows_q <= rows;

  // 4: the term, with the offset in the first of a column.
  logic [2*W:0] term_sum, term_sum_q;
  logic [DigitW-1:0] out_column_q;
  logic [W-1:0] offset_digit;
  always_comb begin
    offset_digit = '0;
    for (int k = 0; k < N; k++) if (out_column_q == DigitW'(k)) offset_digit = OUT_OFFSET[k*W+:W];
    term_sum = flags_q[3].first ? (2 * W + 1)'(offset_digit) : '0;
    for (int a = 0; a < Parts; a++) term_sum += (2 * W + 1)'(rows_q[a]) << (a * PartW);
  end
  always_ff @(posedge clk_i) begin
    term_sum_q <= term_sum;
    if (flags_q[3].valid && flags_q[3].last) out_column_q <= out_column_q + DigitW'(1);
    if (state_q == Free) out_column_q <= '0;
  end

  // 5: the column.
  logic [AccW-1:0] column_sum_q;
  logic column_done_q;
  always_ff @(posedge clk_i) begin
    column_done_q <= flags_q[4].valid && flags_q[4].last;
    if (flags_q[4].valid) begin
      column_sum_q <= AccW'(term_sum_q) + (flags_q[4].first ? (flags_q[4].start ? '0 : column_sum_q >> W) : column_sum_q);
    end
    if (wipe_i) column_sum_q <= '0;
  end

  // The candidates.
  logic [DigitW-1:0] digit_q;
  logic borrow1_q, borrow2_q;
  logic [Bits-1:0] first_q, second_q;
  logic [W-1:0] e, p1, p2;
  logic [W:0] candidate1, candidate2;
  assign e = column_sum_q[W-1:0];
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
    end else if (column_done_q) begin
      digit_q   <= digit_q + DigitW'(1);
      borrow1_q <= candidate1[W];
      borrow2_q <= candidate2[W];
      first_q   <= Bits'({candidate1[W-1:0], first_q} >> W);
      second_q  <= Bits'({candidate2[W-1:0], second_q} >> W);
    end
    if (wipe_i) begin
      first_q  <= '0;
      second_q <= '0;
    end
  end
  assign data_o  = borrow2_q ? first_q[L-1:0] : second_q[L-1:0];
  assign valid_o = state_q == Done;

  always_ff @(posedge clk_i) begin
    flags_q[0] <= flags;
    for (int k = 1; k < Latency; k++) flags_q[k] <= flags_q[k-1];
    unique case (state_q)
      Free: begin
        column_q  <= '0;
        term_q    <= '0;
        address_q <= '0;
        minus_q   <= minus_i;
        if (start_i) state_q <= skip_i ? Done : Sum;
      end
      Sum: begin
        address_q <= address_q + OUT_AW'(1);
        term_q <= last_term ? '0 : term_q + DigitW'(1);
        if (last_term) begin
          column_q <= column_q + DigitW'(1);
          if (column_q == DigitW'(N - 1)) state_q <= Drain;
        end
      end
      Drain: if (column_done_q && digit_q == DigitW'(N - 1)) state_q <= Done;
      Done: if (ready_i) state_q <= Free;
    endcase
    if (!rst_ni) begin
      state_q <= Free;
      for (int k = 0; k < Latency; k++) flags_q[k] <= '0;
      column_done_q <= 1'b0;
    end
  end
endmodule
