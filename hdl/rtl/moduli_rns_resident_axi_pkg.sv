// Register map of moduli_rns_resident_axi. Written by sw/registers.py from sw/resident.toml: change that.

package moduli_rns_resident_axi_pkg;
  parameter logic [31:0] Identification = 32'h4D524E50;
  parameter logic [31:0] Version = 32'h00010000;

  // Byte offsets.
  parameter logic [11:0] OffsetId = 12'h000;
  parameter logic [11:0] OffsetVersion = 12'h004;
  parameter logic [11:0] OffsetBuild = 12'h008;
  parameter logic [11:0] OffsetShape = 12'h00C;
  parameter logic [11:0] OffsetCommand = 12'h010;
  parameter logic [11:0] OffsetStatus = 12'h014;
  parameter logic [11:0] OffsetAcknowledge = 12'h018;
  parameter logic [11:0] OffsetClear = 12'h01C;
  parameter logic [11:0] OffsetInterruptEnable = 12'h020;
  parameter logic [11:0] OffsetInterruptStatus = 12'h024;
  parameter logic [11:0] OffsetOffer = 12'h028;
  parameter logic [11:0] OffsetOperand = 12'h400;
  parameter logic [11:0] OffsetResult = 12'hC00;
endpackage
