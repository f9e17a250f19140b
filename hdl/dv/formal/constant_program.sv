// Two sequencers of the same program, with different scalars, places of pairs and quotients. They fetch the same words,
// wait for the same events, and give the same orders to the channels in every cycle, except for which register of a
// pair is selected. The first cycle is a reset.

module constant_program
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       wipe_i,
  input logic                       start_i,
  input logic [WORDS_AW-1:0]        address_i,
  input logic                       loaded_i,
  input logic                       scalar_done_i,
  input logic                       unload_free_i,
  input logic                       unloaded_i,
  input logic                       placing_i,
  input logic [1:0]                 places_i,
  input logic [1:0]                 bit_i,
  input logic [1:0][QuotientW-1:0]  quotient_i
);
  typedef struct packed {
    logic running;
    logic take_operand;
    logic take_random;
    logic take_places;
    logic take_scalar;
    logic completed;
    logic inverse;
    logic load_accept;
    logic load_shift;
    logic next_bit;
    issue_t issue;
    product_t product;
    logic [EXT_AW-1:0] ext_addr;
    logic digit_valid;
    logic [ADD_AW-1:0] addend;
    logic capture;
    logic write;
    logic ring_digit;
    logic ring_shift;
    logic short_quotient;
    logic unload;
    logic judge;
  } said_t;
  said_t [1:0] said, open;
  // The state that is not visible at the outputs, without the entries.
  logic [1:0][511:0] state;

  genvar k;
  for (k = 0; k < 2; k++) begin : g_sequencer
    logic [W-1:0] digit;
    logic [EntryW-1:0] entry;
    logic write_b;  // whether the entry belongs to a register
    moduli_rns_resident_sequencer u_sequencer (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .start_i,
      .address_i,
      .running_o     (said[k].running),
      .take_operand_o(said[k].take_operand),
      .take_random_o (said[k].take_random),
      .take_places_o (said[k].take_places),
      .placing_i,
      .places_i      (places_i[k]),
      .take_scalar_o (said[k].take_scalar),
      .completed_o   (said[k].completed),
      .inverse_o     (said[k].inverse),
      .loaded_i,
      .load_accept_o (said[k].load_accept),
      .load_shift_o  (said[k].load_shift),
      .scalar_done_i,
      .bit_i         (bit_i[k]),
      .next_bit_o    (said[k].next_bit),
      .issue_o       (said[k].issue),
      .product_o     (said[k].product),
      .ext_addr_o    (said[k].ext_addr),
      .digit_valid_o (said[k].digit_valid),
      .digit_o       (digit),
      .addend_o      (said[k].addend),
      .capture_o     (said[k].capture),
      .write_o       (said[k].write),
      .write_entry_o (entry),
      .write_b_o     (write_b),
      .ring_digit_o  (said[k].ring_digit),
      .ring_shift_o  (said[k].ring_shift),
      .short_o       (said[k].short_quotient),
      .quotient_i    (quotient_i[k]),
      .unload_free_i,
      .unloaded_i,
      .unload_o      (said[k].unload),
      .judge_o       (said[k].judge),
      .data_i        ('0),
      .data_o        (),
      .said_o        ()
    );
    always_comb begin
      open[k] = said[k];
      {open[k].issue.entry, open[k].issue.entry_b} = '0;
    end
    issue_t issue;
    logic [4*(ResultCycles+2)-1:0] results;
    always_comb begin
      issue = u_sequencer.issue_q;
      {issue.entry, issue.entry_b} = '0;
      for (int i = 0; i < ResultCycles + 2; i++) begin
        results[4*i+:4] = {
          u_sequencer.result_q[i].write, u_sequencer.result_q[i].ring, u_sequencer.result_q[i].brief, u_sequencer.result_q[i].keep
        };
      end
      state[k] = 512'({
        u_sequencer.word, u_sequencer.data, u_sequencer.next_q, u_sequencer.count_q, u_sequencer.fetching_q, u_sequencer.running_q,
        u_sequencer.unloading_q, u_sequencer.unload_q, issue, u_sequencer.product_q, u_sequencer.addend_q[0], u_sequencer.addend_q[1],
        u_sequencer.ring_shift_q, u_sequencer.load_shift_q, u_sequencer.capture_q, u_sequencer.from_q, u_sequencer.from_2q, results
      });
    end
  end

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    // The initial states are equal.
    if (!running_q) assume (!rst_ni && state[0] == state[1] && open[0] == open[1]);
    if (running_q) assert (state[0] == state[1] && open[0] == open[1]);
  end
endmodule
