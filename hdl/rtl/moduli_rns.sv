// The Cox-Rower core: inversion modulo P by plus-minus or division steps in residues, for ordinary integers.
//
// Request and response are valid/ready handshakes: once valid is high it stays so, with the payload unchanged, until ready is.
// Up to CONTEXTS inversions run at once and may end in another order than they came in: req_id_i comes back as rsp_id_o.
//
//   req_op_i[1:0]   2 invert (0 multiply and 1 exponentiate need MULTIPLY, 3 invert A blinded by B needs BLIND)
//   req_op_i[2]     operands and result are in Montgomery form, X*M mod P (not the exponent); needs MULTIPLY
//   rsp_error_o     0 none, 1 not invertible, 2 a check failed, 3 operation not built in; the data is 0 unless this is 0
//   rsp_steps_o     plus-minus or division steps, or products
//
// Reset is synchronous and may come at any time. clear_i drops all work and wipes the registers. With ClearAfter, they
// are also wiped after every response, and the core takes one request at a time.

module moduli_rns #(
  parameter int IdWidth = 4,
  parameter bit ClearAfter = 0
) (
  input  logic                                                              clk_i,
  input  logic                                                              rst_ni,
  input  logic                                                              req_valid_i,
  output logic                                                              req_ready_o,
  input  logic [                                                       2:0] req_op_i,
  input  logic [                                               IdWidth-1:0] req_id_i,
  input  logic [                              moduli_rns_params_pkg::L-1:0] req_a_i,
  input  logic [                              moduli_rns_params_pkg::L-1:0] req_b_i,
  output logic                                                              rsp_valid_o,
  input  logic                                                              rsp_ready_i,
  output logic [                                               IdWidth-1:0] rsp_id_o,
  output logic [                              moduli_rns_params_pkg::L-1:0] rsp_data_o,
  output logic [                                                       1:0] rsp_error_o,
  output logic [                        moduli_rns_params_pkg::STEPS_W-1:0] rsp_steps_o,
  input  logic                                                              clear_i,
  output logic                                                              busy_o
`ifdef MODULI_RNS_TRACE
  ,
  // The state after every step of an inversion: its request, the number of steps, u and v in half bits, and U1 V1 U3 V3
  // (the first on top), modulo 2^A2 and 3^A3 and as residues below the moduli. After every jump of division steps, d e
  // f g take their places.
  output logic                                                              trace_valid_o,
  output logic [                                               IdWidth-1:0] trace_id_o,
  output logic [                        moduli_rns_params_pkg::STEPS_W-1:0] trace_steps_o,
  output logic [                      moduli_rns_params_pkg::COUNTER_W-1:0] trace_u_o,
  output logic [                      moduli_rns_params_pkg::COUNTER_W-1:0] trace_v_o,
  output logic [                                                  3:0][3:0] trace_twos_o,
  output logic [                                                  3:0][3:0] trace_threes_o,
  output logic [3:0][moduli_rns_params_pkg::N*moduli_rns_params_pkg::W-1:0] trace_residues_o
`endif
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  logic rst_n, clear, clearing, used, working, wipe;
  logic [EntryW-1:0] wipe_entry;
  // From a register, so a cycle late. Outputs are withheld during this cycle.
  always_ff @(posedge clk_i) rst_n <= rst_ni && !clearing && !clear;

  // Requests, and the operations that follow an inversion.
  load_t load;
  ended_t ended;
  logic load_accept, load_shift, exponent_shift, refuse, refuse_done, reloaded, checks, begun, answer, requests_busy, arrival_fault;
  logic inverter_accept, products_accept, inverter_busy, products_active, products_active_q, twin_fault;
  logic unloaded, unload_free, unload_shift, failed, fault, fault_clear, owes;
  logic [W-1:0] digit, low, operand_residue;
  logic [L-1:0] value;
  logic [IdWidth-1:0] load_id;
  moduli_rns_requests #(
    .IdWidth(IdWidth)
  ) u_requests (
    .clk_i,
    .rst_ni           (rst_n),
    .wipe_i           (clearing),
    .req_valid_i,
    .req_ready_o,
    .hold_i           (used || fault),
    .req_op_i,
    .req_id_i,
    .req_a_i,
    .req_b_i,
    .load_valid_o     (load.valid),
    .load_zero_o      (load.zero),
    .load_above_o     (load.above),
    .load_accept_i    (load_accept),
    .load_shift_i     (load_shift),
    .digit_o          (digit),
    .low_o            (low),
    .by_steps_o       (load.by_steps),
    .operation_o      (load.operation),
    .montgomery_o     (load.montgomery),
    .id_o             (load_id),
    .exponent_bit_o   (load.exponent_bit),
    .exponent_shift_i (exponent_shift),
    .refuse_o         (refuse),
    .refuse_done_i    (refuse_done),
    .alone_o          (load.alone),
    .checking_o       (load.checking),
    .reloaded_o       (reloaded),
    .checks_o         (checks),
    .begun_o          (begun),
    .answer_o         (answer),
    .unloaded_i       (unloaded),
    .data_i           (value),
    .failed_i         (failed),
    .checked_i        (ended.checked),
    .products_active_i(products_active_q),
    .products_done_i  (ended.products),
    .answered_i       (rsp_valid_o && rsp_ready_i),
    .busy_o           (requests_busy),
    .active_now_i     (products_active),
    .operation_again_o(load.operation_again),
    .montgomery_again_o(load.montgomery_again),
    .residue_o        (operand_residue),
    .fault_o          (arrival_fault)
  );

  assign load_accept = inverter_accept || products_accept;

  // The orders of the Rowers.
  orders_t orders;
  logic [QuotientW-1:0] quotient;
  logic [A2-1:0] twos, twos_next;
  logic [3:0] threes, threes_next;
  logic [N-1:0] one, minus_one;
  logic [N*WordW-1:0] words;
  logic [ContextW-1:0] load_slot;
`ifdef MODULI_RNS_TRACE
  logic division_trace;
  logic [STEPS_W-1:0] division_trace_steps;
`endif
  moduli_rns_control u_control (
    .clk_i,
    .rst_ni            (rst_n),
    .wipe_i            (clearing),
    .write_i           (wipe),
    .write_entry_i     (wipe_entry),
    .load_i            (load),
    .digit_i           (digit),
    .inverter_accept_o (inverter_accept),
    .load_slot_o       (load_slot),
    .products_accept_o (products_accept),
    .load_shift_o      (load_shift),
    .exponent_shift_o  (exponent_shift),
    .orders_o          (orders),
    .quotient_i        (quotient),
    .twos_i            (twos),
    .threes_i          (threes),
    .twos_next_i       (twos_next),
    .threes_next_i     (threes_next),
    .one_i             (one),
    .minus_one_i       (minus_one),
    .words_i           (words),
    .unload_free_i     (unload_free),
    .ended_o           (ended),
    .inverter_busy_o   (inverter_busy),
    .products_active_now_o (products_active),
    .products_active_o(products_active_q),
    .twin_fault_o      (twin_fault)
`ifdef MODULI_RNS_TRACE
    ,
    .trace_o           (division_trace),
    .trace_steps_o     (division_trace_steps)
`endif
  );

  moduli_rns_clear #(
    .After(ClearAfter)
  ) u_clear (
    .clk_i,
    .rst_ni,
    .clear_i   (clear_i || fault_clear),
    .accepted_i(req_valid_i && req_ready_o),
    .working_i (working),
    .begin_o   (clear),
    .used_o    (used),
    .active_o  (clearing),
    .write_o   (wipe),
    .entry_o   (wipe_entry)
  );

  // Rowers and Cox.
  logic [N*TopW-1:0] tops;
  logic [N*A2-1:0] lows;
  logic [N*4-1:0] residues3;
  logic [N*W-1:0] ring;
`ifdef MODULI_RNS_TRACE
  logic [3:0][N*W-1:0] trace_files;
  logic [ContextW-1:0] trace_context;
  if (DivisionSteps) begin : g_trace_division
    assign trace_context = '0;
  end else begin : g_trace_context
    assign trace_context = u_control.g_inverter.u_inverter.context_q;
  end
`endif
  genvar channel;
  for (channel = 0; channel < N; channel++) begin : g_rower
    moduli_rns_rower #(
      .Channel(channel)
    ) u_rower (
      .clk_i,
      .issue_i        (orders.issue),
      .product_i      (orders.product),
      .jump_i         (orders.jump),
      .ext_addr_i     (orders.ext_addr),
      .digit_i        (orders.digit),
      .addend_i       (orders.addend),
      .capture_i      (orders.capture),
      .capture_b_i    (orders.capture_b),
      .write_a_i      (orders.write_a),
      .write_b_i      (orders.write_b),
      .write_entry_a_i(orders.entry_a),
      .write_entry_b_i(orders.entry_b),
      .write_chunk_i  (orders.chunk),
      .write_sum_i    (orders.sum),
      .ring_digit_i   (orders.ring_digit),
      .top_o          (tops[channel*TopW+:TopW]),
      .low_o          (lows[channel*A2+:A2]),
      .threes_o       (residues3[channel*4+:4]),
      .word_o         (words[channel*WordW+:WordW]),
      .one_o          (one[channel]),
      .minus_one_o    (minus_one[channel]),
      .ring_shift_i   (unload_shift || orders.ring_shift),
      .ring_i         (ring[((channel+1)%N)*W+:W]),
      .ring_o         (ring[channel*W+:W])
`ifdef MODULI_RNS_TRACE
      ,
      .trace_context_i(trace_context),
      .trace_a1_o     (trace_files[3][channel*W+:W]),
      .trace_b1_o     (trace_files[2][channel*W+:W]),
      .trace_a3_o     (trace_files[1][channel*W+:W]),
      .trace_b3_o     (trace_files[0][channel*W+:W])
`endif
    );
  end
  moduli_rns_cox u_cox (
    .clk_i,
    .tops_i       (tops),
    .lows_i       (lows),
    .short_i      (orders.short_quotient),
    .reduced_i    (orders.reduced),
    .threes_i     (residues3),
    .quotient_o   (quotient),
    .twos_o       (twos),
    .threes_o     (threes),
    .twos_next_o  (twos_next),
    .threes_next_o(threes_next)
  );

  // Results.
  moduli_rns_responses #(
    .IdWidth(IdWidth)
  ) u_responses (
    .clk_i,
    .rst_ni,
    .core_rst_ni      (rst_n),
    .wipe_i           (clearing),
    .id_i             (load_id),
    .alone_i          (load.alone),
    .inverter_accept_i(inverter_accept),
    .slot_i           (load_slot),
    .products_accept_i(products_accept),
    .refuse_i         (refuse),
    .refuse_done_o    (refuse_done),
    .taken_i          (req_valid_i && req_ready_o),
    .ended_i          (ended),
    .working_i        (inverter_busy || products_active_q),
    .unload_free_o    (unload_free),
    .unload_shift_o   (unload_shift),
    .digit_i          (ring[W-1:0]),
    .reloaded_i       (reloaded),
    .checks_i         (checks),
    .low_i            (low),
    .begun_i          (begun),
    .answer_i         (answer),
    .unloaded_o       (unloaded),
    .value_o          (value),
    .failed_o         (failed),
    .orders_i         (orders),
    .operand_i        (operand_residue),
    .other_fault_i    (arrival_fault || twin_fault),
    .fault_o          (fault),
    .fault_clear_o    (fault_clear),
    .owes_o           (owes),
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_id_o,
    .rsp_data_o,
    .rsp_error_o,
    .rsp_steps_o
  );
  // Not done before all requests have their responses: after a fault, what is missing is not forgotten.
  assign working = inverter_busy || products_active || requests_busy || !unload_free || owes || !rst_n;
  assign busy_o  = working || used || fault;

`ifndef SYNTHESIS
  // A response does not change while it waits, and only one unit controls the Rowers at a time.
  logic held_q;
  // Registers may power up with any value, so nothing is asserted before the first reset.
  logic reset_seen_q;
  initial reset_seen_q = 1'b0;
  always_ff @(posedge clk_i) if (!rst_ni) reset_seen_q <= 1'b1;
  logic [L+IdWidth+STEPS_W+1:0] response, response_q;
  assign response = {rsp_data_o, rsp_id_o, rsp_steps_o, rsp_error_o};
  always_ff @(posedge clk_i) begin
    held_q <= rst_n && rsp_valid_o && !rsp_ready_i;
    response_q <= response;
    if (reset_seen_q && rst_n && held_q) assert (rsp_valid_o && response == response_q) else $error("a response did not wait");
    if (reset_seen_q && rst_n) begin
      assert (!(inverter_busy && products_active)) else $error("inversions and products at once");
      assert (!((ended.inverted || ended.products || refuse_done) && !unload_free)) else $error("a result is lost");
      if (rsp_valid_o && rsp_error_o != ErrorNone) assert (rsp_data_o == '0) else $error("data with an error");
      if (rsp_valid_o && fault) assert (rsp_error_o == ErrorCheck) else $error("a result leaves in spite of a fault");
    end
  end
`endif

`ifdef MODULI_RNS_TRACE
  function automatic logic [N*W-1:0] reduced(input logic [N*W-1:0] digits);
    for (int i = 0; i < N; i++) begin
      reduced[i*W+:W] = digits[i*W+:W] >= MODULI1[i*W+:W] ? digits[i*W+:W] - MODULI1[i*W+:W] : digits[i*W+:W];
    end
  endfunction
  if (DivisionSteps) begin : g_trace_jumps
    always_ff @(posedge clk_i) begin
      trace_valid_o <= rst_ni && division_trace;
      trace_id_o <= u_responses.id_q[0];
      trace_steps_o <= division_trace_steps;
      {trace_u_o, trace_v_o, trace_twos_o, trace_threes_o} <= '0;
      for (int k = 0; k < 4; k++) trace_residues_o[k] <= reduced(trace_files[k]);
    end
  end else begin : g_trace_steps
    logic side;
    assign side = u_control.g_inverter.u_inverter.side_q[trace_context];
    always_ff @(posedge clk_i) begin
      trace_valid_o <= rst_ni && u_control.g_inverter.u_inverter.odd && u_control.g_inverter.u_inverter.running_q;
      trace_id_o <= u_responses.id_q[trace_context];
      trace_steps_o <= u_control.g_inverter.u_inverter.steps_q[trace_context];
      trace_u_o <= u_control.g_inverter.u_inverter.u_q[trace_context];
      trace_v_o <= u_control.g_inverter.u_inverter.v_q[trace_context];
      trace_twos_o <= {
        4'(u_control.g_inverter.u_inverter.u1_twos_q[trace_context]), 4'(twos),
        4'(u_control.g_inverter.u_inverter.u3_twos_q[trace_context]), 4'(u_control.g_inverter.u_inverter.v3_twos_q)
      };
      trace_threes_o <= {
        u_control.g_inverter.u_inverter.u1_threes_q[trace_context], threes,
        u_control.g_inverter.u_inverter.u3_threes_q[trace_context], u_control.g_inverter.u_inverter.v3_threes_q
      };
      trace_residues_o <= {
        reduced(side ? trace_files[3] : trace_files[2]),
        reduced(side ? trace_files[2] : trace_files[3]),
        reduced(side ? trace_files[1] : trace_files[0]),
        reduced(side ? trace_files[0] : trace_files[1])
      };
    end
  end
`endif
endmodule
