import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchPlatform
@testable import LocwatchSession

/// The first advice to a person with a receiver, and no gpsd that reads it.
@Suite(.serialized, .withClocks) struct FirstContactTests {
    private static let try0 = "a receiver may be at /dev/ttyACM0: try 'locwatch /dev/ttyACM0'"
    private static let refused = ScriptStep.endThrowing(
        .unreachable(host: "localhost", port: 2947, cause: "Connection refused"))

    private static let machine = with(PretendedMachine()) {
        $0.candidates = ["/dev/serial/by-id/usb-u-blox_7", "/dev/pps0"]
        $0.links["/dev/serial/by-id/usb-u-blox_7"] = "/dev/ttyACM0"
    }

    private func run(
        _ line: String, _ script: [ScriptStep], on machine: PretendedMachine = Self.machine
    ) async throws -> CommandTrial.Result {
        let clock = ManualClock()
        var trial = CommandTrial(provider: ScriptedLocationSource(script, clock: clock), clock: clock)
        trial.machine = machine
        return try await trial.run(line)
    }

    @Test(arguments: ["watch", "once", "record -", "export gpx", "stats"])
    func `without a gpsd each command names the receiver and the command that reads it, once`(line: String) async throws
    {
        let result = try await run(line, [Self.refused])
        #expect(result.status == 69)
        #expect(
            result.errors.split(separator: "\n").suffix(2) == [
                "locwatch: no gpsd at localhost:2947: Connection refused",
                "locwatch: \(Self.try0), or 'locwatch doctor'",
            ], "\(result.errors)")
    }

    @Test func `scripts get the same advice as people`() async throws {
        for line in ["watch -j", "once -j"] {
            let result = try await run(line, [Self.refused])
            #expect(try result.texts("error", "advice") == ["\(Self.try0), or 'locwatch doctor'"], "\(line)")
        }
    }

    @Test func `up to three receivers are named`() {
        func step(_ count: Int) -> String? {
            FirstContact(with(PretendedMachine()) { $0.candidates = (0..<count).map { "/dev/ttyUSB\($0)" } }).step
        }
        let three = "receivers may be at /dev/ttyUSB0, /dev/ttyUSB1 and /dev/ttyUSB2"
        #expect(step(3) == "\(three): try 'locwatch /dev/ttyUSB0'")
        #expect(step(4) == "\(three) and others: try 'locwatch /dev/ttyUSB0'")
        #expect(step(0) == nil)
    }

    @Test(arguments: ["watch", "once -t 30s", "record -"])
    func `a gpsd without a receiver is not waited for in silence`(line: String) async throws {
        let script: [ScriptStep] = [
            .searching(.connected(release: "3.22")), .searching(.noDevice), .wait(.seconds(40)),
        ]
        let result = try await run(line + (line.contains("-t") ? "" : " -x 30s"), script)
        let advice = result.errors.split(separator: "\n").filter { $0.contains("locwatch /dev/ttyACM0") }
        #expect(advice.count == 1, "\(result.errors)")
        #expect(advice.first?.hasSuffix(Self.try0) == true, "\(result.errors)")
    }

    @Test func `doctor begins with the same step`() async throws {
        let result = try await run("doctor -j", [Self.refused])
        let remedies = try result.objects("check").compactMap { $0["remedy"] as? [String] }
        #expect(remedies.first?.first == Self.try0, "\(result.output)")
    }

    @Test func `the monitor has the advice in its log`() async throws {
        let terminal = try FakeTerminal(columns: 100, rows: 40)
        let clock = ManualClock()
        let error = LocationError.unreachable(host: "localhost", port: 2947, cause: "Connection refused")
        var trial = CommandTrial(
            provider: ScriptedLocationSource([.error(error), .wait(.seconds(9))], clock: clock), clock: clock,
            terminal: terminal)
        trial.machine = Self.machine
        _ = try await trial.run("monitor -x 5s")
        let screens = terminal.state.screens
        #expect(screens.contains { $0.contains("a receiver may be at /dev/ttyACM0") }, "\(screens.last ?? "")")
    }

    @Test func `a person who may not read the receiver learns the group, once`() async throws {
        let machine = with(Self.machine) { $0.user.groups = ["ada"] }
        let result = try await run("once", [Self.refused], on: machine)
        #expect(result.errors.split(separator: "sudo usermod -aG dialout ada").count == 2, "\(result.errors)")
        #expect(result.errors.contains("and then try 'locwatch /dev/ttyACM0'"))
    }

    @Test func `without a receiver the advice is the first step of doctor`() async throws {
        let files = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o644)
        let systemd = with(PretendedMachine()) {
            ($0.files["/run/systemd/system"], $0.files["/lib/systemd/system/gpsd.socket"]) = (files, files)
            $0.units["gpsd.socket"] = UnitState()
        }
        let bare = with(PretendedMachine()) { $0.daemons = [] }
        let none = with(PretendedMachine()) { $0.gpsd = nil }
        for (machine, step) in [
            (systemd, "sudo systemctl enable --now gpsd.socket"), (none, "sudo apt install gpsd"),
            (bare, "start it with the path of the receiver: sudo gpsd -n /dev/ttyACM0"),
        ] {
            let once = try await run("once", [Self.refused], on: machine)
            #expect(once.errors.contains(step), "\(once.errors)")
            let doctor = try await run("doctor -j", [Self.refused], on: machine)
            let remedies = try doctor.objects("check").compactMap { $0["remedy"] as? [String] }
            #expect(remedies.first?.first == step, "\(doctor.output)")
        }
    }

    @Test func `the receivers of this machine say nothing about another machine's gpsd`() async throws {
        let refused = LocationError.unreachable(host: "pi.local", port: 2947, cause: "Connection refused")
        let result = try await run("once pi.local", [.endThrowing(refused)])
        #expect(!result.errors.contains("ttyACM0") && result.errors.contains("-G"), "\(result.errors)")
    }

    @Test func `once at a device that is not for this user says what doctor says`() async throws {
        let path = "/dev/ttyACM0"
        let root = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o600)
        let situations: [(LocationError.DeviceFault, (inout PretendedMachine) -> Void, String)] = [
            (
                .notPermitted, { $0.files[path] = root },
                "no group of users can read and write it; until it is plugged in again: "
                    + "sudo chgrp dialout /dev/ttyACM0 && sudo chmod 660 /dev/ttyACM0; for the rest see 'locwatch doctor"
            ),
            (
                .notPermitted,
                {
                    $0.files[path] = root
                    $0.links[path] = "/dev/pts/3"
                }, "read it as root, or start the program that made it as ada"
            ),
            (
                .notPermitted, { $0.user.groups = ["ada"] },
                "ada is not in the group dialout, which can; sudo usermod -aG dialout ada; log out and in again"
            ),
            (
                .busy(holder: nil),
                { $0.holders[path] = [with(DeviceHolder(processID: 812, name: "gpsd")) { $0.port = 29471 }] },
                "another gpsd already reads it; use that one: locwatch localhost:29471"
            ),
            (
                .busy(holder: nil),
                {
                    $0.holders[path] = [
                        with(DeviceHolder(processID: 812, name: "gpsd")) {
                            $0.owner = .init(processID: 811, name: "locwatch")
                        }
                    ]
                }, "two programs cannot share a serial line; end it: kill 811"
            ),
            (.busy(holder: nil), { _ in }, "a gpsd runs, and may have it open; read what that gpsd reads: locwatch"),
        ]
        for (fault, change, words) in situations {
            let result = try await run(
                "once \(path)", [.endThrowing(.deviceUnusable(path: path, cause: fault))],
                on: with(PretendedMachine(), change))
            #expect(result.errors.contains(words), "\(result.errors)")
        }
    }
}
