import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

/// A simulated session, with a healthy receiver by default, as `doctor` observes it.
enum DoctorSession {
    static let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "Connection refused")
    static let greeted = LocationEvent.searching(.connected(release: "3.22"))
    static let path = "/dev/ttyACM0"
    static let serial = SourceWord.of("serial:\(path)")

    static func device(_ activity: DeviceStatus.Activity) -> LocationEvent {
        .device(DeviceStatus(path: path, activity: activity))
    }

    static func positions(_ change: (Int, inout Location) -> Void = { _, _ in }) -> [LocationEvent] {
        (0..<5).map { index in
            // The first position is the fourth event.
            .location(
                with(ScriptedSession.location(Double(index + 4) - 0.2)) {
                    $0.speed = 0
                    change(index, &$0)
                })
        }
    }

    static func healthy(_ change: (Int, inout Location) -> Void = { _, _ in }) -> Observation {
        let satellites = (0..<8).map { Satellite(signal: 38 + Double($0), isUsed: true) }
        return reporting([.satellites(SkyView(satellites: satellites, device: path))] + positions(change))
    }

    /// Returns the observation of a receiver that reports, and of further events.
    static func reporting(_ events: [LocationEvent]) -> Observation {
        var observation = Observation.of(telling: [greeted, device(.reporting)] + events)
        observation.process(
            LocationUpdate(.receiver(ReceiverReport(device: path)), at: observation.now), observation.view)
        return observation
    }

    /// Returns the name and the finding of the first check that is not ok; fails if all are ok.
    static func first(
        _ observation: Observation, _ machine: PretendedMachine = PretendedMachine()
    ) throws -> (name: CheckName, finding: Finding) {
        try #require(observation.findings(machine).first { $0.finding.result != .ok })
    }
}

extension CommandTrial.Result {
    /// The output as words with one space between them, wherever its lines are wrapped.
    var unwrapped: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
