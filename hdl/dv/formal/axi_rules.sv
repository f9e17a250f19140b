// The rules of the wrapper's handshakes, for any core that follows its own rules and any manager. The first cycle is a
// reset.

module axi_rules
  import moduli_rns_params_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic [11:0] awaddr_i,
  input logic        awvalid_i,
  input logic [31:0] wdata_i,
  input logic [ 3:0] wstrb_i,
  input logic        wvalid_i,
  input logic        bready_i,
  input logic [11:0] araddr_i,
  input logic        arvalid_i,
  input logic        rready_i
);
  logic awready, wready, bvalid, arready, rvalid, irq;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  moduli_rns_axi u_axi (
    .clk_i,
    .rst_ni,
    .s_axi_awaddr (awaddr_i),
    .s_axi_awprot ('0),
    .s_axi_awvalid(awvalid_i),
    .s_axi_awready(awready),
    .s_axi_wdata  (wdata_i),
    .s_axi_wstrb  (wstrb_i),
    .s_axi_wvalid (wvalid_i),
    .s_axi_wready (wready),
    .s_axi_bresp  (bresp),
    .s_axi_bvalid (bvalid),
    .s_axi_bready (bready_i),
    .s_axi_araddr (araddr_i),
    .s_axi_arprot ('0),
    .s_axi_arvalid(arvalid_i),
    .s_axi_arready(arready),
    .s_axi_rdata  (rdata),
    .s_axi_rresp  (rresp),
    .s_axi_rvalid (rvalid),
    .s_axi_rready (rready_i),
    .irq_o        (irq)
  );

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (!running_q) assume (!rst_ni);
  end

  // Pending transfers: addresses, data and reads that were taken and not yet answered.
  logic [2:0] addresses_q, data_q, reads_q;
  // Commands and acknowledgements that were answered by OKAY, minus the core's handshakes for them.
  logic [2:0] commands_q, acknowledged_q;
  logic command, acknowledge;
  assign command = u_axi.write && u_axi.write_allowed && u_axi.write_offset == 12'h010;
  assign acknowledge = u_axi.write && u_axi.write_allowed && u_axi.write_offset == 12'h018;
  logic request, response;
  assign request = u_axi.req_valid_q && u_axi.req_ready;
  assign response = u_axi.rsp_valid && u_axi.rsp_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addresses_q <= '0;
      data_q <= '0;
      reads_q <= '0;
    end else begin
      addresses_q <= addresses_q + 3'(awvalid_i && awready) - 3'(bvalid && bready_i);
      data_q <= data_q + 3'(wvalid_i && wready) - 3'(bvalid && bready_i);
      reads_q <= reads_q + 3'(arvalid_i && arready) - 3'(rvalid && rready_i);
    end
    if (!rst_ni || u_axi.clear_q) begin
      commands_q <= '0;
      acknowledged_q <= '0;
    end else begin
      commands_q <= commands_q + 3'(command) - 3'(request);
      acknowledged_q <= acknowledged_q + 3'(acknowledge) - 3'(response);
    end
  end

  // The values of the last cycle.
  logic was_running_q, bwait_q, rwait_q, reqwait_q, both_q, irq_cause_q;
  logic [1:0] bresp_q, rresp_q;
  logic [31:0] rdata_q;
  logic [2*L+6:0] request_q, request_payload;
  assign request_payload = {u_axi.req_op_q, u_axi.req_id_q, u_axi.a_q, u_axi.b_q};
  always_ff @(posedge clk_i) begin
    was_running_q <= rst_ni;
    bwait_q <= rst_ni && bvalid && !bready_i;
    rwait_q <= rst_ni && rvalid && !rready_i;
    reqwait_q <= rst_ni && u_axi.req_valid_q && !u_axi.req_ready && !u_axi.clear_q;
    both_q <= rst_ni && u_axi.u_port.aw_held_q && u_axi.u_port.w_held_q && !bvalid;
    bresp_q <= bresp;
    rresp_q <= rresp;
    rdata_q <= rdata;
    request_q <= request_payload;
    irq_cause_q <= rst_ni && |(u_axi.enable_q & {u_axi.ready, u_axi.done});
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && running_q && was_running_q) begin
      // A response does not change while it waits.
      if (bwait_q) assert (bvalid && bresp == bresp_q);
      if (rwait_q) assert (rvalid && rresp == rresp_q && rdata == rdata_q);
      // One response for each address with data and for each read, and no others.
      assert (addresses_q == 3'(u_axi.u_port.aw_held_q) + 3'(bvalid));
      assert (data_q == 3'(u_axi.u_port.w_held_q) + 3'(bvalid));
      assert (reads_q == 3'(rvalid));
      assert (!bvalid || (addresses_q != '0 && data_q != '0));
      // A write that can be answered is answered in the next cycle.
      if (both_q) assert (bvalid);
      // A request does not change until the core takes it; there is one for each command.
      if (reqwait_q) assert (u_axi.req_valid_q && request_payload == request_q);
      assert (commands_q == 3'(u_axi.req_valid_q));
      // A result is taken exactly once for each acknowledgement.
      assert (acknowledged_q == 3'(u_axi.dropped_q));
      if (u_axi.rsp_ready) assert (u_axi.rsp_valid);
      // A refused read returns 0.
      if (rvalid && rresp != 2'b00) assert (rdata == '0);
      assert (irq == irq_cause_q);
    end
  end
endmodule
