import Foundation
import TestSupport

extension MosquittoServer {
    /// The word of an OwnTracks target at the broker.
    var target: String { "mqtt://127.0.0.1:\(port)/owntracks/anna/boat" }

    /// Subscribes to the topic of `target` with mosquitto_sub, an independent reader whose lines are the messages.
    func subscribe() async throws -> Locwatch {
        let name = UUID().uuidString
        let reader = try Locwatch(
            "exec mosquitto_sub -h 127.0.0.1 -p \(port) -i \(name) -V mqttv5 -q 1 -t owntracks/anna/boat")
        companions.append { reader.signal(SIGKILL) }
        try await reader.wait { _ in log.contains("Sending SUBACK to \(name)") }
        return reader
    }
}

extension Locwatch {
    /// The seconds of the drive whose positions mosquitto_sub has printed.
    var numbers: [Int] {
        lines.compactMap { line in
            let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return (members?["lat"] as? Double).map { RecordedDrive.second(at: $0) }
        }
    }

    /// Waits until `publish -j` has printed a change of a delivery.
    func wait(forChange change: String) async throws {
        try await wait { $0.output.contains("\"change\":\"\(change)\"") }
    }
}

extension RecordedDrive {
    /// Returns the second of the drive that has a position at a latitude.
    static func second(at latitude: Double) -> Int { Int((latitude * 1e6).rounded()) - 45_100_000 }
}
