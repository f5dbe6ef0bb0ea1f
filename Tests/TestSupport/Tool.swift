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
        let scratch = FileManager.default.temporaryDirectory.appending(path: "locwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files, unlike pipes, have room for any amount of output.
        func file(_ name: String, holding text: String = "") throws -> URL {
            let file = scratch.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file
        }
        let (out, err) = (try file("out"), try file("err"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = try FileHandle(forReadingFrom: file("in", holding: input))
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
}
