// Control of all operations that consist of Montgomery products in both bases: multiplication, exponentiation and
// inversion by Fermat. While it works, it has exclusive use of the Rowers.
//
// Operands: file A holds x in entries 0 (first base) and 1 (second base, scaled by T'^(-1)), followed by chunk
// products. File B holds copies of x in entries 0 and 1, and a table y_k in entries 2k + 2 and 2k + 3.
//
// A product x*y/M, where t is the cycles since its beginning, C = CHUNKS, R = ReadCycles (from an issue to the next one
// that can use its result), n = N:
//   0       C + C issues   chunk products z_k = x_k*y, first base, then second
//   R       C issues       digits = sum of z_k*(2^(CHUNK_W*k)*reduce_first); into the ring, short quotient
//   R + C   C issues       second base: sum of z_k*(2^(CHUNK_W*k)*reduce_second), left in the accumulators
//   2R+C-1  n + 1 issues   + the ring's digits times `forth`, + quotient times `forth_excess`; result, into the ring, exact quotient
//   3R+C+n-1  n + 1 issues   first base: the ring's digits times `back`, + quotient times `back_excess`; result
//   4R+C+2n-1              end
// A product by a constant y has y*reduce_first and y*reduce_second in the ROM and begins at R + C - 1 with one issue each.
//
// The sequence of products never depends on operands. Only the writes of OpExponentiate depend on the exponent: every
// bit costs a square and a product.

module moduli_rns_products #(
  parameter bit Twin = 0  // only the control, to be compared with another one by state_o
) (
  input  logic                                                            clk_i,
  input  logic                                                            rst_ni,
  // the loader has an operand
  input  logic                                                            load_valid_i,
  input  moduli_rns_pkg::operation_e                                      operation_i,
  // operands and result are in Montgomery form. After an inversion by steps: for OpAfter, the operand is an inverse
  // S = (A*M)^(-1), to be multiplied by M^3; for OpInvert, the product of two operands is compared with 1 in their form
  input  logic                                                            montgomery_i,
  input  logic                                                            zero_i,  // the operand is 0
  output logic                                                            load_ready_o,
  output logic                                                            load_shift_o,
  output logic                                                            exponent_shift_o,
  input  logic                                                            exponent_bit_i,
  // to the Rowers and the Cox
  output logic                                                            active_o,
  output moduli_rns_pkg::issue_t                                          issue_o,
  output moduli_rns_pkg::product_t                                        product_o,
  output logic                       [ moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_o,
  output logic                                                            digit_valid_o,  // instead of the loader's digit
  output logic                       [      moduli_rns_params_pkg::W-1:0] digit_o,
  output logic                       [ moduli_rns_params_pkg::ADD_AW-1:0] addend_o,
  output logic                                                            write_a_o,
  output logic                                                            write_b_o,
  output logic                       [        moduli_rns_pkg::EntryW-1:0] write_entry_a_o,
  output logic                       [        moduli_rns_pkg::EntryW-1:0] write_entry_b_o,
  output logic                                                            ring_digit_o,
  output logic                                                            ring_shift_o,
  output logic                                                            short_o,
  input  logic                       [     moduli_rns_pkg::QuotientW-1:0] quotient_i,
  input  logic                                                            one_i,
  output logic                                                            checked_o,
  output logic                                                            right_o,
  // the result is in the ring from the next cycle on
  input  logic                                                            unload_ready_i,
  output logic                                                            done_o,
  output moduli_rns_pkg::error_e                                          done_error_o,
  output logic                       [moduli_rns_params_pkg::STEPS_W-1:0] done_steps_o,
  // for a guard
  input  logic                       [                              31:0] word_i,  // the word of the program, for a twin
  output logic                       [                              31:0] word_o,
  output moduli_rns_pkg::steps_t                                          state_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int BitW = $clog2(L + 1);
  localparam int FrameW = clog2(LoadFrames + 1);

  typedef enum logic [4:0] {
    Idle,
    LoadOther,  // the second factor
    LoadFirst,
    Enter,  // to Montgomery form
    Multiply,
    Cube,  // times M^3, after an inversion of a Montgomery form
    One,
    Square,  // of an exponentiation
    Times,
    TableSquare,
    TableTimes,
    First,
    Turn,  // reads a word of the program
    TurnSquare,
    TurnTimes,
    CheckTimes,
    CheckLeave,
    CheckOne,
    CheckOneMore,
    Restore,
    Leave,  // from Montgomery form
    Out,
    Finish
  } step_e;
  // The current step, and the next one, which is determined while the current one runs: every step takes a few cycles.
  step_e step_q, next_step, next_q;
  work_t work_q, next_work, next_work_q;
  logic begun_q, wrap_q, last_frame_q;
  logic [TimeW-1:0] time_q;
  logic [FrameW-1:0] frame_q;
  logic [BitW-1:0] bit_q;
  logic [7:0] power_q;
  logic [PROGRAM_AW:0] turn_q;
  logic [15:0] squares_q;
  logic montgomery_q, zero_q, one_q;
  operation_e operation_q;
  logic [STEPS_W-1:0] steps_q;
  logic [31:0] word;

  if (Twin) begin : g_twin_program
    assign word = word_i;
  end else if (VARIANT == 0) begin : g_program
    moduli_rns_rom_program u_program (
      .clk_i,
      .addr_i(turn_q[PROGRAM_AW-1:0]),
      .data_o(word)
    );
  end else begin : g_no_program
    assign word = '0;
  end

  // The work item of the next step.
  logic checks, two_operands;
  assign checks = VARIANT != 0 && operation_q == OpInvert;
  assign two_operands = operation_q == OpMultiply || checks;
  always_comb begin
    next_work = '0;
    next_work.kind = Pause;
    next_work.keep_a = 1'b1;
    next_work.keep_b = 1'b1;
    next_work.group = next_q == CheckOne ? GROUP_W'(GroupEnter) : GROUP_W'(GroupLeave);
    next_work.to_ring = next_q == Out;
    unique case (next_q)
      LoadOther: begin
        next_work.kind   = Load;
        next_work.target = EntryW'(2);
      end
      LoadFirst: begin
        next_work.kind   = Load;
        next_work.keep_b = !two_operands;
        next_work.target = EntryW'(2);
      end
      Enter: begin
        next_work.kind = Constant;
        next_work.keep_b = !two_operands;
        next_work.target = EntryW'(2);
        next_work.constant1 = EXT_AW'(4);
        next_work.constant2 = EXT_AW'(5);
      end
      Multiply: begin
        next_work.kind = Product;
        next_work.y_entry = EntryW'(2);
      end
      Cube: begin
        next_work.kind = Constant;
        next_work.constant1 = EXT_AW'(ExtCube);
        next_work.constant2 = EXT_AW'(ExtCube + 1);
      end
      One: begin
        next_work.kind = Copy;
        next_work.constant1 = EXT_AW'(8);
        next_work.constant2 = EXT_AW'(9);
      end
      Square, TurnSquare: next_work.kind = Product;
      Times: begin
        next_work.kind = Product;
        next_work.y_entry = EntryW'(2);
        next_work.keep_a = exponent_bit_i;
        next_work.keep_b = exponent_bit_i;
      end
      TableSquare: begin
        next_work.kind = Product;
        next_work.y_entry = EntryW'(2);
      end
      TableTimes: begin
        next_work.kind = Product;
        next_work.y_entry = power_q == 8'd1 ? EntryW'(2) : '0;
        next_work.target = EntryW'(2 * (int'(power_q) + 1));
      end
      First: begin
        next_work.kind = Copy;
        next_work.from_b = 1'b1;
        next_work.y_entry = EntryW'(2 * (FIRST_POWER + 1));
        next_work.constant1 = EXT_AW'(1);
        next_work.constant2 = EXT_AW'(1);
      end
      TurnTimes: begin
        next_work.kind = Product;
        next_work.y_entry = EntryW'(2 * (int'(word[23:16]) + 1));
      end
      CheckTimes: begin
        next_work.kind = Product;
        next_work.y_entry = EntryW'(2);
        next_work.keep_b = 1'b0;
      end
      CheckLeave: begin
        next_work.kind = Constant;
        next_work.keep_b = 1'b0;
        next_work.constant1 = EXT_AW'(6);
        next_work.constant2 = EXT_AW'(7);
      end
      CheckOne, CheckOneMore: next_work.kind = Inner;
      Restore: begin
        next_work.kind = Copy;
        next_work.from_b = 1'b1;
        next_work.constant1 = EXT_AW'(1);
        next_work.constant2 = EXT_AW'(1);
      end
      Leave: begin
        next_work.kind = Constant;
        next_work.constant1 = EXT_AW'(6);
        next_work.constant2 = EXT_AW'(7);
      end
      Out: next_work.kind = Inner;
      default: ;
    endcase
    unique case (next_work.kind)
      Product, Constant: next_work.last = TimeW'(EndTime - 1);
      Inner: next_work.last = TimeW'(ReadCycles + 3);  // until the comparison is known
      Pause: next_work.last = TimeW'(4);
      default: next_work.last = TimeW'(ReadCycles - 1);
    endcase
    // A product by a constant begins in the middle.
    if (next_work.kind == Constant) next_work.start = TimeW'(SecondTime - 1);
  end

  // Loads wait for their operand; the output step waits for the unloader.
  logic ready, finished;
  always_comb begin
    ready = 1'b1;
    if (!begun_q && (work_q.kind == Load || step_q == Idle)) ready = load_valid_i;
    if (!begun_q && work_q.to_ring) ready = unload_ready_i;
  end
  assign finished = wrap_q && last_frame_q;

  // The step after the first operand is loaded.
  step_e entered;
  assign entered = two_operands ? Multiply : operation_q == OpExponentiate ? One : ODD_POWERS > 1 ? TableSquare : First;
  always_comb begin
    next_step = step_q;
    unique case (step_q)
      Idle: next_step = two_operands ? LoadOther : LoadFirst;
      LoadOther: next_step = LoadFirst;
      LoadFirst: next_step = !montgomery_q ? Enter : operation_q == OpAfter ? Cube : entered;
      Enter: next_step = entered;
      Multiply: next_step = !checks ? Out : montgomery_q ? CheckLeave : CheckOne;
      Cube: next_step = Out;
      One: next_step = Square;
      Square: next_step = Times;
      Times: next_step = bit_q == BitW'(L - 1) ? (montgomery_q ? Out : Leave) : Square;
      TableSquare: next_step = TableTimes;
      TableTimes: if (power_q == 8'(ODD_POWERS)) next_step = First;
      First: next_step = TURNS == 0 ? CheckTimes : Turn;
      Turn: next_step = word[15:0] != '0 ? TurnSquare : TurnTimes;
      TurnSquare: if (squares_q == 16'd1) next_step = word[24] ? TurnTimes : CheckTimes;
      TurnTimes: next_step = turn_q == (PROGRAM_AW + 1)'(TURNS - 1) ? CheckTimes : Turn;
      CheckTimes: next_step = CheckLeave;
      CheckLeave: next_step = CheckOne;
      CheckOne: next_step = CheckOneMore;
      CheckOneMore: next_step = checks ? Finish : Restore;
      Restore: next_step = montgomery_q ? Out : Leave;
      Leave: next_step = Out;
      Out: next_step = Finish;
      Finish: next_step = Idle;
      default: next_step = Idle;
    endcase
  end

  // Whether the step is a product that is counted; those of the check are not.
  logic counted;
  always_comb begin
    unique case (step_q)
      Multiply, Square, Times, TableSquare, TableTimes, TurnSquare, TurnTimes: counted = 1'b1;
      default: counted = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    next_q <= next_step;
    next_work_q <= next_work;
    begun_q <= ready && !finished;
    wrap_q <= ready && time_q == work_q.last - TimeW'(1);
    last_frame_q <= work_q.kind != Load || frame_q == FrameW'(LoadFrames - 1);
    if (finished) begin
      step_q <= next_q;
      work_q <= next_work_q;
      time_q <= next_work_q.start;
      frame_q <= '0;
    end else if (wrap_q) begin
      time_q  <= '0;
      frame_q <= frame_q + FrameW'(1);
    end else if (ready) begin
      time_q <= time_q + TimeW'(1);
    end

    if (step_q == Idle) begin
      // Stored when the operand comes, and constant from then on.
      operation_q <= operation_i;
      montgomery_q <= montgomery_i;
      zero_q <= zero_i;
      steps_q <= '0;
      bit_q <= '0;
      power_q <= 8'd1;
      turn_q <= '0;
      one_q <= 1'b0;
    end
    if (step_q == Turn) squares_q <= word[15:0];
    // The power that the next product of the table computes.
    if (step_q == TableTimes && time_q == TimeW'(1)) power_q <= power_q + 8'd1;
    if (finished) begin
      if (step_q == Times) bit_q <= bit_q + BitW'(1);
      if (step_q == TurnSquare) squares_q <= squares_q - 16'd1;
      if (step_q == TurnTimes) turn_q <= turn_q + (PROGRAM_AW + 1)'(1);
      if (counted) steps_q <= steps_q + STEPS_W'(1);
      // The comparison is that of the digits of this step.
      if (step_q == CheckOne || step_q == CheckOneMore) one_q <= one_q || one_i;
    end
    if (!rst_ni) begin
      step_q <= Idle;
      work_q <= '0;  // Pause; the old value may have depended on a bit of an exponent
      work_q.last <= TimeW'(4);
      time_q <= '0;
      frame_q <= '0;
      wrap_q <= 1'b0;
      begun_q <= 1'b0;
    end
  end

  assign load_ready_o = work_q.kind == Load && load_valid_i && !begun_q;
  assign exponent_shift_o = step_q == Times && finished;

  if (GUARD != 0) begin : g_state
    assign state_o = '{
        work: work_q,
        moment: time_q,
        ready: ready,
        first: frame_q == '0,
        last: frame_q == FrameW'(LoadFrames - 1),
        active: active_o,
        load_ready: load_ready_o,
        exponent_shift: exponent_shift_o,
        turn: step_q == Turn ? turn_q : '0,
        done: done_o,
        error: done_o ? done_error_o : ErrorNone
    };
    assign word_o = word;
  end else begin : g_no_state
    assign state_o = '0;
    assign word_o  = '0;
  end

  if (!Twin) begin : g_issues
    moduli_rns_product_issues u_issues (
      .clk_i,
      .rst_ni,
      .valid_i(ready),
      .work_i (work_q),
      .time_i (time_q),
      .first_i(frame_q == '0),
      .last_i (frame_q == FrameW'(LoadFrames - 1)),
      .load_shift_o,
      .issue_o,
      .product_o,
      .ext_addr_o,
      .digit_valid_o,
      .digit_o,
      .addend_o,
      .write_a_o,
      .write_b_o,
      .write_entry_a_o,
      .write_entry_b_o,
      .ring_digit_o,
      .ring_shift_o,
      .short_o,
      .quotient_i
    );
    logic unused_word;
    assign unused_word = ^word_i;
  end else begin : g_no_issues
    assign {load_shift_o, issue_o, product_o, ext_addr_o, digit_valid_o, digit_o, addend_o} = '0;
    assign {write_a_o, write_b_o, write_entry_a_o, write_entry_b_o, ring_digit_o, ring_shift_o, short_o} = '0;
    logic unused_quotient;
    assign unused_quotient = ^quotient_i;
  end
  assign active_o = step_q != Idle;

  // The ring takes the digits in the last cycle of Out.
  always_ff @(posedge clk_i) begin
    done_o <= step_q == Out && finished;
    checked_o <= CHECK != 0 && step_q == Finish && finished && checks;
    right_o <= one_q;
    done_steps_o <= steps_q;
    if (operation_q != OpInvert || one_q) done_error_o <= ErrorNone;
    else done_error_o <= zero_q ? ErrorNotInvertible : ErrorCheck;
    if (!rst_ni) {done_o, checked_o} <= '0;
  end
endmodule
