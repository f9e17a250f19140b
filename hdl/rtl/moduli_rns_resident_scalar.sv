// The scalar of a program: its bits one by one, the highest first.
//
// The scalar is an operand, P - 2, or an operand k plus the order n, added once or twice: k + n if that has ORDER_BITS
// + 1 bits, else k + 2n, which then has. The digits of W bits are added in two passes for every k; the second pass adds
// n or 0. If scalars are blinded, ORDER is a multiple of n for which the first sum always has that bit.

module moduli_rns_resident_scalar (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic                                        wipe_i,
  // the scalar to take; an operand is taken when it is valid
  input  logic                                        take_i,
  input  logic                                        completed_i,
  input  logic                                        inverse_i,
  input  logic                                        valid_i,
  output logic                                        ready_o,
  input  logic [moduli_rns_params_pkg::OPERAND_W-1:0] data_i,
  output logic                                        done_o,  // the bits are available
  output logic                                        bit_o,
  input  logic                                        next_i
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int Bits = SCALAR_DIGITS * W;
  localparam int CountW = clog2(SCALAR_DIGITS + 1);
  typedef enum logic [2:0] {
    Idle,
    Waiting,
    Adding,
    AddingAgain,
    Aligning
  } state_e;
  state_e state_q;
  logic completed_q, carry_q, again_q;
  logic [CountW-1:0] count_q;
  logic [Bits-1:0] scalar_q;

  // The lowest digit plus the digit of the order.
  logic [W-1:0] order_digit;
  logic [W:0] sum;
  logic last;
  always_comb begin
    order_digit = '0;
    for (int k = 0; k < SCALAR_DIGITS; k++) if (count_q == CountW'(k)) order_digit = ORDER[k*W+:W];
    if (state_q == AddingAgain && !again_q) order_digit = '0;
  end
  assign sum  = {1'b0, scalar_q[W-1:0]} + {1'b0, order_digit} + (W + 1)'(carry_q);
  assign last = count_q == CountW'(SCALAR_DIGITS - 1);

  // The position of the highest bit.
  localparam int Unused = Bits - SCALAR_BITS;
  localparam int UnusedCompleted = ORDER_BITS == 0 ? 0 : Bits - ORDER_BITS - 1;
  localparam int CompletedBit = ORDER_BITS == 0 ? 0 : ORDER_BITS;

  logic [Bits-1:0] added;
  assign added = Bits'({sum[W-1:0], scalar_q} >> W);
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        count_q <= '0;
        carry_q <= 1'b0;
        completed_q <= completed_i;
        if (take_i && inverse_i) scalar_q <= Bits'(PRIME - L'(2)) << (Bits - L);
        else if (take_i) state_q <= Waiting;
      end
      Waiting: begin
        if (valid_i) begin
          scalar_q <= completed_q ? Bits'(data_i) : Bits'(data_i) << Unused;
          state_q  <= completed_q ? Adding : Idle;
        end
      end
      Adding, AddingAgain: begin
        scalar_q <= added;
        carry_q  <= sum[W];
        count_q  <= count_q + CountW'(1);
        if (last) begin
          carry_q <= 1'b0;
          count_q <= '0;
          again_q <= !added[CompletedBit];
          state_q <= state_q == Adding ? AddingAgain : Aligning;
        end
      end
      default: begin
        scalar_q <= scalar_q << UnusedCompleted;
        state_q  <= Idle;
      end
    endcase
    if (next_i) scalar_q <= scalar_q << 1;
    if (!rst_ni) state_q <= Idle;
    if (wipe_i) begin
      scalar_q <= '0;
      {carry_q, again_q} <= '0;
    end
  end
  assign ready_o = state_q == Waiting;
  assign done_o  = state_q == Idle;
  assign bit_o   = scalar_q[Bits-1];
endmodule
