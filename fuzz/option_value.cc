// One text as the value of every option: numbers, sizes with units, steps, lists, words. What an option took
// it prints, and takes again as the same.
#include <cmath>

#include "base/options_table.h"
#include "base/units.h"
#include "load/input_file.h"
#include "target.h"
#include "tfprof/step_choice.h"

namespace tfprof {
namespace {

void TrySteps(std::string_view text) {
  const Result<StepChoice> choice = StepChoice::Parse(text);
  if (!choice) return;
  const Result<StepChoice> again = StepChoice::Parse(choice->Text());
  Require(again.ok() && *again == *choice, "a choice of steps is read as it is printed");
  for (const StepChoice::Range& range : choice->ranges()) {
    Require(range.first >= 0 && range.first <= range.last, "steps are 0 and up, in order");
    Require(choice->Has(range.first) && choice->Has(range.last), "both ends belong to it");
  }
}

void TryAmounts(std::string_view text) {
  for (const Unit unit : {Unit::kCount, Unit::kBytes, Unit::kMicros}) {
    const std::optional<double> amount = ParseAmount(text, unit);
    Require(!amount || std::fabs(*amount) < 9.3e18, "an amount fits 64 bits");
  }
  const std::optional<double> plain = ParsePlain(text);
  Require(!plain || std::isfinite(*plain), "a number is finite");
}

void TryOption(const OptionSpec& option, std::string_view text) {
  Options options, again;
  PrintOptions print, print_again;
  const Status status = SetOption(options, &print, option.name, text);
  if (!status) {
    Require(IsPlain(status.error().message), "a message is fit to be printed");
    return;
  }
  if (option.adds || option.list) return;  // these are kept apart, not as one text
  const std::string printed = option.Get(options, print);
  Require(SetOption(again, &print_again, option.name, printed).ok(), "what is printed is taken");
  Require(option.Get(again, print_again) == printed, "what is printed is taken as the same");
}

}  // namespace

void FuzzOptionValue(std::string_view text) {
  TrySteps(text);
  TryAmounts(text);
  Require(StepInName(text).value_or(0) >= 0, "steps are 0 and up");
  for (const OptionSpec& option : OptionsTable()) TryOption(option, text);
  Options options;
  Require(FindOption(text) || !SetOption(options, nullptr, text, "1").ok(), "unknown options are refused");
}

}  // namespace tfprof
