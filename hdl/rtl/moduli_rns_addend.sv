// The address of an addend, one cycle after its inputs: the base of its group, plus the value to be divided modulo the
// divisor of the group.

module moduli_rns_addend (
  input  logic                                      clk_i,
  input  logic [moduli_rns_params_pkg::GROUP_W-1:0] group_i,
  input  logic                                      zero_i,  // the value to be divided is a multiple of the divisor
  input  logic                                      alone_i,
  input  logic                                      minus_i,
  input  logic [     moduli_rns_params_pkg::A2-1:0] v_twos_i,
  input  logic [                               3:0] v_threes_i,
  input  logic [     moduli_rns_params_pkg::A2-1:0] u_twos_i,
  input  logic [                               3:0] u_threes_i,
  output logic [ moduli_rns_params_pkg::ADD_AW-1:0] address_o
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  function automatic logic [3:0] negative(input logic [3:0] value);
    int k;
    negative = '0;
    for (k = 1; k < 3 ** A3; k++) if (value == 4'(k)) negative |= 4'(3 ** A3 - k);
  endfunction

  function automatic logic [255:0][3:0] sum_table();
    int i;
    for (i = 0; i < 256; i++) sum_table[i] = 4'((i / 16 + i % 16) % 9);
  endfunction

  // The value that is added to V: U, -U or 0.
  logic [GROUP_W-1:0] group_q;
  logic zero_q;
  logic [A2-1:0] v_twos_q, u_twos_q;
  logic [3:0] v_threes_q, u_threes_q;
  always_ff @(posedge clk_i) begin
    group_q <= group_i;
    zero_q <= zero_i;
    v_twos_q <= v_twos_i;
    v_threes_q <= v_threes_i;
    u_twos_q <= alone_i ? '0 : minus_i ? -u_twos_i : u_twos_i;
    u_threes_q <= alone_i ? '0 : minus_i ? negative(u_threes_i) : u_threes_i;
  end

  logic [A2-1:0] twos;
  assign twos = v_twos_q + u_twos_q;

  // Comparisons or a table, because adders would be mapped to carry chains.
  logic [3:0] threes;
  if (A3 == 0) begin : g_none
    assign threes = '0;
    logic unused;
    assign unused = ^{v_threes_q, u_threes_q};
  end else if (A3 == 1) begin : g_three
    always_comb begin
      threes = '0;
      for (int i = 0; i < 16; i++) begin
        if ({v_threes_q[1:0], u_threes_q[1:0]} == 4'(i)) threes |= 4'((i / 4 + i % 4) % 3);
      end
    end
    logic unused;
    assign unused = ^{v_threes_q[3:2], u_threes_q[3:2]};
  end else begin : g_nine
    localparam logic [255:0][3:0] SumTable = sum_table();
    assign threes = SumTable[{v_threes_q, u_threes_q}];
  end
  // A value modulo 9, reduced modulo 3.
  function automatic logic [3:0] modulo3(input logic [3:0] value);
    unique case (value)
      4'd0, 4'd3, 4'd6: modulo3 = 4'd0;
      4'd1, 4'd4, 4'd7: modulo3 = 4'd1;
      default: modulo3 = 4'd2;
    endcase
  endfunction

  // The word within a group, for every divisor 2^i*3^j.
  logic [7:0] word;
  logic [2:0] i;
  logic [1:0] j;
  logic [ADD_AW-1:0] base;
  always_comb begin
    i = '0;
    j = '0;
    base = '0;
    for (int g = 0; g < GROUPS; g++) begin
      if (group_q == GROUP_W'(g)) begin
        i = GROUP_TWOS[3*g+:3];
        j = GROUP_THREES[2*g+:2];
        base = GROUP_BASE[ADD_AW*g+:ADD_AW];
      end
    end
    word = '0;
    for (int a = 0; a <= A2; a++) begin
      for (int b = 0; b <= A3; b++) begin
        if (i == 3'(a) && j == 2'(b)) begin
          word = 8'(twos) & 8'(2 ** a - 1);
          if (b == A3 && b > 0) word |= 8'(threes) << a;
          else if (b == 1) word |= 8'(modulo3(threes)) << a;
        end
      end
    end
  end
  assign address_o = zero_q ? base : base | ADD_AW'(word);
endmodule
