// Opening what the model options name.
#pragma once
#include <cstdint>
#include <memory>

#include "options.h"

namespace halyard::app {

std::shared_ptr<Engine> open_engine(const ModelOptions& options);

// Room for `needed` tokens, or for what --ctx says; auto: for as many as fit. Throws kUsage when that is
// less.
uint64_t session_room(const Engine& engine, const ModelOptions& options, uint64_t needed);

}  // namespace halyard::app
