// Wipes the core: drops all work, and overwrites register files, rings and pipelines with zeros.
//
// Meanwhile, the top module holds all control in reset. First the pipeline is filled with zeros, until the result
// register holds 0. Then this register is written to each entry of the register files, and the rings and accumulators
// are cleared, too.
//
// With After set, the core also does this after it has answered a request, before it takes the next one.

module moduli_rns_clear #(
  parameter bit After = 0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,
  input  logic                              accepted_i,
  input  logic                              working_i,  // a request is being processed, or a response waits
  output logic                              begin_o,
  output logic                              used_o,  // no request may be accepted: computed values were not wiped yet
  output logic                              active_o,
  output logic                              write_o,  // writes the result register to entry_o of the files and to the ring
  output logic [moduli_rns_pkg::EntryW-1:0] entry_o
);
  import moduli_rns_pkg::*;

  localparam int First = StepCycles + 8;
  localparam int CountW = $clog2(First + Entries + 1);
  logic active_q, write_q, used_q;
  logic [CountW-1:0] count_q;  // starts at -First; from 0 on, it is the entry
  always_ff @(posedge clk_i) begin
    count_q <= count_q + CountW'(1);
    if (count_q == '1) write_q <= active_q;
    if (count_q == CountW'(Entries - 1)) {active_q, write_q} <= '0;
    if (begin_o) begin
      {active_q, write_q} <= 2'b10;
      count_q <= -CountW'(First);
    end
    if (accepted_i) used_q <= After;
    if (!rst_ni || active_q) used_q <= 1'b0;
    if (!rst_ni) {active_q, write_q} <= '0;
  end
  assign begin_o  = clear_i || (used_q && !working_i);
  assign used_o   = used_q;
  assign active_o = active_q;
  // Only while all control is in reset: a flipped bit must not overwrite values that are in use.
  assign write_o  = write_q && active_q;
  assign entry_o  = EntryW'(count_q);
endmodule
