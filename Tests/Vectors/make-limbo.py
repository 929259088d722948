#!/usr/bin/env python3
"""Makes limbo.json from x509-limbo, https://github.com/C2SP/x509-limbo.

    make-limbo.py LIMBO.JSON          the part in this folder
    make-limbo.py LIMBO.JSON FOLDER   all cases

LIMBO.JSON is of the checkout, or made by `python -m limbo compile` there: the keys are others then, the cases the same. BetterTLS's
cases, which x509-limbo copies, are left out: they are of browsers' name constraints.
"""
import base64
import datetime
import json
import pathlib
import sys

import suite_file

COMMIT = "8a2e6f41023b1716dc16fe63335e4bb972e4c3f6"
SOURCE = f"x509-limbo, https://github.com/C2SP/x509-limbo, commit {COMMIT}, Apache License 2.0"
# All are valid then, but for those that name a time.
TIME = datetime.datetime(2024, 3, 15, tzinfo=datetime.timezone.utc)
# Not in the part: rules for web servers and their names, and chains of a hundred certificates; but for what concerns persons, keys and
# the building of paths.
LEFT = ("webpki::", "online", "rfc5280::nc::", "pathological::pathological", "pathological::nc")
KEPT = ("webpki::explicit-curve", "webpki::forbidden", "webpki::v1-cert", "webpki::cryptographydotio", "rfc5280::nc::permitted-dn-",
        "rfc5280::nc::excluded-dn-", "rfc5280::nc::nc-permits-email", "rfc5280::nc::nc-permits-invalid-email",
        "rfc5280::nc::nc-forbids-alternate", "rfc5280::nc::nc-forbids-same")


def der(texts):
    """The DER of PEM texts, one behind the other, in hexadecimal."""
    return b"".join(base64.b64decode("".join(text.split("-----")[2].split())) for text in texts or []).hex()


def is_in_part(name):
    return name.startswith(KEPT) or not name.startswith(LEFT)


def groups(cases, is_part):
    for case in cases:
        if case["id"].startswith("bettertls") or is_part and not is_in_part(case["id"]):
            continue
        time = datetime.datetime.fromisoformat(case["validation_time"]) if case["validation_time"] else TIME
        values = [[case["peer_certificate"]], case["untrusted_intermediates"], case["trusted_certs"], case.get("crls")]
        expected = {"SUCCESS": "valid", "FAILURE": "invalid"}[case["expected_result"]]
        yield {"file": "limbo", "kind": "path", "time": int(time.timestamp()), "cases": [[case["id"], expected, *map(der, values)]]}


suite = json.loads(pathlib.Path(sys.argv[1]).read_text())
is_part = len(sys.argv) < 3
suite_file.write(suite_file.HERE if is_part else sys.argv[2], "limbo", SOURCE, groups(suite["testcases"], is_part))
