"""Levels LT and LTA: pyHanko judges what cie-read adds, and cie-read what pyHanko adds. Part of judge.py."""
import dataclasses
import datetime
import io

import freezegun
from asn1crypto import cms, ocsp
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.timestamps.aiohttp_client import HTTPTimeStamper
from pyhanko.sign.validation import ades
from pyhanko.sign.validation.policy_decl import LocalKnowledge, PdfSignatureValidationSpec, RevinfoOnlineFetchingRule, RevocationInfoGatheringSpec
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy
from pyhanko_certvalidator.revinfo.archival import OCSPContainer


class LongTerm:
    """The documents of a holder whose issuer answers, in the folder of the time stamp server."""

    def __init__(self, folder, read):
        self.path, self.read = folder.path / "tsa", read
        self.url = folder.tsa[1]
        self.services = folder.tsa
        self.trust = ["--trust", self.path / "ca.pem", "--tsa-trust", self.path / "ca.pem"]
        self.holder = signers.SimpleSigner.load(self.path / "holder.key", self.path / "holder.pem")
        # Without revocation information nothing passes, and nothing is fetched.
        required = dataclasses.replace(
            folder.policy.cert_validation_policy,
            revinfo_policy=CertRevTrustPolicy(RevocationCheckingPolicy.from_legacy("require")))
        self.policy = dataclasses.replace(
            folder.policy, cert_validation_policy=required, ts_cert_validation_policy=required,
            revinfo_gathering_policy=RevocationInfoGatheringSpec(RevinfoOnlineFetchingRule.LOCAL_ONLY))

    async def sign(self, name, field, source, **more):
        """Signs a PDF with pyHanko; level B, or what more says."""
        metadata = signers.PdfSignatureMetadata(
            field_name=field, subfilter=fields.SigSeedSubFilter.PADES, md_algorithm="sha256",
            signer_key_usage={"digital_signature"}, **more)
        stamper = HTTPTimeStamper(self.url) if more else None
        output = await signers.PdfSigner(metadata, self.holder, timestamper=stamper).async_sign_pdf(
            IncrementalPdfFileWriter(io.BytesIO(source)), bytes_reserved=2 * 12000)
        (self.path / name).write_bytes(output.getvalue())
        return output.getvalue()

    def extend(self, source, output, level):
        status, answer = self.read(
            "extend", self.path / source, "--out", self.path / output, "--level", level, *self.services)
        assert status == 0, (output, answer)

    def proved(self, name):
        """cie-read's verdict: true if all is proved, revocation and time of each signature too."""
        status, answer = self.read("check", self.path / name, *self.trust)
        points = [{point["point"]: point["verdict"] for point in one["points"]}
                  for one in answer["files"][0]["signatures"] if one["kind"] == "signature"]
        return status == 0 and all(one.get("revocation") == "proved" for one in points)

    async def passes(self, name):
        """pyHanko's verdict on each signature, with the evidence inside alone, an hour later."""
        # Time stands still, because its proofs of existence else begin after its time of judging.
        later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
        with freezegun.freeze_time(later, real_asyncio=True):
            return await self.judged(name)

    async def judged(self, name):
        content = (self.path / name).read_bytes()
        if name.endswith(".pdf"):
            results = [
                await ades.ades_lta_validation(one, PdfSignatureValidationSpec(self.policy))
                for one in PdfFileReader(io.BytesIO(content)).embedded_regular_signatures]
        else:
            data = cms.ContentInfo.load(content, strict=True)["content"]
            # Its engine does not take the evidence of a CMS by itself.
            responses = [ocsp.OCSPResponse.load(one.chosen["other_rev_info"].dump())
                         for one in data["crls"] if one.name == "other"]
            known = LocalKnowledge(known_ocsps=[OCSPContainer(one) for one in responses])
            policy = dataclasses.replace(self.policy, local_knowledge=known)
            results = [await ades.ades_with_time_validation(data, policy)]
        return bool(results) and all(one.ades_subindic == ades.AdESPassed.OK for one in results)

    async def verdicts(self, plain):
        """Yields name, both verdicts, and the expected one."""
        backend = AIOHttpFetcherBackend()
        async with backend:
            await self.sign("held.pdf", "First", plain)
            for source in ("held.pdf", "twice.pdf", "letter.txt.p7m"):
                name, ending = source.split(".")[0], source.split(".")[-1]
                if name == "twice":
                    await self.sign(source, "Second", (self.path / "held-t.pdf").read_bytes())
                yield source, self.proved(source), await self.passes(source), False
                for level, start in (("t", source), ("lt", source), ("lta", source), ("lta", f"{name}-lta.{ending}")):
                    output = f"{start.split('.')[0]}-{level}.{ending}"
                    self.extend(start, output, level)
                    yield output, self.proved(output), await self.passes(output), level != "t"
            roots = [load_cert_from_pemder(str(self.path / "ca.pem"))]
            for name, is_archived in (("other-lt.pdf", False), ("other-lta.pdf", True)):
                context = ValidationContext(trust_roots=roots, allow_fetching=True, fetcher_backend=backend)
                await self.sign(
                    name, "First", plain, embed_validation_info=True, use_pades_lta=is_archived, validation_context=context)
                yield name, self.proved(name), await self.passes(name), True
