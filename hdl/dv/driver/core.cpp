// What differs between the cores that the driver runs.

#include "core.h"

#include "Vmoduli_rns.h"
#include "moduli_rns_params.h"

namespace {

class Model final : public Core {
 public:
  explicit Model(std::unique_ptr<Vmoduli_rns> top)
      : Core(*top, MODULI_RNS_PARAM_N, MODULI_RNS_PARAM_W, MODULI_RNS_PARAM_L, MODULI_RNS_PARAM_A2,
             MODULI_RNS_PARAM_A3 == 2 ? 9 : MODULI_RNS_PARAM_A3 == 1 ? 3 : 1),
        top_(std::move(top)) {}

  void eval() override { top_->eval(); }
  void put_operands(const Words& a, const Words& b) override {
    put(top_->req_a_i, a);
    put(top_->req_b_i, b);
  }
  Words data() const override { return get(top_->rsp_data_o); }
#ifdef MODULI_RNS_TRACE
  bool traced() const override { return top_->trace_valid_o; }
  State state() const override {
    return {top_->trace_id_o,   top_->trace_steps_o,  top_->trace_u_o,           top_->trace_v_o,
            top_->trace_twos_o, top_->trace_threes_o, get(top_->trace_residues_o)};
  }
#else
  bool traced() const override { return false; }
  State state() const override { return {}; }
#endif

 private:
  std::unique_ptr<Vmoduli_rns> top_;
};

}  // namespace

std::unique_ptr<Core> new_core() { return std::make_unique<Model>(std::make_unique<Vmoduli_rns>()); }
