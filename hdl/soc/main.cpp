// Clocks the system and prints what its UART sends, until it sends EOT (4), and how many cycles that took.
//
//   simulator [CYCLES]    at most so many
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vsim.h"
#include "verilated.h"

namespace {
constexpr unsigned char kEnd = 4;
constexpr uint64_t kMost = 50'000'000;
}  // namespace

int main(int count, char** words) {
  VerilatedContext context;
  context.randReset(2);
  const auto sim = std::make_unique<Vsim>(&context);
  const uint64_t most = count > 1 ? std::strtoull(words[1], nullptr, 10) : kMost;
  sim->serial_source_ready = 1;
  sim->serial_sink_valid = 0;
  for (uint64_t cycle = 0; cycle < most && !context.gotFinish(); cycle++) {
    sim->sys_clk = 0;
    sim->eval();
    const bool sent = sim->serial_source_valid;
    const unsigned char byte = sim->serial_source_data;
    sim->sys_clk = 1;
    sim->eval();
    context.timeInc(1);
    if (sent && byte == kEnd) {
      std::printf("cycles %llu\n", static_cast<unsigned long long>(cycle + 1));
      return 0;
    }
    if (sent) {
      std::putchar(byte);
      if (byte == '\n') std::fflush(stdout);
    }
  }
  std::fprintf(stderr, "the application has not ended after %llu cycles\n", static_cast<unsigned long long>(most));
  return 1;
}
