"""C++ source as the rules see it: without comments and literals, and cut into functions."""
import re

TOKEN = re.compile(
    r"""(?P<raw>(?:\b(?:u8|u|U|L))?\bR"(?P<delimiter>[^()\\\s]{0,16})\((?:.|\n)*?\)(?P=delimiter)")
    |(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<number>\b\d(?:'?[\w.])*)
    |(?P<character>'(?:\\.|[^'\\\n])+')
    |(?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/)""",
    re.VERBOSE,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]|\b(?:alignas|__attribute__|__declspec)\s*\((?:[^()]|\([^()]*\))*\)")
SCOPE_HEAD = re.compile(r"^(?:template\s*<.*>\s*)?(?:inline\s+|export\s+)*(?:namespace|class|struct|union|enum|extern)\b[^)]*$",
                        re.DOTALL)
FUNCTION_HEAD = re.compile(
    r"\)\s*(?:(?:const|mutable|override|final|try|&&?|noexcept(?:\s*\(.*\))?|->.*|requires\b.*)\s*)*(?::(?!:).*)?$",
    re.DOTALL)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def _newlines(text):
    return "\n" * text.count("\n")


def without_comments(text):
    return TOKEN.sub(lambda m: _newlines(m[0]) if m["comment"] else m[0], text)


def code_only(text):
    """Comments gone, string and character literals emptied; every line keeps its number."""

    def replaced(match):
        if match["number"]:
            return match[0]
        return ("" if match["comment"] else '""') + _newlines(match[0])

    return TOKEN.sub(replaced, text)


def functions(text):
    """Yields (first line, last line) of every function body that is not inside another function.

    A brace opens a scope, a function or something else (an initialiser); what stands before it since the last end of
    a statement decides.
    """
    code = DIRECTIVE.sub(lambda m: _newlines(m[0]), code_only(text))
    head, head_line, line = "", 0, 1
    open_blocks = []  # (kind, first line)
    depth_of_function = None
    for character in code:
        if character == "\n":
            line += 1
        if character == "{":
            kind = "inside" if depth_of_function is not None else _kind(ATTRIBUTE.sub(" ", head).strip(), open_blocks)
            if kind == "function":
                depth_of_function = len(open_blocks)
            open_blocks.append((kind, head_line or line))
            if kind in ("scope", "function"):
                head, head_line = "", 0
        elif character == "}" and open_blocks:
            kind, first_line = open_blocks.pop()
            if depth_of_function == len(open_blocks):
                depth_of_function = None
                yield first_line, line
            if kind in ("scope", "function"):
                head, head_line = "", 0
        elif depth_of_function is None and not (open_blocks and open_blocks[-1][0] == "other"):
            if character == ";":
                head, head_line = "", 0
            else:
                head += character
                if not head_line and not character.isspace():
                    head_line = line


def _kind(head, open_blocks):
    if any(kind == "other" for kind, _ in open_blocks):
        return "other"
    if SCOPE_HEAD.match(head):
        return "scope"
    # An empty head or one that goes on with a comma: the body behind a member initialiser in braces.
    if not head or head.startswith(",") or FUNCTION_HEAD.search(head):
        return "function"
    return "other"
