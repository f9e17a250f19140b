// The handshakes of an AXI4-Lite port of 32 bits, for registers in a window of 4 KiB.
//
// Writes come out one at a time: write_o is high for one cycle, with offset, data and strobes. In that cycle,
// write_allowed_i selects the response, OKAY or SLVERR. A read is taken in the cycle in which read_data_i and
// read_allowed_i answer read_offset_o. Both are answered at once, whatever the registers wait for. Reset is
// synchronous.

module moduli_rns_axi_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  // write address
  input  logic [11:0] s_axi_awaddr,
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
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  // read data
  output logic [31:0] s_axi_rdata,
  output logic [ 1:0] s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  // registers
  output logic        write_o,
  output logic [11:0] write_offset_o,
  output logic [31:0] write_data_o,
  output logic [ 3:0] write_strobes_o,
  input  logic        write_allowed_i,
  output logic [11:0] read_offset_o,
  input  logic [31:0] read_data_i,
  input  logic        read_allowed_i
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] Slverr = 2'b10;

  // Writes: address and data are taken in any order. The write is performed when both are present and the previous
  // response was sent or is being taken.
  logic aw_held_q, w_held_q;
  logic [11:0] awaddr_q;
  assign s_axi_awready = !aw_held_q;
  assign s_axi_wready = !w_held_q;
  assign write_o = aw_held_q && w_held_q && (!s_axi_bvalid || s_axi_bready);
  assign write_offset_o = {awaddr_q[11:2], 2'b00};
  always_ff @(posedge clk_i) begin
    if (s_axi_awvalid && s_axi_awready) awaddr_q <= s_axi_awaddr;
    if (s_axi_wvalid && s_axi_wready) begin
      write_data_o <= s_axi_wdata;
      write_strobes_o <= s_axi_wstrb;
    end else if (write_o) begin
      // A word of an operand is not kept longer than needed.
      write_data_o <= '0;
    end
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
    end else begin
      if (write_o) aw_held_q <= 1'b0;
      else if (s_axi_awvalid) aw_held_q <= 1'b1;
      if (write_o) w_held_q <= 1'b0;
      else if (s_axi_wvalid) w_held_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_axi_bvalid <= 1'b0;
      s_axi_bresp  <= Okay;
    end else begin
      if (write_o) begin
        s_axi_bvalid <= 1'b1;
        s_axi_bresp  <= write_allowed_i ? Okay : Slverr;
      end else if (s_axi_bready) begin
        s_axi_bvalid <= 1'b0;
      end
    end
  end

  // Reads: one at a time, answered from a register in the next cycle.
  assign s_axi_arready = !s_axi_rvalid;
  assign read_offset_o = {s_axi_araddr[11:2], 2'b00};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_axi_rvalid <= 1'b0;
    end else if (s_axi_arvalid && s_axi_arready) begin
      s_axi_rvalid <= 1'b1;
    end else if (s_axi_rready) begin
      s_axi_rvalid <= 1'b0;
    end
    if (s_axi_arvalid && s_axi_arready) begin
      s_axi_rdata <= read_data_i;
      s_axi_rresp <= read_allowed_i ? Okay : Slverr;
    end else if (s_axi_rready) begin
      // When a read is taken, no part of a result stays on the bus.
      s_axi_rdata <= '0;
    end
  end

  logic unused;
  assign unused = ^{awaddr_q[1:0], s_axi_araddr[1:0]};
endmodule
