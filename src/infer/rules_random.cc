// Random numbers: shapes come as a tensor.
#include "infer/rule.h"

namespace tfprof {
namespace {

void ShapeFromInput2(RuleContext& c) { ShapeFromInput(c, 2); }

void Gamma(RuleContext& c) {
  if (c.Val(0)) c.Out(Concat(ShapeOfValue(*c.Val(0)), c.In(1)));
}

void Multinomial(RuleContext& c) { c.Out(Shape{c.In(0).Dim(0), c.Scalar(1).value_or(kUnknownDim)}); }

void CandidateSampler(RuleContext& c) {
  const int64_t sampled = c.attrs().Int("num_sampled", -1);
  c.Out(0, Shape{sampled});
  c.Out(1, Shape{c.In(0).Dim(0), c.attrs().Int("num_true", -1)});
  c.Out(2, Shape{sampled});
}

void KeyCounter(RuleContext& c) {
  c.Out(0, Shape{1});
  c.Out(1, Shape{2});
  if (c.op() == "StatelessRandomGetKeyCounterAlg") c.Out(2, Shape::Scalar());
}
void Counter(RuleContext& c) { c.Out(Shape{2}); }

void Sobol(RuleContext& c) {
  c.Out(Shape{c.Scalar(1).value_or(kUnknownDim), c.Scalar(0).value_or(kUnknownDim)});
}

constexpr RuleRow kRandomRules[] = {
    {"SobolSample", Sobol},
    {"RandomUniform RandomStandardNormal TruncatedNormal RandomUniformInt ParameterizedTruncatedNormal "
     "StatelessRandomUniform StatelessRandomNormal StatelessTruncatedNormal StatelessRandomUniformInt "
     "StatelessRandomUniformFullInt StatelessRandomUniformV2 StatelessRandomNormalV2 "
     "StatelessTruncatedNormalV2 "
     "StatelessRandomUniformIntV2 StatelessRandomUniformFullIntV2 StatelessRandomBinomial "
     "StatelessRandomGammaV2 "
     "StatelessRandomGammaV3 StatelessRandomPoisson StatelessParameterizedTruncatedNormal",
     ShapeFromInput0},
    {"StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt "
     "StatefulUniformInt",
     ShapeFromInput2},
    {"RandomGamma RandomPoisson RandomPoissonV2", Gamma},
    {"Multinomial StatelessMultinomial", Multinomial},
    {"RandomShuffle RandomGammaGrad StatelessShuffle", SameAsInput0},
    {"UniformCandidateSampler LogUniformCandidateSampler LearnedUnigramCandidateSampler "
     "ThreadUnsafeUnigramCandidateSampler AllCandidateSampler",
     CandidateSampler},
    {"StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg", KeyCounter},
    {"StatelessRandomGetAlg", ScalarOutput},
    {"RngReadAndSkip", Counter},
    {"RngSkip", NoOutput},
};

}  // namespace

std::span<const RuleRow> RandomRules() { return kRandomRules; }

}  // namespace tfprof
