"""Searches for planted codes, data, keys and passwords in forbidden places: in outputs, errors, logs, reports and files,
and in memory after VERIFY.

To be run inside tools/with-pcscd: the card is another process, so that a code in the program's memory is the program's.
"""
import base64
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from .authority_faults import Authority
from .card_faults import NEW_PIN, SAMPLES, commands_for
from .program import LAB, READ, ROOT, Persona, Table, forms, memory, readable_runs, secret_runs
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


def everything(persona):
    """The runs of all that a persona's card keeps from others, by name: codes, data, and private keys."""
    from cryptography.hazmat.primitives.serialization import load_der_private_key
    home = ROOT / "Sources/C/CPersonaData/data" / persona.name
    text = (home / "persona.txt").read_text() + (home / "travel-document/document.txt").read_text()
    values = dict(re.findall(r"^([a-z0-9-]+): *(.*)$", text, re.M))
    secrets = {"new PIN": [NEW_PIN.encode()]}
    for name in ("pin", "puk", "access-number", "services-number", "document-number", "fiscal-code", "surname",
                 "given-name", "mrz-1", "mrz-2", "mrz-3"):
        secrets[name] = [values[name].encode()]
    secrets["keys"] = [bytes.fromhex(scalar) for scalar in re.findall(r"scalar=([0-9A-F]+)", text)]
    for path in home.glob("*-key.der"):
        numbers = load_der_private_key(path.read_bytes(), None).private_numbers()
        secrets["keys"] += [part.to_bytes((part.bit_length() + 7) // 8, "big") for part in (numbers.d, numbers.p, numbers.q)]
    # Fillers, zeros and the like (002003) are in other things as well.
    return {name: {run for part in parts for run in secret_runs(part) if len(set(run)) > 3} for name, parts in secrets.items()}


def error_of(done):
    """All that a run says apart from its result."""
    try:
        return json.dumps(json.loads(done.stdout).get("error")).encode() + done.stderr
    except ValueError:
        return done.stderr


def finds_each_form():
    """True if a planted number is found in each form and at each position."""
    digits = b"100200300401"
    planted = [digits, digits[3:9], bytes.fromhex(digits.decode())]
    shown = [form(b"." * shift + plant) for plant in planted for shift in range(3)
             for form in (bytes, lambda data: data.hex().encode(), lambda data: data.hex().upper().encode(), base64.b64encode)]
    return all(secret_runs(digits) & readable_runs(b"> " + text + b"\n") for text in shown)


def in_logs(persona, command, anchors):
    """No six-byte run of anything that the card keeps, in the log, in the report, and in what two failures print."""
    secrets, broken = everything(persona), []
    with tempfile.TemporaryDirectory() as folder:
        words = [*command.words_in(folder, anchors), "--virtual", persona.name, "--record", f"{folder}/record", "--force"]

        def run(*more):
            done = subprocess.run(
                [READ, *words, *more], input=command.text.encode(), capture_output=True,
                env={"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"})
            there = [pathlib.Path(folder, place) for place in ANONYMOUS if pathlib.Path(folder, place).exists()]
            return {path.name: path.read_bytes() for path in there}, error_of(done)

        texts, _ = run("--json")
        sent = texts.get("record", b"").count(b"\n>")
        # One persona's certificate has expired, so nothing is signed with it.
        assert sent or (persona.name, command.documents) == ("early", "signed"), (persona.name, command.name)
        for fault, *more in ((f"bare-status=6988@{sent or 1}", "--json"), (f"wrong-mac@{sent * 2 // 3 or 1}",)):
            files, error = run("--fault", fault, *more)
            texts.update({f"{place} of {fault}": text for place, text in files.items()})
            texts[f"error of {fault}"] = error
        for place, text in texts.items():
            seen = readable_runs(text)
            broken += [f"{name} in the {place}" for name, runs in secrets.items() if runs & seen]
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
            assert program.wait(300) == (-9 if pause else 0), program.stdout.read()
            return [int(re.search(r"verifications=(\d+)", line)[1]) for line in diary.read_text().splitlines()], text
        finally:
            card.kill()
            card.wait()


def main():
    """Every command that gets a code; prints the table."""
    assert os.environ.get("PRIVATE_PCSCD"), "to be run inside tools/with-pcscd"
    assert finds_each_form()
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
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [path.parent.name for path in (ROOT / "Sources/C/CPersonaData/data").glob("*/persona.txt")]
            cases = [(each, command, pool.submit(in_logs, each, command, anchors))
                     for each in map(Persona, sorted(names)) for command in commands_for(each)]
            for each, command, case in cases:
                table.add((command.name, "logs and errors"), f"{each.name} {command.name}", case.result(), "ok")
    return table.end("secrets")
