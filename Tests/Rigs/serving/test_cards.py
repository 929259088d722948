"""The use of a card in a reader of a real pcscd: one request at a time, and faults."""
import base64
import json
import unittest


from service import PATIENCE, CAN, NIS, PROGRAMS, Connection, Events, ServiceTest, wait


class CardTest(ServiceTest):
    """Each test starts without a card."""

    def setUp(self):
        super().setUp()
        # The previous test's card may still seem to be there.
        words = PROGRAMS / "cie-read", "readers", "--json"
        wait(lambda: '"card":true' not in self.processes.run(*words, check=False).stdout)

    def insert(self, *faults):
        """Places a card."""
        self.card.insert(*faults)

    def test_the_answer_is_that_of_the_command_line(self):
        service = self.start()
        self.insert()
        for function, object, words in (
                ("info", {}, ()), ("nis", {}, ()), ("nis", {"requireProved": True}, ("--require-proved",)), ("verify", {}, ()),
                ("read", {"can": CAN}, ("--can", CAN)), ("read", {"can": CAN, "only": ["dg1"]}, ("--can", CAN, "--only", "dg1")),
                ("verify", {"can": CAN}, ("--can", CAN)), ("read", {"can": "000000"}, ("--can", "000000"))):
            answer = service.do(function, object)
            trust = () if function == "info" else ("--trust", self.folder / "anchors")
            program = self.processes.run(PROGRAMS / "cie-read", function, *words, *trust, "--json", check=False)
            expected = json.loads(program.stdout)
            got = answer.object
            if photo := got.pop("photo", None):
                self.assertTrue(base64.b64decode(photo["base64"]).startswith(b"\xff\xd8\xff"))
            self.assertEqual(photo is not None, bool(got.get("portrait")))
            expected.pop("photo", None)
            for one in (got, expected):
                drop(one, ("challenge", "response"))
            self.assertEqual(got, expected)
            self.assertEqual(answer.status, 200 if expected["ok"] else 422, (function, got.get("error")))
        self.assertEqual(self.card.verifications, 0)

    def test_a_portrait_that_the_card_withholds_is_named(self):
        service = self.start()
        self.insert("hidden-file=0102:bare-6982")
        answer = service.do("read", {"can": CAN})
        self.assertEqual((answer.status, answer.error), (422, "could-not-check"))
        self.assertEqual((answer.object["unreadable"], answer.object["portrait"], answer.object["photo"]), (["dg2"], None, None))
        points = {point["point"]: (point["verdict"], point["reason"]) for point in answer.object["points"]}
        self.assertEqual(points["hash-dg2"], ("could-not-check", "not-read"))

    def test_a_second_reader_needs_no_card(self):
        service = self.start()

        def grades():
            return [row["grade"] for row in service.do("doctor").object["findings"] if row["name"] == "card"]
        self.assertEqual(grades(), ["warning", "warning"])
        self.insert()
        self.assertEqual(grades(), ["ok"])

    def test_no_card_and_another_language(self):
        service = self.start()
        for wish, words in (("it", "Sul lettore"), ("de-AT,de;q=0.9,en;q=0.8", "Karte"), ("xx, sl;q=0.5, fr;q=0.4", "kartic"),
                            ("*", "card"), ("it;q=0, fr", "carte"), (";;;,=,q", "card")):
            answer = service.do("nis", headers={"Accept-Language": wish})
            self.assertEqual((answer.status, answer.error), (422, "no-card"))
            self.assertIn(words.lower(), answer.object["error"]["what"].lower(), wish)

    def test_status_and_events(self):
        service = self.start()
        events = Events(service)
        wait(lambda: events.names() == ["reader-added", "reader-added"])
        self.insert()
        wait(lambda: events.names()[2:] == ["card-present"])
        status = service.ask("GET", "/v1/status").object
        self.assertEqual((status["busy"], status["pinEntry"]), (False, "terminal"))
        self.assertEqual([reader["family"] for reader in status["readers"] if reader["card"]], ["gemalto"])
        late = Events(service, by="port")
        wait(lambda: len(late.list) == 3)
        self.assertEqual(service.do("nis").object["servicesNumber"], NIS)
        wait(lambda: any(event["event"] == "progress" for event in late.list))
        self.card.pull()
        for one in (events, late):
            wait(lambda: one.names()[-1] == "card-removed")
            self.assertEqual([event["sequence"] for event in one.list], list(range(1, len(one.list) + 1)))
            self.assertNotIn(NIS, json.dumps(one.list))
            one.close()

    def test_many_listeners(self):
        service = self.start()
        listeners = [Events(service) for _ in range(64)]
        answer = service.ask("GET", "/v1/events")
        self.assertEqual((answer.status, answer.error), (503, "too-many-listeners"))
        for listener in listeners:
            listener.close()
        # Closed ones make room.
        wait(lambda: Events(service).answer.status == 200)

    def test_one_request_at_a_time(self):
        service = self.start()
        self.insert("delay=3000@1,delay=3000@2,delay=3000@3")
        first = service.later("nis")
        wait(lambda: service.is_busy)
        for function, object in (("nis", {}), ("read", {"can": CAN}), ("info", {})):
            answer = service.do(function, object)
            self.assertEqual((answer.status, answer.error), (409, "busy"))
        wait(lambda: first)
        self.assertEqual((first[0].status, first[0].object["servicesNumber"]), (200, NIS))
        # A client that has the answer may send another request at once.
        for _ in range(20):
            self.assertEqual(service.do("nis").status, 200)

    def test_cancel(self):
        service = self.start()
        self.assertEqual(service.do("cancel").object["cancelled"], False)
        self.insert("delay=3000@2,delay=3000@3,delay=3000@4")
        first = service.later("nis")
        wait(lambda: service.is_busy and self.card.commands > 0)
        self.assertEqual(service.do("cancel").object["cancelled"], True)
        wait(lambda: first)
        self.assertEqual((first[0].status, first[0].error), (503, "interrupted"))
        commands = self.card.commands
        self.assertEqual(service.do("nis").status, 200)
        self.assertGreater(self.card.commands, commands)

    def test_waiting_for_a_card_ends_by_cancel_and_in_time(self):
        service = self.start("--wait", "60", "--deadline", "2")
        first = service.later("nis")
        wait(lambda: service.is_busy)
        self.assertTrue(service.do("cancel").object["cancelled"])
        wait(lambda: first)
        self.assertEqual(first[0].error, "interrupted")
        answer = service.do("nis")
        self.assertEqual((answer.status, answer.error), (503, "deadline"))

    def test_client_gone(self):
        service = self.start()
        for place, headers in ((service.path, {}), (service.port, service.headers(by="port"))):
            self.insert("delay=1500@2,delay=1500@3,delay=1500@4,delay=1500@5,delay=1500@6")
            client = Connection(place)
            client.request("POST", "/v1/nis", "{}", {"Content-Type": "application/json", **headers})
            wait(lambda: self.card.commands > 1)
            client.close()
            wait(lambda: not service.is_busy)
            # It did not finish the reading for a closed client.
            self.assertLess(self.card.commands, 6)
            self.card.pull()

    def test_card_pulled_in_the_middle(self):
        service = self.start()
        for number in (1, 3, 5, 8):
            self.insert(f"card-removed@{number}")
            answer = service.do("nis")
            self.assertIn((answer.status, answer.error), ((422, "card-removed"), (422, "no-card"), (422, "card-lost")), number)
            self.card.pull()
        self.insert()
        self.assertEqual(service.do("nis").status, 200)

    def test_service_restarts(self):
        service = self.start()
        events = Events(service)
        self.insert()
        wait(lambda: "card-present" in events.names())
        self.card.stop_service()
        wait(lambda: service.ask("GET", "/v1/status").status == 503)
        self.assertEqual(service.do("nis").status, 503)
        self.card.pull()
        self.card.start_service()
        wait(lambda: service.ask("GET", "/v1/status").status == 200)
        self.insert()
        wait(lambda: events.names()[-1] == "card-present")
        self.assertEqual(service.do("nis").status, 200)
        self.assertIn("error", events.names())
        events.close()

    def test_memory_is_flat(self):
        service = self.start()
        self.insert()
        for _ in range(20):
            service.do("nis")
        before = service.footprint()
        for _ in range(200):
            self.assertEqual(service.do("nis").status, 200)
        after = service.footprint()
        self.assertLess(after[0] - before[0], 2048)
        # The last connection may still be closing.
        wait(lambda: service.footprint()[1] <= before[1])

    def test_the_end_answers_whoever_waits(self):
        service = self.start()
        self.insert("delay=1500@2,delay=1500@3,delay=1500@4,delay=1500@5,delay=1500@6")
        first = service.later("nis")
        wait(lambda: self.card.commands > 1)
        service.process.terminate()
        wait(lambda: first)
        self.assertEqual((first[0].status, first[0].error), (503, "interrupted"))
        self.assertEqual(service.process.wait(PATIENCE), 143)

    def leave(self, service):
        if service.process.poll() is None:
            super().leave(service)
        self.assertEqual(service.process.returncode, 143)


def drop(value, names):
    """Removes values that differ each time."""
    if isinstance(value, dict):
        for name in names:
            value.pop(name, None)
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        drop(inner, names)


if __name__ == "__main__":
    unittest.main()
