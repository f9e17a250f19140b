// The Cox-Rower core: inversion modulo P by plus-minus steps in residues, for ordinary integers.
//
// Request and response are valid/ready handshakes: once valid is high it stays so, with the payload unchanged, until ready is.
// Up to CONTEXTS inversions run at once and may end in another order than they came in: req_id_i comes back as rsp_id_o.
//
//   req_op_i[1:0]   2 invert (0 multiply and 1 exponentiate need MULTIPLY)
//   req_op_i[2]     operands and result are in Montgomery form, X*M mod P (not the exponent); needs MULTIPLY
//   rsp_error_o     0 right, 1 not invertible, 2 check failed, 3 operation not built in; the data is 0 unless it is 0
//   rsp_steps_o     plus-minus steps, or products
//
// Reset is synchronous and may come at any time. clear_i drops everything that is under way and wipes the registers.

module moduli_rns
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
#(
  parameter int IdWidth = 4
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
`ifdef MODULI_RNS_TRACE
  ,
  // After every step of an inversion: its request, how many steps, u and v in half bits, U1 V1 U3 V3 (the first on top) modulo
  // 2^A2 and 3^A3, and their residues, below the moduli.
  output logic                 trace_valid_o,
  output logic [  IdWidth-1:0] trace_id_o,
  output logic [  STEPS_W-1:0] trace_steps_o,
  output logic [COUNTER_W-1:0] trace_u_o,
  output logic [COUNTER_W-1:0] trace_v_o,
  output logic [          3:0][    3:0] trace_twos_o,
  output logic [          3:0][    3:0] trace_threes_o,
  output logic [          3:0][N*W-1:0] trace_residues_o
`endif
);
  logic rst_n, clearing;
  // A cycle late, from a register; what goes out is held back meanwhile.
  always_ff @(posedge clk_i) rst_n <= rst_ni && !clearing && !clear_i;

  // What is asked for.
  logic by_steps;  // an inversion by plus-minus steps
  logic supported;
  always_comb begin
    by_steps  = VARIANT != 0 && req_op_i[1:0] == OpInvert;
    supported = by_steps ? MULTIPLY != 0 || !req_op_i[2] : MULTIPLY != 0 && req_op_i[1:0] != 2'd3;
  end

  // An inversion by steps that products follow, a check or one by M^3 for Montgomery forms, has the core to itself: it begins
  // when all that came before is answered, and nothing is accepted until its response is taken. The inverse goes from the
  // unloader back to the loader.
  typedef enum logic [2:0] {
    AfterNothing,
    AfterCheck,  // inverse and operand go to the loader
    AfterChecking,
    AfterCube,  // the inverse goes to the loader
    AfterCubing,
    AfterAll
  } after_e;
  after_e after_q;
  logic alone_q, alone_montgomery_q;
  logic inverter_accept;
  logic begun_q;  // it does not wait any more: what is in the unloader is its own
  logic unloaded, unload_taken, products_done, checked, right;

  // Operands. A multiplication loads its second factor first; the other operand waits.
  logic load_valid, load_accept, load_shift, load_ready, load_zero;
  logic [W-1:0] digit;
  logic other_waits_q, load_by_steps_q, load_montgomery_q, refuse_q;
  operation_e load_operation_q;
  logic [L-1:0] other_q;
  logic [IdWidth-1:0] load_id_q;
  logic exponent_shift, accepted, products_active, products_active_q, refuse_done;
  // A cycle late is soon enough: the loader is not empty when products begin.
  always_ff @(posedge clk_i) products_active_q <= products_active && rst_n;
  assign req_ready_o = load_ready && !alone_q && !other_waits_q && !refuse_q && !products_active_q && rst_n;
  assign accepted = req_valid_i && req_ready_o;
  logic load_inverse;
  logic [L-1:0] load_data;
  assign load_inverse = MULTIPLY != 0 && (after_q == AfterCheck || after_q == AfterCube);
  always_comb begin
    load_data = req_a_i;
    if (MULTIPLY != 0) begin
      if (req_op_i[1:0] == OpMultiply) load_data = req_b_i;
      if (load_inverse) load_data = rsp_data_o;
      if (other_waits_q) load_data = other_q;
    end
  end
  moduli_rns_loader u_loader (
    .clk_i,
    .rst_ni  (rst_n),
    .wipe_i  (clearing),
    .valid_i ((accepted && supported) || other_waits_q || load_inverse),
    .ready_o (load_ready),
    .data_i  (load_data),
    .valid_o (load_valid),
    .zero_o  (load_zero),
    .accept_i(load_accept),
    .shift_i (load_shift),
    .digit_o (digit)
  );
  always_ff @(posedge clk_i) begin
    if (accepted) begin
      load_id_q <= req_id_i;
      load_by_steps_q <= by_steps;
      load_montgomery_q <= req_op_i[2];
      load_operation_q <= operation_e'(req_op_i[1:0]);
      refuse_q <= !supported;
      other_waits_q <= MULTIPLY != 0 && req_op_i[1:0] == OpMultiply;
    end else begin
      if (load_ready) other_waits_q <= MULTIPLY != 0 && after_q == AfterCheck;
      if (refuse_done) refuse_q <= 1'b0;
      if (load_inverse) begin
        load_by_steps_q <= 1'b0;
        load_operation_q <= OpAfter;
        load_montgomery_q <= after_q == AfterCube;
      end
    end
    if (MULTIPLY != 0) begin
      // An idle core follows the port; what valid says comes late.
      if (load_ready && !other_waits_q && !products_active_q && !alone_q) begin
        other_q <= req_op_i[1:0] == OpExponentiate ? req_b_i : req_a_i;
      end else if (exponent_shift) begin
        other_q <= other_q << 1;
      end
      if (clearing) other_q <= '0;
    end else begin
      other_q <= '0;
    end
    if (!rst_n) begin
      refuse_q <= 1'b0;
      other_waits_q <= 1'b0;
    end
  end

  if (MULTIPLY != 0 && VARIANT != 0) begin : g_after
    always_ff @(posedge clk_i) begin
      if (accepted && supported && by_steps && (CHECK != 0 || req_op_i[2])) begin
        alone_q <= 1'b1;
        alone_montgomery_q <= req_op_i[2];
      end
      unique case (after_q)
        AfterNothing:
        if (begun_q && unloaded) begin
          if (rsp_error_o != ErrorNone) after_q <= AfterAll;
          else after_q <= CHECK != 0 ? AfterCheck : AfterCube;
        end
        AfterCheck: if (load_ready) after_q <= AfterChecking;
        AfterChecking: if (checked) after_q <= right && alone_montgomery_q ? AfterCube : AfterAll;
        AfterCube: if (load_ready) after_q <= AfterCubing;
        AfterCubing: if (products_done) after_q <= AfterAll;
        default: ;
      endcase
      if (alone_q && inverter_accept) begun_q <= 1'b1;
      if (!rst_n || (begun_q && rsp_valid_o && rsp_ready_i)) begin
        alone_q <= 1'b0;
        begun_q <= 1'b0;
        after_q <= AfterNothing;
      end
    end
  end else begin : g_nothing_after
    assign after_q = AfterNothing;
    assign {alone_q, alone_montgomery_q, begun_q} = '0;
    logic unused_after;
    assign unused_after = checked || right || alone_montgomery_q;
  end
  assign rsp_valid_o  = unloaded && (!begun_q || after_q == AfterAll) && rst_n;
  assign unload_taken = (rsp_valid_o && rsp_ready_i) || (after_q == AfterCube && load_ready);

  // Control: inversions by steps, products, wiping.
  logic [A2-1:0] twos;
  logic [3:0] threes;
  logic [N-1:0] one, minus_one;
  logic [QuotientW-1:0] quotient;
  logic unload_ready, unload_free;

  logic inverter_shift, inverter_write_a, inverter_write_b, inverter_busy;
  issue_t inverter_issue;
  logic [ADD_AW-1:0] inverter_addend;
  logic [EntryW-1:0] inverter_entry;
  logic capture, capture_b, inverted, inverted_minus, inverted_error;
  logic [ContextW-1:0] inverted_context, load_context;
  logic [STEPS_W-1:0] inverted_steps;
  if (VARIANT != 0) begin : g_inverter
    moduli_rns_inverter u_inverter (
      .clk_i,
      .rst_ni        (rst_n),
      .load_valid_i  (load_valid && load_by_steps_q && !products_active_q && !(alone_q && (inverter_busy || !unload_free))),
      .load_ready_o  (inverter_accept),
      .load_shift_o  (inverter_shift),
      .load_context_o(load_context),
      .issue_o       (inverter_issue),
      .addend_o      (inverter_addend),
      .write_a_o     (inverter_write_a),
      .write_b_o     (inverter_write_b),
      .write_entry_o (inverter_entry),
      .twos_i        (twos),
      .threes_i      (threes),
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
    assign inverter_issue = '0;
    assign inverter_addend = '0;
    assign inverter_entry = '0;
    assign {inverted_context, load_context, inverted_steps} = '0;
    logic unused_inverter;
    assign unused_inverter = ^{twos, threes, minus_one};
  end

  logic products_accept, products_shift, products_write_a, products_write_b, ring_digit, products_ring_shift, short_quotient;
  issue_t products_issue;
  product_t product;
  logic [EXT_AW-1:0] ext_addr;
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
      .load_valid_i    (load_valid && !load_by_steps_q && !inverter_busy && (unload_free || after_q == AfterChecking)),
      .operation_i     (load_operation_q),
      .montgomery_i    (load_montgomery_q),
      .zero_i          (load_zero),
      .load_ready_o    (products_accept),
      .load_shift_o    (products_shift),
      .exponent_shift_o(exponent_shift),
      .exponent_bit_i  (other_q[L-1]),
      .active_o        (products_active),
      .issue_o         (products_issue),
      .product_o       (product),
      .ext_addr_o      (ext_addr),
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
      .done_steps_o    (products_steps)
    );
  end else begin : g_no_products
    assign {products_accept, products_shift, exponent_shift, products_active} = '0;
    assign {products_digit_valid, products_write_a, products_write_b, ring_digit, products_ring_shift} = '0;
    assign {short_quotient, products_done, checked, right} = '0;
    assign products_issue = '0;
    assign product = '0;
    assign ext_addr = '0;
    assign products_digit = '0;
    assign products_addend = '0;
    assign {products_entry_a, products_entry_b, products_steps} = '0;
    assign products_error = ErrorNone;
    logic unused_products;
    assign unused_products = ^{quotient, load_zero, load_montgomery_q, load_operation_q};
  end
  assign load_accept = inverter_accept || products_accept;
  assign load_shift  = inverter_shift || products_shift;

  logic wipe;
  logic [EntryW-1:0] wipe_entry;
  moduli_rns_clear u_clear (
    .clk_i,
    .rst_ni,
    .clear_i,
    .active_o(clearing),
    .write_o (wipe),
    .entry_o (wipe_entry)
  );

  issue_t issue;
  logic [ADD_AW-1:0] addend;
  logic [EntryW-1:0] write_entry_a, write_entry_b;
  // While the core is wiped the products' control is in reset and issues zeros. It changes some cycles before and after any
  // issue that matters.
  logic products_issue_q, products_compute_q;
  always_ff @(posedge clk_i) begin
    products_issue_q   <= VARIANT == 0 || products_active || clearing;
    products_compute_q <= (VARIANT == 0 || products_active) && !clearing;
  end
  always_comb begin
    issue = products_issue_q ? products_issue : inverter_issue;
    addend = products_issue_q ? products_addend : inverter_addend;
    write_entry_a = wipe ? wipe_entry : products_issue_q ? products_entry_a : inverter_entry;
    write_entry_b = wipe ? wipe_entry : products_issue_q ? products_entry_b : inverter_entry;
  end

  // Rowers and Cox.
  logic [N*TopW-1:0] tops;
  logic [N*A2-1:0] lows;
  logic [N*4-1:0] residues3;
  logic [N*W-1:0] ring;
  logic unload_shift;
`ifdef MODULI_RNS_TRACE
  logic [3:0][N*W-1:0] trace_files;
`endif
  for (genvar i = 0; i < N; i++) begin : g_rower
    moduli_rns_rower #(
      .Channel(i)
    ) u_rower (
      .clk_i,
      .issue_i        (issue),
      .product_i      (products_compute_q ? product : product_t'('0)),
      .ext_addr_i     (ext_addr),
      .digit_i        (products_digit_valid ? products_digit : digit),
      .addend_i       (addend),
      .capture_i      (capture),
      .capture_b_i    (capture_b),
      .write_a_i      (inverter_write_a || products_write_a || wipe),
      .write_b_i      (inverter_write_b || products_write_b || wipe),
      .write_entry_a_i(write_entry_a),
      .write_entry_b_i(write_entry_b),
      .ring_digit_i   (ring_digit || wipe),
      .top_o          (tops[i*TopW+:TopW]),
      .low_o          (lows[i*A2+:A2]),
      .threes_o       (residues3[i*4+:4]),
      .one_o          (one[i]),
      .minus_one_o    (minus_one[i]),
      .ring_shift_i   (unload_shift || products_ring_shift),
      .ring_i         (ring[((i+1)%N)*W+:W]),
      .ring_o         (ring[i*W+:W])
`ifdef MODULI_RNS_TRACE
      ,
      .trace_context_i(g_inverter.u_inverter.context_q),
      .trace_a1_o     (trace_files[3][i*W+:W]),
      .trace_b1_o     (trace_files[2][i*W+:W]),
      .trace_a3_o     (trace_files[1][i*W+:W]),
      .trace_b3_o     (trace_files[0][i*W+:W])
`endif
    );
  end
  moduli_rns_cox u_cox (
    .clk_i,
    .tops_i    (tops),
    .lows_i    (lows),
    .short_i   (short_quotient),
    .reduced_i (products_compute_q),
    .threes_i  (residues3),
    .quotient_o(quotient),
    .twos_o    (twos),
    .threes_o  (threes)
  );

  // Results. What is not built in is refused in its turn.
  error_e error;
  always_comb begin
    error = ErrorNone;
    if (refuse_done) error = ErrorUnsupported;
    else if (products_done) error = products_error;
    else if (inverted_error) error = ErrorNotInvertible;
  end
  assign refuse_done  = refuse_q && unload_free && !inverted && !products_done && !inverter_busy && !products_active_q;
  assign unload_ready = unload_free && !inverted;
  moduli_rns_unloader u_unloader (
    .clk_i,
    .rst_ni (rst_n),
    .wipe_i (clearing || (checked && !right)),
    .start_i(inverted || products_done || refuse_done),
    .minus_i(inverted && inverted_minus),
    .skip_i (error != ErrorNone),
    .ready_o(unload_free),
    .shift_o(unload_shift),
    .digit_i(ring[W-1:0]),
    .valid_o(unloaded),
    .ready_i(unload_taken),
    .data_o (rsp_data_o)
  );

  logic [IdWidth-1:0] id_q[CONTEXTS];
  logic [IdWidth-1:0] products_id_q;
  always_ff @(posedge clk_i) begin
    if (inverter_accept) id_q[load_context] <= load_id_q;
    if (products_accept) products_id_q <= load_id_q;
    if (inverted) begin
      rsp_id_o <= id_q[inverted_context];
      rsp_steps_o <= inverted_steps;
    end else if (products_done) begin
      rsp_id_o <= products_id_q;
      if (!alone_q) rsp_steps_o <= products_steps;
    end else if (refuse_done) begin
      rsp_id_o <= load_id_q;
      rsp_steps_o <= '0;
    end
    if (inverted || products_done || refuse_done) rsp_error_o <= error;
    if (checked && !right) rsp_error_o <= ErrorCheck;
  end
  assign busy_o =
      inverter_busy || products_active || !load_ready || other_waits_q || refuse_q || !unload_free || alone_q || !rst_n;

`ifndef SYNTHESIS
  // A response waits unchanged, and the Rowers belong to one master at a time.
  logic held_q;
  logic [L+IdWidth+STEPS_W+1:0] response, response_q;
  assign response = {rsp_data_o, rsp_id_o, rsp_steps_o, rsp_error_o};
  always_ff @(posedge clk_i) begin
    held_q <= rst_n && rsp_valid_o && !rsp_ready_i;
    response_q <= response;
    if (rst_n && held_q) assert (rsp_valid_o && response == response_q) else $error("a response did not wait");
    if (rst_n) begin
      assert (!(inverter_busy && products_active)) else $error("inversions and products at once");
      assert (!((inverted || products_done || refuse_done) && !unload_free)) else $error("a result is lost");
      if (rsp_valid_o && rsp_error_o != ErrorNone) assert (rsp_data_o == '0) else $error("data with an error");
    end
  end
`endif

`ifdef MODULI_RNS_TRACE
  logic trace_valid;
  logic trace_side;
  assign trace_valid = g_inverter.u_inverter.odd && g_inverter.u_inverter.running_q;
  assign trace_side = g_inverter.u_inverter.side_q[g_inverter.u_inverter.context_q];
  function automatic logic [N*W-1:0] reduced(input logic [N*W-1:0] digits);
    for (int i = 0; i < N; i++) begin
      reduced[i*W+:W] = digits[i*W+:W] >= MODULI1[i*W+:W] ? digits[i*W+:W] - MODULI1[i*W+:W] : digits[i*W+:W];
    end
  endfunction
  always_ff @(posedge clk_i) begin
    trace_valid_o <= rst_ni && trace_valid;
    trace_id_o <= id_q[g_inverter.u_inverter.context_q];
    trace_steps_o <= g_inverter.u_inverter.steps_q[g_inverter.u_inverter.context_q];
    trace_u_o <= g_inverter.u_inverter.u_q[g_inverter.u_inverter.context_q];
    trace_v_o <= g_inverter.u_inverter.v_q[g_inverter.u_inverter.context_q];
    trace_twos_o <= {
      4'(g_inverter.u_inverter.u1_twos_q[g_inverter.u_inverter.context_q]),
      4'(twos),
      4'(g_inverter.u_inverter.u3_twos_q[g_inverter.u_inverter.context_q]),
      4'(g_inverter.u_inverter.v3_twos_q)
    };
    trace_threes_o <= {
      g_inverter.u_inverter.u1_threes_q[g_inverter.u_inverter.context_q],
      threes,
      g_inverter.u_inverter.u3_threes_q[g_inverter.u_inverter.context_q],
      g_inverter.u_inverter.v3_threes_q
    };
    trace_residues_o <= {
      reduced(trace_side ? trace_files[3] : trace_files[2]),
      reduced(trace_side ? trace_files[2] : trace_files[3]),
      reduced(trace_side ? trace_files[1] : trace_files[0]),
      reduced(trace_side ? trace_files[0] : trace_files[1])
    };
  end
`endif
endmodule
