"""A person at a zsh, who types the beginning of a command and asks for the list of completions."""
import os
import pty
import re
import select
import signal
import time


class ZSH:
    """An interactive zsh with completions from a folder."""

    def __init__(self, scripts, room, programs):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(room)
            os.execvpe("zsh", ["zsh", "-f", "-i"], os.environ | {
                "PATH": f"{programs}:{os.environ['PATH']}", "TERM": "dumb", "LC_ALL": "C.UTF-8", "HOME": str(room),
                "COLUMNS": "200", "LINES": "100"})
        # No question before a listing, no description; READY is put together so that the echo does not contain it.
        self.type(f"stty cols 200 rows 100; PS1=; LISTMAX=1000; fpath=({scripts} $fpath); autoload -U compinit; "
                  "compinit -u -D; zstyle ':completion:*' verbose no; bindkey ^G list-choices; echo REA''DY\n")
        self.until(lambda text: "READY" in text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)

    def type(self, text):
        """Types it."""
        os.write(self.terminal, text.encode())

    def until(self, holds):
        """The shell's output once the condition holds, or half a minute is over."""
        text, end = "", time.monotonic() + 30
        while not holds(text) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def offered(self, words, wanted):
        """The list of completions after these words."""
        def listed(text):
            text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x08|\r", " ", text.partition("\n")[2])
            return {word.rstrip("/") for word in text.split()}
        # Ctrl-G lists, and has no meaning for a terminal before the shell reads it; Ctrl-U deletes the line.
        self.type("cie-read " + " ".join(words) + "\x07")
        text = self.until(lambda text: wanted <= listed(text))
        self.type("\x15echo DO''NE\n")
        return listed(text + self.until(lambda text: "DONE" in text))
