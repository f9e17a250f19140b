// A core with a redundant channel. While the flag of a fault is set, no result leaves and no request is taken, and the
// flag stays set until the core is wiped. A result that leaves without an error was checked. This holds for any
// requests and faults at any time: no state is excluded, however it was reached.
//
// Each digit that is checked is written to both copies of the result, with its parity. No result passes the check if a
// digit has another parity afterwards, if the unloader's choice has changed, or if fewer than N digits rotated. If, after
// the check, the copies and the parities differ from those of a number in at most one bit, this number leaves.

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
  input logic         clear_i,
  input logic [N*W-1:0] number_i  // any number
);
  logic req_ready, rsp_valid, busy;
  logic [3:0] id;
  logic [L-1:0] data;
  logic [1:0] error;
  logic [STEPS_W-1:0] steps;
  // With ClearAfter, the register that it adds may have any value, so this is the proof without it, too.
  moduli_rns #(
    .ClearAfter(1'b1)
  ) u_core (
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

  // The copies and the parities of their digits.
  localparam int Bits = N * W;
  logic [Bits-1:0] first, second, first_q, second_q;
  logic [W-1:0] lowest, lowest_q;
  logic [N-1:0] parities, parities_q, right_parities;
  logic rotate, shift, column, rotated_q;
  logic [2*Bits+N-1:0] differ;
  assign first = u_core.u_responses.u_unloader.first_q;
  assign second = u_core.u_responses.u_unloader.second_q;
  assign lowest = u_core.u_responses.u_unloader.lowest_o;
  assign parities = u_core.u_responses.g_redundant.u_release.parities_q[N:1];
  assign column = u_core.u_responses.u_unloader.column_o;
  assign rotate = u_core.u_responses.g_redundant.u_release.rotate_o;
  always_comb for (int k = 0; k < N; k++) right_parities[k] = ^number_i[k*W+:W];
  assign differ = {first ^ number_i, second ^ number_i, parities ^ right_parities};
  // While the unloader works or is wiped, it does not rotate.
  assign shift = rotate && !column && !u_core.clearing;
  always_ff @(posedge clk_i) begin
    rotated_q <= shift;
    {first_q, second_q, parities_q, lowest_q} <= {first, second, parities, lowest};
    if (rotated_q) begin
      assert (first == {lowest_q, first_q[Bits-1:W]});
      assert (second == {lowest_q, second_q[Bits-1:W]});
      assert (parities == {^lowest_q, parities_q[N-1:1]});
    end
    if (rsp_valid && error == '0 && (differ & (differ - 1'b1)) == '0) assert (data == number_i[L-1:0]);
  end

  // The result of the check.
  logic unloaded, done, changed_q, damaged, damaged_q, ended_q, chosen_q, few_q;
  assign unloaded = u_core.u_responses.unloaded_o;
  assign done = u_core.u_responses.g_redundant.u_release.done_q;
  assign damaged = u_core.u_responses.g_redundant.u_release.rotated_q && ^first[Bits-1-:W] != parities[N-1];
  always_ff @(posedge clk_i) begin
    // A digit with another parity is not forgotten.
    damaged_q <= unloaded && !done && damaged;
    if (damaged_q) assert (u_core.u_responses.g_redundant.u_release.damaged_q);
    ended_q <= unloaded && !done;
    changed_q <= u_core.u_responses.g_redundant.u_release.damaged_q;
    chosen_q <= u_core.u_responses.u_unloader.reduced_o == u_core.u_responses.g_redundant.u_release.reduced_q;
    few_q <= !u_core.u_responses.g_redundant.u_release.parities_q[0];
    if (ended_q && done && u_core.u_responses.g_redundant.u_release.right_q) assert (chosen_q && !changed_q && !few_q);
  end
  // Only requests are answered, and while one has no response the core is not wiped by itself.
  logic owed;
  assign owed = u_core.u_responses.g_redundant.pending_q != '0;
  always_ff @(posedge clk_i) begin
    if (rsp_valid) assert (owed);
    if (owed && !clear_i && !u_core.fault_clear) assert (!u_core.clear);
  end
  initial {rotated_q, damaged_q, ended_q} = '0;
  initial stays_q = 1'b0;
  always_ff @(posedge clk_i) if (stays_q) assert (flag);
endmodule
