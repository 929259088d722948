"""Every exchange of a conversation with servers, each with every kind of fault."""
import concurrent.futures
import contextlib
import queue

from .program import Table

KINDS = (
    "reset", "cut", "slow", "drip", "huge", "empty", "500", "type", "redirect-host", "redirect-http", "redirect-file",
    "redirect-loop")
WORKERS = 2


def try_exchanges(what, start, ways, count, case, every, first):
    """Tries every n-th case; prints the table.

    `start` gives the server of a worker, for one client at a time; `count` the exchanges of a way with it; `case` makes
    one of them wrong: the broken promises, and the end.
    """
    table, free = Table(), queue.Queue()

    def attempt(scene):
        server = free.get()
        try:
            return case(server, *scene)
        finally:
            free.put(server)

    with contextlib.ExitStack() as ends, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        servers = []
        for number in range(WORKERS):
            servers.append(start(number))
            ends.callback(servers[-1].end)
        scenes = [(way, kind, at) for way in ways for at in range(count(servers[0], way)) for kind in KINDS]
        scenes = scenes[first % every::every]
        for server in servers:
            free.put(server)
        for (way, kind, at), (found, end) in zip(scenes, pool.map(attempt, scenes)):
            table.add((way[0], kind), f"{way[0]}, {kind} at exchange {at + 1}", found, end)
    return table.end(what)
