// A core for programs with any behaviour that the rules of its handshakes allow: its outputs are left open, and the
// solver chooses them.

module moduli_rns_resident
  import moduli_rns_params_pkg::*;
#(
  parameter bit ClearAfter = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_valid_i,
  output logic                 start_ready_o,
  input  logic [PROGRAM_W-1:0] start_program_i,
  input  logic                 operand_valid_i,
  output logic                 operand_ready_o,
  input  logic [OPERAND_W-1:0] operand_i,
  input  logic                 random_valid_i,
  output logic                 random_ready_o,
  input  logic [         31:0] random_i,
  output logic                 result_valid_o,
  input  logic                 result_ready_i,
  output logic [        L-1:0] result_o,
  output logic                 result_error_o,
  input  logic                 clear_i,
  output logic                 busy_o
);
  logic waiting_q;
  logic [L:0] payload, payload_q;
  assign payload = {result_o, result_error_o};
  always_ff @(posedge clk_i) begin
    waiting_q <= rst_ni && result_valid_o && !result_ready_i && !clear_i;
    payload_q <= payload;
    if (waiting_q && rst_ni) assume (result_valid_o && payload == payload_q);
  end
endmodule
