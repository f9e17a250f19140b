// The outputs of the core. Results become integers, and each is the response to its request, or its error. With a
// redundant channel, only results that have passed its checks leave the core.

module moduli_rns_responses #(
  parameter int IdWidth = 4
) (
  input  logic                                                        clk_i,
  input  logic                                                        rst_ni,
  input  logic                                                        core_rst_ni,  // also while the core is wiped
  input  logic                                                        wipe_i,
  // of the request in the loader; a request was taken at the port
  input  logic                          [                IdWidth-1:0] id_i,
  input  logic                                                        alone_i,
  input  logic                                                        inverter_accept_i,
  input  logic                          [moduli_rns_pkg::ContextW-1:0] slot_i,
  input  logic                                                        products_accept_i,
  input  logic                                                        refuse_i,
  output logic                                                        refuse_done_o,
  input  logic                                                        taken_i,
  // what has ended, and its digits from the ring
  input  moduli_rns_pkg::ended_t                                      ended_i,
  input  logic                                                        working_i,  // inversions or products are running
  output logic                                                        unload_free_o,
  output logic                                                        unload_shift_o,
  input  logic                          [moduli_rns_params_pkg::W-1:0] digit_i,
  // values that return to the loader
  input  logic                                                        reloaded_i,
  input  logic                                                        checks_i,  // a copy of it is to be checked
  input  logic                          [moduli_rns_params_pkg::W-1:0] low_i,  // the copy's digits, from the next cycle on
  input  logic                                                        begun_i,  // it belongs to an inversion that is checked, if any is
  input  logic                                                        answer_i,
  output logic                                                        unloaded_o,
  output logic                          [moduli_rns_params_pkg::L-1:0] value_o,  // the result, also if it is withheld
  output logic                                                        failed_o,
  // for a redundant channel and a guard
  input  moduli_rns_pkg::orders_t                                     orders_i,
  input  logic                          [moduli_rns_params_pkg::W-1:0] operand_i,
  input  logic                                                        other_fault_i,
  output logic                                                        fault_o,
  output logic                                                        fault_clear_o,
  output logic                                                        owes_o,  // a request has no response yet
  // the response
  output logic                                                        rsp_valid_o,
  input  logic                                                        rsp_ready_i,
  output logic                          [                IdWidth-1:0] rsp_id_o,
  output logic                          [moduli_rns_params_pkg::L-1:0] rsp_data_o,
  output logic                          [                        1:0] rsp_error_o,
  output logic                    [moduli_rns_params_pkg::STEPS_W-1:0] rsp_steps_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  logic unloaded, started;  // the unloader has a result; it was given one
  logic ended, released, is_asked, fault_q, rotate, copies, damaged, less_prime, column, withheld;
  logic [N-1:0] parities;
  logic [W-1:0] lowest;
  error_e error_q;
  // Results. An operation that is not built in is refused in its turn.
  error_e error;
  always_comb begin
    error = ErrorNone;
    if (refuse_done_o) error = ErrorUnsupported;
    else if (ended_i.products) error = ended_i.error;
    else if (ended_i.not_invertible) error = ErrorNotInvertible;
  end
  logic failed_check;  // of an inverse by steps
  assign failed_check = VARIANT != 0 && ended_i.checked && !ended_i.right;
  assign refuse_done_o = refuse_i && unload_free_o && !ended_i.inverted && !ended_i.products && !working_i;
  assign ended = ended_i.inverted || ended_i.products || refuse_done_o;
  moduli_rns_unloader u_unloader (
    .clk_i,
    .rst_ni (core_rst_ni),
    .wipe_i (wipe_i || failed_check),
    .start_i(ended),
    .minus_i(ended_i.inverted && ended_i.minus),
    // Division steps deliver 0 for an operand without an inverse, which takes as long as for others.
    .skip_i (error != ErrorNone && !(DivisionSteps && ended_i.inverted)),
    .ready_o(unload_free_o),
    .shift_o(unload_shift_o),
    .digit_i,
    .valid_o(unloaded),
    .ready_i((rsp_valid_o && rsp_ready_i) || reloaded_i || (unloaded && !started)),
    .rotate_i(rotate),
    .copies_i(copies),
    .parities_i(parities),
    .damaged_o(damaged),
    .lowest_o(lowest),
    .reduced_o(less_prime),
    .column_o(column),
    .data_o (value_o)
  );
  assign unloaded_o = unloaded && started;
  // What returns to the loader is not withheld: the path from the checks would be the longest of the core.
  assign rsp_data_o = (REDUNDANT != 0 || Checks) && withheld ? '0 : value_o;
  assign rsp_valid_o = unloaded_o && answer_i && core_rst_ni && released && is_asked;
  assign failed_o = error_q != ErrorNone;

  // An inverse by steps leaves only if the check of its copy has succeeded. As the loader passes the copy, the unloader
  // rotates and stores the result twice, with the parities of its digits; each digit must be that of the copy. The unloader
  // must not have worked since then. A result that was not given to the unloader is dropped.
  logic unproved, rotate_copied;
  if (Checks) begin : g_checks
    localparam int CountW = $clog2(N + 1);
    logic started_q, looked_at_q, right_q, same_q, copied_q, copied;
    // With a 1 above the parities that is the lowest bit after N rotations. They are counted, too, because one more or less
    // would move the digits.
    logic [N:0] parities_q;
    logic [CountW-1:0] count_q;
    assign started = started_q;
    assign rotate_copied = looked_at_q && !parities_q[0] && count_q != CountW'(N);
    assign copied = looked_at_q && parities_q[0] && count_q == CountW'(N) && same_q;
    always_ff @(posedge clk_i) begin
      if (ended) started_q <= 1'b1;
      else if (unload_free_o) started_q <= 1'b0;
      copied_q <= copied && !checks_i;
      if (checks_i) begin
        {looked_at_q, right_q, same_q} <= 3'b101;
        parities_q <= (N + 1)'(1) << N;
        count_q <= '0;
      end else begin
        if (ended_i.checked) right_q <= ended_i.right;
        if (!unloaded_o || column) looked_at_q <= 1'b0;
        if (rotate_copied) begin
          parities_q <= {^lowest, parities_q[N:1]};
          count_q <= count_q + CountW'(1);
          if (lowest != low_i) same_q <= 1'b0;
        end
      end
      if (!core_rst_ni) begin
        {started_q, looked_at_q, right_q, same_q, copied_q} <= '0;
        parities_q <= (N + 1)'(1);
        count_q <= CountW'(N);
      end
    end
    assign unproved = begun_i && !(looked_at_q && copied_q && right_q);
    if (REDUNDANT == 0) begin : g_copies
      assign {parities, copies} = {parities_q[N:1], copied_q};
    end
  end else begin : g_no_checks
    assign {unproved, rotate_copied, started} = 3'b001;
    logic unused_checks;
    assign unused_checks = checks_i ^ begun_i ^ (^low_i);
  end
  assign fault_o = fault_q;

  // With a redundant channel, only results that have passed its checks leave. Otherwise the response is an error, all
  // waiting requests get an error, and then everything is wiped.
  if (REDUNDANT != 0) begin : g_redundant
    logic [W-1:0] residue;
    logic differs, different, wrong, right_data;
    logic [1:0] pending_q;  // requests that were taken and not answered yet
    // The channel's own switch to zeros while the core is wiped.
    logic compute_q;
    always_ff @(posedge clk_i) compute_q <= !wipe_i;
    moduli_rns_redundant u_redundant (
      .clk_i,
      .rst_ni         (core_rst_ni),
      .issue_i        (orders_i.issue),
      .product_i      (compute_q ? orders_i.channel_product : product_t'('0)),
      .ext_addr_i     (orders_i.ext_addr),
      .digit_i        (orders_i.digit),
      .write_a_i      (orders_i.write_a),
      .write_b_i      (orders_i.write_b),
      .write_entry_a_i(orders_i.entry_a),
      .write_entry_b_i(orders_i.entry_b),
      .ring_i         (digit_i),
      .operand_i      (operand_i),
      .residue_o      (residue),
      .fault_o        (differs)
    );
    assign different = differs || other_fault_i;
    moduli_rns_release u_release (
      .clk_i,
      .rst_ni    (core_rst_ni),
      .wipe_i,
      .start_i   (ended),
      .column_i  (column),
      .unloaded_i(unloaded_o),
      .residue_i (residue),
      .rotate_o  (rotate),
      .digit_i   (lowest),
      .reduced_i (less_prime),
      .parities_o(parities),
      .damaged_i (damaged),
      .done_o    (released),
      .right_o   (right_data)
    );
    // Without a result, there is nothing to check.
    assign wrong = fault_q || different || (error_q == ErrorNone && !right_data);
    always_ff @(posedge clk_i) begin
      fault_q <= fault_q || different || (unloaded_o && released && (wrong || (answer_i && !is_asked)));
      // Counts at the port, because the control may be faulty and give a response without a request.
      pending_q <= pending_q + 2'(taken_i) - 2'(rsp_valid_o && rsp_ready_i);
      if (!rst_ni || wipe_i) {fault_q, pending_q} <= '0;
    end
    assign is_asked = pending_q != '0;
    assign owes_o = is_asked;
    assign fault_clear_o = fault_q && pending_q == '0;
    assign withheld    = wrong || error_q != ErrorNone;
    assign copies      = 1'b1;
    assign rsp_error_o = wrong ? ErrorCheck : error_q;
    logic unused_check;
    assign unused_check = unproved ^ rotate_copied;
  end else begin : g_not_redundant
    assign {fault_q, fault_clear_o} = '0;
    assign rotate = rotate_copied;
    if (!Checks) begin : g_no_copies
      assign {parities, copies} = '0;
    end
    assign withheld = Checks && answer_i && (unproved || error_q != ErrorNone);
    assign {released, is_asked} = '1;
    assign owes_o = 1'b0;
    assign rsp_error_o = error_q == ErrorNone && unproved ? ErrorCheck : error_q;
    logic unused_lowest;
    assign unused_lowest = ^{lowest, damaged, less_prime, column, orders_i, operand_i, other_fault_i, taken_i, rst_ni};
  end

  logic [IdWidth-1:0] id_q[CONTEXTS];
  logic [IdWidth-1:0] products_id_q;
  always_ff @(posedge clk_i) begin
    if (inverter_accept_i) id_q[slot_i] <= id_i;
    if (products_accept_i) products_id_q <= id_i;
    if (ended_i.inverted) begin
      rsp_id_o <= id_q[ended_i.slot];
      rsp_steps_o <= ended_i.inversion_steps;
    end else if (ended_i.products) begin
      rsp_id_o <= products_id_q;
      if (!alone_i) rsp_steps_o <= ended_i.products_steps;
    end else if (refuse_done_o) begin
      rsp_id_o <= id_i;
      rsp_steps_o <= '0;
    end
    if (ended) error_q <= error;
    if (failed_check) error_q <= ErrorCheck;
    if (wipe_i) begin
      rsp_steps_o <= '0;
      error_q <= ErrorNone;
    end
  end
endmodule
