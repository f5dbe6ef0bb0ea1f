import LocationCore
import LocwatchPlatform

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

/// A configurable machine for tests, without faults by default.
struct PretendedMachine: ExaminedMachine {
    var libgps: String? = "3.22"
    var libgpsIsBuiltIn = false
    var gpsd: InstalledGPSD? = InstalledGPSD(path: "/usr/sbin/gpsd", release: "3.22")
    var confinement = ConfinementParts.all
    var units: [String: UnitState] = [:]
    var files: [String: FileAccess] = ["/dev/ttyACM0": .line]
    var links: [String: String] = [:]
    var holders: [String: [DeviceHolder]] = [:]
    var user = Account(name: "ada", id: 1000, groups: ["ada", "dialout"])
    var daemons = [RunningGPSD(account: Account(name: "gpsd", id: 104, groups: ["dialout"]))]
    var texts = ["/proc/net/if_inet6": "00000000000000000000000000000001 01 80 10 80       lo\n"]
    var candidates: [String] = []
    var clockIsSynchronized: Bool? = true
    var starts: [String: UInt64] = [:]
    var system = ["Debian GNU/Linux 12 (bookworm)", "Linux 6.1.0 x86_64"]
    var hostNames = ["lovelace", "lovelace.example"]
    /// The bytes that a line sends at each speed; 0 is the speed that it has.
    var lines: [String: [Int: [UInt8]]] = [:]
    /// The bytes that a gpsd reads from a device within a second.
    var traffic: [String: Int] = [:]

    func install(_ package: String) -> String { "sudo apt install \(package)" }
    func unit(_ name: String) -> UnitState? { units[name] }
    func file(_ path: String) -> FileAccess? { files[path] }
    func resolved(_ path: String) -> String { links[path] ?? path }
    func holders(of path: String) -> [DeviceHolder] { holders[path] ?? [] }
    func started(_ program: String) -> UInt64? { starts[program] }
    func text(_ path: String) -> String? { texts[path] }

    func names(in folder: String) -> [String] {
        texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }.sorted()
    }

    func bytes(
        from path: String, at speed: Int?, within time: Duration, until isEnough: ([UInt8]) -> Bool
    ) -> [UInt8]? {
        lines[path].map { $0[speed ?? 0] ?? [] }
    }

    func rawBytes(of device: String, at host: String, _ port: String, within time: Duration) -> Int? {
        traffic[device].map { $0 * Int(time.components.seconds) }
    }
}

extension FileAccess {
    /// A serial line with the permissions of Debian.
    static let line = FileAccess(owner: "root", ownerID: 0, group: "dialout", mode: 0o660)
}

extension Observation {
    /// Returns an observation of the given events, which is over by default.
    static func of(
        _ source: SourceWord = .standard, failure: LocationError? = nil, isOver: Bool = true,
        telling events: [LocationEvent] = []
    ) -> Observation {
        var observation = Observation(source, at: ScriptedSession.moment(0))
        var tracker = Tracker()
        for (index, event) in events.enumerated() {
            let update = LocationUpdate(event, at: ScriptedSession.moment(Double(index + 1)))
            _ = tracker.results(of: update)
            observation.process(update, tracker.view)
        }
        observation.failure = failure
        observation.isOver = isOver
        return observation
    }

    /// Returns the findings of the checks up to the first fault.
    func findings(_ machine: any ExaminedMachine) -> [(name: CheckName, finding: Finding)] {
        var findings: [(name: CheckName, finding: Finding)] = []
        for check in Check.all(for: source) {
            let finding = check.examine(self, machine)
            if finding.result == .moot || finding.result == .wait { continue }
            findings.append((check.name, finding))
            if finding.result == .fault { break }
        }
        return findings
    }
}
