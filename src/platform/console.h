// The terminal: UTF-8 in and out on every system, and Ctrl-C as a flag.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::console {

enum class Stream { kIn, kOut, kErr };

// The program's arguments, its name first. Give it what main got; Windows asks the system for the UTF-16.
std::vector<std::string> utf8_arguments(int argc, char** argv);

bool is_terminal(Stream stream);
unsigned width(Stream stream);  // columns of the terminal; 80 when it is none or does not say
// Whether to write colour sequences: only to a terminal that knows them, and never when NO_COLOR is set. On
// Windows the console is switched to understand them.
bool use_colour(Stream stream);

// Writes all of `utf8` at once, unbuffered; do not mix with <cstdio> or iostreams on the same stream. To a
// pipe or a file go the bytes as they are. A character may be split between two calls. False when nobody
// reads any more (a closed pipe) or the system cannot write: stop writing. Any thread.
bool write(Stream stream, std::string_view utf8);

// The next line of standard input in UTF-8 without its end. Nothing at the end of the input or once
// interrupted() is true; Ctrl-C ends the waiting (on Windows only where the input is the console). One thread
// at a time. Throws kUsage when a piped line is longer than 64 MiB.
std::optional<std::string> read_line();

// From here on the first Ctrl-C only sets the flag; a second one before clear_interrupt() ends the process.
// Call it once, before threads start. Throws kIo.
void install_interrupt_handler();
bool interrupted();
void clear_interrupt();

}  // namespace halyard::console
