#include "backend/kv_cache.h"

#include <algorithm>
#include <new>
#include <string>

#include "core/half.h"
#include "halyard/error.h"

namespace halyard {

CacheLayout::CacheLayout(const Model& model, bool cache_rounding, uint64_t max_tokens_)
    : max_tokens(max_tokens_), value_bytes(cache_rounding ? 2 : 4) {
  const ModelShape& shape = model.shape;
  for (const Layer& layer : model.layers) {
    LayerRows rows;
    rows.raw = shape.window;
    if (layer.ratio != 0) {
      rows.compressed = max_tokens / layer.ratio;
      partial_window_bytes += uint64_t{layer.ratio} * shape.hidden * sizeof(float);
    }
    if (layer.attention == Attention::kCompressedSparse) {
      rows.indexer = rows.compressed;
      partial_window_bytes +=
          2 * uint64_t{layer.ratio} * (shape.head_dim + shape.indexer_dim) * sizeof(float);
    }
    layers.push_back(rows);
  }
}

uint64_t CacheLayout::row_bytes(const Model& model, uint64_t n_tokens) const {
  uint64_t values = 0;
  for (const Layer& layer : model.layers) {
    values += uint64_t{model.shape.window} * model.shape.head_dim;
    if (layer.ratio == 0) continue;
    values += n_tokens / layer.ratio * model.shape.head_dim;
    if (layer.attention == Attention::kCompressedSparse)
      values += n_tokens / layer.ratio * model.shape.indexer_dim;
  }
  return values * value_bytes;
}

RowStore::RowStore(uint64_t n_rows, uint32_t width, bool f16) : width_(width), f16_(f16) {
  if (f16) {
    half_.resize(n_rows * width);
  } else {
    full_.resize(n_rows * width);
  }
}

void RowStore::write(uint64_t row, const float* values) {
  if (f16_) {
    std::transform(values, values + width_, half_.begin() + static_cast<ptrdiff_t>(row * width_),
                   float_to_half);
  } else {
    std::copy(values, values + width_, full_.begin() + static_cast<ptrdiff_t>(row * width_));
  }
}

void RowStore::read(uint64_t row, float* values) const {
  if (f16_) {
    const uint16_t* from = half_.data() + row * width_;
    std::transform(from, from + width_, values, half_to_float);
  } else {
    const float* from = full_.data() + row * width_;
    std::copy(from, from + width_, values);
  }
}

HostKvCache::HostKvCache(const Model& model, bool cache_rounding, uint64_t max_tokens)
    : KvCache(max_tokens), window_(model.shape.window) {
  const ModelShape& shape = model.shape;
  const CacheLayout layout(model, cache_rounding, max_tokens);
  try {
    for (const Layer& layer : model.layers) {
      const CacheLayout::LayerRows& rows = layout.layers[layer.index];
      LayerState& state = layers_.emplace_back();
      state.raw = RowStore(rows.raw, shape.head_dim, cache_rounding);
      state.compressed = RowStore(rows.compressed, shape.head_dim, cache_rounding);
      state.indexer = RowStore(rows.indexer, shape.indexer_dim, cache_rounding);
      state.pending.resize(uint64_t{layer.ratio} * shape.hidden);
      if (layer.attention != Attention::kCompressedSparse) continue;
      const auto overlap = [&](uint32_t dim) {
        const size_t n = size_t{layer.ratio} * dim;
        return PartialWindow{std::vector<float>(n), std::vector<float>(n)};
      };
      state.overlap = overlap(shape.head_dim);
      state.indexer_overlap = overlap(shape.indexer_dim);
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory,
                "no memory for a KV cache of " +
                    std::to_string(layout.row_bytes(model, max_tokens) + layout.partial_window_bytes) +
                    " bytes",
                "context of " + std::to_string(max_tokens) + " tokens", "use a smaller --ctx");
  }
}

uint64_t HostKvCache::bytes() const {
  uint64_t n = 0;
  for (const LayerState& s : layers_) {
    n += s.raw.bytes() + s.compressed.bytes() + s.indexer.bytes();
    n += sizeof(float) * (s.pending.size() + 2 * s.overlap.kv.size() + 2 * s.indexer_overlap.kv.size());
  }
  return n;
}

std::unique_ptr<KvCache> HostKvCache::clone() const {
  try {
    return std::make_unique<HostKvCache>(*this);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory,
                "no memory to copy a KV cache of " + std::to_string(bytes()) + " bytes",
                std::to_string(n_tokens()) + " tokens", "use a smaller --ctx");
  }
}

std::vector<float> HostKvCache::read_row(uint32_t layer, CacheRows kind, uint64_t row) const {
  const LayerState& s = layers_[layer];
  const RowStore& rows = kind == CacheRows::kRaw          ? s.raw
                         : kind == CacheRows::kCompressed ? s.compressed
                                                          : s.indexer;
  std::vector<float> values(rows.width());
  rows.read(kind == CacheRows::kRaw ? row % window_ : row, values.data());
  return values;
}

}  // namespace halyard
