import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

/// Independent programs that read the files written by locwatch, and their output.
enum OracleProgram {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the output of a program; throws its error text if it is missing or fails.
    static func run(_ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        // The input is a file, so that a program that writes before it has read everything does not deadlock.
        let scratch = try Scratch()
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: scratch.write(Array(input.utf8), to: "input")))
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let complaint = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(arguments.joined(separator: " ")): \(process.terminationStatus)\n\(complaint)")
        }
        return text
    }

    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Oracles/\(name)").standardizedFileURL
            .path
    }
}
