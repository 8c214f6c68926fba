"""The rules of the design as checks over the files of the repository.

A rule is a function from a tree ({path: text}) to offences (path, line, what is wrong). RULES lists them.
"""
import ast
import fnmatch
import posixpath
import re

from source_text import code_only, functions, line_of, without_comments

MAX_FILE_LINES = 800
MAX_FUNCTION_LINES = 100
SELF = "scripts/rules/*"  # names what it forbids


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns)


def is_cpp(path):
    return path.endswith((".h", ".cpp", ".inc", ".cu", ".cpp.in"))


def is_script(path):
    return path.startswith((".ci/", "scripts/")) or path.endswith((".py", ".cmake", "CMakeLists.txt"))


def is_product(path):
    return path.startswith(("src/", "apps/", "include/", "models/"))


def forbid(pattern, message, applies=is_cpp, allowed=(), view=code_only):
    """A rule that finds a regular expression where it must not be."""
    expression = re.compile(pattern, re.MULTILINE)

    def rule(tree):
        for path, text in tree.items():
            if not applies(path) or matches(path, allowed):
                continue
            seen = view(text)
            for match in expression.finditer(seen):
                yield path, line_of(seen, match.start()), message.format(match[0].strip(" \t\n("))

    return rule


def conditional(macros):
    return rf"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(?:[^\n]*\\\n)*[^\n]*\b(?:{macros})\b"


NARROW = r"\b(?:u?int(?:8|16|32)?_t|(?:unsigned[ \t]+)?int|unsigned|short|DWORD|u32|i32)"
OS_MACROS = (r"_WIN32|_WIN64|WIN32|_MSC_VER|__MINGW32__|__MINGW64__|__CYGWIN__|__linux__|__linux|linux|__unix__|"
             r"__APPLE__|__ANDROID__|__FreeBSD__|_POSIX_VERSION")
GPU_MACROS = (r"__HIP__|__HIPCC__|__HIP_PLATFORM_\w+|__HIP_DEVICE_COMPILE__|__CUDA__|__CUDACC__|__CUDA_ARCH__|__NVCC__|"
              r"__AMDGCN__|__AMDGPU__|__NVPTX__|__gfx\w+__")
OS_HEADERS = (r"^[ \t]*#[ \t]*include[ \t]*<(?:windows|winsock2|io|direct|unistd|fcntl|dlfcn|pthread|poll|signal|"
              r"termios|sys/\w+)\.h>")
POSIX_FILES = ("src/platform/*_posix.cpp",)
OS_FILES = ("src/platform/*", "tests/*_posix.cpp", "tests/*_win32.cpp")


def atomic_waits(tree):
    """wait and notify of an atomic; those of a condition variable are welcome."""
    for path, text in tree.items():
        if not is_cpp(path):
            continue
        code = code_only(text)
        names = set(re.findall(r"\batomic(?:_flag|_\w+|<[^;{}()]*?>)\s+(\w+)", code))
        uses = [r"\batomic_(?:flag_)?(?:wait|notify_one|notify_all)\w*\s*\("]
        uses += [rf"\b{name}\s*(?:\.|->)\s*(?:wait|notify_one|notify_all)\s*\(" for name in sorted(names)]
        for match in re.finditer("|".join(uses), code):
            yield path, line_of(code, match.start()), "atomic wait can hang under MinGW: use a condition variable"


def file_sizes(tree):
    for path, text in tree.items():
        n_lines = text.count("\n")
        if n_lines > MAX_FILE_LINES and not path.endswith((".inc", ".json", ".txt")):
            yield path, MAX_FILE_LINES + 1, f"{n_lines} lines; {MAX_FILE_LINES} at most: cut it into pieces"


def function_sizes(tree):
    for path, text in tree.items():
        if path.endswith((".h", ".cpp", ".cu")):
            found = functions(text)
        elif path.endswith(".py") or text.startswith("#!/usr/bin/python3"):
            nodes = (n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
            found = [(node.lineno, node.end_lineno) for node in nodes]
        else:
            continue
        for first, last in found:
            n_lines = last - first + 1
            if n_lines > MAX_FUNCTION_LINES:
                yield path, first, f"a function of {n_lines} lines; {MAX_FUNCTION_LINES} at most"


# Folder -> folders whose headers it may include, besides its own, core and the public headers.
MAY_INCLUDE = {
    "include/halyard": set(),
    "src/core": set(),
    "src/platform": set(),
    "src/gguf": set(),
    "src/text": set(),
    "src/backend": set(),
    "src/backend/math": {"backend"},
    "src/backend/reference": {"backend", "backend/math"},
    "src/backend/cpu": {"backend", "backend/math", "platform"},
    "src/backend/gpu/kernels": set(),
    "src/backend/gpu": {"backend", "backend/gpu/kernels", "backend/math", "device", "platform"},
    "src/device": set(),
    "src/loader": {"device", "platform"},
    "src/planner": {"backend", "device"},
    "src/model": {"backend", "backend/math", "gguf"},
    "models": {"platform"},
    "src/engine": {"platform", "gguf", "text", "backend", "backend/reference", "backend/cpu", "backend/gpu", "device", "loader",
                   "planner", "model", "models"},
    "apps/halyard": {"core", "platform"},
}
# Narrower than the row above: the public headers, its own, what meets the system, and how much is said.
APP_MAY_INCLUDE = re.compile(r"halyard/.*|platform/.*|core/log\.h|[^/]*")


def include_direction(tree):
    for path, text in tree.items():
        if not is_cpp(path) or not is_product(path):
            continue
        code = without_comments(text)
        folder = path.rsplit("/", 1)[0]
        if folder not in MAY_INCLUDE:
            yield path, 1, f"{folder} has no row in MAY_INCLUDE of scripts/rules/rules.py"
            continue
        allowed = MAY_INCLUDE[folder] | {"halyard", folder.removeprefix("src/")}
        allowed |= set() if folder.startswith(("include/", "apps/")) else {"core"}
        for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', code, re.MULTILINE):
            target = match[1].rsplit("/", 1)[0] if "/" in match[1] else ""
            wrong = target not in allowed and not (target == "" and path.startswith("apps/"))
            if path.startswith("apps/"):
                wrong = wrong or not APP_MAY_INCLUDE.fullmatch(match[1])
            if wrong:
                yield path, line_of(code, match.start()), f"{folder} must not include {match[1]}"


def white_space(tree):
    for path, text in tree.items():
        if path.startswith("src/text/protocol/") and path.endswith(".txt"):
            continue  # the model's own text, byte by byte
        if path.startswith("tests/fuzz/seeds/"):
            continue  # inputs of fuzzers
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line:
                yield path, number, "a tab"
            elif "\r" in line:
                yield path, number, "a carriage return"
            elif line != line.rstrip():
                yield path, number, "white space at the end of the line"
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "no newline at the end of the file"


DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/*.md")
NAMED_PATH = re.compile(
    r"(?<![\w./*-])(?:(?:src|include|apps|tests|scripts|cmake|docs|bench|models|\.ci)/[\w./*-]*"
    r"|(?<=`)[\w-]+\.(?:md|txt|json|cmake)(?=`))")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
ELSEWHERE = {"reference.json", "window0.json", "flash4.json",  # in the shared folder
             "src/backend/gpu"}  # of the design, still to come


def named_paths(tree):
    """Every path that a document names exists; ARCHITECTURE.md names every folder of src/."""
    folders = {path.rsplit("/", n)[0] for path in tree for n in range(1, path.count("/") + 1)}
    known = sorted(set(tree) | folders)

    def exists(name):
        return name in known or any(fnmatch.fnmatchcase(path, name) for path in known)

    for path, text in tree.items():
        if not matches(path, DOCUMENTS):
            continue
        here = path.rsplit("/", 1)[0] + "/" if "/" in path else ""
        named = {(line_of(text, match.start()), match[match.lastindex or 0].rstrip("/."))
                 for match in [*NAMED_PATH.finditer(text), *LINK.finditer(text)]}
        for line, name in sorted(named):
            if not exists(name) and not exists(posixpath.normpath(here + name)) and name not in ELSEWHERE:
                yield path, line, f"names {name}, which does not exist"
    walk = tree.get("ARCHITECTURE.md", "")
    for folder in sorted({path.rsplit("/", 1)[0] for path in tree if path.startswith("src/") and path.endswith(".cpp")}):
        if not re.search(re.escape(folder) + r"(?![\w-])", walk):
            yield "ARCHITECTURE.md", 1, f"does not name {folder}"


def without_line_comments(text):
    return re.sub(r"(?m)(?:^|(?<=\s))(?:#(?!\s*pragma)|//).*$", "", text)


def takes_flags(path):
    return (is_script(path) or is_cpp(path) or path == "CMakePresets.json") and not matches(path, (SELF,))


RULES = {
    "os-conditional": forbid(conditional(OS_MACROS), "a condition on the system or its compiler outside src/platform",
                             # How a compiler spells "always inline" is not about the system.
                             allowed=("src/platform/*", "src/backend/cpu/simd_inline.h")),
    "os-header": forbid(OS_HEADERS, "{} outside src/platform", allowed=OS_FILES),
    "gpu-conditional": forbid(conditional(GPU_MACROS), "a condition on the GPU vendor outside src/backend/gpu",
                              allowed=("src/backend/gpu/*",)),
    "narrow-offset": forbid(r"\b(?:f?seeko?|f?tello?|f?seeko64|_l?seeki?64|lseek(?:64)?|SetFilePointer|GetFileSize)\s*\("
                            r"|\b(?:_w?|l)?stat(?:64|i64)?\s*\(", "{} counts in too few bits: use src/platform/file.h"),
    "narrow-place": forbid(NARROW + r"[ \t]*&?[ \t]+(?:const[ \t]+)?(?:\w*_)?(?:offset|file_bytes|file_size)_?\b(?!\()"
                           r"|\bstatic_cast<[ \t]*" + NARROW + r"[ \t]*>\([^()]*(?:offset|file_bytes|file_size)\b",
                           "{}: a place in a file has 64 bits, whatever it holds today",
                           applies=lambda path: is_cpp(path) and is_product(path),
                           allowed=("src/platform/file_win32.cpp", "src/backend/gpu/kernels/*")),
    "off_t": forbid(r"\boff(?:64)?_t\b|\bfstat(?:64)?\s*\(|\bstruct\s+stat\b", "{} outside src/platform/*_posix.cpp", allowed=POSIX_FILES),
    "long": forbid(r"(?<!\w)(?:unsigned\s+|signed\s+)?long\b(?!\s+double)", "{} has 32 bits on Windows: use a fixed width",
                   applies=lambda path: is_cpp(path) and is_product(path), allowed=POSIX_FILES),
    "getenv": forbid(r"\b(?:_w|secure_)?getenv(?:_s)?\b|\bGetEnvironmentVariable[AW]?\b",
                     "{} outside src/platform/environment*", allowed=("src/platform/environment*",)),
    "lost-wake-up": forbid(r"#[ \t]*include[ \t]*<(?:latch|barrier|semaphore)>"
                           r"|\bstd::(?:latch|barrier|counting_semaphore|binary_semaphore)\b",
                           "{} can hang under MinGW: use a mutex and a condition variable"),
    "atomic-wait": atomic_waits,
    "regex": forbid(r"#[ \t]*include[ \t]*<regex>|\bstd::w?(?:basic_)?regex\b", "{}: slow, and deep on long text",
                    applies=lambda path: is_cpp(path) and is_product(path)),
    "exit": forbid(r"(?<![\w.>])(?:(?:std)?::)?(?:_?exit|_Exit|quick_exit|abort|terminate|ExitProcess)\s*\(",
                   "{} outside main: throw halyard::Error", applies=lambda path: is_cpp(path) and is_product(path),
                   allowed=("apps/halyard/main.cpp",)),
    "fast-math": forbid(r"-ffast-math|-Ofast|-funsafe-math\S*|-fassociative-math|/fp:fast|fast-math", "{}",
                        applies=takes_flags, view=without_line_comments),
    "placeholder": forbid(r"(?i)\b(?:to-?do|fixme|xxx|stubs?|not (?:yet )?implemented|unimplemented)\b", "{}: finish it",
                          applies=lambda path: (is_script(path) or is_cpp(path)) and not matches(path, (SELF,)),
                          view=lambda text: text),
    "file-size": file_sizes,
    "function-size": function_sizes,
    "include-direction": include_direction,
    "white-space": white_space,
    "named-path": named_paths,
}
