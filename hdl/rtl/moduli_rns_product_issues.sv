// The issues of one work item of the control of products: the operation of the Rowers at each time. See
// moduli_rns_products.

module moduli_rns_product_issues (
  input  logic                                                         clk_i,
  input  logic                                                         rst_ni,
  input  logic                                                         valid_i,
  input  moduli_rns_pkg::work_t                                        work_i,
  input  logic                     [        moduli_rns_pkg::TimeW-1:0] time_i,
  input  logic                                                         first_i,  // digit of an operand
  input  logic                                                         last_i,
  output logic                                                         load_shift_o,
  output moduli_rns_pkg::issue_t                                       issue_o,
  output moduli_rns_pkg::product_t                                     product_o,
  output logic                     [moduli_rns_params_pkg::EXT_AW-1:0] ext_addr_o,
  output logic                                                         digit_valid_o,  // instead of the loader's digit
  output logic                     [     moduli_rns_params_pkg::W-1:0] digit_o,
  output logic                     [moduli_rns_params_pkg::ADD_AW-1:0] addend_o,
  output logic                                                         write_a_o,
  output logic                                                         write_b_o,
  output logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_a_o,
  output logic                     [       moduli_rns_pkg::EntryW-1:0] write_entry_b_o,
  output logic                                                         ring_digit_o,
  output logic                                                         ring_shift_o,
  output logic                                                         short_o,
  input  logic                     [    moduli_rns_pkg::QuotientW-1:0] quotient_i
);
  import moduli_rns_params_pkg::*;
  import moduli_rns_pkg::*;

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

  // The position of a time in the work item, one cycle ahead: a segment, and the place in it.
  typedef enum logic [2:0] {
    Nothing,
    Begin,  // the first issues of any work item
    Chunks1,
    Chunks2,
    Reduce1,
    Reduce2,
    Forth,
    Back
  } segment_e;
  segment_e segment, segment_q;
  logic [TimeW-1:0] place, place_q;
  logic end_q, ending;  // the last issue of a base extension
  work_t work_1q;
  logic first_q, last_q;
  int at;
  always_comb begin
    at = int'(time_i);
    segment = Nothing;
    place = '0;
    ending = 1'b0;
    if (valid_i) begin
      if (work_i.kind != Product && work_i.kind != Constant) begin
        if (at < 2) segment = Begin;
        place = TimeW'(at);
      end else if (at < CHUNKS) begin
        segment = Chunks1;
        place = TimeW'(at);
      end else if (at < 2 * CHUNKS) begin
        segment = Chunks2;
        place = TimeW'(at - CHUNKS);
      end else if (at >= ReduceTime && at < SecondTime) begin
        segment = Reduce1;
        place = TimeW'(at - ReduceTime);
      end else if (at >= SecondTime && at < SecondTime + CHUNKS) begin
        segment = Reduce2;
        place = TimeW'(at - SecondTime);
      end else if (at >= ForthTime && at <= ForthTime + N) begin
        segment = Forth;
        place = TimeW'(at - ForthTime);
        ending = at == ForthTime + N;
      end else if (at >= BackTime && at <= BackTime + N) begin
        segment = Back;
        place = TimeW'(at - BackTime);
        ending = at == BackTime + N;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    segment_q <= segment;
    place_q <= place;
    end_q <= ending;
    work_1q <= work_i;
    first_q <= first_i;
    last_q <= last_i;
    if (!rst_ni) segment_q <= Nothing;
  end
  always_comb begin
    issue = '0;
    product = '0;
    product.active = 1'b1;
    product.hold = 1'b1;
    result = '0;
    ext_addr = EXT_AW'(ExtNone);
    shift_loader = 1'b0;
    shift_ring = 1'b0;
    digit_valid = 1'b0;
    digit_one = 1'b0;
    group = GROUP_W'(GroupZero);
    unique case (segment_q)
      Begin:
      unique case (work_1q.kind)
        Load: begin
          product.hold = 1'b0;
          product.second = place_q[0];
          issue.entry = EntryW'(place_q[0]);
          issue.use_a = !first_q;
          issue.load_b = 1'b1;
          issue.use_b = 1'b1;
          if (last_q) ext_addr = place_q[0] ? EXT_AW'(ExtLastDigit) : EXT_AW'(1);
          else ext_addr = place_q[0] ? EXT_AW'(2) : EXT_AW'(0);
          result.write_a = 1'b1;
          result.write_b = work_1q.keep_b;
          result.entry_a = EntryW'(place_q[0]);
          result.entry_b = work_1q.target + EntryW'(place_q[0]);
          shift_loader = place_q[0];
        end
        Copy: begin
          product.hold = 1'b0;
          product.second = place_q[0];
          issue.entry_b = work_1q.y_entry + EntryW'(place_q[0]);
          issue.use_b = 1'b1;
          issue.load_b = !work_1q.from_b;
          digit_valid = !work_1q.from_b;
          digit_one = !work_1q.from_b;
          ext_addr = place_q[0] ? work_1q.constant2 : work_1q.constant1;
          result.write_a = 1'b1;
          result.write_b = 1'b1;
          result.entry_a = EntryW'(place_q[0]);
          result.entry_b = EntryW'(place_q[0]);
        end
        Inner:
        if (!place_q[0]) begin
          product.active = 1'b0;
          product.hold = 1'b0;
          issue.use_a = 1'b1;
          issue.multiplier = MUL_AW'(1);
          if (DivisionSteps) ext_addr = EXT_AW'(ExtLoad);  // cores with division steps have no ROM mul
          group = work_1q.group;
          result.ring = work_1q.to_ring;
        end
        default: ;
      endcase
      Chunks1, Chunks2: begin
        product.hold = 1'b0;
        product.by_b = 1'b1;
        product.second = segment_q == Chunks2;
        product.chunk = $bits(product.chunk)'(place_q);
        issue.entry = EntryW'(segment_q == Chunks2);
        issue.entry_b = work_1q.y_entry + EntryW'(segment_q == Chunks2);
        issue.use_a = 1'b1;
        result.write_a = 1'b1;
        result.entry_a = EntryW'({place_q, segment_q == Chunks2}) + EntryW'(2);
      end
      Reduce1: begin
        product.hold = 1'b0;
        product.accumulate = work_1q.kind == Product && place_q != '0;
        issue.entry = work_1q.kind == Constant ? '0 : EntryW'({place_q, 1'b0}) + EntryW'(2);
        issue.use_a = 1'b1;
        ext_addr = work_1q.kind == Constant ? work_1q.constant1 : EXT_AW'(ExtReduce1) + EXT_AW'(place_q);
        result.ring = place_q == TimeW'(CHUNKS - 1);
        result.brief = 1'b1;
      end
      Reduce2: begin
        product.hold = work_1q.kind == Constant && place_q != '0;
        product.accumulate = place_q != '0;
        product.second = 1'b1;
        issue.entry = work_1q.kind == Constant ? EntryW'(1) : EntryW'({place_q, 1'b1}) + EntryW'(2);
        issue.use_a = 1'b1;
        ext_addr = work_1q.kind == Constant ? work_1q.constant2 : EXT_AW'(ExtReduce2) + EXT_AW'(place_q);
      end
      Forth, Back: begin
        product.hold = 1'b0;
        product.accumulate = segment_q == Forth || place_q != '0;
        product.second = segment_q == Forth;
        issue.load_a = 1'b1;
        issue.use_a = !end_q;
        shift_ring = !end_q;
        ext_addr = (segment_q == Forth ? EXT_AW'(ExtForth) : EXT_AW'(ExtBack)) + EXT_AW'(place_q);
        // The quotient comes last, and the result with it.
        issue.load_b = end_q;
        issue.use_b = end_q;
        digit_valid = end_q;
        result.write_a = end_q && work_1q.keep_a;
        result.write_b = end_q && work_1q.keep_b;
        result.entry_a = EntryW'(segment_q == Forth);
        result.entry_b = work_1q.target + EntryW'(segment_q == Forth);
        result.ring = end_q && segment_q == Forth;
      end
      default: ;
    endcase
  end

  logic unused;
  assign unused = ^{work_1q.last, work_1q.start};

  // The address of the ROM ext is output one cycle before its issue.
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
    if (ring_digit_o || !rst_ni) quotient_q <= quotient_i;  // in reset, it is overwritten when the core is wiped
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
