// Functional coverage of the ports: AXI4-Lite of the core and of that for programs, AXI4-Stream. MODULI_RNS_COVER_... chooses the
// wrapper. dv/cocotb/run.py coverage compiles it with Verilator.

`ifndef MODULI_RNS_COVER_AXIS
// The handshakes of an AXI4-Lite port.
module moduli_rns_cover_port (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       s_axi_awvalid,
  input logic       s_axi_awready,
  input logic       s_axi_wvalid,
  input logic       s_axi_wready,
  input logic [1:0] s_axi_bresp,
  input logic       s_axi_bvalid,
  input logic       s_axi_bready,
  input logic       s_axi_arvalid,
  input logic       s_axi_arready,
  input logic [1:0] s_axi_rresp,
  input logic       s_axi_rvalid,
  input logic       s_axi_rready,
  input logic       aw_held_q,
  input logic       w_held_q,
  input logic       write_o,
  input logic [3:0] write_strobes_o
);
  logic address, data, written, read;
  assign address = rst_ni && s_axi_awvalid && s_axi_awready;
  assign data = rst_ni && s_axi_wvalid && s_axi_wready;
  assign written = rst_ni && s_axi_bvalid && s_axi_bready;
  assign read = rst_ni && s_axi_rvalid && s_axi_rready;
  address_comes_before_data: cover property (@(posedge clk_i) address && !w_held_q && !s_axi_wvalid);
  data_comes_before_address: cover property (@(posedge clk_i) data && !aw_held_q && !s_axi_awvalid);
  address_and_data_come_together: cover property (@(posedge clk_i) address && data);
  address_waits: cover property (@(posedge clk_i) rst_ni && s_axi_awvalid && !s_axi_awready);
  data_waits: cover property (@(posedge clk_i) rst_ni && s_axi_wvalid && !s_axi_wready);
  read_address_waits: cover property (@(posedge clk_i) rst_ni && s_axi_arvalid && !s_axi_arready);
  write_waits_for_the_response_before: cover property (@(posedge clk_i) rst_ni && aw_held_q && w_held_q && !write_o);
  write_of_a_whole_word: cover property (@(posedge clk_i) rst_ni && write_o && write_strobes_o == '1);
  write_of_some_bytes: cover property (@(posedge clk_i) rst_ni && write_o && write_strobes_o != '1 && write_strobes_o != '0);
  write_response_waits: cover property (@(posedge clk_i) rst_ni && s_axi_bvalid && !s_axi_bready);
  read_response_waits: cover property (@(posedge clk_i) rst_ni && s_axi_rvalid && !s_axi_rready);
  write_is_okay: cover property (@(posedge clk_i) written && s_axi_bresp == 2'b00);
  write_is_refused: cover property (@(posedge clk_i) written && s_axi_bresp == 2'b10);
  read_is_okay: cover property (@(posedge clk_i) read && s_axi_rresp == 2'b00);
  read_is_refused: cover property (@(posedge clk_i) read && s_axi_rresp == 2'b10);
  both_responses_are_there: cover property (@(posedge clk_i) rst_ni && s_axi_bvalid && s_axi_rvalid);
  read_is_taken_with_a_write: cover property (@(posedge clk_i) rst_ni && write_o && s_axi_arvalid && s_axi_arready);
endmodule
bind moduli_rns_axi_port moduli_rns_cover_port u_cover (.*);

// A register: written and read, when it may be and when not.
module moduli_rns_cover_access (
  input logic clk_i,
  input logic write,
  input logic allowed,
  input logic whole  // all bytes of the word
);
  is_written: cover property (@(posedge clk_i) write && allowed);
  is_refused: cover property (@(posedge clk_i) write && !allowed);
  is_refused_a_whole_word: cover property (@(posedge clk_i) write && !allowed && whole);
endmodule
`endif

`ifdef MODULI_RNS_COVER_AXI
module moduli_rns_cover_axi (
  input logic                                clk_i,
  input logic                                rst_ni,
  input logic                                write,
  input logic                         [11:0] write_offset,
  input logic                                write_command,
  input logic                                write_acknowledge,
  input logic                                write_clear,
  input logic                                write_enable,
  input logic                                write_a,
  input logic                                write_b,
  input logic                         [ 7:0] write_word,
  input logic                                full,
  input logic                                in_bits,
  input logic                         [11:0] read_offset,
  input logic                                read_allowed,
  input logic                                s_axi_arvalid,
  input logic                                s_axi_arready,
  input logic                                ready,
  input logic                                done,
  input logic                                busy,
  input logic                                req_valid_q,
  input logic                                req_ready,
  input logic                                clearing_q,
  input logic                         [ 1:0] enable_q,
  input logic                                irq_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_axi_pkg::*;
  localparam int Words = (L + 31) / 32;
  logic at_command, at_acknowledge, at_clear, at_enable, at_a, at_b, read;
  assign at_command = rst_ni && write && write_offset == OffsetCommand;
  assign at_acknowledge = rst_ni && write && write_offset == OffsetAcknowledge;
  assign at_clear = rst_ni && write && write_offset == OffsetClear;
  assign at_enable = rst_ni && write && write_offset == OffsetInterruptEnable;
  assign at_a = rst_ni && write && write_offset[11:10] == OffsetA[11:10];
  assign at_b = rst_ni && write && write_offset[11:10] == OffsetB[11:10];
  assign read = rst_ni && s_axi_arvalid && s_axi_arready;
  moduli_rns_cover_access command (.clk_i, .write(at_command), .allowed(write_command), .whole(full));
  moduli_rns_cover_access acknowledge (.clk_i, .write(at_acknowledge), .allowed(write_acknowledge), .whole(full));
  moduli_rns_cover_access interrupt_enable (.clk_i, .write(at_enable), .allowed(write_enable), .whole(full));
  moduli_rns_cover_access operand_a (.clk_i, .write(at_a), .allowed(write_a), .whole(full));
  clear_is_refused: cover property (@(posedge clk_i) at_clear && !write_clear);
  if (MULTIPLY != 0) begin : g_second
    moduli_rns_cover_access operand_b (.clk_i, .write(at_b), .allowed(write_b), .whole(full));
  end else begin : g_no_second
    operand_b_is_refused_without_products: cover property (@(posedge clk_i) at_b && !write_b);
  end
  if (L % 32 != 0) begin : g_bits
    operand_has_bits_too_high: cover property (@(posedge clk_i) at_a && int'(write_word) == Words - 1 && !in_bits);
  end
  if (Words > 1) begin : g_words
    first_of_several_words: cover property (@(posedge clk_i) at_a && write_a && write_word == '0);
    last_of_several_words: cover property (@(posedge clk_i) at_a && write_a && int'(write_word) == Words - 1);
    first_word_is_read: cover property (@(posedge clk_i) read && read_allowed && read_offset == OffsetResult);
    last_word_is_read: cover property (@(posedge clk_i) read && read_allowed && read_offset == OffsetResult + 12'(4 * Words - 4));
  end
  word_beyond_an_operand: cover property (@(posedge clk_i) at_a && int'(write_word) >= Words);
  result_is_read: cover property (@(posedge clk_i) read && read_allowed && read_offset[11:10] == OffsetResult[11:10]);
  result_is_read_too_early: cover property (@(posedge clk_i) read && !read_allowed && read_offset == OffsetResult);
  operand_is_written_while_a_request_waits: cover property (@(posedge clk_i) at_a && req_valid_q);
  command_while_a_request_waits: cover property (@(posedge clk_i) at_command && req_valid_q);
  command_while_the_core_computes: cover property (@(posedge clk_i) at_command && write_command && busy);
  request_waits_for_the_core: cover property (@(posedge clk_i) rst_ni && req_valid_q && !req_ready);
  clear_while_idle: cover property (@(posedge clk_i) at_clear && write_clear && !busy);
  clear_while_a_request_waits: cover property (@(posedge clk_i) at_clear && write_clear && req_valid_q);
  clear_while_the_core_computes: cover property (@(posedge clk_i) at_clear && write_clear && busy && !done);
  clear_while_a_result_waits: cover property (@(posedge clk_i) at_clear && write_clear && done);
  clear_while_the_core_is_wiped: cover property (@(posedge clk_i) at_clear && write_clear && clearing_q);
  command_while_the_core_is_wiped: cover property (@(posedge clk_i) at_command && clearing_q);
  reset_while_a_request_waits: cover property (@(posedge clk_i) !rst_ni && req_valid_q);
  reset_while_a_result_waits: cover property (@(posedge clk_i) !rst_ni && done);
  interrupt_for_a_result: cover property (@(posedge clk_i) irq_o && enable_q == 2'b01 && done);
  interrupt_for_room: cover property (@(posedge clk_i) irq_o && enable_q == 2'b10 && ready);
  interrupt_that_is_not_enabled: cover property (@(posedge clk_i) rst_ni && done && !enable_q[0] && !irq_o);
endmodule
bind moduli_rns_axi moduli_rns_cover_axi u_cover (.*);
`endif

`ifdef MODULI_RNS_COVER_RESIDENT_AXI
module moduli_rns_cover_resident_axi (
  input logic                                                clk_i,
  input logic                                                rst_ni,
  input logic                                                write,
  input logic [                                        11:0] write_offset,
  input logic                                                write_command,
  input logic                                                write_acknowledge,
  input logic                                                write_clear,
  input logic                                                write_enable,
  input logic                                                write_offer,
  input logic                                                write_operand,
  input logic [                                         7:0] write_word,
  input logic                                                full,
  input logic                                                in_bits,
  input logic [                                        11:0] read_offset,
  input logic                                                read_allowed,
  input logic                                                s_axi_arvalid,
  input logic                                                s_axi_arready,
  input logic                                                ready,
  input logic                                                free,
  input logic                                                done,
  input logic                                                busy,
  input logic                                                starved,
  input logic                                                result_error,
  input logic                                                start_valid_q,
  input logic                                                operand_valid_q,
  input logic                                                clearing_q,
  input logic [                                         2:0] enable_q,
  input logic                                                irq_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_resident_axi_pkg::*;
  localparam int OperandWords = (OPERAND_W + 31) / 32;
  localparam int Words = (L + 31) / 32;
  logic at_command, at_acknowledge, at_clear, at_enable, at_offer, at_operand, read;
  assign at_command = rst_ni && write && write_offset == OffsetCommand;
  assign at_acknowledge = rst_ni && write && write_offset == OffsetAcknowledge;
  assign at_clear = rst_ni && write && write_offset == OffsetClear;
  assign at_enable = rst_ni && write && write_offset == OffsetInterruptEnable;
  assign at_offer = rst_ni && write && write_offset == OffsetOffer;
  assign at_operand = rst_ni && write && write_offset[11:10] == OffsetOperand[11:10];
  assign read = rst_ni && s_axi_arvalid && s_axi_arready;
  moduli_rns_cover_access command (.clk_i, .write(at_command), .allowed(write_command), .whole(full));
  moduli_rns_cover_access acknowledge (.clk_i, .write(at_acknowledge), .allowed(write_acknowledge), .whole(full));
  moduli_rns_cover_access interrupt_enable (.clk_i, .write(at_enable), .allowed(write_enable), .whole(full));
  moduli_rns_cover_access offer (.clk_i, .write(at_offer), .allowed(write_offer), .whole(full));
  moduli_rns_cover_access operand (.clk_i, .write(at_operand), .allowed(write_operand), .whole(full));
  clear_is_refused: cover property (@(posedge clk_i) at_clear && !write_clear);
  if (OPERAND_W % 32 != 0) begin : g_bits
    operand_has_bits_too_high: cover property (@(posedge clk_i) at_operand && int'(write_word) == OperandWords - 1 && !in_bits);
  end
  if (OperandWords > 1) begin : g_words
    first_of_several_words: cover property (@(posedge clk_i) at_operand && write_operand && write_word == '0);
    last_of_several_words: cover property (@(posedge clk_i) at_operand && write_operand && int'(write_word) == OperandWords - 1);
    last_word_is_read: cover property (@(posedge clk_i) read && read_allowed && read_offset == OffsetResult + 12'(4 * Words - 4));
  end
  word_beyond_an_operand: cover property (@(posedge clk_i) at_operand && int'(write_word) >= OperandWords);
  result_is_read: cover property (@(posedge clk_i) read && read_allowed && read_offset[11:10] == OffsetResult[11:10]);
  result_is_read_too_early: cover property (@(posedge clk_i) read && !read_allowed && read_offset == OffsetResult);
  result_has_an_error: cover property (@(posedge clk_i) rst_ni && done && result_error);
  operand_is_written_while_one_is_on_offer: cover property (@(posedge clk_i) at_operand && operand_valid_q);
  operand_is_offered_before_the_program: cover property (@(posedge clk_i) at_offer && write_offer && !busy);
  operand_is_offered_to_a_program: cover property (@(posedge clk_i) at_offer && write_offer && busy);
  operand_waits_while_a_result_does: cover property (@(posedge clk_i) rst_ni && operand_valid_q && done);
  program_waits_for_another: cover property (@(posedge clk_i) rst_ni && start_valid_q && done);
  command_while_a_program_waits: cover property (@(posedge clk_i) at_command && start_valid_q);
  random_word_is_waited_for: cover property (@(posedge clk_i) rst_ni && starved);
  clear_while_idle: cover property (@(posedge clk_i) at_clear && write_clear && !busy);
  clear_while_a_program_runs: cover property (@(posedge clk_i) at_clear && write_clear && busy && !done && !starved);
  clear_while_a_random_word_is_waited_for: cover property (@(posedge clk_i) at_clear && write_clear && starved);
  clear_while_an_operand_waits: cover property (@(posedge clk_i) at_clear && write_clear && operand_valid_q);
  clear_while_a_result_waits: cover property (@(posedge clk_i) at_clear && write_clear && done);
  command_while_the_core_is_wiped: cover property (@(posedge clk_i) at_command && clearing_q);
  operand_while_the_core_is_wiped: cover property (@(posedge clk_i) at_operand && clearing_q);
  reset_while_a_program_runs: cover property (@(posedge clk_i) !rst_ni && busy && !done);
  reset_while_an_operand_waits: cover property (@(posedge clk_i) !rst_ni && operand_valid_q);
  interrupt_for_a_result: cover property (@(posedge clk_i) irq_o && enable_q == 3'b001 && done);
  interrupt_for_a_program: cover property (@(posedge clk_i) irq_o && enable_q == 3'b010 && ready);
  interrupt_for_an_operand: cover property (@(posedge clk_i) irq_o && enable_q == 3'b100 && free);
  interrupt_that_is_not_enabled: cover property (@(posedge clk_i) rst_ni && done && !enable_q[0] && !irq_o);
endmodule
bind moduli_rns_resident_axi moduli_rns_cover_resident_axi u_cover (.*);
`endif

`ifdef MODULI_RNS_COVER_AXIS
module moduli_rns_cover_axis #(
  parameter int DataWidth = 32
) (
  input logic                                                          clk_i,
  input logic                                                          rst_ni,
  input logic                                                          clear_i,
  input logic                                                          s_axis_tlast,
  input logic                                                          s_axis_tvalid,
  input logic                                                          s_axis_tready,
  input logic                                                          m_axis_tlast,
  input logic                                                          m_axis_tvalid,
  input logic                                                          m_axis_tready,
  input logic                                                          busy_o,
  input logic [                                                   2:0] state_q,
  input logic                                                          beat,
  input logic                                                          last_word,
  input logic                                                          complete,
  input logic                                                          wrong,
  input logic                                                          dropped_q,
  input logic                                                          req_valid,
  input logic                                                          req_ready,
  input logic                                                          refuse,
  input logic                                                          answer
);
  import moduli_rns_params_pkg::*;
  localparam int Words = (L + DataWidth - 1) / DataWidth;
  localparam logic [2:0] First = 3'd0, OperandA = 3'd1, OperandB = 3'd2, Rest = 3'd3, Request = 3'd4, Refusal = 3'd5;
  logic taken;
  assign taken = beat && rst_ni && !clear_i;
  right_with_one_operand: cover property (@(posedge clk_i) taken && s_axis_tlast && complete && !wrong && state_q == OperandA);
  right_with_two_operands: cover property (@(posedge clk_i) taken && s_axis_tlast && complete && !wrong && state_q == OperandB);
  too_short_after_the_first_beat: cover property (@(posedge clk_i) taken && s_axis_tlast && state_q == First);
  too_short_in_the_first_operand: cover property (@(posedge clk_i) taken && s_axis_tlast && state_q == OperandA && !complete);
  too_long_with_one_operand: cover property (@(posedge clk_i) taken && !s_axis_tlast && complete && state_q == OperandA);
  too_long_with_two_operands: cover property (@(posedge clk_i) taken && !s_axis_tlast && complete && state_q == OperandB);
  rest_of_one_beat_or_the_last: cover property (@(posedge clk_i) taken && s_axis_tlast && state_q == Rest && !dropped_q);
  rest_of_several_beats: cover property (@(posedge clk_i) taken && !s_axis_tlast && state_q == Rest && !dropped_q);
  rest_of_what_was_dropped: cover property (@(posedge clk_i) taken && s_axis_tlast && state_q == Rest && dropped_q);
  wrong_bits_in_the_first_beat: cover property (@(posedge clk_i) taken && wrong && state_q == First);
  if (L % DataWidth != 0) begin : g_bits
    wrong_bits_in_the_first_operand: cover property (@(posedge clk_i) taken && wrong && state_q == OperandA);
    wrong_bits_in_the_second_operand: cover property (@(posedge clk_i) taken && wrong && state_q == OperandB);
  end
  if (Words > 1) begin : g_words
    first_of_several_words: cover property (@(posedge clk_i) taken && state_q == OperandA && !last_word && !s_axis_tlast);
    last_of_several_words: cover property (@(posedge clk_i) taken && state_q == OperandA && last_word);
    too_short_between_words_of_A: cover property (@(posedge clk_i) taken && state_q == OperandA && !last_word && s_axis_tlast);
    too_short_between_words_of_B: cover property (@(posedge clk_i) taken && state_q == OperandB && !last_word && s_axis_tlast);
  end else begin : g_word
    logic unused;
    assign unused = last_word;
  end
  request_waits_for_the_core: cover property (@(posedge clk_i) rst_ni && req_valid && !req_ready);
  beat_waits: cover property (@(posedge clk_i) rst_ni && s_axis_tvalid && !s_axis_tready);
  nothing_comes_in_a_packet: cover property (@(posedge clk_i) rst_ni && !s_axis_tvalid && state_q == OperandA);
  refusal_waits_for_a_response: cover property (@(posedge clk_i) rst_ni && state_q == Refusal && m_axis_tvalid);
  refusal_goes_out: cover property (@(posedge clk_i) rst_ni && refuse);
  response_goes_out: cover property (@(posedge clk_i) rst_ni && answer);
  response_waits_at_its_first_beat: cover property (@(posedge clk_i) rst_ni && m_axis_tvalid && !m_axis_tready && !m_axis_tlast);
  response_waits_at_its_last_beat: cover property (@(posedge clk_i) rst_ni && m_axis_tvalid && !m_axis_tready && m_axis_tlast);
  response_goes_out_while_a_packet_comes: cover property (@(posedge clk_i) rst_ni && m_axis_tvalid && m_axis_tready && beat);
  clear_while_idle: cover property (@(posedge clk_i) rst_ni && clear_i && !busy_o);
  clear_in_the_first_operand: cover property (@(posedge clk_i) rst_ni && clear_i && state_q == OperandA);
  clear_in_the_second_operand: cover property (@(posedge clk_i) rst_ni && clear_i && state_q == OperandB);
  clear_in_the_rest: cover property (@(posedge clk_i) rst_ni && clear_i && state_q == Rest);
  clear_while_a_request_waits: cover property (@(posedge clk_i) rst_ni && clear_i && state_q == Request);
  clear_while_a_refusal_waits: cover property (@(posedge clk_i) rst_ni && clear_i && state_q == Refusal);
  clear_while_a_response_goes_out: cover property (@(posedge clk_i) rst_ni && clear_i && m_axis_tvalid);
  reset_in_the_first_operand: cover property (@(posedge clk_i) !rst_ni && state_q == OperandA);
  reset_in_the_second_operand: cover property (@(posedge clk_i) !rst_ni && state_q == OperandB);
  reset_while_a_response_goes_out: cover property (@(posedge clk_i) !rst_ni && m_axis_tvalid);
endmodule
bind moduli_rns_axis moduli_rns_cover_axis #(.DataWidth(DataWidth)) u_cover (.*);
`endif
