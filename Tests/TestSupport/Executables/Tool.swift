package import Foundation

/// A finished run of a program, with its status and output.
package struct Tool {
    package let status: Int32
    package let output: String
    package let errors: String

    package init(
        _ name: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
        in folder: URL? = nil
    ) throws {
        // Files, unlike pipes, have room for any amount of output.
        let scratch = try Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let (out, err) = (try scratch.write("", to: "out"), try scratch.write("", to: "err"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = try FileHandle(forReadingFrom: scratch.write(input, to: "in"))
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        if let environment { process.environment = environment }
        if let folder { process.currentDirectoryURL = folder }
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = String(decoding: try Data(contentsOf: out), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: err), as: UTF8.self)
    }

    /// Returns the output of a program; one that is missing or fails is an error with its text.
    @discardableResult
    package static func output(of words: [String], input: String = "", in folder: URL? = nil) throws -> String {
        let tool = try Tool(words[0], Array(words.dropFirst()), input: input, in: folder)
        guard tool.status == 0 else {
            throw ProgramFailure(description: "\(words.joined(separator: " ")): \(tool.status)\n\(tool.errors)")
        }
        return tool.output
    }

    /// Returns the path of an independent program in Tests/Oracles.
    package static func oracle(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Oracles/\(name)")
            .standardizedFileURL.path
    }
}
