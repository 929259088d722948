#!/usr/bin/env python3
"""Makes cavp-*.json from the files of NIST's Cryptographic Algorithm Validation Program.

    make-cavp.py VECTORS          the part in this folder: of some sections one to three cases of each result
    make-cavp.py VECTORS FOLDER   all cases of the files that concern this program

VECTORS is the folder `cryptography_vectors` of PyPI's package of that name, which has NIST's files unchanged. Left out are Monte Carlo
chains, other curves than P-192 to P-521, and three-key triple DES.
"""
import pathlib
import re
import sys

import suite_file

SOURCE = ("NIST, Cryptographic Algorithm Validation Program, CAVS 11, https://csrc.nist.gov/projects/cavp; a work of the United States "
          "Government, in the public domain; from PyPI's cryptography-vectors 50.0.2")
# Names of curves, with their object identifiers and the bytes of a coordinate.
CURVES = {"P-192": ("2a8648ce3d030101", 24), "P-224": ("2b81040021", 28), "P-256": ("2a8648ce3d030107", 32),
          "P-384": ("2b81040022", 48), "P-521": ("2b81040023", 66)}
# The part in this folder: of these sections one case of each hash function and result.
PART = re.compile(r"SigVer.*_186-3 mod = 2048|FIPS_186-3 (P-224,SHA-224|P-256,SHA-256|P-384,SHA-384|P-521,SHA-512)|.*Short|CBC|TCBC|KAS.*ECC.*_init|KAS.*_init FA")
HASHES_OF_RSA = ("sha256", "sha512")


def records(path):
    """The records of a .rsp file, each with the section and all that was said before and may still hold."""
    section, held, record = "", {}, {}
    for line in [*path.read_text().splitlines(), ""]:
        line = line.strip()
        if line.startswith("["):
            section, held = line.strip("[]"), {}
        elif "=" in line:
            name, _, value = line.partition("=")
            record[name.strip()] = value.strip()
        elif not line and record:
            if record.keys() & {"Result", "MD", "CIPHERTEXT"}:
                yield section, held | record
            else:
                held |= record
            record = {}


def der(tag, *parts):
    inside = b"".join(parts)
    length = len(inside)
    size = b"" if length < 128 else length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, length if length < 128 else 0x80 | len(size)]) + size + inside


def integer(text):
    """An INTEGER that is not negative."""
    number = int(text, 16)
    return der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def rsa_key(n, e):
    return der(0x30, bytes.fromhex("300d06092a864886f70d0101010500"), der(3, b"\0", der(0x30, integer(n), integer(e)))).hex()


def curve_key(curve, x, y):
    identifier, length = CURVES[curve]
    algorithm = der(0x30, bytes.fromhex("06072a8648ce3d0201"), der(6, bytes.fromhex(identifier)))
    point = b"\4" + b"".join(int(value, 16).to_bytes(length, "big") for value in (x, y))
    return der(0x30, algorithm, der(3, b"\0", point)).hex()


def result(record):
    """The verdict and the reason in NIST's words."""
    verdict, _, reason = record["Result"].partition("(")
    return {"P": "valid", "F": "invalid"}[verdict.strip()], reason.strip(" )0123456789-")


def signatures(vectors):
    for path in sorted((vectors / "asymmetric/RSA/FIPS_186-2").glob("SigVer*_186-3.rsp")):
        kind = "pss" if "PSS" in path.name else "pkcs1"
        for number, (section, record) in enumerate(records(path)):
            if "Result" not in record:
                continue
            hash = record["SHAAlg"].lower()
            shared = {"file": f"{path.stem} {section}", "kind": kind, "key": rsa_key(record["n"], record["e"]), "hash": hash}
            if kind == "pss":
                shared |= {"mask": hash, "salt": 0 if record["SaltVal"] == "00" else len(record["SaltVal"]) // 2}
            expected, reason = result(record)
            yield shared | {"cases": [[f"{number} {hash} {reason}".strip(), expected, record["Msg"], record["S"]]]}
    for folder in ("FIPS_186-2", "FIPS_186-3"):
        for number, (section, record) in enumerate(records(vectors / "asymmetric/ECDSA" / folder / "SigVer.rsp")):
            curve, _, hash = section.partition(",")
            if curve not in CURVES:
                continue
            expected, reason = result(record)
            yield {
                "file": f"{folder} {section}", "kind": "ecdsa", "key": curve_key(curve, record["Qx"], record["Qy"]),
                "hash": (hash or "SHA-1").lower().replace("-", ""),
                "cases": [[f"{number} {reason}".strip(), expected, record["Msg"], der(0x30, integer(record["R"]), integer(record["S"])).hex()]]}


def ciphers(vectors):
    for name in ("SHA1/SHA1", "SHA2/SHA224", "SHA2/SHA256", "SHA2/SHA384", "SHA2/SHA512"):
        for length in ("Short", "Long"):
            path = vectors / "hashes" / f"{name}{length}Msg.rsp"
            for _, record in records(path):
                message = record["Msg"] if record["Len"] != "0" else ""
                yield {"file": path.stem, "kind": "hash", "hash": path.stem[:-8 if length == "Short" else -7].lower(),
                       "cases": [[record["Len"], "valid", message, record["MD"]]]}
    for kind, paths in (("cbc", "AES/CBC/CBC*.rsp"), ("tdes", "3DES/CBC/TCBC[MVivps]*.rsp")):
        for path in sorted((vectors / "ciphers").glob(paths)):
            if path.stem.startswith("TCBCMMT3") or path.stem.startswith("TCBCI"):
                continue
            for section, record in records(path):
                key = record.get("KEY") or (record["KEYs"] * 2 if "KEYs" in record else record["KEY1"] + record["KEY2"])
                yield {"file": f"{path.stem} {section.lower()}", "kind": kind, "cases": [
                    [record["COUNT"], "valid", key, record["IV"], record["PLAINTEXT"], record["CIPHERTEXT"]]]}
    for path in sorted((vectors / "asymmetric/ECDH").glob("*NOKC_ZZOnly_*.fax")):
        curves = dict(re.findall(r"\[(E[A-E])\]\s+\[Curve selected:\s+(P-\d+)\]", path.read_text()))
        for section, record in records(path):
            if "Z" not in record:
                continue
            set, _, hash = section.partition(" - ")
            length = CURVES[curves[set]][1]
            theirs, own = ("04" + "".join(f"{int(record[name + axis], 16):0{2 * length}x}" for axis in "xy") for name in ("QsCAVS", "QsIUT"))
            expected, reason = result(record)
            yield {"file": f"{path.stem} {section}", "kind": "agreement", "curve": curves[set], "hash": hash.lower(), "cases": [
                [f"{record['COUNT']} {reason}".strip(), expected, theirs, record["dsIUT"], own, record["CAVSHashZZ"]]]}
    for path in sorted((vectors / "asymmetric/DH").glob("*NOKC_ZZOnly_*.fax")):
        for section, record in records(path):
            if "Z" not in record:
                continue
            length = len(record["P"])
            theirs, own = (record[name].lstrip("0").zfill(length) for name in ("YstatCAVS", "YstatIUT"))
            expected, reason = result(record)
            yield {"file": f"{path.stem} {section}", "kind": "field", "hash": section.partition(" - ")[2].lower(), "cases": [
                [f"{record['COUNT']} {reason}".strip(), expected, theirs, record["XstatIUT"], own, record["CAVSHashZZ"], record["P"],
                 record["Q"], record["G"]]]}


def joined(groups, most):
    """The groups of one file and key as one."""
    kept = suite_file.few(filter(in_part, groups), most, lambda group: (
        group["file"], group.get("hash"), group["cases"][0][1], group["cases"][0][0].partition(" ")[2])) if most else groups
    found = {}
    for group in kept:
        cases = group.pop("cases")
        found.setdefault(tuple(group.items()), []).extend(cases)
    return [dict(shared) | {"cases": cases} for shared, cases in found.items()]


def in_part(group):
    return PART.match(group["file"]) and (not group["file"].startswith("SigVer") or group["hash"] in HASHES_OF_RSA)


vectors, is_part = pathlib.Path(sys.argv[1]), len(sys.argv) < 3
folder = suite_file.HERE if is_part else sys.argv[2]
suite_file.write(folder, "cavp-signatures", SOURCE, joined(signatures(vectors), is_part and 1))
suite_file.write(folder, "cavp-card", SOURCE, joined(ciphers(vectors), is_part and 3))
