// The rules of the streams, for any core that follows its own rules, any packets and any receiver of responses. Every
// packet that is not dropped becomes a request with its operands, or a refusal, according to its length and its bits.
// Every response of the core is sent, word by word. The first cycle is a reset.

module axis_rules
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] s_tdata_i,
  input logic        s_tlast_i,
  input logic        s_tvalid_i,
  input logic        m_tready_i,
  input logic        clear_i
);
  localparam int Words = (L + 31) / 32;
  // The states of the wrapper, whose names are not visible here.
  typedef enum logic [2:0] {
    First,
    OperandA,
    OperandB,
    Rest,
    Request,
    Refusal
  } state_e;
  logic s_tready, m_tlast, m_tvalid, busy;
  logic [31:0] m_tdata;
  moduli_rns_axis u_axis (
    .clk_i,
    .rst_ni,
    .s_axis_tdata (s_tdata_i),
    .s_axis_tlast (s_tlast_i),
    .s_axis_tvalid(s_tvalid_i),
    .s_axis_tready(s_tready),
    .m_axis_tdata (m_tdata),
    .m_axis_tlast (m_tlast),
    .m_axis_tvalid(m_tvalid),
    .m_axis_tready(m_tready_i),
    .clear_i,
    .busy_o       (busy)
  );
  logic running_q = 1'b0;
  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (!running_q) assume (!rst_ni);
  end

  // The incoming packet: the number of its beats, their content, and whether an error was found.
  logic beat;
  assign beat = s_tvalid_i && s_tready;
  logic [7:0] beats_q;
  logic [2:0] op_q, op;
  logic [3:0] tag_q;
  logic [1:0][Words*32-1:0] operands_q;
  logic bad_q, bad, dropped_q, right;
  logic [7:0] length;
  assign op = beats_q == '0 ? s_tdata_i[2:0] : op_q;
  assign length = 8'(op[1:0] == 2'd2 ? 1 + Words : 1 + 2 * Words);
  always_comb begin
    bad = bad_q || beats_q >= length;
    if (beats_q == '0) bad = {s_tdata_i[31:12], s_tdata_i[7:3]} != '0;
    else if ((beats_q == 8'(Words) || beats_q == 8'(2 * Words)) && L % 32 != 0) bad = bad || s_tdata_i[31:L%32] != '0;
    right = !bad && beats_q + 8'd1 == length;
  end
  // What must be done with the last packet.
  logic request_q, refusal_q;
  always_ff @(posedge clk_i) begin
    if (beat) begin
      bad_q   <= !s_tlast_i && (bad || right);
      beats_q <= s_tlast_i ? '0 : beats_q == 8'hff ? beats_q : beats_q + 8'd1;
      if (beats_q == '0) begin
        op_q <= s_tdata_i[2:0];
        tag_q <= s_tdata_i[11:8];
        operands_q <= '0;
      end
      for (int k = 0; k < Words; k++) begin
        if (beats_q == 8'(1 + k)) operands_q[0][32*k+:32] <= s_tdata_i;
        if (beats_q == 8'(1 + Words + k)) operands_q[1][32*k+:32] <= s_tdata_i;
      end
    end
    dropped_q <= (dropped_q || clear_i) && (beat ? !s_tlast_i : beats_q != '0);
    if (u_axis.req_valid && u_axis.req_ready) request_q <= 1'b0;
    if (u_axis.refuse) refusal_q <= 1'b0;
    if (beat && s_tlast_i && !dropped_q) {request_q, refusal_q} <= {right, !right};
    if (clear_i || !rst_ni) {request_q, refusal_q} <= '0;
    if (!rst_ni) {beats_q, bad_q, dropped_q} <= '0;
  end

  // The response that is being sent.
  logic sends_q, mwait_q, mlast_q;
  logic [31:0] mdata_q;
  logic [Words*32+31:0] response_q;
  logic [7:0] sent_q;
  always_ff @(posedge clk_i) begin
    mwait_q <= rst_ni && m_tvalid && !m_tready_i;
    mdata_q <= m_tdata;
    mlast_q <= m_tlast;
    if (m_tvalid && m_tready_i) begin
      sends_q <= !m_tlast;
      sent_q  <= sent_q + 8'd1;
    end
    if (!clear_i && u_axis.rsp_valid && u_axis.rsp_ready) begin
      {sends_q, sent_q} <= {1'b1, 8'd0};
      response_q <= {(Words * 32)'(u_axis.rsp_data), 16'(u_axis.rsp_steps), 4'd0, u_axis.rsp_id, 2'd0, u_axis.rsp_error, 4'd0};
    end else if (u_axis.refuse) begin
      {sends_q, sent_q} <= {1'b1, 8'd0};
      response_q <= (Words * 32 + 32)'({tag_q, 8'h40});
    end
    if (!rst_ni) sends_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && running_q) begin
      // A word does not change while it waits.
      if (mwait_q) assert (m_tvalid && m_tdata == mdata_q && m_tlast == mlast_q);
      // One request or refusal for each packet, and no others, with the content of the packet.
      assert (u_axis.req_valid == request_q);
      assert ((u_axis.state_q == Refusal) == refusal_q);
      assert (!(s_tready && (request_q || refusal_q)));
      if (request_q) assert ({u_axis.op_q, u_axis.id_q, u_axis.b_q, u_axis.a_q} == {op_q, tag_q, operands_q});
      if (refusal_q) assert (u_axis.id_q == tag_q);
      // Every response of the core, and every refusal, is sent to its end.
      if (u_axis.rsp_valid && u_axis.rsp_ready || u_axis.refuse) assert (!m_tvalid);
      assert (!(u_axis.refuse && u_axis.rsp_valid && u_axis.rsp_ready));
      assert (m_tvalid == sends_q);
      if (m_tvalid) assert (u_axis.out_q == response_q >> 32 * sent_q && m_tlast == (sent_q == 8'(Words)));
      // busy is high while work is pending.
      assert (busy || !(beats_q != '0 || request_q || refusal_q || m_tvalid));
      // No operand or result is left.
      if (!m_tvalid) assert (u_axis.out_q == '0);
      if (u_axis.state_q == First || u_axis.state_q == Rest || refusal_q) assert ({u_axis.a_q, u_axis.b_q} == '0);

      // Invariants that make this inductive: the position of the wrapper in a packet.
      assert (!m_tvalid || (sent_q <= 8'(Words) && sent_q + u_axis.left_q == 8'(Words)));
      assert (!(request_q && refusal_q));
      assert (u_axis.state_q <= Refusal);
      assert ((beats_q == '0) == (u_axis.state_q == First || request_q || refusal_q));
      assert ((u_axis.state_q == Rest) == (beats_q != '0 && (bad_q || dropped_q)));
      if (u_axis.state_q == Rest) assert (u_axis.dropped_q == dropped_q);
      else assert (!dropped_q);
      if (beats_q != '0) assert (u_axis.id_q == tag_q);
      if (beats_q == '0) assert (!bad_q);
      if (u_axis.state_q == OperandA || u_axis.state_q == OperandB) begin
        assert (u_axis.op_q == op_q && !u_axis.dropped_q);
        assert (u_axis.a_q == operands_q[0] << (32 * (beats_q > 8'(Words) ? 0 : Words + 1 - beats_q)));
        assert (u_axis.b_q == operands_q[1] << (32 * (2 * Words + 1 - (beats_q > 8'(Words) ? beats_q : 8'(Words + 1)))));
      end
      if (u_axis.state_q == OperandA) assert (beats_q <= 8'(Words) && u_axis.count_q == beats_q - 8'd1 && operands_q[1] == '0);
      if (u_axis.state_q == OperandB) begin
        assert (beats_q > 8'(Words) && beats_q <= 8'(2 * Words) && u_axis.count_q == beats_q - 8'(Words + 1) && op_q[1:0] != 2'd2);
      end
    end
  end
endmodule
