// Two scalars that are requested at the same times, with different operands. They wait, add and finish in the same
// cycles, at all times. The first cycle is a reset.

module constant_scalar
  import moduli_rns_params_pkg::*;
(
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      wipe_i,
  input logic                      take_i,
  input logic                      completed_i,
  input logic                      inverse_i,
  input logic                      valid_i,
  input logic [1:0][OPERAND_W-1:0] data_i,
  input logic                      next_i
);
  logic [1:0] ready, done, bits;
  // The state that determines the timing of each scalar. The position in the digits matters only while there is work.
  logic [1:0][2:0] state;
  logic [1:0][16:0] count;

  genvar k;
  for (k = 0; k < 2; k++) begin : g_scalar
    moduli_rns_resident_scalar u_scalar (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .take_i,
      .completed_i,
      .inverse_i,
      .valid_i,
      .ready_o(ready[k]),
      .data_i (data_i[k]),
      .done_o (done[k]),
      .bit_o  (bits[k]),
      .next_i
    );
    assign state[k] = u_scalar.state_q;
    assign count[k] = state[k] == '0 ? '0 : {u_scalar.completed_q, 16'(u_scalar.count_q)};
  end

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (!running_q) assume (!rst_ni);
    if (running_q) begin
      assert (ready[0] == ready[1]);
      assert (done[0] == done[1]);
      assert (state[0] == state[1] && count[0] == count[1]);
    end
  end
endmodule
