// The unit modulo 3 between registers, for its clock frequency alone.

module moduli_rns_mod3_registered #(
  parameter int W = 33
) (
  input  logic         clk_i,
  input  logic [W-1:0] x_i,
  output logic [1:0]   r_o
);
  logic [W-1:0] x_q;
  logic [1:0] r;
  moduli_rns_mod3 #(.W(W)) u_mod3 (.x_i(x_q), .r_o(r));
  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    r_o <= r;
  end
endmodule
