// Control of everything made of Montgomery products in both bases: multiplication, exponentiation, inversion by Fermat.
// It has the Rowers to itself.
//
// Operands: file A holds x in entries 0 (first base) and 1 (second, scaled by T'^(-1)), and chunk products behind; file B holds
// copies of x in entries 0 and 1, and a table y_k in entries 2k + 2 and 2k + 3.
//
// A product x*y/M, with t the cycles since it began, C = CHUNKS, R = ReadCycles (from an issue to the next one that can use its
// result), n = N:
//   0       C + C issues   chunk products z_k = x_k*y, first base, then second
//   R       C issues       digits = sum of z_k*(2^(CHUNK_W*k)*reduce_first); into the ring, short quotient
//   R + C   C issues       second base: sum of z_k*(2^(CHUNK_W*k)*reduce_second), left in the accumulators
//   2R+C-1  n + 1 issues   + the ring's digits times `forth`, + quotient times `forth_excess`; result, into the ring, exact quotient
//   3R+C+n-1  n + 1 issues   first base: the ring's digits times `back`, + quotient times `back_excess`; result
//   4R+C+2n-1              end
// A product by a constant y has y*reduce_first and y*reduce_second in the ROM and begins at R + C - 1 with one issue each.
//
// Which products are made never depends on operands, but for what an exponent of OpExponentiate makes be written: there every
// bit costs a square and a product.

module moduli_rns_products
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // the loader has an operand
  input  logic                 load_valid_i,
  input  operation_e           operation_i,
  // operands and result are in Montgomery form; for OpAfter: the operand is an inverse S = (A*M)^(-1), times M^3 is wanted,
  // else two operands are checked, whether their product is 1
  input  logic                 montgomery_i,
  input  logic                 zero_i,        // the operand is 0
  output logic                 load_ready_o,
  output logic                 load_shift_o,
  output logic                 exponent_shift_o,
  input  logic                 exponent_bit_i,
  // to the Rowers and the Cox
  output logic                 active_o,
  output issue_t               issue_o,
  output product_t             product_o,
  output logic [   EXT_AW-1:0] ext_addr_o,
  output logic                 digit_valid_o,  // instead of the loader's digit
  output logic [        W-1:0] digit_o,
  output logic [   ADD_AW-1:0] addend_o,
  output logic                 write_a_o,
  output logic                 write_b_o,
  output logic [   EntryW-1:0] write_entry_a_o,
  output logic [   EntryW-1:0] write_entry_b_o,
  output logic                 ring_digit_o,
  output logic                 ring_shift_o,
  output logic                 short_o,
  input  logic [QuotientW-1:0] quotient_i,
  input  logic                 one_i,
  output logic                 checked_o,
  output logic                 right_o,
  // the result is in the ring from the next cycle on
  input  logic                 unload_ready_i,
  output logic                 done_o,
  output error_e               done_error_o,
  output logic [  STEPS_W-1:0] done_steps_o
);
  localparam int BitW = $clog2(L + 1);
  localparam int FrameW = clog2(LoadFrames + 1);

  typedef enum logic [4:0] {
    Idle,
    LoadOther,  // the second factor
    LoadFirst,
    Enter,  // into Montgomery form
    Multiply,
    Cube,  // times M^3, after an inversion of a Montgomery form
    One,
    Square,  // of an exponentiation
    Times,
    TableSquare,
    TableTimes,
    First,
    Turn,  // read a word of the program
    TurnSquare,
    TurnTimes,
    CheckTimes,
    CheckLeave,
    CheckOne,
    CheckOneMore,
    Restore,
    Leave,  // out of Montgomery form
    Out,
    Finish
  } step_e;
  step_e step_q, next_step;
  work_t work;
  logic begun_q;
  logic [TimeW-1:0] time_q, last_time;
  logic [FrameW-1:0] frame_q;
  logic [BitW-1:0] bit_q;
  logic [7:0] power_q;
  logic [PROGRAM_AW:0] turn_q;
  logic [15:0] squares_q;
  logic montgomery_q, zero_q, one_q;
  operation_e operation_q;
  logic [STEPS_W-1:0] steps_q;
  logic [31:0] word;

  if (VARIANT == 0) begin : g_program
    moduli_rns_rom_program u_program (
      .clk_i,
      .addr_i(turn_q[PROGRAM_AW-1:0]),
      .data_o(word)
    );
  end else begin : g_no_program
    assign word = '0;
  end

  // What a step does.
  logic two_operands;
  assign two_operands = operation_q == OpMultiply || operation_q == OpAfter;
  always_comb begin
    work = '0;
    work.kind = None;
    work.keep_a = 1'b1;
    work.keep_b = 1'b1;
    work.group = step_q == CheckOne ? GROUP_W'(GroupEnter) : GROUP_W'(GroupLeave);
    work.to_ring = step_q == Out;
    unique case (step_q)
      LoadOther: begin
        work.kind   = Load;
        work.target = EntryW'(2);
      end
      LoadFirst: begin
        work.kind   = Load;
        work.keep_b = !two_operands;
        work.target = EntryW'(2);
      end
      Enter: begin
        work.kind = Constant;
        work.keep_b = !two_operands;
        work.target = EntryW'(2);
        work.constant1 = EXT_AW'(4);
        work.constant2 = EXT_AW'(5);
      end
      Multiply: begin
        work.kind = Product;
        work.y_entry = EntryW'(2);
      end
      Cube: begin
        work.kind = Constant;
        work.constant1 = EXT_AW'(ExtCube);
        work.constant2 = EXT_AW'(ExtCube + 1);
      end
      One: begin
        work.kind = Copy;
        work.constant1 = EXT_AW'(8);
        work.constant2 = EXT_AW'(9);
      end
      Square, TurnSquare: work.kind = Product;
      Times: begin
        work.kind = Product;
        work.y_entry = EntryW'(2);
        work.keep_a = exponent_bit_i;
        work.keep_b = exponent_bit_i;
      end
      TableSquare: begin
        work.kind = Product;
        work.y_entry = EntryW'(2);
      end
      TableTimes: begin
        work.kind = Product;
        work.y_entry = power_q == 8'd1 ? EntryW'(2) : '0;
        work.target = EntryW'(2 * (int'(power_q) + 1));
      end
      First: begin
        work.kind = Copy;
        work.from_b = 1'b1;
        work.y_entry = EntryW'(2 * (FIRST_POWER + 1));
        work.constant1 = EXT_AW'(1);
        work.constant2 = EXT_AW'(1);
      end
      TurnTimes: begin
        work.kind = Product;
        work.y_entry = EntryW'(2 * (int'(word[23:16]) + 1));
      end
      CheckTimes: begin
        work.kind = Product;
        work.y_entry = EntryW'(2);
        work.keep_b = 1'b0;
      end
      CheckLeave: begin
        work.kind = Constant;
        work.keep_b = 1'b0;
        work.constant1 = EXT_AW'(6);
        work.constant2 = EXT_AW'(7);
      end
      CheckOne, CheckOneMore: work.kind = Inner;
      Restore: begin
        work.kind = Copy;
        work.from_b = 1'b1;
        work.constant1 = EXT_AW'(1);
        work.constant2 = EXT_AW'(1);
      end
      Leave: begin
        work.kind = Constant;
        work.constant1 = EXT_AW'(6);
        work.constant2 = EXT_AW'(7);
      end
      Out: work.kind = Inner;
      default: ;
    endcase
  end

  // Time within a step. Loads wait for their operand, the way out for the unloader.
  logic ready, finished;
  always_comb begin
    unique case (work.kind)
      Product, Constant: last_time = TimeW'(EndTime - 1);
      Inner: last_time = TimeW'(ReadCycles + 2);  // the comparison is known
      default: last_time = TimeW'(ReadCycles - 1);
    endcase
  end
  assign ready = work.kind == Load ? load_valid_i || begun_q : step_q == Out ? unload_ready_i || begun_q : work.kind != None;
  assign finished = ready && time_q == last_time && (work.kind != Load || frame_q == FrameW'(LoadFrames - 1));

  // What follows when the first operand is there.
  step_e entered;
  assign entered = two_operands ? Multiply : operation_q == OpExponentiate ? One : TableSquare;
  always_comb begin
    next_step = step_q;
    unique case (step_q)
      Idle: if (load_valid_i) next_step = operation_i == OpMultiply || (operation_i == OpAfter && !montgomery_i) ? LoadOther : LoadFirst;
      LoadOther: if (finished) next_step = LoadFirst;
      LoadFirst:
      if (finished) begin
        if (!montgomery_q) next_step = Enter;
        else next_step = operation_q == OpAfter ? Cube : entered;
      end
      Enter: if (finished) next_step = entered;
      Multiply: if (finished) next_step = operation_q == OpAfter ? CheckOne : Out;
      Cube: if (finished) next_step = Out;
      One: if (finished) next_step = Square;
      Square: if (finished) next_step = Times;
      Times: if (finished) next_step = bit_q == BitW'(L - 1) ? (montgomery_q ? Out : Leave) : Square;
      TableSquare:
      if (ODD_POWERS <= 1) next_step = First;
      else if (finished) next_step = TableTimes;
      TableTimes: if (finished && power_q == 8'(ODD_POWERS - 1)) next_step = First;
      First: if (finished) next_step = TURNS == 0 ? CheckTimes : Turn;
      Turn: if (begun_q) next_step = word[15:0] != '0 ? TurnSquare : TurnTimes;
      TurnSquare:
      if (finished && squares_q == 16'd1) next_step = word[24] ? TurnTimes : CheckTimes;
      TurnTimes: if (finished) next_step = turn_q == (PROGRAM_AW + 1)'(TURNS - 1) ? CheckTimes : Turn;
      CheckTimes: if (finished) next_step = CheckLeave;
      CheckLeave: if (finished) next_step = CheckOne;
      CheckOne: if (finished) next_step = CheckOneMore;
      CheckOneMore: if (finished) next_step = operation_q == OpAfter ? Finish : Restore;
      Restore: if (finished) next_step = montgomery_q ? Out : Leave;
      Leave: if (finished) next_step = Out;
      Out: if (finished) next_step = Finish;
      Finish: next_step = Idle;
      default: next_step = Idle;
    endcase
  end

  logic next_constant;
  assign next_constant = next_step == Enter || next_step == Cube || next_step == CheckLeave || next_step == Leave;
  always_ff @(posedge clk_i) begin
    step_q  <= next_step;
    begun_q <= ready || (step_q == Turn && !begun_q);
    if (finished || step_q == Idle) begun_q <= 1'b0;
    if (next_step != step_q) begun_q <= 1'b0;
    // A product by a constant begins in the middle.
    if (next_step != step_q || finished) time_q <= next_constant ? TimeW'(SecondTime - 1) : '0;
    else if (ready) time_q <= time_q == last_time ? '0 : time_q + TimeW'(1);
    if (work.kind != Load || finished) frame_q <= '0;
    else if (ready && time_q == last_time) frame_q <= frame_q + FrameW'(1);

    if (step_q == Idle) begin
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
    if (finished) begin
      if (step_q == Times) bit_q <= bit_q + BitW'(1);
      if (step_q == TableTimes) power_q <= power_q + 8'd1;
      if (step_q == TurnSquare) squares_q <= squares_q - 16'd1;
      if (step_q == TurnTimes) turn_q <= turn_q + (PROGRAM_AW + 1)'(1);
      if (step_q inside {Multiply, Square, Times, TableSquare, TableTimes, TurnSquare, TurnTimes}) begin
        steps_q <= steps_q + STEPS_W'(1);
      end
      // The comparison belongs to the digits of this step.
      if (step_q == CheckOne || step_q == CheckOneMore) one_q <= one_q || one_i;
    end
    if (!rst_ni) step_q <= Idle;
  end

  assign load_ready_o = work.kind == Load && load_valid_i && !begun_q;
  assign exponent_shift_o = step_q == Times && finished;

  moduli_rns_product_issues u_issues (
    .clk_i,
    .rst_ni,
    .valid_i(ready),
    .work_i (work),
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
  assign active_o = step_q != Idle;
  assign checked_o = step_q == Finish && operation_q == OpAfter && !montgomery_q;
  assign right_o = one_q;

  // The ring takes the digits in the last cycle of Out.
  always_ff @(posedge clk_i) begin
    done_o <= step_q == Out && finished;
    done_steps_o <= steps_q;
    if (operation_q != OpInvert || one_q) done_error_o <= ErrorNone;
    else done_error_o <= zero_q ? ErrorNotInvertible : ErrorCheck;
    if (!rst_ni) done_o <= 1'b0;
  end
endmodule
