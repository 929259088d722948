"""Writes vectors of a stranger's suite in the one form that the Swift tests read (`TestSupport/Suite.swift`)."""
import base64
import collections
import json
import pathlib
import sys
import zlib

HERE = pathlib.Path(__file__).parent


def few(cases, most, kind):
    """At most so many cases of each kind, in their order."""
    taken = collections.Counter()
    for case in cases:
        taken[kind(case)] += 1
        if taken[kind(case)] <= most:
            yield case


def write(folder, name, source, groups):
    """Writes the groups as JSON, compressed, with one line a case: [name, verdict, values…], the values in hexadecimal.

    A group is a dictionary: file, kind, what all its cases share, and the cases. `--show FILE` prints such a file.
    """
    lines, count = [], 0
    for group in groups:
        cases = group.pop("cases")
        if not cases:
            continue
        count += len(cases)
        head = json.dumps(group, separators=(",", ":"), ensure_ascii=False)
        body = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=False) for case in cases)
        lines.append(f'{head[:-1]},"cases":[\n{body}]}}')
    plain = ("[" + ",\n".join(lines) + "]\n").encode()
    text = base64.b64encode(zlib.compress(plain, 9)).decode()
    path = pathlib.Path(folder) / f"{name}.json"
    path.write_text(json.dumps({
        "source": source, "length": len(plain),
        "deflated": [text[start:start + 120] for start in range(0, len(text), 120)],
    }, indent=0, ensure_ascii=False) + "\n")
    print(path.name, len(lines), "groups", count, "cases", path.stat().st_size, "bytes")


if __name__ == "__main__" and sys.argv[1:2] == ["--show"]:
    file = json.loads(pathlib.Path(sys.argv[2]).read_text())
    print(file["source"], zlib.decompress(base64.b64decode("".join(file["deflated"]))).decode(), sep="\n", end="")
