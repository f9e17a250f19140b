// The guard of a core for programs. A second sequencer and a second scalar must do the same as the first ones in every
// cycle, words must have even parity, and a program must not take too long.
//
// After a fault, every result of the program is an error. If the program does not deliver its results in time, the
// guard delivers the errors itself. When all were taken, the core is wiped. The program is not aborted, so that the
// time of a response does not reveal where a fault occurred.

(* keep_hierarchy = "yes" *)
module moduli_rns_resident_guard (
  input  logic                                                       clk_i,
  input  logic                                                       rst_ni,
  input  logic                                                       wipe_i,
  input  logic                                                       drop_i,  // drop the program with its results: reset or clear
  input  logic                                                       start_i,
  input  logic                     [moduli_rns_params_pkg::WORDS_AW-1:0] address_i,
  input  logic                     [  moduli_rns_resident_pkg::CountW-1:0] results_i,  // of the starting program
  input  logic                     [moduli_rns_resident_pkg::PatienceW-1:0] patience_i,  // the maximum number of its cycles
  // the inputs and the actions of the first ones
  input  logic                                                       loaded_i,
  input  logic                                                       random_valid_i,
  input  logic                                                       place_i,
  input  logic                                                       operand_valid_i,
  input  logic                     [moduli_rns_params_pkg::OPERAND_W-1:0] operand_i,
  input  logic                     [ moduli_rns_pkg::QuotientW-1:0] quotient_i,
  input  logic                                                       unload_free_i,
  input  logic                                                       unloaded_i,
  input  logic                     [moduli_rns_params_pkg::WORD_W-1:0] data_i,
  input  moduli_rns_resident_pkg::said_t                               said_i,
  input  logic                                                       scalar_ready_i,
  input  logic                                                       scalar_done_i,
  // the rest of the core
  input  logic                                                       waiting_i,  // for a handshake
  input  logic                                                       taken_i,  // a result
  output logic                                                       settled_o,  // a program can be started
  output logic                                                       fault_o,
  output logic                                                       owing_o,  // an error must be delivered
  output logic                                                       clear_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
  import moduli_rns_resident_pkg::*;

  said_t said;
  logic placing_q, places_q, scalar_ready, scalar_done, scalar_bit;
  always_ff @(posedge clk_i) begin
    if (said.take_places) placing_q <= 1'b1;
    else if (random_valid_i) placing_q <= 1'b0;
    if (placing_q) places_q <= place_i;
    if (!rst_ni) {placing_q, places_q} <= '0;
  end
  /* verilator lint_off PINCONNECTEMPTY */
  moduli_rns_resident_sequencer #(
    .Twin(1'b1)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .start_i,
    .address_i,
    .running_o     (),
    .take_operand_o(),
    .take_random_o (),
    .take_places_o (),
    .placing_i     (placing_q),
    .places_i      (places_q),
    .take_scalar_o (),
    .completed_o   (),
    .inverse_o     (),
    .loaded_i,
    .load_accept_o (),
    .load_shift_o  (),
    .scalar_done_i (scalar_done),
    .bit_i         (scalar_bit),
    .next_bit_o    (),
    .issue_o       (),
    .product_o     (),
    .ext_addr_o    (),
    .digit_valid_o (),
    .digit_o       (),
    .addend_o      (),
    .capture_o     (),
    .write_o       (),
    .write_entry_o (),
    .write_b_o     (),
    .ring_digit_o  (),
    .ring_shift_o  (),
    .short_o       (),
    .quotient_i,
    .unload_free_i,
    .unloaded_i,
    .unload_o      (),
    .judge_o       (),
    .data_i,
    .data_o        (),
    .said_o        (said)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  moduli_rns_resident_scalar u_scalar (
    .clk_i,
    .rst_ni,
    .wipe_i,
    .take_i     (said.take_scalar),
    .completed_i(said.completed),
    .inverse_i  (said.inverse),
    .valid_i    (operand_valid_i),
    .ready_o    (scalar_ready),
    .data_i     (operand_i),
    .done_o     (scalar_done),
    .bit_o      (scalar_bit),
    .next_i     (said.next_bit)
  );

  // After this many cycles, the initial content of registers without a reset has left the sequencers.
  localparam int SettleW = clog2(ResultCycles + 4);
  logic [SettleW-1:0] settle_q;
  logic fault_q, owing_q, differs, odd, active;
  logic [CountW-1:0] owed_q;  // results that were not taken yet
  logic [PatienceW-1:0] patience_q;
  assign differs = said != said_i || scalar_ready != scalar_ready_i || scalar_done != scalar_done_i;
  assign odd = ^data_i;
  // While the core waits for a handshake, the time of a program is not limited. After a fault, it is limited, because
  // the program may wait for an event that never occurs. A program that has ended without all of its results is late,
  // too.
  assign active = owed_q != '0;
  always_ff @(posedge clk_i) begin
    if (settle_q != '1) settle_q <= settle_q + SettleW'(1);
    fault_q <= fault_q || (settled_o && (differs || odd)) || owing_q || (!rst_ni && owed_q != '0);
    if (taken_i && owed_q != '0) owed_q <= owed_q - CountW'(1);
    if (active && patience_q == '0) owing_q <= 1'b1;
    if (active && (!waiting_i || fault_q) && patience_q != '0) patience_q <= patience_q - PatienceW'(1);
    if (start_i) {owed_q, patience_q} <= {results_i, patience_i};
    if (!rst_ni) settle_q <= '0;
    if (drop_i) {fault_q, owing_q, owed_q} <= '0;
  end
  assign settled_o = settle_q == '1;
  assign fault_o   = fault_q || owing_q;
  assign owing_o   = owing_q && owed_q != '0;
  assign clear_o   = fault_q && owed_q == '0;
endmodule
