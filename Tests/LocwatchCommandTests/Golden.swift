import Foundation
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
        let difference = zip(text.split(separator: "\n"), kept.split(separator: "\n")).first { $0 != $1 }
        #expect(
            text == kept,
            "differs from Golden/\(name) first at \(difference.map { "\"\($0)\", kept: \"\($1)\"" } ?? "its end")",
            sourceLocation: sourceLocation)
    }
}
