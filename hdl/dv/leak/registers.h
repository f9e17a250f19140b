// The registers of a verilated core: how many toggle from one clock edge to the next, by group; and bit flips.

#ifndef MODULI_RNS_LEAK_REGISTERS_H_
#define MODULI_RNS_LEAK_REGISTERS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "numbers.h"

// A variable of the model that the clock writes. Verilator keeps it in whole bytes, the lowest first, of which `width` bits are
// used; arrays have several elements.
struct Register {
  const char* name;
  uint8_t* at;
  size_t bytes;  // of all elements
  int group, width, elements;

  size_t bytes_of_element() const { return bytes / size_t(elements); }
};

class Registers {
 public:
  explicit Registers(std::vector<Register> all) : all_(std::move(all)) {
    size_t bytes = 0;
    for (const Register& each : all_) {
      bytes += each.bytes;
      groups_ = std::max(groups_, each.group + 1);
    }
    before_.assign(bytes, 0);
  }

  int groups() const { return groups_; }

  // Takes the state from which the next toggles are counted. Bits that a register does not have must be 0, or they would be
  // counted.
  void remember() {
    uint8_t* to = before_.data();
    for (const Register& each : all_) {
      std::memcpy(to, each.at, each.bytes);
      const size_t size = each.bytes_of_element();
      for (size_t byte = 0; byte < each.bytes; byte++) {
        const int left = each.width - 8 * int(byte % size);
        const int unused = left >= 8 ? 0 : left <= 0 ? 0xff : 0xff << left & 0xff;
        if (to[byte] & unused) fail(std::string(each.name) + " has a bit beyond its width");
      }
      to += each.bytes;
    }
  }

  // Adds to `counts`, one for each group, how many bits have changed since then, and takes the new state.
  void count(uint32_t* counts) {
    uint8_t* old = before_.data();
    for (const Register& each : all_) {
      uint32_t toggles = 0;
      size_t at = 0;
      for (; at + 8 <= each.bytes; at += 8) toggles += changed<uint64_t>(each.at + at, old + at);
      if (at + 4 <= each.bytes) {
        toggles += changed<uint32_t>(each.at + at, old + at);
        at += 4;
      }
      for (; at < each.bytes; at++) toggles += changed<uint8_t>(each.at + at, old + at);
      counts[each.group] += toggles;
      old += each.bytes;
    }
  }

  // The state that was taken last.
  const std::vector<uint8_t>& state() const { return before_; }

  // Names of registers in which a state differs from the one taken last.
  std::vector<std::string> differing(const std::vector<uint8_t>& state) const {
    std::vector<std::string> names;
    size_t at = 0;
    for (const Register& each : all_) {
      if (std::memcmp(&state[at], &before_[at], each.bytes) != 0) names.push_back(each.name);
      at += each.bytes;
    }
    return names;
  }

  // Whether a register holds anything but 0.
  bool any(size_t index) const {
    if (index >= all_.size()) fail("no such register to watch");
    const Register& each = all_[index];
    return std::any_of(each.at, each.at + each.bytes, [](uint8_t byte) { return byte != 0; });
  }

  void flip(size_t index, int element, int bit) {
    if (index >= all_.size() || element >= all_[index].elements || bit >= all_[index].width) fail("no such bit to flip");
    const Register& each = all_[index];
    each.at[size_t(element) * each.bytes_of_element() + size_t(bit) / 8] ^= uint8_t(1 << bit % 8);
  }

 private:
  template <class Word>
  static uint32_t changed(const uint8_t* now, uint8_t* old) {
    Word a, b;
    std::memcpy(&a, now, sizeof a);
    std::memcpy(&b, old, sizeof b);
    std::memcpy(old, &a, sizeof a);
    return a == b ? 0 : uint32_t(__builtin_popcountll(uint64_t(a ^ b)));
  }

  std::vector<Register> all_;
  int groups_ = 0;
  std::vector<uint8_t> before_;
};

#endif  // MODULI_RNS_LEAK_REGISTERS_H_
