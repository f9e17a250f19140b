// The word of a value: X modulo 2^k, optionally times -1/P, computed from the Rowers' words and the quotient.
//
//   X = sum of xi_i*M_i - q*M,   word_i = xi_i*|M_i| modulo 2^k
//
// Every stage replaces three terms by one. The Cox's quotient comes three cycles before the words.

module moduli_rns_words (
  input  logic                                                                clk_i,
  input  logic                                                                cofactor_i,  // multiply by -1/P; comes with the quotient
  input  logic [                                moduli_rns_pkg::QuotientW-1:0] quotient_i,
  input  logic [moduli_rns_params_pkg::N*moduli_rns_pkg::WordW-1:0]           words_i,
  output logic [                                    moduli_rns_pkg::WordW-1:0] word_o  // TreeStages - 1 cycles later
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

  // -q*M, optionally times -1/P, from a table.
  localparam logic [1:0][WordW-1:0] Products = WORD_M;
  logic [QuotientW:0] which_q, which_2q;
  logic [WordW-1:0] multiple, multiple_q;
  always_comb begin
    multiple = '0;
    for (int k = 0; k < 2 ** (QuotientW + 1); k++) begin
      if (which_2q == (QuotientW + 1)'(k)) multiple = WordW'(Products[k >> QuotientW] * WordW'(k % 2 ** QuotientW));
    end
  end
  always_ff @(posedge clk_i) begin
    which_q <= {cofactor_i, quotient_i};
    which_2q <= which_q;
    multiple_q <= multiple;
  end

  // The number of terms before a stage, and the position of its sums in the list of all.
  function automatic int left(input int stage);
    int k;
    left = N + 1;
    for (k = 0; k < stage; k++) left = (left + 2) / 3;
  endfunction
  function automatic int first(input int stage);
    int k;
    first = 0;
    for (k = 0; k < stage; k++) first += left(k + 1);
  endfunction

  function automatic logic [WordW-1:0] sum3(input logic [WordW-1:0] a, input logic [WordW-1:0] b, input logic [WordW-1:0] c);
    sum3 = (a ^ b ^ c) + WordW'({(a & b) | (a & c) | (b & c), 1'b0});
  endfunction

  localparam int All = first(TreeStages);
  logic [All-1:0][WordW-1:0] sum, sum_q;
  always_ff @(posedge clk_i) sum_q <= sum;
  genvar stage;
  for (stage = 0; stage < TreeStages; stage++) begin : g_stage
    localparam int Count = left(stage);
    localparam int Sums = left(stage + 1);
    logic [3*Sums-1:0][WordW-1:0] row;
    always_comb begin
      row = '0;
      for (int i = 0; i < Count; i++) begin
        if (stage > 0) row[i] = sum_q[(stage > 0 ? first(stage - 1) : 0) + i];
        else row[i] = i < N ? words_i[(i<N?i : 0)*WordW+:WordW] : multiple_q;
      end
    end
    genvar i;
    for (i = 0; i < Sums; i++) begin : g_sum
      assign sum[first(stage)+i] = sum3(row[3*i], row[3*i+1], row[3*i+2]);
    end
  end
  assign word_o = sum[All-1];
endmodule
