"""A program on a real pseudo-terminal: type at it, wait for what it shows. Standard library only."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

TIMEOUT = 10  # seconds; only a failing test waits that long

PROMPT = "tfprof> "


class TerminalSession:
    def __init__(self, command, *, env, cwd, rows=24, columns=100):
        self.output = ""  # everything shown so far
        self.seen = 0  # how far wait_for() has got
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.chdir(cwd)
                os.execve(command[0], [str(word) for word in command], env)
            finally:
                os._exit(127)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def send(self, text):
        os.write(self.fd, text.encode())

    def read_some(self, seconds):
        """Reads what is there, waiting up to `seconds` for it. False at the end or when nothing came."""
        if not select.select([self.fd], [], [], max(0, seconds))[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux says EIO when the last process has closed the terminal
            return False
        self.output += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, text):
        """Waits until `text` is shown, after what earlier calls found; gives what came before it."""
        deadline = time.monotonic() + TIMEOUT
        while (at := self.output.find(text, self.seen)) < 0:
            if not self.read_some(deadline - time.monotonic()):
                raise AssertionError(f"{text!r} was not shown after: {self.output[self.seen:]!r}")
        before = self.output[self.seen : at]
        self.seen = at + len(text)
        return before

    def exit_status(self):
        """Waits for the end of the program."""
        while self.read_some(TIMEOUT):
            pass
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        raise AssertionError(f"still running; last shown: {self.output[-500:]!r}")
