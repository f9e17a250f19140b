// The sequencer of programs over resident residues: one word from the memory per cycle, which controls the Rowers.
//
// The current word is in a register behind the memory. It determines the next address at once, so a branch is taken
// after the next word. Issues, their times and branches do not depend on operands, with one exception: the scalar's bit
// selects which register of a pair is read or written, and a random bit selects the places of both.

module moduli_rns_resident_sequencer #(
  parameter bit Twin = 0  // without a memory: it gets the words of another sequencer, to be compared with it
) (
  input  logic                                                              clk_i,
  input  logic                                                              rst_ni,
  input  logic                                                              wipe_i,  // zeros are issued
  input  logic                                                              start_i,
  input  logic                 [     moduli_rns_params_pkg::WORDS_AW-1:0] address_i,  // of the first word
  output logic                                                              running_o,
  // loader and scalar
  output logic                                                              take_operand_o,
  output logic                                                              take_random_o,
  output logic                                                              take_places_o,
  input  logic                                                              placing_i,  // they are being drawn
  input  logic                                                              places_i,
  output logic                                                              take_scalar_o,
  output logic                                                              completed_o,
  output logic                                                              inverse_o,
  input  logic                                                              loaded_i,
  output logic                                                              load_accept_o,
  output logic                                                              load_shift_o,
  input  logic                                                              scalar_done_i,
  input  logic                                                              bit_i,
  output logic                                                              next_bit_o,
  // Rowers and Cox
  output moduli_rns_pkg::issue_t                                            issue_o,
  output moduli_rns_pkg::product_t                                          product_o,
  output logic                 [         moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_o,
  output logic                                                              digit_valid_o,  // instead of the loader's digit
  output logic                 [              moduli_rns_params_pkg::W-1:0] digit_o,
  output logic                 [         moduli_rns_params_pkg::ADD_AW-1:0] addend_o,
  output logic                                                              capture_o,
  output logic                                                              write_o,
  output logic                 [                moduli_rns_pkg::EntryW-1:0] write_entry_o,
  output logic                                                              write_b_o,
  output logic                                                              ring_digit_o,
  output logic                                                              ring_shift_o,
  output logic                                                              short_o,
  input  logic                 [             moduli_rns_pkg::QuotientW-1:0] quotient_i,
  // unloader
  input  logic                                                              unload_free_i,
  input  logic                                                              unloaded_i,
  output logic                                                              unload_o,
  output logic                                                              judge_o,  // the value must be 0, and does not leave the core
  // for a guard: the word from the memory, and all actions of this cycle
  input  logic                 [       moduli_rns_params_pkg::WORD_W-1:0] data_i,
  output logic                 [       moduli_rns_params_pkg::WORD_W-1:0] data_o,
  output moduli_rns_resident_pkg::said_t                                    said_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
  import moduli_rns_resident_pkg::*;

  // The word of this cycle. While no word is read, the memory receives the first address of the program to start.
  logic fetching_q, running_q;  // the memory delivers a word; a word is present
  logic branch;
  logic [WORDS_AW-1:0] address, next, next_q;
  logic [WORD_W-1:0] data;
  word_t word;
  assign next = fetching_q ? next_q : address_i;
  assign address = branch ? WORDS_AW'(word.argument) : next;
  if (Twin) begin : g_twin
    assign data = data_i;
    logic unused_address;
    assign unused_address = ^address;
  end else begin : g_memory
    moduli_rns_rom_words u_words (
      .clk_i,
      .addr_i(address),
      .data_o(data)
    );
    logic unused_data;
    assign unused_data = ^data_i;
  end
  assign data_o = data;

  // The iterations of a loop that are left, minus 1; negative if there are none.
  logic [ARGUMENT_W:0] count_q, count;
  logic counts, again, unloading_q;
  assign counts = word.control == ControlCount;
  assign again = !count_q[ARGUMENT_W];
  assign count = (counts ? {1'b0, word.argument} : count_q) - (ARGUMENT_W + 1)'(1);
  always_comb begin
    unique case (word.control)
      ControlRepeat: branch = again;
      ControlAwaitOperand: branch = !loaded_i;
      ControlAwaitPlaces: branch = placing_i;
      ControlAwaitScalar: branch = !scalar_done_i;
      ControlAwaitUnloader: branch = !unload_free_i;
      ControlAwaitResult: branch = unloading_q;
      default: branch = 1'b0;
    endcase
  end
  logic [1:0] unload_q;
  always_ff @(posedge clk_i) begin
    // Adds before the selection, because branch is available late.
    next_q <= branch ? WORDS_AW'(word.argument) + WORDS_AW'(1) : next + WORDS_AW'(1);
    if (counts || (word.control == ControlRepeat && again)) count_q <= count;
    // When the result of the issue two words earlier is in the ring.
    unload_q <= {unload_q[0], word.control == ControlUnload};
    if (word.control == ControlUnload) unloading_q <= 1'b1;
    else if (unloaded_i) unloading_q <= 1'b0;
    if (start_i) fetching_q <= 1'b1;
    else if (word.control == ControlFinish) fetching_q <= 1'b0;
    running_q <= fetching_q;
    word <= word_t'(data[$bits(word_t)-1:0]);
    if (!rst_ni) {fetching_q, running_q, unloading_q, unload_q} <= '0;
    if (!rst_ni || !fetching_q) word <= '0;
  end
  assign running_o = fetching_q;
  assign unload_o = unload_q[1];
  if (CHECK != 0) begin : g_check
    logic [1:0] judge_q;
    always_ff @(posedge clk_i) judge_q <= {judge_q[0], word.argument[0]};
    assign judge_o = judge_q[1];
  end else begin : g_no_check
    assign judge_o = 1'b0;
  end
  assign take_operand_o = word.control == ControlTakeOperand;
  assign take_random_o = word.control == ControlTakeRandom;
  assign take_places_o = word.control == ControlTakePlaces;
  assign take_scalar_o = word.control == ControlTakeScalar || completed_o || inverse_o;
  assign completed_o = word.control == ControlTakeCompleted;
  assign inverse_o = word.control == ControlTakeInverse;
  assign load_accept_o = word.control == ControlAwaitOperand && loaded_i;
  assign next_bit_o = word.next_bit;

  // The issue. The address of the ROM ext is output one cycle before it.
  issue_t issue, issue_q;
  product_t product, product_q;
  always_comb begin
    issue = '0;
    issue.entry = EntryW'(meant(word.a, bit_i, places_i));
    issue.entry_b = EntryW'(meant(word.b, bit_i, places_i));
    issue.use_a = word.use_a || word.ring;
    issue.load_a = word.ring;
    issue.use_b = word.use_b || word.from != FromNothing;
    issue.load_b = word.from != FromNothing;
    issue.invert_b = word.minus;
    issue.multiplier = MUL_AW'(word.inner);
    product = '0;
    product.active = !word.inner;
    product.by_b = word.by_b;
    product.chunk = word.chunk;
    product.accumulate = word.accumulate;
    product.hold = !word.works;
    product.second = word.second;
    // A chunk product uses B only as the multiplier.
    if (word.by_b) issue.use_b = 1'b0;
  end

  typedef struct packed {
    logic write;
    logic [RESIDENT_EW-1:0] entry;
    logic ring;
    logic brief;
    logic keep;
    logic [QUOTIENT_AW-1:0] quotient;
  } result_t;
  result_t result, result_q[ResultCycles+2];
  assign result = '{
      write: word.write,
      entry: meant(word.to, bit_i, places_i),
      ring: word.to_ring,
      brief: word.brief,
      keep: word.keep,
      quotient: word.quotient
  };

  logic [ADD_AW-1:0] addend_q[2];
  logic [1:0] ring_shift_q, load_shift_q;
  logic [2:0] capture_q;
  from_e from_q, from_2q;
  logic [QUOTIENT_AW-1:0] used_q;
  logic [QuotientW-1:0] quotients_q[QUOTIENTS];
  logic [QuotientW-1:0] quotient_q;
  always_ff @(posedge clk_i) begin
    ext_addr_o <= word.ext;
    issue_q <= issue;
    issue_o <= issue_q;
    product_q <= product;
    product_o <= product_q;
    if (wipe_i) begin
      issue_o   <= '0;
      product_o <= '0;
    end
    addend_q[0] <= running_q ? word.addend : GROUP_BASE[GroupZero*ADD_AW+:ADD_AW];
    addend_q[1] <= addend_q[0];
    addend_o <= addend_q[1];
    ring_shift_q <= {ring_shift_q[0], word.ring};
    load_shift_q <= {load_shift_q[0], word.next_digit};
    capture_q <= {capture_q[1:0], word.fetch};
    from_q <= word.from;
    from_2q <= from_q;
    used_q <= word.quotient;
    quotient_q <= quotients_q[used_q];
    result_q[0] <= result;
    for (int k = 1; k <= ResultCycles + 1; k++) result_q[k] <= result_q[k-1];
    if (result_q[ResultCycles+1].keep) quotients_q[result_q[ResultCycles+1].quotient] <= quotient_i;
    if (!rst_ni) begin
      for (int k = 0; k < QUOTIENTS; k++) quotients_q[k] <= '0;
      {ring_shift_q, load_shift_q, capture_q} <= '0;
      for (int k = 0; k <= ResultCycles + 1; k++) {result_q[k].write, result_q[k].ring, result_q[k].keep} <= '0;
    end
  end
  assign ring_shift_o = ring_shift_q[1];
  assign load_shift_o = load_shift_q[1];
  assign capture_o = capture_q[2];
  assign digit_valid_o = from_2q != FromLoader;
  assign digit_o = from_2q == FromOne ? W'(1) : W'(quotient_q);
  assign write_o = result_q[ResultCycles+1].write;
  assign write_entry_o = EntryW'(result_q[ResultCycles+1].entry);
  // File B has no temporary entries.
  assign write_b_o = write_o && int'(result_q[ResultCycles+1].entry) < RESIDENT_B;
  assign ring_digit_o = result_q[ResultCycles+1].ring;
  assign short_o = result_q[ResultCycles].brief;

  assign said_o = '{
      next: next_q,
      running: running_o,
      take_operand: take_operand_o,
      take_random: take_random_o,
      take_places: take_places_o,
      take_scalar: take_scalar_o,
      completed: completed_o,
      inverse: inverse_o,
      load_accept: load_accept_o,
      load_shift: load_shift_o,
      next_bit: next_bit_o,
      issue: issue_o,
      product: product_o,
      ext_addr: ext_addr_o,
      digit_valid: digit_valid_o,
      digit: digit_o,
      addend: addend_o,
      capture: capture_o,
      write: write_o,
      write_entry: write_entry_o,
      write_b: write_b_o,
      ring_digit: ring_digit_o,
      ring_shift: ring_shift_o,
      short_quotient: short_o,
      unload: unload_o,
      judge: judge_o
  };
endmodule
