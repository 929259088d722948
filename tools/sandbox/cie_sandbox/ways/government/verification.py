"""verify: a bank's code, or one sent by text message, becomes a result."""
import secrets

from flask import Response, jsonify

from ..rules import json_body
from .errors import FAILURE, HOSTILE, NO_TRIES, SUCCESS, WRONG_CODE, Refused
from .processes import Process
from .service import Government, arguments

VERIFY_FAULTS = ("bank-verify-fails", "bank-verify-hostile")
_CODES = {"success": 1, "failure": 2, "wrong-code": 3, "no-tries": 4}


def by_bank(government: Government, target: str, request_id: str) -> Response:
    """The bank's code in the path; process and bank must be those of its issue."""
    given = arguments({"processId", "bankId"})
    process = government.processes.find(given["processId"])
    if target != "bankid":
        raise Refused(404, "unknown-method")
    good = government.processes.take_code(process, given["bankId"], request_id)
    process.user = process.at_bank if good else None
    return _result(government, process, good)


def by_code(government: Government, request_id: str) -> Response:
    """The code of a text message in the body; three wrong ones end the process."""
    process = government.processes.find(arguments({"processId"})["processId"])
    body = json_body()
    if body is None or set(body) != {"otp"} or not isinstance(body["otp"], str):
        raise Refused(400, "bad-body")
    if process.tries <= 0:
        return _answer(government, process, "no-tries")
    if not process.otp or request_id != process.otp_request:
        raise Refused(409, "no-code-was-sent")
    if government.fault("bank-code-wrong") or not secrets.compare_digest(process.otp.encode(), body["otp"].encode()):
        process.tries -= 1
        return _answer(government, process, "wrong-code" if process.tries else "no-tries")
    process.otp = ""
    process.user = government.ways.users.by_role["mfa"]
    return _result(government, process, True)


def _result(government: Government, process: Process, good: bool) -> Response:
    fault = government.fault(*VERIFY_FAULTS)
    if fault is not None:
        process.user = None
        if fault == "bank-verify-hostile":
            return jsonify(template=HOSTILE, processCode=_CODES["failure"])
        good = False
    return _answer(government, process, "success" if good else "failure")


def _answer(government: Government, process: Process, word: str) -> Response:
    shown = {"success": SUCCESS, "failure": FAILURE, "wrong-code": WRONG_CODE, "no-tries": NO_TRIES}[word]
    government.ways.journal.note(
        "verified" if word == "success" else "not-verified", way="government",
        process=government.ways.journal.tag(process.identifier))
    return jsonify(template=shown, processCode=_CODES[word])
