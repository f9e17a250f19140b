// x modulo 4: its two low bits. A module so that the residue units can be exchanged for one another.

module moduli_rns_mod4 #(
  parameter int W = 33  // bits of x, at least 1
) (
  input  logic [W-1:0] x_i,
  output logic [1:0]   r_o  // 0 to 3
);

  if (W >= 2) begin : gen_low
    assign r_o = x_i[1:0];
    if (W > 2) begin : gen_rest
      logic unused_high;
      assign unused_high = ^x_i[W-1:2];
    end
  end else begin : gen_short
    assign r_o = 2'(x_i);
  end

endmodule
