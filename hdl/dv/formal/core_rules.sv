// The rules of the core's handshakes, for any requests at any time. The digits of the Rowers do not matter: they are
// left open, so the solver chooses their values. The first cycle is a reset.

module core_rules
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
  input logic         clear_i
);
  logic req_ready, rsp_valid, busy;
  logic [3:0] id;
  logic [L-1:0] data;
  logic [1:0] error;
  logic [STEPS_W-1:0] steps;
  moduli_rns u_core (
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

  logic running_q = 1'b0;
  logic waiting_q;
  logic [L+STEPS_W+5:0] payload, payload_q;
  assign payload = {id, data, error, steps};

  // Invariants that make the rules inductive. The unloader's pipeline is empty when the result is complete, because
  // every pass (of two columns) that was issued has come out or is in the pipeline, and the last term of each is issued
  // last.
  localparam int Passes = (N + 1) / 2;
  typedef enum logic [1:0] {
    Free,
    Sum,
    Drain,
    Done
  } state_e;
  state_e state;
  int passes, on_the_way, digits;
  logic ordered, apart, empty, before_last;
  logic [1:0] emit;
  assign state = state_e'(u_core.u_responses.u_unloader.state_q);
  assign passes = int'(u_core.u_responses.u_unloader.pass_q);
  assign digits = int'(u_core.u_responses.u_unloader.digit_q);
  assign emit = u_core.u_responses.u_unloader.emit_q;
  always_comb begin
    automatic logic last_seen = state == Sum;
    on_the_way = int'(u_core.u_responses.u_unloader.pass_done_q) + int'(emit[0]);
    empty = !u_core.u_responses.u_unloader.pass_done_q && !emit[0];
    ordered = 1'b1;
    // The last terms of two passes are not in consecutive cycles.
    apart = !(emit[1] && emit[0]) && !(emit[0] && u_core.u_responses.u_unloader.pass_done_q);
    before_last = state == Sum && int'(u_core.u_responses.u_unloader.term_q) == N;
    for (int k = 0; k < 5; k++) begin
      if (u_core.u_responses.u_unloader.flags_q[k].valid) begin
        empty = 1'b0;
        if (u_core.u_responses.u_unloader.flags_q[k].last) begin
          last_seen = 1'b1;
          on_the_way += 1;
          if (before_last) apart = 1'b0;
        end
        if (!last_seen) ordered = 1'b0;
      end
      before_last = u_core.u_responses.u_unloader.flags_q[k].valid && u_core.u_responses.u_unloader.flags_q[k].last;
    end
    if (before_last && u_core.u_responses.u_unloader.pass_done_q) apart = 1'b0;
  end

  // Division steps hand over a result only if the unloader is free.
  logic handed_over;
  if (moduli_rns_pkg::DivisionSteps) begin : g_handed_over
    localparam logic [1:0] Dividing = 2'd3;
    always_comb begin
      handed_over = 1'b1;
      if (u_core.u_control.g_division.u_division.state_q == Dividing) handed_over = state == Free;
      else if (u_core.u_control.g_division.u_division.ring_digit_o) handed_over = 1'b0;
    end
  end else begin : g_no_division
    assign handed_over = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (!running_q) assume (!rst_ni);
    waiting_q <= running_q && rst_ni && rsp_valid && !rsp_ready_i && !clear_i && !u_core.clearing;
    payload_q <= payload;
    if (running_q && rst_ni && waiting_q) begin
      // A response does not change while it waits.
      assert (rsp_valid);
      assert (payload == payload_q);
    end
    // The core takes its reset from a register, one cycle late, and outputs nothing meanwhile.
    if (running_q && rst_ni && u_core.rst_n) begin
      assert (ordered && apart);
      assert (handed_over);
      if (state == Sum || state == Drain) begin
        assert (digits == (emit[1] ? 2 * (passes - on_the_way) - 1 : 2 * (passes - on_the_way)));
        assert (int'(u_core.u_responses.u_unloader.term_q) <= N && passes <= Passes && on_the_way <= passes);
        assert ((passes == Passes) == (state == Drain));
        assert (digits < N);
      end else begin
        assert (empty);
        assert (!emit[1] || (state == Done && digits == N));
      end
    end
    if (running_q && rst_ni) begin
      // busy is high while work is pending; wiping drops everything.
      if (rsp_valid) assert (busy);
      if (u_core.clearing) assert (!req_ready && !rsp_valid && busy);
    end
  end
endmodule
