// The product of two unsigned digits of W bits, three cycles later: tiles, rows, sum.

module moduli_rns_digit_product (
  input  logic                                  clk_i,
  input  logic [  moduli_rns_params_pkg::W-1:0] a_i,
  input  logic [  moduli_rns_params_pkg::W-1:0] b_i,
  output logic [2*moduli_rns_params_pkg::W-1:0] p_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int Parts = (W + TileW - 1) / TileW;
  localparam int PartW = (W + Parts - 1) / Parts;

  logic [Parts*Parts-1:0][2*PartW-1:0] products;
  genvar part_a;
  for (part_a = 0; part_a < Parts; part_a++) begin : g_a
    genvar part_b;
    for (part_b = 0; part_b < Parts; part_b++) begin : g_b
      moduli_rns_tile #(
        .WidthA(PartW),
        .WidthB(PartW)
      ) u_tile (
        .clk_i,
        .a_i(PartW'((Parts * PartW)'(a_i) >> (part_a * PartW))),
        .b_i(PartW'((Parts * PartW)'(b_i) >> (part_b * PartW))),
        .p_o(products[part_a*Parts+part_b])
      );
    end
  end

  logic [Parts-1:0][W+PartW-1:0] rows, rows_q;
  logic [2*W-1:0] sum;
  always_comb begin
    for (int a = 0; a < Parts; a++) begin
      rows[a] = '0;
      for (int b = 0; b < Parts; b++) rows[a] += (W + PartW)'(products[a*Parts+b]) << (b * PartW);
    end
    sum = '0;
    for (int a = 0; a < Parts; a++) sum += (2 * W)'(rows_q[a]) << (a * PartW);
  end
  always_ff @(posedge clk_i) begin
    rows_q <= rows;
    p_o <= sum;
  end
endmodule
