// Result<T>: a value or an Error. No exception leaves the library, and nothing a file holds aborts it.
//
//   Result<Profile> r = Load(...);
//   if (!r) return r.error();
//   Use(*r);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tfprof {

// What went wrong decides the exit status of the command line.
enum class ErrorKind {
  kNothing = 1,  // nothing to show where the user asked for something by name
  kUsage = 2,    // a bad option, column, regex, step
  kInput = 3,    // a file that is missing, damaged or of the wrong kind; a file that cannot be written
};

struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string message;  // one or more full lines without a closing newline: what, where, what to do

  static Error Usage(std::string message) { return {ErrorKind::kUsage, std::move(message)}; }
  static Error Input(std::string message) { return {ErrorKind::kInput, std::move(message)}; }
  static Error Nothing(std::string message) { return {ErrorKind::kNothing, std::move(message)}; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor): return value;
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor): return error;

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

// The outcome of something that yields no value.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor): return error;

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace tfprof
