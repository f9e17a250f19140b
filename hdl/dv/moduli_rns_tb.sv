// A self-checking test without anything but a simulator: inverts edges and random operands and checks A*S mod P = 1, or that
// an error is told where P and A share a factor. For volume, see dv/driver.

module moduli_rns_tb ();
  import moduli_rns_params_pkg::*;

  localparam int Operands = 40;
  localparam int Patience = 2_000_000;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic req_valid = 1'b0;
  logic req_ready, rsp_valid, busy;
  logic [L-1:0] operand = '0;
  logic [L-1:0] result;
  logic [3:0] id;
  logic [1:0] error;
  logic [STEPS_W-1:0] steps;
  moduli_rns u_core (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i   (3'd2),
    .req_id_i   (4'd5),
    .req_a_i    (operand),
    .req_b_i    ('0),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(1'b1),
    .rsp_id_o   (id),
    .rsp_data_o (result),
    .rsp_error_o(error),
    .rsp_steps_o(steps),
    .clear_i    (1'b0),
    .busy_o     (busy)
  );

  function automatic logic [L-1:0] gcd(input logic [L-1:0] a, input logic [L-1:0] b);
    logic [L-1:0] x, y, rest;
    x = a;
    y = b;
    while (y != '0) begin
      rest = x % y;
      x = y;
      y = rest;
    end
    return x;
  endfunction

  int failed = 0;
  int waited = 0;
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int k = 0; k < Operands; k++) begin
      for (int i = 0; i < L; i++) operand[i] = k < 4 ? ((32'(k) >> i) & 32'd1) != 0 : 1'($urandom);
      if (k == 4) operand = PRIME - L'(1);
      if (k == 5) operand = PRIME;
      if (k == 6) operand = '1;
      req_valid = 1'b1;
      #1;
      while (!req_ready) @(negedge clk);
      @(negedge clk);
      req_valid = 1'b0;
      waited = 0;
      while (!rsp_valid && waited < Patience) begin
        @(negedge clk);
        waited++;
      end
      if (gcd(PRIME, operand % PRIME) == L'(1)) begin
        if (!rsp_valid || error != 2'd0 || id != 4'd5 || result >= PRIME ||
            ((2 * L)'(operand) * (2 * L)'(result)) % (2 * L)'(PRIME) != (2 * L)'(1)) failed++;
      end else if (!rsp_valid || error == 2'd0 || result != '0) begin
        failed++;
      end
      @(negedge clk);
    end
    $display("%0d passed, %0d failed", Operands - failed, failed);
    if (failed != 0) $fatal(1, "wrong results");
    $finish;
  end

  logic unused;
  assign unused = ^{busy, steps};
endmodule
