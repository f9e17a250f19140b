// The Cox-Rower core: inversion modulo P by plus-minus or division steps in residues, for ordinary integers.
//
// Request and response are valid/ready handshakes: once valid is high it stays so, with the payload unchanged, until ready is.
// Up to CONTEXTS inversions run at once and may end in another order than they came in: req_id_i comes back as rsp_id_o.
//
//   req_op_i[1:0]   2 invert (0 multiply and 1 exponentiate need MULTIPLY, 3 invert A blinded by B needs BLIND)
//   req_op_i[2]     operands and result are in Montgomery form, X*M mod P (not the exponent); needs MULTIPLY
//   rsp_error_o     0 right, 1 not invertible, 2 a check failed, 3 operation not built in; the data is 0 unless it is 0
//   rsp_steps_o     plus-minus or division steps, or products
//
// Reset is synchronous and may come at any time. clear_i drops everything that is under way and wipes the registers; with
// ClearAfter they are wiped after every response too, and the core takes one request at a time.

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
  // After every step of an inversion: its request, how many steps, u and v in half bits, U1 V1 U3 V3 (the first on top) modulo
  // 2^A2 and 3^A3, and their residues, below the moduli. After every jump of division steps: d e f g in their places.
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
  // A cycle late, from a register; what goes out is held back meanwhile.
  always_ff @(posedge clk_i) rst_n <= rst_ni && !clearing && !clear;

  // Requests, and what follows an inversion.
  logic load_valid, load_zero, load_above, load_accept, load_shift, load_by_steps, load_montgomery, requests_busy;
  logic [W-1:0] digit;
  operation_e load_operation;
  logic [IdWidth-1:0] load_id;
  logic exponent_bit, exponent_shift, refuse, refuse_done, alone, checking, reloaded, answer, inverter_accept;
  error_e error_q;
  logic [L-1:0] unloaded_data;
  // Of a redundant channel.
  logic released, fault_q, fault_clear, rotate, less_prime, column, parity, withheld;
  logic [W-1:0] lowest;
  // Of a guard.
  operation_e operation_again;
  logic montgomery_again, arrival_fault, twin_fault;
  logic [W-1:0] operand_residue;
  logic [31:0] word;
  steps_t steps;
  logic unloaded, products_active, products_active_q, products_done, checked, right;
  // A cycle late is soon enough: the loader is not empty when products begin.
  always_ff @(posedge clk_i) products_active_q <= products_active && rst_n;
  moduli_rns_requests #(
    .IdWidth(IdWidth)
  ) u_requests (
    .clk_i,
    .rst_ni           (rst_n),
    .wipe_i           (clearing),
    .req_valid_i,
    .req_ready_o,
    .hold_i           (used || fault_q),
    .req_op_i,
    .req_id_i,
    .req_a_i,
    .req_b_i,
    .load_valid_o     (load_valid),
    .load_zero_o      (load_zero),
    .load_above_o     (load_above),
    .load_accept_i    (load_accept),
    .load_shift_i     (load_shift),
    .digit_o          (digit),
    .by_steps_o       (load_by_steps),
    .operation_o      (load_operation),
    .montgomery_o     (load_montgomery),
    .id_o             (load_id),
    .exponent_bit_o   (exponent_bit),
    .exponent_shift_i (exponent_shift),
    .refuse_o         (refuse),
    .refuse_done_i    (refuse_done),
    .alone_o          (alone),
    .checking_o       (checking),
    .reloaded_o       (reloaded),
    .answer_o         (answer),
    .unloaded_i       (unloaded),
    .data_i           (unloaded_data),
    .failed_i         (error_q != ErrorNone),
    .checked_i        (checked),
    .right_i          (right),
    .products_active_i(products_active_q),
    .products_done_i  (products_done),
    .answered_i       (rsp_valid_o && rsp_ready_i),
    .busy_o           (requests_busy),
    .active_now_i     (products_active),
    .operation_again_o(operation_again),
    .montgomery_again_o(montgomery_again),
    .residue_o        (operand_residue),
    .fault_o          (arrival_fault)
  );
  assign rsp_valid_o = unloaded && answer && rst_n && released;

  // Control: inversions by steps, products, wiping.
  logic [A2-1:0] twos, twos_next;
  logic [3:0] threes, threes_next;
  logic [N-1:0] one, minus_one;
  logic [QuotientW-1:0] quotient;
  logic unload_ready, unload_free;

  issue_t issue, products_issue;
  logic products_issue_q, products_compute_q;
  logic inverter_shift, inverter_write_a, inverter_write_b, inverter_busy;
  logic [ADD_AW-1:0] inverter_addend;
  logic [EntryW-1:0] inverter_entry;
  logic capture, capture_b, inverted, inverted_minus, inverted_error;
  logic [ContextW-1:0] inverted_context, load_context;
  logic [STEPS_W-1:0] inverted_steps;
  jump_t jump;
  logic [EXT_AW-1:0] ext_addr, division_ext_addr, products_ext_addr;
  logic [W-1:0] broadcast;
  logic [N*WordW-1:0] words;
  logic [CHUNKS-1:0] write_chunk;
  logic write_sum, inverter_ring, may_load;
  assign may_load = load_valid && load_by_steps && !products_active_q && !(alone && (inverter_busy || !unload_free));
`ifdef MODULI_RNS_TRACE
  logic division_trace;
  logic [STEPS_W-1:0] division_trace_steps;
`endif
  if (DivisionSteps) begin : g_division
    moduli_rns_division_steps u_division (
      .clk_i,
      .rst_ni        (rst_n),
      .wipe_i        (clearing),
      .load_valid_i  (may_load),
      .above_i       (load_above),
      .digit_i       (digit),
      .load_ready_o  (inverter_accept),
      .load_shift_o  (inverter_shift),
      .other_i       (products_issue_q),
      .other_issue_i (products_issue),
      .issue_o       (issue),
      .jump_o        (jump),
      .ext_addr_o    (division_ext_addr),
      .digit_o       (broadcast),
      .write_a_o     (inverter_write_a),
      .write_chunk_o (write_chunk),
      .write_sum_o   (write_sum),
      .write_entry_o (inverter_entry),
      .quotient_i    (quotient),
      .words_i       (words),
      .one_i         (&one),
      .minus_one_i   (&minus_one),
      .unload_ready_i(unload_ready),
      .ring_digit_o  (inverter_ring),
      .done_minus_o  (inverted_minus),
      .done_error_o  (inverted_error),
      .busy_o        (inverter_busy)
`ifdef MODULI_RNS_TRACE
      ,
      .trace_valid_o (division_trace),
      .trace_steps_o (division_trace_steps)
`endif
    );
    assign inverted = inverter_ring;
    assign inverter_write_b = 1'b0;
    assign inverter_addend = GROUP_BASE[GroupZero*ADD_AW+:ADD_AW];
    assign {capture, capture_b} = '0;
    assign {inverted_context, load_context} = '0;
    assign inverted_steps = STEPS_W'(JUMPS * JUMP_STEPS);
    logic unused_plus_minus;
    assign unused_plus_minus = ^{twos, threes, twos_next, threes_next};
  end else if (VARIANT != 0) begin : g_inverter
    moduli_rns_inverter u_inverter (
      .clk_i,
      .rst_ni        (rst_n),
      .wipe_i        (clearing),
      .load_valid_i  (may_load),
      .load_ready_o  (inverter_accept),
      .load_shift_o  (inverter_shift),
      .load_context_o(load_context),
      .other_i       (products_issue_q),
      .other_issue_i (products_issue),
      .issue_o       (issue),
      .addend_o      (inverter_addend),
      .write_a_o     (inverter_write_a),
      .write_b_o     (inverter_write_b),
      .write_entry_o (inverter_entry),
      .twos_i        (twos),
      .threes_i      (threes),
      .twos_next_i   (twos_next),
      .threes_next_i (threes_next),
      .one_i         (one),
      .minus_one_i   (minus_one),
      .unload_ready_i(unload_ready),
      .capture_o     (capture),
      .capture_b_o   (capture_b),
      .done_o        (inverted),
      .done_context_o(inverted_context),
      .done_minus_o  (inverted_minus),
      .done_error_o  (inverted_error),
      .done_steps_o  (inverted_steps),
      .busy_o        (inverter_busy)
    );
  end else begin : g_no_inverter
    assign {inverter_accept, inverter_shift, inverter_write_a, inverter_write_b, inverter_busy} = '0;
    assign {capture, capture_b, inverted, inverted_minus, inverted_error} = '0;
    assign issue = products_issue;
    assign {inverter_addend, inverter_entry} = '0;
    assign {inverted_context, load_context, inverted_steps} = '0;
    logic unused_inverter;
    assign unused_inverter = ^{twos, threes, twos_next, threes_next, minus_one, may_load};
  end
  if (!DivisionSteps) begin : g_no_division
    assign {jump, division_ext_addr, broadcast, write_chunk, write_sum, inverter_ring} = '0;
    logic unused_division;
    assign unused_division = ^{words, load_above};
  end

  logic products_accept, products_shift, products_write_a, products_write_b, ring_digit, products_ring_shift, short_quotient;
  product_t product;
  logic products_digit_valid;
  logic [W-1:0] products_digit;
  logic [ADD_AW-1:0] products_addend;
  logic [EntryW-1:0] products_entry_a, products_entry_b;
  error_e products_error;
  logic [STEPS_W-1:0] products_steps;
  if (MULTIPLY != 0) begin : g_products
    moduli_rns_products u_products (
      .clk_i,
      .rst_ni          (rst_n),
      .load_valid_i    (load_valid && !load_by_steps && !inverter_busy && (unload_free || checking)),
      .operation_i     (load_operation),
      .montgomery_i    (load_montgomery),
      .zero_i          (load_zero),
      .load_ready_o    (products_accept),
      .load_shift_o    (products_shift),
      .exponent_shift_o(exponent_shift),
      .exponent_bit_i  (exponent_bit),
      .active_o        (products_active),
      .issue_o         (products_issue),
      .product_o       (product),
      .ext_addr_o      (products_ext_addr),
      .digit_valid_o   (products_digit_valid),
      .digit_o         (products_digit),
      .addend_o        (products_addend),
      .write_a_o       (products_write_a),
      .write_b_o       (products_write_b),
      .write_entry_a_o (products_entry_a),
      .write_entry_b_o (products_entry_b),
      .ring_digit_o    (ring_digit),
      .ring_shift_o    (products_ring_shift),
      .short_o         (short_quotient),
      .quotient_i      (quotient),
      .checked_o       (checked),
      .right_o         (right),
      .one_i           (&one),
      .unload_ready_i  (unload_ready),
      .done_o          (products_done),
      .done_error_o    (products_error),
      .done_steps_o    (products_steps),
      .word_i          ('0),
      .word_o          (word),
      .state_o         (steps)
    );
    if (GUARD != 0) begin : g_twin
      moduli_rns_product_twin u_twin (
        .clk_i,
        .rst_ni        (rst_n),
        .load_valid_i  (load_valid && !load_by_steps && !inverter_busy && (unload_free || checking)),
        .operation_i   (operation_again),
        .montgomery_i  (montgomery_again),
        .zero_i        (load_zero),
        .exponent_bit_i(exponent_bit),
        .one_i         (&one),
        .unload_ready_i(unload_ready),
        .word_i        (word),
        .state_i       (steps),
        .fault_o       (twin_fault)
      );
    end else begin : g_no_twin
      assign twin_fault = 1'b0;
      logic unused_steps;
      assign unused_steps = ^{word, steps, operation_again, montgomery_again};
    end
  end else begin : g_no_products
    assign {products_accept, products_shift, exponent_shift, products_active} = '0;
    assign {products_digit_valid, products_write_a, products_write_b, ring_digit, products_ring_shift} = '0;
    assign {short_quotient, products_done, checked, right, twin_fault, word, steps} = '0;
    assign {products_issue, product, products_ext_addr, products_digit} = '0;
    assign products_addend = GROUP_BASE[GroupZero*ADD_AW+:ADD_AW];  // while the core is wiped
    assign {products_entry_a, products_entry_b, products_steps} = '0;
    assign products_error = ErrorNone;
    logic unused_products;
    assign unused_products = ^{quotient, load_zero, load_montgomery, load_operation, exponent_bit, checking};
    logic unused_guard;
    assign unused_guard = ^{operation_again, montgomery_again, word, steps};
  end
  assign load_accept = inverter_accept || products_accept;
  assign load_shift  = inverter_shift || products_shift;

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

  logic [ADD_AW-1:0] addend;
  logic [EntryW-1:0] write_entry_a, write_entry_b;
  // While the core is wiped the products' control is in reset and issues zeros. It changes some cycles before and after any
  // issue that matters.
  always_ff @(posedge clk_i) begin
    products_issue_q   <= VARIANT == 0 || products_active || clearing;
    products_compute_q <= (VARIANT == 0 || products_active) && !clearing;
  end
  always_comb begin
    addend = products_issue_q ? products_addend : inverter_addend;
    ext_addr = (DivisionSteps && !products_issue_q) ? division_ext_addr : products_ext_addr;
    write_entry_a = wipe ? wipe_entry : products_issue_q ? products_entry_a : inverter_entry;
    write_entry_b = wipe ? wipe_entry : products_issue_q ? products_entry_b : inverter_entry;
  end

  // Rowers and Cox.
  logic [N*TopW-1:0] tops;
  logic [N*A2-1:0] lows;
  logic [N*4-1:0] residues3;
  logic [N*W-1:0] ring;
  logic [W-1:0] rower_digit;
  assign rower_digit = products_digit_valid ? products_digit : DivisionSteps && !products_issue_q ? broadcast : digit;
  logic unload_shift;
`ifdef MODULI_RNS_TRACE
  logic [3:0][N*W-1:0] trace_files;
  logic [ContextW-1:0] trace_context;
  if (DivisionSteps) begin : g_trace_division
    assign trace_context = '0;
  end else begin : g_trace_context
    assign trace_context = g_inverter.u_inverter.context_q;
  end
`endif
  genvar channel;
  for (channel = 0; channel < N; channel++) begin : g_rower
    moduli_rns_rower #(
      .Channel(channel)
    ) u_rower (
      .clk_i,
      .issue_i        (issue),
      .product_i      (products_compute_q ? product : product_t'('0)),
      .jump_i         (jump),
      .ext_addr_i     (ext_addr),
      .digit_i        (rower_digit),
      .addend_i       (addend),
      .capture_i      (capture),
      .capture_b_i    (capture_b),
      .write_a_i      (inverter_write_a || products_write_a || wipe),
      .write_b_i      (inverter_write_b || products_write_b || wipe),
      .write_entry_a_i(write_entry_a),
      .write_entry_b_i(write_entry_b),
      .write_chunk_i  (write_chunk | {CHUNKS{wipe}}),
      .write_sum_i    (write_sum || wipe),
      .ring_digit_i   (ring_digit || inverter_ring || wipe),
      .top_o          (tops[channel*TopW+:TopW]),
      .low_o          (lows[channel*A2+:A2]),
      .threes_o       (residues3[channel*4+:4]),
      .word_o         (words[channel*WordW+:WordW]),
      .one_o          (one[channel]),
      .minus_one_o    (minus_one[channel]),
      .ring_shift_i   (unload_shift || products_ring_shift),
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
    .short_i      (short_quotient),
    .reduced_i    (products_compute_q),
    .threes_i     (residues3),
    .quotient_o   (quotient),
    .twos_o       (twos),
    .threes_o     (threes),
    .twos_next_o  (twos_next),
    .threes_next_o(threes_next)
  );

  // Results. What is not built in is refused in its turn.
  error_e error;
  always_comb begin
    error = ErrorNone;
    if (refuse_done) error = ErrorUnsupported;
    else if (products_done) error = products_error;
    else if (inverted_error) error = ErrorNotInvertible;
  end
  assign refuse_done  = refuse && unload_free && !inverted && !products_done && !inverter_busy && !products_active_q;
  assign unload_ready = unload_free && !inverted;
  moduli_rns_unloader u_unloader (
    .clk_i,
    .rst_ni (rst_n),
    .wipe_i (clearing || (checked && !right)),
    .start_i(inverted || products_done || refuse_done),
    .minus_i(inverted && inverted_minus),
    // An operand without an inverse takes as long as another: division steps deliver 0.
    .skip_i (error != ErrorNone && !(DivisionSteps && inverted)),
    .ready_o(unload_free),
    .shift_o(unload_shift),
    .digit_i(ring[W-1:0]),
    .valid_o(unloaded),
    .ready_i((rsp_valid_o && rsp_ready_i) || reloaded),
    .rotate_i(rotate),
    .lowest_o(lowest),
    .reduced_o(less_prime),
    .column_o(column),
    .withhold_i(withheld),
    .parity_o(parity),
    .data_o (unloaded_data)
  );

  assign rsp_data_o = unloaded_data;

  // What leaves: with a redundant channel nothing that it does not vouch for. It is told by an error, whoever waits in the core is told so too,
  // and then everything is wiped.
  if (REDUNDANT != 0) begin : g_redundant
    logic [W-1:0] residue;
    logic differs, different, wrong, right_data;
    logic [1:0] pending_q;  // requests that were taken and not answered
    moduli_rns_redundant u_redundant (
      .clk_i,
      .rst_ni         (rst_n),
      .issue_i        (issue),
      .product_i      (products_compute_q ? product : product_t'('0)),
      .ext_addr_i     (ext_addr),
      .digit_i        (rower_digit),
      .write_a_i      (products_write_a || wipe),
      .write_b_i      (products_write_b || wipe),
      .write_entry_a_i(write_entry_a),
      .write_entry_b_i(write_entry_b),
      .ring_i         (ring[W-1:0]),
      .operand_i      (operand_residue),
      .residue_o      (residue),
      .fault_o        (differs)
    );
    assign different = differs || arrival_fault || twin_fault;
    moduli_rns_release u_release (
      .clk_i,
      .rst_ni    (rst_n),
      .wipe_i    (clearing),
      .start_i   (inverted || products_done || refuse_done),
      .column_i  (column),
      .unloaded_i(unloaded),
      .residue_i (residue),
      .rotate_o  (rotate),
      .digit_i   (lowest),
      .reduced_i (less_prime),
      .parity_i  (parity),
      .done_o    (released),
      .right_o   (right_data)
    );
    // Where there is no result there is nothing to look at.
    assign wrong = fault_q || different || (error_q == ErrorNone && !right_data);
    always_ff @(posedge clk_i) begin
      fault_q <= fault_q || different || (unloaded && released && wrong);
      // Not what the control says: if that went wrong, there may be an answer that nobody asked for.
      pending_q <= pending_q + 2'(req_valid_i && req_ready_o) - 2'(rsp_valid_o && rsp_ready_i);
      if (!rst_ni || clearing) {fault_q, pending_q} <= '0;
    end
    assign fault_clear = fault_q && pending_q == '0;
    assign withheld    = wrong || error_q != ErrorNone;
    assign rsp_error_o = wrong ? ErrorCheck : error_q;
  end else begin : g_not_redundant
    assign {rotate, fault_q, fault_clear, withheld} = '0;
    assign released    = 1'b1;
    assign rsp_error_o = error_q;
    logic unused_lowest;
    assign unused_lowest = ^{lowest, less_prime, column, parity, operand_residue, arrival_fault, twin_fault};
  end

  logic [IdWidth-1:0] id_q[CONTEXTS];
  logic [IdWidth-1:0] products_id_q;
  always_ff @(posedge clk_i) begin
    if (inverter_accept) id_q[load_context] <= load_id;
    if (products_accept) products_id_q <= load_id;
    if (inverted) begin
      rsp_id_o <= id_q[inverted_context];
      rsp_steps_o <= inverted_steps;
    end else if (products_done) begin
      rsp_id_o <= products_id_q;
      if (!alone) rsp_steps_o <= products_steps;
    end else if (refuse_done) begin
      rsp_id_o <= load_id;
      rsp_steps_o <= '0;
    end
    if (inverted || products_done || refuse_done) error_q <= error;
    if (checked && !right) error_q <= ErrorCheck;
    if (clearing) begin
      rsp_steps_o <= '0;
      error_q <= ErrorNone;
    end
  end
  assign working = inverter_busy || products_active || requests_busy || !unload_free || !rst_n;
  assign busy_o  = working || used || fault_q;

`ifndef SYNTHESIS
  // A response waits unchanged, and the Rowers belong to one master at a time.
  logic held_q;
  // Registers may power up with anything: nothing is claimed before the first reset.
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
      assert (!((inverted || products_done || refuse_done) && !unload_free)) else $error("a result is lost");
      if (rsp_valid_o && rsp_error_o != ErrorNone) assert (rsp_data_o == '0) else $error("data with an error");
      if (rsp_valid_o && fault_q) assert (rsp_error_o == ErrorCheck) else $error("a result leaves in spite of a fault");
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
      trace_id_o <= id_q[0];
      trace_steps_o <= division_trace_steps;
      {trace_u_o, trace_v_o, trace_twos_o, trace_threes_o} <= '0;
      for (int k = 0; k < 4; k++) trace_residues_o[k] <= reduced(trace_files[k]);
    end
  end else begin : g_trace_steps
    logic side;
    assign side = g_inverter.u_inverter.side_q[trace_context];
    always_ff @(posedge clk_i) begin
      trace_valid_o <= rst_ni && g_inverter.u_inverter.odd && g_inverter.u_inverter.running_q;
      trace_id_o <= id_q[trace_context];
      trace_steps_o <= g_inverter.u_inverter.steps_q[trace_context];
      trace_u_o <= g_inverter.u_inverter.u_q[trace_context];
      trace_v_o <= g_inverter.u_inverter.v_q[trace_context];
      trace_twos_o <= {
        4'(g_inverter.u_inverter.u1_twos_q[trace_context]), 4'(twos),
        4'(g_inverter.u_inverter.u3_twos_q[trace_context]), 4'(g_inverter.u_inverter.v3_twos_q)
      };
      trace_threes_o <= {
        g_inverter.u_inverter.u1_threes_q[trace_context], threes,
        g_inverter.u_inverter.u3_threes_q[trace_context], g_inverter.u_inverter.v3_threes_q
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
