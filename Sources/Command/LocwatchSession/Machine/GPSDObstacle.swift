import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The reasons why the gpsd of this machine gives no position to a program: it does not run, or it has no receiver.
package enum GPSDObstacle {
    private static let socketUnits = ["/etc", "/usr/lib", "/lib"].map { "\($0)/systemd/system/gpsd.socket" }

    /// Returns the fault that nothing listens at gpsd's usual port.
    ///
    /// - Parameter asksSystemd: Whether systemd is asked for the state of its units, for which a program is started.
    package static func absence(
        _ found: String, _ machine: any ExaminedMachine, asksSystemd: Bool = true
    ) -> Finding {
        guard machine.hasGPSD else {
            return .fault(
                .unavailable, found, why: "gpsd is the program that reads the receiver, and it is not installed",
                remedy: machine.install("gpsd"))
        }
        var finding = asksSystemd ? stateOfUnits(found, machine) : likely(found, machine)
        if let step = FirstContact(machine).step { finding.remedy.insert(step, at: 0) }
        return finding
    }

    /// Returns the most likely fault, from what can be seen without systemd.
    private static func likely(_ found: String, _ machine: any ExaminedMachine) -> Finding {
        machine.exists("/run/systemd/system") && socketUnits.contains(where: machine.exists)
            ? stopped(found) : idle(found, machine)
    }

    private static func stateOfUnits(_ found: String, _ machine: any ExaminedMachine) -> Finding {
        func fault(_ why: String, _ remedy: String...) -> Finding {
            .fault(.unavailable, found, why: why, remedy: remedy)
        }
        if machine.unit("gpsd.service")?.active == "failed" {
            return fault(
                "systemd started gpsd, but it failed", "see why: journalctl -u gpsd.service -n 20 --no-pager",
                "then: sudo systemctl reset-failed gpsd.service && sudo systemctl restart gpsd.socket")
        }
        guard let socket = machine.unit("gpsd.socket"), socket.isThere else {
            guard let daemon = machine.daemons.first else { return idle(found, machine) }
            let name = daemon.account.name
            if let port = daemon.arguments.port {
                return fault(
                    "a gpsd runs (as \(name)), but listens at port \(port)",
                    "use that one: locwatch localhost:\(port)")
            }
            return fault(
                "a gpsd runs (as \(name)), but listens at another address",
                "see where: sudo ss -ltnp | grep gpsd")
        }
        if socket.load == "masked" {
            return fault(
                "gpsd.socket is masked, so systemd never starts gpsd", "sudo systemctl unmask gpsd.socket",
                "sudo systemctl enable --now gpsd.socket")
        }
        if !socket.isActive, !hasIPv6(machine) {
            return fault(
                "gpsd.socket cannot listen at [::1], because IPv6 is disabled here",
                "in /etc/systemd/system/gpsd.socket.d/ipv4.conf: [Socket] ListenStream= "
                    + "ListenStream=/run/gpsd.sock ListenStream=127.0.0.1:2947, one per line",
                "then: sudo systemctl daemon-reload && sudo systemctl enable --now gpsd.socket")
        }
        if socket.active == "failed" {
            return fault(
                "gpsd.socket has failed, usually because another program had its port",
                "see why: journalctl -u gpsd.socket -n 20 --no-pager", "sudo systemctl restart gpsd.socket")
        }
        return socket.isActive
            ? fault("gpsd.socket listens, but at other addresses", "see which: systemctl cat gpsd.socket")
            : stopped(found)
    }

    private static func stopped(_ found: String) -> Finding {
        .fault(
            .unavailable, found, why: "gpsd.socket, which starts gpsd on demand, is stopped",
            remedy: "sudo systemctl enable --now gpsd.socket")
    }

    private static func idle(_ found: String, _ machine: any ExaminedMachine) -> Finding {
        .fault(
            .unavailable, found, why: "gpsd is installed, but not running",
            remedy: machine.candidates.first.map { "or start gpsd with it: sudo gpsd -n \(ShellWords.quoted($0))" }
                ?? "start it with the path of the receiver: sudo gpsd -n /dev/ttyACM0")
    }

    /// Whether this machine has the address ::1, at which Debian's gpsd.socket listens too.
    private static func hasIPv6(_ machine: any ExaminedMachine) -> Bool {
        machine.text("/proc/net/if_inet6")?.containsBytes(of: "00000000000000000000000000000001") ?? false
    }

    /// Returns the fault that the gpsd of this machine has no receiver.
    package static func withoutReceiver(_ machine: any ExaminedMachine) -> Finding {
        let found = "gpsd has no receiver"
        guard let step = FirstContact(machine).step, let candidate = machine.candidates.first else {
            return .fault(
                .unavailable, found, why: "none is configured, and no possible receiver is plugged in",
                remedy: "plug in the receiver and check that the kernel finds it: sudo dmesg | tail",
                "on a Raspberry Pi, enable the serial port: sudo raspi-config")
        }
        return .fault(
            .unavailable, found, why: "none is configured, but there is one that it could read",
            remedy: step,
            "or give it to gpsd, until that is restarted: sudo gpsdctl add \(ShellWords.quoted(candidate))",
            "permanently, in /etc/default/gpsd: DEVICES=\"\(candidate)\", then: sudo systemctl restart gpsd.service")
    }
}
