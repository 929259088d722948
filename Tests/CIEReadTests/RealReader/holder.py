"""A program that holds the card: exclusively, or in a transaction, until its standard input ends or for some seconds.

    holder.py exclusive|transaction [SECONDS]

It prints "held" when it holds it.
"""
import ctypes
import sys
import threading

SCARD_SCOPE_SYSTEM, SCARD_SHARE_EXCLUSIVE, SCARD_SHARE_SHARED = 2, 1, 2
SCARD_PROTOCOL_ANY, SCARD_LEAVE_CARD = 3, 0
READER = b"Virtual PCD 00 00"


def check(code):
    if code:
        sys.exit(f"PC/SC: {code & 0xFFFFFFFF:#x}")


def main(share, seconds=None):
    library = ctypes.CDLL("libpcsclite.so.1")
    context, card, protocol = ctypes.c_long(), ctypes.c_long(), ctypes.c_ulong()
    check(library.SCardEstablishContext(ctypes.c_ulong(SCARD_SCOPE_SYSTEM), None, None, ctypes.byref(context)))
    mode = SCARD_SHARE_EXCLUSIVE if share == "exclusive" else SCARD_SHARE_SHARED
    check(library.SCardConnect(
        context, READER, ctypes.c_ulong(mode), ctypes.c_ulong(SCARD_PROTOCOL_ANY), ctypes.byref(card),
        ctypes.byref(protocol)))
    if share == "transaction":
        check(library.SCardBeginTransaction(card))
    print("held", flush=True)
    if seconds:
        threading.Event().wait(float(seconds))
    else:
        sys.stdin.read()
    library.SCardDisconnect(card, ctypes.c_ulong(SCARD_LEAVE_CARD))
    library.SCardReleaseContext(context)


main(*sys.argv[1:])
