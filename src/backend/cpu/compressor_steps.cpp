// The compressed past: compress and select.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "backend/cpu/steps.h"
#include "backend/math/cache_rounding.h"
#include "backend/math/pooling.h"
#include "backend/math/routing.h"

namespace halyard::cpu {
namespace {

constexpr size_t kScoreRows = 64;                // rows of one piece of scoring
constexpr size_t kMaxScores = size_t{32} << 20;  // scores kept at once: 128 MiB

}  // namespace

void CpuBackend::round_indexer(std::span<float> row) const {
  hadamard(row);
  if (options_.cache_rounding) round_fp4_blocks(row);
}

// Spec B.8. Inputs wait in the cache until their window is complete; then the whole window is projected and
// pooled.
void CpuBackend::compress(const Layer& layer, KvCache& cache, const Batch& batch) {
  HostKvCache::LayerState& state = static_cast<HostKvCache&>(cache).layer(layer.index);
  const size_t hidden = shape_.hidden, ratio = layer.ratio;
  const size_t n_pending = batch.first_position % ratio;
  const uint64_t first_window = batch.first_position / ratio;
  const size_t n_windows = (batch.first_position + n_) / ratio - first_window;
  if (n_windows == 0) {
    std::copy(input_.begin(), input_.end(),
              state.pending.begin() + static_cast<ptrdiff_t>(n_pending * hidden));
    return;
  }

  const size_t n_complete = n_windows * ratio;
  std::vector<const float*> inputs = rows_of(state.pending.data(), hidden, n_pending);
  for (size_t i = n_pending; i < n_complete; ++i) inputs.push_back(&input_[(i - n_pending) * hidden]);
  std::vector<Product> products = {product(layer.compressor.kv, inputs, compressor_kv_),
                                   product(layer.compressor.gate, inputs, compressor_gate_)};
  const bool sparse = layer.attention == Attention::kCompressedSparse;
  if (sparse) {
    products.push_back(product(layer.indexer_compressor.kv, inputs, indexer_kv_));
    products.push_back(product(layer.indexer_compressor.gate, inputs, indexer_gate_));
  }
  multiplier_.run(products);

  const SmallWeights& small = small_[layer.index];
  pool_windows(layer,
               {small.compressor, shape_.head_dim, state.overlap, state.compressed, false, compressor_kv_,
                compressor_gate_},
               first_window, n_windows);
  if (sparse) {
    pool_windows(layer,
                 {small.indexer_compressor, shape_.indexer_dim, state.indexer_overlap, state.indexer, true,
                  indexer_kv_, indexer_gate_},
                 first_window, n_windows);
  }
  const auto waiting = static_cast<ptrdiff_t>((n_complete - n_pending) * hidden);
  std::copy(input_.begin() + waiting, input_.end(), state.pending.begin());
}

void CpuBackend::pool_windows(const Layer& layer, const CompressorTask& task, uint64_t first_window,
                              size_t n_windows) {
  const size_t ratio = layer.ratio, dim = task.dim;
  const bool overlapping = layer.attention == Attention::kCompressedSparse;  // halves A (older window) and B
  const size_t width = overlapping ? 2 * dim : dim;
  each(n_windows * ratio, 16, [&](size_t i, unsigned) {
    kernels_.add_scaled(&task.gate[i * width], 1.0f, &task.weights.ape[i % ratio * width], width);
  });
  each(n_windows, 1, [&](size_t w, unsigned) {
    std::vector<PoolSlot> slots;
    for (size_t j = 0; overlapping && first_window + w > 0 && j < ratio; ++j) {
      const size_t before = ((w - 1) * ratio + j) * width;  // used when w > 0
      slots.push_back(w > 0 ? PoolSlot{&task.kv[before], &task.gate[before]}
                            : PoolSlot{&task.overlap.kv[j * dim], &task.overlap.gate[j * dim]});
    }
    for (size_t j = 0; j < ratio; ++j) {
      const size_t own = (w * ratio + j) * width + (overlapping ? dim : 0);
      slots.push_back({&task.kv[own], &task.gate[own]});
    }
    std::vector<float> row(dim);
    pool_window(slots, row);
    finish_row(task, (first_window + w) * ratio, row);
    task.rows.write(first_window + w, row.data());
  });
  for (size_t j = 0; overlapping && j < ratio; ++j) {
    const size_t last = ((n_windows - 1) * ratio + j) * width;
    std::copy_n(&task.kv[last], dim, &task.overlap.kv[j * dim]);
    std::copy_n(&task.gate[last], dim, &task.overlap.gate[j * dim]);
  }
}

void CpuBackend::finish_row(const CompressorTask& task, uint64_t position, std::span<float> row) const {
  rms_norm(row.data(), row.size(), task.weights.norm);
  rotate(row, rope_compressed_.angles(position));
  if (task.indexer) {
    round_indexer(row);
  } else {
    round_kv_row(row);
  }
}

// Spec B.9. While all visible rows are kept anyway no score is needed.
void CpuBackend::select(const Layer& layer, const KvCache& cache, const Batch& batch) {
  selection_.resize(n_);
  for (size_t t = 0; t < n_; ++t) {
    const uint64_t n_rows = n_visible(layer, batch.first_position + t);
    selection_[t].resize(n_rows <= shape_.indexer_top_k ? n_rows : 0);
    std::iota(selection_[t].begin(), selection_[t].end(), 0u);
  }
  if (n_visible(layer, batch.first_position + n_ - 1) > shape_.indexer_top_k)
    score_rows(layer, static_cast<const HostKvCache&>(cache).layer(layer.index).indexer,
               batch.first_position);
}

void CpuBackend::score_rows(const Layer& layer, const RowStore& rows, uint64_t first_position) {
  const size_t n_heads = shape_.indexer_heads, dim = shape_.indexer_dim;
  const std::vector<const float*> low_rank = rows_of(low_rank_query_.data(), shape_.q_rank, n_);
  const std::vector<const float*> inputs = rows_of(input_.data(), shape_.hidden, n_);
  multiplier_.run(std::array{product(layer.indexer_q_b, low_rank, indexer_queries_),
                             product(layer.indexer_proj, inputs, indexer_weights_)});
  // The tokens before the first that has more rows than it keeps need no score.
  const uint64_t least = (uint64_t{shape_.indexer_top_k} + 1) * layer.ratio - 1;
  const size_t begin = first_position >= least ? 0 : least - first_position;
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(n_heads * dim)));
  each((n_ - begin) * n_heads, 16, [&](size_t i, unsigned) {
    const size_t head = begin * n_heads + i;
    const std::span<float> q{&indexer_queries_[head * dim], dim};
    rotate(q, rope_compressed_.angles(first_position + head / n_heads));
    round_indexer(q);
    indexer_weights_[head] *= scale;
  });

  const uint64_t n_rows = n_visible(layer, first_position + n_ - 1);
  refit(whole_rows_, n_rows * dim);
  each(n_rows, 64, [&](size_t w, unsigned) { rows.read(w, &whole_rows_[w * dim]); });
  const size_t n_at_once = std::max<size_t>(1, kMaxScores / n_rows);
  for (size_t t = begin; t < n_; t += n_at_once)
    select_best(layer, first_position, t, std::min(n_, t + n_at_once));
}

// Scores the rows that tokens [begin, end) see, and keeps the best of each.
void CpuBackend::select_best(const Layer& layer, uint64_t first_position, size_t begin, size_t end) {
  const size_t n_heads = shape_.indexer_heads, dim = shape_.indexer_dim;
  const size_t stride = n_visible(layer, first_position + end - 1);
  const size_t n_pieces = (stride + kScoreRows - 1) / kScoreRows;
  refit(indexer_scores_, (end - begin) * stride);
  std::fill(indexer_scores_.begin(), indexer_scores_.end(), 0.0f);
  each((end - begin) * n_pieces, 1, [&](size_t i, unsigned thread) {
    const size_t t = begin + i / n_pieces, first = i % n_pieces * kScoreRows;
    const size_t n_rows = n_visible(layer, first_position + t);
    if (first >= n_rows) return;
    const size_t n = std::min(kScoreRows, n_rows - first);
    const std::vector<const float*> keys = rows_of(&whole_rows_[first * dim], dim, n);
    const std::vector<const float*> queries = rows_of(&indexer_queries_[t * n_heads * dim], dim, n_heads);
    Floats& products = attended_[thread].scores;
    if (products.size() < n_heads * kScoreRows) products.resize(n_heads * kScoreRows);
    kernels_.multiply(keys.data(), n, queries.data(), n_heads, dim, products.data(), kScoreRows);
    float* scores = &indexer_scores_[(t - begin) * stride + first];
    for (size_t h = 0; h < n_heads; ++h)
      kernels_.add_weighted_relu(scores, indexer_weights_[t * n_heads + h], &products[h * kScoreRows], n);
  });
  each(end - begin, 1, [&](size_t i, unsigned) {
    const size_t n_rows = n_visible(layer, first_position + begin + i);
    std::vector<uint32_t>& best = selection_[begin + i];
    best = top_k({&indexer_scores_[i * stride], n_rows}, shape_.indexer_top_k);
    std::sort(best.begin(), best.end());
  });
}

}  // namespace halyard::cpu
