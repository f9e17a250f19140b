// Takes requests, and passes their operands through the loader one at a time. Also controls the operations that follow
// an inversion by steps: a check or a product by M^3, for which the inverse returns through the loader. A blinded
// inversion of A by R is a product A*R, whose result returns, too, then the inversion, and a product of the inverse by
// R.

module moduli_rns_requests #(
  parameter int IdWidth = 4
) (
  input  logic                                                      clk_i,
  input  logic                                                      rst_ni,
  input  logic                                                      wipe_i,
  input  logic                                                      req_valid_i,
  output logic                                                      req_ready_o,
  input  logic                                                      hold_i,  // take no request
  input  logic                       [                         2:0] req_op_i,
  input  logic                       [                 IdWidth-1:0] req_id_i,
  input  logic                       [moduli_rns_params_pkg::L-1:0] req_a_i,
  input  logic                       [moduli_rns_params_pkg::L-1:0] req_b_i,
  // the operand in the loader, and its operation
  output logic                                                      load_valid_o,
  output logic                                                      load_zero_o,
  output logic                                                      load_above_o,  // it is not below P: only for division steps
  input  logic                                                      load_accept_i,
  input  logic                                                      load_shift_i,
  output logic                       [moduli_rns_params_pkg::W-1:0] digit_o,
  output logic                       [moduli_rns_params_pkg::W-1:0] low_o,  // in the first pass, the digits from the lowest on
  output logic                                                      by_steps_o,
  output moduli_rns_pkg::operation_e                                operation_o,
  output logic                                                      montgomery_o,
  output logic                       [                 IdWidth-1:0] id_o,
  // the exponent, the highest bit first
  output logic                                                      exponent_bit_o,
  input  logic                                                      exponent_shift_i,
  // a request for an operation that is not built in
  output logic                                                      refuse_o,
  input  logic                                                      refuse_done_i,
  // the sequence after an inversion: the inverse is in the unloader, products have finished, the response is taken
  output logic                                                      alone_o,
  output logic                                                      checking_o,
  output logic                                                      reloaded_o,  // the unloader need not hold the inverse any more
  output logic                                                      checks_o,  // a copy of its content goes to the loader, to be checked
  output logic                                                      begun_o,  // the content of the unloader belongs to this inversion
  output logic                                                      answer_o,  // the content of the unloader is the response
  input  logic                                                      unloaded_i,
  input  logic                       [moduli_rns_params_pkg::L-1:0] data_i,
  input  logic                                                      failed_i,
  input  logic                                                      checked_i,
  input  logic                                                      products_active_i,
  input  logic                                                      products_done_i,
  input  logic                                                      answered_i,
  output logic                                                      busy_o,
  // for a guard: whether products are active in this cycle; a second copy of the operation; the residue of the last
  // operand that was used; whether an operand has changed
  input  logic                                                      active_now_i,
  output moduli_rns_pkg::operation_e                                operation_again_o,
  output logic                                                      montgomery_again_o,
  output logic                       [moduli_rns_params_pkg::W-1:0] residue_o,
  output logic                                                      fault_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // The requested operation.
  logic by_steps;  // an inversion by plus-minus steps
  logic blinded;  // an inversion between products by the second operand
  logic supported;
  always_comb begin
    by_steps  = VARIANT != 0 && req_op_i[1:0] == OpInvert;
    blinded   = BLIND != 0 && req_op_i[1:0] == AskBlinded;
    supported = by_steps ? MULTIPLY != 0 || !req_op_i[2] : MULTIPLY != 0 && (blinded || req_op_i[1:0] != AskBlinded);
  end

  // An inversion by steps with products around it has exclusive use of the core. It begins when all earlier requests
  // were answered, and no request is accepted until its response is taken.
  typedef enum logic [3:0] {
    AfterNothing,
    Blinding,  // A*R is computed
    AfterBlinding,  // A*R goes to the loader, to be inverted
    AfterBlinded,  // the inverse of A*R, and R, go to the loader
    AfterUnblinding,
    AfterCheck,  // a copy of the result and the operand go to the loader
    AfterChecking,
    AfterCube,  // the inverse goes to the loader
    AfterCubing,
    AfterAll
  } after_e;
  after_e after_q;
  logic alone_q, alone_montgomery_q, alone_blinded_q;
  logic begun_q;  // it does not wait any more: the content of the unloader belongs to it
  logic own, form;  // the same, and alone_montgomery_q
  logic sole, refuse;  // alone_q, and refuse_q

  // Operands. A multiplication loads its second factor first, and the other operand waits. R waits in the same register
  // until the inverse is there.
  logic load_ready, load_inverse, accepted, other_waits_q, load_by_steps_q, load_montgomery_q, refuse_q;
  operation_e load_operation_q;
  logic [L-1:0] other_q, blinded_q, load_data;
  logic [IdWidth-1:0] load_id_q;
  assign req_ready_o = load_ready && !alone_q && !sole && !other_waits_q && !refuse && !products_active_i && !hold_i && rst_ni;
  assign accepted = req_valid_i && req_ready_o;
  logic inverse_used_up;  // and not needed in the unloader any more
  assign inverse_used_up = after_q == AfterBlinding || after_q == AfterBlinded || after_q == AfterCube;
  assign load_inverse = MULTIPLY != 0 && (inverse_used_up || after_q == AfterCheck);
  always_comb begin
    load_data = req_a_i;
    if (MULTIPLY != 0) begin
      if (req_op_i[1:0] == OpMultiply) load_data = req_b_i;
      if (load_inverse) load_data = data_i;
      if (other_waits_q) load_data = other_q;
    end
  end
  logic [L-1:0] unused_held;
  logic first_pass, second_pass, follow;
  // An idle core follows the port, because valid is available late.
  assign follow = load_ready && !other_waits_q && !products_active_i && !alone_q;
  moduli_rns_loader u_loader (
    .clk_i,
    .rst_ni,
    .wipe_i,
    // For division steps, every operand takes the same number of cycles.
    .reduce_i(!(DivisionSteps && load_by_steps_q)),
    .valid_i ((accepted && supported) || other_waits_q || load_inverse),
    .ready_o (load_ready),
    .data_i  (load_data),
    .held_o  (unused_held),
    .valid_o (load_valid_o),
    .above_o (load_above_o),
    .zero_o  (load_zero_o),
    .accept_i(load_accept_i),
    .shift_i (load_shift_i),
    .digit_o,
    .first_o (first_pass),
    .second_o(second_pass),
    .low_o
  );
  always_ff @(posedge clk_i) begin
    if (accepted) begin
      load_id_q <= req_id_i;
      load_by_steps_q <= by_steps;
      // Products by R and by its inverse, both in one form, cancel, whatever the form of A. Montgomery form needs fewer
      // products.
      load_montgomery_q <= req_op_i[2] || blinded;
      load_operation_q <= blinded ? OpMultiply : operation_e'(req_op_i[1:0]);
      refuse_q <= !supported;
      other_waits_q <= MULTIPLY != 0 && (blinded || req_op_i[1:0] == OpMultiply);
    end else begin
      if (load_ready) other_waits_q <= MULTIPLY != 0 && (after_q == AfterCheck || after_q == AfterBlinded);
      if (refuse_done_i) refuse_q <= 1'b0;
      if (load_inverse) begin
        load_by_steps_q <= after_q == AfterBlinding;
        load_operation_q <= after_q == AfterBlinded ? OpMultiply : after_q == AfterCheck ? OpInvert : OpAfter;
        load_montgomery_q <= after_q != AfterCheck || alone_montgomery_q;
      end
    end
    if (MULTIPLY != 0) begin
      if (follow) begin
        other_q <= req_op_i[0] ? req_b_i : req_a_i;  // the exponent or R, else A
      end else if (BLIND != 0 && CHECK != 0 && after_q == AfterUnblinding && unloaded_i) begin
        other_q <= blinded_q;
      end else if (exponent_shift_i) begin
        other_q <= other_q << 1;
      end
      if (wipe_i) other_q <= '0;
    end else begin
      other_q <= '0;
    end
    if (!rst_ni) begin
      refuse_q <= 1'b0;
      other_waits_q <= 1'b0;
      {load_by_steps_q, load_montgomery_q} <= '0;
      load_operation_q <= OpMultiply;
    end
  end

  // A, to check that the result is its inverse.
  if (BLIND != 0 && CHECK != 0) begin : g_blinded
    always_ff @(posedge clk_i) begin
      if (accepted) blinded_q <= req_a_i;
      if (wipe_i) blinded_q <= '0;
    end
  end else begin : g_not_blinded
    assign blinded_q = '0;
  end

  if (MULTIPLY != 0 && VARIANT != 0) begin : g_after
    // A request is accepted late in a cycle, and no state follows before the next.
    logic fresh_q;
    always_ff @(posedge clk_i) begin
      if (accepted && supported && (blinded || by_steps && (CHECK != 0 || req_op_i[2]))) begin
        alone_q <= 1'b1;
        alone_montgomery_q <= req_op_i[2];
        alone_blinded_q <= blinded;
      end
      fresh_q <= accepted;
      unique case (after_q)
        AfterNothing:
        if (BLIND != 0 && fresh_q && alone_q && alone_blinded_q) after_q <= Blinding;
        else if (begun_o && unloaded_i) begin
          if (failed_i) after_q <= AfterAll;
          else if (alone_blinded_q) after_q <= AfterBlinded;
          else after_q <= alone_montgomery_q ? AfterCube : AfterCheck;
        end
        Blinding: if (begun_o && unloaded_i) after_q <= AfterBlinding;
        AfterBlinding: if (load_ready) after_q <= AfterNothing;
        AfterBlinded: if (load_ready) after_q <= AfterUnblinding;
        AfterUnblinding:
        if (unloaded_i) after_q <= alone_montgomery_q ? AfterCube : CHECK != 0 ? AfterCheck : AfterAll;
        AfterCube: if (load_ready) after_q <= AfterCubing;
        AfterCubing: if (CHECK != 0 ? unloaded_i : products_done_i) after_q <= CHECK != 0 ? AfterCheck : AfterAll;
        // The check is last, so that the checked number is the result.
        AfterCheck: if (load_ready) after_q <= AfterChecking;
        AfterChecking: if (checked_i) after_q <= AfterAll;
        default: ;
      endcase
      if (alone_q && load_accept_i) begun_q <= 1'b1;
      if (!rst_ni || (begun_o && answered_i)) begin
        alone_q <= 1'b0;
        begun_q <= 1'b0;
        fresh_q <= 1'b0;
        after_q <= AfterNothing;
      end
    end
  end else begin : g_nothing_after
    assign after_q = AfterNothing;
    assign {alone_q, alone_montgomery_q, alone_blinded_q, begun_q} = '0;
    logic unused;
    assign unused = ^{checked_i, alone_montgomery_q, alone_blinded_q, unloaded_i, failed_i, products_done_i, answered_i};
  end

  // A copy of refuse_q. If one bit flips, the core must not give an answer for which nobody has asked.
  if (Checks || REDUNDANT != 0) begin : g_refusal
    (* keep *) logic refuse_again_q;
    always_ff @(posedge clk_i) begin
      if (accepted) refuse_again_q <= !supported;
      else if (refuse_done_i) refuse_again_q <= 1'b0;
      if (!rst_ni) refuse_again_q <= 1'b0;
    end
    assign refuse = refuse_q && refuse_again_q;
  end else begin : g_no_refusal
    assign refuse = refuse_q;
  end

  // Copies of alone_q, begun_q and alone_montgomery_q. If a bit of these flips, a result could leave unchecked, or in the
  // other form.
  if (Checks) begin : g_copies
    (* keep *) logic own_q, form_q, sole_q;
    always_ff @(posedge clk_i) begin
      if (accepted && supported && (blinded || by_steps)) form_q <= req_op_i[2];
      if (accepted && supported && (blinded || by_steps)) sole_q <= 1'b1;
      if ((alone_q || sole_q) && load_accept_i) own_q <= 1'b1;
      if (!rst_ni || (begun_o && answered_i)) {own_q, sole_q} <= '0;
    end
    assign {own, form, sole} = {own_q, form_q, sole_q};
  end else begin : g_no_copies
    assign {own, form, sole} = {begun_q, alone_montgomery_q, 1'b0};
  end

  if (GUARD != 0) begin : g_guard
    moduli_rns_arrival u_arrival (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .req_op_i,
      .req_a_i,
      .req_b_i,
      .accepted_i      (accepted),
      .follow_i        (follow),
      .other_waits_i   (other_waits_q),
      .empty_i         (load_ready),
      .first_i         (first_pass),
      .second_i        (second_pass),
      .low_i           (low_o),
      .zero_i          (load_zero_o),
      .shift_i         (load_shift_i),
      .active_i        (active_now_i),
      .exponent_shift_i,
      .exponent_bit_i  (exponent_bit_o),
      .done_i          (products_done_i),
      .operation_o     (operation_again_o),
      .montgomery_o    (montgomery_again_o),
      .residue_o,
      .fault_o
    );
  end else begin : g_no_guard
    assign operation_again_o = OpMultiply;
    assign {montgomery_again_o, residue_o, fault_o} = '0;
    logic unused_guard;
    assign unused_guard = ^{active_now_i, first_pass, second_pass};
  end

  assign alone_o = alone_q;
  assign checking_o = after_q == AfterChecking;
  assign begun_o = begun_q || own;
  assign checks_o = load_ready && after_q == AfterCheck && alone_montgomery_q == form;
  assign reloaded_o = load_ready && inverse_used_up;
  assign answer_o = !begun_o || after_q == AfterAll;
  assign by_steps_o = load_by_steps_q;
  assign operation_o = load_operation_q;
  assign montgomery_o = load_montgomery_q;
  assign id_o = load_id_q;
  assign exponent_bit_o = other_q[L-1];
  assign refuse_o = refuse;
  assign busy_o = !load_ready || other_waits_q || refuse || alone_q || sole;
endmodule
