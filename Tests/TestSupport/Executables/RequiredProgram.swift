package import Foundation

/// A failure of a program that a test needs.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Fails with a reason if a program that a test needs is missing.
package func requireProgram(_ path: String, package: String) throws {
    guard FileManager.default.isExecutableFile(atPath: path) else {
        throw ProgramFailure(description: "\(path) is missing: install the package \(package)")
    }
}

/// Runs a program in a folder until it ends, and fails with its message if it does not succeed.
package func run(_ path: String, package: String, _ arguments: [String], in folder: URL) throws {
    try requireProgram(path, package: package)
    try Tool.output(of: [path] + arguments, in: folder)
}
