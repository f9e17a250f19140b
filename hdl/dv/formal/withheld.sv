// A core with a redundant channel. While the flag of a fault is set, no result leaves and no request is taken, and the
// flag stays set until the core is wiped. A result that leaves without an error was checked. This holds for any
// requests and faults at any time: no state is excluded, however it was reached.

module withheld
  import moduli_rns_params_pkg::*;
(
  input logic         clk_i,
  input logic         rst_ni,
  input logic         req_valid_i,
  input logic [  2:0] req_op_i,
  input logic [  3:0] req_id_i,
  input logic [L-1:0] req_a_i,
  input logic [L-1:0] req_b_i,
  input logic         rsp_ready_i,
  input logic         clear_i
);
  logic req_ready, rsp_valid, busy;
  logic [3:0] id;
  logic [L-1:0] data;
  logic [1:0] error;
  logic [STEPS_W-1:0] steps;
  moduli_rns u_core (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o(req_ready),
    .req_op_i,
    .req_id_i,
    .req_a_i,
    .req_b_i,
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i,
    .rsp_id_o   (id),
    .rsp_data_o (data),
    .rsp_error_o(error),
    .rsp_steps_o(steps),
    .clear_i,
    .busy_o     (busy)
  );

  logic flag, stays_q;
  assign flag = u_core.u_responses.fault_q;
  always_ff @(posedge clk_i) begin
    stays_q <= flag && rst_ni && !u_core.clearing;
    if (flag) assert (!req_ready && busy);
    if (flag && rsp_valid) assert (error == 2'd2 && data == '0);
    if (rsp_valid && error != '0) assert (data == '0);
    if (rsp_valid && error == '0) assert (u_core.u_responses.g_redundant.u_release.right_o);
  end
  initial stays_q = 1'b0;
  always_ff @(posedge clk_i) if (stays_q) assert (flag);
endmodule
