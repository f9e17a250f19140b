// Drives a core for programs over resident residues: runs one program for each line of operands, and checks what comes back.
//
//   resident [options] OPERANDS EXPECTED     lines of operands and of results, in hexadecimal, divided by blanks; a result may be "error"
//
//   --program K            which program (0)
//   --gaps P, --stalls P   in how many of 100 cycles no operand and no random word is offered, no result is taken (0)
//   --words KIND           random words: ordinary, or always zeros, ones, repeated (one and the same), or late: zeros in the first run (ordinary)
//   --reset-every K, --clear-every K   interrupts programs, about every K cycles, and sooner when something passes a port or is about to;
//                          runs them again
//   --seed S               of the random choices (1)
//   --coverage FILE        what was covered, of a simulator that was built to count it
//   --quiet                prints the summary only
//
// Output, a line a run: its results, and its cycles from the one in which it is started to the one in which its last result is
// taken, both counted. The exit status is not 0 if anything failed. Where ordinary random words make a number that is 0 modulo a
// small P, the core refuses it, and the run is repeated; how often, the summary says.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vmoduli_rns_resident.h"
#include "numbers.h"
#include "verilated.h"

namespace {

using Line = std::vector<std::string>;
const char* const kError = "error";

std::vector<Line> read(const char* path) {
  std::ifstream in(path);
  if (!in) fail(std::string("cannot read ") + path);
  std::vector<Line> lines;
  std::string text, word;
  while (std::getline(in, text)) {
    std::istringstream words(text);
    Line line;
    while (words >> word) line.push_back(word == kError ? word : show(parse(word)));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

struct Options {
  unsigned program = 0, gaps = 0, stalls = 0, reset_every = 0, clear_every = 0, seed = 1;
  bool quiet = false;
  std::string coverage, words = "ordinary";
};

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options), random_(options.seed) {
    top_.rst_ni = 0;
    for (int i = 0; i < 5; i++) cycle();
    top_.rst_ni = 1;
    top_.start_program_i = options.program;
    if (options.words != "ordinary" && options.words != "zeros" && options.words != "ones" && options.words != "repeated" &&
        options.words != "late") {
      fail("no random words are called " + options.words);
    }
    offer_random();
  }

  // The results of one run and its cycles; interrupted runs are repeated, and those that were refused.
  Line run(const Line& operands, size_t results, uint64_t& cycles) {
    for (int refused = 0;;) {
      Line line;
      if (!attempt(operands, results, line, cycles)) {
        interrupts_++;
      } else if (options_.words == "ordinary" && line[0] == kError) {
        if (++refused == 20) fail("one random number after the other is refused");
        refused_++;
      } else {
        if (!answered_++ && options_.words == "late") offer_random();
        return line;
      }
    }
  }

  uint64_t interrupts() const { return interrupts_; }
  uint64_t refused() const { return refused_; }

 private:
  bool chance(unsigned percent) { return percent && random_() % 100 < percent; }
  bool every(unsigned cycles, unsigned soon) { return cycles && random_() % std::min(cycles, soon) == 0; }

  // The next random word, which waits until it is taken.
  void offer_random() {
    const std::string& kind = options_.words;
    const auto next = uint32_t(random_());
    top_.random_i = kind == "zeros" || (kind == "late" && !answered_) ? 0 : kind == "ones" ? ~0u : kind == "repeated" ? 0x9e3779b9u : next;
    top_.random_valid_i = 0;
  }

  bool attempt(const Line& operands, size_t results, Line& line, uint64_t& cycles) {
    size_t next = 0;
    uint64_t begin = 0, waited = 0, last_operand = 0;
    bool started = false;
    top_.start_valid_i = 1;
    top_.operand_valid_i = 0;
    std::string held;
    while (line.size() < results) {
      if (!top_.operand_valid_i && next < operands.size() && !chance(options_.gaps)) {
        top_.operand_valid_i = 1;
        put(top_.operand_i, parse(operands[next]));
      }
      if (!top_.random_valid_i && !chance(options_.gaps)) top_.random_valid_i = 1;
      top_.result_ready_i = !chance(options_.stalls);
      top_.eval();
      const bool passes = (!started && top_.start_ready_o) || (top_.operand_valid_i && top_.operand_ready_o) ||
                          (top_.random_valid_i && top_.random_ready_o) || (top_.result_valid_o && top_.result_ready_i);
      // Sooner when something passes a port, and when a result is about to come: it takes as long as in the run before.
      const bool comes = last_operand && computed_ && cycles_ - last_operand + 16 >= computed_;
      const unsigned soon = passes ? 32 : comes ? 128 : ~0u;
      const bool reset = every(options_.reset_every, soon), clear = every(options_.clear_every, soon);
      if (reset || clear) {
        (reset ? top_.rst_ni : top_.clear_i) = reset ? 0 : 1;
        // In one half of all cases with nothing at the ports.
        if (random_() % 2) top_.start_valid_i = top_.operand_valid_i = top_.result_ready_i = 0;
        top_.eval();
        cycle();
        top_.rst_ni = 1;
        top_.clear_i = 0;
        return false;
      }
      if (!started && top_.start_ready_o) {
        started = true;
        begin = cycles_;
      } else if (started) {
        top_.start_valid_i = 0;
        top_.eval();
      }
      const bool taken = top_.operand_valid_i && top_.operand_ready_o;
      if (taken && next + 1 == operands.size()) last_operand = cycles_;
      if (top_.result_valid_o) {
        if (line.empty() && held.empty()) computed_ = cycles_ - last_operand;
        const std::string number = show(get(top_.result_o)), value = top_.result_error_o ? kError : number;
        if (top_.result_error_o && number != "0") fail("a result with an error is not 0");
        if (!held.empty() && value != held) fail("a result changed before it was taken");
        held = value;
        if (top_.result_ready_i) {
          line.push_back(value);
          held.clear();
          cycles = cycles_ - begin + 1;
        }
      } else if (!held.empty()) {
        fail("a result went away before it was taken");
      }
      const bool drawn = top_.random_valid_i && top_.random_ready_o;
      cycle();
      if (drawn) offer_random();
      if (taken) {
        top_.operand_valid_i = 0;
        next++;
      }
      if (++waited > 1'000'000) fail("the core hangs");
    }
    top_.result_ready_i = 0;
    if (next != operands.size()) fail("operands are left");
    while (top_.busy_o) cycle();
    return true;
  }

  void cycle() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
    cycles_++;
  }

  Options options_;
  std::mt19937 random_;
  Vmoduli_rns_resident top_;
  uint64_t cycles_ = 0, interrupts_ = 0, refused_ = 0, answered_ = 0;
  uint64_t computed_ = 0;  // from the last operand to the first result
};

}  // namespace

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  Options options;
  std::vector<const char*> files;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    unsigned* value = word == "--program" ? &options.program : word == "--gaps" ? &options.gaps : word == "--stalls" ? &options.stalls :
                      word == "--reset-every" ? &options.reset_every : word == "--clear-every" ? &options.clear_every :
                      word == "--seed" ? &options.seed : nullptr;
    if (value && i + 1 < argc) *value = unsigned(std::strtoul(argv[++i], nullptr, 10));
    else if (word == "--quiet") options.quiet = true;
    else if (word == "--coverage" && i + 1 < argc) options.coverage = argv[++i];
    else if (word == "--words" && i + 1 < argc) options.words = argv[++i];
    else if (word[0] == '+') continue;
    else if (word[0] == '-') fail("no option " + word);
    else files.push_back(argv[i]);
  }
  if (files.size() != 2) fail("two files are wanted: operands, and what is expected");
  const std::vector<Line> operands = read(files[0]), expected = read(files[1]);
  if (operands.size() != expected.size()) fail("there are not as many expectations as runs");
  Bench bench(options);
  size_t failed = 0;
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t k = 0; k < operands.size(); k++) {
    uint64_t cycles = 0;
    const Line line = bench.run(operands[k], expected[k].size(), cycles);
    least = std::min(least, cycles);
    most = std::max(most, cycles);
    if (line != expected[k]) failed++;
    if (!options.quiet || (line != expected[k] && failed <= 10)) {
      std::printf("%s", line != expected[k] ? "WRONG " : "");
      for (const std::string& word : line) std::printf("%s ", word.c_str());
      std::printf("%llu\n", (unsigned long long)cycles);
    }
  }
  std::printf("%zu runs, %llu to %llu cycles, %llu interrupted, %llu refused\n", operands.size(), (unsigned long long)least, (unsigned long long)most,
              (unsigned long long)bench.interrupts(), (unsigned long long)bench.refused());
  write_coverage(options.coverage);
  std::printf("%zu passed, %zu failed\n", operands.size() - failed, failed);
  return failed ? 1 : 0;
}
