// The core behind an AXI4-Lite port of 32 bits: doc/registers.md. Integers on the bus are ordinary integers.
//
// No response depends on the core's progress: every transfer is answered at once, with SLVERR if it is not allowed. A
// command is stored as the core's request until the core takes it. A result is the core's response, which stays until
// it is acknowledged. The bus signals have the names of the AXI standard, by which tools find the port. Reset is
// synchronous.

module moduli_rns_axi #(
  parameter bit ClearAfter = 0  // wipe operands and core after every response; then one command at a time
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
  // level-sensitive, high while an enabled cause exists
  output logic        irq_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
  import moduli_rns_axi_pkg::*;

  localparam int IdWidth = 4;
  localparam int Words = (L + 31) / 32;
  localparam int PaddedW = 32 * Words;
  // The limits of the register map: 256 words for an integer, 8 bits for n.
  if (L > 8192 || N > 255) begin : g_too_large
    $fatal(1, "the register map serves P of up to 8192 bits and up to 255 channels: use moduli_rns");
  end
  // The bits of the last word that belong to an operand.
  localparam logic [31:0] LastMask = 32'hFFFF_FFFF >> (PaddedW - L);

  // The core.
  logic req_valid_q, req_ready, rsp_valid, rsp_ready, core_busy;
  logic [2:0] req_op_q;
  logic [IdWidth-1:0] req_id_q, rsp_id;
  logic [L-1:0] a_q, b_q;
  logic [L-1:0] rsp_data;
  logic [1:0] rsp_error;
  logic [STEPS_W-1:0] rsp_steps;
  logic clear_q, clearing_q;
  moduli_rns #(
    .IdWidth   (IdWidth),
    .ClearAfter(ClearAfter)
  ) u_core (
    .clk_i,
    .rst_ni,
    .req_valid_i(req_valid_q),
    .req_ready_o(req_ready),
    .req_op_i   (req_op_q),
    .req_id_i   (req_id_q),
    .req_a_i    (a_q),
    .req_b_i    (b_q),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_id_o   (rsp_id),
    .rsp_data_o (rsp_data),
    .rsp_error_o(rsp_error),
    .rsp_steps_o(rsp_steps),
    .clear_i    (clear_q),
    .busy_o     (core_busy)
  );

  // The status for software. A result that is being acknowledged or cleared does not exist any more.
  logic ready, done, busy, dropped_q;
  assign ready = !req_valid_q && !clear_q && !clearing_q;
  assign done = rsp_valid && !dropped_q && !clear_q && !clearing_q;
  assign busy = !ready || core_busy;
  assign rsp_ready = dropped_q;

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
  logic full, in_range, in_bits;
  logic write_command, write_acknowledge, write_clear, write_enable, write_a, write_b;
  assign write_word = write_offset[9:2];
  assign full = wstrb == '1;
  assign in_range = int'(write_word) < Words;
  logic [31:0] strobes;
  assign strobes = {{8{wstrb[3]}}, {8{wstrb[2]}}, {8{wstrb[1]}}, {8{wstrb[0]}}};
  assign in_bits = int'(write_word) != Words - 1 || (wdata & strobes & ~LastMask) == '0;
  always_comb begin
    write_command = write_offset == OffsetCommand && full && ready && (BLIND != 0 || wdata[1:0] != AskBlinded) &&
        {wdata[31:12], wdata[7:3]} == '0;
    write_acknowledge = write_offset == OffsetAcknowledge && full && done;
    write_clear = write_offset == OffsetClear && full;
    write_enable = write_offset == OffsetInterruptEnable && full && wdata[31:2] == '0;
    write_a = write_offset[11:10] == OffsetA[11:10] && in_range && in_bits && ready;
    write_b = MULTIPLY != 0 && write_offset[11:10] == OffsetB[11:10] && in_range && in_bits && ready;
    write_allowed = write_command || write_acknowledge || write_clear || write_enable || write_a || write_b;
  end

  logic [1:0] enable_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q <= '0;
      dropped_q <= 1'b0;
      clear_q <= 1'b0;
    end else begin
      if (write && write_enable) enable_q <= wdata[1:0];
      dropped_q <= write && write_acknowledge;
      clear_q   <= write && write_clear;
    end
  end

  // The request stays until the core takes it, or until it is cleared.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_valid_q <= 1'b0;
      clearing_q  <= 1'b0;
    end else begin
      if (clear_q) req_valid_q <= 1'b0;
      else if (write && write_command) req_valid_q <= 1'b1;
      else if (req_ready) req_valid_q <= 1'b0;
      if (clear_q) clearing_q <= 1'b1;
      else if (!core_busy) clearing_q <= 1'b0;
    end
    if (write && write_command) begin
      req_op_q <= wdata[2:0];
      req_id_q <= wdata[8+:IdWidth];
    end
  end

  // Operands.
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < L; i++) begin
      if (write && write_word == 8'(i / 32) && wstrb[i%32/8]) begin
        if (write_a) a_q[i] <= wdata[i%32];
        if (write_b) b_q[i] <= wdata[i%32];
      end
    end
    if (!rst_ni || clear_q || (ClearAfter && req_valid_q && req_ready)) begin
      a_q <= '0;
      b_q <= '0;
    end
  end

  // Reads.
  logic [7:0] read_word;
  logic [PaddedW-1:0] result;
  assign read_word = read_offset[9:2];
  assign result = PaddedW'(rsp_data);
  always_comb begin
    rdata = '0;
    read_allowed = 1'b1;
    unique case (read_offset)
      OffsetId: rdata = Identification;
      OffsetVersion: rdata = Version;
      OffsetBuild: rdata = {8'd0, 8'(StepCycles), 8'(CONTEXTS), 2'd0, DivisionSteps, BLIND != 0, CHECK != 0, MULTIPLY != 0, 2'(VARIANT)};
      OffsetShape: rdata = {16'(L), 8'(N), 8'(W)};
      OffsetStatus: begin
        if (done) rdata = {16'(rsp_steps), 4'd0, rsp_id, 2'd0, rsp_error, 4'd0};
        rdata[2:0] = {busy, done, ready};
      end
      OffsetInterruptEnable: rdata = 32'(enable_q);
      OffsetInterruptStatus: rdata = 32'({ready, done});
      default: begin
        read_allowed = read_offset[11:10] == OffsetResult[11:10] && int'(read_word) < Words && done;
        if (read_allowed) begin
          for (int i = 0; i < Words; i++) if (read_word == 8'(i)) rdata = result[32*i+:32];
        end
      end
    endcase
  end
  always_ff @(posedge clk_i) irq_o <= rst_ni && (enable_q & {ready, done}) != '0;

  logic unused;
  assign unused = ^{s_axi_awprot, s_axi_arprot, write_offset[1:0]};
endmodule
