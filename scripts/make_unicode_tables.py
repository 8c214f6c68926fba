#!/usr/bin/env python3
"""Makes src/text/unicode_tables.inc from Debian's unicode-data: categories L, M, N, P, S and White_Space.

usage: make_unicode_tables.py [--check] [--unicode-data FOLDER]
--check writes nothing and fails when the committed table differs.
"""
import argparse
import pathlib
import sys

TABLE = pathlib.Path(__file__).resolve().parent.parent / "src/text/unicode_tables.inc"
CLASSES = {"L": "kLetter", "M": "kMark", "N": "kNumber", "P": "kPunctuation", "S": "kSymbol"}


def general_categories(folder):
    """Yields (first, last, category) from UnicodeData.txt, where big ranges are given by two lines."""
    first = None
    for line in (folder / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        code, name, category = line.split(";")[:3]
        if name.endswith(", First>"):
            first = int(code, 16)
            continue
        yield (int(code, 16) if first is None else first), int(code, 16), category
        first = None


def white_space(folder):
    """Yields (first, last) from PropList.txt."""
    for line in (folder / "PropList.txt").read_text(encoding="utf-8").splitlines():
        fields = line.split("#")[0].split(";")
        if len(fields) == 2 and fields[1].strip() == "White_Space":
            ends = fields[0].strip().split("..")
            yield int(ends[0], 16), int(ends[-1], 16)


def class_ranges(folder):
    """Sorted, disjoint (first, last, class), neighbours of one class joined."""
    ranges = [(a, b, CLASSES[c[0]]) for a, b, c in general_categories(folder) if c[0] in CLASSES]
    ranges += [(a, b, "kSpace") for a, b in white_space(folder)]
    ranges.sort()
    joined = []
    for first, last, name in ranges:
        if joined and first <= joined[-1][1]:
            sys.exit(f"U+{first:04X} is in two classes: the table cannot hold that")
        if joined and joined[-1][1] + 1 == first and joined[-1][2] == name:
            joined[-1] = (joined[-1][0], last, name)
        else:
            joined.append((first, last, name))
    return joined


def rows(items, width=110):
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(lines + [line])


def table_text(folder):
    ranges = class_ranges(folder)
    ascii_classes = ["kOther"] * 128
    for first, last, name in ranges:
        for code in range(first, min(last, 127) + 1):
            ascii_classes[code] = name
    version = (folder / "PropList.txt").read_text(encoding="utf-8").splitlines()[0].split("-")[-1].removesuffix(".txt")
    return f"""// Unicode {version}. Made by scripts/make_unicode_tables.py; not to be edited.
// clang-format off
using enum CharacterClass;
constexpr std::array<CharacterClass, 128> kAsciiClasses{{{{
{rows(ascii_classes)}
}}}};
constexpr std::array<ClassRange, {len(ranges)}> kClassRanges{{{{
{rows(f"{{0x{a:X}, 0x{b:X}, {name}}}" for a, b, name in ranges)}
}}}};
// clang-format on
"""


def main():
    parser = argparse.ArgumentParser(description="Makes src/text/unicode_tables.inc.")
    parser.add_argument("--check", action="store_true", help="fail when the committed table differs")
    parser.add_argument("--unicode-data", type=pathlib.Path, default=pathlib.Path("/usr/share/unicode"))
    options = parser.parse_args()
    text = table_text(options.unicode_data)
    if options.check:
        if not TABLE.exists() or TABLE.read_text(encoding="utf-8") != text:
            sys.exit(f"{TABLE} differs from what {sys.argv[0]} makes; run it and commit the result")
    else:
        TABLE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
