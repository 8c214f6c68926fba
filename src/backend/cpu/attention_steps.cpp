// Queries, raw rows and attention: project_qkv, attend, attention_out_expand.
#include <algorithm>
#include <array>
#include <cmath>

#include "backend/cpu/steps.h"
#include "backend/math/cache_rounding.h"

namespace halyard::cpu {
namespace {

const HostKvCache& host(const KvCache& cache) {
  return static_cast<const HostKvCache&>(cache);
}

constexpr size_t kRowBlock = 64;  // rows that meet all heads while they are in the second-level cache

}  // namespace

// Spec B.10: the unrotated values of a KV row become FP8; storing it as F16 is the row store's part.
void CpuBackend::round_kv_row(std::span<float> row) const {
  if (options_.cache_rounding) round_fp8_blocks(row.first(row.size() - shape_.rope_dim));
}

// The raw rows that this batch sees are laid out in window_rows_: those before it are copied out of the ring
// first, since its own rows overwrite them there.
void CpuBackend::load_window(const RowStore& ring, uint64_t first_position) {
  const size_t head_dim = shape_.head_dim, n_before = shape_.window - 1;
  window_rows_.resize((n_before + n_) * head_dim);
  each(std::min<uint64_t>(n_before, first_position), 16, [&](size_t i, unsigned) {
    const uint64_t back = i + 1;
    ring.read((first_position - back) % shape_.window, &window_rows_[(n_before - back) * head_dim]);
  });
}

void CpuBackend::store_kv_row(RowStore& ring, uint64_t position, size_t t) {
  const size_t head_dim = shape_.head_dim;
  // Of a batch longer than the ring only the last rows stay: two threads never write one slot.
  float* as_stored = &window_rows_[(shape_.window - 1 + t) * head_dim];
  if (t + shape_.window < n_) {
    RowStore one(1, shape_.head_dim, options_.cache_rounding);
    one.write(0, &kv_[t * head_dim]);
    one.read(0, as_stored);
    return;
  }
  ring.write(position % shape_.window, &kv_[t * head_dim]);
  ring.read(position % shape_.window, as_stored);
}

// Spec B.5.
void CpuBackend::project_qkv(const Layer& layer, KvCache& cache, const Batch& batch) {
  const SmallWeights& small = small_[layer.index];
  const size_t head_dim = shape_.head_dim, q_rank = shape_.q_rank;
  const std::vector<const float*> inputs = rows_of(input_.data(), shape_.hidden, n_);
  multiplier_.run(std::array{product(layer.q_a, inputs, low_rank_query_), product(layer.kv, inputs, kv_)});
  each(n_, 1, [&](size_t t, unsigned) { rms_norm(&low_rank_query_[t * q_rank], q_rank, small.q_a_norm); });
  const std::vector<const float*> low_rank = rows_of(low_rank_query_.data(), q_rank, n_);
  multiplier_.run(std::array{product(layer.q_b, low_rank, queries_)});

  RowStore& ring = static_cast<HostKvCache&>(cache).layer(layer.index).raw;
  load_window(ring, batch.first_position);
  each(n_, 1, [&](size_t t, unsigned) {
    const uint64_t position = batch.first_position + t;
    const RopeAngles angles = rope(layer).angles(position);
    for (uint32_t h = 0; h < shape_.n_heads; ++h) {
      const std::span<float> q{&queries_[(t * shape_.n_heads + h) * head_dim], head_dim};
      rms_norm(q.data(), head_dim, {});
      rotate(q, angles);
    }
    const std::span<float> row{&kv_[t * head_dim], head_dim};
    rms_norm(row.data(), head_dim, small.kv_norm);
    rotate(row, angles);
    round_kv_row(row);
    store_kv_row(ring, position, t);
  });
}

// The rows of token t, in the order of the sums: raw, then compressed. Those of a CSA layer have their places
// in `gathered`, to be filled by gather_row.
void CpuBackend::list_rows(const Layer& layer, uint64_t position, size_t t, Attended& to) const {
  const size_t head_dim = shape_.head_dim;
  const size_t n_raw = std::min<uint64_t>(shape_.window, position + 1);
  to.rows.clear();
  for (size_t i = 0; i < n_raw; ++i)
    to.rows.push_back(&window_rows_[(shape_.window + t - n_raw + i) * head_dim]);
  if (layer.attention == Attention::kCompressedSparse) {
    const size_t n = selection_[t].size();
    if (to.gathered.size() < n * head_dim) to.gathered.resize(n * head_dim);
    for (size_t i = 0; i < n; ++i) to.rows.push_back(&to.gathered[i * head_dim]);
  } else if (layer.attention == Attention::kHeavilyCompressed) {
    for (uint64_t w = 0; w < n_visible(layer, position); ++w) to.rows.push_back(&whole_rows_[w * head_dim]);
  }
}

void CpuBackend::gather_row(const RowStore& rows, size_t t, size_t i, Attended& to) const {
  rows.read(selection_[t][i], &to.gathered[i * shape_.head_dim]);
}

// Spec B.5, B.7: one softmax over the raw window, the compressed rows and the sink, which has no value. K = V
// = row.
void CpuBackend::attend_heads(const Layer& layer, size_t t, const RopeAngles& angles,
                              const Attended& attended, size_t first_head, size_t n_heads, Floats& scores) {
  const size_t head_dim = shape_.head_dim, n_rows = attended.rows.size();
  const size_t stride = (n_rows + kValueMultiple - 1) / kValueMultiple * kValueMultiple;
  if (scores.size() < n_heads * stride) refit(scores, n_heads * stride);
  const size_t first = (t * shape_.n_heads + first_head) * head_dim;
  const std::vector<const float*> queries = rows_of(&queries_[first], head_dim, n_heads);
  for (size_t r = 0; r < n_rows; r += kRowBlock) {
    kernels_.multiply(&attended.rows[r], std::min(kRowBlock, n_rows - r), queries.data(), n_heads, head_dim,
                      &scores[r], stride);
  }
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim));
  std::vector<float> totals(n_heads);
  for (size_t h = 0; h < n_heads; ++h) {
    const float sink = small_[layer.index].sinks[first_head + h];
    const float max = std::max(sink, scale * kernels_.maximum(&scores[h * stride], n_rows));
    totals[h] = std::exp(sink - max) + kernels_.exponentials(&scores[h * stride], n_rows, scale, max);
  }
  float* out = &heads_[first];
  std::fill_n(out, n_heads * head_dim, 0.0f);
  for (size_t r = 0; r < n_rows; r += kRowBlock) {
    kernels_.add_weighted_rows(&attended.rows[r], std::min(kRowBlock, n_rows - r), head_dim, &scores[r],
                               stride, n_heads, out);
  }
  for (size_t h = 0; h < n_heads; ++h) {
    const std::span<float> head{out + h * head_dim, head_dim};
    kernels_.scale(head.data(), 1.0f / totals[h], nullptr, head_dim, head.data());
    rotate(head, angles, true);
  }
}

// Many tokens: a thread takes whole tokens. Few: all threads share the rows of a token, then its heads.
void CpuBackend::attend(const Layer& layer, const KvCache& cache, const Batch& batch) {
  heads_.resize(n_ * shape_.heads_dim());
  const RowStore& rows = host(cache).layer(layer.index).compressed;
  const bool sparse = layer.attention == Attention::kCompressedSparse;
  if (layer.attention == Attention::kHeavilyCompressed) {
    const uint64_t n_rows = n_visible(layer, batch.first_position + n_ - 1);
    refit(whole_rows_, n_rows * shape_.head_dim);
    each(n_rows, 16, [&](size_t w, unsigned) { rows.read(w, &whole_rows_[w * shape_.head_dim]); });
  }
  if (n_ >= 2 * pool_.size()) {
    each(n_, 1, [&](size_t t, unsigned thread) {
      Attended& mine = attended_[thread];
      list_rows(layer, batch.first_position + t, t, mine);
      for (size_t i = 0; sparse && i < selection_[t].size(); ++i) gather_row(rows, t, i, mine);
      attend_heads(layer, t, rope(layer).angles(batch.first_position + t), mine, 0, shape_.n_heads,
                   mine.scores);
    });
    return;
  }
  Attended& shared = attended_[0];
  for (size_t t = 0; t < n_; ++t) {
    list_rows(layer, batch.first_position + t, t, shared);
    if (sparse) each(selection_[t].size(), 16, [&](size_t i, unsigned) { gather_row(rows, t, i, shared); });
    const RopeAngles angles = rope(layer).angles(batch.first_position + t);
    pool_.parallel_for(shape_.n_heads, 4, [&](size_t begin, size_t end, unsigned thread) {
      attend_heads(layer, t, angles, shared, begin, end - begin, attended_[thread].scores);
    });
  }
}

// Spec B.5: each group of heads through its own rows of output_a, then all through output_b.
void CpuBackend::attention_out_expand(const Layer& layer) {
  const size_t heads_dim = shape_.heads_dim(), group_dim = heads_dim / shape_.out_groups,
               rank = shape_.out_rank;
  const size_t low_dim = shape_.out_groups * rank;
  low_rank_heads_.resize(n_ * low_dim);
  std::vector<std::vector<const float*>> inputs;
  std::vector<Product> products;
  for (size_t g = 0; g < shape_.out_groups; ++g)
    inputs.push_back(rows_of(&heads_[g * group_dim], heads_dim, n_));
  for (size_t g = 0; g < shape_.out_groups; ++g)
    products.push_back({&layer.output_a, g * rank, rank, inputs[g], &low_rank_heads_[g * rank], low_dim});
  multiplier_.run(products);
  const std::vector<const float*> low = rows_of(low_rank_heads_.data(), low_dim, n_);
  multiplier_.run(std::array{product(layer.output_b, low, block_output_)});
  each(n_, 1, [&](size_t t, unsigned) { expand_token(t, &block_output_[t * shape_.hidden]); });
}

}  // namespace halyard::cpu
