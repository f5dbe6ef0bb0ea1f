"""The services in a booted system: the commands of their headers, failures, the journal, an upgrade, the removal and a purge."""

import json
import re

from container import wait
from lib.processes import require

UNITS = "/usr/lib/systemd/system"
HOME, WEB = "locwatch-publish@home.service", "locwatch-web.service"
TOPIC = "owntracks/anna/a-name-that-is-longer-than-any-line-of-a-terminal-so-that-it-would-be-shortened-there"


def property_of(system, unit, name):
    return system.run("systemctl", "show", "--value", "--property", name, unit).strip()


def header(system, unit):
    """Returns the commands in the first comment of a unit."""
    text = system.run("cat", f"{UNITS}/{unit}").partition("[Unit]")[0]
    return re.findall(r"^#   (.*)$", text, re.MULTILINE)


def messages(system, unit):
    lines = system.run("journalctl", "--unit", unit, "--output", "json", "_TRANSPORT=stdout").splitlines()
    return [(int(line["PRIORITY"]), line["SYSLOG_IDENTIFIER"], line["MESSAGE"]) for line in map(json.loads, lines)]


def prepare(system):
    """Starts a broker that knows one user, and makes an editor that writes a target into the configuration."""
    system.shell("touch /etc/mosquitto/passwords; chmod 600 /etc/mosquitto/passwords; chown mosquitto /etc/mosquitto/passwords; "
                 "mosquitto_passwd -b /etc/mosquitto/passwords anna secret")
    system.write("/etc/mosquitto/conf.d/check.conf", "listener 1883 127.0.0.1\npassword_file /etc/mosquitto/passwords\n")
    system.write("/usr/local/bin/editor", "#!/bin/sh\nsed -i 's|^to .*|to mqtt://anna@127.0.0.1/" + TOPIC + "|; s|^interval.*|interval 1s|;"
                 " s|^distance.*||; s|^#source.*|source sim:walk|' \"$1\"\n", 0o755)
    system.run("systemctl", "restart", "mosquitto")


def configure(system):
    """Runs the commands of both headers as they are."""
    for unit in ("locwatch-publish@.service", "locwatch-web.service"):
        for command in header(system, unit):
            said = system.shell(command, input="secret\n", PATH="/usr/local/bin:/usr/sbin:/usr/bin")
            if "--check" in command:
                for words in ("locwatch-publish@home, as the user locwatch-publish", "/var/lib/locwatch-publish/home/queue",
                              "user anna with a password", "password-file: /etc/locwatch/home.password", "the settings are correct"):
                    require(words in said, f"--check does not say {words!r}:\n{said}")
                require("warning" not in said, said)


def publishes(system):
    told = system.run("mosquitto_sub", "-h", "127.0.0.1", "-u", "anna", "-P", "secret", "-t", TOPIC, "-C", "1", "-W", "60")
    require('"_type":"location"' in told, told)


def works(system):
    """Checks what the services do with the configurations of their headers."""
    publishes(system)
    user = system.run("ps", "-o", "user:32=", "-p", property_of(system, HOME, "MainPID")).strip()
    require(user == "locwatch-publish" or user.isdecimal(), f"the service runs as {user}")
    require(system.shell("stat -c %a /etc/locwatch /etc/locwatch/home.password /etc/locwatch/web.token").split() == ["755", "600", "600"],
            "the modes in /etc/locwatch")
    require(system.try_("curl", "--silent", "--fail", "http://127.0.0.1:8080/location").returncode != 0, "the page needs no token")
    system.shell('curl --silent --fail --header "Authorization: Bearer $(cat /etc/locwatch/web.token)" http://127.0.0.1:8080/metrics')


def failures(system):
    """Checks a service without its configuration, one with a wrong one, and one that root alone can read."""
    system.run("systemctl", "start", "locwatch-publish@missing")
    require(property_of(system, "locwatch-publish@missing", "ConditionResult") == "no", "no failed condition")
    require(property_of(system, "locwatch-publish@missing", "ActiveState") == "inactive", "a service without its configuration runs")
    system.write("/etc/locwatch/wrong.conf", "to smtp://host\n")
    require(system.try_("systemctl", "start", "locwatch-publish@wrong").returncode != 0, "a wrong configuration is taken")
    require(property_of(system, "locwatch-publish@wrong", "ActiveState") == "failed", "a service with a wrong configuration is restarted")
    told = messages(system, "locwatch-publish@wrong")
    require(any(level == 3 and "wrong.conf, line 1" in text for level, _, text in told), f"the journal does not name the line: {told}")
    system.write("/etc/locwatch/secret.conf", "to udp://127.0.0.1:10110\nsource sim:walk\n", 0o600)
    system.run("systemctl", "start", "locwatch-publish@secret")
    system.run("systemctl", "stop", "locwatch-publish@secret")


def journal(system):
    """Checks that the journal has whole names and levels."""
    system.run("systemctl", "stop", "mosquitto")
    away = f"mqtt://anna@127.0.0.1/{TOPIC}: cannot connect"
    wait(lambda: any(level == 4 and text.startswith(away) for level, _, text in messages(system, HOME)),
         lambda: f"no warning with the whole target: {messages(system, HOME)}")
    system.run("systemctl", "start", "mosquitto")
    told = messages(system, HOME) + messages(system, WEB)
    require({name for _, name, _ in told} == {"locwatch"}, f"other names: {told}")
    require(not any("\u2026" in text or text.startswith(("<", "locwatch:")) for _, _, text in told), f"shortened or marked: {told}")
    require(any(level == 6 and text.startswith("http://localhost:8080/") for level, _, text in told), f"no address of the page: {told}")


def running(system, unit):
    """Returns the process of a service that runs, and whether its program is still the installed one."""
    number = property_of(system, unit, "MainPID")
    require(number != "0", f"{unit} does not run")
    return number, not system.run("readlink", f"/proc/{number}/exe").strip().endswith("(deleted)")


def upgrade(system, package):
    before = {unit: running(system, unit)[0] for unit in (HOME, WEB)}
    system.run("apt-get", "install", "--yes", "--no-install-recommends", package)
    for unit in (HOME, WEB):
        number, is_installed = wait(lambda unit=unit: running(system, unit), unit)
        require(number != before[unit] and is_installed, f"{unit} runs the old program after an upgrade")
        require(property_of(system, unit, "UnitFileState") == "enabled", f"{unit} is not enabled after an upgrade")
    publishes(system)


def links(system):
    return system.run("find", "/etc/systemd/system", "-name", "locwatch*").split()


def remove(system):
    system.run("apt-get", "remove", "--yes", "locwatch")
    require(system.try_("pgrep", "locwatch").returncode == 1, "a service runs after the removal")
    require(not links(system), f"links are left: {links(system)}")
    left = system.run("systemctl", "list-units", "--all", "--plain", "--no-legend", "locwatch*").strip()
    require(not left, f"systemd still knows {left}")
    system.shell("test -f /etc/locwatch/home.conf -a -d /var/lib/private/locwatch-publish/home/queue")


def purge(system):
    said = system.run("apt-get", "purge", "--yes", "locwatch")
    left = system.shell("ls -d /etc/locwatch /var/lib/locwatch-publish /var/lib/private/locwatch-publish 2>/dev/null || true")
    require(not left, f"a purge leaves {left}")
    return said


def check(system, older, newer):
    """Checks the life of the services in a booted system, from an older package to the purge of a newer one."""
    prepare(system)
    before = system.files()
    system.run("apt-get", "install", "--yes", "--no-install-recommends", older)
    require(not links(system) and system.try_("pgrep", "locwatch").returncode == 1, "the installation enables or starts a service")
    configure(system)
    works(system)
    failures(system)
    journal(system)
    upgrade(system, newer)
    remove(system)
    system.run("apt-get", "install", "--yes", "--no-install-recommends", newer)
    require(not links(system), "an installation after a removal enables a service")
    system.run("systemctl", "enable", "--now", HOME, WEB)
    purge(system)
    after = system.files()
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    require(not changed, f"an installation and a purge change {changed}")
    return f"{len(before)} files as before"
