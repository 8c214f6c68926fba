/* The C header, from C: a conversation of two turns, plain text, cancelling, and every kind of mistake. */
#include <stdio.h>
#include <string.h>

#include "halyard/halyard.h"

static int g_failures = 0;

#define CHECK(condition) check((condition), #condition, __LINE__)
static void check(bool good, const char* condition, int line) {
  if (good) return;
  printf("c_api_test.c:%d: not so: %s\n  last error: %s\n", line, condition, halyard_last_error());
  ++g_failures;
}

typedef struct text {
  char bytes[4096];
  int pieces_left; /* the reader stops when none is left; negative: never */
} text;

static bool collect(void* user, halyard_output kind, const char* piece) {
  text* to = user;
  if (kind == HALYARD_OUTPUT_CONTENT) strncat(to->bytes, piece, sizeof to->bytes - strlen(to->bytes) - 1);
  return to->pieces_left < 0 || --to->pieces_left > 0;
}

static text new_text(void) {
  text made = {"", -1};
  return made;
}

static void test_conversation(halyard_engine* engine) {
  const halyard_message turns[] = {{HALYARD_ROLE_USER, "What is the capital of Italy?"},
                                   {HALYARD_ROLE_ASSISTANT, "The capital of Italy is Rome."},
                                   {HALYARD_ROLE_USER, "What is the capital of France?"}};
  halyard_session* session = halyard_session_new(engine, 256);
  text answer = new_text();
  halyard_generation generation;

  CHECK(session != NULL);
  CHECK(halyard_evaluate_chat(session, turns, 1, HALYARD_THINKING_OFF) == HALYARD_OK);
  CHECK(halyard_generate(session, NULL, collect, &answer, &generation) == HALYARD_OK);
  CHECK(strcmp(answer.bytes, "The capital of Italy is Rome.") == 0);
  CHECK(generation.reason == HALYARD_STOP_END_OF_TURN);

  const uint64_t after_first = halyard_session_tokens(session);
  CHECK(after_first == 14 + generation.n_tokens - 1);
  CHECK(halyard_evaluate_chat(session, turns, 3, HALYARD_THINKING_OFF) == HALYARD_OK);
  CHECK(halyard_session_tokens(session) > after_first);
  answer = new_text();
  CHECK(halyard_generate(session, NULL, collect, &answer, &generation) == HALYARD_OK);
  CHECK(strstr(answer.bytes, "capital") != NULL);

  CHECK(halyard_evaluate_chat(session, turns, 1, HALYARD_THINKING_OFF) == HALYARD_ERROR_USAGE);
  CHECK(strstr(halyard_last_error(), "another text") != NULL);
  halyard_session_free(session);
}

static void test_plain_text(halyard_engine* engine) {
  halyard_session* whole = halyard_session_new(engine, 64);
  halyard_session* parts = halyard_session_new(engine, 64);
  const char* stop_strings[] = {"people"};
  halyard_generate_options options = {0};
  halyard_generation generation;
  text one = new_text(), two = new_text(), cut = new_text();

  options.plain_text = true;
  options.max_tokens = 12;
  CHECK(halyard_evaluate_text(whole, "And the captain said unto") == HALYARD_OK);
  CHECK(halyard_evaluate_text(parts, "And the captain") == HALYARD_OK);
  CHECK(halyard_evaluate_text(parts, " said unto") == HALYARD_OK);
  CHECK(halyard_session_tokens(whole) == halyard_session_tokens(parts));
  CHECK(halyard_generate(whole, &options, collect, &one, &generation) == HALYARD_OK);
  CHECK(generation.n_tokens == 12 && generation.reason == HALYARD_STOP_MAX_TOKENS);
  CHECK(halyard_generate(parts, &options, collect, &two, NULL) == HALYARD_OK);
  CHECK(one.bytes[0] != '\0' && strcmp(one.bytes, two.bytes) == 0);

  cut.pieces_left = 2;
  CHECK(halyard_generate(parts, &options, collect, &cut, &generation) == HALYARD_OK);
  CHECK(generation.reason == HALYARD_STOP_CANCELLED);
  options.stop_strings = stop_strings;
  options.n_stop_strings = 1;
  CHECK(halyard_generate(parts, &options, NULL, NULL, NULL) == HALYARD_OK);
  halyard_session_free(whole);
  halyard_session_free(parts);
}

static void test_cancel(halyard_engine* engine) {
  const halyard_message turn = {HALYARD_ROLE_USER, "What is the capital of Italy?"};
  halyard_session* session = halyard_session_new(engine, 64);
  halyard_generation generation;

  halyard_cancel(session);
  CHECK(halyard_evaluate_chat(session, &turn, 1, HALYARD_THINKING_OFF) == HALYARD_ERROR_CANCELLED);
  CHECK(halyard_last_code() == HALYARD_ERROR_CANCELLED);
  CHECK(halyard_session_tokens(session) == 0);
  halyard_clear_cancel(session);
  CHECK(halyard_evaluate_chat(session, &turn, 1, HALYARD_THINKING_OFF) == HALYARD_OK);
  halyard_cancel(session);
  CHECK(halyard_generate(session, NULL, NULL, NULL, &generation) == HALYARD_OK);
  CHECK(generation.reason == HALYARD_STOP_CANCELLED && generation.n_tokens == 0);
  halyard_session_free(session);
}

static void test_mistakes(halyard_engine* engine) {
  const halyard_message none = {HALYARD_ROLE_USER, NULL}, other = {9, "text"};
  halyard_engine_options options = {0};
  halyard_generate_options hot = {0};
  halyard_session* session = halyard_session_new(engine, 32);

  options.model_path = "no such file.gguf";
  CHECK(halyard_open(&options) == NULL);
  CHECK(halyard_last_code() == HALYARD_ERROR_NOT_FOUND);
  CHECK(strstr(halyard_last_error(), "no such file.gguf") != NULL &&
        strstr(halyard_last_error(), "fix:") != NULL);
  CHECK(halyard_session_new(NULL, 32) == NULL && halyard_last_code() == HALYARD_ERROR_USAGE);
  CHECK(halyard_session_new(engine, 0) == NULL && halyard_last_code() == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_text(NULL, "text") == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_text(session, NULL) == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_chat(session, NULL, 1, HALYARD_THINKING_OFF) == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_chat(session, NULL, 0, HALYARD_THINKING_OFF) == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_chat(session, &none, 1, HALYARD_THINKING_OFF) == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_chat(session, &other, 1, HALYARD_THINKING_OFF) == HALYARD_ERROR_USAGE);
  CHECK(halyard_generate(session, NULL, NULL, NULL, NULL) == HALYARD_ERROR_USAGE);
  CHECK(halyard_evaluate_text(session, "And") == HALYARD_OK);
  hot.temperature = 1e9f;
  CHECK(halyard_generate(session, &hot, NULL, NULL, NULL) == HALYARD_ERROR_USAGE);
  CHECK(strstr(halyard_last_error(), "temperature") != NULL);
  hot.temperature = 1;
  hot.n_stop_strings = 1;
  CHECK(halyard_generate(session, &hot, NULL, NULL, NULL) == HALYARD_ERROR_USAGE);
  halyard_session_free(session);
  halyard_session_free(NULL);
  halyard_close(NULL);
  halyard_cancel(NULL);
}

int main(void) {
  halyard_engine* engine = halyard_open(NULL);
  halyard_session* last;
  CHECK(engine != NULL);
  if (!engine) return 1;
  CHECK(strchr(halyard_version(), '.') != NULL);
  test_conversation(engine);
  test_plain_text(engine);
  test_cancel(engine);
  test_mistakes(engine);
  last = halyard_session_new(engine, 16);
  halyard_close(engine); /* the session keeps the model */
  CHECK(halyard_evaluate_text(last, "And") == HALYARD_OK);
  halyard_session_free(last);
  printf(g_failures ? "%d failures\n" : "passed\n", g_failures);
  return g_failures != 0;
}
