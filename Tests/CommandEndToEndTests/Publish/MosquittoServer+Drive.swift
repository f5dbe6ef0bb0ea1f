import Foundation
import Glibc
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
    /// The numbers of the positions that mosquitto_sub has printed.
    var numbers: [Int] { lines.compactMap { NumberedDrive.number(in: $0) } }

    /// The changes of deliveries that `publish -j` has printed.
    func changes() throws -> [String] {
        try Events.of("delivery", in: output).compactMap { $0["change"] as? String }
    }

    /// Waits until `publish -j` has printed a change of a delivery.
    func wait(forChange change: String) async throws {
        try await wait { $0.output.contains("\"change\":\"\(change)\"") }
    }
}
