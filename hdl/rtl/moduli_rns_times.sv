// top * r for a few bits and one of two constants, combinational. It folds the bits above 2^W.

module moduli_rns_times #(
  parameter int Bits  = 2,
  parameter int RBits = 9,
  parameter int R1    = 1,
  parameter int R2    = 0   // 0: there is only one constant
) (
  input  logic [      Bits-1:0] top_i,
  input  logic                  second_i,
  output logic [Bits+RBits-1:0] p_o
);
  localparam int OutW = Bits + RBits;

  if (Bits <= 5) begin : g_table
    always_comb begin
      p_o = '0;
      for (int value = 0; value < 2 ** Bits; value++) begin
        if (top_i == Bits'(value)) begin
          p_o = (R2 != 0 && second_i) ? OutW'(value * R2) : OutW'(value * R1);
        end
      end
    end
  end else begin : g_product
    logic [RBits-1:0] r;
    assign r   = (R2 != 0 && second_i) ? RBits'(R2) : RBits'(R1);
    assign p_o = OutW'(top_i) * OutW'(r);
  end

  logic unused;
  assign unused = second_i;
endmodule
