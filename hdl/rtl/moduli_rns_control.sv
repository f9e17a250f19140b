// Controls the Rowers: alternates between inversions by steps and products, and wipes the core. With a guard, a twin
// checks the control of products.

module moduli_rns_control (
  input  logic                                                            clk_i,
  input  logic                                                            rst_ni,
  input  logic                                                            wipe_i,
  // zeros are written to this entry
  input  logic                                                            write_i,
  input  logic                    [           moduli_rns_pkg::EntryW-1:0] write_entry_i,
  // the operand in the loader
  input  moduli_rns_pkg::load_t                                           load_i,
  input  logic                    [         moduli_rns_params_pkg::W-1:0] digit_i,
  output logic                                                            inverter_accept_o,
  output logic                    [         moduli_rns_pkg::ContextW-1:0] load_slot_o,
  output logic                                                            products_accept_o,
  output logic                                                            load_shift_o,
  output logic                                                            exponent_shift_o,
  // Rowers and Cox
  output moduli_rns_pkg::orders_t                                         orders_o,
  input  logic                    [        moduli_rns_pkg::QuotientW-1:0] quotient_i,
  input  logic                    [        moduli_rns_params_pkg::A2-1:0] twos_i,
  input  logic                    [                                  3:0] threes_i,
  input  logic                    [        moduli_rns_params_pkg::A2-1:0] twos_next_i,
  input  logic                    [                                  3:0] threes_next_i,
  input  logic                    [         moduli_rns_params_pkg::N-1:0] one_i,
  input  logic                    [         moduli_rns_params_pkg::N-1:0] minus_one_i,
  input  logic [moduli_rns_params_pkg::N*moduli_rns_pkg::WordW-1:0] words_i,
  // results
  input  logic                                                            unload_free_i,
  output moduli_rns_pkg::ended_t                                          ended_o,
  output logic                                                            inverter_busy_o,
  output logic                                                            products_active_now_o,
  output logic                                                            products_active_o,
  output logic                                                            twin_fault_o
`ifdef MODULI_RNS_TRACE
  ,
  output logic                                                            trace_o,
  output logic                    [   moduli_rns_params_pkg::STEPS_W-1:0] trace_steps_o
`endif
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  issue_t issue, products_issue;
  product_t product;
  jump_t jump;
  logic products_active_q, products_issue_q, products_compute_q;
  // One cycle late is early enough, because the loader is not empty when products begin.
  always_ff @(posedge clk_i) products_active_q <= products_active_now_o && rst_ni;
  assign products_active_o = products_active_q;

  // Inversions by steps.
  logic unload_ready, may_load, inverter_shift, inverter_write_a, inverter_write_b, inverter_ring, capture, capture_b;
  logic inverted, inverted_minus, inverted_error, write_sum;
  logic [ADD_AW-1:0] inverter_addend;
  logic [EntryW-1:0] inverter_entry;
  logic [ContextW-1:0] inverted_slot;
  logic [STEPS_W-1:0] inverted_steps;
  logic [EXT_AW-1:0] division_ext_addr, products_ext_addr;
  logic [W-1:0] broadcast;
  logic [CHUNKS-1:0] write_chunk;
  assign unload_ready = unload_free_i && !inverted;
  assign may_load = load_i.valid && load_i.by_steps && !products_active_q && !(load_i.alone && (inverter_busy_o || !unload_free_i));
  if (DivisionSteps) begin : g_division
    moduli_rns_division_steps u_division (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .load_valid_i  (may_load),
      .above_i       (load_i.above),
      .digit_i,
      .load_ready_o  (inverter_accept_o),
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
      .quotient_i,
      .words_i,
      .one_i         (&one_i),
      .minus_one_i   (&minus_one_i),
      .unload_ready_i(unload_ready),
      .ring_digit_o  (inverter_ring),
      .done_minus_o  (inverted_minus),
      .done_error_o  (inverted_error),
      .busy_o        (inverter_busy_o)
`ifdef MODULI_RNS_TRACE
      ,
      .trace_valid_o (trace_o),
      .trace_steps_o
`endif
    );
    assign inverted = inverter_ring;
    assign inverter_write_b = 1'b0;
    assign inverter_addend = GROUP_BASE[GroupZero*ADD_AW+:ADD_AW];
    assign {capture, capture_b} = '0;
    assign {inverted_slot, load_slot_o} = '0;
    assign inverted_steps = STEPS_W'(JUMPS * JUMP_STEPS);
    logic unused_plus_minus;
    assign unused_plus_minus = ^{twos_i, threes_i, twos_next_i, threes_next_i};
  end else if (VARIANT != 0) begin : g_inverter
    moduli_rns_inverter u_inverter (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .load_valid_i  (may_load),
      .load_ready_o  (inverter_accept_o),
      .load_shift_o  (inverter_shift),
      .load_context_o(load_slot_o),
      .other_i       (products_issue_q),
      .other_issue_i (products_issue),
      .issue_o       (issue),
      .addend_o      (inverter_addend),
      .write_a_o     (inverter_write_a),
      .write_b_o     (inverter_write_b),
      .write_entry_o (inverter_entry),
      .twos_i,
      .threes_i,
      .twos_next_i,
      .threes_next_i,
      .one_i,
      .minus_one_i,
      .unload_ready_i(unload_ready),
      .capture_o     (capture),
      .capture_b_o   (capture_b),
      .done_o        (inverted),
      .done_context_o(inverted_slot),
      .done_minus_o  (inverted_minus),
      .done_error_o  (inverted_error),
      .done_steps_o  (inverted_steps),
      .busy_o        (inverter_busy_o)
    );
  end else begin : g_no_inverter
    assign {inverter_accept_o, inverter_shift, inverter_write_a, inverter_write_b, inverter_busy_o} = '0;
    assign {capture, capture_b, inverted, inverted_minus, inverted_error} = '0;
    assign issue = products_issue;
    assign {inverter_addend, inverter_entry} = '0;
    assign {inverted_slot, load_slot_o, inverted_steps} = '0;
    logic unused_inverter;
    assign unused_inverter = ^{twos_i, threes_i, twos_next_i, threes_next_i, minus_one_i, may_load};
  end
  if (!DivisionSteps) begin : g_no_division
    assign {jump, division_ext_addr, broadcast, write_chunk, write_sum, inverter_ring} = '0;
    logic unused_division;
    assign unused_division = ^{words_i, load_i.above};
`ifdef MODULI_RNS_TRACE
    assign {trace_o, trace_steps_o} = '0;
`endif
  end

  // Products.
  logic products_begin, products_shift, products_write_a, products_write_b, ring_digit, products_ring_shift, short_quotient;
  logic products_digit_valid, products_done, checked, right;
  logic [W-1:0] products_digit;
  logic [ADD_AW-1:0] products_addend;
  logic [EntryW-1:0] products_entry_a, products_entry_b;
  error_e products_error;
  logic [STEPS_W-1:0] products_steps;
  logic [31:0] word;
  steps_t steps;
  assign products_begin = load_i.valid && !load_i.by_steps && !inverter_busy_o && (unload_free_i || load_i.checking);
  if (MULTIPLY != 0) begin : g_products
    moduli_rns_products u_products (
      .clk_i,
      .rst_ni,
      .load_valid_i    (products_begin),
      .operation_i     (load_i.operation),
      .montgomery_i    (load_i.montgomery),
      .zero_i          (load_i.zero),
      .load_ready_o    (products_accept_o),
      .load_shift_o    (products_shift),
      .exponent_shift_o,
      .exponent_bit_i  (load_i.exponent_bit),
      .active_o        (products_active_now_o),
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
      .quotient_i,
      .checked_o       (checked),
      .right_o         (right),
      .one_i           (&one_i),
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
        .rst_ni,
        .load_valid_i  (products_begin),
        .operation_i   (load_i.operation_again),
        .montgomery_i  (load_i.montgomery_again),
        .zero_i        (load_i.zero),
        .exponent_bit_i(load_i.exponent_bit),
        .one_i         (&one_i),
        .unload_ready_i(unload_ready),
        .word_i        (word),
        .state_i       (steps),
        .fault_o       (twin_fault_o)
      );
    end else begin : g_no_twin
      assign twin_fault_o = 1'b0;
      logic unused_steps;
      assign unused_steps = ^{word, steps, load_i.operation_again, load_i.montgomery_again};
    end
  end else begin : g_no_products
    assign {products_accept_o, products_shift, exponent_shift_o, products_active_now_o} = '0;
    assign {products_digit_valid, products_write_a, products_write_b, ring_digit, products_ring_shift} = '0;
    assign {short_quotient, products_done, checked, right, twin_fault_o, word, steps} = '0;
    assign {products_issue, product, products_ext_addr, products_digit} = '0;
    assign products_addend = GROUP_BASE[GroupZero*ADD_AW+:ADD_AW];  // while the core is wiped
    assign {products_entry_a, products_entry_b, products_steps} = '0;
    assign products_error = ErrorNone;
    logic unused_products;
    assign unused_products = ^{quotient_i, products_begin, load_i};
    logic unused_guard;
    assign unused_guard = ^{word, steps};
  end
  assign load_shift_o = inverter_shift || products_shift;

  // While the core is wiped, the control of products is in reset and issues zeros. The switch takes place some cycles
  // before and after any issue that matters.
  always_ff @(posedge clk_i) begin
    products_issue_q   <= VARIANT == 0 || products_active_now_o || wipe_i;
    products_compute_q <= (VARIANT == 0 || products_active_now_o) && !wipe_i;
  end
  always_comb begin
    orders_o = '{
        issue: issue,
        product: products_compute_q ? product : product_t'('0),
        channel_product: product,
        jump: jump,
        ext_addr: (DivisionSteps && !products_issue_q) ? division_ext_addr : products_ext_addr,
        digit: products_digit_valid ? products_digit : DivisionSteps && !products_issue_q ? broadcast : digit_i,
        addend: products_issue_q ? products_addend : inverter_addend,
        capture: capture,
        capture_b: capture_b,
        write_a: inverter_write_a || products_write_a || write_i,
        write_b: inverter_write_b || products_write_b || write_i,
        entry_a: write_i ? write_entry_i : products_issue_q ? products_entry_a : inverter_entry,
        entry_b: write_i ? write_entry_i : products_issue_q ? products_entry_b : inverter_entry,
        chunk: write_chunk | {CHUNKS{write_i}},
        sum: write_sum || write_i,
        ring_digit: ring_digit || inverter_ring || write_i,
        ring_shift: products_ring_shift,
        short_quotient: short_quotient,
        reduced: products_compute_q
    };
    ended_o = '{
        inverted: inverted,
        minus: inverted_minus,
        not_invertible: inverted_error,
        slot: inverted_slot,
        inversion_steps: inverted_steps,
        products: products_done,
        error: products_error,
        products_steps: products_steps,
        checked: checked,
        right: right
    };
  end
endmodule
