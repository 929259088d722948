"""A page of the manual in mdoc(7): the program's declaration of a command, and the text written by hand."""
import re

# Names of mdoc's macros that are also words: at the head of an argument they would be read as macros.
MACRO = re.compile(r"(?<![\w&])(?=[A-Z][a-z0-9](?:\W|$))")


def escaped(text):
    """Literal text: hyphens that can be copied, no beginning of a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def argument(text):
    """The text as the argument of a macro."""
    return MACRO.sub(lambda _: "\\&", escaped(text).replace('"', "\\(dq"))


def prose(text):
    """Text with `code`, *names*, --options and page(1), a sentence a line."""
    parts = re.split(r"(`[^`]+`|(?<!\w)\*[^*]+\*|(?<![\w`-])--[a-z][a-z-]*|\bcie-read[a-z-]*\(1\)|\bpcscd\(8\))", text)
    out = []
    for part in parts:
        if part.startswith("`"):
            out.append("\\fB" + escaped(part[1:-1]).removeprefix("\\&") + "\\fR")
        elif len(part) > 2 and part.startswith("*"):
            out.append("\\fI" + escaped(part[1:-1]) + "\\fR")
        elif part.startswith("--") or part.endswith(("(1)", "(8)")):
            out.append("\\fB" + escaped(part) + "\\fR")
        else:
            # A sentence ends before a blank and a capital or an option; in mdoc the next begins a line.
            out.append(re.sub(r"(?<=[^ .][.!?])  *(?=[A-ZÀ-ÝČŠŽ]|$)", "\n", escaped(part)) if part else "")
    lines = "".join(out).strip().splitlines()
    return [("\\&" + line if line[:1] in (".", "'") else line).strip() for line in lines if line.strip()]


class Page:
    """Lines of mdoc, put together section by section."""

    def __init__(self, name, date, version, titles):
        self.titles = titles
        self.lines = [f".Dd {date}", f".Dt {name.upper()} 1", f".Os cie\\-read {version}"]

    def section(self, title):
        """Begins a section; `title` is its English name."""
        self.lines.append(".Sh " + argument(self.titles[title]))

    def blocks(self, blocks):
        """Adds text written by hand: paragraphs, lists of terms, displays."""
        for kind, content in blocks:
            if not self.lines[-1].startswith(".Sh") and kind == "text":
                self.lines.append(".Pp")
            if kind == "text":
                self.lines += prose(content)
            elif kind == "list":
                self.list([(prose(term), prose(text)) for term, text in content])
            else:
                self.display(content)

    def list(self, entries):
        """Terms, each a line of mdoc or a line of prose, with their meanings."""
        self.lines.append(".Bl -tag -width Ds")
        for term, text in entries:
            self.lines += [".It " + (term if isinstance(term, str) else " ".join(term)), *text]
        self.lines.append(".El")

    def display(self, lines):
        """Literal lines: commands, output."""
        # The prompt is not part of the input; a line of output may begin with a dot.
        self.lines += [".Bd -literal -offset indent", *[escaped(line) for line in lines], ".Ed"]

    @property
    def text(self):
        """The whole page."""
        return "\n".join(self.lines) + "\n"


def read_sections(text):
    """The contents of a language's file: titles, and for each page its sections as blocks."""
    titles, pages = {}, {}
    for page in re.split(r"(?m)^# ", text)[1:]:
        name, _, body = page.partition("\n")
        if name == "titles":
            titles = dict(line.split(": ", 1) for line in body.strip().splitlines())
            continue
        sections = pages.setdefault(name.strip(), {})
        for section in re.split(r"(?m)^## ", body)[1:]:
            title, _, content = section.partition("\n")
            sections[title.strip()] = read_blocks(content)
    return titles, pages


def read_blocks(text):
    """Paragraphs between blank lines: text, `term :: meaning` lines, or lines set off by four blanks."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = paragraph.splitlines()
        if all(line.startswith("    ") for line in lines):
            blocks.append(("display", [line[4:] for line in lines]))
        elif all(" :: " in line for line in lines):
            blocks.append(("list", [line.split(" :: ", 1) for line in lines]))
        else:
            blocks.append(("text", " ".join(lines)))
    return [block for block in blocks if block[1]]
