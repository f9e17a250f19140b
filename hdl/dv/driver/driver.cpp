// Drives the core with the operands of a file, as fast as it takes them, and prints or checks what comes back.
//
//   driver [options] FILE          one operand a line in hexadecimal; two for all but invert; # begins a comment
//
//   --op invert|multiply|exponentiate|blinded   what to do (invert); mixed: a line is "OP A B", OP what req_op_i is to be, 0 to 7
//   --montgomery        operands and results in Montgomery form
//   --expect FILE       lines "RESULT ERROR STEPS" (STEPS may be "-"), one an operand; lines "step ..." before them are compared
//                       with the state of the core after every step, if it was built with MODULI_RNS_TRACE
//   --quiet             print the summary only
//   --trace             print the state after every step
//   --gaps P, --stalls P   in how many of 100 cycles no request is made, no response is taken (0)
//   --serial            a request only when nothing is under way: cycles are those of one operation
//   --reset-every K     reset in the middle of operations, about every K cycles, and sooner as something passes a port and just after;
//                       start them again
//   --clear-every K     the same with clear_i
//   --seed S            of the random choices (1)
//   --coverage FILE     what was covered, of a simulator that was built to count it
//   --max-cycles K      give up on an operation after so many cycles (50,000,000)
//
// Output, a line an operand: RESULT ERROR STEPS CYCLES. The closing line counts what passed and what failed; the exit status is
// not 0 if anything failed.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core.h"
#include "numbers.h"
#include "verilated.h"

namespace {

struct Request {
  unsigned operation;
  Words a, b;
};

struct Expected {
  std::string result, error, steps;
  std::vector<std::string> states;
};

struct Options {
  unsigned operation = 2;
  bool mixed = false;  // every line begins with its operation, req_op_i
  bool quiet = false, trace = false, serial = false;
  unsigned gaps = 0, stalls = 0, reset_every = 0, clear_every = 0, seed = 1;
  uint64_t max_cycles = 50'000'000;
  std::string operands, expect, coverage;
};

class Bench {
 public:
  Bench(const Options& options, Core& top) : options_(options), random_(options.seed), top_(top) {
    top_.clk_i = 0;
    top_.rst_ni = 0;
    top_.req_valid_i = 0;
    top_.rsp_ready_i = 0;
    top_.clear_i = 0;
    for (int i = 0; i < 5; i++) cycle();
    top_.rst_ni = 1;
  }

  // Runs all requests; false if anything failed.
  bool run(const std::vector<Request>& requests, const std::vector<Expected>& expected) {
    flights_.assign(requests.size(), {});
    std::vector<size_t> waiting_ids;
    size_t done = 0;
    std::deque<size_t> queue;
    for (size_t i = 0; i < requests.size(); i++) queue.push_back(i);
    uint64_t last_progress = 0, start = cycles_;
    while (done < requests.size()) {
      // A request stays valid until it is taken.
      if (!top_.req_valid_i && !queue.empty() && open_.size() < 16 && !(options_.serial && !open_.empty()) && !chance(options_.gaps)) {
        const size_t index = queue.front();
        int tag = 0;
        while (owner_of(tag) != npos) tag++;
        open_.push_back({tag, index});
        queue.pop_front();
        top_.req_valid_i = 1;
        top_.req_op_i = requests[index].operation;
        top_.req_id_i = tag;
        top_.put_operands(requests[index].a, requests[index].b);
        flights_[index].states.clear();
      }
      top_.rsp_ready_i = !chance(options_.stalls);
      top_.eval();
      const bool passes = (top_.req_valid_i && top_.req_ready_o) || (top_.rsp_valid_o && top_.rsp_ready_i);
      quiet_ = passes ? 0 : quiet_ + 1;
      const unsigned soon = passes ? 16 : quiet_ <= 8 ? 128 : ~0u;
      const bool interrupt = every(options_.reset_every, soon) || every(options_.clear_every, soon);
      if (interrupt) {
        // In one half of all cases with nothing at the ports. A request that is taken in this cycle is lost, a response is not.
        const bool reset = options_.reset_every && (!options_.clear_every || random_() % 2);
        if (random_() % 2) {
          top_.req_valid_i = 0;
          top_.rsp_ready_i = 0;
        }
        (reset ? top_.rst_ni : top_.clear_i) = reset ? 0 : 1;
        top_.eval();
      }
      const bool taken = top_.req_valid_i && top_.req_ready_o;
      const bool given = top_.rsp_valid_o && top_.rsp_ready_i;
      check_stability();
      if (taken) {
        for (auto& entry : open_) {
          if (entry.first == top_.req_id_i) flights_[entry.second].begin = cycles_;
        }
      }
      if (given) {
        const size_t index = owner_of(top_.rsp_id_o);
        if (index == npos) fail("a response that nobody waits for");
        Flight& flight = flights_[index];
        flight.result = show(top_.data());
        flight.error = top_.rsp_error_o;
        flight.steps = top_.rsp_steps_o;
        flight.cycles = cycles_ - flight.begin + 1;
        for (size_t k = 0; k < open_.size(); k++) {
          if (open_[k].second == index) {
            open_.erase(open_.begin() + k);
            break;
          }
        }
        done++;
        last_progress = cycles_;
      }
      if (top_.traced()) record(top_.state());
      cycle();
      if (interrupt) {
        // Everything under way is lost, and asked for again.
        top_.rst_ni = 1;
        top_.clear_i = 0;
        for (size_t k = open_.size(); k-- > 0;) queue.push_front(open_[k].second);
        open_.clear();
        interrupts_++;
        stalled_ = false;
      }
      if (taken || interrupt) top_.req_valid_i = 0;
      if (cycles_ - last_progress > options_.max_cycles) fail("no response: the core hangs");
    }
    return report(expected, cycles_ - start);
  }

 private:
  static constexpr size_t npos = size_t(-1);
  struct Flight {
    uint64_t begin = 0, cycles = 0;
    std::string result;
    unsigned error = 0, steps = 0;
    std::vector<std::string> states;
  };

  bool chance(unsigned percent) { return percent && random_() % 100 < percent; }
  bool every(unsigned cycles, unsigned soon) { return cycles && random_() % std::min(cycles, soon) == 0; }

  size_t owner_of(int tag) const {
    for (const auto& entry : open_) {
      if (entry.first == tag) return entry.second;
    }
    return npos;
  }

  void cycle() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
    cycles_++;
  }

  // A response that is not taken must stay as it is.
  void check_stability() {
    const std::string payload = top_.rsp_valid_o && (stalled_ || !top_.rsp_ready_i)
                                    ? show(top_.data()) + " " + std::to_string(top_.rsp_id_o) + " " +
                                          std::to_string(top_.rsp_error_o) + " " + std::to_string(top_.rsp_steps_o)
                                    : "";
    if (stalled_ && payload != held_) fail("a response changed or went away before it was taken");
    stalled_ = top_.rsp_valid_o && !top_.rsp_ready_i;
    held_ = payload;
  }

  // One state in the format of the expectations, but for the action: "u U v V small v3 v1 u3 u1 v3 .. v1 .. u3 .. u1 ..".
  void record(const State& state) {
    const size_t index = owner_of(state.id);
    if (index == npos) return;
    // What was on its way when everything was cleared belongs to nobody.
    if (state.steps == 0) flights_[index].states.clear();
    std::ostringstream line;
    line << "step " << state.steps << " u " << state.u << " v " << state.v << " small";
    const int order[4] = {0, 2, 1, 3};  // V3 V1 U3 U1 of U1 V1 U3 V3, the first on top
    const char* names[4] = {"v3", "v1", "u3", "u1"};
    for (int k : order) {
      const int twos = state.twos >> (4 * k) & 15, threes = state.threes >> (4 * k) & 15;
      int value = twos;
      while (value % top_.modulus3 != threes % top_.modulus3) value += 1 << top_.a2;
      line << ' ' << value;
    }
    const int width = top_.n * top_.w;
    for (int i = 0; i < 4; i++) {
      line << ' ' << names[i];
      for (int c = 0; c < top_.n; c++) {
        Words residue(3, 0);
        for (int bit = 0; bit < top_.w; bit++) {
          const int at = order[i] * width + c * top_.w + bit;
          if (state.residues[at / 32] >> (at % 32) & 1) residue[bit / 32] |= 1u << (bit % 32);
        }
        line << ' ' << show(residue);
      }
    }
    flights_[index].states.push_back(line.str());
  }

  // Without the word of the action.
  static std::string without_action(const std::string& line) {
    std::istringstream in(line);
    std::string word, rest;
    for (int k = 0; in >> word; k++) {
      if (k == 2) continue;
      rest += (rest.empty() ? "" : " ") + word;
    }
    return rest;
  }

  bool report(const std::vector<Expected>& expected, uint64_t total) {
    size_t failed = 0, states = 0;
    uint64_t steps = 0, cycles = 0;
    for (size_t i = 0; i < flights_.size(); i++) {
      const Flight& flight = flights_[i];
      steps += flight.steps;
      cycles += flight.cycles;
      if (options_.trace) {
        for (const auto& line : flight.states) std::printf("%s\n", line.c_str());
      }
      if (!options_.quiet) {
        std::printf("%s %u %u %llu\n", flight.result.c_str(), flight.error, flight.steps, (unsigned long long)flight.cycles);
      }
      if (expected.empty()) continue;
      const Expected& want = expected[i];
      std::string wrong;
      if (flight.result != want.result) wrong = "the result is " + flight.result + ", not " + want.result;
      else if (std::to_string(flight.error) != want.error) wrong = "the error is " + std::to_string(flight.error) + ", not " + want.error;
      else if (want.steps != "-" && std::to_string(flight.steps) != want.steps)
        wrong = "it took " + std::to_string(flight.steps) + " steps, not " + want.steps;
      if (!want.states.empty()) {
        for (size_t k = 0; k < want.states.size() || k < flight.states.size(); k++) {
          const std::string theirs = k < want.states.size() ? without_action(want.states[k]) : "(none)";
          const std::string ours = k < flight.states.size() ? flight.states[k] : "(none)";
          states++;
          if (ours != theirs) {
            wrong = "state " + std::to_string(k) + " is\n  " + ours + "\nnot\n  " + theirs;
            break;
          }
        }
      }
      if (!wrong.empty()) {
        failed++;
        if (failed <= 10) std::printf("operand %zu: %s\n", i + 1, wrong.c_str());
      }
    }
    const double count = double(flights_.empty() ? 1 : flights_.size());
    std::printf("%zu operations: %.1f steps, %.1f cycles each; %.1f cycles an operation overall", flights_.size(), steps / count,
                cycles / count, total / count);
    if (interrupts_) std::printf("; %llu interrupted", (unsigned long long)interrupts_);
    if (states) std::printf("; %zu states compared", states);
    std::printf("\n");
    if (!expected.empty()) std::printf("%zu passed, %zu failed\n", flights_.size() - failed, failed);
    return failed == 0;
  }

  Options options_;
  std::mt19937 random_;
  Core& top_;
  uint64_t cycles_ = 0, interrupts_ = 0;
  uint64_t quiet_ = 0;  // cycles since something passed a port
  std::vector<Flight> flights_;
  std::vector<std::pair<int, size_t>> open_;
  bool stalled_ = false;
  std::string held_;
};

std::string text_after(int& i, int argc, char** argv) {
  if (i + 1 >= argc) fail(std::string(argv[i]) + " wants a value");
  return argv[++i];
}

unsigned number_after(int& i, int argc, char** argv) {
  const std::string text = text_after(i, argc, argv);
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) fail("not a number: " + text);
  return unsigned(std::stoul(text));
}

size_t bits(const Words& words) { return 32 * (words.size() - 1) + (words.back() ? 32 - __builtin_clz(words.back()) : 0); }

}  // namespace

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  const std::unique_ptr<Core> core = new_core();
  Options options;
  unsigned flags = 0;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--op") {
      const std::string name = text_after(i, argc, argv);
      if (name == "multiply") options.operation = 0;
      else if (name == "exponentiate") options.operation = 1;
      else if (name == "invert") options.operation = 2;
      else if (name == "blinded") options.operation = 3;
      else if (name == "mixed") options.mixed = true;
      else fail("no operation " + name);
    } else if (word == "--montgomery") flags = 4;
    else if (word == "--expect") options.expect = text_after(i, argc, argv);
    else if (word == "--quiet") options.quiet = true;
    else if (word == "--trace") options.trace = true;
    else if (word == "--serial") options.serial = true;
    else if (word == "--gaps") options.gaps = number_after(i, argc, argv);
    else if (word == "--stalls") options.stalls = number_after(i, argc, argv);
    else if (word == "--reset-every") options.reset_every = number_after(i, argc, argv);
    else if (word == "--clear-every") options.clear_every = number_after(i, argc, argv);
    else if (word == "--seed") options.seed = number_after(i, argc, argv);
    else if (word == "--coverage") options.coverage = text_after(i, argc, argv);
    else if (word == "--max-cycles") options.max_cycles = number_after(i, argc, argv);
    else if (word[0] == '+') continue;
    else if (word[0] == '-' && word != "-") fail("no option " + word);
    else if (options.operands.empty()) options.operands = word;
    else fail("one file of operands");
  }
  options.operation |= flags;
  if (options.operands.empty()) fail("a file of operands is wanted");
  std::ifstream file;
  if (options.operands != "-") {
    file.open(options.operands);
    if (!file) fail("cannot read " + options.operands);
  }
  std::istream& in = options.operands == "-" ? std::cin : file;
  std::vector<Request> requests;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string operation, a, b;
    if (options.mixed && !(words >> operation)) continue;
    if (!(words >> a)) continue;
    if (!(words >> b)) b = "0";
    requests.push_back({options.mixed ? parse(operation)[0] & 7 : options.operation, parse(a), parse(b)});
    if (std::max(bits(requests.back().a), bits(requests.back().b)) > size_t(core->l))
      fail("an operand of more than " + std::to_string(core->l) + " bits: " + line);
  }
  std::vector<Expected> expected;
  if (!options.expect.empty()) {
    std::ifstream want(options.expect);
    if (!want) fail("cannot read " + options.expect);
    Expected next;
    while (std::getline(want, line)) {
      if (line.empty() || line[0] == '#') continue;
      if (line.rfind("step ", 0) == 0) {
        next.states.push_back(line);
        continue;
      }
      std::istringstream words(line);
      if (!(words >> next.result >> next.error >> next.steps)) fail("not an expectation: " + line);
      next.result = show(parse(next.result));
      expected.push_back(next);
      next = {};
    }
    if (expected.size() != requests.size()) fail("there are not as many expectations as operands");
  }
  Bench bench(options, *core);
  const bool passed = bench.run(requests, expected);
  write_coverage(options.coverage);
  return passed ? 0 : 1;
}
