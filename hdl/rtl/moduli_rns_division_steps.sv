// Control of the inversion by division steps: loads the digits of the operand, performs JUMPS jumps of k steps, and a
// division that makes the cofactor small. The issues in each cycle are the same for every operand.
//
// A jump has JumpCycles issues, by slots from 0 (doc/theory.md has the schedule); slot_q is two cycles ahead:
//   0, 1, 2, 3        new f, new g: entries of the matrix, broadcast, times expansions of the old, plus f + g
//   ReadF, ReadG      their words: the folded values are multiplied once more, and summed; the steps begin
//   NewD, NewE        three issues each: the same with d + e - P/2, and a multiple of P
//   ReadD, ReadE      their words
//   from ExpandF on   expansions of f, d, e, g, times -2^(-k), and the sums d + e - P/2 and f + g
// The first jump loads the digits of the operand before slot 3, and sets f = P, d = 0, e = 2^k after it. After the last
// jump, the matrix is 1, and d is divided once more.

module moduli_rns_division_steps (
  input  logic                                                        clk_i,
  input  logic                                                        rst_ni,
  input  logic                                                        wipe_i,  // forget computed values; in reset
  // an operand is ready; its digits come highest first
  input  logic                                                        load_valid_i,
  input  logic                                                        above_i,  // the operand is not below P
  input  logic                   [      moduli_rns_params_pkg::W-1:0] digit_i,
  output logic                                                        load_ready_o,
  output logic                                                        load_shift_o,
  // to the Rowers; the other control's issue, if it has the Rowers
  input  logic                                                        other_i,
  input  moduli_rns_pkg::issue_t                                      other_issue_i,
  output moduli_rns_pkg::issue_t                                      issue_o,
  output moduli_rns_pkg::jump_t                                       jump_o,
  output logic                   [ moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_o,  // one cycle before the issue
  output logic                   [      moduli_rns_params_pkg::W-1:0] digit_o,  // with the issue
  output logic                                                        write_a_o,
  output logic                   [ moduli_rns_params_pkg::CHUNKS-1:0] write_chunk_o,
  output logic                                                        write_sum_o,
  output logic                   [        moduli_rns_pkg::EntryW-1:0] write_entry_o,
  // from the Cox and the Rowers
  input  logic                   [     moduli_rns_pkg::QuotientW-1:0] quotient_i,
  input  logic [moduli_rns_params_pkg::N*moduli_rns_pkg::WordW-1:0]   words_i,
  input  logic                                                        one_i,  // all digits are those of 1
  input  logic                                                        minus_one_i,
  // a result is handed over: the Rowers' rings take the digits with ring_digit_o
  input  logic                                                        unload_ready_i,
  output logic                                                        ring_digit_o,
  output logic                                                        done_minus_o,
  output logic                                                        done_error_o,  // the result is 0
  output logic                                                        busy_o
`ifdef MODULI_RNS_TRACE
  ,
  output logic                                                        trace_valid_o,  // f, g, d, e are in the registers
  output logic                   [moduli_rns_params_pkg::STEPS_W-1:0] trace_steps_o
`endif
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int FrameW = clog2(LoadFrames);
  localparam int JumpW = $clog2(JUMPS + 1);

  typedef enum logic [1:0] {
    Idle,
    Loading,
    Jumping,
    Dividing
  } state_e;
  state_e state_q;
  logic [FrameW-1:0] frame_q;  // digits left
  logic [SlotW-1:0] slot_q;
  logic [JumpW-1:0] jumps_q;  // jumps left
  logic first_q, last_q;  // before the first jump; after the last
  logic unit_q, minus_q;  // f is 1 or -1; f is -1
  logic divide;
  assign divide = last_q && int'(slot_q) == DivideSlot - 1;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        frame_q <= FrameW'(LoadFrames - 1);
        jumps_q <= JumpW'(JUMPS);
        first_q <= 1'b1;
        last_q  <= 1'b0;
        slot_q  <= SlotW'(3);
        if (load_valid_i) state_q <= Loading;
      end
      Loading: begin
        frame_q <= frame_q - FrameW'(1);
        if (frame_q == '0) state_q <= Jumping;
      end
      Jumping: begin
        slot_q <= slot_q + SlotW'(1);
        if (divide) begin
          // The previous response may still be waiting.
          slot_q <= unload_ready_i ? '0 : slot_q;
          if (unload_ready_i) state_q <= Dividing;
        end else if (int'(slot_q) == JumpCycles - 1) begin
          slot_q  <= '0;
          first_q <= 1'b0;
          jumps_q <= jumps_q - JumpW'(1);
          last_q  <= jumps_q == JumpW'(1);
        end
      end
      Dividing: begin
        slot_q <= slot_q + SlotW'(1);
        if (ring_digit_o) state_q <= Idle;
      end
    endcase
    // The comparison of the new f, which was issued in slot 1. The Rowers register it.
    if (int'(slot_q) == 2 + Ahead + ResultCycles && state_q == Jumping) begin
      unit_q  <= one_i || minus_one_i;
      minus_q <= minus_one_i;
    end
    if (wipe_i) {unit_q, minus_q} <= '0;
    if (!rst_ni) state_q <= Idle;
  end
  assign load_ready_o = state_q == Idle && load_valid_i;
  // One cycle late is early enough, because the loader is not empty when an inversion begins.
  always_ff @(posedge clk_i) busy_o <= state_q != Idle && rst_ni;

  // The next issue, and the use of its result.
  typedef struct packed {
    logic a;
    logic [CHUNKS-1:0] chunk;
    logic sum;
    logic [1:0] vector;
  } write_t;
  typedef struct packed {
    issue_t issue;
    logic [EXT_AW-1:0] multiplier;
    jump_t  jump;
    write_t write;
    // the broadcast value: a term of the matrix, a digit of the operand, 2^k, or 1 (or 0); if none is selected, 0
    term_e  term;
    logic   by_term;
    logic   by_digit;
    logic   by_power;
    logic   by_one;
  } order_t;

  // A constant times the broadcast value, optionally added to the accumulated sums.
  function automatic order_t constant(input logic [EXT_AW-1:0] multiplier, input logic more);
    constant = '0;
    constant.issue.load_b = 1'b1;
    constant.issue.use_b = 1'b1;
    constant.multiplier = multiplier;
    constant.jump.accumulate = more;
  endfunction
  // An entry of a row times an expansion. For f and g, the second product includes an addend.
  function automatic order_t product(input term_e entry, input logic [1:0] vector, input logic more);
    product = constant(EXT_AW'(ExtNone), more);
    product.term = entry;
    product.by_term = 1'b1;
    product.jump.by_vector = 1'b1;
    product.jump.vector = vector;
    product.jump.add = more && !vector[1];
  endfunction
  // A multiple of P for d and e, with an addend.
  function automatic order_t correction(input term_e multiple);
    correction = constant(EXT_AW'(ExtPrimeDivided), 1'b1);
    correction.term = multiple;
    correction.by_term = 1'b1;
    correction.jump.add = 1'b1;
    correction.jump.cofactors = 1'b1;
  endfunction
  // The digit of a vector times a constant.
  function automatic order_t digit(input logic [1:0] vector, input logic [EXT_AW-1:0] multiplier, input logic more);
    digit = '0;
    digit.issue.entry = EntryW'(vector);
    digit.issue.use_a = 1'b1;
    digit.multiplier = multiplier;
    digit.jump.accumulate = more;
    digit.write.vector = vector;
  endfunction

  int slot;
  order_t order, order_q;
  always_comb begin
    slot  = int'(slot_q);
    order = '0;
    unique case (state_q)
      Loading: begin
        order = constant(EXT_AW'(ExtLoad) + EXT_AW'(frame_q), frame_q != FrameW'(LoadFrames - 1));
        order.by_digit = 1'b1;
      end
      Dividing: begin
        if (slot == 0) order = product(EntryU, VectorD, 1'b0);
        if (slot == 1) order = product(EntryV, VectorE, 1'b1);
        if (slot == 2) order = correction(MultipleD);
      end
      Jumping: begin
        if (first_q) begin
          if (slot == 3) order = constant(EXT_AW'(ExtPrime), 1'b1);
          if (slot == 4) order = constant(EXT_AW'(ExtPrimeDivided), 1'b0);
          if (slot == 5 || slot == NewD) order = constant(EXT_AW'(ExtLoad), 1'b0);
          order.by_one = slot == 3 && above_i;
          order.by_power = slot == 4 || slot == NewD;
          order.write.a = slot == 3 || slot == 4 || slot == 5 || slot == NewD;
          order.write.vector = slot == 3 ? VectorG : slot == 4 ? VectorF : slot == 5 ? VectorD : VectorE;
        end else begin
          if (slot == 0) order = product(EntryU, VectorF, 1'b0);
          if (slot == 1) order = product(EntryV, VectorG, 1'b1);
          if (slot == 2) order = product(EntryQ, VectorF, 1'b0);
          if (slot == 3) order = product(EntryR, VectorG, 1'b1);
          if (slot == NewD) order = product(EntryU, VectorD, 1'b0);
          if (slot == NewD + 1) order = product(EntryV, VectorE, 1'b1);
          if (slot == NewD + 2) order = correction(MultipleD);
          if (slot == NewE) order = product(EntryQ, VectorD, 1'b0);
          if (slot == NewE + 1) order = product(EntryR, VectorE, 1'b1);
          if (slot == NewE + 2) order = correction(MultipleE);
          order.write.a = slot == 1 || slot == 3 || slot == NewD + 2 || slot == NewE + 2;
          order.write.vector = slot == 1 ? VectorF : slot == 3 ? VectorG : slot == NewD + 2 ? VectorD : VectorE;
        end
        if (slot == ReadF || slot == ReadG || slot == ReadD || slot == ReadE) begin
          order.jump.read = 1'b1;
          order.multiplier = (slot == ReadF || slot == ReadG) ? EXT_AW'(ExtWord) : EXT_AW'(ExtCofactorWord);
        end
        for (int k = 0; k < CHUNKS; k++) begin
          if (slot == ExpandF + k) order = digit(VectorF, EXT_AW'(ExtPower + k), 1'b0);
          if (slot == ExpandD + k) order = digit(VectorD, EXT_AW'(ExtPower + k), 1'b0);
          if (slot == ExpandE + k) order = digit(VectorE, EXT_AW'(ExtPower + k), 1'b0);
          if (slot == ExpandG + k) order = digit(VectorG, EXT_AW'(ExtPower + k), 1'b0);
          order.write.chunk[k] = slot == ExpandF + k || slot == ExpandD + k || slot == ExpandE + k || slot == ExpandG + k;
        end
        if (slot == AddCofactors) order = digit(VectorD, EXT_AW'(ExtUnit), 1'b0);
        if (slot == AddCofactors + 1) order = digit(VectorE, EXT_AW'(ExtUnit), 1'b1);
        if (slot == AddCofactors + 2) begin
          order = constant(EXT_AW'(ExtHalfPrime), 1'b1);
          order.by_one = 1'b1;
          order.write.vector = VectorD;
        end
        if (slot == AddValues) order = digit(VectorF, EXT_AW'(ExtUnit), 1'b0);
        if (slot == AddValues + 1) order = digit(VectorG, EXT_AW'(ExtUnit), 1'b1);
        order.write.sum = slot == AddCofactors + 2 || slot == AddValues + 1;
      end
      default: ;
    endcase
  end

  // The words and the matrix. The quotient is available two cycles after the issue of a reading.
  logic [WordW-1:0] word;
  logic [WordW:0] entry;
  logic cofactor, load_f, load_g, load_d, load_e;
  always_comb begin
    cofactor = slot == ReadD + 2 + Ahead || slot == ReadE + 2 + Ahead;
    load_f = state_q == Jumping && slot == ReadF + WordCycles + Ahead;
    load_g = state_q == Jumping && slot == ReadG + WordCycles + Ahead;
    load_d = state_q == Jumping && slot == ReadD + WordCycles + Ahead;
    load_e = state_q == Jumping && slot == ReadE + WordCycles + Ahead;
  end
  moduli_rns_words u_words (
    .clk_i,
    .cofactor_i(cofactor),
    .quotient_i,
    .words_i,
    .word_o    (word)
  );
  moduli_rns_matrix u_matrix (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .word_i  (word),
    .first_i (first_q),
    .load_f_i(load_f),
    .load_g_i(load_g),
    .run_i   (!last_q),
    .load_d_i(load_d),
    .load_e_i(load_e),
    .term_i  (order_q.term),
    .term_o  (entry)
  );

  // The order, then the broadcast value and the issue. If the operand has no inverse, the result is set to 0.
  logic [W-1:0] broadcast_q;
  issue_t issue_q;
  jump_t jump_q;
  logic hidden;
  assign hidden = state_q == Dividing && !unit_q;
  always_ff @(posedge clk_i) begin
    order_q <= order;
    if (hidden) {order_q.by_term, order_q.jump.add} <= '0;
    broadcast_q <= '0;
    if (order_q.by_term) broadcast_q <= W'(entry);
    if (order_q.by_digit) broadcast_q <= digit_i;
    if (order_q.by_power) broadcast_q[WordW] <= 1'b1;
    if (order_q.by_one) broadcast_q[0] <= 1'b1;
    if (wipe_i) broadcast_q <= '0;
    issue_q <= order_q.issue;
    jump_q <= order_q.jump;
    // A reset of one cycle is sufficient.
    if (!rst_ni) {order_q.by_digit, order_q.write} <= '0;
  end
  assign load_shift_o = order_q.by_digit;
  assign ext_addr_o = order_q.multiplier;
  assign digit_o = broadcast_q;
  assign issue_o = other_i ? other_issue_i : issue_q;
  assign jump_o  = other_i ? '0 : jump_q;

  // Writes, ResultCycles after the issue.
  write_t write_q[ResultCycles+1];
  always_ff @(posedge clk_i) begin
    write_q[0] <= order_q.write;
    for (int k = 1; k <= ResultCycles; k++) write_q[k] <= write_q[k-1];
    if (!rst_ni) begin
      for (int k = 0; k <= ResultCycles; k++) {write_q[k].a, write_q[k].chunk, write_q[k].sum} <= '0;
    end
  end
  assign write_a_o = write_q[ResultCycles].a;
  assign write_chunk_o = write_q[ResultCycles].chunk;
  assign write_sum_o = write_q[ResultCycles].sum;
  assign write_entry_o = EntryW'(write_q[ResultCycles].vector);
  // The ring takes the result of slot 2; then the inversion is complete.
  always_ff @(posedge clk_i) ring_digit_o <= rst_ni && state_q == Dividing && int'(slot_q) == 1 + Ahead + ResultCycles;
  assign done_minus_o = minus_q;
  assign done_error_o = !unit_q;

`ifdef MODULI_RNS_TRACE
  assign trace_valid_o = state_q == Jumping && slot == ExpandE + 3 + EXTRA_FOLDS;
  assign trace_steps_o = STEPS_W'((JUMPS - int'(jumps_q)) * JUMP_STEPS);
`endif
endmodule
