"""Refusals and results of the government kit. Results are templates: a title, a text and buttons."""
from flask import Response, jsonify


class Refused(Exception):
    """A status with a word; 401 names the accepted authentication."""

    def __init__(self, status: int, word: str) -> None:
        super().__init__(word)
        self.status = status
        self.word = word


def answer(refused: Refused) -> Response:
    """The refusal as JSON."""
    response = jsonify(error=refused.word, message=f"Refused: {refused.word}.")
    response.status_code = refused.status
    if refused.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def button(name: str, action: str) -> dict[str, str]:
    """A button of a template."""
    return {"name": name, "action": action}


def template(title: str, text: str, main: dict[str, str], other: dict[str, str] | None = None) -> dict[str, object]:
    """The text for the person, and the possible next steps."""
    data: dict[str, object] = {"icon": "", "title": title, "description": text, "mainButton": main}
    if other is not None:
        data["alternativeButton"] = other
    return {"type": "middleCenterAlignAlert", "isClosable": True, "data": data}


SUCCESS = template("Identità verificata", "È possibile proseguire.", button("Prosegui", "getToken"))
FAILURE = template(
    "Verifica non riuscita", "Si può provare con un altro metodo.", button("Altri metodi", "authMethods"),
    button("Annulla", "cancel"))
WRONG_CODE = template("Codice errato", "Il codice non è quello inviato.", button("Riprova", "repeat"))
NO_TRIES = template("Troppi tentativi", "La verifica va iniziata da capo.", button("Chiudi", "close"))
CLOSED_BANK = template(
    "Banca non disponibile", "La banca non risponde. Scegliere un'altra.", button("Altri metodi", "authMethods"))
HOSTILE = template(
    "\u001b[2J\u001b]0;Banca\u0007<b>Verificata</b>\u202e", "Riga\r\nPIN della carta: \u001b[8m",
    button("\u001b[31mOK", "ok"))
