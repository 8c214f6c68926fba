// Models that lie, and models larger than 2 GiB, through the engine. Names give the row of the case list.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "halyard/inspect.h"
#include "halyard/load_speed.h"
#include "platform/file.h"
#include "platform/memory.h"
#include "platform/paths.h"
#include "support/hostile_files.h"
#include "support/memory_engine.h"
#include "support/rewrite_model.h"
#include "unit/temp_folder.h"

namespace halyard::test {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;
const std::vector<int32_t> kTokens = {100, 137, 174, 211, 248};

EngineOptions options(const std::string& backend = "cpu") {
  EngineOptions o;
  o.backend = backend;
  o.n_threads = 1;
  o.slice_tokens = 128;
  o.memory_limit_bytes = kGiB;
  return o;
}

std::vector<float> logits(const ModelRewriter& model, const std::string& backend = "cpu") {
  const std::vector<std::byte> file = model.file();
  return logits_of(*open_in_memory(file, options(backend)), kTokens);
}

// The message of the error that opening and evaluating the model gives.
std::string error_of(const ModelRewriter& model, const std::string& backend = "cpu") {
  try {
    logits(model, backend);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

void expect_error(const ModelRewriter& model, const std::string& part) {
  const std::string message = error_of(model);
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nexpected: " << part;
}

// The tiny model with its output matrix, the last tensor, at byte `offset`, behind a tensor of the MTP block
// that takes all the bytes between. A sparse file.
class LargeModel {
 public:
  explicit LargeModel(uint64_t offset) {
    ModelRewriter model(tiny_model());
    TensorCopy filler = model.tensor("output_norm.weight"), last = model.tensor("output.weight");
    std::erase_if(model.tensors, [](const TensorCopy& t) { return t.name == "output.weight"; });
    filler.name = "blk.6.nextn.filler.weight";
    model.tensors.push_back(filler);
    model.tensors.push_back(last);
    std::vector<std::byte> file = model.file();
    const gguf::TensorInfo info = *gguf::parse(file, file.size(), "small").find_tensor("output.weight");
    const uint64_t shift = offset - info.offset;
    // Behind a name: number of dimensions (4 bytes), each (8), type (4), offset (8).
    add_at(file, end_of(file, filler.name) + 4, shift / sizeof(float));
    add_at(file, end_of(file, last.name) + 4 + 2 * 8 + 4, shift);

    OutputFile out = OutputFile::create(path_from_utf8(path()));
    out.resize(file.size() + shift);
    out.write_at(0, std::span(file).first(info.offset));
    out.write_at(offset, std::span(file).subspan(info.offset));
    out.close();
  }
  std::string path() const { return utf8_from_path(folder_.path() / "large.gguf"); }

  static bool possible() {
    return std::filesystem::space(std::filesystem::temp_directory_path()).available > 8 * kGiB;
  }

 private:
  static size_t end_of(std::span<const std::byte> file, std::string_view name) {
    const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
    return all.find(name) + name.size();
  }
  static void add_at(std::vector<std::byte>& file, size_t at, uint64_t increment) {
    uint64_t number;
    std::memcpy(&number, &file[at], sizeof number);
    number += increment;
    std::memcpy(&file[at], &number, sizeof number);
  }

  TempFolder folder_;
};

TEST(LargeModels, C01_C03_C08_C09_ATensorBeyond2GiBIsReadWhereItLies) {
  if (!LargeModel::possible()) GTEST_SKIP() << "no 8 GiB free";
  EngineOptions small = options();
  const auto original = open_in_memory(tiny_model(), small);
  const std::vector<float> expected = logits_of(*original, kTokens);
  for (const uint64_t offset : {2 * kGiB, 4 * kGiB - 4096, 6 * kGiB}) {
    const LargeModel model(offset);
    small.model_path = model.path();
    small.memory_limit_bytes = 64 << 20;  // C09: what is not bound is not counted
    small.load = LoadMode::kCopy;
    EXPECT_EQ(logits_of(*Engine::open(small), kTokens), expected) << offset << ", copied";
    small.load = LoadMode::kMap;
    const auto engine = Engine::open(small);
    EXPECT_EQ(logits_of(*engine, kTokens), expected) << offset;
    EXPECT_EQ(engine->model().weight_bytes, original->model().weight_bytes);
    EXPECT_GT(engine->model().file_bytes, offset);
    const Inspection inspection = inspect_file(model.path());
    EXPECT_TRUE(inspection.sound) << inspection.text;
    EXPECT_NE(inspection.text.find(std::to_string(offset)), std::string::npos);
  }
  EXPECT_LT(peak_resident_bytes(), 512u << 20) << "C08: memory follows what is read, not the file";
}

TEST(LargeModels, C05_MeasuringTheLoadReadsToTheEndOfTheFile) {
  if (!LargeModel::possible()) GTEST_SKIP() << "no 8 GiB free";
  const LargeModel model(15 * kGiB / 2);
  LoadSpeedOptions load;
  load.model_path = model.path();
  load.n_rounds = 1;
  const LoadSpeed speed = measure_load_speed(load);
  EXPECT_GE(speed.highest_byte, 15 * kGiB / 2);
  EXPECT_LT(speed.highest_byte, speed.file_bytes);
  EXPECT_LT(speed.read_bytes, 64u << 20) << "gaps are not read";
  EXPECT_EQ(speed.rates.size(), 2u);
}

TEST(LargeModels, C03_TheMagicFoundIsQuotedWhateverTheSize) {
  if (!LargeModel::possible()) GTEST_SKIP() << "no 8 GiB free";
  const TempFolder folder;
  const auto path = folder.path() / "large.gguf";
  OutputFile out = OutputFile::create(path);
  out.resize(5 * kGiB / 2);
  out.write_at(0, std::as_bytes(std::span(std::string_view("GGUX"))));
  out.close();
  try {
    inspect_file(utf8_from_path(path));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problem().find("starts with \"GGUX\""), std::string::npos) << error.what();
  }
}

TEST(HostileModels, C24_LayersAreBoundedByTheEngineToo) {
  ModelRewriter model(tiny_model());
  const TensorCopy vector = model.tensor("output_norm.weight");
  for (int i = 0; i < 600; ++i) {  // so many tensors that the directory could hold the layers
    model.tensors.push_back(vector);
    model.tensors.back().name = "blk." + std::to_string(6 + i) + ".x";
  }
  for (const uint32_t n_layers : {513u, 600u, 100000u}) {
    model.set("deepseek4.block_count", value(n_layers));
    expect_error(model, "unsupported shape: deepseek4.block_count is " + std::to_string(n_layers));
  }
}

TEST(HostileModels, C24_ListsAreNotReadByTheirLength) {
  ModelRewriter model(tiny_model());
  model.set("deepseek4.attention.compress_ratios", list(std::vector<uint8_t>(5000, 0)));
  expect_error(model, "deepseek4.attention.compress_ratios is 5000 values");
  ModelRewriter clamps(tiny_model());
  clamps.set("deepseek4.swiglu_clamp_exp", list(std::vector<float>(5000, 1)));
  expect_error(clamps, "deepseek4.swiglu_clamp_exp is 5000 values");
  ModelRewriter types(tiny_model());
  types.set("tokenizer.ggml.token_type", list(std::vector<uint8_t>(5000, 1)));
  expect_error(types, "5000 entries for a vocabulary of 4096");
  ModelRewriter tokens(tiny_model());
  tokens.set("tokenizer.ggml.tokens", texts(std::vector<std::string>(5000, "a")));
  expect_error(tokens, "5000 entries for a vocabulary of 4096");
}

// Sizes that no tensor bears out are planned for before anything is taken.
TEST(HostileModels, SizesWithoutATensorAreRefusedByTheMemoryTheyWouldTake) {
  for (const char* key : {"attention.sliding_window", "attention.indexer.top_k"}) {
    ModelRewriter model(tiny_model());
    model.set(std::string("deepseek4.") + key, value<uint32_t>(1 << 24));
    expect_error(model, "does not fit");
  }
}

// The tokens of the tiny vocabulary, to be changed.
std::vector<std::string> tiny_tokens() {
  const auto& file = tiny_model();
  const gguf::Header header = gguf::parse(file, file.size(), "tiny");
  const auto views = header.string_list("tokenizer.ggml.tokens");
  return {views.begin(), views.end()};
}

TEST(HostileModels, C25_TokensAreOpaqueBytes) {
  std::vector<std::string> tokens = tiny_tokens();
  const size_t unused = tokens.size() - 6;
  const std::vector<std::string> odd = {
      "<0x-1>", "<0xZZ>", "<0x", "", std::string(1 << 20, 'x'), std::string("\xFF\x00\xED\xA0\x80", 5)};
  std::copy(odd.begin(), odd.end(), tokens.begin() + static_cast<std::ptrdiff_t>(unused));
  ModelRewriter model(tiny_model());
  model.set("tokenizer.ggml.tokens", texts(tokens));
  model.set("tokenizer.ggml.merges", texts({"h e"}));
  const std::vector<std::byte> file = model.file();
  const auto engine = open_in_memory(file, options());
  for (size_t i = 0; i < odd.size(); ++i) {
    EXPECT_EQ(engine->token_bytes(static_cast<int32_t>(unused + i)), odd[i]) << i;
    const std::vector<int32_t> encoded = engine->encode_text(odd[i]);
    std::string decoded;
    for (size_t t = 1; t < encoded.size(); ++t) decoded += engine->token_bytes(encoded[t]);
    EXPECT_EQ(decoded, odd[i]) << i;
  }
}

TEST(HostileModels, C25_MergesAndTypesThatMakeNoSense) {
  const auto with_merges = [](std::vector<std::string> merges) {
    ModelRewriter model(tiny_model());
    model.set("tokenizer.ggml.merges", texts(std::move(merges)));
    return model;
  };
  expect_error(with_merges({""}), "a merge that is not two words");
  expect_error(with_merges({"onlyone"}), "a merge that is not two words");
  expect_error(with_merges({" "}), "a merge of tokens that the vocabulary does not have");
  expect_error(with_merges({"h \xFF"}), "a merge that is not two words of the byte alphabet");
  expect_error(with_merges({"h e", std::string(1 << 20, 'h') + " e"}), "entry 1");
  EXPECT_EQ(logits(with_merges({"h e", "h e", "h e"})).size(), kTokens.size() * 4096);
  EXPECT_EQ(logits(with_merges({})).size(), kTokens.size() * 4096);

  ModelRewriter one_token(tiny_model());
  one_token.set("deepseek4.vocab_size", value<uint32_t>(1));
  one_token.set("tokenizer.ggml.tokens", texts({"a"}));
  EXPECT_FALSE(error_of(one_token).empty());
  ModelRewriter bos(tiny_model());
  bos.set("tokenizer.ggml.bos_token_id", value<uint32_t>(4096));
  expect_error(bos, "token 4096 of 4096 tokens");
  ModelRewriter special(tiny_model());
  std::vector<std::string> tokens = tiny_tokens();
  tokens[3] = std::string(2000, 'u');
  special.set("tokenizer.ggml.tokens", texts(tokens));
  expect_error(special, "a special token of 2000 bytes");
  tokens[3] = "";
  special.set("tokenizer.ggml.tokens", texts(tokens));
  EXPECT_EQ(logits(special).size(), kTokens.size() * 4096);
}

TEST(HostileModels, ExpertIdsOutsideTheExpertsAreAnError) {
  for (const int32_t id :
       {8, -1, 1 << 24, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    for (const char* backend : {"cpu", "reference"}) {
      ModelRewriter model(tiny_model());
      TensorCopy& table = model.tensor("blk.1.ffn_gate_tid2eid.weight");
      std::memcpy(&table.bytes[4 * (3 * 174 + 2)], &id, sizeof id);  // of token 174
      const std::string message = error_of(model, backend);
      EXPECT_NE(message.find("blk.1.ffn_gate_tid2eid.weight, token 174"), std::string::npos) << message;
    }
  }
}

TEST(HostileModels, OneExpertThriceIsComputed) {
  ModelRewriter model(tiny_model());
  TensorCopy& table = model.tensor("blk.0.ffn_gate_tid2eid.weight");
  std::fill(table.bytes.begin(), table.bytes.end(), std::byte{0});
  const std::vector<float> cpu = logits(model, "cpu"), reference = logits(model, "reference");
  for (size_t i = 0; i < cpu.size(); ++i) ASSERT_NEAR(cpu[i], reference[i], 1e-2) << i;
}

// Weights that are no numbers give logits that are none; what reads them says so. No crash on any backend.
TEST(HostileModels, WeightsThatAreNoNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> bad = {std::nanf(""), kInfinity, -kInfinity, std::numeric_limits<float>::max()};
  for (const char* backend : {"cpu", "reference"}) {
    for (const char* name :
         {"token_embd.weight", "blk.2.attn_norm.weight", "blk.2.attn_sinks.weight",
          "blk.2.attn_compressor_gate.weight", "blk.2.indexer.proj.weight", "blk.3.exp_probs_b.bias",
          "blk.3.ffn_gate_inp.weight", "blk.4.hc_ffn_fn.weight", "blk.4.ffn_down_exps.weight"}) {
      ModelRewriter model(tiny_model());
      TensorCopy& tensor = model.tensor(name);
      tensor.convert(Format::kF32);
      for (size_t i = 0; i < tensor.bytes.size() / 4; i += 3)
        std::memcpy(&tensor.bytes[4 * i], &bad[i / 3 % bad.size()], 4);
      EXPECT_EQ(logits(model, backend).size(), kTokens.size() * 4096) << backend << " " << name;
    }
  }
}

// Random blocks: every scale and code, infinities and NaN among them.
TEST(HostileModels, BlocksOfRandomBytes) {
  constexpr uint32_t kSeed = 99;
  std::mt19937 random(kSeed);
  ModelRewriter model(tiny_model());
  for (TensorCopy& tensor : model.tensors) {
    if (tensor.format == Format::kI32) continue;
    for (std::byte& byte : tensor.bytes) byte = static_cast<std::byte>(random());
  }
  for (const char* backend : {"cpu", "reference"})
    EXPECT_EQ(logits(model, backend).size(), kTokens.size() * 4096) << backend;
}

TEST(HostileModels, TextsOfTheFileAreSafeToPrint) {
  ModelRewriter model(tiny_model());
  model.set("general.name", text("\x1B[2J\xFF"));
  const std::vector<std::byte> file = model.file();
  EXPECT_EQ(open_in_memory(file, options())->model().name, "\\x1B[2J\\xFF");

  ModelRewriter pre(tiny_model());
  pre.set("tokenizer.ggml.pre", text("\x1B[2J" + std::string(100000, 'x')));
  ModelRewriter architecture(tiny_model());
  architecture.set("general.architecture", text("\x1B[2J" + std::string(100000, 'x')));
  ModelRewriter tensor(tiny_model());
  tensor.tensors.push_back(tensor.tensor("output_norm.weight"));
  tensor.tensors.back().name = "\x1B[2J" + std::string(60000, 'x');
  for (const ModelRewriter* m : {&pre, &architecture, &tensor}) {
    const std::string message = error_of(*m);
    EXPECT_EQ(message.find('\x1B'), std::string::npos);
    EXPECT_LT(message.size(), 1000u);
  }
}

// Every fault of the corpus is an Error through the engine too, or a model that runs.
TEST(HostileModels, C26_TheCorpusThroughTheEngine) {
  for (const HostileFile& file : hostile_files()) {
    SCOPED_TRACE(file.name);
    try {
      logits_of(*open_in_memory(file.bytes, options()), kTokens);
      EXPECT_EQ(file.name.substr(0, 3), "C11");  // a tail that belongs to no tensor
    } catch (const Error& error) {
      EXPECT_FALSE(error.problem().empty());
    }
  }
}

}  // namespace
}  // namespace halyard::test
