import Foundation
import TestSupport

/// Independent programs that read the files written by locwatch, and their output.
enum OracleProgram {
    /// Returns the output of a program; throws its error text if it is missing or fails.
    static func run(_ arguments: [String], input: String = "") throws -> String {
        let tool = try Tool(arguments[0], Array(arguments.dropFirst()), input: input)
        guard tool.status == 0 else {
            throw ProgramFailure(description: "\(arguments.joined(separator: " ")): \(tool.status)\n\(tool.errors)")
        }
        return tool.output
    }

    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Oracles/\(name)").standardizedFileURL
            .path
    }
}

extension GoldenFile {
    /// Creates a file of these tests.
    init(_ name: String) { self.init(name, of: URL(filePath: #filePath).deletingLastPathComponent()) }
}
