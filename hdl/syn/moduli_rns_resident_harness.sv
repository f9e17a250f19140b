// The core for programs over resident residues between shift registers, so that it can be placed in a package with fewer pins
// than it has ports. Its own logic is small, and it is registered on both sides of the core.

module moduli_rns_resident_harness (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] data_i,
  input  logic       shift_i,
  input  logic       start_valid_i,
  output logic       start_ready_o,
  input  logic       operand_valid_i,
  output logic       operand_ready_o,
  input  logic       random_valid_i,
  output logic       random_ready_o,
  input  logic       result_ready_i,
  output logic       result_valid_o,
  input  logic       clear_i,
  output logic       busy_o,
  input  logic       unload_i,
  output logic [7:0] data_o
);
  import moduli_rns_params_pkg::*;

  localparam int InW = 8 * ((OPERAND_W + PROGRAM_W + 32 + 7) / 8);
  localparam int OutW = 8 * ((L + 1 + 7) / 8);

  logic [InW-1:0] in_q;
  logic [OutW-1:0] out_q;
  logic rst_nq, start_valid_q, operand_valid_q, random_valid_q, result_ready_q, clear_q, start_ready, operand_ready, random_ready, result_valid, result_error, busy;
  logic [L-1:0] result;

  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    start_valid_q <= start_valid_i;
    operand_valid_q <= operand_valid_i;
    random_valid_q <= random_valid_i;
    result_ready_q <= result_ready_i;
    clear_q <= clear_i;
    start_ready_o <= start_ready;
    operand_ready_o <= operand_ready;
    random_ready_o <= random_ready;
    result_valid_o <= result_valid;
    busy_o <= busy;
    if (shift_i) in_q <= {in_q[InW-9:0], data_i};
    if (unload_i) out_q <= OutW'(out_q[OutW-1:8]);
    else if (result_valid) out_q <= OutW'({result_error, result});
    data_o <= out_q[7:0];
  end

  moduli_rns_resident u_core (
    .clk_i,
    .rst_ni         (rst_nq),
    .start_valid_i  (start_valid_q),
    .start_ready_o  (start_ready),
    .start_program_i(in_q[OPERAND_W+:PROGRAM_W]),
    .operand_valid_i(operand_valid_q),
    .operand_ready_o(operand_ready),
    .operand_i      (in_q[OPERAND_W-1:0]),
    .random_valid_i (random_valid_q),
    .random_ready_o (random_ready),
    .random_i       (in_q[OPERAND_W+PROGRAM_W+:32]),
    .result_valid_o (result_valid),
    .result_ready_i (result_ready_q),
    .result_o       (result),
    .result_error_o (result_error),
    .clear_i        (clear_q),
    .busy_o         (busy)
  );
endmodule
