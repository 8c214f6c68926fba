// The progress of a load on standard error: one line that is written over on a terminal, some plain lines
// elsewhere.
#pragma once
#include "halyard/load.h"
#include "terminal.h"

namespace halyard::app {

class LoadProgress {
 public:
  // For EngineOptions; this object outlives the load. Stops it at Ctrl-C.
  LoadWatcher watcher();
  void finish();  // says what was loaded, where that took a while

 private:
  ProgressLine line_;
  LoadStatus last_;
  double next_plain_line_ = 3;  // seconds; short loads pass in silence
};

}  // namespace halyard::app
