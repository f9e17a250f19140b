// A second control of products, which must do the same as the first one in every cycle. It takes the operation from a
// copy of the request, and shares the inputs of the first one: the signals that it waits for, the words of the program
// and the bits of the exponent.

(* keep_hierarchy = "yes" *)
module moduli_rns_product_twin (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              load_valid_i,
  input  moduli_rns_pkg::operation_e        operation_i,
  input  logic                              montgomery_i,
  input  logic                              zero_i,
  input  logic                              exponent_bit_i,
  input  logic                              one_i,
  input  logic                              unload_ready_i,
  input  logic                       [31:0] word_i,
  input  moduli_rns_pkg::steps_t            state_i,  // of the first control
  output logic                              fault_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  steps_t state;
  /* verilator lint_off PINCONNECTEMPTY */
  moduli_rns_products #(
    .Twin(1'b1)
  ) u_products (
    .clk_i,
    .rst_ni,
    .load_valid_i,
    .operation_i,
    .montgomery_i,
    .zero_i,
    .load_ready_o    (),
    .load_shift_o    (),
    .exponent_shift_o(),
    .exponent_bit_i,
    .active_o        (),
    .issue_o         (),
    .product_o       (),
    .ext_addr_o      (),
    .digit_valid_o   (),
    .digit_o         (),
    .addend_o        (),
    .write_a_o       (),
    .write_b_o       (),
    .write_entry_a_o (),
    .write_entry_b_o (),
    .ring_digit_o    (),
    .ring_shift_o    (),
    .short_o         (),
    .quotient_i      ('0),
    .one_i,
    .checked_o       (),
    .right_o         (),
    .unload_ready_i,
    .done_o          (),
    .done_error_o    (),
    .done_steps_o    (),
    .word_i,
    .word_o          (),
    .state_o         (state)
  );
  /* verilator lint_on PINCONNECTEMPTY */
  // A part in a cycle and the whole in the next: as one path, it would be the longest of the core.
  localparam int Part = 8;
  localparam int Parts = ($bits(steps_t) + Part - 1) / Part;
  logic [Parts*Part-1:0] differences;
  logic [Parts-1:0] differs_q;
  assign differences = (Parts * Part)'(state ^ state_i);
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Parts; k++) differs_q[k] <= rst_ni && |differences[k*Part+:Part];
    fault_o <= rst_ni && |differs_q;
  end
endmodule
