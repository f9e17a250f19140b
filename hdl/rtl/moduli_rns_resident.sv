// A Cox-Rower core that runs programs over resident residues. Operands enter as ordinary integers, stay residues
// between instructions, and leave as integers.
//
//   start     the program to run; taken when the previous one is done
//   operand   the next operand that the program requests, below 2^L, or below 2^SCALAR_BITS for a scalar
//   random    the next 32 random bits, which the program requests when it needs a random number
//   result    the next result, in [0, P); 0 with an error if a random number was 0 modulo P, a check failed, or a guard
//             detected a fault
//
// All four are valid/ready handshakes: once valid is high, it and the payload do not change until ready is high.
// clear_i drops the program and wipes all registers. With ClearAfter, they are also wiped after every program.

module moduli_rns_resident #(
  parameter bit ClearAfter = 0
) (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic                                        start_valid_i,
  output logic                                        start_ready_o,
  input  logic [moduli_rns_params_pkg::PROGRAM_W-1:0] start_program_i,
  input  logic                                        operand_valid_i,
  output logic                                        operand_ready_o,
  input  logic [moduli_rns_params_pkg::OPERAND_W-1:0] operand_i,
  input  logic                                        random_valid_i,
  output logic                                        random_ready_o,
  input  logic [                                31:0] random_i,
  output logic                                        result_valid_o,
  input  logic                                        result_ready_i,
  output logic [        moduli_rns_params_pkg::L-1:0] result_o,
  output logic                                        result_error_o,
  input  logic                                        clear_i,
  output logic                                        busy_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
  import moduli_rns_resident_pkg::*;

  logic rst_n, clear, clearing, used, working, wipe;
  logic [EntryW-1:0] wipe_entry;
  // From a register, so a cycle late. Outputs are withheld during this cycle.
  always_ff @(posedge clk_i) rst_n <= rst_ni && !clearing && !clear;

  // The program.
  logic running, start;
  logic [WORDS_AW-1:0] address;
  logic [CountW-1:0] checks, results;
  logic [PatienceW-1:0] patience;
  always_comb begin
    {address, checks, results, patience} = '0;
    for (int k = 0; k < RESIDENT; k++) begin
      if (start_program_i == PROGRAM_W'(k)) begin
        address  = PROGRAM_STARTS[k*WORDS_AW+:WORDS_AW];
        checks   = PROGRAM_CHECKS[k*CountW+:CountW];
        results  = PROGRAM_RESULTS[k*CountW+:CountW];
        patience = PROGRAM_PATIENCE[k*PatienceW+:PatienceW];
      end
    end
  end
  logic take_random, take_places, placing_q, places_q;
  logic take_operand, take_scalar, completed, inverse, loaded, load_accept, load_shift, scalar_done, scalar_bit, next_bit;
  issue_t issue;
  product_t product;
  logic [EXT_AW-1:0] ext_addr;
  logic digit_valid, capture, write, write_b, ring_digit, ring_shift, short_quotient, unload_free, unloaded, unload, judge;
  logic [W-1:0] digit, loader_digit;
  logic [ADD_AW-1:0] addend;
  logic [EntryW-1:0] write_entry;
  logic [QuotientW-1:0] quotient;
  // For a guard.
  said_t said;
  logic [WORD_W-1:0] word;
  logic settled, guard_fault, owing, guard_clear;
  assign start_ready_o = !running && unload_free && !used && settled && !guard_fault && rst_n && rst_ni;
  assign start = start_valid_i && start_ready_o;
  moduli_rns_resident_sequencer u_sequencer (
    .clk_i,
    .rst_ni        (rst_n),
    .wipe_i        (clearing),
    .start_i       (start),
    .address_i     (address),
    .running_o     (running),
    .take_operand_o(take_operand),
    .take_random_o (take_random),
    .take_places_o (take_places),
    .placing_i     (placing_q),
    .places_i      (places_q),
    .take_scalar_o (take_scalar),
    .completed_o   (completed),
    .inverse_o     (inverse),
    .loaded_i      (loaded),
    .load_accept_o (load_accept),
    .load_shift_o  (load_shift),
    .scalar_done_i (scalar_done),
    .bit_i         (scalar_bit),
    .next_bit_o    (next_bit),
    .issue_o       (issue),
    .product_o     (product),
    .ext_addr_o    (ext_addr),
    .digit_valid_o (digit_valid),
    .digit_o       (digit),
    .addend_o      (addend),
    .capture_o     (capture),
    .write_o       (write),
    .write_entry_o (write_entry),
    .write_b_o     (write_b),
    .ring_digit_o  (ring_digit),
    .ring_shift_o  (ring_shift),
    .short_o       (short_quotient),
    .quotient_i    (quotient),
    .unload_free_i (unload_free),
    .unloaded_i    (unloaded),
    .unload_o      (unload),
    .judge_o       (judge),
    .data_i        ('0),
    .data_o        (word),
    .said_o        (said)
  );

  // Operands go to the loader or to the scalar, as the program requests. The loader collects the words of a random
  // number, the lowest first. Of the word for the places of pairs, only the lowest bit is used.
  localparam int Words = (L + 31) / 32;
  localparam int LeftW = clog2(Words + 1);
  logic wanted_q, drawing_q, drawn_q, load_ready, load_valid, scalar_ready, unused_above;
  logic [LeftW-1:0] left_q;
  logic [L-1:0] held, load_data;
  always_ff @(posedge clk_i) begin
    if (take_operand) wanted_q <= 1'b1;
    else if (operand_valid_i && load_ready) wanted_q <= 1'b0;
    if (take_random) begin
      drawing_q <= 1'b1;
      left_q <= LeftW'(Words - 1);
    end else if (random_valid_i && load_ready && drawing_q) begin
      if (left_q == '0) drawing_q <= 1'b0;
      left_q <= left_q - LeftW'(1);
    end
    if (take_operand || take_random) drawn_q <= take_random;
    if (take_places) placing_q <= 1'b1;
    else if (random_valid_i) placing_q <= 1'b0;
    if (placing_q) places_q <= random_i[0];
    if (!rst_n) {wanted_q, drawing_q, placing_q, places_q} <= '0;
  end
  // After a fault and the last result, no operand is taken, because it would belong to the next program.
  assign operand_ready_o = ((wanted_q && load_ready) || scalar_ready) && !guard_clear && rst_n && rst_ni;
  assign random_ready_o = ((drawing_q && load_ready) || placing_q) && !guard_clear && rst_n && rst_ni;
  always_comb begin
    load_valid = wanted_q && operand_valid_i;
    load_data  = operand_i[L-1:0];
    if (drawing_q) begin
      load_valid = random_valid_i && left_q == '0;
      load_data  = random_valid_i ? L'({random_i, held} >> 32) : held;
    end
  end

  // If a random number is 0, the values that depend on it are not results.
  logic accepted_q, zero, fault_q;
  always_ff @(posedge clk_i) begin
    accepted_q <= load_accept && drawn_q;
    if (accepted_q && zero) fault_q <= 1'b1;
    if (!rst_n || start) {accepted_q, fault_q} <= '0;
  end
  logic unused_first, unused_second;
  logic [W-1:0] unused_low;
  moduli_rns_loader u_loader (
    .clk_i,
    .rst_ni  (rst_n),
    .wipe_i  (clearing),
    .reduce_i(1'b1),
    .valid_i (load_valid),
    .ready_o (load_ready),
    .data_i  (load_data),
    .held_o  (held),
    .valid_o (loaded),
    .above_o (unused_above),
    .zero_o  (zero),
    .accept_i(load_accept),
    .shift_i (load_shift),
    .digit_o (loader_digit),
    .first_o (unused_first),
    .second_o(unused_second),
    .low_o   (unused_low)
  );
  moduli_rns_resident_scalar u_scalar (
    .clk_i,
    .rst_ni     (rst_n),
    .wipe_i     (clearing),
    .take_i     (take_scalar),
    .completed_i(completed),
    .inverse_i  (inverse),
    .valid_i    (operand_valid_i),
    .ready_o    (scalar_ready),
    .data_i     (operand_i),
    .done_o     (scalar_done),
    .bit_o      (scalar_bit),
    .next_i     (next_bit)
  );

  // Rowers and Cox.
  logic [N*TopW-1:0] tops;
  logic [N*A2-1:0] lows;
  logic [N*4-1:0] residues3;
  logic [N*W-1:0] ring;
  logic [N*WordW-1:0] unused_words;  // for division steps, as all that is tied off below
  logic [N-1:0] one, minus_one;
  logic [A2-1:0] twos, twos_next;
  logic [3:0] threes, threes_next;
  logic unload_shift;
  genvar channel;
  for (channel = 0; channel < N; channel++) begin : g_rower
    moduli_rns_rower #(
      .Channel(channel)
    ) u_rower (
      .clk_i,
      .issue_i        (issue),
      .product_i      (product),
      .jump_i         (jump_t'('0)),
      .ext_addr_i     (ext_addr),
      .digit_i        (digit_valid ? digit : loader_digit),
      .addend_i       (addend),
      .capture_i      (capture),
      .capture_b_i    (1'b0),
      .write_a_i      (write || wipe),
      .write_b_i      (write_b || wipe),
      .write_entry_a_i(wipe ? wipe_entry : write_entry),
      .write_entry_b_i(wipe ? wipe_entry : write_entry),
      .write_chunk_i  ('0),
      .write_sum_i    (1'b0),
      .ring_digit_i   (ring_digit || wipe),
      .top_o          (tops[channel*TopW+:TopW]),
      .low_o          (lows[channel*A2+:A2]),
      .threes_o       (residues3[channel*4+:4]),
      .word_o         (unused_words[channel*WordW+:WordW]),
      .one_o          (one[channel]),
      .minus_one_o    (minus_one[channel]),
      .ring_shift_i   (unload_shift || ring_shift),
      .ring_i         (ring[((channel+1)%N)*W+:W]),
      .ring_o         (ring[channel*W+:W])
`ifdef MODULI_RNS_TRACE
      ,
      .trace_context_i('0),
      .trace_a1_o     (),
      .trace_b1_o     (),
      .trace_a3_o     (),
      .trace_b3_o     ()
`endif
    );
  end
  moduli_rns_cox u_cox (
    .clk_i,
    .tops_i       (tops),
    .lows_i       (lows),
    .short_i      (short_quotient),
    .reduced_i    (1'b1),
    .threes_i     (residues3),
    .quotient_o   (quotient),
    .twos_o       (twos),
    .threes_o     (threes),
    .twos_next_o  (twos_next),
    .threes_next_o(threes_next)
  );

  // Results. Values of checks are taken here, too; unless all of them have passed, no result leaves.
  logic result_valid, judged, unjudged;
  logic [L-1:0] result;
  logic [W-1:0] unused_lowest;
  logic unused_damaged, unused_reduced, unused_column;
  moduli_rns_unloader u_unloader (
    .clk_i,
    .rst_ni (rst_n),
    .wipe_i (clearing),
    .start_i(unload),
    .minus_i(1'b0),
    .skip_i (1'b0),
    .ready_o(unload_free),
    .shift_o(unload_shift),
    .digit_i(ring[W-1:0]),
    .valid_o(result_valid),
    .ready_i((result_valid_o && result_ready_i) || judged),
    .rotate_i(1'b0),
    .copies_i(1'b0),
    .parities_i('0),
    .damaged_o(unused_damaged),
    .lowest_o(unused_lowest),
    .reduced_o(unused_reduced),
    .column_o(unused_column),
    .data_o (result)
  );
  assign unloaded = result_valid;
  if (CHECK != 0) begin : g_check
    logic judging_q, wrong_q;
    logic [CountW-1:0] awaited_q;
    always_ff @(posedge clk_i) begin
      if (unload) judging_q <= judge;
      if (judged) begin
        judging_q <= 1'b0;
        awaited_q <= awaited_q - CountW'(1);
        wrong_q <= wrong_q || result != '0;
      end
      if (start) {awaited_q, wrong_q} <= {checks, 1'b0};
      if (!rst_n) begin
        judging_q <= 1'b0;
        wrong_q <= 1'b1;
      end
    end
    assign judged = result_valid && judging_q;
    assign unjudged = wrong_q || awaited_q != '0;
  end else begin : g_no_check
    assign judged   = 1'b0;
    assign unjudged = 1'b0;
    logic unused_judge;
    assign unused_judge = ^{judge, checks};
  end
  assign result_valid_o = ((result_valid && !judged) || owing) && rst_n;
  assign result_error_o = fault_q || unjudged || guard_fault;
  assign result_o = result_error_o ? '0 : result;

  if (GUARD != 0) begin : g_guard
    moduli_rns_resident_guard u_guard (
      .clk_i,
      .rst_ni         (rst_n),
      .wipe_i         (clearing),
      .drop_i         (!rst_ni || clear_i || guard_clear),
      .start_i        (start),
      .address_i      (address),
      .results_i      (results),
      .patience_i     (patience),
      .loaded_i       (loaded),
      .random_valid_i,
      .place_i        (random_i[0]),
      .operand_valid_i,
      .operand_i,
      .quotient_i     (quotient),
      .unload_free_i  (unload_free),
      .unloaded_i     (unloaded),
      .data_i         (word),
      .said_i         (said),
      .scalar_ready_i (scalar_ready),
      .scalar_done_i  (scalar_done),
      .waiting_i      ((operand_ready_o && !operand_valid_i) || (random_ready_o && !random_valid_i) || (result_valid_o && !result_ready_i)),
      .taken_i        (result_valid_o && result_ready_i),
      .settled_o      (settled),
      .fault_o        (guard_fault),
      .owing_o        (owing),
      .clear_o        (guard_clear)
    );
  end else begin : g_no_guard
    assign settled = 1'b1;
    assign {guard_fault, owing, guard_clear} = '0;
    logic unused_guard;
    assign unused_guard = ^{said, word, results, patience};
  end

  moduli_rns_clear #(
    .After(ClearAfter)
  ) u_clear (
    .clk_i,
    .rst_ni,
    .clear_i   (clear_i || guard_clear),
    .accepted_i(start),
    .working_i (working),
    .begin_o   (clear),
    .used_o    (used),
    .active_o  (clearing),
    .write_o   (wipe),
    .entry_o   (wipe_entry)
  );
  assign working = running || !unload_free || !rst_n;
  assign busy_o  = working || used || guard_fault;

  logic unused;
  assign unused = ^{
    unused_lowest, unused_reduced, unused_column, unused_above, one, minus_one, twos, twos_next, threes, threes_next
  };

`ifndef SYNTHESIS
  // Registers may power up with any value, so nothing is asserted before the first reset.
  logic reset_seen_q, takes;
  assign takes = operand_ready_o || random_ready_o;
  initial reset_seen_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reset_seen_q <= 1'b1;
    if (reset_seen_q) begin
      assert (rst_n || !(start_ready_o || takes || result_valid_o)) else $error("a handshake while all is dropped");
      assert (rst_ni || !(start_ready_o || takes)) else $error("something is taken while reset holds");
      assert (running || !takes) else $error("an operand is taken that no program asked for");
      assert (!(start_ready_o && (running || result_valid_o))) else $error("a program is started before the last one is done");
      assert (busy_o || !result_valid_o) else $error("a result waits that is not told");
    end
    if (reset_seen_q && rst_n) begin
      assert (!(unload_shift && (ring_shift || ring_digit || capture))) else $error("the ring is needed by two");
      assert (!(unload && !unload_free)) else $error("a result is lost");
    end
  end
`endif
endmodule
