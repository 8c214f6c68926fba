// Small broken and hostile files, one for each row of the case list that a file can show; and large ones that
// take as much memory as their bytes allow.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace halyard::test {

struct HostileFile {
  std::string name;  // begins with the row
  std::vector<std::byte> bytes;
};

std::vector<HostileFile> hostile_files();  // none is a model that runs
std::vector<HostileFile> greedy_files();   // 1 to 8 MB each

}  // namespace halyard::test
