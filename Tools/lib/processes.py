"""Programs: how to find, run and end them, how to wait for them, and what they use."""
import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


class Failure(SystemExit):
    """A check that does not hold; unless it is caught, its text is the last line of the script."""


def require(holds, text):
    if not holds:
        raise Failure(text)


def wait(condition, text, limit=60, pause=0.05):
    """Waits until a condition returns a true value, and returns it; `text`, or what it returns, says what was missing."""
    end = time.monotonic() + limit
    while not (value := condition()):
        if time.monotonic() > end:
            raise Failure(f"after {limit} s: {text() if callable(text) else text}")
        time.sleep(pause)
    return value


def needs(name):
    """Returns the path of a required program."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    require(path, f"{name} is missing: Tools/setup/install-dependencies installs it")
    return path


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def await_port(port, limit=30, process=None):
    """Waits until a server accepts connections."""
    def accepts():
        require(process is None or process.poll() is None, f"the server of port {port} has ended")
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", port)) == 0

    wait(accepts, f"no server accepts connections on port {port}", limit, 0.01)


def started(words, log=os.devnull, **options):
    """Starts a program without input, whose output is appended to a log, except for what the options say."""
    with open(log, "ab") as output:
        usual = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        return subprocess.Popen([str(word) for word in words], **usual | options)


def end(process, limit=10):
    """Ends a program as a user does, and kills it if it does not end in time."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def running(*words, **options):
    """Runs a program until the end of the block."""
    process = started(words, **options)
    try:
        yield process
    finally:
        end(process)


@contextlib.contextmanager
def reading(take, *words):
    """Runs a program until the end of the block, and passes on its lines as they arrive."""
    with running(*words, stdout=subprocess.PIPE, text=True) as process:
        thread = threading.Thread(target=lambda: [take(line) for line in process.stdout], daemon=True)
        thread.start()
        yield
    thread.join(10)


def told(*words, **options):
    """Returns the output of a program that must succeed."""
    return subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def stat(process):
    """Returns the fields of /proc/PID/stat after the name, which can contain spaces."""
    return pathlib.Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()


def seconds(process):
    """Returns the processor time that a process has used with its ended threads."""
    # The identifier of a process's clock, as clock_getcpuclockid(3) returns it.
    return time.clock_gettime(~process << 3 | 2)


def megabytes(process, name="VmRSS"):
    """Returns the resident memory of a process, or another part of its memory; an ended process has none."""
    status = pathlib.Path(f"/proc/{process}/status").read_text(errors="replace")
    return sum(int(size) for size in re.findall(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)) / 1024


def machine():
    """Returns the kind of this machine and its load."""
    models = re.findall(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    uname = os.uname()
    return f"{[*models, uname.machine][0]}, {os.cpu_count()} cores, Linux {uname.release}, load {os.getloadavg()[0]:.1f}"
