#include <gtest/gtest.h>

#include "backend/kv_cache.h"
#include "model/config.h"
#include "model/weights.h"
#include "support/flash_header.h"

namespace halyard::test {
namespace {

// The message of the error that `action` throws; empty when it throws none.
template <typename Action>
std::string error_of(Action action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Flash, FileAndTokenBytesAreThePublishedOnes) {
  const gguf::Header header = flash_header();
  EXPECT_EQ(header.tensors.size(), 1328u);
  EXPECT_EQ(header.file_bytes, 86720111488u);  // spec A.4, q2
  Model model = read_config(header);
  bind_weights(header, model);
  const WeightBytes bytes = count_bytes(model);
  EXPECT_NEAR(static_cast<double>(bytes.per_token), 9.56e9, 0.005e9);  // spec A.4
  EXPECT_LE(bytes.total, header.file_bytes);
}

TEST(Flash, KvCacheTakes6880BytesATokenAndTheRings) {
  const Model model = read_config(flash_header());
  const CacheLayout rounded(model, true, 128000), full(model, false, 128000);
  const uint64_t rings = 43u * 128 * 512 * 2;
  EXPECT_EQ(rounded.row_bytes(model, 0), rings);
  EXPECT_EQ(rounded.row_bytes(model, 128000), rings + 6880u * 128000);  // spec A.7
  EXPECT_EQ(full.row_bytes(model, 128000), 2 * rounded.row_bytes(model, 128000));
}

TEST(Flash, LayersAreWindowThenSparseAndHeavyInTurn) {
  const Model model = read_config(flash_metadata());
  ASSERT_EQ(model.layers.size(), 43u);
  EXPECT_EQ(model.layers[1].attention, Attention::kWindow);
  EXPECT_EQ(model.layers[2].attention, Attention::kCompressedSparse);
  EXPECT_EQ(model.layers[3].attention, Attention::kHeavilyCompressed);
  EXPECT_TRUE(model.layers[2].hash_routed);
  EXPECT_FALSE(model.layers[3].hash_routed);
}

TEST(HostKvCache, TakesWhatItsLayoutSays) {
  Model model = read_config(flash_metadata());
  for (const bool rounding : {true, false}) {
    const HostKvCache cache(model, rounding, 1000);
    const CacheLayout layout(model, rounding, 1000);
    EXPECT_EQ(cache.bytes(), layout.row_bytes(model, 1000) + layout.partial_window_bytes);
  }
}

TEST(Config, OtherIntegerAndFloatTypesAreRead) {
  const Model model =
      read_config(flash_metadata({{"embedding_length", value<uint64_t>(4096)},
                                  {"expert_count", value<int32_t>(256)},
                                  {"rope.scaling.factor", value<double>(16.0)},
                                  {"rope.freq_base", value<uint32_t>(10000)},
                                  {"rope.scaling.original_context_length", value<uint64_t>(65536)}}));
  EXPECT_EQ(model.shape.hidden, 4096u);
  EXPECT_EQ(model.shape.n_experts, 256u);
  EXPECT_EQ(model.shape.rope.yarn_factor, 16.0);
  EXPECT_EQ(model.shape.rope.base, 10000.0);
}

TEST(Config, ScalarClampsServeAllLayersAndSharedOnesDefaultToThem) {
  const Model model =
      read_config(flash_metadata({{"swiglu_clamp_exp", value<float>(7.0f)}, {"swiglu_clamp_shexp", {}}}));
  EXPECT_EQ(model.layers[42].clamp_experts, 7.0f);
  EXPECT_EQ(model.layers[42].clamp_shared, 7.0f);
}

TEST(Config, A44thRatioIsForTheMtpBlock) {
  std::vector<uint32_t> ratios(44, 128);
  EXPECT_EQ(read_config(flash_metadata({{"attention.compress_ratios", list(ratios)}})).layers.size(), 43u);
}

TEST(Config, MissingVocabSizeIsTheNumberOfTokens) {
  const std::vector<std::string> tokens(77, "x");
  const Override strings = [&](gguf::Writer& writer, const std::string& key) {
    writer.add_strings(key, tokens);
  };
  EXPECT_EQ(read_config(flash_metadata({{"vocab_size", {}}, {"tokenizer.ggml.tokens", strings}})).shape.vocab,
            77u);
}

TEST(Config, NeitherVocabSizeNorTokensIsOneProblemAmongOthers) {
  const auto problems = config_problems(flash_metadata({{"vocab_size", {}}, {"rope.freq_base", {}}}));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].find("deepseek4.vocab_size is missing"), std::string::npos) << problems[0];
  EXPECT_NE(problems[1].find("deepseek4.rope.freq_base"), std::string::npos) << problems[1];
}

TEST(Config, AnotherArchitectureIsNamed) {
  const Override llama = [](gguf::Writer& w, const std::string& key) { w.add_string(key, "llama"); };
  const std::string message = error_of(
      [&] { read_config(flash_metadata({{"general.architecture", llama}})); }, ErrorCode::kUnsupported);
  EXPECT_NE(message.find("\"llama\""), std::string::npos) << message;
}

TEST(Config, ShapesThatCannotRunAreRefusedByKey) {
  const auto u32 = [](uint32_t v) { return value<uint32_t>(v); };
  const std::map<std::string, Override> bad = {
      {"block_count", u32(100000)},
      {"embedding_length", u32(0)},
      {"vocab_size", u32(0xFFFFFFFFu)},
      {"attention.head_count_kv", u32(2)},
      {"attention.value_length", u32(256)},
      {"rope.dimension_count", u32(63)},
      {"attention.output_group_count", u32(7)},
      {"attention.indexer.key_length", u32(96)},
      {"expert_used_count", u32(257)},
      {"expert_shared_count", u32(2)},
      {"expert_gating_func", u32(2)},
      {"expert_group_count", u32(8)},
      {"expert_weights_norm", value<bool>(false)},
      {"hyper_connection.count", u32(2)},
      {"hyper_connection.sinkhorn_iterations", u32(0)},
      {"hash_layer_count", u32(44)},
      {"attention.layer_norm_rms_epsilon", value<float>(-1.0f)},
      {"rope.freq_base", value<float>(std::numeric_limits<float>::quiet_NaN())},
      {"swiglu_clamp_exp", value<float>(0.0f)},
      {"attention.compress_ratios", list(std::vector<int32_t>(43, 3))},
  };
  for (const auto& [key, write] : bad) {
    const std::string message =
        error_of([&] { read_config(flash_metadata({{key, write}})); }, ErrorCode::kUnsupported);
    EXPECT_NE(message.find("deepseek4." + key), std::string::npos) << message;
  }
}

TEST(Config, MissingOrMistypedKeysAreNamed) {
  for (const std::string key :
       {"block_count", "attention.compress_ratios", "rope.scaling.factor", "hash_layer_count"}) {
    const std::string message =
        error_of([&] { read_config(flash_metadata({{key, {}}})); }, ErrorCode::kBadFile);
    EXPECT_NE(message.find(key), std::string::npos) << message;
  }
  const Override text = [](gguf::Writer& w, const std::string& key) { w.add_string(key, "4096"); };
  error_of([&] { read_config(flash_metadata({{"embedding_length", text}})); }, ErrorCode::kBadFile);
  error_of(
      [&] {
        read_config(flash_metadata({{"attention.compress_ratios", list(std::vector<int32_t>(42, 0))}}));
      },
      ErrorCode::kBadFile);
}

class Weights : public testing::Test {
 protected:
  gguf::TensorInfo& tensor(std::string_view name) {
    for (gguf::TensorInfo& info : header_.tensors) {
      if (info.name == name) return info;
    }
    throw std::invalid_argument(std::string(name));
  }
  std::string bind_error(ErrorCode code) {
    header_.make_indexes();
    Model model = read_config(header_);
    return error_of([&] { bind_weights(header_, model); }, code);
  }
  gguf::Header header_ = flash_header();
};

TEST_F(Weights, AMissingTensorIsNamed) {
  tensor("blk.7.ffn_norm.weight").name = "blk.43.spare";
  const std::string message = bind_error(ErrorCode::kBadFile);
  EXPECT_NE(message.find("blk.7.ffn_norm.weight"), std::string::npos) << message;
}

TEST_F(Weights, AnUnknownTensorIsNamed) {
  header_.tensors.push_back(header_.tensors.back());
  header_.tensors.back().name = "blk.7.ffn_surprise.weight";
  const std::string message = bind_error(ErrorCode::kUnsupported);
  EXPECT_NE(message.find("ffn_surprise"), std::string::npos) << message;
}

TEST_F(Weights, AnotherShapeIsShownBesideTheRightOne) {
  tensor("blk.3.attn_kv.weight").dims = {4096, 256};
  const std::string message = bind_error(ErrorCode::kBadFile);
  EXPECT_NE(message.find("[4096, 256]"), std::string::npos) << message;
  EXPECT_NE(message.find("[4096, 512]"), std::string::npos) << message;
}

TEST_F(Weights, AFormatWithoutADecoderIsNamed) {
  gguf::TensorInfo& info = tensor("blk.3.attn_kv.weight");
  info.format = find_format(14);
  ASSERT_NE(info.format, nullptr);
  const std::string message = bind_error(ErrorCode::kUnsupported);
  EXPECT_NE(message.find("Q6_K"), std::string::npos) << message;
  EXPECT_NE(message.find("blk.3.attn_kv.weight"), std::string::npos) << message;
}

TEST_F(Weights, AQuantisedNormIsRefused) {
  tensor("blk.3.attn_norm.weight").format = find_format(8);
  EXPECT_NE(bind_error(ErrorCode::kUnsupported).find("blk.3.attn_norm.weight"), std::string::npos);
}

TEST_F(Weights, OverlappingTensorsAreNamed) {
  tensor("blk.3.attn_kv.weight").offset -= 32;
  const std::string message = bind_error(ErrorCode::kBadFile);
  EXPECT_NE(message.find("blk.3.attn_kv.weight"), std::string::npos) << message;
}

TEST_F(Weights, BlocksAfterTheLastLayerAreLeftAlone) {
  for (const std::string name :
       {"blk.43.nextn.eh_proj.weight", "mtp.0.norm.weight", "blk.18446744073709551616.x"}) {
    header_.tensors.push_back(header_.tensors.back());
    header_.tensors.back().name = name;
    header_.tensors.back().offset += header_.tensors.back().bytes;
  }
  header_.make_indexes();
  Model model = read_config(header_);
  EXPECT_NO_THROW(bind_weights(header_, model));
}

}  // namespace
}  // namespace halyard::test
