// Models split into several files, PREFIX-00001-of-00005.gguf and so on (spec A.7). Pure functions of headers
// and names.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gguf/gguf.h"

namespace halyard::gguf {

struct SplitPart {
  uint64_t number = 0;  // from 0
  uint64_t count = 1;
};

// Nothing when the file is whole (no split.count, or one part). Throws Error(kBadFile) for a number that is
// not below the count, or more than 99,999 parts.
std::optional<SplitPart> split_part(const Header& header);

// The name of another part beside `file_name`, a part itself, without folder. Throws Error(kBadFile) when the
// name does not end in -NNNNN-of-NNNNN.gguf: its neighbours cannot be told then.
std::string split_file_name(std::string_view file_name, const SplitPart& part);

// One header for all parts in their order: metadata of the first, tensors of all, each with its part's index.
// Throws Error(kBadFile) when the parts do not belong together: another count, a number out of turn, a tensor
// twice, or fewer tensors than split.tensors.count.
Header join_parts(std::span<const Header* const> parts);

}  // namespace halyard::gguf
