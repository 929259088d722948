"""The contents of a client's first TLS record, read without taking it off the socket.

The card call needs TLS 1.2 and comes from a client that offers no more than that (the card's key has no RSA-PSS, which
TLS 1.3 requires: RFC 8446 §4.2.3). On the port that browsers use too, the ClientHello therefore distinguishes the card
call from all other requests.
"""
import socket
import time

_HANDSHAKE = 22
_CLIENT_HELLO = 1
_SUPPORTED_VERSIONS = 43
_TLS13 = 0x0304
_PATIENCE = 10.0


def peek(connection: socket.socket) -> bytes:
    """The first record as far as it has come within ten seconds."""
    deadline = time.monotonic() + _PATIENCE
    connection.settimeout(_PATIENCE)
    wanted = 5
    while True:
        data = connection.recv(wanted, socket.MSG_PEEK)
        if len(data) >= 5:
            wanted = 5 + int.from_bytes(data[3:5], "big")
        if len(data) >= wanted or not data or data[0] != _HANDSHAKE:
            return data
        if time.monotonic() > deadline:
            return data
        time.sleep(0.001)


def offers_tls13(record: bytes) -> bool:
    """Checks whether a ClientHello (RFC 8446 §4.1.2) lists TLS 1.3; False for an incomplete ClientHello."""
    try:
        return _TLS13 in _versions(record)
    except IndexError:
        return False


def _versions(record: bytes) -> list[int]:
    if record[0] != _HANDSHAKE or record[5] != _CLIENT_HELLO:
        return []
    at = 5 + 4 + 2 + 32
    at += 1 + record[at]
    at += 2 + int.from_bytes(record[at:at + 2], "big")
    at += 1 + record[at]
    end = at + 2 + int.from_bytes(record[at:at + 2], "big")
    at += 2
    while at + 4 <= min(end, len(record)):
        kind = int.from_bytes(record[at:at + 2], "big")
        length = int.from_bytes(record[at + 2:at + 4], "big")
        if kind == _SUPPORTED_VERSIONS:
            body = record[at + 5:at + 4 + length]
            return [int.from_bytes(body[i:i + 2], "big") for i in range(0, len(body), 2)]
        at += 4 + length
    return []
