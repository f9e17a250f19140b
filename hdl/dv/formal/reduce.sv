// The reduction of a Rower compared with its specification: the digit is congruent to the sums and the addend modulo m,
// and below 2^W, for one channel, in the first or the second base. The script removes the registers between its stages,
// so a value passes in one step.
//
// Direct compares remainders, for narrow moduli. Otherwise a witness k with value = digit + k*m is used, for every
// width: k counts the multiples of 2^W that the folds replaced.

module reduce
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
#(
  parameter int Direct  = 0,
  parameter int Channel = 0,
  parameter int Second  = 0
) (
  input  logic [Pieces*SumW-1:0] sums_i,
  input  logic [          W-1:0] addend_i,
  output logic                   bad_o
);
  localparam int R1 = int'(COMPLEMENTS1[Channel*RBITS+:RBITS]);
  localparam int R2 = MULTIPLY != 0 ? int'(COMPLEMENTS2[Channel*RBITS+:RBITS]) : 0;
  localparam int ValueW = W + HighW + 4;
  localparam int R = Second != 0 ? R2 : R1;
  localparam logic [ValueW-1:0] Modulus = (ValueW'(1) << W) - ValueW'(R);

  logic [W:0] wide;
  logic [W-1:0] digit;
  moduli_rns_reduce #(
    .R1(R1),
    .R2(R2)
  ) u_reduce (
    .clk_i(1'b0),
    .second_i(Second != 0),
    .sums_i,
    .addend_i,
    .wide_o(wide),
    .digit_o(digit)
  );

  // The values that tiles can deliver: sums of Issues*CHUNKS products of a chunk and a piece.
  logic possible;
  always_comb begin
    possible = 1'b1;
    for (int p = 0; p < Pieces; p++) begin
      automatic int width = p == Pieces - 1 ? TopPieceW : ((p + 1) * LowW < W - TopPieceW ? LowW : W - TopPieceW - p * LowW);
      automatic bound_t most = bound_t'(Issues * CHUNKS) * ((bound_t'(1) << CHUNK_W) - 1) * ((bound_t'(1) << width) - 1);
      if (bound_t'(sums_i[p*SumW+:SumW]) > most) possible = 1'b0;
    end
  end

  logic [ValueW-1:0] value;
  always_comb begin
    value = ValueW'(addend_i) + (ValueW'(sums_i[(Pieces-1)*SumW+:SumW]) << (W - TopPieceW));
    for (int p = 0; p < Pieces - 1; p++) value += ValueW'(sums_i[p*SumW+:SumW]) << (p * LowW);
  end

  if (Direct != 0) begin : gen_direct
    assign bad_o = possible && value % Modulus != ValueW'(digit) % Modulus;
  end else begin : gen_witness
    logic [ValueW-1:0] k, left, right;
    logic [HighW-1:0] high;
    assign high = sums_i[Pieces*SumW-1:(Pieces-1)*SumW+TopPieceW];
    always_comb begin
      k = ValueW'(high) + ValueW'(u_reduce.rest_q[RestW-1:W]) + ValueW'(wide[W]);
      for (int i = 0; i < EXTRA_FOLDS; i++) k += ValueW'(u_reduce.value[i][FoldedW-1:W]);
      // In the same parts as in the folds, so that the solver finds matching terms at once.
      left = value + ValueW'(high[HighTileW-1:0]) * ValueW'(R) + ValueW'(u_reduce.rest_q[RestW-1:W]) * ValueW'(R) + ValueW'(wide[W]) * ValueW'(R);
      if (HighW > HighTileW) left += (ValueW'(high >> HighTileW) * ValueW'(R)) << HighTileW;
      for (int i = 0; i < EXTRA_FOLDS; i++) left += ValueW'(u_reduce.value[i][FoldedW-1:W]) * ValueW'(R);
      right = (k << W) + ValueW'(digit);
    end
    assign bad_o = possible && left != right;
  end
endmodule
