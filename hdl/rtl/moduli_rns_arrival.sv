// Checks that operands do not change before they are used. With a guard, this detects flips in the loader, and in an
// operand or exponent that waits.
//
// The parities of both operands are taken from the port, beside the registers that store the operands. When an operand
// goes through the loader's first pass, the parity of its digits must be the same. From then on, the sum of its digits
// modulo 2^W - 1 represents it, minus P if the second pass subtracts P. The redundant channel must have the same
// residue when the last digit is used. When all bits of an exponent have been used, their parity must be the stored
// one.

(* keep_hierarchy = "yes" *)
module moduli_rns_arrival (
  input  logic                                                     clk_i,
  input  logic                                                     rst_ni,
  input  logic                                                     wipe_i,
  // the port, and whether its request is taken
  input  logic                      [                         2:0] req_op_i,
  input  logic                      [moduli_rns_params_pkg::L-1:0] req_a_i,
  input  logic                      [moduli_rns_params_pkg::L-1:0] req_b_i,
  input  logic                                                     accepted_i,
  input  logic                                                     follow_i,  // the operand that waits is the one at the port
  input  logic                                                     other_waits_i,
  // the loader
  input  logic                                                     empty_i,
  input  logic                                                     first_i,  // which pass it is
  input  logic                                                     second_i,
  input  logic                      [moduli_rns_params_pkg::W-1:0] low_i,  // the digit that the pass handles
  input  logic                                                     zero_i,
  input  logic                                                     shift_i,
  // the exponent
  input  logic                                                     active_i,  // products run: nothing follows the port a cycle later
  input  logic                                                     exponent_shift_i,
  input  logic                                                     exponent_bit_i,
  input  logic                                                     done_i,  // all bits were used
  output moduli_rns_pkg::operation_e                               operation_o,  // a second copy
  output logic                                                     montgomery_o,
  output logic                      [moduli_rns_params_pkg::W-1:0] residue_o,  // of the last operand that was used
  output logic                                                     fault_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // Parities: of the part of an operand that the loader has yet to pass, and of the operand that waits, 0 if none
  // waits.
  logic parity_a, parity_b, entering_q, waiting_q;
  assign parity_a = ^req_a_i;
  assign parity_b = ^req_b_i;
  operation_e asked;
  assign asked = operation_e'(req_op_i[1:0]);

  logic [W-1:0] sum_q, term;
  logic [W:0] sum;
  logic carry_q, begun_q, active_q, fault;
  // At the first digit of the second pass, P is subtracted at once, by adding the complement of its residue.
  always_comb begin
    term = '0;
    if (first_i) term = low_i;
    if (second_i && !begun_q) term = ~PrimeResidue;
    // After the first pass.
    fault = !empty_i && !first_i && entering_q;
    if (done_i && waiting_q) fault = 1'b1;
    if (follow_i && active_q) fault = 1'b1;
    // An empty loader follows the port and has no digit to use.
    if (shift_i && empty_i) fault = 1'b1;
  end
  assign sum = {1'b0, sum_q} + {1'b0, term} + (W + 1)'(carry_q);

  always_ff @(posedge clk_i) begin
    if (accepted_i) begin
      operation_o  <= asked;
      montgomery_o <= req_op_i[2];
    end
    if (follow_i) waiting_q <= asked == OpMultiply ? parity_a : asked == OpExponentiate && parity_b;
    else if (empty_i && other_waits_i) waiting_q <= 1'b0;
    else if (exponent_shift_i) waiting_q <= waiting_q ^ exponent_bit_i;

    begun_q  <= second_i;
    active_q <= active_i && rst_ni;
    if (empty_i) begin
      entering_q <= other_waits_i ? waiting_q : asked == OpMultiply ? parity_b : parity_a;
      {carry_q, sum_q} <= '0;
    end else begin
      if (first_i) entering_q <= entering_q ^ (^low_i);
      {carry_q, sum_q} <= sum;
    end
    // For the number P, the sum is 2^W - 1, but the redundant channel has 0.
    if (shift_i) residue_o <= zero_i ? '0 : sum_q;
    fault_o <= fault && rst_ni;
    if (!rst_ni) begin
      operation_o  <= OpMultiply;
      montgomery_o <= 1'b0;
    end
    if (wipe_i) begin
      residue_o <= '0;
      {entering_q, waiting_q} <= '0;
    end
  end
endmodule
