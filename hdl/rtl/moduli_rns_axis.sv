// The core between AXI4-Streams: a packet is a request, and each is answered by a packet. Integers on the streams are ordinary
// integers.
//
//   request    a beat with the command, as in the register COMMAND: bits 2...0 the operation, 11...8 a tag, others 0;
//              the words of A, the lowest first; those of B, except for an inversion that is not blinded; TLAST with the last
//   response   a beat with steps in bits 31...16, the tag in 11...8 and the error in 6...4; the words of the result; TLAST with the last
//
// A packet that is shorter or longer, or has bits set that must be 0, is read to its end. It is not computed, and gets
// the response with error 4. All responses have the same length; with an error, the result is 0. Responses may come in
// another order than requests, and the tag identifies them. Operands stay here until the core takes them, and a result
// until it was sent. The signals of the streams have the names of the AXI standard. Reset is synchronous.

module moduli_rns_axis #(
  parameter int DataWidth = 32,  // of both streams: at least 32 bits, a multiple of 8
  parameter bit ClearAfter = 0   // wipe the core after every response; then one request at a time
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // requests
  input  logic [DataWidth-1:0] s_axis_tdata,
  input  logic                 s_axis_tlast,
  input  logic                 s_axis_tvalid,
  output logic                 s_axis_tready,
  // responses
  output logic [DataWidth-1:0] m_axis_tdata,
  output logic                 m_axis_tlast,
  output logic                 m_axis_tvalid,
  input  logic                 m_axis_tready,
  // drops all work and wipes the core; a response that has begun continues to its end
  input  logic                 clear_i,
  output logic                 busy_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  localparam int IdWidth = 4;
  localparam int Words = (L + DataWidth - 1) / DataWidth;
  localparam int PaddedW = Words * DataWidth;
  localparam int OutW = PaddedW + DataWidth;
  localparam int CountW = clog2(Words + 1);
  // The bits of the first beat that may be set, and those of the last beat of an operand.
  localparam logic [DataWidth-1:0] CommandMask = DataWidth'(32'h0000_0F07);
  localparam logic [DataWidth-1:0] LastMask = {DataWidth{1'b1}} >> (PaddedW - L);
  localparam logic [2:0] Malformed = 3'd4;
  if (DataWidth < 32 || DataWidth % 8 != 0) begin : g_width
    $fatal(1, "DataWidth has to be a multiple of 8, and 32 or more");
  end

  // The core.
  logic req_valid, req_ready, rsp_valid, rsp_ready, core_busy;
  logic [2:0] op_q;
  logic [IdWidth-1:0] id_q, rsp_id;
  logic [PaddedW-1:0] a_q, b_q;
  logic [L-1:0] rsp_data;
  logic [1:0] rsp_error;
  logic [STEPS_W-1:0] rsp_steps;
  moduli_rns #(
    .IdWidth   (IdWidth),
    .ClearAfter(ClearAfter)
  ) u_core (
    .clk_i,
    .rst_ni,
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i   (op_q),
    .req_id_i   (id_q),
    .req_a_i    (a_q[L-1:0]),
    .req_b_i    (b_q[L-1:0]),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_id_o   (rsp_id),
    .rsp_data_o (rsp_data),
    .rsp_error_o(rsp_error),
    .rsp_steps_o(rsp_steps),
    .clear_i,
    .busy_o     (core_busy)
  );

  // Requests: one packet after the other. The next one begins when the core has taken the current one.
  typedef enum logic [2:0] {
    First,  // the command
    OperandA,
    OperandB,
    Rest,  // of a packet that is malformed or was dropped
    Request,  // waits for the core
    Refusal  // the response to a malformed packet waits
  } state_e;
  state_e state_q, state;
  logic [CountW-1:0] count_q;
  logic beat, last_word, wrong, dropped_q, out_free;
  assign beat = s_axis_tvalid && s_axis_tready;
  assign last_word = count_q == CountW'(Words - 1);
  assign req_valid = state_q == Request;
  always_comb begin
    unique case (state_q)
      First, OperandA, OperandB, Rest: s_axis_tready = 1'b1;
      default: s_axis_tready = 1'b0;
    endcase
  end

  // Whether bits are set that must be 0.
  always_comb begin
    unique case (state_q)
      First: wrong = (s_axis_tdata & ~CommandMask) != '0;
      OperandA, OperandB: wrong = last_word && (s_axis_tdata & ~LastMask) != '0;
      default: wrong = 1'b0;
    endcase
  end

  // Whether the packet must end with this beat, and the next state if it is correct.
  logic complete;
  state_e onward;
  always_comb begin
    complete = 1'b0;
    onward   = state_q;
    unique case (state_q)
      First: onward = OperandA;
      OperandA: begin
        if (last_word) begin
          complete = op_q[1:0] == OpInvert;
          onward   = OperandB;
        end
      end
      OperandB: complete = last_word;
      default: ;
    endcase
  end
  always_comb begin
    state = state_q;
    if (beat) begin
      if (!s_axis_tlast) state = (complete || wrong) ? Rest : onward;
      else if (state_q == Rest && dropped_q) state = First;
      else state = (complete && !wrong) ? Request : Refusal;
    end
    if ((req_valid && req_ready) || (state_q == Refusal && out_free)) state = First;
    // A dropped packet gets no response.
    if (clear_i) state = (state == OperandA || state == OperandB || state == Rest) ? Rest : First;
  end
  always_ff @(posedge clk_i) begin
    state_q <= state;
    if (state_q == First || (beat && last_word)) count_q <= '0;
    else if (beat) count_q <= count_q + CountW'(1);
    if (clear_i) dropped_q <= 1'b1;
    else if (state_q == First) dropped_q <= 1'b0;
    if (beat && state_q == First) begin
      op_q <= s_axis_tdata[2:0];
      id_q <= s_axis_tdata[8+:IdWidth];
    end
    if (beat && state_q == OperandA) a_q <= PaddedW'({s_axis_tdata, a_q} >> DataWidth);
    if (beat && state_q == OperandB) b_q <= PaddedW'({s_axis_tdata, b_q} >> DataWidth);
    if (!rst_ni) state_q <= First;
    // The core has taken the operands, or they were dropped.
    if (!rst_ni || state == First || state == Rest || state == Refusal) {a_q, b_q} <= '0;
  end

  // Responses: the packet is shifted out word by word, followed by zeros.
  logic [OutW-1:0] out_q;
  logic [CountW-1:0] left_q;
  logic refuse, answer;
  assign out_free = !m_axis_tvalid;
  assign rsp_ready = out_free && state_q != Refusal;
  assign refuse = state_q == Refusal && out_free && !clear_i;
  assign answer = rsp_valid && rsp_ready && !clear_i;
  assign m_axis_tdata = out_q[DataWidth-1:0];
  assign m_axis_tlast = left_q == '0;
  always_ff @(posedge clk_i) begin
    if (answer) begin
      out_q <= {PaddedW'(rsp_data), DataWidth'({16'(rsp_steps), 4'd0, rsp_id, 1'b0, 3'(rsp_error), 4'd0})};
    end else if (refuse) begin
      out_q <= OutW'({id_q, 1'b0, Malformed, 4'd0});
    end else if (m_axis_tvalid && m_axis_tready) begin
      out_q <= out_q >> DataWidth;
    end
    if (answer || refuse) begin
      left_q <= CountW'(Words);
      m_axis_tvalid <= 1'b1;
    end else if (m_axis_tvalid && m_axis_tready) begin
      left_q <= left_q - CountW'(1);
      m_axis_tvalid <= !m_axis_tlast;
    end
    if (!rst_ni) begin
      m_axis_tvalid <= 1'b0;
      out_q <= '0;
    end
  end

  assign busy_o = core_busy || state_q != First || m_axis_tvalid;
endmodule
