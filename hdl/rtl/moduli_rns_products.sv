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
  localparam int ReadCycles = ResultCycles + 1;
  localparam int Reduce = ReadCycles;
  localparam int Second = Reduce + CHUNKS;
  localparam int Forth = Reduce + CHUNKS - 1 + ReadCycles;
  localparam int Back = Forth + N + ReadCycles;
  localparam int End = Back + N + ReadCycles;
  localparam int TimeW = $clog2(End + 1);
  // The ROM ext.
  localparam int ExtReduce1 = 10;
  localparam int ExtReduce2 = 10 + CHUNKS;
  localparam int ExtForth = 10 + 2 * CHUNKS;
  localparam int ExtBack = ExtForth + N + 1;
  localparam int ExtCube = ExtBack + N + 1;
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
  typedef enum logic [2:0] {
    None,
    Load,
    Copy,  // one issue in either base
    Product,
    Constant,
    Inner  // the inner form, into the ring
  } kind_e;

  step_e step_q, next_step;
  kind_e kind;
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
  logic [EntryW-1:0] y_entry, target;
  logic keep_a, keep_b;  // write the result to file A, to file B
  logic [EXT_AW-1:0] constant1, constant2;
  logic from_b, two_operands;
  assign two_operands = operation_q == OpMultiply || operation_q == OpAfter;
  always_comb begin
    kind = None;
    y_entry = '0;
    target = '0;
    keep_a = 1'b1;
    keep_b = 1'b1;
    constant1 = '0;
    constant2 = '0;
    from_b = 1'b0;
    unique case (step_q)
      LoadOther: begin
        kind   = Load;
        target = EntryW'(2);
      end
      LoadFirst: begin
        kind   = Load;
        keep_b = !two_operands;
        target = EntryW'(2);
      end
      Enter: begin
        kind = Constant;
        keep_b = !two_operands;
        target = EntryW'(2);
        constant1 = EXT_AW'(4);
        constant2 = EXT_AW'(5);
      end
      Multiply: begin
        kind = Product;
        y_entry = EntryW'(2);
      end
      Cube: begin
        kind = Constant;
        constant1 = EXT_AW'(ExtCube);
        constant2 = EXT_AW'(ExtCube + 1);
      end
      One: begin
        kind = Copy;
        constant1 = EXT_AW'(8);
        constant2 = EXT_AW'(9);
      end
      Square, TurnSquare: kind = Product;
      Times: begin
        kind = Product;
        y_entry = EntryW'(2);
        keep_a = exponent_bit_i;
        keep_b = exponent_bit_i;
      end
      TableSquare: begin
        kind = Product;
        y_entry = EntryW'(2);
      end
      TableTimes: begin
        kind = Product;
        y_entry = power_q == 8'd1 ? EntryW'(2) : '0;
        target = EntryW'(2 * (int'(power_q) + 1));
      end
      First: begin
        kind = Copy;
        from_b = 1'b1;
        y_entry = EntryW'(2 * (FIRST_POWER + 1));
        constant1 = EXT_AW'(1);
        constant2 = EXT_AW'(1);
      end
      TurnTimes: begin
        kind = Product;
        y_entry = EntryW'(2 * (int'(word[23:16]) + 1));
      end
      CheckTimes: begin
        kind = Product;
        y_entry = EntryW'(2);
        keep_b = 1'b0;
      end
      CheckLeave: begin
        kind = Constant;
        keep_b = 1'b0;
        constant1 = EXT_AW'(6);
        constant2 = EXT_AW'(7);
      end
      CheckOne, CheckOneMore: kind = Inner;
      Restore: begin
        kind = Copy;
        from_b = 1'b1;
        constant1 = EXT_AW'(1);
        constant2 = EXT_AW'(1);
      end
      Leave: begin
        kind = Constant;
        constant1 = EXT_AW'(6);
        constant2 = EXT_AW'(7);
      end
      Out: kind = Inner;
      default: ;
    endcase
  end

  // Time within a step. Loads wait for their operand, the way out for the unloader.
  logic ready, finished;
  always_comb begin
    unique case (kind)
      Product, Constant: last_time = TimeW'(End - 1);
      Inner: last_time = TimeW'(ReadCycles + 1);  // the comparison is known
      default: last_time = TimeW'(ReadCycles - 1);
    endcase
  end
  assign ready = kind == Load ? load_valid_i || begun_q : step_q == Out ? unload_ready_i || begun_q : kind != None;
  assign finished = ready && time_q == last_time && (kind != Load || frame_q == FrameW'(LoadFrames - 1));

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
    if (next_step != step_q || finished) time_q <= next_constant ? TimeW'(Second - 1) : '0;
    else if (ready) time_q <= time_q == last_time ? '0 : time_q + TimeW'(1);
    if (kind != Load || finished) frame_q <= '0;
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

  assign load_ready_o = kind == Load && load_valid_i && !begun_q;
  assign exponent_shift_o = step_q == Times && finished;

  // Issues, one cycle ahead: the address of the ROM ext goes out now, all else is registered.
  issue_t issue;
  product_t product;
  typedef struct packed {
    logic write_a;
    logic write_b;
    logic [EntryW-1:0] entry_a;
    logic [EntryW-1:0] entry_b;
    logic ring;
    logic brief;  // the short quotient
  } result_t;
  result_t result;
  result_t result_q[ResultCycles+1];
  logic shift_loader, shift_ring, digit_valid, digit_one;
  logic [GROUP_W-1:0] group;
  int at;
  always_comb begin
    issue = '0;
    product = '0;
    product.active = 1'b1;
    product.hold = 1'b1;
    result = '0;
    ext_addr_o = '0;
    shift_loader = 1'b0;
    shift_ring = 1'b0;
    digit_valid = 1'b0;
    digit_one = 1'b0;
    group = GROUP_W'(GroupZero);
    at = int'(time_q);
    if (ready) begin
      unique case (kind)
        Load:
        if (at < 2) begin
          product.hold = 1'b0;
          product.second = at == 1;
          issue.entry = EntryW'(at);
          issue.use_a = frame_q != '0;
          issue.load_b = 1'b1;
          issue.use_b = 1'b1;
          if (frame_q == FrameW'(LoadFrames - 1)) ext_addr_o = at == 1 ? EXT_AW'(3) : EXT_AW'(1);
          else ext_addr_o = at == 1 ? EXT_AW'(2) : EXT_AW'(0);
          result.write_a = 1'b1;
          result.write_b = keep_b;
          result.entry_a = EntryW'(at);
          result.entry_b = target + EntryW'(at);
          shift_loader = at == 1;
        end
        Copy:
        if (at < 2) begin
          product.hold = 1'b0;
          product.second = at == 1;
          issue.entry_b = y_entry + EntryW'(at);
          issue.use_b = 1'b1;
          issue.load_b = !from_b;
          digit_valid = !from_b;
          digit_one = !from_b;
          ext_addr_o = at == 1 ? constant2 : constant1;
          result.write_a = 1'b1;
          result.write_b = 1'b1;
          result.entry_a = EntryW'(at);
          result.entry_b = EntryW'(at);
        end
        Product, Constant: begin
          if (at < 2 * CHUNKS) begin
            product.hold = 1'b0;
            product.by_b = 1'b1;
            product.second = at >= CHUNKS;
            product.chunk = $bits(product.chunk)'(at >= CHUNKS ? at - CHUNKS : at);
            issue.entry = EntryW'(at >= CHUNKS ? 1 : 0);
            issue.entry_b = y_entry + EntryW'(at >= CHUNKS ? 1 : 0);
            issue.use_a = 1'b1;
            result.write_a = 1'b1;
            result.entry_a = EntryW'(at >= CHUNKS ? 2 * (at - CHUNKS) + 3 : 2 * at + 2);
          end else if (at >= Reduce && at < Second) begin
            product.hold = 1'b0;
            product.accumulate = kind == Product && at != Reduce;
            issue.entry = kind == Constant ? '0 : EntryW'(2 * (at - Reduce) + 2);
            issue.use_a = 1'b1;
            ext_addr_o = kind == Constant ? constant1 : EXT_AW'(ExtReduce1 + at - Reduce);
            result.ring = at == Second - 1;
            result.brief = 1'b1;
          end else if (at >= Second && at < Second + CHUNKS) begin
            product.hold = kind == Constant && at != Second;
            product.accumulate = at != Second;
            product.second = 1'b1;
            issue.entry = kind == Constant ? EntryW'(1) : EntryW'(2 * (at - Second) + 3);
            issue.use_a = 1'b1;
            ext_addr_o = kind == Constant ? constant2 : EXT_AW'(ExtReduce2 + at - Second);
          end else if (at >= Forth && at <= Forth + N) begin
            product.hold = 1'b0;
            product.accumulate = 1'b1;
            product.second = 1'b1;
            issue.load_a = 1'b1;
            issue.use_a = at != Forth + N;
            shift_ring = at != Forth + N;
            ext_addr_o = EXT_AW'(ExtForth + at - Forth);
            if (at == Forth + N) begin
              issue.load_b = 1'b1;
              issue.use_b = 1'b1;
              digit_valid = 1'b1;
              result.write_a = keep_a;
              result.write_b = keep_b;
              result.entry_a = EntryW'(1);
              result.entry_b = target + EntryW'(1);
              result.ring = 1'b1;
            end
          end else if (at >= Back && at <= Back + N) begin
            product.hold = 1'b0;
            product.accumulate = at != Back;
            issue.load_a = 1'b1;
            issue.use_a = at != Back + N;
            shift_ring = at != Back + N;
            ext_addr_o = EXT_AW'(ExtBack + at - Back);
            if (at == Back + N) begin
              issue.load_b = 1'b1;
              issue.use_b = 1'b1;
              digit_valid = 1'b1;
              result.write_a = keep_a;
              result.write_b = keep_b;
              result.entry_b = target;
            end
          end
        end
        Inner:
        if (at == 0) begin
          product.active = 1'b0;
          product.hold = 1'b0;
          issue.use_a = 1'b1;
          issue.multiplier = MUL_AW'(1);
          group = step_q == CheckOne ? GROUP_W'(GroupEnter) : GROUP_W'(GroupLeave);
          result.ring = step_q == Out;
        end
        default: ;
      endcase
    end
  end

  logic [GROUP_W-1:0] group_q, group_2q;
  logic digit_one_q;
  logic [QuotientW-1:0] quotient_q;
  always_ff @(posedge clk_i) begin
    issue_o <= issue;
    product_o <= product;
    load_shift_o <= shift_loader;
    ring_shift_o <= shift_ring;
    digit_valid_o <= digit_valid;
    digit_one_q <= digit_one;
    group_q <= group;
    group_2q <= group_q;
    result_q[0] <= result;
    for (int k = 1; k <= ResultCycles; k++) result_q[k] <= result_q[k-1];
    if (ring_digit_o) quotient_q <= quotient_i;
    if (!rst_ni) begin
      load_shift_o <= 1'b0;
      for (int k = 0; k <= ResultCycles; k++) {result_q[k].write_a, result_q[k].write_b, result_q[k].ring} <= '0;
    end
  end
  assign digit_o = digit_one_q ? W'(1) : W'(quotient_q);
  always_comb begin
    addend_o = '0;
    for (int g = 0; g < 3; g++) if (group_2q == GROUP_W'(g)) addend_o = GROUP_BASE[g*ADD_AW+:ADD_AW];
  end
  assign write_a_o = result_q[ResultCycles].write_a;
  assign write_b_o = result_q[ResultCycles].write_b;
  assign write_entry_a_o = result_q[ResultCycles].entry_a;
  assign write_entry_b_o = result_q[ResultCycles].entry_b;
  assign ring_digit_o = result_q[ResultCycles].ring;
  assign short_o = result_q[ResultCycles-1].brief;
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
