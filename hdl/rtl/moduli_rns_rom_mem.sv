// The ROMs from files, for $readmemh: the same modules as in the generated moduli_rns_rom_case.sv; a build compiles one of the two.
// MODULI_RNS_ROM_DIR is the directory of the files, a string. Those with a registered read are block RAM.

`ifndef MODULI_RNS_ROM_DIR
`define MODULI_RNS_ROM_DIR "."
`endif

module moduli_rns_rom_mul
  import moduli_rns_params_pkg::*;
#(
  parameter int Channel = 0
) (
  input  logic [  MUL_AW-1:0] addr_i,
  output logic [CHUNKS*W-1:0] data_o
);
  logic [CHUNKS*W-1:0] memory[MUL_DEPTH];
  initial $readmemh($sformatf("%s/mul_%0d.hex", `MODULI_RNS_ROM_DIR, Channel), memory);
  assign data_o = memory[addr_i];
endmodule

module moduli_rns_rom_add
  import moduli_rns_params_pkg::*;
#(
  parameter int Channel = 0
) (
  input  logic              clk_i,
  input  logic [ADD_AW-1:0] addr_i,
  output logic [     W-1:0] data_o
);
  (* rom_style = "block" *)
  logic [W-1:0] memory[ADD_DEPTH];
  initial $readmemh($sformatf("%s/add_%0d.hex", `MODULI_RNS_ROM_DIR, Channel), memory);
  always_ff @(posedge clk_i) data_o <= memory[addr_i];
endmodule

module moduli_rns_rom_ext
  import moduli_rns_params_pkg::*;
#(
  parameter int Channel = 0
) (
  input  logic                clk_i,
  input  logic [  EXT_AW-1:0] addr_i,
  output logic [CHUNKS*W-1:0] data_o
);
  if (MULTIPLY != 0) begin : g_memory
    (* rom_style = "block" *)
    logic [CHUNKS*W-1:0] memory[EXT_DEPTH];
    initial $readmemh($sformatf("%s/ext_%0d.hex", `MODULI_RNS_ROM_DIR, Channel), memory);
    always_ff @(posedge clk_i) data_o <= memory[addr_i];
  end else begin : g_none
    assign data_o = '0;
    logic unused;
    assign unused = ^{clk_i, addr_i};
  end
endmodule

module moduli_rns_rom_out
  import moduli_rns_params_pkg::*;
(
  input  logic              clk_i,
  input  logic [OUT_AW-1:0] addr_i,
  output logic [     W-1:0] data_o
);
  (* rom_style = "block" *)
  logic [W-1:0] memory[OUT_DEPTH];
  initial $readmemh($sformatf("%s/out.hex", `MODULI_RNS_ROM_DIR), memory);
  always_ff @(posedge clk_i) data_o <= memory[addr_i];
endmodule

module moduli_rns_rom_program
  import moduli_rns_params_pkg::*;
(
  input  logic                  clk_i,
  input  logic [PROGRAM_AW-1:0] addr_i,
  output logic [          31:0] data_o
);
  if (VARIANT == 0) begin : g_memory
    (* rom_style = "block" *)
    logic [31:0] memory[PROGRAM_DEPTH];
    initial $readmemh($sformatf("%s/program.hex", `MODULI_RNS_ROM_DIR), memory);
    always_ff @(posedge clk_i) data_o <= memory[addr_i];
  end else begin : g_none
    assign data_o = '0;
    logic unused;
    assign unused = ^{clk_i, addr_i};
  end
endmodule
