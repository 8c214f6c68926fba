/* Halyard for C and for languages that call C: open a model, make a session, evaluate, generate, cancel.
 *
 * Calls that can fail return a null pointer or a code other than HALYARD_OK; halyard_last_error() then says,
 * for the calling thread, what happened, where, and what to do. Nothing else is thrown, printed or ended.
 * Strings are UTF-8 and end with a zero; those that are passed in are copied. A structure of zeros holds the
 * defaults. From C++ use halyard/engine.h, which offers more. Link with the C++ runtime (pkg-config halyard
 * names it). */
#ifndef HALYARD_HALYARD_H
#define HALYARD_HALYARD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum halyard_code {
  HALYARD_OK = 0,
  HALYARD_ERROR_USAGE = 1,         /* a bad argument or option */
  HALYARD_ERROR_NOT_FOUND = 2,     /* no such file */
  HALYARD_ERROR_BAD_FILE = 3,      /* damaged, cut short, or not a GGUF file */
  HALYARD_ERROR_UNSUPPORTED = 4,   /* another architecture, format or backend */
  HALYARD_ERROR_OUT_OF_MEMORY = 5, /* refused before, or run out of */
  HALYARD_ERROR_DEVICE = 6,        /* the hardware failed */
  HALYARD_ERROR_IO = 7,            /* the system could not read */
  HALYARD_ERROR_CANCELLED = 8,     /* halyard_cancel; what was evaluated stays */
  HALYARD_ERROR_UNEXPECTED = 9     /* a fault of Halyard or of a callback: please report it */
} halyard_code;

/* Of the last call on this thread that failed: three lines of text, and its code. Never null; valid until the
 * next call that fails on this thread. */
const char* halyard_last_error(void);
halyard_code halyard_last_code(void);

const char* halyard_version(void); /* "0.1.0" */

typedef struct halyard_engine halyard_engine; /* one model; any thread, several at once */
typedef struct halyard_session
    halyard_session; /* one sequence; one thread at a time, but for halyard_cancel */

typedef struct halyard_engine_options {
  const char* model_path;      /* null: the built-in tiny model */
  const char* backend;         /* auto (null), hip, cuda, cpu, reference */
  uint32_t n_threads;          /* host threads; 0: one a core */
  uint32_t slice_tokens;       /* most tokens evaluated at once, a multiple of 128 up to 16384; 0: 512 */
  uint64_t memory_limit_bytes; /* plan for this much memory; 0: what the system has */
  bool exact_cache;            /* keep the KV cache unrounded; the model was trained with rounding */
} halyard_engine_options;

/* Opens a model; null options are the defaults. Takes seconds to minutes for a large one. */
halyard_engine* halyard_open(const halyard_engine_options* options);
/* Gives the handle back; null is allowed. The model stays as long as a session uses it. */
void halyard_close(halyard_engine* engine);

/* A sequence of up to max_tokens tokens, 1 to 2^32: prompt and answers together. */
halyard_session* halyard_session_new(halyard_engine* engine, uint64_t max_tokens);
void halyard_session_free(halyard_session* session); /* null is allowed */
uint64_t halyard_session_tokens(const halyard_session* session);

typedef enum halyard_role {
  HALYARD_ROLE_SYSTEM,
  HALYARD_ROLE_USER,
  HALYARD_ROLE_ASSISTANT,
  HALYARD_ROLE_TOOL
} halyard_role;

typedef struct halyard_message {
  int role; /* a halyard_role */
  const char* content;
} halyard_message;

typedef enum halyard_thinking {
  HALYARD_THINKING_OFF,
  HALYARD_THINKING_ON,
  HALYARD_THINKING_HIGH,
  HALYARD_THINKING_MAX
} halyard_thinking;

/* Evaluates plain text to be continued: behind what the session holds, or from the beginning of a text. */
halyard_code halyard_evaluate_text(halyard_session* session, const char* text);
/* Evaluates a conversation up to where the model's next answer begins. The session must be empty, or hold the
 * beginning of the same conversation: then only the rest is evaluated. The published release is taken from
 * the model's name. After HALYARD_ERROR_CANCELLED the same call goes on where it stopped. */
halyard_code halyard_evaluate_chat(halyard_session* session, const halyard_message* messages,
                                   size_t n_messages, int thinking /* a halyard_thinking */);

typedef enum halyard_output {
  HALYARD_OUTPUT_REASONING,      /* more of the reasoning */
  HALYARD_OUTPUT_CONTENT,        /* more of the answer */
  HALYARD_OUTPUT_CALL_BEGIN,     /* a function's name */
  HALYARD_OUTPUT_CALL_ARGUMENTS, /* more of the JSON text of its arguments */
  HALYARD_OUTPUT_CALL_END,       /* the call is complete */
  HALYARD_OUTPUT_CALL_CUT_SHORT  /* in place of the end: the output stopped inside the call */
} halyard_output;

/* Called on the thread of halyard_generate with whole characters; `text` is valid during the call. False
 * stops. */
typedef bool (*halyard_reader)(void* user, halyard_output kind, const char* text);

typedef struct halyard_generate_options {
  uint64_t max_tokens;             /* 0: 512 */
  uint64_t seed;                   /* the same seed gives the same text */
  float temperature;               /* 0: greedy; 1: as the model was trained */
  float top_p;                     /* 0: off */
  float min_p;                     /* 0: off */
  uint32_t top_k;                  /* 0: off */
  const char* const* stop_strings; /* the text ends before the first of them */
  size_t n_stop_strings;
  bool plain_text; /* continue a text, without looking for reasoning and calls */
} halyard_generate_options;

typedef enum halyard_stop {
  HALYARD_STOP_END_OF_TURN,
  HALYARD_STOP_STRING,
  HALYARD_STOP_MAX_TOKENS,
  HALYARD_STOP_CONTEXT_FULL,
  HALYARD_STOP_CANCELLED /* by the reader or by halyard_cancel; not an error here */
} halyard_stop;

typedef struct halyard_generation {
  uint64_t n_tokens;
  halyard_stop reason;
} halyard_generation;

/* Continues the session, which must hold a token. Null options are greedy decoding; `reader` and `result` may
 * be null. */
halyard_code halyard_generate(halyard_session* session, const halyard_generate_options* options,
                              halyard_reader reader, void* user, halyard_generation* result);

/* Any thread: stops the session after the running slice or token, and all later calls at once, until it is
 * cleared. The session must not be freed meanwhile. */
void halyard_cancel(halyard_session* session);
void halyard_clear_cancel(halyard_session* session);

#ifdef __cplusplus
}
#endif
#endif
