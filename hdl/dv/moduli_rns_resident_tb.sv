// Whether a core for programs over resident residues is wiped: programs are cleared while the order is added to a scalar, in the
// middle, and while a result waits, one is left to the core itself, and everything that depended on operands is looked at.
//
//   +a= +b= +c=   the operands      +cycles=   after how many cycles the one in the middle is cleared      +x=   the first result, if it is to be checked

module moduli_rns_resident_tb ();
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic start = 1'b0, given = 1'b0, clear = 1'b0, result_ready = 1'b0;
  logic free, takes, draws, result_valid, failed, busy;
  // Any that no modulus of the tests divides, the same again and again; and 0 where a number is to be refused.
  logic [31:0] random = 32'h9e37_79b9;
  logic [PROGRAM_W-1:0] which = '0;
  logic [OPERAND_W-1:0] operand = '0;
  logic [L-1:0] result;
  moduli_rns_resident #(
    .ClearAfter(1'b1)
  ) u_core (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .start_valid_i  (start),
    .start_ready_o  (free),
    .start_program_i(which),
    .operand_valid_i(given),
    .operand_ready_o(takes),
    .operand_i      (operand),
    .random_valid_i (1'b1),
    .random_ready_o (draws),
    .random_i       (random),
    .result_valid_o (result_valid),
    .result_ready_i (result_ready),
    .result_o       (result),
    .result_error_o (failed),
    .clear_i        (clear),
    .busy_o         (busy)
  );

  // Bits of each Rower that are not 0, and of the rest.
  int left[N];
  genvar channel;
  for (channel = 0; channel < N; channel++) begin : g_left
    int mine;
    assign left[channel] = mine;
    // After an edge, and not in always_comb: not every simulator looks again when a memory has changed.
    always @(posedge clk) begin
      #1;
      mine = $countones(u_core.g_rower[channel].u_rower.ring_q) + $countones(u_core.g_rower[channel].u_rower.a_q)
          + $countones(u_core.g_rower[channel].u_rower.b_q) + $countones(u_core.g_rower[channel].u_rower.x_q)
          + $countones(u_core.g_rower[channel].u_rower.sums);
      for (int k = 0; k < EntriesA; k++) mine += $countones(u_core.g_rower[channel].u_rower.file_a[k]);
      for (int k = 0; k < EntriesB; k++) mine += $countones(u_core.g_rower[channel].u_rower.file_b[k]);
    end
  end
  function automatic int remains();
    int sum;
    sum = $countones(u_core.u_scalar.scalar_q) + $countones({u_core.u_scalar.carry_q, u_core.u_scalar.again_q, u_core.places_q})
        + $countones(u_core.u_loader.buffer_q) + $countones(u_core.u_unloader.first_q) + $countones(u_core.u_unloader.second_q)
        + $countones(u_core.u_unloader.sum_a_q) + $countones(u_core.u_unloader.sum_b_q) + $countones(u_core.u_unloader.waiting_q)
        + $countones(u_core.u_unloader.total_q);
    for (int k = 0; k < QUOTIENTS; k++) sum += $countones(u_core.u_sequencer.quotients_q[k]);
    for (int k = 0; k < N; k++) sum += left[k];
    return sum;
  endfunction

  task automatic give(input logic [OPERAND_W-1:0] value, input logic cleared);
    given   = 1'b1;
    operand = value;
    #1;
    while (!takes) @(negedge clk);
    clear = cleared;
    @(negedge clk);
    clear   = 1'b0;
    given   = 1'b0;
    operand = '0;  // an idle loader follows the port
  endtask
  // Perhaps cleared in the cycle in which the scalar is taken.
  task automatic begin_program(input logic cleared);
    start = 1'b1;
    #1;
    while (!free) @(negedge clk);
    @(negedge clk);
    start = 1'b0;
    give(a, 1'b0);
    give(b, 1'b0);
    give(c, cleared);
  endtask
  task automatic wiped(input string when_, input int before_);
    while (busy) @(negedge clk);
    if (before_ < 20 || remains() != 0) $fatal(1, "%s: %0d bits, %0d are left", when_, before_, remains());
    $display("%s: %0d bits wiped", when_, before_);
  endtask
  task automatic wipe(input string when_);
    int before_;
    before_ = remains();
    clear   = 1'b1;
    @(negedge clk);
    clear = 1'b0;
    wiped(when_, before_);
  endtask

  logic [OPERAND_W-1:0] a = '0, b = '0, c = '0;
  logic [L-1:0] x = '0;
  int cycles = 0, there = 0;
  initial begin
    if (!$value$plusargs("a=%h", a) || !$value$plusargs("b=%h", b) || !$value$plusargs("c=%h", c)) $fatal(1, "three operands are wanted");
    if (!$value$plusargs("cycles=%d", cycles)) $fatal(1, "a number of cycles is wanted");
    which = PROGRAM_W'(RESIDENT - 1);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    begin_program(1'b1);
    wiped("when the order is added", remains());
    begin_program(1'b0);
    repeat (cycles) @(negedge clk);
    wipe("in the middle");
    begin_program(1'b0);
    while (!result_valid) @(negedge clk);
    if ($value$plusargs("x=%h", x) && (result != x || failed)) $fatal(1, "%h in the place of %h", result, x);
    wipe("with a result that waits");
    begin_program(1'b0);
    while (!result_valid) @(negedge clk);
    there = remains();
    result_ready = 1'b1;
    wiped("by itself", there);
    random = '0;
    begin_program(1'b0);
    while (!result_valid) @(negedge clk);
    if (!draws && (!failed || result != '0)) $fatal(1, "%h by a random number that is 0", result);
    $finish;
  end
endmodule
