// Sums over traces: for every label, sample and group how many traces there were, the sum of their toggles and that of the
// squares. They are integers, so what a t-test makes of them does not depend on the order of the traces.

#ifndef MODULI_RNS_LEAK_MOMENTS_H_
#define MODULI_RNS_LEAK_MOMENTS_H_

#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

// A trace: the toggles of every group, cycle by cycle.
using Trace = std::vector<uint32_t>;

class Moments {
 public:
  // Traces may have different lengths. They are summed up twice, aligned at the first cycle and at the last, unless all are as
  // long.
  Moments(int groups, bool same) : groups_(groups), same_(same) {}

  void add(unsigned label, const Trace& trace) {
    const size_t cycles = trace.size() / size_t(groups_);
    Sums& sums = labels_[label];
    const size_t words = cycles * size_t(row());
    if (sums.start.size() < words) sums.start.resize(words);
    if (!same_ && sums.end.size() < words) sums.end.resize(words);
    for (size_t cycle = 0; cycle < cycles; cycle++) {
      const uint32_t* toggles = &trace[cycle * size_t(groups_)];
      add(&sums.start[cycle * size_t(row())], toggles);
      if (!same_) add(&sums.end[(cycles - 1 - cycle) * size_t(row())], toggles);
    }
  }

  // How many labels there are, and how many alignments; for each label its number, how many cycles the longest trace has, and the
  // sums: aligned at the start, then at the end, where the last cycle comes first. Words of 64 bits in the machine's order.
  void write(std::FILE* file) const {
    put(file, labels_.size());
    put(file, same_ ? 1 : 2);
    for (const auto& [label, sums] : labels_) {
      put(file, label);
      put(file, sums.start.size() / size_t(row()));
      for (const std::vector<uint64_t>* side : {&sums.start, &sums.end}) std::fwrite(side->data(), 8, side->size(), file);
    }
  }

 private:
  struct Sums {
    std::vector<uint64_t> start, end;
  };

  int row() const { return 1 + 2 * groups_; }
  void add(uint64_t* sums, const uint32_t* toggles) const {
    sums[0]++;
    for (int group = 0; group < groups_; group++) {
      sums[1 + 2 * group] += toggles[group];
      sums[2 + 2 * group] += uint64_t(toggles[group]) * toggles[group];
    }
  }
  static void put(std::FILE* file, uint64_t word) { std::fwrite(&word, 8, 1, file); }

  int groups_;
  bool same_;
  std::map<unsigned, Sums> labels_;
};

#endif  // MODULI_RNS_LEAK_MOMENTS_H_
