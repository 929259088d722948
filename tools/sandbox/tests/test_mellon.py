"""The identity provider's responses before an independent judge: mod_auth_mellon."""
import unittest

from .browser import Page
from .card import to_consent
from .mellon import Mellon
from .rig import Rig


class MellonTest(unittest.TestCase):
    """The whole login at apache2, and responses that it refuses."""

    @classmethod
    def setUpClass(cls) -> None:
        keys = Rig()
        cls.addClassCleanup(keys.remove)
        cls.mellon = Mellon(keys)
        cls.rig = Rig("--generic-sp-metadata", str(cls.mellon.metadata), like=keys)
        cls.addClassCleanup(cls.rig.remove)
        cls.mellon.start(cls.rig)
        cls.addClassCleanup(cls.mellon.remove)
        # The login starts at apache2's page in place of the sandbox's own service provider.
        cls.rig.ready["spLogin"] = cls.mellon.base + "secret/"

    mellon: Mellon
    rig: Rig

    def log_in(self, signed: bool = False, choice: str = "accept") -> tuple[Page, Page]:
        browser = self.rig.browser()
        consent = to_consent(self.rig, browser, signed=signed)
        return consent, browser.submit(browser.submit(consent, choice=choice))

    def test_accepted(self) -> None:
        for signed in (False, True):
            with self.subTest(signed=signed):
                consent, end = self.log_in(signed)
                self.assertEqual((end.status, end.title), (200, "behind mellon"))
                self.assertEqual(end.headers["x-person"], consent.data["fiscalNumber"])

    def test_refused(self) -> None:
        for fault in (
            "saml-wrong-signature", "saml-wrong-key", "saml-expired", "saml-wrong-audience",
            "saml-wrong-recipient", "saml-wrong-issuer", "saml-wrapped",
        ):
            with self.subTest(fault):
                self.rig.arm(fault)
                _, end = self.log_in()
                self.assertNotEqual(end.title, "behind mellon")
                self.assertGreaterEqual(end.status, 400)

    def test_denied(self) -> None:
        _, end = self.log_in(choice="deny")
        self.assertNotEqual(end.title, "behind mellon")
