// A core as the driver sees it: the driver is compiled once for all, core.cpp for each.

#ifndef MODULI_RNS_CORE_H_
#define MODULI_RNS_CORE_H_

#include <cstdint>
#include <memory>

#include "numbers.h"

// What the core shows of a step.
struct State {
  unsigned id, steps, u, v, twos, threes;
  Words residues;
};

class Core {
 public:
  virtual ~Core() = default;
  virtual void eval() = 0;
  virtual void put_operands(const Words& a, const Words& b) = 0;
  virtual Words data() const = 0;
  // Whether a step is shown, if the core was built with MODULI_RNS_TRACE; and what.
  virtual bool traced() const = 0;
  virtual State state() const = 0;

  // Parameters: channels, their width, bits of P, modulo which powers of two and three the values are known.
  const int n, w, l, a2, modulus3;
  // Ports that are as wide in every core.
  uint8_t &clk_i, &rst_ni, &clear_i, &req_valid_i, &req_ready_o, &req_op_i, &req_id_i, &rsp_valid_o, &rsp_ready_i, &rsp_id_o, &rsp_error_o;
  uint16_t& rsp_steps_o;

 protected:
  template <class Top>
  Core(Top& top, int n, int w, int l, int a2, int modulus3)
      : n(n), w(w), l(l), a2(a2), modulus3(modulus3), clk_i(top.clk_i), rst_ni(top.rst_ni), clear_i(top.clear_i),
        req_valid_i(top.req_valid_i), req_ready_o(top.req_ready_o), req_op_i(top.req_op_i), req_id_i(top.req_id_i),
        rsp_valid_o(top.rsp_valid_o), rsp_ready_i(top.rsp_ready_i), rsp_id_o(top.rsp_id_o), rsp_error_o(top.rsp_error_o),
        rsp_steps_o(top.rsp_steps_o) {}
};

// Made when Verilator has seen the arguments.
std::unique_ptr<Core> new_core();

#endif  // MODULI_RNS_CORE_H_
