// The redundant channel: every value modulo 2^W - 1, which is coprime to all moduli and larger than each. See
// doc/theory.md.
//
// It executes the issues of the Rowers like a Rower in the second base, with the digit in the first Rower's ring. In
// the extension back, it computes the residue of the result a second time, from the digits that the others take. If the
// two differ, there was a fault.
//
// Its files have half as many entries as those of the Rowers: writes to entries of the first base are ignored. The ends
// of both extensions are recognised by their addresses in the ROM ext.

(* keep_hierarchy = "yes" *)
module moduli_rns_redundant (
  input  logic                                                         clk_i,
  input  logic                                                         rst_ni,
  // as for a Rower
  input  moduli_rns_pkg::issue_t                                       issue_i,
  input  moduli_rns_pkg::product_t                                     product_i,
  input  logic                     [moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_i,
  input  logic                     [     moduli_rns_params_pkg::W-1:0] digit_i,
  input  logic                                                         write_a_i,
  input  logic                                                         write_b_i,
  input  logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_a_i,
  input  logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_b_i,
  input  logic                     [     moduli_rns_params_pkg::W-1:0] ring_i,  // the digit in the first Rower's ring
  input  logic                     [     moduli_rns_params_pkg::W-1:0] operand_i,  // of the last operand that was used
  output logic                     [     moduli_rns_params_pkg::W-1:0] residue_o,  // of x, the first entry of file A
  output logic                                                         fault_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // File A holds x, followed by chunk products.
  localparam int DepthA = 1 + CHUNKS;
  localparam int DepthB = (EntriesB + 1) / 2;
  localparam int AddrAW = clog2(DepthA);
  localparam int AddrBW = clog2(DepthB);

  logic [W-1:0] digit;
  logic [W-1:0] file_a[DepthA];
  logic [W-1:0] file_b[DepthB];
  logic [AddrAW-1:0] write_a;
  assign write_a = AddrAW'(write_entry_a_i >> 1);
  always_ff @(posedge clk_i) begin
    if (write_a_i && write_entry_a_i[0] && int'(write_a) < DepthA) file_a[write_a] <= digit;
    if (write_b_i && write_entry_b_i[0]) file_b[AddrBW'(write_entry_b_i>>1)] <= digit;
  end
  assign residue_o = file_a[0];

  // Decide, add.
  issue_t issue_q;
  product_t product_q, product_2q;
  logic [W-1:0] a_q, b_q;
  logic [W:0] x_q;
  logic [AddrAW-1:0] read_a;
  assign read_a = AddrAW'(issue_i.entry >> 1);
  always_ff @(posedge clk_i) begin
    issue_q <= issue_i;
    product_q <= product_i;
    product_2q <= product_q;
    a_q <= issue_i.load_a ? ring_i : file_a[int'(read_a) < DepthA ? read_a : '0];
    b_q <= issue_i.load_b ? digit_i : file_b[AddrBW'(issue_i.entry_b>>1)];
    x_q <= (W + 1)'(a_q & {W{issue_q.use_a}}) + (W + 1)'(b_q & {W{issue_q.use_b}});
  end

  logic [CHUNKS*W-1:0] ext, ext_q, chosen, constant_q;
  moduli_rns_rom_ext #(
    .Channel(N)
  ) u_rom_ext (
    .clk_i,
    .addr_i(ext_addr_i),
    .data_o(ext)
  );
  always_comb begin
    chosen = ext_q;
    if (product_q.by_b) begin
      for (int k = 0; k < CHUNKS; k++) begin
        chosen[k*W+:W] = product_q.chunk == $bits(product_q.chunk)'(k) ? b_q : '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    ext_q <= ext;
    constant_q <= chosen;
  end

  // Multiply, sum, fold: 2^W is 1 modulo 2^W - 1.
  logic [Pieces*SumW-1:0] sums;
  logic [W:0] unused_wide;
  logic [W-1:0] unused_low;
  moduli_rns_multiply u_multiply (
    .clk_i,
    .x_i(x_q),
    .constant_i(constant_q),
    .accumulate_i(product_2q.accumulate),
    .hold_i(product_2q.hold),
    .sums_o(sums)
  );
  moduli_rns_reduce #(
    .R1(1)
  ) u_reduce (
    .clk_i,
    .second_i(1'b0),
    .sums_i  (sums),
    .addend_i('0),
    .wide_o  (unused_wide),
    .digit_o (digit),
    .low_o   (unused_low)
  );

  // The result of the second base is kept for the extension back. A multiple of 2^W - 1 other than 0 is folded to 2^W -
  // 1, so 0 represents only 0, in both computations of the result. Therefore the digits can be compared.
  logic [ResultCycles:0] forth_q, back_q;
  logic [W-1:0] kept_q;
  logic same, loaded, rst_q;
  assign same = digit == (loaded ? operand_i : kept_q);

  // With a guard: the last digit of an operand in the second base has its own address, too.
  if (GUARD != 0) begin : g_guard
    logic [ResultCycles:0] load_q;
    always_ff @(posedge clk_i) begin
      load_q <= {load_q[ResultCycles-1:0], ext_addr_i == EXT_AW'(ExtLastDigit)};
      if (!rst_ni || !rst_q) load_q <= '0;
    end
    assign loaded = load_q[ResultCycles];
  end else begin : g_no_guard
    assign loaded = 1'b0;
    logic unused_operand;
    assign unused_operand = ^operand_i;
  end
  always_ff @(posedge clk_i) begin
    forth_q <= {forth_q[ResultCycles-1:0], ext_addr_i == EXT_AW'(ExtForth + N)};
    back_q  <= {back_q[ResultCycles-1:0], ext_addr_i == EXT_AW'(ExtBack + N)};
    if (forth_q[ResultCycles] || !rst_ni) kept_q <= digit;  // in reset, it is 0 when the core is wiped
    fault_o <= (back_q[ResultCycles] || loaded) && !same && rst_ni;
    // The address comes from a register without a reset.
    rst_q <= rst_ni;
    if (!rst_ni || !rst_q) {forth_q, back_q} <= '0;
  end

  logic unused;
  assign unused = ^{issue_q, product_2q, unused_wide, unused_low};
endmodule
