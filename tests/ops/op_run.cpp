#include "ops/op_run.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "backend/math/cache_rounding.h"
#include "backend/math/hyper_connection.h"
#include "backend/math/rope.h"

namespace halyard::test {
namespace {

using Kind = OpOutput::Kind;

constexpr uint64_t kSeed = 20240117;

size_t row_values(const ModelShape& s, Activation what) {
  switch (what) {
    case Activation::kStreams:
      return s.streams_dim();
    case Activation::kInput:
      return s.hidden;
    case Activation::kExpandWeights:
      return kHyperStreams + kHyperStreams * kHyperStreams;
    case Activation::kLowRankQuery:
      return s.q_rank;
    case Activation::kQueries:
    case Activation::kHeads:
      return s.heads_dim();
    case Activation::kSelection:
      return s.indexer_top_k;
    case Activation::kExperts:
    case Activation::kExpertWeights:
      return s.n_experts_used;
    case Activation::kLogits:
      break;
  }
  return s.vocab;
}

// One backend in the middle of a sequence.
class OpRun {
 public:
  OpRun(const OpCase& c, const OpBackend& on)
      : case_(c),
        shape_(op_model(c).shape),
        layer_(op_layer(c)),
        backend_(on.make(op_model(c), {c.cache_rounding, 2, 512})),
        cache_(backend_->make_cache(c.first_position + c.n_tokens + kFollowing)),
        random_(kSeed) {
    for (size_t i = 0; i < c.n_tokens; ++i)
      tokens_.push_back(static_cast<int32_t>(random_.below(shape_.vocab)));
    batch_ = {tokens_, c.first_position};
  }

  OpResult run() {
    switch (case_.step) {
      case Step::kEmbed:
        poison({Activation::kStreams});
        backend_->embed(batch_);
        take(Activation::kStreams);
        break;
      case Step::kCollapseNorm:
        collapse_norm();
        break;
      case Step::kProjectQkv:
        project_qkv();
        break;
      case Step::kCompress:
        compress();
        break;
      case Step::kSelect:
        select();
        break;
      case Step::kAttend:
        attend();
        break;
      case Step::kAttentionOutExpand:
        write_normals(Activation::kStreams);
        write_normals(Activation::kExpandWeights);
        write_normals(Activation::kHeads);
        backend_->attention_out_expand(layer_);
        take(Activation::kStreams);
        break;
      case Step::kRoute:
        write_normals(Activation::kInput);
        poison({Activation::kExpertWeights});
        backend_->route(layer_, batch_);
        take(Activation::kExperts, Kind::kExperts);
        take(Activation::kExpertWeights);
        break;
      case Step::kExpertsExpand:
        experts_expand();
        break;
      case Step::kHead:
        write_normals(Activation::kStreams);
        backend_->head(static_cast<uint32_t>((case_.n_tokens + 1) / 2));
        backend_->finish();
        take(Activation::kLogits);
        break;
    }
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kFollowing = 128;  // tokens after the batch, to see what it left in the cache

  void write_normals(Activation what) {
    backend_->write(what, random_.normals(case_.n_tokens * row_values(shape_, what)));
  }

  void poison(std::initializer_list<Activation> outputs) {
    for (Activation what : outputs) {
      const std::vector<float> nan(case_.n_tokens * row_values(shape_, what),
                                   std::numeric_limits<float>::quiet_NaN());
      backend_->write(what, nan);
    }
  }

  void take(Activation what, Kind kind = Kind::kValues) {
    constexpr const char* kNames[] = {"streams",   "input", "expand weights", "low-rank query", "queries",
                                      "selection", "heads", "experts",        "expert weights", "logits"};
    result_.outputs.push_back(
        {kNames[static_cast<size_t>(what)], kind, row_values(shape_, what), backend_->read(what)});
  }

  void take_rows(CacheRows kind, const char* name, uint64_t begin, uint64_t end) {
    OpOutput output{
        name, Kind::kValues, kind == CacheRows::kIndexer ? shape_.indexer_dim : shape_.head_dim, {}};
    for (uint64_t row = begin; row < end; ++row) {
      const std::vector<float> values = cache_->read_row(layer_.index, kind, row);
      output.values.insert(output.values.end(), values.begin(), values.end());
    }
    result_.outputs.push_back(std::move(output));
  }

  // The tokens before the batch, in slices that end anywhere.
  void fill_cache() {
    while (cache_->n_tokens() < case_.first_position) {
      const uint64_t n = std::min<uint64_t>(45, case_.first_position - cache_->n_tokens());
      const std::vector<int32_t> tokens(n, 0);
      const Batch before{tokens, cache_->n_tokens()};
      backend_->write(Activation::kInput, random_.normals(n * shape_.hidden));
      backend_->project_qkv(layer_, *cache_, before);
      if (layer_.ratio != 0) backend_->compress(layer_, *cache_, before);
      cache_->advance(n);
    }
  }

  void collapse_norm() {
    for (Sublayer sublayer : {Sublayer::kAttention, Sublayer::kFeedForward}) {
      poison({Activation::kInput, Activation::kExpandWeights});
      write_normals(Activation::kStreams);
      backend_->collapse_norm(layer_, sublayer);
      take(Activation::kInput);
      take(Activation::kExpandWeights);
    }
  }

  void project_qkv() {
    fill_cache();
    poison({Activation::kLowRankQuery, Activation::kQueries});
    write_normals(Activation::kInput);
    backend_->project_qkv(layer_, *cache_, batch_);
    take(Activation::kLowRankQuery);
    take(Activation::kQueries);
    const uint64_t end = case_.first_position + case_.n_tokens;
    take_rows(CacheRows::kRaw, "raw rows", end - std::min<uint64_t>(end, shape_.window), end);
  }

  void compress() {
    fill_cache();
    write_normals(Activation::kInput);
    backend_->compress(layer_, *cache_, batch_);
    // A window's worth of tokens behind the batch shows the inputs and halves that it left.
    const std::vector<int32_t> tokens(layer_.ratio, 0);
    const Batch after{tokens, case_.first_position + case_.n_tokens};
    backend_->write(Activation::kInput, random_.normals(tokens.size() * shape_.hidden));
    backend_->compress(layer_, *cache_, after);
    const uint64_t begin = case_.first_position / layer_.ratio;
    const uint64_t end = (after.first_position + tokens.size()) / layer_.ratio;
    take_rows(CacheRows::kCompressed, "compressed rows", begin, end);
    if (layer_.attention == Attention::kCompressedSparse)
      take_rows(CacheRows::kIndexer, "indexer rows", begin, end);
  }

  void select() {
    fill_cache();
    write_normals(Activation::kInput);
    backend_->compress(layer_, *cache_, batch_);
    poison({Activation::kSelection});
    write_normals(Activation::kLowRankQuery);
    backend_->select(layer_, *cache_, batch_);
    take(Activation::kSelection, Kind::kSelection);
    for (uint64_t row = 0; row < (case_.first_position + case_.n_tokens) / layer_.ratio; ++row) {
      const std::vector<float> values = cache_->read_row(layer_.index, CacheRows::kIndexer, row);
      result_.indexer_rows.insert(result_.indexer_rows.end(), values.begin(), values.end());
    }
  }

  void attend() {
    fill_cache();
    write_normals(Activation::kInput);
    backend_->project_qkv(layer_, *cache_, batch_);
    if (layer_.ratio != 0) backend_->compress(layer_, *cache_, batch_);
    poison({Activation::kHeads});
    write_normals(Activation::kQueries);
    if (layer_.attention == Attention::kCompressedSparse)
      backend_->write(Activation::kSelection, random_selection());
    backend_->attend(layer_, *cache_, batch_);
    take(Activation::kHeads);
  }

  // For each token all rows, or as many as are kept, ascending.
  std::vector<float> random_selection() {
    const size_t top_k = shape_.indexer_top_k;
    std::vector<float> selection(case_.n_tokens * top_k, -1.0f);
    for (size_t t = 0; t < case_.n_tokens; ++t) {
      std::vector<float> rows((case_.first_position + t + 1) / layer_.ratio);
      std::iota(rows.begin(), rows.end(), 0.0f);
      while (rows.size() > top_k)
        rows.erase(rows.begin() + random_.below(static_cast<uint32_t>(rows.size())));
      std::copy(rows.begin(), rows.end(), &selection[t * top_k]);
    }
    return selection;
  }

  void experts_expand() {
    write_normals(Activation::kStreams);
    write_normals(Activation::kExpandWeights);
    write_normals(Activation::kInput);
    std::vector<float> experts, weights;
    for (size_t t = 0; t < case_.n_tokens; ++t) {
      const uint32_t first = random_.below(shape_.n_experts);
      for (uint32_t k = 0; k < shape_.n_experts_used; ++k) {
        experts.push_back(static_cast<float>((first + 2 * k + k / 3) % shape_.n_experts));
        weights.push_back(random_.uniform(0.0f, 1.0f));
      }
    }
    backend_->write(Activation::kExperts, experts);
    backend_->write(Activation::kExpertWeights, weights);
    backend_->experts_expand(layer_);
    take(Activation::kStreams);
  }

  const OpCase& case_;
  const ModelShape& shape_;
  const Layer& layer_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<KvCache> cache_;
  Random random_;
  std::vector<int32_t> tokens_;
  Batch batch_;
  OpResult result_;
};

double dot(const float* a, const float* b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += double{a[i]} * b[i];
  return sum;
}

std::vector<float> times(const Tensor& weights, const float* x) {
  std::vector<float> row(weights.row_values()), y(weights.n_rows());
  for (size_t r = 0; r < y.size(); ++r) {
    format_info(weights.format).decode(weights.data + r * weights.row_bytes(), row.data(), row.size());
    y[r] = static_cast<float>(dot(row.data(), x, row.size()));
  }
  return y;
}

// Scores of the cached rows for one token (spec B.9).
std::vector<double> indexer_scores(const OpCase& c, const OpResult& expected, size_t token) {
  const ModelShape& s = op_model(c).shape;
  const Layer& layer = op_layer(c);
  // The values that OpRun wrote: the generator's stream is replayed up to them.
  Random random(kSeed);
  for (size_t i = 0; i < c.n_tokens; ++i) random.below(s.vocab);
  random.normals(c.first_position * s.hidden);
  const std::vector<float> input = random.normals(c.n_tokens * s.hidden);
  const std::vector<float> low_rank = random.normals(c.n_tokens * s.q_rank);

  std::vector<float> queries = times(layer.indexer_q_b, &low_rank[token * s.q_rank]);
  const std::vector<float> weights = times(layer.indexer_proj, &input[token * s.hidden]);
  const RopeAngles angles = Rope(s, true).angles(c.first_position + token);
  std::vector<double> scores((c.first_position + token + 1) / layer.ratio);
  for (uint32_t h = 0; h < s.indexer_heads; ++h) {
    const std::span<float> q{&queries[h * s.indexer_dim], s.indexer_dim};
    rotate(q, angles);
    hadamard(q);
    if (c.cache_rounding) round_fp4_blocks(q);
    for (size_t w = 0; w < scores.size(); ++w) {
      const double product = dot(q.data(), &expected.indexer_rows[w * s.indexer_dim], s.indexer_dim);
      scores[w] += weights[h] * std::max(product, 0.0);
    }
  }
  return scores;
}

void expect_same_selection(const OpCase& c, const OpResult& expected, std::span<const float> got,
                           std::span<const float> want, size_t token) {
  std::vector<float> differing;
  std::set_symmetric_difference(got.begin(), std::find(got.begin(), got.end(), -1.0f), want.begin(),
                                std::find(want.begin(), want.end(), -1.0f), std::back_inserter(differing));
  if (differing.empty()) return;
  const std::vector<double> scores = indexer_scores(c, expected, token);
  double last_kept = std::numeric_limits<double>::infinity(), largest = 0;
  for (float row : want) {
    if (row >= 0) last_kept = std::min(last_kept, scores[static_cast<size_t>(row)]);
  }
  for (double score : scores) largest = std::max(largest, std::fabs(score));
  // A query value that rounds to the next FP4 code moves a score by some percent.
  const double near = (c.cache_rounding ? 0.1 : 1e-5) * largest;
  for (float row : differing) {
    ASSERT_LT(row, static_cast<float>(scores.size())) << "token " << token << " does not see this row";
    EXPECT_NEAR(scores[static_cast<size_t>(row)], last_kept, near) << "token " << token << ", row " << row;
  }
}

// Relative L2 distance; infinite where a value is not finite.
double row_distance(std::span<const float> got, std::span<const float> want) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (!std::isfinite(got[i])) return std::numeric_limits<double>::infinity();
    difference += (double{got[i]} - want[i]) * (double{got[i]} - want[i]);
    size += double{want[i]} * want[i];
  }
  return difference == 0 ? 0 : std::sqrt(difference / size);
}

}  // namespace

OpResult run_op(const OpCase& c, const OpBackend& on) {
  return OpRun(c, on).run();
}

void expect_close(const OpCase& c, const OpResult& result, const OpResult& expected,
                  const OpTolerance& tolerance) {
  ASSERT_EQ(result.outputs.size(), expected.outputs.size());
  const double limit = c.cache_rounding ? tolerance.rounded : tolerance.plain;
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    const OpOutput& got = result.outputs[i];
    const OpOutput& want = expected.outputs[i];
    ASSERT_EQ(got.values.size(), want.values.size()) << want.name;
    ASSERT_FALSE(want.values.empty()) << want.name;
    if (want.kind == Kind::kExperts) {
      EXPECT_EQ(got.values, want.values) << want.name;
      continue;
    }
    for (size_t row = 0; row < want.values.size() / want.row_values; ++row) {
      const std::span g = std::span(got.values).subspan(row * want.row_values, want.row_values);
      const std::span w = std::span(want.values).subspan(row * want.row_values, want.row_values);
      if (want.kind == Kind::kSelection) {
        expect_same_selection(c, expected, g, w, row);
      } else {
        EXPECT_LE(row_distance(g, w), limit) << want.name << ", row " << row << ", seed " << kSeed;
      }
    }
  }
}

}  // namespace halyard::test
