// The only door between the model and the hardware: the ten steps of one layer's work, cut where a GPU wants
// to fuse.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backend/kv_cache.h"
#include "backend/model.h"

namespace halyard {

// Where a call stands in the sequence: `tokens` follow `first_position` tokens that the cache holds. A
// prefill slice or a single token, 1 to max_slice_tokens() of them; ids are below vocab (checked by the
// caller).
struct Batch {
  std::span<const int32_t> tokens;
  uint64_t first_position = 0;
};

enum class Sublayer { kAttention, kFeedForward };

// What passes from step to step, for tests and self-checks. All float32; indices are stored as whole numbers.
// n is the number of tokens of the running batch.
enum class Activation {
  kStreams,  // [n][4][hidden]             embed, *_expand -> collapse_norm, head
  kInput,    // [n][hidden]                collapse_norm -> project_qkv, compress, select, route, experts
  kExpandWeights,  // [n][4 + 16]                collapse_norm -> *_expand: post, then S[row j][column k]
  kLowRankQuery,   // [n][q_rank]                project_qkv -> select
  kQueries,        // [n][n_heads][head_dim]     project_qkv -> attend
  kSelection,      // [n][indexer_top_k]         select -> attend: rows ascending, then -1
  kHeads,          // [n][n_heads][head_dim]     attend -> attention_out_expand
  kExperts,        // [n][n_experts_used]        route -> experts_expand: ids
  kExpertWeights,  // [n][n_experts_used]        route -> experts_expand
  kLogits,         // [n_last][vocab]            head -> finish
};

struct BackendOptions {
  bool cache_rounding = true;  // spec B.10: KV rows FP8 then F16, indexer FP4; off: rows as computed, F32
  unsigned n_threads = 0;      // host threads; 0: one a core
  uint32_t max_slice_tokens = 512;  // tokens of one batch; scratch is sized by it
};

// Holds the scratch of one batch and reads the weights of one Model, which outlives it. Steps are queued in
// call order; nothing need be finished before finish() or read(). One thread at a time. Steps throw
// Error(kDevice) with the step's name when the hardware fails; the cache of that call is then no longer
// valid.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual uint32_t max_slice_tokens() const = 0;
  virtual uint64_t scratch_bytes() const = 0;
  // A cache for sequences of up to max_tokens tokens in this backend's memory. Throws kOutOfMemory.
  virtual std::unique_ptr<KvCache> make_cache(uint64_t max_tokens) = 0;

  virtual void embed(const Batch&) = 0;                    // tokens -> streams
  virtual void collapse_norm(const Layer&, Sublayer) = 0;  // streams -> input, expand weights
  virtual void project_qkv(const Layer&, KvCache&,
                           const Batch&) = 0;                       // input -> queries; raw KV rows written
  virtual void compress(const Layer&, KvCache&, const Batch&) = 0;  // input -> rows of the windows that end
  virtual void select(const Layer&, const KvCache&, const Batch&) = 0;  // indexer scores -> selection
  virtual void attend(const Layer&, const KvCache&, const Batch&) = 0;  // queries, rows, sink -> heads
  virtual void attention_out_expand(const Layer&) = 0;                  // heads -> streams
  virtual void route(const Layer&, const Batch&) = 0;                   // input -> experts and their weights
  virtual void experts_expand(const Layer&) = 0;                        // input, experts -> streams
  virtual void head(uint32_t n_last) = 0;       // streams of the last n tokens -> logits
  virtual std::span<const float> finish() = 0;  // waits; logits [n_last][vocab]

  // Waits, then copies an activation out of or into the scratch. A write fixes the number of tokens of the
  // batch.
  virtual std::vector<float> read(Activation) = 0;
  virtual void write(Activation, std::span<const float>) = 0;
};

}  // namespace halyard
