// Models in several files (C12): whole when all parts are there, refused by name when they are not.
#include <filesystem>
#include <gtest/gtest.h>

#include "halyard/engine.h"
#include "halyard/inspect.h"
#include "platform/paths.h"
#include "support/memory_engine.h"
#include "support/rewrite_model.h"
#include "unit/temp_folder.h"

namespace halyard::test {
namespace {

const std::vector<int32_t> kTokens = {100, 137, 174, 211, 248};

std::vector<float> logits(const std::string& path) {
  EngineOptions options;
  options.model_path = path;
  options.n_threads = 1;
  return logits_of(*Engine::open(options), kTokens);
}

class Split : public testing::Test {
 protected:
  std::filesystem::path path(size_t number, size_t count) const {
    return part_path(folder_.path(), "модель", number, count);
  }
  std::string first(size_t count) const { return utf8_from_path(path(0, count)); }
  void write(const std::vector<std::vector<std::byte>>& parts) const {
    for (size_t i = 0; i < parts.size(); ++i) write_all(path(i, parts.size()), parts[i]);
  }
  // The error of opening the first of `count` parts, which inspect reports too.
  Error refused(size_t count) const {
    EXPECT_FALSE(inspect_file(first(count)).sound);
    try {
      EngineOptions options;
      options.model_path = first(count);
      Engine::open(options);
    } catch (const Error& error) {
      EXPECT_NE(inspect_file(first(count)).text.find(error.problem()), std::string::npos) << error.what();
      return error;
    }
    ADD_FAILURE() << "opened";
    return Error(ErrorCode::kCancelled, "", "", "");
  }

  TempFolder folder_;
  ModelRewriter model_{tiny_model()};
};

TEST_F(Split, C12_AnyNumberOfPartsEqualsTheWhole) {
  write_all(folder_.path() / "whole.gguf", tiny_model());
  const std::vector<float> whole = logits(utf8_from_path(folder_.path() / "whole.gguf"));
  for (const size_t n_parts : {1u, 2u, 5u}) {
    write(model_.parts(n_parts));
    EXPECT_EQ(logits(first(n_parts)), whole) << n_parts;
    const Inspection inspection = inspect_file(first(n_parts));
    EXPECT_TRUE(inspection.sound) << inspection.text;
    EXPECT_NE(inspection.text.find("tensors (178)"), std::string::npos) << inspection.text;
  }
}

TEST_F(Split, C12_AFirstPartWithoutTensorsIsFine) {
  const size_t n = model_.tensors.size();
  write({model_.part(0, 0, {0, 2, n}), model_.part(0, n, {1, 2, n})});
  EXPECT_EQ(logits(first(2)).size(), kTokens.size() * 4096);
  EXPECT_TRUE(inspect_file(first(2)).sound);
}

TEST_F(Split, C12_AMissingPartIsNamed) {
  write(model_.parts(5));
  std::filesystem::remove(path(1, 5));
  const Error error = refused(5);
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(error.problem().find("part 2 of 5"), std::string::npos) << error.what();
  EXPECT_NE(error.where().find("модель-00002-of-00005.gguf"), std::string::npos) << error.what();
}

TEST_F(Split, PartsInEachOthersPlace) {
  write(model_.parts(5));
  std::filesystem::rename(path(1, 5), path(9, 10));
  std::filesystem::rename(path(2, 5), path(1, 5));
  std::filesystem::rename(path(9, 10), path(2, 5));
  const Error error = refused(5);
  EXPECT_NE(error.problem().find("not part 2 of 5"), std::string::npos) << error.what();
  EXPECT_NE(error.where().find("00002-of-00005"), std::string::npos) << error.what();
}

TEST_F(Split, APartOfAnotherModel) {
  write(model_.parts(2));
  ModelRewriter other(tiny_model());
  other.tensors.pop_back();  // cut elsewhere: one tensor comes twice
  write_all(path(1, 2), other.part(80, 97, {1, 2, 177}));
  EXPECT_EQ(refused(2).code(), ErrorCode::kBadFile);
  write_all(path(1, 2), other.part(100, 77, {1, 2, 177}));  // or some are missing
  EXPECT_EQ(refused(2).code(), ErrorCode::kBadFile);
  write_all(path(1, 2), tiny_model());  // no part at all
  EXPECT_EQ(refused(2).code(), ErrorCode::kBadFile);
}

TEST_F(Split, ACountThatLies) {
  auto parts = model_.parts(2);
  const size_t n = model_.tensors.size();
  parts[0] = model_.part(0, n / 2, {0, 3, n});  // the name says 2
  write(parts);
  EXPECT_NE(refused(2).problem(), "");
  parts[0] = model_.part(0, n / 2, {0, 65535, n});
  write(parts);
  EXPECT_NE(refused(2).problem(), "");
  parts[0] = model_.part(0, n / 2, {0, 2, n + 1});  // split.tensors.count
  write(parts);
  EXPECT_NE(refused(2).problem().find("178 tensors together, but split.tensors.count is 179"),
            std::string::npos);
}

TEST_F(Split, ANumberBeyondTheCount) {
  auto parts = model_.parts(2);
  parts[0] = model_.part(0, 89, {7, 2, 178});
  write(parts);
  EXPECT_NE(refused(2).problem().find("split.no 7 of split.count 2"), std::string::npos);
}

TEST_F(Split, TheSecondPartGivenSaysWhichIsTheFirst) {
  write(model_.parts(2));
  EngineOptions options;
  options.model_path = utf8_from_path(path(1, 2));
  try {
    Engine::open(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("part 2 of 2"), std::string::npos) << error.what();
    EXPECT_NE(error.fix().find("модель-00001-of-00002.gguf"), std::string::npos) << error.what();
  }
  const Inspection inspection = inspect_file(options.model_path);
  EXPECT_NE(inspection.text.find("part 2 of 2"), std::string::npos) << inspection.text;
}

TEST_F(Split, ANameThatDoesNotSayWhichPart) {
  write_all(folder_.path() / "renamed.gguf", model_.parts(2)[0]);
  EngineOptions options;
  options.model_path = utf8_from_path(folder_.path() / "renamed.gguf");
  try {
    Engine::open(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.fix().find("-00001-of-00002.gguf"), std::string::npos) << error.what();
  }
}

TEST_F(Split, C10_ATruncatedPartIsNamed) {
  auto parts = model_.parts(2);
  parts[1].resize(parts[1].size() - 33);
  write(parts);
  EXPECT_NE(refused(2).where().find("00002-of-00002"), std::string::npos);
}

}  // namespace
}  // namespace halyard::test
