// Runs requests on a verilated core and counts the registers that toggle in each cycle.
//
//   harness LINES GROUPS OUT [--traces] [--same] [--outcomes] [--recover] [--warm] [--after] [--stall CYCLES] [--watch REGISTER] [--limit CYCLES]
//
// A line of the file LINES is "LABELS [@REGISTER.ELEMENT.BIT.CYCLE]... REQUEST": numbers, with commas, that say to which classes
// the trace belongs, bits to be flipped after a cycle, and what device.h takes. Before each request the core is cleared. The file
// GROUPS has a number for each register of registers.inc, in its order: the group in which it is counted.
//
// OUT.outcomes gets a line for each: right, error (the core said so), wrong or hang, and the cycles of the trace, from the one in
// which the request is taken to the one in which the last result is. OUT.moments gets the sums over the traces of each label
// (moments.h), with --same aligned at the start alone, for then all traces are as long; OUT.traces with --traces the traces
// themselves: their cycles in 32 bits, then 16 bits for each cycle and group. The last group is the whole core. With
// --outcomes nothing is counted, and the outcomes are all that is written. With --recover a request that ended with an error is
// made once more, at once and without clearing the core; unless it comes out right then, the outcome is stuck, and data beside an
// error is wrong. With --watch each outcome says, too, in how many cycles this register was not 0. With --warm each request
// follows the same one without a flip, and the core is not cleared between them. With --after, one more answer after the one that
// was asked for is wrong. With --stall a response waits for so many cycles before it is taken.
//
// Standard output says how many cycles there were, in how many seconds, and which registers are not always the same when a
// request comes. (The first trace leaves some that say which operation it was.)

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#ifdef MODULI_LEAK_RESIDENT
#include "Vmoduli_rns_resident.h"
#include "Vmoduli_rns_resident___024root.h"
using Top = Vmoduli_rns_resident;
#else
#include "Vmoduli_rns.h"
#include "Vmoduli_rns___024root.h"
using Top = Vmoduli_rns;
#endif
#include "device.h"
#include "moments.h"
#include "numbers.h"
#include "registers.h"
#include "registers.inc"
#include "verilated.h"

namespace {

// Where Verilator keeps the registers. As a table: compilers take long for code of so many lines. The class has no standard
// layout, but its members have offsets all the same.
struct Place {
  const char* name;
  size_t offset, bytes;
  int width, elements;
};
using Root = std::remove_reference_t<decltype(*Top::rootp)>;
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#define MODULI_LEAK_REGISTER(member, width, elements) {#member, offsetof(Root, member), sizeof Root::member, width, elements},
const Place kPlaces[] = {MODULI_LEAK_REGISTERS(MODULI_LEAK_REGISTER)};
#undef MODULI_LEAK_REGISTER

std::vector<Register> all_registers(Top& top, const char* groups) {
  auto* const root = reinterpret_cast<uint8_t*>(top.rootp);
  std::vector<Register> all;
  std::ifstream in(groups);
  for (const Place& each : kPlaces) {
    int group;
    if (!(in >> group) || group < 0) fail(std::string(groups) + " has no group for " + each.name);
    all.push_back({each.name, root + each.offset, each.bytes, group, each.width, each.elements});
  }
  return all;
}

struct Flip {
  size_t index = 0;
  int element = 0, bit = 0;
  uint64_t cycle = UINT64_MAX;
};

Flip parse_flip(const std::string& word) {
  Flip flip;
  unsigned long long cycle = 0;
  if (std::sscanf(word.c_str(), "@%zu.%d.%d.%llu", &flip.index, &flip.element, &flip.bit, &cycle) != 4) fail("not a flip: " + word);
  flip.cycle = cycle;
  return flip;
}

struct Options {
  const char *lines = nullptr, *groups = nullptr;
  std::string out;
  bool traces = false, same = false, outcomes = false, recover = false, warm = false, after = false;
  uint64_t limit = 1'000'000, stall = 0;
  size_t watch = SIZE_MAX;
};

class Harness {
 public:
  explicit Harness(const Options& options)
      : options_(options), registers_(all_registers(device_.top(), options.groups)), moments_(registers_.groups() + 1, options.same) {}

  void run() {
    std::ifstream in(options_.lines);
    if (!in) fail(std::string("cannot read ") + options_.lines);
    std::FILE* outcomes = open(".outcomes");
    std::FILE* traces = options_.traces ? open(".traces") : nullptr;
    std::string line;
    while (std::getline(in, line)) {
      std::istringstream stream(line);
      std::vector<std::string> words;
      for (std::string word; stream >> word;) words.push_back(word);
      if (words.size() < 2) fail("not a line: " + line);
      std::istringstream labels(words[0]);
      std::vector<Flip> flips;
      while (flips.size() + 1 < words.size() && words[flips.size() + 1][0] == '@') flips.push_back(parse_flip(words[flips.size() + 1]));
      words.erase(words.begin(), words.begin() + long(flips.size()) + 1);
      const char* outcome = trace(words, flips);
      if (options_.outcomes) {
        std::fprintf(outcomes, "%s %llu %llu\n", outcome, static_cast<unsigned long long>(last_), static_cast<unsigned long long>(seen_));
        continue;
      }
      for (std::string label; std::getline(labels, label, ',');) moments_.add(unsigned(std::stoul(label)), trace_);
      if (traces) write(traces);
      std::fprintf(outcomes, "%s %zu\n", outcome, trace_.size() / columns());
    }
    std::fclose(outcomes);
    if (traces) std::fclose(traces);
    if (options_.outcomes) return;
    std::FILE* moments = open(".moments");
    moments_.write(moments);
    std::fclose(moments);
  }

  uint64_t cycles() const { return cycles_; }
  const std::set<std::string>& left() const { return left_; }

 private:
  size_t columns() const { return size_t(registers_.groups()) + 1; }

  std::FILE* open(const char* what) const {
    std::FILE* file = std::fopen((options_.out + what).c_str(), "wb");
    if (!file) fail("cannot write " + options_.out + what);
    return file;
  }

  const char* trace(const std::vector<std::string>& words, const std::vector<Flip>& flips) {
    device_.clear();
    if (!options_.outcomes) registers_.remember();
    if (traced_ == 1) before_ = registers_.state();
    if (traced_++ > 1 && !options_.outcomes) {
      for (const std::string& name : registers_.differing(before_)) left_.insert(name);
    }
    device_.stall(options_.stall);
    if (options_.warm && !recovers(words)) fail("a request without a flip is not answered");
    device_.request(words);
    trace_.clear();
    bool done = false;
    seen_ = 0;
    for (uint64_t cycle = 0; !done && cycle < options_.limit; cycle++) {
      done = device_.cycle();
      last_ = cycle + 1;
      if (!done && options_.watch != SIZE_MAX) seen_ += registers_.any(options_.watch);
      if (!options_.outcomes) {
        trace_.resize(trace_.size() + columns());
        uint32_t* counts = &trace_[trace_.size() - columns()];
        registers_.count(counts);
        for (int group = 0; group < registers_.groups(); group++) counts[registers_.groups()] += counts[group];
      }
      for (const Flip& flip : flips) {
        if (cycle != flip.cycle) continue;
        registers_.flip(flip.index, flip.element, flip.bit);
        device_.settle();
      }
    }
    cycles_ += last_;
    static const char* const names[] = {"right", "error", "wrong", "hang"};
    Outcome outcome = done ? device_.outcome() : Outcome::kHang;
    if (options_.after && done && device_.answers_unasked()) outcome = Outcome::kWrong;
    if (options_.recover && outcome == Outcome::kError && !device_.withheld()) return names[int(Outcome::kWrong)];
    return options_.recover && outcome == Outcome::kError && !recovers(words) ? "stuck" : names[int(outcome)];
  }

  bool recovers(const std::vector<std::string>& words) {
    device_.request(words);
    for (uint64_t cycle = 0; cycle < options_.limit; cycle++) {
      if (device_.cycle()) return device_.outcome() == Outcome::kRight;
    }
    return false;
  }

  void write(std::FILE* file) const {
    const auto cycles = uint32_t(trace_.size() / columns());
    std::fwrite(&cycles, sizeof cycles, 1, file);
    const std::vector<uint16_t> narrow(trace_.begin(), trace_.end());
    std::fwrite(narrow.data(), 2, narrow.size(), file);
  }

  const Options options_;
  Device device_;
  Registers registers_;
  Moments moments_;
  Trace trace_;
  std::vector<uint8_t> before_;
  std::set<std::string> left_;
  uint64_t cycles_ = 0, traced_ = 0, last_ = 0, seen_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--traces") options.traces = true;
    else if (word == "--same") options.same = true;
    else if (word == "--outcomes") options.outcomes = true;
    else if (word == "--recover") options.recover = true;
    else if (word == "--warm") options.warm = true;
    else if (word == "--after") options.after = true;
    else if (word == "--stall" && i + 1 < argc) options.stall = std::stoull(argv[++i]);
    else if (word == "--watch" && i + 1 < argc) options.watch = std::stoull(argv[++i]);
    else if (word == "--limit" && i + 1 < argc) options.limit = std::stoull(argv[++i]);
    else if (!options.lines) options.lines = argv[i];
    else if (!options.groups) options.groups = argv[i];
    else if (options.out.empty()) options.out = word;
    else fail("what is " + word + "?");
  }
  if (options.out.empty()) fail("three names are wanted: the lines, the groups, and what is written");
  const auto start = std::chrono::steady_clock::now();
  Harness harness(options);
  harness.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%llu %.3f", static_cast<unsigned long long>(harness.cycles()), seconds.count());
  for (const std::string& name : harness.left()) std::printf(" %s", name.c_str());
  std::printf("\n");
  return 0;
}
