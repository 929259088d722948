#!/usr/bin/env python3
"""Makes wycheproof-*.json from Project Wycheproof, https://github.com/C2SP/wycheproof.

    make-wycheproof.py CHECKOUT          the part in this folder: of some files, a few cases of each flag
    make-wycheproof.py CHECKOUT FOLDER   all cases of all files that concern this program

Left out are hash functions and curves that the program does not name (SHA-3, SHAKE, SHA-512/t, secp160, secp192k1, secp224k1, sect…),
but for signatures on secp256k1, which a signer's certificate may have; keys of other files in another form (PEM, WebCrypto, JWK);
invalid cases of AES-CBC, whose padding the callers remove; and operations without a counterpart here (sig_gen, oaep).
"""
import json
import pathlib
import re
import sys

import suite_file

COMMIT = "dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166"
SOURCE = f"Project Wycheproof, https://github.com/C2SP/wycheproof, commit {COMMIT}, Apache License 2.0"
HASHES = {"SHA-1": "sha1", "SHA-224": "sha224", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
SIGNATURES = {"RsassaPkcs1Verify": "pkcs1", "RsassaPssVerify": "pss", "RsassaPssWithParametersVerify": "pss", "EcdsaVerify": "ecdsa"}
CARD = {"EcdsaP1363Verify": "plain", "EcdhTest": "ecdh", "EcdhEcpointTest": "ecdh point", "MacTest": "cmac", "IndCpaTest": "cbc"}
NAMES = re.compile(
    r"rsa_(signature|pss)_|ecdsa_(secp(192|224|256|384|521)r1|brainpool|secp256k1)|ecdh_(secp(224|256|384|521)r1|brainpool)|aes_c(mac|bc_)")
# The files of the part, with the most cases of each set of flags.
PART = {
    "rsa_signature_2048_sha256": 5, "rsa_signature_2048_sha512": 1, "rsa_pss_2048_sha256_mgf1_32": 4, "rsa_pss_2048_sha512_mgf1sha256_32_params": 2,
    "ecdsa_secp256r1_sha256": 6, "ecdsa_secp384r1_sha384": 2, "ecdsa_secp521r1_sha512": 2, "ecdsa_secp224r1_sha256": 1,
    "ecdsa_brainpoolP256r1_sha256": 2, "ecdsa_brainpoolP512r1_sha512": 1, "ecdsa_secp256k1_sha256": 1,
    "ecdsa_secp256r1_sha256_p1363": 3, "ecdsa_brainpoolP320r1_sha384_p1363": 1, "ecdsa_secp521r1_sha512_p1363": 1,
    "ecdh_secp256r1": 3, "ecdh_brainpoolP256r1": 3, "ecdh_secp521r1_ecpoint": 2, "aes_cmac": 4, "aes_cbc_pkcs5": 4,
}


def padded(message):
    """With the padding of PKCS #7."""
    missing = 16 - len(message) // 2 % 16
    return message + f"{missing:02x}" * missing


def values(kind, test):
    """The values of a case in the order of the Swift test."""
    if kind in ("cmac", "cbc"):
        return [test["key"], test["msg"], test["tag"]] if kind == "cmac" else [test["key"], test["iv"], padded(test["msg"]), test["ct"]]
    if kind.startswith("ecdh"):
        return [test["public"], test["private"], test["shared"]]
    return [test["msg"], test["sig"]]


def head(file, group, kind):
    """The common fields of a group's cases; None for a hash function that the program does not have."""
    shared = {"file": file, "kind": kind}
    if kind in ("pkcs1", "pss", "ecdsa", "plain"):
        shared["key"] = group["publicKeyDer"]
        shared["hash"] = HASHES.get(group["sha"])
        if kind == "pss":
            shared["mask"], shared["salt"] = HASHES.get(group["mgfSha"]), group["sLen"]
        if None in shared.values():
            return None
    if kind.startswith("ecdh"):
        shared["curve"] = group["curve"]
    if kind == "cmac":
        shared["salt"] = group["tagSize"] // 8
    return shared


def groups(checkout, kinds, part):
    for path in sorted((checkout / "testvectors_v1").glob("*_test.json")):
        file = path.stem.removesuffix("_test")
        if not NAMES.match(file) or part and file not in part:
            continue
        content = json.loads(path.read_text())
        taken = [(group, test) for group in content["testGroups"] for test in group["tests"]
                 if group["type"] != "IndCpaTest" or test["result"] == "valid"]
        if part:
            taken = suite_file.few(taken, part[file], lambda pair: (pair[1]["result"], *pair[1]["flags"]))
        chosen = {}
        for group, test in taken:
            chosen.setdefault(id(group), (group, []))[1].append(test)
        for group, tests in chosen.values():
            kind = kinds.get(group["type"])
            shared = kind and head(file, group, kind)
            if shared:
                yield shared | {"cases": [
                    [" ".join([str(test["tcId"]), test["comment"]]).strip(), test["result"], *values(kind, test)] for test in tests]}


checkout = pathlib.Path(sys.argv[1])
folder, part = (sys.argv[2], None) if len(sys.argv) > 2 else (suite_file.HERE, PART)
suite_file.write(folder, "wycheproof-signatures", SOURCE, groups(checkout, SIGNATURES, part))
suite_file.write(folder, "wycheproof-card", SOURCE, groups(checkout, CARD, part))
