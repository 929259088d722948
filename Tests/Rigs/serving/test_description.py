"""The description (OpenAPI) against the service, by clients that only know it: Python's http.client and curl."""
import json
import re
import subprocess
import unittest
from pathlib import Path

import jsonschema
from service import CAN, EVERYTHING, LANGUAGES, LINK, PIN, PROGRAMS, ROOT, Events, ServiceTest, wait

OFFICIAL = Path("/usr/share/openapi-specification/schemas/v3.0/schema.json")
ANSWERS = jsonschema.Draft202012Validator(json.loads((ROOT / "Sources/cie-read/Schema/cie-read-1.schema.json").read_text()))
# An example of each request; any answer of the card is allowed.
EXAMPLES = {
    "/v1/info": [{}], "/v1/nis": [{}, {"requireProved": True}],
    "/v1/verify": [{}, {"can": CAN, "only": ["dg1"], "challenge": "00" * 32, "requireValid": True},
                   {"challenge": "00" * 32, "audience": "office.example", "evidence": True}],
    "/v1/evidence": [{"evidence": "{}"}, {"evidence": "{}", "challenge": "00" * 16, "audience": "a", "maxAge": 60},
                     {"evidence": "{}", "require": ["document", "ias"]}],
    "/v1/read": [{"can": CAN}, {"can": CAN, "only": ["dg1", "dg2"], "requireValid": False}, {"can": "000000"}],
    "/v1/cert": [{"pin": PIN}, {"pin": "00000000"}],
    "/v1/sign": [{"pin": PIN, "digests": ["00" * 32]}, {"pin": PIN, "algorithm": "sha512", "digests": ["Ab" * 64] * 2}],
    "/v1/check-link": [{"link": "https://evil.example/OpenApp"}, {"link": LINK}],
    "/v1/login": [{"pin": PIN, "link": "https://evil.example/OpenApp"}], "/v1/cancel": [{}],
    "/v1/pin-change": [{"pin": PIN, "newPin": "27182845"}], "/v1/pin-unblock": [{"puk": "00000000", "newPin": "27182845"}],
    "/v1/files": [{"name": "a.pdf", "size": 10}], "/v1/sign-files": [{"pin": PIN, "files": ["9"]}],
    "/v1/check-files": [{"files": ["9"]}], "/v1/extract": [{"files": ["9"]}], "/v1/update-lists": [{}],
    "/v1/doctor": [{}], "/v1/report": [{}],
    "/v1/register": [{"what": "firefox"}, {"what": "desktop", "on": False}],
    "/v1/open-browser": [{"pin": PIN, "address": "https://evil.example/"}],
}


def resolved(node, document):
    """The description with resolved references, as JSON Schema."""
    if isinstance(node, list):
        return [resolved(item, document) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = document
        for word in node["$ref"].removeprefix("#/").split("/"):
            target = target[word]
        return resolved(target, document)
    node = {key: resolved(value, document) for key, value in node.items()}
    if node.pop("nullable", False):
        node["type"] = [node["type"], "null"]
    return node


class DescriptionTest(ServiceTest):
    """All of one running service."""

    def setUp(self):
        super().setUp()
        self.text = self.processes.run(PROGRAMS / "cie-read", "serve", "--openapi").stdout
        self.document = resolved(json.loads(self.text), json.loads(self.text))

    def judge(self, path, method, status, body, kind):
        """Checks that an answer is in the description."""
        responses = self.document["paths"][path][method]["responses"]
        self.assertIn(str(status), responses, path)
        content = responses[str(status)].get("content")
        if not body:
            return
        self.assertIn(kind, content or {}, (path, status))
        jsonschema.validate(json.loads(body), content[kind]["schema"])

    def test_is_openapi(self):
        schema = json.loads(OFFICIAL.read_text())
        jsonschema.Draft4Validator(schema).validate(json.loads(self.text))
        file = self.folder / "openapi.json"
        file.write_text(self.text)
        script = 'use JSON::Validator; my $s = JSON::Validator->new->schema($ARGV[0])->schema; die "$_\n" for @{$s->errors};'
        judged = subprocess.run(["perl", "-e", script, file], capture_output=True, text=True)
        self.assertEqual(judged.returncode, 0, judged.stderr)

    def test_it_is_served_and_printed_alike(self):
        service = self.start("--virtual")
        for by in ("socket", "port"):
            self.assertEqual(service.ask("GET", "/v1/openapi.json", by=by).body.decode(), self.text)

    def test_every_path_is_there_and_no_other(self):
        service = self.start("--virtual", "--pin-entry", "page")
        for path, methods in self.document["paths"].items():
            # Those of a person's window alone.
            if path in ("/v1/session", "/v1/reader", "/v1/files/{file}/save"):
                self.assertEqual(service.ask("POST", path.replace("{file}", "1"), {}).status, 404)
                continue
            for method in ("get", "post", "put", "delete", "patch"):
                if path == "/v1/events" and method == "get":
                    continue
                answer = service.ask(method.upper(), path.replace("{file}", "1"), {} if method == "post" else None)
                self.assertEqual(answer.status == 405, method not in methods, (method, path))
        functions = {path.split("/")[2] for path, methods in self.document["paths"].items() if "post" in methods}
        self.assertEqual(functions | {"status"}, set(EVERYTHING.split(",")) | {"cancel", "pin", "reader", "session"})

    def test_answers(self):
        for words in (("--virtual", "--pin-entry", "page"), ("--pin-entry", "page"), ("--virtual",)):
            service = self.start(*words)
            for path, examples in EXAMPLES.items():
                schema = self.document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
                for example in examples:
                    jsonschema.validate(example, schema)
                    for by in ("socket", "port"):
                        answer = service.ask("POST", path, example, by=by)
                        self.assertEqual(sorted(map(str, ANSWERS.iter_errors(answer.object))), [], path)
                        self.judge(path, "post", answer.status, answer.body, answer.headers["Content-Type"])
            for path in ("/v1/status", "/v1/openapi.json"):
                answer = service.ask("GET", path)
                self.judge(path, "get", answer.status, answer.body, answer.headers["Content-Type"])
            self.leave(service)

    def leave(self, service):
        if service.process.returncode is None:
            super().leave(service)

    def test_refusals(self):
        """A request outside the description is refused, with an answer that it contains."""
        service = self.start("--virtual", "--pin-entry", "page", allow="status,nis,read,sign")
        for path, examples in EXAMPLES.items():
            operation = self.document["paths"][path]["post"]
            validator = jsonschema.Draft7Validator(operation["requestBody"]["content"]["application/json"]["schema"])
            bodies = [
                {**examples[0], "x": 1}, *({**examples[0], name: wrong} for name in examples[0] for wrong in (1, None, [], {}, "")),
                *({key: value for key, value in examples[0].items() if key != name} for name in examples[0])]
            for body in bodies:
                answer = service.ask("POST", path, body)
                if not validator.is_valid(body):
                    self.assertIn(answer.status, (400, 403), (path, body))
                self.judge(path, "post", answer.status, answer.body, answer.headers.get("Content-Type"))
        for headers, status in (({"Authorization": "no"}, 401), ({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example"}, 421)):
            for path, methods in self.document["paths"].items():
                for method in methods:
                    if method == "parameters" or path == "/v1/session":
                        continue
                    answer = service.ask(
                        method.upper(), path.replace("{file}", "1"), {} if method == "post" else None, by="port", headers=headers)
                    self.assertEqual(answer.status, status)
                    self.judge(path, method, answer.status, answer.body, None)

    def test_groups_are_those_of_the_program(self):
        """The list of `only` in the description is what the program takes, name by name."""
        service = self.start("--virtual")
        names = [f"dg{number}" for number in range(18)] + ["", "DG", "dg01", "dg1,dg2", "dg1 ", "com", "sod"]
        for path in ("/v1/verify", "/v1/read"):
            schema = self.document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
            validator = jsonschema.Draft7Validator(schema["properties"]["only"])
            for only in [[name] for name in names] + [[], ["dg1", "dg2"], ["dg1", "dg2,dg3"]]:
                answer = service.ask("POST", path, {"only": only})
                refused = answer.error in ("unknown-data-group", "protected-data-group")
                self.assertEqual(validator.is_valid(only), not refused, (path, only, answer.error))

    def test_errors_name_members_and_not_options(self):
        service = self.start("--virtual", "--pin-entry", "page", allow="nis,verify,read,cert,sign,login,pin-change")
        requests = [
            ("verify", {"only": ["dg17"]}), ("verify", {"only": ["dg1"]}), ("verify", {"only": ["dg3"]}), ("verify", {"challenge": "00"}),
            ("verify", {"can": "12"}), ("verify", {"requireValid": True}), ("read", {}), ("read", {"can": "x"}), ("login", {"pin": PIN}),
            ("login", {"pin": PIN, "link": "x"}), ("cert", {}), ("cert", {"pin": "1"}), ("sign", {"pin": PIN}), ("nis", "nothing"),
            ("nis", {"x": 1}), ("info", {}), ("nothing", {}), ("pin-change", {"pin": PIN, "newPin": PIN}),
            ("pin-change", {"pin": PIN, "newPin": "11111111"}), ("read", {"can": "000000"})]
        for language in LANGUAGES:
            for function, object in requests:
                answer = service.do(function, object, headers={"Accept-Language": language})
                self.assertGreaterEqual(answer.status, 400)
                error = answer.object["error"]
                words = error["what"] + " " + error["do"]
                # The operator's own option is the only one that helps the client's author.
                words = words.replace("--allow", "") if error["name"] == "function-not-allowed" else words
                self.assertNotRegex(words, "--[a-z]|cie-read", (language, function, object))

    def test_events(self):
        service = self.start("--virtual")
        events = Events(service, by="port")
        self.assertEqual(events.answer.getheader("Content-Type"), "text/event-stream")
        wait(lambda: len(events.list) == 2)
        events.close()

    def test_curl(self):
        """As in the manual."""
        service = self.start("--virtual", "--page")
        local = ["curl", "--silent", "--show-error", "--fail-with-body", "--unix-socket", service.path]
        remote = ["curl", "--silent", "--fail", "--header", f"Authorization: Bearer {service.token}"]
        post = ["--json", "{}"]
        host = f"http://127.0.0.1:{service.port}"
        for words in ([*local, "http://localhost/v1/status"], [*local, *post, "http://localhost/v1/nis"],
                      [*remote, f"{host}/v1/status"], [*remote, *post, f"{host}/v1/nis"]):
            answer = subprocess.run(list(map(str, words)), capture_output=True, check=True).stdout
            self.assertTrue(json.loads(answer)["ok"])
        stream = subprocess.run(
            [*remote, "--no-buffer", "--max-time", "2", f"{host}/v1/events"], capture_output=True, text=True).stdout
        self.assertEqual(re.findall(r"^event: (.*)$", stream, re.M), ["reader-added", "card-present"])
        self.assertNotEqual(subprocess.run([*remote[:3], f"{host}/v1/status"], capture_output=True).returncode, 0)

    def test_the_page_has_every_language(self):
        service = self.start("--virtual", "--page")
        titles = set()
        for language in LANGUAGES:
            for answer in (service.ask("GET", f"/page.json?lang={language}", by="port"),
                           service.ask("GET", "/page.json", by="port", headers={"Accept-Language": f"{language}-XX,xx;q=0.5"})):
                page = json.loads(answer.body)
                self.assertEqual(page["language"], language)
                titles.add(json.dumps(page["words"]))
        self.assertEqual(len(titles), len(LANGUAGES))


if __name__ == "__main__":
    unittest.main()
