"""Trees of Debian releases, as folders to change the root to and as booted containers."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from lib import ROOT, processes
from lib.processes import require

CACHE = ROOT / ".build-trees"
MIRROR = "http://deb.debian.org/debian"
# What an administrator's machine has, and what the checks use; nothing that the package needs or recommends.
PACKAGES = "systemd,systemd-sysv,dbus,iproute2,procps,curl,mosquitto,mosquitto-clients"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}

# systemd needs the unified hierarchy of control groups. A machine that mounts the older one has it as well, and only the container
# and its parent see that mount.
BOOT = """
set -e
mount --make-rprivate /
if [ "$(stat --file-system --format=%T /sys/fs/cgroup)" != cgroup2fs ]; then
    umount --lazy /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
mkdir -p "/sys/fs/cgroup/$2"
echo $$ >"/sys/fs/cgroup/$2/cgroup.procs"
exec systemd-nspawn --quiet --boot --register=no --keep-unit --private-network --console=pipe --machine="$2" --directory="$1"
"""

# The mounts end with the command.
CHROOT = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'


def wait(condition, text):
    """Waits until a condition returns a true value, and returns it; the machine may be slow."""
    return processes.wait(condition, text, 90, 0.2)


def archive(release, name=None, *packages):
    """Returns the path of an archive of a release with further packages, which is made once."""
    path = CACHE / f"{name or release}.tar"
    if not path.exists():
        CACHE.mkdir(exist_ok=True)
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join([PACKAGES, *packages])}", release, f"{path}.new.tar",
             f"deb {MIRROR} {release} main"], check=True)
        os.rename(f"{path}.new.tar", path)
    return path


class Tree:
    """A folder with a release of Debian, in which commands run."""

    def __init__(self, folder):
        self.folder = folder
        self.enter = ["unshare", "--mount", "sh", "-c", CHROOT, folder]

    def try_(self, *command, input=None, **environment):
        return subprocess.run(
            [*self.enter, *command], input=input, env=ENVIRONMENT | environment, text=True, timeout=600,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL if input is None else None)

    def run(self, *command, **options):
        done = self.try_(*command, **options)
        require(done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def shell(self, line, **options):
        return self.run("sh", "-euc", line, **options)

    def write(self, path, text, mode=0o644):
        file = self.folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    def copy(self, file):
        """Copies a file to /root and returns its path there."""
        shutil.copy(file, self.folder / "root")
        return f"/root/{pathlib.Path(file).name}"

    # What the package system, the journal and the start of a system write by themselves.
    UNRELATED = ("dev", "proc", "sys", "run", "tmp", "root", "var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "var/lib/systemd",
                 "var/lib/private", "var/tmp", "var/lib/mosquitto", "etc/mosquitto", "usr/local")

    def files(self):
        """Returns the files of the tree, each with its mode and the target of a link."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            base = pathlib.Path(folder).relative_to(self.folder)
            folders[:] = [name for name in folders if not str(base / name).startswith(self.UNRELATED)]
            for name in folders + files:
                file = pathlib.Path(folder) / name
                link = os.readlink(file) if file.is_symlink() else None
                found[str(base / name)] = (oct(file.lstat().st_mode), link)
        return found


@contextlib.contextmanager
def extracted(*release):
    """Yields a fresh tree of an archive."""
    # In memory the package system is ten times as fast as on a busy disk.
    with tempfile.TemporaryDirectory(prefix="locwatch-tree-", dir="/dev/shm") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        subprocess.run(
            ["tar", "--extract", "--file", archive(*release), "--directory", folder, "--exclude=./dev/*"], check=True)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        yield Tree(folder)


@contextlib.contextmanager
def booted(tree, name):
    """Boots the system in a tree, and yields a tree whose commands run in it."""
    process = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", BOOT, "boot", tree.folder, name],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})

    def leader():
        require(process.poll() is None, "systemd-nspawn has ended")
        # The first child makes the namespaces, and ends.
        for child in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            with contextlib.suppress(FileNotFoundError):
                if pathlib.Path(f"/proc/{child}/comm").read_text() == "systemd\n":
                    return child
        return None

    try:
        first = wait(leader, "no container")
        inside = Tree(tree.folder)
        inside.enter = ["nsenter", "--target", first, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"]
        wait(lambda: inside.try_("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"),
             lambda: inside.try_("systemctl", "list-jobs").stdout)
        inside.run("ip", "link", "set", "lo", "up")
        yield inside
    finally:
        # The first signal asks the system to end, and the second one ends it.
        for number in (signal.SIGTERM, signal.SIGKILL):
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
                break
        process.wait()
