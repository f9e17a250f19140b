// The core between shift registers, so that it can be placed in a package with fewer pins than it has ports. Its own logic
// is small, and it is registered on both sides of the core.

module moduli_rns_harness (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] data_i,
  input  logic       shift_i,
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  logic       rsp_ready_i,
  output logic       rsp_valid_o,
  input  logic       clear_i,
  output logic       busy_o,
  input  logic       unload_i,
  output logic [7:0] data_o
);
  import moduli_rns_params_pkg::*;

  localparam int InW = 8 * ((2 * L + 7 + 7) / 8);
  localparam int OutW = 8 * ((L + STEPS_W + 6 + 7) / 8);

  logic [InW-1:0] in_q;
  logic [OutW-1:0] out_q;
  logic rst_nq, req_valid_q, rsp_ready_q, clear_q, req_ready, rsp_valid, busy;
  logic [L-1:0] data;
  logic [3:0] id;
  logic [1:0] error;
  logic [STEPS_W-1:0] steps;

  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    req_valid_q <= req_valid_i;
    rsp_ready_q <= rsp_ready_i;
    clear_q <= clear_i;
    req_ready_o <= req_ready;
    rsp_valid_o <= rsp_valid;
    busy_o <= busy;
    if (shift_i) in_q <= {in_q[InW-9:0], data_i};
    if (unload_i) out_q <= OutW'(out_q[OutW-1:8]);
    else if (rsp_valid) out_q <= OutW'({steps, error, id, data});
    data_o <= out_q[7:0];
  end

  moduli_rns u_core (
    .clk_i,
    .rst_ni     (rst_nq),
    .req_valid_i(req_valid_q),
    .req_ready_o(req_ready),
    .req_op_i   (in_q[2*L+:3]),
    .req_id_i   (in_q[2*L+3+:4]),
    .req_a_i    (in_q[0+:L]),
    .req_b_i    (in_q[L+:L]),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready_q),
    .rsp_id_o   (id),
    .rsp_data_o (data),
    .rsp_error_o(error),
    .rsp_steps_o(steps),
    .clear_i    (clear_q),
    .busy_o     (busy)
  );
endmodule
