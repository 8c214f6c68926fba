// The memory of one sequence: what attention needs of the tokens before (spec B, "Incremental state", and
// A.7).
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/model.h"

namespace halyard {

enum class CacheRows { kRaw, kCompressed, kIndexer };

// Sizes of a cache, from the model's shape alone. Values are F16 with cache rounding, F32 without.
struct CacheLayout {
  struct LayerRows {
    uint64_t raw = 0;         // ring of `window` rows of head_dim values
    uint64_t compressed = 0;  // rows of head_dim values
    uint64_t indexer = 0;     // rows of indexer_dim values (CSA only)
  };
  CacheLayout(const Model& model, bool cache_rounding, uint64_t max_tokens);

  uint64_t max_tokens = 0;
  uint32_t value_bytes = 0;
  std::vector<LayerRows> layers;
  // Bytes of the rows that `n_tokens` tokens fill; with n_tokens = max_tokens what the rows take.
  uint64_t row_bytes(const Model& model, uint64_t n_tokens) const;
  // Float32 state of windows that are not complete: their inputs, and the A halves of the window before
  // (CSA).
  uint64_t partial_window_bytes = 0;
};

// A cache in some backend's memory. Not shared between threads.
class KvCache {
 public:
  virtual ~KvCache() = default;
  uint64_t n_tokens() const { return n_tokens_; }  // tokens evaluated so far
  uint64_t max_tokens() const { return max_tokens_; }
  void advance(uint64_t n) { n_tokens_ += n; }  // forward() calls it when a slice is done

  // Empty again. Rows need no clearing: none is read before the tokens that write it are evaluated again.
  void clear() { n_tokens_ = 0; }

  virtual uint64_t bytes() const = 0;                  // all that it takes
  virtual std::unique_ptr<KvCache> clone() const = 0;  // throws kOutOfMemory
  // Row `row` as float32 (raw: the ring slot of absolute position `row`), for tests.
  virtual std::vector<float> read_row(uint32_t layer, CacheRows kind, uint64_t row) const = 0;

 protected:
  explicit KvCache(uint64_t max_tokens) : max_tokens_(max_tokens) {}
  KvCache(const KvCache&) = default;

 private:
  uint64_t n_tokens_ = 0, max_tokens_ = 0;
};

// Rows of one width in host memory, F16 or F32.
class RowStore {
 public:
  RowStore() = default;
  RowStore(uint64_t n_rows, uint32_t width, bool f16);
  void write(uint64_t row, const float* values);
  void read(uint64_t row, float* values) const;
  uint32_t width() const { return width_; }
  uint64_t bytes() const { return half_.size() * 2 + full_.size() * 4; }

 private:
  uint32_t width_ = 0;
  bool f16_ = false;
  std::vector<uint16_t> half_;
  std::vector<float> full_;
};

// The windows of a compressor that are not complete yet.
struct PartialWindow {
  std::vector<float> kv,
      gate;  // CSA: A halves of the last complete window, [ratio][dim] each, gate with its ape
};

// A cache in host memory, for the reference and CPU backends.
class HostKvCache final : public KvCache {
 public:
  HostKvCache(const Model& model, bool cache_rounding, uint64_t max_tokens);

  struct LayerState {
    RowStore raw, compressed, indexer;
    std::vector<float> pending;  // inputs of the tokens since the last complete window: [ratio][hidden]
    PartialWindow overlap, indexer_overlap;
  };
  LayerState& layer(uint32_t index) { return layers_[index]; }
  const LayerState& layer(uint32_t index) const { return layers_[index]; }
  uint32_t window() const { return window_; }

  uint64_t bytes() const override;
  std::unique_ptr<KvCache> clone() const override;
  std::vector<float> read_row(uint32_t layer, CacheRows kind, uint64_t row) const override;

 private:
  std::vector<LayerState> layers_;
  uint32_t window_;
};

}  // namespace halyard
