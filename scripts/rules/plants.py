"""Planted offences that prove that each rule bites, and innocent lines that prove that it does not bite too much."""

ARCHITECTURE = "# Walk\nsrc/core/a.h, src/platform, src/text and src/backend/gpu.\n"

# A tree without an offence; each line has something that a careless rule would take for one.
INNOCENT = {
    "README.md": "Run `scripts/test-all rules`, then build/linux-release/bin/halyard; ../shared/spec/chat.md is elsewhere.\n",
    "ARCHITECTURE.md": ARCHITECTURE,
    "docs/windows.md": "[the walk](../ARCHITECTURE.md) and src/platform/*_posix.cpp, tests/unit/<area>_test.cpp.\n",
    "scripts/test-all": "#!/bin/bash\n",
    "tests/unit/a_test.cpp": "int main() { return 0; }\n",
    "cmake/compiler.cmake": "# No -ffast-math here\nset(X 1)\n",
    "include/halyard/error.h": "#pragma once\n",
    "src/core/a.h": "#pragma once\n#ifdef HALYARD_X\n#endif\n// as long as it takes; exit(1) and _WIN32 are words here\n",
    "src/core/a.cpp": (
        '#include "core/a.h"\n#include "halyard/error.h"\n'
        'const char* kText = R"(#ifdef _WIN32 exit(1) std::regex)";\n'
        "const char kQuote = '\"'; const int kBig = 1'000'000; // std::regex\n"
        "int offset_in_tile; uint32_t n; uint64_t offset; f(static_cast<uint64_t>(offset)); int offset(int);\n"
        "long double wide; int longest; double statistic(int); void f() { condition.wait(lock); }\n"
        "void g(Runner& r) { r.exit(1); r->abort(); std::atomic<bool> ready; ready.store(true); }\n"),
    "src/platform/file_posix.cpp": (
        '#include <sys/stat.h>\n#include "core/a.h"\n#if defined(__linux__)\n#endif\n'
        "static_assert(sizeof(off_t) == 8);\nvoid f() { struct stat info {}; ::fstat(3, &info); long pages = 1; }\n"),
    "src/platform/console.h": "#pragma once\n",
    "src/platform/environment_posix.cpp": "const char* f() { return getenv(\"X\"); }\n",
    "src/backend/gpu/tile.cpp": "#if defined(__HIP__)\n#endif\n",
    "src/text/a.cpp": "int k[] = {\n" + "    1,\n" * 300 + "};\nstruct A {\n" + "    int x;\n" * 150 + "};\n",
    "src/text/tables.inc": "    1,\n" * 900,
    "apps/halyard/main.cpp": (
        '#include "halyard/error.h"\n#include "platform/console.h"\n#include "arguments.h"\nint main() { exit(2); }\n'),
    "apps/halyard/arguments.h": "#pragma once\n",
}

LONG_BODY = "    work();\n" * 100

# (rule, path, text, line of the offence): each is added to the tree alone.
PLANTS = [
    ("os-conditional", "src/core/b.cpp", "\n#ifdef _WIN32\n#endif\n", 2),
    ("os-conditional", "src/text/b.h", "#if defined(A) || \\\n    defined(__linux__)\n#endif\n", 1),
    ("os-conditional", "tests/unit/b_test.cpp", "#if A\n#elif _MSC_VER > 1900\n#endif\n", 2),
    ("os-header", "src/core/b.cpp", "#include <unistd.h>\n", 1),
    ("os-header", "apps/halyard/b.cpp", "#  include <windows.h>\n", 1),
    ("gpu-conditional", "src/backend/cpu/b.cpp", "#if defined(__CUDA_ARCH__)\n#endif\n", 1),
    ("narrow-offset", "src/core/b.cpp", "void f() {\n  std::fseek(file, 0, 2);\n}\n", 2),
    ("narrow-offset", "src/platform/b_posix.cpp", "int f() { return ::stat(name, &info); }\n", 1),
    ("narrow-offset", "tests/unit/b_test.cpp", "int f() { return _ftelli64(x) + ftell (x) + lseek(1, 0, 2); }\n", 1),
    ("narrow-place", "src/loader/b.cpp", "void f(uint32_t offset);\n", 1),
    ("narrow-place", "src/loader/b.cpp", "\nint file_offset_ = 0;\n", 2),
    ("narrow-place", "src/core/b.cpp", "auto x = static_cast<int32_t>(at + tensor.file_offset);\n", 1),
    ("off_t", "src/platform/b.cpp", "off_t at;\n", 1),
    ("off_t", "src/core/b.cpp", "struct stat info;\n", 1),
    ("long", "src/core/b.cpp", "unsigned long size;\n", 1),
    ("long", "include/halyard/b.h", "#pragma once\nlong long size();\n", 2),
    ("getenv", "src/core/b.cpp", "const char* x = std::getenv(name);\n", 1),
    ("getenv", "src/platform/paths_win32.cpp", "void f() { GetEnvironmentVariableW(a, b, 1); }\n", 1),
    ("lost-wake-up", "src/core/b.cpp", "#include <latch>\n", 1),
    ("lost-wake-up", "tests/unit/b_test.cpp", "std::counting_semaphore<1> s{0};\n", 1),
    ("atomic-wait", "src/core/b.cpp", "std::atomic<int> ready_;\nvoid f() {\n  ready_.wait(0);\n}\n", 3),
    ("atomic-wait", "src/core/b.cpp", "std::atomic_flag done;\nvoid f() { done.notify_all(); }\n", 2),
    ("regex", "src/text/b.cpp", "#include <regex>\n", 1),
    ("regex", "apps/halyard/b.cpp", "std::regex r;\n", 1),
    ("exit", "src/core/b.cpp", "void f() { std::exit(1); }\n", 1),
    ("exit", "apps/halyard/run.cpp", "void f() {\n  abort();\n}\n", 2),
    ("fast-math", "cmake/b.cmake", "# fine\nadd_compile_options(-ffast-math)\n", 2),
    ("fast-math", "CMakePresets.json", '{"CMAKE_CXX_FLAGS": "-Ofast"}\n', 1),
    ("placeholder", "src/core/b.cpp", "// TODO: more\n", 1),
    ("placeholder", "scripts/b", "echo not implemented\n", 1),
    ("placeholder", "src/core/b.cpp", 'const char* k = "not implemented";\n', 1),
    ("file-size", "src/core/b.cpp", "int f();\n" * 801, 801),
    ("function-size", "src/core/b.cpp", "int x;\nvoid f(int a,\n       int b) {\n" + LONG_BODY + "}\n", 2),
    ("function-size", "src/core/b.cpp", "namespace a {\nstruct B {\n  int f() const override {\n" + LONG_BODY + "  }\n};\n}\n", 3),
    ("function-size", "src/core/b.cpp", "B::B(int a) : a_(a), b_{a}, c_(1) {\n" + LONG_BODY + "}\n", 1),
    ("function-size", "tests/unit/b_test.cpp", "TEST(A, B) {\n  if (x) {\n" + LONG_BODY + "  }\n}\n", 1),
    ("function-size", "src/core/b.cpp", "const auto f = [](int x) {\n" + LONG_BODY + "};\n", 1),
    ("function-size", "tests/data/b.py", "def f():\n" + "    work()\n" * 100, 1),
    ("include-direction", "src/core/b.cpp", '#include "text/tokenizer.h"\n', 1),
    ("include-direction", "src/backend/cpu/b.cpp", '#include "backend/reference/matmul.h"\n', 1),
    ("include-direction", "apps/halyard/b.cpp", '#include "engine/session.h"\n', 1),
    ("include-direction", "apps/halyard/b.cpp", '#include "core/quant.h"\n', 1),
    ("include-direction", "include/halyard/b.h", '#include "core/quant.h"\n', 1),
    ("include-direction", "src/unknown/b.h", "#pragma once\n", 1),
    ("white-space", "src/core/b.cpp", "int x;\n\tint y;\n", 2),
    ("white-space", "docs/b.md", "a line \n", 1),
    ("white-space", "src/core/b.cpp", "int x;\r\n", 1),
    ("white-space", "src/core/b.cpp", "int x;", 1),
    ("named-path", "CONTRIBUTING.md", "See\nsrc/core/gone.h.\n", 2),
    ("named-path", "README.md", "out.txt and `gone.json`\n", 1),
    ("named-path", "README.md", "[more](docs/gone.md)\n", 1),
    ("named-path", "ARCHITECTURE.md", "src/core only\n", 1),
]
