#!/usr/bin/env python3
"""Makes pkits-*.json from NIST's Public Key Interoperability Test Suite.

    make-pkits.py FOLDER    FOLDER has certs/ and crls/: PKITS_data of PyPI's cryptography-vectors, or of NIST's archive
"""
import base64
import json
import pathlib
import sys
import zlib

HERE = pathlib.Path(__file__).parent
SOURCE = ("NIST, Public Key Interoperability Test Suite (PKITS) 1.0.1, https://csrc.nist.gov/projects/pki-testing; "
          "a work of the United States Government, in the public domain")


def write(part, files):
    """Writes DER objects, one behind the other, compressed; their names are in the same order."""
    joined = zlib.compress(b"".join(file.read_bytes() for file in files), 9)
    text = base64.b64encode(joined).decode()
    lines = [text[start:start + 120] for start in range(0, len(text), 120)]
    out = HERE / f"pkits-{part}.json"
    out.write_text(json.dumps({
        "source": SOURCE, "names": [file.stem for file in files],
        "length": sum(file.stat().st_size for file in files), "deflated": lines,
    }, indent=0) + "\n")
    print(out.name, len(files), out.stat().st_size)


folder = pathlib.Path(sys.argv[1])
certificates = sorted((folder / "certs").glob("*.crt"))
write("ends", [file for file in certificates if file.stem.endswith("EE")])
write("authorities", [file for file in certificates if not file.stem.endswith("EE")])
write("lists", sorted((folder / "crls").glob("*.crl")))
