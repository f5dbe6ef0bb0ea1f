package import Foundation
package import Testing

/// A file beside the tests with a text that people and scripts read.
///
/// With LOCWATCH_WRITE_GOLDEN=1 the files are rewritten; check the difference before committing it.
package struct GoldenFile: Sendable {
    private let file: URL
    /// The name in messages.
    private let name: String

    /// - Parameter folder: The folder of the target that has the file in its own folder `Golden`.
    package init(_ name: String, of folder: URL) {
        file = folder.appending(path: "Golden/\(name)")
        self.name = "\(folder.lastPathComponent)/Golden/\(name)"
    }

    package func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["LOCWATCH_WRITE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard text != kept else { return }
        // An expectation of two texts compares them by character when it fails, which takes minutes for long ones.
        let difference = try Tool("diff", ["-U0", file.path, "-"], input: text).output.split(separator: "\n").prefix(36)
        let advice =
            "LOCWATCH_WRITE_GOLDEN=1 make test ARGS='--filter \(name.prefix { $0 != "/" })' writes the file again"
        Issue.record(
            "\(name) differs:\n\(difference.joined(separator: "\n"))\n\(advice)", sourceLocation: sourceLocation)
    }
}
