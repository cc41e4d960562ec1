// Whole recurrent layers and cells as one op.
#include "infer/rule.h"

namespace tfprof {
namespace {

// x [time, batch, in], cs_prev [batch, units] -> seven of [time, batch, units]
void BlockLstm(RuleContext& c) {
  const int64_t units = c.In(2).Dim(-1) >= 0 ? c.In(2).Dim(-1) : c.In(3).Dim(-1);
  for (size_t i = 0; i < 7; ++i) c.Out(i, Shape{c.In(1).Dim(0), c.In(1).Dim(1), units});
}

// x [batch, in], cs_prev [batch, units]
void LstmCell(RuleContext& c) {
  for (size_t i = 0; i < 7; ++i) c.Out(i, Shape{c.In(0).Dim(0), c.In(1).Dim(-1)});
}

void GruCell(RuleContext& c) {
  for (size_t i = 0; i < 4; ++i) c.Out(i, Shape{c.In(0).Dim(0), c.In(1).Dim(-1)});
}

// input [time, batch, in], input_h [layers * directions, batch, units]
void CudnnRnn(RuleContext& c) {
  const Shape &in = c.In(0), &h = c.In(1);
  if (!in.HasRank(3) || !h.HasRank(3)) return;
  const int64_t directions = c.attrs().Text("direction") == "bidirectional" ? 2 : 1;
  c.Out(0, Shape{in.Dim(0), in.Dim(1), MulDims(h.Dim(2), directions)});
  c.Out(1, h);
  c.Out(2, c.attrs().Text("rnn_mode") == "lstm" ? h : Shape());
}

void CudnnBackprop(RuleContext& c) {
  for (size_t i = 0; i < 4; ++i) c.Out(i, c.In(i));
}

constexpr RuleRow kRecurrentRules[] = {
    {"BlockLSTM BlockLSTMV2", BlockLstm},
    {"LSTMBlockCell", LstmCell},
    {"GRUBlockCell", GruCell},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", CudnnRnn},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3", CudnnBackprop},
};

}  // namespace

std::span<const RuleRow> RecurrentRules() { return kRecurrentRules; }

}  // namespace tfprof
