"""Signs documents with the software cards, has pyHanko judge them, and forges them. Run by tools/test documents."""
import asyncio
import hashlib
import io
import json
import logging
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from asn1crypto import cms, core
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import ades, async_validate_pdf_timestamp
from pyhanko.sign.validation.policy_decl import SignatureValidationSpec
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator.context import CertValidationPolicySpec, ValidationContext
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

import long_term

ROOT = pathlib.Path(__file__).resolve().parents[3]
READ = pathlib.Path(os.environ["CIE_PROGRAMS"]).resolve() / "cie-read"
SIGNED = ROOT / "Tests/CIEReadTests/SignedFiles"
PINS = {name: re.search(r"^pin: (\d+)", (ROOT / f"Sources/C/CPersonaData/data/{name}/persona.txt").read_text(), re.M)[1]
        for name in ("gemalto", "nxp")}
LETTER = b"Caro ufficio\n"


def read(*words, pin=""):
    """Runs the program; its exit status and JSON object."""
    done = subprocess.run([READ, *map(str, words), "--json"], input=pin, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


class Folder:
    """The documents, their signers' issuers, and a time stamp authority."""

    def __init__(self, path):
        self.path = path
        for name in PINS:
            issuer = ROOT / f"Sources/C/CPersonaData/data/{name}/certificate-issuer.der"
            subprocess.run(["openssl", "x509", "-inform", "DER", "-in", issuer, "-out", path / f"{name}.pem"], check=True)
        (path / "tsa").mkdir()
        self.server = subprocess.Popen(
            [sys.executable, "-B", ROOT / "Tests/CIEReadTests/Support/time-stamp-server.py", path / "tsa"],
            stdout=subprocess.PIPE, text=True)
        self.tsa = ["--tsa", self.server.stdout.readline().strip(), "--tsa-trust", path / "tsa/ca.pem"]
        self.trust = [word for name in PINS for word in ("--trust", path / f"{name}.pem")]
        roots = [load_cert_from_pemder(str(file)) for file in (*(path / f"{name}.pem" for name in PINS), path / "tsa/ca.pem")]
        self.stampers = ValidationContext(trust_roots=roots[-1:])
        policy = CertValidationPolicySpec(
            trust_manager=SimpleTrustManager.build(roots),
            revinfo_policy=CertRevTrustPolicy(RevocationCheckingPolicy.from_legacy("soft-fail")))
        # The card's certificate is for signing in: digitalSignature alone.
        self.policy = SignatureValidationSpec(
            cert_validation_policy=policy, ts_cert_validation_policy=policy,
            key_usage_settings=KeyUsageConstraints(key_usage={"digital_signature"}))

    def sign(self, source, output, *words, card="gemalto"):
        status, answer = read(
            "sign", "--virtual", card, self.path / source, "--out", self.path / output, *words, pin=PINS[card])
        assert status == 0, (output, answer)

    def check(self, name):
        """cie-read's verdict: its exit status."""
        return read("check", self.path / name, *self.trust, "--tsa-trust", self.path / "tsa/ca.pem")[0]

    async def judge_cms(self, data, digest, stamped):
        validate = ades.ades_with_time_validation if stamped else ades.ades_basic_validation
        result = await validate(data, self.policy, raw_digest=digest)
        time = getattr(result, "best_signature_time", None)
        return result.ades_subindic == ades.AdESPassed.OK and bool(time) == stamped

    async def pyhanko(self, name, stamped=False):
        """pyHanko's verdict: true if each signature passes, and the newest covers the file."""
        content = (self.path / name).read_bytes()
        if name.endswith(".pdf"):
            reader = PdfFileReader(io.BytesIO(content))
            # A time stamp of the document proves the time of the signatures before it.
            stamps = [await async_validate_pdf_timestamp(one, self.stampers) for one in reader.embedded_timestamp_signatures]
            verdicts = [await self.judge_cms(one.signed_data, one.compute_digest(), stamped and not stamps)
                        for one in reader.embedded_regular_signatures]
            signatures = reader.embedded_signatures
            for one in signatures:
                one.compute_integrity_info()
            whole = signatures[-1].coverage == SignatureCoverageLevel.ENTIRE_FILE if signatures else False
            return all(verdicts) and whole and all(one.valid and one.intact and one.trusted for one in stamps)
        info = cms.ContentInfo.load(content, strict=True)
        beside = self.path / name.removesuffix(".p7s")
        digest = hashlib.sha256(beside.read_bytes()).digest() if name.endswith(".p7s") else None
        parts = []
        # Its engine judges one signer.
        for signer in info["content"]["signer_infos"]:
            data = info["content"].copy()
            data["signer_infos"] = [signer]
            parts.append(await self.judge_cms(data, digest, stamped))
        return all(parts) and bool(parts)

    def close(self):
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()


def documents(folder):
    """Signs everything; the names, with true for those with time stamps."""
    (folder.path / "letter.txt").write_bytes(LETTER)
    shutil.copy(SIGNED / "unsigned.pdf", folder.path / "plain.pdf")
    stamp = ["--level", "t", *folder.tsa]
    for ending in (".p7m", ".p7s"):
        for name, words in (("letter", []), ("stamped", stamp)):
            (folder.path / f"{name}.txt").write_bytes(LETTER)
            folder.sign(f"{name}.txt", f"{name}.txt{ending}", *words)
            yield f"{name}.txt{ending}", name == "stamped"
        (folder.path / "two.txt").write_bytes(LETTER)
        folder.sign(f"letter.txt{ending}", f"two.txt{ending}", card="nxp")
        yield f"two.txt{ending}", False
        (folder.path / "later.txt").write_bytes(LETTER)
        assert read("extend", folder.path / f"letter.txt{ending}", "--out", folder.path / f"later.txt{ending}", *folder.tsa)[0] == 0
        yield f"later.txt{ending}", True
    for name, words in (("signed", []), ("stamped", stamp), ("marked", ["--mark", "--page", "last"])):
        folder.sign("plain.pdf", f"{name}.pdf", *words)
        yield f"{name}.pdf", name == "stamped"
    folder.sign("signed.pdf", "two.pdf", card="nxp")
    yield "two.pdf", False
    folder.sign("plain.pdf", "roomy.pdf", "--room", "16384")
    for source, output in (("signed.pdf", "later.pdf"), ("roomy.pdf", "inside.pdf")):
        assert read("extend", folder.path / source, "--out", folder.path / output, *folder.tsa)[0] == 0
        yield output, True


def forgeries(folder):
    """Changed copies of what was signed, by the kind of attack."""
    pdf = (folder.path / "signed.pdf").read_bytes()
    gap = re.search(rb"/ByteRange \[0+ (\d+) (\d+) (\d+)\] /Contents <([0-9A-Fa-f]+)>", pdf)
    yield "content.pdf", pdf.replace(b"/MediaBox", b"/mediaBox", 1)
    yield "time.pdf", pdf.replace(b"/M <443A32", b"/M <443A31", 1)
    yield "range.pdf", pdf.replace(gap[3], b"%010d" % (int(gap[3]) - 1), 1)
    yield "appended.pdf", pdf + b"\n%%EOF\n"
    yield "signature.pdf", pdf.replace(gap[4][:40], gap[4][:38] + b"00", 1)
    attached = (folder.path / "letter.txt.p7m").read_bytes()
    yield "content.p7m", attached.replace(LETTER, b"Cara ufficio\n", 1)
    yield "behind.p7m", attached + b"\1"
    info = cms.ContentInfo.load(attached)
    signer = info["content"]["signer_infos"][0]
    # The signed attributes pass as the contents.
    signed = signer["signed_attrs"].untag().dump()
    info["content"]["encap_content_info"]["content"] = core.OctetString(b"\x31" + signed[1:])
    bare = cms.SignerInfo({name: signer[name].copy() for name in ("version", "sid", "digest_algorithm", "signature_algorithm", "signature")})
    info["content"]["signer_infos"] = [bare]
    yield "attributes.p7m", info.dump(force=True)
    other = cms.ContentInfo.load(attached)
    other["content"]["signer_infos"][0]["digest_algorithm"]["algorithm"] = "sha512"
    yield "algorithm.p7m", other.dump(force=True)


async def main():
    logging.disable(logging.CRITICAL)
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(pathlib.Path(path))
        try:
            for name, stamped in documents(folder):
                ours = folder.check(name) == 0
                theirs = await folder.pyhanko(name, stamped)
                count += 1
                if not (ours and theirs):
                    wrong.append(f"{name}: cie-read {'proved' if ours else 'not proved'}, pyHanko {'passed' if theirs else 'failed'}")
            plain = (folder.path / "plain.pdf").read_bytes()
            async for name, ours, theirs, expected in long_term.LongTerm(folder, read).verdicts(plain):
                count += 1
                if (ours, theirs) != (expected, expected):
                    wrong.append(f"{name}: cie-read {'proved' if ours else 'not proved'}, pyHanko {'passed' if theirs else 'failed'}")
            for name, content in forgeries(folder):
                assert content not in [file.read_bytes() for file in folder.path.glob("*.p*")], f"{name} is no forgery"
                (folder.path / name).write_bytes(content)
                ours = folder.check(name) == 0
                try:
                    theirs = await folder.pyhanko(name)
                except Exception:  # Every way to refuse is one.
                    theirs = False
                count += 1
                # pyHanko overlooks bytes behind a CMS, and judges the signature without attributes as CMS allows it.
                if ours or (theirs and name not in ("behind.p7m", "attributes.p7m", "algorithm.p7m")):
                    wrong.append(f"{name}, forged: cie-read {'proved' if ours else 'refused'}, pyHanko {'passed' if theirs else 'refused'}")
        finally:
            folder.close()
    print("\n".join(wrong))
    print(f"test-documents: {count} verdicts, {len(wrong)} unexpected")
    return 1 if wrong or count < 20 else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
