// A Rower: channel `Channel` of the first base, and of the second if there is one.
//
// Stages, one cycle each; the sequencer provides issue_i in "decide" and knows when each result comes out:
//   decide     fetch both operands of a pair, take the issue
//   add        x = A, B, A + B or a difference (plus 2^W); or, to read a value, what was folded; read the multiplier
//   multiply   tiles; in the meantime the addend is read
//   sum        tile products, or accumulation
//   combine    the addend comes in; the upper part is multiplied by r
//   fold       a value congruent modulo m, below 2^(W+1): the Cox reads it in the next stage
//   cox        (after EXTRA_FOLDS more) the digit below 2^W; residues modulo 3 or 9
//   write      digit to the register files; comparison with 1 and -1

// Synthesis must keep each Rower separate: merged registers of issues and shared parts of the ROMs would be wired
// across the device.
(* keep_hierarchy = "yes" *)
module moduli_rns_rower #(
  parameter int Channel = 0
) (
  input  logic                                                         clk_i,
  // decide
  input  moduli_rns_pkg::issue_t                                       issue_i,
  input  moduli_rns_pkg::product_t                                     product_i,
  input  moduli_rns_pkg::jump_t                                        jump_i,
  input  logic                     [moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_i,  // one cycle before "decide"
  input  logic                     [     moduli_rns_params_pkg::W-1:0] digit_i,
  // add
  input  logic                     [moduli_rns_params_pkg::ADD_AW-1:0] addend_i,
  input  logic                                                         capture_i,  // the ring takes an operand
  input  logic                                                         capture_b_i,  // which operand
  // write
  input  logic                                                         write_a_i,
  input  logic                                                         write_b_i,
  input  logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_a_i,
  input  logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_b_i,
  input  logic                     [moduli_rns_params_pkg::CHUNKS-1:0] write_chunk_i,  // of an expansion, in the entry of file A
  input  logic                                                         write_sum_i,  // an addend, likewise
  input  logic                                                         ring_digit_i,  // the ring takes the digit
  // cox
  output logic                     [         moduli_rns_pkg::TopW-1:0] top_o,
  output logic                     [    moduli_rns_params_pkg::A2-1:0] low_o,
  output logic                     [                              3:0] threes_o,  // registered: one cycle later
  // in the cycle after "combine"
  output logic                     [        moduli_rns_pkg::WordW-1:0] word_o,
  // in the cycle after "write"
  output logic                                                         one_o,
  output logic                                                         minus_one_o,
  // ring
  input  logic                                                         ring_shift_i,
  input  logic                     [     moduli_rns_params_pkg::W-1:0] ring_i,
  output logic                     [     moduli_rns_params_pkg::W-1:0] ring_o
`ifdef MODULI_RNS_TRACE
  ,
  input  logic                     [     moduli_rns_pkg::ContextW-1:0] trace_context_i,
  output logic                     [     moduli_rns_params_pkg::W-1:0] trace_a1_o,
  output logic                     [     moduli_rns_params_pkg::W-1:0] trace_b1_o,
  output logic                     [     moduli_rns_params_pkg::W-1:0] trace_a3_o,
  output logic                     [     moduli_rns_params_pkg::W-1:0] trace_b3_o
`endif
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int R1 = int'(COMPLEMENTS1[Channel*RBITS+:RBITS]);
  localparam int R2 = int'(COMPLEMENTS2[Channel*RBITS+:RBITS]);
  localparam logic [W-1:0] Modulus = MODULI1[Channel*W+:W];
  localparam logic [W-1:0] One = INNER_ONE[Channel*W+:W];
  localparam logic [W-1:0] MinusOne = INNER_MINUS_ONE[Channel*W+:W];

  localparam int AddrAW = clog2(EntriesA);
  localparam int AddrBW = clog2(EntriesB);

  logic [W-1:0] digit;

  // Decide: the register files. Entries are written in "write" and read in the next "decide".
  logic [W-1:0] file_a[EntriesA];
  logic [W-1:0] file_b[EntriesB];
  always_ff @(posedge clk_i) begin
    if (write_a_i) file_a[AddrAW'(write_entry_a_i)] <= digit;
    if (write_b_i) file_b[AddrBW'(write_entry_b_i)] <= digit;
  end

  (* keep *) issue_t issue_q;
  (* keep *) product_t product_q;
  logic [W-1:0] a_q, b_q;
  always_ff @(posedge clk_i) begin
    issue_q <= issue_i;
    product_q <= MULTIPLY != 0 ? product_i : '0;
    a_q <= (MULTIPLY != 0 && issue_i.load_a) ? ring_o : file_a[AddrAW'(issue_i.entry)];
    b_q <= issue_i.load_b ? digit_i : file_b[AddrBW'(issue_i.entry_b)];
  end

  jump_t jump_q;
  if (DivisionSteps) begin : g_jump
    (* keep *) jump_t own_q;
    always_ff @(posedge clk_i) own_q <= jump_i;
    assign jump_q = own_q;
  end else begin : g_no_jump
    assign jump_q = '0;
    logic unused_jump;
    assign unused_jump = ^jump_i;
  end

  // Add. A difference is A + not B + 1 = A - B + 2^W; the addends of differences subtract 2^W.
  logic [W-1:0] left, right;
  logic [W:0] x_q, folded;
  assign left  = (a_q & {W{issue_q.use_a}}) ^ {W{issue_q.invert_a}};
  assign right = (b_q & {W{issue_q.use_b}}) ^ {W{issue_q.invert_b}};
  if (DivisionSteps) begin : g_read
    // Division steps have no differences.
    always_ff @(posedge clk_i) x_q <= {1'b0, a_q & {W{issue_q.use_a}}} + (jump_q.read ? folded : {1'b0, b_q & {W{issue_q.use_b}}});
    logic unused;
    assign unused = ^{left, right};
  end else begin : g_differences
    always_ff @(posedge clk_i) begin
      x_q <= (W + 1)'(left) + (W + 1)'(right) + (W + 1)'(issue_q.invert_a | issue_q.invert_b);
    end
  end

  // The multiplier: from the ROM of divisors, or from the ROM ext, a chunk of B or the expansion of a vector.
  logic [CHUNKS*W-1:0] divisor, expansion;
  (* keep *) logic [CHUNKS*W-1:0] constant_q;
  if (DivisionSteps) begin : g_expansions
    genvar chunk;
    for (chunk = 0; chunk < CHUNKS; chunk++) begin : g_chunk
      logic [W-1:0] file[4];
      always_ff @(posedge clk_i) if (write_chunk_i[chunk]) file[write_entry_a_i[1:0]] <= digit;
      assign expansion[chunk*W+:W] = file[jump_q.vector];
    end
    assign divisor = '0;
  end else begin : g_divisors
    moduli_rns_rom_mul #(
      .Channel(Channel)
    ) u_rom_mul (
      .addr_i(issue_q.multiplier),
      .data_o(divisor)
    );
    assign expansion = '0;
    logic unused_chunk;
    assign unused_chunk = ^write_chunk_i;
  end
  product_t product_2q;
  jump_t jump_2q, jump_3q;
  if (MULTIPLY != 0 || DivisionSteps) begin : g_ext
    logic [CHUNKS*W-1:0] ext, ext_q, chosen;
    moduli_rns_rom_ext #(
      .Channel(Channel)
    ) u_rom_ext (
      .clk_i,
      .addr_i(ext_addr_i),
      .data_o(ext)
    );
    always_comb begin
      chosen = ext_q;
      if (product_q.by_b) begin
        for (int k = 0; k < CHUNKS; k++) begin
          chosen[k*W+:W] = product_q.chunk == $bits(product_q.chunk)'(k) ? b_q : '0;
        end
      end
      if (DivisionSteps) begin
        // The ROM delivers 0 if the multiplier comes from elsewhere.
        for (int k = 0; k < CHUNKS; k++) begin
          chosen[k*W+:W] = ext_q[k*W+:W] | (expansion[k*W+:W] & {W{jump_q.by_vector}})
              | (b_q & {W{product_q.by_b && product_q.chunk == $bits(product_q.chunk)'(k)}});
        end
      end
    end
    always_ff @(posedge clk_i) begin
      ext_q <= ext;
      constant_q <= (DivisionSteps || product_q.active) ? chosen : divisor;
    end
  end else begin : g_no_ext
    always_ff @(posedge clk_i) constant_q <= divisor;
    logic unused_ext;
    assign unused_ext = ^{ext_addr_i, expansion};
  end
  always_ff @(posedge clk_i) begin
    product_2q <= product_q;
    jump_2q <= jump_q;
    jump_3q <= jump_2q;
  end

  // Multiply, sum; the addend.
  logic [Pieces*SumW-1:0] sums;
  moduli_rns_multiply u_multiply (
    .clk_i,
    .x_i(x_q),
    .constant_i(constant_q),
    .accumulate_i(product_2q.accumulate || jump_2q.accumulate),
    .hold_i(product_2q.hold),
    .sums_o(sums)
  );

  logic [W-1:0] addend, fixed, addend_q;
  if (!DivisionSteps || MULTIPLY != 0) begin : g_addends
    (* keep *) logic [ADD_AW-1:0] addend_addr_q;
    always_ff @(posedge clk_i) addend_addr_q <= addend_i;
    moduli_rns_rom_add #(
      .Channel(Channel)
    ) u_rom_add (
      .clk_i,
      .addr_i(addend_addr_q),
      .data_o(fixed)
    );
  end else begin : g_no_addends
    assign fixed = '0;
    logic unused_addend;
    assign unused_addend = ^addend_i;
  end
  if (DivisionSteps) begin : g_sums
    logic [W-1:0] file[2];
    always_ff @(posedge clk_i) if (write_sum_i) file[write_entry_a_i[1]] <= digit;
    assign addend = jump_3q.add ? file[jump_3q.cofactors] : fixed;
  end else begin : g_no_sums
    assign addend = fixed;
    logic unused_sum;
    assign unused_sum = write_sum_i;
  end
  logic [1:0] second_q;
  always_ff @(posedge clk_i) begin
    addend_q <= addend;
    second_q <= {second_q[0], product_2q.second};
  end

  // Combine, fold.
  logic [W-1:0] low;
  moduli_rns_reduce #(
    .R1(R1),
    .R2(R2)
  ) u_reduce (
    .clk_i,
    .second_i(second_q[1]),
    .sums_i  (sums),
    .addend_i(addend_q),
    .wide_o  (folded),
    .digit_o (digit),
    .low_o   (low)
  );
  assign word_o = low[WordW-1:0];

  // The parts of the folded value that the Cox reads.
  assign top_o = folded[W:W-T];
  assign low_o = folded[A2-1:0];
  if (A3 == 1) begin : g_mod3
    logic [1:0] rest;
    moduli_rns_mod3 #(.W(W + 1)) u_mod3 (
      .x_i(folded),
      .r_o(rest)
    );
    // The weight is 1 or 2 modulo 3.
    localparam logic [3:0] Weight = WEIGHTS3[Channel*4+:4];
    always_ff @(posedge clk_i) threes_o <= Weight == 4'd2 ? 4'({rest[0], rest[1]}) : 4'(rest);
  end else if (A3 == 2) begin : g_mod9
    logic [3:0] rest;
    moduli_rns_mod9 #(
      .W(W + 1),
      .Factor(int'(WEIGHTS3[Channel*4+:4]))
    ) u_mod9 (
      .x_i(folded),
      .r_o(rest)
    );
    always_ff @(posedge clk_i) threes_o <= rest;
  end else begin : g_no_threes
    assign threes_o = '0;
  end

  // Write: compares with 1 and -1. Digits need not be below m, so the constant plus m is compared, too.
  function automatic logic is_constant(input logic [W-1:0] value, input logic [W-1:0] constant);
    logic [W:0] above;
    above = (W + 1)'(constant) + (W + 1)'(Modulus);
    is_constant = value == constant || (!above[W] && value == above[W-1:0]);
  endfunction
  always_ff @(posedge clk_i) begin
    one_o <= is_constant(digit, One);
    minus_one_o <= is_constant(digit, MinusOne);
  end

`ifdef MODULI_RNS_TRACE
  if (DivisionSteps) begin : g_trace_jump
    assign {trace_a1_o, trace_b1_o} = {file_a[AddrAW'(VectorD)], file_a[AddrAW'(VectorE)]};
    assign {trace_a3_o, trace_b3_o} = {file_a[AddrAW'(VectorF)], file_a[AddrAW'(VectorG)]};
  end else begin : g_trace
    assign trace_a1_o = file_a[AddrAW'({trace_context_i, 1'b1})];
    assign trace_b1_o = file_b[AddrBW'({trace_context_i, 1'b1})];
    assign trace_a3_o = file_a[AddrAW'({trace_context_i, 1'b0})];
    assign trace_b3_o = file_b[AddrBW'({trace_context_i, 1'b0})];
  end
`endif

  // The ring.
  logic [W-1:0] ring_q;
  always_ff @(posedge clk_i) begin
    if (capture_i) ring_q <= capture_b_i ? b_q : a_q;
    else if (ring_digit_i) ring_q <= digit;
    else if (ring_shift_i) ring_q <= ring_i;
  end
  assign ring_o = ring_q;
endmodule
