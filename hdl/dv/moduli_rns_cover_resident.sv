// Functional coverage of programs over resident residues: the points of moduli_rns_resident and of its scalar. See
// moduli_rns_cover.sv, with which this is compiled.

// One program.
module moduli_rns_cover_program #(
  parameter bit ClearAfter = 0
) (
  input logic                                        clk_i,
  input logic                                        rst_ni,
  input logic                                        clear_i,
  input logic                                        mine,  // it runs, or is asked for while none does
  input logic                                        start_valid_i,
  input logic                                        start,
  input logic                                        follows_q,  // another run
  input logic                                        finished,
  input logic                                        wiped,
  // the operand that is asked for, of the loader's or a scalar; how long it has been asked for, or has been offered
  input logic                                        operand_valid_i,
  input logic                                        operand_ready_o,
  input logic                                        scalar_ready,
  input logic [moduli_rns_params_pkg::OPERAND_W-1:0] operand_i,
  input logic [                                15:0] starved_q,
  input logic [                                15:0] patience_q,
  input logic                                        loading,
  input logic                                        computing,
  input logic                                        unloading,
  // the result, and how long it has waited; nothing was finished since clear_i, since reset
  input logic                                        result_valid_o,
  input logic                                        result_ready_i,
  input logic [        moduli_rns_params_pkg::L-1:0] result_o,
  input logic [                                15:0] waited_q,
  input logic                                        after_clear_q,
  input logic                                        after_reset_q
);
  import moduli_rns_params_pkg::*;
  localparam int Many = 64;
  logic begins, asks, taken, offered, leaves;
  assign begins = mine && start;
  assign asks = mine && operand_ready_o;
  assign taken = asks && operand_valid_i;
  assign offered = mine && result_valid_o;
  assign leaves = offered && result_ready_i;

  is_started: cover property (@(posedge clk_i) begins);
  is_started_after_another_run: cover property (@(posedge clk_i) begins && follows_q);
  is_finished: cover property (@(posedge clk_i) mine && finished);
  is_finished_first_after_clear: cover property (@(posedge clk_i) mine && finished && after_clear_q);
  is_finished_first_after_reset: cover property (@(posedge clk_i) mine && finished && after_reset_q);
  if (ClearAfter) begin : g_wiped
    core_wipes_itself_after_it: cover property (@(posedge clk_i) mine && wiped);
  end

  moduli_rns_cover_value operand (.clk_i, .now_i(taken && !scalar_ready), .value_i(operand_i[L-1:0]));
  operand_is_taken_at_once: cover property (@(posedge clk_i) taken && starved_q == '0 && patience_q == '0);
  operand_waits_to_be_asked_for: cover property (@(posedge clk_i) taken && patience_q != '0);
  operand_is_asked_for_one_cycle_before_it_comes: cover property (@(posedge clk_i) taken && starved_q == 16'd1);
  operand_is_asked_for_many_cycles_before_it_comes: cover property (@(posedge clk_i) taken && starved_q >= 16'(Many));

  result_is_zero: cover property (@(posedge clk_i) offered && result_o == '0);
  result_is_one: cover property (@(posedge clk_i) offered && result_o == L'(1));
  result_is_P_less_1: cover property (@(posedge clk_i) offered && result_o == PRIME - L'(1));
  result_is_taken_at_once: cover property (@(posedge clk_i) leaves && waited_q == '0);
  result_waits_for_one_cycle: cover property (@(posedge clk_i) leaves && waited_q == 16'd1);
  result_waits_for_many_cycles: cover property (@(posedge clk_i) leaves && waited_q >= 16'(Many));

  moduli_rns_cover_dropped cleared (
    .clk_i,
    .now_i      (clear_i && rst_ni),
    .requested_i(begins),
    .loading_i  (mine && loading),
    .computing_i(mine && computing),
    .unloading_i(mine && unloading),
    .waiting_i  (offered && !result_ready_i),
    .answered_i (leaves)
  );
  moduli_rns_cover_dropped reset (
    .clk_i,
    .now_i      (!rst_ni),
    .requested_i(mine && start_valid_i),
    .loading_i  (mine && loading),
    .computing_i(mine && computing),
    .unloading_i(mine && unloading),
    .waiting_i  (offered && !result_ready_i),
    .answered_i (leaves)
  );
  clear_while_an_operand_is_asked_for: cover property (@(posedge clk_i) clear_i && asks && !operand_valid_i);
  clear_as_an_operand_is_taken: cover property (@(posedge clk_i) clear_i && taken);
  reset_while_an_operand_is_awaited: cover property (@(posedge clk_i) !rst_ni && mine && starved_q != '0 && !operand_valid_i);
endmodule

// All programs.
module moduli_rns_cover_programs #(
  parameter bit ClearAfter = 0
) (
  input logic                                        clk_i,
  input logic                                        rst_ni,
  input logic                                        clear_i,
  input logic                                        start_valid_i,
  input logic [moduli_rns_params_pkg::PROGRAM_W-1:0] start_program_i,
  input logic                                        operand_valid_i,
  input logic                                        operand_ready_o,
  input logic [moduli_rns_params_pkg::OPERAND_W-1:0] operand_i,
  input logic                                        result_valid_o,
  input logic                                        result_ready_i,
  input logic [        moduli_rns_params_pkg::L-1:0] result_o,
  input logic                                        busy_o,
  // inside
  input logic                                        start,
  input logic                                        running,
  input logic                                        clear,
  input logic                                        clearing,
  input logic                                        load_ready,
  input logic                                        scalar_ready,
  input logic                                        unload_free,
  input logic                                        unloaded
);
  import moduli_rns_params_pkg::*;
  logic active_q, follows_q, after_clear_q, after_reset_q, finished, wiped, loading, computing, unloading;
  logic [PROGRAM_W-1:0] program_q, now;
  logic [15:0] starved_q, patience_q, waited_q;
  assign now = active_q ? program_q : start_program_i;
  assign finished = active_q && !running && unload_free;
  assign wiped = clear && !clear_i;
  assign unloading = !unload_free && !unloaded;
  assign loading = active_q && !load_ready;
  assign computing = running && load_ready && !operand_ready_o && unload_free;
  always_ff @(posedge clk_i) begin
    starved_q <= operand_ready_o && !operand_valid_i ? starved_q + 16'(starved_q != '1) : '0;
    patience_q <= operand_valid_i && !operand_ready_o ? patience_q + 16'(patience_q != '1) : '0;
    waited_q <= result_valid_o && !result_ready_i ? waited_q + 16'(waited_q != '1) : '0;
    if (finished) {active_q, after_clear_q, after_reset_q} <= '0;
    if (start) begin
      program_q <= start_program_i;
      {active_q, follows_q} <= '1;
    end
    if (clear_i || !rst_ni) begin
      {active_q, starved_q, patience_q, waited_q} <= '0;
      {after_clear_q, after_reset_q} <= {rst_ni, !rst_ni};
    end
    if (!rst_ni) follows_q <= 1'b0;
  end

  genvar k;
  for (k = 0; k < RESIDENT; k++) begin : g_program
    moduli_rns_cover_program #(.ClearAfter(ClearAfter)) program_of (.mine(now == PROGRAM_W'(k)), .*);
  end
  start_is_asked_for_while_the_core_is_wiped: cover property (@(posedge clk_i) start_valid_i && clearing);
  clear_while_the_core_is_idle: cover property (@(posedge clk_i) rst_ni && clear_i && !busy_o && !start_valid_i);
  clear_while_the_core_is_wiped: cover property (@(posedge clk_i) rst_ni && clear_i && clearing);
  reset_while_the_core_is_idle: cover property (@(posedge clk_i) !rst_ni && !busy_o && !start_valid_i);
  reset_while_the_core_is_wiped: cover property (@(posedge clk_i) !rst_ni && clearing);
  if (RESIDENT > 1) begin : g_programs
    one_program_is_started_after_another: cover property (@(posedge clk_i) start && follows_q && start_program_i != program_q);
  end
endmodule
bind moduli_rns_resident moduli_rns_cover_programs #(.ClearAfter(ClearAfter)) u_cover (.*);

// The scalar of a program: an operand as it is or with the order added, or P - 2.
module moduli_rns_cover_scalar (
  input logic                                        clk_i,
  input logic                                        rst_ni,
  input logic                                        take_i,
  input logic                                        inverse_i,
  input logic                                        valid_i,
  input logic                                        ready_o,
  input logic [moduli_rns_params_pkg::OPERAND_W-1:0] data_i,
  input logic                                        completed_q,
  input logic                                        again_q,
  input logic [                                 2:0] state_q
);
  import moduli_rns_params_pkg::*;
  localparam logic [2:0] AddingAgain = 3'd3;
  logic taken;
  assign taken = valid_i && ready_o && rst_ni;
  as_it_is_is_zero: cover property (@(posedge clk_i) taken && !completed_q && data_i == '0);
  as_it_is_is_all_ones: cover property (@(posedge clk_i) taken && !completed_q && data_i[SCALAR_BITS-1:0] == '1);
  as_it_is_begins_with_0: cover property (@(posedge clk_i) taken && !completed_q && !data_i[SCALAR_BITS-1] && data_i != '0);
  as_it_is_begins_with_1: cover property (@(posedge clk_i) taken && !completed_q && data_i[SCALAR_BITS-1] && data_i[SCALAR_BITS-1:0] != '1);
  is_P_less_2: cover property (@(posedge clk_i) rst_ni && take_i && inverse_i);
  if (ORDER_BITS != 0) begin : g_order
    with_the_order_is_zero: cover property (@(posedge clk_i) taken && completed_q && data_i == '0);
    with_the_order_is_all_ones: cover property (@(posedge clk_i) taken && completed_q && data_i[ORDER_BITS-1:0] == '1);
    with_the_order_begins_with_0: cover property (@(posedge clk_i) taken && completed_q && !data_i[ORDER_BITS-1] && data_i != '0);
    with_the_order_begins_with_1: cover property (@(posedge clk_i) taken && completed_q && data_i[ORDER_BITS-1]);
    with_the_order_is_the_order: cover property (@(posedge clk_i) taken && completed_q && data_i[ORDER_BITS-1:0] == ORDER[ORDER_BITS-1:0]);
    the_order_is_added_once: cover property (@(posedge clk_i) rst_ni && state_q == AddingAgain && !again_q);
    the_order_is_added_twice: cover property (@(posedge clk_i) rst_ni && state_q == AddingAgain && again_q);
  end
endmodule
bind moduli_rns_resident_scalar moduli_rns_cover_scalar u_cover (.*);
