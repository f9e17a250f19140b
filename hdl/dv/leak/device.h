// A verilated core as the harness drives it: one request at a time, with nothing at the ports before. MODULI_LEAK_RESIDENT
// chooses the core for programs over resident residues. The model's class, Top, comes before.

#ifndef MODULI_RNS_LEAK_DEVICE_H_
#define MODULI_RNS_LEAK_DEVICE_H_

#include <memory>
#include <string>
#include <vector>

#include "numbers.h"

enum class Outcome { kRight, kError, kWrong, kHang };

class Device {
 public:
  Device() {
    idle();
    top_->rst_ni = 0;
    for (int i = 0; i < 5; i++) edge();
    top_->rst_ni = 1;
    edge();
  }

  Top& top() { return *top_; }
  void settle() { top_->eval(); }
  void edge() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  // Wipes the core. Reset as well: a flipped bit may have brought control into any state.
  void clear() {
    idle();
    top_->rst_ni = 0;
    edge();
    top_->rst_ni = 1;
    top_->clear_i = 1;
    edge();
    top_->clear_i = 0;
    settle();
    // What counts while nothing is to be done is to begin anew, as well.
    for (int i = 0; i < kQuiet || top_->busy_o; i++) {
      edge();
      if (i > 100000) fail("the core is not cleared");
    }
  }

#ifdef MODULI_LEAK_RESIDENT
  // A request: the program, operands, "~" and random words if it draws any, which are repeated after the last one, "=", results.
  void request(const std::vector<std::string>& words) {
    operands_.clear();
    expected_.clear();
    random_.clear();
    std::vector<Words>* part = &operands_;
    for (size_t k = 1; k < words.size(); k++) {
      if (words[k] == "~") part = &random_;
      else if (words[k] == "=") part = &expected_;
      else part->push_back(parse(words[k]));
    }
    next_ = given_ = drawn_ = 0;
    wrong_ = failed_ = false;
    top_->start_program_i = uint8_t(parse(words[0])[0]);
    top_->start_valid_i = 1;
    top_->result_ready_i = 1;
    offer();
    settle();
  }

  // One cycle, with what it moves at the ports; whether the last result is taken in it.
  bool cycle() {
    const bool started = top_->start_valid_i && top_->start_ready_o;
    const bool taken = top_->operand_valid_i && top_->operand_ready_o;
    const bool drawn = top_->random_valid_i && top_->random_ready_o;
    const bool given = top_->result_valid_o;
    if (given) {
      failed_ |= top_->result_error_o;
      wrong_ |= given_ >= expected_.size() || show(get(top_->result_o)) != show(expected_[given_]);
      given_++;
    }
    edge();
    if (started) top_->start_valid_i = 0;
    if (taken) next_++;
    if (drawn) drawn_++;
    if (taken || drawn) offer();
    settle();
    return given && given_ == expected_.size();
  }

  bool answers_unasked() { return false; }
  // The results of programs do not wait.
  void stall(uint64_t) {}
  bool withheld() const { return true; }
  Outcome outcome() const { return failed_ ? Outcome::kError : wrong_ ? Outcome::kWrong : Outcome::kRight; }

 private:
  static constexpr int kQuiet = 64;

  void idle() {
    top_->clk_i = top_->clear_i = top_->start_valid_i = top_->operand_valid_i = top_->result_ready_i = 0;
    top_->random_valid_i = 0;
    top_->random_i = 0;
    put(top_->operand_i, {0});
  }
  void offer() {
    top_->random_valid_i = !random_.empty();
    top_->random_i = random_.empty() ? 0 : random_[drawn_ % random_.size()][0];

    top_->operand_valid_i = next_ < operands_.size();
    put(top_->operand_i, next_ < operands_.size() ? operands_[next_] : Words{0});
  }

  std::vector<Words> operands_, random_, expected_;
  size_t next_ = 0, given_ = 0, drawn_ = 0;
  bool wrong_ = false, failed_ = false;
#else
  // A request: what req_op_i is to be, A, B, "=", the result and the error.
  void request(const std::vector<std::string>& words) {
    if (words.size() != 6) fail("a request is OP A B = RESULT ERROR");
    top_->req_op_i = uint8_t(parse(words[0])[0]);
    top_->req_id_i = 0;
    put(top_->req_a_i, parse(words[1]));
    put(top_->req_b_i, parse(words[2]));
    expected_ = {words[4], words[5]};
    top_->req_valid_i = 1;
    top_->rsp_ready_i = stall_ == 0;
    waited_ = 0;
    settle();
  }

  // For how many cycles a response waits before it is taken.
  void stall(uint64_t cycles) { stall_ = cycles; }

  // One cycle, with what it moves at the ports; whether the response is taken in it.
  bool cycle() {
    const bool taken = top_->req_valid_i && top_->req_ready_o;
    const bool given = top_->rsp_valid_o && top_->rsp_ready_i;
    waited_ += top_->rsp_valid_o;
    if (given) {
      const bool right = show(get(top_->rsp_data_o)) == expected_[0] && std::to_string(top_->rsp_error_o) == expected_[1];
      withheld_ = show(get(top_->rsp_data_o)) == "0";
      outcome_ = right ? Outcome::kRight : top_->rsp_error_o ? Outcome::kError : Outcome::kWrong;
    }
    edge();
    if (waited_ >= stall_ && !top_->rsp_ready_i) {
      top_->rsp_ready_i = 1;
      settle();
    }
    if (taken) {
      // An idle core follows the ports: nothing stands there any more.
      top_->req_valid_i = 0;
      put(top_->req_a_i, {0});
      put(top_->req_b_i, {0});
      settle();
    }
    return given;
  }

  // Whether the core answers once more, although nothing was asked.
  bool answers_unasked() {
    top_->rsp_ready_i = 1;
    settle();
    for (int cycle = 0; cycle < kQuiet; cycle++) {
      if (top_->rsp_valid_o) return true;
      edge();
      settle();
    }
    return false;
  }

  Outcome outcome() const { return outcome_; }
  // No data came with an error.
  bool withheld() const { return withheld_; }

 private:
  static constexpr int kQuiet = 64;

  void idle() {
    top_->clk_i = top_->clear_i = top_->req_valid_i = top_->rsp_ready_i = top_->req_op_i = top_->req_id_i = 0;
    put(top_->req_a_i, {0});
    put(top_->req_b_i, {0});
  }

  std::vector<std::string> expected_;
  uint64_t stall_ = 0, waited_ = 0;
  Outcome outcome_ = Outcome::kHang;
  bool withheld_ = false;
#endif

  std::unique_ptr<Top> top_ = std::make_unique<Top>();
};

#endif  // MODULI_RNS_LEAK_DEVICE_H_
