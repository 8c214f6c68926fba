// The sub-commands. Each returns the program's exit code and throws Error or OutputClosed.
#pragma once
#include "options.h"

namespace halyard::app {

int run(const RunOptions& options, const OutputOptions& output);
int inspect(const InspectOptions& options, const OutputOptions& output);
int perplexity(const PerplexityOptions& options, const OutputOptions& output);
int bench(const BenchOptions& options, const OutputOptions& output);
int plan(const PlanCommand& command, const OutputOptions& output);
int devices(const DevicesOptions& options, const OutputOptions& output);

}  // namespace halyard::app
