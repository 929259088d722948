"""A proxy in front of the real pcscd: other protocol versions, silence, half answers.

    proxy.py SOCKET BEHAVIOUR

BEHAVIOUR is `version MAJOR MINOR` (the service sees a client of this protocol), `silent` (nothing is answered), `silent-after
COUNT` (so many messages of the service pass), `half COUNT`, `half-closed COUNT` (message COUNT of the service, counted
from 0, is cut in half, and silence or the end of the connection follows), or `plain`. It prints "listening" when it is, and
"connection" for each.
A client finds it by PCSCLITE_CSOCK_NAME.
"""
import socket
import struct
import sys
import threading

SERVICE = "/run/pcscd/pcscd.comm"
CMD_VERSION = 0x11


def serve(client, behaviour, numbers):
    if behaviour == "silent":
        threading.Event().wait()
    service = socket.socket(socket.AF_UNIX)
    service.connect(SERVICE)
    threading.Thread(target=forward, args=(client, service, behaviour, numbers), daemon=True).start()
    count = 0
    while block := service.recv(65536):
        limit = numbers[0] if numbers else 0
        if behaviour == "silent-after" and count >= limit:
            threading.Event().wait()
        if behaviour.startswith("half") and count == limit:
            client.sendall(block[:len(block) // 2])
            if behaviour == "half":
                threading.Event().wait()
            break
        client.sendall(block)
        count += 1
    for end in [client, service]:
        # The other thread waits for it, too, so that closing alone would not end the connection.
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        end.close()


def forward(client, service, behaviour, numbers):
    try:
        while block := client.recv(65536):
            # The head may come before its message.
            while behaviour == "version" and len(block) < 20 and (rest := client.recv(65536)):
                block += rest
            if behaviour == "version" and struct.unpack("II", block[:8])[1] == CMD_VERSION:
                block = block[:8] + struct.pack("ii", *numbers) + block[16:]
            service.sendall(block)
        service.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def main(path, behaviour, *numbers):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("listening", flush=True)
    while True:
        client, _ = listener.accept()
        print("connection", flush=True)
        threading.Thread(target=serve, args=(client, behaviour, [int(number) for number in numbers]), daemon=True).start()


main(*sys.argv[1:])
