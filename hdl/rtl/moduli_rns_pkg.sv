// Widths, latencies and bounds that follow from the generated parameters. See doc/theory.md.

package moduli_rns_pkg;
  import moduli_rns_params_pkg::*;

  function automatic int clog2(input int value);
    clog2 = value <= 2 ? 1 : $clog2(value);
  endfunction

  // The number of ones among three bits, and among six. Each output bit is a function of six bits, where adders would
  // be mapped to carry chains.
  function automatic logic [1:0] ones3(input logic [2:0] b);
    ones3 = {(b[0] & b[1]) | (b[0] & b[2]) | (b[1] & b[2]), ^b};
  endfunction

  function automatic logic [2:0] ones6(input logic [5:0] b);
    logic [1:0] p;
    logic [1:0] q;
    logic carry;
    p = ones3(b[2:0]);
    q = ones3(b[5:3]);
    carry = p[0] & q[0];
    ones6 = {(p[1] & q[1]) | (p[1] & carry) | (q[1] & carry), p[1] ^ q[1] ^ carry, p[0] ^ q[0]};
  endfunction

  // Cycles from the issue for V3 to the next one of the same inversion: decide, add, multiply, sum, combine, fold, the
  // further folds of narrow shapes, and the Cox.
  // The latency of the Cox, and the cycles of a step. Contexts that need one more slot lengthen the step by a cycle.
  parameter int CoxLatency = A3 == 2 ? 3 : 2;
  parameter int LeastCycles = 6 + EXTRA_FOLDS + (VARIANT == 3 ? 3 : 2);
  parameter int StepCycles = 2 * CONTEXTS > LeastCycles ? 2 * CONTEXTS : LeastCycles;
  parameter int CoxStages = StepCycles - 6 - EXTRA_FOLDS;
  parameter int PhaseW = $clog2(StepCycles);
  // From the issue to the cycle in which the result is in the result register, before it is written.
  parameter int ResultCycles = 7 + EXTRA_FOLDS;

  // A multiplier constant is split into pieces for the tiles: the top one, of at most 18 bits, ends at bit W.
  parameter int TileW = 18;
  parameter int Pieces = (W + TileW - 1) / TileW;
  parameter int TopPieceW = W < TileW ? W : TileW;
  // The first pieces share the remaining bits.
  parameter int LowW = Pieces > 1 ? (W - TopPieceW + Pieces - 2) / (Pieces - 1) : 1;

  // Inversion by division steps, which has its own control, files and unit.
  parameter bit DivisionSteps = VARIANT == 4;
  // Inverses by steps are multiplied by their operands before they leave the core.
  parameter bit Checks = CHECK != 0 && VARIANT != 0 && MULTIPLY != 0;
  // A word has k bits: of a value, or of an entry of a jump's matrix without the sign.
  parameter int WordW = JUMP_STEPS > 0 ? JUMP_STEPS : 1;

  // The number of products that are summed before a reduction.
  parameter int Issues = MULTIPLY != 0 ? N + CHUNKS + 1 : !DivisionSteps ? 1 : N < 2 ? 3 : N + 1;
  parameter int SumGrowth = Issues * CHUNKS > 1 ? $clog2(Issues * CHUNKS) : 0;
  parameter int SumW = CHUNK_W + TopPieceW + SumGrowth;

  // Contexts: an entry of the register files holds one pair (V, U) of one context, V3/U3 at 2·context, V1/U1 behind it.
  // Products use entries of their own: x, the table of y, and the chunk products, in both bases.
  parameter int ContextW = clog2(CONTEXTS);
  // Division steps: f, g, d, e in file A.
  parameter int PairEntries = DivisionSteps ? 4 : 2 * CONTEXTS;
  parameter int ProductEntries = MULTIPLY != 0 ? 2 + 2 * CHUNKS : 0;
  parameter int TableEntries = MULTIPLY != 0 ? 2 + 2 * (ODD_POWERS > 1 ? ODD_POWERS : 1) : 0;
  // Programs over resident residues have entries for all registers, and entries in file A for chunk products.
  parameter int OwnEntriesA = PairEntries > ProductEntries ? PairEntries : ProductEntries;
  parameter int OwnEntriesB = PairEntries > TableEntries ? PairEntries : TableEntries;
  parameter int EntriesA = OwnEntriesA > RESIDENT_A ? OwnEntriesA : RESIDENT_A;
  parameter int EntriesB = OwnEntriesB > RESIDENT_B ? OwnEntriesB : RESIDENT_B;
  parameter int Entries = EntriesA > EntriesB ? EntriesA : EntriesB;
  parameter int EntryW = clog2(Entries);

  // The Cox: quotients are below 2^QuotientW. A top is one bit longer than T, because digits may reach 2^W.
  parameter int TopW = T + 1;
  parameter int QuotientW = $clog2(2 * N + 2);

  // Counts the digits of an operand, plus one.
  parameter int DigitW = clog2(N + 1);
  // The frames to load an inversion: one per digit, with three constants in parallel.
  parameter int LoadFrames = N < 3 ? 3 : N;

  // P modulo 2^W - 1.
  function automatic logic [W-1:0] sum_of_digits(input logic [N*W-1:0] value);
    int k;
    logic [W:0] sum;
    sum = '0;
    for (k = 0; k < N; k++) begin
      sum = {1'b0, sum[W-1:0]} + {1'b0, value[k*W+:W]} + (W + 1)'(sum[W]);
    end
    sum_of_digits = sum[W-1:0] + W'(sum[W]);
  endfunction
  parameter logic [W-1:0] PrimeResidue = sum_of_digits((N * W)'(PRIME));

  typedef logic [159:0] bound_t;

  // The largest value before the last, conditional fold.
  function automatic bound_t fold_bound();
    int i, k;
    bound_t bound, top, largest;
    top = (bound_t'(1) << W) - 1;
    largest = 0;
    for (i = 0; i < N; i++) begin
      if (bound_t'(COMPLEMENTS1[i*RBITS+:RBITS]) > largest) largest = bound_t'(COMPLEMENTS1[i*RBITS+:RBITS]);
      if (bound_t'(COMPLEMENTS2[i*RBITS+:RBITS]) > largest) largest = bound_t'(COMPLEMENTS2[i*RBITS+:RBITS]);
    end
    bound = bound_t'(Issues * CHUNKS) * ((bound_t'(1) << CHUNK_W) - 1) * top + top;
    for (k = 0; k <= EXTRA_FOLDS; k++) bound = top + (bound >> W) * largest;
    fold_bound = bound;
  endfunction

  parameter bound_t FoldBound = fold_bound();
  // The number of low bits that the last fold changes: FoldBound - 2^W + r is below 2^ShortW, and ShortW <= W.
  parameter int ShortBits = $clog2(FoldBound - (bound_t'(1) << W) + (bound_t'(1) << RBITS) + 1);
  parameter int ShortW = ShortBits > W ? W : ShortBits;

  // The bits of the upper sum above W are folded by a tile, and by a small table for bits beyond the tile. The rest of
  // a product, and the addend, are folded by a table.
  parameter int HighW = CHUNK_W + SumGrowth;
  parameter int HighTileW = HighW > TileW ? TileW : HighW;
  parameter int ExcessW = HighW > TileW ? HighW - TileW : 1;
  parameter int RestW = $clog2((bound_t'(Issues * CHUNKS) << (CHUNK_W + W - TopPieceW)) + (bound_t'(2) << W));
  parameter int CarryW = RestW - W;
  // The width after the first fold, before further ones.
  parameter int FoldedW = EXTRA_FOLDS == 0 ? W + 1 :
      $clog2((bound_t'(1) << W) + ((bound_t'(Issues * CHUNKS) << CHUNK_W) + 2) * (bound_t'(1) << RBITS));

  // Groups of addends, in the order of the ROM.
  parameter int GroupZero = 0;
  parameter int GroupEnter = 1;
  parameter int GroupLeave = 2;
  parameter int GroupOne = 3;
  parameter int GroupPrime = 4;

  // The operation of a Rower in an issue. The fields are used one stage after the other.
  typedef struct packed {
    logic [EntryW-1:0] entry;  // from which operand A is read
    logic [EntryW-1:0] entry_b;
    logic load_b;  // operand B is the broadcast digit
    logic load_a;  // operand A is the ring's digit
    logic use_a;
    logic invert_a;
    logic use_b;
    logic invert_b;
    logic [MUL_AW-1:0] multiplier;
  } issue_t;

  // The same for products; all zero in inversions.
  typedef struct packed {
    logic active;  // the multiplier is not the ROM of divisors
    logic by_b;  // the multiplier is a chunk of operand B, else a constant of the ROM ext
    logic [$clog2(CHUNKS+1)-1:0] chunk;
    logic accumulate;  // add to the existing sums
    logic hold;  // the sums do not change
    logic second;  // modulo m'
  } product_t;

  // The vectors, and their entries in the files of digits and of expansions. Sums have one entry for two of them.
  parameter logic [1:0] VectorF = 2'd0;
  parameter logic [1:0] VectorG = 2'd1;
  parameter logic [1:0] VectorD = 2'd2;
  parameter logic [1:0] VectorE = 2'd3;

  // The schedule of a jump, in issues from its first: see doc/theory.md.
  parameter int TreeStages = N < 9 ? 2 : N < 27 ? 3 : N < 81 ? 4 : 6;
  parameter int ReadF = 6 + EXTRA_FOLDS;
  parameter int ReadG = 8 + EXTRA_FOLDS;
  parameter int NewD = 9 + EXTRA_FOLDS;
  parameter int NewE = 12 + EXTRA_FOLDS;
  parameter int ReadD = NewD + 7 + EXTRA_FOLDS;
  parameter int ReadE = NewE + 7 + EXTRA_FOLDS;
  parameter int ExpandF = ReadE + 1;
  parameter int ExpandD = ExpandF + CHUNKS;
  parameter int ExpandE = ExpandD + CHUNKS;
  parameter int AddCofactors = ExpandE + CHUNKS;
  parameter int ExpandG = AddCofactors + 3;
  parameter int AddValues = ExpandG + CHUNKS;
  // From the issue of a reading to the cycle in which the word is complete.
  parameter int WordCycles = 4 + TreeStages;
  parameter int Lag = ReadE - ReadG;
  // The cycles in which the matrix is complete, and in which the sums can be used.
  parameter int StepsEnd = ReadG + WordCycles + 2 + JUMP_STEPS;
  parameter int IssuesEnd = AddValues + 5 + EXTRA_FOLDS;
  parameter int JumpCycles = StepsEnd > IssuesEnd ? StepsEnd : IssuesEnd;
  // After the last jump: the slot in which the expansions of d and e, and their sum, can be used.
  parameter int DivideSlot = AddCofactors + 5 + EXTRA_FOLDS;
  parameter int SlotW = $clog2(JumpCycles);
  // How many cycles the control is ahead of the issues.
  parameter int Ahead = 2;

  // The operation of a Rower for a jump, in addition to an issue; all zero otherwise.
  typedef struct packed {
    logic read;  // the multiplicand is the last folded value
    logic by_vector;  // the multiplier is the expansion of a vector
    logic [1:0] vector;
    logic accumulate;  // add to the existing sums
    logic add;  // the addend is the sum of two vectors
    logic cofactors;  // which sum: d + e - P/2
  } jump_t;

  // The values that are broadcast to the Rowers.
  typedef enum logic [2:0] {
    EntryU,
    EntryV,
    EntryQ,
    EntryR,
    MultipleD,
    MultipleE
  } term_e;

  // Times within a product, see moduli_rns_products.
  parameter int ReadCycles = ResultCycles + 1;
  parameter int ReduceTime = ReadCycles;
  parameter int SecondTime = ReduceTime + CHUNKS;
  parameter int ForthTime = ReduceTime + CHUNKS - 1 + ReadCycles;
  parameter int BackTime = ForthTime + N + ReadCycles;
  parameter int EndTime = BackTime + N + ReadCycles;
  parameter int TimeW = $clog2(EndTime + 1);
  // Addresses in the ROM ext.
  parameter int ExtLastDigit = 3;  // of an operand, in the second base
  parameter int ExtReduce1 = 10;
  parameter int ExtReduce2 = 10 + CHUNKS;
  parameter int ExtForth = 10 + 2 * CHUNKS;
  parameter int ExtBack = ExtForth + N + 1;
  parameter int ExtCube = ExtBack + N + 1;
  // The same for division steps.
  parameter int ExtPrime = MULTIPLY != 0 ? ExtCube + 2 : 0;  // -P
  parameter int ExtLoad = ExtPrime + 1;  // 2^(W*j)
  parameter int ExtPower = ExtLoad + N;  // -2^(CHUNK_W*i - k)
  parameter int ExtPrimeDivided = ExtPower + CHUNKS;  // P/2^k
  parameter int ExtHalfPrime = ExtPrimeDivided + 1;  // -P/2
  parameter int ExtUnit = ExtPrimeDivided + 2;  // 1, for a digit
  parameter int ExtWord = ExtPrimeDivided + 3;  // |M_i| modulo 2^k
  parameter int ExtCofactorWord = ExtPrimeDivided + 4;  // the same times -1/P
  // The address if the multiplier comes from elsewhere; for division steps, it holds 0.
  parameter int ExtNone = DivisionSteps ? ExtPrimeDivided + 5 : 0;

  // A work item for the control of products.
  typedef enum logic [2:0] {
    Pause,  // nothing
    Load,  // digits of an operand, by Horner's rule in both bases
    Copy,  // one issue in either base
    Product,
    Constant,  // a product by a constant
    Inner  // the inner form, into the ring
  } kind_e;
  typedef struct packed {
    kind_e kind;
    logic [EntryW-1:0] y_entry;  // second factor, or the entry to copy
    logic [EntryW-1:0] target;  // entry of the result in file B; in file A it is x
    logic keep_a;  // write the result to file A, to file B
    logic keep_b;
    logic [EXT_AW-1:0] constant1;  // in the ROM ext, for each base
    logic [EXT_AW-1:0] constant2;
    logic from_b;  // copy an entry of file B, not the digit 1
    logic [GROUP_W-1:0] group;  // addend of the inner form
    logic to_ring;
    logic [TimeW-1:0] last;  // the time of the last cycle
    logic [TimeW-1:0] start;
  } work_t;

  // The actions of the control of products in a cycle. With a guard, those of a twin must be the same.
  typedef struct packed {
    work_t work;
    logic [TimeW-1:0] moment;
    logic ready;
    logic first;
    logic last;
    logic active;
    logic load_ready;
    logic exponent_shift;
    logic [PROGRAM_AW:0] turn;
    logic done;
    logic [1:0] error;
  } steps_t;

  typedef enum logic [1:0] {
    OpMultiply = 2'd0,
    OpExponentiate = 2'd1,
    OpInvert = 2'd2,  // in moduli_rns_products: Fermat's method, or the check of an inverse by steps
    OpAfter = 2'd3  // internal: the operation after an inversion by steps
  } operation_e;
  // The value 3 in a request. Internally, it is a product, an inversion and a product.
  parameter logic [1:0] AskBlinded = 2'd3;

  typedef enum logic [1:0] {
    ErrorNone = 2'd0,
    ErrorNotInvertible = 2'd1,
    ErrorCheck = 2'd2,
    ErrorUnsupported = 2'd3
  } error_e;

  // The operand in the loader, and its operation.
  typedef struct packed {
    logic valid;
    logic zero;
    logic above;  // it is not below P: only for division steps
    logic by_steps;
    operation_e operation;
    logic montgomery;
    logic exponent_bit;
    logic alone;  // an inversion that has exclusive use of the core
    logic checking;
    // for a guard: a second copy of the operation
    operation_e operation_again;
    logic montgomery_again;
  } load_t;

  // The orders to the Rowers in a cycle.
  typedef struct packed {
    issue_t issue;
    product_t product;
    product_t channel_product;  // for the redundant channel, which has a switch of its own
    jump_t jump;
    logic [EXT_AW-1:0] ext_addr;
    logic [W-1:0] digit;
    logic [ADD_AW-1:0] addend;
    logic capture;
    logic capture_b;
    logic write_a;
    logic write_b;
    logic [EntryW-1:0] entry_a;
    logic [EntryW-1:0] entry_b;
    logic [CHUNKS-1:0] chunk;
    logic sum;
    logic ring_digit;
    logic ring_shift;
    logic short_quotient;
    logic reduced;
  } orders_t;

  // What has ended: an inversion by steps, whose result is negated if `minus`, or products.
  typedef struct packed {
    logic inverted;
    logic minus;
    logic not_invertible;
    logic [ContextW-1:0] slot;
    logic [STEPS_W-1:0] inversion_steps;
    logic products;
    error_e error;
    logic [STEPS_W-1:0] products_steps;
    logic checked;
    logic right;
  } ended_t;
endpackage
