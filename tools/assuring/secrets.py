"""Searches for planted codes and passwords in forbidden places: in outputs, logs, reports and files, and in memory
after VERIFY.

To be run inside tools/with-pcscd: the card is another process, so that a code in the program's memory is the program's.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from .authority_faults import Authority
from .card_faults import NEW_PIN, SAMPLES, commands_for
from .program import LAB, READ, Persona, Table, forms
from .reader_faults import eventually, readers

# Numbers that a command prints or writes on purpose.
TOLD = {"info": {"NIS"}, "cert": {"NIS"}, "nis": {"NIS"}, "verify": {"NIS"},
        "verify --can": {"NIS", "MRZ"}, "read": {"NIS", "MRZ"}, "doctor --report": {"NIS"},
        "doctor --report, PIN": {"NIS"},
        # The certificate names it.
        "sign --format": {"NIS"}}
# Files without any personal data, whatever the command's output.
ANONYMOUS = {"record", "report"}
AFTER_VERIFY = ("cert", "sign", "sign --format")
INPUTS = ("letter", "contract.pdf")
PASSWORDS = {"password of a PDF": "cornelia-1618", "password of an authority": "lavandaia-2718"}
# Commands that open an encrypted PDF, and one whose authority is not there: its password goes to no server without TLS.
WITH_PASSWORDS = {
    "sign, passwords": "sign --virtual --skip-genuine-check %/locked.pdf --out %/signed.pdf --password-file %/pdf",
    "check, passwords": "check %/signed.pdf --password-file %/pdf",
    "extend, passwords": "extend %/signed.pdf --out %/extended.pdf --password-file %/pdf --tsa %url --tsa-trust %ca",
    "sign, authority": "sign --virtual --skip-genuine-check %/locked.pdf --out %/stamped.pdf --password-file %/pdf --level t "
    "--tsa https://127.0.0.1:9/ --tsa-trust %ca --tsa-user anna --tsa-password-file %/tsa"}


def planted(persona):
    """The codes and numbers of a card."""
    number = subprocess.run([READ, "read", "--virtual", persona.name, "--can", persona.can, "--json"], capture_output=True)
    mrz = re.search(rb'"mrz":"([^"]{30})', number.stdout)
    return {"PIN": persona.pin, "PUK": persona.puk, "new PIN": NEW_PIN, "CAN": persona.can, "NIS": persona.nis,
            "MRZ": mrz[1].decode() if mrz else ""}


def found(texts, codes, allowed):
    """The places of codes."""
    return [f"{name} in {place}" for name, code in codes.items() if code for place, text in texts.items()
            if (name not in allowed or place in ANONYMOUS) and any(form in text for form in forms(code))]


def in_outputs(persona, command, codes, anchors):
    """Both outputs, for people and as JSON, the diary, and every output file."""
    broken = []
    for more in (["--json"], []):
        with tempfile.TemporaryDirectory() as folder:
            words = command.words_in(folder, anchors)
            done = subprocess.run(
                [READ, *words, "--virtual", persona.name, "--record", f"{folder}/record", *more], input=command.text.encode(),
                capture_output=True, env={"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"})
            assert done.returncode == 0, (command.name, done.stderr)
            texts = {"standard output": done.stdout, "standard error": done.stderr}
            for path in pathlib.Path(folder).rglob("*"):
                if path.is_file() and str(path.relative_to(folder)) not in INPUTS:
                    texts[path.name] = path.read_bytes()
            assert "record" in texts
            broken += found(texts, codes, TOLD.get(command.name, set()))
    return broken


def in_documents(table, folder):
    """The passwords of documents and authorities, in outputs and files."""
    place = pathlib.Path(folder)
    authority = Authority(f"{folder}/authority")
    for name, password in zip(("pdf", "tsa"), PASSWORDS.values()):
        with open(os.open(place / name, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(password + "\n")
    password = PASSWORDS["password of a PDF"]
    subprocess.run(["qpdf", "--encrypt", password, password, "256", "--", SAMPLES / "unsigned.pdf", place / "locked.pdf"], check=True)
    pin = Persona("gemalto").pin
    try:
        for name, words in WITH_PASSWORDS.items():
            broken = []
            for more in (["--json"], []):
                if "--out %/" in words:
                    (place / words.split("--out %/")[1].split()[0]).unlink(missing_ok=True)
                given = [word.replace("%ca", f"{folder}/authority/ca.pem").replace("%url", authority.url).replace("%", folder)
                         for word in words.split()]
                done = subprocess.run(
                    [READ, *given, *more], input=pin.encode() if words.startswith("sign") else b"", capture_output=True,
                    env={"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"})
                assert done.returncode in ((14,) if "127.0.0.1:9" in words else (0, 13)), (name, done.stderr, done.stdout)
                texts = {"standard output": done.stdout, "standard error": done.stderr}
                for path in place.rglob("*"):
                    if path.is_file() and path.name not in ("pdf", "tsa"):
                        texts[path.name] = path.read_bytes()
                broken += found(texts, {**PASSWORDS, "PIN": pin}, set())
            table.add((name, "outputs and files"), name, broken, "ok")
    finally:
        authority.end()


def memory(process):
    """All memory that a process can read of itself."""
    texts = []
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as file:
        for line in maps:
            begin, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if not rights.startswith("r") or "[vvar]" in line or "[vsyscall]" in line:
                continue
            try:
                file.seek(int(begin, 16))
                texts.append(file.read(int(end, 16) - int(begin, 16)))
            except (OSError, OverflowError):
                continue
    return b"\0".join(texts)


def in_memory(persona, command, codes, anchors):
    """Delays the command after VERIFY in the card, and searches the program meanwhile."""
    sent = converse(persona, command, anchors, None)[0]
    # The last comparison of a code; the command after it is delayed.
    after = max(index for index in range(1, len(sent)) if sent[index] > sent[index - 1]) + 2
    assert after <= len(sent), sent
    _, text = converse(persona, command, anchors, after)
    # The codes that must be found, otherwise the search proves nothing.
    assert anchors.encode() in text and len(text) > 1 << 20, len(text)
    return found({"memory after VERIFY": text}, {"PIN": codes["new PIN"]}, set())


def converse(persona, command, anchors, pause):
    """A run over the reader: the comparisons of codes up to each command; the memory of the program while the card
    delays a command.

    The PIN is changed first, because the program contains the personas' own.
    """
    with tempfile.TemporaryDirectory() as folder:
        diary = pathlib.Path(folder, "diary")
        words = command.words_in(folder, anchors)
        fault = ["--fault", f"delay=30000@{pause}"] if pause else []
        eventually("the reader is empty", lambda: b"(no card)" in readers().splitlines()[0])
        card = subprocess.Popen([LAB, "virtual-reader", "--persona", persona.name, "--diary", diary, *fault], stdout=subprocess.PIPE)
        try:
            assert card.stdout.readline() == b"inserted\n"
            change = subprocess.run(
                [READ, "pin", "change", "--trust", anchors, "--reader", "0", "--wait", "10"], capture_output=True,
                input=f"{persona.pin}\n{NEW_PIN}\n".encode())
            assert change.returncode == 0, change.stderr
            program = subprocess.Popen(
                [READ, *words, "--reader", "0", "--wait", "10", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            program.stdin.write(NEW_PIN.encode())
            program.stdin.close()
            text = b""
            if pause:
                eventually("VERIFY was answered", lambda: diary.read_text().count("\n") == pause - 1)
                time.sleep(0.5)
                text = memory(program.pid)
                # The result is known, so both may end.
                program.kill()
            assert program.wait(60) == (-9 if pause else 0), program.stdout.read()
            return [int(re.search(r"verifications=(\d+)", line)[1]) for line in diary.read_text().splitlines()], text
        finally:
            card.kill()
            card.wait()


def main():
    """Every command that gets a code; prints the table."""
    assert os.environ.get("PRIVATE_PCSCD"), "to be run inside tools/with-pcscd"
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        anchors = f"{folder}/anchors"
        subprocess.run([LAB, "anchors", anchors], check=True, capture_output=True)
        persona = Persona("gemalto")
        codes = planted(persona)
        assert all(codes.values()), codes
        for command in commands_for(persona):
            broken = in_outputs(persona, command, codes, anchors)
            table.add((command.name, "outputs and files"), command.name, broken, "ok")
            if command.name in AFTER_VERIFY:
                broken = in_memory(persona, command, codes, anchors)
                table.add((command.name, "memory after VERIFY"), command.name, broken, "ok")
        in_documents(table, folder)
    return table.end("secrets")
