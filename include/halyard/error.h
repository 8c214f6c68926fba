// The one exception type of Halyard. Thrown anywhere inside, caught at the edge (main, a request).
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace halyard {

enum class ErrorCode { kUsage, kNotFound, kBadFile, kUnsupported, kOutOfMemory, kDevice, kIo, kCancelled };

// Answers the three questions of the person who reads it: what happened, where, and what to do now.
// what() is the whole text on three lines; the parts are there for programs.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string problem, std::string where, std::string fix)
      : std::runtime_error(problem + "\n  at:  " + where + "\n  fix: " + fix),
        code_(code),
        problem_(std::move(problem)),
        where_(std::move(where)),
        fix_(std::move(fix)) {}

  ErrorCode code() const { return code_; }
  const std::string& problem() const { return problem_; }  // "the file ends too early"
  const std::string& where() const { return where_; }      // "model.gguf, byte 81604378624"
  const std::string& fix() const { return fix_; }          // "the download is incomplete; fetch it again"

 private:
  ErrorCode code_;
  std::string problem_, where_, fix_;
};

}  // namespace halyard
