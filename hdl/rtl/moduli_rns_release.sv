// Decides whether a result may leave a core with a redundant channel. The number in the unloader must be X or X - P,
// according to the unloader's choice, where the channel has the residue of X, and it must be below P.
//
// The digits rotate once and are summed modulo 2^W - 1, beginning with minus the residue; this computes the number
// modulo 2^W - 1. P is subtracted digit by digit, and must give a borrow. The sum must be 2^W - 1; it would be 0 only
// if minus the residue and all digits were 0. The sum does not depend on the positions of the digits, nor on digits that
// are 0, so the numbers of digits that arrived and that rotated must be N.
//
// The decision is only valid for the digits that were checked. The unloader stores each of them twice as it rotates; the
// first copy must have its parity in the next cycle. The parities are stored, and decide which copy of a digit leaves.
// The unloader's choice has no effect after the rotation, and must be the same before and after it.

module moduli_rns_release (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                wipe_i,
  input  logic                                start_i,  // the unloader receives a result
  input  logic                                column_i,  // another digit of it has arrived
  input  logic                                unloaded_i,  // the unloader has a result
  input  logic [moduli_rns_params_pkg::W-1:0] residue_i,  // of X
  output logic                                rotate_o,
  input  logic [moduli_rns_params_pkg::W-1:0] digit_i,  // of the number to be output, the lowest first
  input  logic                                reduced_i,  // it is X - P
  output logic [moduli_rns_params_pkg::N-1:0] parities_o,  // of the digits after the rotation
  input  logic                                damaged_i,  // the first copy of the highest digit has another parity
  output logic                                done_o,
  output logic                                right_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // The counts 1 to N check the digits, and 0 the choice. In N + 1 the last carry is added.
  localparam int CountW = $clog2(N + 3);
  logic [CountW-1:0] count_q;
  logic carry_q, borrow_q, reduced_q, rotated_q, damaged_q, done_q, right_q;
  // With a 1 above them that is the lowest bit after N rotations.
  logic [N:0] parities_q;
  // The number of digits since the unloader received a result. If it received none, this is too large or, after a
  // reset, one too small.
  logic [DigitW-1:0] columns_q;
  logic [W-1:0] sum_q, term, prime_digit;
  logic [W:0] sum, difference;
  assign rotate_o = unloaded_i && !done_q && count_q != '0 && count_q <= CountW'(N);
  always_comb begin
    term = rotate_o ? digit_i : '0;
    if (count_q == '0 && reduced_i) term = PrimeResidue;
    prime_digit = '0;
    for (int k = 0; k < N; k++) if (count_q == CountW'(k + 1)) prime_digit = W'((N * W)'(PRIME) >> (k * W));
  end
  assign sum = {1'b0, sum_q} + {1'b0, term} + (W + 1)'(carry_q);
  assign difference = {1'b0, digit_i} - {1'b0, prime_digit} - (W + 1)'(borrow_q);

  always_ff @(posedge clk_i) begin
    if (!unloaded_i) begin
      sum_q   <= ~residue_i;
      count_q <= '0;
      {carry_q, borrow_q, rotated_q, damaged_q, done_q, right_q} <= '0;
      parities_q <= (N + 1)'(1) << N;
    end else if (!done_q) begin
      {carry_q, sum_q} <= sum;
      count_q <= count_q + CountW'(1);
      if (count_q == '0) reduced_q <= reduced_i;
      rotated_q <= rotate_o;
      if (rotate_o) begin
        borrow_q   <= difference[W];
        parities_q <= {^digit_i, parities_q[N:1]};
      end
      if (rotated_q && damaged_i) damaged_q <= 1'b1;
      if (count_q == CountW'(N + 2)) begin
        done_q  <= 1'b1;
        right_q <= !carry_q && sum_q == '1 && borrow_q && parities_q[0] && !damaged_q && reduced_i == reduced_q;
      end
    end
    if (start_i) columns_q <= '0;
    else if (column_i) columns_q <= columns_q + DigitW'(1);
    if (!rst_ni || wipe_i) begin
      {done_q, right_q} <= '0;
      columns_q <= '1;
    end
    if (wipe_i) {reduced_q, sum_q} <= '0;
  end
  assign parities_o = parities_q[N:1];
  assign done_o = done_q;
  assign right_o = right_q && columns_q == DigitW'(N);
endmodule
