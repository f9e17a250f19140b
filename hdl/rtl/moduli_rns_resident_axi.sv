// The core for programs behind an AXI4-Lite port of 32 bits: doc/resident-registers.md. Integers on the bus are ordinary
// integers.
//
// No response depends on the core's progress, as in moduli_rns_axi. Random words do not come over the bus but from a
// separate source, so that software cannot see them.

module moduli_rns_resident_axi #(
  parameter bit ClearAfter = 0  // wipe the core after every program
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // write address
  input  logic [11:0] s_axi_awaddr,
  input  logic [ 2:0] s_axi_awprot,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  // write data
  input  logic [31:0] s_axi_wdata,
  input  logic [ 3:0] s_axi_wstrb,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  // write response
  output logic [ 1:0] s_axi_bresp,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  // read address
  input  logic [11:0] s_axi_araddr,
  input  logic [ 2:0] s_axi_arprot,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  // read data
  output logic [31:0] s_axi_rdata,
  output logic [ 1:0] s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  // random words: each is taken in the cycle in which both signals are high, and is used once
  input  logic        random_valid_i,
  output logic        random_ready_o,
  input  logic [31:0] random_i,
  // level-sensitive, high while an enabled cause exists
  output logic        irq_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_resident_axi_pkg::*;

  localparam int Words = (L + 31) / 32;
  localparam int PaddedW = 32 * Words;
  localparam int OperandWords = (OPERAND_W + 31) / 32;
  // The limits of the register map: 256 words for an integer, 8 bits for n.
  if (OPERAND_W > 8192 || N > 255) begin : g_too_large
    $fatal(1, "the register map serves operands of up to 8192 bits and up to 255 channels: use moduli_rns_resident");
  end
  // The bits of the last word that belong to an operand.
  localparam logic [31:0] LastMask = 32'hFFFF_FFFF >> (32 * OperandWords - OPERAND_W);

  // The core. Its inputs do not change until they are taken.
  logic start_valid_q, start_ready, operand_valid_q, operand_ready, result_valid, result_error, core_busy;
  logic [PROGRAM_W-1:0] program_q;
  logic [OPERAND_W-1:0] operand_q;
  logic [L-1:0] result;
  logic clear_q, clearing_q, dropped_q;
  moduli_rns_resident #(
    .ClearAfter(ClearAfter)
  ) u_core (
    .clk_i,
    .rst_ni,
    .start_valid_i  (start_valid_q),
    .start_ready_o  (start_ready),
    .start_program_i(program_q),
    .operand_valid_i(operand_valid_q),
    .operand_ready_o(operand_ready),
    .operand_i      (operand_q),
    .random_valid_i,
    .random_ready_o,
    .random_i,
    .result_valid_o (result_valid),
    .result_ready_i (dropped_q),
    .result_o       (result),
    .result_error_o (result_error),
    .clear_i        (clear_q),
    .busy_o         (core_busy)
  );

  // The status for software. A result that is being acknowledged or cleared does not exist any more.
  logic whole, ready, free, done, busy, starved;
  assign whole = !clear_q && !clearing_q;
  assign ready = !start_valid_q && whole;
  assign free = !operand_valid_q && whole;
  assign done = result_valid && !dropped_q && whole;
  assign busy = !ready || core_busy;
  assign starved = random_ready_o && !random_valid_i && whole;

  // The port's handshakes.
  logic write, write_allowed, read_allowed;
  logic [11:0] write_offset, read_offset;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  moduli_rns_axi_port u_port (
    .clk_i,
    .rst_ni,
    .s_axi_awaddr,
    .s_axi_awvalid,
    .s_axi_awready,
    .s_axi_wdata,
    .s_axi_wstrb,
    .s_axi_wvalid,
    .s_axi_wready,
    .s_axi_bresp,
    .s_axi_bvalid,
    .s_axi_bready,
    .s_axi_araddr,
    .s_axi_arvalid,
    .s_axi_arready,
    .s_axi_rdata,
    .s_axi_rresp,
    .s_axi_rvalid,
    .s_axi_rready,
    .write_o        (write),
    .write_offset_o (write_offset),
    .write_data_o   (wdata),
    .write_strobes_o(wstrb),
    .write_allowed_i(write_allowed),
    .read_offset_o  (read_offset),
    .read_data_i    (rdata),
    .read_allowed_i (read_allowed)
  );

  // Selects the register, and decides whether it may be written now.
  logic [7:0] write_word;
  logic full, in_bits;
  logic write_command, write_acknowledge, write_clear, write_enable, write_offer, write_operand;
  logic [31:0] strobes;
  assign write_word = write_offset[9:2];
  assign full = wstrb == '1;
  assign strobes = {{8{wstrb[3]}}, {8{wstrb[2]}}, {8{wstrb[1]}}, {8{wstrb[0]}}};
  assign in_bits = int'(write_word) < OperandWords && (int'(write_word) != OperandWords - 1 || (wdata & strobes & ~LastMask) == '0);
  always_comb begin
    write_command = write_offset == OffsetCommand && full && ready && wdata < 32'(RESIDENT);
    write_acknowledge = write_offset == OffsetAcknowledge && full && done;
    write_clear = write_offset == OffsetClear && full;
    write_enable = write_offset == OffsetInterruptEnable && full && wdata[31:3] == '0;
    write_offer = write_offset == OffsetOffer && full && free;
    write_operand = write_offset[11:10] == OffsetOperand[11:10] && in_bits && free;
    write_allowed = write_command || write_acknowledge || write_clear || write_enable || write_offer || write_operand;
  end

  logic [2:0] enable_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {enable_q, dropped_q, clear_q, clearing_q, start_valid_q, operand_valid_q} <= '0;
    end else begin
      if (write && write_enable) enable_q <= wdata[2:0];
      dropped_q <= write && write_acknowledge;
      clear_q   <= write && write_clear;
      if (clear_q) clearing_q <= 1'b1;
      else if (!core_busy) clearing_q <= 1'b0;
      if (clear_q) start_valid_q <= 1'b0;
      else if (write && write_command) start_valid_q <= 1'b1;
      else if (start_ready) start_valid_q <= 1'b0;
      if (clear_q) operand_valid_q <= 1'b0;
      else if (write && write_offer) operand_valid_q <= 1'b1;
      else if (operand_ready) operand_valid_q <= 1'b0;
    end
    if (write && write_command) program_q <= wdata[PROGRAM_W-1:0];
  end

  // The operand is cleared when the core has taken it.
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < OPERAND_W; i++) begin
      if (write && write_operand && write_word == 8'(i / 32) && wstrb[i%32/8]) operand_q[i] <= wdata[i%32];
    end
    if (!rst_ni || clear_q || (operand_valid_q && operand_ready)) operand_q <= '0;
  end

  // Reads.
  logic [7:0] read_word;
  logic [PaddedW-1:0] padded;
  assign read_word = read_offset[9:2];
  assign padded = PaddedW'(result);
  always_comb begin
    rdata = '0;
    read_allowed = 1'b1;
    unique case (read_offset)
      OffsetId: rdata = Identification;
      OffsetVersion: rdata = Version;
      OffsetBuild: rdata = {16'(OPERAND_W), 8'd0, 8'(RESIDENT)};
      OffsetShape: rdata = {16'(L), 8'(N), 8'(W)};
      OffsetStatus: rdata = 32'({starved, result_error && done, free, busy, done, ready});
      OffsetInterruptEnable: rdata = 32'(enable_q);
      OffsetInterruptStatus: rdata = 32'({free, ready, done});
      default: begin
        read_allowed = read_offset[11:10] == OffsetResult[11:10] && int'(read_word) < Words && done;
        if (read_allowed) begin
          for (int i = 0; i < Words; i++) if (read_word == 8'(i)) rdata = padded[32*i+:32];
        end
      end
    endcase
  end

  always_ff @(posedge clk_i) irq_o <= rst_ni && (enable_q & {free, ready, done}) != '0;

  logic unused;
  assign unused = ^{s_axi_awprot, s_axi_arprot, write_offset[1:0]};
endmodule
