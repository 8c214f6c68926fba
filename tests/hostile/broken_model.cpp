// Writes broken models for the end-to-end tests, and says what is wrong with each.
//   broken_model damaged MODEL NUMBER OUT   one in four cut, the others changed in header or directory
//   broken_model hostile NUMBER OUT         of the hostile corpus; exit code 3 behind its end
#include <cstdio>
#include <string>

#include "gguf/gguf.h"
#include "hostile/damage.h"
#include "platform/console.h"
#include "platform/paths.h"
#include "support/hostile_files.h"
#include "support/rewrite_model.h"

namespace halyard::test {
namespace {

void write_damaged(const std::string& model, uint64_t number, const std::string& out) {
  std::vector<std::byte> file = read_all(path_from_utf8(model));
  const uint64_t head_bytes = gguf::parse(file, file.size(), model).data_offset;
  DamageSource source(file, kDamageSeed + number);
  const Damage damage = number % 4 == 0 ? source.cut(file.size()) : source.change(head_bytes);
  if (damage.cut) {
    file.resize(damage.at);
  } else {
    file[damage.at] = damage.value;
  }
  write_all(path_from_utf8(out), file);
  std::printf("%s", damage.text().c_str());
}

int write_hostile(uint64_t number, const std::string& out) {
  const std::vector<HostileFile> files = hostile_files();
  if (number >= files.size()) return 3;
  write_all(path_from_utf8(out), files[number].bytes);
  std::printf("%s", files[number].name.c_str());
  return 0;
}

}  // namespace
}  // namespace halyard::test

int main(int argc, char** argv) {
  using namespace halyard;
  const std::vector<std::string> arguments = console::utf8_arguments(argc, argv);
  if (arguments.size() == 5 && arguments[1] == "damaged") {
    test::write_damaged(arguments[2], std::stoull(arguments[3]), arguments[4]);
    return 0;
  }
  if (arguments.size() == 4 && arguments[1] == "hostile")
    return test::write_hostile(std::stoull(arguments[2]), arguments[3]);
  return 2;
}
