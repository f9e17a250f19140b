// ECDSA with two cores for programs over resident residues in one design: one modulo p, which multiplies the generator by a
// scalar, and one modulo the order under the prefix `order`, which makes the second half of the signature.
//
//   +x= +y=   the generator        +d= the private key      +k= the nonce      +e= the digest as a number
//
// Prints the public key d*G, then r and s, in hexadecimal, and the cycles of the signature.

module moduli_rns_signature_tb ();
  localparam int L = moduli_rns_params_pkg::L;
  localparam int OrderL = order_moduli_rns_params_pkg::L;
  localparam int OperandW = moduli_rns_params_pkg::OPERAND_W;
  localparam int OrderOperandW = order_moduli_rns_params_pkg::OPERAND_W;
  localparam logic [OrderL-1:0] Order = order_moduli_rns_params_pkg::PRIME;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;
  int cycles = 0;
  always @(posedge clk) cycles++;

  logic field_start = 1'b0, field_given = 1'b0, order_start = 1'b0, order_given = 1'b0;
  logic field_free, field_takes, field_valid, field_busy, order_free, order_takes, order_valid, order_busy;
  logic field_draws, field_failed, order_draws, order_failed;
  logic [31:0] random;
  always @(posedge clk) random <= $urandom;
  logic [OperandW-1:0] field_operand = '0;
  logic [OrderOperandW-1:0] order_operand = '0;
  logic [L-1:0] field_result;
  logic [OrderL-1:0] order_result;
  moduli_rns_resident u_field (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .start_valid_i  (field_start),
    .start_ready_o  (field_free),
    .start_program_i('0),
    .operand_valid_i(field_given),
    .operand_ready_o(field_takes),
    .operand_i      (field_operand),
    .random_valid_i (1'b1),
    .random_ready_o (field_draws),
    .random_i       (random),
    .result_valid_o (field_valid),
    .result_ready_i (1'b1),
    .result_o       (field_result),
    .result_error_o (field_failed),
    .clear_i        (1'b0),
    .busy_o         (field_busy)
  );
  order_moduli_rns_resident u_order (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .start_valid_i  (order_start),
    .start_ready_o  (order_free),
    .start_program_i('0),
    .operand_valid_i(order_given),
    .operand_ready_o(order_takes),
    .operand_i      (order_operand),
    .random_valid_i (1'b0),  // that program draws no numbers
    .random_ready_o (order_draws),
    .random_i       ('0),
    .result_valid_o (order_valid),
    .result_ready_i (1'b1),
    .result_o       (order_result),
    .result_error_o (order_failed),
    .clear_i        (1'b0),
    .busy_o         (order_busy)
  );

  logic [L-1:0] x, y;
  logic [OrderL-1:0] d, k, e, r;

  // Offers an operand until it is taken.
  task automatic give_field(input logic [OperandW-1:0] value);
    field_given   = 1'b1;
    field_operand = value;
    #1;
    while (!field_takes) @(negedge clk);
    @(negedge clk);
    field_given = 1'b0;
  endtask
  task automatic give_order(input logic [OrderOperandW-1:0] value);
    order_given   = 1'b1;
    order_operand = value;
    #1;
    while (!order_takes) @(negedge clk);
    @(negedge clk);
    order_given = 1'b0;
  endtask

  task automatic multiple(input logic [OrderL-1:0] scalar, output logic [L-1:0] result_x, output logic [L-1:0] result_y);
    field_start = 1'b1;
    #1;
    while (!field_free) @(negedge clk);
    @(negedge clk);
    field_start = 1'b0;
    give_field(OperandW'(x));
    give_field(OperandW'(y));
    give_field(OperandW'(scalar));
    while (!field_valid) @(negedge clk);
    if (field_failed) $fatal(1, "a random number was 0");
    result_x = field_result;
    @(negedge clk);
    while (!field_valid) @(negedge clk);
    result_y = field_result;
    @(negedge clk);
  endtask

  logic [L-1:0] result_x, result_y;
  int begun;
  initial begin
    if (!$value$plusargs("x=%h", x) || !$value$plusargs("y=%h", y)) $fatal(1, "a generator is wanted");
    if (!$value$plusargs("d=%h", d) || !$value$plusargs("k=%h", k) || !$value$plusargs("e=%h", e)) $fatal(1, "d, k and e are wanted");
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    multiple(d, result_x, result_y);
    $display("%h %h", result_x, result_y);
    begun = cycles;
    multiple(k, result_x, result_y);
    r = result_x >= L'(Order) ? OrderL'(result_x - L'(Order)) : OrderL'(result_x);
    order_start = 1'b1;
    #1;
    while (!order_free) @(negedge clk);
    @(negedge clk);
    order_start = 1'b0;
    give_order(OrderOperandW'(k));
    give_order(OrderOperandW'(r));
    give_order(OrderOperandW'(d));
    give_order(OrderOperandW'(e));
    while (!order_valid) @(negedge clk);
    $display("%h %h %0d", r, order_result, cycles - begun);
    $finish;
  end

  logic unused;
  assign unused = ^{field_busy, order_busy, field_draws, order_draws, order_failed};
endmodule
