#include "gguf/split.h"

#include <fmt/format.h>

namespace halyard::gguf {
namespace {

constexpr uint64_t kMaxParts = 99999;  // five digits in the name

[[noreturn]] void refuse(const Header& header, std::string problem) {
  throw Error(ErrorCode::kBadFile, std::move(problem), header.where, "fetch all parts of the model again");
}

std::string name_tail(const SplitPart& part) {
  return fmt::format("-{:05}-of-{:05}.gguf", part.number + 1, part.count);
}

}  // namespace

std::optional<SplitPart> split_part(const Header& header) {
  if (header.find("split.count") == nullptr) return std::nullopt;
  SplitPart part;
  part.count = header.uint("split.count");
  part.number = header.find("split.no") != nullptr ? header.uint("split.no") : 0;
  if (part.count <= 1) return std::nullopt;
  if (part.count > kMaxParts || part.number >= part.count) {
    refuse(header, fmt::format("split.no {} of split.count {}", part.number, part.count));
  }
  return part;
}

std::string split_file_name(std::string_view file_name, const SplitPart& part) {
  const size_t tail = name_tail(part).size();
  const auto is_digits = [&](size_t from_end) {
    return file_name.substr(file_name.size() - from_end, 5).find_first_not_of("0123456789") ==
           std::string_view::npos;
  };
  if (file_name.size() > tail) {
    const std::string_view end = file_name.substr(file_name.size() - tail);
    if (end[0] == '-' && end.substr(6, 4) == "-of-" && end.substr(15) == ".gguf" && is_digits(tail - 1) &&
        is_digits(tail - 10)) {
      return std::string(file_name.substr(0, file_name.size() - tail)) + name_tail(part);
    }
  }
  throw Error(ErrorCode::kBadFile,
              fmt::format("one of {} parts, but its name does not say which", part.count),
              std::string(file_name),
              fmt::format("give the parts their published names, ending in {}", name_tail(part)));
}

Header join_parts(std::span<const Header* const> parts) {
  Header joined = *parts[0];
  for (size_t i = 0; i < parts.size(); ++i) {
    const Header& header = *parts[i];
    const std::optional<SplitPart> part = split_part(header);
    if (!part || part->count != parts.size() || part->number != i) {
      refuse(header, fmt::format("this is not part {} of {}, which its name says", i + 1, parts.size()));
    }
    if (i == 0) continue;
    joined.file_bytes += header.file_bytes;
    for (const TensorInfo& tensor : header.tensors) {
      joined.tensors.push_back(tensor);
      joined.tensors.back().part = static_cast<uint32_t>(i);
    }
  }
  if (joined.find("split.tensors.count") != nullptr) {
    const uint64_t expected = joined.uint("split.tensors.count");
    if (expected != joined.tensors.size()) {
      refuse(joined, fmt::format("the parts have {} tensors together, but split.tensors.count is {}",
                                 joined.tensors.size(), expected));
    }
  }
  joined.make_indexes();
  return joined;
}

}  // namespace halyard::gguf
