// The issues of one piece of work of the products' control: what the Rowers do at each time of it. See moduli_rns_products.

module moduli_rns_product_issues
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  input  work_t                work_i,
  input  logic [    TimeW-1:0] time_i,
  input  logic                 first_i,          // of the digits of an operand
  input  logic                 last_i,
  output logic                 load_shift_o,
  output issue_t               issue_o,
  output product_t             product_o,
  output logic [   EXT_AW-1:0] ext_addr_o,
  output logic                 digit_valid_o,    // instead of the loader's digit
  output logic [        W-1:0] digit_o,
  output logic [   ADD_AW-1:0] addend_o,
  output logic                 write_a_o,
  output logic                 write_b_o,
  output logic [   EntryW-1:0] write_entry_a_o,
  output logic [   EntryW-1:0] write_entry_b_o,
  output logic                 ring_digit_o,
  output logic                 ring_shift_o,
  output logic                 short_o,
  input  logic [QuotientW-1:0] quotient_i
);
  issue_t issue;
  product_t product;
  logic [EXT_AW-1:0] ext_addr;
  typedef struct packed {
    logic write_a;
    logic write_b;
    logic [EntryW-1:0] entry_a;
    logic [EntryW-1:0] entry_b;
    logic ring;
    logic brief;  // the short quotient
  } result_t;
  result_t result;
  result_t result_q[ResultCycles+2];
  logic shift_loader, shift_ring, digit_valid, digit_one;
  logic [GROUP_W-1:0] group;
  int at;
  always_comb begin
    issue = '0;
    product = '0;
    product.active = 1'b1;
    product.hold = 1'b1;
    result = '0;
    ext_addr = '0;
    shift_loader = 1'b0;
    shift_ring = 1'b0;
    digit_valid = 1'b0;
    digit_one = 1'b0;
    group = GROUP_W'(GroupZero);
    at = int'(time_i);
    if (valid_i) begin
      unique case (work_i.kind)
        Load:
        if (at < 2) begin
          product.hold = 1'b0;
          product.second = at == 1;
          issue.entry = EntryW'(at);
          issue.use_a = !first_i;
          issue.load_b = 1'b1;
          issue.use_b = 1'b1;
          if (last_i) ext_addr = at == 1 ? EXT_AW'(3) : EXT_AW'(1);
          else ext_addr = at == 1 ? EXT_AW'(2) : EXT_AW'(0);
          result.write_a = 1'b1;
          result.write_b = work_i.keep_b;
          result.entry_a = EntryW'(at);
          result.entry_b = work_i.target + EntryW'(at);
          shift_loader = at == 1;
        end
        Copy:
        if (at < 2) begin
          product.hold = 1'b0;
          product.second = at == 1;
          issue.entry_b = work_i.y_entry + EntryW'(at);
          issue.use_b = 1'b1;
          issue.load_b = !work_i.from_b;
          digit_valid = !work_i.from_b;
          digit_one = !work_i.from_b;
          ext_addr = at == 1 ? work_i.constant2 : work_i.constant1;
          result.write_a = 1'b1;
          result.write_b = 1'b1;
          result.entry_a = EntryW'(at);
          result.entry_b = EntryW'(at);
        end
        Product, Constant: begin
          if (at < 2 * CHUNKS) begin
            product.hold = 1'b0;
            product.by_b = 1'b1;
            product.second = at >= CHUNKS;
            product.chunk = $bits(product.chunk)'(at >= CHUNKS ? at - CHUNKS : at);
            issue.entry = EntryW'(at >= CHUNKS ? 1 : 0);
            issue.entry_b = work_i.y_entry + EntryW'(at >= CHUNKS ? 1 : 0);
            issue.use_a = 1'b1;
            result.write_a = 1'b1;
            result.entry_a = EntryW'(at >= CHUNKS ? 2 * (at - CHUNKS) + 3 : 2 * at + 2);
          end else if (at >= ReduceTime && at < SecondTime) begin
            product.hold = 1'b0;
            product.accumulate = work_i.kind == Product && at != ReduceTime;
            issue.entry = work_i.kind == Constant ? '0 : EntryW'(2 * (at - ReduceTime) + 2);
            issue.use_a = 1'b1;
            ext_addr = work_i.kind == Constant ? work_i.constant1 : EXT_AW'(ExtReduce1 + at - ReduceTime);
            result.ring = at == SecondTime - 1;
            result.brief = 1'b1;
          end else if (at >= SecondTime && at < SecondTime + CHUNKS) begin
            product.hold = work_i.kind == Constant && at != SecondTime;
            product.accumulate = at != SecondTime;
            product.second = 1'b1;
            issue.entry = work_i.kind == Constant ? EntryW'(1) : EntryW'(2 * (at - SecondTime) + 3);
            issue.use_a = 1'b1;
            ext_addr = work_i.kind == Constant ? work_i.constant2 : EXT_AW'(ExtReduce2 + at - SecondTime);
          end else if (at >= ForthTime && at <= ForthTime + N) begin
            product.hold = 1'b0;
            product.accumulate = 1'b1;
            product.second = 1'b1;
            issue.load_a = 1'b1;
            issue.use_a = at != ForthTime + N;
            shift_ring = at != ForthTime + N;
            ext_addr = EXT_AW'(ExtForth + at - ForthTime);
            if (at == ForthTime + N) begin
              issue.load_b = 1'b1;
              issue.use_b = 1'b1;
              digit_valid = 1'b1;
              result.write_a = work_i.keep_a;
              result.write_b = work_i.keep_b;
              result.entry_a = EntryW'(1);
              result.entry_b = work_i.target + EntryW'(1);
              result.ring = 1'b1;
            end
          end else if (at >= BackTime && at <= BackTime + N) begin
            product.hold = 1'b0;
            product.accumulate = at != BackTime;
            issue.load_a = 1'b1;
            issue.use_a = at != BackTime + N;
            shift_ring = at != BackTime + N;
            ext_addr = EXT_AW'(ExtBack + at - BackTime);
            if (at == BackTime + N) begin
              issue.load_b = 1'b1;
              issue.use_b = 1'b1;
              digit_valid = 1'b1;
              result.write_a = work_i.keep_a;
              result.write_b = work_i.keep_b;
              result.entry_b = work_i.target;
            end
          end
        end
        Inner:
        if (at == 0) begin
          product.active = 1'b0;
          product.hold = 1'b0;
          issue.use_a = 1'b1;
          issue.multiplier = MUL_AW'(1);
          group = work_i.group;
          result.ring = work_i.to_ring;
        end
        default: ;
      endcase
    end
  end

  // The address of the ROM ext goes out one cycle before the issue that it belongs to.
  issue_t issue_q;
  product_t product_q;
  logic shift_loader_q, shift_ring_q, digit_valid_q, digit_one_q, digit_one_2q;
  logic [GROUP_W-1:0] group_q[3];
  logic [QuotientW-1:0] quotient_q;
  always_ff @(posedge clk_i) begin
    ext_addr_o <= ext_addr;
    issue_q <= issue;
    issue_o <= issue_q;
    product_q <= product;
    product_o <= product_q;
    shift_loader_q <= shift_loader;
    load_shift_o <= shift_loader_q;
    shift_ring_q <= shift_ring;
    ring_shift_o <= shift_ring_q;
    digit_valid_q <= digit_valid;
    digit_valid_o <= digit_valid_q;
    digit_one_q <= digit_one;
    digit_one_2q <= digit_one_q;
    group_q[0] <= group;
    group_q[1] <= group_q[0];
    group_q[2] <= group_q[1];
    result_q[0] <= result;
    for (int k = 1; k <= ResultCycles + 1; k++) result_q[k] <= result_q[k-1];
    if (ring_digit_o) quotient_q <= quotient_i;
    if (!rst_ni) begin
      shift_loader_q <= 1'b0;
      load_shift_o <= 1'b0;
      for (int k = 0; k <= ResultCycles + 1; k++) {result_q[k].write_a, result_q[k].write_b, result_q[k].ring} <= '0;
    end
  end
  assign digit_o = digit_one_2q ? W'(1) : W'(quotient_q);
  always_comb begin
    addend_o = '0;
    for (int g = 0; g < 3; g++) if (group_q[2] == GROUP_W'(g)) addend_o = GROUP_BASE[g*ADD_AW+:ADD_AW];
  end
  assign write_a_o = result_q[ResultCycles+1].write_a;
  assign write_b_o = result_q[ResultCycles+1].write_b;
  assign write_entry_a_o = result_q[ResultCycles+1].entry_a;
  assign write_entry_b_o = result_q[ResultCycles+1].entry_b;
  assign ring_digit_o = result_q[ResultCycles+1].ring;
  assign short_o = result_q[ResultCycles].brief;
endmodule
