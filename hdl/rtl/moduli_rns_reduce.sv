// The stages of a Rower that reduce the sums of a product and an addend to one digit below 2^W, by folds 2^W -> r.
//
// The upper sum lies above the others, so its part from bit W on is known before they are added. A tile multiplies it
// by r while the rest is summed. One more sum gives a number that is congruent modulo m and below FoldBound (narrow
// shapes need further folds). The Cox reads this number, with one more top bit. If that bit is set, r is added to the
// low end in its place, which cannot cause a carry out (doc/theory.md). So the digit in the register is below 2^W, but
// not necessarily below m.

module moduli_rns_reduce #(
  parameter int R1 = 1,
  parameter int R2 = 0
) (
  input  logic                                                   clk_i,
  input  logic                                                   second_i,  // the second base; comes with the sums
  input  logic [moduli_rns_pkg::Pieces*moduli_rns_pkg::SumW-1:0] sums_i,
  input  logic [                   moduli_rns_params_pkg::W-1:0] addend_i,
  output logic [                     moduli_rns_params_pkg::W:0] wide_o,  // 2 + EXTRA_FOLDS cycles later
  output logic [                   moduli_rns_params_pkg::W-1:0] digit_o,  // one more cycle later
  output logic [                   moduli_rns_params_pkg::W-1:0] low_o  // the sums modulo 2^W, one cycle later
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // Combine.
  logic [SumW-1:0] top;
  logic [RestW-1:0] rest, rest_q;
  assign top = sums_i[(Pieces-1)*SumW+:SumW];
  always_comb begin
    rest = RestW'(addend_i) + (RestW'(top[TopPieceW-1:0]) << (W - TopPieceW));
    for (int p = 0; p < Pieces - 1; p++) rest += RestW'(sums_i[p*SumW+:SumW]) << (p * LowW);
  end
  always_ff @(posedge clk_i) rest_q <= rest;
  assign low_o = rest_q[W-1:0];

  logic second_q;
  logic [RBITS-1:0] r;
  always_ff @(posedge clk_i) second_q <= second_i;
  assign r = (R2 != 0 && second_i) ? RBITS'(R2) : RBITS'(R1);

  logic [HighW-1:0] high;
  logic [HighTileW+RBITS-1:0] folded;
  assign high = top[SumW-1:TopPieceW];
  moduli_rns_tile #(
    .WidthA(HighTileW),
    .WidthB(RBITS)
  ) u_fold (
    .clk_i,
    .a_i(high[HighTileW-1:0]),
    .b_i(r),
    .p_o(folded)
  );

  logic [ExcessW+RBITS-1:0] excess, excess_q;
  logic [ExcessW-1:0] beyond;
  if (HighW > TileW) begin : g_beyond
    assign beyond = high[HighW-1:HighTileW];
  end else begin : g_within
    assign beyond = '0;
  end
  moduli_rns_times #(
    .Bits (ExcessW),
    .RBits(RBITS),
    .R1(R1),
    .R2(R2)
  ) u_excess (
    .top_i(beyond),
    .second_i,
    .p_o(excess)
  );
  always_ff @(posedge clk_i) excess_q <= excess;

  // Fold.
  logic [CarryW+RBITS-1:0] carried;
  moduli_rns_times #(
    .Bits (CarryW),
    .RBits(RBITS),
    .R1(R1),
    .R2(R2)
  ) u_carry (
    .top_i(rest_q[RestW-1:W]),
    .second_i(second_q),
    .p_o(carried)
  );
  logic [FoldedW-1:0] sum;
  always_comb begin
    if (CarryW + RBITS <= TileW) begin
      // The two small terms do not overlap.
      sum = FoldedW'(rest_q[W-1:0]) + FoldedW'(folded) + FoldedW'({excess_q, TileW'(carried)});
    end else begin
      sum = FoldedW'(rest_q[W-1:0]) + FoldedW'(folded) + (FoldedW'(excess_q) << TileW) + FoldedW'(carried);
    end
  end

  logic [EXTRA_FOLDS:0][FoldedW-1:0] value;
  logic [EXTRA_FOLDS:0] second;
  always_ff @(posedge clk_i) begin
    value[0]  <= sum;
    second[0] <= second_q;
  end

  genvar extra;
  for (extra = 1; extra <= EXTRA_FOLDS; extra++) begin : g_extra
    logic [FoldedW-W+RBITS-1:0] low;
    moduli_rns_times #(
      .Bits (FoldedW - W),
      .RBits(RBITS),
      .R1(R1),
      .R2(R2)
    ) u_times (
      .top_i(value[extra-1][FoldedW-1:W]),
      .second_i(second[extra-1]),
      .p_o(low)
    );
    always_ff @(posedge clk_i) begin
      value[extra]  <= FoldedW'(value[extra-1][W-1:0]) + FoldedW'(low);
      second[extra] <= second[extra-1];
    end
  end

  assign wide_o = value[EXTRA_FOLDS][W:0];

  // The conditional fold.
  logic [RBITS-1:0] last_r;
  logic [ShortW-1:0] low_end;
  assign last_r = (R2 != 0 && second[EXTRA_FOLDS]) ? RBITS'(R2) : RBITS'(R1);
  assign low_end = wide_o[ShortW-1:0] + (wide_o[W] ? ShortW'(last_r) : '0);
  if (ShortW < W) begin : g_short
    always_ff @(posedge clk_i) digit_o <= {wide_o[W-1:ShortW], low_end};
  end else begin : g_whole
    always_ff @(posedge clk_i) digit_o <= low_end;
  end

`ifndef SYNTHESIS
  // The bounds of doc/theory.md.
  logic [2:0] started_q;
  initial started_q = '0;
  always_ff @(posedge clk_i) started_q <= {started_q[1:0], 1'b1};
  always_ff @(posedge clk_i) begin
    if (started_q[2]) begin
      assert (bound_t'(value[EXTRA_FOLDS]) <= FoldBound)
      else $error("a folded value is above its bound");
      if (wide_o[W]) begin
        assert (bound_t'(wide_o[W-1:0]) + bound_t'(last_r) < (bound_t'(1) << ShortW))
        else $error("the last fold carries");
      end
    end
  end
`endif
endmodule
