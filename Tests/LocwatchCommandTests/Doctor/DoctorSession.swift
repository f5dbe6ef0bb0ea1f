import LocationCore
import LocationGPSD
import LocationRecordings
import LocwatchPlatform
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// A simulated session, with a healthy receiver by default, as `doctor` observes it.
enum DoctorSession {
    static let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "Connection refused")
    static let greeted = LocationEvent.searching(.connected(release: "3.22"))
    static let path = "/dev/ttyACM0"

    static func device(_ activity: DeviceStatus.Activity) -> LocationEvent {
        .device(DeviceStatus(path: path, activity: activity))
    }

    static func positions(_ change: (Int, inout Location) -> Void = { _, _ in }) -> [LocationEvent] {
        (0..<5).map { index in
            // The first position is the fourth event.
            var location = ScriptedSession.location(Double(index + 4) - 0.2)
            location.speed = 0
            change(index, &location)
            return .location(location)
        }
    }

    static func healthy(_ change: (Int, inout Location) -> Void = { _, _ in }) -> Observation {
        let sky = SkyView(
            satellites: (0..<8).map { Satellite(signal: 38 + Double($0), isUsed: true) }, device: path)
        var observation = Observation.of(telling: [greeted, device(.reporting), .satellites(sky)] + positions(change))
        observation.hear(path)
        return observation
    }

    /// Returns the name and the finding of the first check that is not ok; fails if all are ok.
    static func first(
        _ observation: Observation, _ machine: PretendedMachine = PretendedMachine()
    ) throws -> (name: CheckName, finding: Finding) {
        try #require(observation.findings(machine).first { $0.finding.result != .ok })
    }
}

extension Observation {
    /// Adds a report of the receiver.
    mutating func hear(_ path: String) {
        process(LocationUpdate(.receiver(ReceiverReport(device: path)), at: now), view)
    }
}
