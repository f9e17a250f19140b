// Two pipeline stages of a Rower: x times a constant, unreduced, as sums of tile products.
//
//   in    x < 2^(W+1), the expansion (c_0, c_1, ...) of a constant c, c_k = 2^(CHUNK_W*k)*c mod m < 2^W
//   out   for every piece p of the constant's bits, sum_p = sum over k of x_k*c_k[piece p], so that
//         sum over p of sum_p*2^(shift of p) = sum over k of x_k*c_k, which is x*c modulo m.
//
// With accumulate_i, the products are added to the existing sums; with hold_i, the sums do not change. Both inputs
// belong to the same operands, and take effect one cycle later, behind the tiles.

module moduli_rns_multiply (
  input  logic                                                              clk_i,
  input  logic [                                moduli_rns_params_pkg::W:0] x_i,
  input  logic [moduli_rns_params_pkg::CHUNKS*moduli_rns_params_pkg::W-1:0] constant_i,
  input  logic                                                              accumulate_i,
  input  logic                                                              hold_i,
  output logic [           moduli_rns_pkg::Pieces*moduli_rns_pkg::SumW-1:0] sums_o  // two cycles later
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  logic accumulate_q, hold_q;
  always_ff @(posedge clk_i) begin
    accumulate_q <= accumulate_i;
    hold_q <= hold_i;
  end

  logic [CHUNKS*CHUNK_W-1:0] x;
  assign x = (CHUNKS * CHUNK_W)'(x_i);

  genvar piece;
  for (piece = 0; piece < Pieces; piece++) begin : g_piece
    localparam int Low = piece == Pieces - 1 ? W - TopPieceW : piece * LowW;
    localparam int High = piece == Pieces - 1 ? W : ((piece + 1) * LowW < W - TopPieceW ? (piece + 1) * LowW : W - TopPieceW);
    localparam int Width = High - Low;

    logic [CHUNKS*(CHUNK_W+Width)-1:0] products;
    genvar chunk;
    for (chunk = 0; chunk < CHUNKS; chunk++) begin : g_chunk
      moduli_rns_tile #(
        .WidthA(CHUNK_W),
        .WidthB(Width)
      ) u_tile (
        .clk_i,
        .a_i(x[chunk*CHUNK_W+:CHUNK_W]),
        .b_i(constant_i[chunk*W+Low+:Width]),
        .p_o(products[chunk*(CHUNK_W+Width)+:CHUNK_W+Width])
      );
    end

    logic [SumW-1:0] sum, sum_q;
    always_comb begin
      sum = ((MULTIPLY != 0 || DivisionSteps) && accumulate_q) ? sum_q : '0;
      for (int k = 0; k < CHUNKS; k++) sum += SumW'(products[k*(CHUNK_W+Width)+:CHUNK_W+Width]);
    end
    always_ff @(posedge clk_i) if (MULTIPLY == 0 || !hold_q) sum_q <= sum;
    assign sums_o[piece*SumW+:SumW] = sum_q;
  end
endmodule
