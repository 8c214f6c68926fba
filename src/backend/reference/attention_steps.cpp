// The attention half of a layer: project_qkv, compress, select, attend, attention_out_expand.
#include <algorithm>
#include <cmath>

#include "backend/math/cache_rounding.h"
#include "backend/math/elementwise.h"
#include "backend/math/pooling.h"
#include "backend/math/routing.h"
#include "backend/reference/matmul.h"
#include "backend/reference/steps.h"

namespace halyard::reference {
namespace {

HostKvCache& host(KvCache& cache) {
  return static_cast<HostKvCache&>(cache);
}
const HostKvCache& host(const KvCache& cache) {
  return static_cast<const HostKvCache&>(cache);
}

}  // namespace

// Spec B.10: the unrotated values of a KV row become FP8; storing it as F16 is the row store's part.
void ReferenceBackend::round_kv_row(std::span<float> row) const {
  if (options_.cache_rounding) round_fp8_blocks(row.first(row.size() - shape_.rope_dim));
}

void ReferenceBackend::round_indexer(std::span<float> row) const {
  hadamard(row);
  if (options_.cache_rounding) round_fp4_blocks(row);
}

// Spec B.5. The raw rows that this batch sees are laid out in window_rows_: those before it are copied out of
// the ring first, since its own rows overwrite them there.
void ReferenceBackend::project_qkv(const Layer& layer, KvCache& cache, const Batch& batch) {
  const size_t head_dim = shape_.head_dim, n_before = shape_.window - 1;
  low_rank_query_ = matmul(pool_, layer.q_a, input_);
  const std::vector<float> q_norm = decode_all(layer.q_a_norm), kv_norm = decode_all(layer.kv_norm);
  for (size_t t = 0; t < n_; ++t) {
    const std::span<float> qr{&low_rank_query_[t * shape_.q_rank], shape_.q_rank};
    rms_norm(qr, q_norm, shape_.rms_epsilon, qr.data());
  }
  queries_ = matmul(pool_, layer.q_b, low_rank_query_);
  std::vector<float> rows = matmul(pool_, layer.kv, input_);

  RowStore& ring = host(cache).layer(layer.index).raw;
  window_rows_.assign((n_before + n_) * head_dim, 0.0f);
  for (uint64_t back = 1; back <= std::min<uint64_t>(n_before, batch.first_position); ++back) {
    ring.read((batch.first_position - back) % shape_.window, &window_rows_[(n_before - back) * head_dim]);
  }
  for (size_t t = 0; t < n_; ++t) {
    const uint64_t position = batch.first_position + t;
    const RopeAngles angles = rope(layer).angles(position);
    for (uint32_t h = 0; h < shape_.n_heads; ++h) {
      const std::span<float> q{&queries_[(t * shape_.n_heads + h) * head_dim], head_dim};
      rms_norm(q, {}, shape_.rms_epsilon, q.data());
      rotate(q, angles);
    }
    const std::span<float> row{&rows[t * head_dim], head_dim};
    rms_norm(row, kv_norm, shape_.rms_epsilon, row.data());
    rotate(row, angles);
    round_kv_row(row);
    ring.write(position % shape_.window, row.data());
    ring.read(position % shape_.window, &window_rows_[(n_before + t) * head_dim]);  // as stored
  }
}

// Spec B.8. Inputs wait in the cache until their window is complete; then the whole window is projected and
// pooled.
void ReferenceBackend::compress(const Layer& layer, KvCache& cache, const Batch& batch) {
  HostKvCache::LayerState& state = host(cache).layer(layer.index);
  const size_t hidden = shape_.hidden, ratio = layer.ratio;
  const size_t n_pending = batch.first_position % ratio;
  const uint64_t first_window = batch.first_position / ratio;
  const uint64_t n_windows = (batch.first_position + n_) / ratio - first_window;

  std::vector<float> inputs(state.pending.begin(),
                            state.pending.begin() + static_cast<ptrdiff_t>(n_pending * hidden));
  inputs.insert(inputs.end(), input_.begin(), input_.end());
  if (n_windows > 0) {
    const std::span<const float> complete{inputs.data(), n_windows * ratio * hidden};
    compress_windows(layer, {layer.compressor, shape_.head_dim, state.overlap, state.compressed, false},
                     complete, first_window, n_windows);
    if (layer.attention == Attention::kCompressedSparse) {
      compress_windows(
          layer, {layer.indexer_compressor, shape_.indexer_dim, state.indexer_overlap, state.indexer, true},
          complete, first_window, n_windows);
    }
  }
  std::copy(inputs.begin() + static_cast<ptrdiff_t>(n_windows * ratio * hidden), inputs.end(),
            state.pending.begin());
}

void ReferenceBackend::compress_windows(const Layer& layer, const CompressorTask& task,
                                        std::span<const float> inputs, uint64_t first_window,
                                        uint64_t n_windows) {
  const size_t ratio = layer.ratio, dim = task.dim, width = task.weights.kv.n_rows();
  const bool overlapping = layer.attention == Attention::kCompressedSparse;  // halves A (older window) and B
  const std::vector<float> kv = matmul(pool_, task.weights.kv, inputs);
  std::vector<float> gate = matmul(pool_, task.weights.gate, inputs);
  const std::vector<float> ape = decode_all(task.weights.ape);
  for (size_t i = 0; i < gate.size(); ++i) gate[i] += ape[i % (ratio * width)];

  std::vector<PoolSlot> slots;
  std::vector<float> row(dim);
  for (uint64_t w = 0; w < n_windows; ++w) {
    slots.clear();
    for (size_t j = 0; overlapping && first_window + w > 0 && j < ratio; ++j) {
      const size_t before = ((w - 1) * ratio + j) * width;  // used when w > 0
      slots.push_back(w > 0 ? PoolSlot{&kv[before], &gate[before]}
                            : PoolSlot{&task.overlap.kv[j * dim], &task.overlap.gate[j * dim]});
    }
    for (size_t j = 0; j < ratio; ++j) {
      const size_t own = (w * ratio + j) * width + (overlapping ? dim : 0);
      slots.push_back({&kv[own], &gate[own]});
    }
    pool_window(slots, row);
    finish_row(task, (first_window + w) * ratio, row);
    task.rows.write(first_window + w, row.data());
  }
  for (size_t j = 0; overlapping && j < ratio; ++j) {
    const size_t last = ((n_windows - 1) * ratio + j) * width;
    std::copy_n(&kv[last], dim, &task.overlap.kv[j * dim]);
    std::copy_n(&gate[last], dim, &task.overlap.gate[j * dim]);
  }
}

void ReferenceBackend::finish_row(const CompressorTask& task, uint64_t position, std::span<float> row) const {
  rms_norm(row, decode_all(task.weights.norm), shape_.rms_epsilon, row.data());
  rotate(row, rope_compressed_.angles(position));
  if (task.indexer) {
    round_indexer(row);
  } else {
    round_kv_row(row);
  }
}

// Spec B.9. While all visible rows are kept anyway no score is needed.
void ReferenceBackend::select(const Layer& layer, const KvCache& cache, const Batch& batch) {
  const size_t n_heads = shape_.indexer_heads, dim = shape_.indexer_dim;
  selection_.assign(n_, {});
  const auto n_visible = [&](size_t t) { return (batch.first_position + t + 1) / layer.ratio; };
  if (n_visible(n_ - 1) > shape_.indexer_top_k) {
    std::vector<float> queries = matmul(pool_, layer.indexer_q_b, low_rank_query_);
    const std::vector<float> weights = matmul(pool_, layer.indexer_proj, input_);
    const double scale = 1.0 / std::sqrt(static_cast<double>(n_heads * dim));
    const RowStore& rows = host(cache).layer(layer.index).indexer;
    pool_.parallel_for(n_, 1, [&](size_t begin, size_t end, unsigned) {
      std::vector<float> scores, row(dim);
      for (size_t t = begin; t < end; ++t) {
        if (n_visible(t) <= shape_.indexer_top_k) continue;
        const RopeAngles angles = rope_compressed_.angles(batch.first_position + t);
        for (size_t h = 0; h < n_heads; ++h) {
          const std::span<float> q{&queries[(t * n_heads + h) * dim], dim};
          rotate(q, angles);
          round_indexer(q);
        }
        scores.resize(n_visible(t));
        for (uint64_t w = 0; w < scores.size(); ++w) {
          rows.read(w, row.data());
          double score = 0;
          for (size_t h = 0; h < n_heads; ++h) {
            const double product = dot(&queries[(t * n_heads + h) * dim], row.data(), dim);
            score += weights[t * n_heads + h] * scale * std::max(product, 0.0);
          }
          scores[w] = static_cast<float>(score);
        }
        selection_[t] = top_k(scores, shape_.indexer_top_k);
        std::sort(selection_[t].begin(), selection_[t].end());
      }
    });
  }
  for (size_t t = 0; t < n_; ++t) {
    for (uint32_t w = 0; n_visible(t) <= shape_.indexer_top_k && w < n_visible(t); ++w)
      selection_[t].push_back(w);
  }
}

void ReferenceBackend::attend(const Layer& layer, const KvCache& cache, const Batch& batch) {
  heads_.assign(n_ * shape_.heads_dim(), 0.0f);
  pool_.parallel_for(n_, 1, [&](size_t begin, size_t end, unsigned) {
    for (size_t t = begin; t < end; ++t) attend_token(layer, host(cache), batch.first_position, t);
  });
}

// Spec B.5, B.7: one softmax over the raw window, the compressed rows and the sink, which has no value. K = V
// = row.
void ReferenceBackend::attend_token(const Layer& layer, const HostKvCache& cache, uint64_t first_position,
                                    size_t t) {
  const size_t head_dim = shape_.head_dim;
  const uint64_t position = first_position + t;
  const size_t n_raw = std::min<uint64_t>(shape_.window, position + 1);
  const float* raw = &window_rows_[(shape_.window - 1 + t + 1 - n_raw) * head_dim];
  std::vector<float> rows(raw, raw + n_raw * head_dim);
  const auto add_row = [&](uint64_t w) {
    rows.resize(rows.size() + head_dim);
    cache.layer(layer.index).compressed.read(w, &rows[rows.size() - head_dim]);
  };
  if (layer.attention == Attention::kCompressedSparse) {
    for (uint32_t w : selection_[t]) add_row(w);
  } else if (layer.attention == Attention::kHeavilyCompressed) {
    for (uint64_t w = 0; w < (position + 1) / layer.ratio; ++w) add_row(w);
  }

  const size_t n_rows = rows.size() / head_dim;
  const std::vector<float> sinks = decode_all(layer.sinks);
  const RopeAngles angles = rope(layer).angles(position);
  std::vector<double> p(n_rows), sum(head_dim);
  for (uint32_t h = 0; h < shape_.n_heads; ++h) {
    const float* q = &queries_[(t * shape_.n_heads + h) * head_dim];
    double max = sinks[h];
    for (size_t i = 0; i < n_rows; ++i) {
      p[i] = dot(q, &rows[i * head_dim], head_dim) / std::sqrt(static_cast<double>(head_dim));
      max = std::max(max, p[i]);
    }
    double total = std::exp(sinks[h] - max);
    std::fill(sum.begin(), sum.end(), 0.0);
    for (size_t i = 0; i < n_rows; ++i) {
      const double e = std::exp(p[i] - max);
      total += e;
      for (size_t d = 0; d < head_dim; ++d) sum[d] += e * rows[i * head_dim + d];
    }
    float* out = &heads_[(t * shape_.n_heads + h) * head_dim];
    for (size_t d = 0; d < head_dim; ++d) out[d] = static_cast<float>(sum[d] / total);
    rotate({out, head_dim}, angles, true);
  }
}

// Spec B.5: each group of heads through its own rows of output_a, then all through output_b.
void ReferenceBackend::attention_out_expand(const Layer& layer) {
  const size_t heads_dim = shape_.heads_dim(), group_dim = heads_dim / shape_.out_groups,
               rank = shape_.out_rank;
  const size_t low_dim = shape_.out_groups * rank;
  std::vector<float> low(n_ * low_dim);
  for (size_t g = 0; g < shape_.out_groups; ++g) {
    matmul(pool_, layer.output_a, g * rank, rank, {&heads_[g * group_dim], heads_dim}, n_,
           {&low[g * rank], low_dim});
  }
  expand_streams(matmul(pool_, layer.output_b, low));
}

}  // namespace halyard::reference
