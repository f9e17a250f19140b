// A core with any behaviour that the rules of its handshakes allow: its outputs are left open, and the solver chooses
// them.

module moduli_rns
  import moduli_rns_params_pkg::*;
#(
  parameter int IdWidth = 4,
  parameter bit ClearAfter = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [        2:0] req_op_i,
  input  logic [IdWidth-1:0] req_id_i,
  input  logic [      L-1:0] req_a_i,
  input  logic [      L-1:0] req_b_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [IdWidth-1:0] rsp_id_o,
  output logic [      L-1:0] rsp_data_o,
  output logic [        1:0] rsp_error_o,
  output logic [STEPS_W-1:0] rsp_steps_o,
  input  logic               clear_i,
  output logic               busy_o
);
  localparam int PayloadW = IdWidth + L + 2 + STEPS_W;
  logic waiting_q;
  logic [PayloadW-1:0] payload, payload_q;
  assign payload = {rsp_id_o, rsp_data_o, rsp_error_o, rsp_steps_o};
  always_ff @(posedge clk_i) begin
    waiting_q <= rst_ni && rsp_valid_o && !rsp_ready_i && !clear_i;
    payload_q <= payload;
    if (waiting_q && rst_ni) assume (rsp_valid_o && payload == payload_q);
  end
endmodule
