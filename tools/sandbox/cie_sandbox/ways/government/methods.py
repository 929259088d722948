"""The methods, the banks, and the address of the chosen one."""
from flask import Response, jsonify

from ..faults import ELSEWHERE
from ..mailbox import new_code
from ..rules import LOOPBACK_RETURN, is_registered
from .errors import CLOSED_BANK, Refused, button, template
from .service import BANKS, DISABLED, FLOWS, METHODS, Government, arguments, bearer

_CODE_LENGTH = 6
METHOD_FAULTS = (
    "bank-process-swapped", "bank-no-methods", "bank-unknown-method", "bank-all-disabled", "bank-methods-template")
LIST_FAULTS = ("bank-list-empty", "bank-list-repeated", "bank-list-closed")
URL_FAULTS = ("bank-foreign-host", "bank-http", "bank-lookalike-host", "bank-url-script")


def of_flow(government: Government, flow: str) -> Response:
    """The methods of a flow; the first call starts the process, later ones name it."""
    given = arguments(set(), {"processId", "selectedMethod"})
    if flow not in FLOWS:
        raise Refused(404, "unknown-flow")
    if flow != "login":
        government.processes.session(bearer(), "user")
    if given.get("selectedMethod", METHODS[0]) not in METHODS:
        raise Refused(400, "unknown-method")
    if given.get("processId"):
        process = government.processes.find(given["processId"])
        if process.flow != flow:
            raise Refused(409, "process-of-another-flow")
    else:
        process = government.processes.start(flow)
        if government.fault("bank-skip-methods"):
            process.user = government.ways.users.by_role["password"]
    body: dict[str, object] = {
        "title": "Come verificare l'identità", "processId": process.identifier, "authMethods": list(METHODS),
        "disabledMethods": list(DISABLED), "button": button("Annulla", "cancel"),
        "skipAuthMethods": process.user is not None}
    match government.fault(*METHOD_FAULTS):
        case "bank-process-swapped":
            body["processId"] = government.processes.start(flow).identifier
        case "bank-no-methods":
            body["authMethods"] = []
        case "bank-unknown-method":
            body["authMethods"] = ["telepathy", *METHODS]
        case "bank-all-disabled":
            body["authMethods"] = []
            body["disabledMethods"] = [*DISABLED, *({"code": m, "description": "Manutenzione."} for m in METHODS)]
        case "bank-methods-template":
            body["template"] = template(
                "Avviso", "Il servizio è lento.", button("Prosegui", "authMethods"), button("Annulla", "cancel"))
    return jsonify(body)


def known(government: Government) -> Response:
    """The methods of a logged-in person, under the names of that endpoint."""
    government.processes.session(bearer(), "user")
    return jsonify(authMethods=["bankId", "nfc", "photoId"])


def banks(government: Government) -> Response:
    """The banks; one is closed."""
    logo = government.ways.base + "sandbox/logo.svg"
    found = [{"id": key, "name": name, "logoUrl": logo, "workable": open_}
             for key, (name, open_) in BANKS.items()]
    match government.fault(*LIST_FAULTS):
        case "bank-list-empty":
            found = []
        case "bank-list-repeated":
            found.append({**found[0], "name": "Banca della Sabbia, gemella"})
        case "bank-list-closed":
            found = [{**bank, "workable": False} for bank in found]
    return jsonify(banks=found)


def address(government: Government, target: str, by_token: bool) -> Response:
    """The bank's page. `returnUrl` and `state`, our addition, lead back to the client's own listener."""
    given = arguments(
        {"bankId"} if by_token else {"bankId", "processId"},
        {"processId", "returnUrl", "state", "builtInTrueDepthCamera"})
    if target != "bankid":
        raise Refused(404, "unknown-method")
    if by_token:
        government.processes.session(bearer(), "user")
    process = government.processes.find(given["processId"]) if "processId" in given else (
        government.processes.start("verification"))
    if given["bankId"] not in BANKS:
        raise Refused(404, "unknown-bank")
    back = given.get("returnUrl", government.base + "returned")
    if "returnUrl" in given and not is_registered(back, {LOOPBACK_RETURN}):
        raise Refused(400, "return-address-not-registered")
    if not BANKS[given["bankId"]][1]:
        return jsonify(template=CLOSED_BANK)
    process.bank = given["bankId"]
    ticket = government.processes.visit(process, given["bankId"], back, given.get("state", ""))
    url = f"{government.base}bank/{given['bankId']}/authorize?ticket={ticket}"
    match government.fault(*URL_FAULTS):
        case "bank-foreign-host":
            url = f"{ELSEWHERE}bank/authorize?ticket={ticket}"
        case "bank-http":
            url = url.replace("https:", "http:", 1)
        case "bank-lookalike-host":
            url = url.replace("https://localhost:", "https://localhost@elsewhere.cie-sandbox.invalid:", 1)
        case "bank-url-script":
            url = "javascript:alert(1)"
    return jsonify(authUrl=url, token=ticket, fld={"version": "1", "config": None}, **(
        {"processId": process.identifier} if by_token else {}))


def otp_screen(government: Government) -> Response:
    """Sends a code to the one telephone of the sandbox, and returns the text for the screen."""
    process = government.processes.find(arguments({"processId"})["processId"])
    user = government.ways.users.by_role["mfa"]
    process.otp = new_code(_CODE_LENGTH)
    process.otp_request = new_code(12)
    government.ways.mailbox.deliver(user.phone, "Your code", process.otp)
    return jsonify(
        title="Codice per SMS", text="Inserire il codice inviato.", codeLength=_CODE_LENGTH,
        contact="*" * (len(user.phone) - 2) + user.phone[-2:], requestId=process.otp_request, attempts=process.tries)
