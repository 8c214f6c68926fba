// The published files without the files: their bytes, formats and directory (spec A.2 to A.4).
#include "model/flash.h"

#include <gtest/gtest.h>
#include <map>

#include "model/config.h"

namespace halyard {
namespace {

std::map<std::string_view, uint32_t> count_formats(const FlashDirectory& directory) {
  std::map<std::string_view, uint32_t> counts;
  for (const gguf::TensorInfo& info : directory.header.tensors) ++counts[info.format->name];
  return counts;
}

TEST(FlashMix, FilesHaveThePublishedBytes) {
  const std::map<std::string_view, uint64_t> published = {{"flash-q2", 86720111488},
                                                          {"flash-q2q4", 97591747456},
                                                          {"flash-q4", 164633502592},
                                                          {"flash-mxfp4", 155976458848}};
  EXPECT_EQ(flash_mixes().size(), published.size());
  for (const FlashMix& mix : flash_mixes()) {
    SCOPED_TRACE(mix.name);
    EXPECT_EQ(mix.file_bytes, published.at(mix.name));
    const FlashDirectory directory = flash_directory(mix);
    EXPECT_EQ(directory.header.file_bytes, mix.file_bytes);
    EXPECT_EQ(directory.header.data_offset, mix.data_offset);
    EXPECT_EQ(directory.header.tensors.size(), 1328u);
    EXPECT_TRUE(gguf::find_overlaps(directory.header).empty());
  }
  EXPECT_EQ(find_flash_mix("flash-mxfp4")->data_offset, 5333536u);
  EXPECT_EQ(find_flash_mix("flash-q4")->data_offset, 5333824u);
}

TEST(FlashMix, FormatsAreThoseOfTheSpec) {
  using Counts = std::map<std::string_view, uint32_t>;
  const auto counts = [](std::string_view name) {
    return count_formats(flash_directory(*find_flash_mix(name)));
  };
  EXPECT_EQ(counts("flash-q2"),
            (Counts{{"F16", 359}, {"F32", 492}, {"I32", 3}, {"Q8_0", 345}, {"IQ2_XXS", 86}, {"Q2_K", 43}}));
  EXPECT_EQ(counts("flash-q2q4"), (Counts{{"F16", 359},
                                          {"F32", 492},
                                          {"I32", 3},
                                          {"Q8_0", 345},
                                          {"IQ2_XXS", 74},
                                          {"Q2_K", 37},
                                          {"Q4_K", 18}}));
  EXPECT_EQ(counts("flash-q4")["Q4_K"], 129u);
  EXPECT_EQ(counts("flash-mxfp4")["MXFP4"], 129u);
}

TEST(FlashMix, TheLastLayersOfQ2q4HaveFourBits) {
  const Model model = flash_model(*find_flash_mix("flash-q2q4"));
  EXPECT_EQ(model.layers[36].gate_experts.format, Format::kIQ2_XXS);
  EXPECT_EQ(model.layers[36].down_experts.format, Format::kQ2_K);
  for (uint32_t i = 37; i < 43; ++i) {
    EXPECT_EQ(model.layers[i].gate_experts.format, Format::kQ4_K) << i;
    EXPECT_EQ(model.layers[i].down_experts.format, Format::kQ4_K) << i;
  }
}

TEST(FlashMix, EveryTensorOfTheModelIsBound) {
  for (const FlashMix& mix : flash_mixes()) {
    Model model = flash_model(mix);
    uint64_t end = mix.data_offset;
    for (const TensorSlot& slot : tensor_slots(model)) {
      ASSERT_TRUE(slot.tensor->present()) << slot.name;
      EXPECT_EQ(slot.tensor->file_offset, end) << slot.name;
      end += (slot.tensor->bytes + 31) / 32 * 32;
    }
    EXPECT_EQ(end, mix.file_bytes) << mix.name;
  }
}

TEST(FlashMix, ADirectoryCanMove) {
  FlashDirectory first = flash_directory(*find_flash_mix("flash-q2"));
  const FlashDirectory second = std::move(first);
  EXPECT_EQ(second.header.string("general.architecture"), "deepseek4");
  EXPECT_EQ(read_config(second.header).shape.vocab, 129280u);
}

TEST(FlashMix, OtherNamesAreNone) {
  for (const char* name : {"", "flash", "flash-q3", "FLASH-Q2", "flash-q2 "})
    EXPECT_EQ(find_flash_mix(name), nullptr);
}

}  // namespace
}  // namespace halyard
