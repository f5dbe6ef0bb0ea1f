import Foundation
import GPSDSimulation
import LocwatchPlatform
import TestSupport
import Testing

/// The exit codes that can be produced in a test.
@Suite(.serialized, .withFew) struct ExitCodeTests {
    @Test(arguments: [
        ("$LW once $FIXTURES/walk/session.json", 0),
        ("$LW --pace max -n 3 $FIXTURES/walk/session.json", 0),
        ("$LW version", 0), ("$LW watch --help", 0),
        ("$LW watch --bogus", 64), ("LOCWATCH_CONFIG=/nonexistent $LW", 66),
        ("$LW serve", 64), ("$LW serve --port 2948 --no-reconnect -q localhost:1", 69),
        ("$LW /dev/null/x", 66), ("$LW serve ./no-such-file", 66), ("$LW once /dev/ttyNoSuch", 66),
        ("$LW once --to pty:gps $FIXTURES/walk/session.json", 64),
        ("$LW once --to file:gps $FIXTURES/walk/session.json", 64),
        ("$LW --no-reconnect localhost:1", 69), ("$LW record --no-reconnect - localhost:1", 69),
        ("$LW once no-such-host.invalid", 69),
        ("PATH=/usr/bin $LW once /dev/null", 66),
        // A password that other users can read.
        ("$LW publish --queue memory --password-file /etc/passwd mqtt://a@127.0.0.1:1/a localhost:1", 66),
        ("$LW record /no/such/folder/file $FIXTURES/walk/session.json", 73),
        ("$LW record Package.swift $FIXTURES/walk/session.json", 73),
        ("$LW --pace max $FIXTURES/walk/session.json >/dev/full", 74),
        ("$LW --csv --pace max $FIXTURES/walk/session.json >/dev/full", 74),
        ("$LW once $FIXTURES/walk/session.json >/dev/full", 74), ("$LW help >/dev/full", 74),
        ("$LW record - $FIXTURES/walk/session.json >/dev/full", 74),
        ("$LW once $FIXTURES/walk/session.json >&-", 74), ("$LW -n 1 sim:walk >&-", 74),
        ("$LW once $FIXTURES/no-fix/session.json", 75), ("$LW once -a 1 $FIXTURES/walk/session.json", 75),
        ("$LW once -t 2s sim:indoors", 75), ("$LW -t 2s sim:indoors", 75),
        ("$LW once -t 5s $FIXTURES/no-device/session.json", 75),
        ("$LW devices Package.swift", 65), ("$LW devices ./no-such-file", 66), ("$LW once -", 65),
        ("$LW doctor $FIXTURES/walk/session.json", 64),
        ("$LW export csv --no-reconnect localhost:1", 69), ("$LW stats --no-reconnect localhost:1", 69),
        ("$LW devices localhost:1", 69), ("$LW export gpx -o /no/such/x.gpx $FIXTURES/walk/session.json", 73),
        ("$LW export csv $FIXTURES/walk/session.json >/dev/full", 74),
        ("$LW export gpx -o /dev/full $FIXTURES/walk/session.json", 74),
        ("$LW stats $FIXTURES/walk/session.json >/dev/full", 74),
        ("$LW devices $FIXTURES/walk/session.json >/dev/full", 74), ("$LW doctor localhost:1 >/dev/full", 74),
        ("$LW version >/dev/full", 74), ("$LW completions bash >/dev/full", 74),
        ("$LW export csv $FIXTURES/no-fix/session.json", 75),
        // A program that may open no further descriptors cannot work, which is an internal error.
        ("(ulimit -n 4; $LW once --no-config sim:walk)", 70),
    ])
    func `the exit code states the result`(line: String, code: Int32) async throws {
        let run = try await Locwatch.run(line)
        #expect(run.code == code, "\(run.output)\(run.errors)")
        #expect(run.errors.isEmpty == (code == 0), "a failure is printed on standard error: \(run.errors)")
        #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("locwatch: ") }, "\(run.errors)")
    }

    @Test(arguments: [
        ("serve --port 80 $FIXTURES/walk/session.json", "cannot take port 80"),
        ("serve --port 80 sim:walk", "cannot take port 80"), ("web --port 80 x", "cannot take port 80"),
        (
            "publish --queue memory tcp-listen://:80 $FIXTURES/walk/session.json",
            "tcp-listen://:80: cannot listen at port 80"
        ),
    ])
    func `a port that only the system may use is denied at once`(line: String, failure: String) async throws {
        let user = geteuid() == 0 ? "setpriv --bounding-set=-net_bind_service" : ""
        let run = try await Locwatch.run("timeout 300 \(user) $LW \(line)")
        #expect(run.code == 77)
        let advice = line.hasPrefix("publish") ? "" : "locwatch: take a port above 1023 with --port\n"
        #expect(run.errors == "locwatch: \(failure): Permission denied\n\(advice)")
        #expect(run.output == "")
    }

    @Test func `a device that this user may not open has its own exit code`() async throws {
        let line = try PseudoTerminal()
        #expect(chmod(line.path, 0) == 0)
        // Root may open any device unless it drops that capability.
        let user = geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search" : ""
        let run = try await Locwatch.run("exec \(user) $LW once \(line.path)")
        #expect(run.code == 77, "\(run.errors)")
        #expect(run.errors.contains("\(line.path) cannot be opened"), "\(run.errors)")
        // Root is not looked up among the users who may open it.
        let advice =
            geteuid() == 0 ? "join the group that owns it" : "a pseudo terminal belongs to the user who made it"
        #expect(run.errors.contains(advice), "the advice: \(run.errors)")
    }

    @Test func `a forbidden connection has its own exit code`() async throws {
        // In a separate network namespace, in which the route to that address is prohibited.
        let run = try await Locwatch.run(
            "exec \(geteuid() == 0 ? "unshare -n" : "unshare -rn") sh -c '/usr/sbin/ip link set lo up && "
                + "/usr/sbin/ip route add prohibit 192.0.2.9 && exec $LW once 192.0.2.9'")
        #expect(run.code == 77, "\(run.errors)")
        #expect(run.errors.contains("192.0.2.9"), "\(run.errors)")
    }

    @Test(arguments: ["once", "watch -t 1s"])
    func `a daemon that refuses every watch has its own exit code`(command: String) async throws {
        var settings = StandInGPSD.Settings()
        settings.faults = [.deniesWatch(message: "watching is not allowed")]
        let daemon = try StandInGPSD(StandInRecording(#"{"class":"VERSION","release":"3.22"}"#), settings: settings)
        let run = try await Locwatch.run("$LW \(command) localhost:\(daemon.port)")
        #expect(run.code == 77, "\(run.errors)")
        #expect(run.errors.contains("watching is not allowed"), "\(run.errors)")
    }
}
