"""Faults of the n-th HTTP exchange, whatever its purpose."""
import unittest

from .rig import SandboxTest
from .ways import Native, Reply, curl

KINDS = (
    "reset", "cut", "slow", "drip", "huge", "empty", "500", "type", "redirect-host", "redirect-http", "redirect-file",
    "redirect-loop")
NAMES = {f"exchange-{kind}" for kind in KINDS}


class ExchangeTest(SandboxTest):
    """curl under another name: setup requests are not counted."""

    def setUp(self) -> None:
        self.rig.clear()
        self.url = Native(self.rig).authority + "v2.0/.well-known/openid-configuration"

    def get(self, *options: str) -> Reply:
        return curl(self.rig, self.url, "--user-agent", "client", *options)

    def count(self) -> object:
        return self.rig.control("GET", "fault")["exchanges"]

    def test_exchanges_are_counted_from_the_last_clearing(self) -> None:
        self.assertEqual(self.count(), 0)
        self.get()
        curl(self.rig, self.url)
        self.assertEqual(self.count(), 1)
        self.rig.clear()
        self.assertEqual(self.count(), 0)

    def test_the_first_ones_pass(self) -> None:
        self.rig.control("POST", "fault", fault="exchange-500", count="1", after="2")
        self.assertEqual([self.get().status for _ in range(4)], [200, 200, 500, 200])

    def test_every_kind_shows(self) -> None:
        good = self.get()
        for kind, status in (("redirect-host", 307), ("redirect-http", 307), ("redirect-file", 307),
                             ("redirect-loop", 307), ("500", 500), ("empty", 200)):
            self.rig.arm(f"exchange-{kind}")
            reply = self.get()
            self.assertEqual((reply.status, reply.body), (status, b""), kind)
        self.rig.arm("exchange-type")
        typed = self.get()
        self.assertEqual((typed.body, typed.headers["content-type"]), (good.body, "text/html; charset=utf-8"))
        for kind, ends in (("reset", (35, 52, 56)), ("slow", (28,)), ("cut", (18,)), ("drip", (28,)), ("huge", (28,))):
            self.rig.arm(f"exchange-{kind}")
            self.assertIn(self.get("--max-time", "0.4").curl, ends, kind)


if __name__ == "__main__":
    unittest.main()
