// Takes an operand below 2^L, reduces it below P, and delivers its digits of W bits, the highest first.
//
// 2^L <= 2P, so one subtraction is sufficient. The first pass takes one cycle per digit, and subtracts only to
// determine the borrow. If there is no borrow, a second pass stores the difference. A pass rotates the buffer once.
// Without reduce_i, there is no second pass; above_o then tells the receiver to subtract P.

module moduli_rns_loader (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                wipe_i,
  input  logic                                reduce_i,  // from the cycle after valid_i
  input  logic                                valid_i,
  output logic                                ready_o,
  input  logic [moduli_rns_params_pkg::L-1:0] data_i,
  output logic [moduli_rns_params_pkg::L-1:0] held_o,  // data_i of the last cycle, until an operand is loaded
  // the digits; the receiver shifts after each of the LoadFrames digits, and takes the operand with accept_i at any
  // time before the first shift
  output logic                                valid_o,
  output logic                                above_o,  // the digits are those of an operand that is not below P
  output logic                                zero_o,  // the operand is 0 modulo P; a cycle after valid_o
  input  logic                                accept_i,
  input  logic                                shift_i,
  output logic [moduli_rns_params_pkg::W-1:0] digit_o,
  // for a guard, and the digit for checks of inverses
  output logic first_o,  // which pass it is
  output logic second_o,
  output logic [moduli_rns_params_pkg::W-1:0] low_o  // the digit that the pass handles
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // Short operands are padded with leading zeros, so that every frame has a digit.
  localparam int Count = LoadFrames;
  localparam int Bits = Count * W;
  localparam int CountW = clog2(Count + 1);
  typedef enum logic [1:0] {
    Empty,
    Compare,
    Compared
  } state_e;
  state_e state_q;
  // The borrow is available late, so it has its own register. In Compared, it tells whether the second pass is needed.
  logic above_q;
  logic passing, full;
  assign passing = state_q == Compare || (state_q == Compared && above_q && reduce_i);
  assign full = state_q == Compared && !(above_q && reduce_i);
  assign above_o = above_q;
  logic [CountW-1:0] count_q;
  logic taken_q;  // the digits are being read
  logic borrow_q;
  logic fresh_q, lowest_q, nonzero_q;  // digit_o entered the buffer in the last cycle; it was the lowest one
  logic [Bits-1:0] buffer_q;

  logic last;
  assign last = count_q == CountW'(Count - 1);

  // The digit of P for count_q, in both passes, looked up one cycle earlier.
  logic [W-1:0] low, prime_digit, prime_digit_q, kept;
  logic [W:0] difference;
  logic [CountW-1:0] next;
  assign low  = buffer_q[W-1:0];
  assign next = (state_q == Empty || last) ? '0 : count_q + CountW'(1);
  always_comb begin
    prime_digit = '0;
    for (int k = 0; k < N; k++) if (next == CountW'(k)) prime_digit = W'((N * W)'(PRIME) >> (k * W));
  end
  always_ff @(posedge clk_i) prime_digit_q <= prime_digit;
  assign difference = {1'b0, low} - {1'b0, prime_digit_q} - (W + 1)'(borrow_q);
  assign kept = state_q == Compared ? difference[W-1:0] : low;

  assign ready_o = state_q == Empty;
  assign held_o = buffer_q[L-1:0];
  assign valid_o = full && !taken_q;
  assign zero_o = !nonzero_q;
  assign digit_o = buffer_q[Bits-1-:W];
  assign first_o = GUARD != 0 && state_q == Compare;
  assign second_o = GUARD != 0 && passing && state_q != Compare;
  assign low_o = GUARD != 0 || Checks ? low : '0;

  always_ff @(posedge clk_i) begin
    fresh_q  <= passing;
    lowest_q <= count_q == '0;
    if (fresh_q) nonzero_q <= (nonzero_q && !lowest_q) || digit_o != '0;
    // valid_i is available late, so the data is stored in any case.
    if (state_q == Empty) begin
      buffer_q <= Bits'(data_i);
    end else if (passing) begin
      buffer_q <= Bits'({kept, buffer_q} >> W);
      borrow_q <= difference[W];
      count_q  <= count_q + CountW'(1);
    end else if (shift_i) begin
      buffer_q <= buffer_q << W;
      count_q  <= count_q + CountW'(1);
    end
    unique case (state_q)
      Empty: begin
        count_q  <= '0;
        borrow_q <= 1'b0;
        taken_q  <= 1'b0;
        if (valid_i) state_q <= Compare;
      end
      default: begin
        if (passing) begin
          if (last) begin
            count_q  <= '0;
            borrow_q <= 1'b0;
            state_q  <= Compared;
            above_q  <= state_q == Compare && !difference[W];
          end
        end else begin
          if (accept_i) taken_q <= 1'b1;
          if (shift_i && last) state_q <= Empty;
        end
      end
    endcase
    if (!rst_ni) state_q <= Empty;
    if (wipe_i) begin
      buffer_q  <= '0;
      nonzero_q <= 1'b0;
      above_q   <= 1'b0;
    end
  end
endmodule
