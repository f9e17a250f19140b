// Control of the plus-minus inversions: CONTEXTS inversions take turns in a frame of StepCycles issues.
//
// In phase 2k of a frame, context k issues for V3 (in the loop: a division or a plus-minus step), and in phase 2k + 1
// for V1. Contexts start and end independently. The phases use these results:
//   2k       The Cox delivers V3 of the last step. The next step is selected and issued at once, before the comparison is known.
//   2k + 1   All Rowers have compared V3 with 1 and -1. If it was one of them, the step that was just issued is dropped (V1
//            is not written any more), and the context hands over V1. Otherwise the step is valid, and V1 follows.
//
// Loading takes LoadFrames frames: V3 by Horner's rule, V3 <- (V3 + digit)*2^W, and finally (V3 + digit)*T^(-1) + C1.
// Meanwhile U1 = 0, U3 = P and V1 = 1 are made from addends.

module moduli_rns_inverter (
  input  logic                                                        clk_i,
  input  logic                                                        rst_ni,
  input  logic                                                        wipe_i,  // forget computed values; in reset
  // an operand is ready; its digits come highest first
  input  logic                                                        load_valid_i,
  output logic                                                        load_ready_o,
  output logic                                                        load_shift_o,
  // to the Rowers; the other control's issue, if it has the Rowers
  input  logic                                                        other_i,
  input  moduli_rns_pkg::issue_t                                      other_issue_i,
  output moduli_rns_pkg::issue_t                                      issue_o,
  output logic                   [ moduli_rns_params_pkg::ADD_AW-1:0] addend_o,
  output logic                                                        write_a_o,
  output logic                                                        write_b_o,
  output logic                   [        moduli_rns_pkg::EntryW-1:0] write_entry_o,
  // from the Cox and the Rowers
  input  logic                   [     moduli_rns_params_pkg::A2-1:0] twos_i,
  input  logic                   [                               3:0] threes_i,
  input  logic                   [     moduli_rns_params_pkg::A2-1:0] twos_next_i,  // the values in the next cycle
  input  logic                   [                               3:0] threes_next_i,
  input  logic                   [      moduli_rns_params_pkg::N-1:0] one_i,
  input  logic                   [      moduli_rns_params_pkg::N-1:0] minus_one_i,
  // a result is handed over: the Rowers' rings take V1 in the cycle of capture_o
  input  logic                                                        unload_ready_i,
  output logic                                                        capture_o,
  output logic                                                        capture_b_o,
  output logic                                                        done_o,  // with capture_o, or alone for an error
  output logic                   [      moduli_rns_pkg::ContextW-1:0] done_context_o,
  output logic                                                        done_minus_o,
  output logic                                                        done_error_o,
  output logic                   [moduli_rns_params_pkg::STEPS_W-1:0] done_steps_o,
  // the context that took the operand
  output logic                   [      moduli_rns_pkg::ContextW-1:0] load_context_o,
  output logic                                                        busy_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int CountW = COUNTER_W;
  localparam int FrameW = clog2(LoadFrames + 1);

  typedef enum logic [1:0] {
    Idle,
    Loading,
    Running,
    Waiting  // for the unloader
  } state_e;

  // One of each for every context.
  state_e state_q[CONTEXTS];
  logic [FrameW-1:0] frame_q[CONTEXTS];
  logic [STEPS_W-1:0] steps_q[CONTEXTS];
  logic [CountW-1:0] u_q[CONTEXTS], v_q[CONTEXTS];
  logic [CONTEXTS-1:0] side_q;  // V is in file B
  logic [CONTEXTS-1:0] above_q;  // v > u
  logic [CONTEXTS-1:0] limit_q;  // v shows that V3 = 0
  logic [CONTEXTS-1:0] minus_q, error_q;
  logic [A2-1:0] u3_twos_q[CONTEXTS], u1_twos_q[CONTEXTS];
  logic [3:0] u3_threes_q[CONTEXTS], u1_threes_q[CONTEXTS];

  // The frame. The phases 2k and 2k + 1 in phase_q are the slots of context k. odd_q and context_q are these numbers,
  // decoded; slot_q tells whether the phase belongs to a context.
  logic [PhaseW-1:0] phase_q;
  logic [ContextW-1:0] context_q, next_context;
  // The context whose entries are read: the current one if it has an inversion, else context 0. Other entries may hold
  // an operand of an earlier product.
  logic [ContextW-1:0] read_q;
  logic odd_q, slot_q;
  logic [PhaseW-1:0] next_phase;
  logic restart, any_active;
  always_comb begin
    any_active = 1'b0;
    for (int k = 0; k < CONTEXTS; k++) any_active |= state_q[k] != Idle;
  end
  // If no inversion is running, a frame begins at once.
  assign restart = !any_active && load_valid_i;
  assign next_phase = (restart || phase_q == PhaseW'(StepCycles - 1)) ? '0 : phase_q + PhaseW'(1);
  assign next_context = ContextW'(next_phase >> 1);
  always_ff @(posedge clk_i) begin
    // While the core is wiped, frames continue, so that values that are passed between slots are overwritten.
    if (!rst_ni && !wipe_i) begin
      phase_q <= '0;
      context_q <= '0;
      odd_q <= 1'b0;
      slot_q <= 1'b0;
      read_q <= '0;
    end else begin
      phase_q <= next_phase;
      context_q <= next_context;
      read_q <= '0;
      for (int k = 1; k < CONTEXTS; k++) if (int'(next_phase) / 2 == k && state_q[k] != Idle) read_q <= ContextW'(k);
      odd_q <= next_phase[0];
      slot_q <= int'(next_phase) < 2 * CONTEXTS;
    end
  end

  // Takes an operand in an odd slot of an idle context, or in context 0 if all are idle.
  logic [CONTEXTS-1:0] take;
  always_comb begin
    take = '0;
    if (restart) take[0] = 1'b1;
    else if (load_valid_i && slot_q && odd_q && state_q[context_q] == Idle) take[context_q] = 1'b1;
  end
  assign load_ready_o = |take;
  always_comb begin
    load_context_o = '0;
    for (int k = 0; k < CONTEXTS; k++) if (take[k]) load_context_o = ContextW'(k);
  end

  // The values of a context that the even slot needs, read one cycle earlier.
  logic loading_q, running_q, side_now_q, above_now_q, first_q;
  logic [A2-1:0] u_twos_now_q;
  logic [3:0] u_threes_now_q;
  logic fetch_even, last_frame_q;
  logic [ContextW-1:0] fetch_context;
  assign fetch_even = !next_phase[0] && int'(next_phase) < 2 * CONTEXTS;
  assign fetch_context = next_context;
  always_ff @(posedge clk_i) begin
    if (fetch_even) begin
      loading_q <= (state_q[fetch_context] == Loading) || take[fetch_context];
      running_q <= state_q[fetch_context] == Running;
      first_q <= take[fetch_context] || frame_q[fetch_context] == '0;
      last_frame_q <= !take[fetch_context] && frame_q[fetch_context] == FrameW'(LoadFrames - 1);
      side_now_q <= side_q[fetch_context];
      above_now_q <= above_q[fetch_context];
      u_twos_now_q <= u3_twos_q[fetch_context];
      u_threes_now_q <= u3_threes_q[fetch_context];
    end
    if (!rst_ni) begin
      loading_q <= 1'b0;
      running_q <= 1'b0;
    end
  end

  // Even slot: selects the step.
  logic alone, minus, swapped;
  logic [GROUP_W-1:0] group;
  logic [MUL_AW-1:0] multiplier;
  moduli_rns_decide u_decide (
    .clk_i,
    .v_twos_i       (twos_i),
    .v_threes_i     (threes_i),
    .u_twos_i       (u_twos_now_q),
    .u_threes_i     (u_threes_now_q),
    .v_twos_next_i  (twos_next_i),
    .v_threes_next_i(threes_next_i),
    .u_twos_next_i  (u3_twos_q[fetch_context]),
    .u_threes_next_i(u3_threes_q[fetch_context]),
    .alone_o        (alone),
    .minus_o        (minus),
    .group_o        (group),
    .multiplier_o   (multiplier)
  );
  assign swapped = !alone && above_now_q;

  logic even, odd;
  assign even = slot_q && !odd_q;
  assign odd  = slot_q && odd_q;

  // The selected step, for the following odd slot and for the counters.
  issue_t decided, early, issue_3q;
  logic alone_q, decided_minus_q, swapped_q, unit_q, unit_minus_q;
  // With a Cox of two stages, the Rowers' comparison is complete when the Cox delivers.
  logic all_one, all_minus_one;
  if (CoxStages == 2) begin : g_compared
    assign all_one = &one_i;
    assign all_minus_one = &minus_one_i;
  end else begin : g_compared_early
    logic [CoxStages-3:0] one_q, minus_one_q;
    always_ff @(posedge clk_i) begin
      one_q <= (CoxStages - 2)'({one_q, &one_i});
      minus_one_q <= (CoxStages - 2)'({minus_one_q, &minus_one_i});
    end
    assign all_one = one_q[CoxStages-3];
    assign all_minus_one = minus_one_q[CoxStages-3];
  end
  logic [GROUP_W-1:0] group_q;
  logic [A2-1:0] v3_twos_q;
  logic [3:0] v3_threes_q;
  always_ff @(posedge clk_i) begin
    if (even) begin
      issue_3q <= decided;
      alone_q <= alone;
      decided_minus_q <= minus;
      swapped_q <= swapped;
      group_q <= group;
      v3_twos_q <= twos_i;
      v3_threes_q <= threes_i;
      unit_q <= all_one || all_minus_one;
      unit_minus_q <= all_minus_one;
    end
  end

  // The selection is available late, so it is used last.
  always_comb begin
    decided = '0;
    decided.use_a = !alone || !side_now_q;
    decided.use_b = !alone || side_now_q;
    decided.invert_a = !alone && minus && side_now_q;
    decided.invert_b = !alone && minus && !side_now_q;
    decided.multiplier = multiplier;
    early = '0;
    if (odd_q) begin
      if (!loading_q) early = issue_3q;
    end else begin
      early.load_b = 1'b1;
      early.use_a = !first_q;
      early.use_b = 1'b1;
      early.multiplier = last_frame_q ? MUL_AW'(1) : MUL_AW'(0);
    end
    {decided.entry, decided.entry_b} = {2{EntryW'({read_q, odd_q})}};
    {early.entry, early.entry_b} = {2{EntryW'({read_q, odd_q})}};
    if (other_i) early = other_issue_i;
    issue_o = (other_i || odd_q || loading_q) ? early : decided;
  end
  // Every frame uses a digit, except the leading frames of a short operand.
  assign load_shift_o = even && loading_q;

  // The addend, one cycle later.
  logic [GROUP_W-1:0] addend_group;
  logic [FrameW-1:0] frame_now;
  assign frame_now = frame_q[context_q];
  always_comb begin
    if (even) addend_group = loading_q ? (last_frame_q ? GROUP_W'(GroupEnter) : GROUP_W'(GroupZero)) : group;
    else if (loading_q) addend_group = last_frame_q ? GROUP_W'(GroupOne) : first_q ? GROUP_W'(GroupEnter) : GROUP_W'(GroupPrime);
    else addend_group = group_q;
  end
  moduli_rns_addend u_addend (
    .clk_i,
    .group_i   (addend_group),
    .zero_i    (even || loading_q),
    .alone_i   (alone_q),
    .minus_i   (decided_minus_q),
    .v_twos_i  (twos_i),
    .v_threes_i(threes_i),
    .u_twos_i  (u1_twos_q[context_q]),
    .u_threes_i(u1_threes_q[context_q]),
    .address_o (addend_o)
  );

  // Writes: selected with the issue, performed ResultCycles later.
  typedef struct packed {
    logic a;
    logic b;
    logic [EntryW-1:0] entry;
  } write_t;
  write_t write;
  write_t write_q[ResultCycles];
  logic stop;
  always_comb begin
    write = '0;
    write.entry = EntryW'({context_q, odd_q});
    if (even && loading_q) begin
      write.a = 1'b1;
    end else if (odd && loading_q) begin
      if (first_q) write.b = 1'b1;  // U1
      else if (last_frame_q) write.a = 1'b1;  // V1
      else if (frame_now == FrameW'(1)) begin  // U3
        write.b = 1'b1;
        write.entry = EntryW'({context_q, 1'b0});
      end
    end else if ((even && running_q) || (odd && running_q && !stop)) begin
      // The result replaces V, or U if V becomes U.
      if (odd ? side_q[context_q] ^ swapped_q : side_now_q ^ swapped) write.b = 1'b1;
      else write.a = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    write_q[0] <= write;
    for (int k = 1; k < ResultCycles; k++) write_q[k] <= write_q[k-1];
    if (!rst_ni) for (int k = 0; k < ResultCycles; k++) {write_q[k].a, write_q[k].b} <= '0;
  end
  assign write_a_o = write_q[ResultCycles-1].a;
  assign write_b_o = write_q[ResultCycles-1].b;
  assign write_entry_o = write_q[ResultCycles-1].entry;

  // Odd slot: the step is valid, or the inversion is complete.
  assign stop = unit_q || limit_q[context_q];
  logic finished, hand_over;
  assign finished = odd && running_q && stop;
  assign hand_over = (finished || (odd && state_q[context_q] == Waiting)) && unload_ready_i;

  // The half bits of a divisor.
  logic [4:0] half_bits;
  always_comb begin
    half_bits = '0;
    for (int g = 0; g < GROUPS; g++) begin
      if (group_q == GROUP_W'(g)) begin
        half_bits = 5'(2 * int'(GROUP_TWOS[3*g+:3]) + 3 * int'(GROUP_THREES[2*g+:2]));
      end
    end
  end
  logic [CountW-1:0] v_base, v_next;
  assign v_base = swapped_q ? u_q[context_q] : v_q[context_q];
  assign v_next = v_base + CountW'(half_bits) - (alone_q ? CountW'(0) : CountW'(2));

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < CONTEXTS; k++) begin
      above_q[k] <= v_q[k] > u_q[k];
      limit_q[k] <= v_q[k] >= CountW'(LIMIT);
      if (take[k]) begin
        state_q[k] <= Loading;
        frame_q[k] <= '0;
        steps_q[k] <= '0;
        side_q[k] <= 1'b0;
        u_q[k] <= '0;
        v_q[k] <= '0;
        u1_twos_q[k] <= '0;
        u1_threes_q[k] <= '0;
        u3_twos_q[k] <= A2'(PRIME2);
        u3_threes_q[k] <= 4'(PRIME3);
      end else if (odd && context_q == ContextW'(k)) begin
        if (loading_q) begin
          frame_q[k] <= frame_q[k] + FrameW'(1);
          if (last_frame_q) state_q[k] <= Running;
        end else if (running_q && !stop) begin
          steps_q[k] <= steps_q[k] + STEPS_W'(1);
          v_q[k] <= v_next;
          if (swapped_q) begin
            u_q[k] <= v_q[k];
            side_q[k] <= !side_q[k];
            u3_twos_q[k] <= v3_twos_q;
            u3_threes_q[k] <= v3_threes_q;
            u1_twos_q[k] <= twos_i;
            u1_threes_q[k] <= threes_i;
          end
        end else if (finished) begin
          minus_q[k] <= unit_minus_q;
          error_q[k] <= !unit_q;
          state_q[k] <= unload_ready_i ? Idle : Waiting;
        end else if (hand_over) begin
          state_q[k] <= Idle;
        end
      end
    end
    if (wipe_i) begin
      for (int k = 0; k < CONTEXTS; k++) begin
        {frame_q[k], steps_q[k], u_q[k], v_q[k]} <= '0;
        {u1_twos_q[k], u1_threes_q[k], u3_twos_q[k], u3_threes_q[k]} <= '0;
        {side_q[k], minus_q[k], error_q[k]} <= '0;
      end
    end
    if (!rst_ni) for (int k = 0; k < CONTEXTS; k++) state_q[k] <= Idle;
  end

  // Handing over: the operands of the odd slot are in the Rowers one cycle later.
  always_ff @(posedge clk_i) begin
    done_o <= hand_over;
    capture_o <= hand_over;
    capture_b_o <= side_q[context_q];
    done_context_o <= context_q;
    done_minus_o <= finished ? unit_minus_q : minus_q[context_q];
    done_error_o <= finished ? !unit_q : error_q[context_q];
    done_steps_o <= steps_q[context_q];
    if (!rst_ni) begin
      done_o <= 1'b0;
      capture_o <= 1'b0;
    end
  end
  // One cycle late is early enough, because the loader is not empty when an inversion begins.
  always_ff @(posedge clk_i) busy_o <= any_active && rst_ni;

`ifndef SYNTHESIS
  // Registers may power up with any value, and so may rst_ni, so nothing is asserted before the first reset.
  logic reset_seen_q;
  initial reset_seen_q = 1'b0;
  always_ff @(posedge clk_i) if (!rst_ni) reset_seen_q <= 1'b1;
  always_ff @(posedge clk_i) begin
    if (reset_seen_q && rst_ni && even && running_q) begin
      // The assumptions of a step: U3 is coprime to Q, and in a plus-minus step V3 is, too; the counters stay below
      // their bounds.
      assert (u_twos_now_q[0]) else $error("U3 is even");
      assert (A3 == 0 || (u_threes_now_q != 4'd0 && u_threes_now_q != 4'd3 && u_threes_now_q != 4'd6))
      else $error("3 divides U3");
      assert (u_q[context_q] < CountW'(LIMIT)) else $error("u is above its bound");
      assert (int'(v_q[context_q]) < LIMIT + 24) else $error("v is above its bound");
    end
    if (reset_seen_q && rst_ni && odd && running_q) assert (int'(steps_q[context_q]) <= 2 * L) else $error("too many steps");
  end
`endif
endmodule
