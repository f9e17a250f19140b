// Two cores in one design, one of them under the prefix `order`: each inverts operands of its own at the same time as the other,
// and their results are checked, A*S mod P = 1. What they have in common is the clock.

module moduli_rns_pair_tb ();
  localparam int Operands = 40;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic first_done, second_done;
  int first_failed, second_failed;

  // A core each, and what asks it.
  logic first_valid, first_ready, first_given, first_busy;
  logic [moduli_rns_params_pkg::L-1:0] first_operand, first_result;
  logic [3:0] first_id;
  logic [1:0] first_error;
  logic [moduli_rns_params_pkg::STEPS_W-1:0] first_steps;
  moduli_rns u_first (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .req_valid_i(first_valid),
    .req_ready_o(first_ready),
    .req_op_i   (3'd2),
    .req_id_i   (4'd5),
    .req_a_i    (first_operand),
    .req_b_i    ('0),
    .rsp_valid_o(first_given),
    .rsp_ready_i(1'b1),
    .rsp_id_o   (first_id),
    .rsp_data_o (first_result),
    .rsp_error_o(first_error),
    .rsp_steps_o(first_steps),
    .clear_i    (1'b0),
    .busy_o     (first_busy)
  );
  moduli_rns_asker #(
    .L       (moduli_rns_params_pkg::L),
    .Prime   (moduli_rns_params_pkg::PRIME),
    .Operands(Operands)
  ) u_ask_first (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .valid_o  (first_valid),
    .ready_i  (first_ready),
    .operand_o(first_operand),
    .given_i  (first_given),
    .result_i (first_result),
    .error_i  (first_error),
    .done_o   (first_done),
    .failed_o (first_failed)
  );

  logic second_valid, second_ready, second_given, second_busy;
  logic [order_moduli_rns_params_pkg::L-1:0] second_operand, second_result;
  logic [3:0] second_id;
  logic [1:0] second_error;
  logic [order_moduli_rns_params_pkg::STEPS_W-1:0] second_steps;
  order_moduli_rns u_second (
    .clk_i      (clk),
    .rst_ni     (rst_n),
    .req_valid_i(second_valid),
    .req_ready_o(second_ready),
    .req_op_i   (3'd2),
    .req_id_i   (4'd6),
    .req_a_i    (second_operand),
    .req_b_i    ('0),
    .rsp_valid_o(second_given),
    .rsp_ready_i(1'b1),
    .rsp_id_o   (second_id),
    .rsp_data_o (second_result),
    .rsp_error_o(second_error),
    .rsp_steps_o(second_steps),
    .clear_i    (1'b0),
    .busy_o     (second_busy)
  );
  moduli_rns_asker #(
    .L       (order_moduli_rns_params_pkg::L),
    .Prime   (order_moduli_rns_params_pkg::PRIME),
    .Operands(Operands)
  ) u_ask_second (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .valid_o  (second_valid),
    .ready_i  (second_ready),
    .operand_o(second_operand),
    .given_i  (second_given),
    .result_i (second_result),
    .error_i  (second_error),
    .done_o   (second_done),
    .failed_o (second_failed)
  );

  int failed = 0;
  int waited = 0;
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (!(first_done && second_done) && waited < 2_000_000) begin
      @(negedge clk);
      waited++;
    end
    failed = first_failed + second_failed;
    if (!first_done || !second_done) $fatal(1, "a core hangs");
    if (moduli_rns_params_pkg::L == order_moduli_rns_params_pkg::L) begin
      if (moduli_rns_params_pkg::PRIME == order_moduli_rns_params_pkg::PRIME) $fatal(1, "the two cores are one");
    end
    $display("%0d passed, %0d failed", 2 * Operands - failed, failed);
    if (failed != 0) $fatal(1, "wrong results");
    $finish;
  end

  logic unused;
  assign unused = ^{first_busy, first_id, first_steps, second_busy, second_id, second_steps};
endmodule

// Asks a core for inverses, one after the other: of P - 1, of 2, then of random numbers.
module moduli_rns_asker #(
  parameter int L = 8,
  parameter logic [L-1:0] Prime = '1,
  parameter int Operands = 40
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         valid_o,
  input  logic         ready_i,
  output logic [L-1:0] operand_o,
  input  logic         given_i,
  input  logic [L-1:0] result_i,
  input  logic [  1:0] error_i,
  output logic         done_o,
  output int           failed_o
);
  function automatic logic [L-1:0] random();
    for (int i = 0; i < L; i++) random[i] = 1'($urandom);
    if (random % Prime == '0) random = L'(1);
  endfunction

  int asked;
  assign done_o = asked == Operands && !valid_o;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      asked <= 0;
      failed_o <= 0;
      valid_o <= 1'b0;
      operand_o <= '0;
    end else begin
      if (given_i) begin
        if (error_i != 2'd0 || result_i >= Prime || ((2 * L)'(operand_o) * (2 * L)'(result_i)) % (2 * L)'(Prime) != (2 * L)'(1)) failed_o <= failed_o + 1;
        asked <= asked + 1;
      end
      if (asked == 0 && operand_o == '0 || given_i && asked + 1 < Operands) begin
        valid_o <= 1'b1;
        operand_o <= operand_o == '0 ? Prime - L'(1) : asked == 0 ? L'(2) : random();
      end else if (ready_i) begin
        valid_o <= 1'b0;
      end
    end
  end
endmodule
