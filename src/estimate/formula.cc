#include "estimate/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>

#include "base/wide.h"

namespace tfprof {

// --- Parsing: precedence climbing by hand; the depth of parentheses is bounded.

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Result<Formula> Run() {
    Sum(0);
    Skip();
    if (error_.empty() && at_ < text_.size()) Fail("an operator or the end");
    if (!error_.empty()) return Error::Usage(error_);
    return std::move(formula_);
  }

 private:
  using Kind = Formula::Kind;
  using Step = Formula::Step;
  static constexpr int kMaxDepth = 50;

  void Fail(std::string_view expected) {
    if (!error_.empty()) return;
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 12)) : "the end";
    error_ = fmt::format("column {}: expected {}, found {}", at_ + 1, expected, found);
  }
  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool Take(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail(fmt::format("'{}'", c));
  }
  void Add(Kind kind) { formula_.steps_.push_back({kind, 0, false, 0, false, {}, {}}); }

  void Sum(int depth) {
    if (depth > kMaxDepth) return Fail("fewer parentheses");
    Product(depth);
    while (error_.empty()) {
      if (Take('+')) {
        Product(depth);
        Add(Kind::kAdd);
      } else if (Take('-')) {
        Product(depth);
        Add(Kind::kSubtract);
      } else {
        return;
      }
    }
  }
  void Product(int depth) {
    Factor(depth);
    while (error_.empty()) {
      if (Take('*')) {
        Factor(depth);
        Add(Kind::kMultiply);
      } else if (Take('/')) {
        Factor(depth);
        Add(Kind::kDivide);
      } else {
        return;
      }
    }
  }
  void Factor(int depth) {
    if (!error_.empty()) return;
    if (Take('(')) {
      Sum(depth + 1);
      return Expect(')');
    }
    if (const std::optional<int64_t> number = Number()) {
      Add(Kind::kNumber);
      formula_.steps_.back().number = *number;
      return;
    }
    Call(depth);
  }
  std::optional<int64_t> Number() {
    Skip();
    const bool negative = at_ + 1 < text_.size() && text_[at_] == '-' &&
                          std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
    if (!negative && (at_ >= text_.size() || !std::isdigit(static_cast<unsigned char>(text_[at_]))))
      return std::nullopt;
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc()) {
      Fail("a number of at most 63 bits");
      return std::nullopt;
    }
    at_ = static_cast<size_t>(end - text_.data());
    return number;
  }
  std::string Word() {
    Skip();
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  void Tensor(Step* step) {
    const size_t begin = at_;
    const std::string word = Word();
    std::string_view digits = word;
    step->output = word.starts_with("out");
    digits.remove_prefix(std::min<size_t>(step->output ? 3 : 2, digits.size()));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step->tensor);
    if ((step->output || word.starts_with("in")) && error == std::errc() &&
        end == digits.data() + digits.size())
      return;
    at_ = begin;
    Fail("a tensor: in0, in1, ..., out0, ...");
  }

  void Call(int depth) {
    const size_t begin = at_;
    const std::string word = Word();
    if (word == "inputs") return Add(Kind::kInputs);
    if (word == "controls") return Add(Kind::kControls);
    if (word == "einsum") return Add(Kind::kEinsum);
    if (word == "macs") return Add(Kind::kMacs);
    constexpr std::array<std::pair<std::string_view, Kind>, 12> kCalls = {{
        {"n", Kind::kElements},
        {"dim", Kind::kDim},
        {"rank", Kind::kRank},
        {"attr", Kind::kAttr},
        {"prod", Kind::kProduct},
        {"len", Kind::kLength},
        {"is", Kind::kIs},
        {"value", Kind::kValue},
        {"if", Kind::kIf},
        {"max", Kind::kMax},
        {"min", Kind::kMin},
        {"log2", Kind::kLog2},
    }};
    const auto* found =
        std::find_if(kCalls.begin(), kCalls.end(), [&](const auto& c) { return c.first == word; });
    if (found == kCalls.end()) {
      at_ = begin;
      return Fail(
          "a number, a function (n, dim, rank, attr, prod, len, is, value, if, max, min, log2) or '('");
    }
    Expect('(');
    Arguments(found->second, depth);
    Expect(')');
  }

  void Arguments(Kind kind, int depth) {
    Step step{kind, 0, false, 0, false, {}, {}};
    switch (kind) {
      case Kind::kElements:
      case Kind::kRank:
      case Kind::kValue:
      case Kind::kDim:
        Tensor(&step);
        if (kind == Kind::kDim) {
          Expect(',');
          const std::optional<int64_t> at = Number();
          if (!at) return Fail("a number");
          step.number = *at;
        }
        break;
      case Kind::kAttr:
      case Kind::kProduct:
      case Kind::kLength:
      case Kind::kIs:
        step.name = Word();
        if (step.name.empty()) return Fail("the name of an attribute");
        if (kind == Kind::kIs) {
          Expect(',');
          step.text = Word();
        } else if (kind == Kind::kAttr && Take(',')) {
          const std::optional<int64_t> at = Number();
          if (!at) return Fail("a number");
          step.indexed = true;
          step.number = *at;
        }
        break;
      default:
        for (int i = 0, count = kind == Kind::kIf ? 3 : kind == Kind::kLog2 ? 1 : 2; i < count; ++i) {
          if (i > 0) Expect(',');
          Sum(depth + 1);
        }
    }
    formula_.steps_.push_back(std::move(step));
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
  Formula formula_;
};

Result<Formula> Formula::Parse(std::string_view text) { return FormulaParser(text).Run(); }

// --- Evaluation.

namespace {

// A fraction is cut only when a division is done, so sums of products stay exact up to here.
constexpr Wide kLargest = static_cast<Wide>(1) << 100;

// Products over all labels of an Einsum: what is multiplied and summed up.
Count EinsumProducts(const FormulaInputs& in) {
  const std::string_view equation = in.Attrs().Text("equation");
  const size_t arrow = equation.find("->");
  if (arrow == std::string_view::npos) return Count::None("its equation is not recorded");
  std::array<int64_t, 256> dims;
  dims.fill(-1);
  Shape ellipsis = Shape::Scalar();
  std::string_view left = equation.substr(0, arrow);
  for (size_t i = 0; i < in.Inputs(); ++i) {
    const size_t comma = std::min(left.find(','), left.size());
    const std::string_view term = left.substr(0, comma);
    left.remove_prefix(std::min(comma + 1, left.size()));
    const Shape shape = in.InputShape(i);
    if (!shape.complete()) return Count::None(fmt::format("the shape of input {} is not known", i));
    const size_t dots = term.find("...");
    const size_t named = dots == std::string_view::npos ? term.size() : term.size() - 3;
    if (shape.rank() < named) return Count::None("its equation does not fit its inputs");
    const size_t covered = dots == std::string_view::npos ? 0 : shape.rank() - named;
    size_t at = 0;
    for (size_t k = 0; k < term.size() && at < shape.rank() + 1; ++k) {
      if (k == dots) {
        std::vector<int64_t> part(shape.dims().begin() + static_cast<std::ptrdiff_t>(at),
                                  shape.dims().begin() + static_cast<std::ptrdiff_t>(at + covered));
        const Shape mine(std::move(part));
        if (mine.rank() > ellipsis.rank() ||
            (mine.rank() == ellipsis.rank() && mine.Elements() > ellipsis.Elements())) {
          ellipsis = mine;
        }
        at += covered;
        k += 2;
        continue;
      }
      int64_t& dim = dims[static_cast<unsigned char>(term[k])];
      dim = std::max(dim, shape.Dim(static_cast<int64_t>(at++)));
    }
  }
  std::vector<int64_t> all(ellipsis.dims());
  for (const int64_t dim : dims) {
    if (dim >= 0) all.push_back(dim);
  }
  const std::optional<int64_t> product = Shape::Product(all);
  return product ? Count::Of(*product) : Count::None("the number does not fit 63 bits");
}

}  // namespace

struct Formula::Machine {
  const FormulaInputs& in;
  const Count* macs;
  std::vector<Wide> stack;
  std::string why;

  Wide Pop() {
    const Wide top = stack.back();
    stack.pop_back();
    return top;
  }
  // What is too large stays at the end of the range: no sum of two of them overflows.
  void Push(Wide number) {
    if (number > kLargest || number < -kLargest) why = "the number does not fit 63 bits";
    stack.push_back(std::clamp(number, -kLargest, kLargest));
  }
  void Push(const Count& count) {
    if (!count.number && why.empty()) why = count.why;
    Push(count.number.value_or(0));
  }

  void Tensor(const Step& step) {
    const Shape shape = step.output ? in.OutputShape(step.tensor) : in.InputShape(step.tensor);
    const auto unknown = [&] {
      return fmt::format("the shape of {} {} is not known", step.output ? "output" : "input", step.tensor);
    };
    if (!step.output && step.tensor >= in.Inputs())
      return Push(Count::None(fmt::format("it has no input {}", step.tensor)));
    if (step.kind == Kind::kValue) {
      const std::optional<int64_t> product = in.InputProduct(step.tensor);
      return Push(product ? Count::Of(*product)
                          : Count::None(fmt::format("the value of input {} is not known", step.tensor)));
    }
    if (step.kind == Kind::kRank) {
      return Push(shape.known() ? Count::Of(static_cast<int64_t>(shape.rank())) : Count::None(unknown()));
    }
    if (step.kind == Kind::kDim) {
      const int64_t dim = shape.Dim(step.number);
      return Push(dim >= 0 ? Count::Of(dim) : Count::None(unknown()));
    }
    const std::optional<int64_t> elements = shape.Elements();
    if (!elements && shape.complete()) return Push(Count::None("the number does not fit 63 bits"));
    Push(elements ? Count::Of(*elements) : Count::None(unknown()));
  }

  void Attribute(const Step& step) {
    const Attributes& attrs = in.Attrs();
    if (step.kind == Kind::kIs) return Push(attrs.Text(step.name) == step.text);
    if (step.kind == Kind::kLength) return Push(static_cast<int64_t>(attrs.ListSize(step.name)));
    if (step.kind == Kind::kAttr && !step.indexed) return Push(attrs.Int(step.name));
    const std::vector<int64_t> list = attrs.Ints(step.name);
    if (step.kind == Kind::kProduct) {
      const std::optional<int64_t> product = Shape::Product(list);
      if (list.empty() || !product)
        return Push(Count::None(fmt::format("its attribute {} is not recorded", step.name)));
      return Push(*product);
    }
    const int64_t at = step.number < 0 ? step.number + static_cast<int64_t>(list.size()) : step.number;
    if (at < 0 || at >= static_cast<int64_t>(list.size())) {
      return Push(Count::None(fmt::format("its attribute {} has no element {}", step.name, step.number)));
    }
    Push(list[static_cast<size_t>(at)]);
  }

  void Arithmetic(const Step& step) {
    const Wide b = Pop();
    if (step.kind == Kind::kLog2) {
      const auto x = static_cast<uint64_t>(std::clamp<Wide>(b, 1, INT64_MAX));
      return Push(static_cast<int64_t>(std::bit_width(x - 1)));
    }
    const Wide a = Pop();
    switch (step.kind) {
      case Kind::kAdd:
        return Push(a + b);
      case Kind::kSubtract:
        return Push(a - b);
      case Kind::kMultiply: {
        Wide product;
        if (__builtin_mul_overflow(a, b, &product))
          product = (a < 0) == (b < 0) ? kLargest + 1 : -kLargest - 1;
        return Push(product);
      }
      case Kind::kDivide:
        if (b == 0 && why.empty()) why = a == 0 ? "" : "its formula divides by 0";
        return Push(b == 0 ? 0 : a / b);
      case Kind::kMax:
        return Push(std::max(a, b));
      case Kind::kMin:
        return Push(std::min(a, b));
      default: {  // kIf: condition, then, else
        const Wide condition = Pop();
        return Push(condition != 0 ? a : b);
      }
    }
  }

  void Run(const Step& step) {
    switch (step.kind) {
      case Kind::kNumber:
        return Push(step.number);
      case Kind::kElements:
      case Kind::kDim:
      case Kind::kRank:
      case Kind::kValue:
        return Tensor(step);
      case Kind::kAttr:
      case Kind::kProduct:
      case Kind::kLength:
      case Kind::kIs:
        return Attribute(step);
      case Kind::kInputs:
        return Push(static_cast<int64_t>(in.Inputs()));
      case Kind::kControls:
        return Push(static_cast<int64_t>(in.Controls()));
      case Kind::kEinsum:
        return Push(EinsumProducts(in));
      case Kind::kMacs:
        return Push(macs ? *macs : Count::None("the rule has no multiply-adds"));
      default:
        return Arithmetic(step);
    }
  }
};

Count Formula::Evaluate(const FormulaInputs& inputs, const Count* macs) const {
  Machine machine{inputs, macs, {}, {}};
  for (const Step& step : steps_) machine.Run(step);
  if (!machine.why.empty()) return Count::None(machine.why);
  const Wide number = machine.stack.back();
  if (number > INT64_MAX) return Count::None("the number does not fit 63 bits");
  return Count::Of(static_cast<int64_t>(std::max<Wide>(number, 0)));
}

}  // namespace tfprof
