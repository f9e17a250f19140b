// A core for programs with a guard. While a fault is flagged, the only results are errors without data, no program is
// started, and the flag stays set until the program is dropped. If the core drops it by itself, that is a fault. This holds for
// any operands and faults at any time: no state is excluded, however it was reached.

module withheld_program
  import moduli_rns_params_pkg::*;
(
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 start_valid_i,
  input logic [PROGRAM_W-1:0] start_program_i,
  input logic                 operand_valid_i,
  input logic [OPERAND_W-1:0] operand_i,
  input logic                 random_valid_i,
  input logic [         31:0] random_i,
  input logic                 result_ready_i,
  input logic                 clear_i
);
  logic start_ready, operand_ready, random_ready, result_valid, error, busy;
  logic [L-1:0] result;
  moduli_rns_resident u_core (
    .clk_i,
    .rst_ni,
    .start_valid_i,
    .start_ready_o  (start_ready),
    .start_program_i,
    .operand_valid_i,
    .operand_ready_o(operand_ready),
    .operand_i,
    .random_valid_i,
    .random_ready_o (random_ready),
    .random_i,
    .result_valid_o (result_valid),
    .result_ready_i,
    .result_o       (result),
    .result_error_o (error),
    .clear_i,
    .busy_o         (busy)
  );

  logic flag, stays_q, dropped_q;
  assign flag = u_core.guard_fault;
  always_ff @(posedge clk_i) begin
    stays_q <= flag && rst_ni && !clear_i && !u_core.guard_clear;
    // The core was reset within, and results of its program are missing.
    dropped_q <= !u_core.rst_n && u_core.g_guard.u_guard.owed_q != '0 && rst_ni && !clear_i && !u_core.guard_clear;
    if (flag) assert (!start_ready && busy);
    if (flag && result_valid) assert (error);
    if (error) assert (result == '0);
    // Without a fault, a result that was not checked does not leave.
    if (result_valid && !error) assert (!u_core.unjudged);
  end
  initial {stays_q, dropped_q} = '0;
  always_ff @(posedge clk_i) if (stays_q || dropped_q) assert (flag);
endmodule
