// The Cox-Rower core: inversion modulo P by plus-minus steps in residues, for ordinary integers.
//
// Request and response are valid/ready handshakes: once valid is high it stays so, with the payload unchanged, until ready is.
// Up to CONTEXTS inversions run at once and may end in another order than they came in: req_id_i comes back as rsp_id_o.
//
//   req_op_i[1:0]   2 invert (0 multiply and 1 exponentiate need MULTIPLY)
//   req_op_i[2]     operands and result are in Montgomery form, X*M mod P
//   rsp_error_o     0 right, 1 not invertible, 2 check failed, 3 operation not built in; the data is 0 unless it is 0
//   rsp_steps_o     plus-minus steps, or products
//
// Reset is synchronous and may come at any time. clear_i drops everything that is under way and wipes the registers.

module moduli_rns
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
#(
  parameter int IdWidth = 4
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [        2:0] req_op_i,
  input  logic [IdWidth-1:0] req_id_i,
  input  logic [      L-1:0] req_a_i,
  input  logic [      L-1:0] req_b_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [IdWidth-1:0] rsp_id_o,
  output logic [      L-1:0] rsp_data_o,
  output logic [        1:0] rsp_error_o,
  output logic [STEPS_W-1:0] rsp_steps_o,
  input  logic               clear_i,
  output logic               busy_o
`ifdef MODULI_RNS_TRACE
  ,
  // After every step of an inversion: its request, how many steps, u and v in half bits, U1 V1 U3 V3 (the first on top) modulo
  // 2^A2 and 3^A3, and their residues, below the moduli.
  output logic                 trace_valid_o,
  output logic [  IdWidth-1:0] trace_id_o,
  output logic [  STEPS_W-1:0] trace_steps_o,
  output logic [COUNTER_W-1:0] trace_u_o,
  output logic [COUNTER_W-1:0] trace_v_o,
  output logic [          3:0][    3:0] trace_twos_o,
  output logic [          3:0][    3:0] trace_threes_o,
  output logic [          3:0][N*W-1:0] trace_residues_o
`endif
);
  // Operands.
  logic load_valid, load_accept, load_shift;
  logic [W-1:0] digit;
  logic loader_ready;
  logic supported;
  logic [IdWidth-1:0] load_id_q;
  assign supported = VARIANT != 0 && req_op_i == {1'b0, OpInvert};
  assign req_ready_o = loader_ready;
  moduli_rns_loader u_loader (
    .clk_i,
    .rst_ni,
    .valid_i (req_valid_i),
    .ready_o (loader_ready),
    .data_i  (req_a_i),
    .valid_o (load_valid),
    .accept_i(load_accept),
    .shift_i (load_shift),
    .digit_o (digit)
  );
  always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) load_id_q <= req_id_i;

  // Control.
  issue_t issue;
  product_t product;
  logic [ADD_AW-1:0] addend;
  logic write_a, write_b;
  logic [EntryW-1:0] write_entry;
  logic [A2-1:0] twos;
  logic [3:0] threes;
  logic [N-1:0] one, minus_one;
  logic unload_ready, capture, capture_b, done, done_minus, done_error, inverter_busy;
  logic [ContextW-1:0] done_context, load_context;
  logic [STEPS_W-1:0] done_steps;
  assign product = '0;
  moduli_rns_inverter u_inverter (
    .clk_i,
    .rst_ni,
    .load_valid_i  (load_valid),
    .load_ready_o  (load_accept),
    .load_shift_o  (load_shift),
    .load_last_i   (1'b0),
    .load_context_o(load_context),
    .issue_o       (issue),
    .addend_o      (addend),
    .write_a_o     (write_a),
    .write_b_o     (write_b),
    .write_entry_o (write_entry),
    .twos_i        (twos),
    .threes_i      (threes),
    .one_i         (one),
    .minus_one_i   (minus_one),
    .unload_ready_i(unload_ready),
    .capture_o     (capture),
    .capture_b_o   (capture_b),
    .done_o        (done),
    .done_context_o(done_context),
    .done_minus_o  (done_minus),
    .done_error_o  (done_error),
    .done_steps_o  (done_steps),
    .busy_o        (inverter_busy)
  );

  // Rowers and Cox.
  logic [N*TopW-1:0] tops;
  logic [N*A2-1:0] lows;
  logic [N*4-1:0] residues3;
  logic [QuotientW-1:0] quotient;
  logic [N*W-1:0] ring;
  logic ring_shift;
`ifdef MODULI_RNS_TRACE
  logic [3:0][N*W-1:0] trace_files;
`endif
  for (genvar i = 0; i < N; i++) begin : g_rower
    moduli_rns_rower #(
      .Channel(i)
    ) u_rower (
      .clk_i,
      .issue_i      (issue),
      .product_i    (product),
      .ext_addr_i   ('0),
      .digit_i      (digit),
      .addend_i     (addend),
      .capture_i    (capture),
      .capture_b_i  (capture_b),
      .write_a_i    (write_a),
      .write_b_i    (write_b),
      .write_entry_i(write_entry),
      .ring_digit_i (1'b0),
      .top_o        (tops[i*TopW+:TopW]),
      .low_o        (lows[i*A2+:A2]),
      .threes_o     (residues3[i*4+:4]),
      .one_o        (one[i]),
      .minus_one_o  (minus_one[i]),
      .ring_shift_i (ring_shift),
      .ring_i       (ring[((i+1)%N)*W+:W]),
      .ring_o       (ring[i*W+:W])
`ifdef MODULI_RNS_TRACE
      ,
      .trace_context_i(u_inverter.context_q),
      .trace_a1_o(trace_files[3][i*W+:W]),
      .trace_b1_o(trace_files[2][i*W+:W]),
      .trace_a3_o(trace_files[1][i*W+:W]),
      .trace_b3_o(trace_files[0][i*W+:W])
`endif
    );
  end
  moduli_rns_cox u_cox (
    .clk_i,
    .tops_i    (tops),
    .lows_i    (lows),
    .short_i   (1'b0),
    .threes_i  (residues3),
    .quotient_o(quotient),
    .twos_o    (twos),
    .threes_o  (threes)
  );

  // Results.
  moduli_rns_unloader u_unloader (
    .clk_i,
    .rst_ni,
    .start_i(done),
    .minus_i(done_minus),
    .skip_i (done_error),
    .ready_o(unload_ready),
    .shift_o(ring_shift),
    .digit_i(ring[W-1:0]),
    .valid_o(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_o (rsp_data_o)
  );

  logic [IdWidth-1:0] id_q[CONTEXTS];
  always_ff @(posedge clk_i) begin
    if (load_accept) id_q[load_context] <= load_id_q;
    if (done) begin
      rsp_id_o <= id_q[done_context];
      rsp_error_o <= done_error ? ErrorNotInvertible : ErrorNone;
      rsp_steps_o <= done_steps;
    end
  end
  assign busy_o = inverter_busy || !loader_ready || !unload_ready;

  logic unused;
  assign unused = ^{req_b_i, clear_i, supported, quotient};

`ifdef MODULI_RNS_TRACE
  logic trace_valid;
  logic trace_side;
  assign trace_valid = u_inverter.odd && u_inverter.running_q;
  assign trace_side = u_inverter.side_q[u_inverter.context_q];
  function automatic logic [N*W-1:0] reduced(input logic [N*W-1:0] digits);
    for (int i = 0; i < N; i++) begin
      reduced[i*W+:W] = digits[i*W+:W] >= MODULI1[i*W+:W] ? digits[i*W+:W] - MODULI1[i*W+:W] : digits[i*W+:W];
    end
  endfunction
  always_ff @(posedge clk_i) begin
    trace_valid_o <= rst_ni && trace_valid;
    trace_id_o <= id_q[u_inverter.context_q];
    trace_steps_o <= u_inverter.steps_q[u_inverter.context_q];
    trace_u_o <= u_inverter.u_q[u_inverter.context_q];
    trace_v_o <= u_inverter.v_q[u_inverter.context_q];
    trace_twos_o <= {
      4'(u_inverter.u1_twos_q[u_inverter.context_q]),
      4'(twos),
      4'(u_inverter.u3_twos_q[u_inverter.context_q]),
      4'(u_inverter.v3_twos_q)
    };
    trace_threes_o <= {
      u_inverter.u1_threes_q[u_inverter.context_q],
      threes,
      u_inverter.u3_threes_q[u_inverter.context_q],
      u_inverter.v3_threes_q
    };
    trace_residues_o <= {
      reduced(trace_side ? trace_files[3] : trace_files[2]),
      reduced(trace_side ? trace_files[2] : trace_files[3]),
      reduced(trace_side ? trace_files[1] : trace_files[0]),
      reduced(trace_side ? trace_files[0] : trace_files[1])
    };
  end
`endif
endmodule
