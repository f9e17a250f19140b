// All widths of a residue unit at once: a bit of bad_o is set if the unit of that width differs from `%`.

module residue #(
  parameter int Modulus = 3,
  parameter int Factor  = 1,  // with 9
  parameter int Widths  = 80  // 1 to Widths
) (
  input  logic [Widths-1:0] x_i,
  output logic [  Widths:1] bad_o
);
  logic [Widths-1:0] rest;
  assign rest = (x_i % Widths'(Modulus)) * Widths'(Factor) % Widths'(Modulus);
  for (genvar w = 1; w <= Widths; w++) begin : gen_width
    logic [3:0] r;
    if (Modulus == 3) begin : gen_3
      logic [1:0] two;
      moduli_rns_mod3 #(.W(w)) u_unit (.x_i(x_i[w-1:0]), .r_o(two));
      assign r = 4'(two);
    end else begin : gen_9
      moduli_rns_mod9 #(.W(w), .Factor(Factor)) u_unit (.x_i(x_i[w-1:0]), .r_o(r));
    end
    // If the upper bits are 0, the same remainder is correct for all widths.
    assign bad_o[w] = (x_i >> w) == 0 && Widths'(r) != rest;
  end
endmodule
