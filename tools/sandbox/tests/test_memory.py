"""The service provider's state. Each rule is covered by others, so no login can test it alone."""
import unittest

from cie_sandbox.sp.sessions import SessionStore


class MemoryTest(unittest.TestCase):
    """One answer a request, one use an ID, one cookie a login."""

    def test_an_id_is_taken_once(self) -> None:
        store = SessionStore()
        self.assertTrue(store.take("response", "assertion"))
        self.assertFalse(store.take("other", "assertion"))
        self.assertFalse(store.take("response", "third"))
        # A refused pair leaves nothing behind.
        self.assertTrue(store.take("other", "third"))

    def test_a_request_is_answered_once_and_in_its_own_session(self) -> None:
        store = SessionStore()
        session, other = store.new(), store.new()
        store.expect(session, "request", "state", 3)
        self.assertIsNone(store.answered(other, "state"))
        self.assertIsNone(store.answered(session, "wrong"))
        pending = store.answered(session, "state")
        self.assertEqual(pending.request if pending else None, "request")
        self.assertIsNone(store.answered(session, "state"))

    def test_an_ended_session_is_unknown(self) -> None:
        store = SessionStore()
        session = store.new()
        self.assertIs(store.session(session.cookie), session)
        store.end(session.cookie)
        self.assertIsNone(store.session(session.cookie))
