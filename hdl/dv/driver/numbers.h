// What both drivers have: numbers of any size (32-bit words, the lowest first) to and from hexadecimal, to and from ports; how to
// fail, and what was covered.

#ifndef MODULI_RNS_NUMBERS_H_
#define MODULI_RNS_NUMBERS_H_

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

using Words = std::vector<uint32_t>;

[[noreturn]] inline void fail(const std::string& message) {
  std::fprintf(stderr, "driver: %s\n", message.c_str());
  std::exit(2);
}

// What was covered, instance by instance, if the simulator counts it.
inline void write_coverage(const std::string& path) {
  if (path.empty()) return;
#if VM_COVERAGE
  Verilated::threadContextp()->coveragep()->forcePerInstance(true);
  Verilated::threadContextp()->coveragep()->write(path);
#else
  fail("the simulator was built without coverage");
#endif
}

inline Words parse(const std::string& text) {
  std::string digits = text;
  if (digits.rfind("0x", 0) == 0) digits = digits.substr(2);
  if (digits.empty()) fail("an empty number");
  Words words;
  uint64_t word = 0;
  int bits = 0;
  for (size_t i = digits.size(); i-- > 0;) {
    const char c = digits[i];
    int digit;
    if (c >= '0' && c <= '9') digit = c - '0';
    else if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    else fail("not a hexadecimal number: " + text);
    word |= uint64_t(digit) << bits;
    bits += 4;
    if (bits == 32) {
      words.push_back(uint32_t(word));
      word = 0;
      bits = 0;
    }
  }
  words.push_back(uint32_t(word));
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  return words;
}

inline std::string show(Words words) {
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%x", words.back());
  std::string text = buffer;
  for (size_t i = words.size() - 1; i-- > 0;) {
    std::snprintf(buffer, sizeof buffer, "%08x", words[i]);
    text += buffer;
  }
  return text;
}

// Ports of any width.
inline void put(uint8_t& port, const Words& words) { port = uint8_t(words[0]); }
inline void put(uint16_t& port, const Words& words) { port = uint16_t(words[0]); }
inline void put(uint32_t& port, const Words& words) { port = words[0]; }
inline void put(uint64_t& port, const Words& words) {
  port = words[0] | (words.size() > 1 ? uint64_t(words[1]) << 32 : 0);
}
template <std::size_t N>
void put(VlWide<N>& port, const Words& words) {
  for (std::size_t i = 0; i < N; i++) port[i] = i < words.size() ? words[i] : 0;
}
inline Words get(uint64_t port) { return {uint32_t(port), uint32_t(port >> 32)}; }
template <std::size_t N>
Words get(const VlWide<N>& port) {
  Words words(N);
  for (std::size_t i = 0; i < N; i++) words[i] = port[i];
  return words;
}

#endif  // MODULI_RNS_NUMBERS_H_
