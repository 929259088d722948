#!/usr/bin/env python3
"""Writes dss-qualification.json, the facts of esig/dss's tests of qualification, with the results that they expect.

make-dss-qualification.py DSS > dss-qualification.json, with a checkout of github.com/esig/dss.
Left out are cases whose data a test changes before it judges, and those without a word about qualification.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(sys.argv[1]) / "dss-validation/src/test"
TESTS = ROOT / "java/eu/europa/esig/dss/validation/executor"
STATEMENTS = {"QcCompliance": "0.4.0.1862.1.1", "QcSSCD": "0.4.0.1862.1.4"}
# Calls of a test that leave the data as they are.
HARMLESS = {
    "setDiagnosticData", "setValidationPolicy", "setCurrentTime", "setCertificateId", "setIncludeSemantics",
    "setAnnotationIntrospector",
}


def local(node):
    return node.tag.split("}")[-1]


def every(node, name):
    return [child for child in node.iter() if local(child) == name]


def text(node, name):
    return next((child.text for child in every(node, name)), None)


def last(address):
    return address.rsplit("/", 1)[-1]


def statements(certificate):
    found, types = [], []
    for group in every(certificate, "QcStatements"):
        for member in group:
            name = local(member)
            if name in STATEMENTS and member.get("present") == "true":
                found.append(STATEMENTS[name])
            if name == "QcCClegislation" and len(member):
                found.append("0.4.0.1862.1.7")
            if name == "QcTypes":
                types += [each.text for each in member]
    return found, types


def services(certificate):
    """Services as lists of their states, the newest first: a state that ends where another begins is of the same service."""
    found = []
    for provider in every(certificate, "TrustServiceProvider"):
        for node in every(provider, "TrustService"):
            state = {
                "kind": text(node, "ServiceType").split("Svctype/")[-1],
                "status": last(text(node, "Status")),
                "start": text(node, "StartDate"),
                "qualifiers": [last(each.text) for each in every(node, "Qualifier")],
                "uses": [last(each.text) for each in every(node, "AdditionalServiceInfoUri")],
            }
            identity = provider.get("TL"), node.get("ServiceDigitalIdentifier")
            own = (each for each in found if each[0] == identity and each[1][-1]["start"] == text(node, "EndDate"))
            service = next(own, None)
            if service:
                service[1].append(state)
            else:
                found.append((identity, [state]))
    return [states for _, states in found]


def cases(test, outcome, count):
    """The tests in a file, by the word that their expectations begin with."""
    for body in (TESTS / test).read_text().split("@Test")[1:]:
        files = re.findall(r'diag-data/[^"]*\.xml', body)
        expected = re.findall(outcome + r"\.([A-Z_]+),", body)
        changes = set(re.findall(r"\.(set[A-Za-z]+)\(", body)) - HARMLESS
        if len(files) != 1 or len(expected) != count or changes:
            continue
        tree = ElementTree.parse(ROOT / "resources" / files[0]).getroot()
        certificates = {each.get("Id"): each for each in every(tree, "Certificate") if each.get("Id")}
        if count == 1:
            signature = next(each for each in every(tree, "Signature") if each.get("Id"))
            identifier = every(signature, "SigningCertificate")[0].get("Certificate")
        else:
            identifier = re.search(r'String cert(?:ificate)?Id = "([^"]+)"', body).group(1)
        certificate = certificates[identifier]
        found, types = statements(certificate)
        stamps = [each.text for each in every(tree, "ProductionTime")] if count == 1 else []
        yield {
            "file": files[0].removeprefix("diag-data/"),
            "issued": text(certificate, "NotBefore"),
            "time": min(stamps + [text(tree, "ValidationDate")]),
            "statements": found,
            "types": types,
            "policies": [each.text for each in every(certificate, "certificatePolicy")],
            "services": services(certificate),
            "expected": expected,
        }


def main():
    found = list(cases("process/QualificationProcessExecutorTest.java", "SignatureQualification", 1))
    found += cases("CertificateProcessExecutorTest.java", "CertificateQualification", 2)
    source = "esig/dss, commit d9473b8e, dss-validation/src/test: facts of its diagnostic data, and the results of its tests"
    lines = ",\n".join(json.dumps(case) for case in found)
    print('{"source": %s,\n"cases": [\n%s\n]}' % (json.dumps(source), lines))


main()
