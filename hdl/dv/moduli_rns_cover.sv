// Functional coverage of the core: what its ports and its control are to have met in simulation. coverage.py compiles this file
// beside the core, sums the points over its cores, and lists those that cannot be met. A point is called by where it stands, in
// words: "multiply: first is zero and the second: is one" is the label `is_one` in the instances `multiply` and
// `first_is_zero_and_the_second`. A core has a point only if what is built into it makes it possible.
//
// Nothing here drives anything: modules are bound to moduli_rns and moduli_rns_inverter. Those of programs are in
// moduli_rns_cover_resident.sv.

// An operand: the edges of [0, 2^L), and all between them.
module moduli_rns_cover_value (
  input logic                                clk_i,
  input logic                                now_i,
  input logic [moduli_rns_params_pkg::L-1:0] value_i
);
  import moduli_rns_params_pkg::*;
  is_zero: cover property (@(posedge clk_i) now_i && value_i == '0);
  is_one: cover property (@(posedge clk_i) now_i && value_i == L'(1));
  is_between_one_and_P_less_1: cover property (@(posedge clk_i) now_i && value_i > L'(1) && value_i < PRIME - L'(1));
  is_P_less_1: cover property (@(posedge clk_i) now_i && value_i == PRIME - L'(1));
  is_P: cover property (@(posedge clk_i) now_i && value_i == PRIME);
  is_above_P: cover property (@(posedge clk_i) now_i && value_i > PRIME && value_i != '1);
  is_all_ones: cover property (@(posedge clk_i) now_i && value_i == '1);
endmodule

// The request before.
module moduli_rns_cover_before (
  input logic       clk_i,
  input logic       now_i,
  input logic [2:0] code_i
);
  multiply: cover property (@(posedge clk_i) now_i && code_i == 3'd0);
  exponentiate: cover property (@(posedge clk_i) now_i && code_i == 3'd1);
  invert: cover property (@(posedge clk_i) now_i && code_i == 3'd2);
  invert_blinded: cover property (@(posedge clk_i) now_i && code_i == 3'd3);
  multiply_in_Montgomery_form: cover property (@(posedge clk_i) now_i && code_i == 3'd4);
  exponentiate_in_Montgomery_form: cover property (@(posedge clk_i) now_i && code_i == 3'd5);
  invert_in_Montgomery_form: cover property (@(posedge clk_i) now_i && code_i == 3'd6);
  invert_blinded_in_Montgomery_form: cover property (@(posedge clk_i) now_i && code_i == 3'd7);
endmodule

// What clear_i or reset, in the cycle in which it comes, finds an operation or a program at.
module moduli_rns_cover_dropped #(
  parameter bit Supported = 1
) (
  input logic clk_i,
  input logic now_i,
  input logic requested_i,
  input logic loading_i,
  input logic computing_i,
  input logic unloading_i,
  input logic waiting_i,
  input logic answered_i
);
  as_it_is_requested: cover property (@(posedge clk_i) now_i && requested_i);
  if (Supported) begin : g_supported
    while_its_operand_is_loaded: cover property (@(posedge clk_i) now_i && loading_i);
    while_it_is_computed: cover property (@(posedge clk_i) now_i && computing_i);
    while_its_result_is_put_together: cover property (@(posedge clk_i) now_i && unloading_i);
  end else begin : g_refused
    before_it_is_refused: cover property (@(posedge clk_i) now_i && loading_i);
  end
  while_its_response_waits: cover property (@(posedge clk_i) now_i && waiting_i);
  as_its_response_is_taken: cover property (@(posedge clk_i) now_i && answered_i);
endmodule

// One operation, req_op_i = Code.
module moduli_rns_cover_operation #(
  parameter bit [2:0] Code = 0,
  parameter bit ClearAfter = 0
) (
  input logic                                clk_i,
  input logic                                rst_ni,
  input logic                                clear_i,
  // the request; whether it is taken, how long it has waited; whether there was one before, and what for
  input logic                                req_valid_i,
  input logic [                         2:0] req_op_i,
  input logic [moduli_rns_params_pkg::L-1:0] req_a_i,
  input logic [moduli_rns_params_pkg::L-1:0] req_b_i,
  input logic                                taken,
  input logic [                        15:0] patience_q,
  input logic                                follows_q,
  input logic [                         2:0] last_q,
  // of what operation a request is in the loader, some are computed, one is in the unloader; this one was answered, and wiping
  // begins
  input logic                                loading_q,
  input logic [                         7:0] computing,
  input logic                                unloading,
  input logic [                         2:0] answering,
  input logic                                wiped,
  input logic [                         2:0] answered_q,
  // the response, and how long it has waited; nothing was answered since clear_i, since reset
  input logic                                rsp_valid_o,
  input logic                                rsp_ready_i,
  input logic [                         1:0] rsp_error_o,
  input logic [moduli_rns_params_pkg::L-1:0] rsp_data_o,
  input logic [                        15:0] waited_q,
  input logic                                after_clear_q,
  input logic                                after_reset_q
);
  import moduli_rns_params_pkg::*;
  localparam bit Invert = Code[1];
  localparam bit Blinded = Code[1:0] == 2'd3;
  localparam bit Steps = VARIANT != 0 && Code[1:0] == 2'd2;
  localparam bit Supported = Steps ? MULTIPLY != 0 || !Code[2] : MULTIPLY != 0 && (BLIND != 0 || !Blinded);
  localparam int Many = 64;

  logic begins, requested, offered, leaves, right, loading, unloading_it, between;
  assign requested = req_valid_i && req_op_i == Code;
  assign begins = taken && req_op_i == Code;
  assign offered = rsp_valid_o && answering == Code;
  assign leaves = offered && rsp_ready_i;
  assign right = offered && rsp_error_o == 2'd0;
  assign loading = loading_q && last_q == Code;
  assign between = req_a_i > L'(1) && req_a_i < PRIME - L'(1);
  assign unloading_it = unloading && answering == Code;

  // Errors and results.
  if (Supported) begin : g_answers
    is_answered_right: cover property (@(posedge clk_i) right);
    result_is_one: cover property (@(posedge clk_i) right && rsp_data_o == L'(1));
    result_is_P_less_1: cover property (@(posedge clk_i) right && rsp_data_o == PRIME - L'(1));
    if (Invert) begin : g_inverse
      is_not_invertible: cover property (@(posedge clk_i) offered && rsp_error_o == 2'd1);
      if (VARIANT == 0 || CHECK != 0) begin : g_check
        check_fails: cover property (@(posedge clk_i) offered && rsp_error_o == 2'd2);
      end
    end else begin : g_product
      result_is_zero: cover property (@(posedge clk_i) right && rsp_data_o == '0);
    end
  end else begin : g_refused
    is_not_built_in: cover property (@(posedge clk_i) offered && rsp_error_o == 2'd3);
  end

  // Operands.
  if (Supported && Invert && !Blinded) begin : g_operand
    moduli_rns_cover_value operand (.clk_i, .now_i(begins), .value_i(req_a_i));
  end else if (Supported) begin : g_operands
    moduli_rns_cover_value first_is_zero_and_the_second (.clk_i, .now_i(begins && req_a_i == '0), .value_i(req_b_i));
    moduli_rns_cover_value first_is_one_and_the_second (.clk_i, .now_i(begins && req_a_i == L'(1)), .value_i(req_b_i));
    moduli_rns_cover_value first_is_between_one_and_P_less_1_and_the_second (.clk_i, .now_i(begins && between), .value_i(req_b_i));
    moduli_rns_cover_value first_is_P_less_1_and_the_second (.clk_i, .now_i(begins && req_a_i == PRIME - L'(1)), .value_i(req_b_i));
    moduli_rns_cover_value first_is_P_and_the_second (.clk_i, .now_i(begins && req_a_i == PRIME), .value_i(req_b_i));
    moduli_rns_cover_value first_is_above_P_and_the_second (.clk_i, .now_i(begins && req_a_i > PRIME && req_a_i != '1), .value_i(req_b_i));
    moduli_rns_cover_value first_is_all_ones_and_the_second (.clk_i, .now_i(begins && req_a_i == '1), .value_i(req_b_i));
  end

  // Handshakes.
  moduli_rns_cover_before is_requested_after (.clk_i, .now_i(begins && follows_q), .code_i(last_q));
  request_is_taken_at_once: cover property (@(posedge clk_i) begins && patience_q == '0);
  request_waits_for_one_cycle: cover property (@(posedge clk_i) begins && patience_q == 16'd1);
  request_waits_for_many_cycles: cover property (@(posedge clk_i) begins && patience_q >= 16'(Many));
  response_is_taken_at_once: cover property (@(posedge clk_i) leaves && waited_q == '0);
  response_waits_for_one_cycle: cover property (@(posedge clk_i) leaves && waited_q == 16'd1);
  response_waits_for_many_cycles: cover property (@(posedge clk_i) leaves && waited_q >= 16'(Many));
  if (!ClearAfter) begin : g_overlap
    request_is_taken_as_a_response_leaves: cover property (@(posedge clk_i) begins && rsp_valid_o && rsp_ready_i);
    request_is_taken_while_a_response_waits: cover property (@(posedge clk_i) begins && rsp_valid_o && !rsp_ready_i);
  end else begin : g_wiped
    core_wipes_itself_after_it: cover property (@(posedge clk_i) wiped && answered_q == Code);
  end

  // Interruptions.
  moduli_rns_cover_dropped #(
    .Supported(Supported)
  ) cleared (
    .clk_i,
    .now_i      (clear_i && rst_ni),
    .requested_i(begins),
    .loading_i  (loading),
    .computing_i(computing[Code]),
    .unloading_i(unloading_it),
    .waiting_i  (offered && !rsp_ready_i),
    .answered_i (leaves)
  );
  moduli_rns_cover_dropped #(
    .Supported(Supported)
  ) reset (
    .clk_i,
    .now_i      (!rst_ni),
    .requested_i(requested),
    .loading_i  (loading),
    .computing_i(computing[Code]),
    .unloading_i(unloading_it),
    .waiting_i  (offered && !rsp_ready_i),
    .answered_i (leaves)
  );
  is_answered_first_after_clear: cover property (@(posedge clk_i) leaves && after_clear_q);
  is_answered_first_after_reset: cover property (@(posedge clk_i) leaves && after_reset_q);
endmodule

// All operations. A tag is of one request at a time, as the driver gives them.
module moduli_rns_cover #(
  parameter int IdWidth = 4,
  parameter bit ClearAfter = 0
) (
  input logic                                clk_i,
  input logic                                rst_ni,
  input logic                                clear_i,
  input logic                                req_valid_i,
  input logic                                req_ready_o,
  input logic [                         2:0] req_op_i,
  input logic [                 IdWidth-1:0] req_id_i,
  input logic [moduli_rns_params_pkg::L-1:0] req_a_i,
  input logic [moduli_rns_params_pkg::L-1:0] req_b_i,
  input logic                                rsp_valid_o,
  input logic                                rsp_ready_i,
  input logic [                 IdWidth-1:0] rsp_id_o,
  input logic [moduli_rns_params_pkg::L-1:0] rsp_data_o,
  input logic [                         1:0] rsp_error_o,
  input logic                                busy_o,
  // inside
  input logic                                clear,
  input logic                                clearing,
  input moduli_rns_pkg::load_t               load,
  input moduli_rns_pkg::ended_t              ended,
  input logic                                load_accept,
  input logic                                refuse,
  input logic                                inverter_busy,
  input logic                                products_active,
  input logic                                unload_free,
  input logic                                unloaded
);
  import moduli_rns_params_pkg::*;
  localparam int Tags = 2 ** IdWidth;

  logic taken, leaves, waits, unloading, wiped, may_be_alone;
  assign taken = req_valid_i && req_ready_o && rst_ni;
  assign leaves = rsp_valid_o && rsp_ready_i;
  assign waits = rsp_valid_o && !rsp_ready_i;
  assign unloading = !unload_free && !unloaded;
  assign may_be_alone = load.valid && load.by_steps && load.alone;
  assign wiped = clear && !clear_i;
  logic [Tags-1:0] open_q;
  logic [2:0] asked_q[Tags], last_q, answered_q, answering;
  logic [31:0] number_q[Tags], count_q;
  logic [IdWidth-1:0] last_tag_q;
  logic [15:0] patience_q, waited_q;
  logic follows_q, loading_q, after_clear_q, after_reset_q;
  assign answering = asked_q[rsp_id_o];
  always_ff @(posedge clk_i) begin
    patience_q <= req_valid_i && !req_ready_o ? patience_q + 16'(patience_q != '1) : '0;
    waited_q   <= rsp_valid_o && !rsp_ready_i ? waited_q + 16'(waited_q != '1) : '0;
    if (leaves) begin
      open_q[rsp_id_o] <= 1'b0;
      answered_q <= answering;
      {after_clear_q, after_reset_q} <= '0;
    end
    if (load_accept || (leaves && rsp_id_o == last_tag_q)) loading_q <= 1'b0;
    if (taken) begin
      open_q[req_id_i] <= 1'b1;
      asked_q[req_id_i] <= req_op_i;
      number_q[req_id_i] <= count_q;
      count_q <= count_q + 1;
      last_q <= req_op_i;
      last_tag_q <= req_id_i;
      {follows_q, loading_q} <= '1;
    end
    if (clear_i || !rst_ni) begin
      {open_q, patience_q, waited_q, loading_q} <= '0;
      {after_clear_q, after_reset_q} <= {rst_ni, !rst_ni};
    end
    if (!rst_ni) {count_q, follows_q} <= '0;
  end

  // What is computed, and whether a response leaves before one that was asked for earlier.
  logic [7:0] computing;
  logic overtakes;
  always_comb begin
    computing = '0;
    overtakes = 1'b0;
    for (int tag = 0; tag < Tags; tag++) begin
      if (open_q[tag]) begin
        if (!(loading_q && IdWidth'(tag) == last_tag_q) && (unload_free || IdWidth'(tag) != rsp_id_o)) computing[asked_q[tag]] = 1'b1;
        if (leaves && number_q[tag] < number_q[rsp_id_o]) overtakes = 1'b1;
      end
    end
  end

  moduli_rns_cover_operation #(.Code(0), .ClearAfter(ClearAfter)) multiply (.*);
  moduli_rns_cover_operation #(.Code(1), .ClearAfter(ClearAfter)) exponentiate (.*);
  moduli_rns_cover_operation #(.Code(2), .ClearAfter(ClearAfter)) invert (.*);
  moduli_rns_cover_operation #(.Code(3), .ClearAfter(ClearAfter)) invert_blinded (.*);
  moduli_rns_cover_operation #(.Code(4), .ClearAfter(ClearAfter)) multiply_in_Montgomery_form (.*);
  moduli_rns_cover_operation #(.Code(5), .ClearAfter(ClearAfter)) exponentiate_in_Montgomery_form (.*);
  moduli_rns_cover_operation #(.Code(6), .ClearAfter(ClearAfter)) invert_in_Montgomery_form (.*);
  moduli_rns_cover_operation #(.Code(7), .ClearAfter(ClearAfter)) invert_blinded_in_Montgomery_form (.*);

  // The core as a whole.
  clear_while_the_core_is_idle: cover property (@(posedge clk_i) rst_ni && clear_i && !busy_o && !req_valid_i);
  clear_while_the_core_is_wiped: cover property (@(posedge clk_i) rst_ni && clear_i && clearing);
  reset_while_the_core_is_idle: cover property (@(posedge clk_i) !rst_ni && !busy_o && !req_valid_i);
  reset_while_the_core_is_wiped: cover property (@(posedge clk_i) !rst_ni && clearing);
  request_waits_while_the_core_is_wiped: cover property (@(posedge clk_i) req_valid_i && clearing);
  if (MULTIPLY != 0) begin : g_products
    product_is_asked_for_while_another_is_computed: cover property (@(posedge clk_i) taken && products_active);
    product_waits_for_a_response_to_leave: cover property (@(posedge clk_i) load.valid && !load.by_steps && rsp_valid_o && !load.checking);
  end
  if (VARIANT != 0) begin : g_inversions
    inverse_comes_as_it_is: cover property (@(posedge clk_i) ended.inverted && !ended.not_invertible && !ended.minus);
    inverse_comes_as_its_negative: cover property (@(posedge clk_i) ended.inverted && !ended.not_invertible && ended.minus);
    inversion_begins_while_a_response_waits: cover property (@(posedge clk_i) load_accept && load.by_steps && waits);
    inversion_runs_while_a_response_waits: cover property (@(posedge clk_i) inverter_busy && waits);
  end
  if (VARIANT != 0 && MULTIPLY != 0) begin : g_both
    product_is_computed_while_an_inversion_runs: cover property (@(posedge clk_i) products_active && inverter_busy);
    inversion_with_products_waits_for_a_response_to_leave: cover property (@(posedge clk_i) may_be_alone && rsp_valid_o);
    // With checks every inversion has the core to itself.
    if (CHECK == 0) begin : g_unchecked
      product_waits_while_an_inversion_runs: cover property (@(posedge clk_i) load.valid && !load.by_steps && inverter_busy);
      inversion_with_products_waits_while_another_runs: cover property (@(posedge clk_i) may_be_alone && inverter_busy);
    end
  end
  if (MULTIPLY == 0 || BLIND == 0) begin : g_refusals
    refusal_waits_for_a_response_to_leave: cover property (@(posedge clk_i) refuse && waits && rsp_error_o != 2'd3);
    if (VARIANT != 0) begin : g_steps
      refusal_waits_while_an_inversion_runs: cover property (@(posedge clk_i) refuse && inverter_busy);
    end
  end
  if (CONTEXTS > 1 && CHECK == 0) begin : g_order
    response_overtakes_an_earlier_one: cover property (@(posedge clk_i) overtakes);
    response_that_has_waited_overtakes_an_earlier_one: cover property (@(posedge clk_i) overtakes && waited_q != '0);
  end
endmodule
bind moduli_rns moduli_rns_cover #(.IdWidth(IdWidth), .ClearAfter(ClearAfter)) u_cover (.*);

// The contexts of plus-minus inversions, and how they end.
module moduli_rns_cover_contexts #(
  parameter int Contexts = 1
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       load_valid_i,
  input logic [1:0] state_q[Contexts],
  input logic       odd,
  input logic       running_q,
  input logic       stop,
  input logic       alone_q,
  input logic       decided_minus_q,
  input logic       swapped_q,
  input logic       done_o,
  input logic       capture_b_o,
  input logic       done_minus_o,
  input logic       done_error_o
);
  import moduli_rns_params_pkg::*;
  // With checks every inversion has the core to itself, and its unloader.
  localparam int Most = CHECK != 0 ? 1 : Contexts;
  int busy, waiting;
  always_comb begin
    {busy, waiting} = '0;
    for (int k = 0; k < Contexts; k++) begin
      busy += int'(state_q[k] != 2'd0);
      waiting += int'(state_q[k] == 2'd3);
    end
  end
  logic step;
  assign step = odd && running_q && !stop;
  genvar k;
  for (k = 0; k <= Most; k++) begin : g_contexts
    are_busy: cover property (@(posedge clk_i) rst_ni && busy == k);
    if (CHECK == 0) begin : g_unchecked
      wait_for_the_unloader: cover property (@(posedge clk_i) rst_ni && waiting == k);
    end
  end
  if (CHECK == 0) begin : g_unchecked
    operand_waits_for_a_context: cover property (@(posedge clk_i) rst_ni && load_valid_i && busy == Contexts);
  end
  ends_at_1_in_file_A: cover property (@(posedge clk_i) done_o && !done_error_o && !done_minus_o && !capture_b_o);
  ends_at_1_in_file_B: cover property (@(posedge clk_i) done_o && !done_error_o && !done_minus_o && capture_b_o);
  ends_at_minus_1_in_file_A: cover property (@(posedge clk_i) done_o && !done_error_o && done_minus_o && !capture_b_o);
  ends_at_minus_1_in_file_B: cover property (@(posedge clk_i) done_o && !done_error_o && done_minus_o && capture_b_o);
  ends_without_an_inverse: cover property (@(posedge clk_i) done_o && done_error_o);
  step_divides: cover property (@(posedge clk_i) step && alone_q);
  step_adds: cover property (@(posedge clk_i) step && !alone_q && !decided_minus_q && !swapped_q);
  step_adds_and_exchanges: cover property (@(posedge clk_i) step && !alone_q && !decided_minus_q && swapped_q);
  step_subtracts: cover property (@(posedge clk_i) step && !alone_q && decided_minus_q && !swapped_q);
  step_subtracts_and_exchanges: cover property (@(posedge clk_i) step && !alone_q && decided_minus_q && swapped_q);
endmodule
bind moduli_rns_inverter moduli_rns_cover_contexts #(.Contexts(CONTEXTS)) u_cover (.*);
