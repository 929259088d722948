"""The program itself on software cards: every command, every APDU of its conversation, every kind of fault."""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import tempfile

from .program import LAB, ROOT, Persona, Run, Table, left_behind

KINDS = {
    "removal": "card-removed", "reset": "card-reset", "mute": "card-mute", "service stopped": "service-stopped",
    "wrong MAC": "wrong-mac", "stale counter": "stale-counter", "bare answer": "stripped-protection",
    "bare 9000": "bare-status=9000", "bare 63C1": "bare-status=63C1", "6A82": "status=6A82", "6F00": "status=6F00",
    "cut to 1": "truncated-answer=1", "cut by 1": "cut-data=1", "cut by 20": "cut-data=20",
    "lengthened by 1": "extra-data=1", "lengthened by 300": "extra-data=300", "length 00": "false-length=00",
    "length 7F": "false-length=7F", "length 84": "false-length=84", "swapped card": "card-swapped",
    "endless 61xx": "endless-61xx=1", "endless 6Cxx": "endless-6cxx"}
NEW_PIN = "86420864"
# A fault on the connection is reported as such, or as an unknown outcome.
TOLD = {
    "removal": {"card-removed"}, "reset": {"card-reset"}, "mute": {"card-mute"}, "service stopped": {"service-stopped"}}
UNKNOWN = {"outcome-unknown", "pin-outcome-unknown"}


SAMPLES = ROOT / "Tests/CIEReadTests/SignedFiles"
ISSUERS = sorted((ROOT / "Sources/C/CPersonaData/data").glob("*/certificate-issuer.der"))


class Command:
    """A command of the program: its words, its input, its output files, and the folder of its signed documents."""

    def __init__(self, name, words, text="", files=(), commands=None, documents=None):
        self.name, self.words, self.text, self.files, self.commands = name, words.split(), text, files, commands
        self.documents = documents

    def words_in(self, folder, anchors):
        """The words, with the inputs in the folder."""
        pathlib.Path(folder, "letter").write_bytes(b"a letter")
        shutil.copy(SAMPLES / "unsigned.pdf", pathlib.Path(folder, "contract.pdf"))
        return [word.replace("%anchors", str(anchors)).replace("%", str(folder)) for word in self.words]


def commands_for(persona):
    """The commands that talk to a card, for a user who has the anchors."""
    pin, trust = persona.pin, "--trust %anchors"
    return [
        Command("info", "info"), Command("nis", f"nis {trust}"), Command("verify", f"verify {trust}"),
        Command("verify --can", f"verify --can {persona.can} {trust}"),
        Command("read", f"read --can {persona.can} {trust} --photo %/face.png --out %/saved", files=("face.png", "saved")),
        Command("cert", f"cert {trust} --out %/certificate.pem", pin, ("certificate.pem",)),
        Command("pin verify", f"pin verify {trust}", pin),
        Command("pin change", f"pin change {trust}", f"{pin}\n{NEW_PIN}\n"),
        Command("pin unblock", f"pin unblock {trust}", f"{persona.puk}\n{NEW_PIN}\n"),
        Command("sign", f"sign {trust} --in %/letter --out %/letter.sig", pin, ("letter.sig",)),
        Command("sign --format", f"sign {trust} --format auto --out-dir %/signed %/letter %/contract.pdf", pin, documents="signed"),
        Command("doctor --report", f"doctor {trust} --report %/report", files=("report",), commands=40),
        Command("doctor --report, PIN", f"doctor {trust} --report %/report --with-pin", pin, ("report",), 50)]


def contents(path):
    """A file's bytes, or those of the files of a folder; None for a missing one."""
    if path.is_dir():
        return {child.name: child.read_bytes() for child in sorted(path.iterdir())}
    return path.read_bytes() if path.exists() else None


# Values drawn in each run, and the places of its files.
MAY_DIFFER = {
    ".cookies", ".challenge", ".response", ".ias.challenge", ".ias.response", ".triesRefusal", ".photo", ".out", ".signatures",
    ".documents"}


def differences(right, told, name=""):
    """Members of a success that are false: a missing proof is allowed, and so is a member without a value."""
    if name in MAY_DIFFER:
        return []
    if isinstance(told, dict) and isinstance(right, dict):
        if told.get("point") is not None:
            return [name] if told["verdict"] == "false" else []
        return [each for key in told for each in differences(right.get(key), told[key], f"{name}.{key}")]
    if isinstance(told, list) and isinstance(right, list):
        points = [each for each in told if isinstance(each, dict) and "point" in each]
        known = {each["point"]: each["verdict"] for each in right if isinstance(each, dict) and "point" in each}
        lies = [each["point"] for each in points if each["verdict"] not in ("could-not-check", known.get(each["point"]))]
        return lies if points else [] if set(map(str, told)) <= set(map(str, right)) else [name]
    return [] if told in (right, None, "could-not-check", "not-judged", "possible") else [name]


class Scene:
    """A command on a persona's card."""

    def __init__(self, command, persona, anchors):
        self.command, self.persona, self.anchors = command, persona, anchors
        with tempfile.TemporaryDirectory() as folder:
            self.clean = self.run(folder)
            self.right = {name: contents(pathlib.Path(folder, name)) for name in command.files}
            commands, _ = self.record(folder)
        assert self.clean.exit == 0, (command.name, self.clean.out)
        self.commands = command.commands or commands

    def run(self, folder, fault=None):
        """One run, with its files in the folder."""
        words = self.command.words_in(folder, self.anchors)
        words += ["--virtual", self.persona.name, "--record", f"{folder}/record", "--force"]
        return Run(words + (["--fault", fault] if fault else []), self.command.text)

    def record(self, folder):
        """The number of commands to the card, and of those that carry each code."""
        path = pathlib.Path(folder, "record")
        sent = re.findall(r"^> ..(..)", path.read_text(), re.M) if path.exists() else []
        return len(sent), {word: sent.count(word) for word in ("20", "24", "2C")}

    def broken(self, kind, number):
        """One case."""
        with tempfile.TemporaryDirectory() as folder:
            run = self.run(folder, f"{KINDS[kind]}@{number}")
            found = run.broken((self.persona.pin, self.persona.puk, NEW_PIN))
            found += [f"left behind: {name}" for name in left_behind(folder)]
            for word, count in self.record(folder)[1].items():
                if count > 1:
                    found.append(f"INS {word} was sent {count} times")
            wrote = {name: contents(pathlib.Path(folder, name)) for name in self.command.files}
            found += self.judge(kind, run, wrote) + self.judge_documents(folder, run)
        if number % 7 == 0:
            # In a fresh folder, because `read` fills no folder that a success has filled.
            with tempfile.TemporaryDirectory() as folder:
                again = self.run(folder)
            if again.exit != 0:
                found.append(f"the next run ends with {again.exit}")
        return found, run.error or "ok"

    def judge(self, kind, run, wrote):
        """Files complete or absent, success only if it is true."""
        found = []
        if self.command.name.startswith("doctor"):
            text = wrote["report"]
            # A card that was lost has no survey; its end is reported nevertheless.
            whole = text is None or text.startswith(b"cie-read report 1\n") and text.endswith(b"\n") and (
                b"[survey]" in text or b"\ncard: problem " in text)
            return found if whole else ["half a report"]
        for name, what in wrote.items():
            partial = isinstance(what, dict) and what and set(what) <= set(self.right[name])
            if what is not None and what != self.right[name] and not (run.exit in (0, 10, 13) and (partial or kind == "swapped card")):
                found.append(f"{name} is not whole")
            if what is not None and run.exit not in (0, 10, 13):
                found.append(f"{name} is there after exit {run.exit}")
            if what is None and run.exit == 0 and not partial:
                found.append(f"{name} is missing after a success")
        if kind in TOLD and run.exit and run.error not in TOLD[kind] | UNKNOWN:
            found.append(f"told as {run.error}")
        if run.exit == 0 and kind != "swapped card":
            wrong = differences(self.clean.object, run.object)
            # A card that answers SELECT with 9000 has the application: nothing authenticates what `info` lists.
            found += [f"a wrong success: {name}" for name in wrong if (self.command.name, name) != ("info", ".applications")]
        return found

    def judge_documents(self, folder, run):
        """Exactly the signed documents that the program names, each of them proved."""
        if not self.command.documents:
            return []
        told = run.object.get("documents", [])
        done = {pathlib.Path(each["out"]).name for each in told if each["error"] is None}
        there = sorted(pathlib.Path(folder, self.command.documents).glob("*"))
        found = [] if done == {path.name for path in there} else [f"{sorted(done)} are said to be signed, not {there}"]
        if run.exit == 0 and len(done) != 2:
            found.append("a document is missing after a success")
        trust = [word for issuer in ISSUERS for word in ("--trust", issuer)]
        return found + [f"{path.name} is not proved" for path in there if Run(["check", path, *trust]).exit != 0]


def main(every, first=0, personas=("gemalto", "itj4")):
    """Tries every n-th case; prints the table."""
    table, number = Table(), -1
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        subprocess.run([LAB, "anchors", f"{folder}/anchors"], check=True, capture_output=True)
        waiting = []
        for persona in map(Persona, personas):
            for command in commands_for(persona):
                scene = Scene(command, persona, f"{folder}/anchors")
                for at in range(1, scene.commands + 1):
                    for kind in KINDS:
                        number += 1
                        if number % every == first % every:
                            waiting.append((scene, kind, at, pool.submit(scene.broken, kind, at)))
        for scene, kind, at, case in waiting:
            found, end = case.result()
            table.add((scene.command.name, kind), f"{scene.persona.name} {scene.command.name}, {kind} at {at}", found, end)
    return table.end("program and card")
