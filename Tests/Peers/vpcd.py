"""The card's end of the wire to vpcd, the virtual reader of vsmartcard: frames with a length of two bytes over TCP."""

import socket
from collections.abc import Callable

# ISO/IEC 7816-3: T=1, and arbitrary historical bytes.
ANSWER_TO_RESET = bytes.fromhex("3B8480015045455207")
POWER_OFF, POWER_ON, RESET, ASK_ANSWER_TO_RESET = 0, 1, 2, 4


class Link:
    """A card in the slot that listens on a port of this machine; it leaves with the process."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            # vpcd sends length and content apart; unless the first is acknowledged at once, the second waits for 40 ms,
            # and the kernel forgets the setting.
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def send(self, frame: bytes) -> None:
        self.socket.sendall(len(frame).to_bytes(2, "big") + frame)

    def serve(
        self, respond: Callable[[bytes], bytes], reset: Callable[[], None],
        inserted: Callable[[], None]
    ) -> None:
        """Stays in the reader until it goes away; `inserted` is called once, when the card has been powered on."""
        powered = seen = False
        while True:
            try:
                frame = self.receive(int.from_bytes(self.receive(2), "big"))
                if len(frame) > 1:
                    self.send(respond(frame))
                    continue
                if frame[0] == ASK_ANSWER_TO_RESET:
                    self.send(ANSWER_TO_RESET)
                    if powered and not seen:
                        seen = True
                        inserted()
                    continue
            except (EOFError, OSError):
                return
            reset()
            powered = frame[0] != POWER_OFF
