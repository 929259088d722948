"""`python3 -m cie_sandbox`: the sandbox's command."""
import logging
import sys
from concurrent.futures import ThreadPoolExecutor

from .options import read_options
from .state.folder import StateFolder


def main() -> int:
    """Exit status: 0 stopped as asked, 64 usage, 66 unusable input, 69 a port is taken."""
    options = read_options(sys.argv[1:])
    if options is None:
        return 0
    # Libraries log data from the wire; the journal has all that is needed.
    logging.disable(logging.CRITICAL)
    # The first start makes keys, which takes a moment; meanwhile the web framework loads.
    state = StateFolder(options.state)
    with ThreadPoolExecutor(1) as pool:
        preparing = pool.submit(state.prepare)
        from .faults.board import UnknownName
        from .sandbox import Sandbox
    try:
        sandbox = Sandbox(options, state, preparing.result())
    except UnknownName as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 64
    except ValueError as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 66
    except OSError as error:
        print(f"sandbox: {error.filename or 'port'}: {error.strerror or error}", file=sys.stderr)
        return 69
    sandbox.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
