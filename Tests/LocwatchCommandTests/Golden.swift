import Foundation
import Testing

/// Texts that people and scripts read, kept in files beside the tests.
///
/// With LOCWATCH_WRITE_GOLDEN=1 the files are written anew; look at the difference before you keep it.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["LOCWATCH_WRITE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let difference = zip(text.split(separator: "\n"), kept.split(separator: "\n")).first { $0 != $1 }
        #expect(
            text == kept,
            "differs from Golden/\(name) first at \(difference.map { "\"\($0)\", kept: \"\($1)\"" } ?? "its end")",
            sourceLocation: sourceLocation)
    }
}

/// A program that a test runs, and what it says.
struct Tool {
    let status: Int32
    let output: String
    let errors: String

    init(
        _ name: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
        in folder: URL? = nil
    ) throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "locwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files and no pipes: whatever the program says fits.
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

    /// The path of a program that this build made.
    static func built(_ name: String) throws -> String {
        var folder = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
        folder = folder.flatMap { [$0, $0.deletingLastPathComponent()] }
        let places = folder.map { $0.appending(path: name).path }
        return try #require(places.first { FileManager.default.isExecutableFile(atPath: $0) })
    }
}

/// A folder of its own for a test, removed with the value.
final class Scratch {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "locwatch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
