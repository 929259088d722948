"""The JSON objects of the manual: real outputs with the software card, pinned in tools/packaging/manual/objects.

The file `commands` there has a line for each: its name, which is that of a page, the exit status, standard input (`-`
for none) and the command line.
"""
import dataclasses
import json
import pathlib
import shlex

WIDTH = 72


@dataclasses.dataclass(frozen=True)
class Example:
    """A command whose object is pinned."""

    name: str
    status: int
    input: str
    command: str

    @property
    def arguments(self):
        """The words of the command line."""
        return shlex.split(self.command)


def examples(folder):
    """All of them, in the order of the file."""
    lines = (pathlib.Path(folder) / "commands").read_text().splitlines()
    rows = [line.split(None, 3) for line in lines if line and not line.startswith("#")]
    return [Example(name, int(status), "" if given == "-" else given, command) for name, status, given, command in rows]


def shown(folder, name):
    """The lines of a page: the command, and its object on several lines."""
    commands = {example.name: f"cie-read {example.command}" for example in examples(folder)}
    # A login needs a service, and a service a client.
    commands["cie-read-extend"] = "cie-read extend reply.txt.p7m --tsa https://tsa.example/ --tsa-trust tsa.crt --json"
    commands["cie-read-login"] = "cie-read login --sp-url https://service.example/ --consent yes --cookies session.txt --json"
    commands |= {f"cie-read-{name}": f"cie-read {name} --json" for name in ("status", "claims", "token", "logout", "reset")}
    commands["cie-read-serve"] = "curl --unix-socket desk.sock http://localhost/v1/status"
    # Its end shows nothing of it.
    del commands["cie-read-desk"]
    if name not in commands:
        return []
    lines = [f"$ {commands[name]}"]
    name = {"cie-read-serve": "cie-read-serve-status"}.get(name, name)
    # One object, or one an event; of those with progress the first suffices.
    seen = set()
    for line in (pathlib.Path(folder) / f"{name}.json").read_text().splitlines():
        value = json.loads(line)
        if value.get("event") not in seen:
            lines += layout(shortened(value)).splitlines()
        elif lines[-1] != "…":
            lines.append("…")
        seen |= {value.get("event")} - {None}
    return lines


def shortened(value):
    """The text with long values shortened: certificates, signatures, lists."""
    if isinstance(value, dict):
        return {key: shortened(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value[:3]] + (["…"] if len(value) > 3 else [])
    if isinstance(value, str) and len(value) > 40 and " " not in value.strip():
        return value[:32] + "…"
    return value


def layout(value, margin=0, head=""):
    """JSON with as few lines as a page needs: a value that fits is on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if margin + len(head) + len(flat) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return head + flat
    blanks = " " * (margin + 2)
    if isinstance(value, dict):
        items = [layout(v, margin + 2, json.dumps(k) + ": ") for k, v in value.items()]
        opening, closing = "{", "}"
    else:
        items = [layout(item, margin + 2) for item in value]
        opening, closing = "[", "]"
    return head + opening + "\n" + ",\n".join(blanks + item for item in items) + "\n" + " " * margin + closing
