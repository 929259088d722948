"""The service provider's limits on input. Other layers refuse some of it too, so no login can test these alone."""
import base64
import unittest

from cie_sandbox.saml.xml import NotXML, parse
from cie_sandbox.sp import response_checks


class ReadingTest(unittest.TestCase):
    """No document types, and no input larger than any response."""

    def test_document_types(self) -> None:
        self.assertEqual(parse(b"<a/>").tag, "a")
        for document in (b"<!DOCTYPE a><a/>", b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"):
            with self.assertRaises(NotXML):
                parse(document)

    def test_size(self) -> None:
        response = b"<a>" + b" " * response_checks.MAXIMUM + b"</a>"
        with self.assertRaises(response_checks.Rejected) as caught:
            response_checks.read(base64.b64encode(response).decode())
        self.assertEqual(caught.exception.reason, "too-large")
