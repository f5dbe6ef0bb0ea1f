import Foundation
import Testing

/// A program with a simulated receiver and a gpsd, which a test ends.
final class GPSDHolder {
    private let process = Process()
    /// The process of its gpsd.
    let daemon: Int32

    init() throws {
        process.executableURL = RunningProgram.development
        process.arguments = ["hold"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        daemon = try #require(line.split(whereSeparator: \.isWhitespace).first.flatMap { Int32($0) })
    }

    /// Sends a signal to the program and waits for its end.
    func end(by signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
    }

    deinit { end(by: SIGKILL) }
}
