import Foundation
import Glibc
import LocwatchPlatform
import TestSupport

/// Debian's mosquitto on a free port of this machine, and its client as an independent reader.
final class Broker {
    /// The port, which stays the same when the broker is started again.
    let port: UInt16
    private let folder: Scratch
    private let options: [String]
    private var process: Locwatch?
    private var readers: [Locwatch] = []

    /// - Parameters:
    ///   - options: The lines of the configuration besides the listener.
    ///   - isStarted: Whether the broker is started at once.
    init(_ options: [String] = ["allow_anonymous true"], isStarted: Bool = true) async throws {
        folder = try Scratch()
        port = try LoopbackPort.free()
        self.options = options
        if isStarted { try await start() }
    }

    deinit {
        for process in readers + [process].compactMap(\.self) { process.signal(SIGKILL) }
    }

    /// The word of an OwnTracks target at the broker.
    var target: String { "mqtt://127.0.0.1:\(port)/owntracks/anna/boat" }

    /// Starts the broker and waits until it accepts connections.
    func start(_ options: [String]? = nil) async throws {
        let lines = ["listener \(port) 127.0.0.1", "log_type all", "log_dest stderr"] + (options ?? self.options)
        try lines.map { $0 + "\n" }.joined().write(
            toFile: folder.path("configuration"), atomically: true, encoding: .utf8)
        let process = try Locwatch("exec /usr/sbin/mosquitto -c \(folder.path("configuration"))")
        self.process = process
        let port = port
        try await process.wait { _ in
            guard let connection = try? LoopbackPort.connect(to: port) else { return false }
            close(connection)
            return true
        }
    }

    /// Ends the broker as a crash does.
    func kill() async throws {
        process?.signal(SIGKILL)
        try await process?.end()
        process = nil
    }

    /// Subscribes to the topic of `target` with mosquitto_sub, whose lines are the messages.
    func subscribe() async throws -> Locwatch {
        let name = "reader\(readers.count)"
        let reader = try Locwatch(
            "exec mosquitto_sub -h 127.0.0.1 -p \(port) -i \(name) -V mqttv5 -q 1 -t owntracks/anna/boat")
        readers.append(reader)
        try await reader.wait { _ in (process?.errors ?? "").contains("Sending SUBACK to \(name)") }
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
