// The ROMs from files, for $readmemh: the same modules as in the generated moduli_rns_rom_case.sv. A build compiles one
// of the two files. The string MODULI_RNS_ROM_DIR is the directory of the files. ROMs with a registered read are block
// RAM. File names are concatenations of constants, with the channel in four digits (48 is "0"), because some tools
// cannot format text at elaboration.

`ifndef MODULI_RNS_ROM_DIR
`define MODULI_RNS_ROM_DIR "."
`endif

module moduli_rns_rom_mul #(
  parameter int Channel = 0
) (
  input  logic [                         moduli_rns_params_pkg::MUL_AW-1:0] addr_i,
  output logic [moduli_rns_params_pkg::CHUNKS*moduli_rns_params_pkg::W-1:0] data_o
);
  import moduli_rns_params_pkg::*;

  localparam logic [31:0] Digits = {
    8'(48 + Channel / 1000), 8'(48 + Channel / 100 % 10), 8'(48 + Channel / 10 % 10), 8'(48 + Channel % 10)
  };
  logic [CHUNKS*W-1:0] memory[MUL_DEPTH];
  initial $readmemh({`MODULI_RNS_ROM_DIR, "/mul_", Digits, ".hex"}, memory);
  assign data_o = memory[addr_i];
endmodule

module moduli_rns_rom_add #(
  parameter int Channel = 0
) (
  input  logic                                     clk_i,
  input  logic [moduli_rns_params_pkg::ADD_AW-1:0] addr_i,
  output logic [     moduli_rns_params_pkg::W-1:0] data_o
);
  import moduli_rns_params_pkg::*;

  localparam logic [31:0] Digits = {
    8'(48 + Channel / 1000), 8'(48 + Channel / 100 % 10), 8'(48 + Channel / 10 % 10), 8'(48 + Channel % 10)
  };
  (* rom_style = "block" *)
  logic [W-1:0] memory[ADD_DEPTH];
  initial $readmemh({`MODULI_RNS_ROM_DIR, "/add_", Digits, ".hex"}, memory);
  always_ff @(posedge clk_i) data_o <= memory[addr_i];
endmodule

module moduli_rns_rom_ext #(
  parameter int Channel = 0
) (
  input  logic                                                              clk_i,
  input  logic [                         moduli_rns_params_pkg::EXT_AW-1:0] addr_i,
  output logic [moduli_rns_params_pkg::CHUNKS*moduli_rns_params_pkg::W-1:0] data_o
);
  import moduli_rns_params_pkg::*;

  localparam logic [31:0] Digits = {
    8'(48 + Channel / 1000), 8'(48 + Channel / 100 % 10), 8'(48 + Channel / 10 % 10), 8'(48 + Channel % 10)
  };
  if (MULTIPLY != 0 || VARIANT == 4) begin : g_memory
    (* rom_style = "block" *)
    logic [CHUNKS*W-1:0] memory[EXT_DEPTH];
    initial $readmemh({`MODULI_RNS_ROM_DIR, "/ext_", Digits, ".hex"}, memory);
    always_ff @(posedge clk_i) data_o <= memory[addr_i];
  end else begin : g_none
    assign data_o = '0;
    logic unused;
    assign unused = ^{clk_i, addr_i};
  end
endmodule

module moduli_rns_rom_out (
  input  logic                                     clk_i,
  input  logic [moduli_rns_params_pkg::OUT_AW-1:0] addr_i,
  output logic [     moduli_rns_params_pkg::W-1:0] data_o
);
  import moduli_rns_params_pkg::*;

  (* rom_style = "block" *)
  logic [W-1:0] memory[OUT_DEPTH];
  initial $readmemh({`MODULI_RNS_ROM_DIR, "/out.hex"}, memory);
  always_ff @(posedge clk_i) data_o <= memory[addr_i];
endmodule

module moduli_rns_rom_program (
  input  logic                                         clk_i,
  input  logic [moduli_rns_params_pkg::PROGRAM_AW-1:0] addr_i,
  output logic [                                 31:0] data_o
);
  import moduli_rns_params_pkg::*;

  if (VARIANT == 0) begin : g_memory
    (* rom_style = "block" *)
    logic [31:0] memory[PROGRAM_DEPTH];
    initial $readmemh({`MODULI_RNS_ROM_DIR, "/program.hex"}, memory);
    always_ff @(posedge clk_i) data_o <= memory[addr_i];
  end else begin : g_none
    assign data_o = '0;
    logic unused;
    assign unused = ^{clk_i, addr_i};
  end
endmodule

module moduli_rns_rom_words (
  input  logic                                       clk_i,
  input  logic [moduli_rns_params_pkg::WORDS_AW-1:0] addr_i,
  output logic [  moduli_rns_params_pkg::WORD_W-1:0] data_o
);
  import moduli_rns_params_pkg::*;

  if (RESIDENT != 0) begin : g_memory
    (* rom_style = "block" *)
    logic [WORD_W-1:0] memory[WORDS_DEPTH];
    initial $readmemh({`MODULI_RNS_ROM_DIR, "/words.hex"}, memory);
    always_ff @(posedge clk_i) data_o <= memory[addr_i];
  end else begin : g_none
    assign data_o = '0;
    logic unused;
    assign unused = ^{clk_i, addr_i};
  end
endmodule
