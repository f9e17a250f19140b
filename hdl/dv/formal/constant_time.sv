// Two cores that get the same requests at the same times, with different operands. They take requests and answer in the
// same cycles, at all times. Invariant that makes this inductive: all state that determines the timing is equal in
// both. The first cycle is a reset.

module constant_time
  import moduli_rns_params_pkg::*;
(
  input logic              clk_i,
  input logic              rst_ni,
  input logic              req_valid_i,
  input logic [  2:0]      req_op_i,
  input logic [  3:0]      req_id_i,
  input logic [1:0][L-1:0] req_a_i,
  input logic [1:0][L-1:0] req_b_i,
  input logic              rsp_ready_i,
  input logic              clear_i
);
  logic [1:0] req_ready, rsp_valid, busy;
  logic [1:0][STEPS_W-1:0] steps;

  // The state that determines the timing of each core. Registers that are set before they are used matter only from
  // then on.
  typedef struct packed {
    logic reset;
    logic [1:0] clear;
    logic [16:0] clear_count;
    logic [1:0] request;
    logic [1:0] loader;
    logic [16:0] loader_count;
    logic [1:0] inverter;
    logic [63:0] inverter_count;
    logic [2:0] results;
    logic [1:0] unloader;
    logic [STEPS_W-1:0] steps;
    logic [63:0] unloader_count;
    logic [15:0] terms;
  } control_t;
  control_t [1:0] control;
  // Whether the operand in the loader is to be inverted.
  logic [1:0] by_steps;

  genvar k;
  for (k = 0; k < 2; k++) begin : g_core
    logic [3:0] id;
    logic [L-1:0] data;
    logic [1:0] error;
    moduli_rns u_core (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o(req_ready[k]),
      .req_op_i,
      .req_id_i,
      .req_a_i    (req_a_i[k]),
      .req_b_i    (req_b_i[k]),
      .rsp_valid_o(rsp_valid[k]),
      .rsp_ready_i,
      .rsp_id_o   (id),
      .rsp_data_o (data),
      .rsp_error_o(error),
      .rsp_steps_o(steps[k]),
      .clear_i,
      .busy_o     (busy[k])
    );
    always_comb begin
      control[k] = '0;
      control[k].reset = u_core.rst_n;
      control[k].clear = {u_core.u_clear.active_q, u_core.u_clear.used_q};
      if (u_core.u_clear.active_q) control[k].clear_count = {u_core.u_clear.write_q, 16'(u_core.u_clear.count_q)};
      control[k].request = {u_core.u_requests.refuse_q, u_core.u_requests.other_waits_q};
      control[k].loader = u_core.u_requests.u_loader.state_q;
      if (control[k].loader != '0) begin
        control[k].loader_count = {u_core.u_requests.u_loader.taken_q, 16'(u_core.u_requests.u_loader.count_q)};
      end
      by_steps[k] = control[k].loader == '0 || u_core.u_requests.load_by_steps_q;
      control[k].inverter = u_core.u_control.g_division.u_division.state_q;
      if (control[k].inverter != '0) begin
        control[k].inverter_count = 64'({
          u_core.u_control.g_division.u_division.frame_q, u_core.u_control.g_division.u_division.slot_q, u_core.u_control.g_division.u_division.jumps_q,
          u_core.u_control.g_division.u_division.first_q, u_core.u_control.g_division.u_division.last_q
        });
      end
      control[k].results[0] = u_core.u_control.g_division.u_division.order_q.by_digit;
      control[k].results[1] = u_core.u_control.g_division.u_division.ring_digit_o;
      control[k].results[2] = u_core.inverter_busy;
      control[k].unloader = u_core.u_responses.u_unloader.state_q;
      if (control[k].unloader != '0) begin
        control[k].steps = steps[k];
        control[k].unloader_count = 64'({u_core.u_responses.u_unloader.pass_q, u_core.u_responses.u_unloader.term_q, u_core.u_responses.u_unloader.digit_q});
      end
      control[k].terms = 16'({u_core.u_responses.u_unloader.pass_done_q, u_core.u_responses.u_unloader.emit_q});
      for (int i = 0; i < 5; i++) begin
        control[k].terms[3+2*i+:2] = {u_core.u_responses.u_unloader.flags_q[i].valid, u_core.u_responses.u_unloader.flags_q[i].valid && u_core.u_responses.u_unloader.flags_q[i].last};
      end
    end
  end

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (!running_q) assume (!rst_ni);
    if (running_q && rst_ni) begin
      assert (req_ready[0] == req_ready[1]);
      assert (rsp_valid[0] == rsp_valid[1]);
      assert (busy[0] == busy[1]);
      if (rsp_valid[0]) assert (steps[0] == steps[1]);
    end
    // The core takes its reset from a register, one cycle late. Its value before that is unknown.
    if (running_q) begin
      assert (control[0].reset == control[1].reset);
      assert (control[0].clear == control[1].clear && control[0].clear_count == control[1].clear_count);
      if (control[0].reset) begin
        assert (control[0] == control[1]);
        assert (&by_steps);
      end
    end
  end
endmodule
