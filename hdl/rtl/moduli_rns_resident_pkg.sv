// The words of programs over resident residues: see crates/moduli-rns/src/program.

package moduli_rns_resident_pkg;
  import moduli_rns_params_pkg::*;

  // The widths of the counts of a program's checks and results, and of its cycles.
  parameter int CountW = 10;
  parameter int PatienceW = 32;

  // The control action of a word, beside its issue. A branch, to `argument`, is taken after the next word.
  typedef enum logic [3:0] {
    ControlNothing = 4'd0,
    ControlCount = 4'd1,  // the loop is repeated `argument` times
    ControlRepeat = 4'd2,  // branch if another iteration follows
    ControlTakeOperand = 4'd3,
    ControlAwaitOperand = 4'd4,  // branch unless the loader has the operand or random number
    ControlTakeScalar = 4'd5,
    ControlTakeCompleted = 4'd6,  // with the order added
    ControlTakeInverse = 4'd7,  // P - 2
    ControlAwaitScalar = 4'd8,  // branch unless the scalar is available
    ControlAwaitUnloader = 4'd9,  // branch unless the unloader is free
    ControlUnload = 4'd10,  // the ring will hold a result
    ControlAwaitResult = 4'd11,  // branch unless the unloader has read the ring
    ControlFinish = 4'd12,
    ControlTakeRandom = 4'd13,
    ControlTakePlaces = 4'd14,
    ControlAwaitPlaces = 4'd15  // branch unless they were drawn
  } control_e;

  // An entry of the register files. If it belongs to a pair, the other register is used, two entries away, if the
  // scalar's bit is `unless`, or, if the places of pairs are exchanged, if the bit is not `unless`. For an entry of a
  // pair that no bit selects, `unless` alone tells whether exchanged places select the other register.
  typedef struct packed {
    logic chosen;
    logic unless;
    logic [RESIDENT_EW-1:0] number;
  } entry_t;

  typedef enum logic [1:0] {
    FromNothing = 2'd0,
    FromLoader = 2'd1,
    FromQuotient = 2'd2,
    FromOne = 2'd3
  } from_e;

  typedef struct packed {
    entry_t a;
    entry_t b;
    entry_t to;
    logic [EXT_AW-1:0] ext;
    logic [ADD_AW-1:0] addend;
    logic works;  // otherwise the sums do not change
    logic use_a;
    logic ring;  // operand A is the ring's digit
    logic use_b;
    from_e from;  // operand B is a broadcast digit
    logic minus;
    logic by_b;
    logic [$clog2(CHUNKS+1)-1:0] chunk;
    logic accumulate;
    logic second;
    logic inner;  // the multiplier is T^(-1)
    logic write;
    logic fetch;  // entry a goes to the ring
    logic to_ring;  // the result goes to the ring
    logic brief;  // its quotient is the short one
    logic keep;  // its quotient is stored
    logic [QUOTIENT_AW-1:0] quotient;  // index of the quotient, stored or used
    logic next_digit;
    logic next_bit;
    control_e control;
    logic [ARGUMENT_W-1:0] argument;
  } word_t;

  // The selected entry, given the scalar's bit and the places of pairs.
  function automatic logic [RESIDENT_EW-1:0] meant(input entry_t entry, input logic bit_now, input logic places);
    logic other;
    other = entry.chosen ? (bit_now ^ places) == entry.unless : entry.unless && places;
    meant = entry.number ^ RESIDENT_EW'({other, 1'b0});
  endfunction

  // The actions of the sequencer in a cycle, with the next address. With a guard, those of a twin must be the same.
  typedef struct packed {
    logic [WORDS_AW-1:0] next;
    logic running;
    logic take_operand;
    logic take_random;
    logic take_places;
    logic take_scalar;
    logic completed;
    logic inverse;
    logic load_accept;
    logic load_shift;
    logic next_bit;
    moduli_rns_pkg::issue_t issue;
    moduli_rns_pkg::product_t product;
    logic [EXT_AW-1:0] ext_addr;
    logic digit_valid;
    logic [W-1:0] digit;
    logic [ADD_AW-1:0] addend;
    logic capture;
    logic write;
    logic [moduli_rns_pkg::EntryW-1:0] write_entry;
    logic write_b;
    logic ring_digit;
    logic ring_shift;
    logic short_quotient;
    logic unload;
    logic judge;
  } said_t;
endpackage
