import Foundation

/// A program that a test runs, with its exit status and output.
struct CompilerTool {
    let status: Int32
    let output: String

    init(_ name: String, _ arguments: [String], input: String = "") throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardOutput
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        output = String(decoding: try standardOutput.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

/// The folders of the package that the tests compile from.
enum Folder {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let shim = tests.appending(path: "../../Sources/System/CGPSD").standardizedFileURL.path
    static let headers = tests.appending(path: "Headers").path
    static let programs = tests.appending(path: "Programs").path
}

/// A temporary folder that is removed with its owner.
final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "locwatch-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
