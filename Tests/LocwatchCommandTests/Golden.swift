import Foundation
import TestSupport
import Testing

/// Comparisons of texts that people and scripts read with files beside the tests.
///
/// With LOCWATCH_WRITE_GOLDEN=1 the files are rewritten; check the difference before committing it.
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
        guard text != kept else { return }
        // An expectation of two texts compares them by character when it fails, which takes minutes for long ones.
        let difference = try Tool("diff", ["-U0", file.path, "-"], input: text).output.split(separator: "\n").prefix(36)
        Issue.record(
            "Golden/\(name) differs:\n\(difference.joined(separator: "\n"))\n\(advice)", sourceLocation: sourceLocation)
    }

    private static let advice =
        "LOCWATCH_WRITE_GOLDEN=1 make test ARGS='--filter LocwatchCommandTests' writes the file again"
}
